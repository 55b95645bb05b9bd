"""The folder in which gdl is installed: its grammar, its games, its manual and the text of its kernels lie there.

Where gdl is imported from a zip archive, as `python -m zipapp` makes one, there is no such folder. Python reads the
modules in the archive by itself; all files are then unpacked into a temporary folder for this process, once they are
asked for, and removed when it ends.
"""

from functools import cache
from pathlib import Path


@cache
def package_folder() -> Path:
    """The folder of gdl's files.

    Returns:
        The folder of the package, or of its copy where the package is in an archive.
    """
    folder = Path(__file__).parents[1]
    if folder.is_dir():
        return folder
    from atexit import register
    from shutil import unpack_archive
    from tempfile import TemporaryDirectory

    unpacked = TemporaryDirectory(prefix="gdl-")
    register(unpacked.cleanup)
    unpack_archive(next(parent for parent in folder.parents if parent.is_file()), unpacked.name, "zip")
    return Path(unpacked.name) / "gdl"
