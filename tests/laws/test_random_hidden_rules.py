"""Random games with hidden information, and beside each an observer that was written from the manual: every history is
played by a small program of its own, and what each player saw, heard and did there says which information set it is in.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import gdl
from gdl.game import Chance, Decision, Simultaneous
from gdl.solvers.equilibria.positions import FlatPositions, explore
from gdl.states.explore import moves
from gdl.wings import installed_hook

PLAYERS = ("Ann", "Bob", "Cid")  # of whom a game has one to three
WORDS = ("say", "unseen", "seen by", "attempt", "forget", "public")
CONSTRUCTS = (
    *WORDS,
    "draw",
    "draw twice",
    "at once",
    "turns and at once",
    "one player",
    "three players",
    "three plies",
)
Op = tuple[Any, ...]


class Rules(NamedTuple):
    """A random game: `heads` says of each action who hears of it, `bodies` what it does; `toss` what the step that is
    drawn does; `deal` what chance does first (None: nothing); `after` what follows a joint move. `plies` says of each
    ply, which draws are not, whether all move at once in it; `goes_on` who moves after such a ply, if one alone;
    `idle`: the last player has no action where all move at once."""

    players: tuple[str, ...]
    plies: tuple[bool, ...]
    goes_on: str
    idle: bool
    heads: dict[str, str]
    bodies: dict[str, tuple[Op, ...]]
    toss: tuple[Op, ...]
    deal: tuple[Op, ...] | None
    after: tuple[Op, ...]

    @property
    def first(self) -> str:
        return "everyone" if self.plies[0] else "Ann"

    @property
    def last(self) -> str:
        """The player who sees w."""
        return self.players[-1]

    @property
    def is_mixed(self) -> bool:
        return len(set(self.plies)) == 2

    def text(self) -> str:
        lines = [f"players {', '.join(self.players)}", "state", "    t: 0..9 visible to none"]
        lines += ["    h: 0..1 visible to none", "    v: 0..1", "    o[Player]: 0..1 visible to owner"]
        lines += [f"    w: 0..1 visible to p when p = {self.last}"]
        lines += [f"    together: 0..1 = {int(self.plies[0])}"] if self.is_mixed else []
        lines += [f"start {'deal' if self.deal is not None else self.first}"]
        if self.deal is not None:
            lines += ["chance deal(n: 0..1)", *written(self.deal), f"    next {self.first}"]
        if self.draws:
            lines += ["chance toss(n: 0..1)", *written(self.toss)]
        turning = [k for k, at_once in enumerate(self.plies) if at_once and k]
        for name, body in self.bodies.items():
            alone = name != "vote"
            asked = [f"together = {int(not alone)}"] * self.is_mixed
            asked += [f"mover != {self.last}"] * (self.idle and not alone)
            when = f" when {' and '.join(asked)}" if asked else ""
            lines += [f"action {name}(n: 0..1){when}{self.heads[name]}", *["    t := t + 1"] * alone, *written(body)]
            for k in turning if alone else ():
                lines += [f"    if t = {k}", "        together := 1", "        next everyone"]
        if any(self.plies):
            lines += ["resolve", "    t := t + 1", *written(self.after)]
            for k, at_once in enumerate(self.plies):
                if not at_once:
                    lines += [f"    if t = {k}", "        together := 0", f"        next {self.goes_on}"]
        return "\n".join([*lines, "terminal", f"    t >= {len(self.plies)} -> pay h to Ann", ""])

    def constructs(self) -> set[str]:
        told = repr((self.bodies, self.toss, self.deal, self.after)) + repr(self.heads)
        found = {
            "draw": self.draws,
            "draw twice": "draw n" in told,
            "at once": all(self.plies),
            "turns and at once": self.is_mixed,
            "one player": len(self.players) == 1,
            "three players": len(self.players) == 3,
            "three plies": len(self.plies) == 3,
        }
        return {word for word in WORDS if word in told} | {word for word, is_there in found.items() if is_there}

    @property
    def draws(self) -> bool:
        return any(op[0].startswith("draw") for body in self.bodies.values() for op in body)


def written(ops: tuple[Op, ...], margin: str = "    ") -> list[str]:
    """The lines of a body."""
    lines: list[str] = []
    for op in ops:
        match op:
            case ("set", place, value):
                lines.append(f"{margin}{place} := {value}")
            case ("say", event, hearer):
                lines.append(f"{margin}say {event} to {hearer}")
            case ("attempt", done, instead):
                lines += [f"{margin}attempt", f"{margin}    require h != n", *written(done, margin + "    ")]
                lines += [f"{margin}refused", *written(instead, margin + "    ")]
            case ("draw both",):
                lines += [f"{margin}if n = 1", f"{margin}    draw toss", f"{margin}else", f"{margin}    draw toss"]
            case ("draw one",):
                lines += [f"{margin}if n = 1", f"{margin}    draw toss"]
            case ("draw n",):
                lines += [f"{margin}let many = n + 1", f"{margin}draw toss many times"]
            case (word,):
                lines.append(f"{margin}{word}")
    return lines


def random_rules(seed: int) -> Rules:
    rng = random.Random(f"observer {seed}")
    players = PLAYERS[: rng.choice((1, 2, 2, 2, 3, 3))]
    count = rng.choice((2, 2, 3))
    kind = rng.choice(("turns", "turns", "at once", "mixed")) if len(players) > 1 else "turns"
    plies = tuple(rng.random() < 0.5 for _ in range(count))
    plies = plies if len(set(plies)) == 2 else (not plies[0], *plies[1:])
    plies = {"turns": (False,) * count, "at once": (True,) * count, "mixed": plies}[kind]
    own, last = "o[mover]", players[-1]

    def effect(places: tuple[str, ...]) -> Op:
        return "set", rng.choice(places), rng.choice(("n", "0", "1", "1 - n"))

    def event(hearers: tuple[str, ...]) -> Op:
        return "say", rng.choice(("n", "Hush")), rng.choice(hearers)

    hearers = ("all", *players, *(["other(mover)"] if len(players) == 2 else ()))
    names = ["go"] * (not all(plies)) + ["act"] * (kind == "turns" and count == 2) + ["vote"] * any(plies)
    bodies, heads = {}, {}
    for name in names:
        alone = name != "vote"
        places = (own, "h", "h", "v", "w") if alone else (own,)
        body = [effect(places)]
        body += [event(hearers)] if rng.random() < 0.3 else []
        if alone and rng.random() < 0.5:
            body.append(("attempt", (effect(places), *([event(hearers)] * rng.randint(0, 1))), (effect(places),)))
        body += [("forget",)] if rng.random() < 0.15 else []
        if kind == "turns" and rng.random() < 0.6:
            body.append((rng.choice(("draw toss", "draw both", "draw one", "draw n", "draw n")),))
        bodies[name] = tuple(body)
        heads[name] = rng.choice(
            (" public", " unseen", " unseen", " seen by p when n = 1", " seen by p when p = Ann", "")
        )
    toss = (("set", rng.choice(("h", "h", "h", "v", "w", "o[Ann]")), "n"),)
    deal = (("set", rng.choice(("h", "o[Ann]", "w")), "n"),) if rng.random() < 0.5 else None
    after = tuple([("say", "o[Ann]", last)] * (rng.random() < 0.3) + [("forget",)] * (rng.random() < 0.1))
    idle = len(players) == 3 and rng.random() < 0.4
    return Rules(players, plies, rng.choice(players), idle, heads, bodies, toss, deal, after)


class Play:
    """A play, told by the manual: the values of the variables, whose turn it is, and what each player remembers."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.cells: dict[str, int] = {"t": 0, "h": 0, "v": 0, "w": 0} | {f"o[{player}]": 0 for player in rules.players}
        self.turn = "deal" if rules.deal is not None else rules.first
        self.mover, self.tosses = "Ann", 0  # nobody is the mover after a ply in which all moved at once
        self.said: list[tuple[str, str]] = []
        self.forgotten = self.refused = False
        self.memory: dict[str, tuple[Any, ...]] = {player: (self.sight(player),) for player in rules.players}

    def sight(self, player: str) -> tuple[Any, ...]:
        """The sight of a player: v, the own element of o, for the last player w, and whose turn it is (which tells
        whether all move together)."""
        w = self.cells["w"] if player == self.rules.last else None
        return self.cells["v"], self.cells[f"o[{player}]"], w, self.turn

    def do(self, ops: tuple[Op, ...], n: int) -> None:
        for op in ops:
            match op:
                case ("set", place, value):
                    name = place.replace("mover", self.mover)
                    self.cells[name] = {"n": n, "0": 0, "1": 1, "1 - n": 1 - n}[value]
                case ("say", event, hearer):
                    told = {"n": str(n), "o[Ann]": str(self.cells["o[Ann]"])}.get(event, event)
                    self.said += [(player, told) for player in self.rules.players if self.is_meant(player, hearer)]
                case ("attempt", done, instead):
                    self.refused = self.cells["h"] == n
                    self.do(instead if self.refused else done, n)
                case ("forget",):
                    self.forgotten = True
                case (draw,):
                    self.tosses = {"draw toss": 1, "draw both": 1, "draw one": n, "draw n": n + 1}[draw]

    def is_meant(self, player: str, hearer: str) -> bool:
        return hearer in ("all", player) or (hearer == "other(mover)" and player != self.mover)

    def following(self) -> str:
        """Whose turn it is after a ply, or after what was drawn in it."""
        if self.tosses:
            return "toss"
        if self.cells["t"] == len(self.rules.plies) or self.rules.plies[self.cells["t"]]:
            return "everyone"
        players = self.rules.players
        return players[(players.index(self.mover) + 1) % len(players)] if self.mover else self.rules.goes_on

    def after(self, move: Any) -> Play:
        """The play after one more move."""
        play = Play(self.rules)
        play.cells, play.turn, play.mover = dict(self.cells), self.turn, self.mover
        play.memory, play.tosses = dict(self.memory), self.tosses
        heard: list[tuple[str, str]] = []
        acted: dict[str, str] = {}
        if self.turn in ("deal", "toss"):
            play.tosses -= self.turn == "toss"
            play.do(self.rules.deal or () if self.turn == "deal" else self.rules.toss, int(move[-2]))
        else:
            at_once = self.turn == "everyone"
            for player, action in zip(self.rules.players, move, strict=True) if at_once else [(self.turn, move)]:
                if not action:
                    continue  # one who has none
                acted[player] = action
                play.mover, play.refused = player, False
                play.do(self.rules.bodies[action[:-3]], int(action[-2]))
                heard += [] if play.refused else self.hearers(player, action)
            play.cells["t"] += 1
            if at_once:
                play.mover = ""
                play.do(self.rules.after, 0)
        play.turn = self.rules.first if self.turn == "deal" else play.following()
        for player in self.rules.players:
            play.remember(player, self.sight(player), acted.get(player), heard)
        return play

    def hearers(self, actor: str, action: str) -> list[tuple[str, str]]:
        """The players who hear that an action was done, with the text; the actor only that an attempt was not refused."""
        head = self.rules.heads[action[:-3]]
        attempts = any(op[0] == "attempt" for op in self.rules.bodies[action[:-3]])
        hearing = []
        for player in self.rules.players:
            hears = {
                " public": True,
                " seen by p when n = 1": action[-2] == "1",
                " seen by p when p = Ann": player == "Ann",
            }
            if hears.get(head, False) and (player != actor or attempts):
                hearing.append((player, f"{actor}: {action}"))
        return hearing

    def remember(self, player: str, before: tuple[Any, ...], own: str | None, heard: list[tuple[str, str]]) -> None:
        sight = self.sight(player)
        if self.forgotten:
            self.memory[player] = (sight,)
            return
        events = tuple(event for hearer, event in [*heard, *self.said] if hearer == player)
        if own or events or sight != before or self.turn == "toss":
            self.memory[player] = (*self.memory[player], (own, events, sight))


def histories(game: Any, play: Play) -> Iterator[tuple[Any, Any, Play]]:
    """Every position with its node, and the same play as the observer sees it."""
    waiting = [(game.initial(), play)]
    while waiting:
        state, seen = waiting.pop()
        node = game.node(state)
        yield state, node, seen
        waiting += [(game.successor(state, move), seen.after(move)) for move in moves(node)]


def compare(seed: int) -> set[str]:
    """Compare the partitions of one game; its constructs."""
    rules = random_rules(seed)
    game = gdl.loads(rules.text()).game
    sets: dict[tuple[str, Any], Any] = {}
    names: dict[tuple[str, str], Any] = {}
    observed: dict[tuple[str, Any], Any] = {}
    for state, node, play in histories(game, Play(rules)):
        if not isinstance(node, Decision | Simultaneous):
            assert isinstance(node, Chance) is (play.turn in ("deal", "toss") and play.cells["t"] < len(rules.plies)), (
                seed
            )
            continue
        for number, player in enumerate(rules.players):
            acts = node.player == number if isinstance(node, Decision) else bool(node.actions[number])
            if not acts:
                continue
            known, mine = game.information_set(state, number), play.memory[player]
            assert sets.setdefault((player, known), mine) == mine, (seed, player, "tells less than the manual")
            assert observed.setdefault((player, mine), known) == known, (seed, player, "tells more than the manual")
            assert names.setdefault((player, game.describe(state, number)), known) == known, (seed, "a name for two")
    unfolding = installed_hook("the compiled unfolding")
    if seed % 10 == 0 and unfolding is not None:
        search = unfolding(game, game.initial(), "python")
        for _ in search:
            pass
        assert FlatPositions(search.flat()) == explore(game), seed
    return rules.constructs()


def compare_many(seeds: range) -> None:
    """Compare many games, of which at least a tenth has each construct."""
    met = Counter(construct for seed in seeds for construct in compare(seed))
    print(dict(met))
    assert all(met[construct] * 10 >= len(seeds) for construct in CONSTRUCTS), met


@pytest.mark.thorough
def test_some_games() -> None:
    compare_many(range(40))


@pytest.mark.thorough
def test_more_games() -> None:
    compare_many(range(40, 300))
