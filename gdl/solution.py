"""The answer: what a solver found, how it was found and how exact it is. Frozen, and free of the game's states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, Literal, Self, SupportsIndex, TypeVar, overload

from gdl.errors import Refusal
from gdl.game import Bounds, Number, Traits
from gdl.numbers import to_text
from gdl.record import Record

Path = tuple[int, ...]  # child positions from 0, from the root
Mixture = Mapping[str, Number]  # action -> probability
Joint = tuple[str, ...]  # what everyone plays, in the order of the players
Profile = Mapping[str, Mapping[str, Mixture]]  # player -> information set (as `describe` names it) -> mixture

Held = TypeVar("Held")

READ = 1e-9  # the error of a value that nobody reads
INEXACT_DENOMINATOR = 10**12  # the denominator of a fraction that is no exact answer any more
NUMBER = "#"  # stands before the number of an information set or an action without a name


class Deferred(Mapping[str, Held]):
    """A mapping whose entries are made in order when they are asked for. In a large game only a few information sets
    are printed, and naming them takes longer than finding what is played there."""

    def __init__(self, count: int, entries: Iterable[tuple[str, Held]]):
        self._count = count
        self._entries = iter(entries)
        self._names: list[str] = []
        self._made: dict[str, Held] = {}

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        for number in range(self._count):
            self._make(number + 1)
            yield self._names[number]

    def __getitem__(self, name: str) -> Held:
        if name not in self._made:
            self._make(self._count)
        return self._made[name]

    def _make(self, count: int) -> None:
        while len(self._names) < count:
            name, held = next(self._entries)
            self._names.append(name)
            self._made[name] = held

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class Vector(tuple[Held, ...]):
    """A tuple with one entry for each player, in their order, that also takes a player's name as its index.

    Example:
        >>> import gdl
        >>> gdl.solve("prisoners").value["A"]
        -2
    """

    players: tuple[str, ...] = ()

    def name_players(self, players: tuple[str, ...]) -> Self:
        """Give the vector its names.

        Args:
            players: the names of the players, in order.

        Returns:
            The vector itself.
        """
        self.players = players
        return self

    @overload
    def __getitem__(self, at: str | SupportsIndex) -> Held: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Held, ...]: ...
    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, str):
            if at not in self.players:
                raise KeyError(f"no player is called {at!r}: there are {', '.join(self.players)}")
            at = self.players.index(at)
        return super().__getitem__(at)


@dataclass(frozen=True, slots=True)
class Skipped:
    """The root of a subtree that search never entered."""

    path: Path
    action: str
    label: str | None = None  # the author's name of the node, if it has one


@dataclass(frozen=True, slots=True)
class Cut:
    """The place and reason of a search leaving a node early: `child` made `value` cross the window."""

    node: Path
    alpha: Number | None  # the window in which the crossing was seen; None is infinite
    beta: Number | None
    value: Number
    child: str
    skipped: tuple[Skipped, ...]  # empty if the last child caused it
    bound: str | None = "exact"  # `lower` or `upper` if the search returns only a bound on the node's value

    @property
    def reason(self) -> str:
        """The crossing in the textbook's words: `2 <= alpha 3` at a node of MIN, `5 >= beta 4` at one of MAX."""
        return self.tell(to_text)

    def tell(self, text: Callable[[Number], str]) -> str:
        """Tell the reason in those words.

        Args:
            text: writes a number.

        Returns:
            The crossing, as `reason` has it.

        Example:
            >>> import gdl
            >>> answer = gdl.solve(gdl.load("figure_5_2"), "alpha-beta")
            >>> answer.cuts[0].tell(lambda number: f"{number:.1f}")
            '2.0 <= alpha 3.0'
        """
        if self.beta is not None and self.value >= self.beta and self.bound != "upper":
            return f"{text(self.value)} >= beta {text(self.beta)}"
        return f"{text(self.value)} <= alpha {'-inf' if self.alpha is None else text(self.alpha)}"


@dataclass(frozen=True, slots=True)
class Visit:
    """A node's window and value in alpha-beta, on entry and exit. `bound` says whether `value` is the node's value
    (`exact`) or only a bound on it (`lower`: at least, `upper`: at most)."""

    path: Path
    action: str | None  # that led here; None at the root
    label: str | None
    player: str | None  # None at a leaf or chance node
    kind: str  # decision, chance, terminal, cutoff
    alpha: Number | None
    beta: Number | None
    alpha_after: Number | None
    beta_after: Number | None
    value: Number | tuple[Number, ...]  # max^n: a vector
    bound: str


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a search at one node, in the order in which it was taken.

    - `enter`: the window on entry. `leaf`: an end (or a cut-off node) with its value.
    - `update`: a child has returned; the window from now on, and the best value so far.
    - `cut`: a child has returned a `value` that crosses the window shown; the other children are skipped.
    - `leave`: the window on exit, and what is returned.

    `bound` says what `value` is to the node's value (`exact`, `lower`, `upper`; None: nothing yet). Values are MAX's
    numbers, or vectors where there are more than two players or no constant sum. At a chance node `low` and `high` are
    what its value is known to lie between; `probe` marks the first look of star2 at one successor of a child.
    """

    node: Path
    event: str
    alpha: Number | None = None
    beta: Number | None = None
    value: Number | tuple[Number, ...] | None = None
    bound: str | None = None
    low: Number | None = None
    high: Number | None = None
    probe: bool = False


class Rule(Record):
    """How a search went: when it left a node early (`ge`, `gt`; None: never), and in which order it took children."""

    cut: Literal["ge", "gt"] | None = None
    order: str = "given"


class Interval(Record):
    """A stretch of one unknown's line in which the answer is the same; `low` or `high` None: without end.

    `best`, `value` (for each player; a text such as `x` or `3 - 2*x` where it moves with the unknown), `pruned` and the
    pure `equilibria` of a matrix are None where they do not apply, or depend on the unknowns named in `depends`.
    """

    low: Number | None
    high: Number | None
    closed: tuple[bool, bool]  # whether the ends belong to it
    best: tuple[str, ...] | None = None
    value: tuple[Number | str, ...] | None = None
    pruned: tuple[Path, ...] | None = None
    equilibria: tuple[tuple[str, ...], ...] | None = None
    depends: tuple[str, ...] = ()


class Condition(Record):
    """The condition on the open numbers under which a statement holds: an action is `best`, the `value` is such, a
    subtree is `pruned`, or a profile is an `equilibrium`. It holds if all comparisons of one of the `cases` do; ()
    means never, ((),) always."""

    what: str
    subject: tuple[str, ...] | Path
    cases: tuple[tuple[str, ...], ...]

    @property
    def always(self) -> bool:
        """True if the condition holds whatever the numbers are that the file leaves open."""
        return self.cases == ((),)

    @property
    def status(self) -> Literal["always", "sometimes", "never"]:
        """One word on how often the condition holds."""
        return "always" if self.always else "sometimes" if self.cases else "never"

    @property
    def text(self) -> str:
        """The condition in words: `x <= 4`, `x < 2 or x > 5`, `x < y and y < 3, or x > 5`."""
        cases = [" and ".join(case) for case in self.cases]
        return (", or " if any(" and " in case for case in cases) and len(cases) > 1 else " or ").join(cases)


class Root(Record):
    """An irrational number: the only root of a polynomial with whole coefficients, the constant first, between two
    ends."""

    polynomial: tuple[int, ...]
    low: Number
    high: Number


class FreeChance(Record):
    """The probability of an action at an information set that play does not reach, where it can be anything between
    `low` and `high`, and the set's other actions share the rest in proportion."""

    player: str
    set: str
    action: str
    low: Number
    high: Number


class OutcomeFamily(Record):
    """Equilibria with the same outcome, by their places in `equilibria`; the first of them stands for all. With it: its
    payoffs, the probability of each end, by the actions that lead there, and what may vary in it."""

    members: tuple[int, ...]
    payoffs: tuple[Number, ...]
    outcome: tuple[tuple[str, Number], ...]
    free: tuple[FreeChance, ...] = ()


class Domination(Record):
    """A plan of a player that is dominated, and the mixture (plan -> probability) that dominates it. Here and below,
    plans and players are numbers from 0."""

    player: int
    plan: int
    by: Mapping[int, Number]


class Supports(Record):
    """A pair of supports that is tried: plans that two players might mix. `mixes` are the probabilities that make the
    other player indifferent (None: the equations have no single solution), and `pays` the utilities of both. `better`
    is a player and a plan of theirs outside the support that pays more (None: there is none, or the result is no
    mixture); `ties` is True if one pays as much."""

    plans: tuple[tuple[int, ...], tuple[int, ...]]
    mixes: tuple[tuple[Number, ...] | None, tuple[Number, ...] | None]
    pays: tuple[Number, ...] = ()
    better: tuple[int, int] | None = None
    ties: bool = False

    @property
    def are_mixtures(self) -> bool:
        """True if the probabilities are known, and every plan of the supports has a positive one."""
        return all(
            mix is not None and all(mix[plan] > 0 for plan in own)
            for mix, own in zip(self.mixes, self.plans, strict=True)
        )


class Pivot(Record):
    """A step on a path of Lemke and Howson: the player whose mixture changes (`side`), the label that it loses, the one
    that it gains, and the mixtures of both players from then on (None: not begun). Labels number the plans, the first
    player's first."""

    side: int
    dropped: int
    gained: int
    mixes: tuple[tuple[Number, ...] | None, tuple[Number, ...] | None]


class Worked(Record):
    """The equilibria of a small table of plans as they are worked out by hand: what the plans pay, the rounds in which
    dominated ones go, the supports that are tried (None: too many), and the paths, each by the label it drops first."""

    players: tuple[str, ...]
    plans: tuple[tuple[str, ...], ...]
    payoffs: Mapping[tuple[int, ...], tuple[Number, ...]]
    rounds: tuple[tuple[Domination, ...], ...]
    supports: tuple[Supports, ...] | None = None
    paths: Mapping[int, tuple[Pivot, ...]] = {}


class Simulation(Record):
    """One simulation of a Monte-Carlo tree search.

    `path` leads to the node where the simulation left the tree; `new` is True if it added that node. `bounds` are, at
    each node on the way, the upper confidence bounds of the children, () where one of them was never tried or chance
    drew. `played` are the actions that were played at random from there on, `utilities` each player's in the end.
    `proven` are the nodes of the path whose values are certain from then on, each by its plies below the root, with its
    value; `passed` are new nodes that were passed by, as another move wins there at once, by path, with everyone's
    utilities in them.
    """

    path: Path
    new: bool
    bounds: tuple[tuple[float, ...], ...]
    played: tuple[str, ...]
    utilities: tuple[Number, ...]
    proven: tuple[tuple[int, tuple[Number, ...]], ...]
    passed: tuple[tuple[Path, tuple[Number, ...]], ...]


class SolutionPart(Record):
    """The part of an answer that a concept or a method adds: a record of its own, in the folder of the concept.

    Its methods say how it is printed and saved; where they are not overridden, it adds nothing there. They are given
    the whole answer.
    """

    @property
    def says_something(self) -> bool:
        """True if it says what anybody gets, or how to play."""
        return False

    @property
    def summary(self) -> str:
        """The finding in a word or two, for a row of a table of answers; "" if there is none."""
        return ""

    def measures(self) -> Mapping[str, str]:
        """The numbers by the names of their columns, for a row of a table of answers."""
        return {}

    def facts(self, answer: Solution) -> Iterable[tuple[str, str]]:
        """Tell the facts below the first sentence.

        Args:
            answer: the whole answer.

        Returns:
            Pairs of a fact's name and its text.
        """
        return ()

    def lines(self, answer: Solution) -> list[str]:
        """Write the lines that stand in place of the equilibria and the strategy.

        Args:
            answer: the whole answer.

        Returns:
            The lines; [] to leave the equilibria and the strategy.
        """
        return []

    def restore_float(self, number: Any) -> Any:
        """Make a float of a fraction that only approximates an irrational number.

        Args:
            number: a number of the answer.

        Returns:
            The float; of any other number, the number itself.
        """
        is_long = isinstance(number, Fraction) and number.denominator > INEXACT_DENOMINATOR
        return float(number) if is_long else number

    def picture(self, title: str) -> str:
        """Draw the answer. Raises Refusal where it has no picture.

        Args:
            title: what stands above it.

        Returns:
            The text of an SVG file.
        """
        raise Refusal("-o draws the values of a sweep, and of single answers sets of payoffs alone")

    def json_fields(self, answer: Solution) -> Mapping[str, Any]:
        """Fill fields of the answer as JSON.

        Args:
            answer: the whole answer.

        Returns:
            Fields of `gdl.formats.solve_answer.SolveAnswer` by name.
        """
        return {}


NO_PART = SolutionPart()


class RecordedSearch(SolutionPart):
    """How a search of a tree went.

    Attributes:
        rule: when the search cut, and in which order it took the children.
        cuts: where and why it left nodes early, in order.
        visits: each visit of a node, with its window, in order.
        events: each step, in order.
        simulations: the first simulations of a Monte-Carlo search, if they were recorded.
        values: the values of nodes, by their paths from the root.
    """

    rule: Rule | None = None
    cuts: tuple[Cut, ...] = ()
    visits: tuple[Visit, ...] = ()
    events: tuple[Event, ...] = ()
    simulations: tuple[Simulation, ...] = ()
    values: Mapping[Path, tuple[Number, ...]] = {}


class OpenNumbers(RecordedSearch):
    """How an answer depends on the numbers that the file leaves open, with the search if it needed none of them.

    Attributes:
        unknowns: for each of these numbers, the intervals in which the answer is the same.
        conditions: under what conditions on them an action is best, a branch skipped and so on.
    """

    unknowns: Mapping[str, tuple[Interval, ...]] = {}
    conditions: tuple[Condition, ...] = ()

    @property
    def says_something(self) -> bool:
        return bool(self.unknowns)


class EquilibriumRecord(SolutionPart):
    """The record of equilibria, besides their profiles and payoffs.

    Attributes:
        groups: for equilibria in full plans, profiles of reduced plans, which are silent where a player's own plan
            never leads; each with the number of consecutive equilibria that agree with it.
        families: the equilibria by their outcomes, if some share one.
        beliefs: for each equilibrium, how likely a player holds each node of an information set to be.
        roots: for each equilibrium the exact values of irrational probabilities, by player and action.
        rounded: True if the probabilities are close to the exact ones only.
    """

    groups: tuple[tuple[int, Profile], ...] = ()
    families: tuple[OutcomeFamily, ...] = ()
    beliefs: tuple[Profile, ...] = ()
    roots: tuple[Mapping[str, Mapping[str, Root]], ...] = ()
    rounded: bool = False


class FieldOfPart(Generic[Held]):
    """An attribute of an answer that its part has; `absent` where the part has none of that name."""

    def __init__(self, absent: Held):
        self.absent = absent

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, answer: Solution, owner: type) -> Held:
        return vars(answer.part).get(self.name, self.absent) if answer is not None else self  # type: ignore


@dataclass(frozen=True)
class Solution:
    """The answer of a solver: what every answer has, and the `part` that its concept or method adds.

    Vectors have one entry per player, in the order of `players`; what does not apply is None or empty. The fields of
    gdl's own parts are attributes of every answer: `answer.cuts` is `answer.part.cuts`, or () if its part has no cuts.

    Attributes:
        game: the title of the game.
        solver: the name of the solver.
        players: the names of the players.
        traits: the traits of the game.
        exact: False if a number is an estimate, or the search was cut off.
        value: the payoff of each player if all play well.
        interval: for each player the least and the greatest that the value can be; None where nothing bounds it.
        secured: True if `value` is what each player secures against all others together, and the strategies say how.
            Then the values need not come about together.
        best: all actions at the root that are proved optimal; the first one is the one to play.
        line: the actions of a play in which all play well.
        nodes: how many nodes the search visited.
        leaves: how many of them were ends, or were cut off.
        depth: the depth that a deepening search has completed, in plies.
        states: how many different states there are.
        concept: the name of the concept that was asked for (`gdl.solvers.CONCEPTS`).
        equilibria: the profiles of strategies found.
        complete: True if `equilibria` are all there are; None where the method does not tell.
        payoffs: the payoffs of each of the `equilibria`.
        strategy: a profile of optimal strategies.
        regret: what each player could still gain by deviating from `strategy`, or from the first equilibrium.
        reason: one line on why `auto` picked this solver.
        notes: sentences for the reader.
        limit: the limit that stopped the search; None if none did.
        part: what the concept or the method adds to this.

    Example:
        >>> import gdl
        >>> answer = gdl.solve("figure_5_2", "alpha-beta")
        >>> answer.nodes, answer.leaves, answer.cuts[0].reason
        (11, 7, '2 <= alpha 3')
    """

    game: str
    solver: str
    players: tuple[str, ...]
    traits: Traits | None = None
    exact: bool = True
    cost: bool = False  # whether the file states costs; then numbers are shown as costs
    value: tuple[Number | float, ...] | None = None
    interval: Bounds | None = None
    secured: bool = False
    best: tuple[str, ...] = ()
    line: tuple[str, ...] = ()
    nodes: int | None = None
    leaves: int | None = None
    depth: int | None = None  # that a deepening search has completed, in plies
    states: int | None = None
    concept: str | None = None
    equilibria: tuple[Profile, ...] = ()
    complete: bool | None = None
    payoffs: tuple[tuple[Number, ...], ...] = ()
    strategy: Profile | None = None
    regret: tuple[Number, ...] | None = None
    reason: str = ""  # why this solver was picked, in one line
    notes: tuple[str, ...] = ()
    limit: str | None = None
    part: SolutionPart = NO_PART

    rule = FieldOfPart[Rule | None](None)
    cuts = FieldOfPart[tuple[Cut, ...]](())
    visits = FieldOfPart[tuple[Visit, ...]](())
    events = FieldOfPart[tuple[Event, ...]](())
    simulations = FieldOfPart[tuple[Simulation, ...]](())
    values = FieldOfPart[Mapping[Path, tuple[Number, ...]]]({})
    unknowns = FieldOfPart[Mapping[str, tuple[Interval, ...]]]({})
    conditions = FieldOfPart[tuple[Condition, ...]](())
    groups = FieldOfPart[tuple[tuple[int, Profile], ...]](())
    families = FieldOfPart[tuple[OutcomeFamily, ...]](())
    beliefs = FieldOfPart[tuple[Profile, ...]](())
    roots = FieldOfPart[tuple[Mapping[str, Mapping[str, Root]], ...]](())
    rounded = FieldOfPart[bool](False)
    distribution = FieldOfPart[tuple[tuple[Joint, Number], ...]](())
    coalitions = FieldOfPart[Any](None)
    combinatorial = FieldOfPart[Any](None)
    residual = FieldOfPart[float | None](None)
    fit = FieldOfPart[Any](None)

    @property
    def is_value_proven(self) -> bool:
        """True if the value is exact, though other parts of the answer may not be."""
        return self.exact or (self.value is not None and self.interval == tuple((v, v) for v in self.value))

    @property
    def error(self) -> Number | float | None:
        """The farthest that a player's value can be from the one given, as the interval proves it: 0 for an exact
        value, None where it is not bounded."""
        if self.is_value_proven or self.value is None or self.interval is None:
            return 0 if self.is_value_proven else None
        errors = list[Number | float]()
        for number, bounds in zip(self.value, self.interval, strict=True):
            for end in bounds:
                if end is None:
                    return None
                errors.append(max(end - number, number - end))
        return max(errors)

    @property
    def is_value_known(self) -> bool:
        """True if the value given is exact, or as near to it as anybody reads."""
        return self.error is not None and self.error <= READ

    def __post_init__(self) -> None:
        for name in ("value", "interval", "regret"):
            numbers = getattr(self, name)
            if numbers is not None:
                object.__setattr__(self, name, Vector(numbers).name_players(self.players))

    def __str__(self) -> str:
        """The text that `gdl solve` prints; unless `gdl.solvers` was imported, which provides it, the same as
        `repr`."""
        return _texts[-1](self) if _texts else repr(self)

    def with_part(self, kind: type[SolutionPart], **changes: Any) -> Self:
        """Copy the answer, with changes to its part.

        Args:
            kind: the kind of part that has these fields. A part of another kind is replaced; fields that it shares
                with this one stay.
            changes: the fields of the part that differ in the copy, by their names.

        Returns:
            The copy.
        """
        held = type(self.part) if isinstance(self.part, kind) else kind
        shared = {name: value for name, value in vars(self.part).items() if name in held.fields}
        return replace(self, part=held(**shared | changes))

    @property
    def pruned(self) -> tuple[Skipped, ...]:
        """Roots of all skipped subtrees, in the order in which search skipped them."""
        return tuple(skipped for cut in self.cuts for skipped in cut.skipped)


_texts: list[Callable[[Solution], str]] = []


def printed_by(text: Callable[[Solution], str]) -> None:
    """Let answers print as this function says. (The module that prints them imports this one, so it hands the function
    over.)"""
    _texts.append(text)
