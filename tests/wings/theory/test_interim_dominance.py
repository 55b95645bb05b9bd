"""Dominance by types: textbook results, and elimination in the table in which each information set is a player."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

import gdl
from gdl.formats.answer import to_object
from gdl.solvers import solve
from gdl.solvers.budget import NO_LIMITS
from gdl.solvers.equilibria.dominance import DOMINANCE, eliminate
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.regret import expectation
from gdl.solvers.equilibria.strategic_form import StrategicForm
from gdl.wings.theory.beliefs.interim_dominance import eliminate_by_types
from gdl.wings.verify.verifier import verify

GLOBAL = """game "Global game"
players A, B
state
    t: 0..6 visible to none
    signal[Player]: -1..7 visible to owner
    does[Player]: Boolean?
start nature
chance nature(v: 0..6, a: -1..1, b: -1..1)
    t := v
    signal[A] := v + a
    signal[B] := v + b
    next everyone
action invest
    does[mover] := true
action wait
    does[mover] := false
define worth(p: Player) = if does[p] = true then t - 1 - (if does[other(p)] = true then 0 else LOSS) else 0
terminal
    does[A] != none -> each p: worth(p)
"""
AGENDA = """game "Agenda"
players V1, V2, V3
type Alt = a, b, c
define taste = [[3, 2, 1], [1, 3, 2], [2, 1, 3]]
state
    vote[Player]: Boolean?
    winner: Alt?
    round: 1..3 = 1
start everyone
action yes public
    vote[mover] := true
action no public
    vote[mover] := false
resolve
    let first = (count p in Player: vote[p] = true) >= 2
    if round = 1
        winner := if first then a else b
    else
        winner := if first then winner else c
    round := round + 1
    for p in Player
        vote[p] := none
terminal
    round = 3 -> each p: taste[number(p), number(winner)]
"""
DRAWN = """players {players}
type Seen = s, t
type Act = {acts}
define pays = {pays}
state
    seen[Player]: Seen? visible to owner
    does[Player]: Act?
start nature
chance nature({drawn})
{told}    next everyone
action act(c: Act) as "{{c}}"
    does[mover] := c
terminal
    does[A] != none -> each p: pays[number(p){places}]
"""


def drawn_game(dice: random.Random, players: str, acts: str) -> Any:
    """A game in which chance draws a type for each player, who then moves once, all at once: payoffs at random."""

    def payoffs(widths: list[int]) -> Any:
        return [payoffs(widths[1:]) for _ in range(widths[0])] if widths else dice.randint(0, 4)

    return gdl.loads(
        DRAWN.format(
            players=", ".join(players),
            acts=", ".join(acts),
            pays=payoffs([len(players), *[2] * len(players), *[len(acts)] * len(players)]),
            drawn=", ".join(f"{p.lower()}_drawn: Seen" for p in players),
            told="".join(f"    seen[{p}] := {p.lower()}_drawn\n" for p in players),
            places="".join(f", number({what}[{p}])" for what in ("seen", "does") for p in players),
        ),
        "drawn.game",
    ).game


def left_by_agents(game: Any, kind: Any) -> dict[str, set[str]]:
    """The actions that elimination leaves where each information set is a player, by the table of all of them."""
    positions = explore(game)
    sets = positions.information_sets
    form = StrategicForm(positions, tuple(tuple({h: k} for k in range(len(s.actions))) for h, s in enumerate(sets)), {})
    for cell in product(*map(range, positions.widths)):
        paid = expectation(positions, form.pure(cell))
        form.payoffs[cell] = tuple(paid[s.player] for s in sets)
    alive = eliminate(form, kind).alive
    return {f"{game.players[s.player]} {s.name}": {s.actions[k] for k in alive[h]} for h, s in enumerate(sets)}


def left_by_types(game: Any, kind: str) -> dict[str, set[str]]:
    """The actions that the rounds leave, which the verifier finds right."""
    answer = eliminate_by_types(DOMINANCE.answer(game), game, kind, NO_LIMITS)
    assert answer is not None
    told = dict(to_object(answer))
    assert verify(game, {**told, "options": {"kind": kind}}).status("dominated")
    left = {f"{game.players[s.player]} {s.name}": set(s.actions) for s in explore(game).information_sets}
    for gone in told["dominated"]:
        for player, sets in gone.items():
            for seen, rows in sets.items():
                left[f"{player} {seen}"] -= set(rows)
    return left


def test_a_global_game_is_dissolved_from_both_ends() -> None:
    """Carlsson and van Damme 1993: wait up to signal 2, invest from 4; at 3 both are left."""
    game = gdl.loads(GLOBAL.replace("LOSS", "4"), "global.game").game
    answer = gdl.solve(game, solver="dominance")
    assert sum(note.startswith("Round ") for note in answer.notes) == 3 and not answer.equilibria
    for player in "AB":
        left = f"invest or wait at signal[{player}]=3; invest at signal[{player}]=4, signal[{player}]=5"
        assert any(note.startswith(f"Left to {player}: wait at") and left in note for note in answer.notes)


def altered_rounds(rounds: Any) -> dict[str, Any]:
    """Rounds with one change each, by what is wrong with them."""
    one: Any = {"A": {"signal[A]=3": {"wait": {"invest": 1}}}}
    return {
        "invest at signal[A]=2 is strictly dominated, and left": rounds[:-1],
        "invest at signal[A]=1 is not strictly dominated as round 1 says": rounds[1:],
        "wait at signal[A]=3 is not strictly dominated as round 4 says": [*rounds, one],
        "invest at … is not strictly dominated as round 4 says": [*rounds, {"A": {"…": {"invest": {"wait": 1}}}}],
        "wait at … is not strictly dominated as round 1 says": [{"A": {"…": {"wait": {"wait": 1}}}}],
        "invest at … is not strictly dominated as round 1 says": [{"A": {"…": {"invest": {"wait": "1/2"}}}}],
        "A has no information set nowhere": [{"A": {"nowhere": {"wait": {"invest": 1}}}}],
        "A cannot do that at …": [{"A": {"…": {"wait": {"jump": 1}}}}],
    }


def test_the_verifier_plays_the_rounds_again() -> None:
    game = gdl.loads(GLOBAL.replace("LOSS", "4"), "global.game").game
    told = dict(to_object(gdl.solve(game, solver="dominance")))
    assert verify(game, told).ok and verify(game, told).status("dominated")
    for words, rounds in altered_rounds(told["dominated"]).items():
        verdict = verify(game, {**told, "dominated": rounds})
        assert not verdict.ok and any(words in line for line in verdict.lines), (words, verdict.lines)


def test_what_is_left_alone_is_the_only_equilibrium() -> None:
    game = gdl.loads(GLOBAL.replace("LOSS", "1"), "global.game").game
    answer = gdl.solve(game, solver="dominance")
    assert answer.complete and len(answer.equilibria) == 1 and verify(game, dict(to_object(answer))).ok


def test_sophisticated_votes_are_settled_from_the_last_one_back() -> None:
    """Farquharson 1969: a beats b, b beats c, c beats a; by undominated votes b wins, and not a, which all may choose
    in some subgame-perfect equilibrium."""
    game = gdl.loads(AGENDA, "agenda.game").game
    answer = solve(game, "dominance", kind="weak")
    assert answer.payoffs == ((2, 3, 1),) and answer.complete is None
    assert sum(note.startswith("Round ") for note in answer.notes) == 2
    assert verify(game, dict(to_object(answer))).ok


@pytest.mark.parametrize("kind", ["strict", "weak"])
@pytest.mark.parametrize("seed", range(8))
def test_two_players_are_left_what_all_tables_leave(seed: int, kind: str) -> None:
    game = drawn_game(random.Random(seed), "AB", "xyz")
    assert left_by_types(game, kind) == left_by_agents(game, kind)


@pytest.mark.parametrize("seed", range(4))
def test_what_goes_of_three_players_is_dominated(seed: int) -> None:
    game = drawn_game(random.Random(seed), "ABC", "xy")
    mine, theirs = left_by_types(game, "strict"), left_by_agents(game, "strict")
    assert all(theirs[seen] <= acts for seen, acts in mine.items())


def test_a_mixture_of_actions_dominates() -> None:
    """Of 4 or 0, 0 or 4 and 1 in any case, half of each of the first two is better than the last."""
    rules = DRAWN.replace("pays[number(p){places}]", "if p = A then worth else 0").format(
        players="A, B", acts="x, y, z", pays="[[4, 0, 0], [0, 4, 4], [1, 1, 1]]", drawn="a_drawn: Seen, b_drawn: Seen",
        told="    seen[A] := a_drawn\n    seen[B] := b_drawn\n",
    )  # fmt: skip
    game = gdl.loads(rules + "define worth = pays[number(does[A]), number(does[B])]\n", "mixed.game").game
    assert left_by_types(game, "strict") == left_by_agents(game, "strict")
    answer = eliminate_by_types(DOMINANCE.answer(game), game, "strict", NO_LIMITS)
    assert answer is not None and "dominated by 1/2 x + 1/2 y" in answer.notes[1]


@pytest.mark.parametrize("name", ["kuhn", "prisoners", "centipede"])
def test_other_games_are_left_to_the_table_of_plans(name: str) -> None:
    game = gdl.load(name)
    assert eliminate_by_types(DOMINANCE.answer(game), game, "strict", NO_LIMITS) is None
