"""A journal of the results of a job's pieces, kept in a file, from which the job resumes after Ctrl-C, limit or kill.

The file has a line for each piece, in their order, after a line that says which work it is. A line begins with its
own checksum; results are JSON. What a kill has left of the last line is cut off, and its piece done again.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from gdl.errors import DamagedData, Refusal, clean
from gdl.formats import files
from gdl.formats.resuming import MOST_LINE, read_line, write_line
from gdl.wings.report.cluster.pieces import Job, Workers

VERSION = 1
COMPACT = (",", ":")


class Journal:
    """The results that a journal's file holds, and those that are added to it."""

    def __init__(self, file: BinaryIO, held: Sequence[Any]):
        self._file = file
        self._held = deque(held)

    def results(self, workers: Workers, job: Job, pieces: Sequence[Any], common: Any = None) -> Iterator[Any]:
        """The results of pieces in order: those in the journal first, then new ones, each written to the journal at
        once."""
        kept = [self._held.popleft() for _ in range(min(len(self._held), len(pieces)))]
        yield from kept
        if len(kept) == len(pieces):
            return
        for result in workers.map(job, pieces[len(kept) :], common):
            self._file.write(write_line(result, COMPACT))
            self._file.flush()
            yield result


@contextmanager
def journal(file: Path, known: Mapping[str, Any], who: str) -> Iterator[Journal]:
    """Open the journal of the work that `known` describes, or begin it; `who` says what the holder of its lock does,
    for a message. Raises Refusal if the file belongs to other work, DamagedData if it is no journal or another process
    is using it."""
    header = json.loads(json.dumps({"what": "gdl pieces", "version": VERSION, **known}))
    with files.lock_file(file, who):
        if not file.exists():
            files.write(file, write_line(header, COMPACT))
        with open(file, "r+b") as stream:
            with files.name_in_errors(file):
                held, whole = _read(stream, file, header)
            stream.seek(whole)
            stream.truncate()
            yield Journal(stream, held)


def _read(stream: BinaryIO, file: Path, header: Mapping[str, Any]) -> tuple[list[Any], int]:
    """The results of the whole lines, and the offset in bytes where these end."""
    first = stream.readline(MOST_LINE)
    found = read_line(first)
    if not isinstance(found, dict) or found.get("what") != header["what"]:
        raise DamagedData(f"{clean(str(file))} is damaged, or no checkpoint; without it the work begins anew")
    if found != header:
        raise Refusal(f"{clean(str(file))} is of another game, or of other options: name another with --checkpoint")
    held, whole = [], len(first)
    while line := stream.readline(MOST_LINE):
        result = read_line(line)
        if result is None:
            if stream.read(1):
                raise DamagedData(f"{clean(str(file))} is damaged; without it the work begins anew")
            break
        held.append(result)
        whole += len(line)
    return held, whole
