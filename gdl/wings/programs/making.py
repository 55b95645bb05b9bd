"""The environment of a game, on the engine that fits."""

from __future__ import annotations

from typing import Never

from gdl.compiler.compiled_engine import CHOICES
from gdl.errors import EngineFault, Refusal, clean, warn_of_fault
from gdl.interpreter.rules_game import RulesGame
from gdl.playing import loading
from gdl.playing.loading import Given
from gdl.states.game_wrapper import GameWrapper, OtherGame
from gdl.wings.programs.environment import Environment
from gdl.wings.programs.numbering import RuleNumbering, numbering, rules_of
from gdl.wings.programs.reference import ReferenceEnvironment


def environment(
    game: Given, *, engine: str = "auto", seed: int = 0, steps: bool = False, **wrong: Never
) -> Environment:
    """Begin a play of a game, to be stepped by the numbers of actions. `gdl guide stepping` has a page on it.

    Args:
        game: a game, also one of a class of your own; what `loads` returns; or what `load` takes as `path`.
        engine: `auto` (the compiled engine where it can play the game), `interpreter`, `python` or `wasm`.
        seed: the whole number that decides what chance does.
        steps: True to ask for an action part by part, so that there are fewer numbers.
        wrong: options of other names, each of which is refused; parameters of the game go into `settings`.

    Returns:
        The play at its beginning.

    Raises:
        Refusal: the actions of the game cannot be numbered, or there is no such option.
        GameError: the file or the rules are wrong.

    Example:
        >>> import gdl
        >>> env = gdl.environment("tic_tac_toe", engine="interpreter")
        >>> env.step(4)
        >>> env.players[env.player], env.legal, env.names[0]
        ('O', (0, 1, 2, 3, 5, 6, 7, 8), 'take(a1)')
    """
    for name in wrong:
        help = "its own are engine=, seed= and steps=; settings are load's: gdl.environment(gdl.load(…, settings={…}))"
        raise Refusal(f"environment has no option {clean(name)}: {help}")
    game = loading.game_of(game)
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
