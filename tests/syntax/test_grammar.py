"""The grammar has no conflict, and the tables that are stored belong to it."""

import json

import lark
import pytest

import gdl
from gdl.errors import Source
from gdl.syntax import lark_parser, lexer, tables

STORED = tables.FOLDER / tables.FILE


@pytest.fixture(scope="module")
def built():
    return tables.build()


@pytest.fixture(scope="module")
def made():
    return tables.make()


@pytest.fixture(scope="module")
def sections():
    """The tokens of every section of the shipped games."""
    found = [
        tokens
        for file in gdl.shipped().values()
        for tokens in lexer.sections(Source(file.name, file.read_text(encoding="utf-8")))[0]
    ]
    assert len(found) > 100
    return found


def test_lark_finds_no_conflict(built):
    """`build` is strict: a shift that hides a reduce, or a terminal that hides another, raises there."""
    assert built.options.strict
    assert built.options.parser == "lalr"
    assert set(built.options.start) == set(tables.STARTS)


@pytest.mark.thorough
def test_rules_shape_the_tree_as_larks_own_trees_are(built, sections):
    """Both give the same tree, with the same stretch of text for every node."""
    for tokens in sections:
        theirs = built.parse([for_lark(token) for token in tokens], start="section")
        assert tree(tokens) == shape(theirs)


def test_the_stored_table_refuses_as_larks_own_does(built, sections):
    """Without its second token a section is none, or another one; where it fails, the same kinds would be right."""
    refused = 0
    for first, _, *rest in sections:
        tokens = [first, *rest]
        try:
            built.parse([for_lark(token) for token in tokens], start="section")
        except lark.UnexpectedToken as error:
            with pytest.raises(lark.UnexpectedToken) as ours:
                tree(tokens)
            assert ours.value.accepts == error.accepts
            assert error.token.type == "$END" or ours.value.token.start == error.token.start_pos
            refused += 1
        else:
            tree(tokens)
    assert refused > 100


def for_lark(token):
    return lark.Token(token.kind, token.text, token.start, 1, 1, 1, 1, token.end)


def tree(tokens):
    return lark_parser.parse(tokens, "section", lark_parser.Callbacks(leaf, node))


def node(name):
    return lambda start, end, values: [name, start, end, *values]


def leaf(token):
    return token.kind, token.text


def shape(part):
    """Lark's tree in the same form."""
    if isinstance(part, lark.Token):
        return part.type, str(part)
    if part is None:
        return None
    meta = part.meta
    return [str(part.data), *((None, 0) if meta.empty else (meta.start_pos, meta.end_pos)), *map(shape, part.children)]


def test_stored_tables_are_those_of_the_grammar(made):
    if not STORED.is_file() or json.loads(STORED.read_text(encoding="utf-8"))["grammar"] != made["grammar"]:
        pytest.skip("nothing is stored for this grammar until the package is installed again")
    assert tables.load() == made


@pytest.mark.thorough
def test_new_tables_are_plain_data_as_stored_ones_are(made):
    """Strings of Lark's own class compare slowly, at every word of every file."""
    assert {type(row) for row in made["states"]} == {str}
    assert {type(name) for rule in made["rules"] for name in rule[:2]} == {str}


@pytest.fixture
def folder(made, tmp_path, monkeypatch):
    """A folder of tables with the grammar alone."""
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    (tmp_path / "grammar.lark").write_text(made["grammar"], encoding="utf-8")
    return tmp_path


@pytest.fixture
def may_write(monkeypatch):
    """Python may store what it has worked out, as it does where nobody forbids it."""
    monkeypatch.setattr(tables.sys, "dont_write_bytecode", False)


@pytest.mark.thorough
def test_tables_of_an_older_form_are_made_anew(made, folder):
    older = {name: part for name, part in made.items() if name != "words"}
    (folder / tables.FILE).write_text(json.dumps(older), encoding="utf-8")
    assert tables.load() == made


def test_tables_are_stored_and_read_without_loss(made, folder):
    stored = {**made, "mark": "new tables have none"}
    (folder / tables.FILE).write_text(json.dumps(stored), encoding="utf-8")
    assert tables.load() == json.loads(json.dumps(stored))


@pytest.mark.thorough
def test_tables_of_another_grammar_are_not_read(made, folder):
    (folder / tables.FILE).write_text(json.dumps({"grammar": "another"}), encoding="utf-8")
    assert len(tables.load()["states"]) == len(made["states"])  # built anew: nothing else is stored


@pytest.mark.thorough
def test_tables_of_a_changed_grammar_are_stored_at_the_first_start(made, folder, may_write):
    """Whoever changes the grammar of a checkout, or fetches a newer one, waits for its tables once."""
    (folder / tables.FILE).write_text(json.dumps({"grammar": "another"}), encoding="utf-8")
    first = tables.load()
    assert json.loads((folder / tables.FILE).read_text(encoding="utf-8")) == json.loads(json.dumps(first))
    assert sorted(file.name for file in folder.iterdir()) == sorted(["grammar.lark", tables.FILE])


@pytest.mark.thorough
def test_tables_that_can_not_be_stored_are_made(made, folder, may_write, monkeypatch):

    def refuse(*_, **__):
        raise PermissionError

    monkeypatch.setattr(type(folder), "write_text", refuse)
    assert len(tables.load()["states"]) == len(made["states"])
