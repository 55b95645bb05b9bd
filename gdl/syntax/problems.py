"""Diagnoses for a line that has not the form of its section.

The parser says at which token a line goes wrong and what would have been right there; `DIAGNOSES` are the mistakes that
people make, each a function that recognises one of them. The first that does speaks.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

from lark import UnexpectedToken

from gdl.errors import Problem, Source, nearest
from gdl.syntax import elsewhere
from gdl.syntax.lexer import (
    HEADS,
    LEARNING,
    LITERAL,
    LOOKING,
    OUTCOMES,
    QUANTIFIERS,
    SECTIONS,
    STATEMENTS,
    WORDS,
    Token,
)
from gdl.syntax.place import LINE_ENDS, VALUE, Diagnosis, Place
from gdl.syntax.shapes import EFFECTS, LINES, PLAYED_AGAIN, PROFILES, REPEATS, SHAPES
from gdl.syntax.slips import SLIPS

_ORDERS = ("REL", "LT", "_EQUALS")
_SIGNS = ("PLUS", "MINUS", "STAR", "SLASH", "MOD", "DIV")
_CHANGES = {"<-": "write: x := …", "++": "write x := x + 1", "--": "write x := x - 1"}  # foreign signs
_IN_BRACKETS = "put the whole value in parentheses: inside them a line may end anywhere"


def explain(source: Source, tokens: list[Token], error: UnexpectedToken) -> Problem:
    """The problem of the first token that does not fit; the tokens that would fit come from the parser's state."""
    index = next((i for i, t in enumerate(tokens) if t is error.token), len(tokens) - 1)
    place = Place(source, tokens, index, error.accepts)
    head = tokens[place.line_start]
    for diagnose in DIAGNOSES:
        if found := diagnose(place):
            break
    if found and diagnose is _diagnose_outside and place.accepted >= {"_ACTION", "NO_ACTIONS"}:
        help = "write 'action'" if nearest(head.text, ["action"]) else "move it to the left margin"
        message = f"a phase holds actions and the line of what follows it, and no '{head.text}'"
        return Problem(message, head.span(source), f"It is written: {SHAPES['phase']}", help)
    if found and diagnose in (_diagnose_outside, _section_in_state):
        return no_section(source, head)
    before = found and diagnose is elsewhere.word_before_a_value
    where = head if diagnose in _AT_HEAD else tokens[index - 1] if before else _token_to_show(place)
    message, help = found or (f"'{place.text}' has no meaning here", "take it out")
    return Problem(message, where.span(source), note=_shape(place), help=help)


def no_section(source: Source, token: Token, first: bool = False) -> Problem:
    """The problem of a line at the left margin that begins no section; `first` if the file begins with it."""
    word = token.text
    if word in SECTIONS:
        message = f"'{word}' begins a section, and none begins so far in"
        help = "move it to the left margin, or directly below the line of its variant"
        return Problem(message, token.span(source), help=help)
    near = nearest(word, sorted(SECTIONS)) if word.isidentifier() else None
    help = f"write '{near}'" if near else "indent the line if it belongs to the section above"
    if first and not near:
        help = "begin with a line such as: players Ann, Bob"
    note = "" if near else f"Sections are {', '.join(sorted(SECTIONS))}; each starts at the left margin."
    help = elsewhere.AT_MARGIN.get(word, help)
    if word.upper() in ("MAX", "MIN"):  # a tree, or its players, without the word before them
        note, help = "", f"write '{'players' if source.text[token.end :].lstrip()[:1] == ',' else 'tree'} {word}'"
    return Problem(f"no section of a game file begins with '{word}'", token.span(source), note=note, help=help)


def _token_to_show(place: Place) -> Token:
    """The token to point at; where it has no text, a character behind the last word of a line."""
    if place.token.start < place.token.end or not place.index:
        return place.token
    start = place.tokens[place.index - 1].end or place.token.start
    return place.token._replace(start=start, end=start + 1)


def _shape(place: Place) -> str:
    """A sentence on how such a line is written; empty if there is none."""
    head, section = place.head, place.section
    asks = bool(place.tokens) and place.tokens[place.line_start].kind == "_ASK"
    if place.opens or ((head in STATEMENTS or asks) and section in ("action", *EFFECTS)):
        word = head if head in SHAPES else section
        return f"{_with_article(word).capitalize()} line is written: {SHAPES[word]}" if word in SHAPES else ""
    what, shape = LINES.get("action" if section in EFFECTS else section, ("", ""))
    return f"{what} is written: {shape}" if what else ""


def _with_article(word: str) -> str:
    return f"{'an' if word[:1] in 'aeiou' else 'a'} '{word}'"


# ---- The mistakes -----------------------------------------------------------------------------------------------


def _diagnose_outside(place: Place) -> Diagnosis | None:
    """The diagnosis of a line that begins no section, at the left margin or in a variant."""
    if place.index > place.line_start or place.line_start == 0 or place.at_line_end:
        return None
    margin = _at_margin(place)
    sections_due = any(f"_{section.upper()}" in place.accepted for section in SECTIONS)
    return ("no section", "") if margin or sections_due else None


def _at_margin(place: Place) -> bool:
    """True if no block is open where the line stands."""
    kinds = [token.kind for token in place.tokens[: place.index]]
    return kinds.count("_INDENT") == kinds.count("_DEDENT")


def _not_indented(place: Place) -> Diagnosis | None:
    """The diagnosis of a section with nothing below it, because its lines stand at the left margin or there are
    none."""
    if not place.at_line_end or "_INDENT" not in place.accepted or place.token.kind == "_INDENT":
        return None
    if place.opens and place.section == "tree" and place.word_before != "tree":
        return None  # a node that may still have its children
    if place.token_after is not None and place.token_after.kind not in LINE_ENDS and _at_margin(place):
        return f"the lines that belong to '{place.head}' are not indented", "indent them by four spaces"
    if "_NL" in place.accepted or (place.value_due and place.section != "tree"):
        return None
    if place.section == "tree" and not place.opens:
        help = "write its children below it, indented, or its utility"
        return f"the node '{place.word_before}' has no children", help
    return f"the '{place.head}' has nothing below it", "indent the lines that belong to it by four spaces"


def _misspelt_block(place: Place) -> Diagnosis | None:
    """The diagnosis of a line such as `els`, with a block below it."""
    if place.token.kind != "_INDENT" or place.index != place.line_start + 1 or "_ASSIGN" not in place.accepted:
        return None
    near = nearest(place.head, ["else", "try", "attempt", "refused", "repeat"])
    return (f"no effect begins with '{place.head}'", f"write '{near}'") if near else None


def _unexpected_block(place: Place) -> Diagnosis | None:
    """The diagnosis of a line that is indented as if a block began with it."""
    if place.token.kind != "_INDENT":
        return None
    if "_NL" in place.accepted:
        return f"no block belongs below this '{place.head}' line", _instead_of_block(place)
    help = _IN_BRACKETS if place.before_kind in _SIGNS else f"write {_expected_words(place.accepted)}"
    return "the line is not complete, though a block follows it", help


def _instead_of_block(place: Place) -> str:
    """The help for an indented line that begins no block: it may belong to the line above, or stand beside it."""
    first = place.token_after
    if first is not None and first.kind in _SIGNS:
        return _IN_BRACKETS
    if place.head == "when" and not place.opens:
        return "write 'if', where only these lines depend on the condition"
    if first is not None and first.text == ",":
        return "end this line with the ',': the next one then goes on with it"
    if place.opens and not (first is not None and first.text in SECTIONS):
        return "join the two lines, or take the next one out"
    return "align the next line with this one"


def _sign_at_start(place: Place) -> Diagnosis | None:
    """The diagnosis of a line that begins with a sign, as if it continued the line before."""
    if place.token.kind not in _SIGNS or place.index > place.line_start or place.section in LITERAL:
        return None
    return f"no line goes on with '{place.text}'", _IN_BRACKETS


def _colon_or_brace(place: Place) -> Diagnosis | None:
    """The diagnosis of a block marked by a colon or by braces, as in other languages."""
    ends = place.last_of_line
    if place.section == "terminal" and not place.opens and "_ARROW" in place.accepted:
        return None  # it stands for '->'
    if place.text == ":" and (ends or place.index == place.line_start + 1) and "_COLON" not in place.accepted:
        if place.section in LITERAL and not place.opens:
            return None
        where = "ends" if ends else "follows the first word of"
        return f"no colon {where} {_with_article(place.head)} line", "take the ':' out"
    block = place.last_of_line or place.head in STATEMENTS or place.opens
    if place.text == "{" and block and not place.value_due and {"_NL", "_INDENT"} & place.accepted:
        return "blocks have no braces", "take them out, and indent the lines of the block"
    return None


def _sign_after_head(place: Place) -> Diagnosis | None:
    """The diagnosis of a sign behind the word that begins a section, as in `players = Ann, Bob`."""
    if place.text in ("=", ":=") and place.index == place.line_start + 1 and place.opens:
        return f"no '{place.text}' follows '{place.head}'", "take it out"
    return None


def _diagnose_misspelt(place: Place) -> Diagnosis | None:
    """The diagnosis of a line such as `requires x > 0`, which begins with neither a word of the language nor a name to
    assign to."""
    head = place.tokens[place.line_start]
    if head.kind != "NAME" or place.index != place.line_start + 1 or "_ASSIGN" not in place.accepted:
        return None
    near = nearest(head.text, sorted(STATEMENTS))
    if near is None or place.token.kind in ("_EQUALS", "_ASSIGN"):
        return None
    return f"no effect begins with '{head.text}'", f"write '{near}'"


def _nobodys_reward(place: Place) -> Diagnosis | None:
    """The diagnosis of `reward 3`, without `to` and the player."""
    head = place.tokens[place.line_start]
    second = head.text == "reward" and head.kind == "NAME" and place.index == place.line_start + 1
    if second and "_ASSIGN" in place.accepted and place.token.kind not in ("_ASSIGN", "_EQUALS", "_LPAR", "_LSQB"):
        return "a reward says whom it is for", "write: reward 3 to Ann"
    return None


def _assignment(place: Place) -> Diagnosis | None:
    following = place.token_after.text if place.token_after else ""
    if place.head == "next" and place.text == ",":
        rest = itertools.takewhile(lambda token: token.kind not in LINE_ENDS, place.tokens[place.index + 1 :])
        written = " ".join(token.text for token in rest).removeprefix("next ")
        return "the line is complete before ','", f"write the rest on a line of its own: next {written}"
    line = place.tokens[place.line_start : place.index]
    if place.text + following in _CHANGES and "_ASSIGN" in place.accepted:
        return f"'{place.text}{following}' is not a sign of the language", _CHANGES[place.text + following]
    if place.token.kind == "_EQUALS" and "_ASSIGN" in place.accepted:
        return "'=' compares; an effect assigns with ':='", "write ':='"
    if place.token.kind == "_ASSIGN" and any(token.kind == "_ASSIGN" for token in line):
        return "two assignments stand on one line", "give each a line of its own, or write: x, y := 1, 2"
    if place.token.kind == "_ASSIGN" and place.section == "state" and len(line) == 1:
        return f"'{place.head}' has no type", f"write '{place.head}: ' and its type, such as {place.head}: 0..5 = 0"
    if place.token.kind == "_ASSIGN" and "_EQUALS" in place.accepted:
        return "':=' assigns in the body of an action; here '=' is meant", "write '='"
    if place.token.kind == "_ASSIGN":
        return "':=' comes after the variable that it changes, and does not begin a value", "complete the line above"
    return None


def _title_without_quotes(place: Place) -> Diagnosis | None:
    if place.head == "game" and place.opens and place.accepted == {"STRING"}:
        return "the title of a game stands in double quotes", 'write, for example: game "Nim"'
    return None


def _in_expectation(place: Place) -> Diagnosis | None:
    if place.section == "expect" and "_EQUALS" in place.accepted and place.before_kind == "NAME":
        return f"'=' is missing between '{place.word_before}' and its answer", f"write: expect {place.word_before} = …"
    return None


def _in_look(place: Place) -> Diagnosis | None:
    if place.section != "look" or place.opens:
        return None
    if place.index == place.line_start:
        help = f"write '{nearest(place.text, sorted(LOOKING)) or 'show'}'"
        return "a line of 'look' begins with hide, show, draw, mark or colour", help
    if "_AS" in place.accepted and place.before_kind == "NAME":
        return "'as' is missing before the text", 'write, for example: draw hero as "knight"'
    return None


def _in_matrix(place: Place) -> Diagnosis | None:
    """The diagnosis of cells that are not numbers, or that commas separate."""
    if place.section != "matrix" or place.opens:
        return None
    if place.head in REPEATS:
        return "a matrix is played once", PLAYED_AGAIN
    if place.text == ",":
        pair = f"({place.word_before}, {place.token_after.text if place.token_after else '…'})"
        return "the cells of a matrix are separated by blanks, without commas", f"write a pair in parentheses: {pair}"
    if {place.before_kind, place.token.kind} <= {"INT", "NUMBER"} and "_COMMA" in place.accepted:
        help = "write a pair in parentheses, each row's name before it, and the columns' names above: up (3, 1) (0, 0)"
        return "the cells of a matrix are separated by blanks, without commas", help
    if place.at_line_end and place.value_due is False and {"NAME", "INT"} <= place.accepted:
        return "the matrix has no rows", "write a line for each action of the first player below the header"
    if place.token.kind == "NAME" and {"INT", "NUMBER"} <= place.accepted:
        return f"'{place.text}' is not a utility", f"write a number, a vector such as (1, -1), or ?x; {PROFILES}"
    return None


def _in_tree(place: Place) -> Diagnosis | None:
    """The diagnosis of nodes and leaves in forms that a tree does not have."""
    if place.section != "tree":
        return None
    text, ends = place.text, place.at_line_end or place.text in (",", ")")
    if place.word_before == "tree" and place.token_after is None:
        return "the tree has no node", "write its root: tree MAX(3, 4), or below it, indented"
    if place.word_before == "in" and place.accepted <= {"NAME", "INT", "STRING"}:
        return "an information set has a name", "write it after 'in': MIN in forecast"
    if text == ")" and place.word_before == "(":
        return "this node has no children", "write its children between the parentheses, or a utility in its place"
    if ends and place.before_kind in ("INT", "NUMBER") and "_LPAR" in place.accepted:
        label = place.tokens[place.index - 2].text
        if re.fullmatch(r"-?[\d.]+", label):  # a probability is a fraction
            return f"a comma is missing before '{place.word_before}'", f"write {label}, {place.word_before}"
        return f"':' is missing between '{label}' and {place.word_before}", f"write {label}: {place.word_before}"
    if ends and place.before_kind == "NAME" and "_LPAR" in place.accepted and not place.at_line_end:
        help = f"write a number, a vector such as (1, -1), an unknown, ?{place.word_before}, or the children of a node"
        return f"'{place.word_before}' is not a utility", help
    if place.text == ":" and "_LPAR" in place.accepted:
        return _long_label(place)
    return _signs_in_tree(place)


def _long_label(place: Place) -> Diagnosis:
    start = place.index
    while start > place.line_start and place.tokens[start - 1].kind in ("NAME", "INT", "NUMBER", "_IN", "CHANCE"):
        start -= 1
    label = " ".join(token.text for token in place.tokens[start : place.index])
    return "a label is one word, or stands in double quotes", f'write "{label}":'


def _signs_in_tree(place: Place) -> Diagnosis | None:
    if place.text == "{" and place.before_kind == "NAME":
        return "no '{' stands in a tree", f"write the name of an information set after 'in': {place.word_before} in I"
    if place.text == "{" or (place.text == "[" and place.value_due):
        return f"no '{place.text}' stands in a tree", "write PLAYER(child, child), and a vector as (1, -1)"
    if place.token.kind in ("PLUS", "MINUS", "STAR", "SLASH") or place.before_kind == "MINUS":
        return "a utility is one number", "write its value, without a calculation or a '+'"
    if place.token.kind in ("REL", "LT", "_ASSIGN", "_ARROW", "_DOTS"):
        return f"no '{place.text}' stands in a tree", "write a child as label: utility, or label: PLAYER(…)"
    if place.token.kind in ("INT", "NUMBER", "UNKNOWN") and place.before_kind == "INT":
        if place.tokens[place.index - 2].kind == "INT":
            return f"a comma is missing before '{place.text}'", f"write ', {place.text}'; a vector is written (1, 2, 3)"
        help = "write MIN(3, 4): inside parentheses line ends do not count, and commas separate children"
        return f"'(' is missing before the children of '{place.tokens[place.index - 2].text}'", help
    if place.index == place.line_start and place.accepted == {"_DEDENT"}:
        return "a tree has one root, and this line is a second", "join the two under one node"
    return None


def _chained_comparison(place: Place) -> Diagnosis | None:
    if place.token.kind in _ORDERS and place.value_ended:
        if place.tokens[place.index + 1].text in ("true", "false"):
            return "a condition is compared with nothing", "write the condition alone, or 'not' before it for 'false'"
        return "comparisons are not chained", "write 'a < b and b < c'"
    return None


def _clause(place: Place) -> Diagnosis | None:
    if place.section == "terminal" and place.head == "if" and not place.opens and place.word_before in OUTCOMES:
        return "a line of 'terminal' has its test before '->', without 'if'", "write: TEST -> OUTCOME"
    other = place.section == "terminal" and place.head == "else"
    if place.index == place.line_start and (other or place.token.kind == "_ARROW"):
        return "a test is missing before '->'", "write when the game ends so, such as: no actions -> draw"
    if place.section == "terminal" and place.word_before in ("then", "else") and place.text in OUTCOMES:
        return "an outcome comes after '->', not inside an 'if'", _two_clauses(place)
    if place.section == "terminal" and not place.opens and "_ARROW" in place.accepted:
        if place.text == ":":
            return "'->' leads from a test to its outcome", "write '->'"
        if place.at_line_end or place.token.kind in ("WIN", "LOSE", "DRAW", "_PAY"):
            return "'->' and an outcome are missing after the test", "write, for example: -> win mover"
    return None


def _two_clauses(place: Place) -> str:
    """The help for `A -> if B then win X else draw`: a line for each outcome."""
    line = place.source.text[place.tokens[place.line_start].start :].partition("\n")[0]
    parts = re.fullmatch(r"(.+?)\s*->\s*if\s+(.+?)\s+then\s+(.+?)\s+else\s+(.+)", line.partition("#")[0].strip())
    if parts is None or re.search(r"\bif\b", parts[4]) or re.search(r"\bor\b", f"{parts[1]} {parts[2]}"):
        return "write two lines, each with its condition and '->': the first that holds decides"
    test, condition, one, other = parts.groups()
    lines = f"'{test} and {condition} -> {one}' and '{test} -> {other}'"
    return f"write two lines, of which the first that holds decides: {lines}"


def _without_value(place: Place) -> Diagnosis | None:
    if place.head == "define" and place.opens and place.at_line_end and "_EQUALS" in place.accepted:
        return "the definition has no value", "write '=' and the value: define f(x: Type) = value"
    return None


def _section_in_state(place: Place) -> Diagnosis | None:
    """The diagnosis of a section's first line, such as `action take`, among the variables and indented like them."""
    begins = place.section == "state" and place.head in SECTIONS and place.index == place.line_start + 1
    return (place.head, "") if begins and "_COLON" in place.accepted else None


def _missing_type(place: Place) -> Diagnosis | None:
    """The diagnosis of a variable or a parameter without its type."""
    kinds = {"_COLON", "_LSQB"} if place.section == "state" else {"_COLON"}
    if "_COLON" in place.accepted <= kinds and place.before_kind == "NAME":
        name = place.word_before
        return f"'{name}' has no type", f"write '{name}: ' and its type, such as {name}: 0..5"
    if place.section == "state" and "_COLON" in place.accepted and not place.opens:
        return f"'{place.head}' has no type", f"write '{place.head}[…]: ' and its type, such as 0..5"
    return None


def _quantifier(place: Place) -> Diagnosis | None:
    """The diagnosis of `exists x in S` without its colon, or without its domain."""
    names = place.before_kind == place.token.kind == "NAME"
    if place.word_before in QUANTIFIERS and names and place.value_ended:
        name = place.text
        return f"'{place.word_before}' needs the values of '{name}'", f"write: {place.word_before} {name} in SET: …"
    line = place.tokens[place.line_start : place.index]
    words = [token.text for token in line if token.kind == "NAME" and token.text in QUANTIFIERS]
    if place.text == ":" and words and place.value_ended:
        return f"'{words[-1]}' runs a name through a set", f"write: {words[-1]} x in SET: …"
    if {"_COLON", "_WHERE"} <= place.accepted and place.text != ":":
        help = "write ': ' and the condition or value, as in: exists s in Square: free(s)"
        return "':' is missing after what the names run through", help
    return None


def _condition_of_value(place: Place) -> Diagnosis | None:
    """The diagnosis of a choice between values, if … then … else …, as other languages write it."""
    if place.text in ("if", "?") and place.value_ended:
        help = "write: if CONDITION then VALUE else VALUE"
        in_body = place.section in ("action", *EFFECTS) and not place.opens
        if place.text == "if" and in_body and place.head not in STATEMENTS - {"next"}:
            help += "; an effect stands below its 'if CONDITION', indented"
        return "a choice between two values begins with its condition", help
    if place.accepted & {"_THEN"} and place.text in (":", "_NL"):
        return "'then' is missing after the condition", "write: if CONDITION then VALUE else VALUE"
    if "_ELSE" in place.accepted and place.at_line_end:
        return "'else' and a second value are missing", "write: if CONDITION then VALUE else VALUE"
    return None


def _reserved_word(place: Place) -> Diagnosis | None:
    """The diagnosis of a word of the language where a name is due."""
    if not (place.text in WORDS | STATEMENTS and place.token.kind.startswith("_") and "NAME" in place.accepted):
        return None
    alone = place.token_after is None or place.token_after.kind not in ("NAME", "INT", "STRING", "_NOT", "QUANTIFIER")
    if place.value_due and not alone:
        return f"a value is missing before '{place.text}'", f"take '{place.text}' out, or write the value"
    return f"'{place.text}' is a word of the language and cannot be a name here", _other_name(place)


def _other_name(place: Place) -> str:
    """The help for a reserved word used as a name: another name, or quotes where a text may be a name."""
    quoted = "STRING" in place.accepted and "QUANTIFIER" not in place.accepted
    return f'choose another name, or write "{place.text}" in quotes' if quoted else "choose another name"


def _missing_value(place: Place) -> Diagnosis | None:
    if not place.value_due:
        return None
    what = "a child" if place.section == "tree" else "a value"
    if place.at_line_end:
        return f"the line ends where {what} is due", f"write {what}"
    if not place.word_before:
        return f"{what} is missing before '{place.text}'", f"write {what}"
    return f"{what} is missing before '{place.text}'", f"write {what} between '{place.word_before}' and '{place.text}'"


def _missing_comma(place: Place) -> Diagnosis | None:
    word = place.text[:1].isalpha() and "NAME" not in place.accepted
    if place.token.kind not in ("NAME", "INT", "NUMBER", "STRING", "_LPAR", "CHANCE", "UNKNOWN") and not word:
        return None
    if "_ASSIGN" in place.accepted and not place.assigns:
        return None  # a comma would begin what else is assigned to, and nothing is
    if "_COMMA" in place.accepted and not (place.value_ended and not place.accepted & {"_RPAR", "_RSQB", "_RBRACE"}):
        if place.text == "where" and place.head == "action":
            return "no 'where' stands among what is chosen", "write ') when …' behind all of it"
        return f"a comma is missing before '{place.text}'", f"write ', {place.text}'"
    if place.value_ended and place.head in ("when", "require") and place.text in LEARNING:
        return f"'{place.text}' belongs to the head of the action", f"write it behind the head: action … {place.text}"
    if place.value_ended:
        name = place.word_before if place.text == "in" and place.tokens[place.index - 2].text == "for" else ""
        help = f"write: exists {name} in SET: CONDITION, or: those {name} in SET: CONDITION"
        message = f"an operator is missing before '{place.text}'"
        listed = place.section == "state" and place.token.kind == "INT"
        if listed:
            return message, f"write the values below a line 'setup {place.head}'"
        return message, help if name else "join the two values, or break the line"
    return None


def _too_much(place: Place) -> Diagnosis | None:
    if place.accepted == {"_INDENT"} and not place.at_line_end:
        if place.head == "repeat" and place.token.kind == "INT":
            return "nothing else stands on a 'repeat' line", f"write: for i in 1..{place.text}"
        return f"nothing else stands on a '{place.head}' line", "put the rest on the next line, indented"
    if "_NL" in place.accepted and not place.value_ended:
        if place.text == "if" and place.opens:
            return f"the line is complete before '{place.text}'", "write 'when' before the condition"
        return f"the line is complete before '{place.text}'", "take the rest out, or put it on a line of its own"
    return None


def _too_early(place: Place) -> Diagnosis | None:
    """The diagnosis of a line that ends too early, or lacks something, where few things could be meant."""
    wanted = _expected_words(place.accepted)
    if place.at_line_end:
        if place.word_before == ",":
            return "the line ends with a comma", "take the ',' out, or write what follows it"
        line = place.tokens[place.line_start : place.index]
        asks = [token.text for token in line if token.kind == "QUANTIFIER" or token.text == "where"]
        if "_COLON" in place.accepted and asks[-1:] == ["where"] and asks[-2:-1] not in (["sum"], ["min"], ["max"]):
            return "the line ends before its condition", "write ':' in place of 'where'"
        more = " and what follows it" if wanted == "'='" else ""
        return "the line ends too early", f"write {wanted}{more}"
    return (f"{wanted} is missing before '{place.text}'", f"write {wanted}") if wanted != "the rest of it" else None


def _edges_without_where(place: Place) -> Diagnosis | None:
    """The diagnosis of `along p -> q` without `where`."""
    if place.text != "->" or place.index < 2 or place.tokens[place.index - 2].text != "along":
        return None
    target = place.token_after.text if place.token_after else "q"
    help = f"write: along {place.word_before} -> {target} where link[{place.word_before}, {target}]"
    return f"which pairs are joined by an edge from {place.word_before} to {target} is not said", help


def _who_learns(place: Place) -> Diagnosis | None:
    """The diagnosis of `visible to all` and the like in the head of an action."""
    if not place.opens or place.section not in HEADS:
        return None
    seen = any(token.kind == "_SEEN" for token in place.tokens[place.line_start : place.index])
    if place.text != "visible" and (not seen or place.value_ended):
        return None
    told = "the line ends before it is said" if place.at_line_end else f"'{place.text}' does not say"
    what = "action" if place.section == "action" else "outcome"
    return f"{told} who learns of the {what}", "write 'public', 'unseen', or 'seen by p when CONDITION'"


DIAGNOSES: tuple[Callable[[Place], Diagnosis | None], ...] = (
    _diagnose_outside, elsewhere.word_at_head, *SLIPS, _in_matrix, _in_tree, _who_learns, _not_indented,
    _misspelt_block, _unexpected_block, _sign_at_start, _colon_or_brace, _sign_after_head, _nobodys_reward,
    elsewhere.outcome_as_effect, _diagnose_misspelt, _assignment, _title_without_quotes,
    _in_expectation, _in_look, _condition_of_value, _clause, _quantifier,
    _edges_without_where, _without_value, _section_in_state, _missing_type, elsewhere.word_after_type,
    elsewhere.word_by_a_value, elsewhere.word_before_a_value, _chained_comparison, _reserved_word, _missing_value,
    _missing_comma, _too_much, _too_early,
)  # fmt: skip
# Those that point at the first word of the line.
_AT_HEAD = (elsewhere.word_at_head, elsewhere.outcome_as_effect, _diagnose_misspelt, _misspelt_block)

_NAMES = {
    "_LPAR": "'('", "_RPAR": "')'", "_RSQB": "']'", "_LSQB": "'['", "_RBRACE": "'}'", "_LBRACE": "'{'",
    "_COLON": "':'", "_COMMA": "','", "_EQUALS": "'='", "_ASSIGN": "':='", "_ARROW": "'->'", "_THEN": "'then'",
    "_ELSE": "'else'", "_IN": "'in'", "_TO": "'to'", "_REFUSED": "'refused'", "_ALONG": "'along'", "_FROM": "'from'",
    "NAME": "a name", "STRING": "a text in double quotes", "INT": "a number", "PICTURE": "a picture",
}  # fmt: skip


def _expected_words(accepted: set[str]) -> str:
    """A text for the kinds of tokens that would fit."""
    if accepted >= VALUE:
        return "a value"
    names = [name for kind, name in _NAMES.items() if kind in accepted]
    return " or ".join(names) if 0 < len(names) <= 4 else "the rest of it"


assert SHAPES.keys() >= SECTIONS | STATEMENTS and not STATEMENTS & elsewhere.AT_HEAD.keys()
