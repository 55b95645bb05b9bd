"""How much worse the moves of several programs are than those of a judge, who speaks UCI: sooner known than a match.

    python tests/bench/matches/judged.py "uci:stockfish;depth 11" games depth-limited:nodes=60000 mcts:simulations=2000

`games` is a file that match.py has kept of games of chess; every fourth position of it is put to each program, which are
written as there. The judge says what the position is worth to its mover after its own move and after theirs; what is
lost is hundredths of a pawn, so many at most for a move.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import fmean, stdev

from sides import Missing, Uci, side

import gdl
from gdl.game import Decision

MOST = 300  # hundredths of a pawn that a move may lose
Worth = Callable[[tuple[str, ...]], int]
EVERY = 4  # plies from one position to the next


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judge")
    parser.add_argument("games", type=Path)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--positions", type=int, default=200)
    asked = parser.parse_args()
    try:
        judge = side(asked.judge, "chess", {})
    except Missing as why:
        print(f"skipped: {why}")
        return
    assert isinstance(judge, Uci)

    @cache
    def worth(play: tuple[str, ...]) -> int:
        """To the one who has moved last."""
        return -judge.worth(play)

    plays = [json.loads(line)["play"] for line in asked.games.read_text().splitlines()]
    positions = [tuple(play[:n]) for play in plays for n in range(EVERY, len(play), EVERY)][: asked.positions]
    best = {play: judge.move(play, ()) for play in positions}
    first: list[int] = []
    for text in asked.programs:
        lost = losses(text, positions, best, worth)
        first = first or lost
        more = [own - other for own, other in zip(lost, first, strict=True)]
        error = stdev(more) / len(more) ** 0.5
        print(f"{text}: {len(lost)} moves, {fmean(lost):.1f} lost, {fmean(more):+.1f} ± {error:.1f}", flush=True)
    judge.end()


def losses(text: str, positions: list[tuple[str, ...]], best: dict[tuple[str, ...], str], worth: Worth) -> list[int]:
    """The value that each move of a program loses against the best one."""
    program, game, found = side(text, "chess", {}), gdl.load("chess"), []
    program.begin()
    for play in positions:
        state = game.initial()
        for action in play:
            state = game.successor(state, action)
        node = game.node(state)
        assert isinstance(node, Decision)
        own = program.move(play, node.actions)
        less = 0 if own == best[play] else worth((*play, best[play])) - worth((*play, own))
        found.append(max(0, min(MOST, less)))
    program.end()
    return found


if __name__ == "__main__":
    main()
