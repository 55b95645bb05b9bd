"""Traits read off the model of a game by rules; what the model does not settle, its reachable states do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

from gdl.analysis.measures import always_progresses
from gdl.errors import GameError, LimitReached
from gdl.game import Game, Number, Terminal, Traits
from gdl.model import core
from gdl.model.games import RulesModel
from gdl.model.walk import inside, of_rule
from gdl.states.explore import reachable_traits

LOOKED_AT = 2_000  # states that are walked for a trait which the model leaves open,
WORK = 300_000  # unless the rules run through so many values before: some tenths of a second;
MORE_WORK = 700_000  # where variables are hidden, if perhaps at no time (the squeeze of bridge_ending: 670,000)


def traits(model: RulesModel, game: Game[Any], worked: Callable[[], int] = lambda: 0) -> Traits:
    """The traits of a game: proved from its rules where that is possible, else found among its reachable states.
    `worked` tells how many values the rules have run through until now."""
    total = constant_sum(model)
    perfect = shows_everything(model)
    cyclic = False if always_progresses(model) else None
    found = Traits(
        players=len(model.players),
        zero_sum=None if total is None else total == 0,
        constant_sum=total,
        chance=_happens(bool(model.chances), model.start.kind == "chance" and not _is_over(game)),
        simultaneous=_happens(_everyone_moves(model), model.start.kind == "everyone" and not _is_over(game)),
        perfect_information=perfect or None,
        perfect_recall=None if forgets(model) else True,
        cyclic=cyclic,
    )
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
    merged = {f.name: _settled(getattr(found, f.name), getattr(seen, f.name)) for f in fields(Traits)}
    if merged["perfect_information"] is None:
        merged["perfect_information"] = False  # hidden data, and too many states to see that it hides nothing
    return Traits(**merged)


def _is_over(game: Game[Any]) -> bool:
    """Whether play is over at its beginning, so that what the rules begin with never happens."""
    try:
        return isinstance(game.node(game.initial()), Terminal)
    except GameError:  # which whoever plays will meet
        return False


def _settled(proved: Any, seen: Any) -> Any:
    return seen if proved is None else proved


def _happens(may: bool, begins: bool) -> bool | None:
    """Whether what the rules allow for comes up in play: surely not, surely at the start, or undecided."""
    return (True if begins else None) if may else False


def accumulates(model: RulesModel) -> bool:
    """Whether more is gained than the clauses of the end pay, or these count less with time."""
    return model.rewards or model.discount != 1


def constant_sum(model: RulesModel) -> Number | None:
    """What the utilities of every clause are known to sum to, and those of play without end, if it is one number."""
    if accumulates(model):
        return None
    sums = {clause.sum for clause in model.clauses}
    if model.forever is not None and sums != {total := sum(model.forever)} and not always_progresses(model):
        sums.add(total)
    return sums.pop() if len(sums) == 1 else None


def shows_everything(model: RulesModel) -> bool:
    """Whether every player always sees the whole state: nothing hidden, no unseen choices, no private event."""
    private = any(isinstance(form, core.Say) and form.hearer is not None for form in _moving(model))
    rules = (*model.actions, *model.chances)
    private = private or any(rule.hearers is not None and rule.hearers.condition is not None for rule in rules)
    hidden = any(variable.visibility.kind != "all" for variable in model.variables)
    return not (private or hidden or _everyone_moves(model))


def shows_positions(model: RulesModel) -> bool:
    """Whether everybody always sees every variable, whatever else they hear."""
    return all(variable.visibility.kind == "all" for variable in model.variables)


def _moving(model: RulesModel) -> Iterator[Any]:
    """Every core form in what moves: actions, chance, procedures, resolve, the start."""
    for rule in (*model.actions, *model.chances, *((model.resolve,) if model.resolve else ())):
        yield from of_rule(rule)
    for procedure in model.procedures:
        yield from inside(procedure.body)
    if model.opening is not None:
        yield from of_rule(model.opening)
    yield from inside(model.start)


def _everyone_moves(model: RulesModel) -> bool:
    return len(model.players) > 1 and any(isinstance(f, core.Turn) and f.kind == "everyone" for f in _moving(model))


def forgets(model: RulesModel) -> bool:
    """Whether the rules may empty memories."""
    return any(isinstance(form, core.Forget) for form in _moving(model))
