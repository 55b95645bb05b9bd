"""The environment of a game, on the engine that fits."""

from __future__ import annotations

from typing import Any

from gdl.compiler.compiled_engine import CHOICES, warn_of_fault
from gdl.errors import EngineFault, Refusal, clean
from gdl.game import Game
from gdl.interpreter.rules_game import RulesGame
from gdl.states.game_wrapper import GameWrapper, OtherGame
from gdl.wings.programs.environment import Environment
from gdl.wings.programs.numbering import RuleNumbering, numbering, rules_of
from gdl.wings.programs.reference import ReferenceEnvironment


def environment(game: Game[Any], *, engine: str = "auto", seed: int = 0, steps: bool = False) -> Environment:
    """A game, ready to be stepped. The seed decides what chance does; with `steps` an action is asked for step by step.

    `engine` is `auto` (the compiled engine where it takes the game), `interpreter`, `python` or `wasm`. Raises Refusal
    where the actions of the game cannot be numbered, or where the engine that was asked for does not take it.
    """
    if engine not in CHOICES:
        raise Refusal(f"there is no engine {engine!r} for environments: take one of {', '.join(CHOICES)}")
    if steps:
        from gdl.wings.programs.action_steps import SteppedEnvironment

        return SteppedEnvironment(environment(game, engine=engine, seed=seed))
    numbered, rules = numbering(game), rules_of(game) if isinstance(game, GameWrapper | RulesGame) else None
    if engine == "interpreter" or rules is None or not isinstance(numbered, RuleNumbering):
        if engine in ("auto", "interpreter"):
            return ReferenceEnvironment(game, numbered, seed)
        reason = (isinstance(game, OtherGame) and game.reason) or "it takes games by rules"
        raise Refusal(f"the compiled engine does not take {clean(game.name)}: {reason}")
    try:
        from gdl.wings.programs.compiled import CompiledEnvironment, machines_of

        return CompiledEnvironment(game, numbered, machines_of(game, numbered, engine), seed)
    except (EngineFault, Refusal) as why:
        if engine != "auto":
            raise
        if isinstance(why, EngineFault):
            warn_of_fault(why)
        return ReferenceEnvironment(game, numbered, seed)
