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
from gdl.compiler.searches.unfolding import Unfolding
from gdl.game import Chance, Decision, Simultaneous
from gdl.solvers.equilibria.positions import FlatPositions, explore
from gdl.states.explore import moves

PLAYERS = ("Ann", "Bob")
PLIES = 2  # after which play is over; draws are no plies
VISIBLE = ("none", "all", "owner", "when")
CONSTRUCTS = ("say", "unseen", "seen by", "attempt", "draw", "forget", "at once", "public", "draw twice")
Op = tuple[Any, ...]


class Rules(NamedTuple):
    """A random game: `heads` says of each action who hears of it, `bodies` what it does; `toss` what the step that is
    drawn does; `deal` what chance does first (None: nothing); `after` what follows a joint move."""

    at_once: bool
    heads: dict[str, str]
    bodies: dict[str, tuple[Op, ...]]
    toss: tuple[Op, ...]
    deal: tuple[Op, ...] | None
    after: tuple[Op, ...]

    def text(self) -> str:
        lines = [
            "players Ann, Bob",
            "state",
            "    t: 0..9 visible to none",
            "    h: 0..1 visible to none",
            "    v: 0..1",
        ]
        lines += ["    o[Player]: 0..1 visible to owner", "    w: 0..1 visible to p when p = Bob"]
        if self.at_once or self.deal is not None:
            lines += [f"start {'deal' if self.deal is not None else 'everyone'}"]
        if self.deal is not None:
            lines += ["chance deal(n: 0..1)", *written(self.deal), f"    next {'everyone' if self.at_once else 'Ann'}"]
        if self.draws:
            lines += ["chance toss(n: 0..1)", *written(self.toss)]
        for name, body in self.bodies.items():
            count = "" if self.at_once else "    t := t + 1\n"
            lines += [f"action {name}(n: 0..1){self.heads[name]}\n{count}".rstrip("\n"), *written(body)]
        if self.at_once:
            lines += ["resolve", "    t := t + 1", *written(self.after)]
        return "\n".join([*lines, "terminal", f"    t >= {PLIES} -> pay h to Ann", ""])

    def constructs(self) -> set[str]:
        told = repr((self.bodies, self.toss, self.deal, self.after)) + repr(self.heads)
        found = {word for word in ("say", "unseen", "seen by", "attempt", "forget", "public") if word in told}
        found |= {"at once"} if self.at_once else set()
        found |= {"draw"} if self.draws else set()
        return found | ({"draw twice"} if "draw n" in told else set())

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
    at_once = rng.random() < 0.25
    own = "o[mover]"

    def effect(places: tuple[str, ...]) -> Op:
        return "set", rng.choice(places), rng.choice(("n", "0", "1", "1 - n"))

    def event(hearers: tuple[str, ...]) -> Op:
        return "say", rng.choice(("n", "Hush")), rng.choice(hearers)

    bodies, heads = {}, {}
    places = (own,) if at_once else (own, "h", "h", "v", "w")
    hearers = ("all", "Ann", "Bob", "other(mover)")
    for name in ("go", "act"):
        body = [effect(places)]
        body += [event(hearers)] if rng.random() < 0.3 else []
        if not at_once and rng.random() < 0.4:
            body.append(("attempt", (effect(places), *([event(hearers)] * rng.randint(0, 1))), (effect(places),)))
        body += [("forget",)] if rng.random() < 0.15 else []
        if not at_once and rng.random() < 0.5:
            body.append((rng.choice(("draw toss", "draw both", "draw one", "draw n", "draw n")),))
        bodies[name] = tuple(body)
        heads[name] = rng.choice(
            (" public", " unseen", " unseen", " seen by p when n = 1", " seen by p when p = Ann", "")
        )
    toss = (("set", rng.choice(("h", "h", "h", "v", "w", "o[Ann]")), "n"),)
    deal = (("set", rng.choice(("h", "o[Ann]", "w")), "n"),) if rng.random() < 0.5 else None
    after = tuple([("say", "o[Ann]", "Bob")] * (rng.random() < 0.3) + [("forget",)] * (rng.random() < 0.1))
    return Rules(at_once, heads, bodies, toss, deal, after)


class Play:
    """A play, told by the manual: the values of the variables, whose turn it is, and what each player remembers."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.cells: dict[str, int] = {"t": 0, "h": 0, "v": 0, "w": 0, "o[Ann]": 0, "o[Bob]": 0}
        self.turn = "deal" if rules.deal is not None else "everyone" if rules.at_once else "Ann"
        self.mover, self.tosses = "Ann", 0
        self.said: list[tuple[str, str]] = []
        self.forgotten = self.refused = False
        self.memory: dict[str, tuple[Any, ...]] = {player: (self.sight(player),) for player in PLAYERS}

    def sight(self, player: str) -> tuple[Any, ...]:
        """The sight of a player: v, the own element of o, for Bob w, and whose turn it is."""
        return self.cells["v"], self.cells[f"o[{player}]"], self.cells["w"] if player == "Bob" else None, self.turn

    def do(self, ops: tuple[Op, ...], n: int) -> None:
        for op in ops:
            match op:
                case ("set", place, value):
                    name = place.replace("mover", self.mover)
                    self.cells[name] = {"n": n, "0": 0, "1": 1, "1 - n": 1 - n}[value]
                case ("say", event, hearer):
                    told = {"n": str(n), "o[Ann]": str(self.cells["o[Ann]"])}.get(event, event)
                    other = PLAYERS[1 - PLAYERS.index(self.mover)]
                    hearers = PLAYERS if hearer == "all" else (other if hearer == "other(mover)" else hearer,)
                    self.said += [(player, told) for player in hearers]
                case ("attempt", done, instead):
                    self.refused = self.cells["h"] == n
                    self.do(instead if self.refused else done, n)
                case ("forget",):
                    self.forgotten = True
                case (draw,):
                    self.tosses = {"draw toss": 1, "draw both": 1, "draw one": n, "draw n": n + 1}[draw]

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
            play.turn = "everyone" if self.rules.at_once else "Ann"
        else:
            for player, action in zip(PLAYERS, move, strict=True) if self.rules.at_once else [(self.turn, move)]:
                acted[player] = action
                play.mover, play.refused = player, False
                play.do(self.rules.bodies[action[:-3]], int(action[-2]))
                heard += [] if play.refused else self.hearers(player, action)
            if self.rules.at_once:
                play.mover = "Ann"
                play.do(self.rules.after, 0)
            play.cells["t"] += 1
        if self.turn != "deal" and not self.rules.at_once:
            play.turn = "toss" if play.tosses else PLAYERS[1 - PLAYERS.index(play.mover)]
        for player in PLAYERS:
            play.remember(player, self.sight(player), acted.get(player), heard)
        return play

    def hearers(self, actor: str, action: str) -> list[tuple[str, str]]:
        """The players who hear that an action was done, with the text; the actor only that an attempt was not refused."""
        head = self.rules.heads[action[:-3]]
        attempts = any(op[0] == "attempt" for op in self.rules.bodies[action[:-3]])
        hearing = []
        for player in PLAYERS:
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
            assert isinstance(node, Chance) is (play.turn in ("deal", "toss") and play.cells["t"] < PLIES), seed
            continue
        for number, player in enumerate(PLAYERS):
            if isinstance(node, Decision) and node.player != number:
                continue
            known, mine = game.information_set(state, number), play.memory[player]
            assert sets.setdefault((player, known), mine) == mine, (seed, player, "tells less than the manual")
            assert observed.setdefault((player, mine), known) == known, (seed, player, "tells more than the manual")
            assert names.setdefault((player, game.describe(state, number)), known) == known, (seed, "a name for two")
    if seed % 10 == 0:
        search = Unfolding(game, game.initial(), "python")
        for _ in search:
            pass
        assert FlatPositions(search.flat()) == explore(game), seed
    return rules.constructs()


def compare_many(seeds: range) -> None:
    """Compare many games, of which at least a tenth has each construct."""
    met = Counter(construct for seed in seeds for construct in compare(seed))
    print(dict(met))
    assert all(met[construct] * 10 >= len(seeds) for construct in CONSTRUCTS), met


def test_some_games() -> None:
    compare_many(range(40))


@pytest.mark.thorough
def test_three_hundred_games() -> None:
    compare_many(range(300))
