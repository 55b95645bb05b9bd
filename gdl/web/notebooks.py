"""The notebook of the manual as a page of the site: JupyterLite, with gdl itself in the browser's Python.

JupyterLite is the extra gdl[notebooks]. Python for browsers (Pyodide) and the wheels that notebooks need there lie in a
folder, brought by npm and pip; all of it is copied, so that the page asks nothing of a network.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections.abc import Mapping
from email.message import Message
from email.parser import Parser
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile, ZipInfo

from gdl.errors import Refusal, clean, pip_install
from gdl.formats.files import write
from gdl.processes import python_command
from gdl.web.playground import PYODIDE, write_below, zip_packages

FOLDER = "jupyterlite"
PAGE = f"{FOLDER}/notebooks/index.html?path=notebook.ipynb"  # in the site
NEEDED = ("jupyterlite_core", "jupyterlite_pyodide_kernel", "jupyter_server")
WHEELS = ("ipython", "jedi", "comm", "micropip", "click", "networkx")  # and the packages that these need
_KERNEL = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}


def write_notebooks(folder: Path, notebook: Path, source: Path, version: str) -> None:
    """Write a folder in which the notebook opens; `source` is where Pyodide and the wheels were brought, and `version`
    that of gdl.

    Raises Refusal where something is missing, with the command that brings it, and where JupyterLite fails.
    """
    modules, wheels = source / "node_modules" / "pyodide", sorted((source / "wheels").glob("*.whl"))
    where = clean(str(source))
    if missing := [name.replace("_", "-") for name in NEEDED if find_spec(name) is None]:
        raise Refusal(f"the notebook needs the packages {', '.join(missing)}: {pip_install('gdl[notebooks]')}")
    if not (modules / "package.json").is_file():
        raise Refusal(f"{where} has no pyodide: npm install --prefix {where} pyodide")
    if not wheels:
        python = "--platform any --only-binary=:all: --python-version 3.14"
        raise Refusal(f"{where} has no wheels: pip download -d {where}/wheels {python} {' '.join(WHEELS)}")
    with TemporaryDirectory() as made:
        lite = Path(made)
        python_folder = lite / "static" / "pyodide"
        for name in PYODIDE:
            if (modules / name).is_file():
                write_below(python_folder / name, (modules / name).read_bytes())
        for wheel in wheels:
            write(python_folder / wheel.name, wheel.read_bytes())
        _wheel_of_gdl(python_folder, version)
        told = json.loads((modules / "pyodide-lock.json").read_text(encoding="utf-8"))
        told["packages"] = _packages(python_folder)
        write(python_folder / "pyodide-lock.json", json.dumps(told))
        page = json.loads(notebook.read_text(encoding="utf-8"))
        page["metadata"]["kernelspec"] = _KERNEL
        write_below(lite / "contents" / notebook.name, json.dumps(page))
        write(lite / "jupyter-lite.json", json.dumps(_settings()))
        _built(lite, folder)


def _settings() -> Mapping[str, Any]:
    """JupyterLite's settings: gdl is loaded when a notebook begins, and packages are looked for nowhere else."""
    kernel = {"loadPyodideOptions": {"packages": ["gdl"]}, "disablePyPIFallback": True}
    plugins = {"@jupyterlite/pyodide-kernel-extension:kernel": kernel}
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": {"litePluginSettings": plugins}}


def _built(lite: Path, folder: Path) -> None:
    """Let JupyterLite build the folder, without source maps."""
    words = python_command("-m", "jupyterlite_core", "build", "--lite-dir", str(lite), "--apps", "notebooks")
    words += ["--contents", str(lite / "contents"), "--output-dir", str(folder.resolve())]
    words += ["--no-unused-shared-packages", "--no-sourcemaps"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    done = subprocess.run(words, cwd=lite, capture_output=True, text=True, errors="replace", env=environment)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise Refusal(f"JupyterLite cannot build the notebooks: {clean(lines[-1] if lines else 'it says nothing')}")


def _wheel_of_gdl(folder: Path, version: str) -> None:
    """Write gdl as a wheel, with the packages that the playground runs."""
    wheel = folder / f"gdl-{version}-py3-none-any.whl"
    zip_packages(wheel)
    with ZipFile(wheel, "a") as archive:
        about = f"Metadata-Version: 2.1\nName: gdl\nVersion: {version}\n"
        about += "Requires-Dist: click\nRequires-Dist: networkx\n"
        for name, text in (("METADATA", about), ("WHEEL", "Wheel-Version: 1.0\n"), ("RECORD", "")):
            archive.writestr(ZipInfo(f"gdl-{version}.dist-info/{name}"), text)


def _packages(folder: Path) -> dict[str, Mapping[str, Any]]:
    """The wheels of a folder as Pyodide lists them."""
    found = {}
    for wheel in sorted(folder.glob("*.whl")):
        with ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if ".dist-info/" not in name and ".data/" not in name]
            about = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            told = Parser().parsestr(archive.read(about).decode())
        found[_canonical(told["Name"])] = told, wheel, sorted({n.split("/")[0].removesuffix(".py") for n in names})
    return {
        name: {
            "name": told["Name"], "version": told["Version"], "file_name": wheel.name, "install_dir": "site",
            "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(), "imports": imports,
            "depends": [needed for needed in _needs(told) if needed in found], "package_type": "package",
            "unvendored_tests": False,
        }
        for name, (told, wheel, imports) in found.items()
    }  # fmt: skip


def _needs(told: Message) -> list[str]:
    """The packages that a package requires, those of its extras left out."""
    rows = [row for row in told.get_all("Requires-Dist") or [] if "extra ==" not in row.partition(";")[2]]
    return [_canonical(re.split(r"[^\w.-]", row, maxsplit=1)[0]) for row in rows]


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
