"""The grammar has no conflict, and the tables that are stored belong to it."""

import json

import pytest

from gdl import lexer, parser, tables

STORED = tables.FOLDER / tables.FILE


@pytest.fixture(scope="module")
def built():
    return tables.build()


def test_lark_finds_no_conflict(built):
    """`build` is strict: a shift that hides a reduce, or a terminal that hides another, raises there."""
    assert built.options.strict
    assert built.options.parser == "lalr"
    assert set(built.options.start) == set(tables.STARTS)


def test_stored_tables_are_those_of_the_grammar():
    if not STORED.is_file():
        pytest.skip("nothing is stored in this checkout: the parser is built from the grammar")
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    if stored["grammar"] != tables._fingerprint():
        pytest.skip("the grammar was changed since the installation, and the stored tables are not read")
    assert stored == json.loads(json.dumps(tables.serialize()))


def test_tables_that_are_read_parse_as_built_ones(built, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    grammar = parser.tables.FOLDER.joinpath("grammar.lark")
    (tmp_path / "grammar.lark").write_text(STORED.parent.joinpath("grammar.lark").read_text(encoding="utf-8"))
    (tmp_path / tables.FILE).write_text(json.dumps(tables.serialize()), encoding="utf-8")
    assert grammar == tmp_path / "grammar.lark"
    read = tables.load()
    source = parser.Source("x", "players A, B\ntree A(a: 1, b: B(2, 3))\nexpect value = 2\n")
    for tokens in lexer.sections(source)[0]:
        assert read.parse(tokens, start="section") == built.parse(tokens, start="section")


def test_tables_of_another_grammar_are_not_read(tmp_path, monkeypatch):
    text = STORED.parent.joinpath("grammar.lark").read_text(encoding="utf-8")
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    (tmp_path / "grammar.lark").write_text(text, encoding="utf-8")
    (tmp_path / tables.FILE).write_text(json.dumps({"grammar": "another", "data": {}, "memo": {}}), encoding="utf-8")
    assert tables.load().options.strict  # built anew: what is stored could not be loaded at all
