"""A row of the table of solvers: its name, its function and, as data, the games it accepts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from gdl.game import Game, Traits
from gdl.solution import Solution
from gdl.solvers.budget import SearchLimits
from gdl.solvers.needs import AtLeast

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
    suggested only for games with an EVAL; of games whose rewards count by their average, one that `averages` alone.
    `position`: it looks at the position alone, and takes only games in which everybody who acts knows that.
    `concept` names the solution concept that it answers, if that is another question than the game's own; such a
    solver is suggested only to those who ask for the concept.
    `extent` is how far it goes where no limit is set: through all positions ("whole"), through all but the many that
    it skips ("pruned"), or as far as it needs by its own measure ("own").
    `steps`: its steps can be shown if it records them ("recorded"), or if they follow from the values of all positions,
    as those of backward induction do ("values"); otherwise not ("untold").
    `doubt`: whether it may refuse a game only after meeting its positions ("refuses"), or come to no answer as well
    ("fails"), so that another one is tried behind it.
    `picked_nodes`: the nodes that it gets where `auto` picks it and nobody set a limit, since it would run very long.
    """

    name: str
    run: Callable[..., Solution]
    needs: Mapping[str, Any]
    summary: str
    advised: Mapping[str, Any] = field(default_factory=dict)
    estimates: bool = False
    averages: bool = False
    position: bool = False
    concept: str | None = None
    extent: Literal["whole", "pruned", "own"] = "own"
    steps: Literal["recorded", "values", "untold"] = "untold"
    own: bool = False  # a user's own search, whose answers are judged before they are shown
    doubt: Literal["none", "refuses", "fails"] = "none"
    picked_nodes: Callable[[Game[Any], Traits], int] | None = None

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

    def accepts(self, option: str) -> bool:
        """True if the solver takes an option of this name; a search that ends in `**options` takes any."""
        taken = inspect.signature(self.run).parameters.values()
        return option in self.options or any(one.kind is one.VAR_KEYWORD for one in taken)

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
        averaged = game.promises.rewards is not None and game.promises.rewards.average
        suits = self.concept is None and self.takes(game, traits) and (self.averages or not averaged)
        suits = suits and all(getattr(traits, trait) == value for trait, value in self.advised.items())
        return suits and (not self.estimates or game.evaluate(game.initial()) is not None)


def _is_met(traits: Traits, trait: str, value: Any) -> bool:
    """True if the trait is as needed, or not known. Where a zero sum is needed any constant sum will do (a constant
    changes no choice), and so will a lone player, who has no opponent."""
    if trait == "zero_sum" and value and (traits.constant_sum is not None or traits.players == 1):
        return True
    found = getattr(traits, trait)
    return found is None or found in (value if isinstance(value, tuple | AtLeast) else (value,))
