"""The rows of solution concepts beyond Nash equilibrium, subgame-perfect equilibrium and dominance."""

from gdl.wings import AttemptRow, Concept, FileRow, PageRow, SolverRow, Wing

CONCEPTS = (
    Concept(
        "perfect-bayesian",
        "strategies and beliefs such that everyone does what is best at every information set given the belief there, "
        "and in every subgame beliefs follow from play by Bayes' rule wherever it leads",
        "Mas-Colell, Whinston and Green 1995, section 9.C, in every subgame",
        judge="gdl.wings.theory.beliefs.judging_assessments:judge_perfect_bayesian",
        called=("perfect Bayesian equilibrium", "perfect Bayesian equilibria"),
    ),
    Concept(
        "sequential",
        "strategies and beliefs such that everyone does what is best at every information set given the belief there, "
        "and the beliefs are limits of what follows from ever smaller trembles",
        "Kreps and Wilson 1982",
        judge="gdl.wings.theory.beliefs.judging_assessments:judge_sequential",
    ),
    Concept(
        "intuitive",
        "of a game of signals a perfect Bayesian equilibrium in which no type could make itself known, and gain, by a "
        "message that is not sent and that would never pay the others",
        "Cho and Kreps 1987",
        judge="gdl.wings.theory.beliefs.judging_assessments:judge_intuitive",
    ),
    Concept(
        "correlated",
        "plans recommended by a common draw, from which no player gains by deviating, whatever was recommended",
        "Aumann 1974",
        opening="Drawn as below, the plans pay: on average",
    ),
    Concept(
        "coarse-correlated",
        "plans drawn in common, from which no player gains by opting out for one plan before the draw",
        "Moulin and Vial 1978",
        opening="Drawn as below, the plans pay: on average",
    ),
    Concept(
        "grundy",
        "the nimber of a game of two in which who cannot move loses: the heap of Nim that it is worth; where the "
        "players' moves differ, or who cannot move wins, only the outcome (N, P, L or R)",
        "Sprague 1935, Grundy 1939",
        pays_value=False,
    ),
    Concept(
        "commitment",
        "the best mixture that one of two players can announce beforehand, if the other replies best, ties as it likes",
        "von Stackelberg 1934; Conitzer and Sandholm 2006",
        judge="gdl.wings.theory.commitment.judging_commitment:judge_commitment",
        opening="Committed as below,",
        called=("best commitment", "best commitments"),
        option="as",
    ),
    Concept(
        "quantal",
        "a profile in which each action is played in proportion to exp(lambda times what it pays)",
        "McKelvey and Palfrey 1995, 1998",
        judge="gdl.wings.theory.quantal.judging_quantal:judge_quantal",
        opening="The players err as below: on average",
        opens_first=True,
        pays_value=False,
        secures=False,
        option="lambda",
    ),
    Concept(
        "perfect",
        "an equilibrium that is a limit of play in which everybody makes every mistake now and then",
        "Selten 1975",
        judge="gdl.wings.theory.refinements.judging_refinements:judge_perfect",
    ),
    Concept(
        "proper",
        "an equilibrium that is a limit of play in which of two mistakes the costlier is made far less often",
        "Myerson 1978",
        judge="gdl.wings.theory.refinements.judging_refinements:judge_proper",
    ),
    Concept(
        "evolutionary",
        "a strategy of a symmetric game that no small group of mutants can invade",
        "Maynard Smith and Price 1973",
        judge="gdl.wings.theory.evolutionary.judging_evolutionary:judge_evolutionary",
        pays_value=False,
        called=("evolutionarily stable strategy", "evolutionarily stable strategies"),
    ),
    Concept(
        "symmetric",
        "a Nash equilibrium in which all players do the same, of players who are alike",
        "Nash 1951",
        pays_value=False,
        called=("symmetric equilibrium", "symmetric equilibria"),
    ),
    Concept(
        "team",
        "the best combination of plans of players who want the same and cannot speak; else that of the greatest sum",
        "Marschak 1955; Radner 1962",
        judge="gdl.wings.theory.team.judging_sums:judge_greatest_sum",
        pays_value=False,
        opening="By the plans below",
        secures=False,
        called=("best plan of the team", "best plans of the team"),
    ),
    Concept(
        "coalition",
        "what each set of players secures against all others together; the Shapley value, nucleolus and core of that",
        "von Neumann and Morgenstern 1944; Shapley 1953; Gillies 1959; Schmeidler 1969",
        judge="gdl.wings.theory.coalitions.judging_coalitions:judge_coalition",
        pays_value=False,
        opening="By the Shapley value",
        shares=True,
        called=("outcome in the core", "outcomes in the core"),
    ),
    Concept(
        "welfare",
        "the combinations of plans whose utilities have the greatest sum",
        "Harsanyi 1955",
        judge="gdl.wings.theory.team.judging_sums:judge_greatest_sum",
        pays_value=False,
        opening="By the plans below",
        secures=False,
        called=("plan of the greatest welfare", "plans of the greatest welfare"),
    ),
)

_READER = "gdl.wings.theory.action_graphs.action_graph_files"
WING = Wing(
    "theory",
    "Solution concepts beyond Nash, subgame-perfect and dominance: their solvers and judges.",
    needs=("verify",),
    files=(FileRow((".agg", ".bagg", ".counts"), "#p", f"{_READER}:is_action_graph", f"{_READER}:description"),),
    solvers={
        "grundy": SolverRow("gdl.wings.theory.nimbers.grundy:GRUNDY", behind="paranoid"),
        "shapley": SolverRow("gdl.wings.theory.stochastic.shapley:SHAPLEY", behind="policy-iteration", finds=("nash",)),
        "payoff-set": SolverRow(
            "gdl.wings.theory.subgames.endless_payoffs:PAYOFF_SET", behind="subgame-perfect", finds=("subgame-perfect",)
        ),
        "stationary": SolverRow(
            "gdl.wings.theory.stochastic.stationary:STATIONARY",
            behind="policy-iteration",
            finds=("nash", "subgame-perfect"),
        ),
        "markov-perfect": SolverRow(
            "gdl.wings.theory.stochastic.stationary:MARKOV_PERFECT",
            "policy-iteration",
            finds=("nash", "subgame-perfect"),
        ),
        "sequential": SolverRow("gdl.wings.theory.beliefs.assessments:SEQUENTIAL", behind="subgame-perfect"),
        "perfect-bayesian": SolverRow(
            "gdl.wings.theory.beliefs.assessments:PERFECT_BAYESIAN", behind="subgame-perfect"
        ),
        "intuitive": SolverRow("gdl.wings.theory.beliefs.assessments:INTUITIVE", behind="subgame-perfect"),
        "correlated": SolverRow("gdl.wings.theory.correlated.correlated:CORRELATED", behind="cfr"),
        "coarse-correlated": SolverRow("gdl.wings.theory.correlated.correlated:COARSE_CORRELATED", behind="cfr"),
        "commitment": SolverRow("gdl.wings.theory.commitment.commitment:COMMITMENT", behind="cfr"),
        "quantal": SolverRow("gdl.wings.theory.quantal.quantal:QUANTAL", behind="cfr"),
        "perfect": SolverRow("gdl.wings.theory.refinements.refinements:PERFECT", behind="cfr"),
        "proper": SolverRow("gdl.wings.theory.refinements.refinements:PROPER", behind="cfr"),
        "evolutionary": SolverRow("gdl.wings.theory.evolutionary.evolutionary:EVOLUTIONARY", behind="cfr"),
        "symmetric": SolverRow("gdl.wings.theory.symmetric.symmetric:SYMMETRIC", behind="cfr"),
        "team": SolverRow("gdl.wings.theory.team.team_plans:TEAM", behind="cfr"),
        "coalition": SolverRow("gdl.wings.theory.coalitions.coalitions:COALITION", behind="cfr"),
        "welfare": SolverRow("gdl.wings.theory.team.team_plans:WELFARE", behind="cfr"),
    },
    attempts={
        "shapley": AttemptRow("gdl.wings.theory.stochastic.suited:suits_shapley", "sequence-form"),
        "stationary": AttemptRow("gdl.wings.theory.stochastic.suited:suits_stationary", "sequence-form"),
        "markov-perfect": AttemptRow("gdl.wings.theory.stochastic.suited:suits_markov_perfect", "sequence-form"),
        "symmetric": AttemptRow("gdl.wings.theory.symmetric.suited:suits_symmetric", ""),
    },
    concepts={one.name: one for one in CONCEPTS},
    pages={
        "concepts": PageRow("To look things up", behind="random-play"),
        "nimbers": PageRow("To look things up", behind="concepts"),
        "stochastic": PageRow("To look things up", behind="nimbers"),
        "beliefs": PageRow("To look things up", behind="stochastic"),
    },
    hooks={
        "the curve of lambda": "gdl.wings.theory.quantal.quantal:trace",
        "judging a distribution of plans": "gdl.wings.theory.correlated.judging_draws:judge_draws",
        "judging shares of coalitions": "gdl.wings.theory.coalitions.judging_shares:judge_shares",
        "judging play that comes back": "gdl.wings.theory.stochastic.judging_stationary:judge_stationary",
        "dominance by types": "gdl.wings.theory.beliefs.interim_dominance:eliminate_by_types",
        "payoffs of subgames": "gdl.wings.theory.subgames.payoff_sets:find_payoff_sets",
        "sums of positions": "gdl.wings.theory.nimbers.parts:parts_of",
        "random play that comes back": "gdl.wings.theory.stochastic.judging_stationary:uniform",
        "tables of papers": "gdl.wings.theory.papers.tables:sweep_tables",
        "average rewards": "gdl.wings.theory.stochastic.average:AverageProcess",
    },
)
