"""A game drawn: which kind of picture suits it, and in which format. The thinking behind `gdl draw`.

1. A game in which everyone chooses once, at the same time, is drawn as tables.
2. With `merged`, the graph of its states is drawn, equal positions once.
3. Any other game is drawn as a tree, as far as it can be looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gdl.errors import LimitReached, Refusal, listing
from gdl.game import Game
from gdl.render.formats import PICTURES, Format, run_writer
from gdl.render.matrix import matrix, one_shot
from gdl.render.numbers_as_written import numbers_as_in_file
from gdl.render.picture import Bounds, picture
from gdl.render.picture.marks import is_strategic
from gdl.render.picture.states import LIMIT, MOST_MOVES, state_picture
from gdl.render.picture.unfold import MAX_DRAWN_NODES, explicit_tree
from gdl.render.sentence import brief_profile, caption, pays, task
from gdl.solution import EquilibriumRecord, Profile, RecordedSearch, Solution, SolutionPart, Worked

# One equilibrium of several, for a picture that can show no more than one.


def one_of(solution: Solution | None, number: int) -> Solution:
    """A copy of the answer that holds only its equilibrium `number`, from 1, with that equilibrium's payoffs and
    beliefs. Raises Refusal if there is no answer or it has fewer equilibria."""
    if solution is None:
        raise Refusal(f"equilibrium {number} of no answer cannot be drawn: let a solver find it")
    profiles = profiles_of(solution)
    if not 1 <= number <= len(profiles):
        lists = f"lists {len(profiles):,}" if profiles else "lists none"
        raise Refusal(f"there is no equilibrium {number}: the answer of {solution.solver} {lists}")
    at = number - 1
    payoffs = solution.payoffs[at : at + 1]
    return replace(
        solution,
        equilibria=(profiles[at],),
        strategy=None,
        payoffs=payoffs,
        value=payoffs[0] if payoffs else solution.value,
        best=(),
        line=(),
        part=_part_of_one(solution.part, at),
    )


def _part_of_one(part: SolutionPart, at: int) -> SolutionPart:
    match part:
        case EquilibriumRecord():
            return part.copy_with(beliefs=part.beliefs[at : at + 1], roots=part.roots[at : at + 1])
        case RecordedSearch():
            return part.copy_with(values={})
    return part


def profiles_of(solution: Solution) -> tuple[Profile, ...]:
    """The equilibria of a solution; if it lists none, its strategy alone, provided that it is exact."""
    alone = solution.strategy if solution.exact else None
    return solution.equilibria or (() if alone is None else (alone,))


def name_equilibrium(solution: Solution | None, number: int) -> str:
    """A sentence that names an equilibrium and its payoffs, `Equilibrium 2 of 3, (ballet, ballet): He gets 1 and She
    gets 2.`"""
    chosen = one_of(solution, number)
    assert solution is not None
    count = len(profiles_of(solution))
    played = brief_profile(solution.players, chosen.equilibria[0])
    said = f"Equilibrium {number} of {count}{'' if solution.complete else ' that were found'}"
    said += f", {played}" if played else ""
    return f"{said}." if chosen.value is None else f"{said}: {pays(solution.players, chosen.value)}."


@numbers_as_in_file
def draw(
    game: Game[Any],
    solution: Solution | None = None,
    kind: str = "svg",
    *,
    depth: int | None = None,
    limit: int = MAX_DRAWN_NODES,
    blank: bool = False,
    bounds: Bounds | None = None,
    boards: bool | None = None,
    merged: bool = False,
    runs: Mapping[str, Solution] | None = None,
    worked: Worked | None = None,
    equilibrium: int | None = None,
) -> str | bytes:
    """The game as text, or as bytes for PNG and PDF, in one of the formats PICTURES.

    `solution` is written onto the picture, unless `blank` leaves it out. `depth` and `limit` cut the tree, `bounds`
    puts windows at nodes or edges, `boards` shows positions or hides them, `merged` draws the state graph. An HTML page
    steps through the searches `runs` (by name) or, if the answer is strategies, shows how the table of plans is
    `worked` out. `equilibrium`: of several equilibria, draw only that of this number, from 1. Raises Refusal where a
    format cannot show the picture, there is no equilibrium of that number, or an extra is missing.
    """
    form = PICTURES.get(kind)
    if form is None:
        raise Refusal(f"there is no format {kind!r}; a picture is {listing(PICTURES, 'or')}")
    alone = None if equilibrium is None else name_equilibrium(solution, equilibrium)
    told = "" if solution is None else task(solution) if blank else caption(game, solution, alone)
    if equilibrium is not None:
        solution = one_of(solution, equilibrium)
    shown = None if blank else solution
    if merged:
        return _states(game, shown, form, depth, told)
    utilities = one_shot(game) if form.matrix else None
    if utilities is not None:
        tables = matrix(game, utilities, shown, blank=blank, caption=told, alone=bool(alone))
        return _write_drawing(form, form.matrix, tables, None if blank else worked)
    if form.steps and not (shown and is_strategic(shown)):
        from gdl.render.page import MAX_PAGE_NODES as most

        drawn = picture(game, depth=depth, limit=min(limit, most), boards=boards)
        return run_writer(form, form.steps, drawn, game, runs or {})
    drawn = picture(game, shown, depth=depth, limit=limit, blank=blank, bounds=bounds, boards=boards, caption=told)
    return _write_drawing(form, form.tree or form.plain, drawn, worked if shown and is_strategic(shown) else None)


def _write_drawing(form: Format, entry: str, drawn: Any, worked: Worked | None) -> str | bytes:
    """The drawing as a file of a format. If the answer has a table of plans that is `worked` out step by step, and the
    format can show that, the steps are written, too."""
    return run_writer(form, form.worked, drawn, worked) if form.worked and worked else run_writer(form, entry, drawn)


def _states(game: Game[Any], solution: Solution | None, form: Format, depth: int | None, told: str) -> str | bytes:
    """The drawing of the state graph, with at most LIMIT states and some MOST_MOVES moves; `told` is its caption. A
    graph that is a tree is drawn as a tree where the format has one."""
    from gdl.graph import annotate, state_graph

    try:
        graph = state_graph(game, LIMIT, most_moves=MOST_MOVES)
    except LimitReached as stop:
        graph = stop.partial
    if solution is not None:
        graph = annotate(graph, solution)
    if form.graph:
        return run_writer(form, form.graph, graph)
    states = state_picture(graph, depth=depth, show=explicit_tree(game) is None, caption=told)
    if states.is_tree and form.tree and not form.keeps_states:
        return run_writer(form, form.tree, picture(game, solution, depth=max(states.levels), caption=told))
    if not form.states:
        others = listing((row.name for row in PICTURES.values() if row.draws_states), "or")
        raise Refusal(f"a state graph is not drawn as {form.name}: take {others}")
    return run_writer(form, form.states, states)
