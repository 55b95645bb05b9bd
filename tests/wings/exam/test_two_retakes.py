"""Answers to two retakes, on search and on game theory, in the notations of other lectures: fractions in LaTeX, vectors
of probabilities, windows on entry and exit in words, decimals with a comma, and what is wrong in the same notations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from gdl.commands.cli import commands
from gdl.wings.exam.moodle import tolerance_of

GAMES = {
    "tree": """players MAX, MIN
tree
    MAX R
        l: MIN U
            u1: MAX P (5, -3, 6)
            u2: MAX Q (7, 2)
        m: MIN V
            v1: MAX S (-1, 4)
            v2: MAX T (9, 0, 3)
        r: MIN W
            w1: MAX X (8, 1)
            w2: MAX Y (6, 10)
""",
    "three": """players Ada, Bo, Cy
tree
    Ada N0
        x: Bo N1
            x1: Cy N3 ((4, 2, 5), (1, 6, 5))
            x2: Cy N4 ((3, 2, 1), (2, 2, 4))
        y: Bo N2
            y1: Cy N5 ((5, 1, 0), (0, 3, 3))
            y2: (3, 3, 3)
""",
    "dice": "players MAX, MIN\ntree MAX R (a: chance C (0.3: 4, 0.7: -2), b: MIN D (1, 3))\n",
    "open": "players MAX, MIN\ntree MAX A (a1: MIN B (b1: 4, b2: 7), a2: MIN C (c1: ?x, c2: 6))\n",
    "wide": "players Row, Col\nmatrix\n      L       C       R\n  T  (2, 7)  (0, 4)  (5, 2)\n  M  (1, 2)  (3, 5)  (4, 3)\n"
    "  B  (0, 1)  (1, 2)  (1, 6)\n",
    "night": "players Ann, Bob\nmatrix\n          opera   match\n    opera (3, 2)  (0, 0)\n    match (0, 0)  (1, 4)\n",
    "gone": "players A, B\nmatrix\n      x       y\n  a  (5, 2)  (3, 1)\n  b  (4, 0)  (2, -4)\n",
    "two": """players P1, P2
tree
    P1 n1
        L: P2 n2 (l: (2, 1), r: (0, 0))
        R: P2 n3
            l: (1, 2)
            r: P1 n4 (u: (3, 1), d: (0, 3))
""",
    "heap": """players Ann, Bob
state
    left: 0..9 = 7
action take(n: {1, 3, 4}) when n <= left
    left := left - n
terminal
    left = 0 -> lose mover
""",
}
EXAM = """exam "Retakes"
question 1: tree: alpha-beta with bounds = nodes
question 2: tree: windows with window = 3..6
question 3: tree: leaves
question 4: dice
question 5: three
question 6: ucb "a: 6, 10; b: 3, 4; c: 1, 1; d: 0, 0" with c = 1.4
question 7: playouts "a1 b1: 1, 0; a1 b2: 0; a2: 1, 1; a3:"
question 8: heap: winner
question 9: open
question 10: wide
question 11: night
question 12: gone: dominance
question 13: two: subgames
"""

# A question; an answer, and its points: a number for each item, and for each equilibrium.
WRITTEN: list[tuple[int, str, Any]] = [
    (1, "P = 6 [-∞, ∞], Q ≥ 7 [-∞, 6], U = 6 [-∞, ∞], S = 4 [6, ∞], V ≤ 4 [6, ∞], X = 8 [6, ∞], Y = 10 [6, 8], "
     "W = 8 [6, ∞], R = 8 [-∞, ∞]. Pruned: Q2, v2. MAX plays r.", 20),
    (1, "R=8 (r), U=6, V=4-, W=8, P=6, Q=7+, S=4, X=8, Y=10; cut Q.2, T", 11),
    (1, "R=8 (l), U=6, V=4+, W=8, P=6, Q=7-, S=4, X=8, Y=10; cut Q.2, T", 8),
    (1, "cut: Q.2 and V.v2\nR=8 via r", 3),
    (1, "cut: Q.2\nR=8 via l", "3/2"),
    (2, "enter R: alpha 3 beta 6; leave R: alpha 6 beta 6; enter U: alpha 3, beta 6; leave U: alpha 3, beta 6; "
     "enter P: alpha 3, beta 6; leave P: alpha 6, beta 6; enter Q: alpha 3, beta 6; leave Q: alpha 7, beta 6", 8),
    (2, "R entrada (3,6) salida (6,6); U entrada (3,6) salida (3,6); P entrada (3,6) salida (6,6); Q salida (7,6)", 7),
    (2, "R είσοδος (3,6), έξοδος (6,6). U giriş (3,6) çıkış (3,6)", 4),
    (2, "R: [3,6] then [6,6]; U: [6,6] then [3,6]", "7/2"),
    (3, "10 yaprak: 5, -3, 6, 7, -1, 4, 8, 1, 6, 10", 2),
    (3, "Ten leaves are examined: 5, −3, 6, 7, −1, 4, 8, 1, 6, 10.", 2),
    (4, "R=1, C=-0,2, D=1, en iyi b", 4),
    (4, "R = D = 1, C = 0.3*4 + 0.7*(-2) = -0.2 -> b", 4),
    (4, "R=b=1; C=-0,3, best: b", 3),
    (5, "N3=(4,2,5), N4=(2,2,4), N1=(2,2,4), N5=(0,3,3), N2=(3,3,3), N0=(3,3,3), move y", 7),
    (5, "N3=(4,2,5), N4=(3,2,1), N1=(4,2,5), N5=(0,3,3), N2=(0,3,3), N0=(0,3,3), move y", 5),
    (6, "a 1,33 b 1,90 c 3,30 d άπειρο, επιλέγεται d", 5),
    (6, "1.33, 1.90, 3.30, ∞; d", 5),
    (6, "a 1.33 b 1.90 c 3.30 d infty -> c", 4),
    (6, "a = 1.33, b = 1.86, c = 3.30, d = 0 -> c", 2),
    (7, "$a_1 = 1/3$, $b_1 = 1/2$, $b_2 = \\frac{1}{1}$, $a_2 = \\frac22$, $a_3 = 0/0$, next $a_3$", 6),
    (7, "1/3 1/2 1/1 2/2 0/0 a3", 6),
    (7, "2/3 1/2 0/1 2/2 0/0 a3", 5),
    (8, "gana Bob", 1),
    (8, "Bob wins always", 1),
    (8, "gana Ann", 0),
    (8, "second player wins with perfect play", 1),
    (8, "first player wins with perfect play", 0),
    (9, "$a_1: x \\le 4$; $a_2: x \\ge 4$; value $\\max(4, \\min(x, 6))$; cut $c_2: x \\le 4$", 3),
    (9, "best: a1 for x<4, a2 for x>4, both for x=4", 1),
    (9, "best: a1 for x<3, a2 for x>4, both for x=4", "1/2"),
    (10, "NE: {(T,L), (M,C), ((1/2,1/2,0),(3/4,1/4,0))}", 3),
    (10, "Pure: (T,L), (M,C). Mixed: Row (1/2, 1/2, 0), Col (3/4, 1/4, 0)", 3),
    (10, "Pure: (T,L), (M,C). Mixed: Row (1/2, 1/2, 0), Col (1/4, 3/4, 0)", 1),
    (11, "BR_Bob(opera)=opera, BR_Bob(match)=match, BR_Ann(opera)=opera, BR_Ann(match)=match. "
     "NE: (opera, opera), (match, match), ((2/3, 1/3), (1/4, 3/4))", 4),
    (11, "(opera, opera); (match, match); Ann: opera 0.667, match 0.333; Bob: opera 25%, match 75%", 3),
    (11, "(opera, opera); (match, match); Ann: opera 0.65, match 0.35; Bob: opera 0.25, match 0.75", 1),
    (11, "(opera, opera); (match, match); Ann: opera 0.7, match 0.3; Bob: opera 0.25, match 0.75", 1),
    (12, "removed: B: y; A: b. left: A: a; B: x", 2),
    (12, "removed: b y; left: a, b, x", "3/2"),
    (13, "4; At n4 P1 chooses u, at n3 P2 chooses l, at n2 l, at n1 L", 5),
    (13, "4, L, l, l, u", 0),  # in another order: somebody has to look
]  # fmt: skip


def test_the_notations_of_a_class_are_marked_as_by_hand(tmp_path: Path) -> None:
    for name, told in GAMES.items():
        (tmp_path / f"{name}.game").write_text(told, encoding="utf-8")
    (tmp_path / "k.exam").write_text(EXAM, encoding="utf-8")
    for number, (question, text, _) in enumerate(WRITTEN, 100):
        (tmp_path / f"{number}.txt").write_text(f"Name: {number}\nQuestion {question}: {text}\n", encoding="utf-8")
    papers = [str(paper) for paper in sorted(tmp_path.glob("*.txt"))]
    done = CliRunner().invoke(commands, ["grade", str(tmp_path / "k.exam"), *papers, "--json"])
    scores = [student["score"] for student in json.loads(done.stdout)["students"]]
    assert [(*paper[:2], score) for paper, score in zip(WRITTEN, scores, strict=True)] == WRITTEN


def test_a_platform_forgives_no_more_than_the_second_place() -> None:
    assert [tolerance_of(one) for one in ("3", "1.9", "0.5", "1.333")] == ["0", "0.005", "0.005", "0.0005"]
