"""What a command is asked about: a game file, the values of its parameters, a variant, a position."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import gdl
from gdl.commands import completing, telling
from gdl.commands.progress import waiting
from gdl.commands.telling import WrongCommand
from gdl.errors import DamagedData, GameError, clean, nearest
from gdl.errors.limits import SOURCE
from gdl.game import Game

if TYPE_CHECKING:
    from gdl.formats.records import PlayRecord

STDIN, STDIN_NAME = "-", "<standard input>"
RECORDS_BEGIN = ("[", "(", "%", "{", "1")  # games with none: what reads records is imported for them


class Asking(NamedTuple):
    """What a command line says of its game: the file's text and its name, values of parameters, a variant, a position,
    the actions after which it begins (in one text, or one by one), a file of weights, the folder of the file; of a
    record, who played."""

    text: str
    name: str
    settings: Mapping[str, str] = {}
    variant: str | None = None
    position: str | None = None
    after: str | tuple[str, ...] | None = None
    weights: str | None = None
    folder: Path | None = None
    file: str = STDIN  # as it was named
    who: Mapping[str, str] = {}


class Asked(NamedTuple):
    """The file as it was loaded, and the game from the position on that was asked for."""

    loaded: gdl.Loaded
    game: Game[Any]
    by: Asking


def settings_and_variant(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that change a game."""
    command = click.option(
        "--variant", metavar="NAME", shell_complete=completing.variants, help="Take this variant of the game."
    )(command)
    return click.option(
        "--set", "settings", multiple=True, metavar="NAME=VALUE", callback=_settings,
        shell_complete=completing.parameters,
        help="Give a parameter another value; a list is written heaps=3,4,5. It may be repeated.",
    )(command)  # fmt: skip


def takes_game(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the argument FILE and its options; the command gets an `Asked` in their place."""

    @wraps(command)
    def asking(
        file: str,
        settings: Mapping[str, str],
        variant: str | None,
        position: str | None,
        after: str | None,
        record: str | None,
        which: int | None,
        **rest: Any,
    ) -> Any:
        text, name, folder = read_text(file)
        by = Asking(text, name, settings, variant, position, after, rest.pop("weights", None), folder, file)
        if _is_record(text):
            by = add_record(by, text, name, which)
        elif which is not None and record is None:
            raise _one_game(name)
        asked = ask(by if record is None else add_record(by, *_record_text(record), which))
        if "limits" in rest:  # whose seconds begin when the game is read
            rest["limits"] = rest["limits"].start_clock()
        try:
            return command(asked, **rest)
        except GameError as fault:
            raise _told_with_play(asked.game, fault) from None

    asking = click.option("--record", metavar="FILE", help="Begin after the actions of this record of a play.")(asking)
    asking = click.option(
        "--game",
        "which",
        type=click.IntRange(min=1),
        metavar="N",
        help="Of a .pgn or .sgf file of many games the Nth.",
    )(asking)
    asking = click.option(
        "--after", metavar="ACTIONS", help='Begin after these actions, as in --after "take(a1) take(b2)".'
    )(asking)
    asking = click.option(
        "--position",
        metavar="TEXT",
        shell_complete=completing.positions,
        help="Begin at a position: its name, or its text in the game's notation.",
    )(asking)
    return click.argument("file", shell_complete=completing.games)(settings_and_variant(asking))


def add_record(by: Asking, text: str, name: str, which: int | None = None) -> Asking:
    """What a record adds: its actions, who played, and the settings, the variant and the position where the command
    line names none; the game, where the record itself was named in its place. `which`: of a file with many."""
    if by.after is not None:
        raise WrongCommand("--after and a record both say what was played", help="leave one of them out")
    found = _read_record(text, name, which)
    if by.text == text:
        text, name, folder = game_of_record(found.game, name, by.folder)
        by = by._replace(text=text, name=name, folder=folder, file=name)
    return by._replace(
        settings=by.settings or found.settings,
        variant=by.variant or found.variant,
        position=found.position if by.position is None else by.position,
        after=found.actions,
        who=found.who,
    )


def game_of_record(game: str, record: str, folder: Path | None) -> tuple[str, str, Path | None]:
    """What `read_text` gives, of the game that a record names: one that comes with gdl, or a file beside the record,
    which lies in that folder. A stranger's record opens no other file."""
    from gdl.formats import game_files, kif_reader

    if game in gdl.shipped():
        return gdl.shipped()[game].read_text(encoding="utf-8"), game, None
    try:
        file = game_files.beside(game, folder, endings=(game_files.SUFFIX, ".efg", ".nfg", *kif_reader.ENDINGS))
    except GameError as wrong:
        help = "put the game beside the record, or name it: GAME --record FILE"
        raise WrongCommand(f"{clean(record)} names its game: {wrong.problems[0].message}", help=help) from None
    text, _ = gdl.read(file)
    if _is_record(text):
        raise DamagedData(f"{clean(game)} is a record, and no game")
    return text, str((folder or Path()) / game), folder


def _is_record(text: str) -> bool:
    """Whether a text is the record of a play, in whatever format."""
    if not text.replace("\ufeff", " ").lstrip().startswith(RECORDS_BEGIN):
        return False
    from gdl.commands import other_records
    from gdl.formats import records

    return records.is_record(text) or other_records.is_other(text)


def _read_record(text: str, name: str, which: int | None) -> PlayRecord:
    from gdl.commands import other_records
    from gdl.formats import records

    if other_records.is_other(text):
        return other_records.read(text, name, which)
    if which is not None:
        raise _one_game(name)
    return records.read(text, name)


def _one_game(name: str) -> WrongCommand:
    return WrongCommand(f"--game is for .pgn and .sgf files, and {clean(name)} is none", help="leave --game out")


def _record_text(file: str) -> tuple[str, str]:
    if not Path(file).is_file():
        raise WrongCommand(f"there is no file '{clean(file)}'", help="gdl play --save FILE writes one")
    with open(file, "rb") as stream:
        return stream.read(SOURCE + 1).decode("utf-8", errors="replace"), file


def takes_weights(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the option --weights to a command that takes a game."""
    return click.option(
        "--weights",
        metavar="FILE",
        help="Take the evaluation, the weights of evaluate, or how random play leans, from this file of gdl learn.",
    )(command)


def _told_with_play(game: Game[Any], fault: GameError) -> GameError:
    """The fault; one of the rules that the command met in play, with a play that leads there."""
    if fault.state is None:
        return fault
    from gdl.states.explore import with_shortest_play

    return with_shortest_play(game, fault)


def _settings(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    for text, (name, equals, _) in zip(given, pairs, strict=True):
        if not equals or not name:
            raise click.BadParameter(f"'{clean(text)}' is not of the form NAME=VALUE")
    return {name.strip(): value.strip() for name, _, value in pairs}


def ask(by: Asking, quietly: bool = False) -> Asked:
    """The game that is asked for; its warnings are told, unless it is to be made quietly."""
    loaded = _load_game(by.text, by.name, by.folder, by.settings, by.variant)
    if not quietly:
        telling.problems(loaded.warnings)
    if by.weights is not None:
        loaded = apply_weights(loaded, by.weights)
    if by.position is not None:
        loaded = _at(loaded, by.position)
    return Asked(loaded, continue_game(loaded, by), by)


def continue_game(loaded: gdl.Loaded, by: Asking) -> Game[Any]:
    """The game from the position on that was asked for."""
    return loaded.game if by.after is None else _continue_after(loaded.game, by.after)


def _at(loaded: gdl.Loaded, position: str) -> gdl.Loaded:
    from gdl import checker
    from gdl.interpreter.position import at

    try:
        model = at(loaded.model, position, checker.positions_of_variants(loaded.description))
    except GameError as wrong:
        raise WrongCommand(*wrong.problems) from None
    return replace(loaded, model=model, game=gdl.play(model))


def apply_weights(loaded: gdl.Loaded, file: str) -> gdl.Loaded:
    """With the weights of a file."""
    from gdl.formats import learned_files, tensors
    from gdl.interpreter.rules_game import RulesGame, expand_together
    from gdl.model import weights

    if not Path(file).is_file():
        raise WrongCommand(f"there is no file '{clean(file)}'", help="gdl learn writes one")
    with open(file, "rb") as stream:
        data = stream.read(weights.LARGEST + 1)
        tables = tensors.is_such(data)
        data += stream.read(tensors.LARGEST + 1) if tables else b""
    most = tensors.LARGEST if tables else weights.LARGEST
    if len(data) > most:
        raise DamagedData(f"{clean(file)} is larger than {most:,} bytes")
    if tables:
        model = learned_files.attach_evaluation(loaded.model, data, file)
        leans = model.leaning is not None
        telling.remark(f"random play leans by {clean(file)}" if leans else f"the evaluation is that of {clean(file)}")
    else:
        model = weights.with_weights(loaded.model, data.decode("utf-8", errors="replace"), file)
        telling.remark(f"the evaluation is weighed by {clean(file)}")
    game = gdl.play(model)
    if isinstance(game, RulesGame) and isinstance(loaded.game, RulesGame):
        expand_together(game, loaded.game)
    return replace(loaded, model=model, game=game)


def _continue_after(game: Game[Any], after: str | tuple[str, ...]) -> Game[Any]:
    from gdl.interpreter import position

    try:
        later = position.after(game, after) if isinstance(after, str) else position.after_actions(game, after)
    except position.WrongPlay as wrong:
        raise WrongCommand(wrong.problem) from None
    if later.traits.perfect_information is False:
        telling.remark("note: everyone knows the actions of --after, whatever the game would hide")
    return later


def load(file: str, settings: Mapping[str, str], variant: str | None) -> gdl.Loaded:
    """The game of a file. What only the settings or the variant break is the command line's fault."""
    return _load_game(*read_text(file), settings, variant)


def _load_game(
    text: str, name: str, folder: Path | None, settings: Mapping[str, str], variant: str | None
) -> gdl.Loaded:
    try:
        return gdl.loads(text, name, settings=settings, variant=variant, folder=folder)
    except GameError:
        if settings or variant:
            check_names(text, name, folder, settings, variant)
        raise


def check_names(text: str, name: str, folder: Path | None, settings: Mapping[str, str], variant: str | None) -> None:
    """Raises WrongCommand where the game has no such variant, or is wrong only with the settings."""
    from gdl import checker

    try:
        description = gdl.described(text, name, folder)
        known = variant if variant in checker.variants(description) else None
        checker.check(description, None, known)
    except GameError:
        return  # it is the file's fault
    try:
        checker.check(description, settings, variant)
    except GameError as wrong:
        if settings or variant != known:
            raise WrongCommand(*wrong.problems) from None


def read_text(file: str) -> tuple[str, str, Path | None]:
    """A game file's text, the name to show for it, and the folder in which it finds others; `-` is the standard input,
    a bare name a shipped game."""
    if file == STDIN:
        with waiting():
            return gdl.decoded(sys.stdin.buffer.read(SOURCE + 1), STDIN_NAME), STDIN_NAME, None
    path = Path(file)
    if not path.exists() or path.is_dir():
        shipped = gdl.shipped()
        if file not in shipped:
            raise _no_file(path, list(shipped))
    return *gdl.read(file), gdl.folder_of(file)


def _no_file(path: Path, shipped: list[str]) -> WrongCommand:
    """What to write for a file that is not there."""
    if path.is_dir():
        return WrongCommand(f"'{clean(str(path))}' is a folder", help="name a file in it")
    beside = [str(file) for file in sorted(path.parent.glob("*.game"))] if path.parent.is_dir() else []
    near = nearest(str(path), [*shipped, *beside])
    help = f"write '{near}'" if near else "gdl games lists the games that come with gdl"
    return WrongCommand(f"there is no file '{clean(str(path))}'", help=help)


def spread(files: tuple[str, ...]) -> Iterator[str]:
    """The files, and in place of each folder the game files in it and below it."""
    for file in files:
        path = Path(file)
        if path.is_dir() and file not in gdl.shipped():
            found = sorted(str(game) for game in path.rglob("*.game") if game.is_file())
            if not found:
                raise WrongCommand(f"there is no .game file in the folder '{clean(file)}'")
            yield from found
        else:
            yield file


def bytes_of(file: str, most: int = -1) -> bytes:
    """What is in a file, or on the standard input, of which so many bytes are read at most."""
    if file == STDIN:
        with waiting():
            return sys.stdin.buffer.read(most)
    if not Path(file).is_file():
        raise WrongCommand(f"there is no file '{clean(file)}'")
    return Path(file).read_bytes()


def read_json(file: str) -> Any:
    """The JSON value in a file, or on the standard input."""
    try:
        return json.loads(bytes_of(file))
    except (ValueError, RecursionError) as wrong:
        name = STDIN_NAME if file == STDIN else clean(file)
        raise DamagedData(f"{name} is not JSON: {clean(str(wrong))}") from None
