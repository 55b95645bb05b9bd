"""All reachable states on the compiled engine: the counts of the interpreter, and known ones."""

from pathlib import Path

import pytest
from both_engines import ENGINES
from compiled_counts import states
from kernel_games import pays_on_the_way
from places import LANGUAGE
from sampling import one_in
from shipped import shipped, written_in

from gdl.compiler.searches import enumeration
from gdl.compiler.searches.enumeration import Enumeration
from gdl.errors import GameError, LimitReached, Refusal
from gdl.interpreter.rules_game import RulesGame
from gdl.states import count

pytest.importorskip("wasmtime")

LIMIT = 1500
QUICK = "breakthrough chomp connect_four dots_and_boxes fox_and_hounds hex kalah nim othello pig tic_tac_toe".split()
WHOLE = [
    ("tic_tac_toe", {}),
    ("nim", {}),
    ("pig", {"goal": "6"}),
    ("connect_four", {"columns": "3", "rows": "3", "run": "3"}),
    ("breakthrough", {"rows": "4", "columns": "2"}),
    ("kalah", {"houses": "2", "seeds": "2"}),
    ("pong_hau_ki", {}),
]
EXAMPLES = sorted(LANGUAGE.glob("*.game"))


def counted(found: RulesGame, engine: str | None, limit: int | None) -> tuple[object, str]:
    """The counts of an enumeration, and the limit that stopped it, if one did."""
    try:
        if engine is None:
            return count.states(found, limit), ""
        return states(found, found.initial(), engine, limit), ""
    except LimitReached as stop:
        return stop.partial, str(stop)


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("name", "settings"), WHOLE, ids=[name for name, _ in WHOLE])
def test_all_states_are_counted(name: str, settings: dict[str, str]):
    found = shipped(name, settings)
    assert counted(found, "wasm", None) == counted(found, "python", None) == counted(found, None, None)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", QUICK)
def test_a_limit_stops_at_the_same_state(name: str):
    found = shipped(name)
    assert counted(found, "wasm", LIMIT) == counted(found, None, LIMIT)


MEMORY = "the compiled engine does not tell states apart by what players remember"
REFUSED = {  # file -> why its states are not numbered there
    **dict.fromkeys(("attempts", "draws", "hearing", "taken_back", "visibility", "visibility_of_elements"), MEMORY),
    **dict.fromkeys(
        (
            "draw_times_seen",
            "draw_unseen",
            "draw_written_out",
            "public_attempt",
            "two_chance_steps",
            "whose_turn",
            "shuffled_decks",
            "shuffles",
            "seen_of_sequences",
            "learning",
            "learning_attempts",
            "learning_names",
            "learning_names_too",
            "learning_together",
            "love_letter",
            "draw_times_seen",
            "draw_unseen",
            "draw_written_out",
            "public_attempt",
            "together",
            "trials",
            "two_chance_steps",
            "unused_chance",
            "who_did_it",
            "whose_turn",
            "deal",
            "deal_kuhn",
            "deal_sets",
            "teams_hidden",
            "responses_hidden",
        ),
        MEMORY,
    ),
    "bodies": "n is assigned a value that it does not hold",
    "below_zero": "the positions before this one are not known to the search",  # of which `times` asks
}


@pytest.mark.thorough_of("deck_in_order")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("file", one_in(2, EXAMPLES, 1), ids=lambda file: file.stem)
def test_constructs_are_counted(file: Path):
    found = written_in(file)
    if not isinstance(found, RulesGame) or pays_on_the_way(found):
        return
    try:
        kernel = [counted(found, engine, 300) for engine in ENGINES]
    except Refusal as refusal:
        assert str(refusal).startswith(REFUSED[file.stem])
        return
    except GameError:
        with pytest.raises(GameError):
            counted(found, None, 300)
        return
    assert kernel[0] == kernel[1] == counted(found, None, 300)


@pytest.mark.thorough
def test_tables_grow():
    """More states than the first table of numbers holds: 161,029 positions, which others count as well."""
    found = shipped("connect_four", {"columns": "4", "rows": "4"})
    assert states(found, found.initial(), "wasm").states == 161_029
    larger = shipped("connect_four", {"columns": "5", "rows": "4"})
    search = Enumeration(larger, larger.initial(), "wasm", 700_000)
    with pytest.raises(LimitReached):
        search.result()
    assert sorted(set(search.module["keys"][:700_000])) == sorted(search.module["keys"][:700_000])


def test_memory_is_a_limit():
    found = shipped("connect_four")
    search = Enumeration(found, found.initial(), "wasm", memory=4 << 20)
    with pytest.raises(LimitReached, match="more states than fit in 4 MiB"):
        search.result()


@pytest.mark.parametrize("moment", [1, 7, 50, 75])
def test_numbering_that_ctrl_c_cuts_off_in_a_batch_goes_on_to_the_same(moment: int):
    found = shipped("pong_hau_ki")
    whole, cut = (Enumeration(found, found.initial(), "python") for _ in range(2))
    number_of, calls = cut.module["number_of"], iter(range(10**9))

    def interrupted(e: int) -> int:
        if next(calls) == moment:
            raise KeyboardInterrupt
        return int(number_of(e))

    cut.module["number_of"] = interrupted
    with pytest.raises(KeyboardInterrupt):
        list(cut)
    list(cut.slices())
    list(whole)
    assert cut.counts() == whole.counts()
    K = enumeration.K
    fields = K.LAYERED, K.EDGES, K.EXPANDED
    assert [cut.found[field] for field in fields] == [whole.found[field] for field in fields]
