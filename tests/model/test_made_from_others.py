"""Games that begin from others, and libraries of definitions."""

import os
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner
from places import LANGUAGE
from sampling import one_in

import gdl
from gdl import checker
from gdl.commands import cli
from gdl.compiler import wasm
from gdl.compiler.searches.perft import perft
from gdl.errors import GameError, limits
from gdl.game import Decision
from gdl.inspection import expectations, findings
from gdl.inspection.findings import inspect
from gdl.model.fingerprint import fingerprint
from gdl.render.source import source_text
from gdl.solvers import solve
from gdl.states import count

FOLDER = Path(__file__).parent / "derived"
COUNTER = """
game "Counter" (most = 5)
players Ann, Bob

state
    n: 0..99

notation "{n} {mover}"
position late "4 Bob"

action add(k: 1..2)
    let more = k
    n := n + more
    require n <= most

terminal
    no actions -> lose mover

variant misere
    terminal
        no actions -> win mover
    expect value = 7

expect value = 7
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "counter.game").write_text(dedent(COUNTER))
    return tmp_path


def loaded(text: str, folder: Path | None = None, **options) -> gdl.Loaded:
    return gdl.loads(dedent(text), "own.game", folder=folder, **options)


def actions(game) -> tuple[str, ...]:
    node = game.node(game.initial())
    assert isinstance(node, Decision)
    return node.actions


def message(text: str, folder: Path | None) -> str:
    with pytest.raises(GameError) as error:
        loaded(text, folder)
    return error.value.problems[0].message


@pytest.mark.thorough_of("chess960-200")
@pytest.mark.one_in(4)
@pytest.mark.parametrize("states", [200, pytest.param(findings.LIMIT, marks=pytest.mark.slow)])
@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.game")), ids=lambda file: file.stem)
def test_games_made_from_others(file: Path, states: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(findings, "LIMIT", states)
    description = gdl.described(*gdl.read(file), folder=gdl.folder_of(file))
    found = inspect(description, gdl.play)
    assert found.problems == ()
    outcomes = list(expectations.run(description, gdl.play, solve))
    assert outcomes
    assert [(o.text, o.found) for o in outcomes if not o.holds] == []


SLOW = pytest.mark.slow
DEEP = [
    ("crazyhouse", None, 4, 197_281),
    ("crazyhouse", None, 5, 4_888_832),
    ("atomic", None, 4, 197_326),
    ("atomic", None, 5, 4_864_979),
    (FOLDER / "three_check.game", None, 4, 197_281),
    (FOLDER / "chess960.game", "bishops", 3, 12_189),
    (FOLDER / "chess960.game", "bishops", 4, 326_672),
    (FOLDER / "chess960.game", "queens", 3, 18_002),
    (FOLDER / "chess960.game", "queens", 4, 667_366),
    (FOLDER / "chess960.game", "few", 4, 273_318),
    ("ataxx", None, 5, 4_752_668),
    ("ataxx", "rows", 5, 452_980),
]


@pytest.mark.one_in(2)
@pytest.mark.skipif(not wasm.available(), reason="wasmtime is missing")
@pytest.mark.parametrize("row", [pytest.param(row, marks=SLOW if row[3] > 60_000 else ()) for row in DEEP], ids=str)
def test_published_counts(row):
    path, position, depth, expected = row
    text, name = gdl.read(path)
    game = gdl.loads(text, name, folder=gdl.folder_of(path), position=position).game
    assert perft(game, game.initial(), depth, "wasm") == expected


def test_both_engines_agree():
    """Counts of the interpreter, which defines what the rules mean."""
    for name in ("crazyhouse", "atomic"):
        assert count.perft(gdl.load(name), 2) == 400


# ---- What is taken over, and what is changed --------------------------------------------------------------------


def test_the_same_rules_have_the_same_fingerprint(folder: Path):
    """However they are written: in one file, or in two."""
    whole = COUNTER.replace("terminal\n    no actions -> lose mover", "terminal\n    no actions -> draw", 1)
    made = loaded('game "Other" from "counter.game"\nterminal\n    no actions -> draw\n', folder)
    assert fingerprint(made.model) == fingerprint(loaded(whole).model)
    assert fingerprint(made.model) != fingerprint(loaded(COUNTER).model)


FILES = [*gdl.shipped().values(), *sorted(FOLDER.glob("*.game")), *sorted(LANGUAGE.glob("*.game"))]


@pytest.mark.thorough_of("chess960", "deck_in_order")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("file", one_in(2, FILES), ids=lambda file: file.stem)
def test_a_game_in_one_file_is_the_same_game(file: Path):
    """With all that it is made from, and each of its variants."""
    text, name = gdl.read(file)
    description = gdl.described(text, name, gdl.folder_of(file))
    for variant in (None, *checker.variants(description)):
        model = checker.check(description, variant=variant)[0]
        assert fingerprint(gdl.loads(source_text(description, variant)).model) == fingerprint(model)


def test_parameters_variants_and_positions_are_those_of_the_first_game(folder: Path):
    text = (
        'game "Other" from "counter.game" (step = 3)\naction add(k: 1..step)\n    n := n + k\n    require n <= most\n'
    )
    assert actions(loaded(text, folder).game) == ("add(1)", "add(2)", "add(3)")
    assert actions(loaded(text, folder, settings={"most": "2"}).game) == ("add(1)", "add(2)")
    assert actions(loaded(text, folder, position="late").game) == ("add(1)",)
    assert loaded(text, folder).game.name == "Other"
    assert list(expectations.run(loaded(text, folder).description, gdl.play, solve)) == []
    misere, plain = (loaded(text, folder, variant=variant).game for variant in ("misere", None))
    assert solve(misere).value[0] == -solve(plain).value[0]  # type: ignore[operator]


def test_positions_keep_their_notation(folder: Path):
    text = 'game "Other" from "counter.game"\nnotation "{mover}/{n}"\nposition early "Ann/1"\n'
    assert actions(loaded(text, folder, position="late").game) == ("add(1)",)
    assert actions(loaded(text, folder, position="Bob/4").game) == ("add(1)",)
    assert actions(loaded(text, folder, position="early").game) == ("add(1)", "add(2)")


def test_a_position_in_a_notation_that_has_lost_its_meaning_says_so(folder: Path):
    lettered = COUNTER.replace('"{n} {mover}"', '"{n} {mover}"\n    mover: A = Ann, B = Bob').replace("4 Bob", "4 B")
    (folder / "lettered.game").write_text(lettered)
    text = 'game "Other" from "lettered.game"\nplayers X, Y\nnotation "{mover}/{n}"\n'
    assert actions(loaded(text, folder, position="Y/4").game) == ("add(1)",)
    with pytest.raises(GameError) as error:
        loaded(text, folder, position="late")
    assert error.value.problems[0].message == "the position late is in a notation that names what is not there any more"


def test_lines_before_and_after_know_the_names_of_the_body(folder: Path):
    """`before` comes as soon as its names are known; the closing `require` judges what `after` has done too."""
    text = """
        game "Other" from "counter.game"
        state
            seen: 0..99
        before add
            n := n + 1
        before add(k, more)
            seen := more
        after add
            n := n + seen
        evaluate
            0.01 * seen
    """
    game = loaded(text, folder).game
    state = game.successor(game.initial(), "add(1)")
    assert game.show(state).splitlines()[:2] == ["n = 3", "seen = 1"]
    assert actions(game) == ("add(1)", "add(2)")  # 1 + 2 + 2 is not more than 5
    assert actions(loaded(text, folder, settings={"most": "4"}).game) == ("add(1)",)


def test_several_files_may_add_to_a_body(folder: Path):
    (folder / "second.game").write_text(
        'game "B" from "counter.game"\nbefore add\n    n := n + 10\nafter add\n    n := n * 2\n'
    )
    text = 'game "C" from "second.game" (most = 99)\nbefore add\n    n := n + 3\nafter add\n    n := n + 1\n'
    game = loaded(text, folder).game
    assert game.show(game.successor(game.initial(), "add(1)")).splitlines()[0] == "n = 29"  # (3 + 10 + 1) * 2 + 1


def test_a_variant_may_add_to_a_body_too():
    text = COUNTER + "\nvariant twice\n    after add\n        n := n + k\n"
    assert actions(gdl.loads(text, variant="twice", settings={"most": "3"}).game) == ("add(1)",)


STEPS = """
players Ann, Bob
state
    n: 0..9999
start
    n := 1
    next roll
chance roll(d: 1..1)
    gain(d)
    next everyone
define gain(d: 1..2)
    n := n + d
action pick
resolve
    n := 2 * n
    next Ann
terminal
    n > 3 -> draw
"""
MORE = """
before start
    n := 7
after start
    n := n + 1
after gain(d)
    n := n + 10 * d
after roll(d)
    n := n + 100 * d
before resolve
    n := n + 1000
"""


@pytest.mark.parametrize(("more", "end"), [("", 4), (MORE, 2 * (1 + 1 + 1 + 10 + 100 + 1000))])
def test_chance_steps_procedures_start_and_resolve_have_bodies(folder: Path, more: str, end: int):
    (folder / "steps.game").write_text(STEPS)
    own = more and more + "terminal\n    n > 1000 -> draw\n"
    game = loaded(f'game "S" from "steps.game"\n{own}', folder).game
    state = game.initial()
    for action in ("roll(1)", ("pick", "pick")):
        state = game.successor(state, action)
    assert game.show(state).splitlines()[0] == f"n = {end}"


def test_warnings_are_of_the_own_file(folder: Path):
    (folder / "slips.game").write_text(COUNTER + "\ndefine unused = 3\n")
    assert loaded('game "Other" from "slips.game"\n', folder).warnings == ()
    (warning,) = loaded('game "Other" from "slips.game"\ndefine spare = 3\n', folder).warnings
    assert "spare" in warning.message


def test_a_problem_of_another_file_says_where(folder: Path):
    with pytest.raises(GameError) as error:
        loaded('game "Other" from "counter.game"\ndefine n = 3\n', folder)
    told = str(error.value)
    assert told.startswith("counter.game:6:5: error: the name 'n' is taken: line 2 of own.game declares it")
    assert "    n: 0..99\n" in told and "Other is made from this file." in told


# ---- Libraries --------------------------------------------------------------------------------------------------

LIBRARY = "type Colour = red, black\n\ndefine turned(c: Colour) = if c = red then black else red\n"
USING = """
    players Ann, Bob
    use "colours.game"
    state
        c: Colour
    action turn
        c := turned(c)
    terminal
        forever -> draw
"""


def turned(text: str, folder: Path) -> str:
    """The colour that the first action makes of red."""
    game = loaded(text, folder).game
    return game.show(game.successor(game.initial(), "turn")).splitlines()[0]


def test_a_library_in_the_same_folder(folder: Path):
    (folder / "colours.game").write_text(LIBRARY)
    assert turned(USING, folder) == "c = black"
    own = USING + "    define turned(d: Colour) = red\n"
    assert turned(own, folder) == "c = red"
    with pytest.raises(GameError) as error:
        loaded(LIBRARY)
    assert error.value.problems[0].message == "these are definitions, and no game"


def test_names_inside_a_library_are_its_own(folder: Path):
    """A variable of the game may have the name of a parameter of the library."""
    (folder / "colours.game").write_text(
        "type Colour = red, black\n\ndefine turned(c: Colour) =\n    let d = c\n    if d = red then black else red\n"
        "\ndefine paint(c: Colour)\n    let d = 0\n    d := 1\n"
    )
    text = USING.replace("c: Colour", "c: Colour\n        d: 0..9").replace(
        "c := turned(c)", "c := turned(c)\n        paint(c)"
    )
    game = loaded(text, folder).game
    assert game.show(game.successor(game.initial(), "turn")).splitlines()[:2] == ["c = black", "d = 0"]


def test_libraries_may_use_libraries_and_come_once(folder: Path):
    (folder / "colours.game").write_text(LIBRARY)
    (folder / "more.game").write_text('use "colours.game"\ndefine same(c: Colour) = turned(turned(c))\n')
    text = USING.replace('use "colours.game"', 'use "more.game"\n    use "colours.game"').replace(
        "turned(c)", "same(c)"
    )
    assert count.states(loaded(text, folder).game).states == 2


def test_every_shipped_library_is_fine():
    from gdl.formats.game_files import libraries

    assert "cards" in libraries()
    for file in libraries().values():
        assert inspect(gdl.described(*gdl.read(file)), gdl.play).problems == ()


# ---- Files of strangers -----------------------------------------------------------------------------------------

TAKEN = 'game "Other" from "{}"\n'


@pytest.mark.parametrize(
    "name", ["../counter.game", "/etc/passwd", "sub/counter.game", "counter", "..", "c:counter.game"]
)
def test_no_path_leads_out_of_the_folder(folder: Path, name: str):
    inner = folder / "inner"
    inner.mkdir()
    assert message(TAKEN.format(name), inner).endswith("is not the name of a game file alone")


def test_no_link_leads_out_of_the_folder(folder: Path):
    inner = folder / "inner"
    inner.mkdir()
    os.symlink(folder / "counter.game", inner / "link.game")
    assert message(TAKEN.format("link.game"), inner) == "link.game leads out of its folder"
    (inner / "counter.game").write_text(COUNTER)
    os.symlink(inner / "counter.game", inner / "beside.game")
    assert loaded(TAKEN.format("beside.game"), inner).game.name == "Other"


def test_a_link_to_the_folder_is_the_folder(folder: Path, tmp_path_factory):
    link = tmp_path_factory.mktemp("links") / "link"
    os.symlink(folder, link)
    assert loaded(TAKEN.format("counter.game"), link).game.name == "Other"


def test_a_pipe_is_no_file(folder: Path):
    os.mkfifo(folder / "pipe.game")
    assert message(TAKEN.format("pipe.game"), folder) == "there is no file pipe.game beside this one"


def test_a_text_alone_has_only_what_is_shipped(folder: Path):
    assert message(TAKEN.format("counter.game"), None) == "a text that is in no folder has no files beside it"
    assert loaded('game "Other" from nim\n').game.name == "Other"


def test_sizes_are_limited(folder: Path):
    text = TAKEN.format("counter.game")
    text += "#" * (limits.SOURCE - len(COUNTER) - len(text) + 1)
    assert message(text, folder).startswith("the game and all that it is made from are larger than ")


def test_the_number_of_files_is_limited(folder: Path):
    for number in range(limits.FILES + 5):
        (folder / f"f{number}.game").write_text(f'game "F" from "f{number + 1}.game"\n')
    assert message(TAKEN.format("f0.game"), folder) == f"a game is made from at most {limits.FILES} files"


# ---- The command line -------------------------------------------------------------------------------------------


def run(*command: str, input: str | None = None):
    return CliRunner().invoke(cli.commands, command, input=input, prog_name="gdl")


def test_commands_take_games_made_from_others(folder: Path):
    file = folder / "own.game"
    file.write_text(
        'game "Own" from "counter.game"\nafter add\n    n := n + 0\n'
        "expect best = add(2)\nexpect value = 1\nexpect value = 1 at misere\nexpect actions = {add(1)} at late\n"
    )
    assert run("check", str(file)).output == f"{file}: fine; all 10 positions looked at; the compiled engine plays it\n"
    assert run("test", str(file)).output == "1 game, 4 expectations, all hold\n"
    assert "misere" not in run("solve", str(file), "--variant", "misere").output
    assert run("perft", str(file), "2", "--set", "most=2").exit_code == 0
    assert "add(1)" in run("show", str(file), "--position", "late").output


def test_standard_input_has_only_what_is_shipped():
    assert "Other" in run("show", "-", input='game "Other" from nim\n').output
    assert run("show", "-", input=TAKEN.format("counter.game")).exit_code == 3


# ---- Young words are words only in their place ------------------------------------------------------------------


def test_matrices_trees_and_rules_keep_their_names():
    matrix = "players A, B\nmatrix\n         use  after\n  use    1    2\n  before 3    4\nafter    5    6\n"
    assert actions_of_matrix(matrix) == (("use", "before", "after"), ("use", "after"))
    tree = "players use, after\ntree use(before: after(use: 1, after: 2), use: 3)\nexpect best = use\n"
    assert gdl.loads(tree).game.players == ("use", "after")
    rules = """
        players Ann, Bob
        state
            use: 0..3
            before: 0..3
        define after(x: 0..3) = x + 1
        action hook(from_: 1..2)
            use := after(before)
            before := use
        terminal
            use = 1 -> draw
    """
    assert loaded(rules).warnings == ()


def actions_of_matrix(text: str):
    return gdl.loads(text).model.actions  # type: ignore[union-attr]
