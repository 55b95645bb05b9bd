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
