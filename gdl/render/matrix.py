"""A game in which everyone chooses once, at the same time, as tables: best replies marked, equilibria boxed.

A table has the first chooser's actions as rows and the second's as columns; there is one table for each way the other
players can choose. A cell's number is a best reply if its player has nothing better against what the others do there;
a cell all of whose numbers are best replies is an equilibrium (Nash 1951).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gdl.errors import clean
from gdl.game import Game, Joint, Simultaneous, Terminal, Unknown, Utility
from gdl.numbers import as_stated, to_text
from gdl.render.picture import title_of
from gdl.render.sentence import pure_action
from gdl.render.svg.elements import truncate_text
from gdl.solution import Mixture, Profile, Solution

_CELLS = 2_500  # joint actions that are drawn as tables at all
MAX_ROWS = 30  # rows, and columns, of a table; the others are only counted
_LONGEST = 24  # characters of an action's name


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """A cell of a table: a payoff for each player, and which of these are best replies. An `unmarked` cell is not boxed
    even if all are, because the picture shows another equilibrium."""

    payoffs: tuple[str, ...]
    replies: tuple[bool, ...]
    unmarked: bool = False

    @property
    def equilibrium(self) -> bool:
        return all(self.replies) and not self.unmarked


@dataclass(frozen=True, slots=True)
class MatrixSlice:
    """The table of two players' choices; `others` says which actions the other players choose in it (`C: east`),
    `left_out` which rows and columns are not shown."""

    row_player: str
    column_player: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_weights: tuple[str, ...]  # how often the only equilibrium plays them, if it is mixed
    column_weights: tuple[str, ...]
    cells: tuple[tuple[MatrixCell, ...], ...]
    others: str = ""
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class Matrix:
    """All tables of a game. `blank` leaves the answers out; `words` translate the legend into another language (empty:
    English)."""

    title: str
    players: tuple[str, ...]
    tables: tuple[MatrixSlice, ...]
    caption: str = ""
    blank: bool = False
    words: Mapping[str, str] = field(default_factory=dict)


def one_shot(game: Game[Any]) -> dict[Joint, tuple[Utility, ...]] | None:
    """The utilities of every joint action, if the game is one choice of everyone; None if it is anything else."""
    start = game.initial()
    node = game.node(start)
    if not isinstance(node, Simultaneous):
        return None
    found: dict[Joint, tuple[Utility, ...]] = {}
    joints = itertools.product(*(actions or ("",) for actions in node.actions))
    for joint in itertools.islice(joints, _CELLS + 1):
        end = game.node(game.successor(start, joint))
        if not isinstance(end, Terminal):
            return None
        found[joint] = end.utilities
    return found if len(found) <= _CELLS else None


def matrix(
    game: Game[Any],
    utilities: Mapping[Joint, tuple[Utility, ...]],
    solution: Solution | None = None,
    *,
    blank: bool = False,
    caption: str = "",
    alone: bool = False,
) -> Matrix:
    """The tables of a game for which `one_shot` returned `utilities`. A solution with a single mixed equilibrium gives
    the probabilities of the actions. With `alone`, only the cell of the solution's first equilibrium is boxed, and not
    every equilibrium."""
    node = game.node(game.initial())
    assert isinstance(node, Simultaneous)
    actions = [own or ("",) for own in node.actions]
    replies = _replies(utilities, actions)
    seats = sorted(range(len(actions)), key=lambda seat: not node.actions[seat])  # first those who choose
    row, column, others = seats[0], seats[1] if len(seats) > 1 else None, sorted(seats[2:])
    weights = {} if solution is None or blank else _weights(game, solution, actions)
    marked = _equilibrium_cells(game, solution) if solution is not None and alone else None
    tables = []
    for choice in itertools.product(*(actions[seat] for seat in others)):
        chosen = dict(zip(others, choice, strict=True))
        tables.append(_table(game, utilities, replies, actions, (row, column), chosen, weights, marked))
    names = tuple(map(clean, game.players))
    return Matrix(title_of(game.name), names, tuple(tables), clean(caption), blank)


def _table(
    game: Game[Any],
    utilities: Mapping[Joint, tuple[Utility, ...]],
    replies: Mapping[Joint, tuple[bool, ...]],
    actions: list[tuple[str, ...]],
    seats: tuple[int, int | None],
    chosen: Mapping[int, str],
    weights: Mapping[int, tuple[str, ...]],
    marked: frozenset[Joint] | None,
) -> MatrixSlice:
    """The table of the choices of the players in the two `seats` (rows, columns), the others having `chosen`. Only
    equilibria in the `marked` cells are boxed; None: all."""
    row, column = seats
    down, across = actions[row][:MAX_ROWS], ("",) if column is None else actions[column][:MAX_ROWS]
    cells = []
    for own in down:
        line = []
        for other in across:
            made = {**chosen, row: own} | ({} if column is None else {column: other})
            joint = tuple(made[seat] for seat in range(len(actions)))
            unmarked = marked is not None and joint not in marked
            line.append(MatrixCell(tuple(map(to_text, as_stated(utilities[joint]))), replies[joint], unmarked))
        cells.append(tuple(line))
    hidden = 0 if column is None else len(actions[column]) - len(across)
    more = [(len(actions[row]) - len(down), "row"), (hidden, "column")]
    return MatrixSlice(
        row_player=clean(game.players[row]),
        column_player="" if column is None else clean(game.players[column]),
        rows=tuple(_short_action(action) for action in down),
        columns=tuple(_short_action(action) for action in across),
        row_weights=weights.get(row, ()),
        column_weights=() if column is None else weights.get(column, ()),
        cells=tuple(cells),
        others=", ".join(
            f"{clean(game.players[seat])}: {_short_action(action)}" for seat, action in chosen.items() if action
        ),
        left_out=" and ".join(f"{count} more {thing}{'s' * (count > 1)}" for count, thing in more if count),
    )


def _short_action(action: str) -> str:
    return truncate_text(clean(action), _LONGEST)


def _replies(
    utilities: Mapping[Joint, tuple[Utility, ...]], actions: list[tuple[str, ...]]
) -> dict[Joint, tuple[bool, ...]]:
    """For each cell, which of its payoffs are best replies. A payoff is not marked where that depends on unknown
    numbers."""

    def is_best(joint: Joint, seat: int) -> bool:
        utility = utilities[joint][seat]
        choices = [utilities[(*joint[:seat], other, *joint[seat + 1 :])][seat] for other in actions[seat]]
        if isinstance(utility, Unknown):
            return len(choices) == 1
        return all(not isinstance(other, Unknown) and utility >= other for other in choices)

    return {joint: tuple(is_best(joint, seat) for seat in range(len(actions))) for joint in utilities}


def _equilibrium_cells(game: Game[Any], solution: Solution) -> frozenset[Joint]:
    """The cell that the solution's first equilibrium plays, as a set of one; no cell of the table matches if it mixes
    actions."""
    return frozenset({tuple(pure_action(own) or "" for own in _mixtures(game, solution.equilibria[0]))})


def _mixtures(game: Game[Any], profile: Profile) -> list[Mixture]:
    """How each player chooses in a profile; {} for one who does not."""
    start = game.initial()
    return [profile.get(player, {}).get(game.describe(start, p), {}) for p, player in enumerate(game.players)]


def _weights(game: Game[Any], solution: Solution, actions: list[tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
    """The probabilities of each player's actions as text, by the player's number; empty unless the solution has a
    single equilibrium and it is mixed."""
    profiles = solution.equilibria or ((solution.strategy,) if solution.strategy else ())
    if len(profiles) != 1:
        return {}
    mixtures = _mixtures(game, profiles[0])
    if all(weight in (0, 1) for mixture in mixtures for weight in mixture.values()):
        return {}
    shown = {seat: own[:MAX_ROWS] for seat, own in enumerate(actions) if mixtures[seat]}
    return {seat: tuple(to_text(mixtures[seat].get(action, 0)) for action in own) for seat, own in shown.items()}
