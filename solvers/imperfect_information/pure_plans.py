"""Several players of whom some forget: equilibria in pure plans, and the judge of any profile.

With imperfect recall mixtures of plans do more than behaviour at information sets (Kuhn 1953), and there need be no
equilibrium in behaviour strategies (Wichardt 2008). From pure plans nobody gains who could not gain by another pure
plan, unless play can pass an information set of theirs twice: there mixing on the way may gain (Piccione and Rubinstein
1997).

1. The table of all reduced plans, and its cells from which nobody gains by another plan.
2. Who can pass a set twice is judged anew: with the others' plans as chance the game is that of a lone player who
   forgets (`forgetful`), and a cell is kept only where it is proved that no plan of theirs is better.
3. Where one player alone ever moves, the best plan of that lone player is the equilibrium.

A profile is judged in the same way: each player who forgets against the others as chance, by all pure plans.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from gdl.errors import Refusal, count_text
from gdl.game import Chance, Decision, Game, Number, Terminal, exact
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits
from gdl.solvers.equilibria.behaviour import Behaviour, chances, write_profile
from gdl.solvers.equilibria.nash import pure_equilibria
from gdl.solvers.equilibria.positions import InformationSet, Place, PositionGraph
from gdl.solvers.equilibria.regret import Judgement, best_response, expectation, with_equilibria
from gdl.solvers.equilibria.strategic_form import MOST_CELLS, table_of
from gdl.solvers.imperfect_information.forgetful import best_forgetful_plan, passed_twice
from gdl.solvers.needs import AtLeast, Unmet
from gdl.solvers.solver import Solver


def pure_plans(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, cells: int = MOST_CELLS) -> Solution:
    """All equilibria in pure plans, on a table of at most that many cells."""
    form, budget = table_of(game, cells, limits)
    positions = form.positions
    mixed = tuple(tuple(Fraction(1, len(held.actions)) for _ in held.actions) for held in positions.information_sets)
    if game.traits.perfect_recall is None and not any(_forgets(positions, mixed, p) for p in range(len(game.players))):
        raise Unmet(PURE_PLANS.name, PURE_PLANS.needs, game, "perfect_recall")
    if len(movers := set(positions.owners)) == 1:
        return _by_lone_mover(game, positions, mixed, movers.pop(), budget)
    twice = {positions.owners[h] for h in passed_twice(positions)}
    found, gained, unknown = [], 0, 0
    for cell in pure_equilibria(form):
        behaviour = form.pure(cell)
        replies = [best_reply(positions, behaviour, player, budget) for player in sorted(twice)]
        pays = [form.payoffs[cell][player] for player in sorted(twice)]
        if any(most > paid for (most, _), paid in zip(replies, pays, strict=True)):
            gained += 1
        elif not all(proved for _, proved in replies):
            unknown += 1
        else:
            found.append((behaviour, Judgement(game.players, form.payoffs[cell], (0,) * len(game.players))))
    notes = [_PURE if found else f"No combination of pure plans is an equilibrium. {_PURE}"]
    if gained:
        notes.append(
            f"{count_text(gained, 'combination')} of plans left out: mixing gains where a set is passed twice."
        )
    if unknown:
        notes.append(f"{count_text(unknown, 'combination')} of plans left out: whether mixing gains is not known.")
    answer = with_equilibria(
        PURE_PLANS.answer(game, exact=bool(found)),
        positions,
        [one for one, _ in found],
        [two for _, two in found],
        one_value=False,
    )
    return replace(answer, notes=tuple(notes))


def _by_lone_mover(
    game: Game[Any], positions: PositionGraph, behaviour: Behaviour, player: int, budget: Budget
) -> Solution:
    """The answer where one player alone ever moves: the best plan of that player, which may have to mix."""
    best, proved = best_forgetful_plan(_without_others(positions, behaviour, player), budget)
    who, value = game.players[player], expectation(positions, best.rows)
    notes = [f"{who} alone ever moves: this is the best plan of one player, who forgets."]
    answer = PURE_PLANS.answer(game)
    if proved and best.low == best.high:
        judged = Judgement(game.players, value, (0,) * len(value))
        opposed = game.traits.constant_sum is not None and len(value) == 2
        return replace(with_equilibria(answer, positions, [best.rows], [judged], opposed), notes=tuple(notes))
    notes.append(
        "The best probabilities are irrational; these are near them." if proved else
        "The best plan that was found; that there is none better is not proved."
    )  # fmt: skip
    plan = write_profile(positions, best.rows)
    return replace(answer, exact=False, value=value, strategy=plan, notes=tuple(notes))


_PURE = (
    "Somebody forgets: equilibria were looked for in pure plans alone. There may be others in which players mix, and "
    "there need be none in behaviour strategies."
)


def judge_forgetful(positions: PositionGraph, behaviour: Behaviour, budget: Budget) -> Judgement:
    """The value of a profile and the regret of each player, also of those who forget. Players whose regret may be
    larger than found are in `at_least`."""
    value = expectation(positions, behaviour)
    replies = [best_reply(positions, behaviour, player, budget) for player in range(len(positions.players))]
    gains = tuple(exact(max(most - paid, Fraction(0))) for (most, _), paid in zip(replies, value, strict=True))
    names = (who for who, (_, proved) in zip(positions.players, replies, strict=True) if not proved)
    return Judgement(positions.players, value, gains, tuple(names))


def best_reply(positions: PositionGraph, behaviour: Behaviour, player: int, budget: Budget) -> tuple[Number, bool]:
    """The most that the player was found to get against the others, and True if that is proved to be the most."""
    try:
        return best_response(positions, behaviour, player).value, True
    except Refusal:  # the player forgets
        best, proved = best_forgetful_plan(_without_others(positions, behaviour, player), budget)
        return best.low, proved and best.low == best.high


def _forgets(positions: PositionGraph, behaviour: Behaviour, player: int) -> bool:
    """True if the player forgets something that a best reply would need."""
    try:
        best_response(positions, behaviour, player)
    except Refusal:
        return True
    return False


def _without_others(positions: PositionGraph, behaviour: Behaviour, player: int) -> PositionGraph:
    """The game of one player alone, in which the others are chance and act as the behaviour says."""
    number = {h: k for k, h in enumerate(positions.sets_of(player))}
    nodes: list[Place] = []
    for position, node in enumerate(positions.nodes):
        if isinstance(node, Terminal):
            nodes.append(Terminal((node.utilities[player],)))
        elif isinstance(node, Decision):
            is_own = positions.sets[position] in number
            nodes.append(Decision(0, node.actions) if is_own else _as_chance(positions, behaviour, position, node))
        else:
            nodes.append(node)
    return PositionGraph(
        positions.game,
        (positions.players[player],),
        tuple(nodes),
        positions.successors,
        tuple(None if h is None else number.get(h) for h in positions.sets),
        tuple(
            InformationSet(0, found.name, found.actions, found.members)
            for found in (positions.information_sets[h] for h in number)
        ),
    )


def _as_chance(positions: PositionGraph, behaviour: Behaviour, position: int, node: Decision) -> Chance:
    h = positions.sets[position]
    silent = h is not None and behaviour[h] is None  # its player's own moves exclude it
    row = (1, *(0 for _ in node.actions[1:])) if silent else chances(positions, behaviour, position)
    return Chance(tuple(zip(node.actions, row, strict=True)))


PURE_PLANS = Solver(
    name="pure-plans",
    run=pure_plans,
    needs={"players": AtLeast(2), "perfect_recall": False, "cyclic": False},
    summary="equilibria in pure plans of games in which one of several players forgets",
)
