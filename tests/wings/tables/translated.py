"""The counts by two threads, as tests of the translation make them."""

from gdl.wings.tables.counting_by_two import Count, Half

TRANSLATED = {
    Count: (Count,),
    Half: (lambda game, start, engine: Half(1, game, start, engine),),
}
