"""Reading what a student wrote about a tree, in whatever way it is written.

Claims about nodes (`A=3`, `A: 3`, `A -> 3`, `C<=2`, `C at most 2`, `E=10+`), lists (`cut: c2, c3 and d1`, `skipped
c2-c3`, `best: a1`, `answer a1 then b1`), and who wrote it (`Name: Ann`). Digits and signs may be those of any script.
Nodes and branches go by their names, by the actions that lead there, or by the way from the root, as in 2.1; what is
skipped also by the leaves' values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from gdl.explain.key import BEST, CUT
from gdl.explain.names import ROOT, Names, with_plain_signs
from gdl.game import Terminal, maximiser
from gdl.numbers import to_text
from gdl.solution import Path
from gdl.wings.exam.phrases import in_all_languages
from gdl.wings.exam.student_phrases import (
    IN_TREES,
    heading_pattern,
    in_our_words,
    phrases_heard,
    plain_text,
    without_slips,
)


class StudentClaim(NamedTuple):
    """A claim about a node's value such as `C <= 2`: its sign, one of = <= >= < >, and the amount as text."""

    sign: str
    amount: str


@dataclass
class Answers:
    """A student's answers: claims about nodes, lists of names by item, and text that could not be read. `written` holds
    each list in the student's own words, `ambiguous` the possible meanings of an item that has several."""

    claims: dict[str, StudentClaim] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    written: dict[str, str] = field(default_factory=dict)
    ambiguous: dict[str, list[str]] = field(default_factory=dict)
    student: str = ""
    windows: dict[str, dict[int, str]] = field(default_factory=dict)  # by node, its ends: alpha 0, beta 1


def _phrases(name: str) -> str:
    """A regular expression for the phrase of that name in any language."""
    return "|".join(re.escape(with_plain_signs(told)) for told in in_all_languages(name))


_NAME = r'"[^"]*"|(?:[^\s=<>,:;"-]|-(?!>))+'
_BEGINS = r'(?<![^\s=<>,:;"])'  # before a name: a search that begins in the middle of words takes quadratic time
_FIGURE = (
    r"(?:[-+]?(?:\d+,\d+(?=[\s;]|,\s|$)|[\d./]*\d|inf)[+-]?|负?[〇零一二两三四五六七八九十]+)(?=[\s,;)]|\.(?!\d)|$)"
)
_AMOUNT = r"\([^()]*\)|[-+]?\d+,\d+(?=[\s;]|,\s|$)|[^\s,;]+"
_ITEM = re.compile(
    rf"\s*(?P<name>{_NAME})\s*(?:(?P<sign><=|>=|<|>|=)\s*(?P<amount>{_AMOUNT})|"
    rf"(?P<arrow>:|->|\b(?:is|equals)\b)\s*(?P<figure>\([-+\d\s,/.]*\)|{_FIGURE}))[\s,;]*",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"\s*+[(\[]?(?P<name>\"[^\"]*\"|[^\s=<>,:;|\"()\[\]]++)(?:[)\]]\s*+|\s++|\s*+[,:|]\s*+|(?=[<>=]))[,:|]?\s*+"
    rf"(?P<sign><=|>=|[<>=])?\s*+(?P<figure>{_FIGURE.replace('(?=[', '(?=[|')})[\s,;|]*"
)
_WINDOW = re.compile(  # without a name, it is that of the node before it
    rf"\s*(?P<name>(?:{_NAME})?)\s*:?\s*(?:\[|\((?=[^()]*inf)|(?<![\w:\s])\((?=[-+\d]))(?P<alpha>[^\[\](),;]+)[,;]"
    r"(?P<beta>[^\[\](),;]+)[\])][\s,;]*"
)
_ENDS = {"alpha": 0, "α": 0, "beta": 1, "β": 1}
_OF = (
    r"(?:\s+(?:branch(?:es)?|nodes?|lea(?:f|ves)|edges?|subtrees?|moves?|actions?|choices?|off|are|is|at|above|"
    r"wird|werden|sind|ist|Zug|Aktion|coup|jugada))*"
)
_LIST = re.compile(
    rf"\s*(?<![\w.])(?<!not )(?:(?P<cut>✂|cut|never looked|{_phrases('cut')})|"
    rf"(?P<best>best|solution|line|pv|{_phrases('action')})){_OF}(?:\s*(?::|->|=(?![<>=]))|(?=\s+[^\s=<>:]))",
    re.IGNORECASE,
)
STUDENT = re.compile(
    rf"\s*(?:(?:student|matr\w*|number|{heading_pattern('name')})\s*[:=]|matr\w*\.?(?:\s*n[or]\.?)?(?=\s*\d))\s*(?P<who>\S.*)",
    re.IGNORECASE,
)
_STEP = re.compile(r"\s*(?:->|[>/])\s*")  # between the actions of a way, beside the dot
_RANGE = re.compile(r"([^\s=<>,:;\"-]+)(?:-|\.\.+|\s+(?:-|to|bis)\s+)([^\s=<>,:;\"-]+)", re.IGNORECASE)
_NUMBER = r"(?<![\w.=<>] )(?<![\w./=<>])([-+]?\d[\d./]*)\s*"
_EDGE = re.compile(r"\(\s*([^\s=<>,:;\"()-]+)\s*,\s*([^\s=<>,:;\"()-]+)\s*\)")
_PLACE = re.compile(r"^\s*[^\s:,]+\s*:(?=\s*\S)")  # where it is cut
_SIGNS: Mapping[str, str] = {
    r"<\s*([-+]?\d[\d./]*(?:\s*[,;]\s*[-+]?\d[\d./]*)+)\s*>": r"(\1)",  # a vector
    r'"(\w+)"\s*:': r"\1:", r'\[((?:\s*"[^"]*"\s*,?)+)\]': r"\1",
    r"([<>])\s+=": r"\1=", r'"([<>]=?[^"]*)"': r"\1",
    r"=<": "<=", r"(?<!=)=>": ">=",
    r":=|==|等于": "=", r"\binfinity\b": "inf",
    r"\b\w+\s*=\s*[-\d./]{1,40}\s*[<>]=?\s*(?:alpha|beta|α|β)\s*=\s*[^\s,]{1,40},?\s*(?:so|hence|thus|therefore)\s": "",
    r"^\s*\{(.*)\}\s*$|^\s*[{}]\s*$": r"\1",
    r"^[\s|:-]+$|^\s*\||\|\s*$": "",
    r"(?:[:=](?:(?=[^=]*(?:[+*/(]|\d\s*-\s*\d))[-+*/()\d.\s]+|(?=[^=,]*,)(?=[^=]*[+*])[-+*()\d.,\s]+)(?==))+=\s*(?=[-+(\d])":
        "= ",  # sums
    r"(?<![<>=])=\s*([^\W\d]\w*)\s*=\s*(\([^()]*\)|[-+]?\d[\d./]*)": r"= \2 \1 = \2",  # R = b = 1
    r"\s/\s(?=[^\W\d])": "; ", r"\((?:alpha|beta)[ -]?cut\)": "", r"\(([^()]+?) (?:is |are )?cut\)": r"; cut: \1;",
     r"\broot (?=-?\d)": "root = ",
    r"\b(root\s*=\s*\S+) via (?=\S)": r"\1 best: ",
    r"(?:∈|\bin\b|=)\s*\[\s*([^\s,;]{1,40})\s*[,;]\s*\+?inf\s*[)\]]": r" >= \1",
    r"(?::|(?<=\w)\s)\s*\[\s*([^\s,;]{1,40})\s*[,;]\s*\+?inf\s*\)": r" >= \1",  # with a bracket it is a window
    r"(?:∈|\bin\b|=)\s*[(\[]\s*-inf\s*[,;]\s*([^\s,;]{1,40})\s*\]": r" <= \1",
    r"(?::|(?<=\w)\s)\s*\(\s*-inf\s*[,;]\s*([^\s,;]{1,40})\s*\]": r" <= \1",
    r"(?:∈|\bin\b|=)\s*\[\s*([^\s,;\[\]]{1,40})\s*[,;]\s*\1\s*\]": r" = \1",  # an interval of one value
    r"(?:[:=]|\bis\b|(?<=\w)\s)\s*([^\s,;]{1,40}) (?:or more|oder mehr)\b": r" >= \1",
    r"(?:[:=]|\bis\b|(?<=\w)\s)\s*([^\s,;]{1,40}) (?:or less|oder weniger)\b": r" <= \1",
    **{rf"{_NUMBER}{sign}(?!=)\s*([^\W\d]\w*)(?![\w(])": rf"\2 {turned} \1"
       for sign, turned in (("<=", ">="), (">=", "<="), ("<", ">"), (">", "<"), ("=", "="))},
    r"(?<=[^\s:])\s+\([^()\d,]{2,}\)(?=\s*[=<>:])": "",
    r"(?:[=:]|->|\bis\b)\s*(?=[<>])": "",
    r"\b(?:v|val|value|node|minimax)\s*\(\s*([^\s()]+)\s*\)(?=\s*[:=<>-])": r"\1",
    r"=\s*(?:max|min)\s*[({][^(){}]*[)}]\s*(?=[<>=])|\b(?:max|min)\s*[({][^(){}]*[)}]\s*=\s*(?=\S)": "",
    r"^\s*(?:[-*•]|\d+[.)]|[a-z]\)(?=\s+[^\s=<>:].*[=:]))\s+(?=\S)": "",
    r"\s+because\b[^;]*": "", r"\((?:under|below|at|of|via|from|by|as|since|because) [^()]*\)": "",
    r"\(((?:cut|prun|skip)[^()]*)\)": r"; \1", r"^\s*(cut|pruned|skipped|best)\s*[,|]\s*(?=\S)": r"\1: ",
    r"^\s*(?:no|kein\w*|nichts|nothing)\b.*\b(?:cut\S*|prun\w+|skipped|abgeschnitten)\W*$": "cut: none",
    r"^(.*\S)\s+(?:is|are|was|were)\s+(?:pruned|cut(?: off)?|skipped|never (?:looked at|visited)|not visited)\W*$":
        r"cut: \1",
    r"(^|[.;] )(\S+) (?:is|was) (?:pruned|cut(?: off)?|skipped),? (?:as|and so) (?:is|was) ([^\s.,;]+)\.?":
        r"\1cut: \2 \3;",
    r"^\s*(\S+) is (?:the )?best(?: action| move)?\W*$": r"best: \1",
}  # fmt: skip
_NOTHING = {"none", "nothing", "-", "{}", "no", "∅", "keine", "nichts", "无", "không", "κανένα", "هیچ"}
_NOT = {"not", "isn't", "never", "nicht"}
_NOTHING |= {word for told in in_all_languages("none") for word in told.split()} | {*phrases_heard()["none"]}
_FILLERS = set(  # and nothing at all, which a lone dot leaves
    " and so und και 和 và و et y then dann & + | the node nodes value of is are only max min max's should we "
    "-> => alpha-beta alpha beta optimal with branch subtree or branches action child leaves e i ve oraz to for für we "
    "can goes so therefore hence thus via at".split(" ")
)


def read(text: str, names: Names) -> Answers:
    """The answers in a text about a tree, whose nodes have the `names`; of two claims about a node the last counts."""
    found, heading = Answers(), ""
    for line in plain_text(text).splitlines():
        said = line.partition("#")[0]
        if (who := STUDENT.fullmatch(said)) and not names.meanings(said.split()[0].strip(":=")):
            found.student = f"{found.student} {who['who']}".strip()
            continue
        before, was = deepcopy(found), heading
        heading = _read_said(said, found, names, heading)
        mended = without_slips(said, ("cut", "best"), names.meanings)
        if len(found.unread) > len(before.unread) and mended != said:
            again = _read_said(mended, trial := before, names, was)
            if len(trial.unread) < len(found.unread):
                found, heading = trial, again
    return found


def _read_said(said: str, found: Answers, names: Names, heading: str) -> str:
    """Read a line into `found`, and return the list that goes on in the next line; `heading` is the one that goes on
    in this line ("": none)."""
    said = in_our_words(re.sub(r"\s+", " ", said), IN_TREES, names.meanings)
    for pattern, sign in _SIGNS.items():
        said = re.sub(pattern, sign, said, flags=re.IGNORECASE)
    said = _with_plain_amounts(_with_heads_first(said, names), names)
    if heading and said.strip() and all(map(names.meanings, words := re.findall(_NAME, said))):
        said = f"{heading}: {' '.join(words)}"  # the list goes on in the lines below
    else:
        alone = _LIST.fullmatch(said)
        heading = (CUT if alone["cut"] else BEST) if alone else ""
    _read_line(_as_claims(said, names), found, names)
    return heading


def _with_heads_first(line: str, names: Names) -> str:
    """The line with `e2 and e3 are cut` as `cut: e2 and e3`, `the last 2 children of E` by their names, and figures
    that follow names at once, as in `A7 B5 C7` or `A(7) B(5) C(7)`, as claims; without what others than the mover at
    the root choose, and the values of leaves, as in `e2 (9)`."""
    line = _CHILDREN.sub(lambda found: _children_meant(found, names), line)
    game, root = names.nodes.game, names.nodes.node_at(()).node
    if others := [re.escape(one) for at, one in enumerate(game.players) if at != getattr(root, "player", at)]:
        line = re.sub(rf"(?<!\w)(?:{'|'.join(others)}) best (?=\S)", "", line, flags=re.IGNORECASE)
    valued = [one for one in _VALUED.finditer(line) if names.meanings(one[1]) and not names.meanings(one[0])]
    for one in reversed(valued):
        is_inner = any(map(names.children, names.meanings(one[1])))
        plain = f"{one[1]}={one[3]}" if is_inner and len(valued) > 2 and not one[2] else one[0] if is_inner else one[1]
        line = line[: one.start()] + plain + line[one.end() :]
    clauses = re.split(r"([.;!]+(?:\s+|$))", line)
    for at, clause in enumerate(clauses):
        found = _TAIL.fullmatch(clause)
        start = _start_of_names(found["names"], names) if found else None
        if found and start is not None:
            clauses[at] = f"{clause[:start]}; {found['item']}: {found['names'][start:]} ".removeprefix("; ")
    line = "".join(clauses)
    stuck = [one for one in _STUCK.finditer(line) if names.meanings(one[1]) and not names.meanings(one[0])]
    if len(stuck) > 2:
        line = _STUCK.sub(lambda one: one[0] if names.meanings(one[0]) else f"{one[1]}={one[2]}", line)
    return line


def _start_of_names(text: str, names: Names) -> int | None:
    """The offset at which the names begin with which a text ends; None if it ends with none."""
    start = None
    for word in reversed(list(re.finditer(_NAME, text))):
        is_name = bool(names.meanings(_without_marks(strip_quotes(word[0].strip("().")), names)))
        if text[: word.start()].rstrip().endswith(("=", "<", ">")) or not (is_name or word[0].casefold() in _FILLERS):
            break
        start = word.start() if is_name else start
    return start


_TAIL = re.compile(
    r"(?P<names>.*?\S)\s+(?:(?:is|are|was|were|be|been|get|gets|as|can|could|has|have|will|wurde|wurden)\s+)*"
    r"(?P<item>cut|best)(?:\s+(?:as well|too|off|away))?\s*",
    re.IGNORECASE,
)
_VALUED = re.compile(r"(?<![^\s=<>,:;()])([^\s=<>,:;()]+)( ?)\((-?\d[\d./]*)\)")
_STUCK = re.compile(r"(?<!\w)([^\W\d_])(-?\d+)(?![\w.]|\s*[=<>:])")
_CHILDREN = re.compile(
    r"(?:the )?(first|last) (\d+)? ?(?:children|child|branches|branch|actions|moves|successors) "
    r"(?:of|under|below|at) ([^\s.,;]+)",
    re.IGNORECASE,
)
_PLACES = {"left": 0, "first": 0, "second": 1, "third": 2, "right": -1, "last": -1}


def _children_meant(found: re.Match[str], names: Names) -> str:
    """The names of `the last 2 children of E`; the text itself if E is no node."""
    above, count = names.path(found[3]), int((found[2] or "1")[:3])
    below = [] if above is None else names.children(above)
    chosen = below[:count] if found[1].casefold() == "first" else below[-count:]
    return " ".join(f'"{names.way(child)}"' for child in chosen) or found[0]


def _by_place(token: str, names: Names) -> str:
    """The action at the root that a word such as left or second means; any other word unchanged."""
    below, place = names.children(()), _PLACES.get(token.casefold())
    if place is None or names.meanings(token) or not -len(below) <= place < len(below):
        return token
    return names.way(below[place])


def _with_plain_amounts(line: str, names: Names) -> str:
    """The line with `4 2/3` after a node's name as 14/3, and in a game of vectors `1, 8, 9` as (1, 8, 9)."""

    def improper(found: re.Match[str]) -> str:
        name, sign, minus, whole, part, of = found.groups()
        is_list = not names.meanings(name)
        return found[0] if is_list else f"{name}{sign}{minus}{int(whole) * int(of) + int(part)}/{of}"

    mixed = rf"{_BEGINS}({_NAME})(\s*(?:[=<>:]+|->|\bis\b)\s*)(-?)(\d{{1,9}}) (\d{{1,9}})/(\d{{1,9}})(?![\w/]|\.\d)"
    line = re.sub(mixed, improper, line)
    game = names.nodes.game
    if (players := len(game.players)) == 1 or (players == 2 and game.traits.constant_sum is not None):
        return line
    slashes = rf"(?<![\w/.])-?\d+(?:/-?\d+){{{players - 1}}}(?![\w/])"
    line = re.sub(slashes, lambda one: f"({one[0].replace('/', ',')})", line) if players > 2 else line
    figure = r"[-+]?(?:\d+/)?\d+(?:\.\d+)?"
    line = re.sub(rf"[\[{{(]\s*({figure}(?:[\s,;|/]+{figure}){{{players - 1}}})\s*[\]}})]",
                  lambda found: f"({','.join(re.findall(figure, found[1]))})", line)  # fmt: skip
    line = re.sub(
        rf"{_BEGINS}({_NAME})\s+(?=\()", lambda one: f"{one[1]} = " if names.meanings(one[1]) else one[0], line
    )
    amounts = rf"[-+]?[\d./]*\d(?:\s*[,;]\s*[-+]?[\d./]*\d|\s+[-+]?[\d./]*\d){{{players - 1}}}"
    return re.sub(rf"([=:]|->|\bis\b)\s*({amounts})(?!\w|[,;./]\s*\d|\s*[-=<>:])", r"\1 (\2)", line)


def _as_claims(line: str, names: Names) -> str:
    """The line as claims with signs, if it is a list of pairs such as `D 3, (E) >= 10` or `D,3;E,>=10`, or begins
    with three before other lists; else unchanged."""
    position, claims = 0, list[str]()
    while (pair := _PAIR.match(line, position)) and names.meanings(strip_quotes(pair["name"])):
        claims.append(f"{pair['name']}{pair['sign'] or '='}{pair['figure']}")
        position = pair.end()
    is_told = position >= len(line) or (len(claims) > 2 and _LIST.match(line, position))
    return " ".join([*claims, line[position:]]) if is_told else line


def _read_line(line: str, found: Answers, names: Names) -> None:
    position, node = 0, ""
    unread, chosen = list[str](), list[str]()
    while position < len(line):
        heading = _LIST.match(line, position)
        if heading and (heading[0][-1] in ":=>" or not names.meanings(heading[0].strip())):
            position = _end_of_list(line, heading.end(), names)
            _read_list(CUT if heading["cut"] else BEST, line[heading.end() : position], found, names)
        elif (window := _WINDOW.match(line, position)) and (window["name"] or node):
            where = strip_quotes(window["name"]) or node
            found.windows[where] = dict(enumerate(map(str.strip, window.group("alpha", "beta"))))
            position = window.end()
        elif item := _ITEM.match(line, position):
            node = _read_claim(item, node, found, names)
            position = item.end()
        else:
            word, space = re.compile(r"\s*(\S*)(\s*)").match(line, position).groups()  # type: ignore[union-attr]
            position = line.index(word, position) + len(word + space)
            word = word.strip(",;")
            chosen += [word.strip(".()")] if position >= len(line) or names.path(node) == () else []
            node = word.strip(":") if names.meanings(word.strip(":")) else node
            unread.append(word)
    fillers = _FILLERS.union(*(player.casefold().split() for player in names.nodes.game.players))
    strange = (plain for word in unread if (plain := word.strip(".()")).casefold() not in fillers)
    if not all(names.meanings(word.strip(":")) for word in strange):
        found.unread.append(" ".join(filter(None, unread)))
    elif best := {names.way(path) for path in map(names.path, chosen) if path and len(path) == 1}:
        found.lists.setdefault(BEST, sorted(best))  # actions of the root, at the end or after its value


def _read_claim(item: re.Match[str], node: str, found: Answers, names: Names) -> str:
    """Read a claim into `found`, and return the name of its node. `alpha = 3` or `beta = 3` concerns the window of the
    last `node`, which is then returned."""
    name, amount = strip_quotes(item["name"]), (item["amount"] or item["figure"]).removesuffix(".")
    name = _without_marks(name, names)
    is_new = not names.meanings(name)
    if node and is_new and name in _ENDS:
        found.windows.setdefault(node, {})[_ENDS[name]] = amount
        return node
    is_root = is_new and name.casefold() in ("value", *map(str.casefold, in_all_languages("value")))
    amount, end = re.fullmatch(r"(.*?)((?<=\d)[+-])?", amount).groups()  # type: ignore[union-attr]
    sign = {"+": ">=", "-": "<="}.get(end, "=") if item["sign"] in ("=", None) else item["sign"]
    amount = re.sub(r"^([-+]?\d+),(\d+)$", r"\1.\2", amount)
    found.claims[ROOT if is_root else name] = StudentClaim(sign, amount)
    return name


def _end_of_list(line: str, start: int, names: Names) -> int:
    """The offset at which a list ends: at the next heading or claim, else at the end of the line. A claim with an arrow
    that may be a step of a play does not end it."""
    heading = _LIST.search(line, start)
    stop = heading.end() if heading else len(line)
    claims = (m.start() for m in _ITEM.finditer(line, start, stop) if not _is_step(m, names))
    ends = (m.start() for m in _END.finditer(line, start, stop) if not m[1] or not names.meanings(m[1].strip(".,;")))
    return min([len(line), *([heading.start()] if heading else []), *claims, *ends])


_END = re.compile(r"\.\s+(\S+)|,?\s+(?:but|because|since)\b", re.IGNORECASE)  # a list ends before it


def _is_step(item: re.Match[str], names: Names) -> bool:
    sign, amount = item["sign"] or item["arrow"], item["amount"] or item["figure"]
    is_way = bool(names.meanings(f"{item['name']}.{amount}")) or not amount[-1].isdecimal()
    return sign in (">", "->") and (is_way or amount.lstrip("+-")[0].isalpha())


def _without_marks(name: str, names: Names) -> str:
    """The name; without the marks of V_D or a_{1}, or Q2 as Q.2, if only that is one of the tree."""
    plain = re.sub(r"^[uv]_|[_{}]", "", name, flags=re.IGNORECASE).rstrip(".,")
    plain = plain if names.meanings(plain) else re.sub(r"(?<=[^\W\d])(?=\d+$)", ".", plain)
    return plain if not names.meanings(name) and names.meanings(plain) else name


def read_intervals(found: Answers, asks_windows: bool) -> Answers:
    """The answers with the intervals after nodes as claims: [3, 3] is a value; unless windows on entry were asked for,
    [-inf, 2] and [2, inf] are bounds."""
    claims = dict(found.claims)
    for name, ends in found.windows.items():
        low, high = (ends.get(end, "").strip().casefold().removeprefix("+") for end in (0, 1))
        sign, amount = ("=", low) if low == high else (">=", low) if high == "inf" else ("<=", high)
        if name not in claims and (low == high or (not asks_windows and (low == "-inf") != (high == "inf"))):
            claims[name] = StudentClaim(sign, amount)
    return replace(found, claims=claims)


def strip_quotes(name: str) -> str:
    return name.strip("\"'")


# ---- Lists --------------------------------------------------------------------------------------------------------


def _read_list(item: str, text: str, found: Answers, names: Names) -> None:
    """Read the names of a list into `found`, as names of the tree if it is known."""
    found.written[item] = f"{found.written.get(item, '')} {text}".strip(" ,;.")
    text = _PLACE.sub("", text) if item == CUT else text
    before, _, last = text.rpartition(";")
    if item == CUT and before and len(names.path(_by_place((last.split() or [""])[0], names)) or ()) == 1:
        found.unread.append(last.strip())  # it may be the best action
    for pattern in (_RANGE, _EDGE):
        text = pattern.sub(lambda ends: _spread(ends, names), text)
    tokens = [_without_marks(strip_quotes(token), names) for token in re.findall(_NAME, _STEP.sub(".", text))]
    tokens = [part for token in tokens for part in _parts_of(token, names)]
    tokens = [token if names.meanings(token) else token.strip("().[]{}") or token for token in tokens]
    tokens = [one for one in tokens if (re.search(r"\w", one) or is_nothing([one])) and not _is_joint(one, names)]
    tokens = tokens if item == CUT else [_by_place(token, names) for token in tokens]
    tokens = [token for token in tokens if names.meanings(token) or token.casefold() not in _FILLERS]
    strange = [one for one in tokens if not (names.meanings(one) or is_nothing([one]) or _NAME_LIKE.match(one))]
    if item == CUT and strange:
        found.ambiguous.setdefault(item, []).append(f"'{' '.join(strange)}' was not read")
    meant = found.lists.setdefault(item, [])
    negated = not _NOT.isdisjoint(map(str.casefold, tokens))  # `not a1`, `a1 is not best`
    known = [token for token in tokens if any(names.meanings(token)) and not negated]
    if item == CUT:
        meant += tokens if is_nothing(tokens) else [token for token in tokens if not is_nothing([token])]
        _take_values(meant, found, names)
    else:
        meant += _first_of_line(known, names) or known or tokens
    for token in meant:
        if len(paths := names.meanings(token)) > 1:
            found.ambiguous.setdefault(item, []).append(f"{token} may be {' or '.join(map(names.way, paths))}")


_NAME_LIKE = re.compile(r"[a-z]?[-+]?\d*[\d./]*$|[a-z]$|[^\W\d]$", re.IGNORECASE)


def _is_joint(token: str, names: Names) -> bool:
    """True for a small letter that means `and` in some language, and is a name or an action only as a capital."""
    own = (name for path in names.meanings(token) for name in (names.name(path), names.nodes.node_at(path).action))
    return token in ("e", "i", "y", "o") and token not in own


def is_nothing(names: Sequence[str]) -> bool:
    """True if the list says that it is empty, by words such as none or a dash, or holds no name at all."""
    return all(name.casefold() in _NOTHING for name in names)


def _parts_of(token: str, names: Names) -> list[str]:
    """The nodes of a token such as `e2.e3` or `e2+e3`, if it is no sequence of actions but each part is a name; else
    the token itself."""
    parts = re.split("[.+]", token) if re.search("[.+]", token) else re.findall(r"[^\W\d]+\d+|.+", token)
    return parts if len(parts) > 1 and not names.meanings(token) and all(map(names.meanings, parts)) else [token]


def _spread(ends: re.Match[str], names: Names) -> str:
    """The names in place of a range: for `c2-c4` all siblings from the first to the last; for an edge such as `C-c2` or
    `(C, c2)` the lower node. Any other text is unchanged."""
    first, last = (names.path(strip_quotes(end)) for end in ends.groups())
    if names.meanings(ends[0]) or first is None or not last:
        return ends[0]
    if last[:-1] == first:
        return f'"{names.way(last)}"'
    if not first or first[:-1] != last[:-1] or ends.re is _EDGE:
        return ends[0]
    return " ".join(f'"{names.way((*first[:-1], place))}"' for place in range(first[-1], last[-1] + 1))


def _take_values(meant: list[str], found: Answers, names: Names) -> None:
    """Replace numbers in a list that are values of leaves and no names by those leaves, if there are as many leaves of
    the value as times it is written; otherwise note the ambiguity."""
    leaves: dict[str, list[Path]] = {}
    for path in names.paths:
        node = names.nodes.node_at(path).node
        if isinstance(node, Terminal):
            value = to_text(node.utilities[maximiser(names.nodes.game.players)])
            leaves.setdefault(value, []).append(path)
    figures = Counter(token for token in meant if token in leaves)
    if all(map(names.meanings, figures)):
        return
    for token, times in figures.items():
        if len(leaves[token]) == times:
            meant[:] = [*(other for other in meant if other != token), *map(names.way, leaves[token])]
        else:
            told = f"{token} may be {' or '.join(map(names.branch, leaves[token]))}"
            found.ambiguous.setdefault(CUT, []).append(told)


def _first_of_line(tokens: Sequence[str], names: Names) -> list[str]:
    """For a line of play, `a1 then b1` or `a1.b1`, the name of its first action alone; empty if the actions do not
    follow one another from the root."""
    line = [path for token in tokens if (path := names.path(token))]
    follows = len(line) == len(tokens) and all(later[:-1] == path for path, later in pairwise(line))
    begins = bool(line) and (len(line[0]) == 1 or "." in tokens[0])
    return [names.way(line[0][:1])] if follows and begins else []


_DIGITS = str.maketrans("负〇零一二两三四五六七八九", "-001223456789")


def hanzi_figure(text: str) -> str:
    """The number in digits for Chinese numerals such as 二十; another text unchanged."""
    tens = re.sub(r"(?<!\d)十", "1十", text.translate(_DIGITS))
    return re.sub(r"十(?!\d)", "0", tens).replace("十", "")
