"""Reading what a student wrote about a tree, in whatever way it is written.

Claims about nodes (`A=3`, `A: 3`, `A -> 3`, `C<=2`, `C at most 2`, `E=10+`), lists (`cut: c2, c3 and d1`, `skipped
c2-c3`, `best: a1`, `answer a1 then b1`), and who wrote it (`Name: Ann`). Digits and signs may be those of any script.
Nodes and branches go by their names, by the actions that lead there, or by the way from the root, as in 2.1; what is
skipped also by the leaves' values.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from gdl.exam.key import BEST, CUT
from gdl.exam.names import ROOT, Names, with_plain_signs
from gdl.exam.phrases import PHRASES
from gdl.game import Number, Terminal, maximiser
from gdl.numbers import read_number
from gdl.solution import Path


class StudentClaim(NamedTuple):
    """`C <= 2`, as it was meant: the sign as one of = <= >= < >, the amount as text."""

    sign: str
    amount: str


@dataclass
class Answers:
    """A student's answers: claims about nodes, lists of names, and what could not be read. `written` are the lists as
    they stood there; `ambiguous` says of an item in how many ways it can be meant."""

    claims: dict[str, StudentClaim] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    written: dict[str, str] = field(default_factory=dict)
    ambiguous: dict[str, list[str]] = field(default_factory=dict)
    student: str = ""
    windows: dict[str, dict[int, str]] = field(default_factory=dict)  # by node, its ends: alpha 0, beta 1


def _phrases(name: str) -> str:
    """The words of the sheet in all its languages."""
    return "|".join(re.escape(with_plain_signs(told)) for told in PHRASES[name].values())


_NAME = r'"[^"]*"|[^\s=<>,:;"]+'
_FIGURE = r"(?:[-+]?(?:\d+,\d+(?=[\s;]|$)|[\d./]*\d|inf)\+?|负?[〇零一二两三四五六七八九十]+)(?=[\s,;.)]|$)"
_AMOUNT = r"\([^()]*\)|[-+]?\d+,\d+(?=[\s;]|$)|[^\s,;]+"
_ITEM = re.compile(
    rf"\s*(?P<name>{_NAME})\s*(?:(?P<sign><=|>=|<|>|=)\s*(?P<amount>{_AMOUNT})|"
    rf"(?P<arrow>:|->|\b(?:is|equals)\b)\s*(?P<figure>\([-+\d\s,/.]*\)|{_FIGURE}))[\s,;]*",
    re.IGNORECASE,
)
_BARE = re.compile(rf"\s*(?P<name>{_NAME})(?P<sign>)(?P<arrow>\s+)(?P<figure>{_FIGURE})(?P<amount>)[\s,;]*")
_WINDOW = re.compile(rf"\s*(?P<name>{_NAME})\s*:?\s*\[(?P<alpha>[^\[\],;]+)[,;](?P<beta>[^\[\],;]+)\][\s,;]*")
_ENDS = {"alpha": 0, "α": 0, "beta": 1, "β": 1}
_OF = r"(?:\s+(?:branch(?:es)?|nodes?|lea(?:f|ves)|edges?|subtrees?|moves?|actions?|off|are|is|at))*"
_LIST = re.compile(
    rf"\s*(?<![\w.])(?:(?P<cut>cuts?|prun(?:ed?|es)|skip(?:s|ped)?|never looked|not visited|剪枝|{_phrases('cut')})|"
    rf"(?P<best>best|answer|move|action|play|choose|solution|最佳|{_phrases('action')})){_OF}"
    r"(?:\s*(?::|->|=(?![<>=]))|(?=\s+[^\s=<>:]))",
    re.IGNORECASE,
)
_STUDENT = re.compile(rf"\s*(?:student|matr\w*|number|{_phrases('name')})\s*[:=]\s*(?P<who>\S.*)", re.IGNORECASE)
_STEP = re.compile(r"\s*(?:->|[>/])\s*")  # between the actions of a way, beside the dot
_RANGE = re.compile(r"([^\s=<>,:;\"-]+)(?:-|\.\.+|\s+(?:-|to|bis)\s+)([^\s=<>,:;\"-]+)", re.IGNORECASE)
_SIGNS: Mapping[str, str] = {
    r"=<": "<=", r"(?<!=)=>": ">=", r"\bat least\b|\bmindestens\b|τουλάχιστον|大于等于": ">=", r":=|==|等于": "=",
    r"\bat most\b|\bhöchstens\b|το πολύ|小于等于": "<=", r"(?:[=:]|->|\bis\b)\s*(?=[<>])": "",
    r"\b(?:v|value|node)\s*\(\s*([^\s()]+)\s*\)(?=\s*[:=<>-])": r"\1", r"\b(?:max|min)\s*\([^()]*\)\s*=\s*(?=\S)": "",
}  # fmt: skip
_NOTHING = {"none", "nothing", "-", "{}", "no", "∅", "keine", "nichts", "无", "không", "κανένα", "هیچ"}
_FILLERS = set("and und και 和 và و then dann & + the node nodes value of is are only max min should".split())


def read(text: str, names: Names | None = None) -> Answers:
    """The answers in a text; a node claimed twice counts as it was claimed last. With the `names` of a tree, ranges,
    leaves' values and lines of play are understood too."""
    found = Answers()
    for line in with_plain_signs(text).splitlines():
        said = line.partition("#")[0]
        if (who := _STUDENT.fullmatch(said)) and not (names and names.meanings(said.split()[0].strip(":="))):
            found.student = f"{found.student} {who['who']}".strip()
            continue
        for pattern, sign in _SIGNS.items():
            said = re.sub(pattern, sign, said, flags=re.IGNORECASE)
        _read_line(said, found, names)
    return found


def _read_line(line: str, found: Answers, names: Names | None) -> None:
    position, node = 0, ""
    unread: list[str] = []
    while position < len(line):
        if (heading := _LIST.match(line, position)) and not (names and _names_a_node(line, heading, names)):
            position = _end_of_list(line, heading.end(), names)
            _read_list(CUT if heading["cut"] else BEST, line[heading.end() : position], found, names)
        elif window := _WINDOW.match(line, position):
            found.windows[strip_quotes(window["name"])] = {0: window["alpha"].strip(), 1: window["beta"].strip()}
            position = window.end()
        elif item := _ITEM.match(line, position) or (names and _bare_claim(line, position, names)):
            name, amount = strip_quotes(item["name"]), (item["amount"] or item["figure"]).removesuffix(".")
            sign = item["sign"] or "="
            if sign == "=" and amount.endswith("+"):
                sign, amount = ">=", amount[:-1]
            position = item.end()
            if (end := _ENDS.get(name)) is not None and node and not (names and names.meanings(name)):
                found.windows.setdefault(node, {})[end] = amount
                continue
            node = name
            is_root = name.casefold() in ("value", *map(str.casefold, PHRASES["value"].values()))
            found.claims[ROOT if is_root and not (names and names.meanings(name)) else name] = StudentClaim(
                sign, re.sub(r"^([-+]?\d+),(\d+)$", r"\1.\2", amount)
            )
        else:
            word_end = re.compile(r"\s*\S+\s*|\s+").match(line, position)
            assert word_end is not None
            word = line[position : word_end.end()].strip(" \t,;")
            if names and names.meanings(word.strip(":")):
                node = word.strip(":")
            else:
                unread.append(word)
            position = word_end.end()
    if any(word and word.casefold().strip(".") not in _FILLERS for word in unread):
        found.unread.append(" ".join(filter(None, unread)))


def _bare_claim(line: str, position: int, names: Names) -> re.Match[str] | None:
    """`A 8`, where A is a node."""
    found = _BARE.match(line, position)
    return found if found and names.meanings(found["name"]) else None


def _names_a_node(line: str, heading: re.Match[str], names: Names) -> bool:
    """Whether what looks like a heading without a colon is the name of a node."""
    return not line[: heading.end()].endswith((":", "=", ">")) and bool(names.meanings(heading[0].strip()))


def _end_of_list(line: str, start: int, names: Names | None) -> int:
    """A list ends at the next heading or claim, or with the line. A claim with an arrow may be a step of a way."""
    claims = (m.start() for m in _ITEM.finditer(line, start) if not _is_step(m, names))
    heading = _LIST.search(line, start)
    return min([len(line), *([heading.start()] if heading else []), *claims])


def _is_step(item: re.Match[str], names: Names | None) -> bool:
    sign = item["sign"] or item["arrow"]
    way = f"{item['name']}.{item['amount'] or item['figure']}"
    return sign in (">", "->") and (names is None or bool(names.meanings(way)))


def strip_quotes(name: str) -> str:
    return name.strip("\"'")


# ---- Lists --------------------------------------------------------------------------------------------------------


def _read_list(item: str, text: str, found: Answers, names: Names | None) -> None:
    """The names in a list, each as the tree has it where that is known."""
    found.written[item] = f"{found.written.get(item, '')} {text}".strip(" ,;.")
    if names is not None:
        text = _RANGE.sub(lambda ends: _spread(ends, names), text)
    tokens = [_without_brackets(strip_quotes(token), names) for token in re.findall(_NAME, _STEP.sub(".", text))]
    tokens = [token for token in tokens if (names and names.meanings(token)) or token.casefold() not in _FILLERS]
    meant = found.lists.setdefault(item, [])
    if names is None:
        meant += tokens
    elif item == CUT:
        meant += [token for token in tokens if token.casefold() not in _NOTHING]
        _take_values(meant, found, names)
    else:
        known = [token for token in tokens if names.meanings(token)]
        meant += _first_of_line([names.path(token) for token in known], names) or known or tokens
    for token in meant if names else ():
        found.ambiguous.setdefault(item, [])
        found.ambiguous[item] += _meanings(token, names) if names else []


def is_nothing(names: Sequence[str]) -> bool:
    """Whether a list says that it is empty."""
    return all(name.casefold() in _NOTHING for name in names)


def _without_brackets(token: str, names: Names | None) -> str:
    """The token without a full stop or brackets that belong to the sentence."""
    return token if names and names.meanings(token) else token.strip("().[]{}") or token


def _spread(ends: re.Match[str], names: Names) -> str:
    """`c2-c4`: all siblings from the one to the other."""
    first, last = (names.path(strip_quotes(end)) for end in ends.groups())
    if names.meanings(ends[0]) or not first or not last or first[:-1] != last[:-1]:
        return ends[0]
    return " ".join(f'"{names.way((*first[:-1], place))}"' for place in range(first[-1], last[-1] + 1))


def _take_values(meant: list[str], found: Answers, names: Names) -> None:
    """Numbers that are no names of nodes are leaves' values: all leaves of a value that is written as often, else one
    that is the only one."""
    figures = [token for token in meant if _number(token) is not None]
    if all(names.meanings(token) for token in figures):
        return
    leaves = _leaves_by_value(names)
    for token, times in Counter(figures).items():
        paths = leaves.get(_number(token), [])
        if len(paths) == times:
            meant[:] = [*(other for other in meant if other != token), *map(names.way, paths)]
        elif paths:
            found.ambiguous.setdefault(CUT, []).append(f"{token} may be {' or '.join(map(names.branch, paths))}")


def _leaves_by_value(names: Names) -> Mapping[Number | None, list[Path]]:
    """The ends of the tree by what the maximiser gets there."""
    found: dict[Number | None, list[Path]] = {}
    for path in names.paths:
        node = names.nodes.at(path).node
        if isinstance(node, Terminal):
            found.setdefault(node.utilities[maximiser(names.nodes.game.players)], []).append(path)  # type: ignore[arg-type]
    return found


def _number(text: str) -> Number | None:
    try:
        return read_number(text)
    except ValueError:
        return None


def _first_of_line(paths: Sequence[Path | None], names: Names) -> list[str]:
    """`a1 then b1`, or `a1.b1`: the action at the root with which a line of play begins."""
    if None in paths or not paths:
        return []
    line = [path for path in paths if path is not None]
    follows = all(later[:-1] == path for path, later in pairwise(line))
    return [names.way(line[0][:1])] if follows and line[0] else []


def _meanings(token: str, names: Names) -> Iterator[str]:
    """`N may be a or b`, where a name is that of several nodes."""
    paths = names.meanings(token)
    if len(paths) > 1:
        yield f"{token} may be {' or '.join(map(names.way, paths))}"


def hanzi_figure(text: str) -> str:
    """The number that Chinese numerals such as 十二 stand for, in digits; another text as it is."""
    if text.isascii() or not all(unicodedata.numeric(sign, None) is not None for sign in text.removeprefix("负")):
        return text
    tens, ones = 0, 0
    for sign in text.removeprefix("负"):
        amount = int(unicodedata.numeric(sign))
        tens, ones = (tens + 10 * (ones or 1), 0) if amount == 10 else (tens, amount)
    return f"{'-' * text.startswith('负')}{tens + ones}"
