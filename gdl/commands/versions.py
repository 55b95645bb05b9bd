"""gdl --version: what is installed here, for a report or for whoever wonders why gdl is slow."""

from __future__ import annotations

import platform
import sys
from importlib import metadata

import gdl
from gdl import wings
from gdl.commands import console
from gdl.errors import clean, pip_install
from gdl.formats.answer_records import VersionAnswer

EXTRAS = {  # extra -> the library that it brings
    "lp": "highspy", "lsp": "pygls", "manual": "rich", "mcp": "mcp", "pictures": "typst",
    "pettingzoo": "pettingzoo", "gymnasium": "gymnasium", "openspiel": "open_spiel",
}  # fmt: skip


def tell() -> None:
    """Print the versions, line by line; as one JSON object if that is asked for."""
    from gdl.compiler import wasm

    missing = wasm.missing()
    engine = (
        f"the compiled one runs as Python, which is slow; {missing}"
        if missing
        else f"wasmtime {_version_of('wasmtime')}"
    )
    machine = f"{sys.platform} {platform.machine()}"
    rows = {
        "python": f"{platform.python_version()} ({platform.python_implementation()}, {machine})",
        "engine": engine,
        **{extra: _extra(extra, library) for extra, library in EXTRAS.items()},
    }
    rows = {name: clean(text) for name, text in rows.items()}
    if console.is_json():
        console.answer_json(VersionAnswer(gdl.__version__, rows.pop("python"), rows.pop("engine"), rows))
        return
    if kept := wings.call_hook("the size of what is kept"):
        rows["kept"] = clean(kept)
    width = max(map(len, rows)) + 2
    lines = [f"gdl, version {gdl.__version__}", *(f"{name:{width}}{text}" for name, text in rows.items())]
    console.answer("\n".join(lines))


def _extra(extra: str, library: str) -> str:
    """The version of the extra's library, or how to install it."""
    version = _version_of(library)
    return f"{library} {version}" if version else f"missing: {pip_install(f'gdl[{extra}]')}"


def _version_of(library: str) -> str:
    """The version of an installed library; "" if it is not installed."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return ""
