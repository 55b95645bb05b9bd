"""`solvers` is the old name of `gdl.solvers`: whoever imports it gets the same modules.

A wheel has a copy of this file beside gdl, `solvers.py`. gdl itself never imports that name, so a folder or a module
`solvers` of somebody else may stand in its place.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType


class OldNames(MetaPathFinder, Loader):
    """An importer that gives the module `gdl.solvers.minimax` for the name `solvers.minimax`, and so on."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        ours = sys.modules.get("solvers") is sys.modules["gdl.solvers"]
        is_old = ours and name.startswith("solvers.") and find_spec(f"gdl.{name}") is not None
        return ModuleSpec(name, self) if is_old else None

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = import_module(f"gdl.{module.__name__}")


sys.modules["solvers"] = import_module("gdl.solvers")
sys.meta_path.insert(0, OldNames())
