"""Two programs that speak GTP play go against one another, by turns Black and White, and the points are counted.

    python tests/bench/twogtp.py "gdl engine go --gtp" "gnugo --mode gtp --level 1 --chinese-rules" --games 10

Both are given SECONDS for a move by `time_settings`, as far as they keep to it. The score is the first program's, who is
asked for it; a game of more than four times as many moves as points is left out.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess


class Program:
    """A program that is asked by lines, each answered up to an empty one."""

    def __init__(self, command: str):
        self._process = subprocess.Popen(shlex.split(command), stdin=-1, stdout=-1, text=True, bufsize=1)

    def ask(self, line: str) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        answer = self._process.stdout.readline()
        while not (read := answer).endswith("\n\n"):
            answer += self._process.stdout.readline()
            if answer == read:
                raise RuntimeError(f"no answer to {line}")
        if not answer.startswith("="):
            raise RuntimeError(f"{line}: {answer.strip()}")
        return answer[1:].strip()


def play(black: Program, white: Program, judge: Program, size: int, komi: str, seconds: int) -> float | None:
    """Black's points; None where the game does not end."""
    for program in (black, white):
        for line in (f"boardsize {size}", "clear_board", f"komi {komi}", f"time_settings 0 {seconds} 1"):
            program.ask(line)
    passes = 0
    for ply in range(4 * size * size):
        mover, other, colour = (white, black, "w") if ply % 2 else (black, white, "b")
        point = mover.ask(f"genmove {colour}")
        if point.lower() == "resign":
            return -1.0 if colour == "b" else 1.0
        other.ask(f"play {colour} {point}")
        passes = passes + 1 if point.lower() == "pass" else 0
        if passes == 2:
            won, _, by = judge.ask("final_score").partition("+")
            return 0.0 if not by else float(by) if won == "B" else -float(by)
    return None


def main() -> None:
    """Play the games that are asked for, and print each one's points and the first program's share."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("first")
    words.add_argument("second")
    for name, value in (("games", 10), ("size", 9), ("seconds", 1)):
        words.add_argument(f"--{name}", type=int, default=value)
    words.add_argument("--komi", default="6.5")
    asked = words.parse_args()
    first, second = Program(asked.first), Program(asked.second)
    score = 0.0
    for number in range(asked.games):
        pair = (first, second) if number % 2 == 0 else (second, first)
        points = play(*pair, first, asked.size, asked.komi, asked.seconds)
        own = None if points is None else points if pair[0] is first else -points
        score += 0.5 if not own else float(own > 0)
        print(f"game {number + 1}: {'no end' if own is None else f'{own:+g}'} to the first program", flush=True)
    print(f"{score:g} of {asked.games} to {asked.first}")


if __name__ == "__main__":
    main()
