"""Pairs of texts: what a part of the compiler is given, and what it makes of it."""

from pathlib import Path


def pairs(file: Path) -> list[tuple[str, str, str]]:
    """The pairs of a file: a title, rules or statements, `--`, what is made of them, `--`."""
    parts = file.read_text(encoding="utf-8").split("--\n")
    return [(*first.split("\n\n", 1), made) for first, made in zip(parts[::2], parts[1::2], strict=False)]  # type: ignore[misc]
