"""How a search shares out its limits: every share of the time, and every limit that holds where nobody set one.

A limit that nobody set is counted in nodes or positions, never in seconds, so that an answer is the same everywhere.
"""

# Of the time of a search.
LOOKING_SHARE = 0.1  # for looking at positions, to find out what kind of game it is
EXACT_TRIAL_SHARE = 0.4  # of what is left then, for an attempt behind which another one stands
VALUE_SHARE = 0.2  # for the value, where the search for a concept found nothing
KEPT_SHARE = 0.5  # at least, for the search, if finding out what kind of game it is took most of it
READY_SHARE = 0.1  # at least, for the search, once its engine is ready
FINISHING_SHARE = 0.1  # of the time of a command, kept for putting together its answer

# Seconds.
SHORT_SECONDS = 5.0  # with less no search is tried that is surely out of reach; for the value, where time is free

# Of an attempt at an exact answer, where nobody set a limit.
TRIED_POSITIONS = 10_000_000  # for a search with a table,
MORE_TRIED_POSITIONS = 60_000_000  # where it may well come to its end: some ten seconds,
STATES_WITHIN_REACH = 10**15  # that is, where the variables can tell apart no more states than these
STATES_OUT_OF_REACH = 10**60  # such states beyond which it surely does not come to its end
ENUMERATED_POSITIONS = 1_000_000  # for a search that looks at all of them: a few seconds
TRACED_POSITIONS = 1_000  # for an equilibrium to which logit equilibria lead: some ten seconds
TRIED_SWEEPS = 50_000  # positions, over all branches, that markov-perfect looks at
EXCHANGE_WORK = 150_000  # to find out whether exchanging the players proves the value: some half a second
LISTED_NODES = 1_000_000  # of a tree, up to which strategies are looked for where the value is proved already

# Of simulations, where nobody set a limit: some ten seconds.
PLAYED_NODES, PLAYED_ACTIONS = 25_000, 1_500_000  # nodes, and nodes times actions of the start
PLAYED_NODES_FAST, PLAYED_ACTIONS_FAST = 1_000_000, 500_000_000  # on WebAssembly
