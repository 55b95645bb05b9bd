"""A Solution as the JSON object of `gdl solve --json`; profiles of strategies in its form are also read.

An exact number is an int or, as a fraction, the text "1/18"; an inexact one is a float. Objects keyed by player are in
the order of the players. Keys that do not apply are left out. Of which game the answer is, a fingerprint says, and what
was asked for beside the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from gdl.errors import DamagedData
from gdl.formats.schema import SCHEMA
from gdl.game import Number, Traits
from gdl.numbers import read_number, to_json
from gdl.solution import (
    Combinatorial,
    Condition,
    Cut,
    Event,
    Interval,
    Joint,
    Path,
    Profile,
    Root,
    Skipped,
    Solution,
    Visit,
)

INEXACT_DENOMINATOR = 10**12  # the denominator of a fraction that is no exact answer any more
START = "start"  # the one information set of every player in a matrix, which the JSON of a matrix leaves out

_TRAITS = ("players", "zero_sum", "chance", "simultaneous", "perfect_information", "perfect_recall", "cyclic")


@dataclass(frozen=True)
class Origin:
    """Of which game an answer is: its fingerprint, and what was asked for beside the file, as it was written: values of
    parameters, a variant, a position, the actions after which it begins, a file of weights, options of the solver."""

    fingerprint: str
    settings: Mapping[str, str] = field(default_factory=dict)
    variant: str | None = None
    position: str | None = None
    after: tuple[str, ...] = ()
    weights: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def write(solution: Solution, *, origin: Origin | None = None, values: bool = False, trace: bool = False) -> str:
    """The answer as JSON text; `values` and `trace` add the long lists."""
    return json.dumps(to_object(solution, origin=origin, values=values, trace=trace), allow_nan=False)


def to_object(
    solution: Solution, *, origin: Origin | None = None, values: bool = False, trace: bool = False
) -> dict[str, Any]:
    """The answer as plain dicts, lists, numbers and text, keys in their fixed order."""
    solution = restore_floats(solution)
    players = solution.players
    flat = is_matrix(solution)
    recorded = bool(solution.visits or solution.cuts)  # only such a search can say what it skipped
    fixed = {
        "schema": SCHEMA,
        "game": solution.game,
        "solver": solution.solver,
        "concept": solution.concept,
        "exact": solution.exact,
        "traits": traits_object(solution.traits),
        "value": _by_player(players, solution.value) or _middle(solution),
        "interval": _closed_intervals(solution),
        "secured": solution.secured or None,
        "best": list(solution.best) or None,
        "line": list(solution.line) or None,
        "nodes": solution.nodes,
        "leaves": solution.leaves,
        "states": solution.states,
        "pruned": [_skipped_to_json(skipped) for skipped in solution.pruned] if recorded else None,
        **_equilibria(solution, flat),
        **_coalitions(solution),
        "beliefs": [_profile(players, profile, False) for profile in solution.beliefs] or None,
        "strategy": None if solution.strategy is None else _profile(players, solution.strategy, flat),
        "regret": _by_player(players, solution.regret),
        **_combinatorial(solution.combinatorial),
        "residual": solution.residual,
        "algebraic": [
            {player: {action: _root(root) for action, root in own.items()} for player, own in roots.items()}
            for roots in solution.roots
        ]
        or None,
    }
    further = {
        "unknowns": _unknowns(solution) or None,
        "conditions": [_condition(condition) for condition in solution.conditions] or None,
        "reason": solution.reason or None,
        "notes": list(solution.notes) or None,
        "limit": solution.limit,
        "complete": solution.complete,
        "groups": [size for size, _ in solution.groups] or None,
        **({} if origin is None else origin_fields(origin)),
        "values": [_value(players, *entry) for entry in solution.values.items()] if values else None,
    }
    if trace:
        further |= _trace(solution)
    return {key: value for key, value in (fixed | further).items() if value is not None}


def _equilibria(solution: Solution, flat: bool) -> dict[str, Any]:
    """The equilibria and what they pay. A correlated one is a distribution, which also stands by itself."""
    players = solution.players
    drawn = [_joint_to_json(players, *entry) for entry in solution.distribution]
    listed: list[Any] = [_profile(players, profile, flat) for profile in solution.equilibria]
    payoffs = [_by_player(players, vector) for vector in solution.payoffs]
    if drawn:
        listed, payoffs = [{"distribution": drawn}], [_by_player(players, solution.value)]
    none: list[Any] | None = [] if solution.concept is not None and solution.complete else None
    return {
        "equilibria": listed or none,
        "payoffs": payoffs or (none if not listed else None),
        "distribution": drawn or None,
    }


def _coalitions(solution: Solution) -> dict[str, Any]:
    """What each set of players secures, the Shapley value, and the core."""
    found = solution.coalitions
    if found is None:
        return {}
    core: dict[str, Any] | None = None
    if found.margin is not None:
        core = {"empty": found.core is None, "margin": to_json(found.margin)}
    if core is not None and found.core is not None:
        core["point"] = _by_player(solution.players, found.core)
    worths = [{"players": list(members), "value": to_json(worth)} for members, worth in found.worths]
    return {"coalitions": worths, "shapley": _by_player(solution.players, solution.value), "core": core}


def restore_floats(solution: Solution) -> Solution:
    """The answer with floats where it has numbers that only stand for others close by."""
    if not solution.rounded:
        return solution
    told = _float if solution.concept == "quantal" else _long_as_float
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


def _float(number: Any) -> Any:
    return number if isinstance(number, int) else float(number)


def _long_as_float(number: Any) -> Any:
    """An exact number stays what it is: only one that stands for another has so many digits."""
    return float(number) if isinstance(number, Fraction) and number.denominator > INEXACT_DENOMINATOR else number


def _root(root: Root) -> dict[str, Any]:
    return {"polynomial": list(root.polynomial), "interval": [to_json(root.low), to_json(root.high)]}


def _combinatorial(found: Combinatorial | None) -> dict[str, Any]:
    """The outcome, the nimber and those after each first move, and how many positions of each outcome there are."""
    if found is None:
        return {}
    return {
        "outcome": found.outcome,
        "grundy": found.grundy,
        "nimbers": dict(found.nimbers) or None,
        "classes": dict(found.classes) or None,
    }


def origin_fields(origin: Origin) -> dict[str, Any]:
    """The fingerprint, and of the rest what is not as the file has it; None where it is."""
    return {
        "fingerprint": origin.fingerprint,
        "settings": dict(origin.settings) or None,
        "variant": origin.variant,
        "position": origin.position,
        "after": list(origin.after) or None,
        "weights": origin.weights,
        "options": {name: _option(value) for name, value in origin.options.items()} or None,
    }


def _option(value: Any) -> Any:
    """An option of the command line; a fraction as numbers are written."""
    return to_json(value) if isinstance(value, Fraction) else value


def _closed_intervals(solution: Solution) -> dict[str, list[Any]] | None:
    """player → both ends of what is proven of their value, where both are known."""
    pairs = zip(solution.players, solution.interval or (), strict=False)
    known = {player: [low, high] for player, (low, high) in pairs if low is not None and high is not None}
    return {player: [to_json(end) for end in ends] for player, ends in known.items()} or None


def _middle(solution: Solution) -> dict[str, float] | None:
    """player → the middle of what is proven of their value, where nothing else is known of anybody's."""
    ends = solution.interval or ()
    if solution.exact or solution.equilibria or not ends or any(None in pair for pair in ends):
        return None
    middles = ((low + high) / 2 for low, high in ends)  # type: ignore[operator]
    return dict(zip(solution.players, map(float, middles), strict=True))


def _unknowns(solution: Solution) -> dict[str, list[dict[str, Any]]]:
    """unknown → stretches of its line in which the answer is the same."""
    return {name: [_interval(solution, one) for one in found] for name, found in solution.unknowns.items()}


def _interval(solution: Solution, one: Interval) -> dict[str, Any]:
    """A stretch; what depends on other unknowns is null, and they are named."""
    players = solution.players
    ends = {"from": _exactly(one.low), "to": _exactly(one.high)}
    told: dict[str, Any] = {"ends": ["closed" if closed else "open" for closed in one.closed]}
    if solution.traits is not None and solution.traits.simultaneous:
        profiles = None if one.equilibria is None else [dict(zip(players, p, strict=True)) for p in one.equilibria]
        told["equilibria"] = profiles
    else:
        told["best"] = None if one.best is None else list(one.best)
        told["value"] = None if one.value is None else dict(zip(players, map(_value_to_json, one.value), strict=True))
        told["pruned"] = None if one.pruned is None else [list(path) for path in one.pruned]
    return ends | told | ({"depends": list(one.depends)} if one.depends else {})


def _exactly(end: Number | None) -> str | None:
    return None if end is None else str(end)


def _value_to_json(value: Number | str) -> Any:
    return value if isinstance(value, str) else to_json(value)


def _condition(condition: Condition) -> dict[str, Any]:
    """`when`: any of the cases, all of whose comparisons hold; [[]] is always. `if` is the same as one text."""
    subject = condition.subject
    about: Any = list(subject) if condition.what in ("pruned", "equilibrium") else subject[0]
    told = {"what": condition.what, "of": about, "when": [list(case) for case in condition.cases]}
    sometimes = condition.status == "sometimes"
    return {**told, "if": condition.text if sometimes else condition.status, "status": condition.status}


def _trace(solution: Solution) -> dict[str, Any]:
    """How the search went: the rule, every step, and in short every cut and every node visited."""
    rule = solution.rule
    return {
        "rule": None if rule is None else {"cut": rule.cut, "order": rule.order},
        "trace": [_event(solution.players, event) for event in solution.events],
        "cuts": [_cut(cut) for cut in solution.cuts] if rule else None,
        "visits": [_visit(solution.players, visit) for visit in solution.visits] if rule else None,
    }


def _event(players: Sequence[str], event: Event) -> dict[str, Any]:
    """One step; what a chance node's value lies between, and that a look is only a probe, where it is so."""
    known = {"low": event.low, "high": event.high}
    return {
        "node": list(event.node),
        "event": event.event,
        "alpha": _end(event.alpha),
        "beta": _end(event.beta),
        "value": None if event.value is None else _amount(players, event.value),
        "bound": event.bound,
        **({name: _end(limit) for name, limit in known.items()} if set(known.values()) != {None} else {}),
        **({"probe": True} if event.probe else {}),
    }


def _amount(players: Sequence[str], value: Number | tuple[Number, ...]) -> Any:
    """A number, or a vector by player."""
    return _by_player(players, value) if isinstance(value, tuple) else to_json(value)


def is_matrix(solution: Solution) -> bool:
    """Whether every player has the one information set of a matrix, so that its level says nothing."""
    profiles = [*solution.equilibria, *([] if solution.strategy is None else [solution.strategy])]
    simultaneous = solution.traits is not None and bool(solution.traits.simultaneous)
    return simultaneous and all(list(sets) == [START] for profile in profiles for sets in profile.values())


def traits_object(traits: Traits | None) -> dict[str, Any] | None:
    """The traits that an answer names, in their fixed order."""
    return None if traits is None else {name: getattr(traits, name) for name in _TRAITS}


def _by_player(players: Sequence[str], numbers: Sequence[Number | float] | None) -> dict[str, Any] | None:
    return None if numbers is None else {p: to_json(number) for p, number in zip(players, numbers, strict=True)}


def _skipped_to_json(skipped: Skipped) -> dict[str, Any]:
    """Path and label: the action, or where the child is only numbered the node's own name, if it has one."""
    numbered = skipped.action == str(skipped.path[-1] + 1)
    label = skipped.label if numbered else skipped.action
    return {"path": list(skipped.path)} | ({} if label is None else {"label": label})


def _profile(players: Sequence[str], profile: Profile, flat: bool) -> dict[str, Any]:
    """player → information set → action → probability, without the level of information sets if `flat`."""
    written: dict[str, Any] = {}
    for player in players:
        sets = {
            name: {action: to_json(chance) for action, chance in mixture.items()}
            for name, mixture in profile.get(player, {}).items()
        }
        written[player] = sets[START] if flat else sets
    return written


def _joint_to_json(players: Sequence[str], joint: Joint, chance: Number) -> dict[str, Any]:
    """A combination of actions, and how often it is recommended."""
    return {"profile": dict(zip(players, joint, strict=True)), "probability": to_json(chance)}


def _value(players: Sequence[str], path: Path, numbers: Sequence[Number]) -> dict[str, Any]:
    return {"path": list(path), "value": _by_player(players, numbers)}


def _cut(cut: Cut) -> dict[str, Any]:
    return {
        "path": list(cut.node),
        "alpha": _end(cut.alpha),
        "beta": _end(cut.beta),
        "value": to_json(cut.value),
        "child": cut.child,
        "reason": cut.reason,
        "skipped": [_skipped_to_json(skipped) for skipped in cut.skipped],
    }


def _visit(players: Sequence[str], visit: Visit) -> dict[str, Any]:
    return {
        "path": list(visit.path),
        "action": visit.action,
        "label": visit.label,
        "player": visit.player,
        "kind": visit.kind,
        "window": [_end(visit.alpha), _end(visit.beta)],
        "window_after": [_end(visit.alpha_after), _end(visit.beta_after)],
        "value": _amount(players, visit.value),
        "bound": visit.bound,
    }


def _end(limit: Number | None) -> int | str | float | None:
    return None if limit is None else to_json(limit)


def read_profile(data: Any, players: Sequence[str]) -> Profile:
    """A profile in the form of `equilibria`: player → information set → action → probability, or without the level of
    information sets, as for a matrix. DamagedData if it is neither."""
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


def _mixture(data: Any, where: str) -> dict[str, Number]:
    if not isinstance(data, Mapping):
        raise DamagedData(f"{where}: a mixture must map actions to probabilities")
    return {action: _number(chance, where) for action, chance in data.items()}


def _number(value: Any, where: str) -> Number:
    try:
        return read_number(value)
    except ValueError as wrong:
        raise DamagedData(f"{where}: {wrong}") from None
