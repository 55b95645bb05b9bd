"""The rows of solution concepts beyond Nash equilibrium, subgame-perfect equilibrium and dominance."""

from gdl.wings import Wing

WING = Wing(
    "theory",
    "Solution concepts beyond Nash, subgame-perfect and dominance: their solvers and judges.",
    needs=("verify",),
    hooks={
        "the curve of lambda": "gdl.solvers.strategic.quantal:trace",
        "judging a distribution of plans": "gdl.wings.theory.judging_draws:judge_draws",
        "judging shares of coalitions": "gdl.wings.theory.judging_shares:judge_shares",
        "judging play that comes back": "gdl.wings.theory.judging_stationary:judge_stationary",
        "random play that comes back": "gdl.wings.theory.judging_stationary:uniform",
    },
)
