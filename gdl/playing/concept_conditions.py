"""The conditions of a solution concept that a profile is held against, as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gdl.formats.answer import START
from gdl.numbers import brief
from gdl.render.strategies import Names, profile_lines, rename_information_sets

if TYPE_CHECKING:
    from gdl.solvers.equilibria.verdicts import ConceptCondition, ConceptVerdict


def conditions_of(verdict: ConceptVerdict) -> dict[str, Any]:
    """The fields of a judgement about a concept: its name, whether it holds (None: not known), and its conditions."""
    conditions = [
        {key: value for key, value in one._asdict().items() if value is not None} | {"holds": one.holds}
        for one in verdict.conditions
    ]
    return {"concept": verdict.concept, "holds": verdict.holds, "conditions": conditions}


def condition_lines(condition: ConceptCondition, names: Names) -> list[str]:
    """The line on a condition and, below it, the strategy that breaks it, if that is more than one action. `names`: by
    player, the names of information sets in texts."""
    gain = "" if condition.gain is None else f", and would gain {brief(condition.gain)}"
    if condition.condition in _WITH_GAIN:
        gain = ""
    at = condition.information_set or ""
    called = names.get(condition.player or "", {}).get(at, at)
    words = condition.words.replace(f" at {at}", "" if at == START else f" at {called}", 1) if at else condition.words
    said = f"{_WORDS[condition.holds]}: {condition.condition}: {words}{gain}"
    strategy = rename_information_sets(condition.strategy or {}, names)
    return [said, *(f"    {line}" for line in profile_lines(list(strategy), strategy))]


_WITH_GAIN = ("intuitive criterion", "stability", "core", "greatest sum")  # whose words say what is gained
_WORDS = {True: "holds", False: "FAILS", None: "not known"}
