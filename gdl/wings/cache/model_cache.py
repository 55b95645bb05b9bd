"""Models and their code, kept between two starts: of a game file that has not changed, and of the same gdl.

A model is kept under the text of its file, its settings and its variant; its code under that and what was asked for.
The code's records share what they have of the model, so an entry of code is read with the things of the model at hand.
A file that is made from others of its folder is not kept, since these may change.
"""

from __future__ import annotations

import os
import re
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from gdl import syntax
from gdl.errors.installed import package_folder
from gdl.formats.game_files import described, shipped
from gdl.model.games import MatrixModel, Model, RulesModel, TreeModel
from gdl.playing.loading import Read, read_model
from gdl.wings.cache import cache_folder
from gdl.wings.cache.record_codec import NotKept, decode_things, encode_thing

LARGEST = 1 << 18  # characters of a file whose model is kept
MODELS = 8  # of this process whose code can be kept


class _Kept(NamedTuple):
    """A model of this process that is kept: its key, and the things in its text."""

    model: Model
    key: list[object]
    things: list[Any]


_recent: deque[_Kept] = deque(maxlen=MODELS)


def find_model(text: str, name: str, folder: Path | None, settings: Mapping[str, Any], variant: str | None) -> Read:
    """The description of a game file, its model and the warnings about it: kept ones, or else those of `read_model`."""
    if (key := key_of_file(text, name, folder, settings, variant)) is None:
        return read_model(text, name, folder, settings, variant)
    if found := kept_things(f"model of {key[1]}", key):
        model, warnings = found[-1] if isinstance(found[-1], tuple) and len(found[-1]) == 2 else (None, ())
        if isinstance(model, RulesModel | TreeModel | MatrixModel):  # else the text is of other things
            _recent.append(_Kept(model, key, found))
            return UnreadDescription(lambda: described(text, name, folder)), model, warnings
    description, model, warnings = read_model(text, name, folder, settings, variant)
    if things := keep_thing(f"model of {key[1]}", key, (model, warnings), folder and description):
        _recent.append(_Kept(model, key, things))
    return description, model, warnings


def find_code(model: Model, asked: tuple[bool, ...], make: Callable[[], Any]) -> Any:
    """The code of a model, as it is `asked` for: kept, or else made by `make()`."""
    kept = next((kept for kept in list(_recent) if kept.model is model), None)
    if kept is None:
        return make()
    name, key = f"code of {kept.key[1]} {asked}", [*kept.key, *asked]
    from gdl.compiler.ir.module import Module  # which whoever reads a model alone does not need
    from gdl.compiler.lower import Lowered

    found = kept_things(name, key, kept.things)
    if found and isinstance(found[-1], Lowered):
        return found[-1]
    made = make()
    plain = Module(*(getattr(made.module, field.name) for field in fields(Module)))  # all its functions are read
    keep_thing(name, key, replace(made, module=plain), known=kept.things)
    return made


def key_of_file(
    text: str, name: str, folder: Path | None, settings: Mapping[str, Any], variant: str | None
) -> list[object] | None:
    """The key of a game file as it is asked for: this gdl, the words for what is asked for, the text. None if nothing
    of it is kept."""
    of_file = folder is not None or (re.fullmatch(r"\w+", name) and name in shipped())  # which takes a while to list
    if not of_file or len(text) > LARGEST or cache_folder.find_folder() is None:
        return None
    with suppress(OSError):  # the working folder may be gone
        asked = f"{os.path.abspath(name)} {sorted(settings.items())!r} {variant!r}"
        return [_version_stamp(), asked, text, name, str(folder)]
    return None


def kept_things(called: str, key: list[object], known: Sequence[Any] = ()) -> list[Any] | None:
    """The things of an entry, the whole last; None if there is none."""
    found = cache_folder.find_entry(called, key)
    try:
        return None if found is None else decode_things(found, known)
    except NotKept:
        return None


def keep_thing(
    called: str, key: list[object], thing: Any, description: Any = None, known: Sequence[Any] = ()
) -> list[Any] | None:
    """Keep a thing that was made of a description. Returns all that is in it, behind what is `known`; None where it is
    not kept, such as what was made of several files that may change."""
    if description and _names_files(description):
        return None
    try:
        written, things = encode_thing(thing, known)
    except NotKept:
        return None
    cache_folder.keep_entry(called, key, written)
    return things


def _names_files(description: syntax.Description) -> bool:
    """True if a file begins from another, or uses one, so far as its sections or its words show."""
    own = description.span.source
    if any(section.span.source is not own for section in description.sections):
        return True
    heads = [section.span.text for section in description.sections if isinstance(section, syntax.Game)]
    return any(re.search(r"\bfrom\b", head) for head in heads) or bool(re.search(r"(?m)^\s*use\b", own.text))


class UnreadDescription(syntax.Description):
    """The sections of a file whose model was kept. Whoever asks for any attribute has the file parsed, and it becomes
    a plain Description."""

    def __init__(self, read: Callable[[], syntax.Description]):
        self.__dict__["read"] = read

    def __getattribute__(self, name: str) -> Any:
        own = object.__getattribute__(self, "__dict__")
        read = own.get("read")
        if read is not None:  # another thread may be here too: nothing is taken away before all is there
            own.update(vars(read()))
            object.__setattr__(self, "__class__", syntax.Description)
            own.pop("read", None)
        return object.__getattribute__(self, name)

    def __eq__(self, other: object) -> bool:
        vars(self)  # which reads it: from here on it is a plain one
        return self == other

    def __hash__(self) -> int:
        vars(self)
        return hash(self)


@cache
def _version_stamp() -> str:
    """The text that tells this gdl from another: its version, its folder, and its files with their times and sizes,
    where somebody may work in them: in a checkout all, else the games."""
    from gdl import __version__

    root = package_folder()
    beside = root.parent / "games"
    folders = [root, beside] if (root.parent / "pyproject.toml").exists() and beside.is_dir() else [root / "games"]
    files = sum(_file_stamps(str(folder)) for folder in folders)
    return f"{__version__} {sys.version_info[:2]} {root} {os.stat(root).st_mtime_ns} {files}"


def _file_stamps(folder: str) -> int:
    """The sum of a number for each file in a folder and in those below it, which follows from its path, time, size."""
    found = 0
    with suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                found += _file_stamps(entry.path) if entry.name != "__pycache__" else 0
            else:
                held = entry.stat(follow_symlinks=False)
                found += crc32(f"{entry.path} {held.st_mtime_ns} {held.st_size}".encode(errors="surrogatepass"))
    return found
