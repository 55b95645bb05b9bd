"""Transcripts of commands: what was typed, what it was given, what it answered.

    $ gdl solve - --solver minimax         a command
    < players MAX, MIN                     a line of its standard input
    MAX wins 3 by playing 1.               a line of its standard output
    2> warning: …                          a line of its standard error
    [3]                                    its exit status, where that is not 0

A line that begins with `#` before the first command is a comment. `python tests/support/transcripts.py FILE…` writes the
answers anew; read the difference before you keep it.
"""

import inspect
import re
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

from click.testing import CliRunner


@dataclass
class Step:
    """One command of a transcript."""

    command: str
    line: int
    stdin: list[str] = field(default_factory=list)
    answer: list[str] = field(default_factory=list)  # as the transcript writes it, to the status

    def __str__(self) -> str:
        return "\n".join([f"$ {self.command}", *(f"< {line}".rstrip() for line in self.stdin), *self.answer])


def read(text: str) -> tuple[list[str], list[Step]]:
    """The comment at the top of a transcript, and its steps; blank lines before a command do not count."""
    comment: list[str] = []
    steps: list[Step] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("$ "):
            steps.append(Step(line[2:], number))
        elif not steps:
            comment.append(line)
        elif (line.startswith("< ") or line == "<") and not steps[-1].answer:
            steps[-1].stdin.append(line[2:])
        else:
            steps[-1].answer.append(line)
    for step in steps:
        while step.answer and not step.answer[-1]:
            step.answer.pop()
    return comment, steps


# A line of progress, which work shows that lasts, as on a busy machine.
PROGRESS = re.compile(r"(at work|[\d,]+( of [\d,]+)? [a-z]+, [\d,]+ a second).*")


def answer(step: Step) -> list[str]:
    """Run the command of a step in this process, and return its answer in the form of a transcript."""
    from gdl.commands.cli import commands

    program, *arguments = shlex.split(step.command)
    assert program == "gdl", f"a transcript runs gdl, not {program}"
    separate = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
    stdin = "".join(f"{line}\n" for line in step.stdin)
    result = CliRunner(**separate).invoke(commands, arguments, prog_name="gdl", input=stdin)
    said = [line for line in result.stderr.splitlines() if not PROGRESS.fullmatch(line)]
    lines = result.stdout.splitlines() + [f"2> {line}".rstrip() for line in said]
    while lines and not lines[-1]:
        lines.pop()
    return [*lines, *([f"[{result.exit_code}]"] if result.exit_code else [])]


def rewrite(file: Path) -> None:
    comment, steps = read(file.read_text(encoding="utf-8"))
    for step in steps:
        step.answer = answer(step)
        assert step.answer[-1:] != ["[70]"], f"a bug is no answer to keep: {step.command}"
    blocks = ["\n".join(comment).rstrip(), *map(str, steps)]
    file.write_text("\n\n".join(block for block in blocks if block) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(name))
