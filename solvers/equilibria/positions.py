"""Every position of a game that ends: the form in which equilibrium solvers, the judge and the verifier see games.

Simultaneous moves become turns taken unseen, equal states are one position, and positions are numbered so that each
stands before its successors. What follows a position is then a sweep upwards, what led to it a sweep downwards, and
nothing has to recurse.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeAlias, TypeVar

from gdl.compiler.search_kinds import UNFOLDING
from gdl.errors import InternalError, LimitReached, Refusal
from gdl.game import Action, Chance, Decision, Game, Node, Number, Simultaneous, Terminal, Utility, constant_sum, exact
from gdl.solvers.budget import Budget, SearchLimits
from gdl.solvers.engine_stages import run_slices
from gdl.states.explore import Walk, WalkedGame, WalkExpansion, topological_order
from gdl.states.flat import DECISION, TERMINAL, FlatGame, other_actions
from gdl.states.sequential import Sequential

MOST_POSITIONS = 1_000_000  # by default; some 1 kB each
WALKED = 1_000  # positions that the interpreter walks before the compiled engine begins anew: both take as long

Found = TypeVar("Found")
MaybeLazy: TypeAlias = Found | Callable[[], Found]
Place = Terminal | Chance | Decision  # the nodes that are left when simultaneous moves are turns


class InformationSet:
    """Positions that their mover cannot tell apart. `name` is as `Game.describe` gives it. Name, actions and members
    may be given as functions, which are called once, on first use."""

    __slots__ = ("_actions", "_members", "_name", "player")

    def __init__(
        self,
        player: int,
        name: MaybeLazy[str],
        actions: MaybeLazy[tuple[Action, ...]],
        members: MaybeLazy[tuple[int, ...]],
    ):
        self.player, self._name, self._actions, self._members = player, name, actions, members

    @property
    def name(self) -> str:
        if callable(self._name):
            self._name = self._name()
        return self._name

    @property
    def actions(self) -> tuple[Action, ...]:
        if callable(self._actions):
            self._actions = self._actions()
        return self._actions

    @property
    def members(self) -> tuple[int, ...]:
        if callable(self._members):
            self._members = self._members()
        return self._members

    def with_members(self, members: tuple[int, ...]) -> InformationSet:
        """This information set with other members."""
        return InformationSet(self.player, self._name, self._actions, members)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, InformationSet):
            return NotImplemented
        mine, others = ((found.player, found.name, found.actions, found.members) for found in (self, other))
        return mine == others

    __hash__ = None  # type: ignore[assignment]


@dataclass(eq=False)
class PositionGraph:
    """The positions 0 (the initial one), 1, 2, …: for each its node, its successors in the order of the node's actions
    or outcomes, and in `sets` the index of its information set (None where nobody decides)."""

    game: str
    players: tuple[str, ...]
    nodes: tuple[Place, ...]
    successors: tuple[tuple[int, ...], ...]
    sets: tuple[int | None, ...]
    information_sets: tuple[InformationSet, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PositionGraph) and all(
            getattr(self, part) == getattr(other, part)
            for part in ("game", "players", "nodes", "successors", "sets", "information_sets")
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def flat(self) -> FlatGame | None:
        """The positions in arrays, if the compiled engine has made them; else None."""
        return None

    @property
    def count(self) -> int:
        """The number of positions."""
        return len(self.nodes)

    @property
    def owners(self) -> Sequence[int]:
        """The player of each information set."""
        return [found.player for found in self.information_sets]

    @property
    def widths(self) -> Sequence[int]:
        """The number of actions of each information set."""
        return [len(found.actions) for found in self.information_sets]

    def sets_of(self, player: int) -> list[int]:
        """The player's information sets, by index, in the order in which they appear."""
        return [h for h, owner in enumerate(self.owners) if owner == player]

    def open_to_all(self) -> bool:
        """True if the mover always knows the position."""
        return all(len(found.members) == 1 for found in self.information_sets)

    @property
    def first_set(self) -> int | None:
        """The index of the information set of the initial position; None if nobody decides there."""
        return self.sets[0]

    def utilities(self) -> list[tuple[Utility, ...]]:
        """The utilities that ends pay, one number per player, without repetitions."""
        return list(dict.fromkeys(node.utilities for node in self.nodes if isinstance(node, Terminal)))

    def constant_sum(self) -> Number | None:
        """The sum of the utilities at every end; None if that varies."""
        total = constant_sum(self.utilities())
        return None if total is None else exact(total)


class FlatPositions(PositionGraph):
    """The positions of a flat game, as a graph whose parts are made on first use."""

    def __init__(self, flat: FlatGame):
        self.game, self.players, self._flat = flat.name, flat.players, flat

    @cached_property
    def information_sets(self) -> tuple[InformationSet, ...]:  # type: ignore[override]
        words = self._flat.words
        return tuple(
            InformationSet(player, partial(words.name, h), partial(words.actions, h), partial(self._members, h))
            for h, player in enumerate(self._flat.owners)
        )

    @property
    def owners(self) -> Sequence[int]:
        return self._flat.owners

    @property
    def widths(self) -> Sequence[int]:
        return self._flat.widths

    @property
    def flat(self) -> FlatGame:
        return self._flat

    @property
    def count(self) -> int:
        return len(self._flat.kinds)

    @cached_property
    def nodes(self) -> tuple[Place, ...]:  # type: ignore[override]
        return self._flat.nodes([Decision(found.player, found.actions) for found in self.information_sets])

    @cached_property
    def successors(self) -> tuple[tuple[int, ...], ...]:  # type: ignore[override]
        return self._flat.successors()

    @cached_property
    def sets(self) -> tuple[int | None, ...]:  # type: ignore[override]
        return self._flat.sets()

    @cached_property
    def _members_by_set(self) -> list[list[int]]:
        """The members of each information set."""
        grouped: list[list[int]] = [[] for _ in self._flat.owners]
        for position, (kind, note) in enumerate(zip(self._flat.kinds, self._flat.notes, strict=True)):
            if kind == DECISION:
                grouped[note].append(position)
        return grouped

    def _members(self, h: int) -> tuple[int, ...]:
        return tuple(self._members_by_set[h])

    @property
    def first_set(self) -> int | None:
        return self._flat.notes[0] if self._flat.kinds[0] == DECISION else None

    def utilities(self) -> list[tuple[Utility, ...]]:
        return list(self._terminal_utilities)

    @cached_property
    def _terminal_utilities(self) -> dict[tuple[Utility, ...], None]:
        notes = dict.fromkeys(map(self._flat.notes.__getitem__, self._flat.all_of(TERMINAL)))
        return dict.fromkeys(self._flat.words.utilities(note) for note in notes)


def explore_within(game: Game[Any], limits: SearchLimits) -> tuple[PositionGraph, Budget]:
    """All positions of the game, at most `nodes` of the limits (MOST_POSITIONS if that is None), and the budget for the
    work on them."""
    budget = limits.budget(MOST_POSITIONS)
    return explore(game, budget), budget


def explore(game: Game[Any], budget: Budget | None = None) -> PositionGraph:
    """All positions of the game, each before its successors.

    Raises LimitReached when the budget is spent (MOST_POSITIONS if none is given), Refusal where a position can come
    again.
    """
    if game.traits.cyclic:
        raise _refuse_endless(game)
    budget = budget or Budget(MOST_POSITIONS)
    pays = game.engine.offers(UNFOLDING)
    # More than were looked at for traits.
    many = game.traits.perfect_information is False and game.traits.states is None
    if pays and (game.engine.is_user_choice or (many and game.engine.fast)) and (flat := unfold_game(game, budget)):
        return FlatPositions(flat)
    in_turns = isinstance(game, WalkedGame) or game.traits.simultaneous is False
    turns: Game[Any] = game if in_turns else Sequential(game)
    walk = game if isinstance(game, WalkedGame) else Walk(turns)
    found: dict[int, WalkExpansion] = {}
    for expansion in walk:
        if isinstance(expansion.node, Simultaneous):  # everyone is asked, though one alone has a choice
            return explore(Sequential(game), budget)
        if pays and len(found) == WALKED and game.engine.fast and (flat := unfold_game(game, budget)):
            return FlatPositions(flat)
        budget.visit()
        found[expansion.number] = expansion
    children = [found[number].children for number in range(len(found))]
    order = topological_order(children)
    if len(order) < len(children):
        raise _refuse_endless(game)
    number = {state: i for i, state in enumerate(order)}
    nodes = [_place(found[state].node) for state in order]
    met = order if isinstance(game, WalkedGame) else [walk.states[state] for state in order]
    sets, information_sets = _information_sets(turns, met, nodes)
    return PositionGraph(
        game=game.name,
        players=game.players,
        nodes=tuple(nodes),
        successors=tuple(tuple(number[child] for child in children[state]) for state in order),
        sets=sets,
        information_sets=information_sets,
    )


def without_idle(positions: PositionGraph) -> PositionGraph:
    """The positions among those players alone who ever move; the same positions where all do, or nobody. Information
    sets keep their numbers."""
    movers = sorted(set(positions.owners))
    if len(movers) in (0, len(positions.players)):
        return positions
    number = {player: k for k, player in enumerate(movers)}
    nodes: list[Place] = []
    for node in positions.nodes:
        if isinstance(node, Terminal):
            nodes.append(Terminal(tuple(node.utilities[player] for player in movers)))
        else:
            nodes.append(Decision(number[node.player], node.actions) if isinstance(node, Decision) else node)
    sets = (InformationSet(number[s.player], s.name, s.actions, s.members) for s in positions.information_sets)
    players = tuple(positions.players[player] for player in movers)
    return PositionGraph(positions.game, players, tuple(nodes), positions.successors, positions.sets, tuple(sets))


def unfold_game(game: Game[Any], budget: Budget) -> FlatGame | None:
    """The flat game from the compiled engine; None where the engine has none. Raises the exceptions of `explore`."""
    budget.check_time()
    try:
        search = game.engine.search(UNFOLDING, limit=budget.nodes, memory=game.engine.room())
    except Refusal as why:
        if game.engine.is_user_choice:
            game.engine.tell(f"{why}; positions are found without the compiled engine")
        return None
    try:
        run_slices(search, search, budget)
    except LimitReached:
        if budget.nodes is not None and search.nodes > budget.nodes:
            raise budget.out_of_nodes() from None
        raise
    budget.spent = search.nodes
    flat: FlatGame = search.flat(budget.check_time)
    return flat


def _refuse_endless(game: Game[Any]) -> Refusal:
    return Refusal(f"a position of {game.name} can come again: this method needs a game that ends")


def _place(node: Node) -> Place:
    assert not isinstance(node, Simultaneous)
    return node


def _information_sets(
    game: Game[Any], states: list[Any], nodes: list[Place]
) -> tuple[tuple[int | None, ...], tuple[InformationSet, ...]]:
    """The index of each position's information set (None where nobody decides), and the sets in the order of their
    first positions."""
    index: dict[Hashable, int] = {}
    all_is_seen = game.traits.perfect_information is True  # then every position is a set of its own
    members: list[list[int]] = []
    sets: list[int | None] = []
    for position, (state, node) in enumerate(zip(states, nodes, strict=True)):
        if not isinstance(node, Decision):
            sets.append(None)
            continue
        known = position if all_is_seen else (node.player, game.information_set(state, node.player))
        found = index.setdefault(known, len(members))
        if found == len(members):
            members.append([])
        members[found].append(position)
        sets.append(found)
    information_sets = tuple(_information_set(game, states, nodes, group) for group in members)
    if not all_is_seen and len({(found.player, found.name) for found in information_sets}) < len(members):
        raise InternalError("a name for two sets")
    return tuple(sets), information_sets


def _information_set(game: Game[Any], states: list[Any], nodes: list[Place], members: list[int]) -> InformationSet:
    first = nodes[members[0]]
    assert isinstance(first, Decision)
    if len(members) == 1:
        return InformationSet(first.player, partial(game.describe, states[members[0]], first.player), first.actions,
                              tuple(members))  # fmt: skip
    name = game.describe(states[members[0]], first.player)
    for position in members[1:]:
        here = nodes[position]
        assert isinstance(here, Decision)
        if here.actions != first.actions:
            raise other_actions(game.players[first.player], name, first.actions, here.actions)
    return InformationSet(first.player, name, first.actions, tuple(members))
