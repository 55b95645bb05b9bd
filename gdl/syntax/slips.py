"""Slips of people who know how other languages write it: indices, clauses, rows and chances, in lines that do not have
the form of their section."""

from __future__ import annotations

import re

from gdl.syntax.lexer import OUTCOMES
from gdl.syntax.place import Diagnosis, Place
from gdl.syntax.shapes import PROFILES

_NUMBER = r"(?:-?\d[\d./]*|\?\w+)"  # at a leaf
_LEAVES = re.compile(rf"((?>[^\W\d]\w*[\s:]*)*+)({_NUMBER}(?>[\s,]+{_NUMBER})++)")  # on a line, behind their node
WEIGHTS = ("prob", "probability", "p", "chance", "with")  # words before a weight, elsewhere


def indices_apart(place: Place) -> Diagnosis | None:
    """The diagnosis of `mark[1][2]` or `grid: [3][3] of 0..2`: indices in several pairs of brackets."""
    if place.text != "[" or place.word_before != "]":
        return None
    written = place.source.text[place.tokens[place.line_start].start : place.token.start]
    name = re.search(r"(\w+)\[[^][]*\]\s*$", written)
    return "one pair of brackets holds all indices", f"write {name[1] if name else 'x'}[…, …]"


def first_value_late(place: Place) -> Diagnosis | None:
    """The diagnosis of `deck: set of Card visible to none = pack`, a first value behind who sees the variable."""
    line = [token.text for token in place.tokens[place.line_start : place.index]]
    if place.section != "state" or place.text != "=" or "visible" not in line:
        return None
    return "the first value of a variable stands before 'visible'", f"write: {line[0]}: TYPE = VALUE visible to …"


def set_by_property(place: Place) -> Diagnosis | None:
    """The diagnosis of `{a in Square: free(a)}`, a set written as in mathematics."""
    line = place.tokens[place.line_start : place.index]
    start = max((at for at, token in enumerate(line) if token.text == "{"), default=len(line))
    if place.text not in (":", "where") or [token.text for token in line[start + 2 : start + 3]] != ["in"]:
        return None
    domain = place.source.text[line[start + 1].start : place.token.start].strip()
    return "a set of all values that have a property is written without braces", f"write: (those {domain}: CONDITION)"


def clause_turned_round(place: Place) -> Diagnosis | None:
    """The diagnosis of a line of `terminal` whose test or outcome stands in the wrong place."""
    if place.section != "terminal" or place.opens:
        return None
    if place.head == "when" and place.index == place.line_start:
        return "a line of 'terminal' has its test before '->', without 'when'", "write: TEST -> OUTCOME"
    if place.head == "if" and place.text == ":" and "_THEN" in place.accepted:
        return "a line of 'terminal' has its test before '->', without 'if'", "write: TEST -> OUTCOME"
    if place.head in OUTCOMES and place.index == place.line_start + 1 and "_ARROW" in place.accepted:
        return f"the outcome '{place.head}' comes after its test", f"write: TEST -> {place.head} {place.text}"
    if place.text in OUTCOMES and "_ARROW" in place.accepted and place.value_ended:
        return "'->' leads from a test to its outcome", f"write '->' before '{place.text}'"
    return _outcome(place)


def _outcome(place: Place) -> Diagnosis | None:
    """The diagnosis of a slip behind the arrow of an outcome."""
    line = [token.text for token in place.tokens[place.line_start : place.index]]
    if "->" not in line:
        return None
    if place.text == ":" and line[-2] in ("->", ","):
        return (
            f"a ':' does not say what {place.word_before} gets",
            "write (1, -1), or: each p: points[p], or: pay 1 to Ann, 2 to Bob",
        )
    if place.at_line_end and line[-2] == "pay":
        return (
            "payments say to whom they go",
            f"write: -> each p: {place.word_before}[p], or: -> pay {place.word_before} to Ann",
        )
    if place.text == "," and "pay" in line and "_TO" in place.accepted:
        return "payments say to whom they go", "write: -> (1, -1), or: -> pay 1 to Ann, 2 to Bob"
    if place.token.kind in ("INT", "NUMBER") and place.before_kind == "NAME" and line[-2] in ("->", ",", "pay"):
        return "payments say to whom they go", f"write: -> pay {place.text} to {place.word_before}"
    if place.text == "," and OUTCOMES.isdisjoint(line):
        return "the utilities of several players stand in brackets", "write: -> (1, -1)"
    if place.value_due and place.text in OUTCOMES and place.token_after is not None and place.token_after.text == "[":
        return f"'{place.text}' is a word of the language and cannot be a name here", "choose another name"
    return None


def matrix_line(place: Place) -> Diagnosis | None:
    """The diagnosis of a slip in the header or a row of a matrix."""
    if place.section != "matrix" or place.opens:
        return None
    if place.text == ":" and place.index == place.line_start + 1 and "_LPAR" in place.accepted:
        return f"no colon follows the name of the row '{place.word_before}'", f"take the ':' out; {PROFILES}"
    if place.tokens[place.line_start - 1].kind != "_INDENT":
        return None
    if place.at_line_end and {"_COLON", "_COMMA"} <= place.accepted:
        return "the header names the second player's actions without commas", "put blanks between them: left right"
    if place.text == "(" and ({"NAME", "_COMMA"} <= place.accepted or place.index == place.line_start):
        help = "write the second player's actions above the rows, with blanks between them: left right"
        return "the first line of a matrix is its header", help
    return None


def leaves_bare(place: Place) -> Diagnosis | None:
    """The diagnosis of `MIN C 3 12 8`, `a: MIN: 3, 12, 8`, or the numbers below their node: leaves without
    parentheses."""
    text = place.source.text
    at = text.count("\n", 0, place.tokens[place.line_start].start)
    above, line = ("\n" + text).split("\n")[at : at + 2]
    parts = _LEAVES.fullmatch(line.partition("#")[0].strip())
    if place.section != "tree" or parts is None:
        return None
    players = re.findall(r"\w+", " ".join(re.findall(r"(?m)^players(.*)", text)).casefold())
    leaves, node = re.findall(_NUMBER, parts[2]), parts[1].strip(" :") or above.strip()
    name = node.rpartition(":")[2].split()[:1]
    if not name or name[0].casefold() not in players or (not parts[1] and len(leaves) == len(players)):
        return None
    return f"'(' is missing before the children of '{name[0]}'", f"write {node}({', '.join(leaves)})"


def number_in_tree(place: Place) -> Diagnosis | None:
    """The diagnosis of probabilities and unknown numbers not written in a tree's form."""
    if place.section != "tree":
        return None
    if place.token.kind == "_INDENT" and place.word_before == ":":
        return "a node whose children stand below it has no colon", "take the ':' out, or write the child: left: MIN"
    if place.text == "?" and place.value_due:
        return "an open number has a name", "write ?x"
    tokens, index = place.tokens, place.index
    if place.text == "," and place.before_kind in ("INT", "NUMBER") and "_NL" in place.accepted:
        return "a utility is one number", f"write a vector in parentheses: ({place.word_before}, …)"
    if place.text == "(" and place.word_before in ("(", "tree"):
        return "a node begins with its player", "write PLAYER(child, child), as in: MAX(MIN(3, 12), MIN(2, 4))"
    if place.word_before == "=" and place.index > place.line_start + 1:
        return "no '=' stands in a tree", f"write {tokens[index - 2].text}: {place.text}"
    if place.text == ":" and place.word_before == ")" and "_NL" in place.accepted:
        return "the probability of a child stands without parentheses", "write: heads 1/2: 3"
    if place.before_kind == "NUMBER" and place.token.kind in ("INT", "NUMBER", "UNKNOWN", "NAME", "CHANCE"):
        amount = place.word_before
        return f"':' is missing between '{amount}' and {place.text}", f"write {amount}: {place.text}"
    if place.text == ":" and place.before_kind in ("NUMBER", "UNKNOWN") and tokens[index - 2].text == ":":
        label = tokens[index - 3].text
        return "a label and its probability have one colon, behind them", f"write {label} {place.word_before}:"
    return None


def words_between(place: Place) -> Diagnosis | None:
    """The diagnosis of another language's word between the parts of a line."""
    if place.section == "players" and place.text in ("and", "or") and "_COMMA" in place.accepted:
        return f"a comma is missing before '{place.text}'", f"write ',' in place of '{place.text}'"
    if place.section == "chance" and place.opens and place.text in WEIGHTS and "_WEIGHT" in place.accepted:
        return f"'{place.text}' is not a word of the language", "write 'weight' before the number"
    ends = place.word_before == "->" and place.text in (*OUTCOMES, "pay")
    if place.section != "terminal" and place.head == "no" and ends:
        return "a phase says which phase follows, and 'terminal' how play ends", "write here: next phase NAME"
    if place.head == "if" and place.text == "then" and not place.value_due and place.section in ("action", "chance"):
        return "no 'then' stands before an effect", "take it out, and write the effects below, indented"
    return None


def head_of_section(place: Place) -> Diagnosis | None:
    """The diagnosis of a slip in the line that opens an action, a chance step, a board or a picture."""
    if not place.opens:
        return None
    name, behind = place.tokens[place.line_start + 1].text, place.index - place.line_start
    if place.section in ("action", "chance") and place.text == ")" and place.word_before == "(" and behind == 3:
        return f"a step without parameters has no parentheses: {place.section} {name}", "take the '()' out"
    if place.section == "action" and place.text == "." and behind == 2 and place.token_after is not None:
        help = f"write: action {place.token_after.text}(…) when mover = {name}"
        return "the players who may take an action stand in its condition", help
    if place.text in ("simultaneous", "simultaneously"):
        return f"'{place.text}' is not a word of the language", "write 'start everyone', so that all players choose"
    if place.section == "board" and "=" not in [token.text for token in place.tokens[place.line_start : place.index]]:
        rest = place.source.text[place.tokens[place.line_start + 1].start :].partition("\n")[0]
        grid = re.match(r"(?:grid\s*\(\s*)?(\d+)\s*[x×*,]\s*(\d+)", rest)
        return ("a board has a name", f"write: board Square = grid({grid[1]}, {grid[2]})") if grid else None
    if place.section == "setup" and place.token.kind == "_INDENT" and place.word_before == "setup":
        help = "write first values in 'state', n: 0..9 = 0, or what is done before play in 'start'"
        return "'setup' names the array that the picture below it fills", help
    return None


def outcomes_below_chance(place: Place) -> Diagnosis | None:
    """The diagnosis of `heads 0.5` or `d: 1..6` below a chance step, whose outcomes are values of a parameter."""
    if place.section != "chance" or place.opens or place.index != place.line_start + 1:
        return None
    if place.text == ":":
        return "what chance decides is a parameter of its step", f"write: chance STEP({place.head}: TYPE)"
    if place.token.kind in ("INT", "NUMBER"):
        help = "write: chance flip(c: Coin weight if c = heads then 1 else 2), where 'type Coin = heads, tails'"
        return "the outcomes of a chance step are the values of its parameter", help
    return None


def draws_and_effects(place: Place) -> Diagnosis | None:
    """The diagnosis of a draw, an effect on a sequence, or a record, as other languages write them."""
    line = [token.text for token in place.tokens[place.line_start : place.index]]
    if place.head == "deal" and (place.tokens[place.line_start].kind == "_DEAL" or place.text == "from"):
        return "a deal says how many things, from what and to whom", "write: deal 5 from deck to hand[mover]"
    if place.head == "ask" and place.tokens[place.line_start].kind == "_ASK" and "_ASSIGN" not in place.accepted:
        told = "who is asked stands before a colon, and behind it the actions that answer"
        return told, "name a player, or write 'each p after mover', then the colon and the names of actions"
    if place.head == "draw" and re.match(r".*\bfrom\b.*\bto\b", place.source.text[place.token.start :]):
        return "several things drawn at once are dealt", "write: deal 5 from deck to hand[mover]"
    if place.head == "draw" and (place.word_before == "twice" or (len(line) == 1 and place.token.kind == "INT")):
        return "how often chance draws stands behind the step", "write: draw STEP 2 times"
    if place.head == "draw" and re.match(r".*\btimes\b", place.source.text[place.token.start :]):
        return "how often chance draws is a number, a name or a call", "name it: let k = …, then draw STEP k times"
    if place.head == "let" and place.word_before == "draw":
        return "a draw gives no value", "let the step write to a variable, and read that"
    if place.section == "type" and place.text == ":" and "{" in line:
        return "a type with fields is a record", f"write: type {line[1]} = record({place.word_before}: …)"
    if place.text == "(" and line[-2:-1] == ["."]:
        word = {"append": "push", "add": "push", "length": "size", "len": "size"}.get(line[-1], line[-1])
        if "_ASSIGN" in place.accepted:
            return "an effect has all that it is about in its brackets", f"write {word}({''.join(line[:-2])}, …)"
        of = line[-3] if line[-3:-2] and line[-3].isidentifier() else "…"
        return "what a word is asked of stands in its brackets", f"write {word}({of})"
    return None


SLIPS = (
    draws_and_effects, head_of_section, outcomes_below_chance, indices_apart, first_value_late, set_by_property,
    clause_turned_round, matrix_line, leaves_bare, number_in_tree, words_between,
)  # fmt: skip
