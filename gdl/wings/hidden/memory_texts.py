"""The common part of searches whose players remember (see kernels/memories.py): texts, and the sizes of memories."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

from gdl.analysis.dependence import Dependence
from gdl.compiler import python
from gdl.compiler.joining import kernel_constants
from gdl.compiler.reading import value_of
from gdl.compiler.searches.slices import KernelSearch, explain_trap
from gdl.errors import Refusal, clean
from gdl.interpreter.bodies import FIRST_STEP
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model import core
from gdl.model.domains import text_of
from gdl.model.games import Rule

K = kernel_constants("memories")


class Remembering(KernelSearch):
    """A game joined with a kernel that remembers what players learn. Texts are numbered in the order in which they are
    met: `heard` has the number of each. Raises Refusal where the kernel cannot make out what players hear."""

    def __init__(self, game: RulesGame, start: State, engine: str):
        super().__init__(game, start, engine, views=True)
        model = game.model
        self._rules: tuple[Rule, ...] = (*model.actions, *model.chances)
        self.heard: dict[str, int] = {}
        dependence = Dependence(model)
        pairs = zip(self._rules, self.lowered.chooses, strict=True)
        self._fixed = [not chooses and dependence.fixes_name(rule) for rule, chooses in pairs]
        # The kernel makes out what is heard of an action by the words of its row.
        for rule, fixed in zip(self._rules, self._fixed, strict=True):
            if rule.hearers is not None and not fixed:
                raise Refusal(f"what is heard of {clean(rule.name)} follows from more than its head: "
                              "the compiled engine does not unfold such a game")  # fmt: skip

    def state_of(self, words: memoryview) -> State:
        """The state with these words as the interpreter holds it, without memories."""
        numbers = list(words)
        return State(numbers[0], (numbers[1], (), None, *self.lowered.layout.read(numbers)), None)

    def player_view(self, state: State, player: int) -> Any:
        """A player's view of a state."""
        return self.game.memorist.view(player, state.turn, list(state.cells))

    def first_memories(self) -> tuple[Any, ...]:
        """The memories of players who have seen nothing but the first state."""
        return tuple((self.player_view(self.first, player), ()) for player in range(len(self.game.players)))

    @property
    def sights(self) -> int:
        """The number of words of `sight`: of what all players see, and each sees alone."""
        assert self.lowered.views is not None
        public, private = self.lowered.views
        return public + len(self.game.players) * private

    @property
    def ply_words(self) -> int:
        """The most words that one ply can add to the tuples."""
        return len(self.game.players) * (2 * self.sights + int(K.MOST_TEXTS) + 8) + 64

    def __iter__(self) -> Iterator[None]:
        """Run the kernel to its end, and supply the texts that it asks for; yields after each slice, and each
        text."""
        try:
            while True:
                yield from self.slices()
                if not self.supply_text():
                    return
                yield  # there may be many texts, and then no slice comes to its end
        except python.Trap as trap:
            raise explain_trap(self, trap, [bytes(self.module["s"])]) from None

    def settings(self) -> dict[str, int]:
        """The values of the kernel's constants."""
        lowered = self.lowered
        return {
            "REMEMBERS": self.first.memories is not None, "TELLS": lowered.has_events, "HEARS": lowered.hears,
            "CHOOSES": any(lowered.chooses), "KINDS": len(self._rules), "SIGHTS": self.sights,
        }  # fmt: skip

    def fill_rows(self, memory: Mapping[str, Any]) -> None:
        """Write into the kernel's memory how many words the rows of each rule have."""
        for index, words in enumerate(self.lowered.head_words):
            memory["row_words"][index] = 1 + sum(words)
            memory["chooses"][index] = int(self.lowered.chooses[index])

    def fill_rows_and_prices(self, memory: Mapping[str, Any]) -> None:
        """Write into the kernel's memory the same, and what endless play pays."""
        self.fill_rows(memory)
        for player, price in enumerate(self.game.model.forever or ()):
            memory["endless_price"][player] = float(price)

    def tuple(self, number: int) -> list[int]:
        """The words of the tuple with this number."""
        start, end = self.module["tuple_from"][number : number + 2]
        return list(self.module["tuple_word"][start:end])

    def memories_up_to(self, number: int, known: Container[int]) -> list[int]:
        """The memory with this tuple number and those before it that are not known, the first one first."""
        way = [number]
        while way[-1] not in known and (before := self.tuple(way[-1])[1]) >= 0:
            way.append(before)
        return [one for one in reversed(way) if one not in known]

    def supply_text(self) -> bool:
        """Give a number to the text that the kernel has asked for; False if it has asked for none."""
        asked = self.module["text_asked"]
        if not asked[0]:
            return False
        number, asked[0] = asked[0] - 1, 0
        text = self._text(self.tuple(number))
        self.module["tuple_note"][number] = 1 + self.heard.setdefault(text, len(self.heard))
        return True

    def _text(self, words: list[int]) -> str:
        """The text of an event that a player heard, from the words of its tuple."""
        if words[0] == K.SAID:
            say = self.lowered.says[words[1]]
            known = say.event.value if isinstance(say.event, core.Const) else value_of(say.type, (words[2],))
            return text_of(say.type, known)
        actor, rule = words[1], self._rules[words[2]]
        at, arguments = 3, []
        for parameter, count in zip(rule.parameters, self.lowered.head_words[words[2]], strict=True):
            arguments.append(value_of(parameter.type, words[at : at + count], self.lowered.lists))
            at += count
        state = self.first._replace(turn=actor if actor >= 0 else FIRST_STEP)
        name = self.game.action_name(state, rule, actor, tuple(arguments), [])
        return f"{'chance' if actor < 0 else self.game.players[actor]}: {name}"
