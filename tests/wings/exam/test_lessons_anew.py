"""Lessons with other numbers: gdl itself makes them anew, and says what it says of the game file with these numbers."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest
from browsers import chromium, listening, needs_browser, with_script
from click.testing import CliRunner
from test_practice import data_of

import gdl
from gdl.commands.cli import commands
from gdl.errors import Refusal
from gdl.numbers import read_number, to_text
from gdl.wings.exam.editable_numbers import numbers_in, settings_among, with_numbers
from gdl.wings.exam.exam_command import LESSONS, lesson_anew, lesson_pages
from gdl.wings.exam.exam_file import read_exam

site = pytest.importorskip("gdl.wings.page.site")
playground = pytest.importorskip("gdl.wings.page.playground")

QUESTIONS = read_exam(LESSONS.read_text(encoding="utf-8"), LESSONS.name).questions
OTHERS = {  # other numbers for each lesson, as a reader may write them
    1: "3 1/3 8 2 0.5 6 14 5 -2", 2: "3 12 8 4 4 6 14 5 2", 3: "3 1/3 8 2 0.5 6 14 5 -2", 4: "9 9 9 1 2 3 8 8 8",
    5: "1 2 3 4 5 6 7 8 9", 6: "5 4 6.5 1 3 7 2 4 4 5 8 6 2 3/2",
    7: "1 2 6 4 2 7 6 1 2 7 4 -1 5 -1 -1 -1 5 2 7 7 -1 5 4 9", 8: "0.8: 2 2 0.2: 3 3 0.9: 1 1 0.1: 4 40",
    9: "0.9: 1/3 2 0.1: 3 3 1/3: 1 1 2/3: 4 4", 10: "0.9: 2 2 0.1: 3 3 0.9: 2 2 0.1: 4 4",
    11: "1/4: 30 20 -100 3/4: 10 -100 20", 12: "0 0 -3 1/2 1/2 -3 -2 -2", 13: "3 1 0 0 0 0 1 2",
    14: "3 12 8 20 4 6 14 5 2 simulations=9 c=0.5",
}  # fmt: skip


def text_of(number: int) -> str:
    said = QUESTIONS[number - 1].said
    beside = LESSONS.with_name(f"{said}.game")
    return (beside if beside.exists() else gdl.shipped()[said]).read_text(encoding="utf-8")


def test_the_numbers_of_a_tree_are_found_and_exchanged() -> None:
    text = """# 7 of 9
define most = 12
players A, B
tree
    chance "3 of 4"  # by 5 to 6
        0.25: A x2 eval 1.5 (1: (2, -3), 2: (1/2, ?y))
        3/4: (4, 5)
expect value = (1, 2)
"""
    assert numbers_in(text) == ["0.25:", "1.5", "2", "-3", "1/2", "3/4:", "4", "5"]
    changed = with_numbers(text, ["1:", "0", "1/3", ".5", "-7", "0", "1.25", "9"])
    assert changed == text.replace("eval 1.5", "eval 0").replace("(2, -3)", "(1/3, 1/2)").replace(
        "(1/2, ?y)", "(-7, ?y)"
    ).replace("(4, 5)", "(5/4, 9)").replace("0.25:", "1/1:").replace("3/4:", "0/1:")
    assert numbers_in("players A\nstate\n    left: 0..3 = 3\n") == []


@pytest.mark.parametrize(
    "numbers, said",
    [
        (["1"], "2 numbers are wanted"),
        (["1", "2", "3"], "2 numbers are wanted"),
        (["1", "x"], "'x' is not a number"),
        (["1/0", "2"], "'1/0' divides by zero"),
        (["1", "9" * 5000], "is not a number"),
    ],
)
def test_what_is_no_number_is_refused(numbers: list[str], said: str) -> None:
    with pytest.raises(Refusal, match=re.escape(said)):
        with_numbers("players MAX, MIN\ntree MAX(3, 4)\n", numbers)


def test_every_lesson_has_numbers_and_is_made_anew() -> None:
    assert [*OTHERS] == [one.number for one in QUESTIONS]
    for number, others in OTHERS.items():
        texts = written_in(number)
        assert len(texts) == len(others.split()), number
        same, other = (lesson_anew("en", number - 1, some) for some in (texts, others.split()))
        assert same["told"]["numbers"] == plain(texts) and other["told"]["numbers"] != texts
        assert same != other and same["told"]["title"] == other["told"]["title"]


def written_in(number: int) -> list[str]:
    """The numbers of a lesson that can be changed, as its page shows them."""
    settings = QUESTIONS[number - 1].settings
    named = [f"{name}={settings[name].value}" for name in ("simulations", "c") if name in settings]
    return [*numbers_in(text_of(number)), *named]


def plain(numbers: list[str]) -> list[str]:
    """The numbers as gdl writes them; settings are decimals."""
    ended = ((one.removesuffix(":"), ":" * one.endswith(":")) for one in numbers)
    return [one if "=" in one else to_text(read_number(one)) + colon for one, colon in ended]


def told_by_the_command(number: int, numbers: str, folder: Path, language: str = "en") -> Any:
    """The data of the page that `gdl sheet --practice` makes of a lesson whose game file was changed by hand."""
    one, left = QUESTIONS[number - 1], iter(numbers.split())
    head = text_of(number).partition("\nexpect")[0]
    start = re.search(r"^(tree|matrix)\n", head, re.MULTILINE)
    assert start
    number_or_weight = r"(?<![\w./])(?:-?\d+(?:/\d+)?(?![\w./]|\s*:)|\d+[./]\d+\s*:)"
    exchanged = re.sub(number_or_weight, lambda _: next(left), head[start.end() :])
    changed = dict(each.split("=") for each in left)
    (folder / "changed.game").write_text(f"{head[: start.end()]}{exchanged}\n", encoding="utf-8")
    quoted = {
        name: json.dumps(said.value) if "u" in said.value else said.value for name, said in one.settings.items()
    } | changed
    more = " with " + ", ".join(f"{name} = {value}" for name, value in quoted.items()) if quoted else ""
    kind = f": {one.kind}" if one.kind else ""
    (folder / "changed.exam").write_text(f'exam "Changed"\n\nquestion 1: changed{kind}{more}\n', encoding="utf-8")
    page = folder / "changed.html"
    words = ["sheet", str(folder / "changed.exam"), "--practice", "-o", str(page), "--language", language]
    done = CliRunner().invoke(commands, words)
    assert done.exit_code == 0, done.output
    return data_of(page.read_text(encoding="utf-8"))["trees"][0]


@contextmanager
def served(folder: Path) -> Iterator[int]:
    """The port at which `gdl site --serve` shows a folder."""
    said: Queue[str] = Queue()
    Thread(target=site.serve_folder, args=(folder, said.put), daemon=True).start()
    yield int(said.get(timeout=30).split(":")[2].split("/")[0])


WALK = """
    const [result, wait] = [{ lessons: {}, faults: [] }, (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))];
    addEventListener("unhandledrejection", ({ reason }) => result.faults.push(String(reason)));
    const said = () => byId("said").textContent;
    const type = async (text) => {
      byId("numbers").value = text;
      byId("numbers").dispatchEvent(new Event("change"));
      for (await wait(1); /(…|……)$/.test(said()); ) await wait(10);
      return said();
    };
    const seen = () => ({ numbers: byId("numbers").value, fields: [...byId("fields").querySelectorAll("input")].map((each) => each.value),
      values: [...document.querySelectorAll(".tree:not([hidden]) .node[tabindex] .value")].map((each) => each.textContent), cut: byId("cut").textContent, drawn: document.querySelector(".tree:not([hidden])")?.textContent ?? "" });
    try {
      const lessons = %s;
      for (const [number, text] of Object.entries(lessons)) {
        const before = byId("numbers").value;
        if (number === "4") {
          byId("field-0").value = "7";
          byId("field-0").dispatchEvent(new Event("input"));
          const was = JSON.stringify({ ...seen(), numbers: "" });
          result.wrong = {};
          for (const wrong of ["3 twelve 8 2 4 6 14 5 2", "1/0 12 8 2 4 6 14 5 2", `${"9".repeat(300)} 12 8 2 4 6 14 5 2`, "", "1 2", `0.${"0".repeat(5000)}1 12 8 2 4 6 14 5 2`]) {
            result.wrong[wrong.slice(0, 9)] = [await type(wrong), byId("numbers").value === wrong, JSON.stringify({ ...seen(), numbers: "" }) === was];
          }
        }
        await type(text);
        byId("reveal").click();
        result.lessons[number] = { before, said: said(), ...seen() };
        byId("another").click();
        for (await wait(1); /(…|……)$/.test(said()); ) await wait(10);
        result.lessons[number].another = byId("numbers").value;
        byId("following").click();
      }
      byId("another").click();
      for (await wait(1); /…/.test(said()); ) await wait(10);
      result.another = byId("numbers").value;
      result.wide = document.documentElement.scrollWidth <= innerWidth;
      result.kept = (JSON.parse(localStorage[Object.keys(localStorage)[0]]).written.map((each) => Boolean(each.anew)));
    } catch (error) { result.error = String(error.stack); }
    fetch("%s", { method: "POST", mode: "no-cors", body: JSON.stringify(result) });
"""


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize(
    "language, size, engine",
    [
        ("en", "1280,900", "served.js"),
        ("fa", "360,740", "served.js"),
        pytest.param("en", "360,740", "../playground/worker.js", marks=pytest.mark.slow),
    ],
)
def test_numbers_that_are_typed_are_answered_as_gdl_answers_the_changed_file(
    language: str, size: str, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the gdl that serves the page, and by that in the browser's Python."""
    monkeypatch.setattr(site.SimpleHTTPRequestHandler, "log_message", lambda *words: None)
    if engine != "served.js":
        words = [shutil.which("npm") or "npm", "install", "--silent", "--prefix", str(tmp_path / "npm")]
        if subprocess.run([*words, "pyodide", "codemirror@6.0.2"], capture_output=True, cwd=tmp_path).returncode:
            pytest.skip("npm cannot install the packages here")
        playground.write_playground(tmp_path / "playground", tmp_path / "npm")
    page = dict(lesson_pages(engine))[language]
    playground.write_below(tmp_path / "lessons" / "served.js", playground.site_file("served.js"))
    with listening(tmp_path) as listener, served(tmp_path) as port:
        tried = with_script(page, WALK % (json.dumps(OTHERS), listener.address))
        tried = tried.replace("connect-src 'self'", f"connect-src 'self' {listener.address}")
        playground.write_below(tmp_path / "lessons" / "page.html", tried)
        found = listener.told(chromium, tmp_path, f"http://127.0.0.1:{port}/lessons/page.html", size)
    assert found["faults"] == [] and found["wide"] and all(found["kept"]) and len(found["another"].split()) == 9
    for number, others in OTHERS.items():
        lesson, told = found["lessons"][str(number)], told_by_the_command(number, others, tmp_path, language)
        assert len(lesson["another"].split()) == len(others.split()) and lesson["another"] != lesson["numbers"]
        assert lesson["before"].split() == written_in(number)
        assert lesson["numbers"].split() == plain(others.split())
        if language == "en":
            assert lesson["said"].endswith("All is right."), (number, lesson)
        if told["parts"]:
            assert lesson["fields"] == [part["told"] for part in told["parts"]], number
        else:
            (key,) = [told["keys"][name] for name in ("ge", "") if name in told["keys"]]
            shown = {one["node"]: f"{one['sign']} {one['amount']}".replace("<=", "≤").replace(">=", "≥")
                     for one in key["nodes"]}  # fmt: skip
            assert [each for each in lesson["values"] if each != "…"] == [shown[node] for node in sorted(shown)], number
    if language == "en":
        assert found["wrong"]["3 twelve "] == ["“twelve” is no number.", True, True]
        assert found["wrong"]["1/0 12 8 "] == ["“1/0” is no number.", True, True]
        assert found["wrong"]["999999999"] == ["a number has at most 200 digits.", True, True]
        assert found["wrong"][""] == found["wrong"]["1 2"] == ["9 numbers are wanted.", True, True]
        assert found["wrong"]["0.0000000"][1:] == [True, True] and "is not a number" in found["wrong"]["0.0000000"][0]


@pytest.mark.thorough
def test_the_answers_of_a_changed_lesson_are_those_of_solve_and_explain(tmp_path: Path) -> None:
    def parts(number: int) -> list[str]:
        made = lesson_anew("en", number - 1, OTHERS[number].split())["told"]
        told_by_the_command(number, OTHERS[number], tmp_path)  # writes the game file
        return [part["told"] for part in made["parts"]]

    def labels(number: int) -> list[str]:
        return [part["label"] for part in lesson_anew("en", number - 1, OTHERS[number].split())["told"]["parts"]]

    def solved(*words: str) -> Any:
        done = CliRunner().invoke(commands, ["solve", str(tmp_path / "changed.game"), "--json", *words])
        assert done.exit_code == 0, done.output
        return json.loads(done.output)

    entered = {label.split()[0]: told for label, told in zip(labels(3), parts(3), strict=True) if "entry" in label}
    done = CliRunner().invoke(commands, ["explain", str(tmp_path / "changed.game")])
    said = re.findall(r"(\w) \(\w+\),? (?:which )?is looked at with the window \((.*?)\)", done.output)
    assert {node: f"[{window}]" for node, window in said} == entered and len(entered) == 4
    assert parts(4)[0] == str(solved("--solver", "alpha-beta")["leaves"])
    orders = [parts(5), ("given", "reverse", "best", "worst")]
    assert orders[0] == [str(solved("--solver", "alpha-beta", "--order", order)["leaves"]) for order in orders[1]]
    deepened = [parts(6), [solved("--depth", depth) for depth in "123"]]
    assert deepened[0] == [f"{one['value']['MAX']} {one['best'][0]}" for one in deepened[1]]
    for number, formula in ((9, "42*u + 1000"), (10, "u^4")):
        value, best, before = parts(number)
        found = solved("--transform", formula)
        assert [value, best, before] == [str(found["value"]["MAX"]), found["best"][0], solved()["best"][0]]
    roads = parts(11), solved()
    assert roads[0][3:] == [roads[1]["best"][0], str(roads[1]["value"]["Traveller"])]
    left = parts(12)[1:], solved()["equilibria"][0]
    assert left[0] == ["A betray, B betray"] and left[1]["A"]["betray"] == left[1]["B"]["betray"] == 1
    assert len(parts(13)[-1].split("; ")) == len(solved()["equilibria"]) == 3
    visits = [
        note.split()[1]
        for note in (parts(14), solved("--solver", "mcts", "--simulations", "9", "--c", "0.5")["notes"])[1]
    ]
    text = " ".join(lesson_anew("en", 13, OTHERS[14].split())["told"]["text"])
    assert re.findall(r"N\(a\d\) = (\d+)", text) == visits


def test_settings_of_a_lesson_are_taken_as_they_are_written() -> None:
    """A million simulations became 1e+06, and a name that is none was dropped in silence."""
    assert settings_among(["3", "simulations=1000000", "c=0.12345678"]) == {"simulations": "1000000", "c": "0.12345678"}
    for wrong in ("d=5", "C=5", "c=x"):
        with pytest.raises(Refusal):
            settings_among([wrong])
