"""The help of commands: the options that most users need, in groups; --help-all shows all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

HELP_ALL = "help-all"
GROUPS: Mapping[str, str] = {  # heading -> the options below it, of any command
    "Where it begins": "set variant position after transform weights game record",
    "When it stops": "time nodes depth limit memory",
    "Who does the work": "engine workers checkpoint",
    "What is written": "json trace values csv output format",
    "Help": f"{HELP_ALL} help",
}
RARE = "transform weights game record memory engine checkpoint format table"  # options of any command
FEW = 8  # options that are all shown, without groups
_HEADINGS = {word: heading for heading, words in GROUPS.items() for word in words.split()}
_ALL = f"{__name__}.all"  # whether all options are asked for, among a context's notes


class Command(click.Command):
    """A command whose help shows the options that most users need, in groups, and all of them with --help-all. `rare`
    names options of this command that few of its users need."""

    def __init__(self, *arguments: Any, rare: str = "", **settings: Any):
        super().__init__(*arguments, **settings)
        self.rare = frozenset([*rare.split(), *RARE.split()])

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        *own, last = super().get_params(ctx)
        return [*own, _help_all_option(), last]

    def is_rare(self, option: click.Parameter) -> bool:
        """True if the help shows the option only with --help-all."""
        return option_name(option) in self.rare

    def heading(self, option: click.Parameter) -> str:
        """The heading below which the help shows the option."""
        return _HEADINGS.get(option_name(option), "Options")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option) and not one.hidden]
        whole = shows_all_options(ctx) or len(options) <= FEW + 1
        shown = [one for one in options if whole or not self.is_rare(one)]
        if len(shown) == len(options):
            shown = [one for one in shown if option_name(one) != HELP_ALL]
        rows: dict[str, list[tuple[str, str]]] = {"Options": []}
        for option in shown:
            heading = "Options" if len(shown) <= FEW else self.heading(option)
            rows.setdefault(heading, []).append(option.get_help_record(ctx) or ("", ""))
        for heading in filter(rows.get, [*(one for one in rows if one not in GROUPS), *GROUPS]):
            with formatter.section(heading):
                formatter.write_dl(rows[heading])


def option_name(option: click.Parameter) -> str:
    """The option as it is typed, without dashes."""
    return option.opts[-1].lstrip("-")


def shows_all_options(ctx: click.Context) -> bool:
    """True if the help in this context is to show all options."""
    return bool(ctx.meta.get(_ALL))


def show_all_options(ctx: click.Context) -> None:
    """Let help in this context show all options."""
    ctx.meta[_ALL] = True


def _help_all_option() -> click.Option:
    def show(ctx: click.Context, option: click.Parameter, asked: bool) -> None:
        if asked:
            show_all_options(ctx)
            click.echo(ctx.get_help())
            ctx.exit()

    return click.Option(
        [f"--{HELP_ALL}"], is_flag=True, is_eager=True, expose_value=False, callback=show,
        help="Show all options and exit.",
    )  # fmt: skip
