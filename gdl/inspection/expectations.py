"""The known answers that a game file carries, `expect QUANTITY = ANSWER`, and whether they hold.

What can be expected is the table of gdl.inspection.quantities; answers that need a solver come from a function that is
passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from gdl import checker, syntax
from gdl.checker.asked import question_game
from gdl.errors import GameError, LimitReached, Problem, Refusal, Span, clean, listing, suggestion
from gdl.game import Game, Number
from gdl.inspection.quantities import QUANTITIES, ExpectationCase, GameSizeCounter, Malformed
from gdl.inspection.questions import QuestionAnswer, answer_question
from gdl.interpreter import position
from gdl.model.games import Model
from gdl.numbers import read_number, to_text
from gdl.solution import Solution
from gdl.states import count
from gdl.syntax import After, AnswerVector, At, Description, Expectation, Known, With

Play = Callable[[Model], Game[Any]]
Solve = Callable[..., Solution]  # solve(game, solver)


@dataclass(frozen=True)
class ExpectationOutcome:
    """The outcome of one expectation: the answer `found`, in words, and whether it `holds`."""

    text: str
    span: Span
    holds: bool
    found: str


# ---- What is wrong with an expectation as it stands -------------------------------------------------------------


class VariantExpectation(NamedTuple):
    """An expectation, and the variant in which it stands and to which it applies; None for the game itself."""

    wanted: Known
    variant: str | None = None


def problems(description: Description, players: Sequence[str] = ()) -> list[Problem]:
    """The problems of expectations that ask for something that does not exist, or whose answer has the wrong form. If
    the `players` are given, also those whose answer has the wrong length, among the expectations of the game without
    variant or conditions."""
    found = [problem for held in expectations(description) for problem in _faults(description, held)]
    own = [h.wanted for h in expectations(description) if players and h.variant is None and not h.wanted.conditions]
    plain = [wanted for wanted in own if isinstance(wanted, Expectation)]
    return found + [problem for wanted in plain for problem in _wrong_length(wanted, players)]


def expectations(description: Description) -> list[VariantExpectation]:
    """The expectations of a file in its order, those of its variants included."""
    found: list[VariantExpectation] = []
    for section in description.sections:
        if isinstance(section, Known):
            found.append(VariantExpectation(section))
        elif isinstance(section, syntax.Variant):
            name = checker.variant_name(section)
            found += [VariantExpectation(wanted, name) for wanted in section.sections if isinstance(wanted, Known)]
    return found


def _faults(description: Description, held: VariantExpectation) -> Iterator[Problem]:
    wanted = held.wanted
    if isinstance(wanted, syntax.ClaimedAnswer):
        yield from _faulty_question(description, held, wanted.question)
        yield from _faulty_conditions(description, held)
        return
    name = wanted.quantity.name
    quantity = QUANTITIES.get(name)
    if quantity is None:
        message = f"there is no quantity '{clean(name)}' to expect"
        names = [f"{name}(n)" if quantity.deep else name for name, quantity in QUANTITIES.items()]
        note = f"What can be expected is {listing(names, most=len(names))}."
        yield Problem(message, wanted.quantity.span, note=note, help=suggestion(name, QUANTITIES))
        return
    if quantity.deep and wanted.depth is None:
        yield Problem(f"{name} needs a number of plies", wanted.quantity.span, help=f"write {name}(3)")
    elif wanted.depth is not None and not quantity.deep:
        yield Problem(f"{name} takes no number in brackets", wanted.depth.span, help=f"write {name}")
    try:
        quantity.read(wanted.answer)
    except Malformed as fault:
        yield Problem(f"this is no answer for {name}, {quantity.meaning}", wanted.answer.span, help=str(fault))
    yield from _faulty_conditions(description, held)


def _faulty_question(
    description: Description, held: VariantExpectation, question: syntax.Question
) -> Iterator[Problem]:
    """The problems of a question in an `expect` line: it claims no probability, or asks for something that does not
    exist."""
    if isinstance(question, syntax.Likelihood) and question.claimed is None:
        yield Problem("this claims no probability", question.span, help="write it behind the question: = 1/2")
    elif isinstance(question, syntax.Likelihood) and literal_number(question.claimed) is None:
        yield Problem("a probability is a number", question.span, help="write one: = 1/2")
    try:
        question_game(description, question, {}, held.variant)
    except GameError as wrong:
        yield from (problem for problem in wrong.problems if _is_inside(problem.span, question.span))


def _is_inside(span: Span | None, other: Span) -> bool:
    return span is not None and span.source is other.source and other.start <= span.start <= other.end


def _wrong_length(wanted: Expectation, players: Sequence[str]) -> Iterator[Problem]:
    """A problem, if the answer is a vector that does not have one number for each player."""
    if isinstance(wanted.answer, AnswerVector) and len(wanted.answer.items) != len(players):
        count = f"{len(wanted.answer.items)} answers for {len(players)} players"
        yield Problem(count, wanted.answer.span, help=f"write one for each of {listing(players)}")


def _faulty_conditions(description: Description, held: VariantExpectation) -> Iterator[Problem]:
    heads = [s for s in description.sections if isinstance(s, syntax.Game)]
    parameters = [parameter.name.name for head in heads for parameter in head.parameters or ()]
    yield from _faulty_places(description, held)
    for condition in held.wanted.conditions:
        if isinstance(condition, With):
            for binding in condition.settings:
                yield from _unknown_name(binding.name.name, binding.name.span, "parameter", parameters)


def _faulty_places(description: Description, held: VariantExpectation) -> Iterator[Problem]:
    """The problems of `at NAME` in an expectation, whose name must be a variant, or a position of the game or of that
    variant."""
    variants, elsewhere = list(checker.variants(description)), checker.positions_of_variants(description)
    words = [condition.name for condition in held.wanted.conditions if isinstance(condition, At)]
    variant = next((word.name for word in words if word.name in variants), held.variant)
    here = checker.positions(description) + (checker.positions(description, variant) if variant else [])
    for word in words:
        name = word.name
        if name in variants and held.variant is not None:
            told = f"what stands in a variant is expected of it, here of {clean(held.variant)}"
            yield Problem(told, word.span, help="take 'at' out, or write the line outside of the variant")
        elif name in elsewhere and name not in (*here, *variants):
            told = f"{clean(name)} is a position of the variant {clean(elsewhere[name])}"
            yield Problem(told, word.span, help=f"write: at {clean(elsewhere[name])} at {clean(name)}")
        elif name not in (*here, *variants):
            kind = "variant or position" if here or elsewhere else "variant"
            yield from _unknown_name(name, word.span, kind, [*variants, *here])


def _unknown_name(name: str, span: Span, kind: str, known: list[str]) -> Iterator[Problem]:
    if name not in known:
        note = f"It has {listing(known)}." if known else f"It has no {kind}s."
        help = suggestion(name, known, "write one that it has, or take the condition out")
        yield Problem(f"the game has no {kind} '{clean(name)}'", span, note=note, help=help)


# ---- Whether they hold ------------------------------------------------------------------------------------------


@dataclass
class ExpectationGames:
    """The games of a file under the conditions of its expectations; each is made only once."""

    description: Description
    play: Play
    settings: Mapping[str, Any]
    variant: str | None
    made: dict[str, Game[Any]] = field(default_factory=dict)

    def game(self, held: VariantExpectation) -> Game[Any]:
        """The game under all conditions of the expectation."""
        key = _key(held)
        if key not in self.made:
            settings, variant, begin = self._conditions(held)
            model, _ = checker.check(self.description, settings, variant)
            self.made[key] = self._begin(model, held.wanted, begin)
        return self.made[key]

    def _conditions(self, held: VariantExpectation) -> tuple[dict[str, Any], str | None, str | None]:
        """The settings, the variant and the position of an expectation."""
        settings, variant, begin = dict(self.settings), held.variant or self.variant, None
        variants, wanted = checker.variants(self.description), held.wanted
        for condition in wanted.conditions:
            if isinstance(condition, At) and condition.name.name in variants:
                variant = condition.name.name
            elif isinstance(condition, At):
                begin = condition.name.name
            elif isinstance(condition, With):
                settings |= {binding.name.name: binding.value for binding in condition.settings}
        return settings, variant, begin

    def _begin(self, model: Model, wanted: Known, begin: str | None) -> Game[Any]:
        elsewhere = checker.positions_of_variants(self.description)
        game = self.play(model if begin is None else position.begin_at(model, begin, elsewhere))
        for condition in wanted.conditions:
            if isinstance(condition, After):
                game = _game_after(game, condition)
        return game


@dataclass(kw_only=True)
class _SolvedGames(ExpectationGames):
    """The games of a file and their solutions, each of which is found only once."""

    solve: Solve
    counting: GameSizeCounter
    solved: dict[tuple[str, str], Solution] = field(default_factory=dict)

    def case(self, held: VariantExpectation) -> ExpectationCase:
        wanted, key = held.wanted, _key(held)
        assert isinstance(wanted, Expectation)
        game = self.game(held)

        def solution(solver: str) -> Solution:
            if (key, solver) not in self.solved:
                self.solved[key, solver] = self.solve(game, solver)
            return self.solved[key, solver]

        return ExpectationCase(game, solution, int(wanted.depth.text) if wanted.depth else 0, self.counting)

    def answer(self, held: VariantExpectation, question: syntax.Question) -> QuestionAnswer:
        """The answer to a question under all conditions of its expectation."""
        settings, variant, begin = self._conditions(held)
        asked = question_game(self.description, question, settings, variant)
        return answer_question(
            question, asked, lambda model: self._begin(model, held.wanted, begin), lambda game, by: self.solve(game, by)
        )


def _key(held: VariantExpectation) -> str:
    """The conditions of an expectation, the same text for the same ones."""
    return " ".join([held.variant or "", *(_source_text(condition.span) for condition in held.wanted.conditions)])


def wrong_plays(
    description: Description, play: Play, settings: Mapping[str, Any] | None, variant: str | None
) -> Iterator[Problem]:
    """The problems of the plays behind `after` that cannot be played."""
    games = ExpectationGames(description, play, settings or {}, variant)
    for held in expectations(description):
        if any(isinstance(condition, After) for condition in held.wanted.conditions):
            try:
                games.game(held)
            except GameError as wrong:
                yield from (problem for problem in wrong.problems if _is_inside(problem.span, held.wanted.span))


def _game_after(game: Game[Any], condition: After) -> Game[Any]:
    try:
        return position.begin_after(game, condition.actions.name)
    except position.WrongPlay as wrong:
        (found,) = wrong.problems
        help = found.help or "write a play in which each action is legal where it stands"
        message = f"this play goes wrong: {found.message}"
        raise GameError(Problem(message, condition.actions.span, found.note, help)) from None


def run(
    description: Description,
    play: Play,
    solve: Solve,
    settings: Mapping[str, Any] | None = None,
    variant: str | None = None,
    counting: GameSizeCounter = count,
) -> Iterator[ExpectationOutcome]:
    """Check every expectation of the file, in order, and yield the outcomes. `play` makes a game of a model, `solve`
    finds the solution by the solver of a name, and `counting` counts; `settings` and `variant` apply unless an
    expectation says otherwise. Raises GameError if one cannot be asked."""
    found = problems(description)
    if found:
        raise GameError(found)
    games = _SolvedGames(description, play, settings or {}, variant, solve=solve, counting=counting)
    for held in expectations(description):
        if isinstance(held.wanted, Expectation):
            yield _outcome(held.wanted, games.case(held))
        else:
            yield _claim_outcome(held.wanted, partial(games.answer, held, held.wanted.question))


def _claim_outcome(wanted: syntax.ClaimedAnswer, answer: Callable[[], QuestionAnswer]) -> ExpectationOutcome:
    """The outcome of a claim: that the answer to a question is yes, or that something has a certain probability."""
    text = _source_text(wanted.span)
    try:
        found = answer()
    except (Refusal, LimitReached) as none:
        return ExpectationOutcome(text, wanted.span, False, f"no answer: {none}")
    if not isinstance(wanted.question, syntax.Likelihood):
        return ExpectationOutcome(text, wanted.span, found.answer == "yes", found.answer or "no answer")
    told = to_text(found.value or 0) if found.exact else f"only an estimate, {found.value}"
    holds = found.exact and found.value == literal_number(wanted.question.claimed)
    return ExpectationOutcome(text, wanted.span, holds, told)


def literal_number(written: Any) -> Number | None:
    """The number that is written: 3, 0.25 or 2/3; None if it is none."""
    try:
        return read_number(_source_text(written.span).replace(" ", ""))
    except ValueError:
        return None


def _outcome(wanted: Expectation, case: ExpectationCase) -> ExpectationOutcome:
    quantity = QUANTITIES[wanted.quantity.name]
    text = _source_text(wanted.span)
    try:
        found = quantity.find(case)
    except (Refusal, LimitReached) as none:
        return ExpectationOutcome(text, wanted.span, False, f"no answer: {none}")
    if wrong := list(_wrong_length(wanted, case.game.players)):
        raise GameError(wrong)
    expected = quantity.read(wanted.answer)
    return ExpectationOutcome(text, wanted.span, quantity.holds(expected, found), quantity.text(found))


def _source_text(span: Span) -> str:
    """The text of a span of the file, on one line."""
    return " ".join(span.text.split())
