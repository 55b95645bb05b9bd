"""Two programs play a game against each other, many times, and the result is kept as it comes.

    python tests/bench/matches/match.py connect_four mcts:simulations=1000 openspiel:simulations=1000 --games 40

A program is written as one of

    SOLVER:OPTION=VALUE,…          gdl, as gdl match writes it, also with weights=FILE; `gdl:seconds=1` is what gdl play
                                   does, `gdl:level=4,seconds=9` at a lower level
    SOLVER:OPTION=VALUE,…@FOLDER   the same by another checkout of gdl, such as a former version
    openspiel:simulations=N        OpenSpiel's tree search (pip install open_spiel; its Python is GDL_BENCH_PYTHON)
    gtp:COMMAND                    a program of go, as "gtp:gnugo --mode gtp --level 1"
    uci:COMMAND;OPTION=VALUE;…     a program of chess, as "uci:stockfish;UCI_LimitStrength=true;UCI_Elo=1600",
                                   "uci:gnuchess --uci;OwnBook=false;depth 2"; a tenth of a second where no limit is said
    gnubg:PLIES                    GNU Backgammon, which looks so many plies ahead

(Programs that speak UCI or UGI play in `gdl match` itself, too, by the time that both have.)
Each opening, drawn at random, is played twice with the seats exchanged. With --file a match that was broken off goes on
where it was: every game is a line of that file. With --judge "uci:stockfish;nodes 20000" a game of chess or a variant
is over once that program has found the same player ahead by seven pawns after six plies in a row. Wilson's interval is
for 95 of 100 cases.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import Random
from typing import Any

from sides import Missing, Side, Uci, side

import gdl
from gdl.game import Chance, Decision, Terminal
from gdl.wings.arena.contestants import Score
from gdl.wings.arena.draws import draw_action

PLIES = 300  # of a game; longer ones are drawn
AHEAD, ROW = 700, 6  # hundredths of a pawn, and plies in a row, after which a game is over by its judge


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="parameters of the game")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--openings", type=int, default=2, metavar="PLIES", help="drawn at random")
    parser.add_argument("--file", type=Path, help="keep the games here, and go on with those that are there")
    parser.add_argument("--judge", metavar="PROGRAM", help="ends games that are decided")
    asked = parser.parse_args()
    settings = dict(word.split("=", 1) for word in asked.set)
    try:
        sides = [side(text, asked.game, settings) for text in (asked.first, asked.second)]
        judge = side(asked.judge, asked.game, settings) if asked.judge else None
    except Missing as why:
        print(f"skipped: {why}")
        return
    assert judge is None or isinstance(judge, Uci)
    try:
        score = played(asked, settings, sides, judge)
    finally:
        for one in (*sides, *([judge] if judge else [])):
            one.end()
    low, high = score.interval()
    print(
        f"{' '.join((asked.game, *asked.set))}: {asked.first} against {asked.second}: +{score.won} ={score.drawn} "
        f"-{score.lost}, {score.share:.3f} ({low:.3f} to {high:.3f})"
    )


def played(asked: argparse.Namespace, settings: dict[str, str], sides: list[Side], judge: Uci | None) -> Score:
    """Play what is missing of the match."""
    game: Any = gdl.load(asked.game, settings=settings)
    known: dict[int, float] = {}
    if asked.file is not None and asked.file.exists():
        known = {line["game"]: line["points"] for line in map(json.loads, asked.file.read_text().splitlines())}
    score = Score()
    for number in range(asked.games):
        if number not in known:
            first = number % 2  # the seat of the first program
            play, points = one_game(game, number // 2, first, sides, asked.openings, judge)
            known[number] = points
            if asked.file is not None:
                with asked.file.open("a") as file:
                    file.write(json.dumps({"game": number, "points": points, "play": play}) + "\n")
        score.won += known[number] == 1
        score.drawn += known[number] == 0.5
        score.lost += known[number] == 0
    return score


def one_game(
    game: Any, opening: int, first: int, sides: list[Side], plies: int, judge: Uci | None
) -> tuple[list[str], float]:
    """The play of a game, and the points of the first program."""
    draw, play, state = Random(f"opening {opening}"), list[str](), game.initial()
    ahead = 0  # plies in a row after which the judge found the first program ahead; below 0: the other
    for one in (*sides, *([judge] if judge else [])):
        one.begin()
    while not isinstance(node := game.node(state), Terminal) and len(play) < PLIES:
        if isinstance(node, Chance):
            action = draw_action(dict(node.outcomes), draw)
        else:
            assert isinstance(node, Decision), "one player moves at a time in these games"
            if len(play) < plies:
                action = draw.choice(node.actions)
            elif len(node.actions) == 1:
                action = node.actions[0]
            else:
                action = sides[(node.player != first) * 1].move(play, node.actions)
                assert action in node.actions, (action, play)
        play.append(action)
        state = game.successor(state, action)
        if judge is not None and len(play) > plies and isinstance(after := game.node(state), Decision):
            worth = judge.worth(play) * (1 if after.player == first else -1)
            ahead = max(ahead, 0) + 1 if worth >= AHEAD else min(ahead, 0) - 1 if worth <= -AHEAD else 0
            if abs(ahead) == ROW:
                return play, 1.0 if ahead > 0 else 0.0
    if not isinstance(node, Terminal):
        return play, 0.5
    own, other = node.utilities[first], node.utilities[1 - first]
    return play, 1.0 if own > other else 0.5 if own == other else 0.0


if __name__ == "__main__":
    main()
