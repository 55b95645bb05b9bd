"""The language server as real editors meet it, each with what it says it can do: pytest-lsp holds every answer to that."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest

pytest.importorskip("pygls")
pytest.importorskip("pytest_lsp")

import pytest_lsp
from lsprotocol import types
from places import ROOT

EDITORS = ["visual-studio-code", "neovim", "emacs"]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning"),
]


@pytest_lsp.fixture(
    scope="module", params=EDITORS, config=pytest_lsp.ClientServerConfig(server_command=[sys.executable, "-m", "gdl", "lsp"])
)  # fmt: skip
async def client(request: Any, lsp_client: pytest_lsp.LanguageClient) -> AsyncIterator[None]:
    able = pytest_lsp.client_capabilities(request.param)
    await lsp_client.initialize_session(
        types.InitializeParams(capabilities=able, process_id=None, root_uri=ROOT.as_uri())
    )
    yield
    await lsp_client.shutdown_session()


async def opened(client: Any, name: str, text: str | None = None) -> types.TextDocumentIdentifier:
    """A game that the editor shows, perhaps with another text than its file has."""
    file: Path = ROOT / "games" / f"{name}.game"
    item = types.TextDocumentItem(file.as_uri(), "game", 1, file.read_text(encoding="utf-8") if text is None else text)
    told = client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await told
    return types.TextDocumentIdentifier(item.uri)


async def test_every_question_about_a_whole_file_is_answered(client: Any):
    file = await opened(client, "connect_four")
    assert not client.diagnostics[file.uri]
    named = await client.text_document_document_symbol_async(types.DocumentSymbolParams(file))
    assert {"Square", "disc", "drop"} <= {each.name for each in named}
    assert await client.text_document_folding_range_async(types.FoldingRangeParams(file))
    looks = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(file))
    assert len(looks.data) % 5 == 0 and looks.data
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(file))
    assert {"solve", "play", "test"} == {lens.command.title for lens in lenses}
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    (edit,) = await client.text_document_formatting_async(types.DocumentFormattingParams(file, options))
    assert edit.new_text == (ROOT / "games" / "connect_four.game").read_text(encoding="utf-8")


async def test_every_question_about_a_place_is_answered(client: Any):
    file = await opened(client, "othello")
    text = (ROOT / "games" / "othello.game").read_text(encoding="utf-8").splitlines()
    line = next(at for at, row in enumerate(text) if row.startswith("action "))
    place = types.Position(line, len("action "))
    assert (await client.text_document_hover_async(types.HoverParams(file, place))).contents.value
    assert await client.text_document_definition_async(types.DefinitionParams(file, place))
    assert await client.text_document_completion_async(types.CompletionParams(file, place))
    context = types.ReferenceContext(include_declaration=True)
    assert await client.text_document_references_async(types.ReferenceParams(context, file, place))
    assert await client.text_document_prepare_rename_async(types.PrepareRenameParams(file, place))
    edit = await client.text_document_rename_async(types.RenameParams(file, place, "put"))
    assert edit.changes or edit.document_changes


async def test_a_mistake_is_told_with_its_code_and_mended(client: Any):
    text = (ROOT / "games" / "nim.game").read_text(encoding="utf-8")
    file = await opened(client, "nim", text.replace("mover", "mvoer", 1))
    (told,) = client.diagnostics[file.uri]
    assert told.code == "unknown-name" and told.severity == types.DiagnosticSeverity.Error
    context = types.CodeActionContext([told])
    (fix,) = await client.text_document_code_action_async(types.CodeActionParams(file, told.range, context))
    assert [edit.new_text for edit in fix.edit.changes[file.uri]] == ["mover"]


async def test_play_opens_a_page(client: Any):
    file = await opened(client, "tic_tac_toe")
    await client.workspace_execute_command_async(types.ExecuteCommandParams("gdl.play", [file.uri]))
    (asked,) = client.shown_documents
    page = Path(unquote(urlparse(asked.uri).path))
    assert asked.external and "<title>Tic-tac-toe</title>" in page.read_text(encoding="utf-8")
    page.unlink()
