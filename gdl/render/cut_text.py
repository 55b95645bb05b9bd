"""The reasons for which a search skipped subtrees, in the words that `solve`, `explain`, answer keys and marks
share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gdl.errors import listing
from gdl.numbers import brief
from gdl.solution import Cut, Event, Path, Skipped, Solution, Visit

SIGNS = {"exact": "=", "lower": ">=", "upper": "<="}  # of what a search returns, by how it bounds the value
_MOST_CUTS = 40  # if a search has more cuts, none is explained


def are_explained(solution: Solution) -> bool:
    """True if some cuts skipped a subtree, and not too many did for each to be explained."""
    return 0 < sum(bool(cut.skipped) for cut in solution.cuts) <= _MOST_CUTS


def cut_lines(solution: Solution) -> list[str]:
    """A line for each cut that skipped a subtree, with the reason; none if there are too many cuts to explain."""
    names, told = VisitNames(solution.visits), crossings(solution) if are_explained(solution) else []
    return [names.reason(cut, crossing) for cut, crossing in zip(solution.cuts, told, strict=False) if cut.skipped]


class VisitNames:
    """Names for the nodes of a recorded search: the author's name, else the actions that lead there."""

    def __init__(self, visits: Sequence[Visit]):
        self.visits: Mapping[Path, Visit] = {visit.path: visit for visit in visits}
        self.unnamed = Counter(visit.action for visit in visits if visit.label is None)

    def node(self, path: Path) -> str:
        """The name of a node, as `Nodes.node_name` has it."""
        visit = self.visits.get(path)
        if visit is not None and visit.label is not None:
            return visit.label
        name = ".".join(self.action(path[:length]) for length in range(1, len(path) + 1)) or "the root"
        if name == ".".join(str(place + 1) for place in path):
            return f"node {name}"
        action = self.action(path) if path else name
        return action if self.unnamed[action] == 1 and action != str(path[-1] + 1) else name

    def action(self, path: Path) -> str:
        """The action that leads to the node; if none is recorded, the node's number among its siblings, from 1."""
        visit = self.visits.get(path)
        return str(path[-1] + 1) if visit is None or visit.action is None else visit.action

    def skipped_name(self, root: Skipped) -> str:
        """The name of a skipped child: its action, else its label; if it has neither (the action is a mere number), the
        name of the node with its whole path."""
        if root.action != str(root.path[-1] + 1):
            return root.action
        return self.node(root.path) if root.label is None else root.label

    def reason(self, cut: Cut, crossing: str) -> str:
        """The reason for a cut, `at C (MIN): 2 <= alpha 3 from B, so c2 and c3 are never looked at`."""
        visit = self.visits.get(cut.node)
        who = None if visit is None else "chance" if visit.kind == "chance" else visit.player
        mover = "" if who is None else f" ({who})"
        return cut_sentence(f"{self.node(cut.node)}{mover}", crossing, [self.skipped_name(one) for one in cut.skipped])


def cut_sentence(who: str, crossing: str, skipped: Sequence[str]) -> str:
    """The reason for a cut, `at C (MIN): 2 <= alpha 3 from B, so c2 and c3 are never looked at`, from who moves, how
    the value crossed the window, and the names of the skipped children."""
    return f"at {who}: {crossing}, so {listing(skipped)} {'is' if len(skipped) == 1 else 'are'} never looked at"


def crossings(solution: Solution) -> list[str]:
    """For each cut of a search, how the value crossed the window, and the node that had set that end of the window: `2
    <= alpha 3 from B`."""
    names = VisitNames(solution.visits)
    chance = {visit.path for visit in solution.visits if visit.kind == "chance"}
    vectors = any(isinstance(event.value, tuple) for event in solution.events)
    known = window_sources(solution.events, chance.__contains__, vectors)
    pairs = zip(solution.events, known, strict=True)
    sources = {(event.node, event.alpha, event.beta): source for event, source in pairs if event.event == "cut"}
    told = []
    for cut in solution.cuts:
        source = sources.get((cut.node, cut.alpha, cut.beta), WindowSource())
        crossing = cut.tell(brief)
        path, end = (source.beta, cut.beta) if " beta " in crossing else (source.alpha, cut.alpha)
        strict = solution.rule is not None and solution.rule.cut == "gt" and cut.value != end
        crossing = crossing.replace("=", "", 1) if strict else crossing
        told.append(crossing if path is None else f"{crossing} from {names.node(path)}")
    return told


class WindowSource(NamedTuple):
    """The nodes that set the two ends of a window; None for an end that no node has set."""

    alpha: Path | None = None
    beta: Path | None = None


def window_sources(events: Iterable[Event], is_chance: Callable[[Path], bool], vectors: bool) -> Iterator[WindowSource]:
    """Yield for each event of a search the nodes that set the ends of the window at that time: children whose results
    raised alpha or lowered beta; for a child of a chance node this chance node, from whose window the child's is
    computed. With `vectors` (values of several players), beta at a child comes from the node that set its parent's
    alpha."""
    open_: list[tuple[Event, WindowSource]] = []  # the nodes on the way from the root, as they were last
    child: Path = ()
    for event in events:
        if event.event in ("enter", "leaf"):
            above, source = open_[-1] if open_ else (event, WindowSource())
            if open_ and is_chance(above.node):
                source = WindowSource(above.node, above.node)
            elif vectors:
                source = WindowSource(None, source.alpha)
            open_ += [(event, source)]
        else:
            before, source = open_[-1]
            if event.event == "update" and not is_chance(event.node):
                alpha = source.alpha if event.alpha == before.alpha else child
                source = WindowSource(alpha, source.beta if event.beta == before.beta else child)
            open_[-1] = (event, source)
        yield source
        if event.event in ("leaf", "leave"):
            child = open_.pop()[0].node
