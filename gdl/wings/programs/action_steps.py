"""Actions step by step: numbers for the parts of an action, few where there are vastly many actions.

An action is told by its rule, where there are several, then by the values in its head, then by those that its body
chooses, one after the other, and by an end where the body may choose more. A step with only one possibility is not
asked for, and an action is done as soon as only one is left. Choices of one kind share their numbers, so backgammon
asks for a point and its die, again and again, with some fifty numbers.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter, index
from typing import Any, SupportsIndex, TypeVar

from gdl.game import Action, Number
from gdl.wings.programs.environment import Environment, illegal, nothing_to_undo
from gdl.wings.programs.numbering import ActionNumbering, ParameterField, RuleNumbering
from gdl.wings.programs.planes import Planes

Steps = tuple[int, ...]  # the numbers of the steps of an action
Whole = TypeVar("Whole")
STEPS_SEEN = 4  # the last steps of an action, each with a plane of its own in an observation


class ActionSteps:
    """The numbers of the steps of a game's actions: first the rules, then the end of an action, then values."""

    def __init__(self, whole: ActionNumbering):
        self.whole = whole
        self._first: dict[Hashable, tuple[int, int]] = {}  # kind of value: its least one, and the number of that
        self._spans: list[tuple[int, int, str, list[ParameterField]]] = []  # number, least value, rule, fields
        self._paths: dict[int, Steps] = {}
        self.total = whole.total
        if not isinstance(whole, RuleNumbering):
            return
        self._named = [*(rule.name for rule in whole.rules if len(whole.rules) > 1), "end"]
        self._lengths = Counter(block.rule for block in whole.blocks)
        kinds: dict[Hashable, list[ParameterField]] = {}
        for block in whole.blocks:
            for place, field in enumerate(block.fields):
                kinds.setdefault(self._kind(block.rule, place, field), []).append(field)
        self.total = len(self._named)
        for kind, fields in kinds.items():
            low = min(field.low for field in fields)
            self._first[kind] = low, self.total
            self._spans.append((self.total, low, whole.rules[kind[0]].name, fields))  # type: ignore[index]
            self.total += max(field.low + field.size for field in fields) - low

    def _kind(self, rule: int, place: int, field: ParameterField) -> Hashable:
        """The kind of a value; values of one kind share their numbers: those of one place of a rule's head, or all
        choices of one type in it."""
        assert isinstance(self.whole, RuleNumbering)
        head = len(self.whole.rules[rule].parameters)
        return (
            rule,
            place if place < head else -1,
            None if place < head else (str(field.type), field.count, field.items),
        )

    def path(self, number: int) -> Steps:
        """The steps of the action with a number; no action's steps are the beginning of another's."""
        if not isinstance(self.whole, RuleNumbering):
            return (number,)
        if number not in self._paths:
            _, digits, block = self.whole.values(number)
            firsts = [self._first[self._kind(block.rule, k, field)] for k, field in enumerate(block.fields)]
            values = [first + digit - low for digit, (low, first) in zip(digits, firsts, strict=True)]
            end = len(self._named) - 1
            ends = self._lengths[block.rule] > 1 or not (values or end)
            self._paths[number] = (*([block.rule] if end else []), *values, *([end] if ends else []))
        return self._paths[number]

    def numbers_of(self, game: Any, state: Any, player: int, names: Sequence[Action]) -> list[int]:
        """The numbers of whole actions by their names; these are not numbers of steps."""
        return self.whole.numbers_of(game, state, player, names)

    def text(self, number: int) -> str:
        """The text of the step with a number, in whatever position."""
        if not isinstance(self.whole, RuleNumbering):
            return self.whole.text(number)
        if number < len(self._named):
            return self._named[number]
        first, low, rule, fields = self._spans[bisect_right(self._spans, number, key=lambda span: span[0]) - 1]
        value = number - first + low
        return f"{rule}: {next((f.text(value) for f in fields if f.low <= value < f.low + f.size), value)}"


def next_steps(paths: Mapping[Steps, Whole]) -> dict[int, dict[Steps, Whole]]:
    """The numbers of the steps that are possible next on the way to some actions, each with the rest of the paths that
    begin with it. A step with only one possibility is left out."""
    while True:
        found: dict[int, dict[Steps, Whole]] = {}
        for path, whole in paths.items():
            found.setdefault(path[0], {})[path[1:]] = whole
        if len(found) > 1 or any(() in rest for rest in found.values()):
            return found
        paths = next(iter(found.values()), {})
        if not paths:
            return found


class StepPlanes:
    """The planes of a position, then those of the steps that the player has taken, the last first, filled as by
    `step_shares`."""

    def __init__(self, planes: Planes, numbering: ActionSteps):
        self._planes, self._total = planes, numbering.total
        first, *cells = planes.shape
        self.shape: tuple[int, ...] = (first + STEPS_SEEN, *cells)
        self.legend = (*planes.legend, *(f"the step taken {k} before" for k in range(1, STEPS_SEEN + 1)))

    def observe(self, state: Any, player: int, taken: Steps = ()) -> memoryview[float]:
        return self.add_steps(self._planes.observe(state, player), taken)

    def add_steps(self, observed: memoryview[float], taken: Steps) -> memoryview[float]:
        """The planes of a position with those of the steps behind them."""
        seen = array("f", observed.cast("B").cast("f"))
        cells = len(seen) // self._planes.shape[0]
        seen += array("f", [share for share in step_shares(taken, self._total) for _ in range(cells)])
        return memoryview(seen).cast("B").cast("f", list(self.shape))


def step_shares(taken: Steps, total: int) -> list[float]:
    """The numbers that fill the planes of the last STEPS_SEEN steps, the last first: (step + 1) / total; 0 for a step
    not taken."""
    return [*reversed([(number + 1) / total for number in taken[-STEPS_SEEN:]]), *[0.0] * STEPS_SEEN][:STEPS_SEEN]


def own_steps(play: Any, player: int) -> Steps:
    """The steps `taken` of the incomplete action of a play, for the player who takes them; () for the others."""
    taken: Steps = play.taken
    return taken if play.player == player else ()


class SteppedEnvironment(Environment):
    """A game whose players are asked for an action step by step. `whole` is the play as an environment whose players
    are asked for whole actions."""

    numbering: ActionSteps

    def __init__(self, inner: Environment):
        super().__init__(inner.game, ActionSteps(inner.numbering))
        self.whole = inner
        self._trail: list[tuple[int, Steps, bool]] = []  # each step, those before it, whether it completed an action
        self._ask()

    def _ask(self, taken: Steps = (), following: dict[int, dict[Steps, int]] | None = None) -> None:
        """Ask for the next step of an action after those `taken`; `following` has the possible ones, None: they are
        worked out."""
        if following is None:
            following = next_steps({self.numbering.path(number): number for number in self.whole.legal})
            for number in taken:
                following = next_steps(following[number])
        self._next, self.taken, self.legal = following, taken, tuple(following)
        self.player, self.over = self.whole.player, self.whole.over

    # -- play -----------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> None:
        self.whole.reset(seed)
        self._trail = []
        self._ask()

    def step(self, number: SupportsIndex) -> None:
        rest = self._next.get(index(number)) if isinstance(number, SupportsIndex) else None
        if rest is None:
            raise illegal(self, number)
        done = len(rest) == 1
        before, taken = self.taken, (*self.taken, index(number))
        if done:
            self.whole.step(next(iter(rest.values())))
            self._ask()
        else:
            self._ask(taken, next_steps(rest))
        self._trail.append((taken[-1], before, done))

    def undo(self) -> None:
        if not self._trail:
            raise nothing_to_undo()
        _, before, done = self._trail.pop()
        if done:
            self.whole.undo()
        self._ask(before)

    def copy(self) -> SteppedEnvironment:
        other = SteppedEnvironment.__new__(SteppedEnvironment)
        other.__dict__.update(self.__dict__)
        other.whole, other._trail = self.whole.copy(), list(self._trail)
        return other

    def reseed(self, seed: int) -> None:
        self.whole.reseed(seed)

    chance, choosers, utilities, position = (
        property(attrgetter(f"whole.{name}")) for name in ("chance", "choosers", "utilities", "position")
    )

    @property
    def played(self) -> tuple[int, ...]:
        return tuple(number for number, _, _ in self._trail)

    def step_whole(self, number: int) -> None:
        """Do all the steps of the action that has this number in `whole`."""
        done = number not in self.whole.legal
        if done:
            raise illegal(self.whole, number)
        while not done:
            first = next(step for step, rest in self._next.items() if number in rest.values())
            done = len(self._next[first]) == 1
            self.step(first)

    # -- what there is to do, and what is seen ------------------------------------------------------------------

    @property
    def names(self) -> dict[int, Action]:
        return {number: self.numbering.text(number) for number in self.legal}

    @property
    def choices(self) -> dict[int, tuple[int, ...]]:
        """The numbers of the legal steps of the player who is asked, and of no other: others may need another number of
        steps."""
        return {} if self.player is None else {self.player: self.legal}

    @property
    def rewards(self) -> tuple[Number, ...]:
        """Each player's gain by the last step: 0 while an action is incomplete."""
        return self.whole.rewards if not self.taken else (0,) * len(self.players)

    def information(self, player: int) -> str:
        told = [self.numbering.text(number) for number in own_steps(self, player)]
        return ", ".join([self.whole.information(player), *told])

    def information_set(self, player: int) -> Hashable:
        taken, known = own_steps(self, player), self.whole.information_set(player)
        return (known, taken) if taken else known

    @cached_property
    def planes(self) -> StepPlanes:
        return StepPlanes(self.whole.planes, self.numbering)

    def observation(self, player: int) -> memoryview[float]:
        return self.planes.add_steps(self.whole.observation(player), own_steps(self, player))
