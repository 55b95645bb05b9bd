"""The build's one step of its own: write the parser's tables beside the grammar (see gdl/syntax/tables.py)."""

import importlib.util
import json
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TablesHook(BuildHookInterface[Any]):
    """Adds gdl/syntax/grammar.json to the wheel; an editable install gets it in the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = Path(self.root) / "gdl" / "syntax"
        spec = importlib.util.spec_from_file_location("gdl_tables", folder / "tables.py")
        assert spec is not None and spec.loader is not None
        tables = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(tables)
        file = folder / tables.FILE
        file.write_text(json.dumps(tables.make(), separators=(",", ":")), encoding="utf-8")
        build_data["artifacts"].append(f"gdl/syntax/{tables.FILE}")
