"""A row of the table of solvers: its name, its function and, as data, the games it accepts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from gdl.errors import Refusal, listing
from gdl.game import Chance, Decision, Game, Node, Number, Simultaneous, Terminal, Traits, Unknown
from gdl.solution import Solution
from gdl.solvers.budget import SearchLimits
from gdl.solvers.horizon import Horizon

_LIMITS = {name: inspect.signature(SearchLimits, eval_str=True).parameters[name] for name in ("nodes", "time")}


@dataclass(frozen=True)
class Solver:
    """One row of the table.

    `run(game, limits, *, option=…)` returns a Solution; its keyword-only parameters are, with the limits, the options
    that the command line offers.
    `needs` maps a field of Traits to the value that the method requires, to a tuple of values it can do with, or to
    AtLeast a number. A trait that is None (not decided) passes; then the solver itself refuses when it meets the
    contrary.
    `advised` maps further traits to the values that a game must have for the solver to be suggested where another one
    refuses: it may take other games too, but only with much more work, or with an option. A solver that `estimates` is
    suggested only for games with an EVAL, one that is `led` only where a net was learned.
    `position`: it looks at the position alone, and takes only games in which everybody who acts knows that.
    `concept` names the solution concept that it answers, if that is another question than the game's own; such a
    solver is suggested only to those who ask for the concept.
    `extent` is how far it goes where no limit is set: through all positions ("whole"), through all but the many that
    it skips ("pruned"), or as far as it needs by its own measure ("own").
    `steps`: its steps can be shown if it records them ("recorded"), or if they follow from the values of all positions,
    as those of backward induction do ("values"); otherwise not ("untold").
    """

    name: str
    run: Callable[..., Solution]
    needs: Mapping[str, Any]
    summary: str
    advised: Mapping[str, Any] = field(default_factory=dict)
    estimates: bool = False
    led: bool = False
    position: bool = False
    concept: str | None = None
    extent: Literal["whole", "pruned", "own"] = "own"
    steps: Literal["recorded", "values", "untold"] = "untold"
    own: bool = False  # a user's own search, whose answers are judged before they are shown

    def answer(self, game: Game[Any], exact: bool = True) -> Solution:
        """An answer of this solver to a game of which nothing else is known yet. It names the concept if the solver has
        the name of one."""
        concept = self.concept if self.concept == self.name else None
        cost = game.promises.cost
        return Solution(game.name, self.name, game.players, game.traits, exact, cost, concept=concept)

    @cached_property
    def options(self) -> Mapping[str, inspect.Parameter]:
        """The solver's options by name: those of its function, and the limits that every solver takes."""
        own = inspect.signature(self.run, eval_str=True).parameters
        return {name: each for name, each in own.items() if each.kind is each.KEYWORD_ONLY} | _LIMITS

    def lacks(self, traits: Traits) -> list[str]:
        """The needs, by trait name, that a game with these traits does not meet."""
        return [trait for trait, value in self.wants.items() if not _is_met(traits, trait, value)]

    @property
    def wants(self) -> Mapping[str, Any]:
        """The needs, including one that goes without saying: that the ends pay everything (no rewards on the way)."""
        return {"rewards": False, **self.needs}

    def takes(self, game: Game[Any], traits: Traits) -> bool:
        """True if the solver accepts a game with these traits."""
        return not self.lacks(traits) and (not self.position or game.promises.without_memory is not None)

    def is_advised(self, game: Game[Any], traits: Traits) -> bool:
        """True if the solver is one to suggest for a game with these traits."""
        suits = (
            self.concept is None
            and self.takes(game, traits)
            and all(getattr(traits, trait) == value for trait, value in self.advised.items())
        )
        return (
            suits
            and (not self.estimates or game.evaluate(game.initial()) is not None)
            and (not self.led or game.promises.adviser is not None)
        )


def _is_met(traits: Traits, trait: str, value: Any) -> bool:
    """True if the trait is as needed, or not known. Where a zero sum is needed any constant sum will do (a constant
    changes no choice), and so will a lone player, who has no opponent."""
    if trait == "zero_sum" and value and (traits.constant_sum is not None or traits.players == 1):
        return True
    found = getattr(traits, trait)
    return found is None or found in (value if isinstance(value, tuple | AtLeast) else (value,))


# The needs of solvers in words, and the watch over those that the analysis of a game left open.


@dataclass(frozen=True)
class AtLeast:
    """The need for at least this number, such as of players."""

    least: int

    def __contains__(self, count: int) -> bool:
        return count >= self.least


# What families of solvers need alike.
OPPOSED: Mapping[str, Any] = {"players": (1, 2), "zero_sum": True}  # whose numbers are those of one side
ALL_SEEN: Mapping[str, Any] = {"simultaneous": False, "perfect_information": True}
TREE_LIKE: Mapping[str, Any] = {**ALL_SEEN, "cyclic": False}
EITHER = (False, True)  # where a trait that most solvers need one way may be both ways

# trait -> what a solver needs that wants it true or false, and what is said of a game that is the contrary
_WORDS: dict[str, dict[bool, tuple[str, str]]] = {
    "zero_sum": {
        True: ("a zero-sum game", "is general-sum"),
        False: ("a general-sum game", "is zero-sum"),
    },
    "chance": {
        False: ("a game without chance", "has chance moves"),
        True: ("a game of chance", "has no chance moves"),
    },
    "simultaneous": {
        False: ("one mover at a time", "has simultaneous moves"),
        True: ("simultaneous moves", "has one mover at a time"),
    },
    "perfect_information": {
        True: ("perfect information", "hides something from a player"),
        False: ("hidden information", "hides nothing"),
    },
    "perfect_recall": {
        True: ("perfect recall", "lets a player forget"),
        False: ("imperfect recall", "lets no player forget"),
    },
    "unknowns": {
        True: ("numbers left open", "leaves nothing open"),
        False: ("every number known", "leaves numbers open"),
    },
    "rewards": {
        False: ("a game whose ends pay everything", "has rewards on the way, in play that can return to a position"),
        True: ("rewards on the way, in play that can return to a position", "pays everything at its ends"),
    },
    "cyclic": {
        False: ("a game whose positions never come again", "can return to a position"),
        True: ("a game whose positions can come again", "never returns to a position"),
    },
}
_COUNTS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def needs_in_words(needs: Mapping[str, Any]) -> list[str]:
    """The needs of a solver, in words."""
    return [_in_words(trait, value) for trait, value in needs.items() if value != EITHER]


def _in_words(trait: str, value: Any, lacking: bool = False) -> str:
    """A need of a solver in words, as in `minimax needs …`; or, `lacking`, the words for a game that does not meet
    it."""
    if isinstance(value, bool) and trait in _WORDS:
        return _WORDS[trait][value][lacking]
    has = "has " if lacking else ""
    return has + (_players(value) if trait == "players" else f"{trait.replace('_', ' ')} {value}")


def _players(count: int | tuple[int, ...] | AtLeast) -> str:
    if isinstance(count, AtLeast):
        return f"{_COUNTS.get(count.least, str(count.least))} or more players"
    counts = count if isinstance(count, tuple) else (count,)
    words = listing((_COUNTS.get(number, str(number)) for number in counts), "or")
    return f"{words} player" if counts == (1,) else f"{words} players"


def reasons(solver: str, game: str, needs: Mapping[str, Any], lacks: list[str], traits: Traits) -> str:
    """The sentence of a refusal, such as `minimax needs a zero-sum game; prisoners is general-sum`. (Needs that follow
    from another one that is named are left out.)"""
    if "simultaneous" in lacks:
        lacks = [trait for trait in lacks if trait != "perfect_information"]
    if "rewards" in lacks and not needs["rewards"]:
        lacks = [trait for trait in lacks if trait != "cyclic"]
    wanted = listing(_in_words(trait, needs[trait]) for trait in lacks)
    has = {trait: needs[trait] if isinstance(needs[trait], bool) else getattr(traits, trait) for trait in lacks}
    found = listing(_in_words(trait, has[trait], lacking=True) for trait in lacks)
    return f"{solver} needs {wanted}; {game} {found}"


class Unmet(Refusal):
    """The refusal when a search meets something that its solver cannot use, where the analysis of the game had left
    that open. `traits` are those of the game with what was met."""

    def __init__(self, solver: str, needs: Mapping[str, Any], game: Game[Any], trait: str, hint: str = ""):
        self.needs, self.trait, self.hint = needs, trait, hint
        self.traits = with_contrary(game.traits, trait, needs[trait])
        message = reasons(solver, game.name, needs, [trait], self.traits)
        super().__init__(f"{message}; {hint}" if hint else message)


def with_contrary(traits: Traits, trait: str, value: bool) -> Traits:
    """The traits of a game that was seen not to meet the need of this value of a trait."""
    if trait == "zero_sum":
        return replace(traits, zero_sum=False, constant_sum=None)
    return replace(traits, **{trait: not value})


class Watch:
    """A check of every node that a search visits, which refuses the game if a node is not of the kind that the solver
    needs. `total` is the sum of the utilities at all ends so far, None before the first if it is not known."""

    def __init__(self, solver: str, needs: Mapping[str, Any], game: Game[Any]):
        traits = game.traits
        self.solver = solver
        self.needs = needs
        self.game = game
        self.total = traits.constant_sum
        self._sums = "zero_sum" in needs and len(game.players) > 1
        self._tells_apart = "perfect_information" in needs and traits.perfect_information is None
        self._knowers: dict[tuple[int, Hashable], Hashable] = {}

    def check_node(self, state: Any, node: Node) -> None:
        """Raise Unmet if the node is of a kind that the solver cannot use."""
        if isinstance(node, Decision):
            if self._tells_apart:
                self._tell_apart(state, node.player)
        elif isinstance(node, Terminal):
            if self._sums and not (isinstance(self.game, Horizon) and self.game.is_cut_off(state)):
                self._add_up(node)
        elif isinstance(node, Chance):
            if self.needs.get("chance") is False:
                raise self.unmet_need("chance")
        elif isinstance(node, Simultaneous) and self.needs.get("simultaneous") is False:
            raise self.unmet_need("simultaneous")

    def unmet_need(self, trait: str, hint: str = "") -> Unmet:
        """The refusal to raise; `hint` says what would help."""
        return Unmet(self.solver, self.needs, self.game, trait, hint)

    def _add_up(self, node: Terminal) -> None:
        total = _known_sum(node)
        if total is None:
            return
        if self.total is None:
            self.total = total
        if total != self.total:
            raise self.unmet_need("zero_sum")

    def _tell_apart(self, state: Hashable, player: int) -> None:
        knowledge = (player, self.game.information_set(state, player))
        if self._knowers.setdefault(knowledge, state) != state:
            raise self.unmet_need("perfect_information")


def _known_sum(node: Terminal) -> Number | None:
    """The sum of the utilities of an end; None if some are unknown."""
    numbers = [utility for utility in node.utilities if not isinstance(utility, Unknown)]
    return sum(numbers) if len(numbers) == len(node.utilities) else None
