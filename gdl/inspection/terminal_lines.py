"""Lines of `terminal` that stand in each other's way, and lines by which no play ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from gdl.errors import GameError, Problem, Span, clean, line_of, listing
from gdl.inspection.walk_findings import WalkFindings
from gdl.interpreter.bodies import FIRST_STEP
from gdl.interpreter.rules_game import RulesGame
from gdl.model import core
from gdl.model.games import Clause, Rule, RulesModel

NO_END = "no play ever ends by this line"
DRAWN = 100  # draws that are looked at to see if play goes on behind them


def two_winners(met: WalkFindings) -> Iterator[Problem]:
    """Warn of terminal clauses by which different players win in the same position: the earlier line decides there."""
    model = met.model
    if not isinstance(model, RulesModel):
        return
    clauses = [clause for clause in model.clauses if clause.winner is not None]
    if len({clause.winner for clause in clauses}) < 2:
        return
    holding = _test(model)
    told = set()
    for number, _ in met.ends():
        held = [clause for clause in clauses if holding(clause, met.states[number])]
        other = next((clause for clause in held if clause.winner != held[0].winner), None)
        if other is not None and (held[0].span, other.span) not in told:
            told.add((held[0].span, other.span))
            first, second = (met.game.players[clause.winner or 0] for clause in (held[0], other))
            message = f"{clean(second)} wins here too, but {clean(first)} by an earlier line, which decides"
            help = "put the line first that should decide, or let a joint win be a draw"
            yield Problem(message, other.span, help=help, warning=True, play=met.play(number))


def passing_ends(met: WalkFindings) -> Iterator[Problem]:
    """Warn of terminal lines that end play where an action still draws, if play would go on once the action is done."""
    game, told = met.game, set()
    for number, _ in met.ends() if isinstance(game, RulesGame) else ():
        assert isinstance(game, RulesGame)
        step, clause = _drawn_step(game, met.states[number]), game.ending(met.states[number])
        if step is not None and clause is not None and clause.span not in told and _goes_on(game, met.states[number]):
            told.add(clause.span)
            message = f"this line ends play in the middle of an action, before {clean(step.name)} is drawn"
            note = "Once the action is done, no line would. 'terminal' is tested before each draw too."
            help = "write 'terminal after actions': then ends are looked at once the action is done"
            yield Problem(message, clause.span, note=note, help=help, warning=True, play=met.play(number))


def _drawn_step(game: RulesGame, state: Any) -> Rule | None:
    """The chance step that a body draws next in a state; None if none does."""
    step = game.model.chances[FIRST_STEP - state.turn] if state.turn <= FIRST_STEP else None
    return None if step is None or step.drawn is None else game.model.chances[step.drawn]


def _goes_on(game: RulesGame, state: Any) -> bool:
    """True if no play is over when the action that draws in a state is done, whatever it draws."""
    waiting = [state]
    for drawing in waiting:  # grows while it is walked
        try:
            outcomes = game.plies.chance(drawing).options.values()
            after = [game.plies.after_option(drawing, outcome) for outcome in outcomes]
        except GameError:
            return False  # what is drawn there has never been meant
        more = [following for following in after if _drawn_step(game, following) is not None]
        if len(waiting) + len(more) > DRAWN or any(game.ending(f) for f in after if f not in more):
            return False
        waiting += more
    return True


def _test(model: RulesModel) -> Callable[[Clause, Any], bool]:
    """A function that is True if a clause holds in a state, whatever the clauses before it say."""
    from gdl.interpreter.closures import NO_ACTIONS
    from gdl.interpreter.evaluator import Evaluator
    from gdl.interpreter.rulebook import Rulebook

    evaluator = Evaluator(model.variables, model.definitions, model.times)
    Rulebook(model, evaluator)  # which answers what players could do
    conditions = {clause.span: evaluator.value(clause.condition) for clause in model.clauses}

    def holds(clause: Clause, state: Any) -> bool:
        cells = list(state.cells)
        cells[NO_ACTIONS] = lambda: False  # of clauses that ask for it nothing is said
        return bool(conditions[clause.span](cells, [None] * clause.frame))

    return holds


def idle_lines(met: WalkFindings) -> Iterator[Problem]:
    """Warn of terminal lines by which no play ends."""
    model, useful = met.model, perhaps_useful(met)
    for clause in model.clauses if isinstance(model, RulesModel) else ():
        if clause.span in useful:
            continue
        sooner = _deciding_sooner(met, clause)
        note = [met.looked_at()]
        if isinstance(model, RulesModel) and model.parameters:
            note.append("With other parameters it may be otherwise.")
        if sooner:
            places = listing((line_of(other, clause.span) for other in sooner), "or")
            note.append(f"Wherever its test holds, {places} decides.")
        yield Problem(
            NO_END, clause.span, note=" ".join(note),
            help="put it higher, if it should decide there, or take it out" if sooner else
            "correct its test, or take it out",
            warning=True,
        )  # fmt: skip


def without_needless(problems: list[Problem], useful: set[Span]) -> list[Problem]:
    """The problems, without idle lines that some variant uses or about which another problem is reported."""
    told = [problem.span for problem in problems if problem.span and problem.message != NO_END]

    def is_needed(problem: Problem) -> bool:
        line = problem.span
        assert line is not None
        known = (s for s in told if s.source is line.source and line.start <= s.start and s.end <= line.end)
        return line not in useful and next(known, None) is None

    return [problem for problem in problems if problem.message != NO_END or is_needed(problem)]


def perhaps_useful(met: WalkFindings) -> set[Span]:
    """The terminal lines that ended a play, or that cannot be called idle: all lines if not every position was met, if
    the game is over in its first position, or if no play ends (another warning reports that). A line that names a
    parameter, or stands below one that does, may be meant for other values of it, and `no actions` may stand there for
    safety."""
    model, game = met.model, met.game
    if not isinstance(model, RulesModel) or not isinstance(game, RulesGame):
        return set()
    ended = (game.ending(met.states[number]) for number, _ in met.ends())
    deciding = {clause.span for clause in ended if clause is not None}
    if not met.complete or len(met.states) == 1 or not (deciding or model.forever):
        return {clause.span for clause in model.clauses}
    named = set[str]()
    for clause in model.clauses:
        span = clause.span
        named.update(re.findall(r"\w+", span.text))
        switched = not named.isdisjoint(model.parameters)  # this line, or one that is asked before
        if switched or isinstance(clause.condition, core.NoActions):
            deciding.add(span)
    return deciding


def _deciding_sooner(met: WalkFindings, clause: Clause) -> list[Span]:
    """The lines above an idle one that end play in the positions where the idle one holds."""
    assert isinstance(met.model, RulesModel) and isinstance(met.game, RulesGame)
    holding, found = _test(met.model), dict[Span, None]()
    for number, _ in met.ends():
        ended = met.game.ending(met.states[number])
        try:
            if ended is not None and holding(clause, met.states[number]):
                found[ended.span] = None
        except GameError:
            return []  # the line is never asked there, and could not be
    return list(found)
