"""The rows of the table: a piece of work, who does it, and how many times as fast as each of the others gdl is to be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from contestants import Contestant, c, of_tables, on_our_positions, ours, peer, whole


@dataclass(frozen=True)
class Row:
    name: str
    unit: str  # of the work
    ours: Contestant
    others: tuple[tuple[Contestant, float | None], ...]  # and the ratio asked for; None where it is only of interest
    same: tuple[str, ...] = ()  # what all must find alike, where they tell it


def _playouts(
    name: str, openspiel: str, asked: float, in_c: tuple[str, ...] = (), to_c: float | None = None,
    game: str = "", same: tuple[str, ...] = ("length", "value"),
) -> Row:  # fmt: skip
    words = ("playouts", game or name, "{size}", "{seed}")
    others: list[tuple[Contestant, float | None]] = [
        (peer("OpenSpiel", "openspiel.py", "playouts", openspiel, "{size}", "{seed}", size=200), asked)
    ]
    if in_c:
        others.append((c(*in_c, "{size}", size=2000), to_c))
    others.append((ours(*words, size=5, engine="interpreter"), None))
    return Row(f"playouts {name}", "plays", ours(*words, size=100), tuple(others), same)


def _mccfr(name: str, game: str, openspiel: str) -> Row:
    """Iterations of regret minimisation by samples alone."""
    theirs = peer("OpenSpiel", "openspiel.py", "mccfr", openspiel, "{size}", "{seed}", size=1_000)
    return Row(f"MCCFR {name}", "iterations", ours("mccfr", game, "{size}", "{seed}", size=1_000), ((theirs, 2),))


def _cfr(name: str, game: str, openspiel: str, asked: float) -> Row:
    """Iterations of CFR+ alone."""
    theirs = peer("OpenSpiel", "openspiel.py", "cfr", openspiel, "{size}", size=2)
    return Row(f"CFR+ {name}", "iterations", ours("cfr", game, "{size}", size=100), ((theirs, asked),), ("infosets",))


def _until(name: str, game: str, openspiel: str, asked: float) -> Row:
    """Iterations of CFR+ alone, until all players together could gain no more than a thousandth."""
    theirs = peer("OpenSpiel", "openspiel.py", "until", openspiel, "1/1000")
    return Row(
        f"CFR+ {name} to 1/1000", "solves", ours("until", game, "1/1000"),
        ((theirs, asked), (on_our_positions("C", "cfr_flat.py", game, "1/1000"), 1 / 3)), ("iterations",),
    )  # fmt: skip


def _whole_cfr(name: str, game: str, openspiel: str, asked: float) -> Row:
    """The row on whole processes. If no player can gain more than half of an amount, two together gain at most all of
    it."""
    theirs = peer("OpenSpiel", "openspiel.py", "cold", openspiel, "until", "1/1000", slow=True)
    mine = whole("solve", game, "--solver", "cfr", "--regret", "1/2000", "--json")
    return Row(f"CFR+ {name} to 1/1000, whole process", "solves", mine, ((theirs, asked),))


def _steps(name: str, openspiel: str, batch: bool = False) -> Row:
    """An action at a time from Python, or a thousand plays at once."""
    work, asked, how = ("batch", 20, ", 1,024 at once") if batch else ("steps", 1, "")
    theirs = peer("OpenSpiel", "openspiel.py", "steps", openspiel, "{size}", "{seed}", size=5000)
    mine = ours(work, name, "{size}", "{seed}", size=20_000)
    return Row(f"steps {name}{how}", "steps", mine, ((theirs, asked),), () if batch else ("length",))


PIG = str(Path(__file__).parent / "games" / "pig.game")  # where one may hold with nothing, as OpenSpiel has it
FIVE_BY_FOUR = "connect_four,columns=5,rows=4"
SMALL_C = ("COLUMNS=5", "ROWS=4")
SMALL_OPENSPIEL = "connect_four(rows=4,columns=5)"

ROWS = (
    _playouts("tic_tac_toe", "tic_tac_toe", 3, ("tic_tac_toe",)),
    _playouts("connect_four", "connect_four", 7, ("connect_four", "playouts"), 1 / 4),
    _playouts("breakthrough", "breakthrough", 4, ("breakthrough",), 1 / 4),
    _playouts("othello", "othello", 8, ("othello",), 1 / 4),
    _playouts("hex 11x11", "hex", 3, ("hex",), 1 / 4, game="hex,n=11"),
    _playouts("chess", "chess", 1.5),
    _playouts("backgammon", "backgammon(scoring_type=full_scoring)", 3),
    _playouts("pig", "pig", 5, ("pig", "playouts"), game=PIG),
    _steps("connect_four", "connect_four"),
    _steps("breakthrough", "breakthrough"),
    _steps("chess", "chess"),
    _steps("othello", "othello"),
    _steps("leduc", "leduc_poker"),
    _steps("connect_four", "connect_four", batch=True),
    _steps("othello", "othello", batch=True),
    _steps("backgammon", "backgammon(scoring_type=full_scoring)", batch=True),
    Row(
        "perft chess 4", "counts", ours("perft", "chess", "4"),
        ((peer("python-chess", "python_chess.py", "perft", "4"), 7),), ("count",),
    ),
    Row(
        "perft connect_four 8", "counts", ours("perft", "connect_four", "8"),
        ((c("connect_four", "perft", "8"), 1 / 5),), ("count",),
    ),
    Row(
        "alpha-beta connect_four 5x4", "solves", ours("solve", FIVE_BY_FOUR, "alpha-beta"),
        (
            (c("connect_four", "alphabeta", define=SMALL_C), 2 / 5),
            (peer("easyAI", "easyai.py", "5", "4"), 60),
        ), ("value",),
    ),
    Row(
        "all states connect_four 5x4", "solves", ours("solve", FIVE_BY_FOUR, "retrograde"),
        (
            (c("connect_four", "enumerate", define=SMALL_C), 1 / 4),
            (peer("OpenSpiel", "openspiel.py", "solve", SMALL_OPENSPIEL, slow=True), 25),
        ), ("value", "states"),
    ),
    Row(
        "mcts connect_four", "simulations",
        ours("solve", "connect_four", "mcts", "simulations={size}", "seed={seed}", size=200),
        ((peer("OpenSpiel", "openspiel.py", "mcts", "connect_four", "{size}", "{seed}", size=200), 5),),
    ),
    Row(
        "mcts of a game one wrote", "simulations",
        ours("solve", "tic_tac_toe", "mcts", "simulations={size}", "seed={seed}", size=200),
        ((peer("OpenSpiel", "openspiel.py", "mcts", "python_tic_tac_toe", "{size}", "{seed}", size=200), 5),),
    ),
    Row(
        "report connect_four mcts:200", "plays",
        ours("report", "connect_four", "{size}", "{seed}", "200", size=4),
        ((peer("OpenSpiel", "openspiel.py", "report", "connect_four", "{size}", "{seed}", "200", size=4), 5),),
    ),
    Row(
        "values of pig", "solves", ours("solve", "pig", "retrograde", "symmetry=1"),  # C too has one for both players
        ((c("pig", "values"), 1 / 5),), ("value",),
    ),
    _cfr("leduc", "leduc", "leduc_poker(suit_isomorphism=true)", 50),
    _cfr("liars_dice", "liars_dice", "liars_dice(numdice=1,dice_sides=6)", 100),
    _cfr("liars_dice of 4 sides", "liars_dice,sides=4", "liars_dice(numdice=1,dice_sides=4)", 50),
    _cfr(
        "goofspiel of 5 cards, falling, bids unseen", "goofspiel,n=5,prizes=descending,bids=hidden",
        "turn_based_simultaneous_game(game=goofspiel(num_cards=5,points_order=descending,imp_info=True))", 100,
    ),
    _until("leduc", "leduc", "leduc_poker(suit_isomorphism=true)", 50),
    _until("liars_dice of 4 sides", "liars_dice,sides=4", "liars_dice(numdice=1,dice_sides=4)", 50),
    _whole_cfr("leduc", "leduc", "leduc_poker", 1),
    _whole_cfr("liars_dice", "liars_dice", "liars_dice(numdice=1,dice_sides=6)", 50),
    Row(
        "exact value of liars_dice", "solves", replace(ours("solve", "liars_dice", "sequence-form", engine="auto"), name="gdl", slow=True),
        ((on_our_positions("HiGHS", "linear_program.py", "liars_dice", slow=True), 1 / 3),), ("value",),
    ),
    _mccfr("leduc", "leduc", "leduc_poker"),
    _mccfr("liars_dice of 4 sides", "liars_dice,sides=4", "liars_dice(numdice=1,dice_sides=4)"),
    Row(
        "all equilibria of 10x10 tables", "tables", of_tables("gdl", 10),
        ((of_tables("lrsnash", 10), 1 / 5), (of_tables("nashpy", 1, slow=True), 20)), ("first",),
    ),
    Row(
        "gdl solve tic_tac_toe, whole process", "solves", whole("solve", "tic_tac_toe", "--json"),
        ((peer("OpenSpiel", "openspiel.py", "cold", "tic_tac_toe", "solve"), 1 / 2),), ("value",),
    ),
    Row(
        "100 playouts of chess from its text, whole process", "runs",
        whole("playouts", "chess", "--count", "100", "--json"), (),
    ),
)  # fmt: skip
