"""The rows of this wing."""

from gdl.wings import AttemptRow, PageRow, SolverRow, Wing

WING = Wing(
    "hidden",
    "Compiled searches where something is hidden, and samples of such games that are too large to be listed",
    solvers={"mccfr": SolverRow("gdl.wings.hidden.mccfr:MCCFR", behind="cfr", compiled=True, draws=True)},
    attempts={"mccfr": AttemptRow("gdl.wings.hidden.suited:suits_samples", before="")},
    hooks={
        "the compiled unfolding": "gdl.wings.hidden.unfolding:Unfolding",
        "the compiled table of sequences": "gdl.wings.hidden.sequence_table:end_table",
        "compiled regret minimisation": "gdl.wings.hidden.regret_minimisation:CompiledMinimiser",
        "a plan over possible worlds": "gdl.wings.hidden.possible_worlds:find_world_plan",
        "an estimate by samples": "gdl.wings.hidden.sampled_estimate:estimate_by_samples",
        "best replies to a profile": "gdl.wings.hidden.best_replies:enclose_profile",
        "tree search over information sets": "gdl.wings.hidden.information_set_mcts:InformationSetMcts",
        "search of a page over information sets": "gdl.wings.hidden.page_search:page_search",
    },
    pages={"sampling": PageRow("To look things up", behind="random-play")},
)
