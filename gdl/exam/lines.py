"""Marking answers that are lines of text: for which numbers what is so, and equilibria."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from gdl.exam.grade import GradeReport, Mark
from gdl.exam.names import with_plain_signs
from gdl.exam.phrases import PHRASES
from gdl.exam.question import LINES
from gdl.exam.reading import is_nothing
from gdl.formats.exam_answers import ExamQuestion
from gdl.game import Number, exact
from gdl.solution import Profile

_CASE = re.compile(r"\s*(?::|\bif\b|\bfor\b)\s*")
Same = Callable[[str, str], bool | None]  # whether two texts say the same; None: one of them cannot be read


def grade_lines(question: ExamQuestion, text: str, judge: Callable[[str, str], Number | None]) -> GradeReport:
    """The marks of a question without a tree to fill in. `judge` says of an item and what was written which share is
    right; None: that cannot be read, and is asked about."""
    given = _lines([one.item for one in question.asked], with_plain_signs(text))
    marks = []
    for one in question.asked:
        written = given.get(one.item)
        share = 0 if written is None else judge(one.item, written)
        unclear = () if share is not None else ("what is meant",)
        why, sort = "".join(unclear), "" if share == 1 else "another answer" if written else "nothing is written"
        marks.append(Mark(one.item, written, one.right, share or 0, why, 0, sort, None, unclear, one.points))
    wrong = [mark for mark in marks if mark.share < 1 and not mark.ambiguous]
    return GradeReport(tuple(marks), wrong[0] if wrong else None)


def _lines(items: Sequence[str], text: str) -> dict[str, str]:
    """The text under each heading, in our words or those of a sheet; all of it where one item alone is asked."""
    words = {word.casefold(): item for item in items for word in (item, *PHRASES[LINES[item]].values())}
    heading = re.compile(rf"(?:^|\n)\s*({'|'.join(map(re.escape, words))})\s*[:=]", re.IGNORECASE)
    parts = heading.split(text)
    found = {words[word.casefold()]: said.strip() for word, said in zip(parts[1::2], parts[2::2], strict=True)}
    return found or ({items[0]: text.strip()} if len(items) == 1 and text.strip() else {})


def share_of_cases(right: Mapping[str, str], text: str, same: Same, as_one: bool = False) -> Number | None:
    """`a1: x <= 3; a2: x >= 3`: how much of it is right, less what is wrong; None where a condition cannot be read.
    What has no condition is always so. Pieces of a value are right or wrong `as_one`."""
    parts = [_CASE.split(part.strip(), maxsplit=1) for part in re.split(r"[;\n]", text) if part.strip()]
    told = {subject: "".join(when) for subject, *when in parts}
    if not right:
        return int(is_nothing([text.strip()]))
    if as_one:
        verdict = same(_pieces(right), _pieces(told))
        return None if verdict is None else int(verdict)
    verdicts = [same(right[subject], when) if subject in right else False for subject, when in told.items()]
    return None if None in verdicts else _share(sum(map(bool, verdicts)), len(told.keys() - right), len(right))


def _pieces(told: Mapping[str, str]) -> str:
    return " or ".join(f"value = {subject}{f' and {when}' if when else ''}" for subject, when in told.items())


def _share(right: int, wrong: int, of: int) -> Number:
    return exact(Fraction(max(0, right - wrong), of))


def share_of_profiles(
    equilibria: Sequence[Profile], players: Sequence[str], text: str, holds: Callable[[Profile], bool] | None
) -> Number | None:
    """`(fight, fight); He fight 2/3, ballet 1/3, She …`: how many of the equilibria are there, less what is none. With
    `holds` any one equilibrium is all that is asked for."""
    sets = {player: tuple(own) for one in equilibria[:1] for player, own in one.items()}
    if not sets or any(len(own) != 1 for own in sets.values()):
        return None
    actions = {action for one in equilibria for own in one.values() for mix in own.values() for action in mix}
    found: list[Profile] = []
    for part in filter(str.strip, re.split(r"[;\n]|(?<=\))[\s,]*(?=\()", text)):
        named = re.split(_any_of(players), part, flags=re.IGNORECASE)[1:]
        in_turn = re.findall(_any_of(actions), part, re.IGNORECASE)
        said = dict(zip(named[::2], named[1::2], strict=True)) if named else dict(zip(players, in_turn, strict=False))
        plans = {_as_named(player, players): _mixture(told, actions) for player, told in said.items()}
        if plans.keys() != sets.keys() or any(sum(mix.values()) != 1 for mix in plans.values()):
            return None
        found.append({player: {sets[player][0]: plans[player]} for player in players})
    if holds is not None:
        return int(len(found) == 1 and holds(found[0]))
    told, right = ({_support_text(one) for one in some} for some in (found, equilibria))
    return _share(len(told & right), len(told - right), len(equilibria))


def _any_of(words: Collection[str]) -> str:
    return rf"\b({'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})\b"


def _as_named(word: str, names: Collection[str]) -> str:
    return next(name for name in names if name.casefold() == word.casefold())


def _mixture(text: str, actions: Collection[str]) -> dict[str, Number]:
    """`fight 2/3, ballet 1/3`; an action alone is played for sure."""
    pairs = re.findall(rf"{_any_of(actions)}(?:[\s:=]*(\d+/[1-9]\d*|\d*\.?\d+))?", text, re.IGNORECASE)
    return {_as_named(action, actions): Fraction(amount or 1) for action, amount in pairs}


def _support_text(profile: Profile) -> str:
    """The actions that are played, in one order."""
    mixes = {player: next(iter(sets.values())) for player, sets in profile.items()}
    return str([(player, sorted((a, Fraction(x)) for a, x in mix.items() if x)) for player, mix in mixes.items()])
