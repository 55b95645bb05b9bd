"""The traits of a game by rules: proved from its rules where that is possible, else found among its states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from gdl.analysis.measures import always_progresses
from gdl.analysis.traits import constant_sum, everyone_moves, forgets, shows_everything
from gdl.errors import GameError, LimitReached
from gdl.game import Game, Terminal, Traits
from gdl.model.games import RulesModel
from gdl.states.explore import reachable_traits

LOOKED_AT = 2_000  # states that are walked for a trait which the model leaves open,
WORK = 300_000  # unless the rules run through so many values before: some tenths of a second;
MORE_WORK = 700_000  # where variables are hidden, if perhaps at no time (the squeeze of bridge_ending: 670,000)


def traits(model: RulesModel, game: Game[Any], worked: Callable[[], int] = lambda: 0) -> Traits:
    """The traits of a game: proved from its rules if possible, otherwise found among its reachable states. `worked`
    gives the number of values that the rules have run through so far."""
    found = proved_traits(model, lambda: _is_over(game))
    looked_for = (
        found.zero_sum, found.chance, found.simultaneous, found.perfect_information, found.perfect_recall, found.cyclic,
    )  # fmt: skip
    if None not in looked_for:
        return found
    most = worked() + (MORE_WORK if found.perfect_information is None else WORK)

    def enough(met: int) -> None:
        if worked() > most:
            raise LimitReached(f"the rules of {game.name} take long for a position")

    seen = reachable_traits(game, LOOKED_AT, enough, suspects=False)  # what is hidden in a part counts as hidden below
    proved = {f.name: getattr(found, f.name) for f in fields(Traits)}
    merged = {name: getattr(seen, name) if value is None else value for name, value in proved.items()}
    if merged["perfect_information"] is None:
        merged["perfect_information"] = False  # hidden data, and too many states to see that it hides nothing
    return Traits(**merged)


def proved_traits(model: RulesModel, is_over: Callable[[], bool] = lambda: True) -> Traits:
    """The traits that the rules prove, without a look at play; `is_over` is called to see if the first position is an
    end."""
    total = constant_sum(model)
    return Traits(
        players=len(model.players),
        zero_sum=None if total is None else total == 0,
        constant_sum=total,
        chance=_happens(bool(model.chances), model.start.kind == "chance" and not is_over()),
        simultaneous=_happens(everyone_moves(model), model.start.kind == "everyone" and not is_over()),
        perfect_information=shows_everything(model) or None,
        perfect_recall=None if forgets(model) else True,
        cyclic=False if always_progresses(model) else None,
    )


def _is_over(game: Game[Any]) -> bool:
    """True if play is over at the start, so that no rule is ever applied."""
    try:
        return isinstance(game.node(game.initial()), Terminal)
    except GameError:  # which whoever plays will meet
        return False


def _happens(may: bool, begins: bool) -> bool | None:
    """True if a thing happens at the very start (`begins`), False if the rules never allow it, None if that is
    undecided."""
    return (True if begins else None) if may else False
