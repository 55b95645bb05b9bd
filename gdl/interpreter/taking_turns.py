"""Clauses of a game whose players take turns, as rules of our own language: so the compiled engine takes them too.

1. A fact that can be true of a position is a truth of the state; all of one function are an array.
2. A relation that hangs on the position is a definition, or stands where it is asked if it is small.
3. Each move of each role is an action: its guard is when it is legal, its body writes those facts that the move
   changes. What nobody else can have done, and what the guard implies, is known there, so most clauses of what is true
   next fall away or say that a fact stays.
4. Then it is the turn of whoever can do more than wait. That no two can is proved from the clauses; else, and with
   chance or `sees`, the interpreter of clauses (gdl/interpreter/clauses_game.py) has the game.

Sources: as of gdl/interpreter/grounding.py; M. Genesereth, M. Thielscher, General Game Playing (2014), chapter 10, for
the network of propositions that this is.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, product

from gdl.errors import GameError, Refusal, Span, clean
from gdl.errors.limits import DIGITS
from gdl.game import Decision, Node
from gdl.interpreter.clauses_game import ClausesGame
from gdl.interpreter.clauses_game import ClausesState as Position
from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.grounding import Body, GroundClauses, Literal, are_incompatible, ground, implied_literals
from gdl.interpreter.rules_game import RulesGame
from gdl.interpreter.state import State
from gdl.model import core
from gdl.model.clauses import IDLE, Atom, ClausesModel, Term, term_text
from gdl.model.domains import TRUTH, Named
from gdl.model.games import Callable, Clause, Rule, RulesModel, Variable, Visibility
from gdl.states.explore import choosers

SMALL = 6  # forms of a definition that stands where it is asked
MOST_WORK = 100_000  # forms of one relation, and
MOST_WRITTEN = 2_000_000  # of all that moves change, if every definition stood where it is asked
DEEPEST = 40  # definitions inside one another
MOST_MOVES = 4_000

Truth = bool | core.Expression
Known = dict[Atom, bool]


def turns_of(clauses: ClausesGame, kind: type[TurnsGame]) -> TurnsGame:
    """The game of these clauses by rules. Raises Refusal with the reason where they have none, and GameError where the
    clauses are at fault."""
    model = clauses.model
    if model.has_secrets:
        raise Refusal("players learn by 'sees'")
    if model.has_chance:
        raise Refusal("the role 'random' moves")
    begun = clauses.node(clauses.initial())
    if len(both := choosers(begun)) > 1:  # seen before the clauses are grounded, which takes far longer
        raise _choose_at_once(*(model.players[player] for player in both[:2]))
    span = clauses.place("role")
    assert span is not None  # somebody plays
    made = _Maker(model, ground(model, clauses.always), span)
    return kind(clauses, made.model(begun.player if isinstance(begun, Decision) else 0), tuple(made.places))


class TurnsGame(RulesGame):
    """A game of clauses whose players take turns, played by rules. `clauses` is the same game by its clauses; it shows
    positions and reports what is wrong in them."""

    def __init__(self, clauses: ClausesGame, rules: RulesModel, facts: tuple[Atom, ...]):
        super().__init__(rules)
        self.clauses, self.facts = clauses, facts
        self._afresh = partial(type(self), clauses, rules, facts)

    def node(self, state: State) -> Node:
        try:
            return super().node(state)
        except GameError:
            self.clauses.node(by_clauses(self, state))
            raise

    def describe(self, state: State, player: int) -> str:
        return self.clauses.describe(by_clauses(self, state), player)

    def show(self, state: State) -> str:
        return self.clauses.show(by_clauses(self, state))

    def show_to(self, state: State, player: int) -> str:
        return self.show(state)


def by_clauses(game: TurnsGame, state: State) -> Position:
    """The state as the clauses have it."""
    cells = zip(game.facts, state.cells[FIRST_CELL:], strict=True)
    return game.clauses.position(fact for (_, fact), holds in cells if holds)


class _Maker:
    """Writes the rules of one game."""

    def __init__(self, model: ClausesModel, ground: GroundClauses, span: Span):
        self.clauses, self.ground, self.span = model, ground, span
        self.variables: list[Variable] = []
        self.definitions: list[Callable] = []
        self.truths: dict[Atom, Truth] = {}  # what an atom is in any position
        self._work: dict[Atom, int] = {}  # the forms of an atom, definitions written out
        self._written = 0
        self._lay_out()
        self._asked_by: dict[Atom, list[Atom]] = {}
        for head, ways in ground.bodies.items():
            for atom in dict.fromkeys(atom for way in ways for atom, _ in way):
                self._asked_by.setdefault(atom, []).append(head)
        self.order = self._in_order()
        self._done = [atom for atom in self._asked_by if atom[0] == "does"]
        self._ways: dict[Atom, dict[Atom | None, list[Body]]] = {}  # by what is done, None where a body does not say
        for head, ways in ground.bodies.items():
            for way in ways:
                done = next((atom for atom, holds in way if holds and atom[0] == "does"), None)
                self._ways.setdefault(head, {}).setdefault(done, []).append(way)
        self._after = self._above(self._done) | {atom for atom in ground.bodies if atom[0] == "next"}
        self._define()
        self.moves: dict[str, list[Atom]] = {player: [] for player in model.players}
        for atom in ground.bodies:
            if atom[0] == "legal" and atom[1] in self.moves:
                self.moves[atom[1]].append(atom)
        if sum(map(len, self.moves.values())) > MOST_MOVES:
            raise Refusal("it has too many moves")

    def model(self, starts: int) -> RulesModel:
        """The rules. Raises Refusal where there are none."""
        signs = self.signs()
        actions = [rule for n, name in enumerate(self.clauses.players) for rule in self.rules(n, name, signs)]
        return RulesModel(
            name=self.clauses.name, players=self.clauses.players, parameters={}, variables=tuple(self.variables),
            definitions=tuple(self.definitions), procedures=(), actions=tuple(actions), chances=(), resolve=None,
            start=core.Turn("player", core.Const(starts)), opening=None, clauses=(self.end(),), forever=None,
            features=(), quiet=None, times=(),
        )  # fmt: skip

    def _lay_out(self) -> None:
        """The variables of the state."""
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
        """The number of each atom in an order in which it follows all atoms that it depends on."""
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

    def _above(self, atoms: Iterable[Atom]) -> set[Atom]:
        """The atoms that depend on these."""
        stack, found = list(atoms), set[Atom]()
        while stack:
            for head in self._asked_by.get(stack.pop(), ()):
                if head not in found:
                    found.add(head)
                    stack.append(head)
        return found

    def _define(self) -> None:
        """Define all relations that depend on the position alone."""
        depth: dict[Atom, int] = {}
        for atom in self.order:
            if atom in self._after:
                continue
            ways = self.ground.bodies[atom]
            truth = _some(_every(_is(self.truths.get(asked, False), holds) for asked, holds in way) for way in ways)
            work = 1 + sum(self._work.get(asked, 1) for way in ways for asked, _ in way)
            depth[atom] = 1 + max((depth.get(asked, 0) for way in ways for asked, _ in way), default=0)
            if work > MOST_WORK or depth[atom] > DEEPEST:
                raise Refusal(f"'{clean(str(atom[0]))}' takes too long in a position")
            shared = work > SMALL and len(self._asked_by.get(atom, ())) > 1
            self.truths[atom] = self._definition(term_text(atom), truth) if shared else truth
            self._work[atom] = work

    def _definition(self, name: str, truth: Truth) -> Truth:
        if isinstance(truth, bool):
            return truth
        self.definitions.append(
            Callable(name=name, parameters=0, frame=0, result=truth, body=(), span=self.span, type=TRUTH)
        )
        return core.CallDefinition(len(self.definitions) - 1, (), self.span)

    # ---- Whose turn it is -------------------------------------------------------------------------------------

    def signs(self) -> dict[str, dict[Literal, None]]:
        """For each player with a choice, the facts that hold whenever the player has one."""
        bodies, signs = self.ground.bodies, dict[str, dict[Literal, None]]()
        for player, moves in self.moves.items():
            ways = [implied_literals(way, bodies) for atom in moves if atom[2] != IDLE for way in bodies[atom]]
            if ways:
                signs[player] = {literal: None for literal in ways[0] if all(literal in way for way in ways[1:])}
        for one, other in combinations(signs, 2):
            if not are_incompatible(signs[one], signs[other], self.ground.groups):
                raise _choose_at_once(one, other)
        self._busy: dict[str, Truth] = {}
        for player, sign in signs.items():
            able = _some(self.truths[atom] for atom in self.moves[player] if atom[2] != IDLE)
            first = _every(_is(self.truths[atom], holds) for atom, holds in sign if atom[0] == "true")
            self._busy[player] = self._definition(f"{player} chooses", _every((first, able)))
        return signs

    def _turn(self, known: Known, signs: dict[str, dict[Literal, None]]) -> core.Expression:
        """The expression for the player to move, simplified by what is known of the position."""
        mover: core.Expression = core.Const(0)
        for player in reversed(self.clauses.players):
            number = core.Const(self.clauses.players.index(player))
            if player in signs and all(known.get(atom, holds) == holds for atom, holds in signs[player]):
                mover = number if number == mover else _choice(self._busy[player], number, mover)
        return mover

    # ---- What a move does -------------------------------------------------------------------------------------

    def rules(self, player: int, name: str, signs: dict[str, dict[Literal, None]]) -> Iterable[Rule]:
        """The moves of a player. Where one of them is made, everybody else waits."""
        done = dict.fromkeys(self._done, False)
        waiting = {atom: True for atom in done if atom[1] != name and atom[2] == IDLE}
        sign = self._known_from(signs.get(name, {}))
        base = self._values(done | waiting | sign, self.order, {}, (None, *waiting))
        for other in self.clauses.players if name in signs else ():
            if other != name and base.get(("legal", other, IDLE)) is not True:
                raise Refusal(f"it is not proved that {clean(other)} can wait while {clean(name)} chooses")
        own = core.Comparison("=", core.Mover(), core.Const(player), self.span)
        for legal in self.moves[name]:
            does = ("does", *legal[1:])
            ways = self.ground.bodies[legal]
            guard = implied_literals(ways[0], self.ground.bodies) if len(ways) == 1 else {}
            known = done | waiting | ({} if legal[2] == IDLE else sign) | self._known_from(guard) | {does: True}
            touched = sorted(self._above([does]), key=self.order.__getitem__)
            atoms = self.order if legal[2] == IDLE else touched
            values = self._values(known, atoms, base, (None, does, *waiting))
            body, frame = self._body(values, known, signs)
            text = term_text(legal[2])
            yield Rule(
                name=text, parameters=(), guards=(own, _form(self.truths[legal])), weight=None,
                template=core.Template((text,)), merge=False, body=body, frame=frame, simple=True, span=self.span,
                settled=True,
            )  # fmt: skip

    def _known_from(self, literals: Iterable[Literal]) -> Known:
        """The facts and relations that these literals settle, with the facts that they exclude."""
        known: Known = {atom: holds for atom, holds in literals if atom[0] != "does"}
        for atom, holds in list(known.items()):
            if holds:
                known.update((other, False) for other in self.ground.groups.get(atom, ()))
        return known

    def _values(
        self, known: Known, atoms: Iterable[Atom], base: dict[Atom, Truth], done: tuple[Atom | None, ...]
    ) -> dict[Atom, Truth]:
        """The values of these atoms where so much is known, and no more than this is done; an atom that depends on the
        position alone is a definition unless it is decided."""
        values: dict[Atom, Truth] = dict(base)
        values.update(known)
        for atom in atoms:
            if atom in known:
                continue
            truth = _some(
                _every(_is(values.get(asked, self.truths.get(asked, False)), holds) for asked, holds in way)
                for each in done
                for way in self._ways[atom].get(each, ())
            )
            values[atom] = truth if atom in self._after or isinstance(truth, bool) else self.truths[atom]
        return values

    def _body(
        self, values: dict[Atom, Truth], known: Known, signs: dict[str, dict[Literal, None]]
    ) -> tuple[tuple[core.Statement, ...], int]:
        """The writes of a body, and the number of values kept for them: all are computed before the first is
        written."""
        lets: list[core.Statement] = []
        writes: list[core.Statement] = []
        after: Known = {}
        for atom, (variable, at) in self.places.items():
            fact, new = self.truths[atom], values.get(("next", atom[1]), False)
            before: Truth = known.get(atom, fact)
            if new is before or (isinstance(new, bool) and new == before):
                if isinstance(new, bool):
                    after[atom] = new
                continue
            self._written += 1 if isinstance(new, bool) else _size(new)
            if self._written > MOST_WRITTEN:
                raise Refusal("its moves change too much")
            if isinstance(new, bool):
                after[atom] = new
                writes.append(core.Assign(variable, at, core.Const(new), self.span))
                continue
            value, condition = _change(new, fact)
            lets.append(core.Let(len(lets), value))
            kept = core.Local(len(lets) - 1)
            if condition is None:
                writes.append(core.Assign(variable, at, kept, self.span))
            else:
                write = core.Assign(variable, at, core.Const(condition), self.span)
                writes.append(core.Conditional(kept, (write,), ()))
        turn = self._turn(self._known_from(after.items()) | after, signs)
        return (*lets, *writes, core.Next(core.Turn("player", turn))), len(lets)

    # ---- The end ----------------------------------------------------------------------------------------------

    def end(self) -> Clause:
        """The terminal clause of the game: its condition and its utilities."""
        goals = {player: [a for a in self.ground.bodies if a[0] == "goal" and a[1] == player]
                 for player in self.clauses.players}  # fmt: skip
        wrong = next((a for own in goals.values() for a in own if not _is_number(a[2])), None)
        if wrong is not None:
            raise Refusal(f"'{clean(term_text(wrong[2]))}' is paid, and is no number")
        sums = {sum(int(goal[2]) for goal in pair) for pair in product(*goals.values()) if self._go_together(pair)}
        return Clause(
            condition=_form(self.truths.get(("terminal",), False)),
            utilities=tuple(map(self._payoff_expression, goals.values())),
            sum=sums.pop() if len(sums) == 1 else None, winner=None, frame=0, span=self.span,
        )  # fmt: skip

    def _payoff_expression(self, goals: list[Atom]) -> core.Expression:
        """The utility of a player. If it may be none or several numbers, that is a fault, which the interpreter of
        clauses reports."""
        fault = core.Arithmetic("div", core.Const(1), core.Const(0), self.span)
        paid: core.Expression = fault
        for n, goal in reversed(list(enumerate(goals))):
            clash = _some(self.truths[other] for other in goals[n + 1 :] if self._go_together((goal, other)))
            paid = _choice(self.truths[goal], _choice(clash, fault, core.Const(int(goal[2]))), paid)
        return paid

    def _go_together(self, goals: tuple[Atom, ...]) -> bool:
        """True if these goals may hold in one position, as far as is seen."""
        bodies = self.ground.bodies
        return all(
            any(not are_incompatible(implied_literals(a, bodies), implied_literals(b, bodies), self.ground.groups)
                for a, b in product(bodies[one], bodies[other]))
            for one, other in combinations(goals, 2)
        )  # fmt: skip


def _choose_at_once(one: str, other: str) -> Refusal:
    return Refusal(f"{clean(one)} and {clean(other)} may both have a choice at once")


def _is_number(term: Term) -> bool:
    return isinstance(term, str) and term.isdecimal() and len(term) <= DIGITS


# ---- Truths -----------------------------------------------------------------------------------------------------


def _form(truth: Truth) -> core.Expression:
    return core.Const(truth) if isinstance(truth, bool) else truth


def _is(truth: Truth, holds: bool) -> Truth:
    return truth if holds else not truth if isinstance(truth, bool) else core.Not(truth)


def _every(parts: Iterable[Truth]) -> Truth:
    kept: list[core.Expression] = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept.append(_form(part))
    return True if not kept else kept[0] if len(kept) == 1 else core.All(tuple(kept))


def _some(parts: Iterable[Truth]) -> Truth:
    kept: list[core.Expression] = []
    for part in parts:
        if part is True:
            return True
        if part is not False:
            kept.append(_form(part))
    return False if not kept else kept[0] if len(kept) == 1 else core.Some(tuple(kept))


def _choice(condition: Truth, then: core.Expression, otherwise: core.Expression) -> core.Expression:
    if isinstance(condition, bool):
        return then if condition else otherwise
    return core.If(condition, then, otherwise)


def _change(new: core.Expression, fact: Truth) -> tuple[core.Expression, bool | None]:
    """The condition under which a fact changes, and the value that it then gets; if the fact is not kept otherwise, its
    next value, and None."""
    if isinstance(new, core.Some) and any(part is fact for part in new.parts):
        return _form(_some(part for part in new.parts if part is not fact)), True
    if isinstance(new, core.All) and any(part is fact for part in new.parts):
        return core.Not(_form(_every(part for part in new.parts if part is not fact))), False
    return new, None


def _size(expression: core.Expression) -> int:
    """How many forms an expression has, definitions not looked into."""
    count, stack = 0, [expression]
    while stack:
        part = stack.pop()
        count += 1
        if isinstance(part, core.All | core.Some):
            stack.extend(part.parts)
        elif isinstance(part, core.Not):
            stack.append(part.operand)
    return count
