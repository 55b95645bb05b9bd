"""Quantities that a game file can expect: those of `expect QUANTITY = ANSWER`, one row of a table each.

A row says how its answer is read, how it is found, and when the two agree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from operator import eq
from typing import Any, NamedTuple, Protocol

from gdl.errors import listing
from gdl.game import Chance, Decision, Game, Number, Simultaneous, maximiser
from gdl.numbers import as_stated, costs, read_number, to_text, vector_text
from gdl.solution import Path as Place
from gdl.solution import Skipped, Solution
from gdl.states import count
from gdl.states.count import StateCount
from gdl.states.explore import choosers, explore, move_text, moves
from gdl.syntax import AnswerSet, AnswerVector, Path

Answer = Path | AnswerVector | AnswerSet


class GameSizeCounter(Protocol):
    """Counts positions and plays: `gdl.states.count`, or something faster that counts the same."""

    def perft(self, game: Game[Any], depth: int, /) -> int: ...

    def states(self, game: Game[Any], /) -> StateCount: ...


class ExpectationCase(NamedTuple):
    """A game under the conditions of an expectation, its solutions by the names of solvers, the depth to which plays
    are counted, and the counter."""

    game: Game[Any]
    solution: Callable[[str], Solution]  # solver name -> the solution
    depth: int
    counting: GameSizeCounter = count


class Malformed(Exception):
    """Raised for an answer in the wrong form for its quantity; the message tells the author how to write it."""


# ---- Reading answers --------------------------------------------------------------------------------------------


def _numbers(answer: Answer) -> tuple[Number, ...]:
    items = answer.items if isinstance(answer, AnswerVector) else [answer]
    try:
        return tuple(read_number(_word(item)) for item in items)
    except ValueError:
        raise Malformed("write a number, or one for each player: (1, -1/2)") from None


def _count(answer: Answer) -> int:
    number = _numbers(answer)
    if len(number) != 1 or not isinstance(number[0], int) or number[0] < 0 or isinstance(answer, AnswerVector):
        raise Malformed("write a whole number")
    return number[0]


def _action_or_set(answer: Answer) -> str | frozenset[str]:
    if isinstance(answer, AnswerVector):
        raise Malformed("write an action, or a set of them: {a, b}")
    return _actions(answer) if isinstance(answer, AnswerSet) else _word(answer)


def _actions(answer: Answer) -> frozenset[str]:
    if not isinstance(answer, AnswerSet):
        raise Malformed("write a set of actions: {a, b}")
    return frozenset(map(_word, answer.items or ()))


def _profile(answer: Answer) -> tuple[str, ...]:
    if not isinstance(answer, AnswerVector):
        raise Malformed("write an action for each player: (a, b)")
    return tuple(map(_word, answer.items))


def _subtrees(answer: Answer) -> tuple[tuple[str, ...], ...]:
    if not isinstance(answer, AnswerSet):
        raise Malformed("write a set of actions, or of paths from the root: {c2, a2 > c3}, or {} for none")
    return tuple(tuple(step.text for step in path.steps) for path in answer.items or ())


def _word(answer: Any) -> str:
    """The only word of an answer: an action or a number."""
    if not isinstance(answer, Path) or len(answer.steps) != 1:
        raise Malformed("write one name or number here")
    return answer.steps[0].text


# ---- Finding them -----------------------------------------------------------------------------------------------


def _value(case: ExpectationCase) -> Solution:
    return case.solution("auto")


def _value_holds(expected: tuple[Number, ...], found: Solution) -> bool:
    """True if the expected value is that of the solution. One number is the value to MAX, or to the first player, in a
    game whose utilities have a constant sum."""
    if not found.exact or found.value is None:
        return False
    value = _stated_value(found)
    if len(expected) > 1 or len(found.players) == 1:
        return bool(expected == value)
    return _is_constant_sum(found) and bool(expected[0] == value[maximiser(found.players)])


def _stated_value(found: Solution) -> Any:
    """The value in the numbers of the file: in costs, if the file states costs."""
    with costs(found.cost):
        return as_stated(found.value)


def _is_constant_sum(found: Solution) -> bool:
    return found.traits is not None and found.traits.constant_sum is not None


def _value_text(found: Solution) -> str:
    if found.value is None:
        return f"no value ({found.solver})"
    alone = len(found.players) == 1 or (_is_constant_sum(found) and len(found.players) == 2)
    value = _stated_value(found)
    text = to_text(value[maximiser(found.players)]) if alone else vector_text(value)
    return text if found.exact else f"only an estimate, {text} ({found.solver})"


class _Best(NamedTuple):
    """The best actions, the one to play first at the beginning, and the solution they come from."""

    actions: tuple[str, ...]
    solution: Solution


def _best_first_actions(case: ExpectationCase) -> _Best:
    """The best first actions by the solution. If it has only equilibria: the actions that the player who decides first
    takes in one of them with probability 1."""
    solution = case.solution("auto")
    if solution.best:
        return _Best(solution.best, solution)
    player, known = _first_decision(case.game) or ("", "")
    certain: list[str] = []
    for profile in solution.equilibria:
        mixture = profile.get(player, {}).get(known, {})
        certain += [action for action, chance in mixture.items() if chance == 1]
    return _Best(tuple(dict.fromkeys(certain)), solution)


def _first_decision(game: Game[Any]) -> tuple[str, str] | None:
    """The player who decides first, at most after chance, with the name of the information set; None where it is not
    always the same one, or players choose at once."""
    found: set[tuple[str, str]] = set()
    states = [game.initial()]
    for state in states:  # grows while it is walked
        node = game.node(state)
        if isinstance(node, Chance):
            states += [game.successor(state, outcome) for outcome, _ in node.outcomes]
        elif isinstance(node, Decision):
            found.add((game.players[node.player], game.describe(state, node.player)))
        else:
            return None
    return found.pop() if len(found) == 1 else None


def _best_holds(expected: str | frozenset[str], found: _Best) -> bool:
    """True if the expected answer is right: a set must hold all the best actions and no other; a single action must be
    the one to play first."""
    if not found.solution.exact:
        return False
    return found.actions[:1] == (expected,) if isinstance(expected, str) else frozenset(found.actions) == expected


def _best_text(found: _Best) -> str:
    best = f"{{{', '.join(found.actions)}}}" if found.actions else f"no best action ({found.solution.solver})"
    return best if found.solution.exact else f"only an estimate, {best} ({found.solution.solver})"


class _Pruned(NamedTuple):
    game: Game[Any]
    skipped: tuple[Skipped, ...]


def _skipped_subtrees(case: ExpectationCase) -> _Pruned:
    return _Pruned(case.game, case.solution("alpha-beta").pruned)


def _pruned_holds(expected: tuple[tuple[str, ...], ...], found: _Pruned) -> bool:
    named = [_find_subtree(found, steps) for steps in expected]
    return None not in named and sorted(filter(None, named)) == sorted(s.path for s in found.skipped)


def _find_subtree(found: _Pruned, steps: tuple[str, ...]) -> Place | None:
    """The place of the skipped subtree that an answer means: by the path of actions from the root, else by a name that
    only one skipped subtree has. None if it means none."""
    place = _follow_steps(found.game, steps)
    if any(skipped.path == place for skipped in found.skipped):
        return place
    bearers = [s.path for s in found.skipped if len(steps) == 1 and steps[0] in (_own_action(s), s.label)]
    return bearers[0] if len(bearers) == 1 else None


def _own_action(skipped: Skipped) -> str | None:
    """The action that leads to the subtree, if the author named it; None if it is only a number."""
    return None if skipped.action == str(skipped.path[-1] + 1) else skipped.action


def _follow_steps(game: Game[Any], steps: tuple[str, ...]) -> Place | None:
    state, place = game.initial(), []
    for step in steps:
        names = [move_text(move) for move in moves(game.node(state))]
        if step not in names:
            return None
        place.append(names.index(step))
        state = game.successor(state, moves(game.node(state))[place[-1]])
    return tuple(place)


def _pruned_text(found: _Pruned) -> str:
    return f"{{{', '.join(_path_text(found.game, skipped) for skipped in found.skipped)}}}"


def _path_text(game: Game[Any], skipped: Skipped) -> str:
    """The name of the action that leads to a skipped subtree, or of its node; if neither has a name, the path from the
    root."""
    name = _own_action(skipped) or skipped.label
    if name is not None:
        return name
    state, names = game.initial(), []
    for index in skipped.path:
        move = moves(game.node(state))[index]
        names.append(move_text(move))
        state = game.successor(state, move)
    return " > ".join(names)


def _perft(case: ExpectationCase) -> int:
    return case.counting.perft(case.game, case.depth)


def _ends(case: ExpectationCase) -> int:
    return case.counting.states(case.game).terminal


def legal_actions(game: Game[Any]) -> frozenset[str]:
    """The legal actions at the start; where all choose at once, everybody's."""
    node = game.node(game.initial())
    if isinstance(node, Simultaneous):
        return frozenset(action for actions in node.actions for action in actions)
    return frozenset(map(move_text, moves(node)))


def _information_sets(case: ExpectationCase) -> int:
    found = explore(case.game)
    sets: set[tuple[int, Hashable]] = set()
    for state, node in zip(found.states, found.nodes, strict=True):
        sets |= {(player, case.game.information_set(state, player)) for player in choosers(node)}
    return len(sets)


def _equilibria(case: ExpectationCase) -> Solution:
    return case.solution("nash")


def _equilibria_hold(expected: int, found: Solution) -> bool:
    return bool(found.complete) and len(found.equilibria) == expected


def _equilibria_text(found: Solution) -> str:
    return f"{len(found.equilibria)}{'' if found.complete else ', and perhaps more'}"


def _pure_profiles(found: Solution) -> list[tuple[str, ...]]:
    """The equilibria in which everyone has one decision and takes one action."""
    mixtures = [[m for player in found.players for m in profile[player].values()] for profile in found.equilibria]
    pure = [[[a for a, chance in mixture.items() if chance == 1] for mixture in profile] for profile in mixtures]
    return [tuple(a for (a,) in profile) for profile in pure if all(len(actions) == 1 for actions in profile)]


def _profile_holds(expected: tuple[str, ...], found: Solution) -> bool:
    return expected in _pure_profiles(found)


def _profile_text(found: Solution) -> str:
    return listing([f"({', '.join(profile)})" for profile in _pure_profiles(found)])


def _set_text(found: frozenset[str]) -> str:
    return f"{{{', '.join(sorted(found))}}}"


# ---- The table --------------------------------------------------------------------------------------------------


class Quantity(NamedTuple):
    """A row of the table: a quantity that `expect` can ask for."""

    meaning: str
    read: Callable[[Answer], Any]
    find: Callable[[ExpectationCase], Any]
    holds: Callable[[Any, Any], bool] = eq
    text: Callable[[Any], str] = str
    deep: bool = False  # whether it is asked for with a depth, as perft(3)


QUANTITIES: Mapping[str, Quantity] = {
    "value": Quantity(
        "the value for MAX or the first player, or for each", _numbers, _value, _value_holds, _value_text
    ),
    "best": Quantity(
        "the action to play, or the set of all best ones", _action_or_set, _best_first_actions, _best_holds, _best_text
    ),
    "pruned": Quantity("what alpha-beta skips", _subtrees, _skipped_subtrees, _pruned_holds, _pruned_text),
    "perft": Quantity("the action sequences of that length", _count, _perft, deep=True),
    "states": Quantity("the reachable states", _count, lambda case: case.counting.states(case.game).states),
    "ends": Quantity("the reachable states at which play is over", _count, _ends),
    "plays": Quantity("the complete plays", _count, lambda case: count.histories(case.game).terminal),
    "actions": Quantity("the legal actions", _actions, lambda case: legal_actions(case.game), text=_set_text),
    "infosets": Quantity("the information sets of all players", _count, _information_sets),
    "equilibria": Quantity("how many equilibria there are", _count, _equilibria, _equilibria_hold, _equilibria_text),
    "equilibrium": Quantity("a pure equilibrium", _profile, _equilibria, _profile_holds, _profile_text),
}
