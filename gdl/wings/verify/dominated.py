"""Rounds of dominance by types, played again: each action that goes is compared with what is said to dominate it, and
no action that is left at last is dominated.

What an action pays at an information set is a sum over what the others know; each part counts by the least difference
that the others can make, among the actions that the earlier rounds left them (Dekel, Fudenberg and Morris, Interim
correlated rationalizability, Theoretical Economics 2, 2007). Sets of one subgame that belong to none of its own are a
stage; what comes after a stage must be settled by then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from gdl.errors import count_text
from gdl.game import Chance, Number, Terminal, require_number
from gdl.numbers import read_number
from gdl.wings.verify.case import VerifierCase
from gdl.wings.verify.linear import maximise
from gdl.wings.verify.position_graph import VerifierPositions
from gdl.wings.verify.profiles import subgames
from gdl.wings.verify.verdict import Finding, Misfit, Unchecked

FIELDS = ("dominated",)
MOST_LOOKS = 2_000_000  # positions on ways through a stage
Step = tuple[int, int]  # an information set, and the number of an action there
Parts = dict[tuple[int, ...], dict[tuple[int, ...], Number]]  # payoffs by the others' sets, and by what they do there


def check_rounds(case: VerifierCase) -> Iterator[Finding]:
    """Every action that a round strikes out is dominated as the answer says, and of those left none is."""
    if "dominated" not in case.claim.data:
        return
    told = case.claim.option("kind")
    found = [_replay_rounds(case, kind) for kind in ("strict", "weak") if told in (None, kind)]
    yield from [finding for finding in found if finding.ok][:1] or found[:1]


def _replay_rounds(case: VerifierCase, kind: str) -> Finding:
    positions, rounds = case.graph.positions, case.claim.data["dominated"]
    left = _LeftActions(positions, kind == "weak")
    for number, told in enumerate(rounds, start=1):
        steps = list(_read_steps(positions, told))
        for (h, action), by in steps:
            alive, one = left.alive[h], positions.information_sets[h]
            if not {action, *by} <= set(alive) or not left.is_better(h, action, by):
                words = f"{one.actions[action]} at {one.name} is not {kind}ly dominated as round {number} says"
                return Finding(False, FIELDS, words)
        for (h, action), _ in steps:
            left.alive[h].remove(action)
    for h, one in enumerate(positions.information_sets):
        for action in left.alive[h]:
            if left.is_dominated(h, action):
                return Finding(False, FIELDS, f"{one.actions[action]} at {one.name} is {kind}ly dominated, and left")
    said = count_text(len(rounds), "round")
    return Finding(True, FIELDS, f"{said} of {kind} dominance: what goes is dominated, and nothing that is left")


def _read_steps(positions: VerifierPositions, told: Any) -> Iterator[tuple[Step, Mapping[int, Number]]]:
    """The actions that a round strikes out, each with the mixture that dominates it. Raises Misfit."""
    sets = {(positions.players[one.player], one.name): h for h, one in enumerate(positions.information_sets)}
    for player, own in told.items():
        for name, rows in own.items():
            if (player, name) not in sets:
                raise Misfit(f"{player} has no information set {name}")
            actions = positions.information_sets[sets[player, name]].actions
            for action, by in rows.items():
                if not {action, *by} <= set(actions):
                    raise Misfit(f"{player} cannot do that at {name}")
                mixture = {actions.index(other): read_number(str(share)) for other, share in by.items()}
                yield (sets[player, name], actions.index(action)), mixture


class _LeftActions:
    """The actions that are left at each information set, compared by what they pay within their stage."""

    def __init__(self, positions: VerifierPositions, weak: bool):
        self.positions, self.weak, self.looked = positions, weak, 0
        self.alive = [list(range(len(one.actions))) for one in positions.information_sets]
        self.stages = [0] * len(self.alive)
        for root, within in reversed(list(subgames(positions))):
            for position in within:
                h = positions.sets[position]
                if h is not None:
                    self.stages[h] = root

    def _pays(self, h: int) -> dict[int, Parts]:
        """The payoff of each action that is left at a set to its player, by what the others know and do."""
        positions, player = self.positions, self.positions.information_sets[h].player
        found: dict[int, Parts] = {k: {} for k in self.alive[h]}
        waiting: list[tuple[int, Number, dict[int, int]]] = [(self.stages[h], 1, {})]
        while waiting:
            position, share, chosen = waiting.pop()
            self.looked += 1
            if self.looked > MOST_LOOKS:
                raise Unchecked(f"there are more than {MOST_LOOKS:,} ways of play to be compared")
            node, after, g = positions.nodes[position], positions.successors[position], positions.sets[position]
            if isinstance(node, Chance):
                waiting += [(s, share * part, chosen) for (_, part), s in zip(node.outcomes, after, strict=True)]
            elif g is not None and self.stages[g] == self.stages[h]:
                waiting += [(after[k], share, {**chosen, g: k}) for k in self.alive[g]]
            elif g is not None:
                if len(self.alive[g]) > 1:
                    raise Unchecked(f"{positions.information_sets[g].name} comes later and is not settled")
                waiting.append((after[self.alive[g][0]], share, chosen))
            elif isinstance(node, Terminal) and h in chosen:
                others = tuple(other for other in chosen if other != h)
                if any(positions.information_sets[other].player == player for other in others):
                    raise Unchecked(f"{positions.players[player]} moves twice in a stage")
                row, acts = found[chosen[h]].setdefault(others, {}), tuple(chosen[other] for other in others)
                row[acts] = row.get(acts, 0) + share * require_number(node.utilities[player])
        return found

    def _gains(self, h: int, action: int) -> list[list[list[Number]]]:
        """The gains of the other actions over this one: a list for each that the others may know, with a column for
        each way they act there."""
        pays = self._pays(h)
        now, other = pays.pop(action), list(pays.values())
        found = []
        for sets in dict.fromkeys(sets for parts in (now, *other) for sets in parts):
            ways = product(*(self.alive[g] for g in sets))
            rows = [now.get(sets, {}), *(parts.get(sets, {}) for parts in other)]
            found.append([[row.get(way, 0) - rows[0].get(way, 0) for row in rows[1:]] for way in ways])
        return found

    def is_better(self, h: int, action: int, by: Mapping[int, Number]) -> bool:
        """True if the mixture pays more whatever the others do, or, if weakly, never less and sometimes more."""
        if action in by or sum(by.values()) != 1 or min(by.values()) < 0:
            return False
        shares = [by.get(k, 0) for k in self.alive[h] if k != action]
        mixed = [
            [sum(share * gain for share, gain in zip(shares, column, strict=True)) for column in columns]
            for columns in self._gains(h, action)
        ]
        least = sum(map(min, mixed))
        return least > 0 or (self.weak and least == 0 and sum(map(max, mixed)) > 0)

    def is_dominated(self, h: int, action: int) -> bool:
        """True if some mixture of the other actions that are left dominates this one, by a linear program: its
        variables are the shares and, for each that the others may know, the least gain above a bound."""
        parts, width = self._gains(h, action), len(self.alive[h]) - 1
        if not width:
            return False
        low = [min(map(min, columns)) for columns in parts]
        rows: list[Sequence[Number]] = [
            [*(low[g] - gain for gain in column), *(int(j == g) for j in range(len(low)))]
            for g, columns in enumerate(parts)
            for column in columns
        ]
        bounds: list[Number] = [*(0 for _ in rows), 1, -1]
        rows += [[sign] * width + [0] * len(low) for sign in (1, -1)]
        if not self.weak:
            best = maximise([0] * width + [1] * len(low), rows, bounds)
            return best is not None and best.value > -sum(low)
        means = [[Fraction(sum(own), len(own)) for own in zip(*columns, strict=True)] for columns in parts]
        rows.append([0] * width + [-1] * len(low))
        goal = [*map(sum, zip(*means, strict=True)), *(0 for _ in low)]
        best = maximise(goal, rows, [*bounds, sum(low)])
        return best is not None and best.value > 0
