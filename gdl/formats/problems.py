"""Problems as data: what `--json` prints where a command fails, and `gdl check --json` of a file."""

from __future__ import annotations

from gdl.errors import Problem, clean, codes
from gdl.formats.check_answers import ProblemAnswer


def problem_record(problem: Problem, otherwise: str) -> ProblemAnswer:
    """A problem as JSON has it. The code is a word for its kind, by the tables of messages of files and of commands;
    `otherwise` if it has no closer one."""
    file = line = column = end = None
    if problem.span is not None:
        source = problem.span.source
        file = clean(source.name)
        line, column = source.position(problem.span.start)
        last, end = source.position(problem.span.end)
        end = max(end if last == line else len(source.line_text(line)) + 1, column + 1)
    return ProblemAnswer(
        code=problem.kind or codes.code_of(problem.message, codes.FAILURES) or otherwise,
        severity="warning" if problem.warning else "error",
        file=file,
        line=line,
        column=column,
        end=end,
        message=clean(problem.message),
        help=clean(problem.help),
        note="\n".join(map(clean, problem.note.splitlines())) if problem.note else None,
        play=list(map(clean, problem.play)) if problem.play else None,
    )
