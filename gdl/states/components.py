"""Where play can come, and where it can stay: what is reached in a graph, its strongly connected components, and its
end components.

Sources: Tarjan, Depth-first search and linear graph algorithms, SIAM J.
Comput. 1, 1972; end components: de Alfaro, Formal verification of probabilistic systems, 1997, section 3.3.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

Options = Mapping[int, Sequence[tuple[int, ...]]]  # vertex -> choices open there, each the set of what may follow

V = TypeVar("V", bound=Hashable)


def reached_from(start: Iterable[V], after: Callable[[V], Iterable[V]]) -> set[V]:
    """The vertices that are reached from those of `start` by steps to those `after` one, `start` included."""
    found = set(start)
    work = list(found)
    while work:
        fresh = set(after(work.pop())) - found
        found |= fresh
        work += fresh
    return found


def strong_components(vertices: Iterable[V], edges: Mapping[V, Sequence[V]]) -> list[list[V]]:
    """The strongly connected components of the vertices, those that lead nowhere else first.

    Each is in the order in which its vertices were met. Edges to other vertices than those given are ignored.
    """
    inside = dict.fromkeys(vertices)
    index: dict[V, int] = {}
    low: dict[V, int] = {}
    open_: list[V] = []  # vertices not yet in a component, in the order of meeting
    closed: set[V] = set()
    components = []
    for root in inside:
        if root in index:
            continue
        path = [(root, iter(edges[root]))]
        index[root] = low[root] = len(index)
        open_.append(root)
        while path:
            vertex, targets = path[-1]
            target = next((t for t in targets if t in inside and t not in closed), None)
            if target is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[vertex])
                if low[vertex] == index[vertex]:
                    components.append(_pop_down_to(open_, vertex))
                    closed.update(components[-1])
            elif target not in index:
                index[target] = low[target] = len(index)
                open_.append(target)
                path.append((target, iter(edges[target])))
            else:
                low[vertex] = min(low[vertex], index[target])
    return components


def _pop_down_to(stack: list[V], down_to: V) -> list[V]:
    """Take everything from `down_to` upwards off the stack."""
    taken = [stack.pop()]
    while taken[-1] != down_to:
        taken.append(stack.pop())
    return taken[::-1]


def end_components(options: Options) -> set[int]:
    """The vertices that lie in an end component: a set where choices can be made so that play stays in it for ever,
    almost surely.

    Drop every choice that may lead out, or from one strongly connected component of the rest to another, and every
    vertex left without a choice, until nothing more is dropped. What then remains are the end components.
    """
    remaining: dict[int, list[tuple[int, ...]]] = {vertex: list(choices) for vertex, choices in options.items()}
    while True:
        edges = {vertex: [t for choice in choices for t in choice] for vertex, choices in remaining.items()}
        home = {v: k for k, component in enumerate(strong_components(remaining, edges)) for v in component}
        kept = {
            vertex: [choice for choice in choices if all(home.get(t) == home[vertex] for t in choice)]
            for vertex, choices in remaining.items()
        }
        staying = {vertex: choices for vertex, choices in kept.items() if choices}
        if staying == remaining:
            return set(remaining)
        remaining = staying
