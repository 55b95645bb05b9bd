"""The games that the compiled engine does not take, why, and what that costs: shipped, by construct, at random.

    python tests/bench/fallbacks.py [RANDOM]

Prints Markdown: for every family how many games the interpreter plays, by reason with an example each. RANDOM games by
random rules are tried (500); what a fall-back costs is the median ratio of random plays a second on both engines, over
the shipped games that both play, with the least and the greatest.
"""

import re
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

from compiled_counts import playouts  # noqa: E402
from random_rules import written  # noqa: E402

import gdl  # noqa: E402
from gdl.compiler.compiled_engine import is_by_rules, playing_engine  # noqa: E402
from gdl.errors import GameError, LimitReached, Refusal  # noqa: E402
from gdl.states.playouts import playouts as by_interpreter  # noqa: E402

PLAYED = 0.2  # seconds of processor time for the plays of each engine, at least


def survey(games) -> tuple[int, int, Counter, dict]:
    """How many games were loaded and are played by rules, and the reasons of those that fall back, with an example."""
    loaded, rules, reasons, examples = 0, 0, Counter(), {}
    for name, load in games:
        try:
            game = load()
            game.initial()
        except (GameError, Refusal, LimitReached):
            continue
        loaded += 1
        if not is_by_rules(game):
            continue
        rules += 1
        _, because = playing_engine(game)
        if because is not None:
            reason = re.sub(r"'[^']*'|\b\d[\d,]*\b", "…", because.message)
            reasons[reason] += 1
            examples.setdefault(reason, name)
    return loaded, rules, reasons, examples


def rate(play) -> float:
    """Plays a second of processor time, of a call that takes long enough; a first slow call may have compiled."""
    count, slow = 1, 0
    while True:
        begun = time.process_time()
        play(count)
        spent = time.process_time() - begun
        slow += spent > PLAYED
        if slow > 1:
            return count / spent
        count *= 1 if spent > PLAYED else 2


def costs(names) -> dict[str, float]:
    """How many times as many random plays the compiled engine makes, by game."""
    found = {}
    for name in names:
        with suppress(GameError, Refusal, LimitReached):
            game = gdl.load(name)
            if is_by_rules(game) and playing_engine(game)[1] is None:
                start = game.initial()
                playouts(game, start, 1, 1, "wasm")
                fast = rate(lambda count, game=game, start=start: playouts(game, start, count, 1, "wasm"))
                found[name] = fast / rate(lambda count, game=game: by_interpreter(game, count, seed=1))
    return found


def main() -> None:
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    shipped = sorted(path.stem for path in (ROOT / "games").glob("*.game"))
    language = sorted((ROOT / "tests/model/language").glob("*.game"))
    families = {
        "shipped games": [(name, lambda name=name: gdl.load(name)) for name in shipped],
        "tests/model/language": [(path.name, lambda path=path: gdl.load(path)) for path in language],
        f"{many} random rules": [
            (f"seed {seed}", lambda seed=seed: gdl.loads(written(seed), f"random {seed}").game) for seed in range(many)
        ],
    }
    for family, games in families.items():
        loaded, rules, reasons, examples = survey(games)
        print(f"| {family} | {loaded} | {rules} | {sum(reasons.values())} |", flush=True)
        for reason, count in reasons.most_common():
            print(f"|   {reason} (such as {examples[reason]}) | | | {count} |")
    if many:
        ratios = costs(shipped)
        least, most = min(ratios, key=ratios.get), max(ratios, key=ratios.get)
        print(
            f"\nRandom plays, compiled beside interpreted: {median(ratios.values()):.0f} times over {len(ratios)} games,"
        )
        print(f"least {ratios[least]:.1f} ({least}), most {ratios[most]:.0f} ({most}).")


if __name__ == "__main__":
    main()
