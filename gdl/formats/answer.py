"""A Solution as the JSON object of `gdl solve --json`; profiles of strategies in its form are also read.

An exact number is an int or, as a fraction, the text "1/18"; an inexact one is a float. Objects keyed by player are in
the order of the players. Keys that do not apply are left out. A fingerprint identifies the game; further keys say with
which settings and options it was solved.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gdl.errors import DamagedData, clean
from gdl.formats import solve_answer as form
from gdl.formats.answer_kinds import ABSENT, AnswerTraits, CutRule, SkippedSubtree
from gdl.formats.answer_records import Bounds, PositionAnswer
from gdl.game import Chance, Decision, Game, Number, Simultaneous, Terminal, Traits, exact
from gdl.numbers import read_number
from gdl.solution import (
    NUMBER,
    Condition,
    Cut,
    Event,
    Interval,
    OutcomeFamily,
    Profile,
    Skipped,
    Solution,
    Visit,
)

UNRECORDED = {"rule": None, "cuts": None, "visits": None}  # fields of a search that is not told
ROUNDED = Fraction(1, 10**9)  # the most by which probabilities in floating point may miss a sum of 1
START = "start"  # the one information set of every player in a matrix, which the JSON of a matrix leaves out


def write(
    solution: Solution, *, origin: Mapping[str, Any] | None = None, values: bool = False, trace: bool = False
) -> str:
    """The answer as JSON text; `values` adds the values of all nodes, `trace` every step of the search."""
    return json.dumps(to_object(solution, origin=origin, values=values, trace=trace), allow_nan=False)


def to_object(
    solution: Solution, *, origin: Mapping[str, Any] | None = None, values: bool = False, trace: bool = False
) -> dict[str, Any]:
    """The answer as plain dicts, lists, numbers and text, with the keys in their fixed order."""
    return to_record(solution, origin=origin, values=values, trace=trace).to_object()


def to_record(
    solution: Solution, *, origin: Mapping[str, Any] | None = None, values: bool = False, trace: bool = False
) -> form.SolveAnswer:
    """The answer as the record of what `gdl solve --json` prints. `origin` holds the fields that identify the game and
    the request, from `fingerprint` to `options`; None leaves them out."""
    solution = restore_floats(solution)
    players = solution.players
    flat = is_matrix(solution)
    recorded = bool(solution.visits or solution.cuts)  # only such a search can say what it skipped
    return form.SolveAnswer.fill_from(
        solution,
        traits=None if solution.traits is None else traits_record(solution.traits),
        value=by_player(players, solution.value) or _middle_of_bounds(solution),
        interval=_bounds(solution),
        pruned=tuple(map(skipped_record, solution.pruned)) if recorded else None,
        beliefs=tuple(profile_by_player(players, profile, False) for profile in solution.beliefs),
        strategy=None if solution.strategy is None else profile_by_player(players, solution.strategy, flat),
        regret=by_player(players, solution.regret),
        algebraic=tuple(
            {
                player: {a: form.AlgebraicNumber(root.polynomial, (root.low, root.high)) for a, root in own.items()}
                for player, own in roots.items()
            }
            for roots in solution.roots
        ),
        unknowns={name: [_stretch(solution, one) for one in line] for name, line in solution.unknowns.items()} or None,
        conditions=tuple(map(_condition, solution.conditions)),
        groups=tuple(_group(solution, family) for family in solution.families),
        values=[
            form.PositionWorth(path, dict(zip(players, worth, strict=True))) for path, worth in solution.values.items()
        ]
        if values
        else None,
        **{**_equilibria(solution, flat), "distribution": None, **solution.part.json_fields(solution)},
        **(_trace(solution) if trace else UNRECORDED),
        **(origin or {}),
    )


def _equilibria(solution: Solution, flat: bool) -> dict[str, Any]:
    """The fields on equilibria and their payoffs."""
    players = solution.players
    listed: list[Any] = [profile_by_player(players, profile, flat) for profile in solution.equilibria]
    payoffs = [by_player(players, vector) for vector in solution.payoffs]
    none: list[Any] | None = [] if solution.concept is not None and solution.complete else None
    return {"equilibria": listed or none, "payoffs": payoffs or (none if not listed else None)}


def _group(solution: Solution, family: OutcomeFamily) -> form.EquilibriumGroup:
    free = [form.FreeProbability(one.player, one.set, one.action, (one.low, one.high)) for one in family.free]
    payoffs = dict(zip(solution.players, family.payoffs, strict=True))
    return form.EquilibriumGroup(family.members, payoffs, dict(family.outcome), free)


def restore_floats(solution: Solution) -> Solution:
    """The answer with floats in place of fractions that only approximate irrational numbers."""
    if not solution.rounded:
        return solution
    told = solution.part.restore_float
    return replace(
        solution,
        value=None if solution.value is None else tuple(map(told, solution.value)),
        equilibria=tuple(_floating(profile, told) for profile in solution.equilibria),
        payoffs=tuple(tuple(map(told, vector)) for vector in solution.payoffs),
        strategy=None if solution.strategy is None else _floating(solution.strategy, told),
        regret=None if solution.regret is None else tuple(map(told, solution.regret)),
    )


def _floating(profile: Profile, told: Callable[[Any], Any]) -> Profile:
    return {
        player: {name: {action: told(chance) for action, chance in row.items()} for name, row in sets.items()}
        for player, sets in profile.items()
    }


def _bounds(solution: Solution) -> dict[str, Bounds] | None:
    """The proven bounds of each player's value, None where an end is not known; None if nothing is."""
    pairs = zip(solution.players, solution.interval or (), strict=False)
    return {player: ends for player, ends in pairs if ends != (None, None)} or None


def _middle_of_bounds(solution: Solution) -> dict[str, float] | None:
    """The middle of the proven bounds of each player's value, as the value of an inexact answer; None unless all bounds
    are known."""
    ends = solution.interval or ()
    if solution.exact or solution.equilibria or not ends or any(None in pair for pair in ends):
        return None
    middles = ((low + high) / 2 for low, high in ends)  # type: ignore[operator]
    return dict(zip(solution.players, map(float, middles), strict=True))


def _stretch(solution: Solution, one: Interval) -> form.UnknownStretch:
    """The record of an interval of an unknown: the answer there. A field that depends on other unknowns is null;
    `depends` names them."""
    players = solution.players
    low, high = (None if end is None else str(end) for end in (one.low, one.high))
    ends: tuple[form.Edge, form.Edge] = ("closed" if one.closed[0] else "open", "closed" if one.closed[1] else "open")
    if solution.traits is not None and solution.traits.simultaneous:
        profiles = None if one.equilibria is None else [dict(zip(players, p, strict=True)) for p in one.equilibria]
        return form.UnknownStretch(low, high, ends, equilibria=profiles, depends=one.depends)
    value = by_player(players, one.value)
    return form.UnknownStretch(low, high, ends, best=one.best, value=value, pruned=one.pruned, depends=one.depends)


def _condition(condition: Condition) -> form.HoldingCondition:
    subject: Any = condition.subject
    about = subject if condition.what in ("pruned", "equilibrium") else subject[0]
    text = condition.text if condition.status == "sometimes" else condition.status
    return form.HoldingCondition(condition.what, about, condition.cases, text, condition.status)


def _trace(solution: Solution) -> dict[str, Any]:
    """The fields on the search: the rule, every step, and a summary of every cut and every node visited."""
    rule, players = solution.rule, solution.players
    steps = [_step(players, event) for event in solution.events]
    if rule is None or rule.cut is None:
        return {**UNRECORDED, "trace": steps}
    cuts, visits = list(map(_cut, solution.cuts)), [_visit(players, visit) for visit in solution.visits]
    return {"rule": CutRule(rule.cut, rule.order), "trace": steps, "cuts": cuts, "visits": visits}


def _step(players: Sequence[str], event: Event) -> form.SearchStep:
    """The record of one step; `low` and `high` only for a chance node, `probe` only for a probe of star2."""
    known = {} if event.low is event.high is None else {"low": event.low, "high": event.high}
    hidden = {"low": ABSENT, "high": ABSENT, "value": _amount(players, event.value), "probe": event.probe or None}
    return form.SearchStep.fill_from(event, **hidden | known)


def _amount(players: Sequence[str], value: Number | tuple[Number, ...] | None) -> Any:
    """A number as it is, or a vector as a mapping from players to numbers."""
    return by_player(players, value) if isinstance(value, tuple) else value


def is_matrix(solution: Solution) -> bool:
    """True if every player has only the information set of a matrix, so that profiles need no level for it."""
    profiles = [*solution.equilibria, *([] if solution.strategy is None else [solution.strategy])]
    simultaneous = solution.traits is not None and bool(solution.traits.simultaneous)
    return simultaneous and all(list(sets) == [START] for profile in profiles for sets in profile.values())


def traits_record(traits: Traits) -> AnswerTraits:
    """The game's traits as the record in answers."""
    return AnswerTraits(*(getattr(traits, name) for name in AnswerTraits.fields))


def by_player(players: Sequence[str], numbers: Sequence[Any] | None) -> dict[str, Any] | None:
    return None if numbers is None else dict(zip(players, numbers, strict=True))


def skipped_record(skipped: Skipped) -> SkippedSubtree:
    """The record of a skipped subtree: its path and its label, which is its action, or, if that is only a number, the
    node's own name (None if it has none)."""
    numbered = skipped.action == str(skipped.path[-1] + 1)
    return SkippedSubtree(skipped.path, skipped.label if numbered else skipped.action)


def profile_by_player(players: Sequence[str], profile: Profile, flat: bool) -> dict[str, Any]:
    """The profile as mapping player → information set → action → probability; `flat` omits the level of information
    sets."""
    return {player: profile[player][START] if flat else profile.get(player, {}) for player in players}


def _cut(cut: Cut) -> form.SearchCut:
    return form.SearchCut.fill_from(cut, path=cut.node, skipped=list(map(skipped_record, cut.skipped)))


def _visit(players: Sequence[str], visit: Visit) -> form.NodeVisit:
    window, after = (visit.alpha, visit.beta), (visit.alpha_after, visit.beta_after)
    return form.NodeVisit.fill_from(visit, window=window, window_after=after, value=_amount(players, visit.value))


def read_profile(data: Any, players: Sequence[str]) -> Profile:
    """A profile in the form of `equilibria`: player → information set → action → probability, or without the level of
    information sets, as for a matrix. DamagedData if it is neither."""
    if isinstance(data, list) and len(data) == len(players):
        data = dict(zip(players, data, strict=True))
    if isinstance(data, Mapping):  # pygambit lists players, information sets, actions: they are numbered here
        data = {who: _number_sets(sets) for who, sets in data.items()}
    if not isinstance(data, Mapping) or not all(isinstance(sets, Mapping) for sets in data.values()):
        raise DamagedData("a profile must map each player to their information sets, or to their actions in a matrix")
    unknown = [name for name in data if name not in players]
    if unknown:
        raise DamagedData(f"the profile is for '{unknown[0]}', who does not play this game")
    profile: dict[str, dict[str, dict[str, Number]]] = {}
    for player in players:
        sets = data.get(player, {})
        flat = bool(sets) and not any(isinstance(mixture, Mapping) for mixture in sets.values())
        levelled = {START: sets} if flat else sets
        profile[player] = {name: _mixture(mixture, f"{player} at {name}") for name, mixture in levelled.items()}
    return profile


def _number_sets(sets: Any) -> Any:
    """A list of mixtures by number of information set; a list of probabilities is one mixture, by number of action."""
    if not isinstance(sets, list):
        return sets
    mixtures = sets if any(isinstance(one, list | dict) for one in sets) else [sets]
    return {name: _number_list(one) if isinstance(one, list) else one for name, one in _number_list(mixtures).items()}


def _number_list(listed: list[Any]) -> dict[str, Any]:
    return {f"{NUMBER}{k}": one for k, one in enumerate(listed, 1)}


def _mixture(data: Any, where: str) -> dict[str, Number]:
    if not isinstance(data, Mapping):
        raise DamagedData(f"{where}: a mixture must map actions to probabilities")
    mixture = {action: _number(chance, where) for action, chance in data.items()}
    total = Fraction(sum(mixture.values(), Fraction(0)))
    if 0 < abs(total - 1) < ROUNDED and any(isinstance(chance, float) for chance in data.values()):
        return {action: exact(Fraction(chance) / total) for action, chance in mixture.items()}
    return mixture


def _number(value: Any, where: str) -> Number:
    try:
        return read_number(value)
    except ValueError as wrong:
        raise DamagedData(f"{where}: {wrong}") from None


def position_record(game: Game[Any], state: Any, notation: str | None, table: str | None) -> PositionAnswer:
    """The record of a position: the kind of game, the drawing, what can happen next, the position in the game's
    notation, and the entry of a table of the solved game (None: no notation, no table)."""
    return PositionAnswer(
        game=game.name,
        players=game.players,
        traits=traits_record(game.traits),
        drawing=clean_lines(game.show(state)),
        notation=notation,
        table=table,
        **_turn(game.players, game.node(state)),
    )


def _turn(players: Sequence[str], node: Any) -> dict[str, Any]:
    """The fields on whose turn it is and what can be done: `mover` is a player, chance, everyone, or None at an end."""
    if isinstance(node, Terminal):
        return {"mover": None, "utilities": dict(zip(players, node.utilities, strict=True))}
    if isinstance(node, Chance):
        return {"mover": "chance", "outcomes": dict(node.outcomes)}
    if isinstance(node, Simultaneous):
        choices = zip(players, node.actions, strict=True)
        return {"mover": "everyone", "choices": {player: actions for player, actions in choices if actions}}
    assert isinstance(node, Decision)
    return {"mover": players[node.player], "actions": node.actions}


def clean_lines(text: str) -> str:
    return "\n".join(map(clean, text.splitlines()))
