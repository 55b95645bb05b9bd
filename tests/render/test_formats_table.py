"""The table of formats: every row is whole, is offered by its command, and stands in the manual."""

import re
from dataclasses import replace

import pytest
from click.testing import CliRunner
from handmade import figure_5_2, prisoners

import gdl
from gdl.commands import cli
from gdl.commands.versions import EXTRAS
from gdl.errors import Refusal
from gdl.render import formats
from gdl.render.draw import draw
from gdl.render.formats import FORMATS, GRAPHS, PICTURES, SWEEPS, writer
from gdl.web.manual import GUIDE

WRITERS = ("tree", "matrix", "states", "graph", "steps", "worked", "sweep", "printed")


@pytest.mark.parametrize("name", FORMATS)
def test_every_row_is_whole(name):
    row = FORMATS[name]
    assert name in PICTURES or name in GRAPHS or name in SWEEPS
    assert row.purpose and row.ending == f".{name}"
    assert row.extra in ("", *EXTRAS)
    assert not (row.tree and row.steps), "one writer for trees"
    for entry in filter(None, (getattr(row, kind) for kind in WRITERS)):
        assert callable(writer(entry)) and (writer(entry).__doc__ or "").strip()


def test_an_ending_says_which_format_is_meant():
    for table in (PICTURES, GRAPHS, SWEEPS):
        assert list(table) == [row.ending.removeprefix(".") for row in table.values()]


@pytest.mark.parametrize(("command", "table"), [("draw", PICTURES), ("graph", GRAPHS), ("solve", SWEEPS)])
def test_every_format_is_offered_and_explained(command, table):
    help = " ".join(CliRunner().invoke(cli.commands, [command, "--help-all"], terminal_width=1000).output.split())
    page = "".join((GUIDE / f"{name}.md").read_text(encoding="utf-8") for name in ("commands", "more-commands"))
    section = re.search(rf"^## `gdl {command}`\n(.*?)^## ", page, re.MULTILINE | re.DOTALL)[1]
    for row in table.values():
        assert row.ending in help and f"`{row.ending}`" in section
        assert row.extra == "" or (f"gdl[{row.extra}]" in help and f"`gdl[{row.extra}]`" in section)
    assert f"--format [{'|'.join(table)}]" in help


def shouted(drawn):
    """Another way to draw, as whoever adds one writes it: one function in a file."""
    return f"{drawn.title}!"


def test_a_new_way_to_draw_is_a_function_and_a_row(monkeypatch, tmp_path):
    row = replace(FORMATS["txt"], name="loud", tree=f"{__name__}:shouted", matrix="", states="")
    monkeypatch.setitem(formats.PICTURES, "loud", row)
    file = tmp_path / "tree.loud"
    assert CliRunner().invoke(cli.commands, ["draw", "figure_5_2", "-o", str(file)]).exit_code == 0
    assert file.read_text() == "Figure 5.2!"
    assert draw(prisoners(), kind="loud") == "prisoners!"  # a tree, where there is no writer of tables
    with pytest.raises(Refusal, match="a state graph is not drawn as loud: take svg, png, pdf, tex, html, dot or txt"):
        draw(gdl.load("nim"), kind="loud", merged=True)


def test_a_stranger_is_refused():
    with pytest.raises(Refusal, match="there is no format 'bmp'; a picture is svg, png, pdf, tex, html, dot or txt"):
        draw(figure_5_2(), kind="bmp")
