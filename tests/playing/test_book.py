"""Opening books: what they prove, that they grow the same way however often they are stopped, and what is refused."""

import json
import random
from functools import cache
from itertools import pairwise
from zlib import crc32

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands.cli import commands
from gdl.commands.limiting import NONE, Limits
from gdl.errors import DamagedData, Refusal
from gdl.formats import book as books
from gdl.game import Chance, Decision, Terminal, actions
from gdl.playing.book import OpenBook, begin_book
from gdl.playing.book_search import BookSearch
from gdl.solution import Solution
from gdl.symmetry import find, generate_group

WORK = 1_000_000
GAME = gdl.load("tic_tac_toe")


class Guesses(BookSearch):
    """A search that knows nothing: what it says depends on the position alone, and proves nothing."""

    def _solve_state(self, state):
        draw = random.Random(self.opened.keys.of(state))
        first = draw.uniform(-1, 1)
        best = actions(self.opened.rules.node(state))
        return Solution("", "", self.game.players, exact=False, value=(first, -first), best=(draw.choice(best),))


def made(positions, file=None, opened=None):
    """A book of so many positions, or one gone on with."""
    opened = opened or OpenBook(GAME, begin_book(GAME, 100, 0, WORK), "a.book")
    Guesses(GAME, opened, "auto", file, None, positions, lambda: NONE.enforce("positions")).run()
    return opened


@cache
def value(state):
    """The value of a position to the first player, by the definition."""
    node = GAME.node(state)
    if isinstance(node, Terminal):
        return node.utilities[0]
    best = max if node.player == 0 else min
    return best(value(GAME.successor(state, action)) for action in node.actions)


def states(opened):
    """The position of each entry, by the actions that lead to it."""
    found = []
    for entry in opened.book.entries:
        found.append(opened.start if entry.parent < 0 else GAME.successor(found[entry.parent], entry.action))
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize("positions", [1, 2, 60, pytest.param(300, marks=pytest.mark.slow)])
def test_what_a_book_proves_is_so(positions):
    opened = made(positions)
    assert len(opened.book.entries) == positions
    for at, state in enumerate(states(opened)):
        low, high = opened.worth.lows[at], opened.worth.highs[at]
        assert (-1 if low is None else low) <= value(state) <= (1 if high is None else high)


@pytest.mark.slow  # all its positions
def test_a_whole_game_is_proved_and_played_by_its_book():
    opened = made(None)
    assert opened.positions_to_search(1) == []
    assert all(opened.is_proved(at) for at in range(len(opened.book.entries)))
    solution = opened.solution(opened.start)
    assert solution.exact and solution.value == (0, 0) and len(solution.line) == 9
    assert set(solution.best) == set(GAME.node(opened.start).actions)
    for state in states(opened):
        if isinstance(GAME.node(state), Decision):
            assert value(GAME.successor(state, opened.move(state))) == value(state)


FLIPS = """
players Ann, Bob
state
    gain: -12..12 = 0
    stake: 1..2 = 1
    flips: 0..3 = 0
    last: Player = Bob
start Ann
action bet(n: 1..2)
    stake := n
    last := mover
    next flip
chance flip(k: 0..3) weight if k = 3 then 0 else k + 1
    gain := gain + stake * (if k = 1 then 1 else if k = 0 then -2 else 0)
    flips := flips + 1
    next other(last)
terminal
    flips = 3 -> pay gain to Ann
"""


def test_a_whole_game_with_chance_is_proved_and_an_average_where_chance_moves(tmp_path):
    game = gdl.loads(FLIPS).game
    opened = OpenBook(game, begin_book(game, 100, 0, WORK), "f.book")
    Guesses(game, opened, "auto", None, None, None, lambda: NONE.enforce("positions")).run()
    entries = opened.book.entries
    assert books.read(books.write(opened.book).encode(), "f.book") == opened.book

    def worth(state):
        node = game.node(state)
        if isinstance(node, Terminal):
            return node.utilities[0]
        after = [worth(game.successor(state, action)) for action in actions(node)]
        if isinstance(node, Chance):
            return sum(share * one for (_, share), one in zip(node.outcomes, after, strict=True))
        return (max if node.player == 0 else min)(after)

    states = {0: opened.start}
    for at, entry in enumerate(entries[1:], 1):
        states[at] = game.successor(states[entry.parent], entry.action)
        assert opened.solution(states[at]) is None or opened.solution(states[at]).value[0] == worth(states[at])
    assert sum(entry.mover == books.CHANCE for entry in entries) > 5
    assert opened.solution(opened.start).exact and opened.solution(opened.start).value[0] == worth(opened.start)
    assert [opened.worth.lows[at] for at in states] == [worth(state) for state in states.values()]


def test_images_of_a_position_are_one():
    opened = made(60)
    symmetries = generate_group(find(opened.rules.model).keeping, 100)
    assert len(symmetries) + 1 == opened.keys.images == 8
    for at, state in enumerate(states(opened)[:20]):
        for symmetry in symmetries:
            image = symmetry.image(state)
            assert opened.place[opened.keys.of(image)] == at
            move, moved = opened.move(state), opened.move(image)
            if move is not None:
                one, other = GAME.successor(state, move), GAME.successor(image, moved)
                assert opened.keys.of(one) == opened.keys.of(other)


def test_a_book_gone_on_with_is_the_same(tmp_path):
    file = tmp_path / "a.book"
    whole = books.write(made(200).book)
    opened = made(1, file)
    for positions in (2, 7, 30, 31, 130, 200):
        read = books.read(file.read_bytes(), "a.book")
        assert read == opened.book
        opened = made(positions, file, OpenBook(GAME, read, "a.book"))
    assert file.read_text(encoding="utf-8") == whole


def test_what_is_needed_most_are_few_mistakes_from_the_start():
    """Of the positions two plies on, the one after the best moves is searched before that after the worst."""
    opened = made(150)
    plies, entries = opened.worth.plies, opened.book.entries
    full = [at for at, entry in enumerate(entries) if entry.after is not None and plies[at] == 2]
    waiting = [at for at, entry in enumerate(entries) if entry.after is None and plies[at] == 2]

    def given_away(at):
        way = []
        while at >= 0:
            way.append(opened.worth.values[at])
            at = entries[at].parent
        return sum(abs(a - b) for a, b in pairwise(way))

    assert full and waiting
    assert max(map(given_away, full)) < max(map(given_away, waiting))


def written(change):
    """The bytes of a book of which something was changed, with a checksum that is right."""
    text = books.write(made(12).book)
    body = json.loads(text)["book"]
    change(body)
    new = json.dumps(body)
    return f'{{"book": {new},\n"check": {crc32(new.encode())}}}\n'.encode()


CHANGES = {
    "no position": lambda book: book.update(entries=[]),
    "a place that is none": lambda book: book["entries"][0].__setitem__(8, [99]),
    "a parent that comes later": lambda book: book["entries"][1].__setitem__(1, 5),
    "a key twice": lambda book: book["entries"][1].__setitem__(0, book["entries"][2][0]),
    "a key that is none": lambda book: book["entries"][1].__setitem__(0, "../../etc/passwd"),
    "an estimate that is none": lambda book: book["entries"][1].__setitem__(4, float("nan")),
    "bounds that exclude each other": lambda book: book["entries"][1].__setitem__(slice(5, 7), [1, 0]),
    "a number of a million digits": lambda book: book["entries"][1].__setitem__(5, "9" * 1_000_000),
    "a player who does not play": lambda book: book["entries"][1].__setitem__(3, 3),
    "chance without probabilities": lambda book: book["entries"][0].__setitem__(3, 2),
    "probabilities without chance": lambda book: book["entries"][0].append([1]),
    "probabilities that do not sum to one": lambda book: (
        book["entries"][0].__setitem__(slice(3, 9), [2, 0.5, None, None, "", [1, 2]]),
        book["entries"][0].append(["1/2", "1/3"]),
    ),
    "a row too short": lambda book: book["entries"][1].pop(),
    "an action too long": lambda book: book["entries"][1].__setitem__(2, "x" * 10_000),
    "something due that is none": lambda book: book.update(due=[12]),
    "no rules": lambda book: book.pop("rules"),
    "symmetries that rename no cells": lambda book: book["symmetries"][0].__setitem__(0, [3] * 9),
    "symmetries of another board": lambda book: book["symmetries"].append([[3], [[False, []]], [0, 1]]),
    "symmetries with a great number": lambda book: book["symmetries"][0][1][0].__setitem__(1, [[1 << 60, 1 << 60]]),
}


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", CHANGES)
def test_a_book_that_is_not_as_it_should_be_is_refused(name):
    with pytest.raises(DamagedData):
        OpenBook(GAME, books.read(written(CHANGES[name]), "b.book"), "b.book")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b'{"book": ',
        b'{"book": {},\n"check": 0}',
        b'{"book": ' + b"[" * 100_000,
        b"\xff" * 50,
        b"\x80\x04K\x01.",
    ],
    ids=repr,
)
def test_what_is_no_book_is_refused(data):
    with pytest.raises(DamagedData):
        books.read(data, "b.book")


def test_every_byte_counts():
    data = books.write(made(12).book).encode()
    for at in range(12, len(data) - 20, 97):
        with pytest.raises((DamagedData, Refusal)):
            books.read(data[:at] + b"7" + data[at + 1 :] if data[at : at + 1] != b"7" else data[:at], "b.book")


def test_an_action_that_is_none_is_never_played():
    """Actions of a file lead to positions that are searched next; they are held against the rules."""
    read = books.read(written(lambda book: book["entries"][1].__setitem__(2, "take(z9)")), "b.book")
    with pytest.raises(DamagedData):
        made(None, None, OpenBook(GAME, read, "b.book"))


def test_chance_does_not_move_where_a_player_does():
    read = books.read(written(lambda book: book["entries"][-1].__setitem__(3, 2)), "b.book")
    with pytest.raises(DamagedData):
        made(None, None, OpenBook(GAME, read, "b.book"))


@pytest.mark.parametrize("other", [("nim", {}), ("connect_four", {}), ("tic_tac_toe", {"variant": "misere"})])
def test_the_book_of_another_game_is_refused(other):
    name, options = other
    game = gdl.load("nim") if name == "nim" else gdl.loads(gdl.read(name)[0], name, **options).game
    with pytest.raises(Refusal, match="by other rules"):
        OpenBook(game, made(5).book, "a.book")


@pytest.mark.parametrize("name", ["kuhn", "three_players", "rock_paper_scissors", "figure_5_2"])
def test_games_without_books_are_refused(name):
    with pytest.raises(Refusal):
        begin_book(gdl.load(name), 100, 0, WORK)


@pytest.mark.thorough
def test_a_game_that_asks_for_the_past_is_told_by_its_positions_and_proves_nothing():
    game = gdl.load("chess")
    opened = OpenBook(game, begin_book(game, 100, 0, 1_000), "c.book")
    assert not opened.proves
    state, other = opened.start, opened.start
    for one, two in (("g1f3", "b1c3"), ("g8f6", "b8c6"), ("b1c3", "g1f3"), ("b8c6", "g8f6")):
        state, other = game.successor(state, one), game.successor(other, two)
    assert state != other and opened.keys.of(state) == opened.keys.of(other)


@pytest.fixture
def file(tmp_path):
    """A book of guesses, so that nobody else would play as it does."""
    path = tmp_path / "guesses.book"
    path.write_text(books.write(made(40).book), encoding="utf-8")
    return path


def run(line, *more, **options):
    result = CliRunner().invoke(commands, [*line.split(), *map(str, more)], prog_name="gdl", **options)
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


@pytest.mark.thorough
def test_play_match_ugi_and_solve_look_the_book_up(file, tmp_path):
    opened = made(40)
    best = opened.move(opened.start)
    assert f'"best": ["{best}"]' in run("solve tic_tac_toe --json --book", file)
    assert "is searched" in run("solve tic_tac_toe --after", "take(a1) take(b1) take(c1) take(b2)", "--book", file)
    played = run("play tic_tac_toe --as O --time 0.1 --book", file, input="quit\n")
    assert f"{best}: X " in played and "by a book of 40 positions" in played
    told = run("ugi tic_tac_toe --book", file, input="ugi\ngo movetime 50\nsetoption name OwnBook value false\nquit\n")
    assert "option name OwnBook type check default true" in told and f"bestmove {best}" in told
    run(
        f"match tic_tac_toe gdl:book={file} maxn:book={file} --games 2 --openings 0 --time 0.01 --save",
        tmp_path / "plays",
    )
    assert all(best in record.read_text(encoding="utf-8") for record in (tmp_path / "plays").iterdir())


def test_to_begin_a_book_is_within_the_time_too(monkeypatch):
    def slow(*of_anything):
        while True:
            pass

    monkeypatch.setattr("gdl.playing.book.begin_book", slow)
    told = CliRunner().invoke(commands, "book tic_tac_toe --time 0.1 --output -".split(), prog_name="gdl")
    assert told.exit_code == 4 and "the limit set" in told.stderr


def test_what_does_not_look_at_the_clock_ends_with_the_time():
    class Endless(BookSearch):
        def _solve_state(self, state):
            while True:
                pass

    opened = OpenBook(GAME, begin_book(GAME, 100, 0, WORK), "a.book")
    limits = Limits(seconds=0.1).start_clock()
    Endless(GAME, opened, "auto", None, limits.end, None, lambda: limits.enforce("positions")).run()
    assert not opened.book.entries


def test_where_there_is_no_time_for_the_first_position_it_says_what_is_known_without(monkeypatch, tmp_path):
    """Shogi's needs more than a second."""

    def slow(self, state):
        while True:
            pass

    monkeypatch.setattr(BookSearch, "_solve_state", slow)
    file = tmp_path / "a.book"
    told = CliRunner().invoke(commands, f"book tic_tac_toe --time 0.1 --output {file}".split(), prog_name="gdl")
    assert told.exit_code == 4 and "proven    X -1 to 1, O -1 to 1" in told.stdout and not file.exists()


def test_a_search_ends_when_all_positions_are_in_its_tree():
    """As many nodes as were asked for are never there."""
    told = run("book three_tricks --positions 1 --nodes 3000 --output -")
    assert "The book has 1 position" in told


@pytest.mark.parametrize(("words", "nodes"), [("", 50_000), ("--time 0.01", 100), ("--time 5", 25_000)])
def test_a_short_time_means_fewer_nodes(tmp_path, monkeypatch, words, nodes):
    """Not how fast the machine is: the same words make the same book."""
    monkeypatch.setattr(BookSearch, "_solve_state", Guesses._solve_state)
    monkeypatch.setattr(BookSearch, "_is_over", lambda search: False)
    monkeypatch.setattr(BookSearch, "watch", lambda search: NONE.enforce("positions"), raising=False)
    run(f"book tic_tac_toe --positions 1 {words} --output", tmp_path / "a.book")
    assert books.read((tmp_path / "a.book").read_bytes(), "a.book").nodes == nodes


def test_a_book_is_gone_on_with_as_it_was_begun(file):
    before = file.read_bytes()
    for line in (
        "book tic_tac_toe --nodes 200 -o",
        "book tic_tac_toe --seed 1 -o",
        "book tic_tac_toe --after take(a1) -o",
    ):
        result = CliRunner().invoke(commands, [*line.split(), str(file)], prog_name="gdl")
        assert result.exit_code == 2 and "--fresh" in result.output
    assert file.read_bytes() == before
    file.write_text("mine", encoding="utf-8")
    result = CliRunner().invoke(commands, ["book", "tic_tac_toe", "-o", str(file)], prog_name="gdl")
    assert result.exit_code == 2 and file.read_text(encoding="utf-8") == "mine"


@pytest.mark.slow  # it searches
def test_searches_make_the_same_book_however_often_they_are_stopped(tmp_path):
    one, other = tmp_path / "one.book", tmp_path / "other.book"
    run("book tic_tac_toe --nodes 100 --positions 30 -o", one)
    for positions in (1, 11, 30):
        run(f"book tic_tac_toe --nodes 100 --positions {positions} -o", other)
    assert one.read_bytes() == other.read_bytes()
