"""A page on which a table of plans is worked out step by step; above it the picture, where the game is no matrix."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from gdl.errors import clean
from gdl.numbers import to_text
from gdl.render.matrix import Matrix
from gdl.render.page import as_data, fill_template
from gdl.render.picture import Picture
from gdl.render.svg import svg
from gdl.render.svg.arrange import pretty
from gdl.render.svg.legend import typeset_caption
from gdl.render.worked import Joint, Mixes, PlanTableStep, table_methods
from gdl.solution import Worked


def worked_page(drawn: Picture | Matrix, worked: Worked) -> str:
    """The page of a game that is drawn so, with the table of its plans."""
    tree = ""
    if isinstance(drawn, Picture):  # its title is the page's
        inside = f'<summary>The tree</summary><div class="scroll">{svg(replace(drawn, title=""))}</div>'
        tree = f'<details class="tree" open>{inside}</details>'
    parts = {
        "tree": tree,
        "tables": "".join(_tables(worked)),
        "data": _data(worked),
        "caption": "" if tree else html.escape(typeset_caption(drawn.caption)),
        "plans": " of plans" if tree else "",
    }
    return fill_template("gdl.render", "tables", drawn.title, parts, style="page", scripts="controls tables")


def _tables(worked: Worked) -> Iterator[str]:
    """The first player's plans are rows, the second's columns; a table for each way in which the others can choose."""
    players = tuple(map(_text, worked.players))
    others = tuple(range(2, len(players)))
    for chosen in product(*(range(len(worked.plans[p])) for p in others)):
        does = ", ".join(f"{players[p]}: {_head(p, k, worked)}" for p, k in zip(others, chosen, strict=True))
        heads = "".join(f'<th scope="col">{_head(1, k, worked)}</th>' for k in range(len(worked.plans[1])))
        rows = "".join(
            f'<tr><th scope="row">{_head(0, i, worked)}</th>'
            + "".join(_cell((i, j, *chosen), worked) for j in range(len(worked.plans[1])))
            + "</tr>"
            for i in range(len(worked.plans[0]))
        )
        top = f'<tr><td></td><th colspan="{len(worked.plans[1])}" class="player">{players[1]}</th></tr>'
        corner = f'<tr><th class="player">{players[0]}</th>{heads}</tr>'
        yield f"<table>{f'<caption>{does}</caption>' if does else ''}{top}{corner}{rows}</table>"


def _head(player: int, plan: int, worked: Worked) -> str:
    name = _text(worked.plans[player][plan])
    return f'<span data-plan="{player},{plan}">{name}</span> <span class="weight" data-weight="{player},{plan}"></span>'


def _cell(cell: Joint, worked: Worked) -> str:
    name = ",".join(map(str, cell))
    pays = (f'<span data-seat="{p}">{pretty(to_text(pay))}</span>' for p, pay in enumerate(worked.payoffs[cell]))
    return f'<td data-cell="{name}">{", ".join(pays)}</td>'


def _text(name: str) -> str:
    return html.escape(clean(name))


def _data(worked: Worked) -> str:
    return as_data(
        [
            {"name": way.name, "code": way.code, "steps": [_row(deed) for deed in way.steps]}
            for way in table_methods(worked)
        ]
    )


def _row(deed: PlanTableStep) -> dict[str, object]:
    """What the script reads of a step; what is empty is left out."""
    row = {
        "event": deed.event,
        "said": deed.said,
        "why": deed.why,
        "boxed": "" if deed.boxed is None else _key(deed.boxed),
        "found": deed.found,
        "replies": [[_key(cell), player] for cell, player in deed.replies],
        "gone": [_key(plan) for plan in deed.gone],
        "seen": [_key(cell) for cell in deed.seen],
        "used": [_key(plan) for plan in deed.used],
        "weights": _weights(deed.mixes),
    }
    return {name: value for name, value in row.items() if value}


def _weights(mixes: Mixes) -> dict[str, str]:
    return {
        f"{player},{plan}": pretty(to_text(weight))
        for player, mix in enumerate(mixes)
        for plan, weight in enumerate(mix or ())
    }


def _key(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))
