"""The agents that play for a report: how they are written, how they are seated, and how positions are judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from math import perm
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdl.compiler.compiled_engine import falling_back, offer
from gdl.errors import Refusal, WrongRequest, clean
from gdl.game import Game
from gdl.inspection.report.trace import Estimate, Judge
from gdl.interpreter.position import Continuation
from gdl.playing.computer import NOBODY, Company
from gdl.playing.contestants import RANDOM, USUAL, Contestant

if TYPE_CHECKING:
    from gdl.solvers.mcts.contest import TreeSearchAgent as Tree
    from gdl.solvers.mcts.contest import TreeSearchContest

SEARCH = "mcts:100"  # the default agent where everything is seen
WEIGHTED_DEPTH = 3  # plies that an agent looks ahead that is written as a file of weights,
LED_SIMULATIONS = 200  # and its simulations, where the weights lead a search
MEASURES = ("simulations", "depth", "nodes", "time")  # the number of `mcts:200`: the first that the solver takes
JUDGED_BY = 100  # simulations from a position
MOST_SEATINGS = 1_000


def default_agent(game: Game[Any]) -> str:
    """The agent that plays if none is named: a search; where something is hidden or players move at once, random
    play."""
    traits = game.traits
    suits = traits.perfect_information is True and traits.simultaneous is False and len(game.players) > 1
    return SEARCH if suits else RANDOM


def searching(one: Contestant) -> Tree | None:
    """The contestant as a tree search, if only a number of simulations limits it and no weights lead it; else None."""
    from gdl.solvers.mcts.contest import TreeSearchAgent as Tree

    if not one.counts_simulations or one.weighed:
        return None
    return Tree(one.options["simulations"], one.options.get("c"))


def contest(
    game: Game[Any], agents: Sequence[Tree | None], judged_by: str | None, seed: int
) -> TreeSearchContest | None:
    """The contest that makes the moves of agents that are tree searches (others are None), many at once, and judges
    positions as `judged_by` says: `search`, `exact` or `evaluate`. None if the compiled engine cannot play the game."""
    from gdl.solvers.mcts.contest import TreeSearchAgent as Tree
    from gdl.solvers.mcts.contest import contest as made

    trees = [one for one in agents if one is not None]
    most, judges = max(trees, key=lambda tree: tree.simulations), judged_by == "search"
    return made(game, most, Tree(JUDGED_BY) if judges else None, seed, judged_by == "exact", judged_by == "evaluate")


def expand_agent(text: str) -> str:
    """The text of an agent with its options by name: `mcts:200` becomes `mcts:simulations=200`, a file of weights the
    search that it is for."""
    name, colon, rest = text.partition(":")
    if not name:
        raise WrongRequest("an agent has no name", help="write --agents mcts:200,random")
    if not colon and Path(text).is_file():
        if solver := _led_by(text):
            return f"{solver}:simulations={LED_SIMULATIONS},weights={text}"
        return f"depth-limited:depth={WEIGHTED_DEPTH},weights={text}"
    if rest and "=" not in rest.partition(",")[0]:
        return f"{name}:{_measure(name, text)}={rest}"
    return text


def _led_by(file: str) -> str:
    """The search that a file of weights leads, read from its head: `puct` for a net that ranks actions, else ""."""
    with open(file, "rb") as stream:
        said = stream.read(1 << 16)
    return "puct" if b'"model":"net"' in said and b'"slots":"1"' not in said else ""


def _measure(solver: str, text: str) -> str:
    """The option that the number after a solver's name sets: the first of MEASURES that the solver takes."""
    from gdl.solvers import SOLVERS

    if solver in (RANDOM, USUAL):
        raise WrongRequest(f"{solver} takes no number: '{clean(text)}'", help=f"write '{solver}' alone")
    takes = SOLVERS[solver].options if solver in SOLVERS else {}
    return next((word for word in MEASURES if word in takes or not takes), MEASURES[0])


def split(text: str) -> list[str]:
    """The agents of a list, separated by commas; a part with `=` is an option of the agent before it."""
    found: list[str] = []
    for part in text.split(","):
        if found and "=" in part and ":" not in part and ":" in found[-1]:
            found[-1] += f",{part}"
        else:
            found.append(part.strip())
    return found


def weights_of(text: str) -> str | None:
    """The file of weights that an agent plays by; None if there is none."""
    _, _, rest = expand_agent(text).partition(":")
    return dict(part.partition("=")[::2] for part in rest.split(",")).get("weights")


def seatings(agents: int, seats: int) -> Sequence[tuple[int, ...]]:
    """The seatings of one play after the other, to be repeated, with every agent equally often in every seat: all
    orders if they are few, else each agent moves on by one seat."""
    if agents >= seats and perm(agents, seats) <= MOST_SEATINGS:
        return [*permutations(range(agents), seats)]
    return [tuple((first + seat) % agents for seat in range(seats)) for first in range(agents)]


# -- how positions are judged ---------------------------------------------------------------------------------------


def judge(
    game: Game[Any], how: str, agents: Sequence[str], engine: str, seed: int, positions: Callable[[], int | None],
    company: Company = NOBODY,
) -> tuple[str | None, Judge | None]:  # fmt: skip
    """The way in which positions are judged (`exact`, `evaluate`, `search`; None: not at all), and the function that
    does it. `how` may also be `auto`; `positions` gives their number, None if there are many."""
    if how == "auto":
        how = _suiting(game, agents, positions)
    if how == "exact":
        return how, _exact(game)
    if how == "evaluate":
        if game.evaluate(game.initial()) is None:
            raise Refusal(f"{clean(game.name)} has no evaluate section; --lead search judges by simulations")
        return how, lambda state: _floats(game.evaluate(state))
    return (how, _searching(game, engine, seed, company)) if how == "search" else (None, None)


def _suiting(game: Game[Any], agents: Sequence[str], positions: Callable[[], int | None]) -> str:
    """The way to judge that suits a game: exact values where these are soon known, else the file's own evaluation, else
    a search where an agent searches; `none` for other games."""
    traits = game.traits
    if len(game.players) < 2 or traits.perfect_information is not True or traits.simultaneous is not False:
        return "none"
    if traits.cyclic is False and not traits.unknowns and positions() is not None:
        return "exact"
    if game.evaluate(game.initial()) is not None:
        return "evaluate"
    return "none" if set(agents) <= {RANDOM} else "search"


def _exact(game: Game[Any]) -> Judge:
    """A judge by exact values. Backward induction is kept, so a position costs nothing the second time."""
    from gdl.solvers.minimax.backward_induction import backward_induction
    from gdl.solvers.minimax.vectors import InductionValues

    if game.traits.perfect_information is not True:
        raise Refusal(f"positions of {clean(game.name)} have no value of their own, as something is hidden")
    known = InductionValues()

    def estimate_state(state: Any) -> Estimate:
        if state not in known.of:
            backward_induction(game, start=state, values=known)
        return tuple(map(float, known.of[state]))

    return estimate_state


def _searching(game: Game[Any], engine: str, seed: int, company: Company) -> Judge:
    """A judge by search: the means of simulations from a state."""
    from gdl.solvers.mcts.contest import estimate_start

    offered = offer(game, engine, tell=company.remark)

    def estimate_state(state: Any) -> Estimate | None:
        position = Continuation(offered, state)
        return _floats(falling_back(lambda: estimate_start(position, JUDGED_BY, seed), position, company.fault))

    return estimate_state


def _floats(numbers: Any) -> Estimate | None:
    return None if numbers is None else tuple(map(float, numbers))
