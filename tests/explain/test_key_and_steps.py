"""A search told to learners: its key agrees with published sources, nodes have their names, its steps are walked through."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest
from click.testing import CliRunner
from exam_answers import ANSWERS, FOLDER, SEARCHED, path, rules, search_options, vector
from trees import MAX, MIN, tree

import gdl
from gdl.commands.cli import commands
from gdl.explain.key import key
from gdl.explain.names import Names
from gdl.explain.step import walk
from gdl.game import Terminal
from gdl.render.cut_text import SIGNS
from gdl.render.trace import tell
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.backward_induction import minimax

FIGURE = gdl.load("figure_5_2")


def run(*arguments: str, stdin: str = "") -> Any:
    separate = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
    return CliRunner(**separate).invoke(commands, list(arguments), prog_name="gdl", input=stdin)


# ---- Published problems ---------------------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", SEARCHED)
def test_the_key_of_a_published_problem_agrees_with_its_source(name: str) -> None:
    answer, file = ANSWERS[name], str(FOLDER / f"{name}.game")
    names = Names(gdl.load(file), answer.get("depth"))
    for cut in rules(name):
        result = run("explain", file, "--key", "--json", *search_options(name, cut))
        assert result.exit_code == 0, result.stderr
        found = json.loads(result.stdout)
        if "value" in answer:
            assert list(map(str, found["value"].values())) == list(map(str, vector(answer["value"], found["value"])))
        if "best" in answer:
            assert found["best"][0] == answer["best"]
        if answer["kind"] == "alphabeta":
            ours = answer["runs"].get(cut) or answer["runs"]["both"]
            assert [tuple(root["path"]) for root in found["pruned"]] == list(map(path, ours["pruned"]))
            assert found["leaves"] == ours["leaves"]
            for where, value in answer["published"].get("bounds", {}).items():
                assert found["nodes"][names.name(path(where))] in (f"<= {value}", f">= {value}")
        else:
            for where, value in answer.get("values", {}).items():
                text = value if not isinstance(value, list) else f"({', '.join(map(str, value))})"
                item = names.nodes.node_at(path(where)).node
                ours = (
                    f"= {item.utilities[0]}" if isinstance(item, Terminal) else found["nodes"][names.name(path(where))]
                )
                assert ours == f"= {text}"


def test_keys_tell_bounds_by_their_signs() -> None:
    found = key(FIGURE, alpha_beta(FIGURE))
    assert found.text() == "B=3 C<=2 D=2 A=3 cut: c2 c3 best: a1"
    assert {SIGNS[event.bound or ""] for event in found.nodes.values()} == {"=", "<="}
    assert key(FIGURE, minimax(FIGURE, values=True)).text() == "B=3 C=2 D=2 A=3 best: a1"


# ---- Names ----------------------------------------------------------------------------------------------------------


def test_names_by_label_by_action_and_by_way() -> None:
    names = Names(tree(MAX(a1=MIN(3, 12, label="B"), a2=MIN(c1=2, c2=4))))
    assert names.path("B") == names.path("a1") == (0,)
    assert names.path("a2") == (1,)
    assert names.path("c2") == names.path("a2.c2") == names.path("a2 > c2") == names.path("a2/c2") == (1, 1)
    assert names.path("a1.2") == (0, 1)
    assert names.path("root") == ()
    assert names.path("2") is None
    assert (names.name((0,)), names.branch((0,)), names.name((1,)), names.name(())) == ("B", "a1", "a2", "root")


def test_a_name_of_two_nodes_is_none() -> None:
    names = Names(tree(MAX(a=MIN(x=1, y=2, label="N"), b=MIN(x=3, y=4, label="N"))))
    assert names.path("N") is None
    assert names.path("x") is None
    assert (names.name((0,)), names.name((1, 0))) == ("a", "b.x")


# ---- Walking through ------------------------------------------------------------------------------------------------


def walked(*replies: str) -> list[str]:
    lines: list[str] = []
    answers = iter(replies)
    walk(tell(FIGURE, alpha_beta(FIGURE)), "alpha-beta.", lambda prompt: next(answers, None), lines.append)
    return lines[2:]


def test_forwards_back_and_to_a_step() -> None:
    told = [one.text for one in tell(FIGURE, alpha_beta(FIGURE))]
    lines = [" ".join(line.split()) for line in walked("", "n", "b", "g 4", "G5")]
    assert lines == [told[0], told[1], told[2], told[1], told[3], told[4]]
    lines = [" ".join(line.split()) for line in walked("", "b", "b", "g 999", "", "g 0")]
    assert lines == [told[0], told[1], told[0], "This is the first step.", told[-1], "This is the last step.", told[0]]


def test_why_and_what_is_not_understood() -> None:
    lines = walked("g 4", "w", "what?", "q", "")
    assert lines[2].startswith("MIN moves here and takes the least value")
    assert lines[3].startswith("'what?' is not understood.")
    assert len(lines) == 4


def test_long_fractions_are_told_as_decimals() -> None:
    told = run(
        "explain", "-", stdin="players MAX, MIN\ntree MAX A (a: MIN B (b: 1732050807569/1000000000003), c: 1)\n"
    ).stdout
    assert "B = 1.73205" in told and "1732050807569" not in told
