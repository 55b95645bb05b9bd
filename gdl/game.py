"""The waist of the project: what a game is to everything that searches, draws or judges it.

A game answers the six questions of the textbook: the initial state, PLAYER(s), ACTIONS(s), RESULT(s, a),
TERMINAL-TEST(s) and UTILITY(s, p) (Russell and Norvig, Artificial Intelligence, section 5.1); `node` gives
four of them in one answer. States are opaque, hashable and immutable. An action is the text by which a person
names it, unique among the actions of its state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Concatenate, Generic, NamedTuple, NoReturn, ParamSpec, Protocol, TypeVar

from gdl.errors import GameError, Problem, Refusal, Span

Number = int | Fraction
Action = str
Joint = tuple[Action, ...]  # one action per player, in the order of the players; "" for one with no choice now


class _Open:
    """A number that the file leaves open. Calculating with it raises an error that says the number is needed."""

    __slots__ = ()

    def _refuse_arithmetic(self, other: object = None) -> NoReturn:
        raise needs(self, "number")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse_arithmetic
    __neg__ = __abs__ = __float__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse_arithmetic
    numerator = denominator = property(_refuse_arithmetic)


@dataclass(frozen=True, slots=True)
class Unknown(_Open):
    """A utility the file leaves open, written `?x`.

    In a two-player game the second player gets its negative; with more players it stands for the whole vector,
    and `player` says whose component this is (None: the first player's own number).
    """

    name: str
    negative: bool = False
    player: int | None = None
    span: Span | None = None

    def __str__(self) -> str:
        return f"{'-' if self.negative else ''}?{self.name}"


@dataclass(frozen=True, slots=True)
class Rest(_Open):
    """The probability that the unknown ones beside it leave over: `share` minus all of them."""

    share: Number
    unknowns: tuple[Unknown, ...]

    def __str__(self) -> str:
        return " - ".join([str(self.share), *map(str, self.unknowns)])


Utility = Number | Unknown
Probability = Number | Unknown | Rest
Bounds = tuple[tuple[Number | None, Number | None], ...]  # lowest and highest utility per player; None: not known


class Terminal(NamedTuple):
    """The game is over: UTILITY(s, p). (A tree, matrix or graph may leave some open, as an Unknown: Traits.unknowns.)

    Attributes:
        utilities: one number per player.
    """

    utilities: tuple[Number, ...]


class Chance(NamedTuple):
    """Chance moves. (A tree may leave some probabilities open, as an Unknown and the Rest.)

    Attributes:
        outcomes: pairs of an outcome and its exact probability; the probabilities sum to 1.
    """

    outcomes: tuple[tuple[Action, Number], ...]


class Decision(NamedTuple):
    """One player moves: PLAYER(s) and ACTIONS(s).

    Attributes:
        player: the index of the player.
        actions: the actions in the order of the file, at least one.
    """

    player: int
    actions: tuple[Action, ...]


class Simultaneous(NamedTuple):
    """Several players choose at once, without seeing the others' choices.

    Attributes:
        actions: for each player a tuple of actions; () for one who has no choice now.
    """

    actions: tuple[tuple[Action, ...], ...]


class Holder:
    """A thing that was made together with a game, and stands for the game where one is wanted."""

    game: Game[Any]


Node = Terminal | Chance | Decision | Simultaneous


@dataclass(frozen=True, slots=True)
class Traits:
    """Properties of a game on which solvers may rely, found by analysis. None: the analysis did not decide it.

    Attributes:
        players: the number of players.
        zero_sum: the utilities of every end sum to 0.
        constant_sum: the number that the utilities of every end sum to; None also if it varies.
        chance: chance moves somewhere.
        simultaneous: players move at once somewhere.
        perfect_information: everybody always knows the state.
        perfect_recall: nobody forgets what they knew or did.
        cyclic: play can come back to a state, or to a position of which more is remembered by then.
        states: an upper bound on the number of reachable states.
        actions: an upper bound on the number of actions in a state.
        unknowns: a utility or a probability is left open.
        rewards: players gain something on the way, in a game in which play can come back to a position.

    Example:
        >>> import gdl
        >>> traits = gdl.load("kuhn").traits
        >>> traits.zero_sum, traits.chance, traits.perfect_information
        (True, True, False)
    """

    players: int
    zero_sum: bool | None  # utilities sum to zero at every end
    constant_sum: Number | None  # what they always sum to, if known to be constant (0 when zero-sum)
    chance: bool | None
    simultaneous: bool | None
    perfect_information: bool | None
    perfect_recall: bool | None
    cyclic: bool | None  # some state can come again, or some position of which more is remembered then
    states: int | None = None  # an upper bound on reachable states, where known
    actions: int | None = None  # an upper bound on the actions of a state, where known
    unknowns: bool = False  # some utility or probability is left open
    rewards: bool = False  # something is gained on the way, in play that can come back to a position

    @property
    def has_scalar_value(self) -> bool:
        """True if one number says the whole value: that of a lone player, or of two players with a constant sum."""
        return self.players == 1 or (self.players == 2 and self.constant_sum is not None)

    @property
    def stochastic(self) -> bool:
        """True if play can come back to a position, and either rewards come on the way or players move at once."""
        return bool(self.rewards or (self.cyclic and self.simultaneous))


def maximiser(players: Sequence[str]) -> int:
    """The index of the player whose utility a single number is, in a game of one or two: the player called MAX, in
    upper or lower case; else, of two, the one not called MIN; else the first."""
    names = [player.upper() for player in players]
    if "MAX" in names:
        return names.index("MAX")
    return 1 if names[0] == "MIN" and len(names) == 2 else 0


def is_sided(players: Sequence[str]) -> bool:
    """True if the names of the players say who maximises."""
    names = [player.upper() for player in players]
    return "MAX" in names or ("MIN" in names and len(names) == 2)


def actions(node: Node) -> tuple[Action, ...]:
    """The actions of the one player who moves, or the outcomes of chance, in file order."""
    if isinstance(node, Chance):
        return tuple(action for action, _ in node.outcomes)
    return node.actions if isinstance(node, Decision) else ()


Asked = ParamSpec("Asked")
Made = TypeVar("Made")


@dataclass(frozen=True)
class SearchKind(Generic[Asked, Made]):
    """A kind of compiled search: its name, and the function that imports what makes one of a game, of the state where
    it begins, of the engine's name, and of arguments of its own. `remembers`: True for a search beside those of the
    solvers that distinguishes states by players' memories. `is_installed` says whether there is such a search."""

    name: str
    load: Callable[[], Callable[Concatenate[Any, Any, str, Asked], Made]]
    remembers: bool = False
    is_installed: Callable[[], bool] = lambda: True


class Engine(Protocol):
    """The compiled searches of a game, by name: mostly the names of the solvers that run them. What the methods do here
    is right for a game of which nothing is compiled."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the solvers whose searches the engine has."""

    @property
    def is_user_choice(self) -> bool:
        """True if a person chose this engine: then it works from the first node on, whether compiling pays or not."""

    @property
    def fast(self) -> bool:
        """True if the engine's code becomes machine code. To find that out may take a while."""

    def offers(self, search: str | SearchKind[..., Any]) -> bool:
        """True if the engine has a search of that kind, or of that name."""
        return False

    def search(self, kind: SearchKind[Asked, Made], *more: Asked.args, **arguments: Asked.kwargs) -> Made:
        """A search, ready to run. Raises Refusal where the rules have a construct that the engine does not take."""
        raise Refusal("nothing of this game is compiled")

    def begun_at(self, start: Any) -> Engine:
        """The engine for the same game from another state on."""
        return self

    def room(self) -> int | None:
        """The bytes that a search may take now; None: there is no limit."""
        return None

    def tell(self, text: str) -> None:
        """Report `text` to the person who chose the engine."""
        return

    def keep(self, kind: SearchKind[..., Made], search: Made) -> None:
        """Leave a search that has begun for the solver that asks for its kind."""
        return

    def take(self, kind: SearchKind[..., Made]) -> Made | None:
        """The search that was left for a solver, which owns it from now on; None where there is none."""
        return None

    def go_on(self, walk: Any) -> None:
        """Let compiled code make the rest of a `gdl.states.explore.Walk` of the game, where it can."""
        return

    def retire(self) -> None:
        """Offer no search from now on: the compiled code has failed."""
        return


class _NoEngine(Engine):
    """The engine of a game of which nothing is compiled."""

    names: tuple[str, ...] = ()
    is_user_choice = fast = False


NO_ENGINE: Engine = _NoEngine()


def _no_evaluation(state: Any) -> None:
    return None


def _never() -> None:
    return None


def _unsaid(state: Any, player: int, later: Hashable) -> tuple[Action, ...]:
    return ()


Play = tuple[Action | Joint, ...]


class Round(NamedTuple):
    """A cycle: a play that leads to a position, and one that leads from there back to it."""

    before: Play
    round: Play


@dataclass(frozen=True, slots=True)
class Rewards:
    """Gains on the way, where play can come back to a position, which therefore cannot hold a total: `of` says what
    each player gains by an action (or joint move, or outcome of chance) in a state. An action's gains and those of the
    chance steps that follow it count in full; gains of the next action, or of an end, count `discount` times, and so
    on. If `average`, only what an action gains on average counts, in the long run."""

    of: Callable[[Any, Action | Joint], tuple[Number, ...]]
    discount: Number = 1
    average: bool = False


class Learnt(NamedTuple):
    """A change that a player sees: the name of a variable, its element ("" where only one of them is the player's, or
    there is but one), the new value as text, and True if some player does not see it. An event that is heard has a
    value alone."""

    variable: str
    element: str
    value: str
    hidden: bool


def _nothing(before: Hashable, after: Hashable, player: int) -> tuple[Learnt, ...]:
    return ()


def _unlike(now: Hashable, later: Hashable) -> tuple[float, float]:
    return 0.0, 0.0


@dataclass(frozen=True, slots=True)
class Promises:
    """Facts that a game knows beyond its traits; each has a default that says that it is not known."""

    bounds: Callable[[Any], Bounds | None] = _no_evaluation  # as the file states for all ends after a state; None: none
    proved: Callable[[], Bounds] = tuple  # as the rules prove for the utilities of all ends; (): nothing is proved
    proved_of_estimates: Callable[[], Bounds] = tuple  # as the rules prove for all ends and evaluations
    # What each end pays where the file lists them, by its number in a tree, by the joint action in a matrix.
    listed: Callable[[], Mapping[Any, tuple[Utility, ...]]] = dict
    merges: bool = False  # whether an engine may take states for one that differ only in what no rule reads
    quiet: Callable[[Any], Number | None] | None = None  # the number that quiet play keeps; None: not a quiet state
    unit: tuple[str, Number] | None = None  # the name of the unit of evaluations, and its worth in utility
    estimated_by: str = ""  # by what positions are estimated, in words, where the file does not say it
    forever: tuple[Number, ...] | None = None  # each player's utility of play that never ends; None: not stated
    constant_sum: Number | None = None  # what the utilities of every end sum to, where the rules alone say it
    numbers_of: int | None = None  # the player whose utility single numbers of the file are; None: it has none
    cost: bool = False  # whether the file states costs: what a player pays is their utility with the other sign
    rewards: Rewards | None = None  # what is gained on the way and no position holds; None: ends pay everything
    # What a player must do from a state on to come to know an information set of theirs; None: they never can; (): the
    # game does not say.
    acts_until: Callable[[Any, int, Hashable], tuple[Action, ...] | None] = _unsaid
    endless: Callable[[], Round | None] = _never  # a cycle in which players remember ever more; None: none is known
    # Gives a state without what is remembered, if everybody who acts knows all the rest; None: that is not so.
    without_memory: Callable[[Any], Any] | None = None
    with_mover: Callable[[Any, int], Any] | None = None  # the same position with that player to move; None: unknown
    # The number of cells, if every action takes one for good (analysis/placement_games.py); 0: that is not so.
    taken: Callable[[], int] = int
    parts: Callable[[], Any] = _never  # splits positions into sums (theory, nimbers/parts.py); None: no
    # What a player has seen to change between two of their information sets, of which the second continues the first.
    learnt: Callable[[Hashable, Hashable, int], tuple[Learnt, ...]] = _nothing
    # How many steps of knowledge two information sets of a player share, and how much less the next differs (below 0).
    likeness: Callable[[Hashable, Hashable], tuple[float, float]] = _unlike


NO_PROMISES = Promises()
State = TypeVar("State", bound=Hashable)


class Game(Protocol[State]):
    """A finite game that can be played from its initial state. Every method is a pure function.

    The methods are the questions of the textbook: PLAYER, ACTIONS, TERMINAL-TEST and UTILITY are all answered by
    `node`, RESULT by `successor`. `OwnGame` has defaults for everything but `initial`, `node` and `successor`.

    Example:
        >>> import gdl
        >>> game = gdl.load("figure_5_2")
        >>> start = game.initial()
        >>> game.node(start)
        Decision(player=0, actions=('a1', 'a2', 'a3'))
        >>> game.node(game.successor(game.successor(start, "a1"), "b1"))
        Terminal(utilities=(3, -3))
    """

    @property
    def name(self) -> str:
        """The title of the game."""

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players."""

    @property
    def traits(self) -> Traits:
        """Properties on which solvers may rely."""

    @property
    def engine(self) -> Engine:
        """The compiled searches of the game; NO_ENGINE if it has none."""

    @property
    def promises(self) -> Promises:
        """Bounds of the utilities, the value of endless play and the like; NO_PROMISES if nothing is known."""

    def initial(self) -> State:
        """The state in which play begins.

        Returns:
            The first state, from which `node` and `successor` lead on.
        """

    def node(self, state: State) -> Node:
        """The kind of a state: Terminal (an end), Chance, Decision (one player moves) or Simultaneous (several do).

        Args:
            state: a state that `initial` or `successor` returned.

        Returns:
            The node, with its utilities, outcomes or actions.

        Raises:
            GameError: a fault of the rules shows here: nobody can act and play is not over, or a value is out of range.
        """

    def successor(self, state: State, action: Any) -> State:
        """The state to which an action leads: RESULT(s, a).

        Args:
            state: a state that is not terminal.
            action: an action or an outcome of its node; where players move at once, a tuple with one action per player.

        Returns:
            The next state.
        """

    def information_set(self, state: State, player: int) -> Hashable:
        """A key of what a player knows in a state: equal in exactly those states that the player cannot tell apart.

        Args:
            state: a state.
            player: the index of the player.

        Returns:
            Any hashable object.
        """

    def describe(self, state: State, player: int) -> str:
        """The name of a player's information set, for people and files; two sets never have the same name.

        Args:
            state: a state.
            player: the index of the player.

        Returns:
            The name.
        """

    def evaluate(self, state: State) -> tuple[Number, ...] | None:
        """EVAL(s), an estimate of the utilities in a state.

        Args:
            state: a state.

        Returns:
            One number per player; None if the game has no evaluation.
        """

    def label(self, state: State) -> str | None:
        """The author's own name of a state, such as that of a node in a tree.

        Args:
            state: a state.

        Returns:
            The name; None if there is none.
        """

    def show(self, state: State) -> str:
        """Draw a state for people; searches never use it.

        Args:
            state: a state.

        Returns:
            The drawing, on one or several lines.
        """


def zero_sum(game: Game[Any]) -> bool | None:
    """True if the utilities of every end sum to 0; None where that is not known. If the rules alone tell, no position
    is looked at, as finding the traits might do."""
    promised = game.promises.constant_sum
    return game.traits.zero_sum if promised is None else promised == 0


def without_rewards(game: Game[Any], what: str) -> None:
    """Raise Refusal for a game that pays rewards on the way; `what` names the work that cannot count them."""
    if game.promises.rewards is not None:
        raise Refusal(f"{what} counts no rewards on the way, and those of {game.name} have no last one; solve it")


def surely_at(game: Game[Any], state: Any) -> Bounds:
    """Bounds of the utilities of every end that can be reached from the state, for each player: as the file promises
    and as its rules prove; None where neither says anything."""
    nothing = ((None, None),) * len(game.players)
    return tightest_bounds(game.promises.bounds(state) or nothing, game.promises.proved() or nothing)


def tightest_bounds(some: Bounds, others: Bounds) -> Bounds:
    """The tighter of two bounds at each end, player by player; None where both are None."""
    pairs: list[tuple[Number | None, Number | None]] = []
    for (low, high), (least, most) in zip(some, others, strict=True):
        lows = [bound for bound in (low, least) if bound is not None]
        highs = [bound for bound in (high, most) if bound is not None]
        pairs.append((max(lows, default=None), min(highs, default=None)))
    return tuple(pairs)


def broken_bound(utilities: tuple[Utility, ...], bounds: Bounds) -> str:
    """The message for the first of an end's utilities that breaks its bound; "" if all keep theirs. (One that the file
    leaves open keeps it.)"""
    for utility, (low, high) in zip(utilities, bounds, strict=True):
        if isinstance(utility, Unknown):
            continue
        if (low is not None and utility < low) or (high is not None and utility > high):
            return f"the utility {utility} breaks its bound: {bound_text(low, high)}"
    return ""


def bound_text(low: Number | None, high: Number | None) -> str:
    """Bounds in words: `at least 0 and at most 1`; an end that is None is left out."""
    return " and ".join(f"{word} {end}" for word, end in (("at least", low), ("at most", high)) if end is not None)


def bounds_at(game: Game[Any], state: Any) -> Bounds:
    """Bounds of what any play from the state pays each player, endless play included; None where nothing is known."""
    ends, price = surely_at(game, state), game.promises.forever
    if price is None:
        return ends
    least = (low if low is None else min(low, paid) for (low, _), paid in zip(ends, price, strict=True))
    most = (high if high is None else max(high, paid) for (_, high), paid in zip(ends, price, strict=True))
    return tuple(zip(least, most, strict=True))


def require_number(utility: Utility) -> Number:
    """The utility as a number. Raises GameError, naming the unknown, if the file leaves it open."""
    if isinstance(utility, Unknown):
        raise needs(utility, "utility")
    return utility


def needs(number: object, what: str) -> GameError:
    """The error for an answer that needs a number that the file leaves open."""
    unknown = number.unknowns[0] if isinstance(number, Rest) else number
    assert isinstance(unknown, Unknown)
    return GameError(
        Problem(
            f"the answer depends on the unknown {what} ?{unknown.name}",
            unknown.span,
            help=f"give it a number, --set {unknown.name}=1/2, or many, --sweep {unknown.name}=0..1:1/10; for a matrix "
            "or perfect information gdl solve says, without --solver and --concept, how the answer depends on it",
        )
    )


def exact(number: Number) -> Number:
    """A number as an int where it is whole, else as it is."""
    return number.numerator if isinstance(number, Fraction) and number.denominator == 1 else number


def constant_sum(utilities: Sequence[tuple[Utility, ...]]) -> Number | None:
    """The sum of every vector, if all have the same sum, else None; an unknown pair `?x, -?x` sums to zero."""
    totals = {_sum_of_utilities(vector) for vector in utilities}
    return totals.pop() if len(totals) == 1 else None


def _sum_of_utilities(vector: tuple[Utility, ...]) -> Number | None:
    unknowns = [u for u in vector if isinstance(u, Unknown)]
    if unknowns:
        cancels = len(vector) == 2 and len(unknowns) == 2 and unknowns[0].negative != unknowns[1].negative
        return 0 if cancels else None
    return sum(u for u in vector if not isinstance(u, Unknown))
