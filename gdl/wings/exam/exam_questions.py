"""The questions of an exam file, posed: of each variant, with the points that the file says.

The settings of a question are options of `gdl sheet` or, of a tree that is made, of `gdl quiz`, and are read as these
commands read them; those of other names are parameters of the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import click

import gdl
from gdl.commands.game_argument import ask, read_text
from gdl.commands.limiting import start_clock
from gdl.errors import GameError, Problem, Refusal, Span, WrongRequest, clean
from gdl.game import Game, Number, exact
from gdl.model.games import RulesModel
from gdl.numbers import read_number, to_text
from gdl.playing.loading import Asking
from gdl.render.svg.board_picture import svg_position
from gdl.render.svg.legend import typeset_caption
from gdl.states.sequential import Turn
from gdl.wings.exam.answers import AskedItem
from gdl.wings.exam.editable_numbers import NUMBERS_OF_SETTINGS, numbers_in, settings_among, with_numbers
from gdl.wings.exam.exam_file import Exam, ExamItem, Setting
from gdl.wings.exam.given_tables import SETTINGS, TABLES
from gdl.wings.exam.kinds import Subject
from gdl.wings.exam.phrases import Words
from gdl.wings.exam.posed_questions import Posed, check_kind, is_undrawn, pose, refuse_large
from gdl.wings.exam.purposes import Purposes, read_order, read_purpose
from gdl.wings.exam.question import AnswerLine, Question, exam_question, items_of_key, question_of_kind
from gdl.wings.exam.quiz import Quiz
from gdl.wings.exam.quiz import quiz as make_tree
from gdl.wings.exam.quiz_command import pose_tree, quiz, wishes_for
from gdl.wings.exam.wishes import ExamTreeShape

ROOM = 8  # lines to write on below a question of the teacher's own
_OF_GAMES = "variant position after transform bounds cut order window depth assume simulations c seed".split()
_OF_TREES = "depth branching values first cut ask".split()
_OWN = "files output key_file worths language own_words title variants practice memory bounds solver".split()
_LINES = "lines"  # of a question of one's own
_OWN_COMMAND = click.Command("own", params=[click.Option([f"--{_LINES}"], type=click.IntRange(0, 40))])
_TABLE_COMMAND = click.Command("table", params=[
    click.Option(["--c"], type=float), click.Option(["--total"], type=int),
    click.Option(["--players"], type=click.IntRange(1, 2)), click.Option(["--game"]),
])  # fmt: skip


class PosedExam:
    """An exam whose questions can be posed: the file, the folder in which its games lie, the words, the secret of its
    trees, asked for where there are some, and the other numbers that its games are to have, if any."""

    def __init__(self, exam: Exam, folder: Path, words: Words, secret: Any, numbers: Sequence[str] | None = None):
        self.exam, self.folder, self.words, self._secret, self._numbers = exam, folder, words, secret, numbers

    @cached_property
    def secret_text(self) -> str:
        return str(self._secret())

    @cached_property
    def variants(self) -> list[list[Posed]]:
        """The questions of each variant; a question that is the same in all is posed once. Raises GameError with the
        problems of all questions."""
        problems, found = list[Problem](), [list[Posed]() for _ in range(self.exam.variants)]
        for one in self.exam.questions:
            try:
                with _at_place(one):
                    for number, posed in enumerate(found, start=1):
                        same = number > 1 and one.source != "quiz"
                        posed.append(found[0][-1] if same else self._pose(one, number))
            except GameError as wrong:
                problems += wrong.problems
        if problems:
            raise GameError(problems)
        self._check_total(found)
        return found

    def first_variant(self, at: int, variant: int) -> int:
        """The first variant whose question at that place is that of this variant."""
        return 1 if self.variants[0][at] is self.variants[variant - 1][at] else variant

    def _check_total(self, found: list[list[Posed]]) -> None:
        said = self.exam.total
        for posed in found if said is not None else []:
            total = total_of(posed)
            if said is not None and total != read_number(said.value):
                message = f"the questions have {to_text(total)} points in all"
                raise GameError(Problem(message, said.span, help=f"write total = {to_text(total)}"))

    def _pose(self, one: ExamItem, variant: int) -> Posed:
        makers = {"quiz": self._made_tree, "own": self._own_question, "game": self._of_game}
        makers |= dict.fromkeys(TABLES, self._of_table)
        posed = makers[one.source](one, variant)
        told = posed.question
        if one.points is not None:
            told = with_points(told, one.points)
        title, own = "".join(one.texts.get("title", ())), tuple(one.texts.get("text", ()))
        return posed._replace(question=replace(told, title=title, text=(*own, *told.text), own=own))

    def _own_question(self, one: ExamItem, variant: int) -> Posed:
        given = _read_settings(_OWN_COMMAND, one)
        lines = [AnswerLine("", "")] * (ROOM if given[_LINES] is None else given[_LINES])
        key = " ".join(one.texts.get("key", ()))
        asked = exam_question("own", "", [AskedItem("answer", 1, key, (), ())])
        told = Question(asked, (one.said,), (*lines, *[AnswerLine("", key)] * bool(key)))
        return Posed(gdl.loads("players A\ntree A(0)").game, told, None)

    def _made_tree(self, one: ExamItem, variant: int) -> Posed:
        given = _read_settings(quiz, one, _OF_TREES)
        shape = ExamTreeShape(given["depth"], given["branching"], given["values"], given["first"], given["cut"])
        wanted, seed = wishes_for(shape, one.said), f"{self.secret_text}/{one.number}"
        check_kind(given["kind"])
        made: Quiz = make_tree(shape, wanted, seed, variant)
        return pose_tree(made, given["kind"], given["cut"], {}, self.words)

    def _of_table(self, one: ExamItem, variant: int) -> Posed:
        named = {row.partition(":")[0].strip() for row in one.said.split(";")} if "game" in one.settings else set()
        positions = {name: told for name, told in one.settings.items() if name in named}
        others = {name: told for name, told in one.settings.items() if name not in positions}
        known = [*SETTINGS[one.source], *(["game"] if one.source == "evaluation" else [])]
        given = _read_settings(_TABLE_COMMAND, replace(one, settings=others), known)
        subject = Subject(gdl.loads("players A\ntree A(0)").game)
        task = TABLES[one.source](one.said, given["c"], given["total"], given["players"])
        posed = Posed(subject.game, question_of_kind(one.source, task, subject, self.words), None)
        boards = tuple((name, self._board(given["game"], one, told)) for name, told in positions.items())
        return posed._replace(boards=boards)

    def _board(self, file: str, one: ExamItem, position: Setting) -> str:
        """The picture of a position of a game, written as in its `position` setting."""
        with _at_place(one, position.span):
            text, name, folder = read_text(self._game_file(replace(one, said=file)))
            asked = ask(Asking(text, name, folder=folder, file=file, position=position.value), quietly=True)
            model, start = asked.loaded.model, asked.game.initial()
            if not isinstance(model, RulesModel):
                raise Refusal(f"{clean(model.name)} has no position to be drawn")
            return svg_position(model, (start.state if isinstance(start, Turn) else start).cells, "")

    def _of_game(self, one: ExamItem, variant: int) -> Posed:
        from gdl.wings.exam.sheet_command import sheet

        others, changed = dict(one.settings), self._numbers or ()
        others |= {
            name: others[name]._replace(value=told) for name, told in settings_among(changed).items() if name in others
        }
        purpose = others.pop("opponent", None)  # a formula of u, which the opponent wants to be large,
        most = others.pop("most", None) if purpose else None  # and what it is at most
        given = _read_settings(sheet, replace(one, settings=others), _OF_GAMES)
        kind = "shallow" if most and not one.kind else one.kind
        check_kind(kind)
        text, name, folder = read_text(self._game_file(one))
        text = with_numbers(text, [one for one in changed if "=" not in one]) if self._numbers is not None else text
        asked = ("settings", "variant", "position", "after", "transform")
        by = Asking(text, name, folder=folder, file=one.said, **{option: given[option] for option in asked})
        game = ask(by._replace(transform=None) if one.kind == "transform" else by, quietly=True).game
        if purpose:
            with _at_place(one, (most or purpose).span):
                game = _with_purpose(game, one.kind, purpose.value, _read_most(most.value) if most else None)
        if not is_undrawn(kind, game):
            refuse_large(by, game)
        options = start_clock({name: value for name, value in given.items() if name not in (*_OWN, *asked[:4])})
        posed = pose(game, kind, "auto", options, self.words, {"worths": {}, "bounds": given["bounds"]})
        in_settings = [f"{name}={others[name].value}" for name in NUMBERS_OF_SETTINGS if name in others]
        posed = posed._replace(numbers=[*numbers_in(text), *in_settings])
        return posed if purpose is None else _told_of_purpose(posed, game, purpose.value, self.words)

    def _game_file(self, one: ExamItem) -> str:
        """The file of a game: it lies in the folder of the exam or below, or comes with gdl."""
        beside = self.folder / one.said
        if Path(one.said).is_absolute() or ".." in Path(one.said).parts:
            raise WrongRequest("a game of an exam lies in its folder", help="copy it there, and write its name")
        found = next((file for file in (beside, self.folder / f"{one.said}.game") if file.is_file()), None)
        return str(found) if found else one.said.removesuffix(".game")


def _read_most(text: str) -> Number:
    try:
        return read_number(text)
    except ValueError:
        raise Refusal(f"'{clean(text)}' is no number") from None


@contextmanager
def _at_place(one: ExamItem, place: Span | None = None) -> Iterator[None]:
    """Problems of the command line, met in the block, get this place of the exam: else that of the setting which they
    name, else that of the question. Problems of a game's own file keep theirs."""

    def with_place(wrong: Problem) -> Problem:
        named = next((said.span for name, said in one.settings.items() if f"'{name}'" in wrong.message), one.span)
        told = (_GIVEN.sub(r"with \1 = \2", text) for text in (wrong.message, wrong.help))
        message, help = (_NAMED.sub(r"\1", text) for text in told)
        return replace(wrong, span=place or named, message=message, help=help)

    try:
        yield
    except click.ClickException as wrong:
        raise GameError(with_place(Problem(clean(wrong.message)))) from None
    except Refusal as wrong:
        raise GameError(with_place(Problem(str(wrong)))) from None
    except WrongRequest as wrong:
        raise GameError(map(with_place, wrong.problems)) from None


_GIVEN = re.compile(r'(?:\bwith )?--(?:set )?(\w+)[ =]("[^"]*"|[\w./]*\d[\w./]*(?:,\d+)*)')
_NAMED = re.compile(rf"--({'|'.join(_OF_GAMES + _OF_TREES)})\b")


def _read_settings(command: click.Command, one: ExamItem, known: Sequence[str] = (_LINES,)) -> Mapping[str, Any]:
    """The settings of a question as a command reads them; names that are none of its options are the game's."""
    words = [f"{one.said}:{one.kind}", "--output", "sheet.html"] if one.source == "game" else []
    for name, setting in one.settings.items():
        with _at_place(one, setting.span):
            if name not in known and one.source != "game":
                raise WrongRequest(f"such a question has no setting '{name}'", help=f"it has {', '.join(known)}")
            words += [f"--{name}={setting.value}"] if name in known else [f"--set={name}={setting.value}"]
            context = command.make_context(command.name, list(words))
    return context.params if one.settings else command.make_context(command.name, words).params


def _with_purpose(game: Game[Any], kind: str, purpose: str, most: Number | None) -> Purposes:
    prunes = kind in ("shallow", "statements", "largest")
    order = read_order(purpose) if prunes or game.traits.unknowns else None
    return Purposes(game, read_purpose(purpose), most, order, prunes)


def _told_of_purpose(posed: Posed, game: Any, purpose: str, words: Words) -> Posed:
    """The question with the purpose in words, whose nodes are asked for by their numbers u; what each player gets there
    is right as well, and where the search has a mere bound nothing is asked."""
    told = posed.question
    if told.key is not None:
        known = {path: (game.u_of(one.value, one.bound), one) for path, one in told.key.nodes.items()}
        key = replace(told.key, nodes={path: one for path, (u, one) in known.items() if u is not None})
        items = [*items_of_key(key)]
        for at, path in enumerate(key.nodes):
            u = f"= {to_text(known[path][0])}"
            items[at] = items[at].copy_with(right=u, also=(*items[at].also, u, items[at].right))
        told = replace(told, key=key, asked=exam_question(told.asked.kind, told.asked.game, items))
    names = {"player": game.players[1 - game.first], "other": game.players[game.first]}
    said = words.say("purpose" if game.turn > 0 else "purpose of least", **names,
                     formula=typeset_caption(words.condition(purpose)))  # fmt: skip
    told = replace(told, text=(said, *told.text))
    return posed._replace(question=told, game=game.game if game.traits.unknowns else game)


def with_points(told: Question, points: Number) -> Question:
    """The question with so many points in all, its items in proportion."""
    each = Fraction(points) / Fraction(told.points)
    items = [item.copy_with(points=exact(Fraction(item.points) * each)) for item in told.asked.asked]
    return replace(told, asked=exam_question(told.asked.kind, told.asked.game, items))


def total_of(posed: list[Posed]) -> Number:
    """The points of all questions of a variant."""
    return exact(sum((Fraction(one.question.points) for one in posed), Fraction(0)))
