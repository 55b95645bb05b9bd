"""Games whose names try to leave their place: to end a tag, a string, a comment or a document, to turn the line of
text round, to move the cursor of a terminal. Two are files as a stranger might send them."""

from __future__ import annotations

from fractions import Fraction

from gdl import loads
from gdl.errors import clean
from gdl.game import Game
from gdl.interpreter.explicit_game import MatrixGame, TreeGame
from gdl.model.games import MatrixModel, TreeModel, TreeNode

HALF = Fraction(1, 2)
PAYLOADS = (
    '"><script>alert(1)</script>',
    "</svg></title></text><script>alert(2)</script>",
    "]]><!--",
    "--><img src=x onerror=alert(3)>",
    "&lt;b&gt; &amp; &#x3c;",
    r"\end{forest}\end{document}\input{/etc/passwd}",
    "% comment $x^2$ #1 _sub_ ~tie~ ^^M",
    "{unbalanced [bracket, key=value]",
    '"]; evil [shape=box, URL="javascript:alert(4)"]; x [label="',
    "a\\",
    "[link](javascript:alert(5)) `code` **bold** | cell |",
    "#quot; #60; %% click n0 call alert() ---|x| n9",
    "</script><script>alert(6)</script>",
    "${script} $data {{mustache}} <%= erb %>",
    "\u202eright to left\u202c \u2066isolated\u2069",
    "bell \x07 escape \x1b[31mred\x1b[0m nul \x00 return \r\n second line",
    "line\u2028separator\u2029 \ufeff zero\u200bwidth",
    "'; DROP TABLE games; --",
    'onload="alert(7)" style=x',
    "emoji 🎲 漢字 العربية é",
)


def name(number: int, part: str) -> str:
    """A hostile name, different for each part of the game."""
    return f"{PAYLOADS[number % len(PAYLOADS)]} {part}{number}"


def hostile_tree() -> TreeGame:
    """A tree with a hostile text in every name: of the game, players, nodes, actions, information sets and outcomes."""
    players = (name(0, "p"), name(8, "p"))
    outcomes = (name(2, "a"), name(3, "a"))
    nodes = [TreeNode("chance", None, name(1, "n"), actions=outcomes, probabilities=(HALF, HALF), children=(1, 2))]
    leaves = len(PAYLOADS)
    actions = tuple(name(number, "x") for number in range(leaves))
    for place in (0, 1):
        first = 3 + leaves * place
        children = tuple(range(first, first + leaves))
        nodes.append(TreeNode("decision", 0, name(4 + place, "n"), name(6, "s"), actions=actions, children=children))
    for place in (0, 1):
        nodes += [TreeNode("terminal", label=name(k, f"l{place}"), utilities=(k, -k)) for k in range(leaves)]
    return TreeGame(TreeModel(name(9, "g"), players, tuple(nodes)))


def hostile_search() -> TreeGame:
    """A tree of MAX and MIN that alpha-beta prunes, with hostile names."""
    leaves = tuple(
        TreeNode("terminal", label=name(number, "l"), utilities=(number % 5, -(number % 5))) for number in range(16)
    )
    inner = tuple(
        TreeNode(
            "decision",
            1,
            name(12 + place, "n"),
            actions=tuple(name(4 * place + k, "a") for k in range(4)),
            children=tuple(5 + 4 * place + k for k in range(4)),
        )
        for place in range(4)
    )
    root = TreeNode(
        "decision", 0, name(5, "n"), actions=tuple(name(16 + k, "b") for k in range(4)), children=(1, 2, 3, 4)
    )
    return TreeGame(TreeModel(name(10, "g"), (name(6, "p"), name(11, "p")), (root, *inner, *leaves)))


def hostile_matrix() -> MatrixGame:
    """A matrix with hostile names of players and actions."""
    half_ = len(PAYLOADS) // 2
    rows = tuple(name(number, "r") for number in range(half_))
    columns = tuple(name(number, "c") for number in range(half_, len(PAYLOADS)))
    cells = {(r, c): (i % 3, j % 3) for i, r in enumerate(rows) for j, c in enumerate(columns)}
    return MatrixGame(MatrixModel(name(12, "g"), (name(8, "p"), name(1, "p")), (rows, columns), cells))


def quoted(text: str) -> str:
    """The name as a quoted text of the language, without the characters that no game file may contain."""
    plain = clean(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


def hostile_file() -> str:
    """The text of a .game file with hostile names."""
    lines = [f"game {quoted(name(9, 'g'))}", f"players {quoted(name(0, 'p'))}, {quoted(name(8, 'p'))}", "tree"]
    lines.append(f"    {quoted(name(0, 'p'))} {quoted(name(1, 'n'))}")
    for number in range(len(PAYLOADS)):
        lines.append(f"        {quoted(name(number, 'a'))}: {quoted(name(number, 'l'))} = {number}")
    return "\n".join(lines) + "\n"


def games() -> dict[str, Game]:
    return {
        "tree": hostile_tree(),
        "search": hostile_search(),
        "matrix": hostile_matrix(),
        "file": loads(hostile_file(), "hostile.game").game,
    }
