"""gdl export, gdl graph and gdl core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gdl.commands import completing, console, size_warnings
from gdl.commands.command_table import refuse_clashes
from gdl.commands.console import WrongCommand
from gdl.commands.format_option import format_of, put, takes_format
from gdl.commands.game_argument import load, settings_and_variant, takes_game
from gdl.commands.help_pages import Command
from gdl.commands.limiting import LOOKING, Limits, add_time_limit, keeps_limits, start_clock, takes_limits
from gdl.commands.solver_options import SolverCommand, takes_solver
from gdl.errors import Interrupted, LimitReached, Refusal, clean, listing
from gdl.errors.shares import FILE_SHARE, GRAPH_SHARE
from gdl.formats import gambit_writer
from gdl.game import Game
from gdl.graph import annotate, state_graph
from gdl.playing.loading import Asked
from gdl.render.formats import GRAPHS, writer
from gdl.states.explore import Progress

if TYPE_CHECKING:
    from gdl.errors.deadline import Deadline


ENDINGS = (".efg", ".nfg")
POSITIONS = 1_000_000  # positions that are looked through for a table
HOPELESS_FACTOR = 1000  # no attempt is made if an estimate exceeds the limit by this factor


@click.command(cls=Command)
@click.option("-o", "output", required=True, metavar="FILE", help="Write to this file: .efg is a tree, .nfg a table.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=gambit_writer.MOST_NODES, metavar="N",
    help="Write a tree of at most N nodes, or a table of at most N cells.",
)  # fmt: skip
@takes_limits("time", "memory")
@takes_game
def export(asked: Asked, output: str, limit: int, limits: Limits) -> None:
    """Write a game as a Gambit file.

    Simultaneous moves are written as turns that the other players do not see. In a table, the strategies are the
    reduced plans of each player.
    """
    ending = Path(output).suffix
    if ending not in ENDINGS:
        help = "end it with .efg for a tree, .nfg for a table"
        if ending == ".game":
            help = f"gdl show --source {clean(asked.by.file)} prints it as a game file"
        raise WrongCommand(f"'{clean(output)}' ends with neither .efg nor .nfg", help=help)
    with limits.enforce("nodes") as progress:
        made = gambit_writer.extensive if ending == ".efg" else _table
        if not asked.game.traits.cyclic:
            _refuse_far_larger(asked.game, limit if ending == ".efg" else max(limit, POSITIONS))
        text = made(asked.game, limit, progress)
    put(text, output)


def _refuse_far_larger(game: Game[Any], limit: int) -> None:
    """Raise LimitReached if an estimate shows the tree to be so far larger than `limit` that counting it is hopeless.
    (The estimate is 1,000 times too large in at most one of 1,000 cases.)"""
    from gdl.states import estimate

    tree = estimate.guess_tree_size(game)
    if tree.nodes > HOPELESS_FACTOR * limit:
        size = f"{'about' if tree.ended else 'more than'} {estimate.magnitude_text(tree.nodes)} nodes"
        raise LimitReached(f"the tree of {clean(game.name)} has {size}, by an estimate, and the limit is {limit:,}")


def _table(game: Game[Any], limit: int, progress: Progress) -> str:
    from gdl.solvers.budget import Budget, TableTooLarge
    from gdl.solvers.equilibria.positions import explore
    from gdl.solvers.equilibria.strategic_form import refuse_large, strategic_form

    if len(game.players) < 2:
        raise Refusal("a table has two players at least; write the tree: end the name with .efg")
    try:
        refuse_large(game, limit)
        form = strategic_form(explore(game, Budget(POSITIONS, None, progress)), limit=limit)
    except TableTooLarge as large:
        raise LimitReached(f"{str(large).partition(';')[0]}; --limit allows more, and a tree may be smaller") from None
    names = [[form.name(player, plan) for plan in range(len(plans))] for player, plans in enumerate(form.plans)]
    return gambit_writer.strategic(game.name, game.players, names, form.payoffs)


LIMIT = 200_000  # states


@click.command(cls=SolverCommand)
@click.option("--solved", is_flag=True, help="Write the answer onto the graph: values, windows, cuts, best actions.")
@takes_solver("How to solve it, with --solved.")
@takes_format(GRAPHS)
@click.option("--limit", type=click.IntRange(min=1), default=LIMIT, metavar="N", help="Follow at most N states.")
@takes_limits("memory")
@takes_game
def graph(
    asked: Asked,
    solved: bool,
    solver: str,
    output: str | None,
    form: str | None,
    limit: int,
    limits: Limits,
    **options: Any,
) -> None:
    """Write a game's state graph to a file.

    Without -o it goes to the standard output.
    """
    # here: what a limit cuts off of an import is not made up for by a second one
    import networkx  # type: ignore[import-untyped]  # noqa: F401

    write = writer(format_of(GRAPHS, output, form, "json").graph)
    options = start_clock(options)
    size_warnings.unless_limited(asked.game, options)

    drawn = None
    try:
        with replace(add_time_limit(limits, options), late=0.0).enforce("states") as progress:
            drawn = graph_in_time(asked.game, limit, progress, options.get("time"))
            if solved:
                from gdl.commands.solving import find

                drawn = annotate(drawn, find(asked.game, solver, limits, **options))
    except (LimitReached, Interrupted) as stop:
        drawn = _part_so_far(asked.game, stop) if drawn is None else drawn
        if drawn is not None:
            put(write(drawn), output)
        raise
    put(write(drawn), output)


def _part_so_far(game: Game[Any], stop: LimitReached | Interrupted) -> Any:
    """The part of the state graph that there is at a stop: at a limit that left time for nothing, the first position;
    None if a person stopped before there was any part."""
    if hasattr(stop.partial, "nodes") and hasattr(stop.partial, "edges"):
        return stop.partial
    if isinstance(stop, Interrupted):
        return None
    try:
        return state_graph(game, 1)
    except LimitReached as reached:
        return reached.partial


def graph_in_time(game: Game[Any], limit: int, progress: Progress, time: Deadline | None) -> Any:
    """The state graph. With a limit of time, walking through the states gets only a part of it, and the rest is kept
    for writing the graph down."""
    if time is None:
        return state_graph(game, limit, progress)
    from gdl.solvers.budget import Budget

    walking = Budget(None, time).sparing(GRAPH_SHARE * time)

    def watch(done: int) -> None:
        progress(done)
        walking.check_time()

    return state_graph(game, limit, watch, time.end - FILE_SHARE * time)


# ---- gdl core ------------------------------------------------------------------------------------------------------


@click.command(cls=Command)
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
    from gdl.compiler.lower import before_and_after, recogniser_names, text_after_stage
    from gdl.compiler.passes import CODE_PASSES, RULE_PASSES, STAGES
    from gdl.interpreter.rules_game import RulesGame

    refuse_clashes("core", {"diff": changed, "after": stage, "with": kernel})
    stage = changed or stage or "lowering"
    loaded = load(file, settings, variant)
    console.problems(loaded.warnings)
    if not isinstance(loaded.game, RulesGame):
        raise Refusal(f"{clean(loaded.game.name)} is no game by rules, and is played as it stands")
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
        text = text_after_stage(model, loaded.game, stage)
    console.answer(text + (_kernel_text(kernel) if kernel else ""))


def _kernel_text(name: str) -> str:
    """The code of a kernel with all code that it is joined with, from the kernels' files."""
    from gdl.compiler import joining

    names = joining.kernels()
    if name not in names:
        known = f"there are {listing(names, most=len(names))}"
        raise console.unknown_name(f"there is no kernel '{clean(name)}'", name, names, known)
    return "\n\n" + joining.kernel(name).text() + "\n"
