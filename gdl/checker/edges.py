"""Graphs by their edges, and the edges as a type of their own: syntax -> core."""

from __future__ import annotations

import re
from collections import Counter

from gdl import syntax
from gdl.checker.scope import NOTHING_RIGHT, Checks, Scope, Typed
from gdl.checker.types import base_type
from gdl.errors import clean, limits
from gdl.model import core
from gdl.model.board import Board, graph
from gdl.model.domains import TEXT, Named, Optional, SetType, Type

_PAIR = re.compile(r"(\w+)-(\w+)")
_NAME = re.compile(r"\w+")

Edges = tuple[tuple[str, str], ...]


# ---- The board --------------------------------------------------------------------------------------------------


def graph_of(scope: Scope, written: syntax.Board) -> Board | None:
    """The board that `graph(a-b, b-c, …)`, pairs of names with a '-' between them, or `graph(edges)`, with the pairs in
    a parameter, declares; None after a mistake."""
    names_parameter = len(written.arguments) == 1 and isinstance(written.arguments[0], syntax.Name)
    edges = (_parameter_edges if names_parameter else _simple_edges)(scope, written)
    if edges is None:
        return None
    scope.edges[written.name.name] = edges
    return graph(edges)


def _simple_edges(scope: Scope, written: syntax.Board) -> Edges | None:
    edges = []
    for argument in written.arguments:
        match argument:
            case syntax.Binary(operator=syntax.Word(text="-")) if _point(argument.left) and _point(argument.right):
                edges.append((_point(argument.left), _point(argument.right)))
            case _:
                help = "write the edges as a-b, b-c, or name a parameter that holds them"
                return scope.instead("an edge of a graph joins two points", argument.span, help, None)
    return tuple(edges)


def _point(written: syntax.Expression) -> str:
    """The name of a point; empty if the expression is none."""
    if isinstance(written, syntax.Name):
        return written.word.text
    return written.value.text if isinstance(written, syntax.Number) else ""


def _parameter_edges(scope: Scope, written: syntax.Board) -> Edges | None:
    """The pairs in a parameter, such as edges = [[1, 2], [2, 3]] or [["a", "b"]]; None after a mistake."""
    (argument,) = written.arguments
    assert isinstance(argument, syntax.Name)
    name = argument.word.text
    scope.used.add(name)
    constant = scope.constants.get(name)
    if constant is None or constant.kind != "parameter":
        parameters = [n for n, c in scope.constants.items() if c.kind == "parameter"]
        scope.unknown(name, argument.span, "parameter", parameters)
        return None
    found: list[tuple[str, str]] = []
    for pair in constant.value if isinstance(constant.value, tuple) else ():
        ends = [str(end) for end in pair] if isinstance(pair, tuple) else []
        if len(ends) != 2 or not all(_NAME.fullmatch(end) for end in ends):
            found = []
            break
        found.append((ends[0], ends[1]))
    if not found:
        help = f"write {name} = [[1, 2], [2, 3]], or --set {name}=1-2,2-3"
        return scope.instead(f"{clean(name)} is no list of pairs of points", argument.span, help, None)
    return tuple(found)


def pairs(text: str, item: Type) -> str:
    """Pairs as the command line writes them, `1-2,2-3`, in the form that a file has: [1, 2], [2, 3]; another text
    unchanged."""
    quote = '"' if item == TEXT else ""
    found = [_PAIR.fullmatch(part.strip()) for part in text.split(",")]
    if None in found:
        return text
    return ", ".join(f"[{quote}{pair[1]}{quote}, {quote}{pair[2]}{quote}]" for pair in found if pair)


# ---- Edges as a type --------------------------------------------------------------------------------------------


def declare_edges(scope: Scope, board: Named) -> None:
    """Declare the type `Edge`: the edges of a graph, in the order and by the names in which the file writes them."""
    edges = scope.edges.get(board.name)
    if edges is None:
        return
    met: Counter[str] = Counter()
    names = []
    for a, b in edges:
        name = f"{a}-{b}"
        met[name] += 1
        names.append(name if met[name] == 1 else f"{name}_{met[name]}")
    place = {point: index for index, point in enumerate(board.members)}
    type = Named(
        f"{board.name}.Edge" if scope.graphs > 1 else "Edge", tuple(names), graph=board.board,
        joins=tuple((place[a], place[b]) for a, b in edges),
    )  # fmt: skip
    if scope.graphs == 1:
        scope.types.setdefault("Edge", type)
    scope.edge_types[board.name] = type


def check_ends(check: Checks, e: syntax.Call) -> Typed:
    """ends(e): the set of the points that an edge joins."""
    found = [check.check(argument) for argument in e.arguments]
    types = [base_type(typed.type) for typed in found]
    board = next((b for b in check.scope.boards if types == [check.scope.edge_types.get(b.name)]), None)
    if board is None:
        return NOTHING_RIGHT if NOTHING_RIGHT in found or check.scope.lost else _no_edge(check, e)
    (typed,) = found
    table = tuple(sum(1 << p for p in set(ends)) for ends in check.scope.edge_types[board.name].joins)
    return Typed(core.Lookup("ends", table, (typed.core,), (0,), 0), SetType(board))


def _no_edge(check: Checks, e: syntax.Call) -> Typed:
    graphs = list(check.scope.edges)
    help = f"give it a value of {graphs[0]}.Edge" if graphs else "declare one: board Point = graph(a-b, b-c)"
    return check.scope.wrong(f"'{e.word.text}' is asked of an edge of a graph", e.span, help=help)


def check_edges(check: Checks, e: syntax.Call) -> Typed:
    """edges(p): the edges at a point; edge(p, q): the first edge that joins two points, or none."""
    due = 2 if e.word.text == "edge" else 1
    found = [check.check(argument) for argument in e.arguments]
    board = next((t for typed in found if (t := base_type(typed.type)) in check.scope.boards), None)
    graphs = [b for b in check.scope.boards if b.name in check.scope.edges]
    board = board or (graphs[0] if graphs else None)
    if len(found) != due or not isinstance(board, Named) or board.name not in check.scope.edges:
        points = "two points" if due == 2 else "a point"
        help = f"write {e.word.text}({'a, b' if due == 2 else 'p'}) of points of a graph"
        return NOTHING_RIGHT if NOTHING_RIGHT in found else check.scope.wrong(
            f"'{e.word.text}' is asked of {points} of a graph", e.span, help=help
        )  # fmt: skip
    points_ = [
        check.convert_or_report(t, w, Optional(board), "a point") for t, w in zip(found, e.arguments, strict=True)
    ]
    type = check.scope.edge_types[board.name]
    edges, count = type.joins, len(board.members)
    if count**due > limits.TABLE:
        message = f"'{e.word.text}' has more than {limits.TABLE:,} answers on this board"
        return check.scope.wrong(message, e.span, help="take a smaller board")
    if due == 1:
        table = tuple(sum(1 << k for k, ends in enumerate(edges) if p in ends) for p in range(count))
        return Typed(core.Lookup("edges", table, tuple(points_), (0,), 0), SetType(type))
    first: list[list[int | None]] = [[None] * count for _ in range(count)]
    for k, (a, b) in reversed(list(enumerate(edges))):
        first[a][b] = first[b][a] = k
    return Typed(core.Lookup("edge", tuple(map(tuple, first)), tuple(points_), (0, 0)), Optional(type))
