"""Reading a networkx graph as a game: the conventions of gdl/graph.py, checked. All problems are found at
once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

from gdl.errors import GameError, Problem, listing, suggestion
from gdl.errors.deadline import check_deadline
from gdl.game import (
    Action,
    Bounds,
    Chance,
    Decision,
    Joint,
    Node,
    Number,
    Probability,
    Rest,
    Simultaneous,
    Terminal,
    Unknown,
    Utility,
    broken_bound,
    maximiser,
)
from gdl.numbers import opposite_of, read_number, read_probability, read_vector, to_text
from gdl.states.explore import Move, move_text, moves

Graph = Any  # a networkx graph; the library is heavy, so it is imported only where a graph is made
RESTLESS = "none"  # what `quiet` says of a node that is not quiet


class Edge(NamedTuple):
    """An edge of a graph: the node where it leads, the move that it stands for (as text), and its attributes."""

    target: Hashable
    key: Any  # None in a graph without parallel edges
    action: str
    data: dict[str, Any]


def ordered_edges(graph: Graph, node: Hashable) -> list[Edge]:
    """The node's edges in the order of their `position`; without that attribute, an edge's position is its place in the
    order of networkx."""
    if graph.is_multigraph():
        listed = [(target, key, data) for _, target, key, data in graph.out_edges(node, keys=True, data=True)]
    else:
        listed = [(target, None, data) for _, target, data in graph.out_edges(node, data=True)]
    places = [_position(data.get("position", place)) for place, (_, _, data) in enumerate(listed)]
    in_order = [edge for _, edge in sorted(zip(places, listed, strict=True), key=lambda pair: pair[0])]
    return [Edge(target, key, _action(data, place), data) for place, (target, key, data) in enumerate(in_order)]


def _position(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"the position {value!r} of an edge is not a whole number") from None


def _action(data: Mapping[str, Any], place: int) -> str:
    if "action" in data:
        return str(data["action"])
    return move_text(name_list(data["joint"])) if "joint" in data else str(place + 1)


def node_name(node: Hashable) -> str:
    return f"node {node!r}"


def name_list(value: Any) -> tuple[str, ...]:
    """Names given as a sequence or, as in files that know only text, as a JSON list or `A, B`."""
    if isinstance(value, str):
        text = value.strip()
        value = read_json(text) if text.startswith("[") else [name.strip() for name in text.split(",")]
    if not isinstance(value, Iterable):
        raise ValueError(f"{value!r} is not a list of names")
    return tuple(str(name) for name in value)


def read_json(text: str) -> Any:
    """The value of a JSON text. Raises ValueError if the text is no JSON, or is nested deeper than any graph needs."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("a text that begins like JSON is not JSON") from None


class GraphReader:
    """Reads and checks the part of a graph that can be reached from its root; GameError with everything wrong there.

    Afterwards `players`, `root`, `forever` (what endless play is worth, if that is given), `cost` (answers state
    costs), and for every node `nodes`, `children` by move, `evaluations`, `bounds` and `quiet` (None: not quiet) where
    given, and `sets`: the names of information sets by node and player. Nodes at which the graph was cut off are not in
    `nodes`.
    """

    def __init__(self, graph: Graph):
        if not graph.is_directed():
            raise _error("an undirected graph is no game: an edge must lead from a state to the next", "use a DiGraph")
        self.graph = graph
        self.players = self._players()
        self.root = self._root()
        self.forever = self._perpetual_rewards()
        cost = self.graph.graph.get("cost") or False
        self.cost = cost in (True, "true")
        if not self.cost and cost not in (False, "false"):
            raise _error(f"the graph's cost is true or false, not {cost!r}", "write graph.graph['cost'] = True")
        self.nodes: dict[Hashable, Node] = {}
        self.children: dict[Hashable, dict[Move, Hashable]] = {}
        self.sets: dict[tuple[Hashable, int], str] = {}
        self.evaluations: dict[Hashable, tuple[Number, ...]] = {}
        self.bounds: dict[Hashable, Bounds] = {}
        self.quiet: dict[Hashable, Number | None] = {}
        self.problems: list[Problem] = []
        self._read_reachable()
        self._check_sets()
        if self.problems:
            raise GameError(self.problems)

    def _players(self) -> tuple[str, ...]:
        given = self.graph.graph.get("players")
        if given is None:
            movers = (data.get("player") for _, data in self.graph.nodes(data=True) if data.get("kind") != "chance")
            given = dict.fromkeys(str(player) for player in movers if player not in (None, "chance"))
        try:
            players = name_list(given)
        except ValueError as wrong:
            raise _error(f"the graph's players: {wrong}", "write graph.graph['players'] = ['A', 'B']") from None
        if not players or len(set(players)) < len(players):
            raise _error("the graph names no players, or one twice", "write graph.graph['players'] = ['A', 'B']")
        return players

    def _root(self) -> Hashable:
        given = self.graph.graph.get("root")
        if given is not None:
            same = [node for node in self.graph if node == given] or [n for n in self.graph if str(n) == str(given)]
            if not same:
                raise _error(f"the graph has no node {given!r}, which it names as its root")
            return same[0]  # type: ignore[no-any-return]
        sources = [node for node in self.graph if all(before == node for before in self.graph.predecessors(node))]
        if len(sources) != 1:
            named = listing(map(repr, sources), "or", most=6)
            found = f"no edge leads to {named}" if sources else "edges lead to every node"
            raise _error(
                f"it is not clear where play begins: {found}",
                "write graph.graph['root'] = the initial state",
            )
        return sources[0]  # type: ignore[no-any-return]

    def _perpetual_rewards(self) -> tuple[Number, ...] | None:
        given = self.graph.graph.get("forever")
        try:
            return None if given is None else tuple(map(read_number, self._vector(given)))
        except ValueError as wrong:
            raise _error(f"what the graph says endless play is worth: {wrong}") from None

    def _read_reachable(self) -> None:
        met = {self.root}
        queue = [self.root]
        for node in queue:  # grows while it is walked
            check_deadline()
            for target in self.graph.successors(node):
                if target not in met:
                    met.add(target)
                    queue.append(target)
            try:
                self._read_node(node, self.graph.nodes[node])
            except ValueError as wrong:
                self.problems.append(Problem(f"{node_name(node)}: {wrong}"))
            except GameError as wrong:
                self.problems += wrong.problems

    def _read_node(self, node: Hashable, data: Mapping[str, Any]) -> None:
        edges = ordered_edges(self.graph, node)
        kind = str(data.get("kind") or _kind(data, edges))
        if kind not in _KINDS:
            raise _error(f"{node_name(node)} has the kind '{kind}'", f"write {listing(_KINDS, 'or')}")
        if data.get("frontier") and not edges:
            return
        if (kind == "terminal") == bool(edges):
            fault = "is an end of play, but edges lead on" if edges else f"is a {kind} node, but no edge leads on"
            raise _error(f"{node_name(node)} {fault}", "an end has utilities and no edges, every other node has edges")
        self.nodes[node] = read = _KINDS[kind](self, node, data, edges)
        options = _joints(edges) if isinstance(read, Simultaneous) else moves(read)
        self.children[node] = dict(zip(options, [edge.target for edge in edges], strict=True))
        if data.get("evaluation") is not None:
            self.evaluations[node] = tuple(map(read_number, self._vector(data["evaluation"])))
        bounds = data.get("bounds", self.graph.graph.get("bounds"))
        if bounds is not None:
            self.bounds[node] = kept = self._pairs(bounds)
            if isinstance(read, Terminal) and (broken := broken_bound(read.utilities, kept)):
                raise ValueError(broken)
        if data.get("quiet") is not None:
            self.quiet[node] = None if data["quiet"] == RESTLESS else read_number(data["quiet"])

    def _terminal(self, node: Hashable, data: Mapping[str, Any], edges: list[Edge]) -> Node:
        if data.get("utilities") is None:
            raise _error(
                f"{node_name(node)} is an end of play without utilities",
                f"write utilities=(…), one number for each of {listing(self.players)}",
            )
        return Terminal(self._vector(data["utilities"]))  # type: ignore[arg-type]

    def _chance(self, node: Hashable, data: Mapping[str, Any], edges: list[Edge]) -> Node:
        actions = self._actions(node, edges)
        chances: list[Probability] = []
        for edge, action in zip(edges, actions, strict=True):
            if edge.data.get("probability") is None:
                raise _error(f"{node_name(node)} is a chance node, but its outcome '{action}' has no probability")
            chances.append(read_probability(edge.data["probability"]))
        if not _is_distribution(chances):
            told = f"the probabilities at {node_name(node)} are {listing(map(to_text, chances))}"
            total = "" if any(isinstance(one, Unknown | Rest) for one in chances) else f", not {to_text(sum(chances))}"
            raise _error(
                f"{told}: they must not be negative and must sum to 1{total}",
                "write fractions as text, such as '1/3', or as Fraction(1, 3)",
            )
        return Chance(tuple(zip(actions, chances, strict=True)))  # type: ignore[arg-type]

    def _decision(self, node: Hashable, data: Mapping[str, Any], edges: list[Edge]) -> Node:
        if data.get("player") is None:
            raise _error(
                f"{node_name(node)} does not say who moves there",
                "write player=…, or give every edge a probability if chance does",
            )
        player = self._seat(node, str(data["player"]))
        if any(edge.data.get("probability") is not None for edge in edges):
            text = f"{self.players[player]} moves at {node_name(node)}, but its edges have probabilities"
            raise _error(text, "take either away: player=… or probability=…")
        if data.get("information_set") is not None:
            self.sets[node, player] = str(data["information_set"])
        return Decision(player, self._actions(node, edges))

    def _simultaneous_node(self, node: Hashable, data: Mapping[str, Any], edges: list[Edge]) -> Node:
        joints = _joints(edges)
        if any(len(joint) != len(self.players) for joint in joints):
            raise _error(
                f"a joint move at {node_name(node)} does not name one action for each of {listing(self.players)}",
                "give every edge there joint=('…', '…'), with '' for a player who has no choice",
            )
        choices = [tuple(dict.fromkeys(actions)) for actions in zip(*joints, strict=True)]
        read = Simultaneous(tuple(() if actions == ("",) else actions for actions in choices))
        if not len(joints) == len(set(joints)) == prod(len(set(actions)) for actions in choices):
            raise _error(
                f"the joint moves at {node_name(node)} are not all combinations of the players' actions, each once",
                "add the missing edges, one for each combination",
            )
        for player, name in _names_by_player(data.get("information_set")).items():
            self.sets[node, self._seat(node, player)] = name
        return read

    def _actions(self, node: Hashable, edges: list[Edge]) -> tuple[str, ...]:
        actions = [edge.action for edge in edges]
        twice = [action for action, count in Counter(actions).items() if count > 1]
        if twice:
            raise _error(f"{node_name(node)} has more than one action called '{twice[0]}'", "give each its own name")
        return tuple(actions)

    def _seat(self, node: Hashable, player: str) -> int:
        if player in self.players:
            return self.players.index(player)
        raise _error(
            f"{node_name(node)} belongs to '{player}', but the players are {listing(self.players)}",
            suggestion(player, self.players, "name everyone in graph.graph['players']"),
        )

    def _vector(self, value: Any) -> tuple[Utility, ...]:
        """A vector with a number for each player; a single number of a game of two gives both. Raises ValueError for
        anything else."""
        players = self.players
        if isinstance(value, Mapping):
            named = {str(player): number for player, number in value.items()}
            if sorted(named) != sorted(players):
                raise ValueError(f"numbers by name must name exactly {listing(players)}")
            value = [named[player] for player in players]
        numbers = read_vector(value)
        if len(numbers) == 1 and len(players) == 2:
            pair = numbers[0], opposite_of(numbers[0])
            return pair if maximiser(players) == 0 else pair[::-1]
        if len(numbers) != len(players):
            raise ValueError(f"{len(numbers)} numbers for the {len(players)} players {listing(players)}")
        return numbers

    def _pairs(self, value: Any) -> Bounds:
        """A pair of a lowest and a highest number for each player, None where there is none, as such or as JSON."""
        pairs = read_json(value) if isinstance(value, str) else value
        rows = pairs if isinstance(pairs, list | tuple) else ()
        if [len(pair) if isinstance(pair, list | tuple) else 0 for pair in rows] != [2] * len(self.players):
            raise ValueError(f"bounds are pairs of numbers, (lowest, highest), one for each of {listing(self.players)}")
        ends = [[None if end is None else read_number(end) for end in pair] for pair in rows]
        return tuple((low, high) for low, high in ends)

    def _check_sets(self) -> None:
        """Check that nodes of one information set offer the same actions."""
        offered: dict[tuple[int, str], tuple[Hashable, tuple[Action, ...]]] = {}
        for (node, player), name in self.sets.items():
            read = self.nodes.get(node)
            if not isinstance(read, Decision | Simultaneous):
                continue
            actions = read.actions if isinstance(read, Decision) else read.actions[player]
            first, expected = offered.setdefault((player, name), (node, actions))
            if sorted(actions) != sorted(expected):
                both = f"{node_name(first)} and {node_name(node)}"
                text = f"{both} are in the information set '{name}', but their actions differ"
                self.problems.append(Problem(text, help="what a player cannot tell apart must offer the same actions"))


_KINDS: dict[str, Callable[[GraphReader, Hashable, Mapping[str, Any], list[Edge]], Node]] = {
    "decision": GraphReader._decision,
    "chance": GraphReader._chance,
    "simultaneous": GraphReader._simultaneous_node,
    "terminal": GraphReader._terminal,
}


def _kind(data: Mapping[str, Any], edges: Sequence[Edge]) -> str:
    """The kind of a node whose attributes do not name it, from its edges."""
    if not edges or data.get("utilities") is not None:
        return "terminal"
    if data.get("player") in (None, "chance") and any("probability" in edge.data for edge in edges):
        return "chance"
    return "simultaneous" if any("joint" in edge.data for edge in edges) else "decision"


def _joints(edges: list[Edge]) -> list[Joint]:
    return [name_list(edge.data.get("joint", ())) for edge in edges]


def _names_by_player(value: Any) -> dict[str, str]:
    """The information sets of a simultaneous node: a mapping, or its JSON text; without one, {}."""
    names = read_json(value) if isinstance(value, str) else value
    if names is None:
        return {}
    if not isinstance(names, Mapping):
        raise ValueError("information_set of a simultaneous node must map players to names")
    return {str(player): str(name) for player, name in names.items()}


def _error(message: str, help: str = "") -> GameError:
    return GameError(Problem(message, help=help))


def _is_distribution(chances: list[Probability]) -> bool:
    """True if the probabilities sum to one, or can because one of them is what unknown ones leave over."""
    numbers = [chance for chance in chances if not isinstance(chance, Unknown | Rest)]
    unknown = Counter(chance.name for chance in chances if isinstance(chance, Unknown))
    rests = [chance for chance in chances if isinstance(chance, Rest)]
    share = 1 - sum(numbers)
    if min(numbers, default=0) < 0:
        return False
    if not unknown and not rests:
        return share == 0
    return [(rest.share, Counter(each.name for each in rest.unknowns)) for rest in rests] == [(share, unknown)]
