"""What to tell an author whose line has not the form of its section."""

from __future__ import annotations

from lark import Token
from lark.exceptions import UnexpectedToken

from gdl.errors import Problem, Source, Span
from gdl.lexer import SECTIONS

# How each section and statement is written; the second half of a message that says what would be right.
SHAPES = {
    "game": 'game "Connect four" (columns = 7, rows = 6)',
    "players": "players Ann, Bob",
    "parameters": "parameters columns = 4, rows = 4",
    "type": "type Card = J < Q < K, or: type Suit = clubs, hearts",
    "board": "board Square = grid(8, 8)",
    "state": "state, and below it, indented: disc[Square]: Player? = none",
    "define": "define height(c: Column) = count r in Row: disc[c, r] != none",
    "action": "action drop(c: Column) when height(c) < rows, and its effects below, indented",
    "chance": "chance roll(d: 1..6), and its effects below, indented",
    "resolve": "resolve, and its effects below, indented",
    "start": "start deal, or: start, and its effects below, indented",
    "setup": "setup disc, and the picture below, indented",
    "terminal": "terminal, and below it, indented: connects(Red) -> win Red",
    "evaluate": "evaluate, and below it, indented: 9 * (queens(White) - queens(Black))",
    "variant": 'variant misere "Misère", and its sections below, indented',
    "utility": "utility in 0..10",
    "claim": "claim zero-sum",
    "tree": "tree MAX(MIN(3, 12, 8), MIN(2, 4, 6)), or one node a line, indented",
    "matrix": "matrix, below it the second player's actions, then a line for each of the first player's",
    "expect": "expect value = 3, expect best = a1, expect pruned = {c2, c3}, expect perft(3) = 27",
    "let": "let x = row(a) + 1",
    "require": "require not attacked(king(mover), mover)",
    "when": "when piece[a] = none",
    "if": "if CONDITION, and the effects below, indented",
    "else": "else, and the effects below, indented",
    "for": "for s in Square, and the effects below, indented",
    "choose": 'choose b: Square when free(b) as "x{b}"',
    "repeat": "repeat, and the steps below, indented",
    "stop": "stop",
    "rank": "rank taken",
    "next": "next mover, next Ann, next roll, next everyone, or: next p after mover where playing[p]",
    "say": "say No to all",
    "forget": "forget",
    "attempt": "attempt, its effects indented, then refused and what happens instead",
}
_VALUE_STARTS = {"NAME", "INT", "_LPAR"}


def explain(source: Source, tokens: list[Token], error: UnexpectedToken) -> Problem:
    """A Problem for the first token that does not fit; what fits comes from the parser's own state."""
    token = error.token
    index = next((i for i, t in enumerate(tokens) if t is token), len(tokens) - 1)
    if token.type == "$END":
        token = tokens[-1]
        index = len(tokens) - 1
    accepted = set(error.accepts or error.expected)
    head = _head(tokens, index)
    message, help = _diagnosis(token, tokens[index - 1] if index else token, accepted, head)
    start, end = _place(source, tokens, index)
    shape = SHAPES.get(head, SHAPES.get(str(tokens[0].value), ""))
    section = head if head in SHAPES else str(tokens[0].value)
    note = f"{_article(section)} '{section}' line is written: {shape}" if shape else ""
    return Problem(message, Span(source, start, end), note=note, help=help)


def _diagnosis(token: Token, before: Token, accepted: set[str], head: str) -> tuple[str, str]:
    """The message and the deed for an unexpected token."""
    text = str(token.value)
    word = text.isidentifier()
    if token.type in ("_NL", "_INDENT", "_DEDENT", "$END"):
        return _line_end(token, accepted, head)
    if token.type == "_EQUALS" and "_ASSIGN" in accepted:
        return "'=' compares; an effect assigns with ':='", "write ':='"
    if token.type == "_ASSIGN" and "_EQUALS" in accepted:
        return "':=' assigns in the body of an action; here '=' is meant", "write '='"
    if token.type == "_COLON" and {"_INDENT", "_NL"} & accepted and head in ("if", "else", "for", "repeat", "attempt"):
        return "no colon ends this line", "take the ':' out; the block below it is indented"
    if token.type in ("REL", "LT", "_EQUALS") and {"_AND", "PLUS"} & accepted:
        return "comparisons are not chained", "write 'a < b and b < c'"
    if "_INDENT" in accepted and len(accepted) == 1:
        return f"nothing else stands on a '{head}' line", "put the rest on the next line, indented"
    if word and token.type.startswith("_") and "NAME" in accepted:
        return f"'{text}' is a word of the language and cannot be a name here", "choose another name"
    if accepted >= _VALUE_STARTS:
        return f"a value is missing before '{text}'", f"write a value between '{before.value}' and '{text}'"
    if token.type in ("NAME", "INT", "NUMBER", "STRING", "_LPAR") and {"_AND", "PLUS"} & accepted:
        return f"an operator is missing before '{text}'", "join the two values, or break the line"
    wanted = _wanted(accepted)
    return f"'{text}' cannot stand here", f"write {wanted}" if wanted else "take it out"


def _line_end(token: Token, accepted: set[str], head: str) -> tuple[str, str]:
    if token.type == "_INDENT":
        if "_NL" in accepted:
            return f"no block belongs below this '{head}' line" if head else "no block belongs below this line", (
                "align the next line with this one"
            )
        return (
            "the line is not complete, though a block follows it",
            f"write {_wanted(accepted) or 'the rest of the line'}",
        )
    if accepted == {"_INDENT"} or ("_INDENT" in accepted and "_NL" not in accepted and not accepted >= _VALUE_STARTS):
        return f"the '{head}' has nothing below it", "indent the lines that belong to it by four spaces"
    if accepted >= _VALUE_STARTS:
        return "the line ends where a value is due", "write the value"
    return "the line ends too early", f"write {_wanted(accepted) or 'the rest of the line'}"


_NAMES = {
    "_LPAR": "'('", "_RPAR": "')'", "_RSQB": "']'", "_LSQB": "'['", "_RBRACE": "'}'", "_LBRACE": "'{'",
    "_COLON": "':'", "_COMMA": "','", "_EQUALS": "'='", "_ASSIGN": "':='", "_ARROW": "'->'", "_THEN": "'then'",
    "_ELSE": "'else'", "_IN": "'in'", "_TO": "'to'", "_REFUSED": "'refused'", "_ALONG": "'along'", "_FROM": "'from'",
    "NAME": "a name", "STRING": 'a text in double quotes', "INT": "a number", "_DOTS": "'..'",
}  # fmt: skip


def _wanted(accepted: set[str]) -> str:
    """What could stand there, in words; nothing if the choice is too wide to help."""
    if accepted >= _VALUE_STARTS:
        return "a value"
    names = [name for kind, name in _NAMES.items() if kind in accepted]
    return " or ".join(names) if len(names) <= 4 else ""


def _head(tokens: list[Token], index: int) -> str:
    """The first word of the line that the token stands on."""
    start = index
    while start and tokens[start - 1].type not in ("_NL", "_INDENT", "_DEDENT"):
        start -= 1
    return str(tokens[start].value)


def _place(source: Source, tokens: list[Token], index: int) -> tuple[int, int]:
    token = tokens[index]
    start, end = token.start_pos or 0, token.end_pos or 0
    if start == end and index:  # a line's end: point just behind its last word
        before = tokens[index - 1]
        start = before.end_pos or start
        end = start + 1
    return start, end


def _article(word: str) -> str:
    return "An" if word[:1] in "aeiou" else "A"


assert SHAPES.keys() >= SECTIONS
