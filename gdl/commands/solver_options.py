"""The options of the solvers on the command line, read from their functions' keyword-only parameters.

Reading them imports every solver, so it is done only where a command line has such an option and names no solver that
takes it, or asks for help.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import click
from click.shell_completion import CompletionItem

from gdl.commands import completing
from gdl.commands.console import WrongCommand
from gdl.commands.help_pages import Command, shows_all_options
from gdl.commands.limiting import ABOVE_ZERO
from gdl.errors import Refusal, clean, listing
from gdl.wings import FORMER_SOLVERS

HELP_WORDS = ("-h", "--help", "--help-all")
_USUAL = ("depth", "nodes", "time")  # options of solvers that the help of a command shows if no solver is named
_FOR_ALL = ("seed", "concept")  # solvers that use no chance take a seed without using it


class _Fraction(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4 alone
    """A parameter type of click: an exact number that is not negative, such as 1/1000 or 0.001."""

    name = "fraction"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        try:
            number = Fraction(value)
        except (ValueError, ZeroDivisionError):
            number = Fraction(-1)
        if number < 0 or len(str(value)) > LONGEST:
            self.fail(f"'{clean(str(value)[:LONGEST])}' is no number from 0 up, such as 1/1000 or 0.001", param, ctx)
        return number


class _Value(click.ParamType):  # type: ignore[type-arg]
    """A parameter type of click: a number where the text is one, else the text."""

    name = "value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        for kind in (int, float):
            with suppress(ValueError):
                return kind(value)
        return value


LONGEST = 40  # characters of such a number
_TYPES: Mapping[str, Any] = {
    "time": ABOVE_ZERO, "nodes": click.IntRange(min=1), "iterations": click.IntRange(min=1), "regret": _Fraction(),
}  # fmt: skip


class SolverOption(click.Option):
    """An option of solvers: `takers` says of which."""

    takers = ""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        return record and (record[0], f"{record[1]} {self.takers}") if shows_all_options(ctx) else record


class SolverCommand(Command):
    """A command that takes the options of all solvers. Its help has those of the solver that is named; else of all
    solvers with --help-all, and without it those which most solvers take."""

    named: str | None = None  # the solver whose help is asked for

    def is_rare(self, option: click.Parameter) -> bool:
        if isinstance(option, SolverOption):
            return self.named is None and option.name not in _USUAL
        return super().is_rare(option)

    def heading(self, option: click.Parameter) -> str:
        usual = super().heading(option)
        if isinstance(option, SolverOption) and usual == "Options":
            return f"Options of {self.named or 'solvers'}"
        return usual

    def serves(self, solver: str) -> bool:
        """True if the command can use that solver, and so takes its options."""
        return True

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        self.take_all()
        others = options_of_others(ctx.params.get("solver") or "auto")
        return [item for item in super().shell_complete(ctx, incomplete) if item.value not in others]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        solver = self.named = _solver_argument(args)
        if self._has_unknown_option(args):
            self._take(lambda name: name == solver, solver)
        if self._has_unknown_option(args if solver is None else [arg for arg in args if arg not in HELP_WORDS]):
            self._take(lambda name: True, solver)
        own, usual = solver or "", self.params
        unknown = {arg.partition("=")[0] for arg in args if self._has_unknown_option([arg])} - {*HELP_WORDS}
        free = [word for word in unknown if word.startswith("--")]
        self.params = [*usual, *(free_option(word) for word in free if accepts(own, word[2:].replace("-", "_")))]
        try:
            return super().parse_args(ctx, args)
        finally:
            self.params = usual

    def take_all(self) -> None:
        """Add the options of all solvers that the command serves."""
        self._take(lambda name: True)

    def _take(self, wanted: Callable[[str], bool], own: str | None = None) -> None:
        """Replace the solver options of the command by those of the wanted solvers, and of the user's `own` search, as
        far as the command serves these."""
        options = solver_options(lambda name: wanted(name) and self.serves(name), own)
        names = {parameter.name for parameter in self._common_parameters}
        self.params = [*self._common_parameters, *(option for option in options if option.name not in names)]

    @cached_property
    def _common_parameters(self) -> list[click.Parameter]:
        """The parameters that the command takes with any solver."""
        return self.params

    def _has_unknown_option(self, args: Sequence[str]) -> bool:
        """True if the arguments contain an option that the command does not have yet."""
        known = {word for parameter in self.params for word in parameter.opts}
        return any(arg.startswith("-") and len(arg) > 1 and arg.partition("=")[0] not in known for arg in args)


class SearchCommand(SolverCommand):
    """A command with the options of those solvers whose steps can be shown."""

    def serves(self, solver: str) -> bool:
        from gdl.solvers import SOLVERS

        return solver in SOLVERS and SOLVERS[solver].steps != "untold"


def solver_options(serves: Callable[[str], bool] = lambda solver: True, own: str | None = None) -> list[click.Option]:
    """One click option for each name that a solver served takes, in the order of the table of solvers; last, those of
    the user's `own` search, which is not in the table."""
    listed = list(solver_names())
    takers: dict[str, list[str]] = {}
    types: dict[str, Any] = {}
    for solver in filter(serves, [*listed, *([own] if own and own not in listed else [])]):
        for name, parameter in parameters_of(solver).items():
            takers.setdefault(name, []).append(solver)
            types.setdefault(name, parameter.annotation)
    return [_option(name, types[name], solvers) for name, solvers in takers.items()]


def _solver_argument(args: Sequence[str]) -> str | None:
    """The value of --solver in a command line; None if it is not given."""
    for arg, after in zip(args, [*args[1:], ""], strict=False):
        word, is_joined, name = arg.partition("=")
        if word == "--solver":
            return name if is_joined else after
    return None


def solver_names() -> Collection[str]:
    """The names of all solvers."""
    from gdl.solvers import SOLVERS

    return SOLVERS


def parameters_by_solver() -> dict[str, Mapping[str, inspect.Parameter]]:
    """The options of every solver, by name."""
    return {name: parameters_of(name) for name in solver_names()}


def parameters_of(name: str) -> Mapping[str, inspect.Parameter]:
    """The options of the solver of that name; empty if there is no such solver."""
    from gdl.solvers import SOLVERS

    return SOLVERS[name].options if name in SOLVERS else {}


def accepts(solver: str, option: str) -> bool:
    """True if `solver` is the name of a solver that takes an option of that name."""
    from gdl.solvers import SOLVERS

    return solver in SOLVERS and SOLVERS[solver].accepts(option)


def free_option(word: str) -> click.Option:
    """The click option for a word that only a search which takes all options knows."""
    return click.Option([word, word[2:].replace("-", "_")], type=_Value(), help="An option of its own.")


def options_of_others(solver: str) -> frozenset[str]:
    """The options, as they are typed, that other solvers take and this one does not; empty for a name that is no
    solver, such as auto."""
    known = parameters_by_solver()
    names = {name for taken in known.values() for name in taken} if solver in known else set()
    return frozenset(option_word(name) for name in names if name not in known[solver] and name not in _FOR_ALL)


def _option(name: str, annotation: Any, solvers: list[str]) -> click.Option:
    from gdl.solvers.options import MEANING

    help, word = f"{MEANING.get(name, 'An option of its own')}.", option_word(name)
    if annotation is bool:
        option = SolverOption([word, name], is_flag=True, default=None, help=help)
    elif get_origin(annotation) is tuple:
        option = SolverOption([word, name], multiple=True, callback=lambda c, p, given: given or None, help=help)
    else:
        option = SolverOption([word, name], type=_TYPES.get(name) or _type(annotation), default=None, help=help)
    option.takers = f"({_taken_by(solvers)})"
    return option


def option_word(name: str) -> str:
    """The option as it is typed, `--name`. The trailing underscore of a name that Python reserves is dropped: `lambda_`
    is --lambda."""
    return f"--{name.rstrip('_').replace('_', '-')}"


def _taken_by(solvers: list[str]) -> str:
    from gdl.solvers import SOLVERS

    others = [name for name in SOLVERS if name not in solvers]
    if len(others) < len(solvers):
        return f"all but {listing(others)}" if others else "all solvers"
    return listing(solvers)


def _type(annotation: Any) -> Any:
    """The click type for a parameter with this annotation."""
    if isinstance(annotation, UnionType) or get_origin(annotation) is Union:
        (annotation,) = (part for part in get_args(annotation) if part is not type(None))
    return click.Choice(get_args(annotation)) if get_origin(annotation) is Literal else annotation


def takes_solver(help: str) -> Callable[..., Any]:
    """Decorate a command with the option --solver, auto by default."""
    return click.option("--solver", default="auto", callback=solver_name, shell_complete=completing.solvers, help=help)


def solver_name(ctx: click.Context, parameter: click.Parameter, name: str) -> str:
    """The callback of --solver: the name of a solver, or auto."""
    from gdl.solvers import SOLVERS

    if name in FORMER_SOLVERS:
        raise click.BadParameter(f"no solver is called '{name}' any more: {FORMER_SOLVERS[name]}")
    if name.startswith("python:") or (name != "auto" and name not in SOLVERS):
        from gdl.commands.mends import own_solver_meant, solver_meant

        if not own_solver_meant(name) and name in SOLVERS:
            return name
        solver, _, settings = name.partition(":")  # as `match` and `compare` have it
        if solver in SOLVERS:
            each = " ".join("--" + clean(one).replace("=", " ") for one in settings.split(",") if one)
            raise click.BadParameter(f"settings are options of their own here: write --solver {solver} {each}")
        near = solver_meant(name, [*SOLVERS, "auto"])
        meant = f"Did you mean '{clean(near)}'?" if near else "gdl solvers lists them."
        raise click.BadParameter(f"no solver is called '{clean(name)}'. {meant}")
    return name


def concept_name(ctx: click.Context, parameter: click.Parameter, name: str | None) -> str | None:
    """The callback of --concept: the name of a concept."""
    if name is not None:
        from gdl.commands.mends import named_elsewhere
        from gdl.solvers import SOLVERS
        from gdl.solvers.concepts import concept_named

        try:
            concept_named(name)
        except Refusal as unknown:
            near = f"Did you mean '{found}'?" if (found := named_elsewhere("--concept", name)) else ""
            near = f"It is a solver: --solver {name}" if name in SOLVERS else near
            meant = f"no concept is called '{clean(name)}'. {near}" if near else f"{clean(str(unknown))}."
            raise click.BadParameter(meant) from None
    return name


def fitting(solver: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given (not None). Raises WrongCommand if the solver does not take one of them."""
    given = {name: value for name, value in options.items() if value is not None}
    if solver == "auto" or not given:
        return given
    taken = parameters_of(solver)
    for name in given:
        if not accepts(solver, name) and name not in _FOR_ALL:
            takers = listing(other for other, parameters in parameters_by_solver().items() if name in parameters)
            own = listing(map(option_word, taken))
            raise WrongCommand(f"{option_word(name)} is an option of {takers}; {solver} takes {own}")
    return given
