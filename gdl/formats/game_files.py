"""Where the text of a game comes from: a file or a shipped game, and the files that it is made from.

A game may begin from another (`game "Crazyhouse" from chess`) and use libraries of definitions (`use cards`). A bare
word means what comes with gdl, a name in quotes a file beside the one that says it, and nothing else: no path, no link
that leads out of the folder, and nothing but what comes with gdl where there is no folder.

1. The sections of the game that it begins from are made whole first, in the same way; its expectations are left out.
2. The libraries come beside them, each once; they hold types, boards and definitions, none of them twice.
3. The file's own sections are laid over all that (gdl/syntax/composition.py).
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from gdl import wings
from gdl.errors import GameError, Problem, Source, Span, clean, limits, listing, nearest, suggestion
from gdl.errors.file_size import most_bytes
from gdl.errors.installed import package_folder
from gdl.formats.files import name_in_errors

if TYPE_CHECKING:
    from gdl import syntax
    from gdl.syntax import Section

SUFFIX = ".game"
HEAD = 4_000  # letters of a file in which its kind is looked for
_FIRST = re.compile(r"\s*(#[A-Za-z]+\s|[^\s\w#]|players\s+\d+\s+\w+ [^\n:]*\[)")  # of others; # begins our remarks
_NODES, _EDGES = re.compile(r'"nodes"\s*:\s*\['), re.compile(r'"(?:edges|links)"\s*:\s*\[')  # no answer lists them


# ---- Text -------------------------------------------------------------------------------------------------------


def read(path: str | Path) -> tuple[str, str]:
    """Read the text of a game file.

    Args:
        path: the path of a file, or the name of a game that comes with gdl.

    Returns:
        The text, and the name to show for it.

    Raises:
        GameError: there is no such game, or the file is too large or not UTF-8.
        OSError: the file cannot be read.

    Example:
        >>> import gdl
        >>> text, name = gdl.read("nim")
        >>> text.startswith("#"), name
        (True, 'nim')
    """
    file = Path(path)
    if _is_bare(file):
        if str(path) not in (games := shipped()):
            known = {name: name for name in games} | {file.stem: file.name for file in Path().glob(f"*{SUFFIX}")}
            raise GameError(unknown_game(f"there is no game '{clean(str(path))}'", str(path), known))
        file = games[str(path)]
    if file.is_fifo() and file.parts[1:2] not in (("dev",), ("proc",)):  # those are pipes that a shell has opened
        help = "give it a file, or write - and let the pipe be the standard input"
        raise GameError(Problem(f"{clean(str(path))} is a named pipe, in which nobody may write", help=help))
    if not file.exists() and (near := nearest(file.name, [each.name for each in file.parent.glob(f"*{SUFFIX}")])):
        raise FileNotFoundError(errno.ENOENT, f"there is no such file; beside it is '{clean(near)}'", str(path))
    with name_in_errors(path), file.open("rb") as stream:
        return decoded(stream.read(limits.EXPLICIT + 1), str(path)), str(path)


def unknown_game(message: str, name: str, known: Mapping[str, str]) -> Problem:
    """The problem of a name that is no file and none of the games `known` by bare names: this message, or what the name
    is in another program; and the game that is most like it, or with whose name it begins, as `kuhn_poker` does."""
    from gdl.syntax.parser import foreign_file

    if "\n" in name:
        return Problem(message, help="gdl.loads(text) reads the text of a game")
    word = re.sub(r"\.\w*$", "", name.partition("(")[0])  # an ending alone makes no two names alike
    near = nearest(word, known) or max((one for one in known if word.startswith(f"{one}_")), key=len, default="")
    stranger = foreign_file(Source("", name))
    otherwise = stranger.help if stranger else "gdl games lists the games that come with gdl"
    help = f"write '{known[near]}'" if near else otherwise
    return Problem(stranger.message if stranger else message, help=help)


def _is_bare(file: Path) -> bool:
    """True if the argument is the name of a game that comes with gdl, and not a file."""
    return (not file.exists() or file.is_dir()) and file.suffix == "" and len(file.parts) == 1


def folder_of(path: str | Path) -> Path | None:
    """Find the folder in which a game file looks for the files that it begins from or uses.

    Args:
        path: the path of the file, or the name of a game that comes with gdl.

    Returns:
        The folder; None for a game that comes with gdl, which needs none.

    Example:
        >>> import gdl
        >>> gdl.folder_of("exams/tree.game").name, gdl.folder_of("nim")
        ('exams', None)
    """
    return None if _is_bare(Path(path)) else Path(path).parent


def decoded(data: bytes, name: str) -> str:
    r"""Decode the bytes of a game file.

    Args:
        data: the bytes; both kinds of line ends and a byte order mark are understood.
        name: the name of the file in messages.

    Returns:
        The text.

    Raises:
        GameError: there are more than `gdl.errors.limits.SOURCE` bytes (`EXPLICIT` where they hold a tree or a matrix),
            or they are not UTF-8.

    Example:
        >>> import gdl
        >>> gdl.decoded(b"players A, B\r\n", "mine.game")
        'players A, B\n'
    """
    most = limits.EXPLICIT
    if len(data) <= most:
        try:
            text = data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            message = f"{clean(name)} is not text in UTF-8 (byte {error.start})"
            raise GameError(Problem(message, help="save it as UTF-8")) from None
        most = most_bytes(text)
    if len(data) > most:
        raise GameError(Problem(f"{clean(name)} is larger than {most:,} bytes", help=limits.LESS_SOURCE))
    return text


def is_gambit(text: str) -> bool:
    """True if a text is one of Gambit's files."""
    return text.lstrip().startswith(("EFG ", "NFG "))


def is_graph(text: str) -> bool:
    """True if a text is a graph: GraphML, or JSON that lists nodes and edges."""
    begin = text.lstrip("\ufeff \t\r\n")[:HEAD]
    return (begin.startswith("<") and "<graphml" in begin) or (
        begin.startswith("{") and bool(_NODES.search(text)) and bool(_EDGES.search(text))
    )


def title(name: str) -> str:
    """Make the title of a game whose file has no `game` line.

    Args:
        name: the path of the file.

    Returns:
        The name of the file without its folder and `.game`.

    Example:
        >>> import gdl
        >>> gdl.title("exams/midterm.game")
        'midterm'
    """
    return Path(name).stem if name.endswith(SUFFIX) else name


def shipped() -> dict[str, Path]:
    """Find the games that come with gdl.

    Returns:
        The path of each file, by the name of the game.

    Example:
        >>> import gdl
        >>> gdl.shipped()["nim"].name
        'nim.game'
    """
    return _in_folder(_games())


def libraries() -> dict[str, Path]:
    """The libraries of definitions that come with the package, by name."""
    return _in_folder(_games() / "libraries")


def shipped_weights() -> dict[str, Path]:
    """The weights that come with the package's games, by the names of their files without endings."""
    return {file.name.partition(".")[0]: file for file in sorted((_games() / "weights").glob("*.safetensors.gz"))}


def _games() -> Path:
    inside = package_folder() / "games"
    return inside if inside.is_dir() else inside.parent.parent / "games"


def _in_folder(folder: Path) -> dict[str, Path]:
    return {name.removesuffix(SUFFIX): folder / name for name in sorted(os.listdir(folder)) if name.endswith(SUFFIX)}


# ---- Games made from others -------------------------------------------------------------------------------------


def described(text: str, name: str = "<text>", folder: Path | None = None) -> syntax.Description:
    r"""Parse a game, and join it with the game that it begins from and the libraries that it uses.

    Args:
        text: the text of a game file, of one of Gambit's (EFG, NFG), of a graph (GraphML, or networkx' node-link JSON),
            or of a game in the clauses of KIF.
        name: the name of the text in messages.
        folder: the folder of the files beside it; None: only what comes with gdl is found.

    Returns:
        The sections of the game, not checked yet (`gdl.syntax.Description`).

    Raises:
        GameError: with all problems of syntax, or because a file that it names is missing.

    Example:
        >>> import gdl
        >>> [type(section).__name__ for section in gdl.described("players MAX, MIN\ntree MAX(1, 2)").sections]
        ['Players', 'Tree']
    """
    from gdl.syntax import parser

    if is_gambit(text):
        from gdl.formats import gambit_reader

        return gambit_reader.description(text, name)
    if is_graph(text):
        from gdl.formats import graph_files

        return graph_files.description(text, name)
    if other := _other_language(text, name):
        return other
    return _Linker(max(0, limits.SOURCE - len(text))).link_description(parser.parse(text, name, title(name)), folder)


def _other_language(text: str, name: str) -> syntax.Description | None:
    """The sections of a text in a language that a wing brings; None for any other text. Raises Refusal where the name's
    ending is of such a language, and its wing is not installed."""
    first = _FIRST.match(text)
    if first is None:
        return None
    for row in _languages():
        if first[1][0] in row.begins and wings.load(row.recognise)(text):
            found: syntax.Description = wings.load(row.describe)(text, name)
            return found
    ending = Path(name).suffix.lower()
    if wings.owner("endings", ending):
        wings.find_row("endings", ending)
    return None


def _languages() -> Iterator[wings.FileRow]:
    """The kinds of files of our wings, then those of strangers, which are slow to find."""
    for wing in wings.wings("endings"):
        yield from wing.files
    for wing in wings.strangers():
        yield from wing.files


class _GameFile(NamedTuple):
    """A file that another file names: its path, its name in messages, and the folder in which it finds others (None:
    only what comes with gdl)."""

    path: Path
    shown: str
    folder: Path | None


@dataclass
class _Linker:
    """Joins a game with the game that it begins from and the libraries that it uses."""

    left: int  # characters that may still be read
    open: list[_GameFile] = field(default_factory=list)  # the files being read now, each named by the one before
    read: dict[Path, list[Section]] = field(default_factory=dict)  # the sections of each file, made whole

    def link_description(self, description: syntax.Description, folder: Path | None) -> syntax.Description:
        """The description with the sections of its base and its libraries below its own; unchanged if it names none."""
        from gdl import syntax
        from gdl.syntax.composition import compose_sections

        sections = description.sections
        below: list[Section] = []
        for game in (s for s in sections if isinstance(s, syntax.Game) and s.base is not None):
            below = self.base(game.base, folder)
        uses = [s for s in sections if isinstance(s, syntax.Use)]
        for use in uses:
            below += self.library(use.library, folder, below)
        if not below and not uses:
            return description
        own = [
            s.copy_with(base=None) if isinstance(s, syntax.Game) else s
            for s in sections
            if not isinstance(s, syntax.Use)
        ]
        problems: list[Problem] = []
        whole = compose_sections(below, own, problems)
        if problems:
            raise GameError(problems)
        return description.copy_with(sections=tuple(whole))

    def base(self, word: syntax.Word | None, folder: Path | None) -> list[Section]:
        """The sections of the game that a file begins from, without expectations."""
        from gdl import syntax

        assert word is not None
        sections = self.sections(word, folder, shipped(), "game")
        for section in sections:
            if isinstance(section, syntax.Tree | syntax.Matrix | syntax.MatrixOfProfiles):
                what = "tree" if isinstance(section, syntax.Tree) else "matrix"
                message = f"{clean(word.name)} is a {what}, and a game begins from rules"
                raise GameError(Problem(message, word.span, help="copy the file, and change the copy"))
        return [_without_expectations(s) for s in sections if not isinstance(s, syntax.Known)]

    def library(self, word: syntax.Word, folder: Path | None, below: list[Section]) -> list[Section]:
        """The sections of a library, except those of libraries that are in `below` already."""
        from gdl.syntax.composition import name_of

        known = {id(section) for section in below}
        held = self.sections(word, folder, libraries(), "library")
        there = [section.span.source for section in held if id(section) in known]  # libraries that are used already
        new = [section for section in held if section.span.source not in there]
        names = {name_of(section): section for section in below if name_of(section)}
        twice = next((section for section in new if name_of(section) in names), None)
        if twice is not None:
            other, name = names[name_of(twice)], clean(name_of(twice))
            message = f"{clean(word.name)} declares {name}, and so does {clean(other.span.source.name)}"
            raise GameError(Problem(message, word.span, help=f"give {name} another name in one of them"))
        return new

    def sections(self, word: syntax.Word, folder: Path | None, known: dict[str, Path], kind: str) -> list[Section]:
        """All sections of the file that a word names, with those of the files that it is made from. `known` are the
        files that come with gdl, `kind` is `game` or `library`."""
        from gdl.syntax import parser
        from gdl.syntax.composition import check_library

        found = _find_file(word, folder, known, kind)
        if found.path in (file.path for file in self.open):
            _refuse_circle(word, [file.shown for file in self.open], found.shown)
        if found.path not in self.read:
            if len(self.read) + len(self.open) >= limits.FILES:
                message = f"a game is made from at most {limits.FILES} files"
                raise GameError(Problem(message, word.span, help="put several of them into one"))
            self.open.append(found)
            description = parser.parse(self.text(found, word), found.shown, title(found.shown))
            if kind == "library":
                check_library(description.sections)
            self.read[found.path] = list(self.link_description(description, found.folder).sections)
            self.open.pop()
        return self.read[found.path]

    def text(self, found: _GameFile, word: syntax.Word) -> str:
        with name_in_errors(found.path), found.path.open("rb") as stream:
            data = stream.read(self.left + 1)
        if len(data) > self.left:
            message = f"the game and all that it is made from are larger than {limits.SOURCE:,} bytes"
            raise GameError(Problem(message, word.span, help="take out what the game does not need"))
        self.left -= len(data)
        return decoded(data, found.shown)


def _find_file(word: syntax.Word, folder: Path | None, known: dict[str, Path], kind: str) -> _GameFile:
    """The file that a word names: a bare word is something that comes with gdl, a word in quotes a file in `folder`."""
    name = word.name
    if word.kind == "STRING":
        path = path_beside(name, folder, word.span)
        return _GameFile(path, str(Path(word.span.source.name).with_name(name)), folder)
    if name in known:
        return _GameFile(known[name].resolve(), name, None)
    file = f"{name}{SUFFIX}"
    help = suggestion(name, known, f'for a file beside this one write "{clean(file)}"')
    if folder is not None and (folder / file).is_file():
        help = f'write "{file}"'
    other = {"game": libraries, "library": shipped}[kind]()
    if name in other:
        help = f"write: use {name}" if kind == "game" else f'write: game "…" from {name}'
    raise GameError(Problem(f"no {kind} that comes with gdl is called '{clean(name)}'", word.span, help=help))


def path_beside(name: str, folder: Path | None, span: Span | None = None, endings: tuple[str, ...] = (SUFFIX,)) -> Path:
    """The path of a file of this name directly in the folder. Raises GameError if there is no folder (None) or no
    regular file, or the name is a path or a link out of the folder."""

    def refuse(message: str, help: str) -> NoReturn:
        raise GameError(Problem(message, span, help=help))

    if folder is None:
        refuse("a text that is in no folder has no files beside it", "name what comes with gdl, without quotes")
    if set(name) & set("/\\:\0") or not name.endswith(endings):
        refuse(f"'{clean(name)}' is not the name of a game file alone", f'write, for example, "base{SUFFIX}"')
    path = (folder / name).resolve()
    if path.parent != folder.resolve():
        refuse(f"{clean(name)} leads out of its folder", "copy the file itself into the folder")
    if not path.is_file():
        beside = [file.name for file in sorted(folder.glob(f"*{SUFFIX}"))]
        refuse(f"there is no file {clean(name)} beside this one", suggestion(name, beside, "write it, or another"))
    return path


def _refuse_circle(word: syntax.Word, way: Iterable[str], end: str) -> NoReturn:
    """Raise GameError for a file that is made from itself; `way` are the files that led to it, `end` its name."""
    names = [clean(Path(name).name) for name in way]
    between = names[names.index(clean(Path(end).name)) + 1 :]
    message = f"{clean(Path(end).name)} is made from itself" + (f", by way of {listing(between)}" if between else "")
    raise GameError(Problem(message, word.span, help="take one of these lines out"))


def _without_expectations(section: Section) -> Section:
    """The section; if it is a variant, without its expectations."""
    from gdl import syntax

    if not isinstance(section, syntax.Variant):
        return section
    kept = tuple(inner for inner in section.sections if not isinstance(inner, syntax.Known))
    return section.copy_with(sections=kept)
