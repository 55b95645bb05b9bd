"""Constructs that real games asked for, each shown by the smallest game that needs it."""

from fractions import Fraction
from textwrap import dedent

import pytest

from gdl import loads
from gdl.errors import GameError
from gdl.game import Chance, Decision, Terminal
from gdl.states import count


def node(text: str, *actions: str):
    """The node that these actions lead to."""
    game = loads(dedent(text)).game
    state = game.initial()
    for action in actions:
        state = game.successor(state, action)
    return game.node(state)


def actions(text: str, *before: str) -> tuple[str, ...]:
    """The legal actions after these actions."""
    found = node(text, *before)
    assert isinstance(found, Decision)
    return found.actions


def test_half_a_ring_lies_between_the_two_views_of_it():
    text = """
    players Ann, Bob
    board Pit = ring(6) rotated for Bob
    state
        stone: Pit?
    action put(n: 1..6) as "{Pit(n) for mover}"
        stone := Pit(n) for mover
    terminal
        stone != none -> draw
    """
    assert actions(text) == ("1", "2", "3", "4", "5", "6")
    assert actions(text.replace("action put", "start Bob\n    action put")) == ("4", "5", "6", "1", "2", "3")


def test_a_boolean_is_false_until_it_is_assigned():
    text = """
    players Ann, Bob
    state
        lit[1..2]: Boolean
    action light(n: 1..2) when not lit[n]
        lit[n] := true
    terminal
        lit[1] and lit[2] -> draw
    """
    assert count.perft(loads(dedent(text)).game, 2) == 2


def test_a_first_value_may_use_definitions_that_stand_below():
    text = """
    players Ann, Bob
    board Square = grid(2, 1)
    state
        stone[s: Square]: Player? = first p in Player: s = home(p)
    define home(p: Player) = Square(number(p), 1)
    define free(s: Square) = stone[s] = none
    action take(s: Square) when stone[s] = other(mover)
        stone[s] := mover
    terminal
        forall s in Square: not free(s) and stone[s] = Ann -> draw
    """
    assert actions(text) == ("take(b1)",)


def test_owner_is_a_name_like_any_other_outside_of_visible_to():
    text = """
    players Ann, Bob
    state
        owner: Player?
        coin[Player]: 0..1 visible to owner
    action take
        owner := mover
        coin[mover] := 1
    terminal
        owner != none -> win owner
    """
    assert node(text, "take") == Terminal((1, -1))


def test_until_goes_on_to_the_first_that_fits_and_no_further():
    text = """
    players Ann, Bob
    board Square = grid(5, 1)
    state
        stone[s: Square]: Player? = if s in {c1, e1} then Bob else none
        at: Square = a1
    action slide(b: ray(at, east) until stone[b] != none) as "{b}"
        at := b
    action jump when (count q in ray(at, east) until stone[q] != none where stone[q] = none: true) = 1
        at := e1
    terminal
        at != a1 -> draw
    """
    assert actions(text) == ("b1", "c1", "jump")


def test_merged_runs_of_unequal_rank_do_not_hide_one_another():
    text = """
    players Ann, Bob
    state
        done: Boolean
    action play merge
        choose n: 1..2 as " by {n}"
        rank n
        done := true
    terminal
        done -> draw
    """
    assert actions(text) == ("play by 2",)


def test_an_endless_recursion_is_a_fault_and_an_ending_one_is_not():
    text = """
    players Ann, Bob
    state
        total: 0..10
    define sum_to(n: 0..100): 0..5050 = if n = END then 0 else n + sum_to(n - 1)
    action add
        total := sum_to(4)
    terminal
        total > 0 -> total
    """
    assert node(text.replace("END", "0"), "add") == Terminal((10, -10))
    with pytest.raises(GameError, match="calls itself more than"):
        node(text.replace("END", "5"), "add")


def test_a_variant_may_leave_a_part_of_its_file_unused_but_not_of_its_own():
    text = """
    players Ann, Bob
    state
        tired: Boolean
    action run when not tired
        tired := true
    action sleep when tired
        tired := false
    terminal
        forever -> draw
    variant sleepless
        state
            bored: Boolean
        action run
            tired := true
            bored := true
        action sleep
            tired := false
    """
    assert loads(dedent(text)).warnings == ()
    (warning,) = loads(dedent(text), variant="sleepless").warnings
    assert warning.message == "bored is written but never read"


def test_start_may_make_the_first_position_and_say_who_begins():
    text = """
    game "Opening" (n = 4, first = true)
    players Ann, Bob
    board Square = grid(n, 1)
    state
        stone[Square]: Player?
    start
        for s in Square where column(s) > n div 2
            stone[s] := Bob
        if first
            next hide
        else
            next Bob
    chance hide(s: Square) when stone[s] != none
        stone[s] := none
        next Ann
    action take(s: Square) when stone[s] = Bob
        stone[s] := mover
    terminal
        forall s in Square: stone[s] != Bob -> draw
    variant quick
        start Bob
    """
    game = loads(dedent(text)).game
    assert game.node(game.initial()) == Chance((("hide(c1)", Fraction(1, 2)), ("hide(d1)", Fraction(1, 2))))
    assert actions(text.replace("first = true", "first = false")) == ("take(c1)", "take(d1)")
    assert loads(dedent(text), variant="quick").game.initial().turn == 1


def test_start_and_resolve_cannot_choose():
    with pytest.raises(GameError, match="'start' has only effects"):
        loads("players Ann\nstart\n    choose p: Player\naction wait\nterminal\n    forever -> draw\n")


def test_one_picture_may_show_several_arrays_and_a_variant_keeps_its_legend():
    text = """
    players White, Black
    type Kind = king, pawn
    board Square = grid(2, 2)
    state
        side[Square]: Player?
        kind[Square]: Kind?
    setup side, kind
        K = White king, p = Black pawn
        . p
        K .
    action take(a: Square, b: Square) when side[a] = mover and side[b] = other(mover)
        side[b] := mover
        kind[b] := kind[a]
    terminal
        no actions -> draw
    variant crowded
        setup side, kind
            p p
            K P
            P = White pawn
    """
    game = loads(dedent(text)).game
    assert actions(text) == ("take(a1, b2)",)
    assert game.show(game.initial()) == "2 . p\n1 K .\n  a b"
    crowded = loads(dedent(text), variant="crowded").game
    assert len(crowded.node(crowded.initial()).actions) == 4
    assert crowded.show(crowded.successor(crowded.initial(), "take(b1, a2)")) == "2 P p\n1 K P\n  a b"


def test_a_legend_has_a_word_for_each_array():
    text = """
    players White, Black
    board Square = grid(1, 1)
    state
        side[Square]: Player?
        king[Square]: Boolean
    setup side, king
        K = White
        K
    action pass
    terminal
        forever -> draw
    """
    with pytest.raises(GameError, match="a value for each of side and king is due here"):
        loads(dedent(text))


def test_a_line_goes_on_with_and_or_the_else_of_its_then_and_after_a_colon_or_a_sign_of_value():
    text = """
    players Ann, Bob
    state
        total: 0..9 =
            if 1 < 2 then 0
            else 1
    define price(n: 1..3) = if n = 1 then 1
        else if n = 2 then 2
        else 3
    define some = exists n in 1..3:
        price(n) = 3
        and 1 < 2
    action pay(n: 1..3)
        if n = 3
            total := if some then price(n) else 0
        else
            total :=
                price(n)
    terminal
        total > 0 -> total
    """
    assert node(text, "pay(3)") == Terminal((3, -3))
    assert node(text, "pay(2)") == Terminal((2, -2))


def test_a_tree_may_have_actions_called_then_and_else():
    tree = """
    players MAX, MIN
    tree
        MAX
            then: 1
            else: 2
    """
    assert actions(tree) == ("then", "else")


def test_a_table_is_set_up_row_by_row_and_names_have_no_blanks_at_their_ends():
    text = """
    players Ann, Bob
    state
        purse[Player, 1..3]: 0..9
    setup purse
        0 2 0
        3 0 1
    action pay as ""
        choose p: Player, n: 1..3 as "{p}'s {n} " when purse[p, n] > 0
        choose m: 1..3 as "to {m} " when purse[p, m] = 0
        purse[p, m] := purse[p, n]
        purse[p, n] := 0
    terminal
        forever -> draw
    """
    assert actions(text) == ("Ann's 2 to 1", "Ann's 2 to 3", "Bob's 1 to 2", "Bob's 3 to 2")


def test_a_picture_of_the_wrong_size_is_told():
    text = (
        "players Ann\nstate\n    purse[1..3]: 0..9\nsetup purse\n    1 2\naction wait\nterminal\n    forever -> draw\n"
    )
    with pytest.raises(GameError, match="the picture shows 2 squares, and purse has 3"):
        loads(text)


def test_an_action_without_a_name_is_a_fault():
    with pytest.raises(GameError, match="wait has no name here"):
        node('players Ann\nstate\n    n: 0..1\naction wait as "" when n = 0\n    n := 1\nterminal\n    n = 1 -> 1\n')


def test_equal_outcomes_of_a_merging_step_add_their_chances():
    text = """
    players Ann
    state
        sum: 0..4
    start roll
    chance roll merge
        choose a: 1..2
        choose b: 1..2
        sum := a + b
    terminal
        sum > 0 -> sum
    """
    assert node(text) == Chance(
        (("roll 1 1", Fraction(1, 4)), ("roll 1 2", Fraction(1, 2)), ("roll 2 2", Fraction(1, 4)))
    )


def test_what_is_known_after_forgetting_has_names_of_its_own():
    """Both remember nothing, but the board that they see then tells the two positions apart."""
    game = loads(
        dedent("""
    players Ann, Bob
    state
        heap: 0..3
        secret: 0..1 visible to none
        turns: 0..2
    action go(n: 1..2)
        heap := n
        turns := turns + 1
        forget
    terminal
        turns = 2 -> draw
    """)
    ).game
    after = [game.successor(game.initial(), action) for action in ("go(1)", "go(2)")]
    assert len({game.information_set(state, 1) for state in after}) == 2
    assert [game.describe(state, 1) for state in after] == ["[heap=1 turns=1]", "[heap=2 turns=1]"]
    assert game.describe(game.initial(), 0) == "start"


@pytest.mark.parametrize(
    "effect",
    [
        "insert(pile, 4, K)", "insert(pile, none_there, K)", "insert(pile, 0, K)", "remove(pile, 3)",
        "remove(pile, none_there)", "remove(pile, 0)", "one := pile", "pile[3] := K", "pile[1] := first(held)",
    ],
)  # fmt: skip
def test_a_place_that_a_sequence_has_not_is_a_fault(effect: str):
    """No other element is put in, taken out or changed instead."""
    text = f"""players P
type Card = J < Q < K
state
    pile: sequence of Card up to 3 = [J, Q]
    held: sequence of Card up to 3
    one: sequence of Card up to 1
    none_there: 1..3?
action act
    {effect}
action fill
    push(one, J)
    push(held, J)
    none_there := 1
terminal
    size(pile) = 0 and size(one) = 0 and size(held) = 0 and none_there = 1 -> 0
    forever -> 0
"""
    with pytest.raises(GameError, match=r"pile has no such element|one has no place 2"):
        node(text, "act")


def test_of_a_type_some_are_drawn_at_once():
    text = """players Ann, Bob
type Card = J < Q < K
state
    seen: set of Card
start deal
chance deal(w: 2 from Card)
    seen := w
    next Ann
action end
terminal
    seen != {} -> draw
"""
    assert [name for name, _ in node(text).outcomes] == ["deal({J, Q})", "deal({J, K})", "deal({Q, K})"]
