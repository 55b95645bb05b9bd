"""The extension for Visual Studio Code: a folder of small files, of which one, the grammar, is made from the lexer."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from gdl.formats.files import write
from gdl.web.grammars import textmate_text

KEPT = ("package.json", "language-configuration.json", "extension.js", "LICENSE")


def write_extension(folder: Path, version: str) -> None:
    """Write the extension, of this version of gdl, into a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in KEPT:
        text = files("gdl.web").joinpath(f"vscode/{name}").read_text(encoding="utf-8")
        write(folder / name, text.replace('"VERSION"', f'"{version}"'))
    write(folder / "game.tmLanguage.json", textmate_text() + "\n")
