"""Games by rules as compiled code: the model is lowered to kernel Python, which runs as it stands or as WebAssembly."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gdl.compiler.engine import CompiledGame
    from gdl.model.games import RulesModel


def compile_game(model: RulesModel) -> CompiledGame:
    """The game on the compiled engine; Refusal names the construct that it does not take."""
    from gdl.compiler.engine import CompiledGame
    from gdl.interpreter.playable_rules import playable

    return CompiledGame(playable(model))


__all__ = ["compile_game"]
