"""How long gdl takes to start, as multiples of a bare `import lark, click`: medians of interleaved runs, warm.

    python tests/bench/startup.py [ROUNDS]

Exit status 1 if a budget is broken: 2 for `gdl --help`, 3.5 for `gdl check prisoners`, 4 for `gdl solve prisoners`.
"""

import os
import subprocess
import sys
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

BARE = [sys.executable, "-c", "import lark, click"]
GDL = [sys.executable, "-m", "gdl"]
BUDGETS = {"--help": 2.0, "check prisoners": 3.5, "solve prisoners": 4.0}


def seconds(command: list[str], environment: dict[str, str]) -> float:
    started = perf_counter()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return perf_counter() - started


def ratios(rounds: int) -> dict[str, float]:
    """The median of each command over the median of the bare import; every round runs each of them once."""
    bare: list[float] = []
    times: dict[str, list[float]] = {command: [] for command in BUDGETS}
    with TemporaryDirectory() as cache:  # so that everything is compiled once, wherever it is installed
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = cache
        for number in range(rounds + 1):
            measured = {command: seconds([*GDL, *command.split()], environment) for command in BUDGETS}
            plain = seconds(BARE, environment)
            if number:  # the first round only warms up
                bare.append(plain)
                for command, time in measured.items():
                    times[command].append(time)
    return {command: median(found) / median(bare) for command, found in times.items()}


if __name__ == "__main__":
    found = ratios(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
    for command, ratio in found.items():
        print(f"gdl {command}: {ratio:.2f} of {BUDGETS[command]}")
    sys.exit(any(ratio > BUDGETS[command] for command, ratio in found.items()))
