"""The state graph: a game as a networkx graph, a networkx graph as a game, and an answer written onto one.

The conventions, for graphs made here, by hand or read from a file:

- graph attributes: `players` (names in order; else the nodes' players in order), `root` (else the only node that
  no edge enters), `name`, `complete` (False where the graph was cut off), `forever` (what endless play is worth, as
  utilities), `cost` (True where answers state costs, which are utilities with the other sign), `bounds` (that every
  utility keeps: for each player a pair of the lowest and the highest, None where there is none).
- node attributes: `kind` (decision, chance, simultaneous or terminal; else it follows from the edges), `player` (the
  name of the one to move), `utilities` (of an end: one number per player; one number alone is zero-sum between two
  players and belongs to MAX, else to the first), `label`, `evaluation` (as utilities), `information_set` (the name of
  what the mover knows; at a simultaneous node a mapping from player to name), `state` (drawn when it is asked for),
  `bounds` (that the utilities after this node keep, where they are other than the graph's), `quiet` (the number that
  quiet play keeps, `none` where the state is not quiet; at every node, or at none),
  `depth` (plies from the start), `frontier` (True where the graph was cut off before the moves were followed).
- edge attributes: `action` (else 1, 2, 3… in order), `position` (from 0; else the order of insertion), `probability`
  (of a chance outcome), `joint` (of a joint move: one action per player, "" for one with no choice).

Numbers are ints, Fractions, or text such as "1/3"; a float counts as the decimal it prints as.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from math import inf, prod
from time import monotonic
from typing import TYPE_CHECKING, Any

from gdl import wings
from gdl.errors import GameError, LimitReached, Problem
from gdl.game import (
    NO_ENGINE,
    Action,
    Chance,
    Decision,
    Engine,
    Game,
    Joint,
    Node,
    Number,
    Promises,
    Simultaneous,
    Terminal,
    Traits,
    exact,
    without_rewards,
)
from gdl.solution import Mixture, Path, Profile, Solution
from gdl.states.checked_game import ensure_checked
from gdl.states.explore import (
    Move,
    Progress,
    Walk,
    WalkExpansion,
    attach_partial,
    choosers,
    move_text,
    moves,
    reachable_traits,
)
from gdl.states.garbage import rare_collection
from gdl.states.graph_game import RESTLESS, Edge, Graph, GraphReader, name_list, node_name, ordered_edges
from gdl.states.node_attributes import NOT_DRAWN, NodeAttributes
from gdl.states.protocol import no_action

if TYPE_CHECKING:
    from networkx import MultiDiGraph  # type: ignore[import-untyped]

    cached_property = property  # which type checkers take for one of the protocol
else:
    from functools import cached_property

STATE_VALUES = "gdl.solvers.cyclic.state_values:state_values"  # which stands above this,
PACK_GAME = "gdl.compiler.packed_game:pack_game"  # and this too

__all__ = ["GraphGame", "annotate", "state_graph"]


def state_graph(
    game: Game[Any],
    limit: int = 200_000,
    progress: Progress | None = None,
    until: float = inf,
    most_moves: float = inf,
) -> MultiDiGraph[Any]:
    """Write down the reachable states of a game as a graph, in which equal states are one node and cycles are kept.

    Nodes are numbered breadth-first from the root, 0. The key of an edge is the position of its action at the node. The
    module's docstring lists the attributes.

    Args:
        game: the game.
        limit: how many states there may be.
        progress: a function that is called with the number of states so far; it may raise LimitReached as well.
        until: the time, by `time.monotonic`, from which no more states are written down. Their texts are drawn by then.
        most_moves: how many moves the states that are written down may have together; the first one may have more.

    Returns:
        A networkx.MultiDiGraph.

    Raises:
        LimitReached: there are more states. Its `partial` is the graph so far, whose attribute `complete` is False and
            whose nodes are marked `frontier` where their moves were not followed.
        Refusal: the game pays rewards on the way.

    Example:
        >>> import gdl, gdl.graph
        >>> graph = gdl.graph.state_graph(gdl.load("figure_5_2"))
        >>> graph.number_of_nodes(), graph.nodes[0]["player"]
        (13, 'MAX')
    """
    game = wings.load(PACK_GAME)(ensure_checked(game))
    without_rewards(game, "a state graph")
    walk = Walk(game, limit, progress)
    expanded: dict[int, WalkExpansion] = {}
    with rare_collection():
        with attach_partial(lambda: _as_graph(game, walk, expanded, until, most_moves), quick=False):
            for expansion in walk:
                expanded[expansion.number] = expansion
        graph = _as_graph(game, walk, expanded, until, most_moves)
    if not graph.graph["complete"]:
        raise LimitReached(f"not all states of {game.name} were written down within the limit set", graph)
    return graph


def _as_graph(game: Game[Any], walk: Walk[Any], expanded: dict[int, WalkExpansion], until: float, room: float) -> Graph:
    """The graph of the states that a walk has met, until a time, and with room for so many moves."""
    import networkx

    graph = networkx.MultiDiGraph(name=game.name, players=list(game.players), root=0, complete=True)
    graph.node_attr_dict_factory = NodeAttributes
    general = game.promises.bounds(walk.states[0])
    stated = {"forever": game.promises.forever, "cost": game.promises.cost or None, "bounds": general}
    graph.graph.update((name, value) for name, value in stated.items() if value is not None)
    nodes = []
    for number, state in enumerate(walk.states):
        if number and (room <= 0 or monotonic() > until):
            break
        nodes.append(expanded[number].node if number in expanded else walk.node(number))
        room -= len(expanded[number].moves if number in expanded else moves(nodes[-1]))
        graph.add_node(number, **_node_attributes(game, state, nodes[-1]), depth=walk.depth[number])
        attributes = graph.nodes[number]
        attributes.be_drawn_from(game, state, nodes[-1])
        if until < inf:
            attributes.draw_texts()
        if (bounds := game.promises.bounds(state)) not in (None, general):
            attributes["bounds"] = bounds
    for number, node in enumerate(nodes):
        found = expanded.pop(number, None)  # which makes room for the edges
        options, children = (moves(node), ()) if found is None else (found.moves, found.children)
        if len(children) < len(options) or max(children, default=0) >= len(nodes):
            graph.nodes[number]["frontier"], graph.graph["complete"], children = True, False, ()
        for position, child in enumerate(children):
            graph.add_edge(number, child, key=position, **_edge_attributes(node, position, options[position]))
    if len(nodes) < len(walk.states):  # some may have been met only on the way to what is left out
        graph.remove_nodes_from(set(graph) - networkx.descendants(graph, 0) - {0})
    return graph


def _node_attributes(game: Game[Any], state: Any, node: Node) -> dict[str, Any]:
    attributes: dict[str, Any] = {"kind": type(node).__name__.lower(), "state": NOT_DRAWN}
    if isinstance(node, Decision):
        attributes |= {"player": game.players[node.player], "information_set": NOT_DRAWN}
    elif isinstance(node, Simultaneous):
        attributes["information_set"] = NOT_DRAWN
    elif isinstance(node, Terminal):
        attributes["utilities"] = node.utilities
    optional: dict[str, Any] = {"label": game.label(state), "evaluation": game.evaluate(state)}
    if (quiet := game.promises.quiet) is not None:
        kept = quiet(state)
        optional["quiet"] = RESTLESS if kept is None else kept
    return attributes | {name: value for name, value in optional.items() if value is not None}


def _edge_attributes(node: Node, position: int, move: Move) -> dict[str, Any]:
    attributes: dict[str, Any] = {"action": move_text(move), "position": position}
    if isinstance(node, Chance):
        attributes["probability"] = node.outcomes[position][1]
    elif isinstance(node, Simultaneous):
        attributes["joint"] = move
    return attributes


class GraphGame:
    """A networkx DiGraph or MultiDiGraph as a game, whose states are the nodes of the graph.

    Args:
        graph: the graph, with the attributes that the module's docstring lists. One that was cut off can be played as
            far as it goes.

    Raises:
        GameError: with all problems of the part that can be reached from the root.

    Example:
        >>> import gdl, gdl.graph, networkx
        >>> graph = networkx.DiGraph(players=["MAX", "MIN"])
        >>> graph.add_edge("start", "end", action="go")
        >>> graph.nodes["start"]["player"] = "MAX"
        >>> graph.nodes["end"]["utilities"] = 5
        >>> gdl.solve(gdl.graph.GraphGame(graph)).value
        (5, -5)
    """

    engine: Engine = NO_ENGINE

    def __init__(self, graph: Graph):
        self.graph = graph
        self.name = str(graph.graph.get("name") or "graph")
        read = GraphReader(graph)
        self.players = read.players
        self._root = read.root
        self.nodes = read.nodes
        self._children = read.children
        self._sets = read.sets
        self._evaluations = read.evaluations
        self.promises = Promises(
            bounds=read.bounds.get,
            quiet=read.quiet.get if read.quiet else None,
            forever=read.forever,
            cost=read.cost,
            without_memory=_whole_state if _shows_nodes(read) else None,
        )

    def initial(self) -> Hashable:
        return self._root

    def node(self, state: Hashable) -> Node:
        if state not in self.nodes:
            text = f"the graph was cut off at {node_name(state)}: what follows there is missing"
            raise GameError(Problem(text, help="make the graph with a greater limit"))
        return self.nodes[state]

    def successor(self, state: Hashable, action: Action | Joint) -> Hashable:
        try:
            return self._children[state][action]
        except KeyError:
            raise no_action(self.node(state), action) from None

    def information_set(self, state: Hashable, player: int) -> Hashable:
        named = self._sets.get((state, player))
        return ("node", state) if named is None else ("set", named)

    def describe(self, state: Hashable, player: int) -> str:
        named = self._sets.get((state, player))
        if named is not None:
            return named
        label = self.label(state)
        return label if label is not None and self._uses_of_labels[label] == 1 else node_name(state)

    @cached_property
    def _uses_of_labels(self) -> Counter[str]:
        """How many nodes bear a label; an information set's name counts as well."""
        labels = [label for node in self.nodes if (label := self.label(node)) is not None]
        return Counter([*labels, *dict.fromkeys(self._sets.values())])

    def evaluate(self, state: Hashable) -> tuple[Number, ...] | None:
        return self._evaluations.get(state)

    def label(self, state: Hashable) -> str | None:
        label = self.graph.nodes[state].get("label")
        return None if label is None else str(label)

    def show(self, state: Hashable) -> str:
        return str(self.graph.nodes[state].get("state") or self.label(state) or node_name(state))

    @cached_property
    def traits(self) -> Traits:
        return reachable_traits(self, limit=None)


def _shows_nodes(read: GraphReader) -> bool:
    """True if everybody who acts knows at which node they are."""
    names = {(player, name) for (_, player), name in read.sets.items()}
    return len(names) == len(read.sets)


def _whole_state(node: Hashable) -> Hashable:
    """Return the node: it is the whole state, with nothing remembered beside it."""
    return node


def annotate(graph: Graph, solution: Solution) -> Graph:
    """Copy a state graph, and write an answer onto the copy.

    New attributes, each where it applies:

    - graph: `solver`, `exact`, `value` (one number per player), `best` and `line`.
    - nodes: `value` (one number per player, where the answer is exact and determines it); of a search that recorded its
      visits `returned` (the number that it worked with), `bound` (exact, lower or upper: what that is to the value),
      `window` and `window_after` (alpha and beta on entry and exit; None is infinite), `cut` (the action and the
      comparison that made search leave the node early), `unvisited` (True where search never went); `principal` (True
      on the line of best play).
    - edges: `best` (True for an optimal action), `principal`, `cut` (True where search never went, on any path),
      `played` (the probability of the move in the strategy, or else in the first equilibrium).

    Where several paths lead to a node, the path that search took first counts. What lies beyond the graph is left out.

    Args:
        graph: the state graph of the game.
        solution: the answer for the same game.

    Returns:
        The copy with the new attributes.

    Example:
        >>> import gdl, gdl.graph
        >>> game = gdl.load("figure_5_2")
        >>> graph = gdl.graph.annotate(gdl.graph.state_graph(game), gdl.solve(game))
        >>> graph.graph["best"], graph.graph["value"]
        (('a1',), (3, -3))
    """
    annotated = graph.copy()
    writer = _Writer(annotated, solution)
    writer.write_answer()
    writer.write_visits()
    writer.write_cuts()
    writer.write_values()
    writer.write_line()
    writer.write_strategy()
    return annotated


class _Writer:
    """Writes one solution onto one graph, following the solution's paths by the positions of the edges."""

    def __init__(self, graph: Graph, solution: Solution):
        self.graph = graph
        self.solution = solution
        self.game = GraphGame(graph)
        self._reached: dict[Path, Hashable | None] = {(): self.game.initial()}

    def node_at(self, path: Path) -> Hashable | None:
        """The node at the end of a path from the root; None beyond the graph."""
        known = len(path)
        while path[:known] not in self._reached:
            known -= 1
        for length in range(known, len(path)):
            edge = self._follow(self._reached[path[:length]], path[length])
            self._reached[path[: length + 1]] = edge.target if edge else None
        return self._reached[path]

    def edge(self, path: Path) -> Edge | None:
        """The last edge of a path from the root; None beyond the graph."""
        return self._follow(self.node_at(path[:-1]), path[-1])

    def _follow(self, node: Hashable | None, position: int) -> Edge | None:
        edges = [] if node is None else ordered_edges(self.graph, node)
        return edges[position] if position < len(edges) else None

    def write_answer(self) -> None:
        solution = self.solution
        self.graph.graph |= {"solver": solution.solver, "exact": solution.exact}
        given = {"value": solution.value, "best": solution.best, "line": solution.line}
        self.graph.graph |= {name: value for name, value in given.items() if value}
        for edge in ordered_edges(self.graph, self.game.initial()):
            if edge.action in solution.best:
                edge.data["best"] = True

    def write_visits(self) -> None:
        for visit in self.solution.visits:
            node = self.node_at(visit.path)
            if node is not None and "window" not in self.graph.nodes[node]:
                self.graph.nodes[node].update(
                    returned=visit.value,
                    bound=visit.bound,
                    window=(visit.alpha, visit.beta),
                    window_after=(visit.alpha_after, visit.beta_after),
                )

    def write_cuts(self) -> None:
        for cut in self.solution.cuts:
            node = self.node_at(cut.node)
            if node is not None:
                self.graph.nodes[node].setdefault("cut", f"{cut.child}: {cut.reason}")
            for skipped in cut.skipped:
                edge = self.edge(skipped.path)
                if edge is not None:
                    edge.data["cut"] = True
        for path in [visit.path for visit in self.solution.visits if visit.path]:
            edge = self.edge(path)
            if edge is not None:
                edge.data.pop("cut", None)

    def write_values(self) -> None:
        """Write the values of nodes, and mark the optimal actions at each."""
        by_path = {self.node_at(path): value for path, value in self.solution.values.items()}
        values: dict[Hashable, tuple[Number, ...]] = {**wings.load(STATE_VALUES)(self.game, self.solution), **by_path}
        for node, value in values.items():
            if node is None:
                continue
            self.graph.nodes[node]["value"] = value
            if not self.solution.visits:
                self._write_best(node, value, values)
            elif "window" not in self.graph.nodes[node]:
                self.graph.nodes[node]["unvisited"] = True

    def _write_best(
        self, node: Hashable, value: tuple[Number, ...], values: Mapping[Hashable, tuple[Number, ...]]
    ) -> None:
        read = self.game.nodes.get(node)
        if isinstance(read, Decision):
            for edge in ordered_edges(self.graph, node):
                child = values.get(edge.target)
                if child and child[read.player] == value[read.player]:
                    edge.data["best"] = True

    def write_line(self) -> None:
        node = self.game.initial()
        self.graph.nodes[node]["principal"] = True
        for action in self.solution.line:
            edge = next((e for e in ordered_edges(self.graph, node) if e.action == action), None)
            if edge is None:
                return
            edge.data["principal"] = True
            node = edge.target
            self.graph.nodes[node]["principal"] = True

    def write_strategy(self) -> None:
        profile = self.solution.strategy or next(iter(self.solution.equilibria), {})
        for node, read in self.game.nodes.items():
            mixtures = {seat: self._mixture(profile, node, seat) for seat in choosers(read)}
            if mixtures and all(mixtures.values()):
                for edge in ordered_edges(self.graph, node):
                    chosen = name_list(edge.data.get("joint") or [edge.action] * len(self.game.players))
                    edge.data["played"] = exact(prod(mixtures[seat].get(chosen[seat], 0) for seat in mixtures))

    def _mixture(self, profile: Profile, node: Hashable, seat: int) -> Mixture:
        return profile.get(self.game.players[seat], {}).get(self.game.describe(node, seat), {})
