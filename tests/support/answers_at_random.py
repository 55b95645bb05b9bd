"""Answers to check: small games of every kind made at random, solved by the solvers that fit, and their answers altered.

A case is a game and the JSON object that `gdl solve --json` prints for it. An alteration changes one field of such an
object somewhere: a number, a word, an entry more or less.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from games_by_hand import bimatrix, matrix
from random_rules import written
from small_games import Network
from trees import chance, node, random_tree, tree, unknown

import gdl
from gdl.commands.engines import offer
from gdl.errors import DamagedData, GameError, Interrupted, LimitReached, Refusal
from gdl.formats.answer import write
from gdl.game import Chance, Decision, Game, Promises, Terminal
from gdl.interpreter.rules_game import RulesGame
from gdl.model.fingerprint import fingerprint
from gdl.render.trace import events_of
from gdl.solution import RecordedSearch, Solution
from gdl.solvers import SOLVERS, solve
from gdl.states.explore import reachable_traits

NODES = 4_000  # of a search
CELLS = 500  # of a strategic form
MANY = 60  # equilibria: more take long to judge, again and again
MANY_ACTIONS = 10  # at one position
BELIEFS = {"sequential", "perfect-bayesian", "intuitive"}  # of all sets at once
RECORDED = ("alpha-beta", "star1", "star2", "shallow")


class Case(NamedTuple):
    """A game with the name of the case, an answer to the game as JSON, and its `origin`: the fingerprint and the
    options that an answer to this game states."""

    name: str
    game: Game[Any]
    answer: dict[str, Any]
    origin: dict[str, Any]


# ---- Games ------------------------------------------------------------------------------------------------------


def zero_sum_tree(rng: random.Random) -> Any:
    leaves = rng.choice([range(-2, 3), range(-9, 10), [Fraction(k, 3) for k in range(-4, 5)]])
    made = random_tree(rng, rng.randint(1, 4), leaves=leaves, chances=rng.choice([0, 0, 0.3]))
    return tree(made, name="tree", utility=(-9, 9) if rng.random() < 0.3 else None)


def evaluated_tree(rng: random.Random) -> Any:
    """A tree in which every inner node has an evaluation."""

    def made(depth: int) -> Any:
        if depth == 0 or rng.random() < 0.1:
            return rng.randint(-5, 5)
        children = [made(depth - 1) for _ in range(rng.randint(1, 3))]
        return node(rng.choice(["MAX", "MIN"]))(*children, eval=rng.randint(-5, 5))

    return tree(made(rng.randint(2, 4)), name="estimated")


def several_sided_tree(rng: random.Random) -> Any:
    players = rng.choice(["AB", "ABC"])
    leaves = [tuple(rng.randint(0, 3) for _ in players) for _ in range(6)]
    return tree(
        random_tree(rng, rng.randint(1, 4), players=players, leaves=leaves, chances=rng.choice([0, 0.2])), players
    )


def lone_tree(rng: random.Random) -> Any:
    return tree(
        random_tree(rng, 3, players=["Ann"], leaves=[(k,) for k in range(-3, 4)], chances=0.4), ["Ann"], "alone"
    )


def open_tree(rng: random.Random) -> Any:
    """A tree with one or two numbers left open."""
    names = rng.choice(["x", "x", "xy"])
    leaves = [*range(-4, 5), *(unknown(name) for name in names for _ in range(4))]
    made = random_tree(rng, rng.randint(2, 3), leaves=leaves, chances=rng.choice([0, 0.2]))
    return tree(made, name="open", utility=(-6, 6) if rng.random() < 0.3 else None)


def hidden_tree(rng: random.Random) -> Any:
    """A tree in which chance deals, one player acts on partial knowledge of the deal, and then another does."""
    kinds, moves = rng.randint(1, 3), rng.randint(2, 3)
    constant = rng.random() < 0.6
    seen = [rng.choice("ab") for _ in range(kinds)]

    def leaf() -> Any:
        first = rng.randint(-3, 3)
        return (first, -first) if constant else (first, rng.randint(-3, 3))

    def replied(kind: int) -> Any:
        return node("B")(*(leaf() for _ in range(2)), infoset=f"reply {seen[kind]}")

    deals = [
        node("A")(*(replied(kind) for _ in range(moves)), infoset=f"deal {seen[-1 - kind]}") for kind in range(kinds)
    ]
    weights = [rng.randint(1, 3) for _ in deals]
    root = chance(*((Fraction(w, sum(weights)), deal) for w, deal in zip(weights, deals, strict=True)))
    return tree(root, "AB", "hidden")


def table(rng: random.Random) -> Any:
    """A matrix of two or three players."""
    if rng.random() < 0.2:
        actions = [[f"{p}{k}" for k in range(rng.randint(1, 2))] for p in "abc"]
        cells = {joint: tuple(rng.randint(0, 3) for _ in "abc") for joint in product(*actions)}
        return matrix("table", ("A", "B", "C"), actions, cells)
    rows, columns, most = rng.randint(1, 4), rng.randint(1, 4), rng.choice([1, 3, 9])
    first = [[rng.randint(-most, most) for _ in range(columns)] for _ in range(rows)]
    second = [[rng.randint(-most, most) for _ in range(columns)] for _ in range(rows)]
    return bimatrix(first, None if rng.random() < 0.3 else second, name="table")


def network(rng: random.Random) -> Any:
    """Positions that can be repeated, with or without chance, and perhaps with a price of endless play."""
    count = rng.randint(2, 9)
    chances = rng.choice([0, 0, 0.3])
    nodes: list[Any] = []
    children: list[list[int]] = []
    for number in range(count):
        width = rng.randint(1, 3)
        kind = rng.random()
        if number and kind < 0.3:
            utility = rng.randint(-2, 2)
            nodes.append(Terminal((utility, -utility)))
            children.append([])
            continue
        children.append([rng.randrange(count) for _ in range(width)])
        names = tuple(map(str, range(width)))
        if rng.random() < chances:
            weights = [rng.randint(1, 3) for _ in names]
            nodes.append(Chance(tuple((a, Fraction(w, sum(weights))) for a, w in zip(names, weights, strict=True))))
        else:
            nodes.append(Decision(rng.randrange(2), names))
    price = rng.choice([None, 0, 0, 1, -1])
    return Returning(nodes, children, None if price is None else (price, -price))


class Returning(Network):
    """A Network whose traits are found by walking through its positions."""

    def __init__(self, nodes: Any, children: Any, forever: Any):
        super().__init__(nodes, children)
        self.promises = Promises(forever=forever)
        self.known = reachable_traits(self)

    @property
    def traits(self) -> Any:
        return self.known


def rules(rng: random.Random) -> Any:
    """A game by rules; None if the random text is no game."""
    try:
        game = gdl.loads(written(rng.randrange(10**6), plain=rng.random() < 0.4), "rules").game
        game.traits  # noqa: B018
    except GameError:
        return None
    return game


KINDS: dict[str, Callable[[random.Random], Any]] = {
    "zero-sum tree": zero_sum_tree,
    "tree with evaluations": evaluated_tree,
    "tree of several sides": several_sided_tree,
    "tree of one player": lone_tree,
    "tree with open numbers": open_tree,
    "hidden tree": hidden_tree,
    "table": table,
    "network": network,
    "rules": rules,
}


# ---- Answers ----------------------------------------------------------------------------------------------------


def cases(seed: int, kind: str, most: int = 3) -> Iterator[Case]:
    """Up to `most` cases for a random game of this kind, each with the answer of another solver."""
    rng = random.Random(f"{kind} {seed}")
    game = KINDS[kind](rng)
    if game is None:
        return
    others = {"perfect", "proper"} if len(game.players) > 2 else set()  # which may take minutes
    others |= BELIEFS if (game.traits.actions or 0) >= MANY_ACTIONS else set()  # as these may
    fitting = [name for name, row in SOLVERS.items() if name not in others and row.takes(game, game.traits)]
    for solver in rng.sample(fitting, min(most, len(fitting))):
        offered = game
        if isinstance(game, RulesGame):
            offered = offer(game, rng.choice(["interpreter", "interpreter", "python", "wasm"]))
        found = _solved(offered, solver, rng)
        if found is not None:
            solution, options = found
            origin = {"fingerprint": _fingerprint(game)} | ({"options": options} if options else {})
            kept = rng.random() < 0.3 and (solver in RECORDED or bool(options.get("values")))
            if kept:
                solution = solution.with_part(RecordedSearch, events=events_of(game, solution))
            text = write(solution, origin=origin, values=bool(options.get("values")), trace=kept)
            if len(solution.equilibria) > MANY:
                continue
            yield Case(f"{kind} {seed} {solver}", game, json.loads(text), origin)


def _fingerprint(game: Any) -> str:
    return fingerprint(game.model) if hasattr(game, "model") else "1:" + "0" * 32


def _solved(game: Any, solver: str, rng: random.Random) -> tuple[Solution, dict[str, Any]] | None:
    """The solver's answer with random options, and these options; None if it has no answer."""
    options: dict[str, Any] = {}
    if solver in ("alpha-beta", "star1", "star2", "shallow"):
        options = {"cut": rng.choice(["ge", "gt"]), "order": rng.choice(["given", "best", "worst"])}
    if solver in ("alpha-beta", "depth-limited", "star1") and rng.random() < 0.4:
        options["depth"] = rng.randint(1, 3)
    if solver in ("minimax", "expectiminimax", "maxn") and rng.random() < 0.4:
        options["values"] = True
    if solver == "mcts":
        options = {"simulations": rng.choice([5, 50, 400]), "seed": rng.randrange(9)}
    if solver in ("nash", "dominance"):
        options = {"cells": CELLS}
    options["nodes"] = NODES
    options = {
        name: value
        for name, value in options.items()
        if rng.random() < 0.7 or name in ("nodes", "cells", "simulations")
    }
    options = {name: value for name, value in options.items() if name in SOLVERS[solver].options or name == "seed"}
    try:
        return solve(game, solver, **options), options
    except (LimitReached, Interrupted) as stop:
        return (stop.partial, options) if isinstance(stop.partial, Solution) else None
    except (Refusal, GameError, DamagedData):
        return None


# ---- Alterations ------------------------------------------------------------------------------------------------


def altered(rng: random.Random, answer: dict[str, Any], field: str) -> dict[str, Any] | None:
    """A copy of the answer in which the field has another value; None if twenty tries leave it the same."""
    for _ in range(20):
        data = copy.deepcopy(answer)
        data[field] = _other(rng, data[field], _words(answer))
        if data[field] != answer[field]:
            return data
    return None


def _words(answer: Any) -> list[str]:
    """All texts in the answer, keys included."""
    if isinstance(answer, str):
        return [answer]
    if isinstance(answer, dict):
        return [*answer, *(word for value in answer.values() for word in _words(value))]
    return [word for value in answer for word in _words(value)] if isinstance(answer, list) else []


def _other(rng: random.Random, value: Any, words: list[str]) -> Any:
    """A random value of the same type; texts may be taken from `words`."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + rng.choice([1, -1, 2, 10])
    if value is None:
        return rng.choice([0, "1", 1])
    if isinstance(value, str):
        return _other_text(rng, value, words)
    if isinstance(value, dict):
        return _other_object(rng, value, words)
    return _other_list(rng, value, words)


def _other_text(rng: random.Random, value: str, words: list[str]) -> str:
    numbers = [k for k, character in enumerate(value) if character.isdigit()]
    if numbers and rng.random() < 0.7:
        at = rng.choice(numbers)
        return value[:at] + rng.choice("123456789") + value[at + 1 :]
    return rng.choice([*words, value + "x", "-" + value])


def _other_object(rng: random.Random, value: dict[str, Any], words: list[str]) -> dict[str, Any]:
    if not value:
        return {rng.choice(words): 1}
    key = rng.choice(list(value))
    if rng.random() < 0.15:
        return {name: one for name, one in value.items() if name != key}
    return {**value, key: _other(rng, value[key], words)}


def _other_list(rng: random.Random, value: list[Any], words: list[str]) -> list[Any]:
    if not value:
        return [rng.choice(words)]
    at, way = rng.randrange(len(value)), rng.random()
    if way < 0.25:
        return value[:at] + value[at + 1 :]
    if way < 0.35:
        return [*value[:at], value[at], *value[at:]]
    if way < 0.45:
        return value[:at]
    if way < 0.5:
        other = rng.randrange(len(value))
        swapped = list(value)
        swapped[at], swapped[other] = value[other], value[at]
        return swapped
    return [*value[:at], _other(rng, value[at], words), *value[at + 1 :]]
