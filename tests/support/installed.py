"""Packages and wings that are not installed beside gdl, and a package of somebody's own that is."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from gdl import wings
from gdl.compiler import wasm
from gdl.solvers.own_search import named_solver


@contextmanager
def without_module(*names: str) -> Iterator[None]:
    """Within the block, the modules of these names cannot be imported, as where their packages are not installed."""
    with patch.dict(sys.modules, dict.fromkeys(names)):
        wasm.missing.cache_clear()
        try:
            yield
        finally:
            wasm.missing.cache_clear()


@contextmanager
def without_wing(*names: str) -> Iterator[None]:
    """Within the block, these wings of ours are not installed."""
    with without_module(*(f"gdl.wings.{name}.wing" for name in names)):
        wings.wing.cache_clear()
        try:
            yield
        finally:
            wings.wing.cache_clear()


@contextmanager
def package_installed(folder: Path, group: str, points: dict[str, str]) -> Iterator[None]:
    """Within the block, the folder has a package with these entry points of the group: by name, "module:name"."""
    (about := folder / "somebodys-1.0.dist-info").mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: somebodys\nVersion: 1.0\n")
    rows = "".join(f"{name} = {point}\n" for name, point in points.items())
    (about / "entry_points.txt").write_text(f"[{group}]\n{rows}")
    with patch.object(sys, "path", [*sys.path, str(folder)]):
        for cached in (wings.strangers, named_solver):
            cached.cache_clear()
        try:
            yield
        finally:
            for cached in (wings.strangers, named_solver):
                cached.cache_clear()
