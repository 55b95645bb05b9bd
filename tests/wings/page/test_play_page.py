"""The page on which a game is played: its rules are those of the interpreter, move by move, and a person can use it."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from browsers import Words, chromium, firefox, listening, needs_browser, needs_firefox
from click.testing import CliRunner
from page_script import game_data, needs_node, run_with_search
from places import ROOT

import gdl
from gdl.commands import cli
from gdl.commands.engines import game_with_engine, offer
from gdl.errors import Refusal
from gdl.game import Chance, Game, Simultaneous, Terminal
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import playable
from gdl.model.games import Model, OtherModel, RulesModel
from gdl.render.boards_data import boards_data
from gdl.render.page import csp_hash
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.horizon import goes_on
from gdl.wings.arena.computer import Computer
from gdl.wings.arena.judging import PositionWorth, scale
from gdl.wings.arena.levels import Level
from gdl.wings.arena.rules_in_words import clause_text
from gdl.wings.exam.phrases import LANGUAGES
from gdl.wings.exam.phrases import Words as Phrases
from gdl.wings.page.page_engine import page_engine, page_searches
from gdl.wings.page.play_page import play_page
from gdl.wings.page.refusals import OTHERS, STUCK, TAKEN

ROWS = """
const answers = JSON.parse(require("fs").readFileSync(0)).map(async ([data, searches, names]) => {
  const game = await Game.made(data);
  const { engines, fault } = await Mind.made(game, searches);
  if (fault) return fault;
  return Object.entries(engines).map(([search, compiled]) => {
    let state = game.initial();
    const rows = [];
    for (const name of [...names, null]) {
      const node = game.node(state);
      if (!compiled.enter(rows)) return `${search}: ply ${rows.length} is not entered`;
      const kind = KINDS[compiled.status()];
      if (kind !== node.kind) return `${search}: ply ${rows.length} is ${kind}, not ${node.kind}`;
      const ways = node.options ?? node.outcomes;
      if (ways && compiled.moves() !== ways.length) return `${search}: ply ${rows.length} has ${compiled.moves()} rows for ${ways.length}`;
      if (!ways && String(compiled.ends()) !== String(node.utilities)) return `${search}: ends with ${compiled.ends()}`;
      if (name === null) return "";
      rows.push([game.choice(node, name), ways.length]);
      state = game.next(state, rows.at(-1)[0]);
    }
  });
});
Promise.all(answers).then((found) => console.log(JSON.stringify(found)));
"""

FOLLOW = """
const answers = JSON.parse(require("fs").readFileSync(0)).map(async ([data, steps]) => {
  const game = await Game.made(data);
  let state = game.initial();
  return steps.map((step) => {
    if (step === null) { state = game.initial(); return null; }
    const node = game.node(state);
    if (node.kind === "end") return ["end", node.utilities.map(String)];
    const choices = node.outcomes ?? node.options;
    const choice = game.choice(node, step);
    if (choice !== null) state = game.next(state, choice);
    if (node.kind === "everyone") return ["everyone", choices.map((own) => own.map((each) => each.name))];
    const told = node.kind === "chance" ? node.outcomes.map((each) => String(each.chance)) : node.player;
    return [node.kind, choices.map((each) => each.name), told];
  });
});
Promise.all(answers).then((found) => console.log(JSON.stringify(found)));
"""


def played(game: Game[Any], seed: int, plies: int) -> tuple[list[Any], list[Any]]:
    """Steps of random play by the interpreter, and what is to be seen before each."""
    generator = random.Random(seed)
    state, steps, seen = game.initial(), [], []
    for _ in range(plies):
        node = game.node(state)
        action: Any
        if isinstance(node, Terminal):
            steps += ["", None]
            seen += [["end", list(map(str, node.utilities))], None]
            state = game.initial()
            continue
        if isinstance(node, Chance):
            action = generator.choice([name for name, _ in node.outcomes])
            seen.append(["chance", [name for name, _ in node.outcomes], [str(chance) for _, chance in node.outcomes]])
        elif isinstance(node, Simultaneous):
            action = tuple(generator.choice(own) if own else "" for own in node.actions)
            seen.append(["everyone", [list(own) for own in node.actions]])
        else:
            action = generator.choice(node.actions)
            seen.append(["decision", list(node.actions), node.player])
        steps.append(list(action) if isinstance(action, tuple) else action)
        state = game.successor(state, action)
    return steps, seen


QUIET = """
players White, Black
board Square = grid(4, 5)
state
    man[s: Square]: Player? = if row(s) < 3 then White else if row(s) > 3 then Black else none
define ahead(a: Square, b: Square) = row(b) - row(a) = if mover = White then 1 else -1
define men(p: Player) = count s in Square: man[s] = p
action move(a: Square, b: Square) as "{a}{b}" when man[a] = mover and b in neighbours(a, directions)
    require ahead(a, b) and (man[b] = none or (man[b] = other(mover) and column(a) != column(b)))
    man[a] := none
    man[b] := mover
terminal
    exists s in Square: row(s) = 5 and man[s] = White -> win White
    exists s in Square: row(s) = 1 and man[s] = Black -> win Black
    no actions -> lose mover
evaluate
    1/100 * (men(White) - men(Black))
    quiet: men(White) + men(Black)
"""


@cache
def model(name: str) -> Model:
    if name == "breakthrough with quiet play":
        return gdl.loads(QUIET, name).model
    return gdl.loads(gdl.shipped()[name].read_text(encoding="utf-8"), name).model


def by_rules(name: str) -> RulesModel:
    found = model(name)
    assert isinstance(found, RulesModel)
    return found


def models() -> dict[str, RulesModel]:
    return {name: found for name in gdl.shipped() if isinstance(found := model(name), RulesModel)}


def agrees(names: list[str], plies: int, seed: int) -> None:
    cases, wants = [], []
    for name in names:
        game = playable(by_rules(name))
        steps, seen = played(game, seed, plies)
        cases.append([game_data(game), steps])
        wants.append(seen)
    for name, found, want in zip(names, run_with_search(FOLLOW, cases), wants, strict=True):
        assert found == want, name


FRACTIONS = ["numbers", "parameters"]
QUICK = ["tic_tac_toe", "breakthrough", "kuhn", "othello", "goofspiel", "yahtzee", "nine_mens_morris", "dots_and_boxes",
         "go", "crazyhouse", "ataxx", "liars_dice", "hackenbush", "draughts"]  # fmt: skip


@pytest.mark.thorough
@needs_node
def test_the_script_plays_by_the_interpreters_rules():
    agrees(QUICK, 25, 1)


@needs_node
def test_names_are_made_of_fractions():
    games = [playable(gdl.loads(*gdl.read(ROOT / f"tests/model/language/{name}.game")).model) for name in FRACTIONS]
    for game, found in zip(games, run_with_search(FOLLOW, [[game_data(game), [""]] for game in games]), strict=True):
        assert found == [["decision", list(game.node(game.initial()).actions), 0]]


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_script_plays_every_shipped_game_by_the_interpreters_rules(seed: int):
    agrees(list(models()), 60, seed)


def follow_the_rows(names: list[str], plies: int, seed: int) -> None:
    """The engine of the page lists as many ways to go on as the rules, of the same kinds, to the same ends."""
    cases, engines = [], {}
    for name in names:
        game = playable(by_rules(name))
        engines[name] = page_searches(game)
        generator, state, play = random.Random(seed), game.initial(), list[str]()
        while engines[name] and len(play) < plies and not isinstance(node := game.node(state), Terminal):
            assert not isinstance(node, Simultaneous)
            ways = [way for way, _ in node.outcomes] if isinstance(node, Chance) else node.actions
            play.append(generator.choice(ways))
            state = game.successor(state, play[-1])
        cases.append([game_data(game), engines[name], play])
    for (name, searches), found in zip(engines.items(), run_with_search(ROWS, cases), strict=True):
        assert found == [""] * len(searches), name


@pytest.mark.thorough
@needs_node
def test_the_engine_of_the_page_lists_what_the_rules_list():
    follow_the_rows(["connect_four", "backgammon", "awari", "minichess"], 40, 1)


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_engine_of_the_page_takes_every_shipped_game_as_the_rules_have_it(seed: int):
    follow_the_rows(list(models()), 80, seed)


THINKING = """
const asked = JSON.parse(require("fs").readFileSync(0));
Promise.all(asked.map(async ([data, engine, how]) => {
  const mind = await Mind.made(await Game.made(data), engine);
  const found = await mind.choose({ rows: [], ...how });
  return [found.line, found.value.map(Number), found.visits ?? {}];
})).then((found) => console.log(JSON.stringify(found)));
"""


VALUES = "Object.fromEntries(Object.entries(found.values).map(([name, value]) => [name, value.map(Number)]))"


def thought(solution: Solution) -> list[Any]:
    """The sentence on the position that the page must show, from the answer of gdl solve."""
    visits = [note.split(": ") for note in solution.notes if " visits" in note]
    assert solution.value is not None
    return [list(solution.line), list(map(float, solution.value)),
            {action: int(rest.split()[0].replace(",", "")) for action, rest in visits}]  # fmt: skip


@pytest.mark.thorough
@needs_node
@pytest.mark.parametrize(
    "asked",
    [
        [
            ("tic_tac_toe", "mcts", {"simulations": 300, "seed": 2}),
            ("othello", "depth-limited", {"depth": 4}),
            ("pig", "depth-limited", {"depth": 3}),
            ("breakthrough with quiet play", "depth-limited", {"depth": 7}),
        ],
        pytest.param(
            [
                ("connect_four", "mcts", {"simulations": 300, "seed": 3}),
                ("dots_and_boxes", "mcts", {"simulations": 200, "seed": 1}),
                ("tic_tac_toe", "mcts", {"simulations": 900, "seed": 2}),
                ("chess", "depth-limited", {"depth": 5}),
            ],
            marks=pytest.mark.slow,
        ),
    ],
    ids=["some", "others"],
)
def test_the_page_thinks_what_gdl_solve_thinks(asked: list[tuple[str, str, dict[str, int]]]):
    cases, wants = [], []
    for name, solver, how in asked:
        game = playable(by_rules(name))
        selective = {"selective": True} if goes_on(game) else {}
        solution = solve(game_with_engine(model(name)), solver, **how, **selective)
        cases.append([game_data(game), page_searches(game), how])
        wants.append(thought(solution))
    for (name, *_), found, want in zip(asked, run_with_search(THINKING, cases), wants, strict=True):
        assert found == want, name


@pytest.mark.thorough
@needs_node
def test_the_page_looks_less_deep_where_there_is_little_hope():
    """Where the file says what quiet play is: the game without this line takes ten times as many positions."""
    program = THINKING.replace("found.line, found.value.map(Number), found.visits ?? {}",
                               "found.depth, Number(mind.engines.windows.nodes[0])")  # fmt: skip
    cases = []
    for text in (QUIET, QUIET.replace("    quiet: men(White) + men(Black)\n", "")):
        game = playable(gdl.loads(text).model)
        cases.append([game_data(game), page_searches(game), {"depth": 8}])
    (depth, nodes), (same, more) = run_with_search(program, cases)
    assert depth == same == 8 and nodes < 10_000 and more > 5 * nodes


@pytest.mark.thorough
@needs_node
def test_what_is_small_is_solved_as_gdl_solves_it():
    settings = {
        "tic_tac_toe": {},
        "nim": {"heaps": "2,3,4"},
        "pong_hau_ki": {},
        "toads_and_frogs": {},
        "centipede": {},
        "ultimatum": {},
    }
    games = [
        gdl.loads(gdl.shipped()[name].read_text(encoding="utf-8"), name, settings=each)
        for name, each in settings.items()
    ]
    cases = [
        [game_data(playable(loaded.model)), page_searches(playable(loaded.model)), {"seconds": 20}] for loaded in games
    ]
    program = THINKING.replace(
        "found.line, found.value.map(Number), found.visits ?? {}", "found.best, found.value.map(String), found.exact"
    )
    solved = 0
    for loaded, (best, value, exact) in zip(games, run_with_search(program, cases), strict=True):
        if not exact:
            continue  # play can come again
        solution = solve(loaded.game)
        assert solution.value is not None and value == list(map(str, solution.value))
        assert best in solution.best
        solved += 1
    assert solved >= 5


WATCH = """
const answers = JSON.parse(require("fs").readFileSync(0)).map(async ([data, names]) => {
  const game = await Game.made(data);
  let state = game.initial();
  return names.map((name) => {
    state = game.next(state, game.choice(game.node(state), name));
    return game.players.map((_, p) => game.view(state, p).slice(3).map(String));
  });
});
Promise.all(answers).then((found) => console.log(JSON.stringify(found)));
"""


@pytest.mark.thorough
@needs_node
def test_each_player_sees_what_the_interpreter_shows_them():
    cases, wants = [], []
    for name in ("kuhn", "leduc", "liars_dice", "dark_hex", "kriegspiel", "battleships", "stratego", "goofspiel"):
        game = playable(by_rules(name))
        generator = random.Random(name)
        state, names, seen = game.initial(), [], []
        while not isinstance(node := game.node(state), Terminal) and len(names) < 20:
            action: Any
            if isinstance(node, Simultaneous):
                action = tuple(generator.choice(own) if own else "" for own in node.actions)
            else:
                own = [n for n, _ in node.outcomes] if isinstance(node, Chance) else node.actions
                action = generator.choice(own)
            names.append(list(action) if isinstance(action, tuple) else action)
            state = game.successor(state, action)
            views = [game.visible_cells(state, p)[3:] for p in range(len(game.players))]
            seen.append([["null" if cell is None else str(cell * 1) for cell in view] for view in views])
        cases.append([game_data(game), names])
        wants.append(seen)
    assert run_with_search(WATCH, cases) == wants


HIGH = """
players Ann
board Cell = grid(2, 1)
state
    stone[Cell]: (2..3)?
action put(c: Cell, n: 2..3) when stone[c] = none
    stone[c] := n
terminal
    no actions -> 0
"""


@pytest.mark.thorough
@needs_node
def test_values_on_the_page_are_those_of_the_interpreter():
    program = WATCH.replace(
        "game.players.map((_, p) => game.view(state, p).slice(3).map(String))", "game.view(state).slice(3)"
    )
    assert program != WATCH
    cases, wants = [], []
    for text in (HIGH, (ROOT / "tests/model/language/below_zero.game").read_text(encoding="utf-8")):
        game, chosen = playable(gdl.loads(text).model), random.Random(2)
        state, names, seen = game.initial(), [], []
        while not isinstance(node := game.node(state), Terminal):
            names.append(chosen.choice(node.actions))
            state = game.successor(state, names[-1])
            seen.append(list(state.cells[3:]))
        cases.append([game_data(game), names])
        wants.append(seen)
    assert run_with_search(program, cases) == wants


HIDDEN = """
const [data, searches, plays] = JSON.parse(require("fs").readFileSync(0));
Game.made(data).then(async (game) => {
  const found = [];
  for (const names of plays) {
    const mind = await Mind.made(game, searches);
    let state = game.initial();
    const rows = names.map((name) => {
      const choice = game.choice(game.node(state), name);
      state = game.next(state, choice);
      return [choice, 0];
    });
    const { best, visits, how } = await mind.choose({ rows, player: 1, simulations: 2000, seed: 5 });
    found.push([best, visits, how, mind.fault]);
  }
  console.log(JSON.stringify(found));
});
"""


@pytest.mark.thorough
@needs_node
def test_the_computer_chooses_by_what_it_knows_alone():
    engine = page_engine(playable(by_rules("kuhn")))
    first, second, other = run_with_search(HIDDEN, [{**engine.game, "types": engine.types()}, engine.searches, [
        ["deal(1)", "deal(2)", "bet"], ["deal(3)", "deal(2)", "bet"], ["deal(3)", "deal(1)", "bet"],
    ]])  # fmt: skip
    assert first == second  # the other's card makes no difference, down to the last visit
    assert first[0] == "call" and other[0] == "fold" and other[1] != first[1]


@pytest.mark.thorough
def test_pages_are_small_and_ask_nothing_of_the_network():
    sizes = {"connect_four": 400_000, "chess": 450_000, "backgammon": 450_000}
    for name, most in sizes.items():
        page = page_of(gdl.shipped()[name])
        assert len(page.encode()) < most
        assert not re.findall(r"(?<!-)\b(?:src|href)\s*=|url\(", page)
        assert set(re.findall(r"https?://[\w.]+", page)) <= {"http://www.w3.org"}
        assert "default-src 'none'" in page


def test_a_game_in_another_language_has_no_page():
    class Wordy(OtherModel):
        language, ending = "words", ".words"

    with pytest.raises(Refusal, match=r"^tic has no page, as its rules are words: gdl play tic\.words plays it$"):
        play_page(Wordy("tic", ("X", "O")), "")


def test_the_reason_of_an_end_is_the_remark_behind_its_line_or_its_condition():
    ends = "    heap = 0 -> lose mover  # nothing is left\n    heap = 9 -> draw\n    no actions -> draw#\n"
    model = gdl.loads(
        f"players A, B\nstate\n    heap: 0..9 = 4\naction take\n    heap := heap - 1\nterminal\n{ends}"
    ).model
    assert isinstance(model, RulesModel)
    assert [clause_text(clause) for clause in model.clauses] == ["nothing is left", "heap is 9", "no actions"]


@pytest.mark.thorough
def test_the_end_of_every_shipped_game_is_told_in_words():
    """By a remark behind each line of `terminal`."""
    for name, found in models().items():
        for clause in found.clauses:
            assert clause.span is not None
            behind = clause.span.source.text[clause.span.end :].partition("\n")[0].strip()
            assert re.fullmatch(r"# \w.*", behind), f"{name}: {clause_text(clause)}"


@pytest.mark.thorough
def test_every_board_has_its_squares_apart():
    for name, model in models().items():
        numbers: dict[int, int] = {}
        for board in boards_data(model, lambda type, numbers=numbers: numbers.setdefault(id(type), len(numbers))):  # type: ignore[misc]
            places = [(square["x"], square["y"]) for square in board["squares"]]
            assert len(set(places)) == len(places), name
            assert min(x for x, _ in places) >= 0 and min(y for _, y in places) >= 0


STACKS = """
players Ann, Bob
type Kind = queen, ant
type Bug = record(owner: Player, kind: Kind)
board Cell = hextorus(20, 20)
state
    bugs[Cell]: sequence of Bug up to 3
action put(k: Kind, c: Cell) when size(bugs[c]) < 3 and distance(c, j10) <= 1
    push(bugs[c], Bug(mover, k))
terminal
    size(bugs[j10]) = 3 -> draw
"""


@pytest.mark.thorough
@needs_browser
def test_a_stack_is_a_pile_and_of_a_plane_without_end_a_part_is_shown(tmp_path: Path):
    (tmp_path / "stacks.game").write_text(STACKS, encoding="utf-8")
    body = """
        gdl.seats("person", "person");
        gdl.play("put(ant, j10)"); gdl.play("put(queen, j10)");
        const fills = [...square("j10").querySelectorAll(".disc")].map((each) => each.getAttribute("fill"));
        result.pile = [fills, [...square("j10").querySelectorAll("text")].map((each) => each.textContent)];
        result.top = [...square("j10").querySelectorAll("use")].at(-1).getAttribute("href");
        result.called = square("j10").getAttribute("aria-label");
        click("j11");
        result.choices = document.querySelectorAll("#choices button").length;
        result.squares = document.querySelectorAll(".square").length;
    """
    found = browse(tmp_path, tmp_path / "stacks.game", body)
    assert (
        found["pile"] == [["#fdfdf8", "#cfc6b0"], ["ant"]]
        and found["top"] == "#s-queen"
        and found["called"] == "j10 Bob queen, Ann ant"
    )
    assert found["choices"] == 2 and 19 <= found["squares"] <= 40


@pytest.mark.thorough
@needs_browser
def test_a_fleet_and_the_shots_at_it_are_one_board_and_the_other_fleet_is_hidden(tmp_path: Path):
    body = """
        document.getElementById("seconds").value = "0.3";
        const signs = (figure) => [...figure.querySelectorAll(".square")].map((each) => each.querySelector("text")?.textContent ?? "");
        const boards = () => [...document.querySelectorAll("#boards figure")].map((each) => [each.querySelector("figcaption").textContent, signs(each)]);
        const open = () => [...document.querySelectorAll("#boards figure")].map((each) => each.querySelectorAll(".square.open").length);
        result.first = boards();
        result.before = document.getElementById("below").textContent;
        result.hides = open();
        gdl.play("hide a1-north");
        while (gdl.player() !== "Ann") await wait(20);
        result.after = document.getElementById("below").textContent;
        result.then = boards();
        result.fires = open();
        click("a1");
        result.own = gdl.player();
        const fired = document.querySelectorAll("#boards figure")[1].querySelector(".square.open");
        fired.dispatchEvent(new MouseEvent("click"));
        result.theirs = gdl.player();
        while (!gdl.over() && gdl.player() !== "Ann") await wait(20);
        const read = [...document.querySelectorAll(".square")].map((each) => [each.querySelector("text")?.textContent ?? "", each.getAttribute("aria-label")]);
        result.unread = read.filter(([sign, label]) => sign !== "?" && !"○×★".includes(sign) && !label.includes(sign));
    """
    found = browse(tmp_path, "battleships", body)
    assert found["unread"] == []
    assert found["hides"] == [3, 0]  # a ship begins at a square of the own sea, and a shot goes to the other's
    assert (found["fires"], found["own"], found["theirs"]) == ([0, 4], "Ann", "Bob")
    other = ["the ships of Bob, shots of Ann", ["?", "?", "?", "?"]]
    assert found["first"] == [["the ships of Ann, shots of Bob", ["", "", "", ""]], other]
    assert found["then"] == [["the ships of Ann, shots of Bob", ["1", "", "1", ""]], other]
    assert found["before"].endswith("length of the next ship 2")
    assert found["after"].endswith("length of the next ship –")


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli.commands, ["page", *words], prog_name="gdl")
    return done.exit_code, done.output


@pytest.mark.thorough
def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert run("tic_tac_toe", "-o", "t.html")[0] == 0
    assert "<title>Tic-tac-toe</title>" in (tmp_path / "t.html").read_text(encoding="utf-8")
    for words, status, said in [
        (["chess", "-o", "chess.txt"], 2, "does not end with .html"),
    ]:
        code, told = run(*words)
        assert (code, said in told) == (status, True), told
    assert sorted(file.name for file in tmp_path.iterdir()) == ["t.html"]


def test_hostile_names_are_shown_as_text():
    text = 'players "A</script><script>alert(1)</script>", B\nstate\n    x: 0..1\naction go as "<b>" when x = 0\n    x := 1\nterminal\n    x = 1 -> draw\n'
    page = play_page(gdl.loads(text).model, text)
    assert "<script>alert(1)" not in page


# ---- In the browser -------------------------------------------------------------------------------------------------

SESSION = """
{
const result = {};
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const square = (name) => [...document.querySelectorAll(".square")].find((each) => each.querySelector("title").textContent.split(" ")[0] === name);
const click = (name) => square(name).dispatchEvent(new MouseEvent("click", { bubbles: true }));
const key = (element, key) => element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
(async () => { try { while (!window.gdl) await wait(5); BODY } catch (error) { result.error = String(error.stack); }
  fetch("ADDRESS", { method: "POST", mode: "no-cors", body: JSON.stringify(result, (_, value) => (typeof value === "bigint" ? String(value) : value)) }); })();
}
"""


@cache
def page_of(source: Path, variant: str | None = None) -> str:
    """The page of a game's file, or of a variant of it."""
    text = source.read_text(encoding="utf-8")
    return play_page(gdl.loads(text, source.name, variant=variant).model, text)


def browse(
    folder: Path, name: str | Path, body: str, size: str = "1200,900", fragment: str = "", browser: Words = chromium
) -> Any:
    """The result of a script that acts as a person would, in a real browser that opens the file itself."""
    source = name if isinstance(name, Path) else gdl.shipped()[name]
    page = page_of(source)
    file = folder / "page.html"
    with listening(folder) as listener:
        script = SESSION.replace("BODY", body).replace("ADDRESS", listener.address)
        policy = (
            f"connect-src {listener.address}; script-src '{csp_hash(script)}' "  # beside what the page itself may do
        )
        page = page.replace("script-src ", policy, 1).replace("</body>", f"<script>{script}</script></body>")
        file.write_text(page, encoding="utf-8")
        return listener.told(browser, folder, file.as_uri() + fragment, size)


def test_every_text_of_the_page_stands_in_every_language():
    template = (ROOT / "gdl/wings/page/scripts/page.html").read_text("utf-8").partition("<body>")[2]
    said = {text.strip() for text in re.findall(r'(?:>|label="|title=")([^<>"$]*\w[^<>"$]+)', template)} - {
        "0.3",
        "10",
        "Home",
        "End",
    }
    for script in (ROOT / "gdl/wings/page/scripts").glob("*.js"):
        for asked in re.findall(r'\bsay\((.*?"[,)])', script.read_text("utf-8")):
            said |= set(re.findall(r'"([^"]*)"', asked))
    said |= {TAKEN, OTHERS, STUCK, "something else must be done", "bar", "off"}  # which stand in a page's data
    for language in set(LANGUAGES) - {"en"}:
        assert Phrases(language).page.keys() == said | {"Position", "Play"}, language
    page = play_page(gdl.load("nim").model, "", words=Phrases("fa"))
    assert '<html lang="fa" dir="rtl">' in page and ">New game<" not in page and Phrases("fa").page["New game"] in page


@pytest.mark.thorough
@needs_browser
def test_a_person_clicks_chess(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        click("e2"); result.chosen = square("e2").classList.contains("chosen");
        click("e4"); click("e7"); click("e5");
        result.moves = gdl.moves();
        result.last = [...document.querySelectorAll(".square.last title")].map((each) => each.textContent.slice(0, 2)).sort();
        const middle = (name) => { const { x, y, width, height } = square(name).getBoundingClientRect(); return { clientX: x + width / 2, clientY: y + height / 2, bubbles: true }; };
        const drag = (from, to) => {
          square(from).dispatchEvent(new PointerEvent("pointerdown", middle(from)));
          document.dispatchEvent(new PointerEvent("pointermove", middle(to)));
          result.lifted = [document.querySelectorAll(".lifted, .ghost").length, [...document.querySelectorAll(".square.open")].length];
          document.dispatchEvent(new PointerEvent("pointerup", middle(to)));
        };
        drag("g1", "h3");
        result.dragged = gdl.moves().at(-1);
        gdl.back();
        drag("b1", "b5");
        result.refused = [gdl.moves().length, document.querySelectorAll(".ghost, .lifted").length];
        document.getElementById("move").value = "g1f3";
        document.getElementById("typed").requestSubmit();
        result.typed = gdl.moves();
        result.legal = gdl.legal().length;
        const before = gdl.position();
        gdl.play("b8c6"); gdl.back();
        result.back = gdl.position() === before;
        result.wrong = gdl.play("e1e8");
        for (const name of ["b8c6", "f1c4", "f8c5"]) gdl.play(name);
        click("e1"); click("g1");  // castling, by the squares of its name
        result.castled = gdl.moves().at(-1);
        gdl.back(); gdl.back(); gdl.back(); gdl.back();
        result.hash = location.hash;
    """
    found = browse(tmp_path, "chess", body)
    assert found["dragged"] == "g1h3" and found["refused"] == [2, 0] and found["lifted"] == [2, 2]
    assert found["chosen"] and found["moves"] == ["e2e4", "e7e5"] and found["last"] == ["e5", "e7"]
    assert found["typed"] == ["e2e4", "e7e5", "g1f3"] and found["legal"] == 29
    assert found["back"] and found["wrong"] is False and found["castled"] == "e1g1"
    shared = browse(
        tmp_path, "chess", "result.moves = gdl.moves(); result.player = gdl.player();", fragment=found["hash"]
    )
    assert shared == {"moves": ["e2e4", "e7e5", "g1f3"], "player": "Black"}


@pytest.mark.thorough
@needs_browser
def test_the_computer_replies_and_values_are_those_of_gdl_solve(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        for (const name of ["a1", "b2", "c3"]) click(name);
        result.exact = await gdl.exact();
        result.values = await gdl.values();
        result.reply = await gdl.reply(0.3);
        result.moves = gdl.moves().length;
    """
    found = browse(tmp_path, "tic_tac_toe", body)
    text = gdl.shipped()["tic_tac_toe"].read_text(encoding="utf-8")
    game = gdl.loads(text).game
    state = game.initial()
    for name in ("a1", "b2", "c3"):
        action = next(a for a in game.node(state).actions if name in a)  # type: ignore[union-attr]
        state = game.successor(state, action)
    node = game.node(state)
    assert found["exact"] and list(found["values"]) == list(node.actions)  # type: ignore[union-attr]
    assert found["moves"] == 4
    best = max(values["O"] for values in found["values"].values())
    assert found["values"][found["reply"]]["O"] == best


@pytest.mark.thorough
@needs_browser
def test_nothing_of_the_others_hand_is_on_the_page(tmp_path: Path):
    body = """
        const all = () => document.body.innerText + [...document.querySelectorAll("[aria-label], title")].map((each) => (each.getAttribute("aria-label") || "") + each.textContent).join(" ");
        const card = (player) => { const strip = [...document.querySelectorAll(".strip")].find((each) => each.querySelector(".name").textContent === player); return strip.querySelector(".card.back") ? "?" : strip.querySelector(".card").textContent; };
        result.mine = card("P1"); result.others = card("P2");
        result.log = [...document.querySelectorAll("#log li")].map((each) => each.textContent);
        gdl.seats("person", "person");
        result.curtain = !document.getElementById("curtain").hidden;
        result.cells = document.querySelectorAll(".card, .counter, #cells p").length;
        document.getElementById("look").click();
        result.again = card("P1"); result.still = card("P2");
        gdl.play("bet");
        result.curtained = !document.getElementById("curtain").hidden && document.querySelectorAll(".card, .counter, #cells p").length === 0;
        document.getElementById("look").click();
        result.seen = card("P1");
        result.position = gdl.position().includes("?");
    """
    found = browse(tmp_path, "kuhn", body)
    assert found["mine"] in "123" and found["others"] == "?"
    assert found["log"] == [f"Chance: deal {found['mine']}"]
    assert found["curtain"] and found["cells"] == 0 and found["again"] == found["mine"] and found["still"] == "?"
    assert found["curtained"] and found["seen"] == "?" and found["position"]


@pytest.mark.thorough
@needs_browser
def test_moves_at_once_are_asked_for_unseen(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        document.getElementById("look").click();
        result.first = gdl.player();
        const mine = gdl.legal()[0];
        gdl.play(mine);
        result.second = gdl.player();
        result.log = document.getElementById("log").children.length;
        document.getElementById("look").click();
        gdl.play(gdl.legal()[1]);
        result.after = document.getElementById("log").children.length;
    """
    found = browse(tmp_path, "rock_paper_scissors", body)
    assert found["first"] != found["second"] and (found["log"], found["after"]) == (0, 1)


@pytest.mark.thorough
@needs_browser
def test_connect_four_on_a_phone_by_keyboard_alone(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        result.wide = document.documentElement.scrollWidth <= innerWidth;
        const first = square("d1");
        first.focus();
        result.focused = document.activeElement === first;
        key(first, "Enter");
        result.moves = gdl.moves();
        const disc = square("d1").querySelector(".disc");
        result.disc = Boolean(disc);
    """
    found = browse(tmp_path, "connect_four", body, size="360,740")
    assert found == {"wide": True, "focused": True, "moves": ["drop(4)"], "disc": True}


READ_LINK = """
        result.line = gdl.moves();
        result.log = [...document.querySelectorAll("#log button")].map((each) => each.textContent);
        result.comment = document.querySelector("#log .comment:not(:empty)")?.textContent;
        result.told = document.getElementById("told").textContent + document.getElementById("notice").textContent;
"""


@pytest.mark.slow
@needs_browser
def test_a_link_of_a_stranger_can_do_no_harm(tmp_path: Path):
    comment = "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E" + "x" * 900
    body = READ_LINK + "result.images = document.images.length; result.long = location.hash.length;"
    fragment = f"#pp/e2e4;e2e4/={comment}/e7e5/,9999999999/,x/d2d4/,1/e2e5/c2c4"
    found = browse(tmp_path, "chess", body, fragment=fragment)
    assert found["line"] == ["e2e4"] and found["log"] == ["e2e4", "d2d4", "e7e5"] and found["images"] == 0
    assert found["comment"].startswith(" <img") and len(found["comment"]) == 501
    assert "not possible" in found["told"] and found["long"] < 1000
    broken = browse(tmp_path, "chess", READ_LINK, fragment="#pp/e2e4;%E0%A4%A/e2e4")
    assert broken["line"] == [] and broken["log"] == []


@needs_browser
@pytest.mark.slow
def test_positions_are_thought_about_and_variations_are_kept(tmp_path: Path):
    body = """
        const mark = () => [...document.querySelectorAll("#log button")].map((each) => each.textContent);
        const press = (name) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
        gdl.seats("person", "person");
        for (const name of ["e2e4", "f7f6", "d2d4", "g7g5", "d1h5"]) gdl.play(name);
        result.over = gdl.over();
        press("ArrowLeft");
        gdl.play("b1c3");
        result.line = gdl.moves();
        result.log = mark();
        press("ArrowUp");
        result.other = gdl.moves().at(-1);
        const comment = document.getElementById("comment");
        comment.value = "mate";
        comment.dispatchEvent(new Event("input"));
        result.comment = document.querySelector("#log .comment:not(:empty)").textContent;
        result.hash = location.hash;
        press("ArrowDown");
        result.here = [location.hash.split(";")[0], gdl.moves().at(-1)];
        press("ArrowUp");
        document.getElementById("analyse").click();
        while (!document.getElementById("told").textContent.includes("??")) await wait(100);
        result.marks = gdl.marks().map(({ name, mark }) => name + mark);
        result.told = document.getElementById("told").textContent + document.getElementById("notice").textContent;
        press("ArrowLeft");
        document.getElementById("values").click();
        while (!document.querySelector("#moves small")) await wait(50);
        const found = await gdl.values();
        result.count = Object.keys(found).length === gdl.legal().length;
        result.mate = found.d1h5.White;
        result.best = document.getElementById("best").textContent;
        result.bar = parseFloat(document.getElementById("balance").style.width);
        const { line, value } = await gdl.analyse({ depth: 2, rows: [[gdl_row(), 20]] });
        result.counted = { line, value: value.map(Number) }; // fractions are no JSON
    """.replace("gdl_row()", '(press("Home"), gdl.legal().indexOf("e2e4"))')
    found = browse(tmp_path, "chess", body)
    assert found["over"] and found["line"] == ["e2e4", "f7f6", "d2d4", "g7g5", "b1c3"]
    assert found["log"] == ["e2e4", "f7f6", "d2d4", "g7g5", "d1h5", "b1c3"] and found["other"] == "d1h5"
    assert found["comment"] == " mate"
    assert found["here"] == ["#pp/e2e4/f7f6/d2d4/g7g5/b1c3", "b1c3"]
    opened = browse(tmp_path, "chess", READ_LINK, fragment=found["hash"])
    assert opened == {"line": [*found["line"][:-1], "d1h5"], "log": found["log"], "comment": " mate", "told": ""}
    assert found["marks"][-2:] == ["g7g5??", "d1h5"] and "White: 0 ??" in found["told"]
    assert found["count"] and found["mate"] == 1 and "d1h5" in found["best"] and found["bar"] > 95
    game = playable(by_rules("chess"))
    wanted = solve(
        Continuation(game_with_engine(model("chess")), game.successor(game.initial(), "e2e4")), "depth-limited", depth=2
    )
    assert found["counted"]["line"] == list(wanted.line)


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize("name, cards, others", [("three_tricks", 3, 3), ("goofspiel", 3, 6)])
def test_a_card_of_a_hand_is_played_by_a_click_on_it(tmp_path: Path, name: str, cards: int, others: int):
    """A set of cards, named by the move or its argument; no card that lies beside it can be played."""
    body = """
        gdl.seats("person", "person");
        document.getElementById("look").click();
        const before = gdl.legal();
        const hand = [...document.querySelectorAll("button.card")];
        result.hands = [hand.length, document.querySelectorAll("span.card").length];
        result.open = hand.every((each) => before.some((name) => name === each.textContent || name.endsWith(`(${each.textContent})`)));
        hand[1].click();
        result.next = gdl.legal().includes(before[1]) && gdl.player() === "Ann";
    """
    assert browse(tmp_path, name, body) == {"hands": [cards, others], "open": True, "next": False}


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize(
    "name, names, left, buttons",
    [("nim", ["take(4, 3)", "take(2, 1)"], 12, []), ("wythoff", ["0-2", "1-0"], 4, ["1-1", "2-2", "3-3"])],
)
def test_stones_are_taken_by_a_click_on_the_lowest(
    tmp_path: Path, name: str, names: list[str], left: int, buttons: list[str]
):
    """Which action leaves the rest of one heap and all else as it is, is asked of the rules: no step takes from two.
    For the others there are buttons."""
    body = """
        gdl.seats("person", "person");
        const stones = () => [...document.querySelectorAll("button.stone")];
        result.alone = new Set(stones().map((each) => each.title)).size === stones().length;
        result.buttons = [...document.querySelectorAll("#moves button")].map((each) => each.textContent);
        for (const name of NAMES) stones().find((each) => each.title === name).click();
        result.moves = gdl.moves();
        result.left = document.querySelectorAll(".stone:not(.strip *)").length;
    """.replace("NAMES", str(names))
    found = browse(tmp_path, name, body)
    assert found == {"alone": True, "buttons": buttons, "moves": names, "left": left}


ROADS = """
players Red, Blue
board Town = graph(a-b, a-b, b-c, c-a)
state
    owner[Edge]: Player?
action claim(road: Edge) when owner[road] = none
    owner[road] := mover
terminal
    no actions -> draw
"""


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize(
    ("name", "edges", "gone", "colours"),
    [
        ("hackenbush", ["2-3", "0-5", "0-1"], 5, []),
        ("roads", ["a-b", "b-c"], 2, ["#d55e00", "#0072b2"]),
    ],
)
def test_edges_of_a_graph_are_chosen_by_a_click(
    tmp_path: Path, name: str, edges: list[str], gone: int, colours: list[str]
):
    """Edges that are no longer there, or nobody's, are thin; who owns one is seen by its colour."""
    body = """
        gdl.seats("person", "person");
        result.buttons = document.querySelectorAll("#moves button").length;
        for (const edge of EDGES) click(edge);
        result.moves = gdl.moves();
        result.gone = document.querySelectorAll(".square.gone").length;
        result.colours = [...document.querySelectorAll(".line")].map((each) => each.getAttribute("stroke")).filter((each) => each !== "#8a7044");
    """.replace("EDGES", str(edges))
    file = tmp_path / "roads.game"
    file.write_text(ROADS)
    found = browse(tmp_path, file if name == "roads" else name, body)
    moves = edges if name == "hackenbush" else [f"claim({edge})" for edge in edges]
    assert found == {"buttons": 0, "moves": moves, "gone": gone, "colours": colours}


@pytest.mark.thorough
@needs_browser
def test_a_house_is_sown_by_a_click_on_it_and_stores_lie_at_the_ends(tmp_path: Path):
    """The file's houses are numbers; which pits they are for a player stands in the condition."""
    body = """
        gdl.seats("person", "person");
        result.stores = [...document.querySelectorAll('.square:has([ry="0.92"]) title')].map((each) => each.textContent.split(" ")[0]);
        result.buttons = document.querySelectorAll("#moves button").length;
        for (const pit of ["3", "14", "8", "1", "8"]) click(pit);
        result.moves = gdl.moves();
        result.columns = [...document.querySelectorAll("#log .round > span")].map((each) => each.childNodes.length / 2);
    """
    moves = ["sow(3)", "sow(1)", "sow(1)"]
    found = browse(tmp_path, "kalah", body)
    assert found == {"stores": ["7", "14"], "buttons": 0, "moves": moves, "columns": [2, 1]}


@pytest.mark.thorough
@needs_browser
def test_men_in_the_hand_are_signs_and_are_not_shown_as_taken_too(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        for (const name of ["c3c4", "g7g6", "b2h8+", "g9h8"]) gdl.play(name);
        result.held = [...document.querySelectorAll(".strip .counter")].map((each) => each.textContent);
        result.drawn = [...document.querySelectorAll(".strip .counter use")].map((each) => each.getAttribute("href"));
        result.taken = document.querySelectorAll(".taken > *").length;
    """
    drawn = ["#s-wedges-bishop"] * 2
    assert browse(tmp_path, "shogi", body) == {"held": ["bishop 1", "bishop 1"], "drawn": drawn, "taken": 0}


@pytest.mark.thorough
@needs_browser
def test_two_tracks_are_one_board_on_which_men_move_in_any_order(tmp_path: Path):
    """Backgammon on a phone: the players count from opposite ends; the second man may be clicked first."""
    body = """
        gdl.seats("person", "person");
        const of = (name) => square(name).querySelector("title").textContent;
        result.opposed = [of("1"), of("24"), of("12"), of("2")];
        result.inner = innerWidth;
        document.getElementById("values").click();
        result.wide = document.documentElement.scrollWidth <= innerWidth;
        const right = (each) => each.getBoundingClientRect().right <= innerWidth;
        result.points = [...document.querySelectorAll(".lanes")].filter(right).length;
        result.men = document.querySelectorAll(".lanes .disc").length;
        result.dice = document.querySelectorAll(".die").length > 1;
        for (let turn = 0; turn < 4; turn++) {
          const shown = (name) => name.split(/[ /]/).every(square);  // not so from the bar, where a man was hit
          const name = gdl.legal().find((each) => each.split(" ").length > 1 && shown(each)) ?? gdl.legal()[0];
          if (!shown(name)) gdl.play(name);
          else for (const pair of name.split(" ").reverse()) pair.split("/").forEach(click);
          if (gdl.moves().at(-2) !== name) throw new Error(`${name}, ${gdl.moves()}`);
        }
        result.rounds = [...document.querySelectorAll("#log .round")].map((each) => each.childElementCount);
        result.last = document.querySelectorAll(".lanes.last").length > 1;
    """
    found = browse(tmp_path, "backgammon", body, size="360,740")
    assert found["opposed"] == ["1 2 White", "24 2 Black", "12 5 White", "2"] and found["men"] == 30
    assert found["inner"] <= 500 and found["wide"] and found["points"] == 28 and found["dice"]
    assert found["rounds"] == [2, 2, 1] and found["last"]


@pytest.mark.thorough
@needs_browser
def test_dice_are_held_by_clicks_and_cards_of_all_are_played_by_them(tmp_path: Path):
    """No button names how many dice of each face stay; a category that is open has a button on the sheet."""
    body = """
        gdl.seats("person");
        while (gdl.legal()[0][0] !== "k") await wait(20);
        const dice = () => [...document.querySelectorAll(".hold")];
        const faces = dice().map((each) => Number(each.querySelector("use").getAttribute("href").at(-1)) - 1);
        dice()[1].click();
        dice()[3].click();
        dice()[0].click();
        dice()[0].click();
        result.buttons = [...document.querySelectorAll("#moves button")].length;
        [...document.querySelectorAll("#things button")].find((each) => each.textContent === "keep").click();
        result.kept = gdl.moves().find((name) => name.startsWith("keep"));
        const counts = [0, 0, 0, 0, 0, 0];
        for (const at of [1, 3]) counts[faces[at]]++;
        result.same = result.kept === `keep(${counts.join(", ")})`;
        while (!gdl.legal().length) await wait(20);
        result.cards = [...document.querySelectorAll(".sheet button")].map((each) => each.title);
    """
    found = browse(tmp_path, "yahtzee", body)
    assert found.pop("kept").startswith("keep(")
    assert found == {"buttons": 0, "same": True, "cards": ["score(sixes)", "score(yahtzee)"]}


@pytest.mark.thorough
@needs_node
@pytest.mark.parametrize("nodes", [1, 300])
@pytest.mark.parametrize("name", ["breakthrough", "gomoku", "checkers"])
def test_a_level_sees_on_the_page_what_it_sees_in_the_terminal(name: str, nodes: int):
    """To the first depth, and a reply to the best moves of all."""
    game, level = playable(by_rules(name)), {"nodes": nodes, "simulations": 1, "error": 0, "doubt": 0}
    program = THINKING.replace("found.line, found.value.map(Number), found.visits ?? {}", VALUES)
    ((found,),) = run_with_search(program, [[game_data(game), page_searches(game), {"level": level}]])
    own = offer(game, "auto")
    worths = Computer(own, "auto", 1).searcher.compare_actions(own.initial(), 0, Level(**level))
    judged = scale(own)
    assert {
        action: judged.chances(PositionWorth(tuple(value), False, (), True), 0) for action, value in found.items()
    } == {action: pytest.approx(worth) for action, worth in worths.items()}


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize(
    ("level", "played", "best"),
    [(8, ["a1", "b2", "b1"], {"take(c1)"}), (7, ["a1", "b2", "b1"], {"take(c1)"}), (1, [], None)],
)
def test_a_level_misjudges_moves_alike_each_time(tmp_path: Path, level: int, played: list[str], best: set[str] | None):
    """O has one move that does not lose. At the levels 8 and 7 it is made. At level 1 the first move of all is another
    in another play, and each time the same in one play, as the position is the same."""
    body = """
        const level = document.getElementById("level");
        level.value = "LEVEL";
        level.dispatchEvent(new Event("change"));
        result.means = document.getElementById("means").textContent;
        result.replies = [];
        for (let play = 0; play < 6; play++) {
          Math.random = () => play / 7;
          document.getElementById("new").click();
          gdl.seats("person", "person");
          for (const square of PLAYED) gdl.play(`take(${square})`);
          result.replies.push(await gdl.reply(0.2));
          gdl.back();
          result.same = (result.same ?? true) && await gdl.reply(0.2) === result.replies.at(-1);
        }
    """.replace("LEVEL", str(level)).replace("PLAYED", str(played))
    found = browse(tmp_path, "tic_tac_toe", body)
    assert found["means"].startswith(f"Level {level}: ") and found["same"] and len(found["replies"]) == 6
    assert set(found["replies"]) == best if best else len(set(found["replies"])) > 1


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize("game", ["chess", "backgammon", "hex", "kuhn", "goofspiel", "figure_5_2"])
def test_the_page_plays_at_every_level(tmp_path: Path, game: str):
    """By alpha-beta, max^n, simulations, simulations of what may be, and by a tree of the whole game."""
    body = """
        gdl.seats("person");
        result.replies = [];
        for (let level = 1; level <= 8; level++) {
          document.getElementById("level").value = String(level);
          result.replies.push(await gdl.reply(0.3) !== null);
          if (!gdl.legal().length) break;
        }
    """
    found = browse(tmp_path, game, body)
    assert found["replies"] and all(found["replies"]) and not found.get("errors")


@pytest.mark.thorough
@needs_browser
def test_two_computers_are_watched_and_halted(tmp_path: Path):
    body = """
        document.getElementById("seconds").value = "0.3";
        gdl.seats("computer", "computer");
        while (gdl.moves().length < 2) await wait(50);
        const button = document.getElementById("now");
        result.shown = button.textContent;
        button.click();
        const plies = gdl.moves().length;
        await wait(900);
        result.halted = gdl.moves().length === plies;
        result.again = button.textContent;
        button.click();
        while (gdl.moves().length < plies + 1) await wait(50);
        result.wide = document.documentElement.scrollWidth <= innerWidth;
    """
    found = browse(tmp_path, "connect_four", body, size="360,740")
    assert found == {"shown": "Pause", "halted": True, "again": "Go on", "wide": True}


@pytest.mark.thorough
@needs_browser
def test_a_picked_man_is_exchanged_and_let_go_and_new_game_keeps_the_old_play(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        const picked = () => document.querySelector(".square.chosen")?.getAttribute("aria-label").slice(0, 2) ?? null;
        result.picked = [];
        for (const name of ["e2", "d2", "e5", "g1"]) { click(name); result.picked.push(picked()); }
        key(document.body, "Escape"); result.picked.push(picked());
        for (const name of ["g1", "e2", "e4"]) click(name);
        gdl.play("e7e5");
        result.played = gdl.moves();
        document.getElementById("new").click();
        result.anew = [gdl.moves(), location.hash, document.querySelectorAll("#log > li > details").length];
        gdl.play("e2e4"); gdl.play("c7c5");
        result.line = location.hash;
        gdl.seats("person", "computer");
        document.getElementById("previous").click();
        await wait(50);
        result.looks = [gdl.moves(), gdl.legal(), document.getElementById("past").hidden];
        document.getElementById("continue").click();
        while (gdl.moves().length < 2) await wait(50);
    """
    found = browse(tmp_path, "chess", body)
    assert found["picked"] == ["e2", "d2", None, "g1", None] and found["played"] == ["e2e4", "e7e5"]
    assert found["anew"] == [[], "#pp/;e2e4/e7e5", 1]
    assert found["line"] == "#pp/e2e4/c7c5;e2e4/c7c5/,1/e7e5"
    assert found["looks"] == [["e2e4"], [], False]


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize("name", ["backgammon", "kuhn", "twenty_one", "goofspiel"])
def test_taking_back_never_ends_where_nobody_chooses(tmp_path: Path, name: str):
    body = """
        const people = gdl.moves ? ["person", "person"] : [];
        gdl.seats(...people);
        while (!gdl.player()) document.getElementById("new").click();  // a natural ends the hand at once
        document.getElementById("back").click();
        result.first = document.getElementById("told").textContent;
        result.movers = [gdl.player()];
        const press = (name) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
        for (let ply = 0; ply < 3 && gdl.legal().length; ply++) gdl.play(gdl.legal()[0]);
        for (let ply = 0; ply < 5; ply++) { gdl.back(); result.movers.push(gdl.player()); }
        press("Home"); result.movers.push(gdl.player());
    """
    found = browse(tmp_path, name, body)
    assert found["first"] == "There is nothing to take back." and all(found["movers"])


@pytest.mark.thorough
@needs_browser
def test_a_man_is_dropped_from_the_hand_alone(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        for (const name of ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5"]) gdl.play(name);
        click("e4");
        result.stray = gdl.moves().length;
        document.querySelector("button.counter").click();
        click("e4");
        result.last = gdl.moves().at(-1);
    """
    assert browse(tmp_path, "crazyhouse", body) == {"stray": 6, "last": "p@e4"}


@pytest.mark.thorough
@needs_browser
def test_a_man_is_dragged_from_the_hand_and_let_go_beside_the_board_it_stays(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        for (const name of ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5"]) gdl.play(name);
        const at = (each) => { const { x, y, width, height } = each.getBoundingClientRect(); return { clientX: x + width / 2, clientY: y + height / 2, bubbles: true }; };
        const drag = (to) => {
          const held = document.querySelector("[data-hand]");
          held.scrollIntoView({ block: "end" });
          held.dispatchEvent(new PointerEvent("pointerdown", at(held)));
          document.dispatchEvent(new PointerEvent("pointermove", at(to)));
          result.lifted = [document.querySelectorAll(".ghost use").length, square("d7").matches(".target"), square("e8").matches(".target")];
          document.dispatchEvent(new PointerEvent("pointerup", at(to)));
        };
        drag(document.getElementById("status"));
        result.beside = [gdl.moves().length, document.querySelectorAll(".ghost").length];
        drag(square("e4"));
        result.last = gdl.moves().at(-1);
    """
    found = browse(tmp_path, "crazyhouse", body, "1200,1000")
    assert found == {"lifted": [1, True, False], "beside": [6, 0], "last": "p@e4"}


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize(("name", "squares"), [("ultimate_tic_tac_toe", 90), ("stratego", None)])
def test_all_boards_are_shown_and_all_actions_are_reached(tmp_path: Path, name: str, squares: int | None):
    body = """
        result.squares = document.querySelectorAll("#boards .square").length;
        const buttons = () => [...document.querySelectorAll("#moves button")];
        for (let k = 0; k < 3 && / more$/.test(buttons().at(-1)?.textContent); k++) buttons().at(-1).click();
        result.missing = squares_only ? 0 : gdl.legal().length - buttons().length;
    """.replace("squares_only", str(squares is not None).lower())
    found = browse(tmp_path, name, body)
    assert found["missing"] == 0 and squares in (None, found["squares"])


TILES = """# Tiles from factories onto pattern lines; a full line sends one tile to the wall.
game "Tile Makers"
players Ann, Bob

type Colour = blue, red, white
type Line = 1..3

state
    factory[1..3, Colour]: 0..4 = 0
    centre[Colour]: 0..9 = 0
    kind[Player, Line]: Colour?
    filled[Player, Line]: 0..3 = 0
    wall[Player, Line, Colour]: Boolean
    score[Player]: 0..60 = 0

start
    for f in 1..3
        factory[f, blue] := f
        factory[f, red] := 4 - f
    next Ann

action take(f: 1..3, c: Colour, l: Line) as "{f} {c} {l}" when factory[f, c] > 0 and (kind[mover, l] = none or kind[mover, l] = c) and not wall[mover, l, c] and filled[mover, l] < l
    let n = factory[f, c]
    factory[f, c] := 0
    for d in Colour
        centre[d] := centre[d] + factory[f, d]
        factory[f, d] := 0
    kind[mover, l] := c
    filled[mover, l] := min(l, filled[mover, l] + n)
    if filled[mover, l] = l
        wall[mover, l, c] := true
        score[mover] := score[mover] + l
        kind[mover, l] := none
        filled[mover, l] := 0
    next other(mover)

terminal
    forall f in 1..3, c in Colour: factory[f, c] = 0 -> score[Ann] - score[Bob]
"""

DUNGEON = """# A hero walks through a dungeon whose traps are felt when stepped on.
game "Dungeon"
players Hero

board Room = grid(3, 3)
type Thing = empty, monster, coin, flask

state
    trap[Room]: Boolean visible to none
    seen[Room]: Boolean
    foe[Room]: 0..3 = 0
    at: Room = a1
    life: 0..5 = 3
    purse: 0..9 = 0
    armed: Boolean
    deck[Thing]: 0..3 = 2
    found: Thing?

start
    trap[b2], trap[c1], seen[a1] := true, true, true
    next Hero

action walk(d: Room.Direction) as "{d}" when step(at, d) != none and foe[at] = 0
    at := step(at, d)
    if trap[at] and not seen[at]
        life := max(0, life - 1)
    if not seen[at] and not trap[at]
        next look
    else
        next Hero
    seen[at] := true

action fight when foe[at] > 0
    foe[at] := foe[at] - (if armed then min(2, foe[at]) else 1)
    next Hero

chance look(t: Thing) when deck[t] > 0
    deck[t] := deck[t] - 1
    found := t
    if t = monster
        foe[at] := 2
    if t = coin
        purse := purse + 1
    if t = flask
        life := min(5, life + 1)
        armed := true
    next Hero

terminal
    life = 0 -> -1
    at = c3 and foe[at] = 0 -> if found = coin then purse + 1 else purse
"""


@pytest.mark.thorough
@needs_browser
def test_arrays_of_two_and_three_indices_are_tables(tmp_path: Path):
    (source := tmp_path / "tiles.game").write_text(TILES, encoding="utf-8")
    body = """
        gdl.seats("person", "person");
        gdl.play("2 red 3"); gdl.play("1 blue 1");
        const texts = (row) => [...row.children].map((cell) => cell.textContent);
        for (const table of document.querySelectorAll("#table table")) result[table.caption.textContent] = [...table.rows].map(texts);
    """
    heads = ["", "blue", "red", "white"]
    assert browse(tmp_path, source, body) == {
        "factory": [heads, ["1", "0", "0", "0"], ["2", "0", "0", "0"], ["3", "3", "1", "0"]],
        "kind": [["", "1", "2", "3"], ["Ann", "–", "–", "red"], ["Bob", "–", "–", "–"]],
        "wall Ann": [heads, *([str(line), "–", "–", "–"] for line in (1, 2, 3))],
        "wall Bob": [heads, ["1", "✓", "–", "–"], ["2", "–", "–", "–"], ["3", "–", "–", "–"]],
    }


@pytest.mark.thorough
@needs_browser
def test_a_hero_stands_on_the_board_and_numbers_lie_beside_it(tmp_path: Path):
    (source := tmp_path / "dungeon.game").write_text(DUNGEON, encoding="utf-8")
    body = """
        gdl.seats("person");
        gdl.play("northeast");
        result.men = [...document.querySelectorAll(".square:has(.disc) title")].map((each) => each.textContent);
        result.boards = [...document.querySelectorAll("figcaption")].map((each) => each.textContent);
        result.beside = [...document.querySelectorAll("#things .counter")].map((each) => each.textContent);
        result.words = [...document.querySelectorAll("#cells p")].map((each) => each.textContent);
    """
    assert browse(tmp_path, source, body) == {
        "men": ["b2 a seen at"], "boards": ["seen/at", "foe"], "beside": ["life 2", "purse 0"],
        "words": ["armed = false", "found = none"],
    }  # fmt: skip


@pytest.mark.slow
@needs_firefox
def test_the_page_in_firefox(tmp_path: Path):
    """The first things that a person does, in the other browser: open chess from disk, play, take back, share the
    link."""
    body = """
        document.getElementById("seconds").value = "0.3";
        gdl.seats("person", "person");
        click("e2"); click("e4");
        result.moves = gdl.moves();
        result.reply = await gdl.reply(0.3);
        result.both = gdl.moves().length;
        gdl.back();
        gdl.play("e7e5"); gdl.play("g1f3");
        gdl.back();
        gdl.play("f1c4");
        result.hash = location.hash;
        const found = await gdl.analyse({ depth: 2 });
        result.line = found.line;
    """
    found = browse(tmp_path, "chess", body, browser=firefox)
    assert found["moves"] == ["e2e4"] and found["both"] == 2 and len(found["line"]) == 2
    opened = browse(tmp_path, "chess", READ_LINK, fragment=found["hash"], browser=firefox)
    assert opened["line"] == ["e2e4", "e7e5", "f1c4"] and "g1f3" in opened["log"] and found["reply"] in opened["log"]


OPENED = """
        const open = async (text) => {
            const sent = new DataTransfer();
            sent.items.add(new File([text], "play.txt"));
            const picker = document.getElementById("file");
            picker.files = sent.files;
            picker.dispatchEvent(new Event("change"));
            await new Promise((done) => setTimeout(done, 300));
            return [gdl.moves(), document.body.innerText];
        };
        gdl.seats("person", "person");
"""


@pytest.mark.thorough
@needs_browser
def test_signs_and_null_moves_of_side_lines_of_a_pgn_are_no_moves(tmp_path: Path):
    body = f"""{OPENED}
        [result.moves] = await open('[Event "x"]\\n\\n1. e4 ± e5 ∞ (1... -- 2. d4) 2. Nb1-c3 +/- Nb8-c6 $14 *');
        [result.null, result.said] = await open("1. e4 -- 2. d4");
    """
    found = browse(tmp_path, "chess", body)
    assert [move.lower() for move in found["moves"]] == ["e2e4", "e7e5", "b1c3", "b8c6"]
    assert [move.lower() for move in found["null"]] == ["e2e4"]
    assert "Move 2 of the file, --," in found["said"]


@pytest.mark.thorough
@needs_browser
def test_stones_that_are_set_up_are_not_left_out(tmp_path: Path):
    """A record with a handicap was opened without its stones, as another play."""
    body = f"""{OPENED}
        [result.moves] = await open("(;GM[1]SZ[9]C[AB\\\\[aa\\\\]];B[cc];W[gg])");
        [result.none, result.said] = await open("(;GM[1]SZ[9]HA[2]AB[cc][gg];W[gc])");
    """
    found = browse(tmp_path, "go", body)
    assert len(found["moves"]) == 2 and not found["none"]
    assert "AB[cc]" in found["said"]


@pytest.mark.thorough
@needs_browser
def test_a_pgn_from_another_position_is_not_played_from_here(tmp_path: Path):
    """The tag was left out, and such moves as are possible were played from the start."""
    body = f"""{OPENED}
        const tag = (position) => `[SetUp "1"]\\n[FEN "${{position}}"]\\n\\n1. e4 *`;
        [result.moves] = await open(tag("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 7"));
        [result.none, result.said] = await open(tag("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    """
    found = browse(tmp_path, "chess", body)
    assert [move.lower() for move in found["moves"]] == ["e2e4"] and not found["none"]
    assert 'Move 1 of the file, [FEN "4k3/' in found["said"]
