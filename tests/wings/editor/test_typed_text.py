"""`gdl lsp` counts as it has said, in the text as the editor has it, and while that is being typed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from test_language_server import Editor

from gdl.wings.editor.completion import Offer, completions
from gdl.wings.editor.document import Document
from gdl.wings.editor.hover import signature
from gdl.wings.editor.renaming import consequence, refusal

RULES = """\
# {remark}
players Ann, Bob

state
    left: 0..5 = 5

action take(n: 1..2) as "{text}: {{n}}" when n <= left
    left := left - n

terminal
    no actions -> lose mover
"""
CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


class Typist(Editor):
    """An editor that has agreed on an encoding, and holds its texts as bytes of it."""

    def __init__(self, folder: Path, wishes: list[str] | None):
        super().__init__([sys.executable, "-P", "-m", "gdl"], folder)
        self.folder = folder
        general = {"general": {"positionEncodings": wishes}} if wishes else {}
        said = self.ask("initialize", processId=None, rootUri=None, capabilities=general)["capabilities"]
        self.codec = CODECS[said.get("positionEncoding", "utf-16")]
        self.unit = len("a".encode(self.codec))
        self.send(method="initialized", params={})

    def open(self, text: str, name: str = "a.game") -> str:
        uri = (self.folder / name).as_uri()
        document = {"uri": uri, "languageId": "game", "version": 1, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": document})
        return uri

    def place(self, text: str, offset: int) -> dict[str, int]:
        before = re.split("\r\n|\r|\n", text[:offset])
        return {"line": len(before) - 1, "character": len(before[-1].encode(self.codec)) // self.unit}

    def applied(self, text: str, edits: list[Any]) -> str:
        lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)
        for edit in sorted(edits, key=lambda each: -each["range"]["start"]["character"]):
            start, end = edit["range"]["start"], edit["range"]["end"]
            assert start["line"] == end["line"]
            line = lines[start["line"]].encode(self.codec)
            first, last = (place["character"] * self.unit for place in (start, end))
            new = edit["newText"].encode(self.codec)
            lines[start["line"]] = (line[:first] + new + line[last:]).decode(self.codec)
        return "".join(lines)

    def renamed(self, uri: str, text: str, old: str, new: str, at: int | None = None) -> str:
        place = self.place(text, text.index(old) if at is None else at)
        found = self.ask("textDocument/rename", textDocument={"uri": uri}, position=place, newName=new)
        return self.applied(text, found["changes"][uri])


@pytest.fixture(params=[None, ["utf-8", "utf-16", "utf-32"], ["utf-32", "utf-16"]], ids=["none", "utf-8", "utf-32"])
def typist(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Typist]:
    yield from served(tmp_path, request.param)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Typist]:
    """One process for all tests; each opens its files anew."""
    yield from served(tmp_path_factory.mktemp("typed"), None)


def served(folder: Path, wishes: list[str] | None) -> Iterator[Typist]:
    made = Typist(folder, wishes)
    yield made
    made.ask("shutdown")
    made.send(method="exit")
    made.process.communicate(timeout=60)
    assert made.process.returncode == 0


@pytest.mark.thorough_of("none", "utf-32")
def test_a_rename_changes_the_name_alone(typist: Typist):
    texts = ("plain", "n😀", "Re\u0301mi, Zoe\u0308", "\u1112\u1161\u11ab", "甲 é", "A\u0300\u0323 x\u0302")
    for number, text in enumerate(texts):
        for change in (
            lambda t: t,
            lambda t: t.replace("\n", "\r\n"),
            lambda t: "\ufeff" + t,
            lambda t: t.replace("\n", "\r"),
        ):
            typed = change(RULES.format(remark="U+2028 \u2028, a form feed \x0c, NEL \x85", text=text))
            uri = typist.open(typed, f"{number}.game")
            assert typist.renamed(uri, typed, "left", "stones") == typed.replace("left", "stones"), (text, typed[:3])


def test_changes_land_where_the_editor_means_them(plain: Typist):
    """Lines of the protocol end at no U+2028, form feed, VT, FS or NEL."""
    for sign in "\u2028\u2029\x0b\x0c\x1c\x85":
        text = RULES.format(remark=f"one{sign}two", text="n")
        uri = plain.open(text)
        at = plain.place(text, text.index("left := left"))
        change = {"range": {"start": at, "end": at}, "text": "# new\n    "}
        document = {"uri": uri, "version": 2}
        plain.send(method="textDocument/didChange", params={"textDocument": document, "contentChanges": [change]})
        text = text.replace("left := left", "# new\n    left := left")
        assert plain.renamed(uri, text, "left", "stones") == text.replace("left", "stones")


@pytest.mark.thorough
def test_a_request_about_a_file_that_is_not_open_is_refused(plain: Typist):
    for method, more in (("hover", {"position": {"line": 0, "character": 0}}), ("documentSymbol", {})):
        asked = {"textDocument": {"uri": "file:///nowhere/none.game"}, **more}
        code, told = plain.refused(f"textDocument/{method}", asked)
        assert code == -32602 and "is not open" in told


@pytest.mark.thorough
def test_lenses_know_the_folder_and_block_nobody(plain: Typist):
    (plain.folder / "base.game").write_text(RULES.format(remark="", text="n"))
    text = 'game "Other" from "base.game"\n\nexpect perft(1) = 2\n'
    uri = plain.open(text, "other.game")  # which was never saved
    plain.send(id=500, method="workspace/executeCommand", params={"command": "gdl.test", "arguments": [uri]})
    plain.ask("textDocument/documentSymbol", textDocument={"uri": uri})  # answered while the test runs
    assert not any(message.get("id") == 500 for message in plain.told)
    while (answer := plain.heard()).get("id") != 500 or "method" in answer:
        if "method" in answer and "id" in answer:
            plain.send(id=answer["id"], result=None)
    assert "folder" not in answer["result"] and "1 expectation" in answer["result"]


@pytest.mark.thorough
def test_names_in_plays_are_renamed(plain: Typist):
    text = (
        RULES.replace(' as "{text}: {{n}}"', "").format(remark="", text="")
        + 'expect value = -1 after "take(1) take(2)"\n'
    )
    uri = plain.open(text)
    assert plain.renamed(uri, text, "take", "pick") == text.replace("take", "pick")
    assert plain.renamed(uri, text, "take", "pick", text.index("take(2)")) == text.replace("take", "pick")


NAMED = """\
players Ann, Bob

type Side = left, right

state
    done: 0..2 = 0

action take(n: 1..2) as "take {n}" when done = 0
    done := n

action go(s: Side) as "to {s}" when done > 0 and done < 2
    done := 2

action wait when done = 1
    done := 2

terminal
    done = 2 -> win mover

expect actions = {"take 1", "take 2"}
expect best = "take 2"
expect actions = {"to left", "to right", wait} after "take 1"
expect infosets = 2 after "take 1"
expect always (Ann has go or done != 1) after "take 1"
"""


@pytest.mark.parametrize(
    ("old", "new", "right"),
    [
        ("take", "pick", NAMED.replace("action take", "action pick")),  # plays are written with the text behind 'as'
        ("left", "port", NAMED.replace("left", "port")),
        ("wait", "rest", NAMED.replace("wait", "rest")),
        ("go", "walk", NAMED.replace("go", "walk")),
        ("done", "over", NAMED.replace("done", "over")),
    ],
)
def test_a_rename_follows_into_plays_where_the_name_is_written(old: str, new: str, right: str):
    document = Document("a.game")
    document.update(NAMED)
    offset = re.search(rf"\b{old}\b", NAMED).start()  # type: ignore[union-attr]  # it is there
    assert document.problems == [] and refusal(document, offset, new) == ""
    assert changed(document, offset, new) == right and consequence(document, right) == ""


def changed(document: Document, offset: int, new: str) -> str:
    text, symbol = document.text, document.symbol_at(offset)
    assert symbol is not None
    for start, end in sorted(document.occurrences(symbol), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def test_a_rename_that_may_be_wrong_is_refused_with_its_reason():
    text = NAMED.replace("left, right", "left, off").replace('"to right"', '"to off"').replace('"to ', '"off ')
    document = Document("a.game")
    document.update(text)
    assert document.problems == []
    told = "line 22 names actions in words that cannot follow the new name"
    assert consequence(document, changed(document, text.index("off\n"), "port")) == told
    for place, new, reason in (
        ("take", "wait", "the file already has the name 'wait', and a name means one thing"),
        ("n: 1", "1n", "'1n' is no name: a name has letters, digits and _, and begins with no digit"),
        ("win", "lost", "'win' is no name that this file declares"),
        ("= 0", "n", "no name stands here"),
    ):
        assert refusal(document, text.index(place), new) == reason


GLUED = """\
players Ann, Bob

type Card = J < Q < K

state
    most[p: Player], least[p: Player]: 0..3 = if p = Ann then 2 else 1
    done: 0..1 = 0

action cards(c: Card, d: Card) as "{c}{d} {those p in Player: most[p] in {1, 3}}" when c < d and done = 0
    done := 1

terminal
    done = 1 -> draw

expect actions = {"JQ {Bob}", "JK {Bob}", "QK {Bob}"}
"""


@pytest.mark.thorough
def test_a_rename_whose_file_would_be_wrong_is_refused(plain: Typist):
    """A text of two names without a blank is not taken apart; one line may declare several names at once."""
    uri = plain.open(GLUED)
    for old, new in (("Ann", "Eve"), ("Bob", "Joe"), ("most", "high")):
        assert plain.renamed(uri, GLUED, old, new) == re.sub(rf"\b{old}\b", new, GLUED)
    asked = {"textDocument": {"uri": uri}, "position": plain.place(GLUED, GLUED.index("J <")), "newName": "T"}
    told = "line 15 names actions in words that cannot follow the new name"
    assert plain.refused("textDocument/rename", asked) == (-32803, told)
    pictured = (
        RULES.format(remark="", text="n")
        + """
board Square = grid(2, 1)
state
    man[Square]: Player?
setup man
    A B
"""
    )
    uri = plain.open(pictured, "b.game")
    asked = {"textDocument": {"uri": uri}, "position": plain.place(pictured, pictured.index("Ann")), "newName": "Eve"}
    told = "line 17 would be wrong: 'A' stands for nothing that man holds"
    assert plain.refused("textDocument/rename", asked) == (-32803, told)


def test_places_move_with_what_is_typed_while_the_file_is_broken():
    text = RULES.format(remark="", text="n") + "\ndefine half(k: 0..5) = k / 2\n"
    document = Document("a.game")
    document.read(text)
    for new in ("# a line\n" * 40 + text, text.replace("players", "\n\nplayers")):
        broken = new.replace("left - n", "left - half(n")
        document.read(broken)
        assert document.problems
        for symbol in document.symbols:
            assert document.text[symbol.span.start : symbol.span.end] == symbol.name
        found = signature(document, broken.index("half(n") + 5)
        assert found is not None and found.text == "half(k: 0..5)"
        assert document.symbol_at(broken.index("n <= left")) is not None  # a local name


def test_a_file_opened_with_a_mistake_in_its_state_offers_the_other_variables():
    text = RULES.format(remark="", text="n").replace("left: 0..5 = 5", "left: 0..5 = 5\n    more: 0..9 = 0")
    for wrong in ("more: 0.. = 0", "more 0..9", "more: 0..9 = (0", "more:", "mo", '"', "more: 0..9 = 0)"):
        document = Document("a.game")
        document.read(broken := text.replace("more: 0..9 = 0", wrong))
        assert document.problems != []
        assert Offer("left", "variable") in completions(document, broken.index("left := ") + len("left := "))


def test_queued_changes_are_read_together(monkeypatch: pytest.MonkeyPatch):
    import asyncio

    from lsprotocol import types
    from pygls.workspace import Workspace

    from gdl.wings.editor import language_server

    read: list[str] = []
    monkeypatch.setattr(Document, "read", lambda document, text: read.append(text))
    server = language_server.Server()
    server.protocol._workspace = Workspace(None)
    uri = "file:///nowhere/a.game"

    async def typed() -> None:
        opened = types.TextDocumentItem(uri, "game", 1, "players A")
        language_server.open_document(server, types.DidOpenTextDocumentParams(opened))
        for version in range(2, 50):
            change = types.TextDocumentContentChangeWholeDocument("players A" + "a" * version)
            name = types.VersionedTextDocumentIdentifier(version, uri)
            server.workspace.update_text_document(name, change)
            language_server.read_document(server, types.DidChangeTextDocumentParams(name, [change]))
        server.document(uri)
        server.checks[uri].cancel()

    asyncio.run(typed())
    assert read == ["players A" + "a" * 49]
