"""The searches of this wing, with what changes their code, which tests/compiler/test_code_generation.py translates."""

from typing import Any

from gdl.compiler.searches.mcts_driver import MctsTreeOptions
from gdl.interpreter.rules_game import RulesGame
from gdl.solvers.mcts.mcts import TreeSettings
from gdl.wings.learning.patterns import inputs_of
from gdl.wings.learning.puct_driver import KernelPuctTree
from gdl.wings.learning.self_play import Numbers, SelfPlay, draw_initial_net
from gdl.wings.learning.self_play_learners import TablePupil, outputs
from gdl.wings.learning.series import Series
from gdl.wings.learning.temporal_differences import TdSelfPlay
from gdl.wings.programs.compiled import digits_of
from gdl.wings.programs.numbering import RuleNumbering


def teaching(game: Any, start: Any, engine: str) -> TdSelfPlay:
    """A search that teaches tables, without symmetries, for which the rules would have to be searched."""
    return TdSelfPlay(game, start, engine, TablePupil(game, start, inputs_of(game.model, True, outputs(game), ())))


def numbers(game: Any) -> Numbers:
    """The numbers of a game's actions."""
    found = RuleNumbering(game.model)
    # A net never has more outputs: where there are more actions, they are numbered by steps.
    return Numbers(digits_of(game, found), min(found.total, 1 << 16))


def led(game: Any, start: Any, engine: str) -> KernelPuctTree:
    """A tree that is led by a net which has learned nothing."""
    of_net = RulesGame(game.model.copy_with(learned=draw_initial_net(game, start, numbers(game), 1).net))
    manner = MctsTreeOptions((1,) * len(game.players), 999, 99, 9, 3)
    return KernelPuctTree(of_net, start, engine, TreeSettings(20, None, 1, (1.0, 1.0)), manner, 0.1, True)


TRANSLATED = {
    KernelPuctTree: (led,),
    Series: (),  # what the two have in common
    TdSelfPlay: (teaching,),
    SelfPlay: (
        lambda game, start, engine: SelfPlay(game, start, engine, draw_initial_net(game, start, numbers(game), 1)),
    ),
}
