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
    """The folder, with such a file for each module of Python and all others that gdl imports, or for these."""
    for name in sorted({*sys.stdlib_module_names, *OTHERS}) if names is None else names:
        (folder / f"{name}.py").write_text(f"open({str(folder / MARK)!r}, 'a').write(__name__ + ' ')\n")
    return folder


def installed(folder: Path) -> list[str]:
    """What starts the program, which is written into a folder of its own."""
    script = folder / "bin" / "gdl"
    script.parent.mkdir()
    script.write_text(SCRIPT)
    return [sys.executable, str(script)]


def imported(folder: Path) -> list[str]:
    """The modules of the folder that somebody has imported."""
    return (folder / MARK).read_text().split() if (folder / MARK).exists() else []
