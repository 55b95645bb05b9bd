"""gdl as an engine: the lines of UCI and UGI, stopped searches, and python-chess as its partner."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from late_clock import all_clocks_replaced
from places import ROOT
from sampling import one_in

import gdl
from gdl.commands.cli import commands
from gdl.commands.engines import offer
from gdl.compiler import wasm
from gdl.playing.loading import Asking, load_asked
from gdl.wings.arena import stoppable_search
from gdl.wings.arena.computer import NOBODY
from gdl.wings.arena.protocol import Info, ThinkingLimits, UgiSession, parse_go


class First:
    """Plays the first action."""

    def __init__(self, name: str):
        self.loaded = gdl.load(name)
        self.options = {"Seed": ("type spin default * min 0 max 9", "0")}
        self.asked: list[ThinkingLimits] = []

    def start(self, position, tell=None):
        if position is None:
            return self.loaded
        from gdl.interpreter.position import begin_at

        return gdl.play(begin_at(gdl.loads(*gdl.read("chess")).model, position))

    def get_ready(self, game, state):
        return ""

    def move(self, game, state, asked, tell):
        self.asked.append(asked)
        action = game.node(state).actions[0]
        tell(Info(3, 0.5, 100, 0.1, (action,)))
        return action


def talk(name: str, *lines: str) -> list[str]:
    said: list[str] = []
    engine = UgiSession(First(name), said.append, "x", "y")
    for line in lines:
        engine.hear(line)
    return said


def test_introductions():
    assert talk("nim", "ugi") == [
        "id name x",
        "id author y",
        "option name Seed type spin default 0 min 0 max 9",
        "ugiok",
    ]
    assert talk("nim", "uci")[-1] == "uciok"
    assert talk("nim", "isready", "", "debug on", "ponderhit", "stop") == ["readyok"]


def test_a_search_is_told_and_answered():
    lines = talk("nim", "position startpos moves take(1,1) take(2, 2)", "go depth 3")
    assert lines == ["info depth 3 score cp 50 nodes 100 nps 1000 time 100 pv take(2,1)", "bestmove take(2,1)"]


def test_scores_are_hundredths_of_the_unit_that_the_file_names():
    assert talk("chess", "go depth 3")[0].startswith("info depth 3 score cp 10000 ")  # 0.5 in pawns of 0.005


def test_the_move_that_is_expected_is_told_to_who_ponders():
    thinker, said = First("nim"), []
    thinker.options["Ponder"] = ("type check default *", "false")
    engine = UgiSession(thinker, said.append, "x", "y")
    move = thinker.move

    def looking_ahead(game, state, asked, tell):
        action = move(game, state, asked, tell)
        tell(Info(line=(action, "take(2, 1)")))
        tell(Info(nodes=3))
        return action

    thinker.move = looking_ahead
    for line in ("go depth 3", "setoption name ponder value true", "go depth 3"):
        engine.hear(line)
    told = [line for line in said if line.startswith("bestmove")]
    assert told == ["bestmove take(1,1)", "bestmove take(1,1) ponder take(2,1)"]


def test_what_was_played_before_goes_on():
    engine = UgiSession(First("tic_tac_toe"), lambda line: None, "x", "y")
    engine.hear("position startpos moves take(a1) take(b1)")
    states = engine.states
    engine.hear("position startpos moves take(a1) take(b1) take(c1)")
    assert engine.states is states and engine.played == ["take(a1)", "take(b1)", "take(c1)"]
    engine.hear("position startpos moves take(a1) take(c3)")
    assert engine.played == ["take(a1)", "take(c3)"] and len(engine.states) == 3
    engine.hear("position startpos")
    assert engine.played == [] and len(engine.states) == 1


def test_what_cannot_be_played_leaves_the_position_as_it_was():
    lines = []
    engine = UgiSession(First("tic_tac_toe"), lines.append, "x", "y")
    engine.hear("position startpos moves take(a1)")
    for wrong in ("position startpos moves take(a1) take(a1)", "position", "position nowhere", "position fen x"):
        engine.hear(wrong)
        assert engine.played == ["take(a1)"]
    assert all(line.startswith("info string ") for line in lines) and len(lines) == 4


def test_the_end_of_a_game():
    won = "position startpos moves take(a1) take(a2) take(b1) take(b2) take(c1)"
    lines = talk(
        "tic_tac_toe", "query gameover", "query p1turn", "query result", won, "query gameover", "query result", "go"
    )
    assert lines == [
        "response false", "response true", "response none", "response true", "response p1win",
        "info string the game is over", "bestmove (none)",
    ]  # fmt: skip


def test_wrong_lines_are_told():
    said = talk("nim", "foo", "query", "setoption name Blitz value 1", "go depth x")
    assert len(said) == 4 and all(line.startswith("info string ") for line in said)


def test_positions_in_a_notation():
    lines = talk("chess", "position fen 4k3/P7/8/8/8/8/8/4K2R w K - 0 1 moves a7a8q", "query p1turn")
    assert lines == ["response false"]


@pytest.mark.parametrize(
    ("words", "mover", "expected"),
    [
        ("depth 4", 0, ThinkingLimits(depth=4)),
        ("nodes 1000 depth 2", 0, ThinkingLimits(depth=2, nodes=1000)),
        ("movetime 1500", 1, ThinkingLimits(seconds=1.5)),
        ("infinite", 0, ThinkingLimits(infinite=True)),
        ("ponder movetime 200", 0, ThinkingLimits(seconds=0.2, ponder=True)),
        ("", 0, ThinkingLimits()),
        ("wtime 50000 btime 10000 winc 1000 binc 0", 0, ThinkingLimits(seconds=2.75, most=6.875)),
        ("wtime 50000 btime 10000 winc 1000 binc 0", 1, ThinkingLimits(seconds=0.4, most=1.0)),
        ("p1time 60000 p2time 1 movestogo 10", 0, ThinkingLimits(seconds=6.0, most=15.0)),
        ("wtime 0 btime 0", 0, ThinkingLimits(seconds=0.01, most=0.01)),
        ("depth 0", 0, ThinkingLimits()),
        ("mate 3 movetime 100", 0, ThinkingLimits(depth=5, seconds=0.1)),
    ],
)
def test_how_long_to_think(words: str, mover: int, expected: ThinkingLimits):
    assert parse_go(words.split(), mover) == expected


# ---- The program --------------------------------------------------------------------------------------------------


def program(*arguments: str, **streams) -> subprocess.Popen:
    command = [sys.executable, "-m", "gdl", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **streams)


def conversation(name: str, lines: str) -> list[str]:
    with program("ugi", name) as running:
        told, _ = running.communicate(lines, timeout=120)
    assert running.returncode == 0
    return told.splitlines()


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", one_in(2, ["tic_tac_toe", "nim", "kuhn", "connect_four", "goofspiel", "pig"]))
def test_games_of_all_kinds_answer(name: str):
    told = conversation(name, "ugi\nisready\ngo movetime 100\n")
    assert "ugiok" in told and "readyok" in told
    assert len([line for line in told if line.startswith("bestmove ")]) == 1


@pytest.mark.thorough
def test_a_win_is_told_in_moves_and_of_several_lines_the_best_comes_first():
    """K and two rooks: a mate in two; of the moves asked for, one that mates in one."""
    lines = conversation(
        "chess",
        "position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1\ngo depth 4\n"
        "position fen k7/8/1K6/8/8/8/8/6Q1 w - - 0 1\nsetoption name MultiPV value 2\n"
        "go depth 3 searchmoves b6b5 g1g8 g1g2\ngo movetime 100 searchmoves b6b5\n",
    )
    assert " score mate 2 " in lines[0] and lines[1] == "bestmove b1b7"
    assert " multipv 1 score mate 1 " in lines[2] and lines[2].endswith(" pv g1g8")
    assert " multipv 2 score " in lines[3] and lines[4] == "bestmove g1g8"
    assert " pv b6b5" in lines[5] and lines[-1] == "bestmove b6b5"


@pytest.mark.thorough
def test_a_position_that_is_refused_leaves_the_one_before_and_a_move_comes_all_the_same():
    """A king that can be taken, and no king: each is refused in words, and whoever waits for a move gets a legal one."""
    before = "position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1\n"
    for text, words in (("7k/8/5Q2/8/8/8/8/1R5K", "can be taken"), ("8/8/8/8/8/8/8/7Q", "each side has one king")):
        told, *_, move = conversation("chess", f"{before}position fen {text} w - - 0 1\ngo depth 4\n")
        assert told.startswith("info string ") and words in told
        assert move == "bestmove b1b7"


@pytest.mark.thorough
def test_the_only_move_is_scored_unless_it_is_played_on_a_clock():
    """Of a position with one legal move python-chess's `analyse` got nothing."""
    lines = conversation("chess", "position fen 7k/8/5KR1/8/8/8/8/8 b - - 0 1\ngo depth 3\ngo wtime 9000 btime 9000\n")
    assert " score " in lines[0]
    assert lines[1:] == ["bestmove h8h7", "bestmove h8h7"]


@pytest.mark.thorough
def test_a_loss_is_told_in_moves_however_it_is_searched():
    """The line goes on to its end, also where a selective search has looked further than the depth asked for."""
    lines = conversation(
        "chess", "position fen 7k/8/8/8/8/8/R7/1R5K b - - 0 1\ngo depth 4\ngo depth 6\ngo movetime 300\n"
    )
    told = [line for line in lines if " pv " in line]
    assert len(told) == 3 and not any(" cp -20000 " in line for line in told)
    assert all(" score mate -3 " in line for line in told[1:])


@pytest.mark.thorough
def test_several_lines_of_a_search_without_end_are_told_until_it_is_stopped():
    with program("ugi", "connect_four") as running:
        running.stdin.write("setoption name MultiPV value 3\nisready\ngo infinite\n")
        running.stdin.flush()
        while "multipv 3" not in running.stdout.readline():
            pass
        began = time.monotonic()
        told, _ = running.communicate("stop\nquit\n", timeout=60)
    assert told.splitlines()[-1].startswith("bestmove drop(") and time.monotonic() - began < 10


@pytest.mark.thorough
def test_a_search_without_end_tells_what_it_has_found_before_it_is_stopped():
    with program("engine", "breakthrough") as running:
        running.stdin.write("isready\ngo infinite\n")
        running.stdin.flush()
        while " pv " not in running.stdout.readline():
            pass
        told, _ = running.communicate("stop\nquit\n", timeout=60)
    assert told.splitlines()[-1].startswith("bestmove ")


@pytest.mark.thorough
def test_nodes_are_counted_as_the_search_counts_them():
    for nodes in (1, 6_000):  # more than a usual number of simulations, too
        told = conversation("connect_four", f"go nodes {nodes}\n")
        assert told[-1].startswith("bestmove drop(")
        assert nodes == 1 or f" nodes {nodes} " in told[-2]


@pytest.mark.thorough
def test_a_search_that_looked_at_no_action_takes_the_best_one_ply_ahead():
    before = "position startpos moves e2e4 d7d5\n"
    assert conversation("chess", f"{before}go nodes 1\n")[-1] == "bestmove e4d5"


@pytest.mark.thorough
def test_few_nodes_are_searched_on_the_engine_and_a_new_game_begins_anew():
    """A node of the interpreter takes a millisecond and more; a thousand times as long."""
    once = "position startpos\ngo nodes 3000\n"
    said = conversation("chess", f"isready\n{once}{once}ucinewgame\n{once}quit\n")
    infos = [line.split() for line in said if " nodes " in line and " pv " in line]
    counted = [int(words[words.index("nodes") + 1]) for words in infos]
    seconds = [int(words[words.index("time") + 1]) / 1000 for words in infos]
    assert len(infos) == 3 and all(3000 <= nodes < 3600 for nodes in counted)
    assert infos[0][infos[0].index("pv") :] == infos[2][infos[2].index("pv") :] and counted[0] == counted[2]
    assert seconds[1] < 1.5  # compiled before


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "go"), [("chess", "go infinite"), ("chess", "go ponder movetime 9000"), ("go", "go movetime 60000")]
)
def test_a_search_stops_at_once_where_nodes_of_the_interpreter_are_slow(game: str, go: str):
    """In go, a full search and a proof come before simulations: `stop` is meant for all of them."""
    with program("engine", game) as running:
        assert running.stdin is not None and running.stdout is not None
        taken = []
        for _ in range(3):
            running.stdin.write(f"position startpos\n{go}\nisready\n")  # which is answered meanwhile
            running.stdin.flush()
            while not running.stdout.readline().startswith("readyok"):
                pass
            time.sleep(2.5 if not taken else 0.5)
            asked = time.monotonic()
            running.stdin.write("stop\n")
            running.stdin.flush()
            while not running.stdout.readline().startswith("bestmove"):
                pass
            taken.append(time.monotonic() - asked)
        running.stdin.write("quit\n")
        running.stdin.flush()
    assert min(taken[1:]) < 0.5, taken


@pytest.fixture
def compiling(monkeypatch):
    """A session with chess, and the modules that its searches compile."""
    pytest.importorskip("wasmtime")
    modules: list[dict[str, Any]] = []
    load = wasm.load

    def noting(*arguments, **options):
        modules.append(load(*arguments, **options))
        return modules[-1]

    monkeypatch.setattr(wasm, "load", noting)
    thinker = stoppable_search.Thinking(load_asked(Asking(*gdl.read("chess"))), "auto", stoppable_search._StopAtOnce())
    session = UgiSession(thinker, lambda line: None, "x", "y")
    return session, modules


@pytest.mark.thorough
def test_once_the_engine_is_ready_no_kind_of_search_is_compiled_anew(compiling):
    """Compiling takes a tenth of a second, in which `stop` is not heard."""
    session, modules = compiling
    session.hear("isready")
    ready = len(modules)
    assert ready == 1  # whatever limits a search, one table keeps what was found
    for line in ("go depth 30", "go infinite", "go nodes 500", "go depth 2", "go nodes 900", "go movetime 20"):
        session.hear(line)
        assert len(modules) == ready, line
    for position in ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1"):
        for line in (f"position fen {position}", "go nodes 500", "go depth 2", "go movetime 20"):
            session.hear(line)
            assert len(modules) == ready, (position, line)


@pytest.mark.thorough
def test_nobody_looks_for_bounds_of_the_value_between_moves(compiling, monkeypatch):
    """They took a sixth of a second from every move, and half of what the first `isready` took."""
    session, _ = compiling
    monkeypatch.setattr("gdl.solvers.budget.look_ahead", lambda game: pytest.fail("a look ahead"))
    for line in ("isready", "go movetime 50", "go nodes 500"):
        session.hear(line)


@pytest.mark.thorough
def test_a_new_game_is_compiled_before_its_first_move(compiling):
    """Chess thought 0.5 seconds too long on the first move of every game but the first, hex with `clear_board` too."""
    session, modules = compiling
    for line in ("isready", "ucinewgame", "isready"):
        session.hear(line)
    ready = len(modules)
    session.hear("go movetime 20")
    assert len(modules) == ready


@pytest.mark.thorough
def test_several_lines_are_stopped_between_two_searches_that_are_too_short_to_ask(compiling, monkeypatch):
    session, _ = compiling
    session.hear("isready")
    session.hear("setoption name MultiPV value 3")
    looked: list[Any] = []
    best = stoppable_search.StoppableSearch.best
    monkeypatch.setattr(stoppable_search.StoppableSearch, "best", lambda search: looked.append(best(search)))
    session.hear("go infinite")
    assert len(looked) == 1


@pytest.mark.thorough
def test_the_table_is_as_large_as_the_option_hash_says(compiling):
    session, modules = compiling
    session.hear("isready")
    ready, tables = len(modules), []
    for line in ("setoption name Hash value 1", "setoption name Hash value 64", "setoption name Hash value 64"):
        session.hear(line)
        session.hear("go nodes 300")
        tables.append(sum(modules[-1][name].nbytes for name in ("table_tag", "entries")))
    assert 1 << 17 < tables[0] <= 1 << 20 < 1 << 24 < tables[1] <= 1 << 26 and tables[2] == tables[1]
    assert len(modules) == ready + 2


@pytest.mark.thorough
def test_a_search_for_a_win_finds_it():
    told = conversation("tic_tac_toe", "position startpos moves take(a1) take(a2) take(b1) take(b2)\ngo movetime 300\n")
    assert told[-1] == "bestmove take(c1)"
    assert "score mate 1" in told[-2]


@pytest.mark.thorough
def test_an_endless_search_ends_with_its_listener():
    assert conversation("nim", "go infinite\n")[-1].startswith("bestmove ")


# ---- python-chess -------------------------------------------------------------------------------------------------


def games(count: int, plies: int, limit: dict[str, float]) -> int:
    """Games of the engine against random play; the plies played. python-chess raises where a move is not legal."""
    chess, uci = pytest.importorskip("chess"), pytest.importorskip("chess.engine")
    played = 0
    engine = uci.SimpleEngine.popen_uci([sys.executable, "-m", "gdl", "engine", "chess"], timeout=120, cwd=ROOT)
    try:
        for number in range(count):
            board, dice = chess.Board(), random.Random(number)
            while not board.is_game_over(claim_draw=True) and len(board.move_stack) < plies:
                if (board.turn == chess.WHITE) == (number % 2 == 0):
                    found = engine.play(board, uci.Limit(**limit), info=uci.INFO_ALL)
                    assert found.move in board.legal_moves
                    board.push(found.move)
                else:
                    board.push(dice.choice(list(board.legal_moves)))
            played += len(board.move_stack)
    finally:
        engine.quit()
    return played


@pytest.mark.thorough
def test_python_chess_plays_the_opening():
    assert games(1, 8, {"time": 0.05}) == 8


@pytest.mark.slow
def test_python_chess_plays_twenty_games_to_the_end():
    assert games(20, 1_000, {"time": 0.02}) > 200


@pytest.mark.thorough
def test_a_short_time_is_spent_on_the_engine_though_quit_is_said_already():
    """The search is compiled before the time begins; a script's `quit` waits for the answer."""
    lines = "isready\nposition startpos\ngo movetime 1500\nquit\n"
    told = CliRunner().invoke(commands, ["ugi", "connect_four"], input=lines).stdout.splitlines()
    assert told[0] == "readyok"
    assert told[-1].startswith("bestmove drop(")
    words = told[-2].split()
    assert int(words[words.index("nodes") + 1]) > 5_000  # the interpreter makes some hundreds


@pytest.mark.parametrize(("later", "ends"), [(0.01, False), (5.0, True)])
def test_quit_ends_a_search_that_is_under_way(later, ends):
    """But not where it was sent together with the line that began the search, as in a script."""
    moments = iter((0.0, 0.0, later, later))  # of the beginning, each line, and the end of the input
    with all_clocks_replaced(moments.__next__), CliRunner().isolation(input="go movetime 9\nquit\n"):
        listener = stoppable_search.Listener()
        assert listener.next_line() == "go movetime 9\n"
        while not listener.stops(True):
            time.sleep(0.001)  # the lines are read by another thread
        assert listener.stops(False) == ends


class Partner:
    """Lets a search ponder for so many looks; then the move is played, or the search stopped."""

    def __init__(self, looks: int, played: bool):
        self.looks, self.played = looks, played
        self.hit: float | None = None
        self.waiting: list[bool] = []

    def stops(self, endless: bool) -> bool:
        self.waiting.append(endless)
        if len(self.waiting) < self.looks:
            return False
        if self.played and self.hit is None:
            self.hit = time.monotonic()
        return not self.played


def search_of(game: Any, wanted: ThinkingLimits, tell: Callable[[Info], None], partner: Partner | None) -> Any:
    """A search from the game's first state, on its own engine, by one thread and one seed."""
    asked: Any = SimpleNamespace(seed=1, threads=1, company=NOBODY)
    return stoppable_search.StoppableSearch(asked, game, game.game, game.initial(), wanted, tell, partner, None)  # type: ignore[arg-type]


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "played"), [("breakthrough", True), ("breakthrough", False), ("connect_four", True)])
def test_pondering_ends_when_the_move_is_played_and_the_time_is_over(name: str, played: bool):
    """The time that it has pondered counts; without an answer before, however long that is."""
    from gdl.states.sequential import Sequential

    game = Sequential(offer(gdl.play(gdl.load(name).model), "auto"))
    partner, told = Partner(8, played), list[Info]()
    search = search_of(game, ThinkingLimits(seconds=0.01, ponder=True), told.append, partner)
    assert search.best() in game.node(game.initial()).actions
    assert partner.waiting == [True] * 8
    assert (partner.hit is not None) == played
    assert told[-1].line


@pytest.mark.thorough
def test_pondering_analysis_and_moves_grow_one_tree():
    from gdl.states.sequential import Sequential

    game, forests = Sequential(offer(gdl.play(gdl.load("connect_four").model), "wasm")), list[object]()
    for asked in (
        ThinkingLimits(seconds=0.01, ponder=True),
        ThinkingLimits(infinite=True),
        ThinkingLimits(seconds=0.05),
    ):
        partner = None if asked.seconds == 0.05 else Partner(4, False)
        search = search_of(game, asked, lambda info: None, partner)
        assert search.best() is not None
        forests.append(game.game.engine.origin.made["mcts"][1])
    assert forests[0] is forests[1] is forests[2]


@pytest.mark.thorough
def test_a_small_game_is_done_sooner_and_waits():
    from gdl.states.sequential import Sequential

    game = Sequential(gdl.play(gdl.load("nim").model))
    partner = Partner(12, True)
    search = search_of(game, ThinkingLimits(seconds=0.01, ponder=True), lambda info: None, partner)
    assert search.best() is not None
    assert partner.hit is not None


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize("word", ["engine chess", "ugi nim"])
def test_what_is_no_text_neither_ends_nor_hangs_the_engine(word: str):
    """The thread that listens died of the byte, and the engine waited for ever."""
    command = [sys.executable, "-m", "gdl", *word.split()]
    done = subprocess.run(
        command, cwd=ROOT, input=b"\x00\xff\nisready\n", capture_output=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"readyok" in done.stdout
