"""The searches of this wing, with what changes their code, which tests/compiler/test_code_generation.py translates."""

from gdl.wings.programs.batch import Environments
from gdl.wings.programs.batch_driver import Batch
from gdl.wings.programs.compiled import machine
from gdl.wings.programs.numbering import RuleNumbering
from gdl.wings.programs.stepping_driver import Stepping

TRANSLATED = {
    Batch: (lambda game, start, engine: Environments(game, 3, 1, engine, 16),),
    Stepping: (lambda game, start, engine: machine(game, RuleNumbering(game.model), engine),),
}
