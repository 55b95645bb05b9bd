"""Which solver suits a game: classified by its traits and, with perfect information, by the number of its positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import Any, NamedTuple

from gdl import wings
from gdl.errors import LimitReached, count_text
from gdl.errors.limits import LOOK
from gdl.errors.shares import LOOKING_SHARE
from gdl.game import Chance, Decision, Game, Simultaneous, Terminal, Traits, constant_sum
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits
from gdl.solvers.cyclic.numbering import RetrogradeNumbering
from gdl.solvers.needs import may_be_opposed
from gdl.states.explore import Walk, WalkedGame, WalkExpansion, choosers, hides_something, moves, topological_order
from gdl.wings import AttemptRow, Situation

WARM_UP_POSITIONS = 2_000  # positions met before the compiled engine is asked whether there are very many
INTERPRETED_POSITIONS = 1_000  # positions looked at before compiled code goes on, which takes as long to make
WIDE = 3  # positions met for each one looked at, from which on a game counts as wide, and the engine is asked
TRIAL_POSITIONS = 20_000  # positions that are looked through to find out what kind of game it is
LARGE_TABLE = 400  # cells of a table of two opponents, from which on listing all equilibria takes seconds, or fails
LARGE_TREE = 10_000_000  # most positions of a game known to end for which an exact solver is picked
PREFERRED = (
    "minimax expectiminimax maxn retrograde sequence-form plan forgetful nash pure-plans subgame-perfect mcts".split()
)  # where another one refused the game


def _attempts() -> dict[str, AttemptRow]:
    """The rows of the solvers that wings bring."""
    return {name: row for wing in wings.wings("solvers") for name, row in wing.attempts.items()}


def suited_by_wings(situation: Situation, game: Game[Any], traits: Traits) -> Iterator[str]:
    """The solvers of wings that suit the game in this situation, best first."""
    return (name for name, row in _attempts().items() if wings.load(row.suits)(situation, game, traits))


def order_of_preference() -> Iterator[str]:
    """The solvers to try where another one refused the game, best first."""
    rows = _attempts()
    for name in PREFERRED:
        yield from (other for other, row in rows.items() if row.before == name)
        yield name


class Pick(NamedTuple):
    """The name of a solver, and the reason for it. `walked` is the game of all positions, and `traits` what they
    show, if they are few and were looked through. If the solver only estimates because there was little time to look,
    `attempt` names one that may be exact."""

    solver: str
    reason: str
    walked: WalkedGame | None = None
    traits: Traits | None = None
    attempt: str | None = None


def pick(game: Game[Any], limits: SearchLimits = NO_LIMITS) -> Pick:
    """The solver for the game, found within these limits. In some situations a solver of a wing suits it better than
    any of the core (`Wing.attempts`).

    0. Something is gained on the way, in play that can come back to a position: policy-iteration; a wing's where moves
       are at once or the players more than two. Some numbers are left open, with perfect information or in a matrix:
       unknowns.
    1. Everyone moves at once, once: nash; of two opponents with many plans the linear program, sequence-form; where the
       joint moves are too many to look at, a wing's for players who are alike, else samples through these two.
    2. Something is hidden: sequence-form for two players and zero sum, as far as is known, plan for a lone player
       (forgetful for one who forgets), pure-plans where one of several forgets, else nash. Where all know the position,
       and plays that differ come to one, or they are many: position by position, by a wing's or subgame-perfect.
    3. All is seen, and the positions are few: retrograde if they can come again (a wing's for several players with
       aims of their own); else minimax, expectiminimax or maxn.
    4. The positions are more than can be looked through: retrograde if the compiled engine can number them all; a
       wing's if a net was learned; depth-limited if the file gives an evaluation or pieces can be counted, else mcts.
    """
    traits = game.traits
    if traits.rewards or (traits.stochastic and game.promises.without_memory is not None):
        return _returning(game, traits)
    budget = Budget(None, None if limits.time is None else LOOKING_SHARE * limits.time, limits.progress)
    try:
        matrix = isinstance(game.node(game.initial()), Simultaneous) and _is_over_at_once(game, budget)
    except LimitReached:
        sampled = ["sequence-form" if may_be_opposed(traits) else "nash"]
        able = game.engine.fast and wings.has_hook("an estimate by samples")
        for name in (*suited_by_wings("too many joint moves", game, traits), *(sampled if able else ())):
            return Pick(name, "too many joint moves")
        raise
    if traits.unknowns and (matrix or (traits.perfect_information and not traits.simultaneous)):
        return Pick("unknowns", "some numbers are left open")
    if matrix:
        return _table(game, traits)
    if traits.simultaneous or traits.perfect_information is False:
        return _pick_for_hidden(game, traits)
    ends = traits.cyclic is False and traits.states is not None and traits.states <= LARGE_TREE
    if ends and limits.time is None and _is_known(traits):
        return _pick_for_small(game, traits)
    return _pick_by_walk(game, traits, limits, budget, max(TRIAL_POSITIONS, (traits.states or 0) * ends))


def _pick_by_walk(game: Game[Any], traits: Traits, limits: SearchLimits, budget: Budget, seen: int) -> Pick:
    """The solver for a game of which nothing is known to be hidden, by a look through `seen` positions at most."""
    walk = Walk(game, seen, lambda _: budget.visit(), LOOK)
    numbers = RetrogradeNumbering(game, limits)
    found: list[WalkExpansion] = []
    try:
        for expansion in walk:
            found.append(expansion)
            if len(walk.states) > max(WARM_UP_POSITIONS, WIDE * len(found)) and numbers.has_more_than(TRIAL_POSITIONS):
                return _pick_for_large(game, numbers, TRIAL_POSITIONS)
            if len(found) == INTERPRETED_POSITIONS and limits.time is None:  # else time is short for code of little use
                game.engine.go_on(walk)
    except LimitReached:
        if any(len(choosers(expansion.node)) > 1 for expansion in found):
            return _pick_for_hidden(game, replace(traits, simultaneous=True))
        few = len(walk.states) <= min(TRIAL_POSITIONS, WIDE * len(found))
        return _pick_for_large(game, numbers, len(walk.states))._replace(
            attempt=_pick_for_small(game, traits).solver if few else None
        )
    found.sort()
    traits = _refine_traits(game, traits, found)
    if traits.simultaneous or _is_anything_hidden(walk, found):
        return _pick_for_hidden(game, traits)._replace(traits=traits)
    walked = WalkedGame(walk.game, walk.states, found) if len(found) <= TRIAL_POSITIONS else None
    return _pick_for_small(game, traits)._replace(walked=walked, traits=replace(traits, perfect_information=True))


def _is_known(traits: Traits) -> bool:
    """True if the traits already say all that a look through the positions would show, of a game with so many positions
    that this would take long."""
    many = traits.states is not None and traits.states > TRIAL_POSITIONS
    sums = traits.zero_sum is not None or traits.constant_sum is not None
    return many and sums and traits.perfect_information is True and None not in (traits.chance, traits.simultaneous)


def _returning(game: Game[Any], traits: Traits) -> Pick:
    """The solver for games with rewards on the way, or in which positions come again and everybody knows them."""
    what = "rewards on the way, in play that can come back to a position" if traits.rewards else "positions come again"
    why = f"{what}, simultaneous moves" if traits.simultaneous else what
    return Pick(next(suited_by_wings("positions return", game, traits), "policy-iteration"), why)


def _is_over_at_once(game: Game[Any], budget: Budget) -> bool:
    """True if every joint move at the start ends the game; all that were looked at, if the time is over before."""
    start = game.initial()
    joints = moves(game.node(start))
    return all(isinstance(game.node(game.successor(start, joint)), Terminal) for joint in joints if budget.has(0))


def _table(game: Game[Any], traits: Traits) -> Pick:
    """The solver for a game in which everyone moves at once, and once only."""
    why, node = "everyone moves at once, and once only", game.node(game.initial())
    if may_be_opposed(traits) and isinstance(node, Simultaneous) and prod(map(len, node.actions)) > LARGE_TABLE:
        return Pick("sequence-form", f"{why}; two players, {_sum(traits)}, too many plans to list all equilibria")
    return Pick("nash", why)


def _pick_for_hidden(game: Game[Any], traits: Traits) -> Pick:
    what = "simultaneous moves" if traits.simultaneous else "hidden information"
    if traits.players > 1 and is_known_to_all(game, traits):
        why = f"{_players(traits)}, {_sum(traits)}, {what}, and all know the position"
        return Pick(next(suited_by_wings("all know the position", game, traits), "subgame-perfect"), why)
    if traits.players == 1 and traits.perfect_recall is not False:
        return Pick("plan", f"one player, {what}")
    if traits.players == 1 and not traits.simultaneous:
        return Pick("forgetful", f"one player who forgets, {what}")
    if traits.perfect_recall is False and not traits.cyclic:
        return Pick("pure-plans", f"{_players(traits)}, who can forget, {what}")
    if may_be_opposed(traits) and (traits.constant_sum is not None or traits.perfect_recall is not False):
        return Pick("sequence-form", f"two players, {_sum(traits)}, {what}")
    return Pick("nash", f"{_players(traits)}, {_sum(traits)}, {what}")


def is_known_to_all(game: Game[Any], traits: Traits) -> bool:
    """True if the game is better solved position by position than by what players remember: everybody who acts knows
    the position, and either the start has nothing else to remember, or somebody forgets, or there are too many states
    to count."""
    bare, start = game.promises.without_memory, game.initial()
    return bare is not None and (traits.states is None or bare(start) == start or traits.perfect_recall is False)


def _pick_for_large(game: Game[Any], numbers: RetrogradeNumbering, met: int) -> Pick:
    """The solver for more positions than can be looked at here: exact if the compiled engine can number them all; else
    led by the file's evaluation, or by random play."""
    size = f"more than {met:,} positions"
    if numbers.are_all():
        return Pick("retrograde", f"{size}, and the compiled engine has room for all")
    from gdl.compiler.better_evaluation import with_evaluation

    if (valued := with_evaluation(game)) is not None:
        return Pick("depth-limited", f"{size}, {valued.promises.estimated_by}")
    if game.evaluate(game.initial()) is not None:
        return Pick("depth-limited", f"{size}, and the file gives an evaluation: the answer is an estimate")
    return Pick("mcts", f"{size}, and the file gives no evaluation: the answer is an estimate")


def _refine_traits(game: Game[Any], traits: Traits, found: list[WalkExpansion]) -> Traits:
    """The traits that picking depends on, corrected by what all the positions show."""
    nodes = [expansion.node for expansion in found]
    children = [expansion.children for expansion in found]
    ends = [node.utilities for node in nodes if isinstance(node, Terminal)]
    cyclic = len(topological_order(children)) < len(children) if traits.cyclic is None else traits.cyclic
    if cyclic and game.promises.forever is not None:
        ends.append(game.promises.forever)  # play without end pays as well
    total = constant_sum(ends) if ends else 0
    return replace(
        traits,
        zero_sum=total == 0,
        constant_sum=total,
        chance=any(isinstance(node, Chance) for node in nodes),
        simultaneous=any(len(choosers(node)) > 1 for node in nodes),
        cyclic=cyclic,
        states=len(nodes),
    )


def _is_anything_hidden(walk: Walk[Any], found: list[WalkExpansion]) -> bool:
    """True if some player cannot tell two positions apart. Positions are looked at only where the traits do not say."""
    known = walk.game.traits.perfect_information
    movers = {number: node for number, node, _, _ in found if isinstance(node, Decision)}
    return hides_something(walk.game, walk.states, movers) if known is None else not known


def _pick_for_small(game: Game[Any], traits: Traits) -> Pick:
    zero_sum = traits.has_scalar_value
    what = _players(traits), _sum(traits) if traits.players > 1 else "", "chance" if traits.chance else "no chance"
    words = ", ".join(filter(None, (*what, "perfect information", count_text(traits.states or 0, "position"))))
    if traits.cyclic:
        several = next(suited_by_wings("positions return to several players", game, traits), "mcts")
        return Pick("retrograde" if zero_sum else several, f"{words}, which can come again")
    if not zero_sum:
        return Pick("maxn", words)
    return Pick("expectiminimax" if traits.chance else "minimax", words)


def _players(traits: Traits) -> str:
    return {1: "one player", 2: "two players", 3: "three players"}.get(traits.players, f"{traits.players} players")


def _sum(traits: Traits) -> str:
    """The sum of the utilities in words; of two players not all ends need be known."""
    if traits.constant_sum is None:
        return "zero-sum or not" if may_be_opposed(traits) else "general-sum"
    return "zero-sum" if traits.constant_sum == 0 else f"constant-sum {traits.constant_sum}"
