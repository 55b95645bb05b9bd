"""Problems as data: what `--json` prints where a command fails, and `gdl check --json` of a file."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gdl.errors import Problem, Span, clean, codes
from gdl.formats.check_answers import ProblemAnswer, TextEdit

_REPLACEMENT_HELP = re.compile(r"(?:write|write the minus sign|did you mean) '([^']+)'(\?| (to|before the) \w+)?")
_PLAIN = re.compile(r"[\w ]*|\W*")  # words alone, or signs alone


def replacement(problem: Problem) -> str | None:
    """The text to put in place of the mistake, if the problem's help says it unmistakably; None if not."""
    if problem.span is None:
        return None
    old = problem.span.text
    if problem.help in ("take it out", f"take the '{old}' out"):
        return "" if _stands_apart(problem.span) else " "
    found = _REPLACEMENT_HELP.fullmatch(problem.help)
    if found is None or "…" in found[1]:
        return None
    if old.isidentifier() and old in found[1].split():  # something before or behind it
        return found[1]
    if found[1] == f'"{old[1:-1]}"' and not old[0].isalnum():  # quotation marks of another language
        return found[1]
    if " is missing before " in problem.message and old.isidentifier():
        return f"{found[1]} {old}"
    return found[1] if _PLAIN.fullmatch(old) and _PLAIN.fullmatch(found[1]) else None


def _stands_apart(span: Span) -> bool:
    """True if no two words or numbers would be joined without what stands there."""
    before, after = span.source.text[: span.start][-1:], span.source.text[span.end : span.end + 1]
    return not (before + after).isalnum() or not (before and after)


def with_edits(text: str, name: str, problems: Iterable[Problem]) -> str:
    """The text with the replacements of all its problems made; of two that overlap, only the later in the text."""
    at = len(text)
    spans = {(p.span.start, p.span.end): replacement(p) for p in problems if p.span and p.span.source.name == name}
    for (start, end), new in sorted(spans.items(), reverse=True):
        if new is not None and end <= at:
            text, at = text[:start] + new + text[end:], start
    return text


def problem_record(problem: Problem, otherwise: str) -> ProblemAnswer:
    """The record of a problem for JSON. Its code comes from the tables of messages; `otherwise` is used if these have
    no closer one."""
    file = line = column = end = edits = None
    if problem.span is not None:
        source = problem.span.source
        file = clean(source.name)
        line, column = source.position(problem.span.start)
        last, end = source.position(problem.span.end)
        if (new := replacement(problem)) is not None:
            edits = [TextEdit(line, column, last, end, new)]
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
        edits=edits,
    )
