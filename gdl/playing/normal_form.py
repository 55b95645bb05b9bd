"""The table of all plans of a game, full or reduced, as text and as a record."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from gdl.errors import Refusal, clean
from gdl.formats.answer_records import NormalFormAnswer, NormalFormCell
from gdl.game import Game
from gdl.model.games import MatrixModel

if TYPE_CHECKING:
    from gdl.solvers.equilibria.strategic_form import StrategicForm

POSITIONS = 100_000  # of a game that are looked at, at most
CELLS = 2_000  # of a table, at most: nobody would read more
EXCLUDED = "*"  # what a plan says of an information set to which it never leads


def normal_form_text(game: Game[Any], reduced: bool) -> str:
    """The table of all plans, followed by each player's information sets in the order in which a plan names its
    actions."""
    from gdl.render.position_text import matrix_text

    form = _form(game, reduced)
    lines = [matrix_text(_model(form))]
    for player, name in enumerate(form.positions.players):
        sets = _sets(form, player)
        if len(sets) > 1:
            lines += ["", f"A plan of {name} is what {name} does at each of these:"]
            lines += [f"    {number}. {told}" for number, told in enumerate(sets, start=1)]
    if any(EXCLUDED in plan for plans in _plans(form) for plan in plans):
        lines += ["", f"{EXCLUDED}: an information set to which the plan itself never leads."]
    return "\n".join(lines)


def normal_form_record(game: Game[Any], reduced: bool) -> NormalFormAnswer:
    """The normal form as JSON has it."""
    form = _form(game, reduced)
    players = form.positions.players
    plans = _plans(form)
    return NormalFormAnswer(
        game=game.name,
        reduced=reduced,
        sets={name: _sets(form, player) for player, name in enumerate(players)},
        plans=dict(zip(players, plans, strict=True)),
        cells=[NormalFormCell(cell, dict(zip(players, vector, strict=True))) for cell, vector in form.payoffs.items()],
    )


def _form(game: Game[Any], reduced: bool) -> StrategicForm:
    from gdl.solvers.budget import Budget, TableTooLarge
    from gdl.solvers.equilibria.positions import explore
    from gdl.solvers.equilibria.strategic_form import reduced_plans, refuse_large, strategic_form

    positions = None
    try:
        refuse_large(game, CELLS)
        positions = explore(game, Budget(POSITIONS))
        return strategic_form(positions, limit=CELLS, full=not reduced)
    except TableTooLarge as large:
        said = f"{str(large).partition('; ')[0]}, and gdl show prints {CELLS:,} at most"
        counts = None if reduced or positions is None else reduced_plans(positions)
        if counts is not None and prod(counts) <= CELLS:
            said += f"; with --reduced it has {' x '.join(map(str, counts))}"
        raise Refusal(said) from None


def _sets(form: StrategicForm, player: int) -> list[str]:
    return [clean(form.positions.information_sets[h].name) for h in form.positions.sets_of(player)]


def _plans(form: StrategicForm) -> list[list[tuple[str, ...]]]:
    """For each player the plans: for each information set an action, or EXCLUDED where the plan itself never leads
    there."""
    sets = form.positions.information_sets
    return [
        [
            tuple(sets[h].actions[plan[h]] if h in plan else EXCLUDED for h in form.positions.sets_of(player))
            for plan in plans
        ]
        for player, plans in enumerate(form.plans)
    ]


def _model(form: StrategicForm) -> MatrixModel:
    names = [[" ".join(plan) or "-" for plan in plans] for plans in _plans(form)]
    utilities = {
        tuple(names[player][plan] for player, plan in enumerate(cell)): vector for cell, vector in form.payoffs.items()
    }
    return MatrixModel(form.positions.game, form.positions.players, tuple(map(tuple, names)), utilities)
