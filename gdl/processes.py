"""Starting Python as another process, here and nowhere else: nothing is imported from the working folder, which may be
a stranger's.

Python that is started by `-m` or `-c` looks for modules in the working folder first, unless it is told not to.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_SAFE_PATH = "PYTHONSAFEPATH"  # in the environment it means what -P means on the command line


def python_command(*words: str) -> list[str]:
    """The command line that runs Python with these words, such as `-m gdl`."""
    return [sys.executable, "-P", *words]


@contextmanager
def safe_path() -> Iterator[None]:
    """A block in which Python processes that a library starts, as multiprocessing does, do not look for modules in the
    working folder."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before
