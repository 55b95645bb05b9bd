"""Attributes of other libraries, and what to write instead: the mends for wrong names in Python.

The table is attributes.txt: a kind of object, the names that it lacks, and what there is.
"""

from __future__ import annotations

from pathlib import Path

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
