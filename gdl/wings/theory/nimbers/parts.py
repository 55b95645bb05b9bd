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
from typing import Any, NamedTuple

from gdl.model import core
from gdl.model.domains import SetType, elements, ordinal_base, size
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import READS, inside, parts

MOST_OWN = 8  # atoms of an action that may change, up to which it is told when it can be taken
MOST_ACTIONS = 20_000  # the most actions with their parameters filled in

Atom = tuple[int, int | None]  # a cell, and a member of the set in it; None: all of it
Env = Mapping[int, Any]  # local names whose values are known


class NotDecomposable(Exception):
    """Raised where a game cannot be taken apart into independent parts."""


UNKNOWN = object()  # the result for an atom that may still change


class GroundAction(NamedTuple):
    """An action with its parameters filled in, as far as they do not depend on the state."""

    number: int
    rule: int
    env: tuple[tuple[int, Any], ...]
    reads: frozenset[Atom]
    writes: frozenset[Atom]
    effects: tuple[frozenset[Atom], ...]  # the atoms that each statement adds or removes; () if others are written


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
        self._dead: dict[tuple[int, tuple[Any, ...]], bool] = {}  # by an action, and the atoms that it reads
        self._possible: dict[tuple[int, tuple[Any, ...]], tuple[bool, ...] | None] = {}
        self.deeds = tuple(self._deeds())
        self.whole = {place for deed in self.deeds for place, member in (*deed.reads, *deed.writes) if member is None}
        self.deeds = tuple(
            deed._replace(reads=_join_cells(deed.reads, self.whole), writes=_join_cells(deed.writes, self.whole))
            for deed in self.deeds
        )

    def changed_atoms(self, before: Any, after: Any) -> frozenset[Atom]:
        """The atoms in which two states differ."""
        found: set[Atom] = set()
        for place, variable in self.places.items():
            one, other = before.cells[place], after.cells[place]
            if one == other:
                continue
            if isinstance(variable.type, SetType) and place not in self.whole:
                found |= {(place, member) for member in elements(one ^ other)}
            else:
                found.add((place, None))
        return frozenset(found)

    def split_actions(
        self, state: Any, among: tuple[GroundAction, ...]
    ) -> list[tuple[frozenset[Atom], tuple[GroundAction, ...]]]:
        """The parts of a position in which only the actions `among` can be taken: for each part the atoms that may
        change, and the actions on them."""
        cells = state.cells
        live: list[GroundAction] = []
        changing: set[Atom] = set()
        rest = list(among)
        while True:
            woken = [deed for deed in rest if not self._is_dead(deed, cells, changing)]
            if not woken:
                break
            live += woken
            numbers = {deed.number for deed in woken}
            rest = [deed for deed in rest if deed.number not in numbers]
            for deed in woken:
                changing |= deed.writes
        groups: list[tuple[set[Atom], list[GroundAction]]] = []
        for deed in live:
            own = {atom for atom in deed.reads | deed.writes if _may_change(atom, changing)}
            touched = [group for group in groups if not group[0].isdisjoint(own)]
            merged = (own.union(*(atoms for atoms, _ in touched)), [d for _, deeds in touched for d in deeds] + [deed])
            groups = [group for group in groups if group not in touched] + [merged]
        return [(frozenset(atoms), tuple(deeds)) for atoms, deeds in groups]

    def key(self, state: Any, deeds: tuple[GroundAction, ...]) -> frozenset[tuple[Atom, Any]]:
        """All atoms that these actions read or write, with their values: parts with equal keys are played alike."""
        cells = state.cells
        atoms = {atom for deed in deeds for atom in deed.reads | deed.writes}
        return frozenset((atom, _value(cells, atom)) for atom in atoms)

    def shape(self, state: Any, atoms: frozenset[Atom], deeds: tuple[GroundAction, ...]) -> Hashable:
        """A key that parts have in common that are played alike wherever they lie: the values of the atoms, numbered in
        their order, and for each action when it can be taken and what it adds and removes. Where an action is not told
        so, the key by places."""
        if any(member is None for _, member in atoms):
            return self.key(state, deeds)
        number = {atom: k for k, atom in enumerate(sorted(atoms))}
        found = []
        for deed in deeds:
            own = tuple(sorted(atom for atom in deed.reads if atom in number))
            told = self._when_possible(deed, state.cells, own)
            if told is None:
                return self.key(state, deeds)
            effects = (sorted(number[atom] for atom in written) for written in deed.effects)
            found.append((deed.rule, tuple(number[atom] for atom in own), told, tuple(map(tuple, effects))))
        return tuple(_value(state.cells, atom) for atom in number), frozenset(found)

    def _when_possible(
        self, deed: GroundAction, cells: tuple[Any, ...], own: tuple[Atom, ...]
    ) -> tuple[bool, ...] | None:
        """The truth of the action's guards for every choice of the values of its `own` atoms; None if it is not known,
        or there are too many."""
        known = tuple(None if atom in own else _value(cells, atom) for atom in deed.reads)
        if (deed.number, known) not in self._possible:
            env, guards, truths = dict(deed.env), _guards(self.model.actions[deed.rule]), []
            for chosen in product((False, True), repeat=len(own)) if len(own) <= MOST_OWN else ():
                changed = list(cells)
                for (place, member), value in zip(own, chosen, strict=True):
                    bit = 1 << (member or 0)
                    changed[place] = changed[place] | bit if value else changed[place] & ~bit
                truths.append(_all_of([self.evaluate_form(guard, env, tuple(changed), set()) for guard in guards]))
            told = None if not truths or None in truths or not deed.effects else tuple(map(bool, truths))
            self._possible[deed.number, known] = told
        return self._possible[deed.number, known]

    # -- deeds ---------------------------------------------------------------------------------------------------------

    def _deeds(self) -> Iterator[GroundAction]:
        count = 0
        for number, rule in enumerate(self.model.actions):
            envs: list[dict[int, Any]] = [{}]
            for parameter in rule.parameters:
                pairs = [(env, value) for env in envs for value in _choices(parameter)]
                envs = [env if value is UNKNOWN else {**env, parameter.slot: value} for env, value in pairs]
                count += len(envs)
                if count > MOST_ACTIONS:
                    raise NotDecomposable
                envs = [env for env in envs if not self._is_excluded(parameter.guards, env)]
            for env in envs:
                if not self._is_excluded(rule.guards, env):
                    count += 1
                    yield GroundAction(count, number, tuple(env.items()), *self._reads_and_writes(rule, env))

    def _is_excluded(self, guards: Iterable[Any], env: Env) -> bool:
        """True if one of the guards is false whatever the state."""
        return any(self.evaluate_form(guard, env, None, None) is False for guard in guards)

    def _reads_and_writes(
        self, rule: Rule, env: Env
    ) -> tuple[frozenset[Atom], frozenset[Atom], tuple[frozenset[Atom], ...]]:
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
        return frozenset(reads), frozenset(writes), tuple(effects) if len(effects) == len(rule.body) else ()

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

    def _is_dead(self, deed: GroundAction, cells: tuple[Any, ...], changing: set[Atom]) -> bool:
        known = tuple(UNKNOWN if _may_change(atom, changing) else _value(cells, atom) for atom in deed.reads)
        if (deed.number, known) not in self._dead:
            env, guards = dict(deed.env), _guards(self.model.actions[deed.rule])
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
                settling, every = isinstance(form, core.Some), [value(part) for part in form.parts]
                return settling if settling in every else UNKNOWN if UNKNOWN in every else not settling
            case core.Quantifier(kind="forall" | "exists", where=None):
                items = self._known_items(form, env)
                if items is None:
                    return UNKNOWN
                settling = form.kind == "exists"
                every = [self.evaluate_form(form.body, {**env, form.slot: item}, cells, changing) for item in items]
                return settling if settling in every else UNKNOWN if UNKNOWN in every else not settling
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
        return _value(cells, (place, member))


def _choices(parameter: core.Parameter) -> tuple[Any, ...]:
    if parameter.count is not None:
        raise NotDecomposable
    domain = parameter.domain
    return tuple(domain.value) if isinstance(domain, core.Const) else (UNKNOWN,)


def _guards(rule: Rule) -> tuple[Any, ...]:
    return (*rule.guards, *(guard for parameter in rule.parameters for guard in parameter.guards))


def _join_cells(atoms: frozenset[Atom], whole: set[int]) -> frozenset[Atom]:
    """The atoms, with the members of a cell made one if some rule reads or writes the cell as a whole."""
    return frozenset((place, None if place in whole else member) for place, member in atoms)


def _may_change(atom: Atom, changing: set[Atom]) -> bool:
    place, member = atom
    if member is None:
        return any(at == place for at, _ in changing)
    return atom in changing or (place, None) in changing


def _all_of(truths: list[Any]) -> bool | None:
    """True if all are true, False if one is false; None if that is not known."""
    return False if False in truths else None if UNKNOWN in truths else True


def _value(cells: tuple[Any, ...], atom: Atom) -> Any:
    place, member = atom
    return cells[place] if member is None else bool(cells[place] >> member & 1)


def parts_of(model: RulesModel) -> Parts | None:
    """The analysis that finds the parts of a game's positions; None where the game is not taken apart."""
    try:
        return Parts(model)
    except NotDecomposable:
        return None
