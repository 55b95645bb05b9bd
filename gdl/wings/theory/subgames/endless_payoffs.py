"""PAYOFF-SET: which payoffs subgame-perfect equilibria have in discounted games of two that need not end, and how one
of them is played (`self_generation` says how both are found)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from gdl.errors import LimitReached, Refusal
from gdl.formats.answer import by_player
from gdl.game import Game, exact
from gdl.numbers import brief
from gdl.render.strategies import align_columns, lines_left_out
from gdl.solution import Solution, SolutionPart
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.solver import Solver
from gdl.wings.theory.stochastic.stages import Stages
from gdl.wings.theory.subgames.payoff_picture import payoff_picture
from gdl.wings.theory.subgames.payoff_sets import read_vector
from gdl.wings.theory.subgames.polygons import Point, convex_hull, distance_between, holds_point
from gdl.wings.theory.subgames.self_generation import (
    Polygons,
    StageKinds,
    inner_sets,
    make_automaton,
    mixture_of,
    outer_sets,
)

MOST_KINDS = 12  # of position, with different moves or gains
MOST_SHOWN = 40  # states, and corners of a set
SEEN = 1e-6  # how far the outer set may reach beyond the inner one and not be told by its corners
Drawn = Mapping[int, Fraction]  # numbers of states, with their probabilities


class AutomatonState(NamedTuple):
    """A state of the automaton: at which positions it can be, what it pays, what is done, and the chances of the states
    that follow, by their numbers."""

    positions: tuple[str, ...]
    payoffs: Point
    play: Mapping[str, str]
    then: Drawn


class PayoffSet(SolutionPart):
    """A set of payoffs of equilibria by its corners, each with the chances of the first states of an automaton that
    plays for it; a set around the payoffs of all; the automaton, and for each player the states to which deviations
    lead; and how `far` the outer set reaches beyond the inner one."""

    corners: tuple[tuple[Point, Drawn], ...]
    outer: tuple[Point, ...]
    states: tuple[AutomatonState, ...]
    worst: Sequence[Sequence[int]]
    first: Drawn
    far: float
    players: tuple[str, ...]

    @property
    def inner(self) -> tuple[Point, ...]:
        return tuple(point for point, _ in self.corners)

    def picture(self, title: str) -> str:
        """The text of an SVG file with both sets."""
        return payoff_picture(self.inner, self.outer, self.players, title)

    def lines(self, answer: Solution) -> list[str]:
        """The corners of both sets, and the automaton."""
        names = answer.players
        told = ["Equilibria pay what is at these corners or between them:", *_corner_lines(names, self.inner)]
        if self.far > SEEN:
            told += ["and none pays anything outside of these:", *_corner_lines(names, self.outer)]
        several = len({one.positions for one in self.states}) > 1
        rows = [["state", *(["at"] if several else []), *names, "play", "then", "after deviations of"]]
        for number, one in enumerate(self.states):
            place = [f"{one.positions[0]}{', …' if len(one.positions) > 1 else ''}"] if several else []
            pays = [brief(exact(x)) for x in one.payoffs]
            left = [who for who, worst in zip(names, self.worst, strict=True) if number in worst]
            play, then = " ".join(one.play.values()), _drawn_text(one.then)
            rows.append([str(number), *place, *pays, play, then, ", ".join(left)])
        begins = f"{_point_text(names, answer.payoffs[0])}: play begins in state {_drawn_text(self.first)}."
        shown = align_columns(rows[: MOST_SHOWN + 1])
        return [*told, "", begins, "", *shown, *lines_left_out(len(rows) - MOST_SHOWN - 1), ""]

    def json_fields(self, answer: Solution) -> Mapping[str, Any]:
        """Both sets, and the automaton; what is done in its states are the `equilibria`."""

        def start_record(point: Sequence[Any], first: Drawn) -> dict[str, Any]:
            return {"payoffs": by_player(answer.players, tuple(map(exact, point))), "first": _as_json(first)}

        states = {
            f"state {number}": {
                "positions": one.positions,
                "payoffs": by_player(answer.players, tuple(map(exact, one.payoffs))),
                "then": _as_json(one.then),
            }
            for number, one in enumerate(self.states)
        }
        corners, chosen = [start_record(*one) for one in self.corners], start_record(answer.payoffs[0], self.first)
        outer = [by_player(answer.players, tuple(map(exact, one))) for one in self.outer]
        return {"payoff_set": {"corners": corners, "outer": outer, "chosen": chosen, "states": states}}


def _as_json(drawn: Drawn) -> dict[str, Any]:
    return {f"state {number}": exact(share) for number, share in drawn.items()}


def _drawn_text(drawn: Drawn) -> str:
    return ", ".join(f"{number}{'' if share == 1 else f' ({brief(exact(share))})'}" for number, share in drawn.items())


def _corner_lines(players: Sequence[str], corners: Sequence[Point]) -> list[str]:
    shown = [f"    {_point_text(players, one)}" for one in corners[:MOST_SHOWN]]
    return [*shown, *lines_left_out(len(corners) - MOST_SHOWN, margin="    ")]


def _point_text(players: Sequence[str], point: Sequence[Any]) -> str:
    return ", ".join(f"{name} {brief(exact(pay))}" for name, pay in zip(players, point, strict=True))


def payoff_set(game: Game[Any], limits: SearchLimits = NO_LIMITS, *, payoff: str | None = None) -> Solution:
    """The set of payoffs of subgame-perfect equilibria in pure moves after public draws, with one equilibrium: of the
    greatest sum, or one that pays `payoff`."""
    asked = None
    if payoff is not None:
        x, y = read_vector(payoff, game.players)
        asked = (Fraction(x), Fraction(y))
    answer = PAYOFF_SET.answer(game, exact=False)
    budget = limits.budget()
    with answering(lambda: answer):
        stages = Stages(game, PAYOFF_SET.name, budget)
        answer = replace(answer, nodes=stages.size, states=stages.size, interval=stages.play_bounds())
        model = StageKinds(stages, budget)
        if len(model.moves) > MOST_KINDS:
            raise Refusal(f"payoff-set takes games of up to {MOST_KINDS} kinds of position; {game.name} has more")
        outer, why = _run_until_stopped(outer_sets(model), model, budget.without_node_limit().part(None, 1 / 2))
        if not outer:
            raise LimitReached(why or f"the payoffs of {game.name} were not begun")
        if not all(outer):
            raise Refusal(f"no subgame-perfect equilibrium of {game.name} has pure moves, after public draws either")
        around = model.from_start(outer)
        ends = zip(map(min, zip(*around, strict=True)), map(max, zip(*around, strict=True)), strict=True)
        answer = replace(answer, interval=tuple((exact(low), exact(high)) for low, high in ends))
        inner, stopped = _run_until_stopped(inner_sets(model, outer), model, budget.without_node_limit())
        if not inner:
            raise LimitReached(stopped or why or f"no payoffs were found of {game.name} that generate each other")
        model.budget = Budget()
        return replace(_complete_answer(answer, model, around, inner, asked), limit=stopped or why)


def _run_until_stopped(steps: Iterator[Polygons], model: StageKinds, budget: Budget) -> tuple[Polygons, str | None]:
    """The last of some sets, and what stopped them early."""
    model.budget, found = budget, list[list[Point]]()
    try:
        for step in steps:
            found = step
    except LimitReached as stop:
        return found, str(stop)
    return found, None


def _complete_answer(
    answer: Solution, model: StageKinds, around: Sequence[Point], inner: Polygons, asked: Point | None
) -> Solution:
    """The answer with both sets, and with the equilibrium that is asked for."""
    made, gained, stages = make_automaton(model, inner), model.stages.opening.gains, model.stages
    corners = [[one.payoffs for one in own] for own in made]
    pays = convex_hull(model.from_start(corners))
    point = asked or max(pays, key=lambda one: (sum(one), -abs(one[0] - one[1])))
    if not holds_point(pays, point):
        known = "others are not ruled out" if holds_point(around, point) else "none exists"
        raise Refusal(f"no equilibrium of {answer.game} was found that pays ({point[0]}, {point[1]}); {known}")
    offset = [sum(map(len, corners[:kind])) for kind in range(len(corners))]

    def with_numbers(then: Mapping[int, Drawn]) -> Drawn:
        return {offset[kind] + c: share for kind, own in then.items() for c, share in own.items()}

    def first_states(point: Point) -> Drawn:
        return with_numbers(mixture_of(model.opening, corners, (point[0] - gained[0], point[1] - gained[1])))

    places = [tuple(stages.name(n, 0) for n, own in enumerate(model.kinds) if own == kind) for kind in range(len(made))]
    states = tuple(
        AutomatonState(
            places[kind],
            one.payoffs,
            {answer.players[p]: action for p, action in stages.chosen_actions(n, one.move).items()},
            with_numbers(one.then),
        )
        for kind, (n, own) in enumerate(zip(model.firsts, made, strict=True))
        for one in own
    )
    worst = [[offset[s] + own.index(min(own, key=lambda one: one[p])) for s, own in enumerate(corners)] for p in (0, 1)]
    chosen = {
        player: {f"state {k}": {one.play[player]: 1} for k, one in enumerate(states) if player in one.play}
        for player in answer.players
    }
    far, starts = distance_between(pays, around), tuple((one, first_states(one)) for one in pays)
    return replace(
        answer,
        exact=not far,
        equilibria=(chosen,),
        payoffs=(tuple(map(exact, point)),),
        regret=(0, 0),
        part=PayoffSet(starts, tuple(around), states, worst, first_states(point), far, answer.players),
        notes=tuple(_notes(model, far)),
    )


def _notes(model: StageKinds, far: float) -> Iterator[str]:
    yield "moves are pure, and a draw that everybody sees comes before each (public randomisation)"
    all_ = f"other such equilibria pay nothing that is farther from these than {far:.1g}"
    yield all_ if far else "these are the payoffs of all such equilibria; --payoff shows how another one is played"


PAYOFF_SET = Solver(
    name="payoff-set",
    run=payoff_set,
    needs={"players": 2, "rewards": True},
    summary="the payoffs of subgame-perfect equilibria of two in discounted games, by sets that generate themselves",
    position=True,
    concept="subgame-perfect",
    extent="whole",
)
