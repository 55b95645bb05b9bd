"""OpenSpiel's own judge says of our average strategies what ours says (skipped where OpenSpiel is not installed)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from openspiel_counts import COUNTS

import gdl
from gdl.game import Chance, Terminal
from gdl.solvers.equilibria.cfr import CFR
from gdl.states.sequential import Sequential

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.slow


def kuhn(action: str) -> int:
    return {"check": 0, "fold": 0, "bet": 1, "call": 1}[action]


def bids(sides: int) -> Callable[[str], int]:
    def number(action: str) -> int:
        if action == "liar":
            return 2 * sides
        quantity, face = action.removeprefix("bid(").removesuffix(")").split(",")
        return (int(quantity) - 1) * sides + int(face) - 1

    return number


def leduc(action: str) -> int:
    return {"fold": 0, "check": 1, "call": 1, "raise": 2}[action]


def cell(action: str) -> int:
    """The number of a square of two columns and rows."""
    return "ab".index(action[0]) + 2 * (int(action[1]) - 1)


GAMES: dict[str, tuple[str, dict[str, str], str, Callable[[str], int]]] = {
    "kuhn": ("kuhn", {}, "kuhn_poker", kuhn),
    "leduc": ("leduc", {}, "leduc_poker(suit_isomorphism=true)", leduc),
    "dark hex": ("dark_hex", {}, "dark_hex(num_rows=2,num_cols=2)", cell),
    **{
        f"liar's dice of {sides}": (
            "liars_dice", {"sides": str(sides)}, f"liars_dice(numdice=1,dice_sides={sides})", bids(sides),
        )
        for sides in (2, 3, 4)
    },
}  # fmt: skip


def policy(game: Any, other: Any, strategy: Any, number: Callable[[str], int]) -> dict[str, list[tuple[int, float]]]:
    """The strategy as OpenSpiel has it: both games are walked side by side."""
    turns, found = Sequential(game), {}
    work = [(turns.initial(), other.new_initial_state())]
    while work:
        state, theirs = work.pop()
        node = turns.node(state)
        assert isinstance(node, Terminal) == theirs.is_terminal()
        if isinstance(node, Terminal):
            assert [float(utility) for utility in node.utilities] == theirs.returns()
        elif isinstance(node, Chance):
            outcomes = theirs.chance_outcomes()
            assert [float(chance) for _, chance in node.outcomes] == pytest.approx([chance for _, chance in outcomes])
            for (action, _), (outcome, _) in zip(node.outcomes, outcomes, strict=True):
                work.append((turns.successor(state, action), theirs.child(outcome)))
        else:
            own = strategy[game.players[node.player]].get(turns.describe(state, node.player))
            shares = own or dict.fromkeys(node.actions, 1 / len(node.actions))
            row = [(number(action), float(shares[action])) for action in node.actions]
            assert sorted(action for action, _ in row) == sorted(theirs.legal_actions())
            assert found.setdefault(theirs.information_state_string(), row) == row
            for action in node.actions:
                work.append((turns.successor(state, action), theirs.child(number(action))))
    return found


@pytest.mark.parametrize("method", ["plus", "discounted", "predictive"])
@pytest.mark.parametrize("name", GAMES)
def test_the_judges_agree(name: str, method: Any):
    ours, settings, theirs, number = GAMES[name]
    game, other = gdl.load(ours, settings=settings), pyspiel.load_game(theirs)
    solution = CFR.run(game, method=method, iterations=60)
    found = policy(game, other, solution.strategy, number)
    assert pyspiel.nash_conv(other, pyspiel.TabularPolicy(found)) == pytest.approx(
        float(sum(solution.regret)), abs=1e-9
    )


@pytest.mark.parametrize("name", COUNTS)
def test_their_information_sets(name: str):
    """The numbers that ours are held to elsewhere are theirs."""
    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    sets: list[set[str]] = [set() for _ in range(game.num_players())]
    work = [game.new_initial_state()]
    while work:
        state = work.pop()
        if not state.is_terminal() and not state.is_chance_node():
            sets[state.current_player()].add(state.information_state_string())
        work += [] if state.is_terminal() else [state.child(action) for action in state.legal_actions()]
    assert tuple(map(len, sets)) == COUNTS[name][2]
