"""Problems of a game file, told to its author.

Data first (what, where, what would be right), words second: a worker of the pipeline makes
`Problem`s, and this module alone draws the excerpt with the caret. The author's mistake is a
`GameError`; any other exception is our bug.
"""

from __future__ import annotations

import re
import shlex
import sys
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from gdl.errors import limits
from gdl.errors.courtesy import Courtesy
from gdl.errors.screen import cut_line, fit_to_screen, wrapped_rows

WIDEST, BEFORE = 160, 60  # columns of a line that are shown, and how many of them before the mistake
LEAST_ALIKE = 0.65  # of two words, for one to be meant by the other: twice their common letters, of all


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The text of a file and the name to show for it (its path, or `<standard input>`)."""

    name: str
    text: str

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a character offset."""
        before = self.text[:offset]
        line_start = before.rfind("\n") + 1
        return before.count("\n") + 1, offset - line_start + 1

    def line_text(self, line: int) -> str:
        lines = self.text.split("\n")
        return lines[line - 1].rstrip("\r") if line <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Span:
    """The half-open stretch [start, end) of a source's text, in characters."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        return Span(self.source, self.start, other.end)

    def part(self, start: int, end: int) -> Span:
        """The stretch between two characters of it, counted from its own start."""
        return Span(self.source, self.start + start, self.start + end)

    def find_all(self, pattern: str) -> Iterator[Span]:
        """The stretches of it that a regular expression matches, in order."""
        yield from (self.part(*found.span()) for found in re.finditer(pattern, self.text))


def line_of(place: Span, seen_from: Span) -> str:
    """`line 7`, or `line 7 of chess.game` if what is told stands in another file."""
    of = "" if place.source.name == seen_from.source.name else f" of {clean(place.source.name)}"
    return f"line {place.line}{of}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a game.

    Attributes:
        message: the fault, in a sentence.
        span: its place in the file; None if it has none.
        note: what the game says there.
        help: what to do about it.
        warning: True if the game can be played nonetheless.
        play: the actions that lead to a fault that was found during play.
        code: the code of the problem, where it does not follow from the message.
    """

    message: str
    span: Span | None = None
    note: str = ""
    help: str = ""
    warning: bool = False
    play: tuple[str, ...] = ()
    code: str = ""  # where it does not follow from the message

    def order(self) -> tuple[str, int]:
        """The key by which problems are sorted: by file, then by place.

        Returns:
            The name of the file and the offset of the place in it; `("", -1)` for a problem without a place.
        """
        return (self.span.source.name, self.span.start) if self.span else ("", -1)

    @property
    def kind(self) -> str:
        """The code of this kind of problem, which `gdl guide` explains; empty if it has none."""
        from gdl.errors.codes import code_of  # the table is read where something is wrong

        return self.code or code_of(self.message)

    def __str__(self) -> str:
        kind = "warning" if self.warning else "error"
        code = f"  [{self.kind}]" if self.kind else ""
        parts = [f"{kind}: {cut_line(clean(self.message))}{code}"]
        if self.span is not None:
            line, column = self.span.source.position(self.span.start)
            parts[0] = f"{clean(self.span.source.name)}:{line}:{column}: {parts[0]}"
            parts += ["", excerpt(self.span), ""]
        if self.play:
            play = "It happens after: " + " ".join(clean(action) for action in self.play)
            parts.append(cut_line(play, limits.PLAY_ROWS * limits.COLUMNS))
        help = [cut_line(f"help: {clean(self.help)}", limits.HELP_ROWS * limits.COLUMNS)] if self.help else []
        room = limits.ROWS - wrapped_rows(parts) - wrapped_rows(help)
        note = fit_to_screen([clean(line) for line in self.note.splitlines()], room)
        return "\n".join([*parts, *note, *help]).rstrip()


def merge_problems(problems: Iterable[Problem]) -> list[Problem]:
    """The problems with equal messages joined into one each, which names all the lines."""
    same: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        same.setdefault((problem.message, problem.help), []).append(problem)
    return [replace(found[0], note=f"{found[0].note}\n{_repetition_note(found)}".strip()) for found in same.values()]


def _repetition_note(problems: list[Problem]) -> str:
    """A note that names the other places of the same mistake; empty if there are none."""
    more = len(problems) - 1
    if not more:
        return ""
    met = [problem.span.line for problem in problems[:10] if problem.span]
    others = [str(line) for line in dict.fromkeys(met) if line != met[0]]
    if not others:
        return f"It is so {count_text(more, 'more time')} in this line."
    lines, end = "line" if len(others) == 1 else "lines", " and further down" if more > 9 else ""
    return f"It is so {count_text(more, 'more time')} in {lines} {listing(others)}{end}."


def limit_problems(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems in the order of their places; if there are very many, the first of them and the number of the
    rest."""
    found = sorted(problems, key=Problem.order)
    if len(found) > limits.PROBLEMS:
        more = f"{count_text(len(found) - limits.PROBLEMS, 'more problem')} from here on"
        help = "correct the first ones, then check again"
        found[limits.PROBLEMS :] = [replace(found[limits.PROBLEMS], message=more, note="", help=help, play=())]
    return tuple(found)


class GameError(Exception):
    r"""A game file, or a game written in Python, is wrong. Exit status 3.

    Attributes:
        problems: the problems, in the order of their places.
        state: the state in which play met the fault; None if it was not met in play.

    Example:
        >>> import gdl
        >>> try:
        ...     gdl.loads("players A, B\ntree C(1, 2)")
        ... except gdl.errors.GameError as error:
        ...     print(error.problems[0].message)
        no player is called 'C'
    """

    def __init__(self, problems: Problem | Iterable[Problem]):
        self.problems = limit_problems([problems] if isinstance(problems, Problem) else problems)
        self.state: object = None  # of the game in which play met the fault, where it was met there
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.problems))  # most faults that a search or a table meets are never told


def fault(message: str, span: Span | None, help: str = "") -> GameError:
    """The error for a single mistake, such as one of the rules that shows only in play."""
    return GameError(Problem(message, span, help=help))


class WrongRequest(Exception):
    """Somebody asks for what there is not; the problems say what there is. Exit status 2."""

    def __init__(self, *found: Problem | str, help: str = ""):
        self.problems = tuple(Problem(one, help=help) if isinstance(one, str) else one for one in found)
        super().__init__("\n\n".join(map(str, self.problems)))


class Refusal(Exception):
    """No solver suits the game, or an optional extra is missing. The message says why, and what would do. Exit status
    5.

    Attributes:
        problem: the part of the game file that stands in the way; None if there is none.
    """

    def __init__(self, message: str = "", problem: Problem | None = None):
        super().__init__(message)
        self.problem = problem


class NotMadeInTime(Refusal):
    """The code of the compiled engine is not made in its share of the time; the interpreter takes over."""


class EngineFault(Exception):
    """The compiled engine fails on a game that it should play: a bug, of gdl or below it, or a machine that lacks
    something. Unless the user asked for that engine by name, the interpreter takes over; else the exit status is 70."""


INTERPRETED = "the interpreter does the work"


def warn_of_fault(fault: EngineFault) -> None:
    """Warn a program that the compiled engine has failed."""
    warnings.warn(f"{fault}; {INTERPRETED}", stacklevel=3)


class EngineOutOfMemory(EngineFault):
    """The machine, or the process by its limits, has too little memory or address space for the compiled engine: no
    bug. Exit status 4 where the engine was asked for by name."""


class InternalError(Exception):
    """A result of gdl that fails a check of its own: a bug, so it is no answer. Exit status 70."""


class LimitReached(Exception):
    """A limit stopped the work. Exit status 4.

    Attributes:
        partial: what was found until then; None if that is nothing.
    """

    def __init__(self, message: str, partial: object = None):
        super().__init__(message)
        self.partial: Any = partial


class DamagedData(Exception):
    """A saved answer or table is damaged, or is not what it claims to be. Exit status 6."""


def pip_install(requirement: str) -> str:
    """The command by which the running Python installs a package, or an extra of gdl."""
    return f"{shlex.quote(sys.executable or 'python')} -m pip install {shlex.quote(requirement)}"


def excerpt(span: Span) -> str:
    """The author's own line with carets under the span (its part on the first line); of a long line a stretch."""
    line, column = span.source.position(span.start)
    text = span.source.line_text(line)
    start = max(0, column - 1 - BEFORE) if len(text) > WIDEST else 0
    shown = text[start : start + WIDEST]
    number, at = str(line), column - 1 - start
    width = max(1, min(span.end - span.start, len(shown) - at))
    lead = "".join(character if character == "\t" else " " * _columns(character) for character in shown[:at])
    carets = "^" * max(1, sum(_columns(character) for character in shown[at : at + width]))
    before, after = "… " if start else "", " …" if start + WIDEST < len(text) else ""
    first = f"  {number} | {before}{clean(shown)}{after}"
    return f"{first}\n  {' ' * len(number)} | {' ' * len(before)}{lead}{carets}"


def _columns(character: str) -> int:
    """The number of terminal columns that a character takes once it is cleaned."""
    if unicodedata.combining(character) or character in _JOINERS:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


_KEPT = "\t"
_HARMFUL = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # controls, bidirectional and other formats, surrogates
_JOINERS = "\u200c\u200d"  # ZERO WIDTH NON-JOINER and JOINER
_SPELT = re.compile(f"[^\\W\\d_a-zA-Z][\u0300-\u0dff]?[{_JOINERS}](?=[^\\W\\d_a-zA-Z])")


def clean(text: str) -> str:
    """The text with every character that could steer a terminal or hide in a page shown as U+FFFD. A joiner between two
    letters of Persian or Hindi, where it belongs to the spelling, stays."""
    if text.isascii() and text.isprintable():
        return text
    kept = {found.end() - 1 for found in _SPELT.finditer(text)}
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(c) in _HARMFUL and c not in _KEPT and at not in kept else c
        for at, c in enumerate(text)
    )


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that the writer of `word` most likely meant; None if none is similar."""
    from difflib import SequenceMatcher

    names = list(candidates)
    folded = {name.lower(): name for name in reversed(names)}
    if word.lower() in folded:
        return folded[word.lower()]
    matcher, clock = SequenceMatcher(b=word.lower()), Courtesy()
    best = LEAST_ALIKE, ""
    for name in folded:  # only what may be more alike than the best so far is compared whole
        matcher.set_seq1(name)
        least = best[0]
        if max(len(name), len(word)) > 2 * min(len(name), len(word)):
            continue  # `Card` is not meant by `call_word`
        if matcher.real_quick_ratio() >= least and matcher.quick_ratio() >= least:
            best = max(best, (matcher.ratio(), name))
        if clock.is_over:
            break
    return folded.get(best[1])


def suggestion(word: str, candidates: Iterable[str], otherwise: str = "") -> str:
    """The help for a word that is not known: to write the candidate that was most likely meant, or what else to do."""
    near = nearest(word, candidates)
    return f"write '{near}'" if near else otherwise


def count_text(number: int, noun: str) -> str:
    """`1 cell`, `2 cells`; `2 utilities`, `2 equilibria`."""
    many = re.sub(r"(?<![aeiou])ys$", "ies", f"{noun}s").replace("riums", "ria")
    return f"{number:,} {noun if number == 1 else many}"


def size_text(size: int) -> str:
    """A number of bytes: `12 KiB`, `512 MiB`, `61.8 GiB`."""
    if size < 1 << 30:
        return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"
    return f"{size / (1 << 30):,.1f}".removesuffix(".0") + " GiB"


def listing(words: Iterable[str], joiner: str = "and", most: int = 12) -> str:
    """`a, b and c`, cut with a count after `most` words."""
    items = list(words)
    if len(items) > most:
        items = [*items[:most], f"{len(items) - most} more"]
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {joiner} {items[-1]}" if items else "none"


def with_play(error: GameError, play: tuple[str, ...]) -> GameError:
    """A copy of the error, with the actions that led to the fault."""
    told = GameError(replace(problem, play=problem.play or play) for problem in error.problems)
    told.state = error.state
    return told


class Interrupted(KeyboardInterrupt):
    """Somebody pressed Ctrl-C. Exit status 130.

    Attributes:
        partial: the best answer so far; None if there is none.
    """

    def __init__(self, partial: object = None):
        super().__init__("interrupted")
        self.partial = partial
