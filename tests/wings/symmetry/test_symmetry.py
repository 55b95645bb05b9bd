"""Symmetries: those of games where they are known, images that are played alike, and near misses that are none."""

import random
import re
from array import array
from dataclasses import replace
from functools import cache

import compiled_counts
import pytest
from sampling import one_in
from shipped import texts

import gdl
from gdl.commands.engines import offer
from gdl.compiler import python, wasm
from gdl.compiler.lower import lower
from gdl.compiler.lower.packing import packing
from gdl.compiler.searches import principal_variation, proof_number_driver, retrograde
from gdl.errors import Refusal
from gdl.game import Chance, Decision, Terminal
from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.rules_game import RulesGame
from gdl.solvers import solve
from gdl.states import count
from gdl.states.explore import explore
from gdl.wings.symmetry.folded_game import FoldedGame
from gdl.wings.symmetry.group import find_symmetries, generate_group
from gdl.wings.symmetry.group_folding import GroupFolding
from gdl.wings.symmetry.image_code import image_code
from gdl.wings.symmetry.usable_symmetries import usable_symmetries

KNOWN = {  # game and settings -> symmetries that keep the players, and all
    "tic_tac_toe": (8, 16),
    "tic_tac_toe columns=4": (4, 8),
    "tic_tac_toe_3d": (48, 96),
    "connect_four": (2, 2),
    "nim": (24, 48),
    "nim heaps=3,3,3,3,3": (120, 240),
    "pig": (1, 2),
    "kalah houses=3 seeds=2": (1, 2),
    "breakthrough rows=4 columns=4": (2, 4),
    "domineering": (4, 8),
    "chomp rows=3 columns=3": (2, 4),
    "chomp": (1, 2),
    "dots_and_boxes": (8, 16),
    "konane columns=4 rows=4": (8, 8),
    "pong_hau_ki": (2, 4),
    "othello n=4": (8, 16),
    "go columns=3 rows=2": (4, 8),
    "kayles": (2, 4),
    "hex": (2, 2),
    "hex n=5": (2, 2),
    "wythoff": (1, 2),  # the heaps may hold different numbers
    "wythoff a=4 b=4": (2, 4),
    "quarto": (8, 16),
    "2048 side=2 target=8": (8, 8),
    "ultimate_tic_tac_toe": (8, 8),
}

CORNER = """
players A, B
board Square = grid(3, 3)
state
    mark[Square]: Player?
action take(s: Square) when mark[s] = none
    mark[s] := mover
terminal
    no actions -> {pays}
"""


@cache
def loaded(text, **settings):
    name, *set = text.split(" ") if "\n" not in text else (text,)
    settings |= dict(part.split("=") for part in set)
    return gdl.loads(name if "\n" in name else gdl.read(name)[0], "g", settings=settings).model


@cache
def played(text):
    """The game, which all tests have in common, and so what is lowered of it."""
    return RulesGame(loaded(text))


@cache
def symmetries(text):
    return find_symmetries(loaded(text))


SLOW = {"nine_mens_morris": (16, 32), "go columns=3 rows=3": (8, 16), "tablut": (8, 8)}
ALL = [*KNOWN, *[pytest.param(game, marks=pytest.mark.slow) for game in SLOW]]


@pytest.mark.thorough_of("othello n=4")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("game", ALL)
def test_known_symmetries_and_that_images_are_played_alike(game):
    found, rules, rng = symmetries(game), played(game), random.Random(7)
    assert (found.kept, found.order, found.missing) == (*(KNOWN | SLOW)[game], "")
    state = rules.initial()
    for _ in range(12):
        node = rules.node(state)
        for symmetry in (*found.keeping, *found.exchanging):
            held_alike(rules, symmetry, state)
        if isinstance(node, Terminal):
            break
        outcomes = node.actions if isinstance(node, Decision) else [outcome for outcome, _ in node.outcomes]
        state = rules.successor(state, rng.choice(list(outcomes)))


def held_alike(rules, symmetry, state):
    """The node of the image is the image of the node."""
    node, image = rules.node(state), symmetry.image(state)
    other = rules.node(image)
    assert type(node) is type(other)
    match node:
        case Terminal():
            assert symmetry.utilities(node.utilities) == other.utilities
        case Decision():
            assert symmetry.players[node.player] == other.player
            after = sorted(repr(symmetry.image(rules.successor(state, a))) for a in node.actions)
            assert after == sorted(repr(rules.successor(image, a)) for a in other.actions)
        case Chance():
            after = sorted((repr(symmetry.image(rules.successor(state, a))), p) for a, p in node.outcomes)
            assert after == sorted((repr(rules.successor(image, a)), p) for a, p in other.outcomes)


@pytest.mark.parametrize(
    ("pays", "kept"),
    [
        ("draw", 362880),  # nothing is ever asked of any square
        ("(if mark[a1] = A then 1 else 0) - (if mark[c3] = A then 1 else 0)", 5040),
        ("(count s in Square: mark[s] = A) - 4", 362880),
        ("sum s in Square: if mark[s] = A then column(s) else 0", 216),
        ("if (first s in Square: mark[s] = A) = a1 then 1 else -1", 40320),
    ],
)
def test_only_what_the_rules_bear_is_a_symmetry(pays, kept):
    assert find_symmetries(loaded(CORNER.format(pays=pays))).kept == kept


@pytest.mark.thorough_of("tic_tac_toe")
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "game", ["tic_tac_toe", "nim", "pong_hau_ki", "connect_four columns=3 rows=3 run=3", "2048 side=2 target=8"]
)
def test_a_folded_game_has_one_state_of_each_class(game):
    rules = played(game)
    folded = FoldedGame(rules, rules.initial(), symmetries(game).keeping)
    all = explore(rules)
    classes = {folded.representative(state): node for state, node in zip(all.states, all.nodes, strict=True)}
    found = count.states(folded)
    assert found.states == len(classes) < len(all.states)
    assert found.terminal == sum(isinstance(node, Terminal) for node in classes.values())


def test_tic_tac_toe_has_765_positions():
    """As counted by many; by ply and with 138 ends."""
    rules = played("tic_tac_toe")
    found = count.states(FoldedGame(rules, rules.initial(), symmetries("tic_tac_toe").keeping))
    assert (found.states, found.terminal) == (765, 138)
    assert found.depth == (1, 3, 12, 38, 108, 174, 204, 153, 57, 15)


@pytest.mark.parametrize(
    ("game", "value"), [("tic_tac_toe columns=2 run=2", 1), ("nim heaps=3,3,2", 1), ("nim heaps=1,2,3", -1)]
)
def test_a_folded_game_has_the_value_of_the_game(game, value):
    rules = played(game)
    folded = FoldedGame(rules, rules.initial(), symmetries(game).keeping)
    assert solve(folded, solver="minimax").value[0] == solve(rules, solver="minimax").value[0] == value


@pytest.mark.parametrize(
    ("game", "missing"),
    [
        ("kuhn", "something that a player does not see"),
        ("goofspiel", "something that a player does not see"),
        ("awari", "'times', which asks about the past"),
    ],
)
def test_what_cannot_be_looked_at_is_said(game, missing):
    found = symmetries(game)
    assert found.order == 1 and missing in found.missing


ENGINE = "wasm" if wasm.available() else "python"
FOLDED = [
    "tic_tac_toe", "tic_tac_toe_3d", "connect_four", "nim", "othello n=4", "dots_and_boxes", "domineering",
    "go columns=3 rows=2", "quarto", "2048 side=2 target=8", "kayles",
]  # fmt: skip


@pytest.mark.thorough_of("othello n=4-keeping", "quarto-exchanging", "quarto-keeping", "othello n=4-exchanging")
@pytest.mark.parametrize("exchanging", [False, True], ids=["keeping", "exchanging"])
@pytest.mark.parametrize("game", one_in(2, [*FOLDED, "pig"]))
def test_kernel_code_folds_all_images_to_one_of_them(game, exchanging):
    model = loaded(game)
    rules, found, rng = played(game), symmetries(game), random.Random(3)
    group = generate_group((*found.keeping, *(found.exchanging if exchanging else ())), 128)
    lowered = lower(model, rules)
    folds = image_code(lowered.layout, group)
    assert folds is not None
    module = python.load([lowered.source, packing(model, lowered.layout).code, *folds])

    def folded(state):
        module["s"][:] = memoryview(array("i", lowered.layout.words_of_state(state.turn, state.cells)))
        module["fold"]()
        mover = module["s"][0] if module["s"][0] >= 0 else module["s"][1]
        return tuple(module["key"]), (mover, *lowered.layout.read(module["s"]))

    state = rules.initial()
    for _ in range(10):
        key, cells = folded(state)
        images = [symmetry.image(state) for symmetry in group]
        assert cells in {(image.mover, *image.cells[FIRST_CELL:]) for image in (state, *images)}
        assert {folded(image) for image in (state, *images)} == {(key, cells)}
        node = rules.node(state)
        if isinstance(node, Terminal):
            break
        outcomes = node.actions if isinstance(node, Decision) else [outcome for outcome, _ in node.outcomes]
        state = rules.successor(state, rng.choice(list(outcomes)))


@pytest.mark.parametrize("engine", ["python", "wasm"])
@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four columns=3 rows=3 run=3", "pong_hau_ki"])
def test_the_compiled_engine_counts_the_same_classes(game, engine):
    if engine == "wasm":
        pytest.importorskip("wasmtime")
    rules, found = played(game), symmetries(game)
    group = generate_group(found.keeping, 128)
    counted = count.states(FoldedGame(rules, rules.initial(), found.keeping))
    assert compiled_counts.states(rules, rules.initial(), engine, folding=GroupFolding(group)) == replace(
        counted, symmetries=found.kept
    )


EXCHANGED = {  # game -> its states up to all symmetries, and whether those that exchange players join any
    "tic_tac_toe": (765, False),
    "nim": (143, True),
    "pong_hau_ki": (15, True),
    "pig goal=10": (1548, True),
    "kalah houses=3 seeds=2": (2721, True),
    "dots_and_boxes": (732, True),
    "go columns=2 rows=2": (27, True),
    "domineering": (648, False),
}


@pytest.mark.thorough_of("go columns=2 rows=2")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", one_in(2, EXCHANGED))
def test_players_may_change_parts_where_states_are_only_counted(game):
    """One state of each class, as the interpreter finds them; and whether it was any use."""
    rules, found = played(game), symmetries(game)
    states, joined = EXCHANGED[game]
    every = (*found.keeping, *found.exchanging)
    folded = FoldedGame(rules, rules.initial(), every)
    counted = count.states(folded)
    assert (counted.states, folded.joined) == (states, joined)
    of_start = count.states(FoldedGame(rules, rules.initial(), found.keeping)).states
    assert (states < of_start) == joined
    used = found.order if joined else found.kept
    group = generate_group(every, found.order)
    assert compiled_counts.states(rules, rules.initial(), ENGINE, folding=GroupFolding(group)) == replace(
        counted, symmetries=used
    )


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "game",
    one_in(2, [
        "tic_tac_toe",
        "connect_four columns=4 rows=4",
        "othello n=4",
        "domineering",
        "nim heaps=3,3,3,2",
        "konane columns=4 rows=4",
        "kalah houses=3 seeds=2",
        "dots_and_boxes",
        "wythoff a=5 b=5",
        "breakthrough rows=4 columns=4",
    ]),
)  # fmt: skip
def test_a_search_up_to_symmetry_finds_the_same(game, monkeypatch):
    """The value, the actions that are as good, and a line of play that is worth as much."""
    rules = played(game)
    found = []
    for trial in (10_000_000, 20):
        monkeypatch.setattr(principal_variation, "TRIAL", trial)
        search = principal_variation.PrincipalVariation(rules, rules.initial(), ENGINE)
        for _ in search.solve():
            pass
        state = rules.initial()
        for action in search.answer.line:
            state = rules.successor(state, action)
        assert rules.node(state).utilities[0] == search.answer.value
        assert (search.symmetries > 1) == (trial == 20)
        found.append((search.answer.value, sorted(search.answer.best), search.answer.proved))
    assert found[0] == found[1]


COUNTED = re.compile(r"^expect states = (\d+)(?: with (.*))?$", re.MULTILINE)
SMALL = [
    " ".join([name, *settings.replace(" = ", "=").split(", ")]).strip()
    for name, text in texts().items()
    for states, settings in COUNTED.findall(text)
    if int(states) < 6_000
]


@pytest.mark.thorough_of("tic_tac_toe_3d n=2", "breakthrough rows=4 columns=2")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", one_in(2, SMALL))
def test_every_position_of_every_small_game_is_worth_the_same(game):
    """And the end is as far: by retrograde analysis, of one position of those that are symmetric and of all."""
    pytest.importorskip("wasmtime")
    rules = played(game)
    if symmetries(game).missing or rules.traits.simultaneous or rules.traits.constant_sum is None:
        return
    try:
        folded = analysed(rules, symmetry=True)
    except Refusal as refused:
        assert "has no symmetry that turns one of its positions into another" in str(refused)
        return
    plain = analysed(rules, symmetry=False)
    assert folded.states <= plain.states
    for state in explore(rules).states:
        one, other = plain.number(state), folded.number(state)
        assert (plain.value(one), plain.rank(one)) == (folded.value(other), folded.rank(other))


def analysed(rules, symmetry):
    search = retrograde.Retrograde(rules, rules.initial(), "wasm", symmetry=symmetry)
    price = rules.model.forever[0] if rules.model.forever else 0
    for step in (search.explore, lambda: search.prepare(price), lambda: search.analyse(price)):
        for _ in step():
            pass
    return search


@pytest.mark.thorough
def test_no_image_is_met_in_which_actions_share_a_name():
    """The mirror image of a board of draughts has men on squares that have no number."""
    rules = played("checkers n=4 men=1")
    known = symmetries("checkers n=4 men=1")
    assert known.order == 4
    left = usable_symmetries(known, rules, rules.initial())
    assert (left.keeping, left.exchanging, left.order) == ((), (), 1)


@pytest.mark.thorough_of("othello n=4-early")
@pytest.mark.one_in(4)
@pytest.mark.parametrize("trial", [100, 3_000], ids=["early", "late"])
@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four columns=4 rows=3", "othello n=4", "nim heaps=3,3,3,2"])
def test_proof_numbers_up_to_symmetry_prove_the_same(game, trial, monkeypatch):
    """The search folds from its first question on, or has answered some before."""
    rules = played(game)
    found = []
    for tried in (10_000_000, trial):
        monkeypatch.setattr(proof_number_driver, "TRIAL", tried)
        search = proof_number_driver.ProofNumber(rules, rules.initial(), ENGINE)
        for _ in search.solve():
            pass
        assert (search.symmetries > 1) == (tried < search.nodes)
        found.append((search.value, search.best))
    assert found[0] == found[1]


ANALYSED = [
    "connect_four columns=3 rows=3 run=3", "pong_hau_ki", "nim heaps=3,3,2", "2048 side=2 target=8",
    "kalah houses=3 seeds=2", "kayles", "wythoff a=4 b=4", "dots_and_boxes rows=1 columns=2", "subtraction",
]  # fmt: skip


@pytest.mark.thorough_of("wythoff a=4 b=4")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", one_in(2, ANALYSED))
def test_retrograde_analysis_up_to_symmetry_finds_the_same(game):
    found = []
    for symmetry in (False, True):
        rules = played(game)
        rules = offer(rules, ENGINE)
        answer = solve(rules, solver="retrograde", symmetry=symmetry)
        length = [note for note in answer.notes if "plies" in note]
        found.append((answer.value, answer.best, answer.line, answer.exact, length))
        state = rules.initial()
        for action in answer.line:  # which is a line of play, not of images
            state = rules.successor(state, action)
    assert found[0] == found[1]
    known = symmetries(game)
    of_all = FoldedGame(rules, rules.initial(), (*known.keeping, *known.exchanging))
    assert answer.states == count.states(of_all).states


@pytest.mark.parametrize("worth", ["(m(A) - m(B)) / 2", "m(A) / 3 - m(B) / 3"])
def test_an_estimate_that_is_divided_changes_sides_with_the_players(worth):
    estimate = f"define m(p: Player) = count s in Square: mark[s] = p\nevaluate\n    {worth}"
    assert symmetries(CORNER.format(pays=f"0\n{estimate}")).exchanging
