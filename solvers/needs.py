"""The needs of solvers in words, and the watch over those that the analysis of a game left open."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from gdl.errors import Refusal, listing
from gdl.game import Chance, Decision, Game, Node, Number, Simultaneous, Terminal, Traits, Unknown
from gdl.solvers.horizon import Horizon
from gdl.states.sequential import Sequential

Found = TypeVar("Found")


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

# trait -> for a solver that needs it false, and one that needs it true: what it needs, and what is said of other games
_WORDS: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "zero_sum": (("a general-sum game", "is zero-sum"), ("a zero-sum game", "is general-sum")),
    "chance": (("a game without chance", "has chance moves"), ("a game of chance", "has no chance moves")),
    "simultaneous": (
        ("one mover at a time", "has simultaneous moves"),
        ("simultaneous moves", "has one mover at a time"),
    ),
    "perfect_information": (
        ("hidden information", "hides nothing"),
        ("perfect information", "hides something from a player"),
    ),
    "perfect_recall": (("imperfect recall", "lets no player forget"), ("perfect recall", "lets a player forget")),
    "unknowns": (("every number known", "leaves numbers open"), ("numbers left open", "leaves nothing open")),
    "rewards": (
        ("a game whose ends pay everything", "has rewards on the way, in play that can return to a position"),
        ("rewards on the way, in play that can return to a position", "pays everything at its ends"),
    ),
    "cyclic": (
        ("a game whose positions never come again", "can return to a position"),
        ("a game whose positions can come again", "never returns to a position"),
    ),
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
    # What begins with `a game without` stands last, so that nothing behind it is read as lacking too.
    lacks = sorted(lacks, key=lambda trait: _in_words(trait, needs[trait]).startswith("a game w"))
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


def run_in_turns(work: Callable[[Game[Any]], Found], game: Game[Any]) -> Found:
    """The work on a game; on the game in which players are asked one by one, if a node was met at which all choose at
    once though one alone has a choice."""
    try:
        return work(game)
    except Unmet as unmet:
        if unmet.traits.simultaneous and game.traits.simultaneous is False:
            return work(Sequential(game))
        raise


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


def may_be_opposed(traits: Traits) -> bool:
    """True if the game has two players who are, or may be, opponents: what one gains the other loses."""
    return traits.players == 2 and (traits.has_scalar_value or traits.zero_sum is None)
