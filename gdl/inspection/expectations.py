"""The known answers that a game file carries, `expect QUANTITY = ANSWER`, and whether they hold.

What can be expected is the table of gdl.quantities; answers that need a solver come from a function that is passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gdl import checker, syntax
from gdl.errors import GameError, LimitReached, Problem, Refusal, Span, clean, listing, nearest
from gdl.game import Game
from gdl.inspection.quantities import QUANTITIES, Case, Counting, Malformed
from gdl.interpreter import position
from gdl.model.games import Model
from gdl.solution import Solution
from gdl.states import count
from gdl.syntax import After, AnswerVector, At, Description, Expectation, With

Play = Callable[[Model], Game[Any]]
Solve = Callable[..., Solution]  # solve(game, solver)


@dataclass(frozen=True)
class Outcome:
    """What came of one expectation: `found` in words, and whether it is what was expected."""

    text: str
    span: Span
    holds: bool
    found: str


# ---- What is wrong with an expectation as it stands -------------------------------------------------------------


def problems(description: Description, players: Sequence[str] = ()) -> list[Problem]:
    """Every expectation that asks for what there is not, or has an answer of the wrong form; of the wrong length, too,
    where the players are given and the expectation is of the game as it stands."""
    found = [problem for wanted in expectations(description) for problem in _faults(description, wanted)]
    plain = [wanted for wanted in expectations(description) if players and not wanted.conditions]
    return found + [problem for wanted in plain for problem in _wrong_length(wanted, players)]


def expectations(description: Description) -> list[Expectation]:
    return [section for section in description.sections if isinstance(section, Expectation)]


def _faults(description: Description, wanted: Expectation) -> Iterator[Problem]:
    name = wanted.quantity.name
    quantity = QUANTITIES.get(name)
    if quantity is None:
        near = nearest(name, QUANTITIES)
        yield Problem(
            f"there is no quantity '{clean(name)}' to expect",
            wanted.quantity.span,
            note=f"What can be expected is {listing(_written(), most=len(QUANTITIES))}.",
            help=f"write '{near}'" if near else "",
        )
        return
    if quantity.deep and wanted.depth is None:
        yield Problem(f"{name} needs a number of plies", wanted.quantity.span, help=f"write {name}(3)")
    elif wanted.depth is not None and not quantity.deep:
        yield Problem(f"{name} takes no number in brackets", wanted.depth.span, help=f"write {name}")
    try:
        quantity.read(wanted.answer)
    except Malformed as fault:
        yield Problem(f"this is no answer for {name}, {quantity.meaning}", wanted.answer.span, help=str(fault))
    yield from _faulty_conditions(description, wanted)


def _wrong_length(wanted: Expectation, players: Sequence[str]) -> Iterator[Problem]:
    """An answer for each player, and too many or too few of them."""
    if isinstance(wanted.answer, AnswerVector) and len(wanted.answer.items) != len(players):
        count = f"{len(wanted.answer.items)} answers for {len(players)} players"
        yield Problem(count, wanted.answer.span, help=f"write one for each of {listing(players)}")


def _written() -> list[str]:
    return [f"{name}(n)" if quantity.deep else name for name, quantity in QUANTITIES.items()]


def _faulty_conditions(description: Description, wanted: Expectation) -> Iterator[Problem]:
    variants, positions = list(checker.variants(description)), checker.positions(description)
    heads = [s for s in description.sections if isinstance(s, syntax.Game)]
    parameters = [parameter.name.name for head in heads for parameter in head.parameters or ()]
    for condition in wanted.conditions:
        if isinstance(condition, At):
            kind = "variant or position" if positions else "variant"
            yield from _unknown(condition.name.name, condition.name.span, kind, variants + positions)
        elif isinstance(condition, With):
            for binding in condition.settings:
                yield from _unknown(binding.name.name, binding.name.span, "parameter", parameters)


def _unknown(name: str, span: Span, kind: str, known: list[str]) -> Iterator[Problem]:
    if name not in known:
        near = nearest(name, known)
        note = f"It has {listing(known)}." if known else f"It has no {kind}s."
        yield Problem(
            f"the game has no {kind} '{clean(name)}'",
            span,
            note=note,
            help=f"write '{near}'" if near else "write one that it has, or take the condition out",
        )


# ---- Whether they hold ------------------------------------------------------------------------------------------


@dataclass
class _Games:
    """The games of a file under different conditions, and their solutions, each made once."""

    description: Description
    play: Play
    solve: Solve
    settings: Mapping[str, Any]
    variant: str | None
    counting: Counting
    made: dict[str, Game[Any]] = field(default_factory=dict)
    solved: dict[tuple[str, str], Solution] = field(default_factory=dict)

    def case(self, wanted: Expectation) -> Case:
        key = " ".join(_source_text(condition.span) for condition in wanted.conditions)
        if key not in self.made:
            self.made[key] = self._game(wanted)
        game = self.made[key]

        def solution(solver: str) -> Solution:
            if (key, solver) not in self.solved:
                self.solved[key, solver] = self.solve(game, solver)
            return self.solved[key, solver]

        return Case(game, solution, int(wanted.depth.text) if wanted.depth else 0, self.counting)

    def _game(self, wanted: Expectation) -> Game[Any]:
        """The game under all conditions of the expectation."""
        settings, variant, begin = dict(self.settings), self.variant, None
        variants = checker.variants(self.description)
        for condition in wanted.conditions:
            if isinstance(condition, At) and condition.name.name in variants:
                variant = condition.name.name
            elif isinstance(condition, At):
                begin = condition.name.name
            elif isinstance(condition, With):
                settings |= {binding.name.name: binding.value for binding in condition.settings}
        model = checker.check(self.description, settings, variant)[0]
        game = self.play(model if begin is None else position.at(model, begin))
        for condition in wanted.conditions:
            if isinstance(condition, After):
                game = _after(game, condition)
        return game


def _after(game: Game[Any], condition: After) -> Game[Any]:
    try:
        return position.after(game, condition.actions.name)
    except position.WrongPlay as wrong:
        found = wrong.problem
        raise GameError(Problem(found.message, condition.actions.span, found.note, found.help)) from None


def run(
    description: Description,
    play: Play,
    solve: Solve,
    settings: Mapping[str, Any] | None = None,
    variant: str | None = None,
    counting: Counting = count,
) -> Iterator[Outcome]:
    """Every expectation of the file, in its order, and what came of it.

    `play` makes a game of a model, `solve` finds the solution of a game by the solver of a name, and `counting` counts;
    `settings` and `variant` hold where an expectation does not say otherwise. Raises GameError where one cannot be
    asked.
    """
    found = problems(description)
    if found:
        raise GameError(found)
    games = _Games(description, play, solve, settings or {}, variant, counting)
    for wanted in expectations(description):
        yield _outcome(wanted, games.case(wanted))


def _outcome(wanted: Expectation, case: Case) -> Outcome:
    quantity = QUANTITIES[wanted.quantity.name]
    text = _source_text(wanted.span)
    try:
        found = quantity.find(case)
    except (Refusal, LimitReached) as none:
        return Outcome(text, wanted.span, False, f"no answer: {none}")
    if wrong := list(_wrong_length(wanted, case.game.players)):
        raise GameError(wrong)
    expected = quantity.read(wanted.answer)
    return Outcome(text, wanted.span, quantity.holds(expected, found), quantity.text(found))


def _source_text(span: Span) -> str:
    """The author's own words, on one line."""
    return " ".join(span.source.text[span.start : span.end].split())
