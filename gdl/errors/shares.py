"""Shares of the limits of searches and commands: of the time, and what holds where nobody set a limit.

A limit that nobody set is counted in nodes or positions, never in seconds, so that an answer is the same everywhere.
"""

# Of the time of a search.
LOOKING_SHARE = 0.1  # for looking at positions, to find out what kind of game it is
EXACT_TRIAL_SHARE = 0.4  # of what is left then, for an attempt behind which another one stands
VALUE_SHARE = 0.2  # for the value, where the search for a concept found nothing
KEPT_SHARE = 0.5  # at least, for the search, if finding out what kind of game it is took most of it
MAKING_SHARE = 0.9  # for making the code of its engine, of what is left then
READY_SHARE = 0.1  # at least, for the search, once its engine is ready
FINISHING_SHARE = 0.1  # of the time of a command, kept for putting together its answer

# Of the time of one solver.
MEETING_SHARE = 0.6  # for meeting all positions of a game with something hidden
HISTORIES_SHARE = 0.3  # for meeting all positions with their histories, before the positions alone are looked at
LEARNING_SHARE = 0.6  # for strategies, where they could not be met, before plays by them are sampled
APPROACH_SHARE = 1 / 8  # for regret minimisation, before a linear program is solved
ONE_EQUILIBRIUM_SHARE = 0.3  # for one equilibrium, before a large table of plans is made
SIMULATION_SHARE = 1 / 16  # for one simulation: later ones are cut off where it was then
JUDGING_SHARE = 0.025  # (of a second at least) to judge equilibria after the limit
NUMBERING_SHARE = 0.2  # for an attempt to number all positions
OWN_JUDGING_SHARE = 0.25  # kept for judging the answer of a user's own search

# Of the time of one command.
WALK_SHARE = 0.35  # of `ask`: for looking through positions, and as much for plays
ESTIMATE_SHARE = 0.3  # of `judge` and `verify`: kept for an estimate, if the profile cannot be judged in the rest
REPORT_SHARE = 0.1  # of `playouts`: kept for the report
GRAPH_SHARE, FILE_SHARE = 0.5, 0.1  # of `export`: kept for building the graph from the states, and for writing it

# Seconds.
SHORT_SECONDS = 5.0  # with less no search is tried that is surely out of reach; for the value, where time is free
FOLDING_SECONDS = 3.0  # that symmetries may take to be found, on a slow machine
OWN_GRACE_SECONDS = 0.1  # that a user's own search may go on after its time

# Of an attempt at an exact answer, where nobody set a limit.
TRIED_POSITIONS = 10_000_000  # for a search with a table,
MORE_TRIED_POSITIONS = 60_000_000  # where it may well come to its end: some ten seconds,
STATES_WITHIN_REACH = 10**15  # that is, where the variables can tell apart no more states than these
STATES_OUT_OF_REACH = 10**60  # such states beyond which it surely does not come to its end
ENUMERATED_POSITIONS = 1_000_000  # for a search that looks at all of them: a few seconds
TRACED_POSITIONS = 1_000  # for an equilibrium to which logit equilibria lead: ten seconds for 600

# Of simulations, where nobody set a limit: some ten seconds.
PLAYED_NODES, PLAYED_ACTIONS = 25_000, 1_500_000  # nodes, and nodes times actions of the start
PLAYED_NODES_FAST, PLAYED_ACTIONS_FAST = 1_000_000, 500_000_000  # on WebAssembly
