"""Workers on a cluster of machines, or on this one, by Ray (Moritz et al., Ray: a distributed framework for emerging AI
applications, OSDI 2018). This file alone knows that library."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from time import sleep
from typing import Any
from warnings import filterwarnings

from gdl.errors import Refusal, clean, pip_install
from gdl.processes import safe_path
from gdl.wings.report.cluster.pieces import DEATHS, Job, attempt, given_up, in_order

LOCAL, REMOTE = "local:", "ray://"
SETTINGS = {  # of Ray, unless the environment has others
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is told to anybody
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # and no warning about accelerators
    "RAY_raylet_start_wait_time_s": "120",  # a busy machine takes long to begin
}
TOKEN, TOKEN_FILE = "RAY_AUTH_TOKEN", Path("~/.ray/auth_token")  # of a cluster that asks for one
CONNECTIONS = 3  # tries to connect to a cluster whose server ends the connection
PATIENCE = 20  # seconds for the first processor of a cluster to come
OBJECTS = 128 << 20  # bytes of the store of objects of a cluster on this machine; what is more goes to disk
NEEDS = f"--cluster needs the package ray: {pip_install('gdl[cluster]')}"


class RayWorkers:
    """Workers of Ray: a number of them on this machine (`local:4`), or all of a cluster (`ray://host:10001`)."""

    def __init__(self, where: str, kept: str | None = None):
        """`where`: `local:` and a number, or the address of a cluster. `kept`: the file from which the work can go on,
        for messages; None: there is none."""
        self._kept = kept
        if where.startswith(LOCAL):
            os.environ.setdefault(TOKEN, token_hex(32))  # of this cluster alone: else Ray would leave one in the home
        if TOKEN in os.environ or TOKEN_FILE.expanduser().exists():
            os.environ.setdefault("RAY_AUTH_MODE", "token")
        for name, value in SETTINGS.items():
            os.environ.setdefault(name, value)
        try:
            ray: Any = import_module("ray")
        except ModuleNotFoundError:
            raise Refusal(NEEDS) from None
        filterwarnings("ignore", "Ray Client connection timed out")  # the message below says it
        self._ray = ray
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        try:
            if where.startswith(LOCAL):
                self.count = int(where.removeprefix(LOCAL))
                alone = ray.job_config.JobConfig(_client_job=True)  # else its workers import from the working folder
                quiet |= {"job_config": alone, "include_dashboard": False, "object_store_memory": OBJECTS}
                with safe_path():
                    ray.init("local", num_cpus=self.count, **quiet)
            else:
                _connect(ray, where, quiet)
                self.count = _processors(ray, where)
        except Exception as wrong:  # ray raises exceptions of many kinds, plain ones among them
            self.close()
            if isinstance(wrong, Refusal):
                raise
            help = "--workers does the same work" if where.startswith(LOCAL) else f"if it asks for a token, set {TOKEN}"
            raise Refusal(f"no cluster answers at {clean(where)}: {_cause(wrong).rstrip('.')}; {help}") from None
        self._attempt = ray.remote(max_retries=DEATHS, num_cpus=1)(attempt)

    def map(self, job: Job, pieces: Sequence[Any], common: Any = None) -> Iterator[Any]:
        put, shared = self._ray.put(job), self._ray.put(common)
        return in_order(
            lambda piece: self._attempt.remote(put, shared, piece), self._wait_for_worker, pieces, self.count
        )

    def _wait_for_worker(self, handed: Any) -> tuple[Any, Exception | None]:
        try:
            found: tuple[Any, Exception | None] = self._ray.get(handed)
        except (self._ray.exceptions.WorkerCrashedError, self._ray.exceptions.OutOfMemoryError):
            raise given_up() from None
        except (self._ray.exceptions.RayError, ConnectionError) as wrong:
            goes_on = f"; with --workers the command goes on from {clean(self._kept)}" if self._kept else ""
            raise Refusal(f"the cluster is lost: {_cause(wrong).rstrip('.')}{goes_on}") from None
        return found

    def close(self) -> None:
        self._ray.shutdown()


def _connect(ray: Any, where: str, settings: dict[str, Any]) -> Any:
    """Connect to a cluster. For each client its server starts a process and looks at those of its machine; where one
    ends meanwhile, as on a busy machine, it gives up (psutil.ZombieProcess), and is asked again."""
    for _ in range(CONNECTIONS - 1):
        try:
            return ray.init(where, **settings)
        except ConnectionAbortedError:
            ray.shutdown()
            sleep(1)
    return ray.init(where, **settings)


def _processors(ray: Any, where: str) -> int:
    """The number of processors of a cluster, as soon as it has some. Raises Refusal if none joins."""
    for _ in range(PATIENCE):
        if count := int(ray.cluster_resources().get("CPU", 0)):
            return count
        sleep(1)
    raise Refusal(f"the cluster at {clean(where)} has no processors: no worker has come in {PATIENCE} seconds")


def _cause(wrong: Exception) -> str:
    """The first line of an error's text; if that ends with a colon, also the last one."""
    first, *more = str(wrong).strip().splitlines() or [type(wrong).__name__]
    return clean(f"{first} {more[-1].strip()}" if more and first.endswith(":") else first)
