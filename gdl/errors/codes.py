"""The code of every message to an author: a short word that `gdl guide CODE` explains and that programs read.

The table is codes.txt; a message is found in it by its own letters, so that who writes a message writes a sentence
and nothing else. Tests hold the table complete: every message that the sources can give has its row, and every code
its broken file with the same file mended. Commands that fail for another reason than a game file have a table of their
own, failures.txt. Names of other libraries that somebody writes in Python are in attributes.txt: a kind of object, the
names that it lacks, and what there is.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gdl.errors.installed import package_folder

FOLDER = package_folder() / "errors"
TABLE, FAILURES, ATTRIBUTES = (FOLDER / f"{name}.txt" for name in ("codes", "failures", "attributes"))
CATALOGUE = FOLDER.parent.parent / "tests" / "checker" / "errors"  # in a checkout
PACKED = FOLDER / "examples.json"  # in a wheel: what the catalogue has, written at build
GAP = "*"  # stands in a row for what is filled in


@cache
def rows(table: Path = TABLE) -> tuple[tuple[str, str], ...]:
    """The rows of a table, code and message, in its order."""
    lines = table.read_text(encoding="utf-8").splitlines()
    parts = [line.split(None, 1) for line in lines if line.strip() and not line.startswith("#")]
    return tuple((code, message) for code, message in parts)


@cache
def _by_own_letters(table: Path = TABLE) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Code and fixed parts of each row, those with the most letters of their own first."""
    found = [(code, tuple(message.split(GAP))) for code, message in rows(table)]
    return tuple(sorted(found, key=lambda row: -sum(map(len, row[1]))))


def code_of(message: str, table: Path = TABLE) -> str:
    """The code of a message; empty if the table has no row for it."""
    return next((code for code, parts in _by_own_letters(table) if _fits(message, parts)), "")


def _fits(message: str, parts: tuple[str, ...]) -> bool:
    """True if the message is made of these parts, with any text between each two."""
    ends = message.startswith(parts[0]) and message.endswith(parts[-1])
    return ends and re.fullmatch(".*".join(map(re.escape, parts)), message, re.DOTALL) is not None


def missing_attribute(owner: object, kind: str, name: str) -> AttributeError:
    """The error for a name that `owner`, an object of this kind, lacks, with what to write if the table has it."""
    said = f"{type(owner).__name__!r} object has no attribute {name!r}"
    if not name.startswith("_"):
        for row in ATTRIBUTES.read_text(encoding="utf-8").splitlines():
            known, names, written = row.split(": ", 2)
            if known == kind and name in names.split(", "):
                return AttributeError(f"{said}: write {written}")
    return AttributeError(said, name=name, obj=owner)


def rows_of(code: str) -> tuple[str, ...]:
    """The messages of the table that have this code."""
    return tuple(message for known, message in rows() if known == code)


@dataclass(frozen=True, slots=True)
class Example:
    """A broken file, what `gdl check` says of it, and the file mended."""

    name: str
    broken: str
    told: str
    mended: str


def example(code: str) -> Example | None:
    """An example of a mistake with this code, the simplest there is; None if there is none."""
    return examples().get(code)


@cache
def examples(catalogue: Path = CATALOGUE, packed: Path = PACKED) -> dict[str, Example]:
    """An example of each code that a game file can show: from the catalogue's folder if it is there, else as packed."""
    if catalogue.is_dir():
        return in_catalogue(catalogue)
    found = json.loads(packed.read_text(encoding="utf-8")) if packed.is_file() else {}
    return {code: Example(*fields) for code, fields in found.items()}


def in_catalogue(folder: Path) -> dict[str, Example]:
    """The example for each code in a folder: the file NAME.game, the messages on it in NAME.txt, and NAME.mended. If
    several show a code, the one with the fewest codes is taken, then the shortest."""
    found: dict[str, tuple[tuple[int, int, str], Example]] = {}
    for mended in sorted(folder.glob("*.mended")):
        told = mended.with_suffix(".txt").read_text(encoding="utf-8")
        broken = mended.with_suffix(".game").read_bytes().decode("utf-8", errors="replace")
        example = Example(f"{mended.stem}.game", broken, told, mended.read_text(encoding="utf-8"))
        codes = dict.fromkeys(_codes_in(told))
        for code in codes:
            rank = (len(codes), len(broken), mended.stem)
            if code not in found or rank < found[code][0]:
                found[code] = rank, example
    return {code: example for code, (_, example) in sorted(found.items())}


def _codes_in(told: str) -> list[str]:
    """The codes in brackets at the ends of the first lines of problems, from the text that `gdl check` prints."""
    lines = [line for line in told.splitlines() if line.endswith("]") and (" error: " in line or " warning: " in line)]
    return [line.rpartition("[")[2][:-1] for line in lines]


def pack_examples(folder: Path) -> str:
    """The examples of a catalogue as the text of PACKED."""
    rows = {code: (e.name, e.broken, e.told, e.mended) for code, e in in_catalogue(folder).items()}
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
