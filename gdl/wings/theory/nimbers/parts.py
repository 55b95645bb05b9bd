"""Parts of positions that have nothing to do with each other, like heaps of nim or rows of pins.

An atom is a cell of the state, or one member of a set. An action with its parameters filled in reads some atoms and
writes some, whatever the state. In a position:

1. An action is dead if what cannot change any more forbids it: its guards are false by atoms that no live action
   writes. Live actions are found as a least fixed point, which only shrinks as play goes on.
2. Atoms that change belong together if one live action reads or writes them both. Each class of them is a part: what
   happens in one neither allows nor forbids anything in another.

A form that is not understood makes an atom of everything it may read; one that asks of the mover, of the past or of all
actions at once leaves the game whole.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import product
from operator import attrgetter, itemgetter
from typing import Any

from gdl.model import core
from gdl.model.domains import SetType, elements, ordinal_base, size
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import READS, inside, parts

MOST_OWN = 8  # atoms of an action that may change, up to which it is told when it can be taken
MOST_ACTIONS = 50_000  # the most actions with their parameters filled in

Atom = tuple[int, int | None]  # a cell, and a member of the set in it; None: all of it
Env = Mapping[int, Any]  # local names whose values are known
Effects = tuple[frozenset[Atom], ...]


class NotDecomposable(Exception):
    """Raised where a game cannot be taken apart into independent parts."""


UNKNOWN = object()  # the result for an atom that may still change


class GroundAction:
    """An action with its parameters filled in, as far as they do not depend on the state. It `reads` and `writes`
    atoms, given by their numbers, as bits; `effects` are those that each statement adds or removes, () if others are
    written. `look` takes what it reads out of the values of all atoms."""

    def __init__(self, number: int, rule: int, env: Env, reads: int, writes: int, effects: Effects) -> None:
        self.number, self.rule, self.env = number, rule, env
        self.reads, self.writes, self.effects = reads, writes, effects
        self.look = itemgetter(*elements(reads), -1, -1)  # of two values or more it makes a tuple


class Parts:
    """Finds the parts of the positions of a game. Raises NotDecomposable unless its rules consist only of actions
    that players take in turn until there are none."""

    def __init__(self, model: RulesModel) -> None:
        self.model = model
        if len(model.clauses) != 1 or not isinstance(model.clauses[0].condition, core.NoActions):
            raise NotDecomposable
        if any(READS.get(type(form)) == "state" for form in inside(model.clauses[0].utilities)):
            raise NotDecomposable
        if model.chances or model.effects or model.rewards or model.times or model.looks:
            raise NotDecomposable
        self.places = {
            variable.place + at: variable for variable in model.variables for at in range(len(variable.initial))
        }
        self._dead: dict[tuple[int, tuple[Any, ...]], bool] = {}  # by an action, and what it reads
        self._possible: dict[tuple[int, tuple[Any, ...]], tuple[bool, ...] | None] = {}
        self._shapes: dict[Hashable, Hashable] = {}  # by the parts where they lie
        found = list(self._deeds())
        touched = {atom for _, _, reads, writes, _ in found for atom in (*reads, *writes)}
        self.whole = {place for place, member in touched if member is None}
        self.atoms = sorted({self._join_cell(atom) for atom in touched})
        self.numbers = {atom: number for number, atom in enumerate(self.atoms)}
        self.deeds = tuple(
            GroundAction(number, rule, env, self._numbers_of(reads), self._numbers_of(writes), effects)
            for number, (rule, env, reads, writes, effects) in enumerate(found)
        )

    def _join_cell(self, atom: Atom) -> Atom:
        """The atom, or all of its cell if some action reads or writes that as a whole."""
        place, member = atom
        return place, None if place in self.whole else member

    def _numbers_of(self, atoms: Iterable[Atom]) -> int:
        """The numbers of the atoms, as bits."""
        return sum(1 << number for number in {self.numbers[self._join_cell(atom)] for atom in atoms})

    def changed_atoms(self, before: Any, after: Any) -> frozenset[int]:
        """The numbers of the atoms in which two states differ."""
        found: set[int] = set()
        for place, variable in self.places.items():
            one, other = before.cells[place], after.cells[place]
            if isinstance(variable.type, SetType) and place not in self.whole:
                found |= {self.numbers[place, member] for member in elements(one ^ other)}
            elif one != other:
                found.add(self.numbers[place, None])
        return frozenset(found)

    def split_actions(
        self, state: Any, among: tuple[GroundAction, ...]
    ) -> list[tuple[frozenset[int], tuple[GroundAction, ...]]]:
        """The parts of a position in which only the actions `among` can be taken: for each part the numbers of the
        atoms that may change, and the actions on them."""
        seen = self._values(state)
        live: list[GroundAction] = []
        rest = list(among)
        changing = 0
        while woken := [deed for deed in rest if not self._is_dead(deed, seen, state.cells)]:
            live += woken
            numbers = {deed.number for deed in woken}
            rest = [deed for deed in rest if deed.number not in numbers]
            for deed in woken:
                changing |= deed.writes
            for number in elements(changing):
                seen[number] = UNKNOWN
        live.sort(key=attrgetter("number"))
        owned = [(deed, (deed.reads | deed.writes) & changing) for deed in live]
        classes: list[int] = []
        for together in {own for _, own in owned}:
            for other in [other for other in classes if other & together]:
                classes.remove(other)
                together |= other
            classes.append(together)
        return [
            (frozenset(elements(one)), tuple(deed for deed, own in owned if own & one or own == one))
            for one in sorted(classes)
        ]

    def shape(self, state: Any, atoms: frozenset[int], deeds: tuple[GroundAction, ...]) -> Hashable:
        """A key that parts have in common that are played alike wherever they lie: the values of the atoms, numbered in
        their order, and for each action when it can be taken and what it adds and removes. Where an action is not told
        so, a key by places: what each action reads, and the values of the atoms."""
        values = self._values(state)
        seen = [UNKNOWN if number in atoms else value for number, value in enumerate(values)]
        own = tuple(values[number] for number in sorted(atoms))
        known = tuple((deed.number, deed.look(seen)) for deed in deeds)
        placed = atoms, own, known
        if placed not in self._shapes:
            for key, deed in zip(known, deeds, strict=True):
                if key not in self._possible:
                    self._possible[key] = self._when_possible(deed, state, atoms)
            actions = self._relative_actions(atoms, deeds, [self._possible[key] for key in known])
            self._shapes[placed] = placed if actions is None else (own, actions)
        return self._shapes[placed]

    def _relative_actions(
        self, atoms: frozenset[int], deeds: tuple[GroundAction, ...], possible: list[tuple[bool, ...] | None]
    ) -> frozenset[Hashable] | None:
        """For each action of a part when it can be taken, and what it adds and removes, with the atoms numbered in
        their order; None if that is not known of one of them."""
        if None in possible or any(self.atoms[number][1] is None for number in atoms):
            return None
        rank = {number: k for k, number in enumerate(sorted(atoms))}
        found = []
        for deed, told in zip(deeds, possible, strict=True):
            own = tuple(rank[number] for number in elements(deed.reads) if number in rank)
            effects = (sorted(rank[self.numbers[atom]] for atom in written) for written in deed.effects)
            found.append((deed.rule, own, told, tuple(map(tuple, effects))))
        return frozenset(found)

    def _when_possible(self, deed: GroundAction, state: Any, atoms: frozenset[int]) -> tuple[bool, ...] | None:
        """The truth of the action's guards for every choice of the values of what it reads of these atoms; None if it
        is not known, or there are too many."""
        own = [number for number in elements(deed.reads) if number in atoms]
        env, guards, truths = deed.env, _guards(self.model.actions[deed.rule]), []
        for chosen in product((False, True), repeat=len(own)) if len(own) <= MOST_OWN else ():
            changed = list(state.cells)
            for number, value in zip(own, chosen, strict=True):
                place, member = self.atoms[number]
                bit = 1 << (member or 0)
                changed[place] = changed[place] | bit if value else changed[place] & ~bit
            every = [self.evaluate_form(guard, env, tuple(changed), set()) for guard in guards]
            truths.append(_join_truths(every, settling=False))
        return None if not truths or UNKNOWN in truths or not deed.effects else tuple(map(bool, truths))

    def _values(self, state: Any) -> list[Any]:
        """The values of all atoms in a state, by number, and None for an action that reads fewer than two."""
        cells = state.cells
        return [cells[at] if one is None else bool(cells[at] >> one & 1) for at, one in self.atoms] + [None]

    # -- deeds ---------------------------------------------------------------------------------------------------------

    def _deeds(self) -> Iterator[tuple[int, Env, set[Atom], set[Atom], Effects]]:
        """Each action: the number of its rule, the values of its parameters as far as they do not depend on the state,
        the atoms that it reads and writes, and its effects."""
        count = 0
        for number, rule in enumerate(self.model.actions):
            envs: list[dict[int, Any]] = [{}]
            for parameter in rule.parameters:
                pairs = [(env, value) for env in envs for value in _domain_values(parameter)]
                envs = [env if value is UNKNOWN else {**env, parameter.slot: value} for env, value in pairs]
                count += len(envs)
                if count > MOST_ACTIONS:
                    raise NotDecomposable
                envs = [env for env in envs if not self._is_excluded(parameter.guards, env)]
            for env in envs:
                if not self._is_excluded(rule.guards, env):
                    count += 1
                    yield number, env, *self._reads_and_writes(rule, env)

    def _is_excluded(self, guards: Iterable[Any], env: Env) -> bool:
        """True if one of the guards is false whatever the state."""
        return any(self.evaluate_form(guard, env, None, None) is False for guard in guards)

    def _reads_and_writes(self, rule: Rule, env: Env) -> tuple[set[Atom], set[Atom], Effects]:
        reads: set[Atom] = set()
        writes: set[Atom] = set()
        effects: list[frozenset[Atom]] = []
        for form in (*(p.domain for p in rule.parameters), *_guards(rule)):
            self._reads(form, env, reads)
        for statement in rule.body:
            if not isinstance(statement, core.Assign):
                raise NotDecomposable
            for index in statement.indices:
                self._reads(index, env, reads)
            target = core.Element(statement.variable, statement.indices, False, statement.span)
            cells = self._cells(target, env)
            members = self._touched_members(statement, env)
            if members is None:
                self._reads(statement.value, env, reads)
                writes |= {(place, None) for place in cells}
            else:
                effects.append(frozenset((place, member) for place in cells for member in members))
                writes |= effects[-1]
        return reads, writes, tuple(effects) if len(effects) == len(rule.body) else ()

    def _touched_members(self, statement: core.Assign, env: Env) -> list[int] | None:
        """The members that `x := x + {…}` or `x := x - {…}` adds or removes; None if the statement has another form, or
        they depend on the state."""
        value = statement.value
        if not isinstance(value, core.SetOperation) or value.operator not in "+-":
            return None
        own = self.model.variables[statement.variable]
        same = value.left == core.Cell(own.place) if not statement.indices else (
            isinstance(value.left, core.Element)
            and (value.left.variable, value.left.indices) == (statement.variable, statement.indices)
        )  # fmt: skip
        if not same or not isinstance(value.right, core.SetOf):
            return None
        members = [self.evaluate_form(item, env, None, None) for item in value.right.items]
        return None if UNKNOWN in members else members

    def _cells(self, form: core.Cell | core.Element, env: Env) -> list[int]:
        """The cells that a form may read; all of the array's where the indices depend on the state."""
        if isinstance(form, core.Cell):
            return [form.place]
        variable = self.model.variables[form.variable]
        place, stride = variable.place, 1
        for index, type in zip(reversed(form.indices), reversed(variable.indices), strict=True):
            at = self.evaluate_form(index, env, None, None)
            if at is UNKNOWN or at is None or not 0 <= at - ordinal_base(type) < size(type):
                return list(range(variable.place, variable.place + len(variable.initial)))
            place += stride * (at - ordinal_base(type))
            stride *= size(type)
        return [place]

    def _reads(self, form: Any, env: Env, found: set[Atom]) -> None:
        """Add the atoms that the form may read."""
        if isinstance(form, core.Contains) and form.bits and isinstance(form.container, core.Cell | core.Element):
            item = self.evaluate_form(form.item, env, None, None)
            if item is not UNKNOWN and item is not None:
                found |= {(place, item) for place in self._cells(form.container, env)}
                for index in getattr(form.container, "indices", ()):
                    self._reads(index, env, found)
                return
        if isinstance(form, core.Cell | core.Element):
            if isinstance(form, core.Cell) and form.place not in self.places:
                raise NotDecomposable
            found |= {(place, None) for place in self._cells(form, env)}
        elif READS.get(type(form), "nothing") in ("state", "mover") or isinstance(
            form, core.CallDefinition | core.Scope
        ):
            raise NotDecomposable
        items = self._known_items(form, env) if isinstance(form, core.Quantifier) else None
        if items is not None:  # each item by itself: else all that the body may read would hang together
            for item in items:
                for part in (form.where, form.body):
                    if part is not None:
                        self._reads(part, {**env, form.slot: item}, found)
            return
        for part in parts(form):
            self._reads(part, env, found)

    def _known_items(self, form: core.Quantifier, env: Env) -> tuple[Any, ...] | None:
        """The values over which a quantifier runs; None if they depend on the state."""
        domain = form.domain
        known = self.evaluate_form(domain.set if isinstance(domain, core.Members) else domain, env, None, None)
        if known is UNKNOWN:
            return None
        return tuple(elements(known)) if isinstance(domain, core.Members) else tuple(known)

    # -- what is known -------------------------------------------------------------------------------------------------

    def _is_dead(self, deed: GroundAction, seen: list[Any], cells: tuple[Any, ...]) -> bool:
        known = deed.look(seen)
        if (deed.number, known) not in self._dead:
            env, guards = deed.env, _guards(self.model.actions[deed.rule])
            changing = {atom for atom, value in zip(self.atoms, seen, strict=False) if value is UNKNOWN}
            is_dead = any(self.evaluate_form(guard, env, cells, changing) is False for guard in guards)
            self._dead[deed.number, known] = is_dead
        return self._dead[deed.number, known]

    def evaluate_form(self, form: Any, env: Env, cells: tuple[Any, ...] | None, changing: set[Atom] | None) -> Any:
        """The value of an expression if it cannot change any more, else UNKNOWN. Without `cells` and `changing` (None),
        only expressions that do not read the state have a value."""

        def value(part: Any) -> Any:
            return self.evaluate_form(part, env, cells, changing)

        match form:
            case core.Const():
                return form.value
            case core.Local():
                return env.get(form.slot, UNKNOWN)
            case core.Cell() | core.Element():
                found = self._cells(form, env)
                return UNKNOWN if len(found) > 1 else self._stable_value(found[0], None, cells, changing)
            case core.Contains(bits=True) if isinstance(form.container, core.Cell | core.Element):
                found, item = self._cells(form.container, env), value(form.item)
                if len(found) > 1 or item is UNKNOWN or item is None:
                    return UNKNOWN
                return self._stable_value(found[0], item, cells, changing)
            case core.Not():
                inner = value(form.operand)
                return UNKNOWN if inner is UNKNOWN else not inner
            case core.All() | core.Some():
                return _join_truths([value(part) for part in form.parts], isinstance(form, core.Some))
            case core.Quantifier(kind="forall" | "exists", where=None):
                items = self._known_items(form, env)
                if items is None:
                    return UNKNOWN
                every = [self.evaluate_form(form.body, {**env, form.slot: item}, cells, changing) for item in items]
                return _join_truths(every, form.kind == "exists")
            case core.Comparison():
                left, right = value(form.left), value(form.right)
                if left is UNKNOWN or right is UNKNOWN or form.relation not in core.COMPARED:
                    return UNKNOWN
                if (left is None or right is None) and form.relation not in ("=", "!="):
                    return UNKNOWN
                return core.COMPARED[form.relation](left, right)
            case core.Lookup():
                table = form.table
                for argument, base in zip(form.arguments, form.bases, strict=True):
                    at = value(argument)
                    if at is UNKNOWN:
                        return UNKNOWN
                    if at is None or not 0 <= at - base < len(table):
                        return form.missing
                    table = table[at - base]
                return table
        return UNKNOWN

    def _stable_value(
        self, place: int, member: int | None, cells: tuple[Any, ...] | None, changing: set[Atom] | None
    ) -> Any:
        """The value of an atom that no live action writes; else UNKNOWN."""
        if cells is None or changing is None or place not in self.places or _may_change((place, member), changing):
            return UNKNOWN
        return cells[place] if member is None else bool(cells[place] >> member & 1)


def _domain_values(parameter: core.Parameter) -> tuple[Any, ...]:
    if parameter.count is not None:
        raise NotDecomposable
    domain = parameter.domain
    return tuple(domain.value) if isinstance(domain, core.Const) else (UNKNOWN,)


def _guards(rule: Rule) -> tuple[Any, ...]:
    return (*rule.guards, *(guard for parameter in rule.parameters for guard in parameter.guards))


def _may_change(atom: Atom, changing: set[Atom]) -> bool:
    place, member = atom
    if member is None:
        return any(at == place for at, _ in changing)
    return atom in changing or (place, None) in changing


def _join_truths(truths: list[Any], settling: bool) -> Any:
    """`settling` if one of the truths is that, the opposite if none is; UNKNOWN if that is not known."""
    return settling if settling in truths else UNKNOWN if UNKNOWN in truths else not settling


def parts_of(model: RulesModel) -> Parts | None:
    """The analysis that finds the parts of a game's positions; None where the game is not taken apart."""
    try:
        return Parts(model)
    except NotDecomposable:
        return None
