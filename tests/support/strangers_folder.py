"""A folder of a stranger's: files with the names of modules, each of which leaves a mark when it is imported."""

from __future__ import annotations

import sys
from pathlib import Path

OTHERS = """click gdl highspy lark lsprotocol markdown_it networkx numpy open_spiel pygls pygments ray rich solvers torch
typst wasmtime""".split()
MARK = "imported.txt"
# The program as pip installs it.
SCRIPT = "import sys\nfrom gdl.__main__ import main\nif __name__ == '__main__':\n    sys.exit(main())\n"


def strange(folder: Path, names: list[str] | None = None) -> Path:
    """Put into the folder a file that leaves a mark when it is imported, for each standard module of Python and each
    other module that gdl imports (or for `names` alone). Returns the folder."""
    for name in sorted({*sys.stdlib_module_names, *OTHERS}) if names is None else names:
        (folder / f"{name}.py").write_text(f"open({str(folder / MARK)!r}, 'a').write(__name__ + ' ')\n")
    return folder


def installed(folder: Path) -> list[str]:
    """Write a program that starts gdl into a folder of its own. Returns the command that runs it."""
    script = folder / "bin" / "gdl"
    script.parent.mkdir()
    script.write_text(SCRIPT)
    return [sys.executable, str(script)]


def imported(folder: Path) -> list[str]:
    """The modules of the folder that have been imported, by their marks."""
    return (folder / MARK).read_text().split() if (folder / MARK).exists() else []
