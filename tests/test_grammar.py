"""The grammar has no conflict, and the tables that are stored belong to it."""

import json

import pytest

import gdl
from gdl import lexer, tables
from gdl.errors import Source

STORED = tables.FOLDER / tables.FILE


@pytest.fixture(scope="module")
def built():
    return tables.build()


def test_lark_finds_no_conflict(built):
    """`build` is strict: a shift that hides a reduce, or a terminal that hides another, raises there."""
    assert built.options.strict
    assert built.options.parser == "lalr"
    assert set(built.options.start) == set(tables.STARTS)


def test_stored_tables_parse_as_the_grammar_does(built):
    """Every shipped game, section by section. (The numbers of the states differ from build to build.)"""
    if not STORED.is_file() or json.loads(STORED.read_text(encoding="utf-8"))["grammar"] != tables._fingerprint():
        pytest.skip("nothing is stored for this grammar until the package is installed again")
    assert same_trees(tables.load(), built)


def test_tables_are_stored_and_read_without_loss(built, tmp_path, monkeypatch):
    stored = tables.serialize()
    text = tables.FOLDER.joinpath("grammar.lark").read_text(encoding="utf-8")
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    (tmp_path / "grammar.lark").write_text(text, encoding="utf-8")
    (tmp_path / tables.FILE).write_text(json.dumps(stored), encoding="utf-8")
    monkeypatch.setattr(tables, "build", None)  # it must not be needed
    assert same_trees(tables.load(), built)


def same_trees(one, other) -> bool:
    """Whether two parsers read every shipped game alike."""
    sections = [
        tokens
        for file in gdl.shipped().values()
        for tokens in lexer.sections(Source(file.name, file.read_text(encoding="utf-8")))[0]
    ]
    assert len(sections) > 100
    return all(one.parse(tokens, start="section") == other.parse(tokens, start="section") for tokens in sections)


def test_tables_of_another_grammar_are_not_read(tmp_path, monkeypatch):
    text = STORED.parent.joinpath("grammar.lark").read_text(encoding="utf-8")
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    (tmp_path / "grammar.lark").write_text(text, encoding="utf-8")
    (tmp_path / tables.FILE).write_text(json.dumps({"grammar": "another", "data": {}, "memo": {}}), encoding="utf-8")
    assert tables.load().options.strict  # built anew: what is stored could not be loaded at all
