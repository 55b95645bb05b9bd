"""`gdl lsp` as an editor meets it: a process that speaks the Language Server Protocol on its standard streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest

pytest.importorskip("pygls")

from lsprotocol import types
from strangers_folder import imported, installed, strange

from gdl.wings.editor.language_server import Places, Server

URI = "file:///nowhere/heap.game"
TEXT = """\
game "Heap" (most = 3)
players Ann, Bob

state
    left: 0..9 = 9

action take(n: 1..3) when n <= most and n <= left
    left := left - n

terminal
    left = 0 -> win mover

expect perft(1) = 3
expect value = 1
"""


class Editor:
    """An editor as the server sees it: it asks, and is told things meanwhile."""

    def __init__(self, words: list[str], folder: Path) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([*words, "lsp"], stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder)
        self.asked = 0
        self.version = 1
        self.told: list[Any] = []

    def send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def heard(self) -> Any:
        assert self.process.stdout is not None
        length = 0
        while head := self.process.stdout.readline().strip():
            name, _, value = head.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return json.loads(self.process.stdout.read(length))

    def ask(self, method: str, **params: Any) -> Any:
        self.asked += 1
        self.send(id=self.asked, method=method, params=params or None)
        while True:
            message = self.heard()
            if message.get("id") == self.asked and "method" not in message:
                assert "error" not in message, message
                return message["result"]
            if "id" in message:  # it asks back
                shows = message["method"] == "window/showDocument"
                self.send(id=message["id"], result={"success": True} if shows else None)
            self.told.append(message)

    def shown(self, command: str, uri: str, asks: str) -> list[Any]:
        """The requests to show something that the editor gets when a command is run on a file."""
        before = len(self.told)
        self.ask("workspace/executeCommand", command=command, arguments=[uri])
        return [message["params"] for message in self.told[before:] if message["method"] == f"window/{asks}"]

    def refused(self, method: str, params: Any) -> tuple[int, str]:
        """The error that answers a request: its code and its sentence."""
        self.asked += 1
        self.send(id=self.asked, method=method, params=params)
        return self.refusal(self.asked)

    def refusal(self, number: int) -> tuple[int, str]:
        while (message := self.heard()).get("id") != number or "method" in message:
            self.told.append(message)
        return message["error"]["code"], message["error"]["message"]

    def about(self, method: str, **params: Any) -> Any:
        return self.ask(f"textDocument/{method}", textDocument={"uri": URI}, **params)

    def change(self, text: str) -> None:
        self.version += 1
        document = {"uri": URI, "version": self.version}
        self.send(
            method="textDocument/didChange", params={"textDocument": document, "contentChanges": [{"text": text}]}
        )

    def diagnostics(self) -> list[Any]:
        """The problems of the text as it stands, which come as soon as nothing was typed for a moment."""
        while True:
            for message in self.told:
                found = message.get("params", {})
                if message["method"] == "textDocument/publishDiagnostics" and found["version"] == self.version:
                    return list(found["diagnostics"])
            self.told.append(self.heard())


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """In a folder of a stranger's, as editors start their servers."""
    program, folder = installed(tmp_path_factory.mktemp("installed")), tmp_path_factory.mktemp("stranger")
    made = Editor(program, strange(folder))
    abilities = made.ask("initialize", processId=None, rootUri=None, capabilities={})["capabilities"]
    assert {"hoverProvider", "renameProvider", "completionProvider", "semanticTokensProvider"} <= set(abilities)
    made.send(method="initialized", params={})
    document = {"uri": URI, "languageId": "game", "version": 1, "text": TEXT}
    made.send(method="textDocument/didOpen", params={"textDocument": document})
    yield made
    made.ask("shutdown")
    assert made.refused("workspace/symbol", {"query": "a"})[0] == -32600
    made.send(method="exit")
    assert made.process.wait(30) == 0
    assert made.process.stderr is not None and made.process.stderr.read() == b""
    assert imported(folder) == []


def place(word: str, text: str = TEXT) -> Any:
    before = text[: text.index(word)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def applied(text: str, edits: list[Any]) -> str:
    places = Places(text)

    def offset(at: Any) -> int:
        return places.offset(types.Position(at["line"], at["character"]))

    for edit in sorted(edits, key=lambda each: -offset(each["range"]["start"])):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text


@pytest.mark.thorough
def test_wrong_parameters_get_an_error_and_leaving_without_a_shutdown_ends_with_1(tmp_path: Path):
    editor = Editor([sys.executable, "-m", "gdl"], tmp_path)
    editor.ask("initialize", processId=None, rootUri=None, capabilities={})
    wrong: list[Any] = [{}, {"textDocument": 5}, {"textDocument": {"uri": URI}, "position": "1"}, [1], "a"]
    assert [editor.refused("textDocument/hover", params)[0] for params in wrong] == [-32602] * len(wrong)
    assert editor.ask("workspace/symbol", query="a") == []
    editor.send(method="exit")
    assert editor.process.wait(30) == 1


needs_children = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's list of children")


def _children(editor: Editor) -> list[str]:
    """The processes that a server has started and that have not ended."""
    return Path(f"/proc/{editor.process.pid}/task/{editor.process.pid}/children").read_text().split()


def _ends(process: str) -> bool:
    """True if a process soon ends, be it as a zombie that nobody asks for its status."""
    for _ in range(100):
        try:
            if Path(f"/proc/{process}/cmdline").read_bytes() == b"":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


def _begin_a_lens(editor: Editor) -> int:
    """The number of the request. Nobody waits for it meanwhile."""
    editor.asked += 1
    params = {"command": "gdl.solve", "arguments": [URI]}
    editor.send(id=(number := editor.asked), method="workspace/executeCommand", params=params)
    assert "left" in editor.about("hover", position=place("left - n"))["contents"]["value"]
    return number


@needs_children
def test_a_cancel_ends_a_lens(editor: Editor):
    number = _begin_a_lens(editor)
    assert len(_children(editor)) == 1
    editor.send(method="$/cancelRequest", params={"id": number})
    assert editor.refusal(number)[0] == -32800
    editor.about("hover", position=place("left - n"))
    assert _children(editor) == []
    editor.send(method="$/cancelRequest", params={"id": number})  # too late, and no fault


@needs_children
@pytest.mark.thorough
@pytest.mark.parametrize("end", ["exit", "its death"])
def test_a_lens_ends_with_its_editor(tmp_path: Path, end: str):
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    editor = Editor([sys.executable, "-P", "-m", "gdl"], tmp_path)
    editor.ask("initialize", processId=parent.pid, rootUri=None, capabilities={})
    document = {"uri": URI, "languageId": "game", "version": 1, "text": TEXT}
    editor.send(method="textDocument/didOpen", params={"textDocument": document})
    _begin_a_lens(editor)
    (child,) = _children(editor)
    if end == "exit":
        assert editor.ask("shutdown") is None
        editor.send(method="exit")
    else:
        parent.kill()
        parent.wait()
    assert editor.process.wait(20) == (0 if end == "exit" else 1)  # though its standard input is open
    assert _ends(child)
    assert editor.process.stderr is not None and editor.process.stderr.read() == b""
    parent.kill()
    parent.wait()


def test_what_an_editor_cannot_be_told_any_more_is_dropped():
    """The editor is not told over and over that it could not be told."""

    class Gone:
        writes = 0

        def write(self, data: bytes) -> None:
            self.writes += 1
            if self.writes > 1:
                pytest.fail("a fault in sending is sent")
            raise ValueError("I/O operation on closed file")

    server, gone = Server(), Gone()
    server.protocol.set_writer(gone)
    told = types.PublishDiagnosticsParams(URI, [])
    server.text_document_publish_diagnostics(told)
    server.protocol.status = 0
    server.text_document_publish_diagnostics(told)
    assert gone.writes == 1


def test_names(editor: Editor):
    assert "left: 0..9 = 9" in editor.about("hover", position=place("left - n"))["contents"]["value"]
    assert editor.about("definition", position=place("left - n"))["range"]["start"] == place("left: 0")
    found = editor.about("references", position=place("most = 3"), context={"includeDeclaration": True})
    assert [each["range"]["start"]["line"] for each in found] == [0, 6]
    edits = editor.about("rename", position=place("left: 0"), newName="stones")["changes"][URI]
    assert applied(TEXT, edits) == TEXT.replace("left", "stones")
    assert editor.about("prepareRename", position=place("left: 0"))["start"] == place("left: 0")
    wrong = {"most": "the file already has the name", "no name": "is no name", "if": "is a word of the language"}
    for new, reason in wrong.items():
        asked = {"textDocument": {"uri": URI}, "position": place("left: 0"), "newName": new}
        code, told = editor.refused("textDocument/rename", asked)
        assert code == -32803 and reason in told
    at = {"textDocument": {"uri": URI}, "position": place("players")}
    assert editor.refused("textDocument/prepareRename", at) == (-32803, "'players' is no name that this file declares")


@pytest.mark.thorough
def test_a_plain_editor_is_told_plain_text(editor: Editor):
    told = editor.about("hover", position=place("terminal"))["contents"]
    assert told["kind"] == "plaintext" and "`" not in told["value"]


def test_places_and_names_of_all_files(editor: Editor):
    lit = editor.about("documentHighlight", position=place("left - n"))
    assert [each["range"]["start"]["line"] for each in lit] == [4, 6, 7, 7, 10]
    found = editor.ask("workspace/symbol", query="a")
    assert [(each["name"], each["containerName"]) for each in found] == [("Ann", "heap.game"), ("take", "heap.game")]


def test_calls_and_types_are_hinted(editor: Editor):
    text = TEXT.replace(
        "action take",
        "define rest(n: 0..9, m: 0..9) = left - n - m\ndefine whole: 0..9 = rest(0, (left))\n\naction take",
    )
    editor.change(text)
    at = place("(left)", text)
    (told,) = editor.about("signatureHelp", position=at)["signatures"]
    assert told["label"] == "rest(n: 0..9, m: 0..9)" and told["parameters"] == [
        {"label": "n: 0..9"},
        {"label": "m: 0..9"},
    ]
    assert editor.about("signatureHelp", position=at)["activeParameter"] == 1
    assert editor.about("signatureHelp", position=place("n: 0..9, m", text)) is None
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    hints = editor.about("inlayHint", range=everything)
    assert [(hint["label"], hint["position"]) for hint in hints] == [
        (": a number from -18 to 9", place(" = left - n - m", text))
    ]
    editor.change(TEXT)


def test_the_outline_and_the_look(editor: Editor):
    names = [symbol["name"] for symbol in editor.about("documentSymbol")]
    assert names == ["most", "Ann", "Bob", "left", "take"]
    data = editor.about("semanticTokens/full")["data"]
    assert len(data) % 5 == 0 and data[:5] == [0, 0, 4, 0, 0]
    assert {"startLine": 6, "endLine": 7} in editor.about("foldingRange")


def test_completion(editor: Editor):
    items = editor.about("completion", position=place("most and"))
    assert "most" in [item["label"] for item in items]
    left = next(item for item in items if item["label"] == "left")
    assert left["detail"] == "variable" and "0..9" in left["documentation"]


def test_a_mistake_is_shown_and_mended(editor: Editor):
    wrong = TEXT.replace("left - n", "lef - n")
    editor.change(wrong)
    (told,) = editor.diagnostics()
    assert told["code"] == "unknown-name" and told["message"].startswith("no name is called 'lef'")
    assert told["range"]["start"] == place("lef - n", wrong)
    whole = {"start": told["range"]["start"], "end": told["range"]["end"]}
    (fix,) = editor.about("codeAction", range=whole, context={"diagnostics": [told]})
    assert applied(wrong, fix["edit"]["changes"][URI]) == TEXT
    editor.change(TEXT)
    assert editor.diagnostics() == []


def test_a_mistake_can_be_mended_before_it_is_told(editor: Editor):
    wrong = TEXT.replace("left - n", "lef - n")
    editor.change(wrong)
    whole = {"start": place("lef - n", wrong), "end": place(" - n", wrong)}
    (fix,) = editor.about("codeAction", range=whole, context={"diagnostics": []})
    assert applied(wrong, fix["edit"]["changes"][URI]) == TEXT
    editor.change(TEXT)
    assert editor.diagnostics() == []


def test_the_layout(editor: Editor):
    untidy = TEXT.replace(" <= most", "<=most").replace("    left :=", "  left  :=")
    editor.change(untidy)
    options = {"tabSize": 4, "insertSpaces": True}
    assert applied(untidy, editor.about("formatting", options=options)) == TEXT
    editor.change("tree (")
    assert editor.about("formatting", options=options) == []
    editor.change(TEXT)


@pytest.mark.thorough
def test_lenses_solve_and_test(editor: Editor):
    titles = [lens["command"]["title"] for lens in editor.about("codeLens")]
    assert titles == ["solve", "play", "test"]
    told = editor.ask("workspace/executeCommand", command="gdl.solve", arguments=[URI])
    assert "Bob wins 1" in told
    editor.ask("workspace/executeCommand", command="gdl.test", arguments=[URI])
    lenses = {lens["range"]["start"]["line"]: lens["command"]["title"] for lens in editor.about("codeLens")}
    assert lenses[12] == "holds" and "but found -1" in lenses[13]


@pytest.mark.thorough
def test_play_opens_a_page_of_a_folder_that_nobody_else_can_write(editor: Editor):
    (first,) = editor.shown("gdl.play", URI, "showDocument")
    page = Path(urlparse(first["uri"]).path)
    assert first["external"] and "<title>Heap</title>" in page.read_text(encoding="utf-8")
    assert page.parent.stat().st_mode & 0o077 == 0 or os.name == "nt"
    (second,) = editor.shown("gdl.play", URI, "showDocument")
    assert second["uri"] != first["uri"] and not page.exists()


@pytest.mark.thorough
def test_what_could_not_be_written_is_not_opened(editor: Editor):
    uri = "file:///nowhere/wrong.game"
    document = {"uri": uri, "languageId": "game", "version": 1, "text": "players A,,"}
    editor.send(method="textDocument/didOpen", params={"textDocument": document})
    before = len(editor.told)
    (said,) = editor.shown("gdl.play", uri, "showMessage")
    assert said["type"] == 1 and said["message"].startswith("wrong.game:1:")
    assert not [message for message in editor.told[before:] if message["method"] == "window/showDocument"]


@pytest.mark.thorough
def test_characters_beyond_the_first_plane_are_counted_as_editors_do():
    places = Places("# 🂡🂡 a\nb")
    assert places.position(5) == types.Position(0, 7)
    assert places.offset(types.Position(0, 7)) == 5
    assert places.offset(types.Position(9, 0)) == 8
