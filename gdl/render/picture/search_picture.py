"""A picture of what a recorded search saw, from its answer alone: the nodes it visited and the roots it skipped."""

from __future__ import annotations

from gdl.errors import clean
from gdl.game import maximiser
from gdl.numbers import amount_text, end_text
from gdl.render.picture.build import title_of
from gdl.render.picture.picture_tree import Picture, PictureNode, Shape
from gdl.solution import Path, Solution, Visit

_BOUNDS = {"exact": "=", "lower": ">=", "upper": "<="}
MAX_DRAWN_VISITS = 5_000  # visits that are drawn


def search_picture(solution: Solution, caption: str) -> Picture | None:
    """The visited part of the tree; None where the solver kept no record, or one too long to be seen."""
    if not solution.visits or len(solution.visits) > MAX_DRAWN_VISITS:
        return None
    visits = {visit.path: visit for visit in solution.visits}
    skipped = {root.path: (root, cut) for cut in solution.cuts for root in cut.skipped}
    paths = sorted([*visits, *skipped], key=lambda path: (len(path), path))
    numbers = {path: number for number, path in enumerate(paths)}
    children: dict[Path, list[int]] = {path: [] for path in paths}
    for path in paths[1:]:
        children[path[:-1]].append(numbers[path])
    line = _line(solution, visits)
    nodes = []
    for path in paths:
        parent = numbers[path[:-1]] if path else None
        if path in visits:
            below = tuple(children[path])
            nodes.append(_draw_visit(solution, visits[path], parent, below, path in line))
        else:
            root, cut = skipped[path]
            action = "" if root.action == str(path[-1] + 1) else clean(root.action)
            why = clean(f"{cut.reason} after {cut.child}")
            name = clean(root.label or "")
            nodes.append(
                PictureNode(path, parent, (), "end", name=name, payoff=("…",), skipped=True, action=action, cut=why)
            )
    players = tuple(map(clean, solution.players))
    return Picture(title_of(solution.game), players, tuple(nodes), caption=clean(caption))


def _draw_visit(
    solution: Solution, visit: Visit, parent: int | None, below: tuple[int, ...], principal: bool
) -> PictureNode:
    value = amount_text(visit.value)
    numbered = visit.action is None or visit.action == str(visit.path[-1] + 1)
    return PictureNode(
        path=visit.path,
        parent=parent,
        children=below,
        shape=_shape(solution, visit),
        mover="chance" if visit.kind == "chance" else clean(visit.player or ""),
        name=clean(visit.label or ""),
        payoff=() if below else (value,),
        value=value if below else "",
        bound=_BOUNDS[visit.bound] if below else "",
        window=(end_text(visit.alpha, "-inf"), end_text(visit.beta, "inf")) if below else None,
        action="" if numbered else clean(visit.action or ""),
        principal=principal,
        best=principal,
    )


def _shape(solution: Solution, visit: Visit) -> Shape:
    if visit.kind == "chance":
        return "chance"
    if visit.player is None:
        return "end"
    first = maximiser(solution.players)
    return "max" if visit.player == solution.players[first] else "min"


def _line(solution: Solution, visits: dict[Path, Visit]) -> set[Path]:
    """The paths on the line of best play."""
    by_action = {(path[:-1], visit.action): path for path, visit in visits.items() if path}
    found: set[Path] = {()}
    path: Path = ()
    for action in solution.line:
        if (path, action) not in by_action:
            break
        path = by_action[path, action]
        found.add(path)
    return found
