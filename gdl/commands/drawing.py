"""gdl draw."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import click

from gdl.commands import completing, console
from gdl.commands.format_option import format_of, put, takes_format
from gdl.commands.game_argument import takes_game, takes_transform
from gdl.commands.limiting import LOOKING, briefly, keeps_limits
from gdl.commands.solver_options import SolverCommand, fitting, parameters_of, solver_name
from gdl.commands.solving import find
from gdl.errors import GameError, Interrupted, LimitReached, Refusal, clean
from gdl.errors.courtesy import Courtesy
from gdl.errors.limits import LOOK
from gdl.game import Game
from gdl.playing.loading import Asked
from gdl.render import draw as drawing
from gdl.render.formats import PICTURES
from gdl.render.matrix import one_shot
from gdl.render.picture import Bounds
from gdl.render.picture.marks import is_strategic
from gdl.render.picture.states import LIMIT
from gdl.render.picture.unfold import explicit_tree, unfold
from gdl.render.sentence import rule_text
from gdl.solution import Solution, Worked
from gdl.solvers import SOLVERS
from gdl.states.explore import Walk, explore

STEPPED = 60  # simulations of a page that steps through them
NONE = "none"  # the value of --solver for drawing without an answer
ORDERS = ("given", "reverse", "best", "worst")  # orders of children in which a page can search
VERY_MANY = "very many"
UNASKED_STATES = 10_000  # states of a game that is solved without being asked to


def _solver_name(ctx: click.Context, parameter: click.Parameter, name: str | None) -> str | None:
    return name if name in (None, NONE) else solver_name(ctx, parameter, str(name))


@click.command(cls=SolverCommand)
@takes_format(PICTURES)
@click.option(
    "--solver",
    metavar="NAME",
    callback=_solver_name,
    shell_complete=completing.solvers,
    help="Whose answer to draw; none for no answer. With --help, list the options of this solver too.",
)
@click.option(
    "--equilibrium",
    type=click.IntRange(min=1),
    metavar="N",
    help="Of several equilibria draw the one of this number alone, as gdl solve lists them.",
)
@click.option("--blank", is_flag=True, help="Leave the answers out, with room to write them.")
@click.option("--bounds", type=click.Choice(["nodes", "edges"]), help="Write alpha and beta at the nodes or the edges.")
@click.option("--graph", "merged", is_flag=True, help="Draw the state graph: equal positions once.")
@click.option("--boards/--no-boards", default=None, help="Show positions, or only the moves.")
@keeps_limits("memory", usual=LOOKING)
@takes_transform
@takes_game
def draw(
    asked: Asked,
    output: str | None,
    form: str | None,
    solver: str | None,
    equilibrium: int | None,
    blank: bool,
    bounds: Bounds | None,
    merged: bool,
    boards: bool | None,
    **options: Any,
) -> None:
    """Draw a game with its answer.

    A tree shows values, best play and what the search skipped; a matrix its best replies and equilibria. A game of
    rules is drawn as far as it fits, or to --depth N.
    """
    format = format_of(PICTURES, output, form, "txt")
    if equilibrium is not None and solver is None:
        solver = "nash" if _fits(asked.game, "nash") else "auto"
    wish = _DrawingRequest(
        asked.game, solver, {name: value for name, value in options.items() if value is not None}, merged
    )
    solution, stopped = wish.answer()
    with briefly(stopped):
        drawn = drawing.draw(
            asked.game,
            solution,
            format.name,
            depth=wish.depth,
            blank=blank,
            bounds=bounds,
            boards=boards,
            merged=merged,
            runs=wish.runs(solution) if format.steps and not stopped else {},
            worked=wish.worked_example(solution) if format.worked and not stopped and equilibrium is None else None,
            equilibrium=equilibrium,
        )
        put(drawn, output)
    if wish.depth is None and not merged and one_shot(asked.game) is None:
        _tell_extent(asked.game, wish.positions)
    if stopped:
        raise stopped


@dataclass
class _DrawingRequest:
    """The answer to be drawn: the game, its solver (None: not named) and the solver's options."""

    game: Game[Any]
    solver: str | None
    options: dict[str, Any]
    counted: bool = False  # whether its states may be counted first

    @property
    def depth(self) -> int | None:
        depth: int | None = self.options.get("depth")
        return depth

    def answer(self) -> tuple[Solution | None, LimitReached | Interrupted | None]:
        """The answer, or None; and the limit that stopped the search, if one did (then the answer is partial)."""
        try:
            return self.solution(), None
        except (LimitReached, Interrupted) as stop:
            return stop.partial if isinstance(stop.partial, Solution) else None, stop

    def solution(self) -> Solution | None:
        """The answer of the solver that was named; if none was, and the game is small, that of a solver that suits it.
        None if nothing is to be solved, or no solver takes the game."""
        if self.solver == NONE:
            return None
        if self.solver is not None or set(self.options) - {"depth"}:
            return self._solve(self.solver or "auto")
        if not self._is_small():
            few = self.positions != VERY_MANY
            soon = self._first_fitting(*_inductions())
            asks = f"--solver {soon} finds one" if few else "--solver NAME asks for one"
            why = "a game of rules is not solved unless asked"
            console.remark(f"note: drawn without an answer: {why}; {asks}")
            return None
        try:
            # The steps of one with cuts show most of a tree. But it visits a position once for each way there, and in
            # a state graph there may be vastly many: of these one that keeps all values.
            graph = self.counted and explicit_tree(self.game) is None
            suited = _inductions() if graph else ("alpha-beta", "expectiminimax", "maxn")
            return self._solve(self._first_fitting(*suited))
        except (GameError, Refusal) as why:
            reason = why.problems[0].message if isinstance(why, GameError) else str(why)
            console.remark(clean(f"note: drawn without an answer: {reason}"))
            return None

    def _is_small(self) -> bool:
        """True if the game can be solved at once: an explicit tree, or few states. If the number of states is not known
        yet, they are counted only with `counted`."""
        if explicit_tree(self.game) is not None:
            return True
        states = self.game.traits.states
        if states is None and self.counted:
            with suppress(LimitReached):
                states = len(explore(self.game, LIMIT, partly=False, room=LOOK).states)
        return states is not None and states <= UNASKED_STATES

    @cached_property
    def positions(self) -> str:
        """The number of positions in words; VERY_MANY if they cannot be counted quickly."""
        walk = Walk(self.game, UNASKED_STATES, room=LOOK, courtesy=Courtesy())
        try:
            for _ in walk:
                pass
        except LimitReached:
            return VERY_MANY
        return f"{len(walk.states):,}"

    def _first_fitting(self, *solvers: str) -> str:
        """The first of the solvers that takes the game; auto if none does."""
        return next((name for name in solvers if _fits(self.game, name)), "auto")

    def _solve(self, solver: str) -> Solution:
        """The solver's answer, with the values of all nodes if it can list them. If the file has no evaluation for the
        depth given, the game is solved whole, and the depth only cuts the drawing."""
        known = {} if solver == "auto" else parameters_of(solver)
        options = {name: value for name, value in self.options.items() if name != "depth" or name in known}
        fitting(solver, options)
        options |= {"values": True} if "values" in known else {}
        try:
            return find(self.game, solver, **options)
        except GameError:
            if "depth" not in options:
                raise
            return find(self.game, solver, **{name: value for name, value in options.items() if name != "depth"})

    def runs(self, solution: Solution | None) -> dict[str, Solution]:
        """The searches that a page steps through, by name: the answer's own, and the same search under the other rule,
        in other orders, and without cuts."""
        if solution is None:
            return {}
        if solution.solver == "mcts" and not solution.simulations:  # they were too many to be recorded
            solution = self._solve_by_rule("mcts", simulations=STEPPED) or solution
        found: list[Solution | None] = [solution]
        if solution.rule is not None:
            found += [self._solve_by_rule(solution.solver, cut=cut) for cut in ("ge", "gt") if cut != solution.rule.cut]
            orders = [order for order in ORDERS if order != "reverse" or solution.solver == "alpha-beta"]
            found += [
                self._solve_by_rule(solution.solver, order=order) for order in orders if order != solution.rule.order
            ]
            found += [self._uncut()] if self.depth is None else []
        return {rule_text(each): each for each in found if each is not None}

    def worked_example(self, solution: Solution | None) -> Worked | None:
        """The steps by which the table of plans is worked out by hand, if the answer is a profile and the table is
        small."""
        from gdl.solvers.equilibria.worked import work_out_equilibria

        if solution is None or not is_strategic(solution) or len(self.game.players) < 2:
            return None
        try:
            return work_out_equilibria(self.game)
        except (GameError, Refusal, LimitReached):
            return None

    def _uncut(self) -> Solution | None:
        """The answer by backward induction, which cuts nothing; None if it then depends on an unknown number."""
        try:
            return _DrawingRequest(self.game, None, {})._solve(self._first_fitting(*_inductions()))
        except (GameError, Refusal):
            return None

    def _solve_by_rule(self, solver: str, **rule: Any) -> Solution | None:
        """The answer of the same search by another rule or order; None if the solver has no such option."""
        if not set(rule) <= set(parameters_of(solver)):
            return None
        try:
            return _DrawingRequest(self.game, solver, {**self.options, **rule})._solve(solver)
        except (GameError, Refusal):
            return None


def _fits(game: Game[Any], solver: str) -> bool:
    """True if the solver can take a game of these traits, as far as these are known."""
    return not SOLVERS[solver].lacks(game.traits)


def _inductions() -> list[str]:
    """The names of the solvers that compute the value of every position."""
    return [row.name for row in SOLVERS.values() if row.steps == "values"]


def _tell_extent(game: Game[Any], positions: str) -> None:
    """Say on stderr how much of the game is drawn, if it is only a part."""
    places = unfold(game)
    if not any(place.folded for place in places):
        return
    tree = explicit_tree(game)
    if tree is not None:
        console.remark(f"note: {len(places):,} of {len(tree.model.nodes):,} nodes are shown; --depth N shows others")
        return
    shown = len({place.state for place in places})
    console.remark(f"note: {shown:,} of {positions} positions are shown; --depth N shows more")
