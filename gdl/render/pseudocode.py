"""Searches as pseudo-code, for a page that lights the line that a step carries out: every line with the shapes of nodes
and the events at which it is run."""

from __future__ import annotations

from gdl.solution import Solution

Line = tuple[str, str, str]  # its text, the shapes of the nodes where it is run, and its events; "" for none or any

_SIGNS = {"ge": "≥", "gt": ">"}


def code_of(solution: Solution) -> list[Line]:
    """The lines of the search that made the answer; none of one that has no such lines."""
    if solution.rule is not None and solution.rule.cut is not None and solution.solver == "alpha-beta":
        return _alpha_beta(_SIGNS[solution.rule.cut])
    return _CODE.get(solution.solver, [])


def _alpha_beta(sign: str) -> list[Line]:
    return [
        ("search(node, α, β):", "", "enter"),
        ("    if node is an end: return its utility", "", "leaf"),
        ("    if MAX moves at node:", "", ""),
        ("        v ← −∞", "", ""),
        ("        for each child:", "", ""),
        ("            v ← max(v, search(child, α, β))", "max", "update"),
        ("            α ← max(α, v)", "max", "update"),
        (f"            if α {sign} β: return v  # cut", "max", "cut"),
        ("        return v", "max", "leave"),
        ("    if MIN moves at node:", "", ""),
        ("        v ← ∞", "", ""),
        ("        for each child:", "", ""),
        ("            v ← min(v, search(child, α, β))", "min", "update"),
        ("            β ← min(β, v)", "min", "update"),
        (f"            if α {sign} β: return v  # cut", "min", "cut"),
        ("        return v", "min", "leave"),
    ]


_MINIMAX: list[Line] = [
    ("value(node):", "", "enter"),
    ("    if node is an end: return its utility", "", "leaf"),
    ("    if MAX moves at node: return the greatest value of a child", "max", "update leave"),
    ("    if MIN moves at node: return the least value of a child", "min", "update leave"),
]
_EXPECTIMINIMAX: list[Line] = [
    *_MINIMAX,
    ("    if chance moves at node: return the mean of the values of the children", "chance", "update leave"),
]
_MAXN: list[Line] = [
    ("vector(node):  # a number for each player", "", "enter"),
    ("    if node is an end: return its utilities", "", "leaf"),
    ("    if chance moves at node: return the mean of the vectors of the children", "chance", "update leave"),
    ("    return the first vector of a child that is best for the one who moves", "decision max min", "update leave"),
]
_MCTS: list[Line] = [
    ("for each simulation, from the root:", "", ""),
    (
        "    select: while all children were tried, go to that with the greatest W/N + c √(ln N(parent) / N)",
        "",
        "select",
    ),
    ("    expand: the first child that was never tried joins the tree", "", "expand"),
    ("    simulate: play on at random to an end", "", "simulate"),
    ("    back up: at every node on the way N ← N + 1, W ← W + utility", "", "backup"),
    ("play the child with the most visits", "", "done"),
]
_CODE = {"minimax": _MINIMAX, "expectiminimax": _EXPECTIMINIMAX, "maxn": _MAXN, "mcts": _MCTS}
REPLIES: list[Line] = [
    ("for each player, for all that the others may do:", "", ""),
    ("    underline the player's greatest number", "", "reply"),
    ("where all numbers of a cell are underlined, it is an equilibrium", "", "equilibrium"),
]
DOMINANCE: list[Line] = [
    ("repeat:", "", ""),
    ("    for each plan of each player:", "", ""),
    ("        if another plan, or a mixture of others, pays more against all that is left: strike it", "", "gone"),
    ("until nothing is struck", "", "done"),
]
SUPPORTS: list[Line] = [
    ("leave out what is strictly dominated", "", "begin"),
    ("for each two sets of equally many plans, small ones first:", "", ""),
    ("    solve: the other's plans pay the same, the probabilities sum to 1", "", "suppose"),
    ("    no single solution, or one not positive: none", "", "no"),
    ("    a plan outside pays more: none", "", "better"),
    ("    else it is an equilibrium", "", "equilibrium"),
]
PATHS: list[Line] = [
    ("a label is there for each plan that is not used, and for each that is a best reply", "", ""),
    ("at zero all labels are there: drop one", "", "drop"),
    ("until it is back:", "", ""),
    ("    a label is there twice: drop it on the other side", "", "pivot"),
    ("all labels are there: an equilibrium", "", "done"),
]
