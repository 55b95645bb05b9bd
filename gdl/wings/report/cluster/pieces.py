"""Work cut into numbered pieces: what workers of any kind and number do alike.

1. A job says, as plain data, what every worker prepares once, such as a game to be read and compiled, or a player.
2. A round has many pieces, and something that they have in common, such as the weights that all play with. The result
   of a piece follows from job, common part and piece alone, whichever worker does it, and however often.
3. Results are handed back in the order of the pieces, whatever the order in which they were done.

So one worker, four workers, and workers some of which are killed come to the same bytes: a piece whose worker is gone
is done once more by another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol, TypeVar

from gdl.errors import Refusal

AHEAD = 2  # pieces for each worker that are handed out before the first of them is done
DEATHS = 30  # workers that may be lost one after the other before a piece is given up

PieceFunction = Callable[[Any, Any], Any]  # what a round has in common, and a piece -> the result
_numbers = count()
_prepared: dict[int, PieceFunction] = {}  # of this process: by number, the job that was prepared last
Handed = TypeVar("Handed")


@dataclass(frozen=True)
class Job:
    """The work that pieces belong to: `prepare`, a function of a module, makes from `about` the function that does a
    piece. Both are sent to other processes; `number` tells jobs apart."""

    prepare: Callable[[Any], PieceFunction]
    about: Any
    number: int = field(default_factory=lambda: next(_numbers))


class Workers(Protocol):
    """Workers that do the pieces of jobs."""

    def map(self, job: Job, pieces: Sequence[Any], common: Any = None) -> Iterator[Any]:
        """The results, in the order of the pieces. An exception that a piece raises is raised when its turn comes."""
        ...

    def close(self) -> None:
        """End the workers."""
        ...


class LocalWorker:
    """A worker that is this process itself, and does one piece after the other."""

    def map(self, job: Job, pieces: Sequence[Any], common: Any = None) -> Iterator[Any]:
        do = _done_by(job)
        for piece in pieces:
            yield do(common, piece)

    def close(self) -> None:
        pass


def attempt(job: Job, common: Any, piece: Any) -> tuple[Any, Exception | None]:
    """Do a piece in the process of a worker. Returns the result and None, or None and the exception that was raised.
    (An exception that a library carries from process to process is often another one there.)"""
    try:
        return _done_by(job)(common, piece), None
    except Exception as fault:
        return None, fault


def _done_by(job: Job) -> PieceFunction:
    """The function that does the pieces of a job in this process; it is prepared if the process has not done so."""
    if job.number not in _prepared:
        _prepared.clear()
        _prepared[job.number] = job.prepare(job.about)
    return _prepared[job.number]


def in_order(
    hand_out: Callable[[Any], Handed], wait: Callable[[Handed], tuple[Any, Exception | None]], pieces: Sequence[Any],
    workers: int,
) -> Iterator[Any]:  # fmt: skip
    """The results of pieces in order. At most AHEAD pieces per worker are handed out at a time."""
    waiting: deque[Handed] = deque()
    rest = iter(pieces)
    while True:
        while len(waiting) < AHEAD * workers and (piece := next(rest, waiting)) is not waiting:
            waiting.append(hand_out(piece))
        if not waiting:
            return
        result, fault = wait(waiting.popleft())
        if fault is not None:
            raise fault
        yield result


def given_up() -> Refusal:
    """The refusal where one worker after the other is lost."""
    return Refusal(
        f"{DEATHS} workers were lost one after the other, as where there is too little memory; fewer workers need less"
    )
