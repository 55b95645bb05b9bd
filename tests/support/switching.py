"""The passes and recognisers of the compiled engine, each of which can be switched off; and which of them is to blame.

    PYTHONPATH=tests/support python tests/support/switching.py FILE.game …

compares random plays of a game on the compiled engine with those on the interpreter. Where they differ, passes and
recognisers are switched off, half of those in question at a time, until one is left with which the game goes wrong and
without which it is right.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

from both_engines import told_alike

import gdl
from gdl.analysis.kept_values import KeptValues
from gdl.compiler import passes
from gdl.compiler.lower import (
    choices,
    context,
    counting,
    elements,
    ends,
    loops,
    lowering,
    rows,
    sets,
    state_layout,
    ways,
)
from gdl.compiler.lower.code_values import WordCode
from gdl.compiler.lower.recognise import recognisers
from gdl.compiler.lower.sets import complement_word
from gdl.compiler.passes import possible_ends
from gdl.model import games

Switch = tuple[Any, str, Any]  # an owner, one of its attributes, and what is put in the place of that


def nothing(*_: Any, **__: Any) -> None:
    """The answer of a recogniser that recognises nothing."""


def listed_alone(self: Any, domain: Any, size: int) -> Any:
    """Write out lists alone, over which no loop can run: replaces the recogniser of short domains."""
    return domain.items if isinstance(domain, loops.Listed) else None


def complement_alone(x: WordCode, bits: int) -> WordCode:
    """A complement that does not say of which word it is one."""
    return complement_word(x._replace(inverse=None), bits)._replace(inverse=None)


# What stands in no table.
SWITCHES: dict[str, tuple[Switch, ...]] = {
    "loops written out": ((loops.Loops, "items", listed_alone),),
    "memos": ((KeptValues, "of_rule", lambda *_: iter(())),),
    "ways counted by sets": ((counting.WayCounter, "_is_counted", lambda *_: False),),
    "ways apart for each mover": ((counting, "MOST_MOVERS", 0),),
    "several sets of ways": ((ways, "MOST_SETS", 1),),
    "ways counted at the end are known": ((counting.WayCounter, "_counts_at_end", False),),
    "parameters that conditions say": ((ways.Ways, "_single_value", nothing),),
    "runs seen before": ((choices.Choices, "_leave_if_seen", nothing),),
    "ends of the last mover": ((possible_ends.ActionEffects, "can_make", lambda *_: True),),
    "opposed features once": ((games.RulesModel, "has_mirrored_evaluation", False),),
    "noisy actions": ((rows.NoisyActions, "_may_be_told", lambda *_: False),),
    "results of trials kept": ((context.RuleFacts, "keeps", False),),
    "planes written by choice": ((elements, "MOST_CHOSEN", 0),),
    "planes alone": ((state_layout, "FEW_PLANES", 0),),
    "guard words": ((elements, "has_guard_word", lambda *_: False),),
    "facts that tests have shown": ((context.Context, "as_known", lambda self, value: value),),
    "ends of positions without actions": ((ends.Ends, "write_stuck", nothing),),
    "complements of complements": ((sets, "complement_word", complement_alone),),
}


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Within the block, games are lowered without the passes and recognisers of these names."""
    whole = lowering.recognisers
    with ExitStack() as stack:
        stack.enter_context(
            patch.object(lowering, "recognisers", lambda *parts: [row for row in whole(*parts) if row[1] not in names])
        )
        for name in names:
            for owner, attribute, value in SWITCHES.get(name, ()):
                stack.enter_context(patch.object(owner, attribute, value))
            for table in (passes.RULE_PASSES, passes.CODE_PASSES):
                if name in table:
                    stack.enter_context(patch.dict(table, {name: lambda whole: whole}))
        yield


def all_names() -> list[str]:
    """The names of all passes and recognisers that can be switched off; a recogniser that others use before these."""
    table = reversed(recognisers(Mock(), Mock(), Mock(), Mock()))
    return [*passes.RULE_PASSES, *dict.fromkeys(name for _, name, _ in table), *SWITCHES, *passes.CODE_PASSES]


def plays_right(game: Any, seeds: Iterable[int] = range(3), plies: int = 60) -> bool:
    """True if both engines agree along random plays of the game, one per seed. It is lowered anew, and what was lowered
    is dropped: a game that tests share must not keep a module that a test has made wrong."""
    vars(game).pop("lowered", None)
    try:
        told_alike(game, seeds, plies)
    except Exception:  # a difference, or a fault of the compiler
        return False
    finally:
        vars(game).pop("lowered", None)
    return True


def find_culprit(is_right: Callable[[], bool]) -> str | None:
    """The name of a pass or recogniser without which the game is right, found by halving; "" if the game is right with
    all of them, None if it is wrong even with none."""
    names = all_names()
    if is_right():
        return ""
    with without(*names):
        if not is_right():
            return None
    low, high = 0, len(names)  # wrong without the first `low` of them, right without the first `high`
    while high - low > 1:
        middle = (low + high) // 2
        with without(*names[:middle]):
            low, high = (low, middle) if is_right() else (middle, high)
    return names[high - 1]


def main(files: Iterable[str]) -> None:
    for file in files:
        game = gdl.loads(Path(file).read_text(encoding="utf-8"), Path(file).name).game
        found = find_culprit(lambda game=game: plays_right(game))  # type: ignore[misc]
        if found is None:
            print(f"{file}: wrong also without all passes and recognisers")
        else:
            print(f"{file}: {f'wrong by {found!r}' if found else 'right'}")


if __name__ == "__main__":
    main(sys.argv[1:])
