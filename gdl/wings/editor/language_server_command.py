"""gdl lsp: the language server, and the grammars for editors without one."""

from __future__ import annotations

from pathlib import Path

import click

import gdl
from gdl.commands import console
from gdl.commands.help_pages import Command
from gdl.errors import Refusal, clean, pip_install


@click.command(cls=Command)
@click.option("--vscode", metavar="FOLDER", help="Write the extension for Visual Studio Code into this folder instead.")
@click.option("--textmate", is_flag=True, help="Print the grammar for TextMate and its like instead.")
def lsp(vscode: str | None, textmate: bool) -> None:
    """Serve an editor: the Language Server Protocol on standard input and output.

    Editors start it themselves: it shows mistakes as you type, says what names and words mean, completes and renames
    them, and lays files out. Needs the extra gdl[lsp].
    """
    if vscode is not None:
        from gdl.wings.editor.grammars import write_extension

        write_extension(Path(vscode), gdl.__version__)
        console.remark(f"the extension is in {clean(vscode)}: run npm install there, then npx @vscode/vsce package")
    elif textmate:
        from gdl.wings.editor.grammars import textmate_text

        console.answer(textmate_text())
    else:
        _serve()


def _serve() -> None:
    try:
        from gdl.wings.editor.language_server import start
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise Refusal(f"gdl lsp needs the package pygls: {pip_install('gdl[lsp]')}") from None
    start(gdl.__version__)
