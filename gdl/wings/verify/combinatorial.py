"""Nimbers and outcomes, by their meaning: a game has the nimber n if, together with a heap of n, it is lost for whoever
begins (Sprague and Grundy). The sum is played out, in memory of what was found; no nimber is computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from gdl.errors import LimitReached, count_text, listing
from gdl.game import Decision, Game, Terminal, require_number
from gdl.states.explore import Recursion, run_recursion
from gdl.wings.verify.case import VerifierCase
from gdl.wings.verify.position_graph import reach
from gdl.wings.verify.verdict import Finding, Unchecked

CONCEPT = "grundy"  # the name of the concept, and of its solver
FIELDS = ("outcome", "grundy", "nimbers", "classes")
OUTCOMES = {(True, True): "N", (False, False): "P", (True, False): "L", (False, True): "R"}
Place = tuple[Any, int, int]  # a state, who is to move there, and the heap beside it


def check_combinatorial(case: VerifierCase) -> Iterator[Finding]:
    """The outcome class, the nimber, the nimbers after each first move, and the number of positions of each outcome
    class are right."""
    data = case.claim.data
    if not set(FIELDS) & set(case.claim.keys):
        return
    sums = _Sums(case.game, case.limit)
    findings = list(_findings(case, sums))
    yield from findings
    if data.get("concept") == CONCEPT and all(finding.ok is not False for finding in findings):
        yield Finding(True, ("concept",), "the outcome and the nimbers are by their definition")


def _findings(case: VerifierCase, sums: _Sums) -> Iterator[Finding]:
    data = case.claim.data
    if "outcome" in data:
        outcome = sums.outcome(case.game.initial())
        yield Finding(data["outcome"] == outcome, ("outcome",), f"the outcome is {outcome}")
    if "grundy" in data:
        yield sums.worth(case.game.initial(), data["grundy"], "grundy", "the game")
    if "nimbers" in data:
        start, told = case.game.initial(), data["nimbers"]
        node = case.game.node(start)
        moves = node.actions if isinstance(node, Decision) else ()
        if set(told) == set(moves):
            after = {action: case.game.successor(start, action) for action in moves}
            found = [sums.worth(after[a], told[a], "nimbers", f"what {a} leads to") for a in moves]
            right = Finding(True, ("nimbers",), f"and so what each of the {len(moves)} moves leads to")
            yield from [finding for finding in found if not finding.ok] or [right]
        else:
            yield Finding(False, ("nimbers",), "the nimbers are not those after each first move")
    if "classes" in data:
        classes = sums.classes()
        named = listing(f"{count:,} {name}" for name, count in sorted(classes.items()))
        yield Finding(data["classes"] == classes, ("classes",), f"of the positions {named}")
        size = sum(classes.values())
        for name in ("nodes", "states") if case.claim.solver == CONCEPT else ():
            if name in data:
                yield Finding(data[name] == size, (name,), f"{count_text(size, 'position')}, whoever is to move")


class _Sums:
    """Sums of the game and a heap of Nim, played out by all moves."""

    def __init__(self, game: Game[Any], limit: int):
        if game.promises.with_mover is None:
            raise Unchecked("who could move in a position out of turn is not known")
        self.game, self.limit, self.with_mover = game, limit, game.promises.with_mover
        self.known: dict[Place, bool] = {}

    def outcome(self, state: Any) -> str:
        """The outcome class of a state: N, P, L or R, by who wins when either player begins."""
        return OUTCOMES[self._wins_to_move(state, 0, 0), self._wins_to_move(state, 1, 0)]

    def worth(self, state: Any, number: Any, field: str, what: str) -> Finding:
        """A finding on a nimber: right if the state together with a heap of that size is lost for whoever begins."""
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= self._width(state):
            return Finding(False, (field,), f"{what} cannot have the nimber {number}: it has not as many moves")
        lost = not self._wins_to_move(state, 0, number) and not self._wins_to_move(state, 1, number)
        text = f"{what} and a heap of {number} are {'lost' if lost else 'not lost'} for whoever begins"
        return Finding(lost, (field,), text)

    def classes(self) -> dict[str, int]:
        """The number of positions of each outcome class."""

        def next_positions(state: Any) -> list[Any]:
            places = [self._moves((self.with_mover(state, player), player, 0)) for player in (0, 1)]
            return [self.with_mover(one, 0) for own in places for one, _, _ in own]

        return dict(Counter(map(self.outcome, reach([self.with_mover(self.game.initial(), 0)], next_positions))))

    def _width(self, state: Any) -> int:
        return max(len(self._moves((self.with_mover(state, player), player, 0))) for player in (0, 1))

    def _moves(self, place: Place) -> list[Place]:
        """The places that the player to move can reach, by a move in the game or one that makes the heap smaller."""
        state, player, heap = place
        node = self.game.node(state)
        left = [(self.with_mover(state, 1 - player), 1 - player, smaller) for smaller in range(heap)]
        if isinstance(node, Decision):
            left += [(self.game.successor(state, action), 1 - player, heap) for action in node.actions]
        return left

    def _wins_to_move(self, state: Any, player: int, heap: int) -> bool:
        """True if the player wins who is to move in the state beside a heap of that size."""
        return run_recursion(self._play_out((self.with_mover(state, player), player, heap)))

    def _play_out(self, place: Place) -> Recursion[bool]:
        """True if whoever is to move in a place wins, remembered."""
        if place not in self.known:
            if len(self.known) > self.limit:
                raise LimitReached(f"more than {self.limit:,} positions, the limit of the verifier")
            moves = self._moves(place)
            wins = any(self.known.get(after) is False for after in moves) if moves else self._stuck_wins(place)
            for after in moves:
                wins = wins or not (yield self._play_out(after))
            self.known[place] = wins
        return self.known[place]

    def _stuck_wins(self, place: Place) -> bool:
        """True if the player to move, who cannot, wins by that."""
        node = self.game.node(place[0])
        assert isinstance(node, Terminal)
        return require_number(node.utilities[place[1]]) > require_number(node.utilities[1 - place[1]])
