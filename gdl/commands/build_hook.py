"""The build's steps of its own: it writes the parser's tables beside the grammar (see gdl/syntax/tables.py), and into a
wheel the examples of messages, which in a checkout stand with the tests (see gdl/errors/codes.py), the scripts by which
shells complete (see gdl/commands/completing.py) and the module `solvers` (see solvers/old_name.py)."""

import importlib
import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TablesHook(BuildHookInterface[Any]):
    """The build hook: adds gdl/syntax/grammar.json to the wheel, or writes it into the checkout for an editable
    install. All other files are added only to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)  # gdl runs from its sources, before it is installed
        try:
            tables = importlib.import_module("gdl.syntax.tables")
            text = json.dumps(tables.make(), separators=(",", ":"))
            self._add(f"gdl/syntax/{tables.FILE}", text, build_data)
            codes = importlib.import_module("gdl.errors.codes")
            if version != "editable" and codes.CATALOGUE.is_dir():
                self._add(f"gdl/errors/{codes.PACKED.name}", codes.pack_examples(codes.CATALOGUE), build_data)
            if version != "editable":
                self._add_files_outside(build_data)
        finally:
            sys.path.remove(self.root)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    _folder: TemporaryDirectory[str] | None = None  # folder of the shared files until they are in the wheel

    def _add_files_outside(self, build_data: dict[str, Any]) -> None:
        """Add `solvers`, and the scripts for shells, which gdl makes itself."""
        made: dict[str, str] = importlib.import_module("gdl.commands.cli").shared_files()
        self._folder = TemporaryDirectory()
        for place, text in made.items():
            file = Path(self._folder.name) / place
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="ascii", newline="\n")
            build_data["shared_data"][str(file)] = f"share/{place}"
        old_name = shutil.copy(Path(self.root) / "solvers" / "old_name.py", self._folder.name)
        build_data["force_include"][old_name] = "solvers.py"  # a copy, so that the file itself stays where it is

    def _add(self, path: str, text: str, build_data: dict[str, Any]) -> None:
        (Path(self.root) / path).write_text(text, encoding="utf-8", newline="\n")
        build_data["artifacts"].append(path)
