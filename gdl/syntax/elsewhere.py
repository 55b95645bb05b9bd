"""Words of other languages: how they are recognised in a line that is not written as its section is, and what to do."""

from __future__ import annotations

from gdl.syntax.lexer import LITERAL
from gdl.syntax.place import Diagnosis, Place
from gdl.syntax.shapes import EFFECTS

_ENDS = "what ends play, and what it pays, stands in 'terminal': TEST -> win Ann"
# Words of other languages that begin a line, and what to write here.
AT_HEAD = {
    "def": "write 'define name(x: Type) = value'", "function": "write 'define name(x: Type) = value'",
    "elif": "write 'else if'", "elseif": "write 'else if'", "elsif": "write 'else if'",
    "while": "write 'repeat', and below it a 'when' or 'stop'", "until": "write 'repeat', and below it 'stop'",
    "return": "a definition is its value: define f(x: Type) = value", "var": "write 'let x = …'",
    "const": "write 'define n = …'", "int": "write 'let x = …', or declare a variable in 'state'",
    "print": "take it out: what players hear is written 'say …'", "import": 'write: game "…" from NAME, or: use NAME',
    "pass": "take it out: a block may say nothing", "break": "write 'stop'", "continue": "put the rest under an 'if'",
    "end": "take it out: a block ends with its indentation", "assert": "write 'require …'",
    "switch": "write 'if … else if …'; the turn passes by 'next other(mover)'", "shuffle": "write shuffle(deck)",
    "case": "write 'else if'", "move": "write 'action'", "init": "write 'state'",
    "rules": "take it out: sections begin at the left margin", "goal": "write 'terminal'", "winner": "write 'terminal'",
    "payoff": "write 'terminal', or 'matrix'", "payoffs": "write 'terminal', or 'matrix'", "enum": "write 'type'",
    "set": "write: x := …", "swap": "write 'next other(mover)'; without it the turn passes in the order of the players",
    "foreach": "write 'for'", "class": "write 'type'", "nature": "write 'chance'",
    "random": "write 'chance'", "node": "write 'tree'",
}  # fmt: skip
AT_MARGIN = {
    **AT_HEAD,
    **dict.fromkeys(("var", "vars", "variable", "variables", "int", "let"),
        "declare variables in 'state', below it and indented: n: 0..9 = 0"),
    "bimatrix": "write 'matrix'",
    **dict.fromkeys(("moves", "move", "legal"), "write an 'action' for each kind of move"),
    **dict.fromkeys(("step", "stage", "round", "turn"), "write 'phase NAME', its actions indented below it"),
    **dict.fromkeys(("end", "ends", "reward", "rewards", "scoring", "win"), _ENDS),
}  # fmt: skip

# Words that begin no effect, and where what they say belongs.
OUTSIDE_EFFECTS = {"win": _ENDS, "lose": _ENDS, "pay": _ENDS, "game": _ENDS}

# Words that stand behind the type of a variable elsewhere, and what to write here.
AFTER_TYPES = {
    **dict.fromkeys(
        ("hidden", "private", "secret", "invisible"),
        "write 'visible to owner', 'visible to none', or 'visible to p when CONDITION'",
    ),
    "from": "write 'set of …': a variable holds a set, and a choice draws one with 'from'",
}

# Words that stand before or behind a value elsewhere, and what to write here.
_EXISTS, _FORALL = "write: exists x in Type: CONDITION", "write: forall x in Type: CONDITION"
_WORDS = "name the words in a line of their own: type Suit = clubs, hearts"
_LIST = "write an array, x[1..9]: 0..5 = 0, or 'set of Type'"
_BAG = "count how often each is there: deck[Type]: 0..4 = 0"
BEFORE_NAMES = {
    "any": _EXISTS, "some": _EXISTS, "exist": _EXISTS, "all": _FORALL, "every": _FORALL,
    "each": _FORALL, "there": _EXISTS, "number": "write: count x in Type: CONDITION", "list": _LIST, "enum": _WORDS,
    "array": _LIST, "multiset": _BAG, "bag": _BAG, "map": _BAG,
    "random": "what chance decides is a parameter of its step: chance deal(c: Card)",
}  # fmt: skip
BETWEEN_VALUES = {
    "is": "write '=' or '!='", "equals": "write '='", "implies": "write: not A or B", "iff": "write: (A) = (B)",
    "xor": "write: (A) != (B)", "unless": "write: A and not (B)",
    "do": "take it out, and indent the lines of the block",
}  # fmt: skip
OUTCOMES_BEHIND = {"wins": "win", "loses": "lose"}  # `-> mover wins`


def word_at_head(place: Place) -> Diagnosis | None:
    """The diagnosis of a line that begins with a word of another language."""
    if place.head in AT_HEAD and not place.opens and place.section not in LITERAL:
        return f"'{place.head}' is not a word of the language", AT_HEAD[place.head]
    return None


def outcome_as_effect(place: Place) -> Diagnosis | None:
    """The diagnosis of an outcome in the body of an action, as in `win Ann`."""
    if place.section in ("action", *EFFECTS) and not place.opens and place.head in OUTSIDE_EFFECTS:
        return f"no effect begins with '{place.head}'", OUTSIDE_EFFECTS[place.head]
    return None


def word_after_type(place: Place) -> Diagnosis | None:
    """The diagnosis of a word of another language after a variable's type, as in `hand[Player]: Card hidden`."""
    if place.section == "state" and "_VISIBLE" in place.accepted and place.text in AFTER_TYPES:
        return f"'{place.text}' does not stand in the declaration of a variable", AFTER_TYPES[place.text]
    return None


def word_by_a_value(place: Place) -> Diagnosis | None:
    """The diagnosis of a word of another language after a value, or where one begins."""
    if place.text in BETWEEN_VALUES and place.value_ended:
        return f"'{place.text}' is not a word of the language", BETWEEN_VALUES[place.text]
    if (
        place.text == "for"
        and place.value_due
        and place.token_after is not None
        and place.token_after.text in BEFORE_NAMES
    ):
        return f"'for {place.token_after.text}' is not a word of the language", BEFORE_NAMES[place.token_after.text]
    if place.word_before == "no" and place.value_ended and place.tokens[place.index - 2].text == "has":
        who = place.tokens[place.index - 3].text
        return "'has' asks what a player can do, and 'not' stands before it", f"write: not {who} has {place.text}"
    if place.text == "{" and place.value_ended and place.before_kind == "NAME":
        return "an operator is missing before '{'", f"write: {place.word_before}(…)"
    if place.section == "terminal" and place.text in OUTCOMES_BEHIND and place.before_kind == "NAME":
        help = f"write: {OUTCOMES_BEHIND[place.text]} {place.word_before}"
        return f"'{place.text}' is not a word of the language", help
    return None


def word_before_a_value(place: Place) -> Diagnosis | None:
    """The diagnosis of a word of another language that the parser read as a name, before the place."""
    if place.word_before == "next" and place.value_ended and place.token.kind == "NAME":
        return "'next' is a word of the language and cannot be a name here", "write 'other(mover)'"
    if place.word_before in ("each", "every", "all") and place.head == "for" and place.token.kind == "NAME":
        return f"'{place.word_before}' is not a word of the language", "take it out: for p in Player"
    if (
        place.word_before in BEFORE_NAMES
        and place.value_ended
        and (place.token.kind in ("NAME", "QUANTIFIER") or place.text == "of")
    ):
        return f"'{place.word_before}' is not a word of the language", BEFORE_NAMES[place.word_before]
    return None
