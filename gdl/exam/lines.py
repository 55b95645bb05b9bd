"""Marking answers that are lines of text: for which numbers what is so, and equilibria."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from gdl.exam.grade import GradeReport, Mark, with_credit
from gdl.exam.judged_parts import Part
from gdl.exam.names import fold, with_plain_signs
from gdl.exam.phrases import in_all_languages
from gdl.exam.reading import STUDENT, is_nothing
from gdl.formats.exam_answers import ExamQuestion
from gdl.game import Number, exact
from gdl.solution import Profile

CASE = re.compile(
    r"\s*(?::|(?<!\w)(?:iff?|for|when|wenn|falls|für|αν|όταν|για|nếu|khi|اگر|برای)(?!\w)|[当若])\s*", re.IGNORECASE
)
JOINTS = {
    name: re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, in_all_languages(name)))})(?!\w)|{signs}", re.IGNORECASE)
    for name, signs in (("and", "∧|&&?|[且和]"), ("or", r"∨|\|\|?|或"), ("always", "总是"))
}
Same = Callable[[str, str], bool | None]  # whether two texts say the same; None: one of them cannot be read


def grade_lines(parts: Sequence[Part], text: str, saved: ExamQuestion | None = None) -> GradeReport:
    """Mark a question without a tree to fill in, whose parts judge what was written; what cannot be read is asked
    about. A `saved` question brings its own items and points."""
    student, given = _lines(parts, with_plain_signs(text))
    known = {one.item: one for one in (part.to_item() for part in parts)}
    asked = {one.item: one for one in saved.asked} if saved is not None else known
    marks = []
    for part in (part for part in parts if part.item in asked):
        one, written = asked[part.item], given.get(part.item)
        share = 0 if written is None else part.judge(written)
        unclear = () if share is not None else ("what is meant",)
        why, sort = "".join(unclear), "" if share == 1 else "another answer" if written else "nothing is written"
        mark = Mark(one.item, written, one.right, share or 0, why, 0, sort, None, unclear, one.points)
        marks.append(with_credit(mark, one if one.item != "equilibria" else None))
    if "?" in given:
        headings = ", ".join(f"{part.item}: …" for part in parts)
        marks.append(Mark("?", given["?"], None, 0, f"not read: write {headings}"))
    wrong = [mark for mark in marks if mark.right is not None and mark.share < 1 and not mark.ambiguous]
    return GradeReport(tuple(marks), wrong[0] if wrong else None, student)


def _lines(parts: Sequence[Part], text: str) -> tuple[str, dict[str, str]]:
    """Who wrote it, and the text under each heading, in our words or those of a sheet; all of it where one item alone
    is asked."""
    words = {with_plain_signs(word).casefold(): part.item for part in parts for word in part.headings}
    named = [STUDENT.fullmatch(line) for line in text.splitlines()]
    student = " ".join(found["who"].strip() for found in named if found)
    text = "\n".join(line for line, found in zip(text.splitlines(), named, strict=True) if not found)
    longest = sorted(words, key=len, reverse=True)
    heading = re.compile(
        rf"(?:^|\n|;)\s*({'|'.join(map(re.escape, longest))})\s*(?::|->|=(?!=)|(?=\[|\s(?:to|min|max)\b))",
        re.IGNORECASE,
    )
    for sentence, item in _SENTENCES.items():
        text = sentence.sub(rf"{item}: \1: ", text)
    pieces, found = heading.split(text), dict[str, str]()
    for word, said in zip(pieces[1::2], pieces[2::2], strict=True):
        item, answer = words[word.casefold()], said.strip(" \n;")
        found[item] = f"{found[item]}; {answer}" if item in found else answer
    open_ = parts[-1].item if parts and (len(parts) == 1 or parts[-1].item == "equilibria") else ""
    if open_ and open_ not in found and pieces[0].strip():
        found[open_] = pieces[0].strip()
    elif pieces[0].strip():
        found["?"] = " ".join(pieces[0].split())
    return student, found


_SENTENCES = {
    re.compile(rf"^\s*(\S+)\s+is\s+{deed}\s+(?:exactly\s+)?(?:iff?|when|for)\b\s*", re.IGNORECASE | re.MULTILINE): item
    for deed, item in ((r"(?:the\s+)?best", "best"), (r"(?:pruned|skipped|cut(?:\s+off)?|never looked at)", "cut"))
}


def share_of_replies(right: Mapping[str, Sequence[str]], text: str) -> Number | None:
    """`B | u: l; A | l: u d`: the share of the best replies that is there; to each action, less what is none."""
    due = {(fold(other.replace(" ", "")), fold(own)) for other, some in right.items() for own in some}
    said = set[tuple[str, str]]()
    for part in filter(str.strip, re.split(r"[;\n]", text)):
        part = re.sub(r"^\s*to\s+", "", part)
        other, sign, own = re.split(r"(:|->)", part, maxsplit=1) if re.search(":|->", part) else (part, "", "")
        heads = [name for name, _ in due if name in (h := fold(other.replace(" ", ""))) or name.endswith(f"|{h}")]
        if not sign or len(set(heads)) != 1:
            return None
        said |= {(heads[0], fold(word)) for word in re.findall(r"[^\s,]+", own)}
    good = Counter(head for head, _ in said & due)
    good.subtract(head for head, _ in said - due)
    return _share(sum(max(0, count) for count in good.values()), 0, len(due))


def share_of_cases(right: Mapping[str, str], text: str, same: Same, as_one: bool = False) -> Number | None:
    """`a1: x <= 3; a2: x >= 3`: how much of it is right, less what is wrong; None where a condition cannot be read.
    What has no condition is always so. Pieces of a value are right or wrong `as_one`."""
    for name, written in JOINTS.items():
        text = written.sub(f" {name} ", text)
    parts = [CASE.split(part.strip(), maxsplit=1) for part in re.split(r"[;\n]", text) if part.strip()]
    named = {fold(subject): subject for subject in right}
    told = {named.get(fold(subject.strip()), subject): "".join(when) for subject, *when in parts}
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
    """`(fight, fight); He fight 2/3, ballet 1/3, She …`, or `Ann at J: check 2/3, bet 1/3, Ann at Q: …`: how many of
    the equilibria are there, less what is none. With `holds` any one equilibrium is all that is asked for."""
    sets = {player: tuple(equilibria[0][player]) for player in players}
    actions = {action for one in equilibria for own in one.values() for mix in own.values() for action in mix}
    is_long = any(len(own) != 1 for own in sets.values())
    parts = re.split(r"[;\n]|(?<=\))[\s,]*(?=\()", text) if not is_long or len(equilibria) > 1 else [text]
    found: list[Profile] = []
    for part in filter(str.strip, parts):
        one = _read_profile(part, sets, actions)
        if one is None:
            return None
        found.append(one)
    if holds is not None:
        return int(bool(found) and all(map(holds, found)))
    told, right = ({_support_text(one) for one in some} for some in (found, equilibria))
    return _share(len(told & right), len(told - right), len(equilibria))


def _read_profile(text: str, sets: Mapping[str, Collection[str]], actions: Collection[str]) -> Profile | None:
    """A profile by the words for its information sets, or of players who choose once each by an action for each in
    turn; None where it cannot be read."""
    known = {" ".join(with_plain_signs(head).split()).casefold(): at for head, at in heads_of(sets, actions).items()}
    said = re.split(rf"(?<!\w){_any_of(known)}(?!\w)\s*:?", " ".join(text.split()), flags=re.IGNORECASE)[1:]
    pairs = list(zip(said[::2], said[1::2], strict=True))
    if not pairs and all(len(own) == 1 for own in sets.values()):
        pairs = list(zip(sets, re.findall(rf"\b{_any_of(actions)}\b", text, re.IGNORECASE), strict=False))
    found: dict[str, dict[str, Mapping[str, Number]]] = {player: {} for player in sets}
    for head, mix in pairs:
        player, name = known[head.casefold()]
        found[player][name] = _mixture(mix, actions)
    whole = all(found[player].keys() == set(own) for player, own in sets.items())
    return found if whole and all(sum(m.values()) == 1 for own in found.values() for m in own.values()) else None


def heads_of(sets: Mapping[str, Collection[str]], actions: Collection[str]) -> dict[str, tuple[str, str]]:
    """The words for each information set: a player who has one set, and where others have more, `Ann at J`, or a name
    that one set alone has and no action, in capitals or not."""
    alone = {player: (player, next(iter(own))) for player, own in sets.items() if len(own) == 1}
    if len(alone) == len(sets):  # a name of a set may be that of an action, too
        return alone
    bearers = [name.casefold() for own in (*sets.values(), actions) for name in own]
    heads = {f"{player} at {name}": (player, name) for player, own in sets.items() for name in own}
    return heads | alone | {name: at for at in heads.values() if bearers.count((name := at[1]).casefold()) == 1}


def _any_of(words: Collection[str]) -> str:
    return rf"({'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"


def _as_named(word: str, names: Collection[str]) -> str:
    return next(name for name in names if name.casefold() == word.casefold())


def _mixture(text: str, actions: Collection[str]) -> dict[str, Number]:
    """`fight 2/3, ballet 1/3`; an action alone is played for sure."""
    pairs = re.findall(rf"\b{_any_of(actions)}\b(?:[\s:=]*(\d+/[1-9]\d*|\d*\.?\d+))?", text, re.IGNORECASE)
    return {_as_named(action, actions): Fraction(amount or 1) for action, amount in pairs}


def _support_text(profile: Profile) -> str:
    """The actions that are played, in one order."""
    told = [(player, name, sorted((a, Fraction(x)) for a, x in mix.items() if x))
            for player, own in profile.items() for name, mix in own.items()]  # fmt: skip
    return str(sorted(told))
