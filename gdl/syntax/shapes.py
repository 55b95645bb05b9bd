"""How each section and statement is written, for messages that say what would be right; signs of other languages."""

from __future__ import annotations

# How each section and statement is written; the second half of a message that says what would be right.
SHAPES = {
    "game": 'game "Connect four" (columns = 7, rows = 6)',
    "players": "players Ann, Bob; players North & South, East & West",
    "parameters": "parameters columns = 4, rows = 4",
    "type": "type Card = J < Q < K, or: type Suit = clubs, hearts",
    "board": "board Square = grid(8, 8)",
    "state": "state, and below it, indented: disc[Square]: Player? = none",
    "define": "define height(c: Column) = count r in Row: disc[c, r] != none",
    "action": "action drop(c: Column) when height(c) < rows, and its effects below, indented",
    "chance": "chance roll(d: 1..6), and its effects below, indented",
    "phase": "phase moving, and below it, indented, its actions; and: no actions -> next phase scoring",
    "resolve": "resolve, and its effects below, indented",
    "start": 'start deal, or: start "the position, in the notation", or: start, and its effects below, indented',
    "setup": "setup disc, and the picture below, indented",
    "look": 'look, and below it, indented: hide a; show b as "life"; draw c as "knight"; mark {d4} as "star"',
    "notation": 'notation "{disc} {mover}", and below it, indented: mover: x = Dark, o = Light; or: notation forgets n',
    "position": 'position NAME "TEXT"; position requires TEST "words"; position keeps NAME where TEST "words"',
    "terminal": "terminal, or terminal after actions, and below it, indented: connects(Red) -> win Red",
    "evaluate": "evaluate, or evaluate in pawns of 0.005, and below it, indented: 9 * (queens(White) - queens(Black))",
    "variant": 'variant misere "Misère", and its sections below, indented',
    "utility": "utility in 0..10, or: utility is cost, or: utility is average",
    "discount": "discount 9/10",
    "claim": "claim zero-sum",
    "tree": "tree MAX(MIN(3, 12, 8), MIN(2, 4, 6)), or one node a line, indented",
    "matrix": "matrix, below it the second player's actions, then a line for each of the first player's",
    "expect": "expect value = 3, expect best = a1, expect pruned = {c2, c3}, expect perft(3) = 27",
    "use": 'use cards, or a file beside this one: use "cards.game"',
    "before": "before move(a), and below it, indented, the lines to be done first",
    "after": "after move(a), and below it, indented, the lines to be done then",
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
    "ask": "ask p: accept, refuse; ask each p after mover where playing[p]: doubt, trust",
    "deal": "deal 5 from deck to hand[mover], deal 2 from deck to each player",
    "next": "next mover, next Ann, next roll, next everyone, next phase moving; next p after mover where playing[p]",
    "say": "say No to all",
    "forget": "forget",
    "reward": "reward 3 to Ann, 1 to Bob",
    "try": "try, and effects below it that are taken back",
    "attempt": "attempt, its effects indented, then refused and what happens instead",
    "refused": "refused, and what happens instead below, indented",
}
# What the other lines of a section are, and how each is written.
LINES = {
    "state": ("A variable", "disc[Square]: Player? = none"),
    "terminal": ("A clause", "connects(Red) -> win Red"),
    "evaluate": ("A feature", "9 * (queens(White) - queens(Black))"),
    "look": ("A line of look", 'hide was_side, or: show life as "Life", draw hero as "knight", mark {c3} as "star"'),
    "tree": ("A node", "MAX A(left: 3, right: 4), or its children below it, indented"),
    "matrix": ("A row", "silent (-1, -1) (-3, 0)"),
    "action": ("An effect", "disc[c, height(c) + 1] := mover"),
    "phase": ("A line of a phase", "no actions -> next phase moving, or an action"),
}
EFFECTS = ("chance", "resolve", "define", "before", "after")  # whose lines are effects too
BLOCKS = (  # need lines below
    "state", "terminal", "evaluate", "tree", "matrix", "variant", "setup", "resolve", "before", "after", "look",
)  # fmt: skip

PROFILES = "for three players write a line for each profile: up, left, east: (1, 0, 2)"
REPEATS = ("discount", "repeat", "repeated", "rounds")  # at the head of a row: a game that is played again
PLAYED_AGAIN = "write rules for a game that is played again: gdl guide stochastic"
_STRAIGHT = 'write straight double quotes, "…"'
_COMMENT = "a comment begins with '#'"
SLIPS = {  # signs of other languages, and what to write here
    "==": "write '=' to compare", "===": "write '=' to compare", "<>": "write '!='", "||": "write 'or'",
    "=>": "write '->' before an outcome, '>=' to compare", "=<": "write '<='", "&": "write 'and', or one of the team",
    "|": "write ',' between the values of a type, 'or' between conditions, abs(x) for a number without its sign, "
    "Player? for what may be none; the cells of a matrix are separated by blanks", "&&": "write 'and'",
    "!": "write 'not', or '!=' for unequal",
    "+=": "write x := x + …", "-=": "write x := x - …", "*=": "write x := x * …", "/=": "write x := x / …",
    "**": "write a product, x * x", "^": "write a product, x * x",
    **dict.fromkeys(("...", "…", "‥"), "a range is written 1..6"),
    "//": f"{_COMMENT}; 7 div 2 is 3",
    "/*": _COMMENT, "'": 'text stands in double quotes, "…"', "“": _STRAIGHT, "”": _STRAIGHT, "„": _STRAIGHT,
    "‘": _STRAIGHT, "’": _STRAIGHT, "«": _STRAIGHT, "»": _STRAIGHT, "≤": "write '<='", "≥": "write '>='",
    "%": "write 'mod' for the remainder, 1/2 for 50%",
    ";": "one statement a line, and ',' between values", "≠": "write '!='",
    **dict.fromkeys("−–—‒‑﹣－", "write the minus sign '-'"), **dict.fromkeys(("→", "—>", "–>", "−>"), "write '->'"),
    **dict.fromkeys("×·⋅∙", "write '*'"), **dict.fromkeys("÷⁄∕／", "write '/'"),
    **{wide: f"write '{sign}'" for wide, sign in zip("：，＋＝（）［］｛｝＜＞", ":,+=()[]{}<>", strict=True)},
    "∈": "write 'in'", "∀": "write 'forall'", "∃": "write 'exists'", "∧": "write 'and'", "∨": "write 'or'",
    "¬": "write 'not'", "⇒": "write: not A or B", "∅": "write {}", "∪": "write '+'", "∩": "write '*'",
    "\\": "write '-' for the difference of sets",
    ".": "a decimal has digits after its point; a range is written 1..6",
    '"': "close the text with a second double quote on the same line",
}  # fmt: skip
