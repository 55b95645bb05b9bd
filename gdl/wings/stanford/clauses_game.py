"""Games written as clauses, played: Stanford's Game Description Language, GDL-II included.

1. A state is what is true of a position, in the order of its text, and what each player remembers where `sees` hides
   something.
2. In every step each role makes a move, a forced one included. Where one player alone has a choice it is that player's
   turn; where several have, they choose at once; where the role `random` has, that is chance, each outcome as probable
   as another, after the players have chosen.
3. A player who learns by `sees` knows the start, their own moves, and what they have seen after each; else everybody
   sees everything.

Sources: as of kif_reader.py; M. Thielscher, A general game description language for incomplete information
games, AAAI 2010.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from gdl.errors import GameError, LimitReached, Span, clean
from gdl.errors.limits import DIGITS
from gdl.game import (
    Action,
    Chance,
    Decision,
    Joint,
    Node,
    Number,
    Promises,
    Simultaneous,
    Terminal,
    Traits,
)
from gdl.states.explore import reachable_traits
from gdl.states.game_wrapper import OtherGame
from gdl.states.protocol import no_action
from gdl.wings.stanford.clauses_model import IDLE, RANDOM, ClausesModel, Term, term_text
from gdl.wings.stanford.datalog import FACTS, DerivedFacts, clause_fault, follow, plan_strata

WALKED = 6_000  # states that are looked at for the traits,
WORK = 100_000  # unless so many ways to bind variables are gone through before: some tenths of a second
KEPT = 2_000  # positions whose consequences are kept


class ClausesState(NamedTuple):
    """A state: the facts that are true in it. `chosen`: the moves of the players, while chance has still to move in the
    same step, else (); `memories`: the memory of each player, () where nothing is hidden."""

    facts: tuple[Term, ...]
    chosen: tuple[str, ...] = ()
    memories: tuple[Any, ...] = ()


class Position(NamedTuple):
    """The facts derived in a position, its node, and the legal moves of each role."""

    facts: DerivedFacts
    node: Node
    legal: dict[str, dict[Action, Term]]  # by role


class ClausesGame(OtherGame):
    """A game of clauses, played by computing what follows from them."""

    most_facts = FACTS  # that may follow in a position

    def __init__(self, model: ClausesModel):
        self.model = model
        self.name, self.players = model.name, model.players
        self.worked = 0  # ways that were gone through in all positions
        self._here, self._then = plan_strata(model.here), plan_strata(model.then)
        self.always = follow(plan_strata(model.always), DerivedFacts())
        self.roles = (*model.players, *((RANDOM,) if model.has_chance else ()))
        self.position_at = lru_cache(maxsize=KEPT)(self._build_position)
        bounds = model.utilities
        both = () if bounds is None else (bounds,) * len(self.players)
        itself = None if model.has_secrets else lambda state: state  # there are no memories to remove
        self.promises = Promises(proved=lambda: both, without_memory=itself)

    @property
    def remark(self) -> str:
        if not self.reason or self.model.has_chance or self.model.has_secrets:
            return ""
        return f"{self.name} is slow, played by its clauses, not by rules: {self.reason}"

    @cached_property
    def traits(self) -> Traits:
        try:
            return self._looked_for_traits()
        except KeyboardInterrupt:  # what stopped the look must not wait for another when the answer so far is told
            chance = None if self.model.has_chance else False
            self.__dict__["traits"] = Traits(len(self.players), None, None, chance, None, None, None, None)
            raise

    def _looked_for_traits(self) -> Traits:
        if self.worked:  # what is known already must not stretch the limits of analysis
            return type(self)(self.model).traits
        game: Any = self
        most = self.worked + WORK

        def enough(met: int) -> None:
            if self.worked > most:
                raise LimitReached(f"the clauses of {self.name} take long for a position")

        found = reachable_traits(game, WALKED, enough)
        if found.chance is None and not self.model.has_chance:
            found = replace(found, chance=False)
        if not self.model.has_secrets and found.perfect_recall is None:
            found = replace(found, perfect_recall=True)
        return found

    def initial(self) -> ClausesState:
        facts = _sort_terms(row[0] for row in self.always.atoms("init"))
        return ClausesState(facts, memories=((),) * len(self.players) if self.model.has_secrets else ())

    def position(self, facts: Iterable[Term]) -> ClausesState:
        """The state in which exactly these facts are true, of a game in which nothing is hidden."""
        return ClausesState(_sort_terms(facts))

    def node(self, state: ClausesState) -> Node:
        position = self.position_at(state.facts)
        if state.chosen:
            return _uniform_chance(position.legal[RANDOM])
        return position.node

    def legal_moves(self, state: ClausesState) -> dict[str, dict[Action, Term]]:
        """The legal moves of each role by their names, including those of a role without a choice."""
        return self.position_at(state.facts).legal

    def successor(self, state: ClausesState, action: Action | Joint) -> ClausesState:
        position = self.position_at(state.facts)
        legal, node = position.legal, self.node(state)
        if isinstance(node, Chance):
            chosen = state.chosen or tuple(_only_move(legal[player]) for player in self.players)
            if action not in legal[RANDOM]:
                raise no_action(node, action)
            return self.state_after(state, position, (*chosen, str(action)))
        chosen = self._chosen_moves(node, legal, action)
        if self.model.has_chance:
            if len(legal[RANDOM]) > 1:
                return state._replace(chosen=chosen)
            chosen = (*chosen, _only_move(legal[RANDOM]))
        return self.state_after(state, position, chosen)

    def _chosen_moves(
        self, node: Node, legal: dict[str, dict[Action, Term]], action: Action | Joint
    ) -> tuple[str, ...]:
        """The move of every player: those of the action, and the only legal moves of players without a choice."""
        if isinstance(node, Decision):
            if action not in node.actions:
                raise no_action(node, action)
            return tuple(
                str(action) if n == node.player else _only_move(legal[player]) for n, player in enumerate(self.players)
            )
        if not isinstance(node, Simultaneous) or isinstance(action, str) or len(action) != len(self.players):
            raise no_action(node, action)
        moves = []
        for player, move, choices in zip(self.players, action, node.actions, strict=True):
            if move not in (choices or ("",)):
                raise no_action(node, action)
            moves.append(move or _only_move(legal[player]))
        return tuple(moves)

    def state_after(self, state: ClausesState, position: Position, chosen: tuple[str, ...]) -> ClausesState:
        """The state after all roles have made these moves."""
        facts = DerivedFacts(position.facts)
        for role, move in zip(self.roles, chosen, strict=True):
            facts.add(("does", role, position.legal[role][move]))
        follow(self._then, facts)
        self.worked += facts.work
        memories: tuple[Any, ...] = ()
        if state.memories:
            seen = self._by_role(facts, "sees")
            memories = tuple(
                (before, move, _sort_terms(seen[player]))
                for player, before, move in zip(self.players, state.memories, chosen, strict=False)
            )
        return ClausesState(_sort_terms(row[0] for row in facts.atoms("next")), memories=memories)

    # ---- A position -------------------------------------------------------------------------------------------

    def _build_position(self, true: tuple[Term, ...]) -> Position:
        facts = DerivedFacts(self.always)
        for term in true:
            facts.add(("true", term))
        follow(self._here, facts, self.most_facts)
        self.worked += facts.work
        if facts.holds(("terminal",)):
            return Position(facts, Terminal(self._utilities(facts)), {})
        moves_of = self._by_role(facts, "legal").items()
        legal = {role: {term_text(move): move for move in moves} for role, moves in moves_of}
        for role, moves in legal.items():
            if not moves:
                raise self._fault(f"{clean(role)} can do nothing, and the game is not over", "legal")
        return Position(facts, self._turn(legal), legal)

    def _by_role(self, facts: DerivedFacts, relation: str) -> dict[str, list[Term]]:
        """For each role the terms of a relation such as `goal`; what is said of others is left out."""
        found: dict[str, list[Term]] = {role: [] for role in self.roles}
        for role, term in facts.atoms(relation):
            if role in found:
                found[role].append(term)
        return found

    def _turn(self, legal: dict[str, dict[Action, Term]]) -> Node:
        """The node of a position in which each role has these legal moves, without chance's probabilities if players
        choose first."""
        choosing = [n for n, player in enumerate(self.players) if len(legal[player]) > 1]
        if not choosing and len(legal.get(RANDOM, ())) > 1:
            return _uniform_chance(legal[RANDOM])
        if len(choosing) > 1:
            own = (tuple(legal[player]) if n in choosing else () for n, player in enumerate(self.players))
            return Simultaneous(tuple(own))
        busy = (n for n, player in enumerate(self.players) if _only_move(legal[player]) != IDLE)
        mover = choosing[0] if choosing else next(busy, 0)
        return Decision(mover, tuple(legal[self.players[mover]]))

    def _utilities(self, facts: DerivedFacts) -> tuple[Number, ...]:
        goals, found = self._by_role(facts, "goal"), list[Number]()
        for player in self.players:
            values = goals[player]
            if len(values) != 1:
                said = "nothing" if not values else " and ".join(map(term_text, values[:5]))
                raise self._fault(f"at an end {clean(player)} gets {clean(said)}, and one number is due", "goal")
            value = values[0]
            if not isinstance(value, str) or not value.isdecimal() or len(value) > DIGITS:
                raise self._fault(f"'{clean(term_text(value))}' is paid to {clean(player)}, and is no number", "goal")
            found.append(int(value))
        return tuple(found)

    def _fault(self, message: str, relation: str) -> GameError:
        """A mistake in the clauses of a relation as an error, placed at the first of them."""
        return clause_fault(message, self.place(relation), f"see to the clauses of '{relation}'")

    def place(self, relation: str) -> Span | None:
        """The place in the file of the first clause of a relation; None if it has no clause."""
        strata = (*self.model.always, *self.model.here, *self.model.then)
        return next((c.span for stratum in strata for c in stratum.clauses if c.head[0] == relation), None)

    # ---- What is known ----------------------------------------------------------------------------------------

    def information_set(self, state: ClausesState, player: int) -> Hashable:
        return (player, state.memories[player]) if state.memories else state

    def describe(self, state: ClausesState, player: int) -> str:
        if not state.memories:
            return ", ".join(map(term_text, state.facts)) or "nothing holds"
        told, memory = [], state.memories[player]
        while memory:
            memory, move, seen = memory
            told.append(f"{move} ({', '.join(map(term_text, seen))})" if seen else move)
        return "after " + ", ".join(reversed(told)) if told else "at the start"

    def evaluate(self, state: ClausesState) -> tuple[Number, ...] | None:
        return None

    def label(self, state: ClausesState) -> str | None:
        return None

    def show(self, state: ClausesState) -> str:
        """The true facts as text, one line for each function."""
        lines: dict[str, list[str]] = {}
        for fact in state.facts:
            name = fact if isinstance(fact, str) else fact[0]
            lines.setdefault(name, []).append("" if isinstance(fact, str) else " ".join(map(term_text, fact[1:])))
        shown = (name if texts == [""] else f"{name}: {', '.join(texts)}" for name, texts in lines.items())
        return "\n".join(shown) or "nothing holds"


def _only_move(moves: dict[Action, Term]) -> Action:
    return next(iter(moves))


def _uniform_chance(moves: dict[Action, Term]) -> Chance:
    return Chance(tuple((move, Fraction(1, len(moves))) for move in moves))


def _sort_terms(terms: Any) -> tuple[Term, ...]:
    return tuple(sorted(dict.fromkeys(terms), key=term_text))
