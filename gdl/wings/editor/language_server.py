"""The language server: what an editor asks by the Language Server Protocol, answered from the files beside it.

Needs the extra gdl[lsp] (pygls). It speaks on the standard input and output, reads no file but those that are open in
the editor and what they begin from, and writes none but the page that is asked for by "play".
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import re
import sys
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unicodedata import combining
from urllib.parse import unquote, urlparse

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams, JsonRpcInvalidRequest
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.workspace import TextDocument

from gdl.errors import GameError, Problem, clean
from gdl.formats.problems import replacement
from gdl.model.games import RulesModel
from gdl.processes import python_command
from gdl.syntax.layout import laid_out
from gdl.syntax.parser import normalize_text
from gdl.web.manual import word_index
from gdl.wings.editor.completion import completions
from gdl.wings.editor.document import Document, spans
from gdl.wings.editor.hover import definition_types, hover, of_symbol, signature
from gdl.wings.editor.marking import TYPES, folds, marks
from gdl.wings.editor.renaming import consequence, refusal
from gdl.wings.editor.symbols import KINDS, Symbol

MOMENT = 0.05  # seconds without an edit after which a file is checked: what is asked meanwhile is answered first
ASKED = 60  # seconds that a command of a lens may take
WATCHED = 1.0  # seconds after which it is looked again whether the editor still runs
_LINE_END = re.compile(r"\r\n|\r|\n")
_WITH_ITS_END = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}  # bytes of a unit
_KINDS = {kind: types.SymbolKind[name] for kind, (name, _) in KINDS.items()}
_OFFERED = types.CompletionItemKind  # which has the names of kinds of symbols
_OFFERS = {"word": _OFFERED.Keyword, "phase": _OFFERED.EnumMember}


class Places:
    """Offsets of a text as lines and characters, as the protocol counts them: from 0, in units of the encoding, in the
    text as the editor has it (`typed`), where accents may stand behind their letters."""

    def __init__(self, text: str, typed: str | None = None, encoding: str = "utf-16"):
        self.text = text
        self.lines = text.split("\n")
        self.starts = [*accumulate((len(line) + 1 for line in self.lines), initial=0)]
        self.typed = self.lines if typed is None or typed == text else _LINE_END.split(typed)
        self.codec, self.unit = _CODECS[encoding]

    def position(self, offset: int) -> types.Position:
        line = min(bisect_right(self.starts, offset), len(self.lines)) - 1
        ours, theirs = self._columns(line)
        column = theirs[bisect_right(ours, offset - self.starts[line]) - 1] if ours else offset - self.starts[line]
        return types.Position(line, len(self.typed[line][:column].encode(self.codec, "surrogatepass")) // self.unit)

    def offset(self, position: types.Position) -> int:
        if position.line >= len(self.lines):
            return len(self.text)
        before = self.typed[position.line].encode(self.codec, "surrogatepass")[: self.unit * position.character]
        column = len(before.decode(self.codec, "ignore"))
        ours, theirs = self._columns(position.line)
        return self.starts[position.line] + (ours[bisect_right(theirs, column) - 1] if ours else column)

    def range(self, start: int, end: int) -> types.Range:
        return types.Range(self.position(start), self.position(end))

    def _columns(self, line: int) -> tuple[list[int], list[int]]:
        """The columns at which letters begin with their accents, in our line and in that of the editor; nothing where
        the two are the same."""
        typed = self.typed[line]
        if typed == self.lines[line]:
            return [], []
        ours, theirs, letter = [0], [0], ""
        for at, sign in enumerate(typed):
            joined = normalize_text(letter + sign)
            if letter and not combining(sign) and joined == normalize_text(letter) + normalize_text(sign):
                ours.append(ours[-1] + len(normalize_text(letter)))
                theirs.append(at)
                letter = ""
            letter += sign
        return [*ours, ours[-1] + len(normalize_text(letter))], [*theirs, len(typed)]


class TypedText(TextDocument):  # type: ignore[misc, unused-ignore]  # pygls is not typed strictly
    """A text of the editor, whose lines end where the protocol says: not at U+2028 or a form feed."""

    @property
    def lines(self) -> Sequence[str]:
        return _WITH_ITS_END.findall(self.source)


class Protocol(LanguageServerProtocol):  # type: ignore[misc, unused-ignore]  # pygls is not typed strictly
    """The protocol with an answer to every request: also to one with wrong parameters, or after the shutdown."""

    status: int | None = None  # of the process at its end, once the editor has left; 1 if without a shutdown

    def structure_message(self, data: Any) -> Any:
        """The message that was sent; None if it was a request with wrong parameters, which is answered here."""
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if not {"id", "method"} <= data.keys():
                raise
            wrong = JsonRpcInvalidParams(f"the parameters of {clean(str(data['method']))} are wrong")
            self._send_response(data["id"], error=wrong.to_response_error())
            return None

    def handle_message(self, message: Any) -> None:
        method = getattr(message, "method", None)
        if method == types.EXIT:
            self.status = int(not self._shutdown)
        if self._shutdown and method is not None and hasattr(message, "id"):
            late = JsonRpcInvalidRequest("the server has been shut down")
            self._send_response(message.id, error=late.to_response_error())
        elif message is not None:
            super().handle_message(message)

    def _send_data(self, data: Any) -> None:
        """Send a message, unless the editor has left."""
        if self.status is None:
            super()._send_data(data)

    def _send_handler_result(self, future: Any, *, msg_id: int | str) -> None:
        """Answer a request. What is refused is told to the editor alone: it is no fault for the log."""
        refused = None if future.cancelled() else future.exception()
        if isinstance(refused, JsonRpcException):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=refused.to_response_error())
        else:
            super()._send_handler_result(future, msg_id=msg_id)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)  # type: ignore[misc, unused-ignore]  # pygls is not typed strictly
    async def lsp_workspace__execute_command(  # type: ignore[override, unused-ignore]  # a task in place of a generator
        self, params: types.ExecuteCommandParams
    ) -> Any:
        """The answer of a command of a lens, in a task of the request itself, so that a cancel or the shutdown ends
        it."""
        command, given = self.fm.commands.get(params.command), list(params.arguments or ())
        if command is None or [type(each) for each in given] != [str]:
            raise JsonRpcInvalidParams(f"'{clean(params.command)}' is no command for the address of a file")
        return await command(*given)


class Server(LanguageServer):  # type: ignore[misc, unused-ignore]  # pygls is not typed strictly
    """The language server, with the files that are open."""

    def __init__(self) -> None:
        super().__init__("gdl", "", protocol_cls=Protocol)
        self.documents: dict[str, Document] = {}
        self.changed: set[str] = set()  # files that were changed since they were read
        self.checks: dict[str, asyncio.TimerHandle] = {}  # by file: when it will be checked
        self.found: dict[str, dict[int, str]] = {}  # by file and line: the results of expectations
        self.folder: TemporaryDirectory[str] | None = None  # of the page that was opened last
        self.watching: asyncio.Task[None] | None = None

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Tell the editor of a fault, unless it is that nothing can be told."""
        if source is not JsonRpcInternalError:
            super().report_server_error(error, source)

    async def outlive(self, editor: int) -> None:
        """End this process when that of the editor has gone, even where the pipe between them is still open."""
        try:
            while True:
                os.kill(editor, 0)
                await asyncio.sleep(WATCHED)
        except ProcessLookupError:
            running: list[Any] = [
                one for one in self.protocol._request_futures.values() if isinstance(one, asyncio.Task)
            ]
        except (OSError, OverflowError):
            return  # it cannot be asked for
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)
        if self.folder is not None:
            self.folder.cleanup()
        os._exit(1)  # a thread still waits for what the editor says next

    def read(self, uri: str) -> None:
        """Take note that a file has changed. It is read when something is asked about it, so that queued changes are
        read together; what is wrong is reported as soon as nothing was typed for a moment."""
        path = Path(unquote(urlparse(uri).path))
        self.documents.setdefault(uri, Document(path.name, path.parent if path.parent.is_dir() else None))
        self.changed.add(uri)
        if uri in self.checks:
            self.checks[uri].cancel()
        self.checks[uri] = asyncio.get_running_loop().call_later(MOMENT, self.report, uri)

    def report(self, uri: str) -> None:
        """Report what is wrong with a file, if it is still open."""
        self.checks.pop(uri, None)
        if uri in self.documents:
            document = self.document(uri)
            document.check()
            found = diagnostics(document, document.problems, self.places(document))
            version = self.workspace.get_text_document(uri).version
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    def document(self, uri: str) -> Document:
        """The open file of this address. Raises the protocol's error where none is open."""
        if uri not in self.documents:
            raise JsonRpcInvalidParams(f"the file {clean(uri)} is not open")
        if uri in self.changed:
            self.changed.discard(uri)
            self.documents[uri].read(self.workspace.get_text_document(uri).source)
        return self.documents[uri]

    def places(self, document: Document) -> Places:
        """The places of a file, counted as was agreed with the editor."""
        return Places(document.text, document.typed, types.PositionEncodingKind(self.workspace.position_encoding).value)

    def asked_place(self, params: Any) -> tuple[Document, Places, int]:
        """The file that is asked about, its places, and the offset that is asked about."""
        document, places = self.asked_file(params)
        return document, places, places.offset(params.position)

    def asked_file(self, params: Any) -> tuple[Document, Places]:
        document = self.document(params.text_document.uri)
        return document, self.places(document)


server = Server()


@server.feature(types.INITIALIZE)
def watch_editor(ls: Server, params: types.InitializeParams) -> None:
    editor = params.process_id or 0
    if os.name == "posix" and editor > 0:  # elsewhere the question would end the process
        ls.watching = asyncio.create_task(ls.outlive(editor))


# ---- The file, and what is wrong with it ----------------------------------------------------------------------------


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def open_document(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    opened = params.text_document
    codec = ls.workspace.position_codec
    text = TypedText(opened.uri, opened.text, opened.version, opened.language_id, position_codec=codec)
    ls.workspace.text_documents[opened.uri] = text
    ls.read(opened.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def read_document(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    ls.found.pop(params.text_document.uri, None)
    ls.read(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def close_document(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    ls.documents.pop(params.text_document.uri, None)
    ls.changed.discard(params.text_document.uri)
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))


def diagnostics(document: Document, problems: Sequence[Problem], places: Places) -> list[types.Diagnostic]:
    """Problems of a document as the editor shows them."""
    return [_diagnostic(places.range(*spans(document, problem)), problem) for problem in problems]


def _diagnostic(place: types.Range, problem: Problem) -> types.Diagnostic:
    severity = types.DiagnosticSeverity.Warning if problem.warning else types.DiagnosticSeverity.Error
    help = [f"help: {problem.help}"] if problem.help else []
    message = "\n".join([problem.message, *problem.note.splitlines(), *help])
    return types.Diagnostic(place, message, severity, problem.kind or None, source="gdl")


@server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
def quick_fixes(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The quick fixes for a range: the edits that the help of its problems names."""
    document, places = ls.asked_file(params)
    document.check()
    first, last = places.offset(params.range.start), places.offset(params.range.end)
    found = []
    for problem in document.problems:
        start, end = spans(document, problem)
        new = replacement(problem)
        if new is None or problem.span is None or end < first or start > last:
            continue
        edit = types.TextEdit(places.range(start, end), new)
        title = f"Write {new}" if new else f"Take out {document.text[start:end]}"
        changes = types.WorkspaceEdit(changes={params.text_document.uri: [edit]})
        mended = [_diagnostic(edit.range, problem)]
        found.append(types.CodeAction(title, types.CodeActionKind.QuickFix, mended, is_preferred=True, edit=changes))
    return found


@server.feature(types.TEXT_DOCUMENT_FORMATTING)
def format_document(ls: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """The edit that gives the file its layout; none where the file is wrong."""
    document, places = ls.asked_file(params)
    try:
        return [types.TextEdit(places.range(0, len(document.text)), laid_out(document.text, document.name))]
    except GameError:
        return []


# ---- Names ----------------------------------------------------------------------------------------------------------


@server.feature(types.TEXT_DOCUMENT_HOVER)
def show_hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    document, _, offset = ls.asked_place(params)
    told = hover(document, offset)
    able = ls.client_capabilities.text_document
    formats = able.hover.content_format if able and able.hover else None
    return None if told is None else types.Hover(_markup(told, formats))


def _markup(told: str, formats: Sequence[types.MarkupKind] | None) -> types.MarkupContent:
    """The text as Markdown if the editor says that it can show that, else as plain text."""
    if types.MarkupKind.Markdown in (formats or ()):
        return types.MarkupContent(types.MarkupKind.Markdown, told)
    return types.MarkupContent(types.MarkupKind.PlainText, re.sub("```game\n|\n```|`", "", told))


@server.feature(types.TEXT_DOCUMENT_DEFINITION)
def definition(ls: Server, params: types.DefinitionParams) -> types.Location | None:
    document, places, offset = ls.asked_place(params)
    symbol = document.symbol_at(offset)
    if symbol is None:
        return None
    return types.Location(params.text_document.uri, places.range(symbol.span.start, symbol.span.end))


@server.feature(types.TEXT_DOCUMENT_REFERENCES)
def references(ls: Server, params: types.ReferenceParams) -> list[types.Location]:
    return [types.Location(params.text_document.uri, highlight.range) for highlight in highlights(ls, params)]


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def highlights(
    ls: Server, params: types.DocumentHighlightParams | types.ReferenceParams
) -> list[types.DocumentHighlight]:
    document, places, offset = ls.asked_place(params)
    symbol = document.symbol_at(offset)
    found = [] if symbol is None else document.occurrences(symbol)
    return [types.DocumentHighlight(places.range(*place)) for place in found]


@server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=["(", ","]))
def signature_help(ls: Server, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    """The head of what is being called, with its parameters."""
    document, _, offset = ls.asked_place(params)
    found = signature(document, offset)
    if found is None:
        return None
    parameters = [types.ParameterInformation(found.text[start:end]) for start, end in found.parameters]
    told = types.SignatureInformation(found.text, word_index().get(found.name, (None,))[0], parameters)
    return types.SignatureHelp([told], 0, min(found.active, max(0, len(parameters) - 1)))


@server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
def inlay_hints(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The types of definitions that do not write theirs."""
    document, places = ls.asked_file(params)
    document.check()
    first, last = places.offset(params.range.start), places.offset(params.range.end)
    found = [(offset, told) for offset, told in definition_types(document) if first <= offset <= last]
    return [types.InlayHint(places.position(offset), told, types.InlayHintKind.Type) for offset, told in found]


@server.feature(types.WORKSPACE_SYMBOL)
def workspace_symbols(ls: Server, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    """The names in all open files that contain the query; local names are left out."""
    found = []
    for uri in ls.documents:
        document = ls.document(uri)
        places, wanted = ls.places(document), params.query.lower()
        for symbol in document.symbols:
            if not symbol.local and wanted in symbol.name.lower():
                place = types.Location(uri, places.range(symbol.span.start, symbol.span.end))
                told = types.SymbolInformation(place, symbol.name, _KINDS[symbol.kind], container_name=document.name)
                found.append(told)
    return found


@server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
def can_be_renamed(ls: Server, params: types.PrepareRenameParams) -> types.Range:
    document, places, offset = ls.asked_place(params)
    _permit(refusal(document, offset))
    return places.range(*document.word_at(offset)[1:])  # type: ignore[index]  # there is a name


@server.feature(types.TEXT_DOCUMENT_RENAME)
def rename_symbol(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit:
    document, places, offset = ls.asked_place(params)
    new = params.new_name
    _permit(refusal(document, offset, new))
    found = sorted(document.occurrences(document.symbol_at(offset)))  # type: ignore[arg-type]  # there is one
    ends = [0, *(end for _, end in found)]
    kept = [document.text[end:start] for end, (start, _) in zip(ends, found, strict=False)]
    _permit(consequence(document, new.join([*kept, document.text[ends[-1] :]])))
    edits = [types.TextEdit(places.range(*place), new) for place in found]
    return types.WorkspaceEdit(changes={params.text_document.uri: edits})


def _permit(reason: str) -> None:
    """Raise the protocol's error, which editors show, where there is a reason against a deed."""
    if reason:
        raise JsonRpcException(reason, types.LSPErrorCodes.RequestFailed)


@server.feature(types.TEXT_DOCUMENT_COMPLETION)
def complete_word(ls: Server, params: types.CompletionParams) -> list[types.CompletionItem]:
    document, _, offset = ls.asked_place(params)
    able = ls.client_capabilities.text_document
    item = able and able.completion and able.completion.completion_item
    formats = item.documentation_format if item else None
    items = []
    for number, offer in enumerate(completions(document, offset)):
        symbol = next((s for s, _ in document.known.get(offer.text, ()) if offer.kind != "word"), None)
        told = of_symbol(document, symbol) if symbol is not None else word_index().get(offer.text, ("",))[0]
        kind = _OFFERS.get(offer.kind) or getattr(_OFFERED, _KINDS[offer.kind].name, _OFFERED.Variable)
        shown = (_markup(told, formats) if formats else told) if told else None
        detail = None if offer.kind == "word" else offer.kind
        place = f"{number:05}"
        items.append(types.CompletionItem(offer.text, None, kind, None, detail, shown, sort_text=place))
    return items


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def outline(ls: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """The names of the file, without the local ones; types hold their members."""
    document, places = ls.asked_file(params)
    found: list[types.DocumentSymbol] = []
    for symbol in document.symbols:
        if symbol.local or symbol.span.end > len(document.text):
            continue
        inside = symbol.kind == "member" and found
        (found[-1].children if inside else found).append(_in_outline(places, symbol))  # type: ignore[union-attr]
    return found


def _in_outline(places: Places, symbol: Symbol) -> types.DocumentSymbol:
    name = places.range(symbol.span.start, symbol.span.end)
    held = symbol.kind in ("member", "variable", "parameter", "player")
    whole = name if held else places.range(symbol.section.start, min(symbol.section.end, len(places.text)))
    return types.DocumentSymbol(symbol.name, _KINDS[symbol.kind], whole, name, detail=symbol.kind, children=[])


# ---- The look -------------------------------------------------------------------------------------------------------


@server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensLegend(list(TYPES), []))
def semantic_tokens(ls: Server, params: types.SemanticTokensParams) -> types.SemanticTokens:
    document, places = ls.asked_file(params)
    data: list[int] = []
    line = character = 0
    for mark in marks(document):
        at, end = places.position(mark.start), places.position(mark.end)
        data += [at.line - line, at.character - (character if at.line == line else 0), end.character - at.character]
        data += [mark.type, 0]
        line, character = at.line, at.character
    return types.SemanticTokens(data)


@server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
def folding_ranges(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    document, _ = ls.asked_file(params)
    return [types.FoldingRange(first, last) for first, last in folds(document)]


# ---- Commands --------------------------------------------------------------------------------------------------------


@server.feature(types.TEXT_DOCUMENT_CODE_LENS)
def lenses(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Commands above the file: solve, play and test; and at each expectation its result in the last test."""
    _, places = ls.asked_file(params)
    uri = params.text_document.uri
    top = places.range(0, 0)
    commands = ("solve", "play", "test")
    found = [types.CodeLens(top, types.Command(word, f"gdl.{word}", arguments=[uri])) for word in commands]
    for line, told in ls.found.get(uri, {}).items():
        start = places.starts[min(line - 1, len(places.lines) - 1)]
        found.append(types.CodeLens(places.range(start, start), types.Command(told, "")))
    return found


@server.command("gdl.solve")
async def solve(ls: Server, uri: str) -> str:
    """Solve the game, and show the answer as `gdl solve` prints it."""
    told = await _run(ls, uri, "solve", "--time", "10")
    ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, told))
    return told


@server.command("gdl.play")
async def play(ls: Server, uri: str) -> str:
    """Open the page to play on in a browser; of a tree or a matrix, the page that steps through its solution. The page
    is a file in a temporary folder of this user alone, kept until the next page or until the editor leaves."""
    if ls.folder is not None:
        ls.folder.cleanup()
    ls.folder = TemporaryDirectory(prefix="gdl-", ignore_cleanup_errors=True)
    page = Path(ls.folder.name) / "page.html"
    ls.document(uri).check()
    rules = isinstance(ls.document(uri).model, RulesModel)
    told = await _run(ls, uri, *(("page",) if rules else ("draw", "--time", "10")), "-o", str(page))
    if page.is_file():
        ls.window_show_document(types.ShowDocumentParams(page.as_uri(), external=True))
    else:
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Error, told))
    return told


@server.command("gdl.test")
async def test(ls: Server, uri: str) -> str:
    """Test the file's expectations, and show at each whether it holds."""
    told = await _run(ls, uri, "test")
    failing = {int(line): found for line, found in re.findall(r"^[^:\n]*:(\d+): (.*)$", told, re.MULTILINE)}
    lines = [n for n, line in enumerate(ls.document(uri).text.split("\n"), start=1) if line.startswith("expect ")]
    ls.found[uri] = {line: failing.get(line, "holds") for line in lines} if lines else {}
    ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, told))
    ls.workspace_code_lens_refresh(None)
    return told


async def _run(ls: Server, uri: str, command: str, *options: str) -> str:
    """The output of a gdl command for the file as it stands in the editor, which finds others in the file's folder. The
    command runs in a process of its own and the editor does not wait; who cancels the request ends it."""
    document = ls.document(uri)
    words, pipe = python_command("-m", "gdl", command, "-", *options), asyncio.subprocess.PIPE
    place = {"GDL_STDIN_FILE": str((document.folder or Path()) / document.name)}
    process = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, stderr=pipe, env=os.environ | place)
    try:
        async with asyncio.timeout(ASKED):
            out, wrong = await process.communicate(document.text.encode())
    except TimeoutError:
        return f"gdl {command} took more than {ASKED} seconds"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return (out + wrong).decode("utf-8", "replace").strip()


def start(version: str) -> None:
    """Serve an editor until it disconnects; `version` is that of gdl. The process then ends as the protocol has it."""
    server.version = version
    for told in ("pygls", "asyncio"):  # no log of each cancel that comes too late, or command that was ended
        logging.getLogger(told).setLevel(logging.ERROR)
    gc.freeze()  # what is imported stays: edits need not look through it
    server.start_io()
    sys.exit(server.protocol.status or 0)  # type: ignore[attr-defined, unused-ignore]
