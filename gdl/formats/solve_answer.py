"""The answers of `gdl solve --json` and `gdl judge --json`, each as one record: each key with its type and meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from gdl.formats.answer_kinds import (
    ABSENT,
    Amount,
    AnswerPart,
    AnswerRecord,
    AnswerTraits,
    ByPlayer,
    Count,
    Counts,
    CutRule,
    Ends,
    Kind,
    Mixture,
    Names,
    Profile,
    SkippedSubtree,
    Texts,
    TreePath,
)
from gdl.formats.answer_records import Bounds

Edge = Literal["open", "closed"]


class DrawnProfile(AnswerPart):
    """A combination of actions, and the probability with which it is recommended."""

    profile: Texts
    probability: Amount


class CorrelatedPlan(AnswerPart):
    """A correlated equilibrium, as a distribution over combinations of actions."""

    distribution: Sequence[DrawnProfile]


class FreeProbability(AnswerPart):
    """The probability of an action at an information set that play does not reach, and the interval in which it may
    vary, the other actions in proportion."""

    player: str
    set: str
    action: str
    interval: Ends


class EquilibriumGroup(AnswerPart):
    """The equilibria that lead to the same outcome."""

    members: Annotated[Sequence[Count], "their places in the list, from 0; the first stands for them"]
    payoffs: ByPlayer
    outcome: Annotated[Mixture, "how likely each end is, by the actions that lead there"]
    free: Annotated[Sequence[FreeProbability], "what may vary in the first"] = ()


class FittedLambda(AnswerPart):
    """The precision (lambda) of players at which, of those looked at, the observed counts of play are most likely."""

    lambda_: Amount
    log_likelihood: Amount
    standard_error: Annotated[Amount | None, "of lambda; null: not known"]
    counts: Annotated[Profile, "how often each action was taken"]


class AlgebraicNumber(AnswerPart):
    """An irrational number: the only root of a polynomial in an interval."""

    polynomial: Annotated[Sequence[int], "its coefficients, the constant first"]
    interval: Ends


Roots = Mapping[str, Mapping[str, AlgebraicNumber]]


class CoalitionWorth(AnswerPart):
    """A set of players, and the utility that it secures against the others."""

    players: Names
    value: Amount


class CoreAnswer(AnswerPart):
    """The core, and the least core."""

    empty: bool
    margin: Annotated[Amount, "how far the least contented coalition is above its worth at best"]
    point: Annotated[ByPlayer | None, "shares in the core"] = None


class UnknownStretch(AnswerPart):
    """An interval of an unknown in which the answer is the same; a field that depends on other unknowns is null."""

    from_: Annotated[str | None, "null: without end"]
    to: Annotated[str | None, "null: without end"]
    ends: Annotated[tuple[Edge, Edge], "whether they belong to it"]
    equilibria: Annotated[Sequence[Texts] | None, "the pure ones, of a matrix"] = ABSENT
    best: Names | None = ABSENT
    value: ByPlayer | None = ABSENT
    pruned: Sequence[TreePath] | None = ABSENT
    depends: Annotated[Names, "the other unknowns"] = ()


class HoldingCondition(AnswerPart):
    """The condition on the unknowns under which a part of the answer holds."""

    what: Annotated[str, "best, value, pruned or equilibrium"]
    of: Annotated[Any, "the action, the value, the path or the profile"]
    when: Annotated[Sequence[Names], "any of the cases, all of whose comparisons hold; [[]] is always"]
    if_: Annotated[str, "the cases as one text; older answers have none"] = ABSENT
    status: Literal["always", "sometimes", "never"] = ABSENT


class PositionWorth(AnswerPart):
    """The value of a node."""

    path: TreePath
    value: ByPlayer


class SearchStep(AnswerPart):
    """A step of a search at one node."""

    node: TreePath
    event: Annotated[str, "enter, leaf, update, cut or leave"]
    alpha: Annotated[Amount | None, "null: infinite"]
    beta: Annotated[Amount | None, "null: infinite"]
    value: Amount | str | ByPlayer | None
    bound: Annotated[str | None, "what the value is to the node's: exact, lower or upper; null: nothing yet"]
    low: Annotated[Amount | None, "what the value of a chance node is at least"] = ABSENT
    high: Annotated[Amount | None, "and at most"] = ABSENT
    probe: Annotated[Literal[True] | None, "the first look of star2 at one successor of a child"] = None


class SearchCut(AnswerPart):
    """A cut: where a search left a node early, and why."""

    path: TreePath
    alpha: Amount | None
    beta: Amount | None
    value: Annotated[Amount, "what crossed the window"]
    child: Annotated[str, "whose value that is"]
    reason: Annotated[str, "the crossing in the textbook's words"]
    skipped: Sequence[SkippedSubtree]


class NodeVisit(AnswerPart):
    """A visited node, with the window on entry and exit, and the value that search returned."""

    path: TreePath
    action: Annotated[str | None, "that led here; null at the root"]
    label: str | None
    player: Annotated[str | None, "null where nobody moves"]
    kind: Annotated[str, "decision, chance, terminal or cutoff"]
    window: Sequence[Amount | None]
    window_after: Sequence[Amount | None]
    value: Amount | str | ByPlayer | None
    bound: Annotated[str | None, "what the value is to the node's: exact, lower or upper"]


class SolveAnswer(AnswerRecord, kw_only=True):
    """A solver's answer. Keys that do not apply are left out; objects keyed by player are in the order of the
    players."""

    game: Annotated[str, "the title of the game"]
    solver: Annotated[str, "which found the answer"]
    concept: Annotated[str | None, "what counts as an answer, where that was asked for"] = None
    exact: Annotated[bool, "no number is an estimate, and no search was cut off"]
    traits: Annotated[AnswerTraits | None, "of what kind the game is"] = None
    cost: Annotated[bool, "the file states costs: utilities with the other sign"] = False
    value: Annotated[ByPlayer | None, "what each player gets"] = None
    interval: Annotated[Mapping[str, Bounds] | None, "what each player's value is proven to lie between"] = None
    secured: Annotated[bool, "the value is what each player secures against all others together"] = False
    best: Annotated[Names, "the optimal first actions, first the one to play"] = ()
    line: Annotated[Names, "a play in which everyone plays well"] = ()
    nodes: Annotated[Count | None, "how many were searched"] = None
    leaves: Annotated[Count | None, "how many were valued"] = None
    states: Annotated[Count | None, "how many different ones were looked at"] = None
    pruned: Annotated[Sequence[SkippedSubtree] | None, "the subtrees that the search skipped, in its order"] = None
    equilibria: Annotated[Sequence[Profile | CorrelatedPlan] | None, "how they are played"] = None
    payoffs: Annotated[Sequence[ByPlayer] | None, "what the equilibria pay, in their order"] = None
    payoff_set: Annotated[Mapping[str, Any] | None, "corners of payoffs, and an automaton that plays for them"] = None
    distribution: Annotated[Sequence[DrawnProfile] | None, "the correlated equilibrium"] = None
    coalitions: Annotated[Sequence[CoalitionWorth] | None, "what each set of players secures"] = None
    shapley: Annotated[ByPlayer | None, "the Shapley value"] = None
    nucleolus: Annotated[ByPlayer | None, "the least contented sets of players are as content as can be"] = None
    core: Annotated[CoreAnswer | None, "shares that no set of players would leave"] = None
    beliefs: Annotated[Sequence[Profile], "of each equilibrium: how likely a player holds each node"] = ()
    strategy: Annotated[Profile | None, "how to play"] = None
    regret: Annotated[ByPlayer | None, "what each player could gain at most by another strategy"] = None
    outcome: Annotated[str | None, "who wins: N who moves next, P who has moved, L or R whoever begins"] = None
    grundy: Annotated[Count | None, "the nimber"] = None
    nimbers: Annotated[Counts | None, "after each first move"] = None
    classes: Annotated[Counts | None, "how many positions there are of each outcome"] = None
    dominated: Annotated[Sequence[Mapping[str, Profile]] | None, "round by round what goes, and for what"] = None
    residual: Annotated[Amount | None, "how far the probabilities are from solving the equations"] = None
    fit: Annotated[FittedLambda | None, "lambda fitted to counts of play"] = None
    algebraic: Annotated[Sequence[Roots], "of each equilibrium: player, action, its irrational probability"] = ()
    unknowns: Annotated[Mapping[str, Sequence[UnknownStretch]] | None, "the line of each unknown"] = None
    conditions: Annotated[Sequence[HoldingCondition], "when what holds, whatever the unknowns are"] = ()
    reason: Annotated[str, "why this solver was picked"] = ""
    notes: Annotated[Names, "sentences for the reader"] = ()
    limit: Annotated[str | None, "what cut the search off"] = None
    complete: Annotated[bool | None, "whether the equilibria are all there are"] = None
    groups: Annotated[Sequence[EquilibriumGroup], "the equilibria by their outcomes, where some share one"] = ()
    fingerprint: Annotated[str | None, "of the game"] = None
    settings: Annotated[Texts | None, "the parameters that were given values"] = None
    variant: Annotated[str | None, "of the file"] = None
    position: Annotated[str | None, "where it begins, in the game's notation"] = None
    after: Annotated[Names | None, "the actions after which it begins"] = None
    weights: Annotated[str | None, "the file of weights"] = None
    options: Annotated[Mapping[str, Any] | None, "those of the solver"] = None
    values: Annotated[Sequence[PositionWorth] | None, "the value of every node"] = None
    rule: Annotated[CutRule | None, "how the search went"] = None
    trace: Annotated[Sequence[SearchStep] | None, "every step of the search"] = None
    cuts: Annotated[Sequence[SearchCut] | None, "where it left a node early"] = None
    visits: Annotated[Sequence[NodeVisit] | None, "the nodes that it entered"] = None


class SweepThreshold(AnswerPart, kw_only=True):
    """A place in the parameter's range at which the answer changes."""

    between: Annotated[Ends, "these values of the parameter"]
    at: Annotated[Amount | None, "one of them, where that is known"] = None
    before: Any
    after: Any


class SweepAnswer(AnswerRecord):
    """The answers for all values of a parameter."""

    game: str
    parameter: str
    answers: Sequence[SolveAnswer]
    thresholds: Sequence[SweepThreshold]
    limit: Annotated[str | None, "what stopped the sweep"] = None


class JudgedSet(AnswerPart):
    """An information set under a profile. If play never reaches it, the fields conditional on that are left out."""

    reached: Annotated[Amount, "how often, on average, play comes there"]
    belief: Annotated[Mixture | None, "how likely each of its nodes is, given that"] = None
    value: Annotated[Amount | None, "what its player gets, given that"] = None
    actions: Annotated[Mapping[str, Amount | None] | None, "what each action pays its player"] = None
    regret: Annotated[Amount | None, "what another action at this set alone would gain"] = None


class JudgedNode(AnswerPart):
    """A node under a profile, and how likely play reaches it."""

    node: Annotated[str, "the actions that lead there"]
    probability: Amount
    value: Annotated[ByPlayer | None, "what everyone gets where play comes there"] = None


class PlannedAttempt(AnswerPart):
    """One attempt of a plan."""

    solver: Annotated[str, "auto where the rules alone may prove a value"]
    share: Annotated[float, "of the time that is left then, from 0 to 1"]
    why: str


class PlanAnswer(AnswerRecord):
    """The attempts that would be made at a game, in order, until one answers."""

    game: str
    plan: Sequence[PlannedAttempt]


class JudgedProfile(AnswerPart):
    """A profile: each player's payoff, and the most that each could gain by deviating."""

    value: ByPlayer
    regret: ByPlayer | None
    nash_conv: Annotated[Amount | None, "the sum of the regrets"]
    at_least: Annotated[Names | None, "players who forget, and might gain more than their regret"] = None
    deviations: Annotated[Mapping[str, Texts] | None, "by player and information set: the better action"] = None
    concept: str | None = None
    holds: Annotated[bool | None, "whether it is an answer by the concept; null: not known"] = ABSENT
    conditions: Sequence[Annotated[Mapping[str, Any], Kind("condition")]] | None = None
    beliefs: Profile | None = None
    sets: Annotated[Mapping[str, Mapping[str, JudgedSet]] | None, "with --details: by player"] = None
    nodes: Annotated[Sequence[JudgedNode] | None, "with --details"] = None


class ProfileJudgement(JudgedProfile):
    """The judgement of one of several profiles."""

    regret: ByPlayer
    nash_conv: Amount


class JudgeAnswer(JudgedProfile, AnswerRecord):
    """The judgement of a profile; of several, that of the one from which players could gain most. If a limit stopped
    it, an estimate with proven bounds."""

    exact: Annotated[Literal[False] | None, "it is an estimate"] = None
    plays: Annotated[int | None, "from which it was made"] = None
    limit: str | None = None
    interval: Annotated[Mapping[str, Bounds] | None, "of the value"] = None
    regret_interval: Mapping[str, Bounds] | None = None
    nash_conv_interval: Bounds | None = None
    profiles: Sequence[ProfileJudgement] | None = None
