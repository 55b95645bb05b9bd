"""Questions about a table that the exam itself gives, `a1: 3, 5; a2: 6, 10`: no game stands behind them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import inf, log, sqrt

from gdl.errors import Refusal, clean
from gdl.explain.names import fold
from gdl.game import Number, exact
from gdl.numbers import decimals, read_number, to_text
from gdl.wings.exam.judged_parts import Part, Task, number, one_of

_ENDLESS = "inf", "∞", "infinity", "infinite", "unbounded", "unendlich"
MOST = 10**6  # the largest number of a table, and the largest denominator


def read_rows(text: str) -> dict[str, list[Number]]:
    """The rows of a table by their names. Raises Refusal where the text is no table with rows of one length, or has a
    name twice or a number beyond MOST."""
    parts = [row.partition(":") for row in text.split(";")]
    rows = [(clean(name.strip()), cells.split(",")) for name, _, cells in parts]
    try:
        found: dict[str, list[Number]] = {name: [read_number(cell.strip()) for cell in cells] for name, cells in rows}
    except ValueError:
        found = {}
    if len(found) < 2 or len({len(cells) for cells in found.values()}) > 1:
        raise Refusal(f"'{clean(text[:60])}' is no table with rows such as a1: 3, 5; a2: 6, 10")
    if len(found) < len(rows):
        raise Refusal(f"'{clean(text[:60])}' has two rows of one name")
    numbers = [Fraction(cell) for cells in found.values() for cell in cells]
    if any(abs(one) > MOST or one.denominator > MOST for one in numbers):
        raise Refusal(f"the numbers of a table are at most {MOST:,}, and so are denominators")
    return found


def bounds_task(rows: Mapping[str, Sequence[Number]], c: float | None, total: int | None = None) -> Task:
    """The upper confidence bounds of actions of which W and N are given, after `total` simulations (None: as many as
    there were visits)."""
    if not all(len(row) == 2 and (row[1] >= 1 or not any(row)) for row in rows.values()):
        raise Refusal("write W and N for each action, N from 1 on (or 0, 0), as in a1: 3, 5; a2: 6, 10")
    if c is not None and not 0 <= c <= MOST:
        raise Refusal(f"c is a number from 0 to {MOST:,}")
    visited = sum(visits for _, visits in rows.values())
    count = visited if total is None else total
    if not visited or count < visited:
        raise Refusal("at least one action has been tried" if not visited else f"the total is at least {visited}")
    width = (sqrt(2) if c is None else float(c)) * sqrt(log(count))
    bounds = {action: float(total) / float(visits) + width / sqrt(visits) if visits else inf
              for action, (total, visits) in rows.items()}  # an action that was never tried comes first  # fmt: skip
    told = (f"W({action}) = {to_text(won)}, N({action}) = {to_text(count)}" for action, (won, count) in rows.items())
    parts = [_bound_part(action, bound) for action, bound in bounds.items()]
    best = [action for action, bound in bounds.items() if bound == max(bounds.values())]
    factor = "√2" if c is None else to_text(exact(Fraction(str(c))))
    fields = {"table": "\n" + ";\n".join(told) + "\n", "count": to_text(count), "c": factor}
    return Task([*parts, one_of("next", best, "next", among=list(bounds))], fields)


def _bound_part(action: str, bound: float) -> Part:
    """The part that asks for the bound of an action, to two decimals; it is infinite where no visit was made."""
    item, fields = f"bound {action}", {"action": action}
    if bound < inf:
        return number(item, Fraction(bound), "bound", fields)._replace(right=f"{bound:.2f}")

    def judge(text: str) -> Number | None:
        said = fold(text).strip(" .=+")
        return 1 if said in _ENDLESS else 0 if re.search(r"\d", said) else None

    check = {"check": "number", "right": None, "nothing": _ENDLESS}
    return number(item, None, "bound", fields)._replace(right="∞", judge=judge, check=check)


def evaluation_task(rows: Mapping[str, Sequence[Number]], *others: object) -> Task:
    """The weighted sums of the features of positions; the first row has the weights."""
    (_, weights), *some = rows.items()
    values = {name: exact(sum(w * Fraction(x) for w, x in zip(weights, row, strict=True))) for name, row in some}
    told = ";\n".join(f"{name}: {', '.join(map(to_text, row))}" for name, row in rows.items())
    parts: list[Part] = [number(name, value, "at", {"node": name}) for name, value in values.items()]
    best = [name for name, value in values.items() if value == max(values.values())]
    parts += [one_of("best position", best, "best position", among=list(values))] if len(values) > 1 else []
    return Task(parts, {"table": f"\n{told}\n"})


def playouts_task(text: str, c: float | None = None, players: int | None = None) -> Task:
    """The tree of Monte Carlo tree search after playouts that are given, `a1 b1: 1, 0; a2: 1; a3:`: on each way from
    the root the results for whoever moves there. W and N at each node, W for whoever chose it, of one player or of two
    who take turns and share 1; and the leaf that is selected next."""
    results = dict[tuple[str, ...], list[Fraction]]()
    for row in text.split(";"):
        way, _, cells = row.partition(":")
        path = tuple(clean(way).split())
        try:
            own = [Fraction(read_number(cell.strip())) for cell in cells.split(",") if cell.strip()]
        except ValueError:
            raise Refusal(f"'{clean(row.strip())}' is no row of playouts, such as a1 b1: 1, 0") from None
        if not path or path in results:
            raise Refusal("each row of playouts has a way of its own, such as a1 b1: 1, 0; a2: 1")
        results[path] = own
    are_shares = players == 1 or all(0 <= one <= 1 for some in results.values() for one in some)
    if not any(results.values()) or not are_shares:
        raise Refusal("at least one result is needed, from 0 to 1 (with players = 1 any number)")
    nodes = list(dict.fromkeys(path[:n] for path in results for n in range(len(path) + 1)))
    below = {node: [own for way in results if way[: len(node)] == node for own in results[way]] for node in nodes}
    wins = {node: sum(some, Fraction(0)) for node, some in below.items()}
    wins |= {node: len(below[node]) - won for node, won in wins.items() if players != 1 and len(node) % 2 == 0}
    width, reached = sqrt(2) if c is None else float(c), list[tuple[str, ...]]([()])
    for node in reached:  # grows while it is walked
        some = [child for child in nodes if child[:-1] == node and child]
        bounds = [
            float(wins[one]) / n + width * sqrt(log(len(below[node])) / n) if (n := len(below[one])) else inf
            for one in some
        ]
        reached += [child for child, bound in zip(some, bounds, strict=True) if bound == max(bounds)]
    ends = [node for node in reached if not any(child[:-1] == node for child in nodes if child)]
    alone = [node[-1] for node in nodes if node]
    names = {node: node[-1] if alone.count(node[-1]) == 1 else "-".join(node) for node in nodes if node}
    parts = [_share_part(names[node], wins[node], len(below[node])) for node in nodes if node]
    told = (f"{' '.join(way)}: {', '.join(map(to_text, map(exact, some))) or '–'}" for way, some in results.items())
    fields = {"table": "\n" + ";\n".join(told) + "\n", "c": "√2" if c is None else to_text(exact(Fraction(str(c))))}
    return Task([*parts, one_of("next", [names[node] for node in ends], "next", among=list(names.values()))], fields)


def _share_part(name: str, won: Fraction, visits: int) -> Part:
    """The part that asks for W/N at a node; a half for one of the two numbers."""
    with decimals(True):
        due, told = (won, Fraction(visits)), f"{to_text(exact(won))}/{visits}"

    def judge(text: str) -> Number | None:
        plain = re.sub(r"(\d),(\d+)(?=\s*/)", r"\1.\2", text.rsplit("=", 1)[-1])
        said = re.findall(r"-?\d+(?:\.\d+)?", plain)
        right = [Fraction(one) == number for one, number in zip(said, due, strict=False)]
        return exact(Fraction(sum(right), 2)) if len(said) == 2 else None

    return Part(name, told, judge, "at", {"node": name}, check={"check": "one", "right": [told]})


# What makes a question of a table, by the word for it in an exam file, from its text, c, and total or players.
TABLES: Mapping[str, Callable[..., Task]] = {
    "ucb": lambda text, c, total, players: bounds_task(read_rows(text), c, total),
    "evaluation": lambda text, c, total, players: evaluation_task(read_rows(text)),
    "playouts": lambda text, c, total, players: playouts_task(text, c, players),
}
SETTINGS: Mapping[str, tuple[str, ...]] = {"ucb": ("c", "total"), "evaluation": (), "playouts": ("c", "players")}
