"""Finding the answers to the parts of a question in a text: by headings at the beginnings of lines, by headings
anywhere, or by their order. The way by which most answers can be read is taken."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from gdl.explain.names import fold, with_plain_signs
from gdl.wings.exam.judged_parts import Part, filler_words, is_strange, words_in
from gdl.wings.exam.student_phrases import (
    FIGURES,
    IN_LINES,
    heading_pattern,
    in_our_words,
    phrase_pattern,
    phrases_heard,
    plain_text,
)

Found = Mapping[str, str]  # the text that answers each item; text that belongs to none is under UNREAD
UNREAD = "?"
_OWN_LINE = {"cut", "action"}  # headings whose phrases in `heard` are common words, which need a sign after them
_MARKS = " \t\n;,.|"
_OF_LABELS = {
    "no end": "greatest",
    "inf": "bound",
    "removed: none": "removed",
    "left: all": "left",
    "both": "equilibria",
}


def find_answers(parts: Sequence[Part], text: str) -> Found:
    """The text that answers each part, by item."""
    names = {word for part in parts for right in (part.right, *part.also) for word in words_in(right)}
    labels = {part.label for part in parts}
    ours = (*IN_LINES, *(FIGURES if any(map(_is_number, parts)) or "choice" in labels else ()))
    ours += tuple(word for word, label in _OF_LABELS.items() if label in labels)
    kept = "".join(f" {fold(phrase)} " for part in parts for phrase, _ in _phrases_of(part, names))
    movers = Counter(part.fields.get("mover") for part in parts)
    for part in (one for one in parts if one.fields.get("mover")):  # if only here they move, `B plays right` says where
        is_alone = movers[part.fields["mover"]] == 1
        says = r"(?: (?:plays|chooses|takes) |\s*[:=]\s*)" if is_alone else " (?:plays|chooses|takes) "
        if not is_alone or part.fields["mover"] not in {one.item for one in parts}:
            text = re.sub(rf"\b{re.escape(part.fields['mover'])}{says}", f"; {part.item}: " if is_alone else "", text)

    def is_name(word: str) -> bool:
        return fold(word) in names or f" {fold(word)} " in kept

    text = _INDEXED.sub(lambda one: one[0] if is_name(one[0]) else re.sub("[_{}]", "", one[0]), plain_text(text))
    text = in_our_words(text, ours, is_name)
    text = _in_usual_shape(parts, text)
    ways = [_by_lines(parts, text, names), _by_any_heading(parts, text, names)]
    if not ways[-1].keys() - {UNREAD}:  # no heading at all
        ways += _by_order(parts, text)
        fitting = [part for part in parts if part.judge(text) is not None]
        if len(fitting) == 1 and not _is_number(fitting[0]):
            ways.append({fitting[0].item: text.strip(_MARKS)})
    return max(ways, key=lambda found: _count_read(parts, found))  # of equals the first


def _count_read(parts: Sequence[Part], found: Found) -> int:
    return sum(part.item in found and part.judge(found[part.item]) is not None for part in parts)


def _phrases_of(part: Part, names: set[str]) -> Iterator[tuple[str, bool]]:
    """The headings of a part, and whether each needs a sign after it; `names` are words of right answers."""
    yield from ((with_plain_signs(word), False) for word in part.headings)
    for label in (part.label, "best") if part.label == "action" else (part.label,):
        for phrase in phrases_heard().get(label, ()):
            if fold(phrase) not in names:
                yield phrase.format(**part.fields), label in _OWN_LINE or label != part.label


# ---- Shapes of whole answers ----------------------------------------------------------------------------------------


_VALUE = r"([-+]?(?:inf\w*|[\d./]*\d))"
_END = rf"[\[(]?\s*{_VALUE}\s*[,;]\s*{_VALUE}\s*[\])]?"
_NUMBER = r"(-?\d[\d./]*)"
_DEEDS = {"best": r"(?:the\s+)?best", "cut": r"(?:pruned|skipped|cut(?:\s+off)?|never looked at)"}
_WHEN = r"\s+(?:exactly\s+)?(?:iff?|when|for)\b\s*"
_SHAPES: Mapping[tuple[str, ...], Mapping[str, str]] = {  # by the items of a question, patterns and what they mean
    (): {
        r"\bW/N\s*:": " ",
        **{rf"^\s*(\S+(?:(?:,| and)\s+\S+)*)\s+(?:is|are)\s+{deed}{_WHEN}": rf"{item}: \1: "
           for item, deed in _DEEDS.items()},
    },
    ("greatest", "least"): {
        rf"{_NUMBER}\s*<=\s*\w+\s*<=\s*{_NUMBER}|\b(?:from|von|من) {_NUMBER} (?:to|bis|إلى) {_NUMBER}\s*,?":
            r"least: \1\3; greatest: \2\4;",
        rf"\b(?:between|zwischen|بين) {_NUMBER} and {_NUMBER}|\[\s*{_NUMBER}\s*[,;]\s*{_NUMBER}\s*\],?":
            r"least: \1\3; greatest: \2\4;",
        rf"\w+ (?:must be )?(?:at least|>=) {_NUMBER} and (?:at most|<=) {_NUMBER}": r"least: \1; greatest: \2",
        rf"^\s*\w+\s*>=\s*{_NUMBER}\s*$": r"least: \1; greatest: none",
        r"(?:there is )?\bno (?:greatest|largest|maximum|upper limit)(?: number)?": "; greatest: none",
        r"(?:there is )?\bno (?:least|smallest|minimum|lower limit)(?: number)?": "; least: none",
    },
    ("replies", "equilibria"): {
        r"\bBR_?\{?(\w+?)\}?\s*\((\w+)\)\s*=\s*(?:\{([^{}]*)\}|([^\s,;.]+))[,;.]?":
            r"\nreplies: \1 | \2: \3\4\n",
        r"\A(?![\s\S]*(?:equilib\w*\s*[:=]|repl))((?:[^(\n:>]*(?:->|:)){3}[^(\n]*)$": r"replies: \1",
        r"\A(replies: [^\n]*)\n+(?=[^\n:|>]*$)": r"\1\nequilibria: ",
    },
    ("removed", "left"): {
        r"\([^()\s]+ dominates \w+\)": "", r"(?<![^\s,;.])[^\s,;.]+ (?:strictly )?dominates (?=\S)": "",
        r"\b(?:is |are )?(?:(?:strictly|also|now) )*dominated by [^\s,;.]+": "",
        r"\bby [^\s,;.]+(?=[\s\S]{0,500}(?:left|remain|surviv))": "",
        r"(?<![^\s,;.<>])(?:([^\s,;.<>]+)\s*<\s*[^\s,;.<>]+|[^\s,;.<>]+\s*(?<![-=])>\s*([^\s,;.<>]+))":
            r"\1\2",  # X < Z, M < N
        r"(?:^|[;.]\s+)([^;.\n:]*?)(?<!\s)\s+(?:remain|are left|survive)\b\s*\.?\s*$": r"; left: \1",
    },
    ("count", "seen"): {
        r"\A\s*(\d+)\s*[:(]\s*([^:()]*?)\)?[\s.]*\Z": r"count: \1; seen: \2",
        r"\(\s*(\d+)\s*\)\s*\.?\s*\Z": r"; count: \1",
    },
    ("next",): {r"(?:->|=>)\s*([^\s,;.:]+)[\s.]*\Z": r"; next: \1"},
    ("winner", "first"): {
        r"^\s*((?:player )?(?:[12]|one|two|first|second)(?: player)?)(?: \([^()]*\))?\.\s+(?!Spieler)(?=\S)":
            r"winner: \1; first move: ",
        r"^\s*(.+?)\s+wins:?\s+(?=\S)": r"winner: \1; first move: ",
        r"\A\s*(?:the )?([^.\n]+?)\s+wins[\s.!]*\Z": r"winner: \1",
        rf"^(?!.*first move|\s*(?:{heading_pattern('first')})\s*:?(?<=:))(.*?)[\s,:;]*(?<![\w(])(?=\w+\([^()]*\))":
            r"\1; first move: ",
    },
}  # fmt: skip
_INDEXED = re.compile(r"(?<!\w)[^\W\d_]_\{?\d+\}?")  # such as a_1


def _in_usual_shape(parts: Sequence[Part], text: str) -> str:
    """The text with sentences that answer several parts at once as answers under headings."""
    items = {part.item for part in parts}
    for both, patterns in _SHAPES.items():
        for pattern, shape in patterns.items() if items.issuperset(both) else ():
            text = re.sub(pattern, shape, text, flags=re.IGNORECASE | re.MULTILINE)
    nodes = [part.fields["node"] for part in parts if part.label == "exit"]
    if nodes:
        text = re.sub(rf"(?:alpha|α)\s*=?\s*{_VALUE}\s*[,;]?\s*(?:and )?(?:beta|β)\s*=?\s*{_VALUE}", r"[\1, \2]", text)
        names = "|".join(map(re.escape, nodes))
        ends = {end: f"(?i:{'|'.join(map(phrase_pattern, phrases_heard()['at ' + end]))})" for end in ("entry", "exit")}
        pair = "".join(rf"(?:[\s|:,;/]|->|=>|{phrase})*{_END}(?: *{phrase})?" for phrase in ends.values())
        text = re.sub(rf"(?<!\w)({names})\b{pair}", r"\n\1 entry: [\2, \3]\n\1 exit: [\4, \5]\n", text)
        for end, phrase in ends.items():  # `enter A: …; leave A: …`, or `A in …`
            head = rf"(?:(?:^|(?<=[;,.\n])) *{phrase} +({names})|(?<!\w)({names})[\s:,]+{phrase})[\s:]*{_END}"
            text = re.sub(head, rf"\n\1\2 {end}: [\3, \4]\n", text)
        one = re.compile(rf"(?<!\w)({names})\s*[:=]?\s*{_END}")
        for line, label in re.findall(r"^(\s*(entry|exit):.*)$", text, re.MULTILINE):  # `entry: A (…), B (…)`
            text = text.replace(line, one.sub(rf"\n\1 {label}: [\2, \3]\n", line))
    return text


# ---- Headings -------------------------------------------------------------------------------------------------------


def _by_lines(parts: Sequence[Part], text: str, names: set[str]) -> Found:
    """The text under each heading at the beginning of a line, or after a semicolon."""
    words = {" ".join(word.split()).casefold(): part.item for part in parts for word, _ in _phrases_of(part, names)}
    longest = sorted(words, key=len, reverse=True)
    heading = re.compile(
        rf"(?:^|\n|;)\s*({'|'.join(map(re.escape, longest))})\s*(?::|->|=(?!=)|(?=\[|\s(?:to|min|max)\b))",
        re.IGNORECASE,
    )
    pieces, found, rest = heading.split(text), dict[str, str](), list[str]()
    numbers = {part.item for part in parts if _is_number(part)}
    for word, said in zip(pieces[1::2], pieces[2::2], strict=True):
        after = _AFTER_NUMBER.search(said) if words[word.casefold()] in numbers else None
        rest += [after[0]] if after else []
        _add(found, words[word.casefold()], said[: after.start() if after else None].strip(" \n;"))
    open_ = parts[-1].item if parts and (len(parts) == 1 or parts[-1].item == "equilibria") else ""
    if open_ and open_ not in found and pieces[0].strip():
        found[open_] = pieces[0].strip()
        head, _, more = found[open_].partition("\n")
        rest += [head] if more and not re.search(r"[(\d]", head) else []  # it may answer another part
    elif pieces[0].strip():
        rest.insert(0, pieces[0])
    return _with_rest(parts, found, rest)


_AFTER_NUMBER = re.compile(r"(?:(?<=\d)\.|;)[\s,]+(?=[^\W\d])[\s\S]+")  # a sentence of its own


def _with_rest(parts: Sequence[Part], found: dict[str, str], rest: Sequence[str]) -> Found:
    """The answers, and what is left of the text: the answer to the one part without, if it can be, else UNREAD."""
    rest = [one.strip(_MARKS) for one in rest if words_in(one)]
    missing = [part for part in parts if part.item not in found]
    fitting = [one for one in rest if len(missing) == 1 and missing[0].judge(one) is not None
               and not (_is_number(missing[0]) and is_strange(words_in(one), filler_words()))]  # fmt: skip
    if len(fitting) == 1:
        found[missing[0].item] = fitting[0]
        rest.remove(fitting[0])
    return {**found, **({UNREAD: " ".join(" ".join(rest).split())} if rest else {})}


def _add(found: dict[str, str], item: str, said: str) -> None:
    found[item] = f"{found[item]}; {said}" if found.get(item) else said


def _by_any_heading(parts: Sequence[Part], text: str, names: set[str]) -> Found:
    """The text after each heading, wherever it stands; or before it, if the text ends with a heading. A number may
    stand before its heading; a heading at once after another is an answer to it."""
    items, patterns = dict[str, str](), list[str]()
    for part in parts:
        for word, needs_sign in _phrases_of(part, names):
            items.setdefault(" ".join(word.split()).casefold(), part.item)
            is_answer = fold(word) in names
            after = r"(?=\s*[:=])" if needs_sign else r"(?=\s*[:=]|\s+(?:[-+]?\d|inf))" if is_answer else ""
            patterns.append(phrase_pattern(word) + after)
    longest = "|".join(sorted(patterns, key=len, reverse=True))
    heading = re.compile(rf"({longest})(\s*(?::|->|=(?![<>=])))?", re.IGNORECASE)
    pieces = heading.split(text)
    heads, said = [" ".join(word.split()) for word in pieces[1::3]], [pieces[0], *pieces[3::3]]
    for at in range(len(heads) - 1, 0, -1):
        if not said[at].strip() and not pieces[3 * at - 1]:  # `choose a1`, where a1 is a heading too
            said[at : at + 2] = [f"{heads.pop(at)} {said[at + 1]}"]
            del pieces[3 * at + 1 : 3 * at + 4]
    return _assign(parts, [items[head.casefold()] for head in heads], said, any(pieces[2::3]))


def _assign(parts: Sequence[Part], heads: list[str], said: list[str], has_signs: bool) -> Found:
    """The answers to the items `heads`, where the text `said[0]` stands before the first, and the others after each;
    `has_signs`: some headings have a sign such as a colon after them."""
    by_item, found, rest = {part.item: part for part in parts}, dict[str, str](), list[str]()
    for at in range(len(heads) - 1, -1, -1):
        number = re.search(r"(?<![\w.,])(\d+)\s*$", said[at])
        if number and _is_number(by_item[heads[at]]) and not _LONE_NUMBER.match(said[at + 1]):
            _add(found, heads.pop(at), number[1])  # `7 leaves`
            said[at] = said[at][: number.start()]
            rest.append(said.pop(at + 1))
    if heads and not words_in(said[-1]):
        before = re.fullmatch(r"(.*(?:[.;]\s|\n|,\s(?![^(]*\))|\band\s))\s*(.*?)\s*", said[-2], re.DOTALL)
        if not has_signs and words_in(said[0]) and len(heads) > 1:
            said = [said[-1], *said[:-1]]  # each answer stands before its heading
        elif before:
            said = [*said[:-2], before[1], before[2]]  # the last one does
    rest += said[:1]
    for item, answer in zip(heads, said[1:], strict=True):
        has_number = _is_number(by_item[item]) or "/" in by_item[item].right  # as W/N has
        ends = r"[,;\n](?!\d)|\s/\s|(?<=\d)\.\s+(?=[^\W\d])" if has_number else r"\n"
        first, *others = re.split(ends, answer.strip(_MARKS), maxsplit=1)
        more = "".join(others)
        if more and by_item[item].judge(first) is not None:
            rest, answer = [*rest, more], first
        _add(found, item, answer.strip(_MARKS))
    return _with_rest(parts, found, rest)


_LONE_NUMBER = re.compile(r"[\s:=]*-?\d[\d./]*\s*(?:$|[;.\n]|,\s*[^\s\d+-])")


def _is_number(part: Part) -> bool:
    return part.check.get("check") == "number"


def _by_order(parts: Sequence[Part], text: str) -> Iterator[Found]:
    """The pieces of the text as the answers in turn, if there are as many, and each can be read."""
    for between in (r"\n+|;", r"[,;\n]+(?![^(]*\))", r"\s/\s", *([r"[,;\s]+"] if len(parts) > 2 else [])):
        pieces = [piece.strip(_MARKS) for piece in re.split(between, text.strip(_MARKS))]
        if len(pieces) == len(parts) and all(
            part.judge(piece) is not None and (not _is_number(part) or re.fullmatch(r"[-+]?(?:[\d./]*\d|inf)", piece))
            for part, piece in zip(parts, pieces, strict=True)
        ):
            yield {part.item: piece for part, piece in zip(parts, pieces, strict=True)}
