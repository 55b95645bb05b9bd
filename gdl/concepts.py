"""Solution concepts: what counts as an answer, apart from how it is found. One row each in the ordered table CONCEPTS.

How the verifier checks an answer for a concept stands in the file of its name in the verifier's folder `concepts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gdl import wings
from gdl.wings import Concept

# Strategies where positions come again.
_COME_AGAIN = ("policy-iteration", "retrograde", "shapley", "stationary", "markov-perfect")

_CORE = (
    Concept(
        "nash",
        "a profile of strategies from which no player gains by deviating alone",
        "Nash 1951",
        tuple("sequence-form lemke-howson global-newton logit cfr subgame-perfect pure-plans".split()) + _COME_AGAIN,
        judge="gdl.solvers.equilibria.concept_judges:judge_nash",
    ),
    Concept(
        "subgame-perfect",
        "a profile that is a Nash equilibrium in every subgame, also in those that are not reached",
        "Selten 1965",
        ("stationary", "markov-perfect"),
        judge="gdl.solvers.equilibria.concept_judges:judge_subgame_perfect",
    ),
    Concept(
        "perfect-bayesian",
        "strategies and beliefs such that everyone does what is best at every information set given the belief there, "
        "and in every subgame beliefs follow from play by Bayes' rule wherever it leads",
        "Mas-Colell, Whinston and Green 1995, section 9.C, in every subgame",
        judge="gdl.solvers.beliefs.judging_assessments:judge_perfect_bayesian",
    ),
    Concept(
        "sequential",
        "strategies and beliefs such that everyone does what is best at every information set given the belief there, "
        "and the beliefs are limits of what follows from ever smaller trembles",
        "Kreps and Wilson 1982",
        judge="gdl.solvers.beliefs.judging_assessments:judge_sequential",
    ),
    Concept(
        "intuitive",
        "of a game of signals a perfect Bayesian equilibrium in which no type could make itself known, and gain, by a "
        "message that is not sent and that would never pay the others",
        "Cho and Kreps 1987",
        judge="gdl.solvers.beliefs.judging_assessments:judge_intuitive",
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
        judge="gdl.solvers.strategic.judging_commitment:judge_commitment",
        opening="Committed as below,",
    ),
    Concept(
        "quantal",
        "a profile in which each action is played in proportion to exp(lambda times what it pays)",
        "McKelvey and Palfrey 1995, 1998",
        judge="gdl.solvers.strategic.judging_quantal:judge_quantal",
        opening="The players err as below: on average",
        opens_first=True,
        pays_value=False,
    ),
    Concept(
        "perfect",
        "an equilibrium that is a limit of play in which everybody makes every mistake now and then",
        "Selten 1975",
        judge="gdl.solvers.strategic.judging_refinements:judge_perfect",
    ),
    Concept(
        "proper",
        "an equilibrium that is a limit of play in which of two mistakes the costlier is made far less often",
        "Myerson 1978",
        judge="gdl.solvers.strategic.judging_refinements:judge_proper",
    ),
    Concept(
        "evolutionary",
        "a strategy of a symmetric game that no small group of mutants can invade",
        "Maynard Smith and Price 1973",
        judge="gdl.solvers.strategic.judging_evolutionary:judge_evolutionary",
        pays_value=False,
    ),
    Concept(
        "team",
        "the best combination of plans of players who want the same and cannot speak; else that of the greatest sum",
        "Marschak 1955; Radner 1962",
        judge="gdl.solvers.strategic.judging_sums:judge_greatest_sum",
        pays_value=False,
        opening="By the plans below",
    ),
    Concept(
        "coalition",
        "what each set of players secures against all others together; the Shapley value, nucleolus and core of that",
        "von Neumann and Morgenstern 1944; Shapley 1953; Gillies 1959; Schmeidler 1969",
        judge="gdl.solvers.strategic.judging_coalitions:judge_coalition",
        pays_value=False,
        opening="By the Shapley value",
    ),
    Concept(
        "welfare",
        "the combinations of plans whose utilities have the greatest sum",
        "Harsanyi 1955",
        judge="gdl.solvers.strategic.judging_sums:judge_greatest_sum",
        pays_value=False,
        opening="By the plans below",
    ),
)


class Concepts(Mapping[str, Concept]):
    """The solution concepts by name, in the order in which they are offered: the core's, then those of wings."""

    def __getitem__(self, name: str) -> Concept:
        found = next((row for row in _CORE if row.name == name), None) or wings.find_row("concepts", name)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        yield from (row.name for row in _CORE)
        for wing in wings.wings("concepts"):
            yield from wing.concepts

    def __len__(self) -> int:
        return sum(1 for _ in self)


CONCEPTS: Mapping[str, Concept] = Concepts()
