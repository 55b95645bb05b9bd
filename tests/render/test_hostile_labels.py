"""One hostile game after the other, exported to every format and read back: no name leaves its place, and every name
arrives as it was, cleaned of what steers terminals and hides in pages."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import hostile
import pytest
from svg_reader import NAMESPACE, all_of, parsed, texts

from gdl.errors import clean
from gdl.formats import dot as graph_dot
from gdl.graph import annotate, state_graph
from gdl.render.draw import draw
from gdl.render.formats import GRAPHS, PICTURES, writer
from gdl.render.latex import latex
from gdl.render.notebook import answer_html, answer_markdown, game_markdown
from gdl.render.page import PRESENT
from gdl.render.svg.arrange import LONGEST
from gdl.render.svg.elements import truncate_text
from gdl.solvers import solve

GAMES = hostile.games()
SOLUTIONS = {name: solve(game, "alpha-beta" if name == "search" else "auto") for name, game in GAMES.items()}
CASES = list(GAMES)
ALLOWED = {"svg", "title", "desc", "g", "rect", "line", "path", "polygon", "circle", "text"}


def made(name: str, kind: str, **options) -> str:
    solution = SOLUTIONS[name]
    text = draw(GAMES[name], solution, kind, runs={hostile.name(0, "run"): solution}, **options)
    assert isinstance(text, str)
    return text


def actions(name: str) -> list[str]:
    """Names that every picture of the game must show, as they come out clean."""
    prefix, count = {"tree": ("x", 20), "search": ("a", 16), "file": ("a", 20)}[name]
    return [clean(hostile.name(number, prefix)) for number in range(count)]


# ---- Nothing steers a terminal or turns the text round -----------------------------------------------------------


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("kind", [kind for kind in PICTURES if kind not in ("png", "pdf")])
@pytest.mark.parametrize("merged", [False, True])
def test_no_control_or_format_character_is_left(name, kind, merged):
    if merged and kind == "tex" and name != "matrix":
        merged = False  # a state graph that is a tree is drawn as one, others are refused
    check_characters(made(name, kind, merged=merged and kind != "tex"))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("kind", GRAPHS)
def test_no_control_or_format_character_is_left_in_a_graph(name: str, kind: str):
    check_characters(writer(GRAPHS[kind].graph)(annotate(state_graph(GAMES[name]), SOLUTIONS[name])))


def check_characters(text: str) -> None:
    """Raise AssertionError if a character is left that `clean` would take out, but for ends of lines and tabs."""
    left = {character for character in text if character != "\n" and clean(character) != character}
    assert left <= {"\t"}, [hex(ord(character)) for character in left]


# ---- SVG ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_svg_holds_nothing_but_the_drawing(name):
    root = parsed(made(name, "svg"))
    assert {element.tag.removeprefix(NAMESPACE) for element in root.iter()} <= ALLOWED
    for element in root.iter():
        assert not [key for key in element.attrib if key.lower().startswith("on") or "href" in key]
        assert all(not child.tail or not child.tail.strip() for child in element), "no text between elements"


@pytest.mark.parametrize("name", ["tree", "search", "file"])
def test_svg_shows_every_name_as_it_is(name):
    root = parsed(made(name, "svg"))
    shown = set(texts(root))
    for action in actions(name):
        assert truncate_text(action, 28) in shown
    titles = " ".join(title.text or "" for title in all_of(root, "title"))
    assert clean(GAMES[name].name) in titles


def test_a_joiner_stays_where_it_belongs_to_the_spelling():
    spelt = ("می\u200cشود", "क्\u200dष")
    assert [clean(word) for word in spelt] == list(spelt)
    hidden = ("al\u200clow", "\u200cمی", "می\u200c", "می\u200c\u200cشود", "می\u200eشود")
    assert all("\ufffd" in clean(word) and "\u200c" not in clean(word) for word in hidden)


# ---- HTML ---------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The elements of a page, and the contents of its scripts."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.inside = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        if self.inside == "script":
            self.scripts[-1] += data


@pytest.mark.thorough_of("tree")
@pytest.mark.parametrize("name", ["tree", "search", "file"])
def test_a_page_has_its_own_scripts_only(name):
    page = Page(made(name, "html"))
    scripts = [attributes for tag, attributes in page.elements if tag == "script"]
    if name == "tree":  # its answer has no steps
        assert scripts == [{}] and page.scripts == [PRESENT]
    else:
        assert scripts == [{"type": "application/json", "id": "data"}, {}]
        assert json.loads(page.scripts[0])["runs"][0]["name"] == clean(hostile.name(0, "run"))
    for tag, attributes in page.elements:
        assert tag not in ("img", "iframe", "object", "embed", "link", "base", "a", "form")
        assert not [key for key in attributes if key.startswith("on") or "href" in key or key == "src"]


def test_a_page_of_a_matrix_has_no_script_but_that_which_presents():
    page = Page(made("matrix", "html"))
    assert page.scripts == [PRESENT]
    assert not [key for _, attributes in page.elements for key in attributes if key.startswith("on")]


def test_notebook_formats_hold_no_script():
    for name in CASES:
        assert "<script" not in (answer_html(SOLUTIONS[name]) or "").replace("&lt;script", "")
        page = Page(answer_html(SOLUTIONS[name]) or "")
        assert not {"script", "img", "a"} & {tag for tag, _ in page.elements}


# ---- Markdown -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_markdown_is_fenced_or_written_by_numbers(name):
    for text in (game_markdown(GAMES[name], SOLUTIONS[name]), answer_markdown(SOLUTIONS[name])):
        assert text is not None
        fence = re.match(r"`{3,}", text)
        if fence:
            assert text.count(fence[0]) == 2 and text.rstrip().endswith(fence[0])
        else:
            table = [line for line in text.split("\n") if line.startswith("|")]
            assert {line.count("|") for line in table} == {len(hostile.PAYLOADS) // 2 + 2}
            assert not re.search(r"[<>\[\]()`]", re.sub(r"\[ |\ ]", "", text))


# ---- LaTeX --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_latex_ends_where_it_should_and_its_braces_match(name):
    heading, _, text = made(name, "tex").partition("\\documentclass")
    assert all(line.startswith("% ") for line in heading.splitlines()), "title and caption are comments"
    body = text[text.index("\\begin{document}") :]
    assert text.count("\\end{document}") == 1 and text.count("\\input") == 0
    assert body.count("\\end{tikzpicture}") <= 1
    depth = 0
    for brace in re.findall(r"\\\\|\\[{}]|[{}]", body):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        assert depth >= 0
    assert depth == 0
    assert not re.search(r"(?<!\\)[#&~^]", re.sub(r"(?<= )&(?= )", "", body)), "specials are escaped"
    for comment in re.findall(r"(?<!\\)%.*", body):
        raise AssertionError(f"a name became a comment: {comment}")


@pytest.mark.parametrize("name", ["tree", "search", "file"])
def test_latex_prints_every_name(name):
    text = made(name, "tex")
    for action in actions(name):
        assert latex(truncate_text(action, LONGEST)) in text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("name", CASES)
def test_latex_compiles(name, tmp_path):
    (tmp_path / "picture.tex").write_text(made(name, "tex"), encoding="utf-8")
    run = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "picture.tex"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=120)
    assert done.returncode == 0, done.stdout[-2000:]


# ---- DOT ----------------------------------------------------------------------------------------------------------

QUOTED = r'"(?:[^"\\]|\\.)*"'
DOT_LINE = re.compile(
    rf"(?:(?:di)?graph {QUOTED} \{{|  (?:node|edge) \[fontname=\w+\];|  ordering=out;"
    rf"|  n\d+(?: -[->] n\d+)? \[(?:\w+={QUOTED}(?:, )?)*\];|\}})"
)


@pytest.mark.parametrize("name", CASES)
def test_dot_is_quoted_line_by_line(name):
    graph = annotate(state_graph(GAMES[name]), SOLUTIONS[name])
    for text in (made(name, "dot"), graph_dot.write(graph)):
        for line in text.splitlines():
            assert DOT_LINE.fullmatch(line), line


@pytest.mark.thorough_of("tree", "search")
@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("name", CASES)
def test_graphviz_reads_the_dot(name):
    done = subprocess.run(["dot", "-Tcanon"], input=made(name, "dot"), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "syntax error" not in done.stderr
    assert "evil" not in re.sub(QUOTED, "", done.stdout)


# ---- Text, PNG, PDF -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tree", "search", "file"])
def test_text_has_a_line_for_every_node_and_no_more(name):
    text = made(name, "txt")
    lines = [line for line in text.split("\n") if line.lstrip(" │").startswith(("├", "└"))]
    assert len(lines) == len(GAMES[name].model.nodes) - 1  # type: ignore[attr-defined]
    for action in actions(name):
        assert action in text


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore:no font here has:UserWarning")  # which fonts there are is the machine's affair
@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_typst_draws_them(name, kind):
    pytest.importorskip("typst", reason="the extra gdl[pictures] is not installed")
    data = draw(GAMES[name], SOLUTIONS[name], kind)
    assert isinstance(data, bytes)
    assert data.startswith(b"\x89PNG" if kind == "png" else b"%PDF")
