"""The playground of the site: a page on which a game is written, checked, drawn, solved and played, by gdl itself in
the browser's Python.

Python for browsers (Pyodide) and the editor (CodeMirror) are packages of npm, which whoever builds the site installs
into a folder; from there they are copied, so that the page asks nothing of a network.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from gdl.errors import Refusal, clean, limits
from gdl.formats.files import write
from gdl.formats.game_files import libraries, shipped
from gdl.render.page import PRESENT, csp_hash, page_file, style_sheet
from gdl.states.components import reached_from
from gdl.syntax.lexer import OUTCOMES, POSITION_WORDS, QUANTIFIERS, SECTIONS, STATEMENTS, WORDS
from gdl.wings.page.play_page import policy

EDITOR = ("codemirror", "@codemirror/autocomplete", "@codemirror/language", "@codemirror/lint", "@codemirror/state",
          "@codemirror/view", "@lezer/highlight")  # fmt: skip
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PACKAGES = ("gdl", "gdl.solvers", "lark", "click")  # of Python, all that gdl needs to read, play, solve and ask
NONCE = "editor"  # for the styles that the editor makes
LEFT_OUT = {"__pycache__", "pictures"}


def write_playground(folder: Path, npm: Path) -> None:
    """Write the playground into a folder; `npm` is where `npm install pyodide codemirror@6.0.2` was run.

    Raises Refusal where a package is missing there.
    """
    modules = npm / "node_modules"
    missing = [name for name in ("pyodide", *EDITOR) if not (modules / name / "package.json").is_file()]
    if missing:
        where = clean(str(npm))
        raise Refusal(f"{where} has no {', '.join(missing)}: npm install --prefix {where} pyodide codemirror@6.0.2")
    for name in PYODIDE:
        if (modules / "pyodide" / name).is_file():
            write_below(folder / "pyodide" / name, (modules / "pyodide" / name).read_bytes())
    imports = {name: f"./editor/{_copy_module(modules, name, folder)}" for name in _with_dependencies(modules, EDITOR)}
    words = {"sections": SECTIONS, "statements": STATEMENTS, "reserved": {*WORDS, *QUANTIFIERS, *OUTCOMES}}
    words |= {head: frozenset(others) for head, others in POSITION_WORDS.items()}
    import_map, style = json.dumps({"imports": imports}), style_sheet("playground")
    parts = {"imports": import_map, "words": json.dumps({kind: sorted(found) for kind, found in words.items()})}
    styles, scripts = f" '{csp_hash(style)}' 'nonce-{NONCE}'", f" 'self' '{csp_hash(import_map)}'"
    more = policy(styles, scripts, " 'self'; frame-src blob:; img-src 'self' data:")
    parts |= {"style": style, "most": str(limits.SOURCE), "policy": more}
    write(folder / "playground.js", PRESENT + page_file("gdl.wings.exam", "asking.js") + site_file("playground.js"))
    write(folder / "worker.js", site_file("worker.js"))
    write(folder / "index.html", Template(site_file("playground.html")).substitute(parts))
    zip_packages(folder / "gdl.zip")


def _with_dependencies(modules: Path, names: Sequence[str]) -> list[str]:
    """The names of packages with all that they depend on."""

    def needs(name: str) -> Iterable[str]:
        told = json.loads((modules / name / "package.json").read_text(encoding="utf-8"))
        return list(told.get("dependencies", ()))

    return sorted(reached_from(names, needs))


def _copy_module(modules: Path, name: str, folder: Path) -> str:
    """Copy the module of a package into the folder, and return its name there."""
    told = json.loads((modules / name / "package.json").read_text(encoding="utf-8"))
    target = name.removeprefix("@").replace("/", "-") + ".js"
    module = (modules / name / _module(told)).resolve()
    if not module.is_relative_to((modules / name).resolve()):
        raise Refusal(f"the package {name} names a file that is not in it: {clean(str(module))}")
    write_below(folder / "editor" / target, module.read_bytes())
    return target


def _module(told: Mapping[str, Any]) -> str:
    """The file of a package that browsers import."""
    exports = told.get("exports", {})
    offered = exports.get("import", "") if isinstance(exports, dict) else exports
    found: str = told.get("module") or (offered if isinstance(offered, str) else "") or told["main"]
    return found


def write_below(file: Path, content: str | bytes) -> None:
    """Write a file; the folder in which it lies is made if it is not there."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write(file, content)


def zip_packages(target: Path) -> None:
    """The Python packages as one archive, the same bytes each time."""
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, file in sorted(_python_files().items()):
            archive.writestr(ZipInfo(name), file.read_bytes(), ZIP_DEFLATED)


def _python_files() -> dict[str, Path]:
    """The files of the archive, by their names in it."""
    found: dict[str, Path] = {}
    for package in PACKAGES:
        spec = find_spec(package)
        assert spec is not None and spec.origin is not None
        root = Path(spec.origin).parent
        for file in sorted(root.rglob("*")):
            if file.is_file() and not LEFT_OUT & set(file.parts) and file.suffix not in (".pyc", ".so", ".pyd"):
                found[f"{package.replace('.', '/')}/{file.relative_to(root).as_posix()}"] = file
    for folder, games in (("games", shipped()), ("games/libraries", libraries())):
        found |= {f"{folder}/{file.name}": file for file in games.values()}
    found["solvers.py"] = found["gdl/solvers/old_name.py"]
    return found


def site_file(name: str) -> str:
    """The content of a file of the site, which the package contains."""
    return page_file("gdl.wings.page", f"site_files/{name}")
