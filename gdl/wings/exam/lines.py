"""Grading answers that are lines of text: conditions on unknown numbers, and equilibria."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from gdl.explain.names import fold, with_plain_signs
from gdl.game import Number, exact
from gdl.solution import Profile
from gdl.wings.exam.answers import ExamQuestion
from gdl.wings.exam.grade import NOT_READ, GradeReport, Mark, unclear_if_unread, with_credit
from gdl.wings.exam.judged_parts import Part
from gdl.wings.exam.phrases import in_all_languages
from gdl.wings.exam.reading import STUDENT, is_nothing

CASE = re.compile(
    r"\s*(?::|(?<!\w)(?:iff?|for|when|wenn|falls|für|αν|όταν|για|nếu|khi|اگر|برای)(?!\w)|[当若])\s*", re.IGNORECASE
)
JOINTS = {
    name: re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, in_all_languages(name)))})(?!\w)|{signs}", re.IGNORECASE)
    for name, signs in (("and", "∧|&&?|[且和]"), ("or", r"∨|\|\|?|或"), ("always", "总是"))
}
Same = Callable[[str, str], bool | None]  # whether two texts say the same; None: one of them cannot be read


def grade_lines(parts: Sequence[Part], text: str, saved: ExamQuestion | None = None) -> GradeReport:
    """Grade the answers to a question without a tree, by the judges of its parts; unclear answers are marked ambiguous.
    A `saved` question replaces the items and their points."""
    student, given = _lines(parts, with_plain_signs(text))
    known = {one.item: one for one in (part.to_item() for part in parts)}
    asked = {one.item: one for one in saved.asked} if saved is not None else known
    marks = []
    for part in (part for part in parts if part.item in asked):
        one, written = asked[part.item], given.get(part.item)
        share = 0 if written is None else part.judge(written)
        unclear = () if share is not None else ("what is meant",)
        why, sort = "".join(unclear), "" if share == 1 else "another answer" if written else "nothing is written"
        shown = written and "; ".join(filter(None, map(str.strip, written.splitlines())))
        mark = Mark(one.item, shown, one.right, share or 0, why, 0, sort, None, unclear, one.points)
        marks.append(with_credit(mark, one if one.item != "equilibria" else None))
    if "?" in given:
        headings = ", ".join(f"{part.item}: …" for part in parts)
        marks.append(Mark("?", given["?"], None, 0, f"{NOT_READ}: write {headings}"))
        marks = unclear_if_unread(marks)
    wrong = [mark for mark in marks if mark.right is not None and mark.share < 1 and not mark.ambiguous]
    return GradeReport(tuple(marks), wrong[0] if wrong else None, student)


def _lines(parts: Sequence[Part], text: str) -> tuple[str, dict[str, str]]:
    """The student's name, and the text under each heading, by item; headings may be ours or those of a sheet. A text
    without heading belongs to the only item, or else to the equilibria; any other is under "?"."""
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
    """The share of the best replies in a text such as `B | u: l; A | l: u d`; for each action of the other player,
    wrong replies are subtracted from the right ones. None if it cannot be read."""
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
    """The share of the right cases in a text such as `a1: x <= 3; a2: x >= 3`, less the wrong ones; None if a condition
    cannot be read. A subject without a condition means always. `as_one`: the cases of a value are right or wrong
    together."""
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
    """The share of the equilibria in a text such as `(fight, fight); He fight 2/3, ballet 1/3, She …` or `Ann at J:
    check 2/3, bet 1/3, Ann at Q: …`, less wrong profiles; None if it cannot be read. With `holds` (a test for
    equilibria), any one equilibrium is enough."""
    sets = {player: tuple(equilibria[0][player]) for player in players}
    actions = {action for one in equilibria for own in one.values() for mix in own.values() for action in mix}
    found = _ProfileReader(sets, actions).read(text)
    if found is None:
        return None
    if holds is not None:
        return int(bool(found) and all(map(holds, found)))
    told, right = ({support_text(one) for one in some} for some in (found, equilibria))
    return _share(len(told & right), len(told - right), len(equilibria))


def heads_of(sets: Mapping[str, Collection[str]], actions: Collection[str]) -> dict[str, tuple[str, str]]:
    """The names by which a text may refer to an information set (player, set): the player, if they have only one; else
    `Ann at J`, or `J` if no other set and no action has that name."""
    alone = {player: (player, next(iter(own))) for player, own in sets.items() if len(own) == 1}
    if len(alone) == len(sets):  # a name of a set may be that of an action, too
        return alone
    bearers = [name.casefold() for own in (*sets.values(), actions) for name in own]
    heads = {f"{player} at {name}": (player, name) for player, own in sets.items() for name in own}
    return heads | alone | {name: at for at in heads.values() if bearers.count((name := at[1]).casefold()) == 1}


class _ProfileReader:
    """Reads profiles from a text, word by word: a mixture after the name of each information set, or, if each player
    chooses once, an action for each in turn. A profile ends where it is whole and a line ends, a name comes again or
    the players' turns are over. A share stands after its action, or before it (`1/2 fight + 1/2 ballet`)."""

    def __init__(self, sets: Mapping[str, Collection[str]], actions: Collection[str]):
        self.places = {_spelling(head): at for head, at in heads_of(sets, actions).items()}
        self.actions = {_spelling(action): action for action in actions}
        single = all(len(own) == 1 for own in sets.values())
        self.turns = [(player, name) for player, own in sets.items() for name in own] if single else []
        names = sorted([*self.places, *self.actions], key=len, reverse=True)
        any_name = "|".join(map(re.escape, names))
        self.words = re.compile(
            rf"(?<![\w/.])({any_name})(?!\w|[/.]\d)|((?<![\w/.])(?:\d+/[1-9]\d*|\d*\.?\d+)%?)", re.I
        )
        self.sets = sets
        self.begin()

    def begin(self) -> None:
        """Begin another profile."""
        self.mixes: dict[str, dict[str, dict[str, Number]]]
        self.mixes = {player: {name: {} for name in own} for player, own in self.sets.items()}
        self.place: tuple[str, str] | None = None
        self.turn = 0  # of the players whose actions come in turn, without names
        self.last = ""  # the action of which a share may follow
        self.ahead: Fraction | None = None  # a share whose action follows
        self.comes_first = False

    @property
    def is_whole(self) -> bool:
        return all(sum(mix.values()) == 1 for own in self.mixes.values() for mix in own.values())

    def read(self, text: str) -> list[Profile] | None:
        """All profiles in the text; None if one is not whole, or there is none."""
        found = []
        for piece in _ENDS_OF_PROFILES.split(_NUMBERING.sub("", text)):
            for word in self.words.finditer(" ".join(piece.split())):
                if self._ends_before(word[0]):
                    found.append(self.mixes)
                    self.begin()
                if not self._take(word[0], bool(word[2])):
                    return None
            if self.is_whole:
                found.append(self.mixes)
                self.begin()
        is_begun = any(mix for own in self.mixes.values() for mix in own.values())
        return None if is_begun or not found else list(found)

    def _ends_before(self, word: str) -> bool:
        """True if the profile is whole and the word begins another."""
        place = self.places.get(_spelling(word))
        again = bool(self.mixes[place[0]][place[1]]) if place else 0 < len(self.turns) == self.turn
        return again and self.is_whole

    def _take(self, word: str, is_number: bool) -> bool:
        """Add a word to the profile; False if it has no place there."""
        place, action = self.places.get(_spelling(word)), self.actions.get(_spelling(word))
        if place and not is_number:
            if self.turn or self.mixes[place[0]][place[1]]:
                return False
            self.place, self.last, self.ahead, self.comes_first = place, "", None, False
        elif action is not None and not is_number:
            if self.place is None or self.turn:
                if self.turn == len(self.turns):
                    return False
                self.place, self.turn = self.turns[self.turn], self.turn + 1
            share, self.ahead, self.last = self.ahead, None, action
            self.mixes[self.place[0]][self.place[1]][action] = 1 if share is None else exact(share)
        else:
            amount = Fraction(word.removesuffix("%")) / (100 if word.endswith("%") else 1)
            if self.place is None or self.turn:
                return amount.denominator == 1  # the number of a profile; shares need names
            self.comes_first |= not self.last
            if self.comes_first:
                self.ahead = amount
            else:
                self.mixes[self.place[0]][self.place[1]][self.last] = exact(amount)
        return True


_ENDS_OF_PROFILES = re.compile(r"[;\n]|(?<=\))[\s,]*(?=\()")
_NUMBERING = re.compile(r"(?:^|(?<=[\s;)]))\d+[.)]\s+(?=[^\d\s])")


def _spelling(name: str) -> str:
    """A name as it is compared: small letters, plain signs, single blanks."""
    return " ".join(with_plain_signs(name).split()).casefold()


def support_text(profile: Profile) -> str:
    """The profile as a text to compare: actions of positive probability, in a fixed order."""
    told = [(player, name, sorted((a, Fraction(x)) for a, x in mix.items() if x))
            for player, own in profile.items() for name, mix in own.items()]  # fmt: skip
    return str(sorted(told))
