"""The processor time of a start, also as multiples of a bare `import lark, click`: the least of interleaved runs, warm.

    python tests/bench/startup.py [ROUNDS]

Each command is run with nothing kept (GDL_CACHE empty), and with what an earlier start has kept. Exit status 1 if a
budget is broken, in multiples of the bare import with nothing kept.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from tempfile import TemporaryDirectory

BARE = [sys.executable, "-c", "import lark, click"]
GDL = [sys.executable, "-m", "gdl"]
BUDGETS = {"--help": 2.0, "check prisoners": 3.5, "solve prisoners": 4.0}
COMMANDS = [
    *BUDGETS, "solve tic_tac_toe", "explain figure_5_2 --solver alpha-beta", "playouts chess --count 100",
    "check tic_tac_toe", "check backgammon", "check chess", "page chess -o PAGE",
]  # fmt: skip


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """The processor time of a command and its children."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        raise SystemExit(f"{' '.join(command)} ends with {status}")
    return used.ru_utime + used.ru_stime


def measure(rounds: int, commands: Iterable[str] = tuple(COMMANDS)) -> tuple[float, dict[str, tuple[float, float]]]:
    """The least time of the bare import, and of each command with nothing kept and with all kept."""
    bare: list[float] = []
    times: dict[str, tuple[list[float], list[float]]] = {command: ([], []) for command in commands}
    with TemporaryDirectory() as folder:  # so that everything is compiled once, wherever it is installed
        usual = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        usual["PYTHONPYCACHEPREFIX"] = folder
        words = {"PAGE": f"{folder}/page.html"}
        for number in range(rounds + 1):
            for command, (anew, kept) in times.items():
                line = [*GDL, *(words.get(word, word) for word in command.split())]
                first = seconds(line, {**usual, "GDL_CACHE": ""})
                second = seconds(line, {**usual, "GDL_CACHE": f"{folder}/kept"})
                if number:  # the first round only warms up
                    anew.append(first)
                    kept.append(second)
            if number:
                bare.append(seconds(BARE, usual))
    return min(bare), {command: (min(anew), min(kept)) for command, (anew, kept) in times.items()}


if __name__ == "__main__":
    bare, found = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
    print(f"bare import {bare:.3f} s\n\n| gdl | nothing kept | kept | bare imports |\n| --- | --- | --- | --- |")
    for command, (anew, kept) in found.items():
        print(f"| `{command}` | {anew:.2f} s | {kept:.2f} s | {anew / bare:.2f} to {kept / bare:.2f} |")
    sys.exit(any(found[command][0] / bare > budget for command, budget in BUDGETS.items()))
