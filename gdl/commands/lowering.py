"""gdl core."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import unified_diff
from typing import Any

import click

from gdl.commands import completing, console
from gdl.commands.clashes import refuse_clashes
from gdl.commands.game_argument import load, settings_and_variant
from gdl.commands.limiting import LOOKING, keeps_limits
from gdl.errors import Refusal, clean, listing


@click.command()
@keeps_limits("time", "memory", usual=LOOKING)
@settings_and_variant
@click.option("--with", "kernel", metavar="KERNEL", help="Also print this search, such as perft, with its parts.")
@click.option(
    "--after",
    "stage",
    metavar="STAGE",
    help="The rules as checked (rules) or after a pass (require, hoist, ends, names); the lowering, or after unroll.",
)
@click.option("--diff", "changed", metavar="PASS", help="What a pass or a recogniser changes, line by line.")
@click.argument("file", shell_complete=completing.games)
def core(
    file: str, settings: Mapping[str, str], variant: str | None, kernel: str | None, stage: str | None,
    changed: str | None, **rest: Any,
) -> None:  # fmt: skip
    """Print the kernel code of a game.

    The compiled engine turns the rules of a game into this module of kernel Python, which runs as it is or as
    WebAssembly. A game with a construct that the engine does not support is played by the interpreter.
    """
    from gdl.compiler.lower import after, before_and_after, recogniser_names
    from gdl.compiler.passes import CODE_PASSES, RULE_PASSES, STAGES
    from gdl.interpreter.rules_game import RulesGame

    refuse_clashes("core", {"diff": changed, "after": stage, "with": kernel})
    stage = changed or stage or "lowering"
    loaded = load(file, settings, variant)
    console.problems(loaded.warnings)
    if not isinstance(loaded.game, RulesGame):
        raise Refusal(f"{clean(loaded.game.name)} is given by a tree or a matrix, which is played as it stands")
    model = loaded.game.model
    stages, recognisers = ((*RULE_PASSES, *CODE_PASSES), recogniser_names(model)) if changed else (STAGES, [])
    if stage not in (*stages, *recognisers):
        known = f"there are {listing(stages, most=len(stages))}"
        known += ", and the recognisers of gdl/compiler/lower/recognise" if changed else ""
        unknown = f"no stage of the compiler is called '{clean(stage)}'"
        raise console.unknown_name(unknown, stage, [*stages, *recognisers], known)
    if changed:
        before, now = (text.splitlines() for text in before_and_after(model, loaded.game, stage))
        lines = unified_diff(before, now, f"without {stage}", f"with {stage}", n=1, lineterm="")
        text = "\n".join(lines) or f"{stage} changes nothing in {clean(loaded.game.name)}."
    else:
        text = after(model, loaded.game, stage)
    console.answer(text + (_kernel_text(kernel) if kernel else ""))


def _kernel_text(name: str) -> str:
    """The code of a kernel with all code that it is joined with, from the kernels' files."""
    from gdl.compiler import joining

    names = joining.kernels()
    if name not in names:
        known = f"there are {listing(names, most=len(names))}"
        raise console.unknown_name(f"there is no kernel '{clean(name)}'", name, names, known)
    return "\n\n" + joining.kernel(name).text() + "\n"
