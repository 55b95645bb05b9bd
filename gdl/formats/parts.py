"""Files in a folder that all workers see, by which the pieces of one round of work hand results on to those of the
next.

A part of a file is described by plain data: the file's name, offset, length and checksum. A journal can keep this, and
a piece is told by it what to read. A file appears only when it is complete; if a piece is done again, it writes the
same content.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, BinaryIO
from zlib import crc32

from gdl.errors import DamagedData, clean
from gdl.formats.files import open_fresh

Part = Sequence[Any]  # the name of the file, the first byte, how many, and their checksum


class Writing:
    """A file that is being written; `add` appends parts to it."""

    def __init__(self, name: str, file: BinaryIO):
        self._name, self._file, self._at = name, file, 0

    def add(self, content: Any) -> list[Any]:
        """Append the content to the file; the new part that describes it (file name, offset, length in bytes,
        CRC-32)."""
        data = memoryview(content).cast("B")
        part = [self._name, self._at, len(data), crc32(data)]
        self._file.write(data)
        self._at += len(data)
        return part


@contextmanager
def writing(folder: Path, name: str) -> Iterator[Writing]:
    """A file of that name in the folder, to which the block adds parts; the file appears only when the block has ended
    well."""
    fresh = folder / f"{name}.{os.getpid()}"
    try:
        with open_fresh(fresh) as file:
            yield Writing(name, file)
        os.replace(fresh, folder / name)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise


def is_part(value: Any) -> bool:
    """True if plain data describes a part of a file, whose name is not a path that leads elsewhere."""
    if not isinstance(value, list | tuple) or len(value) != 4:
        return False
    name, *numbers = value
    plain = isinstance(name, str) and name.strip(".") != "" and not set(name) & {"/", "\\", ":", "\0"}
    return plain and all(type(number) is int and 0 <= number < 1 << 63 for number in numbers)


def read(folder: Path, part: Part) -> memoryview:
    """The content of a part. Raises DamagedData if its length or checksum is wrong."""
    name, at, length, check = part
    data = _bytes(folder, name, at, length)
    if len(data) != length or crc32(data) != check:
        raise _damage(folder, name)
    return memoryview(data)


def stretch(folder: Path, part: Part, first: int, length: int) -> memoryview:
    """The `length` bytes from offset `first` of a part; the checksum is not tested."""
    name, at, whole, _ = part
    data = _bytes(folder, name, at + first, length) if first + length <= whole else b""
    if len(data) != length:
        raise _damage(folder, name)
    return memoryview(data)


@contextmanager
def mmap_parts(folder: Path, parts: Sequence[Part], type: str) -> Iterator[list[memoryview]]:
    """Parts of one file as memory-mapped arrays of a type (a code of the module struct), so that only the pages in use
    are read."""
    name = parts[0][0]
    try:
        with open(folder / name, "rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
            whole = memoryview(content)
            views = [whole[at : at + length].cast(type) for _, at, length, _ in parts]  # type: ignore[call-overload]
            try:
                yield views
            finally:
                for view in (*views, whole):
                    view.release()
    except (OSError, ValueError, TypeError):
        raise _damage(folder, name) from None


def _bytes(folder: Path, name: str, at: int, length: int) -> bytes:
    try:
        with open(folder / name, "rb") as file:
            if at + length > os.fstat(file.fileno()).st_size:
                raise _damage(folder, name)
            file.seek(at)
            return file.read(length)
    except OSError:
        raise _damage(folder, name) from None


def _damage(folder: Path, name: str) -> DamagedData:
    where = clean(str(folder))
    return DamagedData(f"{clean(name)} in {where} is not what was written; without that folder the work begins anew")
