"""Grading answers that are lines of text: conditions on unknown numbers, and equilibria."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product

from gdl.errors import Refusal
from gdl.explain.names import fold, with_plain_signs
from gdl.game import Number, exact
from gdl.solution import Profile
from gdl.solvers.open_numbers.lattice import Comparison, can_hold, read_assumption
from gdl.wings.exam.answers import ExamQuestion
from gdl.wings.exam.grade import NOT_READ, GradeReport, Mark, marks_as_told, same_amount, with_credit
from gdl.wings.exam.headings import UNREAD, find_answers
from gdl.wings.exam.judged_parts import Part
from gdl.wings.exam.phrases import in_all_languages
from gdl.wings.exam.reading import STUDENT, is_nothing
from gdl.wings.exam.student_phrases import phrases_heard, plain_text

CASE = re.compile(
    r"\s*(?::|(?<!\w)(?:iff?|for|when|wenn|falls|für|αν|όταν|για|nếu|khi|اگر|برای)(?!\w)|[当若])\s*", re.IGNORECASE
)
JOINTS = {
    name: re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, in_all_languages(name)))})(?!\w)|{signs}", re.IGNORECASE)
    for name, signs in (("and", "∧|&&?|[且和]"), ("or", r"∨|\|\|?|或"), ("always", "总是"))
}


def grade_lines(parts: Sequence[Part], text: str, saved: ExamQuestion | None = None) -> GradeReport:
    """Grade the answers to a question without a tree, by the judges of its parts; unclear answers are marked ambiguous.
    A `saved` question replaces the items and their points."""
    student, text = _without_student(plain_text(text))
    given = find_answers(parts, text)
    known = {one.item: one for one in (part.to_item() for part in parts)}
    asked = {one.item: one for one in saved.asked} if saved is not None else known
    marks = []
    for part in (part for part in parts if part.item in asked):
        one, written = asked[part.item], given.get(part.item) or None
        share = 0 if written is None else part.judge(written)
        may_go_on = share is not None and share < 1 and written and re.search(r"\w", given.get(UNREAD, ""))
        unclear = () if share is not None and not may_go_on else ("what is meant",)
        why, sort = "".join(unclear), "" if share == 1 else "another answer" if written else "nothing is written"
        shown = written and "; ".join(filter(None, map(str.strip, written.splitlines())))
        mark = Mark(one.item, shown, one.right, share or 0, why, 0, sort, None, unclear, one.points)
        marks.append(with_credit(mark, one if one.item != "equilibria" else None))
    if UNREAD in given:
        headings = ", ".join(f"{part.item}: …" for part in parts)
        marks.append(Mark("?", given[UNREAD], None, 0, f"{NOT_READ}: write {headings}"))
    marks = marks_as_told(marks, [mark.given for mark in marks if mark.ambiguous and mark.given])
    wrong = [mark for mark in marks if mark.right is not None and mark.share < 1 and not mark.ambiguous]
    return GradeReport(tuple(marks), wrong[0] if wrong else None, student)


def _without_student(text: str) -> tuple[str, str]:
    """The student's name or number, and the text without the lines that tell it."""
    named = [STUDENT.fullmatch(line) for line in text.splitlines()]
    student = " ".join(found["who"].strip() for found in named if found)
    return student, "\n".join(line for line, found in zip(text.splitlines(), named, strict=True) if not found)


def share_of_replies(right: Mapping[str, Sequence[str]], text: str) -> Number | None:
    """The share of the best replies in a text such as `B | u: l; A | l: u d`; for each action of the other player,
    wrong replies are subtracted from the right ones. None if it cannot be read."""
    for player in {other.partition(" | ")[0] for other in right}:  # `Ann: left -> up, right -> down`
        for one in re.findall(rf"(?i)(?<!\w){re.escape(player)}\s*:\s*(?:[^;\n:|]*?->[^;\n:,]*)+", text):
            told = re.sub(r"([^,]+?)\s*->", rf"{player} | \1:", one.partition(":")[2]).replace(",", ";")
            text = text.replace(one, told)
    due = {(fold(other.replace(" ", "")), fold(own)) for other, some in right.items() for own in some}
    said = set[tuple[str, str]]()
    for part in filter(str.strip, re.split(r"[;\n]|,(?=[^,;\n]*(?:->|:|\bis\b))", re.sub(r"\bto\s+", ", ", text))):
        part = part.strip(" ,")
        other, sign, own = re.split(r"(:|->|\bis\b)", part, maxsplit=1) if re.search(_REPLY, part) else (part, "", "")
        head, known = fold(other.replace(" ", "")), {name for name, _ in due}  # `He | fight` is within `She | fight`
        heads = {head} & known or {name for name in known if name in head or name.endswith(f"|{head}")}
        if not sign or len(heads) != 1:
            return None
        said |= {(min(heads), fold(word)) for word in re.findall(r"[^\s,]*[^\s,.]", own)}
    good = Counter(head for head, _ in said & due)
    good.subtract(head for head, _ in said - due)
    return _share(sum(max(0, count) for count in good.values()), 0, len(due))


_REPLY = re.compile(r":|->|\bis\b")


def share_of_cases(right: Mapping[str, str], text: str, names: Sequence[str], as_one: bool = False) -> Number | None:
    """The share of the right cases in a text such as `a1: x <= 3; a2: x >= 3`, less the wrong ones; None if a condition
    cannot be read. A subject without a condition means always. `names` are those of the unknown numbers. `as_one`: the
    cases of a value are right or wrong together."""
    if not right:
        return int(is_nothing([text.strip()]))
    named = {fold(subject): subject for subject in right}
    said = [(named.get(fold(subject), subject), when) for subject, when in _cases(text)]
    said = _without_otherwise(said, names)
    if as_one:
        verdict = same_condition(_pieces(right.items()), _pieces(said), names)
        return None if verdict is None else int(verdict)
    told: dict[str, str] = {}
    for subject, when in said:
        for one in right if fold(subject) in ("both", *phrases_heard()["both"]) else [subject]:
            told[one] = f"{told[one]} or {when}" if told.get(one) and when else "" if one in told else when
    if any(re.search(r"[^\W\d_]{2,}\s", subject) for subject in told.keys() - right):
        return None  # a sentence is no subject
    for subject in [subject for subject in told if is_nothing([subject])]:  # `nothing if x > 4`: never one of ours
        rest = _without_otherwise([*right.items(), ("rest", "otherwise")], names)[len(right) :]
        is_rest = bool(rest) and same_condition(" or ".join(when for _, when in rest), told[subject], names)
        if is_rest is None:
            return None
        if is_rest:
            del told[subject]
    verdicts = [same_condition(right[subject], when, names) if subject in right else False
                for subject, when in told.items()]  # fmt: skip
    return None if None in verdicts else _share(sum(map(bool, verdicts)), len(told.keys() - right), len(right))


def same_condition(one: str, other: str, names: Sequence[str]) -> bool | None:
    """True if the same numbers satisfy both texts; None if one of them cannot be read, or has very many cases."""
    try:
        mine, others = (_case_comparisons(text, names) for text in (one, other))
        return not any(_rest_of(others, case) for case in mine) and not any(_rest_of(mine, case) for case in others)
    except Refusal:
        return None


def _without_otherwise(said: list[tuple[str, str]], names: Sequence[str]) -> list[tuple[str, str]]:
    """The cases, with what the others leave in place of the condition `otherwise`, if it can be told."""
    told = [(subject, when) for subject, when in said if when != "otherwise"]
    try:
        left = _rest_of([case for _, when in told for case in _case_comparisons(when, names)])
    except Refusal:
        return said
    if not told or len(told) == len(said):
        return said
    others = [subject for subject, when in said if when == "otherwise" and not is_nothing([subject])]
    return told + list(product(others, (" and ".join(map(str, one)) for one in left)))


def _rest_of(cases: Sequence[Sequence[Comparison]], within: Sequence[Comparison] = ()) -> list[tuple[Comparison, ...]]:
    """The rest of a case where none of some others holds, as cases that can hold. Raises Refusal if these are very
    many."""
    left = [tuple(within)]
    for case in cases:
        left = [rest for one in left for c in case if can_hold(rest := (*one, ~c), ())]
        if len(left) > _MOST_CASES:
            raise Refusal("there are too many cases to compare")
    return left


_MOST_CASES = 50


def _case_comparisons(text: str, names: Sequence[str]) -> list[tuple[Comparison, ...]]:
    """The comparisons of each case of a condition such as `x <= 3 or x >= 5`."""
    if text.strip().casefold() in ("", "always", "true"):
        return [()]
    return [read_assumption(case.strip(" ,"), names) for case in re.split(r"\bor\b", text)]


def _cases(text: str) -> Iterator[tuple[str, str]]:
    """The pairs of a subject and its condition in a text such as `a1 if x <= 3, a2 and a3 for x >= 3`, or `if x <= 3
    then a1`; the condition "" means always."""
    for pattern, plain in _PLAIN_CASES.items():
        text = re.sub(pattern, plain, text, flags=re.IGNORECASE)
    for name, written in JOINTS.items():
        text = written.sub(f" {name} ", text)
    for clause in filter(str.strip, re.split(r"[;\n]", text)):
        waiting, turned = list[str](), ""
        for part in _COMMA.split(clause):
            subject, *more = (one.strip() for one in CASE.split(part.strip(), maxsplit=1))
            when = "".join(more)
            if _RELATION.search(subject) and when and not _RELATION.search(when):  # `x <= 3: a1`
                subject, when = when, subject
                turned = when
            waiting += re.split(r"\s+and\s+", subject)
            turned = when if when == "otherwise" else turned  # `otherwise a2, a3`
            if when or turned:
                yield from ((one, when or turned) for one in waiting)
                waiting = []
        yield from ((one, "") for one in waiting)


_PLAIN_CASES = {
    r"\b(?:is|are) (?:best|cut|pruned|optimal)(?: action| move)?\b": "",
    r"(\w) is (?=[<>]=?)": r"\1 ",
    r"(\w+) is between (\S+) and (\S+)": r"\2 <= \1 <= \3",
    r"\bif ([^,;\n]+?) (?:then|dann|alors|entonces|то) ([^,;\n]+)": r"\2: \1",
    r"([<>]=?\s*\S+) and (?=\w+\s*(?:if|for|when)\b)": r"\1; ",
    r"[\s,;]*([^\s,;:]+),? otherwise(?=\s*(?:[,;.]|$))": r"; \1: otherwise; ",
    r"[\s,;]*(?<!: )\b(?:(?:and|or) )?otherwise\b[\s,:]*((?:[^,;\n()]|\([^()]*\))+)": r"; \1: otherwise",
    r"\balso(?= if\b)": "",
}
_RELATION, _COMMA = re.compile("[<>]|=="), re.compile(r",(?![^()]*(?:\([^()]*\)[^()]*)*\))")


def _pieces(told: Iterable[tuple[str, str]]) -> str:
    return " or ".join(f"value = {subject}{f' and {when}' if when else ''}" for subject, when in told)


def _share(right: int, wrong: int, of: int) -> Number:
    return exact(Fraction(max(0, right - wrong), of))


def share_of_profiles(
    equilibria: Sequence[Profile],
    players: Sequence[str],
    text: str,
    holds: Callable[[Profile], bool] | None,
    orders: Sequence[Sequence[str]] = (),
) -> Number | None:
    """The share of the equilibria in a text such as `(fight, fight); He fight 2/3, ballet 1/3, She …` or `Ann at J:
    check 2/3, bet 1/3, Ann at Q: …`, less wrong profiles; None if it cannot be read. With `holds` (a test for
    equilibria), any one equilibrium is enough. `orders` are the actions of each player of a table, in its order."""
    reader, own = _ProfileReader(equilibria, players), text if orders else _with_sets(text, equilibria[0])
    found = None if reader.denied.search(text) else reader.read(_with_names(own, players, orders))
    if found is None or "->" in text:  # best replies
        return None
    if holds is not None:
        return int(bool(found) and all(map(holds, found)))
    told, right = ({support_text(one) for one in some} for some in (found, equilibria))
    return _share(len(told & right), len(told - right), len(equilibria))


def _with_names(text: str, players: Sequence[str], orders: Sequence[Sequence[str]]) -> str:
    """The text with `p = 3/4, q = 1/4` and `((3/4, 1/4), (1/4, 3/4))` as mixtures of the actions of each player in
    their `orders`, and `both left` as an action for each."""
    text = re.sub(r"\bboth(?: (?:choose|play|take))? (\S+?)(?=[\s,;.]|$)", r"(\1, \1)", text, flags=re.IGNORECASE)
    text = re.sub(r"(?<=[^\W\d])/(?=[^\W\d])", ", ", text)
    if [len(actions) for actions in orders] == [2, 2]:
        told = f"{players[0]} {orders[0][0]} \\1, {players[1]} {orders[1][0]} \\2"
        text = re.sub(rf"\bp\s*=\s*q\s*=\s*{_SHARE}", r"p = \1, q = \1", text)
        text = re.sub(rf"\bp\s*=\s*{_SHARE}(?:\s*,\s*|\s+and\s+|\s+)q\s*=\s*{_SHARE}", told, text)
    text = re.sub(r"(?:,\s*)?\bwith (?:the )?prob(?:ability|\.)?(?: of)?\b|\bw\.p\.", "", text, flags=re.IGNORECASE)
    text = _with_owners(text, players, orders)

    def name_shares(found: re.Match[str]) -> str:
        shares = iter(found.groups())
        mixes = [[(action, next(shares)) for action in own] for own in orders]
        told = (f"{player} {', '.join(map(' '.join, mix))}" for player, mix in zip(players, mixes, strict=True))
        return f"; {', '.join(told)};" if all(sum(Fraction(x) for _, x in mix) == 1 for mix in mixes) else found[0]

    vectors = (r"\(\s*" + r"\s*[,;]\s*".join([_SHARE] * len(own)) + r"\s*\)" for own in orders)
    named = (
        rf"(?:(?<!\w)(?:(?:[^\W\d]_)?{re.escape(player)}|[a-z])[\s:=]*)?{one}"
        for player, one in zip(players, vectors, strict=False)
    )
    pattern = r"\(?" + r"(?:[\s,;]|and\b)*".join(named) + r"\)?"
    return re.sub(pattern, name_shares, text, flags=re.IGNORECASE) if orders else text


def _with_sets(text: str, profile: Profile) -> str:
    """The text with `north if Ann has the ace, otherwise south` as `Ann at ace: north, Ann at king: south`, in what
    follows the name of a player of several information sets, or if only one player has several."""
    if not (several := [player for player, own in profile.items() if len(own) > 1]):
        return text
    names = [*profile, *(name for own in profile.values() for place, mix in own.items() for name in (place, *mix))]
    known = {*_HOLDS, *_HAS, *_PLAYS, *(word for name in names for word in re.findall(r"\w+", name.casefold()))}
    if any(word not in known and not word.isdecimal() for word in re.findall(r"\w+", text.casefold())):
        return text  # who knows what else is said, such as `if she has no ace`
    sets = "|".join(re.escape(name) for player in several for name in sorted(profile[player], key=len, reverse=True))
    named, owners = "|".join(map(re.escape, profile)), {_spelling(player): player for player in profile}

    def plain_condition(found: re.Match[str]) -> str:
        """`if ace` for `if Ann has the ace`, where nobody else's plan is told."""
        before, inside = (
            re.findall(rf"(?<!\w)(?:{named})(?!\w)", part, re.I) for part in (text[: found.start()], found[0])
        )
        mine = {_spelling(one) for one in before[-1:] or several}
        return f"if {found[1]}" if mine.issuperset(map(_spelling, inside)) else found[0]

    condition = rf"(?<!\w)(?:{'|'.join(_HOLDS)})\s+(?:(?:{named}|{'|'.join(_HAS)})\s+){{0,5}}({sets})(?!\w)"
    text = re.sub(condition, plain_condition, text, flags=re.IGNORECASE)
    pieces = re.split(rf"(?<!\w)({named})(?!\w)", text, flags=re.IGNORECASE)
    for at in range(0, len(pieces), 2):
        player = owners[_spelling(pieces[at - 1])] if at else several[0] if len(several) == 1 else ""
        if player in several:
            pieces[at] = _with_places(pieces[at], player, profile[player])
    return "".join(pieces)


def _with_places(text: str, player: str, own: Mapping[str, Mapping[str, Number]]) -> str:
    """The text on a player's plan with `if ace then north`, `north at ace` and `otherwise south` as `Ann at ace: …`."""
    sets = "|".join(map(re.escape, sorted(own, key=len, reverse=True)))
    deeds = "|".join(sorted({re.escape(action) for mix in own.values() for action in mix}, key=len, reverse=True))
    text = re.sub(rf"(?<!\w)({deeds})\s+(?:if|at)\s+({sets})(?!\w)", rf"{player} at \2: \1", text, flags=re.I)
    text = re.sub(rf"(?<!\w)if ({sets})\s*(?:,|then|:|->)?\s*(?={deeds})", rf"{player} at \1: ", text, flags=re.I)
    shapes = rf"\botherwise\b[\s,:]*({deeds})(?!\w)", rf"(?<!\w)({deeds}),? otherwise\b"
    other = next(filter(None, (re.search(shape, text, re.IGNORECASE) for shape in shapes)), None)
    missing = [one for one in own if other and not re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text, re.IGNORECASE)]
    if other is None or len(missing) == len(own):
        return text
    told = ", ".join(f"{player} at {name}: {other[1]}" for name in missing)
    return text[: other.start()] + told + text[other.end() :]


_HOLDS = "if when with in holding mit bei avec con com с при με z".split()
_HAS = "she he it they has have holds gets sees is a an the sie er hat das den die ein elle il un el la tiene".split()
_PLAYS = "then otherwise at and plays play chooses choose takes take spielt joue juega always l s".split()
_SHARE = r"(\d+/[1-9]\d*|\d*\.?\d+)"


def _with_owners(text: str, players: Sequence[str], orders: Sequence[Sequence[str]]) -> str:
    """The text with the players' names before their mixtures in a table, in a pair such as `(1/4 stay + 3/4 swerve,
    swerve)` and where an action is one player's alone, as in `up 0.75, left 0.5`."""
    share, mixes = _SHARE.replace("(", "(?:", 1), list[str]()
    for own in orders:
        names = "|".join(map(re.escape, sorted(own, key=len, reverse=True)))
        one = rf"(?<!\w)(?:{share}\s*\*?\s*(?:{names})|(?:{names})[\s:=]*{share})(?![\w/])"
        mixes.append(rf"{one}(?:\s*\+\s*{one})*")
    if len(orders) == 2:
        pair = r"\(\s*" + r"\s*[,;]\s*".join(
            rf"({mix}|{'|'.join(map(re.escape, own))})" for mix, own in zip(mixes, orders, strict=True)
        )
        told = rf"; {players[0]} \1, {players[1]} \2;"
        text = re.sub(
            pair + r"\s*\)", lambda one: one.expand(told) if re.search(share, one[0]) else one[0], text, flags=re.I
        )
    if len({action for own in orders for action in own}) == sum(map(len, orders)):
        for player, mix in zip(players, mixes, strict=False):
            text = re.sub(rf"{mix}(?:(?:[\s,]|and\b)+{mix})*", rf"{player} \g<0>", text, flags=re.IGNORECASE)
    return text


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

    def __init__(self, equilibria: Sequence[Profile], players: Sequence[str]):
        sets = {player: tuple(equilibria[0][player]) for player in players}
        actions = {action for one in equilibria for own in one.values() for mix in own.values() for action in mix}
        self.places = {_spelling(head): at for head, at in heads_of(sets, actions).items()}
        self.actions = {_spelling(action): action for action in actions}
        single = all(len(own) == 1 for own in sets.values())
        self.turns = [(player, name) for player, own in sets.items() for name in own] if single else []
        names = sorted([*self.places, *self.actions], key=len, reverse=True)
        any_name = "|".join(map(re.escape, names))
        self.words = re.compile(rf"(?<![\w/.])({any_name})(?!\w|[/.]\d)|((?<![\w/.]){_SHARE}%?)", re.I)
        denials, deeds = sorted(_DENIALS - self.actions.keys()), "|".join(map(re.escape, self.actions))
        self.denied = re.compile(rf"(?<!\w)(?:{'|'.join(denials)})\s+(?:\w+\s+)?(?:{deeds})(?!\w)", re.IGNORECASE)
        self.sets, self.equilibria = sets, equilibria
        self.begin()

    def begin(self) -> None:
        """Begin another profile."""
        self.mixes: dict[str, dict[str, dict[str, Number]]]
        self.mixes = {player: {name: {} for name in own} for player, own in self.sets.items()}
        self.place: tuple[str, str] | None = None
        self.turn = 0  # of the players whose actions come in turn, without names
        self.last = ""  # the action of which a share may follow
        self.ahead = ""  # a share whose action follows
        self.comes_first = False

    def complete(self) -> None:
        """Give the rest of each mixture of two actions, of which one has a share, to the other."""
        for player, own in self.sets.items():
            for name in own:
                mix, due = self.mixes[player][name], {action for one in self.equilibria for action in one[player][name]}
                if len(mix) == 1 and len(due) == 2 and 0 < sum(mix.values()) < 1:
                    mix[next(iter(due - mix.keys()))] = exact(1 - sum(mix.values()))

    @property
    def is_whole(self) -> bool:
        return all(sum(mix.values()) == 1 for own in self.mixes.values() for mix in own.values())

    def read(self, text: str) -> list[Profile] | None:
        """All profiles in the text; None if one is not whole, or there is none."""
        if any(_spelling(name) not in {*self.places, *self.actions} for pair in _PAIR.findall(text) for name in pair):
            return None  # such as (f, b), of which nobody knows what is meant
        found = []
        for piece in _ENDS_OF_PROFILES.split(_NUMBERING.sub("", text)):
            for word in self.words.finditer(" ".join(piece.split())):
                if self._ends_before(word[0]):
                    found.append(self.mixes)
                    self.begin()
                if not self._take(word[0], bool(word[2])):
                    return None
            self.complete()
            if self.is_whole:
                found.append(self.mixes)
                self.begin()
        is_begun = self.ahead or any(mix for own in self.mixes.values() for mix in own.values())
        return None if is_begun or not found else list(found)

    def _ends_before(self, word: str) -> bool:
        """True if the profile is whole and the word begins another."""
        place = self.places.get(_spelling(word))
        again = bool(self.mixes[place[0]][place[1]]) if place else 0 < len(self.turns) == self.turn
        if again:
            self.complete()
        return again and self.is_whole

    def _take(self, word: str, is_number: bool) -> bool:
        """Add a word to the profile; False if it has no place there."""
        place, action = self.places.get(_spelling(word)), self.actions.get(_spelling(word))
        if place and not is_number:
            if self.turn or self.mixes[place[0]][place[1]]:
                return False
            self.place, self.last, self.ahead, self.comes_first = place, "", "", False
        elif action is not None and not is_number:
            if self.place is None or self.turn:
                if self.turn == len(self.turns):
                    return False
                self.place, self.turn = self.turns[self.turn], self.turn + 1
            share, self.ahead, self.last = self.ahead, "", action
            self.mixes[self.place[0]][self.place[1]][action] = self._share(share) if share else 1
        else:
            if self.place is None or self.turn:
                return word.isdecimal()  # the number of a profile; shares need names
            self.comes_first |= not self.last
            if self.comes_first:
                self.ahead = word
            else:
                self.mixes[self.place[0]][self.place[1]][self.last] = self._share(word)
        return True

    def _share(self, word: str) -> Number:
        """The share in a word: that of the last action in an equilibrium, if rounded to two places or more it is so."""
        plain = format(Decimal(word[:-1]) / 100, "f") if re.fullmatch(r"[\d.]+%", word) else word.rstrip("%")
        player, name = self.place or self.turns[0]
        known = (one[player][name].get(self.last) for one in self.equilibria if re.search(r"\.\d\d", plain))
        return next((share for share in known if share and same_amount(plain, share)), exact(Fraction(plain)))


_PAIR = re.compile(r"\(\s*([^\W\d]\w*)\s*,\s*([^\W\d]\w*)\s*\)")
_DENIALS = frozenset(
    "not never no nicht nie niemals kein keine pas jamais nunca não не никогда δεν όχι 不 không cannot avoid avoids "
    "neither nor except without seldom ohne sans \\w+n't".split()
)
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
