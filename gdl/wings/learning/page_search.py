"""Tree search led by a net, as a page has it: what its module is made of."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from gdl.compiler.joining import kernel
from gdl.compiler.lower.files import keeping
from gdl.compiler.searches.mcts_driver import MctsTreeOptions, fill_settings
from gdl.interpreter.rules_game import RulesGame
from gdl.wings.learning import compiled_nets, puct
from gdl.wings.learning.puct_driver import fill_exploration, lower_for_net


class PageSearch(NamedTuple):
    """The code that is joined, the functions that are called, those that fill its memory, and what a script must know
    beside that."""

    joined: list[Any]
    entries: tuple[str, ...]
    fill: list[Callable[[Any], None]]
    known: dict[str, float]


def page_search(game: RulesGame, nodes: int, words: int) -> PageSearch:
    """The search of a game with a net, with room for this number of `nodes`, and for states of so many `words`
    together."""
    net = game.model.learned
    lowered, numbers = lower_for_net(game, net)
    code = kernel("mcts", "network", "refutation", LED=1, CHANCES=bool(game.model.chances), WEIGHED=lowered.weighs,
                  FEW_WAYS=puct.FEW_ACTIONS, NODES=nodes, STATES=min(nodes, words // lowered.layout.words),
                  DEPTH=puct.LONGEST, **numbers.settings, **compiled_nets.sizes(net))  # fmt: skip
    manner = {name: value for name, value in puct.engine_settings(game).items() if name != "less"}
    tree = partial(fill_settings, c=(puct.EXPLORATION, puct.EXPLORATION), manner=MctsTreeOptions(**manner), price=None,
                   denominator=lowered.denominator)  # fmt: skip
    leads = partial(fill_exploration, c=puct.EXPLORATION, less=puct.LESS)
    return PageSearch(
        [lowered.module, *lowered.further, *keeping(lowered.keys), *code.parts],
        ("uct_begin", "uct_run", "uct_choice", "refute_begin", "refute_run"),
        [numbers.fill, partial(compiled_nets.fill, net), tree, leads],
        {"middle": net.scale.middle, "half": net.scale.half},
    )
