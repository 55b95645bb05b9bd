"""Names say what things are: functions what they do or give, classes what they are, files what they are about."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from parsed_files import statements, tree_of
from places import ROOT, missing_wings

FILES = sorted([*ROOT.glob("gdl/**/*.py"), *ROOT.glob("solvers/**/*.py")])
MODULES = [file for file in FILES if file.name != "__init__.py"]

# The words that may stand alone as the name of a function: nouns, verbs and the words of the language. A participle, a
# preposition or an adjective alone (`told`, `of`, `whole`) leaves open what is told, of what, and what is whole.
ALLOWED = frozenset((Path(__file__).parent / "one_word_names.txt").read_text(encoding="utf-8").split())
MOST_FOLDERS = 2  # with a file of one name
MOST_NAMES = 31  # functions and classes that a file hands out
MOST_LINES = 65  # of a function
RIDDLE = re.compile(r"(What|Whether|That of|Those|The same|Its?)\b")  # a docstring that begins so names no thing
NODES = ("gdl/syntax/", "gdl/model/", "gdl/compiler/ir/")  # classes there are called like the words of the language


@cache
def nodes_of(file: Path) -> list[Any]:
    """All nodes of a file that hold names or a docstring."""
    kinds = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
    return [node for node in (tree_of(file), *statements(tree_of(file))) if isinstance(node, kinds)]


def path_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def functions(file: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in nodes_of(file) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_functions_say_what_they_do_in_two_words_or_by_a_word_of_the_list():
    alone = {
        (path_of(file), one.name.strip("_"))
        for file in FILES
        for one in functions(file)
        if "_" not in one.name.strip("_") and not one.name.endswith("__")
    }
    assert {place for place in alone if place[1] not in ALLOWED} == set(), "say in two words what it does or gives"
    assert missing_wings() or not ALLOWED - {name for _, name in alone}, "no function is called so any more"


def test_docstrings_name_the_thing_that_they_describe():
    riddles = [
        (path_of(file), said.split("\n")[0])
        for file in (*FILES, *ROOT.glob("tests/**/*.py"))
        for node in nodes_of(file)
        if RIDDLE.match(said := ast.get_docstring(node) or "")
    ]
    assert not riddles


def test_no_definition_hides_another_of_its_file():
    """Neither ruff nor mypy sees the first of two functions of one name and type, where something uses it between."""
    definitions = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
    scopes = [
        (path_of(file), node.body)
        for file in (*FILES, *ROOT.glob("tests/**/*.py"))
        for node in nodes_of(file)
        if isinstance(node, ast.Module | ast.ClassDef)
    ]
    counts = Counter(
        (path, number, one.name)
        for number, (path, body) in enumerate(scopes)
        for one in body
        if isinstance(one, definitions) and not one.decorator_list
    )
    assert len(counts) > 5_000 and [place for place, count in counts.items() if count > 1] == []


def test_file_names_say_what_files_are_about():
    folders = defaultdict(set)
    for file in MODULES:
        if "wings" not in file.parts:  # whose folder says what its files are about
            folders[file.name].add(path_of(file.parent))
    assert {name: found for name, found in folders.items() if len(found) > MOST_FOLDERS} == {}


def test_files_hand_out_few_names():
    """A file has one job; how long it is says little."""
    names = {
        path_of(file): sum(
            isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
            for node in tree_of(file).body
        )
        for file in FILES
        if not path_of(file).startswith(NODES)
    }
    full = {place: count for place, count in names.items() if count > MOST_NAMES}
    assert full == {}, f"a file hands out at most {MOST_NAMES} functions and classes: put some into a file of their own"


def test_functions_fit_a_screen():
    lengths = {(path_of(file), one.name): one.end_lineno - one.lineno + 1 for file in FILES for one in functions(file)}
    assert {place: lines for place, lines in lengths.items() if lines > MOST_LINES} == {}
