"""Stacks of records on the squares of a board: drawn as text, and on the page with all cells of a square."""

import gdl
from gdl.interpreter.drawing import draw
from gdl.interpreter.rules_game import RulesGame
from gdl.playing.page_engine import page_engine
from gdl.render.boards_data import boards_data

STACKS = """
players Ann, Bob
type Kind = queen, ant
type Bug = record(owner: Player, kind: Kind)
board Cell = grid(2, 1)
state
    bugs[Cell]: sequence of Bug up to 3
    reserve[Player]: sequence of Kind up to 2 = [ant, queen]
action put(c: Cell) as "{c}" when size(reserve[mover]) > 0 and size(bugs[c]) < 3
    push(bugs[c], Bug(mover, last(reserve[mover])))
    pop(reserve[mover])
action lift when size(bugs[a1]) > 0
    pop(bugs[a1])
terminal
    no actions -> draw
"""


def stacks() -> RulesGame:
    found = gdl.loads(STACKS, "stacks").game
    assert isinstance(found, RulesGame)
    return found


def after(game: RulesGame, *names: str):
    state = game.initial()
    for name in names:
        state = game.successor(state, name)
    return state


def test_they_are_drawn_from_below():
    game = stacks()
    state = after(game, "a1", "a1", "b1")
    assert draw(game.model, state.cells) == "1 AqBq   Aa\n     a    b\nreserve: Ann: [], Bob: [ant]"


def test_the_page_knows_the_cells_of_a_square():
    game = stacks()
    (board,) = boards_data(game.model, page_engine(game).number)
    first = game.model.variables[0].place
    assert [square["cells"] for square in board["squares"]] == [
        [*range(first, first + 3)],
        [*range(first + 3, first + 6)],
    ]
    assert board["stacked"]
    assert board["variables"][0]["signs"][1:] == [[0, "Aq"], [1, "Aa"], [2, "Bq"], [3, "Ba"]]


OFFERS = """
players Ann, Bob
type Good = wood, clay
type Pair = record(one: Good, two: Good?)
type Offer = record(giver: Player, pair: Pair, fair: Boolean)
state
    offers: sequence of Offer up to 2
    held[Player]: Offer?   visible to owner
    seen: set of Pair
    worth[Pair]: 0..3 = 1
action offer(o: Offer) as "{o.pair}" when o.giver = mover and o.fair
    push(offers, o)
    held[other(mover)] := o
    seen := seen + {o.pair}
    worth[o.pair] := 2
terminal
    size(offers) = 2 -> draw
"""


def test_fields_of_records_are_shown_by_their_names():
    game = gdl.loads(OFFERS, "offers").game
    assert isinstance(game, RulesGame)
    name = "Pair(clay, none)"
    assert name in game.node(game.initial()).actions
    state = after(game, name)
    shown = "(giver Ann, pair (one clay, two none), fair true)"
    assert draw(game.model, state.cells).splitlines() == [
        f"offers = [{shown}]",
        f"held: Ann: none, Bob: {shown}",
        "seen = {(one clay, two none)}",
        "worth: (one wood, two none): 1, (one wood, two wood): 1, (one wood, two clay): 1, "
        "(one clay, two none): 2, (one clay, two wood): 1, (one clay, two clay): 1",
    ]
    memories = [game.information_set(each, 1) for each in (game.initial(), state)]
    assert f"held={shown}" in [f"{each.variable}={each.value}" for each in game.memorist.learnt(*memories, 1)]


def test_the_page_shows_fields_by_their_names_and_keeps_them_out_of_names_of_actions():
    engine = page_engine(gdl.loads(OFFERS, "offers").game)
    pair = next(each for each in engine.types() if "Pair(wood, none)" in each.get("names", ()))
    assert pair["shown"][4] == "(one clay, two wood)" and pair["names"][4] == "Pair(clay, wood)"
