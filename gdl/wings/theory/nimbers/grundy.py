"""GRUNDY: games of two in which who cannot move loses: the nimber, which heap of Nim the game is worth.

1. Collect the positions, whoever is to move there: of each, what either player could do. Where both can always do the
   same the game is impartial.
2. The nimber of a position is the least whole number from 0 that is the nimber of no position one move further (Sprague
   and Grundy): whoever moves wins unless it is 0, by moving to a position of nimber 0. A sum of games has the nimbers'
   sum in binary without carrying.
3. Where the rules show that a position falls into parts that have nothing to do with each other (`parts.py`),
   it has the nimbers' sum of these, each found by itself and once: so the whole may be large.
4. Where the players' moves differ, and where who cannot move wins (misère play), the outcome alone: N, the next player
   wins, P, the previous one, L and R, the first-named or the second, whoever begins.

Sources: Bouton 1901; Sprague 1935; Grundy 1939; Berlekamp, Conway and Guy, Winning Ways for your Mathematical Plays,
1982.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import replace
from functools import cached_property, reduce
from operator import xor
from typing import Any, NamedTuple

from gdl.errors import InternalError, LimitReached, Refusal, listing
from gdl.game import Action, Decision, Game, Number, Terminal, require_number
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.needs import ALL_SEEN, Watch
from gdl.solvers.solver import Solver
from gdl.states.explore import Recursion, run_recursion, topological_order
from gdl.wings.theory.nimbers.nimbers import Combinatorial, Nimbers

# Sums of games: the nimber of a position that falls into parts, from those of the parts, each found once.
#
# A part is known by all that its moves depend on. Its nimber is the least whole number from 0 that is the nimber of
# nothing one move of its own leads to; that may fall into parts again.

LONGEST = 10_000  # plies of a play that is looked at to its end


class GrundyPart(NamedTuple):
    """A part of a state: the atoms that may change in it, its deeds (kinds of action), and `key`, all that its moves
    depend on, wherever it lies."""

    state: Any
    atoms: frozenset[int]
    deeds: tuple[Any, ...]
    key: Hashable


Moves = dict[Action, list[GrundyPart]]  # the actions in a part, and the parts that each leaves there


class GrundySum:
    """The nimbers of the parts of one game."""

    def __init__(self, game: Game[Any], parts: Any, budget: Budget, watch: Watch):
        self.game, self.parts, self.budget, self.watch = game, parts, budget, watch
        assert game.promises.with_mover is not None
        self.with_mover = game.promises.with_mover
        begin = game.initial()
        self.beginner = next(player for player in (0, 1) if self.with_mover(begin, player) == begin)
        self.start = self.with_mover(begin, 0)  # both have the same moves
        self.stake: Number = 1
        self.known: dict[Any, int] = {}

    @classmethod
    def build(cls, game: Game[Any], budget: Budget, watch: Watch) -> GrundySum | None:
        """The independent parts of the game, if it has several and the player who cannot move loses; otherwise None."""
        parts = game.promises.parts()
        if parts is None or game.promises.with_mover is None:
            return None
        found = cls(game, parts, budget, watch)
        return found if found._loses_who_is_stuck() else None

    def _loses_who_is_stuck(self) -> bool:
        """True if in one play to its end the player who cannot move loses. (One play shows it, as the rules of games
        with parts know only one kind of end.) Sets the stake."""
        state = self.game.initial()
        for ply in range(LONGEST):
            node, mover = self.game.node(state), (self.beginner + ply) % 2
            if isinstance(node, Terminal):
                lost, won = require_number(node.utilities[mover]), require_number(node.utilities[1 - mover])
                self.stake = won
                return lost == -won and lost < won
            if not isinstance(node, Decision) or node.player != mover:
                return False
            state = self.game.successor(state, node.actions[0])
        return False

    def _split(self, state: Any, among: tuple[Any, ...]) -> list[GrundyPart]:
        """The parts of a position in which only these deeds count."""
        found = self.parts.split_actions(state, among)
        return [GrundyPart(state, atoms, deeds, self.parts.shape(state, atoms, deeds)) for atoms, deeds in found]

    @cached_property
    def opening(self) -> list[tuple[GrundyPart, Moves]]:
        """The parts of the start, with the moves of each."""
        return [(part, self._moves(part)) for part in self._split(self.start, self.parts.deeds)]

    @property
    def nimber(self) -> int:
        """The nimber of the start."""
        return self._sum(part for part, _ in self.opening)

    def nimbers_after(self) -> dict[Action, int]:
        """The nimber of the start after each action."""
        return {action: nimber for action, (nimber, _) in self._weigh_moves(self.start, self.opening).items()}

    def line(self) -> tuple[Action, ...]:
        """A line of play from the start: each time the first winning action, or the first action if none wins."""
        line: list[Action] = []
        state, parts = self.start, self.opening
        while after := self._weigh_moves(state, parts):
            action = next((action for action, (nimber, _) in after.items() if not nimber), next(iter(after)))
            line.append(action)
            state = self.with_mover(self.game.successor(state, action), 0)
            apart = [(part, moves) for part, moves in parts if action not in moves]
            parts = apart + [(part, self._moves(part)) for part in after[action][1]]
        return tuple(line)

    def _weigh_moves(
        self, state: Any, parts: list[tuple[GrundyPart, Moves]]
    ) -> dict[Action, tuple[int, list[GrundyPart]]]:
        """For each action in a state of these parts, the nimber of the position after it, and the parts that it leaves
        of its own."""
        total = self._sum(part for part, _ in parts)
        worth = {}
        for part, moves in parts:
            own = self._nimber_of_part(part)
            for action, left in moves.items():
                worth[action] = total ^ own ^ self._sum(left), left
        node = self.game.node(state)
        return {action: worth[action] for action in node.actions} if isinstance(node, Decision) else {}

    def describe_sum(self) -> list[str]:
        """A sentence on the parts of the start, in a list; [] if it has fewer than two parts."""
        worths = [self._nimber_of_part(part) for part, _ in self.opening]
        if len(worths) < 2:
            return []
        return [f"The position is a sum of {len(worths)} parts, of nimbers {listing(map(str, worths), most=20)}."]

    def _sum(self, parts: Iterable[GrundyPart]) -> int:
        return reduce(xor, map(self._nimber_of_part, parts), 0)

    def _moves(self, part: GrundyPart) -> Moves:
        """The actions in a part, and the parts that each leaves there."""
        node, found = self.game.node(part.state), {}
        self.watch.check_node(part.state, node)
        for action in node.actions if isinstance(node, Decision) else ():
            state = self.with_mover(self.game.successor(part.state, action), 0)
            changed = self.parts.changed_atoms(part.state, state)
            if not changed:
                raise self.watch.unmet_need("cyclic")
            if not changed.isdisjoint(part.atoms):
                if not changed <= part.atoms:
                    raise InternalError(f"{action} reaches out of a part")
                found[action] = self._split(state, part.deeds)
        return found

    def _nimber_of_part(self, part: GrundyPart) -> int:
        """The nimber of a part."""
        return run_recursion(self._settle(part, set()))

    def _settle(self, part: GrundyPart, on_path: set[Any]) -> Recursion[int]:
        """The nimber of a part, remembered, with those of all that it leads to."""
        if part.key not in self.known:
            if part.key in on_path:
                raise self.watch.unmet_need("cyclic")
            self.budget.visit()
            on_path.add(part.key)
            sums = []
            for left in self._moves(part).values():
                nimbers = []
                for one in left:
                    nimbers.append((yield self._settle(one, on_path)))
                sums.append(reduce(xor, nimbers, 0))
            on_path.remove(part.key)
            self.known[part.key] = mex(sums)
        return self.known[part.key]


def mex(numbers: Iterable[int]) -> int:
    """The least whole number from 0 that is not among them (the minimal excluded one)."""
    taken, least = set(numbers), 0
    while least in taken:
        least += 1
    return least


MOST_TOGETHER = 1_000  # positions of a sum that are looked at as a whole
MOST_LOOKS = 5_000  # actions of these positions
NORMAL, MISERE = 1, -1  # the payoff of the player who moved last, in units of the stake


def grundy(game: Game[Any], limits: SearchLimits = NO_LIMITS) -> Solution:
    """The nimber of an impartial game, the outcome of others, and the moves that win. `nodes` limits the positions."""
    if game.promises.with_mover is None:
        raise Refusal(
            f"{GRUNDY.name} asks in each position what either player could do, which only rules tell that "
            f"count no rewards; {game.name} has none"
        )
    answer = GRUNDY.answer(game, exact=False)
    budget, watch = limits.budget(), Watch(GRUNDY.name, GRUNDY.needs, game)
    with answering(lambda: answer):
        apart = GrundySum.build(game, budget, watch)
        together = MOST_TOGETHER if apart is None else min(MOST_TOGETHER, MOST_LOOKS // len(apart.parts.deeds))
        together = together if limits.nodes is None else min(limits.nodes, together)
        try:
            positions = GrundyPositions(game, budget if apart is None else budget.part(together, 1), watch)
        except LimitReached:
            budget.check_time()
            if apart is None:
                raise
            return _of_parts(answer, apart)
        answer = replace(answer, nodes=positions.size, states=positions.size)
        return _complete_answer(answer, positions, apart)


class GrundyPositions:
    """All positions by number, each with what either player can do there, whoever is to move, and the position after
    each action."""

    def __init__(self, game: Game[Any], budget: Budget, watch: Watch):
        assert game.promises.with_mover is not None
        self.game, self.with_mover = game, game.promises.with_mover
        self.watch = watch
        self.convention: int | None = None
        self.stake: Number = 1
        start = game.initial()
        self.beginner = next(player for player in (0, 1) if self.with_mover(start, player) == start)
        self.numbers: dict[Any, int] = {}
        self.states: list[Any] = []
        self._number(start)
        self.moves: list[tuple[dict[Action, int], ...]] = []
        for state in self.states:  # grows while it is walked
            budget.visit()
            self.moves.append((self._moves(state, 0), self._moves(self.with_mover(state, 1), 1)))
        self.order = topological_order([(*first.values(), *second.values()) for first, second in self.moves])
        if len(self.order) < self.size:
            raise self.watch.unmet_need("cyclic")

    @property
    def size(self) -> int:
        return len(self.states)

    @property
    def impartial(self) -> bool:
        """True if both players always have the same actions."""
        return all(set(first.values()) == set(second.values()) for first, second in self.moves)

    def _number(self, state: Any) -> int:
        key = self.with_mover(state, 0)
        number = self.numbers.setdefault(key, len(self.states))
        if number == len(self.states):
            self.states.append(key)
        return number

    def _moves(self, state: Any, player: int) -> dict[Action, int]:
        """The player's actions, with the position after each."""
        node = self.game.node(state)
        self.watch.check_node(state, node)
        if isinstance(node, Terminal):
            self._end(node, player)
            return {}
        if not isinstance(node, Decision) or node.player != player:
            raise self._refuse_position("the players do not move in turn")
        moves = {}
        for action in node.actions:
            after = self.game.successor(state, action)
            if after != self.with_mover(after, 1 - player):
                raise self._refuse_position(f"the players do not move in turn: not after {action}")
            moves[action] = self._number(after)
        return moves

    def _end(self, node: Terminal, player: int) -> None:
        """Check an end where that player is to move: the player who cannot move must lose at every end, or win at every
        end, and always the same amount."""
        lost, won = require_number(node.utilities[player]), require_number(node.utilities[1 - player])
        convention = NORMAL if lost < won else MISERE
        if self.convention is None:
            self.convention, self.stake = convention, max(lost, won)
        if lost != -won or max(lost, won) != self.stake or lost == 0:
            raise self._refuse_position("its ends are not all lost and won by the same amount")
        if convention != self.convention:
            raise self._refuse_position("it ends otherwise than by somebody who cannot move and loses for that")

    def _refuse_position(self, why: str) -> Refusal:
        return Refusal(
            f"{GRUNDY.name} is for games of two in turn in which who cannot move loses; {self.game.name}: {why}"
        )

    def nimbers(self) -> list[int]:
        """The nimber of every position of an impartial game, by number."""
        found = [0] * self.size
        for number in reversed(self.order):
            found[number] = mex(found[after] for after in self.moves[number][0].values())
        return found

    def find_winners(self) -> list[tuple[bool, bool]]:
        """For every position, two flags: True if the first player wins when the first moves there, and if the second
        wins when the second does."""
        stuck = self.convention == MISERE
        found = [(stuck, stuck)] * self.size
        for number in reversed(self.order):
            first, second = (
                any(not found[after][1 - p] for after in moves.values()) if moves else stuck
                for p, moves in enumerate(self.moves[number])
            )
            found[number] = first, second
        return found


OUTCOMES = {(True, True): "N", (False, False): "P", (True, False): "L", (False, True): "R"}


def _of_parts(answer: Solution, apart: GrundySum) -> Solution:
    """The answer for a sum of parts that is too large to be looked at as a whole."""
    beginner = apart.beginner
    total = apart.nimber
    after = apart.nimbers_after()
    best = tuple(action for action, nimber in after.items() if not total or not nimber)
    return replace(
        _answer_for_winner(answer, beginner if total else 1 - beginner, apart.stake),
        best=best,
        line=apart.line(),
        nodes=len(apart.known),
        part=Nimbers(Combinatorial(outcome="N" if total else "P", grundy=total, nimbers=after)),
        notes=(*apart.describe_sum(), f"{len(apart.known):,} parts were looked at, in place of all positions."),
    )


def _complete_answer(answer: Solution, positions: GrundyPositions, apart: GrundySum | None) -> Solution:
    won, beginner = positions.find_winners(), positions.beginner
    outcomes = [OUTCOMES[pair] for pair in won]
    classes = dict(sorted(Counter(outcomes).items()))
    own = positions.moves[0][beginner]
    told = Combinatorial(outcome=outcomes[0], classes=classes)
    notes = []
    if positions.convention == MISERE:
        notes.append("who cannot move wins (misère play), where nimbers do not add up: the outcome alone is told")
    elif not positions.impartial:
        notes.append("the players do not always have the same moves, so that there is no nimber: the outcome alone")
    else:
        nimbers = positions.nimbers()
        after = {action: nimbers[number] for action, number in own.items()}
        told = told.copy_with(grundy=nimbers[0], nimbers=after)
        notes += apart.describe_sum() if apart is not None else []
    winning = won[0][beginner]
    best = tuple(action for action, number in own.items() if not winning or not won[number][1 - beginner])
    return replace(
        _answer_for_winner(answer, beginner if winning else 1 - beginner, positions.stake),
        best=best,
        line=_line(positions, won),
        part=Nimbers(told),
        notes=tuple(notes),
    )


def _answer_for_winner(answer: Solution, winner: int, stake: Number) -> Solution:
    """The answer where this player wins the stake and the other loses as much. Its traits say that no position came
    again."""
    traits = answer.traits and replace(answer.traits, cyclic=False, zero_sum=True, constant_sum=0)
    value = tuple(stake if player == winner else -stake for player in (0, 1))
    return replace(answer, exact=True, traits=traits, value=value)


def _line(positions: GrundyPositions, won: list[tuple[bool, bool]]) -> tuple[Action, ...]:
    """A line of play from the start: each time the first winning action, or the first action if none wins."""
    line, number, player = [], 0, positions.beginner
    while moves := positions.moves[number][player]:
        losing = (action for action, after in moves.items() if not won[after][1 - player])
        action = next(losing, next(iter(moves)))
        line.append(action)
        number, player = moves[action], 1 - player
    return tuple(line)


GRUNDY = Solver(
    name="grundy",
    run=grundy,
    needs={"players": 2, **ALL_SEEN, "chance": False, "cyclic": False},
    summary="the nimber of games of two in which who cannot move loses; the outcome where the players' moves differ",
    advised={"players": 0},  # never: what it answers is asked for by --concept
    extent="whole",
)
