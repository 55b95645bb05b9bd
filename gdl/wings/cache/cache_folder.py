"""The folder of what is kept between two starts: entries that are found by a name, and hold only under their key.

An entry is one file, compressed: its key as a line of JSON, then its text. One of another key, such as that of an
earlier text of the same game, is replaced; a damaged one counts as missing. Nothing here fails aloud: where nothing can
be kept, nothing is.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gdl.formats.files import write

FOLDER = "GDL_CACHE"  # the environment variable that names the folder; empty: nothing is kept
LARGEST = 1 << 25  # bytes of an entry that is read, unpacked
MOST = 1 << 26  # bytes of all entries; beyond them the oldest half goes
SUFFIX = ".entry"
NAMES = f"{'[0-9a-f]' * 16}{SUFFIX}*"  # of entries, and of those whose writing was killed


def find_folder() -> Path | None:
    """The folder: what GDL_CACHE names, or `gdl` in the user's folder for caches; None if nothing is to be kept."""
    named = os.environ.get(FOLDER)
    if named is not None:
        return Path(named) if named else None
    usual = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", "")
    if os.path.isabs(usual):
        return Path(usual) / "gdl"
    with suppress(RuntimeError):  # there is no home
        return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "gdl"
    return None


def find_entry(name: str, key: list[object]) -> str | None:
    """The text of the entry with this name; None if there is none with this key."""
    with suppress(OSError, ValueError, zlib.error):
        if not (file := _entry_file(name)).is_file():
            return None
        content = zlib.decompressobj().decompress(file.read_bytes(), LARGEST)
        first, _, text = content.decode().partition("\n")
        return text if first == json.dumps(key) else None
    return None


def keep_entry(name: str, key: list[object], text: str) -> None:
    """Keep a text under a name and a key. What does not fit, or cannot be written, is not kept."""
    content = f"{json.dumps(key)}\n{text}".encode()
    if len(content) < LARGEST:
        with suppress(OSError, ValueError):
            file = _entry_file(name)
            file.parent.mkdir(0o700, parents=True, exist_ok=True)  # texts may be an exam
            write(file, zlib.compress(content, 1))
            _drop_oldest()


def list_entries() -> Iterator[Path]:
    """The files of all entries."""
    where = find_folder()
    yield from [] if where is None else where.glob(NAMES)


def count_bytes() -> int:
    """The bytes of all entries."""
    return sum(_file_bytes(file) for file in list_entries())


def clear_entries() -> int:
    """Remove all entries. Returns their number."""
    removed = 0
    for file in list_entries():
        with suppress(OSError):
            file.unlink()
            removed += 1
    return removed


def _entry_file(name: str) -> Path:
    where = find_folder()
    if where is None:
        raise OSError("nothing is kept")
    data = name.encode(errors="surrogatepass")
    return where / f"{zlib.crc32(data):08x}{zlib.adler32(data):08x}{SUFFIX}"


def _file_bytes(file: Path) -> int:
    with suppress(OSError):
        return file.stat().st_size
    return 0


def _drop_oldest() -> None:
    """Where there are more bytes than MOST, remove the oldest entries until half of that is left."""
    left = count_bytes()
    if left <= MOST:
        return
    with suppress(OSError):
        for file in sorted(list_entries(), key=lambda file: file.stat().st_mtime_ns):
            if left <= MOST // 2:
                return
            left -= _file_bytes(file)
            file.unlink()
