"""Small games of two written at random that are the same with their players exchanged, and near misses of them.

Each is put together from pieces that treat Ann and Bob alike: cards dealt unseen, moves at once or in turn, private and
public words, sets in the hand, what is shown on a condition. A near miss is such a game with one or two words of it
replaced, as a slip of the pen would: it may be no game, or still the same.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

from gdl.game import Chance, Decision, Terminal
from gdl.states.explore import moves

SIGHT = ("visible to owner", "visible to owner", "visible to none", "")
BOTH = """
say bid[Ann] to all/say bid[Bob] to all
say bid[Ann] to Bob/say bid[Bob] to Ann
say card[Ann] to Bob/say card[Bob] to Ann
say max(bid[Ann], bid[Bob])
if bid[Ann] = bid[Bob]/    say same
if bid[Ann] > bid[Bob]/    say higher to Ann/else if bid[Bob] > bid[Ann]/    say higher to Bob
if bid[Ann] > bid[Bob]/    say lower to Bob/    say done to Ann/if bid[Bob] > bid[Ann]/    say lower to Ann/    say done to Bob
for p in Player where bid[p] > bid[other(p)]/    won[p] := min(3, won[p] + pot)
for p in Player where bid[p] = pot/    won[p] := min(3, won[p] + 1)
for p in Player where card[p] < bid[p]/    shown[p] := true
for p in Player where card[p] + bid[p] > 3/    lost := lost + {p}
if bid[Ann] > bid[Bob]/    won[Ann] := 3/else if bid[Bob] > bid[Ann]/    won[Bob] := 3
pot := 1 + abs(bid[Ann] - bid[Bob]) mod 2
if bid[Ann] != bid[Bob]/    lead := if bid[Ann] < bid[Bob] then Ann else Bob
award
"""
OWN = """
say n to mover
let foe = other(mover)/say n to foe
let rival = other(mover)/say card[mover] to rival
shown[mover] := true
won[mover] := min(3, won[mover] + card[mover] - 1)
if card[mover] = 2/    won[mover] := 3
if n = 1/    shown[mover] := not shown[mover]
"""
ALONE = """
lead := mover
pot := 1 + pot mod 2
lost := lost + {other(mover)}
say n to all
bid[other(mover)] := n
"""
SCORES = ("2 * won[{}] + card[{}]", "won[{}] - bid[{}]", "bid[{}] + (if lead = {} then 1 else 0)", "won[{}]",
          "(if {} in lost then 0 else card[{}])", "3 * won[{}] - card[{}]", "size(hand[{}]) + won[{}]")  # fmt: skip
SLIPS = (  # what may stand in place of what, once
    *[(a, b) for a, b in (("Ann", "Bob"), ("Bob", "Ann"), ("mover", "Ann"), ("other(mover)", "Bob"))],
    *[(rf"\b{n}\b", m) for n, m in (("0", "1"), ("1", "2"), ("1", "0"), ("2", "1"), ("3", "2"))],
    *[(" > ", " >= "), (" < ", " <= "), (" unseen", " seen by p when p = Ann"), (" public", " seen by p when p != Bob")],
    *[(" visible to (owner|none)", f" visible to {w}") for w in ("none", "owner", "all", "q when q = Ann")],
    *[(r"visible to (owner|none)", "visible to q when pot = 1 and q = Bob"), ("to all", "to Ann"), ("unseen", "public")],
    *[("weight .*", "weight a"), ("weight .*", "weight 2 * b + a"), (r" as .*\{n\}\"", ' as "{n} {card[Ann]}"')],
    *[(r"(\n    +)say [^\n]*", ""), (r"(\n    +)[a-z]+\[mover\] := [^\n]*", r"\1say n to Bob"), ("visible to", "visible to p when p = Ann or")],
    *[(r"n: 0\.\.1", "n: 0..1 + (if mover = Bob then 1 else 0)"), (r"action ([a-z]+)", r"action other\1"), (" = 1\n", " = 2\n")],
    *[(r"\[Player\]: (\d\.\.\d)", r"[p: Player]: \1 = (if p = Ann then 1 else 2)"), ("next everyone", "next Ann")],
    *[(r"next p\b", "next Bob"), ("a != b", "a > b"), ("Ann, Bob := a, b", "Ann, Bob := b, b"), (r"-> win Ann", "-> draw")],
    *[(r'as "', 'as "{mover}'), (r" when n", r" when mover = Ann or n"), ("draw", "(1, -1)"), ("merge", "")],
)  # fmt: skip


def written(seed: int, slips: int = 0) -> str:
    """The text of game number `seed`, with `slips` of its words replaced."""
    lot = random.Random(f"exchange {seed}")
    text = _game(lot)
    while slips:
        old, new = lot.choice(SLIPS)
        places = list(re.finditer(old, text[text.index("state") :]))
        if places:
            place, start = lot.choice(places), text.index("state")
            text = text[: start + place.start()] + place.expand(new) + text[start + place.end() :]
            slips -= 1
    return text


def _game(lot: random.Random) -> str:
    together, last = lot.random() < 0.6, lot.choice((1, 2, 2))
    turned = together and lot.random() < 0.4
    shown = lot.choice((*SIGHT, "of"))
    card = "card[Player]: 1..2 " + shown
    if shown == "of":
        card = f"card[q: Player]: 1..2 visible to p when p {lot.choice(('=', '!='))} q or {lot.choice(('shown[q]', 'pot = 2', 'p in lost'))}"
    hand = lot.choice(SIGHT)
    knows = [word for word, sight in (("hand", hand), ("card", shown)) if sight not in ("visible to none", "of")]
    deal = lot.random() < 0.7 or not together
    begin = "everyone" if together else "toss"
    lines = [
        "players Ann, Bob", "", "state", f"    {card}", f"    hand[Player]: set of 0..1 = {{0, 1}} {hand}",
        f"    bid[Player]: 0..2 {lot.choice(SIGHT)}", f"    shown[Player]: Boolean {lot.choice(SIGHT)}",
        f"    won[Player]: 0..3 {lot.choice(('', '', *SIGHT))}", f"    pot: 1..2 {lot.choice(('', 'visible to none'))}",
        f"    lead: Player? {lot.choice(('', 'visible to none', 'visible to p when lead = p'))}",
        f"    lost: set of Player {lot.choice(('', '', 'visible to none', 'visible to p when p not in lost'))}",
        f"    round: 0..{2 * last}", "", f"start {'deal' if deal else begin}", "",
        "define award", "    for p in Player where bid[p] > bid[other(p)]", "        won[p] := min(3, won[p] + card[p])", "",
    ]  # fmt: skip
    if deal:
        when, weight = (
            lot.choice(("", "", " when a != b")),
            lot.choice(("", " weight a + b", " weight 1 + abs(a - b)", " weight 1")),
        )
        heard = lot.choice(("", "", "", " public", " seen by p when a = b", ' as "{a * b}{a}{b}"'))
        lines += [f"chance deal(a: 1..2, b: 1..2){heard if 'as' in heard else ''}{when}{weight}{'' if 'as' in heard else heard}",
                  "    card[Ann], card[Bob] := a, b", f"    next {begin}", ""]  # fmt: skip
    if not together:
        lines += [f"chance toss(p: Player){lot.choice(('', ' public', ' seen by q when q = p'))}"]
        lines += [*(["    lead := p"] if lot.random() < 0.5 else []), "    next p", ""]
    if turned:
        lines += [
            f"chance turn(k: 1..2){lot.choice((' weight k', ''))}{lot.choice((' public', '', ' merge'))}",
            "    pot := k",
        ]
        lines += [
            lot.choice(("    say k to all", "    say k to Ann\n    say k to Bob", "    let z = k")),
            "    next everyone",
            "",
        ]
    for name in lot.sample(("play", "go", "pass"), lot.choice((1, 1, 2))):
        lines += [*_action(lot, name, together, knows), ""]
    if together:
        lines += ["resolve", "    round := round + 1", *_some(lot, BOTH, (1, 1, 2, 3))]
        lines += [f"    if round < {last}\n        next turn"] if turned else []
    return "\n".join([*lines, "", "terminal", *_ends(lot, last if together else 2 * last), ""])


def _action(lot: random.Random, name: str, together: bool, knows: list[str]) -> list[str]:
    heard = lot.choice((" unseen", " unseen", " unseen", " public", " seen by q when q != mover", ""))
    own = {"hand": "(n: hand[mover])", "card": "(n: 0..card[mover])"}
    head = lot.choice(("(n: 0..1)", "(n: 0..1)", "(n: 0..1, k: 0..1) merge", *[own[word] for word in knows]))
    named = lot.choice(("", "", f' as "{name} {{n}}"', f' as "{name}{{n}} of {{mover}}"', f' as "{{n + 1}}{name}"'))
    when = (
        lot.choice(("", "", "", " when n < 2", *[" when n in hand[mover]"] * ("hand" in knows)))
        if "merge" not in head
        else ""
    )
    body = ["bid[mover] := " + ("max(n, k)" if "merge" in head else "n")]
    body += ["hand[mover] := hand[mover] - {n}"] if "hand" in head else []
    if lot.random() < 0.2 and "merge" not in head:
        body = ["choose m: 0..1" + lot.choice(("", ' as " {m}"', ' as " {m + n}"')), "bid[mover] := min(2, n + m)"]
        named = "" if "hand" in head or named else named
    body += [line.strip("\n") for line in _some(lot, OWN, (0, 0, 1, 2), "")]
    if "merge" in head:
        named, body = "", [line for line in body if re.match(r"(bid|shown|won)\[", line)]
    if not together:
        body += [*(line for line in _some(lot, ALONE, (0, 1), "")), "round := round + 1"]
        body += [lot.choice(("next other(mover)", "next toss"))] if lot.random() < 0.3 else []
    return [f"action {name}{head}{named}{when}{heard}", *(f"    {line}" for line in body)]


def _some(lot: random.Random, ways: str, counts: tuple[int, ...], indent: str = "    ") -> list[str]:
    chosen = lot.sample(ways.strip().splitlines(), lot.choice(counts))
    return [indent + line for way in chosen for line in way.split("/")]


def _ends(lot: random.Random, last: int) -> list[str]:
    score = lot.choice(SCORES)
    ann, bob = (score.replace("{}", p) for p in ("Ann", "Bob"))
    lines = lot.choice(([], [], ["won[Ann] = 3 and won[Bob] = 3 -> draw", "won[Ann] = 3 -> win Ann", "won[Bob] = 3 -> win Bob"],
                        ["shown[Ann] and shown[Bob] -> draw"]))  # fmt: skip
    over = f"round >= {last}"
    lines = [*lines, *lot.choice((
        [f"{over} and {ann} > {bob} -> win Ann", f"{over} and {bob} > {ann} -> win Bob", f"{over} -> draw"],
        [f"{over} -> {ann} - ({bob})"], [f"{over} and {ann} = {bob} -> draw", f"{over} -> win (if {ann} > {bob} then Ann else Bob)"],
    )), "no actions -> draw"]  # fmt: skip
    if lot.random() < 0.2:
        lines = [
            re.sub("win Ann", "(1, 0)", re.sub("win Bob", "(0, 1)", re.sub("draw", "(1/2, 1/2)", line)))
            for line in lines
        ]
    return [f"    {line}" for line in lines]


def profile(game: Any, most: int) -> list[Counter[Any]] | None:
    """For each player the number of times that each description of an information set occurs: the depth, the
    probability, the player's number of actions and the payoffs of its nodes. If the players can be exchanged, both have
    the same. None if the tree has more than `most` nodes."""
    met: list[dict[Any, Counter[Any]]] = [defaultdict(Counter), defaultdict(Counter)]
    work, nodes = [(game.initial(), 0, Fraction(1))], 0
    while work:
        state, depth, chance = work.pop()
        nodes += 1
        if nodes > most:
            return None
        node = game.node(state)
        for player in (0, 1):
            can = pays = None
            if isinstance(node, Terminal):
                pays = node.utilities[player], node.utilities[1 - player]
            elif isinstance(node, Decision):
                can = len(node.actions) if node.player == player else "other"
            elif not isinstance(node, Chance):
                can = "at once", len(node.actions[player])
            met[player][game.information_set(state, player)][depth, chance, can, pays] += 1
        shares = dict(node.outcomes) if isinstance(node, Chance) else {}
        work += [
            (game.successor(state, move), depth + 1, chance * Fraction(shares.get(move, 1))) for move in moves(node)
        ]
    return [Counter(frozenset(there.items()) for there in own.values()) for own in met]
