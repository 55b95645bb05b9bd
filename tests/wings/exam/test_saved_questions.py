"""A question that `gdl quiz --json` has written is read again: by `grade`, and by all that takes a game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands


def run(*words: str, stdin: str = "") -> Any:
    return CliRunner().invoke(commands, list(words), input=stdin)


def saved(folder: Path, *words: str) -> tuple[Path, Any]:
    """A file of questions, and what stands in it."""
    text = run("quiz", "--depth", "2", "--json", *words).stdout
    (folder / "quiz.json").write_text(text)
    return folder / "quiz.json", json.loads(text)


def graded(file: Path, text: str, *words: str) -> Any:
    (file.parent / "ann.txt").write_text(text)
    done = run("grade", str(file), str(file.parent / "ann.txt"), "--json", *words)
    assert done.exit_code in (0, 1), done.stderr
    return json.loads(done.stdout)


@pytest.mark.thorough_of("wanted3")
@pytest.mark.parametrize(
    "wanted",
    [["--seed", "3"], ["--seed", "3", "--cut", "gt"], ["--want", "chance, 1 cut"], ["--want", "three players, 1 cut"]],
)
def test_the_key_of_a_question_gets_all_its_points_by_its_own_search(wanted: list[str], tmp_path: Path) -> None:
    file, told = saved(tmp_path, *wanted)
    marks = graded(file, told["answers"]["key"])
    assert marks["score"] == marks["of"] == told["points"]
    assert [one["item"] for one in marks["items"]] == [one["item"] for one in told["asked"]]
    assert run("explain", str(file), "--key", "--cut", wanted[-1]).exit_code == 0 or wanted[-1] not in ("ge", "gt")


@pytest.mark.thorough
def test_of_many_questions_one_is_chosen(tmp_path: Path) -> None:
    file, told = saved(tmp_path, "--batch", "3")
    assert graded(file, told[1]["answers"]["key"], "--game", "2")["score"] == told[1]["points"]
    done = run("grade", str(file), str(file))
    assert done.exit_code == 2 and "3 questions" in done.stderr and "--game 1" in done.stderr


def test_what_a_teacher_changes_in_the_file_holds(tmp_path: Path) -> None:
    file, told = saved(tmp_path)
    asked = {one["item"]: one for one in told["asked"]}
    told["asked"] = [
        asked["cut"] | {"points": "5/2"}, asked["best"] | {"also": ["a3"]}, asked["B"] | {"partly": ["= 77"]},
    ]  # fmt: skip
    file.write_text(json.dumps(told))
    marks = graded(file, "B=77 best: a3")
    assert marks["of"] == "9/2" and marks["score"] == "3/2"
    assert {one["item"]: one["points"] for one in marks["items"]} == {"B": "1/2", "cut": 0, "best": 1}


@pytest.mark.parametrize("change", [{"asked": 3}, {"kind": 7}, {"schema": 2}, {"game": None}, {"asked": [{"item": 1}]}])
def test_a_damaged_question_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    file, told = saved(tmp_path)
    file.write_text(json.dumps(told | change))
    done = run("grade", str(file), str(file))
    assert done.exit_code == 6 and "no question as gdl quiz --json writes it" in done.stderr


@pytest.mark.thorough
def test_a_question_of_no_known_kind_or_solver_is_refused(tmp_path: Path) -> None:
    file, told = saved(tmp_path)
    for change in ({"kind": "riddle"}, {"answers": {"solver": "oracle"}}, {"answers": {"rule": {"cut": "xx"}}}):
        file.write_text(json.dumps(told | change))
        for words in (["grade", str(file), str(file)], ["sheet", str(file), "-o", str(tmp_path / "exam.html")]):
            done = run(*words)
            assert done.exit_code in (2, 5) and "bug" not in done.output, done.output


def test_a_quiz_that_is_stopped_before_its_first_tree_says_so_alone() -> None:
    done = run("quiz", "--depth", "6", "--want", "deep cut, no ties", "--time", "0.000001", "--json")
    assert done.exit_code == 4 and json.loads(done.stdout)["problems"][0]["code"] == "limit"


@pytest.mark.thorough
def test_variants_are_of_equal_worth_and_a_number_makes_the_same_tree_again() -> None:
    def made(*words: str) -> Any:
        return json.loads(
            run("quiz", "--seed", "41", "--want", "same points, 2 cuts, no ties", "--json", *words).stdout
        )

    batch = made("--batch", "3")
    assert len({one["game"] for one in batch}) == 3 and batch[2]["game"] == made("--student", "3")["game"]
    for told in [*batch, made("--student", "998877")]:
        first, answers = batch[0], told["answers"]
        assert (told["points"], answers["leaves"], len(answers["pruned"])) == (
            first["points"],
            first["answers"]["leaves"],
            2,
        )
        assert [one["item"] for one in told["asked"]][-2:] == ["cut", "best"]
    shapes = {"".join(c if c in "(),\n" else "" for c in one["game"].partition("tree")[2]) for one in batch}
    assert len(shapes) == 1


@pytest.mark.thorough
def test_trees_have_no_cut_on_equality_unless_one_is_asked_for() -> None:
    for words in ([], ["--want", "rules agree, 1..3 cuts"], ["--want", "7 leaves, at least 1 cut"]):
        for told in json.loads(run("quiz", "--values", "0..4", "--batch", "6", "--json", *words).stdout):
            strict = json.loads(run_text(told["game"], "explain", "-", "--cut", "gt", "--json"))
            assert strict["pruned"] == told["answers"]["pruned"]
            assert "7 leaves" not in str(words) or told["answers"]["leaves"] == 7


def run_text(text: str, *words: str) -> str:
    return str(run(*words, stdin=text).stdout)


def test_a_kind_is_asked_of_a_tree_that_is_made_and_marked_by_its_json(tmp_path: Path) -> None:
    for kind in ("leaves", "orders", "windows", "opponents", "choice", "place"):
        file, told = saved(tmp_path, "--ask", kind, "--seed", "5")
        assert told["kind"] == kind
        right = "\n".join(f"{one['item']}: {one['right']}" for one in told["asked"])
        assert graded(file, right)["score"] == told["points"] == len(told["asked"])
