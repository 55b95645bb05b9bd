"""Tables of equilibria for papers: a column for each information set, no wider than a page, and nothing unescaped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands

CHICKEN = """players A, B
matrix
           swerve     straight
    swerve   (0, 0)    (-1, 1)
    straight (1, -1)   (?crash, ?crash)
"""
ENTRY = """players Entrant, Incumbent
tree
    Entrant
        come: Incumbent (fight: (?war, -1), yield: (1, -2))
        stay: (0, 2)
"""
HOSTILE = r"""game "50% & \input{x} $_^~"
players "A_1 & co", "B#{}"
matrix
                 "100%"    "x & y \\ z"
    "{left"       (1, 1)    (0, 0)
    "$\right$"    (0, 0)    (2, 2)
"""
CELL = re.compile(r"\\begin\{tabular\}\[[tb]\]\{@\{\}l@\{\}\}(.*?)\\end\{tabular\}")


def solve_to_tex(folder: Path, game: str, *words: str) -> str:
    file = folder / "answer.tex"
    done = CliRunner().invoke(commands, ["solve", game, *words, "-o", str(file)])
    assert done.exit_code == 0, done.output
    return file.read_text(encoding="utf-8")


def read_tables(text: str) -> list[list[list[str]]]:
    """The rows of cells of each table; its braces and environments match, and no row has more cells than columns."""
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert not opened
    depth = 0
    for brace in re.findall(r"\\\\|\\[{}]|[{}]", text):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        assert depth >= 0
    assert not depth
    body = [line for line in text.splitlines() if not line.startswith("%")]
    assert not re.search(r"(?<!\\)[#%&^~$_]", re.sub(r"\$\{[-0-9/.]*\}\$|(?<= )& ", "", "\n".join(body)))
    found = []
    for kinds, inner in re.findall(r"(?m)^\\begin\{tabular\}\{([rl]+)\}\n(.*?)^\\end\{tabular\}", text, re.DOTALL):
        lines = [CELL.sub(lambda one: one[1].replace("\\\\", "/"), line) for line in inner.splitlines()]
        rows = [line.removesuffix(" \\\\").split(" & ") for line in lines if line.endswith("\\\\")]
        assert all(len(row) == len(kinds) for row in rows if "\\multicolumn" not in row[0])
        assert all(sum(int(n) for n in re.findall(r"multicolumn\{(\d+)", " ".join(row))) == len(kinds)
                   for row in rows if "\\multicolumn" in row[0])  # fmt: skip
        found.append(rows)
    return found


def test_what_fits_a_page_is_one_table_with_a_column_for_each_information_set(tmp_path: Path):
    (table,) = read_tables(solve_to_tex(tmp_path, "beer_quiche"))
    assert [re.findall(r"\{(\w*)\}$", cell) for cell in table[0]] == [[""], ["payoff"], ["Stranger"], ["Bully"]]
    assert table[1] == ["\\#", "Stranger", "Bully", "strong", "weak", "beer", "quiche"]
    assert table[2] == ["${1}$", "${29/10}$", "${9/10}$", "beer", "beer", "leave", "fight"]
    assert table[4][-1] == "1/2 fight / 1/2 leave"


def test_what_is_wider_is_a_table_for_each_player(tmp_path: Path):
    pays, first, second = read_tables(solve_to_tex(tmp_path, "kuhn"))
    assert pays[2] == ["${-1/18}$", "${1/18}$"]
    assert first[0] == ["\\multicolumn{6}{c}{P1}"] and second[0] == ["\\multicolumn{6}{c}{P2}"]
    assert first[1][0] == "holding 1" and first[1][3] == "holding 1{,} / after check{,} / bet"
    assert first[2] == ["2/3 check / 1/3 bet", "check", "bet", "fold", "2/3 call / 1/3 fold", "call"]


def test_three_players_and_a_table(tmp_path: Path):
    (table,) = read_tables(solve_to_tex(tmp_path, "three_players"))
    assert table[2] == ["${1}$", "${2}$", "${6}$", "1", "1", "1", "1", "1", "2", "2"]
    (table,) = read_tables(solve_to_tex(tmp_path, "prisoners"))
    assert table[1:] == [["A", "B", "A", "B"], ["${-2}$", "${-2}$", "betray", "betray"]]


@pytest.mark.parametrize("text, sweep, rows, threshold", [
    (CHICKEN, "crash=-4..0:1", 13, "at {-}1"),
    (ENTRY, "war=-2..2:1", 5, "just below 0"),
])  # fmt: skip
def test_a_sweep_has_its_values_first_and_its_thresholds_apart(tmp_path: Path, text, sweep, rows, threshold):
    file = tmp_path / "open.game"
    file.write_text(text)
    answers, thresholds = read_tables(solve_to_tex(tmp_path, str(file), "--sweep", sweep))
    assert len(answers) == 2 + rows and answers[1][0] == sweep.partition("=")[0]
    assert sum(row[0] != "" for row in answers[2:]) == 5, "a value stands at its first equilibrium"
    assert thresholds[0] == [answers[1][0], "change"] and thresholds[1][0] == threshold


def test_no_name_is_obeyed(tmp_path: Path):
    file = tmp_path / "hostile.game"
    file.write_text(HOSTILE)
    text = solve_to_tex(tmp_path, str(file))
    (table,) = read_tables(text)
    assert len(table) == 5 and table[1][1] == "A\\_1 \\& co"
    assert text.startswith("% 50% & \\input{x}")


def test_many_equilibria_are_tables_of_forty(tmp_path: Path):
    file = tmp_path / "many.game"
    rows = "\n".join(
        f"  r{row} " + " ".join(f"({int(row == c)}, {int(row == c)})" for c in range(6)) for row in range(6)
    )
    file.write_text(f"players A, B\nmatrix\n     {' '.join(f'c{c}' for c in range(6))}\n{rows}\n")
    tables = read_tables(solve_to_tex(tmp_path, str(file)))
    assert [len(table) for table in tables] == [42, 25]
