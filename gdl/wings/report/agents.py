"""The agents of a report: how a list of them is written, what plays where none is named, and who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import perm
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdl.errors import WrongRequest, clean
from gdl.game import Game
from gdl.solvers import SOLVERS
from gdl.wings.arena.contestants import RANDOM, USUAL, Contestant

if TYPE_CHECKING:
    from gdl.wings.arena.contest import TreeSearchAgent

SEARCH = "mcts:100"  # the default agent where everything is seen
WEIGHTED_DEPTH = 3  # plies that an agent looks ahead that is written as a file of weights,
MEASURES = ("simulations", "depth", "nodes", "time")  # the number of `mcts:200`: the first that the solver takes
MOST_SEATINGS = 1_000


def default_agent(game: Game[Any]) -> str:
    """The agent that plays if none is named: a search; where something is hidden or players move at once, random
    play."""
    traits = game.traits
    suits = traits.perfect_information is True and traits.simultaneous is False and len(game.players) > 1
    return SEARCH if suits else RANDOM


def as_tree_search(one: Contestant) -> TreeSearchAgent | None:
    """The contestant as a tree search, if only a number of simulations limits it and no weights lead it; else None."""
    from gdl.wings.arena.contest import TreeSearchAgent

    if not one.counts_simulations or one.weighed:
        return None
    return TreeSearchAgent(one.options["simulations"], one.options.get("c"))


def expand_agent(text: str) -> str:
    """The text of an agent with its options by name: `mcts:200` becomes `mcts:simulations=200`, a file of weights the
    search that it is for."""
    name, colon, rest = text.partition(":")
    if not name:
        raise WrongRequest("an agent has no name", help="write --agents mcts:200,random")
    if not colon and Path(text).is_file():
        return f"depth-limited:depth={WEIGHTED_DEPTH},weights={text}"
    if rest and "=" not in rest.partition(",")[0]:
        return f"{name}:{_measure(name, text)}={rest}"
    return text


def _measure(solver: str, text: str) -> str:
    """The option that the number after a solver's name sets: the first of MEASURES that the solver takes."""
    if solver in (RANDOM, USUAL):
        raise WrongRequest(f"{solver} takes no number: '{clean(text)}'", help=f"write '{solver}' alone")
    takes = SOLVERS[solver].options if solver in SOLVERS else {}
    return next((word for word in MEASURES if word in takes or not takes), MEASURES[0])


def split_agents(text: str) -> list[str]:
    """The agents of a list, separated by commas; a part with `=` is an option of the agent before it."""
    found: list[str] = []
    for part in text.split(","):
        if found and "=" in part and ":" not in part and ":" in found[-1]:
            found[-1] += f",{part}"
        else:
            found.append(part.strip())
    return found


def seatings(agents: int, seats: int) -> Sequence[tuple[int, ...]]:
    """The seatings of one play after the other, to be repeated, with every agent equally often in every seat: all
    orders if they are few, else each agent moves on by one seat."""
    if agents >= seats and perm(agents, seats) <= MOST_SEATINGS:
        return [*permutations(range(agents), seats)]
    return [tuple((first + seat) % agents for seat in range(seats)) for first in range(agents)]
