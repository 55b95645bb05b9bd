"""Files are written whole or not at all, and a folder by one process at a time.

The new content is written to a temporary file, which replaces the older file when it is complete; if the disk is full
or the process is killed, the older file stays. A folder is protected by a lock of the operating system, which ends with
its process.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from gdl.errors import DamagedData, clean

LOCK = "lock"  # the file in a folder that is held
_NEW = "new"  # ends the name of a file that is not whole yet


def write(file: str | Path, content: str | bytes | memoryview) -> None:
    """Write a file whole or not at all; text is encoded as UTF-8. An older file is replaced only at the end. Raises
    OSError, which names the file."""
    with open_atomic(file) as out:
        out.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def name_in_errors(file: str | Path) -> Iterator[None]:
    """An OSError in the block names the file, unless it names one: that of a failed reading names none."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(file)
        raise


def read_within(file: str | Path, most: int) -> bytes:
    """The content of a file. Raises DamagedData if it has more than `most` bytes."""
    with name_in_errors(file), open(file, "rb") as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise DamagedData(f"{clean(str(file))} is larger than {most:,} bytes")
    return data


@contextmanager
def open_atomic(file: str | Path) -> Iterator[BinaryIO]:
    """A stream for the new content of a file. At the end of the block the content replaces an older file; if the block
    raises, the older file stays."""
    named = Path(file)
    try:
        if named.exists() and not named.is_file():  # such as a device, or a pipe, to which no other name leads
            with open(named, "wb") as out:
                yield out
            return
        target = Path(os.path.realpath(named))  # of a link, what it leads to
        fresh = target.with_name(f"{target.name}.{_NEW}")
        try:
            with open_fresh(fresh) as out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            if target.exists():
                fresh.chmod(stat.S_IMODE(target.stat().st_mode))
            os.replace(fresh, target)
        except BaseException:
            with suppress(OSError):
                fresh.unlink()
            raise
    except OSError as error:
        error.filename, error.filename2 = str(named), None
        raise


def open_fresh(file: Path) -> BinaryIO:
    """Open a new, empty file for writing. A file of that name that is there already, such as the rest of a killed
    process or a stranger's link, is removed first."""
    with suppress(FileNotFoundError):
        file.unlink()
    return open(file, "xb")


@contextmanager
def lock_folder(folder: Path, who: str) -> Iterator[None]:
    """Hold the lock of a folder within the block; the folder is made if it does not exist. Raises DamagedData if
    another process holds it. `who` names this process's work for such messages."""
    folder.mkdir(parents=True, exist_ok=True)
    with _hold_lock(folder / LOCK, folder, who, "folder"):
        yield


@contextmanager
def lock_file(file: Path, who: str) -> Iterator[None]:
    """Hold the lock of a file within the block; the lock is a file beside it. A device, or anything else that is not a
    regular file, is not locked."""
    if file.exists() and not file.is_file():
        yield
        return
    with _hold_lock(file.with_name(f"{file.name}.{LOCK}"), file, who, "file"):
        yield


@contextmanager
def _hold_lock(file: Path, held: Path, who: str, what: str) -> Iterator[None]:
    """Hold the lock `file` within the block. For messages, `held` is what the lock protects, `what` is `file` or
    `folder`, and `who` names this process's work."""
    try:
        import fcntl
    except ImportError:  # on Windows there are no such locks
        yield
        return
    while True:
        try:
            lock = open(file, "a+", encoding="utf-8", opener=_without_links)  # noqa: SIM115  # closed below
        except OSError as error:
            error.filename = str(file if file.is_symlink() else held)
            raise
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            other = clean(lock.read(1000).strip()) or "another process"
            lock.close()
            where = clean(str(held))
            raise DamagedData(f"{where} is being written by {other}; wait for it, or name another {what}") from None
        if _is_still(lock.fileno(), file):
            break
        lock.close()  # who held it took it away meanwhile
    try:
        lock.truncate(0)
        lock.write(f"process {os.getpid()}, {who}\n")
        lock.flush()
        yield
    finally:
        with suppress(OSError):
            file.unlink()
        lock.close()


def _without_links(file: str, flags: int) -> int:
    return os.open(file, flags | os.O_NOFOLLOW, 0o666)


def _is_still(descriptor: int, file: Path) -> bool:
    """True if the open file (its descriptor) is still the one that has the name."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(file))
    except OSError:
        return False
