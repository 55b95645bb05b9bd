"""Attributes of other libraries, and what to write instead: the mends for wrong names in Python.

The table is attributes.txt: a kind of object, the names that it lacks, and what there is.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

TABLE = Path(__file__).with_name("attributes.txt")


def missing_attribute(owner: object, kind: str, name: str) -> AttributeError:
    """The error for a name that `owner`, an object of this kind, lacks, with what to write if the table has it."""
    said = f"{type(owner).__name__!r} object has no attribute {name!r}"
    if not name.startswith("_"):
        for row in TABLE.read_text(encoding="utf-8").splitlines():
            of, names, written = row.split(": ", 2)
            if of == kind and name in names.split(", "):
                return AttributeError(f"{said}: write {written}")
    return AttributeError(said, name=name, obj=owner)


class WithMends:
    """An object that says what to write where an attribute of another library is asked for. `kind_in_words` is its kind
    in the table."""

    kind_in_words: ClassVar[str]

    if not TYPE_CHECKING:  # type checkers know which attributes there are

        def __getattr__(self, name: str) -> Any:
            raise missing_attribute(self, self.kind_in_words, name)
