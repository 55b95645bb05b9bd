"""The guide is true: every example in it runs, and every word of the language stands in it.

`PYTHONPATH=tests/support python tests/house/test_docs.py PAGE…` writes the answers of all commands anew (where no `…` stands); read the difference
before you keep it. The fenced blocks of gdl/docs/*.md are of these kinds:

    ```game                 a whole game: it loads without a warning, and what it expects holds
    ```game fragment        a part of a game, made whole by players, an action and an end where it has none
    ```game NAME.game       a whole game that the commands of the page find under that name
    ```wrong NAME.game      a game with a mistake, for the commands of the page
    ```python               a program that prints something
    ```python EXTRA         the same where that extra of gdl is installed
    ```answers NAME.txt     what a student wrote, for the commands of the page
    ```kif NAME.kif         a game in clauses, for the commands of the page
    ```json NAME.json       a saved answer, for the commands of the page
    ```csv NAME.csv         a table, for the commands of the page
    ```console              commands and what they answer, `…` for lines left out; after a `Name> ` stands what is typed
"""

import contextlib
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import pytest
from places import ROOT, is_of_missing_wing, missing_wings
from together import together
from transcripts import Step, answer, read

import gdl
from gdl import wings
from gdl.checker import vocabulary
from gdl.checker.sequence_effects import EFFECTS
from gdl.commands.cli import COMMANDS
from gdl.compiler import python
from gdl.inspection import expectations
from gdl.inspection.quantities import QUANTITIES
from gdl.model.board import SHAPES
from gdl.solvers import SOLVERS, solve
from gdl.syntax import lexer

DOCS = Path(gdl.__file__).parent / "docs"
GRAMMAR = Path(gdl.__file__).parent / "syntax" / "grammar.lark"
PAGES = sorted([*DOCS.glob("*.md"), *DOCS.parent.glob("wings/*/docs/*.md")])
_FENCE = re.compile(r"^```(\w+)(?: ([^\n]*))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LARGEST = 500  # lines of a page


class Block(NamedTuple):
    """A fenced block of a page."""

    page: Path
    line: int
    kind: str
    name: str
    text: str


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        yield Block(page, text.count("\n", 0, found.start()) + 1, found[1], found[2] or "", found[3])


# What takes some seconds; `compare` collects garbage before each search, and tests have made much of it:
LONG = re.compile(
    r"gdl.compare|--iterations 100000|gdl learn othello|gdl solve ferrymen|gdl ask tic_tac_toe|--plan|--games 300|gdl check market"
)
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
BLOCKS = [block for page in PAGES for block in blocks(page)]


# Of the pages that explain; the index of words names them all.
PROSE = "\n".join(_FENCE.sub("", page.read_text(encoding="utf-8")) for page in PAGES if page.stem != "words")
CODE = " ".join(re.findall(r"`([^`\n]+)`", PROSE))


def chosen(kind: str) -> pytest.MarkDecorator:
    found = [block for block in BLOCKS if block.kind == kind and block.name != "cell"]  # cells: test_notebook.py
    cases = [pytest.param(block, marks=pytest.mark.thorough if LONG.search(block.text) else ()) for block in found]
    return pytest.mark.parametrize("block", cases, ids=[f"{block.page.stem}:{block.line}" for block in found])


def completed(fragment: str) -> str:
    """A part of a game made whole."""
    heads = {line.split(None, 1)[0] for line in fragment.splitlines() if line and not line[0].isspace()}
    if heads & {"tree", "matrix"}:
        return fragment if "players" in heads else f"players MAX, MIN\n{fragment}"
    before = "" if "players" in heads else "players Ann, Bob\n"
    after = "" if heads & {"action", "chance"} else "action pass\n"
    end = "" if "terminal" in heads else "terminal\n    no actions -> draw\n    forever -> draw\n"
    return f"{before}{fragment}\n{after}{end}"


@chosen("game")
def test_example_holds(block: Block):
    whole = block.name != "fragment"
    loaded = gdl.loads(block.text if whole else completed(block.text), f"{block.page.name}:{block.line}")
    if whole:
        assert loaded.warnings == ()
    loaded.game.node(loaded.game.initial())
    outcomes = list(expectations.run(loaded.description, gdl.play, solve))
    assert [(o.text, o.found) for o in outcomes if not o.holds] == []


@pytest.mark.usefixtures("little_garbage")
@pytest.mark.one_in(3)
@chosen("console")
def test_commands_answer_so(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    save_games(block, tmp_path)
    _, steps = read(block.text)
    assert steps, "a console block has a command: $ gdl …"
    asked = [(step.command, re.findall(r"--(?:concept|solver) (\S+)", step.command)) for step in steps]
    if missing := [command for command, named in asked if wing_is_missing("commands", command.split()[1])
                   or any(wing_is_missing("solvers", name) for name in named)]:  # fmt: skip
        pytest.skip(f"{missing[0]}: its wing is not installed")
    if "solvers that accept it: " in block.text and missing_wings():
        pytest.skip("the list of solvers is that with all wings")
    if missing := [word for word in re.findall(r": gdl (\w+)", block.text) if wing_is_missing("commands", word)]:
        pytest.skip(f"what to do next is gdl {missing[0]}: its wing is not installed")
    for step in steps:
        assert matches(step.answer, shown(step)), "\n".join(["answered:", *shown(step)])


def wing_is_missing(kind: wings.Kind, word: str) -> bool:
    """True if a wing of ours has the word, and is not installed."""
    name = wings.owner(kind, word)
    return name is not None and wings.wing(name) is None


def save_games(block: Block, folder: Path) -> None:
    """The games that stand above a block on its page, as files."""
    for saved in blocks(block.page):
        if (
            saved.name.endswith((".game", ".counts", ".exam", ".kif", ".txt", ".csv", ".json", ".jsonl", ".py"))
            and saved.line < block.line
        ):
            (folder / saved.name).write_text(saved.text, encoding="utf-8")


def shown(step: Step) -> list[str]:
    """The answer as a terminal shows it: what goes to stderr after the rest, and no exit status."""
    typed = [found[1] for line in step.answer if (found := re.fullmatch(r"\w+> (.*)", line))]
    lines = answer(replace(step, stdin=typed))
    return [re.sub(r"^2> ?", "", line) for line in lines if not re.fullmatch(r"\[\d+\]", line)]


def matches(wanted: list[str], found: list[str]) -> bool:
    """True if the lines are the wanted ones, where `…` stands for any."""
    if "…" not in wanted:
        return wanted == found
    at = wanted.index("…")
    rest = wanted[at + 1 :]
    return wanted[:at] == found[:at] and any(matches(rest, found[i:]) for i in range(at, len(found) + 1))


@pytest.mark.usefixtures("little_garbage")
@pytest.mark.one_in(3)
@chosen("python")
def test_program_runs(
    block: Block, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)  # where what it writes is left
    for package in re.findall(r"^[\w-]+", "\n".join(EXTRAS[block.name]), re.MULTILINE) if block.name else ():
        try:
            metadata.version(package)
        except metadata.PackageNotFoundError:
            pytest.skip(f"the extra gdl[{block.name}] is not installed")
    try:
        exec(block.text, {})
    except gdl.errors.Refusal as refusal:
        if missing_wings() and "which is not installed here" in str(refusal):
            pytest.skip(str(refusal))
        raise
    assert capsys.readouterr().out


SIGNS = {  # how a page, or the README, asks for what an extra brings
    "pictures": r"(?<!pictures/)\b[\w{}*]*\.(?:png|pdf)\b",
    "lp": r"HiGHS",
    "pettingzoo": r"adapters[./]pettingzoo",
    "gymnasium": r"adapters[./]gymnasium",
    "openspiel": r"adapters[./]openspiel|pyspiel",
    "mcp": r"gdl mcp\b",
    "lsp": r"gdl lsp\b(?! --)",  # with an option it writes files for editors, and serves none
}


@pytest.mark.parametrize("extra", sorted(EXTRAS.keys() - {"test", "all", "manual"}))  # the manual, set in a terminal
def test_no_page_asks_for_an_extra_without_naming_it(extra: str):
    """A program that needs one bears its name besides, and all other examples run without any."""
    asking = []
    for page in (*PAGES, ROOT / "README.md"):
        text = re.sub(r"!\[.*?\]\(.*?\)", "", page.read_text(encoding="utf-8"))
        if re.search(SIGNS[extra], text):
            asking.append(page.stem)
            assert f"gdl[{extra}]" in text, page.name
    assert asking or missing_wings(), "no page asks so"


def _words() -> set[str]:
    """Every word that the language reserves somewhere, or knows."""
    reserved = lexer.SECTIONS | lexer.WORDS | lexer.STATEMENTS | lexer.QUANTIFIERS | set(lexer.TURNS) | lexer.OUTCOMES
    reserved |= (
        lexer.LOOKING
        | lexer.BEGINNING
        | lexer.TREE_WORDS
        | lexer.EXPECT_WORDS
        | set(lexer.LEARNING)
        | lexer.QUESTION_WORDS
    )
    reserved |= set(EFFECTS) | set(vocabulary.WORDS) | set(SHAPES) | set(QUANTITIES)
    known = "requires keeps forgets graph flipped rotated mover no has set sequence record up place owner all everyone forever actions with zero-sum Player Team Boolean quiet"
    axes = "Column Row Layer Direction Edge north forward orthogonals diagonals directions"
    return reserved | set(known.split()) | set(axes.split())


@together(sorted(_words()))
def test_every_word_is_explained(word: str):
    """In a text set as code, on a page that is there to look things up."""
    assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", CODE) is not None, f"no page tells what '{word}' is"


INDEX = re.findall(
    r"^\| `([^`]+)` \| [^|]+ \| `([^`]+)` \| (.+) \|$", (DOCS / "words.md").read_text("utf-8"), re.MULTILINE
)


def test_the_index_has_every_word_of_the_language_in_order():
    words = [word for word, _, _ in INDEX]
    assert sorted(words) == sorted(_words())
    assert words == sorted(words, key=lambda word: (word.lower(), word[0].isupper()))


def _lines_of_games() -> str:
    """The lines of all games that tests play, without their comments; blanks side by side are one."""
    files = [*gdl.shipped().values(), *(ROOT / "tests" / "model" / "language").glob("*.game")]
    texts = [file.read_text(encoding="utf-8") for file in files]
    lines = "\n".join([*texts, *(block.text for block in BLOCKS if block.kind == "game")]).splitlines()
    return "\n".join(" ".join(re.sub(r"(^|\s)#.*", "", line).split()) for line in lines)


GAMES = _lines_of_games()


def _code(page: Path) -> str:
    """The code on a page, within lines or in blocks."""
    text = page.read_text(encoding="utf-8")
    spans = re.findall(r"`([^`\n]+)`", _FENCE.sub("", text))
    return "\n".join([*spans, *(block.text for block in blocks(page))])


@together(INDEX)
def test_an_example_of_the_index_is_from_a_game_and_its_page_explains_the_word(word: str, example: str, pages: str):
    whole = rf"(?<![\w-]){re.escape(word)}(?![\w-])"
    assert re.search(whole, example)
    assert example in GAMES
    for page in re.findall(r"\((\w+\.md)\)", pages):
        assert re.search(whole, _code(DOCS / page)), page


def test_the_words_are_those_of_the_grammar():
    """A word that is added to the grammar must be known here, and so explained."""
    terminals = {
        name.strip("_") for name in re.findall(r"\b_?[A-Z][A-Z_]+\b", re.sub(r"//.*", "", GRAMMAR.read_text()))
    }
    marks = {name.strip("_") for name in lexer.PUNCTUATION.values()} | {"INDENT", "DEDENT", "NL"}
    literals = {
        "NAME",
        "INT",
        "NUMBER",
        "STRING",
        "UNKNOWN",
        "PICTURE",
        "QUANTIFIER",
        "MIRROR",
        "LINE_AND",
        "LINE_OR",
        "ALSO",
        "ASK",
    }
    words = {word.upper() for word in _words()} | {"NO_ACTIONS", "AFTER_ACTIONS", "AT_TURN_START", "ELIF"}
    assert terminals - marks - literals - words == set()


@together([*COMMANDS, *SOLVERS])
def test_every_command_and_solver_is_explained(name: str):
    wing = wings.owner("commands" if name in COMMANDS else "solvers", name)
    pages = [DOCS / f"{page}.md" for page in (("commands", "more-commands") if name in COMMANDS else ("solvers",))]
    pages = pages if wing is None else [page for page in PAGES if wing in page.parts]
    told = any(re.search(rf"`(gdl )?{name}\b", page.read_text(encoding="utf-8")) for page in pages)
    assert told, (
        f"{name} stands on no page: it belongs on {' or '.join(page.name for page in pages) or 'one of its wing'}"
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_are_short_and_their_links_lead_somewhere(page: Path):
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert text.count("\n") < _LARGEST, f"{page.name} is too long: shorten it, or move a section to another page"
    prose = [line for line in _FENCE.sub("", text).splitlines() if not line.startswith("|")]
    assert max(map(len, prose)) <= 120
    for target, part in re.findall(r"\]\(([\w./-]+\.md)?(?:#([\w-]+))?\)", text):
        wing = re.search(r"wings/(\w+)/docs", str((page.parent / target).resolve()))
        if wing and wings.wing(wing[1]) is None:
            continue  # a page of a wing that is not installed
        assert (page.parent / target).exists(), target
        assert not part or part in _anchors(page.parent / target if target else page), f"{target}#{part}"


def _anchors(page: Path) -> set[str]:
    """The names by which links reach the parts of a page: its headings in small letters, with hyphens for blanks."""
    headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", ["contributing", "adding"])
def test_the_paths_that_a_page_names_are_there(name: str):
    """In code, where they begin with a folder of the project; NAME stands for one that is to come."""
    code = _code(DOCS / f"{name}.md")
    paths = set(re.findall(r"(?<![\w/.])(?:gdl|solvers|tests|games)/[\w/.]*\w", code))
    assert len(paths) > 20
    links = {"gdl/solvers": "solvers"}  # where git makes no links, and in the released sources, it is not there
    there = {path for path in paths if (ROOT / path).exists() or (ROOT / links.get(path, path)).exists()}
    missing = [path for path in paths - there if not ("NAME" in path or is_of_missing_wing(path))]
    assert missing == []


def test_the_map_has_every_room():
    text = (DOCS / "contributing.md").read_text(encoding="utf-8")
    rooms = [
        folder
        for top in ("gdl", "solvers")
        for folder in (ROOT / top).iterdir()
        if (folder / "__init__.py").exists() and not folder.is_symlink()
    ]
    assert [room.name for room in rooms if f"`{room.relative_to(ROOT).as_posix()}`" not in text] == []


def test_every_word_of_kernel_python_is_explained():
    page = (DOCS / "kernels.md").read_text(encoding="utf-8")
    assert [word for word in python.WORDS if not re.search(rf"`{word}\b", page)] == []


def rewrite(page: Path) -> None:
    """Put what the commands answer now in the place of what the page says."""
    text = page.read_text(encoding="utf-8")
    for block in blocks(page):
        if block.kind == "console" and "…" not in block.text.splitlines():
            with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                save_games(block, Path(folder))
                _, steps = read(block.text)
                for step in steps:
                    step.answer = shown(step)
            text = text.replace(f"\n{block.text}```", "\n" + "\n\n".join(map(str, steps)) + "\n```", 1)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(name).resolve())
