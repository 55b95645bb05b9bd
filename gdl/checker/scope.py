"""Meanings of names: the tables of a game's words, the frames of local names, and the problems met on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from gdl import syntax
from gdl.errors import Problem, Span, clean, limits, line_of, listing, suggestion
from gdl.model import core
from gdl.model.domains import ANYTHING, TRUTH, Named, Type
from gdl.model.games import Callable, Rule, Site, Variable
from gdl.model.walk import Callables, inside_with_calls

Value = TypeVar("Value")


class Typed(NamedTuple):
    """A checked expression: its core form and its type."""

    core: core.Expression
    type: Type


NOTHING_RIGHT = Typed(core.Const(None), ANYTHING)  # stands for an expression that has already been complained about


class Constant(NamedTuple):
    """A name with a fixed value: a parameter, a member of an enumeration, a player."""

    value: Any
    type: Type
    span: Span | None
    kind: str  # parameter, member, player, direction


class RunningElement(NamedTuple):
    """The element that a local name stands for when it runs over a sequence; the name's slot holds the place of the
    element. In a `for`, `value` is the slot in which the element itself is kept (-1: none)."""

    element: core.Element
    places: Type
    value: int = -1

    @property
    def read(self) -> core.Expression:
        return self.element if self.value < 0 else core.Local(self.value)


@dataclass
class LocalFrame:
    """The local names of one action, definition or clause, and the slots of their values."""

    size: int = 0
    scopes: list[dict[str, tuple[int, Type]]] = field(default_factory=lambda: [{}])
    lets: set[int] = field(default_factory=set)  # the slots that a body may assign anew
    lists: dict[int, core.Expression] = field(default_factory=dict)  # slot -> the list that it stands for
    elements: dict[int, RunningElement] = field(default_factory=dict)  # by the slot of a name that runs over a sequence
    sequences: dict[int, Any] = field(default_factory=dict)  # by the slot of a parameter: the sequence given for it
    changing: frozenset[str] | None = None  # the names that the body assigns; None: not known yet
    present: frozenset[core.Expression] = frozenset()  # values that are not none here, as conditions have excluded it

    def bind(self, name: str, type: Type) -> int:
        slot = self.size
        self.size += 1
        self.scopes[-1][name] = (slot, type)
        return slot

    def new_slot(self) -> int:
        """A slot for a value that the text does not name."""
        self.size += 1
        return self.size - 1

    def hold_element(self, slot: int) -> core.Let:
        """A statement that keeps the element a name stands for in a slot, so that the lines of a `for` read it as it is
        now."""
        running = self.elements[slot]
        self.elements[slot] = running._replace(value=self.new_slot())
        return core.Let(self.elements[slot].value, running.element, running.element.span)

    def find(self, name: str) -> tuple[int, Type] | None:
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def learn(self, name: str, type: Type) -> None:
        """Replace the type of a local name by a more precise one."""
        for scope in reversed(self.scopes):
            if name in scope:
                scope[name] = (scope[name][0], type)
                return

    @contextmanager
    def inner_block(self) -> Iterator[None]:
        """A block of the text: names bound inside are forgotten after it; their slots are not used again."""
        self.scopes.append({})
        present = self.present
        try:
            yield
        finally:
            self.scopes.pop()
            self.present = present

    def names(self) -> list[str]:
        return [name for scope in self.scopes for name in scope]


@dataclass
class Declared:
    """A definition or procedure as written, with what the check has found of it so far: `result` and `checked` are None
    until then, and `busy` is True meanwhile."""

    written: syntax.Definition | syntax.Procedure
    index: int
    parameters: tuple[Type, ...] = ()
    listed: tuple[frozenset[Any] | None, ...] = ()  # for each parameter its listed values; None: a whole type
    result: Type | None = None
    checked: Callable | None = None
    busy: bool = False
    sequences: tuple[Any, ...] = ()  # for each parameter the StoredSequence given for it, or None
    depth: int = 0  # of nested operations, those of the definitions and procedures that it calls included
    calls: int = 0  # calls that one call makes, through all that it calls


@dataclass
class Scope:
    """The names of one game with their meanings, and the problems found in it."""

    game: str
    players: Named
    home: Span  # the place for problems that concern the whole game
    called: frozenset[str]  # the language's words that take arguments; a definition of such a name hides the word
    problems: list[Problem] = field(default_factory=list)
    types: dict[str, Type] = field(default_factory=lambda: {"Boolean": TRUTH})
    teams: Named | None = None  # the type `Team`; None in a game whose players are for themselves
    team_of: tuple[int, ...] = ()  # by player
    constants: dict[str, Constant] = field(default_factory=dict)
    boards: list[Named] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)  # names in lines of boards that are faulty, which have no meaning then
    directions: dict[str, Named] = field(default_factory=dict)  # board name -> the type of its directions
    directed_boards: int = 1  # number of boards with directions
    due: Named | None = None  # the type of directions wanted at the place being checked
    edges: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)  # graph name -> pairs of points
    graphs: int = 0  # how many boards are
    edge_types: dict[str, Named] = field(default_factory=dict)  # graph name -> the type of its edges
    mirrors: dict[str, int] = field(default_factory=dict)  # board name -> the player who sees it mirrored
    variables: dict[str, Variable] = field(default_factory=dict)
    definitions: dict[str, Declared] = field(default_factory=dict)
    procedures: dict[str, Declared] = field(default_factory=dict)
    chances: dict[str, int] = field(default_factory=dict)
    actions: dict[str, int] = field(default_factory=dict)
    looks: list[tuple[tuple[str, ...], dict[tuple[Any, ...], str]]] = field(default_factory=list)  # from `setup`
    times: list[Site] = field(default_factory=list)
    declared: dict[str, Span] = field(default_factory=dict)  # where each of the game's own names was declared
    # For each unknown name its problem, and the further lines in which the name occurs.
    missing: dict[tuple[str, str], tuple[Problem, list[int]]] = field(default_factory=dict)
    faulty: set[str] = field(default_factory=set)  # variables whose declaration has already been complained about
    coming: frozenset[str] = frozenset()  # names of variables that are still to be declared
    used: set[str] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    cost: bool = False  # whether the file states costs
    rewards: bool = False  # whether the game has rewards
    phases: Any = None  # the type `Phase`; None in a game without phases
    has_draws: bool = False  # whether a body contains a `draw`
    steps_of_words: list[Rule] = field(default_factory=list)  # chance steps without a name, numbered after the file's
    names_at_calls: dict[tuple[int, int], tuple[tuple[str, int, Type], ...]] = field(
        default_factory=dict
    )  # place of a procedure's call -> the local names known there
    turn_starts: list[tuple[Span, str]] = field(default_factory=list)  # places that ask for a variable at turn start
    changed: bool = False  # whether parameters have other values than the file's
    depth: int = 0  # of nesting of the expressions and blocks being checked
    # (word, board name) -> the table, made once, and how many leading arguments are squares.
    tables: dict[tuple[str, str], tuple[Any, int]] = field(default_factory=dict)

    @property
    def sides(self) -> Named:
        """The type of those who are paid at the end: of the teams, or else of the players."""
        return self.teams or self.players

    def problem(self, message: str, span: Span | None, help: str = "", note: str = "", warning: bool = False) -> None:
        self.problems.append(Problem(message, span or self.home, note=note, help=help, warning=warning))

    def wrong(self, message: str, span: Span | None, help: str = "", note: str = "") -> Typed:
        """Note a problem, and return a value that leads to no further ones."""
        self.problem(message, span, help, note)
        return NOTHING_RIGHT

    def instead(self, message: str, span: Span | None, help: str, value: Value, note: str = "") -> Value:
        """Note a problem, and return the value that takes the place of what is faulty."""
        self.problem(message, span, help, note)
        return value

    def takes(self, what: str, due: int, given: int, span: Span, help: str) -> bool:
        """True if as many arguments are given as are due; else a problem is noted."""
        if given != due:
            arguments = "one argument" if due == 1 else f"{due or 'no'} arguments"
            self.problem(f"{what} takes {arguments}, not {given}", span, help)
        return given == due

    def too_deep(self, span: Span) -> Typed:
        """Note, only once, that operations are nested too deeply."""
        message = f"through the definitions called here, more than {limits.DEPTH:,} operations are nested"
        if not any(problem.message == message for problem in self.problems):
            self.problem(message, span, "let fewer definitions call each other")
        return NOTHING_RIGHT

    def declare(self, word: syntax.Word, what: str) -> bool:
        """Declare a name of the game; False (and a problem) if the name is taken. `what` is the kind of thing that it
        names, for messages."""
        name = word.name
        if "." in name:
            self.report_dotted_name(word)
            return False
        if name in self.declared:
            first, second = self.declared[name], word.span
            if first.source is second.source and first.start > second.start:
                first, second = second, first
            message = f"the name '{clean(name)}' is taken: {line_of(first, second)} declares it"
            self.faulty.add(name)
            return self.instead(message, second, "give one of the two another name", False)
        if name in BUILT_IN:
            message = f"the name '{clean(name)}' is taken: the language has it"
            self.faulty.add(name)
            return self.instead(message, word.span, f"give the {what} another name", False)
        self.declared[name] = word.span
        return True

    def report_dotted_name(self, word: syntax.Word) -> None:
        """Note that a word with a dot, such as `Square.north`, cannot be declared: it is a board's."""
        help = f"write {word.name.replace('.', '_')}"
        self.problem(f"'{word.name}' is a word of a board, and no name", word.span, help)

    def unknown(
        self, name: str, span: Span, what: str, candidates: list[str], instead: str = "", otherwise: str = ""
    ) -> Typed:
        """Note that there is no such name, with a help: `instead` if it is given, else a hint for a word of another
        language, a similar name among the candidates, or `otherwise`."""
        if name in self.faulty or (self.lost and (name in self.lost or _OF_BOARD.fullmatch(name))):
            return NOTHING_RIGHT
        told, lines = self.missing.get((what, name), (None, []))
        if told is not None and told.span is not None and told in self.problems:
            if span.source is told.span.source and span.line not in (told.span.line, *lines):
                also = told.note.removesuffix(_also_in(lines))
                lines.append(span.line)
                more = replace(told, note=also + _also_in(lines))
                self.problems[self.problems.index(told)] = more
                self.missing[what, name] = more, lines
            return NOTHING_RIGHT
        if name in self.coming and name not in self.variables:
            message = f"'{clean(name)}' is a variable, and this must be known before play"
            return self.wrong(message, span, help="use numbers and parameters of the game")
        help = instead or FOREIGN.get(name, "")
        if not help and len(self.problems) < limits.PROBLEMS:  # the search for near names is slow
            help = suggestion(name, candidates, otherwise or self._off_board(name) or self._how_to_declare(name, what))
        everywhere = BUILT_IN | self.called | WAYS | {"none", "true", "false"}  # names that every game has
        copies = {*self.definitions, *self.procedures} - self.declared.keys()  # for the sequences given to them
        own = [c for c in candidates if c not in copies and (c not in everywhere or c in self.declared)]
        own = [c for c in own if "." not in c or c not in self.variables]  # but not what an effect keeps for itself
        note = f"{self.game} has {listing(own, most=10)}." if own else ""
        problem = Problem(f"no {what} is called '{clean(name)}'", span, note=note, help=help)
        self.missing[what, name] = problem, []
        self.problems.append(problem)
        return NOTHING_RIGHT

    def _how_to_declare(self, name: str, what: str) -> str:
        return (
            f"declare it: type {clean(name)} = a, b, c"
            if what == "type" and name != "Player"
            else "declare it, or write another"
        )

    def _off_board(self, name: str) -> str:
        """For a name that looks like a square (d4 on a board of 3 by 3): a note on the squares that there are; else
        empty."""
        plain = [board.members for board in self.boards if re.fullmatch("[a-z][0-9]+", board.members[0])]
        if not plain or not re.fullmatch("[a-z][0-9]+", name):
            return ""
        return f"the squares go from {plain[0][0]} to {plain[0][-1]}"

    def inside_with_calls(self, *roots: Any) -> Iterator[Any]:
        """Every core form in the given ones, and once each in the definitions and procedures that these call, as far as
        they are checked."""
        tables = ([declared.checked for declared in table.values()] for table in (self.definitions, self.procedures))
        return inside_with_calls(Callables(*tables), *roots)

    def square(self, name: str) -> Constant | None:
        """A square by its name, such as e4: in a game with several boards, of the first board that has it. None if no
        board has it."""
        board = next((board for board in self.boards if name in board.members), None)
        return None if board is None else Constant(board.members.index(name), board, None, "square")


def _also_in(lines: list[int]) -> str:
    """A sentence to end a note with: the other lines in which a problem occurs; empty if there are none."""
    return f"\nIt stands in line{'s' if len(lines) > 1 else ''} {listing(map(str, lines))} too." if lines else ""


BUILT_IN = frozenset("mover Player Boolean everyone all".split())  # no game gives these another meaning
_OF_BOARD = re.compile(  # words and squares of a board
    r"Direction|Edge|Column|Row|Layer|forward|backward|neighbours|orthogonals|diagonals|directions|[a-z]+\d+"
    "|(north|south)?(east|west)?"
)
WAYS = frozenset("neighbours orthogonals diagonals directions".split())

# Names of other languages, and what to write here.
_NUMBERS = "write a range, such as 0..9"
_WORDS = "name the words: type Suit = clubs, hearts"
_NOTHING = "take it out: an action may have no effects, and the turn passes"
_CHANCE = "write a chance step: chance roll(d: 1..6)"
_GREATEST = "compare with the greatest: score[p] = (max q in Player: score[q])"
_JOINED = "of a set write s := s + {x}, of a sequence push(s, x)"
FOREIGN = {
    "len": "write size(x)", "length": "write size(x)", "range": "write a range, such as 1..3",
    "True": "write 'true'", "TRUE": "write 'true'", "False": "write 'false'", "FALSE": "write 'false'",
    "None": "write 'none'", "null": "write 'none'", "nil": "write 'none'", "empty": "write: x = none",
    "self": "write 'mover'", "me": "write 'mover'", "turn": "write 'mover'", "current": "write 'mover'",
    "player": "write 'mover', or other(mover)",
    "current_player": "write 'mover'", "drawn": "write 'draw'", "opponent": "write other(mover)",
    "any": "write: exists x in S: …", "all": "write: forall x in S: …", "sum": "write: sum x in S: …",
    "inf": "write the largest number that can occur", "infinity": "write the largest number that can occur",
    "avg": "write a sum and divide it", "pass": _NOTHING, "skip": _NOTHING, "nothing": _NOTHING, "noop": _NOTHING,
    "number": _NUMBERS, "int": _NUMBERS, "Int": _NUMBERS, "integer": _NUMBERS, "Integer": _NUMBERS, "Number": _NUMBERS,
    "bool": "write 'Boolean'", "Bool": "write 'Boolean'", "boolean": "write 'Boolean'",
    "string": _WORDS, "String": _WORDS, "random": _CHANCE,
    "rand": _CHANCE, "roll": _CHANCE, "dice": _CHANCE, "die": _CHANCE, "tie": "write 'draw'",
    "other": "write other(mover)",
    "pop": "pop is a line of its own and gives nothing: take 'let x = last(s)' first, then 'pop(s)'",
    "push": "push is a line of its own: push(s, x)", "enemy": "write other(mover)", "active": "write 'mover'",
    "shuffle": "shuffle is a line of its own: shuffle(s)",
    "winner": "write: TEST -> win mover", "argmax": _GREATEST, "highest": _GREATEST,
    "full": "write: no actions -> draw", "add": _JOINED, "append": _JOINED,
    "delete": "of a set write s := s - {x}, of a sequence remove(s, place)",
    "utility": "write the utilities alone, in the order of the players: TEST -> (1, -1)",
}  # fmt: skip


# The interface of `ExpressionChecker` as the checks of single forms use it.


class Checks(Protocol):
    """The part of a checker of expressions that checks of single forms use: the game's names so far, and the frame of
    local names in which the expressions stand."""

    scope: Scope
    frame: LocalFrame

    def with_new_frame(self) -> Self: ...
    def check(self, written: syntax.Expression) -> Typed: ...
    def checked_as(self, written: syntax.Expression, wanted: Type | None) -> Typed: ...
    def want(self, written: syntax.Expression, wanted: Type, what: str = "") -> core.Expression: ...
    def convert_or_report(
        self, typed: Typed, written: syntax.Expression, wanted: Type, what: str = ""
    ) -> core.Expression: ...
    def as_number(self, typed: Typed, written: syntax.Expression, rule: str = "", help: str = "") -> Typed: ...
    def whole_number(self, written: syntax.Expression) -> int | None: ...
    def truth(self, written: syntax.Expression) -> core.Expression: ...
    def domain(self, written: syntax.Expression) -> Typed: ...
    def convert(self, typed: Typed, wanted: Type) -> core.Expression | None: ...
    def as_type(self, written: syntax.Expression) -> Typed | None: ...
    def type_of(self, written: syntax.Expression) -> Type: ...
    def constant(self, written: syntax.Expression) -> Any: ...
    def constant_of(self, typed: Typed, written: syntax.Expression) -> Any: ...
    def names(self) -> list[str]: ...
    def bind(self, word: syntax.Word, type: Type) -> int: ...


class ChecksBodies(Protocol):
    """A checker of bodies, and of the expressions in them."""

    @property
    def expressions(self) -> Checks: ...

    def block(self, written: tuple[syntax.Statement, ...]) -> tuple[core.Statement, ...]: ...
