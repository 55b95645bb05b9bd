"""The searches of tables and of several workers, as tests of the translation make them."""

from gdl.wings.hidden.sampling import Sampling
from gdl.wings.tables.counting_by_two import Count, Half
from gdl.wings.tables.rounds_driver import Piecework, sample_in_rounds

TRANSLATED = {
    Count: (Count,),
    Half: (lambda game, start, engine: Half(1, game, start, engine),),
    Sampling: (
        lambda game, start, engine: Piecework(game, start, engine).sampling,
        lambda game, start, engine: sample_in_rounds(game, start, engine, lambda pieces, known: iter(())),
    ),
}
