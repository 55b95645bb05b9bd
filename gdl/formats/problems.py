"""Problems as data: what `--json` prints where a command fails, and `gdl check --json` of a file."""

from __future__ import annotations

from typing import Any

from gdl.errors import Problem, clean, codes


def to_object(problem: Problem, otherwise: str) -> dict[str, Any]:
    """A problem as JSON has it. Line, column and end (the column behind its last character there) count from 1, and are
    None where the problem has no place. The code is a word for its kind, by the tables of messages of files and of
    commands; `otherwise` if it has no closer one."""
    found: dict[str, Any] = {
        "code": problem.kind or codes.code_of(problem.message, codes.FAILURES) or otherwise,
        "severity": "warning" if problem.warning else "error",
        "file": None, "line": None, "column": None, "end": None,
        "message": clean(problem.message),
        "help": clean(problem.help),
    }  # fmt: skip
    if problem.span is not None:
        source = problem.span.source
        line, column = source.position(problem.span.start)
        last, end = source.position(problem.span.end)
        if last != line:
            end = len(source.line_text(line)) + 1
        found.update(file=clean(source.name), line=line, column=column, end=max(end, column + 1))
    if problem.note:
        found["note"] = "\n".join(clean(line) for line in problem.note.splitlines())
    if problem.play:
        found["play"] = [clean(action) for action in problem.play]
    return found
