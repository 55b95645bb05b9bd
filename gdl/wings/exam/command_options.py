"""The options that the commands of the exam desk share: points, the words of a course, the secret of an exam."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click

from gdl.commands import console
from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import bytes_of
from gdl.errors import DamagedData, clean, listing
from gdl.errors.limits import SOURCE
from gdl.formats.files import read_within, write
from gdl.game import Number
from gdl.numbers import read_number
from gdl.wings.exam.answers import LookAnswer
from gdl.wings.exam.decisions import list_open
from gdl.wings.exam.phrases import LANGUAGES, Words, read_words


def _worths(context: click.Context, parameter: click.Parameter, value: str) -> dict[str, Number]:
    """The points for each sort of items, from `cut=3,nodes=1`."""
    from gdl.wings.exam.kinds import KINDS
    from gdl.wings.exam.question import SORTS

    sorts = (*SORTS, *(kind for kind in KINDS if kind not in SORTS))
    found: dict[str, Number] = {}
    for part in filter(None, value.split(",")):
        name, _, points = part.strip().partition("=")
        try:
            found[sorts[sorts.index(name)]] = read_number(points)
        except ValueError:
            raise click.BadParameter(f"write the points of {listing(SORTS)} as in cut=3,nodes=1") from None
    return found


_POINTS = "Points that are not 1: cut=3,nodes=1."
takes_points = click.option("--points", "worths", default="", callback=_worths, metavar="ITEM=N,...", help=_POINTS)

CLASS = 64 * 2**20  # bytes of a class's answers

_LANGUAGE, _WORDS = "The language of the questions.", "Words of a course: lines NAME = PHRASE."
takes_language = click.option("--language", type=click.Choice(LANGUAGES), default=LANGUAGES[0], help=_LANGUAGE)
takes_words = click.option("--words", "own_words", metavar="FILE", help=_WORDS)


def course_words(language: str, file: str | None, may_be_new: bool = False) -> Words:
    """The words of a sheet in a language; those in `file`, if given, replace some."""
    if file is None:
        return Words(language)
    is_new = may_be_new and not os.path.lexists(file)
    return read_words(language, "" if is_new else decode_text(bytes_of(file, CLASS)), file)


def keep_open(words: Words, found: Sequence[LookAnswer]) -> None:
    """List the answers that are open in the file of the course's words, if there is one."""
    text = list_open(words.course.text, found)
    if words.course.name and text != words.course.text:
        write(words.course.name, text)


def read_answers(file: str) -> str:
    """The text that a student has written."""
    return decode_text(bytes_of(file, SOURCE))


def decode_text(data: bytes) -> str:
    """The text of a file in UTF-8 or UTF-16, else in the letters of older Windows."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


# The secret of an exam: random letters, kept in a file beside it, from which its trees are drawn; so that nobody who
# has the paper can make them, and their key, once more.

_LETTERS, _FEWEST, _MOST = 16, 8, 1_000  # bytes of a new secret, and in a file


def takes_secret(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a command with --seed and --secret; its `source` gives what trees are drawn from, as `choose_source`."""

    @wraps(command)
    def run(seed: int | None, secret: str | None, **rest: Any) -> Any:
        if seed is not None and secret is not None:
            told = "--seed and --secret both say what the trees are drawn from"
            raise WrongCommand(told, help="leave one of them out")
        return command(source=partial(choose_source, seed, secret), **rest)

    seed = click.option("--seed", type=int, metavar="N", help="The same seed makes the same trees.")
    return seed(click.option("--secret", metavar="FILE", help="Draw the trees from the secret in this file.")(run))


def choose_source(seed: int | None, secret: str | None, beside: str | None, make: bool = True) -> int | str:
    """The source of trees: the seed, or the secret in a file, which is NAME.secret `beside` the file NAME; where
    nothing is written (None), chance."""
    if seed is not None:
        return seed
    if secret is None and beside is None:
        console.remark("these trees come by chance; --seed N, or --secret FILE, makes the same ones again")
        return secrets.token_hex(_LETTERS)
    place = Path(beside or "")
    place = place if place.name.strip(".") else place / "quiz"
    return _read_secret(Path(secret) if secret else place.with_suffix(".secret"), make)


def _read_secret(file: Path, make: bool) -> str:
    """The secret in a file; if there is no file, a new one, which is written there (or, if none is to be made,
    DamagedData)."""
    if not file.exists():
        if not make:
            raise DamagedData(f"there is no file '{clean(str(file))}' with the secret from which the trees were drawn")
        write(file, secrets.token_hex(_LETTERS) + "\n")
        file.chmod(0o600)
        console.remark(f"{clean(str(file))} holds the secret of the trees: keep it, and show it to nobody")
    found = read_within(file, _MOST).decode("utf-8", errors="replace").strip()
    if len(found) < _FEWEST or not (found.isascii() and found.isprintable()):
        raise DamagedData(f"{clean(str(file))} holds no secret: one line of {_FEWEST} letters or more")
    return found
