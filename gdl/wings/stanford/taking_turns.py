"""Clauses of a game whose players take turns, as rules of gdl's own language.

1. Each move of each role is an action: its guard is when it is legal, its body writes those facts that the move
   changes. What nobody else can have done, and what the guard implies, is known there, so most clauses of what is true
   next fall away or say that a fact stays.
2. Then it is the turn of whoever can do more than wait. That no two can is proved from the clauses; else the
   rules of at_once.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from gdl.game import Decision, Node, Simultaneous
from gdl.model import core
from gdl.model.games import Rule, RulesModel
from gdl.wings.stanford.clauses_model import IDLE, Atom, term_text
from gdl.wings.stanford.ground_rules import GroundRules, Known
from gdl.wings.stanford.ground_truths import Truth, choice, conjunction, disjunction, form_of, truth_of, with_sign
from gdl.wings.stanford.grounding import Literal, are_incompatible, implied_literals


class NotInTurns(Exception):  # no fault: the rules are then others
    """Raised where it is not proved that at most one player has a choice at a time."""


def rules_in_turns(given: GroundRules, begun: Node) -> RulesModel:
    """The rules of a game that starts with the node `begun`. Raises NotInTurns, and Refusal where moves change too
    much."""
    if isinstance(begun, Simultaneous):
        raise NotInTurns
    turns = _TurnRules(given)
    signs = turns.signs()
    actions = [rule for n, name in enumerate(given.clauses.players) for rule in turns.rules(n, name, signs)]
    return given.model(actions, core.Turn("player", core.Const(begun.player if isinstance(begun, Decision) else 0)))


class _TurnRules:
    """Builds the rules of a game whose players take turns."""

    def __init__(self, given: GroundRules):
        self.given = given

    def signs(self) -> dict[str, dict[Literal, None]]:
        """For each player who ever has a choice, the facts that hold whenever that player has one. Raises NotInTurns if
        two of these sets could hold together."""
        bodies, signs = self.given.ground.bodies, dict[str, dict[Literal, None]]()
        for player, moves in self.given.moves.items():
            ways = [implied_literals(way, bodies) for atom in moves if atom[2] != IDLE for way in bodies[atom]]
            if ways:
                signs[player] = {literal: None for literal in ways[0] if all(literal in way for way in ways[1:])}
        for one, other in combinations(signs, 2):
            if not are_incompatible(signs[one], signs[other], self.given.ground.groups):
                raise NotInTurns
        self._busy: dict[str, Truth] = {}
        for player, sign in signs.items():
            able = disjunction(self.given.truths[atom] for atom in self.given.moves[player] if atom[2] != IDLE)
            first = conjunction(with_sign(self.given.truths[atom], holds) for atom, holds in sign if atom[0] == "true")
            self._busy[player] = self.given.definition(f"{player} chooses", conjunction((first, able)))
        return signs

    def _turn(self, known: Known, signs: dict[str, dict[Literal, None]]) -> core.Expression:
        """The expression for the player to move, simplified by the `known` facts. `signs`: the facts that hold whenever
        a player has a choice, by player."""
        mover: core.Expression = core.Const(0)
        for player in reversed(self.given.clauses.players):
            number = core.Const(self.given.clauses.players.index(player))
            if player in signs and all(known.get(atom, holds) == holds for atom, holds in signs[player]):
                mover = number if number == mover else choice(self._busy[player], number, mover)
        return mover

    def rules(self, player: int, name: str, signs: dict[str, dict[Literal, None]]) -> Iterable[Rule]:
        """An action for each move of a player; all other players wait then."""
        done = dict.fromkeys(self.given.done, False)
        others = [player for player in self.given.moves if player != name]
        waiting = {atom: True for atom in done if atom[1] in others and atom[2] == IDLE}
        sign = self._known_from(signs.get(name, {}))
        base = self._values(done | waiting | sign, self.given.order, {}, (None, *waiting))
        for other in self.given.clauses.players if name in signs else ():
            if other != name and base.get(("legal", other, IDLE)) is not True:
                raise NotInTurns
        own = core.Comparison("=", core.Mover(), core.Const(player), self.given.span)
        for legal in self.given.moves[name]:
            does = ("does", *legal[1:])
            ways = self.given.ground.bodies[legal]
            guard = implied_literals(ways[0], self.given.ground.bodies) if len(ways) == 1 else {}
            known = done | waiting | ({} if legal[2] == IDLE else sign) | self._known_from(guard) | {does: True}
            touched = sorted(self.given.dependents([does]), key=self.given.order.__getitem__)
            atoms = self.given.order if legal[2] == IDLE else touched
            values = self._values(known, atoms, base, (None, does, *waiting))
            body, frame = self._body(values, known, signs)
            text = term_text(legal[2])
            yield Rule(
                name=text, parameters=(), guards=(own, form_of(self.given.truths[legal])), weight=None,
                template=core.Template((text,)), merge=False, body=body, frame=frame, simple=True, span=self.given.span,
                settled=True,
            )  # fmt: skip

    def _known_from(self, literals: Iterable[Literal]) -> Known:
        """The truth of the facts and relations in these literals, and of the facts that they exclude."""
        known: Known = {atom: holds for atom, holds in literals if atom[0] != "does"}
        for atom, holds in list(known.items()):
            if holds:
                known.update((other, False) for other in self.given.ground.groups.get(atom, ()))
        return known

    def _values(
        self, known: Known, atoms: Iterable[Atom], base: dict[Atom, Truth], done: tuple[Atom | None, ...]
    ) -> dict[Atom, Truth]:
        """The values of these atoms and those in `base`, if `known` holds and exactly the moves in `done` are made
        (None among them allows clauses that name no move). An atom that depends on the position alone is a call of its
        definition, unless its value is known."""
        values: dict[Atom, Truth] = dict(base)
        values.update(known)
        for atom in atoms:
            if atom in known:
                continue
            ways = (way for each in done for way in self.given.ways[atom].get(each, ()))
            truth = truth_of(ways, values, self.given.truths)
            values[atom] = truth if atom in self.given.after or isinstance(truth, bool) else self.given.truths[atom]
        return values

    def _body(
        self, values: dict[Atom, Truth], known: Known, signs: dict[str, dict[Literal, None]]
    ) -> tuple[tuple[core.Statement, ...], int]:
        """The statements that write the next facts and set the turn, and the number of slots that they need."""
        lets, writes, after = self.given.changes(values, known)
        turn = self._turn(self._known_from(after.items()) | after, signs)
        return (*lets, *writes, core.Next(core.Turn("player", turn))), len(lets)
