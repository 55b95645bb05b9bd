"""Python started anew, here and nowhere else: what lies in the working folder, which may be a stranger's, is never
imported by it, whatever its name.

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
    """Python that a library starts in this block, as multiprocessing does, is started so too."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before
