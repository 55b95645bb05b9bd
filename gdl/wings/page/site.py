"""The site: the manual with a search, and a page for each shipped game.

It is a folder of files that work from a double click: whatever a page needs lies beside it, and nothing is asked of a
network.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import takewhile
from pathlib import Path
from string import Template
from types import MappingProxyType

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from gdl.errors import clean, limits
from gdl.formats.files import write
from gdl.model.games import MatrixModel, RulesModel, TreeModel
from gdl.playing import loading
from gdl.render.page import PRESENT, style_sheet
from gdl.web.manual import HIDDEN, page_files, page_text, picture_files, reading_order
from gdl.wings.editor.grammars import GameLexer
from gdl.wings.exam.exam_command import lesson_pages
from gdl.wings.exam.phrases import LANGUAGES
from gdl.wings.page.page_variants import page_variants
from gdl.wings.page.play_page import play_page
from gdl.wings.page.playground import site_file, write_below
from gdl.wings.page.playground_answers import answer
from gdl.wings.page.wall import WallGame, describe_game, game_picture, wall_html

_FORMATTER = HtmlFormatter(nowrap=True)
_LEXERS = {"game": GameLexer, "wrong": GameLexer, "python": PythonLexer}


@dataclass(frozen=True)
class Page:
    """A page of the site: its address within the site, its title, its text as HTML, and its parts for the search."""

    url: str
    title: str
    body: str
    parts: Sequence[tuple[str, str, str]]  # heading, anchor, words


def write_site(
    folder: Path, progress: Callable[[int], None], more: Mapping[str, str] = MappingProxyType({}), served: bool = False
) -> int:
    """Write the site into a folder, which is made if necessary. Returns the number of pages. `progress` is called with
    the number of each game; `more` has the addresses of pages that are already in the folder, by title, to be linked
    to. What lessons ask of gdl the playground answers; without one `serve_folder` does, where the site is to be
    `served`."""
    names = [name for part in reading_order().values() for name in part]
    manual = {name: _manual_page(f"manual/{name}.html", page_text(name)) for name in names}
    games = list(_games(folder, progress))
    pages = [_home_page(manual, games, more), *manual.values(), _games_page(games)]
    for page in pages:
        write_below(folder / page.url, _page_html(page, manual, more))
    for picture in picture_files():
        write_below(folder / "manual" / "pictures" / picture.name, picture.read_bytes())
    engine = "../playground/worker.js" if "Playground" in more else "served.js" if served else ""
    for language, text in lesson_pages(engine):
        write_below(folder / "lessons" / f"{language}.html", text)
    write_below(folder / "lessons" / "served.js", site_file("served.js"))
    for book in filter(Path.exists, (file.with_suffix(".ipynb") for file in page_files().values())):
        write(folder / "manual" / book.name, book.read_bytes())
    write(folder / "site.css", style_sheet("site"))
    write(folder / "search.js", PRESENT + site_file("search.js"))
    write(folder / "search-index.js", f"window.searchIndex = {json.dumps(list(_index(pages)))};\n")
    return len(pages) + len(games)


def _page_html(page: Page, manual: Mapping[str, Page], more: Mapping[str, str]) -> str:
    root = "../" * page.url.count("/")
    lessons = {f"Lessons ({language})": f"lessons/{language}.html" for language in LANGUAGES}
    others = [Page(url, title, "", ()) for title, url in {"All games": "games/index.html", **lessons, **more}.items()]
    contents = _contents(page, root, manual) + _part(page, root, "More", others)
    parts = {"title": html.escape(page.title), "root": root, "body": page.body, "contents": contents}
    return Template(site_file("page.html")).substitute(parts)


def _contents(here: Page, root: str, manual: Mapping[str, Page]) -> str:
    """The table of contents of the manual."""
    parts = reading_order().items()
    return "".join(_part(here, root, part, [manual[name] for name in names]) for part, names in parts)


def _part(here: Page, root: str, heading: str, pages: Sequence[Page]) -> str:
    """A part of the table of contents."""
    current = {page.url: ' aria-current="page"' if page.url == here.url else "" for page in pages}
    links = (f'<li><a href="{root}{p.url}"{current[p.url]}>{html.escape(p.title)}</a></li>' for p in pages)
    return f"<h2>{html.escape(heading)}</h2><ul>{''.join(links)}</ul>"


def _index(pages: Sequence[Page]) -> Iterator[dict[str, str]]:
    """The index of the site's search: every part of every page."""
    for page in pages:
        for heading, anchor, words in page.parts:
            title = page.title if heading == page.title else f"{page.title}: {heading}"
            yield {"title": title, "url": page.url + (f"#{anchor}" if anchor else ""), "text": words}


# ---- The manual -----------------------------------------------------------------------------------------------------


def _manual_page(url: str, text: str) -> Page:
    """One page of the manual, set in HTML."""
    markdown = MarkdownIt("commonmark", {"html": False, "highlight": highlight_code}).enable("table")
    tokens = markdown.parse(text)
    parts = list(_parts(tokens))
    for token in tokens:
        if side := token.attrs.pop("style", None):  # of a column: pages allow no inline styles
            token.attrSet("class", str(side).removeprefix("text-align:"))
        for inner in token.children or ():
            _with_link(inner)
    body = markdown.renderer.render(tokens, markdown.options, {})
    marks = [(f"<p>{html.escape(mark)}</p>", mark) for mark in HIDDEN]
    for plain, reached in (("<pre>", '<pre tabindex="0">'), ("<th></th>", "<td></td>"), *marks):  # by keys and readers
        body = body.replace(plain, reached)
    return Page(url, parts[0][0] if parts else url, body, parts)


def _parts(tokens: Sequence[Token]) -> Iterator[tuple[str, str, str]]:
    """For each part of a page its heading, anchor and words; headings get their anchors."""
    heading, anchor = "", ""
    words: list[str] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            if heading:
                yield heading, anchor, " ".join(words)
            heading = re.sub(r"[`*\[\]]|\(\S+?\)$", "", tokens[at + 1].content)
            anchor = "" if token.tag == "h1" else slug(tokens[at + 1].content)
            token.attrSet("id", slug(tokens[at + 1].content))
            words = []
        elif token.type in ("inline", "fence", "code_block"):
            words.append(token.content)
    if heading:
        yield heading, anchor, " ".join(words)


def slug(heading: str) -> str:
    """The anchor of a heading: its words in small letters, with hyphens between."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _with_link(token: Token) -> None:
    """Turn a link to another page of the manual into one to that page of the site."""
    target = str(token.attrGet("href") or "")
    if token.type == "link_open" and re.match(r"[\w-]+\.md(#|$)", target):
        token.attrSet("href", target.replace(".md", ".html", 1))


def highlight_code(code: str, language: str, _: str = "") -> str:
    """A piece of code in colours, as HTML; "" where there is no lexer for its language."""
    lexer = _LEXERS.get(language.partition(" ")[0])
    return "" if lexer is None else str(highlight(code, lexer(), _FORMATTER))


def _home_page(manual: Mapping[str, Page], games: Sequence[WallGame], more: Mapping[str, str]) -> Page:
    """The first page: what gdl is, the playground to open if there is one, all games by their pictures, the path of
    each reader, and the contents of the manual."""
    head = "<h1>gdl: write the rules of a game, get the solved game</h1>"
    head += '<p>Games to play against the computer or each other, and <a href="manual/start.html">the manual</a>.</p>'
    for title, url in more.items():
        frame = f'<iframe src="{url}" title="{title}" loading="lazy"></iframe>'
        head += f"<details><summary>{title}: write a game and solve it, here in the browser</summary>{frame}</details>"
    paths = manual["start"].body.partition("<table>")[2].partition("</table>")[0].replace('href="', 'href="manual/')
    home = Page("index.html", "gdl", "", [("gdl", "", "manual games contents")])
    body = f"{head}{wall_html(games)}<h2>Three pages for each reader</h2><table>{paths}</table>"
    return replace(home, body=body + _contents(home, "", manual))


# ---- Games ----------------------------------------------------------------------------------------------------------


def _games(folder: Path, progress: Callable[[int], None]) -> Iterator[WallGame]:
    """Write a page and a picture for each shipped game."""
    for number, (name, file) in enumerate(loading.shipped().items(), start=1):
        progress(number)
        text = file.read_text(encoding="utf-8")
        variants = page_variants(text, name, file.parent)
        own = loading.loads(text, name, folder=file.parent).model
        model = next((variant.model for variant in variants.values()), own)
        assert isinstance(model, RulesModel | TreeModel | MatrixModel)
        page = play_page(model, text, home="../index.html", variants=variants)
        write_below(folder / "games" / f"{name}.html", page)
        write_below(folder / "games" / "pictures" / f"{name}.svg", game_picture(name, model))
        comment = takewhile(lambda line: line.startswith("#"), text.splitlines())
        about = " ".join(line.lstrip("# ") for line in comment)
        yield describe_game(name, model, clean(about))


def _games_page(games: Sequence[WallGame]) -> Page:
    links = ((f'<a href="{each.name}.html">{html.escape(each.title)}</a>', html.escape(each.about)) for each in games)
    rows = "".join(f"<tr><td>{link}</td><td>{about}</td></tr>" for link, about in links)
    head = "<tr><th>game</th><th>about</th></tr>"
    parts = [(each.title, "", each.about) for each in games]
    return Page("games/index.html", "All games", f"<h1>All games</h1><table>{head}{rows}</table>", parts)


class _Files(SimpleHTTPRequestHandler):
    """Serves the files of a folder to requests that name this machine as localhost, and answers what lessons ask. Any
    other host name is refused, since a foreign site's name could be made to lead here (DNS rebinding)."""

    def parse_request(self) -> bool:
        if not super().parse_request():
            return False
        port = self.connection.getsockname()[1]
        meant = self.headers.get_all("Host") in [[f"{name}:{port}"] for name in ("127.0.0.1", "localhost", "[::1]")]
        if not meant:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        return meant

    def do_POST(self) -> None:
        """Answer what a lesson asks; a page of another site may not send this type of content."""
        length = self.headers.get("Content-Length", "")
        size = int(length) if length.isdecimal() and len(length) < 9 else 0
        try:
            if self.headers.get_content_type() != "application/json" or not 0 < size <= limits.SOURCE:
                raise ValueError
            question = self.rfile.read(size).decode()
            if self.path != "/gdl" or json.loads(question)["ask"] != "lesson":
                raise ValueError
            found = answer(question)
        except (ValueError, LookupError, TypeError, RecursionError):
            self.send_error(HTTPStatus.BAD_REQUEST)
            return
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(found.encode())


def serve_folder(folder: Path, tell: Callable[[str], None]) -> None:
    """Serve the files of a folder to browsers on this machine only, until Ctrl-C; `tell` gets the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(folder))) as server:
        tell(f"http://127.0.0.1:{server.server_port}/")
        server.serve_forever()
