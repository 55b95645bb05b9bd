"""--workers, --cluster and --checkpoint: who does the work of a command in pieces, and where it is kept."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from gdl.commands.command_table import refuse_clashes
from gdl.commands.game_argument import ask
from gdl.errors import clean
from gdl.model.fingerprint import fingerprint
from gdl.playing.loading import Asked, Asking

if TYPE_CHECKING:
    from gdl.wings.report.cluster.pieces import Job, Workers

MOST_PROCESSES = 256
Results = Callable[..., Iterator[Any]]  # called with a job, its pieces, and data common to all pieces


class Staff(NamedTuple):
    """The workers that share the work in pieces: a number of processes or a cluster (both None: this process), and the
    file in which finished pieces are kept (None: they are not)."""

    processes: int | None = None
    cluster: str | None = None
    checkpoint: str | None = None

    @property
    def should_split_work(self) -> bool:
        """True if the work is to be split into pieces."""
        return any(one is not None for one in self)

    @contextmanager
    def hire_workers(self, kept: object = None) -> Iterator[Workers]:
        """Start the workers for the block, and dismiss them at its end. `kept`: the file or the folder from which the
        work can go on, for messages."""
        with redirect_stdout(sys.stderr):  # Ray's threads tell of workers that are lost
            workers = self._workers(None if kept is None else str(kept))
            try:
                yield workers
            finally:
                workers.close()

    def _workers(self, kept: str | None) -> Workers:
        from gdl.wings.report.cluster.pieces import LocalWorker

        if self.cluster is not None:
            from gdl.wings.report.cluster.ray_workers import RayWorkers

            return RayWorkers(self.cluster, kept)
        if self.processes is not None:
            from gdl.wings.report.cluster.processes import ProcessWorkers

            return ProcessWorkers(self.processes)
        return LocalWorker()

    @contextmanager
    def results(self, known: Mapping[str, Any]) -> Iterator[Results]:
        """Yield a function that computes the results of pieces in order; with a checkpoint it continues from there.
        `known` identifies the work."""
        if self.checkpoint is None:
            with self.hire_workers() as workers:
                yield workers.map
            return
        from gdl.wings.report.cluster.journal import journal

        with (
            journal(Path(self.checkpoint), known, "which keeps its checkpoint there") as kept,
            self.hire_workers(self.checkpoint) as workers,
        ):

            def results(job: Job, pieces: Sequence[Any], common: Any = None) -> Iterator[Any]:
                return kept.results(workers, job, pieces, common)

            yield results


def takes_workers() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a command with the options for workers; the command gets a Staff in their place."""

    def with_workers(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run_with_staff(
            *args: Any, processes: int | None, cluster: str | None, checkpoint: str | None, **rest: Any
        ) -> Any:
            refuse_clashes("report", {"workers": processes, "cluster": cluster})
            return command(*args, staff=Staff(processes, cluster, checkpoint), **rest)

        made: Callable[..., Any] = click.option(
            "--checkpoint", metavar="FILE", help="Keep finished work in this file, and continue from it."
        )(run_with_staff)
        made = click.option(
            "--cluster", callback=_check_cluster, metavar="WHERE",
            help="Spread the work over a cluster of Ray, ray://HOST:PORT, or over local:N of its workers here.",
        )(made)  # fmt: skip
        return click.option(
            "--workers", "processes", type=click.IntRange(1, MOST_PROCESSES), metavar="N",
            help="Spread the work over N processes; the answer is the same.",
        )(made)  # fmt: skip

    return with_workers


def _check_cluster(ctx: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """The callback of --cluster: check that the text is local:N or ray://HOST:PORT."""
    if text is None:
        return None
    kind, _, rest = text.partition(":")
    number = rest.isascii() and rest.isdigit() and len(rest) < 4 and 0 < int(rest) <= MOST_PROCESSES
    if not (kind == "local" and number) and not (kind == "ray" and rest[:2] == "//" and rest[2:]):
        raise click.BadParameter(f"'{clean(text[:60])}' is neither local:N nor ray://HOST:PORT")
    return text


def asked_again(by: Asking) -> Asked:
    """The game of the command line, loaded once more in a worker's process, without remarks."""
    with redirect_stderr(io.StringIO()):
        return ask(by, quietly=True)


def known_of(asked: Asked, *names: str) -> dict[str, Any]:
    """The identity of some work for checkpoints: the game with its start, and the contents of the files it uses."""
    after = asked.by.after or ()
    from hashlib import sha256  # which takes longer to begin than a small game to be solved

    files = [sha256(Path(name).read_bytes()).hexdigest() for name in names]
    return {
        "game": fingerprint(asked.loaded.model, (after,) if isinstance(after, str) else after or ()),
        "files": files,
    }
