"""Two-player zero-sum games with hidden information, by the sequence form.

A player with perfect recall reaches a position by one sequence of own information sets and actions. A strategy is a
weight for every sequence (its realization plan), and the game a linear program no larger than its tree:

1. For each pair of sequences, add up chance times utility over the ends they lead to. Utilities are shifted so that
   none is negative, and both sides' constraints can then be inequalities.
2. The first player chooses weights x; at each information set they share out the weight of the sequence before it.
3. For each information set of the second player a variable q is at most what every action leaves the first player.
   Maximise q before the first move.
4. The weights of the second player are the dual solution. Each action's share of its set's weight is its probability.
5. The judge computes both players' regret, exactly: zero proves the value from both sides.

Source: Koller, Megiddo and von Stengel, Fast algorithms for finding randomized strategies in game trees, STOC 1994;
von Stengel, Efficient computation of behavior strategies, Games and Economic Behavior 14, 1996.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from gdl.errors import Refusal
from gdl.game import Chance, Game, Number, Terminal, exact, known
from gdl.numbers import brief
from gdl.solution import Solution
from solvers.budget import Budget, answering
from solvers.equilibria import highs
from solvers.equilibria.behaviour import Behaviour, uniform_behaviour, uniform_row, write_profile
from solvers.equilibria.positions import LIMIT, Positions, explore
from solvers.equilibria.regret import completed, judge
from solvers.equilibria.simplex import Program, maximise
from solvers.solver import Progress, Solver

JUDGED = 20_000  # positions of a game whose random play is judged in a second
SIMPLEX_ROWS = 200  # rows of a program that the exact simplex solves in a second
MAX_SIMPLEX_ROWS = 600  # and those for which it takes a minute


def sequence_form(
    game: Game[Any], *, nodes: int = LIMIT, time: float | None = None, progress: Progress | None = None
) -> Solution:
    """The value and an optimal strategy for each side, both proved by the judge. At most `nodes` positions.

    Raises Refusal for games the sequence form does not fit, or that need the extra `lp`.
    """
    budget = Budget(nodes, time, progress)
    positions = explore(game, budget)
    begun = Solution(game.name, SEQUENCE_FORM.name, game.players, game.traits, exact=False, nodes=len(positions.nodes))
    with answering(lambda: _unsettled(positions, begun)):
        behaviour = completed(positions, optimal_behaviour(positions, budget))
    judgement = judge(positions, behaviour)
    proved = not any(judgement.regret)
    notes = [_secured(positions, judgement.value, judgement.regret)]
    if not proved:
        notes.append("The basis found in floating point is not exactly optimal.")
    return Solution(
        game=game.name,
        solver=SEQUENCE_FORM.name,
        players=game.players,
        traits=game.traits,
        exact=proved,
        value=judgement.value,
        best=_first_action(positions, behaviour) if proved else (),
        nodes=len(positions.nodes),
        strategy=write_profile(positions, behaviour),
        regret=judgement.regret,
        notes=tuple(notes),
    )


def _unsettled(positions: Positions, begun: Solution) -> Solution:
    """What is known before the linear program is solved: random play and what it secures, where that is soon
    judged, and what the ends pay."""
    ends = [node.utilities for node in positions.nodes if isinstance(node, Terminal)]
    paid = [[known(utility) for utility in utilities] for utilities in zip(*ends, strict=True)]
    begun = replace(begun, interval=tuple((min(own), max(own)) for own in paid))
    if len(positions.nodes) > JUDGED or positions.constant_sum() is None:
        return begun
    behaviour = uniform_behaviour(positions)
    judgement = judge(positions, behaviour)
    return replace(
        begun,
        value=judgement.value,
        strategy=write_profile(positions, behaviour),
        regret=judgement.regret,
        notes=("The strategies are random play: better ones were not found in time.",),
    )


def _first_action(positions: Positions, behaviour: Behaviour) -> tuple[str, ...]:
    """What the first mover does, if one player begins and mixes nothing."""
    h = positions.sets[0]
    row = None if h is None else behaviour[h]
    if h is None or row is None or 1 not in row or len(positions.information_sets[h].members) > 1:
        return ()
    return (positions.information_sets[h].actions[row.index(1)],)


def _secured(positions: Positions, value: Sequence[Number], regret: Sequence[Number]) -> str:
    first, second = positions.players
    low, high = (brief(exact(end), "about ") for end in (value[0] - regret[1], value[0] + regret[0]))
    if not any(regret):
        return f"{first} secures {low} whatever {second} does, and {second} lets {first} have no more."
    return f"{first} secures {low}, and {second} lets {first} have no more than {high}: the value lies in between."


def optimal_behaviour(positions: Positions, budget: Budget | None = None) -> Behaviour:
    """An optimal strategy of both players, silent where a player's own moves never lead.

    Raises Refusal where the game is not one for two players with perfect recall and a constant sum.
    """
    form = sequences(positions)
    program = form.program()
    size = len(program.rows)
    if size <= SIMPLEX_ROWS or (size <= MAX_SIMPLEX_ROWS and not highs.installed()):
        optimum = maximise(program, budget)
        return form.behaviour(optimum.primal, optimum.dual)
    if not highs.installed():
        raise Refusal(
            f"{positions.game} gives a linear program of {size} rows, too many for the exact simplex "
            "alone; the library that finds its basis is installed by: pip install 'gdl[lp]'"
        )
    found = highs.maximise_large(program, budget)
    return form.behaviour([Fraction(x) for x in found.primal], [Fraction(y) for y in found.dual])


@dataclass(frozen=True)
class SequenceForm:
    """Sequences by number per player: 0 is the empty one, then one for every action of every information set.

    `first[h]` is the sequence of the first action of set h, `before[h]` the sequence that leads to h, and `payoffs`
    what the first player gets above `shift` for each pair of sequences, weighted by chance.
    """

    positions: Positions
    first: tuple[int, ...]
    before: tuple[int, ...]
    payoffs: dict[tuple[int, int], Number]
    shift: Number

    def program(self) -> Program:
        """The linear program of the first player; variables are x for sequences 1, 2, …, then q for the other's
        sets; rows are the first player's sets, then the other's sequences 1, 2, …"""
        own, other = self.positions.sets_of(0), self.positions.sets_of(1)
        x_count = sum(len(self.positions.information_sets[h].actions) for h in own)
        q = {h: x_count + k for k, h in enumerate(other)}
        rows: list[dict[int, Number]] = []
        bounds: list[Number] = []
        for h in own:
            rows.append({x - 1: 1 for x in self._sequences(h)})
            bounds.append(0 if self.before[h] else 1)
            if self.before[h]:
                rows[-1][self.before[h] - 1] = -1
        offset = len(own)
        objective: dict[int, Number] = {}
        for h in other:
            rows += [{q[h]: 1} for _ in self._sequences(h)]
            bounds += [0 for _ in self._sequences(h)]
        for h in other:
            target = rows[offset + self.before[h] - 1] if self.before[h] else objective
            target[q[h]] = -1 if self.before[h] else 1
        for (x, y), payoff in self.payoffs.items():
            if x and y:
                rows[offset + y - 1][x - 1] = -payoff
            elif y:
                bounds[offset + y - 1] = payoff
            elif x:
                objective[x - 1] = payoff
        return Program(x_count + len(other), objective, rows, bounds)

    def behaviour(self, primal: Sequence[Number], dual: Sequence[Number]) -> Behaviour:
        """Both strategies, from the program's two solutions; silent where a player's own moves never lead.

        A set that is reached without any weight pays its player nothing, whatever the action (1 in the module's
        steps): there all actions are equally likely.
        """
        own = len(self.positions.sets_of(0))
        weights = ([1, *primal], [1, *dual[own:]])
        reached = {(0, 0), (1, 0)}  # the sequences of each player that are played at all
        rows: list[tuple[Number, ...] | None] = []
        for h, found in enumerate(self.positions.information_sets):
            row = self._shares(h, weights[found.player])
            if row is None and (found.player, self.before[h]) in reached:
                row = uniform_row(len(found.actions))
            rows.append(row)
            played = zip(self._sequences(h), row or (), strict=False)
            reached.update((found.player, sequence) for sequence, share in played if share)
        return tuple(rows)

    def _sequences(self, h: int) -> range:
        return range(self.first[h], self.first[h] + len(self.positions.information_sets[h].actions))

    def _shares(self, h: int, weights: Sequence[Number]) -> tuple[Number, ...] | None:
        weight = [max(weights[s], 0) for s in self._sequences(h)]
        total = sum(weight, Fraction(0))
        return tuple(exact(Fraction(w) / total) for w in weight) if total else None


def sequences(positions: Positions) -> SequenceForm:
    """The sequence form of the game; Refusal where it has none, or no constant sum."""
    shift = _least_utility(positions)
    first: list[int] = []
    count = [1, 1]
    for found in positions.information_sets:
        first.append(count[found.player])
        count[found.player] += len(found.actions)
    before: dict[int, int] = {}
    payoffs: dict[tuple[int, int], Number] = {}
    reach: dict[int, dict[tuple[int, int], Number]] = {0: {(0, 0): 1}}
    for position, node in enumerate(positions.nodes):
        here = reach.pop(position)
        if isinstance(node, Terminal):
            for pair, weight in here.items():
                payoffs[pair] = payoffs.get(pair, 0) + weight * (known(node.utilities[0]) - shift)
            continue
        for k, after in enumerate(positions.successors[position]):
            there = reach.setdefault(after, {})
            for pair, weight in here.items():
                if isinstance(node, Chance):
                    weight *= node.outcomes[k][1]
                else:
                    pair = _extended(positions, position, pair, first, before, k)
                there[pair] = there.get(pair, 0) + weight
    return SequenceForm(positions, tuple(first), tuple(before[h] for h in range(len(first))), payoffs, shift)


def _extended(
    positions: Positions, position: int, pair: tuple[int, int], first: Sequence[int], before: dict[int, int], k: int
) -> tuple[int, int]:
    """The pair of sequences after action k; a set must always be reached by the same own sequence."""
    h = positions.sets[position]
    assert h is not None
    found = positions.information_sets[h]
    if before.setdefault(h, pair[found.player]) != pair[found.player]:
        raise Refusal(
            f"the sequence form needs perfect recall: {positions.players[found.player]} can come to {found.name} "
            "by different own moves (a game of perfect information needs no more than minimax)"
        )
    return (first[h] + k, pair[1]) if found.player == 0 else (pair[0], first[h] + k)


def _least_utility(positions: Positions) -> Number:
    """The first player's, in a game for two players whose utilities have a constant sum; Refusal for others."""
    if len(positions.players) != 2:
        raise Refusal(f"the sequence form is for two players; {positions.game} has {len(positions.players)}")
    if positions.constant_sum() is None:
        raise Refusal(f"the sequence form needs utilities of constant sum; those of {positions.game} vary")
    return min(known(node.utilities[0]) for node in positions.nodes if isinstance(node, Terminal))


SEQUENCE_FORM = Solver(
    name="sequence-form",
    run=sequence_form,
    needs={"players": 2, "zero_sum": True, "perfect_recall": True, "cyclic": False},
    summary="two-player zero-sum games with hidden information: value and optimal strategies, by linear programming",
    advised={"perfect_information": False},
)
