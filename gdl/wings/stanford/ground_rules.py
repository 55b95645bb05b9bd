"""Rules of gdl's own language for a game of clauses, as far as they are the same whoever is to move.

1. A fact that can be true of a position is a truth of the state; all of one function are an array.
2. A relation that depends on the position is a definition, or stands where it is asked if it is small.

Sources: as of grounding.py; M. Genesereth, M. Thielscher, General Game Playing (2014), chapter 10, for
the network of propositions that this is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, product

from gdl.errors import Refusal, Span, clean
from gdl.errors.limits import DIGITS
from gdl.interpreter.closures import FIRST_CELL
from gdl.model import core
from gdl.model.domains import TRUTH, Named
from gdl.model.games import Callable, Clause, Rule, RulesModel, Variable, Visibility
from gdl.states.components import reached_from
from gdl.wings.stanford.clauses_model import Atom, ClausesModel, Term, term_text
from gdl.wings.stanford.ground_truths import Truth, change_of, choice, disjunction, form_of, size_of, truth_of
from gdl.wings.stanford.grounding import Body, GroundClauses, are_incompatible, implied_literals

SMALL = 6  # forms of a definition that stands where it is asked
MOST_WORK = 100_000  # forms of one relation, if every definition stood where it is asked
DEEPEST = 40  # definitions inside one another
MOST_WRITTEN = 60_000  # forms of all rules together: a second or two until they are read and checked
MOST_MOVES = 4_000

Known = dict[Atom, bool]


class GroundRules:
    """The parts of the rules of a game of clauses that do not depend on whose turn it is: the variables of its facts,
    the definitions of its relations, the moves of each player, its end."""

    def __init__(self, model: ClausesModel, ground: GroundClauses, span: Span):
        self.clauses, self.ground, self.span = model, ground, span
        self.variables: list[Variable] = []
        self.definitions: list[Callable] = []
        self.truths: dict[Atom, Truth] = {}  # the condition that an atom holds, in any position
        self._work: dict[Atom, int] = {}  # the forms of an atom, definitions written out
        self.written = 0
        self._lay_out()
        self.asked_by: dict[Atom, list[Atom]] = {}
        for head, ways in ground.bodies.items():
            for atom in dict.fromkeys(atom for way in ways for atom, _ in way):
                self.asked_by.setdefault(atom, []).append(head)
        self.order = self._in_order()
        self.done = [atom for atom in self.asked_by if atom[0] == "does"]
        self.ways: dict[Atom, dict[Atom | None, list[Body]]] = {}  # by the move in a body; None: it names no move
        for head, ways in ground.bodies.items():
            for way in ways:
                done = next((atom for atom, holds in way if holds and atom[0] == "does"), None)
                self.ways.setdefault(head, {}).setdefault(done, []).append(way)
        self.after = self.dependents(self.done) | {atom for atom in ground.bodies if atom[0] == "next"}
        self._define()
        self.moves: dict[str, list[Atom]] = {player: [] for player in model.players}
        for atom in ground.bodies:
            if atom[0] == "legal" and atom[1] in self.moves:
                self.moves[atom[1]].append(atom)
                self.count(self.truths[atom])
        if sum(map(len, self.moves.values())) > MOST_MOVES:
            raise Refusal("it has too many moves")

    def model(
        self,
        actions: Iterable[Rule],
        start: core.Turn,
        procedures: tuple[Callable, ...] = (),
        resolve: Rule | None = None,
    ) -> RulesModel:
        """The rules with these actions added."""
        actions = tuple(actions)  # which may still add definitions
        return RulesModel(
            name=self.clauses.name, players=self.clauses.players, parameters={}, variables=tuple(self.variables),
            definitions=tuple(self.definitions), procedures=procedures, actions=actions, chances=(), resolve=resolve,
            start=start, opening=None, clauses=(self._end(),), forever=None, features=(), quiet=None, times=(),
        )  # fmt: skip

    def _lay_out(self) -> None:
        """Make the variables of the state, an array for each function of fluents, and note the element of each fact."""
        self.places: dict[Atom, tuple[int, tuple[core.Expression, ...]]] = {}  # where each fact is written
        by_function: dict[str, list[Term]] = {}
        for fact in self.ground.facts:
            by_function.setdefault(fact if isinstance(fact, str) else f"{fact[0]} ", []).append(fact)
        place = FIRST_CELL
        for name, facts in by_function.items():
            single, number = facts[0] == name, len(self.variables)
            texts = tuple(", ".join(map(term_text, fact[1:])) for fact in facts)
            for n, fact in enumerate(facts):
                at = () if single else (core.Const(n),)
                read = core.Cell(place) if single else core.Element(number, at, False, self.span)
                self.truths["true", fact], self.places["true", fact] = read, (number, at)
            self.variables.append(Variable(
                name=name.rstrip(), indices=() if single else (Named(name.rstrip(), texts),), type=TRUTH, place=place,
                initial=tuple(fact in self.ground.start for fact in facts), visibility=Visibility(), span=self.span,
            ))  # fmt: skip
            place += len(facts)

    # ---- What holds in a position -----------------------------------------------------------------------------

    def _in_order(self) -> dict[Atom, int]:
        """A number for each atom, greater than those of all atoms on which it depends."""
        bodies = self.ground.bodies
        graph = {
            head: [atom for way in ways for atom, _ in way if atom in bodies and atom[0] not in ("true", "does")]
            for head, ways in bodies.items()
        }
        try:
            return {atom: n for n, atom in enumerate(TopologicalSorter(graph).static_order())}
        except CycleError as circle:
            name = circle.args[1][0][0]
            raise Refusal(f"'{clean(str(name))}' follows from itself in play") from None

    def dependents(self, atoms: Iterable[Atom]) -> set[Atom]:
        """The atoms that depend on these, directly or through others."""
        first = (other for atom in atoms for other in self.asked_by.get(atom, ()))
        return reached_from(first, lambda atom: self.asked_by.get(atom, ()))

    def _define(self) -> None:
        """Find the condition of each relation that depends on the position alone: a call of a new definition if it is
        large and used more than once, else the condition itself. Raises Refusal where one takes too long to compute."""
        depth: dict[Atom, int] = {}
        for atom in self.order:
            if atom in self.after:
                continue
            ways = self.ground.bodies[atom]
            truth = truth_of(ways, self.truths)
            work = 1 + sum(self._work.get(asked, 1) for way in ways for asked, _ in way)
            depth[atom] = 1 + max((depth.get(asked, 0) for way in ways for asked, _ in way), default=0)
            if work > MOST_WORK or depth[atom] > DEEPEST:
                raise Refusal(f"'{clean(str(atom[0]))}' takes too long in a position")
            shared = work > SMALL and len(self.asked_by.get(atom, ())) > 1
            self.truths[atom] = self.definition(term_text(atom), truth) if shared else truth
            self._work[atom] = work

    def count(self, truth: Truth) -> None:
        """Count the operations of an expression that is written into a rule. Raises Refusal if there are too many in
        all rules."""
        self.written += 1 if isinstance(truth, bool) else size_of(truth)
        if self.written > MOST_WRITTEN:
            raise Refusal("its rules without variables are too long")

    def definition(self, name: str, truth: Truth) -> Truth:
        if isinstance(truth, bool):
            return truth
        self.count(truth)
        self.definitions.append(
            Callable(name=name, parameters=0, frame=0, result=truth, body=(), span=self.span, type=TRUTH)
        )
        return core.CallDefinition(len(self.definitions) - 1, (), self.span)

    def changes(
        self, values: Mapping[Atom, Truth], known: Known, slots: int = 0
    ) -> tuple[list[core.Statement], list[core.Statement], Known]:
        """The statements that compute the facts that are true next, the statements that write them, and the facts whose
        next value is then known. Values are kept in slots, the first of which is `slots`, and all are computed before
        any is written."""
        lets: list[core.Statement] = []
        writes: list[core.Statement] = []
        after: Known = {}
        for atom, (variable, at) in self.places.items():
            fact, new = self.truths[atom], values.get(("next", atom[1]), False)
            before: Truth = known.get(atom, fact)
            if isinstance(new, bool):
                after[atom] = new
            if new is before or (isinstance(new, bool) and new == before):
                continue
            self.count(new)
            if isinstance(new, bool):
                writes.append(core.Assign(variable, at, core.Const(new), self.span))
                continue
            value, condition = change_of(new, fact)
            kept = core.Local(slots + len(lets))
            lets.append(core.Let(kept.slot, value))
            if condition is None:
                writes.append(core.Assign(variable, at, kept, self.span))
            else:
                write = core.Assign(variable, at, core.Const(condition), self.span)
                writes.append(core.Conditional(kept, (write,), ()))
        return lets, writes, after

    # ---- The end ----------------------------------------------------------------------------------------------

    def _end(self) -> Clause:
        """The terminal clause of the game, with its condition and the players' utilities."""
        goals = {player: [a for a in self.ground.bodies if a[0] == "goal" and a[1] == player]
                 for player in self.clauses.players}  # fmt: skip
        wrong = next((a for own in goals.values() for a in own if not _is_number(a[2])), None)
        if wrong is not None:
            raise Refusal(f"'{clean(term_text(wrong[2]))}' is paid, and is no number")
        sums = {sum(int(goal[2]) for goal in pair) for pair in product(*goals.values()) if self._go_together(pair)}
        return Clause(
            condition=form_of(self.truths.get(("terminal",), False)),
            utilities=tuple(map(self._payoff_expression, goals.values())),
            sum=sums.pop() if len(sums) == 1 else None, winner=None, frame=0, span=self.span,
        )  # fmt: skip

    def _payoff_expression(self, goals: list[Atom]) -> core.Expression:
        """The utility of a player whose goals these are. In a position in which none of them holds, or two with
        different numbers, the expression is a fault, which the interpreter of clauses then reports."""
        fault = core.Arithmetic("div", core.Const(1), core.Const(0), self.span)
        paid: core.Expression = fault
        for n, goal in reversed(list(enumerate(goals))):
            clash = disjunction(self.truths[other] for other in goals[n + 1 :] if self._go_together((goal, other)))
            paid = choice(self.truths[goal], choice(clash, fault, core.Const(int(goal[2]))), paid)
        return paid

    def _go_together(self, goals: tuple[Atom, ...]) -> bool:
        """False if it is proved that two of these goals cannot hold in one position."""
        bodies = self.ground.bodies
        return all(
            any(not are_incompatible(implied_literals(a, bodies), implied_literals(b, bodies), self.ground.groups)
                for a, b in product(bodies[one], bodies[other]))
            for one, other in combinations(goals, 2)
        )  # fmt: skip


def _is_number(term: Term) -> bool:
    return isinstance(term, str) and term.isdecimal() and len(term) <= DIGITS
