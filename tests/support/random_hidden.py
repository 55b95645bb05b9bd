"""Small games in which something is hidden, written at random: what players see, hear and forget is drawn by lot.

Every game ends, for each action adds to a count; there are no more than some thousand positions.
"""

from __future__ import annotations

import random

TOP = 2  # the highest card


def written(seed: int) -> str:
    """The text of game number `seed`."""
    lot = random.Random(f"hidden {seed}")
    players = ["Ann", "Bob", "Cem"][: lot.choice((2, 2, 2, 3))]
    last = lot.choice((2, 3)) if len(players) == 2 else 3
    at_once = lot.random() < 0.3
    begin = "next everyone" if at_once else "next Ann"
    lines = [
        f"players {', '.join(players)}",
        "",
        "state",
        f"    card[Player]: 0..{TOP} {_visible(lot, True)}",
        f"    pile[i: 1..2]: 0..{TOP} {_visible(lot)}",
        f"    mark[i: 1..2, p: Player]: Boolean {_visible(lot)}",
        f"    held[i: 1..2]: set of 1..3 {_visible(lot)}",
        f"    plays: 0..{last} {lot.choice(('', 'visible to none'))}",
        f"    top: 0..{TOP}? {lot.choice(('', 'visible to none'))}",
        "",
        "start deal",
        "",
        *_chance(lot, f"deal(c: 0..{TOP}, d: 0..1)", ["card[Ann] := c", "card[Bob] := d", f"pile[1] := {lot.choice('cd')}"]),
        "    next turn_up" if lot.random() < 0.5 else f"    {begin}",
        "",
        *_chance(lot, "turn_up(k: 1..2)", ["pile[k] := card[Ann]", "held[k] := held[k] + {k}"]),
        f"    {begin}",
        "",
    ]  # fmt: skip
    for number in range(lot.choice((1, 2, 2))):
        lines += _action(lot, number, at_once)
    if at_once:
        lines += ["resolve", "    plays := plays + 1", *(f"    {line}" for line in _events(lot)), ""]
    paid = [f"{lot.choice(('card[Ann] + ', '', '2 * '))}pile[{lot.choice('12')}] - {number}" for number in range(2)]
    pays = "(pay {0})" if len(players) == 2 else ""
    del pays
    utilities = ", ".join([*paid, "1/2"][: len(players)])
    lines += ["terminal", f"    plays = {last} -> ({utilities})"]
    return "\n".join(lines) + "\n"


def _visible(lot: random.Random, owned: bool = False) -> str:
    kinds = ["", "visible to all", "visible to none"]
    kinds += ["visible to owner"] * 4 if owned else []
    kinds += [f"visible to p when {_condition(lot)}" for _ in range(2)]
    return lot.choice(kinds)


def _condition(lot: random.Random, others: str = "") -> str:
    return lot.choice(
        ("p = Ann", "p != Bob", "card[p] = 1", "plays > 1", "top != none and p = Bob", "mark[1, p]", "card[p] < card[Bob]")
    ) + others  # fmt: skip


def _chance(lot: random.Random, head: str, body: list[str]) -> list[str]:
    name = head.partition("(")[2].partition(":")[0]
    weight = f" weight 1 + {name}" if lot.random() < 0.4 else ""
    text = "" if lot.random() < 0.6 else f' as "x{{{name}}}"' if "," not in head else ""
    merge = " merge" if lot.random() < 0.3 else ""
    heard = lot.choice(("", "", " public", f" seen by p when {_condition(lot)}")) if not merge else ""
    return [f"chance {head}{text}{weight}{merge}{heard}", *(f"    {line}" for line in body)]


def _action(lot: random.Random, number: int, at_once: bool) -> list[str]:
    head = lot.choice((f"go{number}(a: 0..1)", f"do{number}(a: 1..2)", f"act{number}"))
    name = "a" if "(" in head else "1"
    heard = lot.choice((" public", " unseen", " unseen", f" seen by p when {_condition(lot)}"))
    if at_once:
        return [f"action {head}{heard}", f"    card[mover] := {name}", *(f"    {line}" for line in _events(lot)), ""]
    body = ["plays := plays + 1", lot.choice((f"card[mover] := {name}", f"pile[1] := {name}", "mark[1, mover] := true",
                                             "held[2] := held[2] + {3}", "top := pile[1]"))]  # fmt: skip
    if lot.random() < 0.3:
        body += ["attempt", "    top := 1", f"    require pile[2] != {name}", "refused"]
        body += [f"    {lot.choice(('say No to all', 'say pile[2] to Ann', 'mark[2, mover] := true'))}"]
    body += _events(lot)
    body += [lot.choice(("next mover", "next turn_up", "", ""))] if lot.random() < 0.4 else []
    return [f"action {head}{heard}", *(f"    {line}" for line in body if line), ""]


def _events(lot: random.Random) -> list[str]:
    return [
        lot.choice(("say pile[1] to all", "say yes to Ann", "say card[Ann] to Bob", "if plays > 1\n        say late", "forget"))
        for _ in range(lot.choice((0, 0, 1, 2)))
    ]  # fmt: skip
