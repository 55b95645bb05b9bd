"""Parts of a zero-sum game that its linear program need not ask: sets where an action is surely best, or nothing at
stake.

1. An action of the first player is surely best if everything that it leads to pays the most there is: its ends, and the
   sets behind it by an action of the same kind. Whatever else could be done there is left out.
2. An action of the second player is, if what is left after it pays the first player the least there is. The set needs
   no variable: it is worth that least.
3. What is left of the first player's actions, but pays only the least, is left out, too.

Nothing of this changes the value, and every optimal strategy of what is left is one of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, repeat
from operator import mul, ne
from typing import NamedTuple

from gdl.game import Number, exact, require_number
from gdl.solvers.equilibria.sequences import Sequences


class SequencePruning(NamedTuple):
    """The rest of a game after pruning. `kept`: for each player, by the number of a sequence, 1 if the linear program
    has it. `sure`: for each set of the second player that the program leaves out, the sequence played there. `above`:
    for each combination of sequences that leads to ends, the first player's payoff above the least payoff of all ends,
    weighted by chance, in the units of `form`."""

    kept: tuple[bytearray, bytearray]
    sure: Mapping[int, int]
    above: Sequence[Number]

    def complete(self, form: Sequences, plan: list[Number]) -> None:
        """Complete a plan of the second player by the sure actions."""
        for h, sequence in sorted(self.sure.items()):
            plan[sequence] = plan[form.before[h]]


def everything(form: Sequences) -> SequencePruning:
    """The game without pruning: all sequences of both players are kept."""
    all_of = [bytearray(b"\1" * form.count(player)) for player in (0, 1)]
    return SequencePruning((all_of[0], all_of[1]), {}, _above(form, min(_end_payoffs(form, 0))))


def prune_sequences(form: Sequences) -> SequencePruning:
    """The rest of the game after the three steps of pruning."""
    own, other = form.led[::2], form.led[1::2]
    above = _above(form, min(_end_payoffs(form, 0)))
    first = best_actions(form, 0)
    met = [amount and first[x] for x, amount in zip(own, above, strict=True)]
    sure = _safe_actions(form, 1, compress(other, met))
    second = _remaining_sequences(form, 1, sure, False)
    paying = bytearray(form.count(0))
    for x in {x for x, y in compress(zip(own, other, strict=True), met) if second[y]}:
        paying[x] = 1
    for h in reversed(form.positions.sets_of(0)):
        if any(paying[form.first[h] : form.first[h] + form.widths[h]]):
            paying[form.before[h]] = 1
    paying[0] = 1
    return SequencePruning((paying, second), sure, above)


def best_actions(form: Sequences, player: int) -> bytearray:
    """The sequences, by number, that are left (1) if the player takes every action that is surely best whatever the
    others play. Any number of players may take part."""
    most, seats = max(_end_payoffs(form, player)), len(form.positions.players)
    below = map(ne, form.paid[player::seats], map(mul, form.likely, repeat(most)))
    return _remaining_sequences(
        form, player, _safe_actions(form, player, compress(form.led[player::seats], below)), True
    )


def _end_payoffs(form: Sequences, player: int) -> list[Number]:
    """A player's payoffs at the ends."""
    return [exact(require_number(utilities[player])) for utilities in form.positions.utilities()]


def _above(form: Sequences, least: Number) -> list[Number]:
    return [amount - least * likely for amount, likely in zip(form.paid[::2], form.likely, strict=True)]


def _safe_actions(form: Sequences, player: int, at_stake: Iterable[int]) -> dict[int, int]:
    """At each of the player's sets that has one, the first action after which nothing is at stake any more. `at_stake`
    are the sequences whose own ends leave something at stake."""
    open_ones = bytearray(form.count(player))
    for sequence in set(at_stake):
        open_ones[sequence] = 1
    sure = {}
    for h in reversed(form.positions.sets_of(player)):
        safe = open_ones.find(0, form.first[h], form.first[h] + form.widths[h])
        if safe < 0:
            open_ones[form.before[h]] = 1
        else:
            sure[h] = safe
    return sure


def _remaining_sequences(form: Sequences, player: int, sure: Mapping[int, int], with_it: bool) -> bytearray:
    """The player's sequences that are left, as 1 by number. At a set with a sure action the other actions go, and
    unless `with_it` the sure one too; so does everything after an action that is gone."""
    kept = bytearray(form.count(player))
    kept[0] = 1
    for h in form.positions.sets_of(player):
        if kept[form.before[h]]:
            if h not in sure:
                kept[form.first[h] : form.first[h] + form.widths[h]] = b"\1" * form.widths[h]
            elif with_it:
                kept[sure[h]] = 1
    return kept
