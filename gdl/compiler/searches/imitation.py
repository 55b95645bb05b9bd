"""Nets that learn from games which others have played: what they did, and what came of it.

1. Of every ten games one is kept back. The others are learned from in passes, each in an order of its own.
2. What a game teaches is what a game of self-play teaches (`self_play`), but that the shares of the actions move toward
   the one that was done, and the values toward what the game has paid.
3. In the end the net names an action for each position of the games that were kept back.

Source: Silver et al., Mastering the game of Go with deep neural networks and tree search, Nature 529, 2016.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

from gdl.compiler.searches.self_play import K, SelfPlay
from gdl.errors import Refusal, clean
from gdl.formats.answer_records import ImitationScore
from gdl.interpreter.rules_game import State
from gdl.states.random_numbers import Generator, stream

KEPT_BACK = 10  # one of so many games
FEWEST = 2  # games that are learned from
MOST_WORDS = 1 << 26  # of all positions


class ImitationDecision(NamedTuple):
    """A decision of a play: the state, which of its actions was chosen, and how many there were."""

    state: State
    action: int
    actions: int


class ImitationPlay(NamedTuple):
    """A play by others: the decisions where there was a choice, and the utilities of its end."""

    choices: Sequence[ImitationDecision]
    utilities: Sequence[float]


FURTHER = ("self_see", "lesson_guess")  # functions of the kernel
_Game = tuple["array[int]", tuple[float, ...]]  # positions as they are held, and utilities


class Imitation:
    """Games by others, from which a net learns. `search` has the net; its kernel has FURTHER."""

    def __init__(self, search: SelfPlay, plays: Iterable[ImitationPlay]):
        self.search, game = search, search.game
        shown, words = list[_Game](), 0
        for play in plays:
            shown.append(self._encode_play(play))
            words += len(shown[-1][0])
            if words > MOST_WORDS:
                raise Refusal(f"there is no room for so many plays: {len(shown) - 1:,} are as many as are learned from")
        self._back = shown[KEPT_BACK - 1 :: KEPT_BACK]
        self._taught = [one for n, one in enumerate(shown) if n % KEPT_BACK != KEPT_BACK - 1]
        if len(self._taught) < FEWEST:
            raise Refusal(f"there are too few plays of {clean(game.name)} to learn from: {len(shown)}")
        self._order: tuple[int, Sequence[int]] = (-1, ())

    @property
    def passes(self) -> int:
        """Games that are learned from in each pass."""
        return len(self._taught)

    @property
    def digest(self) -> str:
        """What tells these plays from others."""
        found = sha256()
        for held, paid in (*self._taught, *self._back):
            found.update(f"{len(held)} {paid}".encode() + held.tobytes())
        return found.hexdigest()

    def _encode_play(self, play: ImitationPlay) -> _Game:
        """The positions of a play as the window holds them, and what it has paid."""
        search, held, layout = self.search, array("i"), self.search.lowered.layout
        for choice in play.choices:
            search.lessons.positions_held = search.own[K.SELF_RECORDED] = 0
            search.module["s"][:] = memoryview(array("i", layout.words_of_state(choice.state.turn, choice.state.cells)))
            rows = search.module["self_see"](choice.action)
            if rows not in (0, choice.actions):
                raise Refusal(f"the engine numbers the actions of {clean(search.game.name)} in another way")
            held.extend(search.module["lesson_held"][: search.lessons.each].tolist())
        search.own[K.SELF_RECORDED] = 0
        return held, (*play.utilities,)

    def _goal(self, game: _Game) -> array[float]:
        """What each position of a game turned out to be worth, on the scale of the net."""
        (held, utilities), scale = game, self.search.net.scale
        positions = len(held) // self.search.lessons.each
        return array("d", [(paid - scale.middle) / scale.half for paid in utilities]) * positions

    # -- learning -----------------------------------------------------------------------------------------------

    def teach(self, games: int, seed: int) -> Iterator[None]:
        """Learn from so many games, each of them once in a pass; yields between two of them."""
        search = self.search
        search.wanted = games
        while search.games < search.wanted:
            game = self._pick_game(search.games, seed)
            search.learn_from([(game[0], self._goal(game))], search.games + 1, seed)
            yield
        search.settle()

    def _pick_game(self, number: int, seed: int) -> _Game:
        """The game of that number."""
        turn, at = divmod(number, self.passes)
        if self._order[0] != turn:
            self._order = turn, _shuffled_order(self.passes, Generator(stream(seed, -1 - turn)))
        return self._taught[self._order[1][at]]

    def score_held_out(self) -> ImitationScore | None:
        """What the net that was learned says of the games that were kept back, if there are any."""
        if not self._back:
            return None
        search, moves, right, chance = self.search, 0, 0, 0.0
        module, size = search.module, search.lessons.each
        module["lesson_error"][0] = 0.0
        for game in self._back:
            held, goal = game[0], self._goal(game)
            for at in range(len(held) // size):
                one = held[at * size : (at + 1) * size]
                module["lesson_held"][:size] = memoryview(one)
                players = search.net.players
                module["lesson_goal"][:players] = memoryview(goal[at * players : (at + 1) * players])
                visits = one[size - search.lessons.listed : size - search.lessons.listed + one[K.LESSON_ROWS]]
                guess = module["lesson_guess"](0)
                moves += 1
                right += guess >= 0 and visits[guess] == 1
                chance += 1 / max(1, len(visits))
        return ImitationScore(len(self._back), moves, right, chance, module["lesson_error"][0] / moves)


def _shuffled_order(count: int, random: Generator) -> Sequence[int]:
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = random.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order
