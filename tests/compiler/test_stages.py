"""The stages of a game on its way to a module, as `gdl core --after` prints them."""

from typing import Any

from click.testing import CliRunner

import gdl
from gdl.commands import cli
from gdl.compiler.lower import lower, text_after_stage
from gdl.compiler.passes import STAGES

RULES = """game "Heap"
players Ann, Bob
state
    left: 0..20 = 20
    last: 1..3 = 1
action take(n: 1..3) when n <= left
    left := left - n
    last := n
terminal
    left = 0 -> win mover
"""


def test_every_stage_is_printed(tmp_path: Any) -> None:
    game: Any = gdl.loads(RULES).game
    texts = {stage: text_after_stage(game.model, game, stage) for stage in STAGES}
    assert texts["lowering"] == lower(game.model, game).source
    assert "    mover = s[1]\n" in texts["lowering"].split("def status")[1].split("def ")[0]
    assert "    mover = s[1]\n" not in texts["lowering"].split("def start")[1]
    (tmp_path / "heap.game").write_text(RULES)
    for stage in STAGES:
        result = CliRunner().invoke(cli.commands, ["core", str(tmp_path / "heap.game"), "--after", stage])
        assert (result.exit_code, result.stdout) == (0, texts[stage])


def test_a_stage_that_there_is_not_is_refused() -> None:
    result = CliRunner().invoke(cli.commands, ["core", "nim", "--after", "hoits"])
    assert result.exit_code == 2
    assert "no stage of the compiler is called 'hoits'" in result.stderr and "write 'hoist'" in result.stderr
