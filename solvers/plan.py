"""The plan of `auto`: what it tries on a game, in order, each with its share of the time and the reason.

1. Where the positions are too many to be looked at: a search with a table, and one through all positions; they count
   only if they come to the end.
2. The solver that suits the game (gdl/solvers/auto.py).
3. Behind a solver that may refuse the game, or come to no answer, the next ones that suit it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple

from gdl.errors import Interrupted, Refusal, listing
from gdl.errors.shares import EXACT_TRIAL_SHARE, SHORT_SECONDS, STATES_OUT_OF_REACH, TRACED_POSITIONS
from gdl.game import Game, Traits
from gdl.solvers import auto
from gdl.solvers.auto import Pick
from gdl.solvers.budget import SearchLimits
from gdl.solvers.horizon import goes_on
from gdl.solvers.run_solver import COMMON
from gdl.solvers.table import SOLVERS
from gdl.states.explore import WalkedGame

PLAYING = ("depth-limited", "mcts")  # searches for an action

# How a solver may end without an exact answer: it refuses the game, or finds out on the way that it has traits that it
# does not accept; there is no answer, or it would need too large a table; a limit stops it with something found
# ("stopped"), or nothing ("silent").
Ending = Literal["refused", "unsuited", "nothing", "stopped", "silent"]

NOTHING: frozenset[Ending] = frozenset(["nothing"])


class Attempt(NamedTuple):
    """One attempt at a game.

    Attributes:
        solver: the name of the solver that would give the answer.
        share: the part of the time that is left then, from 0 to 1.
        why: in one line.
        means: `solver`, or another way to prove the value: `table` or `all positions`.
        behind: the endings of the attempt before it after which it is made.
        nodes: the most that it may visit, where nobody set a limit; None: any number.
    """

    solver: str
    share: float
    why: str
    means: Literal["solver", "table", "all positions"] = "solver"
    behind: frozenset[Ending] = frozenset()
    nodes: int | None = None


@dataclass(frozen=True)
class Plan:
    """The attempts at a game in order: `proofs` of its value, then the solver that was `picked`, then those `behind`
    it, which are looked for when they are asked for. `walked` is the game of all positions, and `traits` what they
    show, if they were looked through."""

    proofs: tuple[Attempt, ...]
    picked: Attempt
    behind: Callable[[], list[Attempt]]
    traits: Traits
    walked: WalkedGame | None = None

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """All attempts."""
        return (*self.proofs, self.picked, *self.behind())


def make_plan(game: Game[Any], given: Mapping[str, Any]) -> Plan:
    """The plan for a game, with the options that are given; the `limits` are among them. Raises Refusal if an option
    suits no solver of the game, and Interrupted on Ctrl-C."""
    particular = frozenset(given) - COMMON
    picked = _picked_by_options(game, given, particular) if particular else _pick(game, given)
    traits = picked.traits or game.traits
    attempts = partial(chain, game, traits, given, [], Attempt(picked.solver, 1.0, picked.reason))
    proofs = tuple(_proofs(game, picked, given))
    return Plan(proofs, next(attempts()), lambda: list(attempts())[1:], traits, picked.walked)


def _pick(game: Game[Any], given: Mapping[str, Any]) -> Pick:
    """The solver that suits the game, whatever options are given. Turns Ctrl-C into Interrupted."""
    try:
        return auto.pick(game, given["limits"])
    except KeyboardInterrupt:
        raise Interrupted from None


def _picked_by_options(game: Game[Any], given: Mapping[str, Any], particular: frozenset[str]) -> Pick:
    """The first solver that takes the particular options and the game, those that list all values last; the one that
    suits the game, if all it needs are threads that it has."""
    if particular == {"threads"}:
        found = _pick(game, given)
        if "threads" in SOLVERS[found.solver].options:
            return found
    takers = [row for row in SOLVERS.values() if not particular - set(row.options)]
    fitting = [row for row in takers if row.takes(game, game.traits)]
    words = listing(sorted(particular))
    fitting.sort(key=lambda row: ("unknowns" not in row.needs, row.steps == "values" and "values" not in particular))
    if particular == {"depth"} and goes_on(game):
        return Pick("depth-limited", "it takes the option depth, and goes on to quiet positions")
    if fitting:
        return Pick(fitting[0].name, f"it takes the option {words}")
    takers_names = listing((row.name for row in takers), "or")
    raise Refusal(f"the option {words} is for {takers_names}, which {game.name} does not suit")


def _proofs(game: Game[Any], picked: Pick, given: Mapping[str, Any]) -> Iterator[Attempt]:
    """The attempts to prove the value before the solver that was picked."""
    particular, limits = set(given) - COMMON, given["limits"]
    if picked.solver not in PLAYING:
        return
    from gdl.solvers.minimax.long_run import provable

    if not particular - {"threads"} and limits.nodes is None and provable(game) and not _is_out_of_reach(game, limits):
        why = "a search with a table may come to the end"
        yield Attempt("alpha-beta", EXACT_TRIAL_SHARE, why, "table")
    if picked.attempt is None or particular:
        return
    fast = game.engine.fast and game.engine.offers(picked.attempt)
    if limits.time is not None or (limits.nodes is None and fast and not provable(game)):
        why = "the positions may be few enough to look at all"
        yield Attempt(picked.attempt, EXACT_TRIAL_SHARE, why, "all positions")


def _is_out_of_reach(game: Game[Any], limits: SearchLimits) -> bool:
    """True if a search surely does not come to its end in the little time that there is, which is better spent on an
    estimate."""
    from gdl.states import estimate

    short = limits.time is not None and limits.time < SHORT_SECONDS
    return short and (estimate.state_space_size(game) or 0) > STATES_OUT_OF_REACH


def chain(
    game: Game[Any], traits: Traits, given: Mapping[str, Any], tried: Iterable[str], first: Attempt
) -> Iterator[Attempt]:
    """The attempt, and those that follow where it refuses the game or comes to no answer."""
    done, free = [*tried, first.solver], not set(given) - COMMON
    doubt = SOLVERS[first.solver].doubt
    following = next(iter(followers(game, traits, done)), None) if free and doubt != "none" else None
    is_short = doubt == "fails" and following is not None and given["limits"].time is not None
    yield first._replace(share=EXACT_TRIAL_SHARE if is_short else first.share)
    if first.solver == "nash":
        yield from _behind_nash(game, traits, given)
    if following is None:
        return
    endings: frozenset[Ending] = frozenset(("refused", "stopped", "silent") if doubt == "fails" else ("refused",))
    no_answer = " or comes to no answer" if doubt == "fails" else ""
    following_attempt = Attempt(following, 1.0, f"if {first.solver} refuses the game{no_answer}", behind=endings)
    yield from chain(game, traits, given, done, following_attempt)


def _behind_nash(game: Game[Any], traits: Traits, given: Mapping[str, Any]) -> Iterator[Attempt]:
    """The attempts where listing all plans is too much: of a small game of several players, the equilibrium to which
    logit equilibria lead; then strategies that improve by regret minimisation, then samples of play."""
    limits: SearchLimits = given["limits"]
    particular = set(given) - COMMON
    why = "if the strategic form is too large for nash, or it finds no equilibrium"
    if traits.players > 2 and not particular and SOLVERS["logit"].takes(game, traits):
        share = 1.0 if limits.time is None else EXACT_TRIAL_SHARE
        yield Attempt("logit", share, f"{why}, of a small game", behind=NOTHING, nodes=TRACED_POSITIONS)
    if SOLVERS["cfr"].takes(game, traits) and all(map(SOLVERS["cfr"].accepts, particular)):
        yield Attempt("cfr", 1.0, why, behind=NOTHING)
    if particular or limits.nodes is not None:
        return
    for name in auto.suited_by_wings("too large to list", game, traits):
        yield Attempt(name, 1.0, "if nash comes to no answer", behind=frozenset(["nothing", "silent"]))


def followers(game: Game[Any], traits: Traits, tried: Iterable[str]) -> Iterator[str]:
    """The solvers to try behind those that were tried, for a game with these traits, best first."""
    return (name for name in auto.order_of_preference() if name not in tried and SOLVERS[name].is_advised(game, traits))


def plan_again(game: Game[Any], traits: Traits, given: Mapping[str, Any], tried: Iterable[str]) -> list[Attempt]:
    """The attempts that are left where the ones before met other traits than were known."""
    name = next(followers(game, traits, tried), None)
    if name is None or set(given) - COMMON:
        return []
    every: frozenset[Ending] = frozenset(["unsuited"])
    return list(chain(game, traits, given, tried, Attempt(name, 1.0, "it accepts what was met", behind=every)))
