"""How a game looks is no rule: without `look` and without the remarks behind actions every answer is the same."""

import re

import pytest
from places import LANGUAGE
from shipped import texts

import gdl
from gdl.checker import variants
from gdl.model.fingerprint import fingerprint
from gdl.model.games import RulesModel
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator

SECTION = re.compile(r"^( *)look\n(?:\1 +.*\n|\n(?=\1 ))+", re.MULTILINE)
EMPTY = re.compile(r"^variant.*\n(?=\n|\Z|\S)", re.MULTILINE)  # of which nothing is left
REMARK = re.compile(r'^( *action (?:[^"#\n]|"[^"\n]*")*)#.*', re.MULTILINE)


def with_looks() -> list[tuple[str, str]]:
    every = list(texts().items())
    every += [(path.name, path.read_text(encoding="utf-8")) for path in sorted(LANGUAGE.glob("*.game"))]
    return [(name, text) for name, text in every if SECTION.search(text) or REMARK.search(text)]


def texts_of_play(game, seed: int) -> list[str]:
    """All that a random play tells: actions, what players know, evaluations and utilities."""
    generator, state, told = Generator(seed), game.initial(), []
    for _ in range(25):
        node = game.node(state)
        told += [str(node), *(game.describe(state, player) for player in range(len(game.players)))]
        if not (getattr(node, "actions", None) or getattr(node, "outcomes", None)):
            break
        state = game.successor(state, random_move(node, generator))
    return told


@pytest.mark.thorough_of("battleships", "chinese_checkers")
@pytest.mark.one_in(4)
@pytest.mark.parametrize(("name", "text"), [pytest.param(*each, id=each[0]) for each in with_looks()])
def test_a_game_is_played_alike_without_its_look(name, text):
    bare = REMARK.sub(r"\1", EMPTY.sub("", SECTION.sub("", text)))
    assert bare != text
    looks = set()
    for variant in (None, *variants(gdl.described(bare, name))):
        whole, without = (gdl.loads(each, name, variant=variant) for each in (text, bare))
        assert isinstance(whole.model, RulesModel) and isinstance(without.model, RulesModel)
        looks.add(whole.model.appearance == without.model.appearance)
        assert fingerprint(whole.model) == fingerprint(without.model)
        assert texts_of_play(whole.game, 1) == texts_of_play(without.game, 1)
    assert False in looks  # the file, or a variant of it, has another look


def test_some_games_have_a_look():
    assert {"battleships", "leduc", "liars_dice", "monopoly", "tablut", "ultimate_tic_tac_toe"} <= dict(
        with_looks()
    ).keys()
