"""A game's rules written out as one term: for every turn how the game ends there, and every way to act.

Nothing of it is a name, an order or a board: what a rule reads and writes are cells, and the ways to act are a
collection. So two positions that a renaming of cells, values and players turns into each other are played alike just
when the renaming turns this term into itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gdl.analysis.traits import shows_everything
from gdl.interpreter.closures import NO_ACTIONS
from gdl.interpreter.evaluator import Evaluator
from gdl.interpreter.rulebook import Rulebook
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.domains import NUMBER, TRUTH, Named
from gdl.model.games import Clause, RulesModel
from gdl.wings.symmetry.rule_paths import CHANCE, NOBODY, RulePath, RulePathWalker
from gdl.wings.symmetry.symbolic_expressions import SymbolicExpressions
from gdl.wings.symmetry.symbolic_values import Bits, NotWritten, SymbolicValues
from gdl.wings.symmetry.terms import Term, TermsTooLarge, Truth

# Terminal clauses that never hold together, so that their order says nothing.
#
# Shown by induction over play: not both at the start, and if neither held before a ply, not both after it.

MOST_EXCLUSION_WORK = 3_000_000  # expressions and terms looked at,
MORE = 3  # and no more than so many times what the rules may still take

Plies = Sequence[tuple[int, RulePath]]  # every way to act, with its mover


def exclusive(paths: RulePathWalker, plies: Plies, start: State) -> set[tuple[int, int]]:
    """Pairs of terminal clauses by which different players win, and which are proved never to hold together in play
    from `start`. The numbers of each pair are in the order of the clauses."""
    winners = [clause.winner for clause in paths.model.clauses]
    pairs = [(i, j) for j, b in enumerate(winners) for i, a in enumerate(winners[:j]) if None not in (a, b) and a != b]
    if not pairs:
        return set()
    held = _at_start(paths.model, start)
    values = paths.values
    kept, values.left = values.left, min(MOST_EXCLUSION_WORK, MORE * values.left)
    try:
        return {(i, j) for i, j in pairs if not (held[i] and held[j]) and _never_begin_together(paths, plies, i, j)}
    except (NotWritten, TermsTooLarge):
        return set()
    finally:
        values.left = kept


def _at_start(model: RulesModel, start: State) -> list[bool]:
    """For each terminal clause, True if it holds at the start. (Clauses that ask for actions are not tried further.)"""
    evaluator = Evaluator(model.variables, model.definitions, model.times)
    Rulebook(model, evaluator)  # which answers what players could do
    cells: list[Any] = list(start.cells)
    cells[NO_ACTIONS] = lambda: True
    return [bool(evaluator.value(clause.condition)(cells, [None] * clause.frame)) for clause in model.clauses]


def _never_begin_together(paths: RulePathWalker, plies: Plies, *numbers: int) -> bool:
    """True if it is proved that no ply leads from a position where none of these clauses holds to one where all do."""
    clauses = [paths.model.clauses[number] for number in numbers]
    every, negation = paths.values.all_of, paths.values.negation
    players = range(len(paths.model.players))
    before = [[_holds(paths, clause, mover) for clause in clauses] for mover in players]
    followers = players if any(held != before[0] for held in before) else players[:1]  # where it matters who moves
    for mover, way in plies:
        neither = [negation(held) for held in before[mover]]
        for following in followers:
            both = [paths.condition_after(way, following, clause.condition, clause.frame) for clause in clauses]
            if every((way.open, *neither, *both)) is not False:
                return False
    return True


def _holds(paths: RulePathWalker, clause: Clause, mover: int) -> Truth:
    paths.position.mover = mover
    paths.expressions.forget(None)
    return paths.expressions.truth(clause.condition, [None] * clause.frame)


PLAYER = "Player"  # the type of the players
MOST_TERMS = 150_000
MOST_WORK = 6_000_000  # expressions and terms looked at


def write_out(model: RulesModel, work: int = MOST_WORK) -> tuple[SymbolicValues, Term]:
    """The terms of the rules, and the one that stands for all rules. Raises NotWritten or TermsTooLarge where the rules
    cannot be written out."""
    if not shows_everything(model):
        raise NotWritten("something that a player does not see")
    if model.times:
        raise NotWritten(f"'{model.times[0].kind}', which asks about the past")
    values = SymbolicValues(MOST_TERMS, work)
    return values, RuleTermWriter(model, values).game()


class RuleTermWriter:
    """Writes the terms of a game."""

    def __init__(self, model: RulesModel, values: SymbolicValues):
        self.model, self.values = model, values
        self.player = Named(PLAYER, model.players)
        self.begun = RulesGame(model).initial()
        constant: dict[int, Any] = {}
        while True:  # what no way changes is as it was at the start
            self.expressions = SymbolicExpressions(model, values, constant)
            self.paths = RulePathWalker(self.expressions)
            self.ways = [self._ways_of(mover) for mover in range(len(model.players))]
            changed = {place for rules in self.ways for ways in rules for way in ways for place in way.changes}
            more = {place: self.begun.cells[place] for place in self.expressions.position.start if place not in changed}
            if len(more) == len(constant):
                break
            constant = more

    def game(self) -> Term:
        """The term of the whole game."""
        if self.model.follow_up is not None:
            raise NotWritten("phases that follow where nothing can be done")
        plies = [(mover, way) for mover, rules in enumerate(self.ways) for ways in rules for way in ways]
        self.apart = exclusive(self.paths, plies, self.begun)
        turns = [turn for mover in range(len(self.model.players)) for turn in self._turns(mover)]
        prices = [] if self.model.forever is None else [self._vector_term("forever", self.model.forever)]
        return self.values.make("game", None, [(0, part.id) for part in (*turns, *prices)])

    def _ways_of(self, mover: int) -> list[list[RulePath]]:
        """The ways to act, then those of each chance step, in a position in which this player moves, or moved last."""
        self.expressions.position.mover = mover
        rules = [self.model.actions, *[(step,) for step in self.model.chances]]
        return [[way for rule in group for way in self.paths.ways(rule)] for group in rules]

    def _turns(self, mover: int) -> Iterable[Term]:
        """A term for each turn in which this player moves, or was the last to move."""
        values = self.values
        self.expressions.position.mover = mover
        ways, *chances = self.ways[mover]
        stuck = values.all_of(values.negation(way.open) for way in ways)
        following = (mover + 1) % len(self.model.players)
        yield self._turn("player", mover, stuck, [self._way(way, following) for way in ways])
        for step, outcomes in enumerate(chances):
            yield self._turn((CHANCE, step), mover, False, [self._way(way, mover) for way in outcomes])
        yield self._turn(NOBODY, mover, True, [])

    def _turn(self, kind: Any, mover: int, stuck: Truth, ways: Sequence[Term]) -> Term:
        self.expressions.forget(stuck)
        parts = [
            (0, self._constant(mover).id),
            (1, self._end().id),
            (2, self._evaluation().id),
            (4, self._quiet_term().id),
        ]
        return self.values.make("turn", kind, [*parts, *[(3, way.id) for way in ways]])

    def _constant(self, player: Any) -> Term:
        return self.values.term(player, self.player)

    # -- ends -----------------------------------------------------------------------------------------------

    def _end(self) -> Term:
        """The terminal clauses as a term, in their order, for the first that holds decides. Neighbouring clauses that
        pay alike are joined, and those that are proved never to hold together have no order."""
        values = self.values
        ends: list[dict[Term, list[Truth]]] = []  # what is paid, and when
        last: list[int] = []
        for number, clause in enumerate(self.model.clauses):
            condition = self.expressions.truth(clause.condition, [None] * clause.frame)
            if condition is False:
                continue
            paid = self._vector_term(
                "paid", [self.expressions.value(u, [None] * clause.frame) for u in clause.utilities]
            )
            if not (ends and (list(ends[-1]) == [paid] or all((other, number) in self.apart for other in last))):
                ends.append({})
                last = []
            ends[-1].setdefault(paid, []).append(condition)
            last.append(number)
        rest = values.make("goes on", None, ())
        for alike in reversed(ends):
            cases = [(0, values.case(paid, values.any_of(conditions), NUMBER).id) for paid, conditions in alike.items()]
            rest = values.make("ends", None, [*cases, (1, rest.id)])
        return rest

    def _vector_term(self, word: str, numbers: Sequence[Any]) -> Term:
        """A term for numbers of all players."""
        return self.values.make(
            word, None, [(0, self._component_term(p, number).id) for p, number in enumerate(numbers)]
        )

    def _component_term(self, player: int, number: Any) -> Term:
        number = self.values.term(number, NUMBER)
        return self.values.make("owned", None, ((0, self._constant(player).id), (1, number.id)))

    def _evaluation(self) -> Term:
        """Each player's EVAL(s) as a term."""
        features, value = self.model.features, self.expressions.value
        totals = [
            self.values.total((f.weight, value(f.values[player], [None] * f.frame)) for f in features)
            for player in range(len(self.model.players))
        ]
        return self._vector_term("evaluation", totals)

    def _quiet_term(self) -> Term:
        """The number that quiet play keeps, as a term."""
        quiet = self.model.quiet
        if quiet is None:
            return self.values.term(0, NUMBER)
        return self.values.term(self.expressions.value(quiet.value, [None] * quiet.frame), NUMBER)

    # -- ways to act ----------------------------------------------------------------------------------------

    def _way(self, way: RulePath, following: Any) -> Term:
        """The term of a way to act. `following` is the turn that follows if the rule does not name one."""
        values = self.values
        turn = values.apply(lambda turn: following if turn is None else turn, way.turn)
        parts = [
            (0, values.term(way.open, TRUTH).id),
            (1, self._constant(turn).id),
            (2, values.term(way.rank, NUMBER).id),
            (3, values.term(way.weight, NUMBER).id),
        ]
        for place, value in way.changes.items():
            for cell, new in self._changed_cells(place, value):
                parts.append((4, values.make("change", None, ((0, cell.id), (1, new.id))).id))
        return values.make("way", None, parts)

    def _changed_cells(self, place: int, value: Any) -> Iterable[tuple[Term, Term]]:
        """Pairs of a cell and its new value; for a set a pair for each member that may change."""
        before, values = self.expressions.position.start[place], self.values
        if not isinstance(before, Bits):
            yield before, values.term(value, before.type)
            return
        after = values.bits(value).parts
        for i, cell in enumerate(before.parts):
            new = after[i] if i < len(after) else False
            if isinstance(cell, Term) and cell is not new:
                yield cell, values.term(new, TRUTH)
