"""Gambit's files, written: any finite game as an extensive game (.efg), a table as a strategic one (.nfg).

Source: the file formats as Gambit's documentation describes them (see gambit_reader.py).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from gdl.errors import LimitReached, Refusal, clean
from gdl.game import Chance, Decision, Game, Node, Number, Terminal, actions, require_number
from gdl.states.checked_game import ensure_checked
from gdl.states.explore import Progress
from gdl.states.sequential import Sequential

MOST_NODES = 1_000_000  # nodes of a tree
LONGEST_NAME = 1_000  # letters; a longer one, such as the path to a deep node, is left out


def extensive(game: Game[Any], limit: int = MOST_NODES, progress: Progress | None = None) -> str:
    """The text of an .efg file: the tree of a game, with simultaneous moves as turns that the others do not see.
    `progress` is called with the number of nodes. Raises LimitReached if there are more than `limit` nodes, Refusal if
    play need not end or numbers are unknown."""
    return "".join(_tree(ensure_checked(game), limit, progress))


def _tree(game: Game[Any], limit: int, progress: Progress | None) -> Iterator[str]:
    if game.traits.cyclic:
        raise Refusal(f"a position of {game.name} can come again: it has no tree that ends")
    turns = Sequential(game)
    numbers = _Numbers(turns)
    yield f"EFG 2 R {_quote_label(game.name)} {_braced_list(map(_quote_label, game.players))}\n{_quote_label('')}\n\n"
    waiting, nodes = [turns.initial()], 0
    while waiting:
        state = waiting.pop()
        node = turns.node(state)
        nodes += 1
        if progress:
            progress(nodes)
        if nodes > limit:
            raise LimitReached(f"the tree of {game.name} has more than {limit:,} nodes, the limit set for this file")
        yield numbers.line(state, node)
        waiting += [turns.successor(state, action) for action in reversed(actions(node))]


class _Numbers:
    """The numbers of information sets, chance nodes and ends, given in the order in which they are met."""

    def __init__(self, game: Game[Any]):
        self.game = game
        self.sets: list[dict[Hashable, int]] = [{} for _ in game.players]
        self.chances = self.ends = 0

    def line(self, state: Any, node: Node) -> str:
        if isinstance(node, Terminal):
            self.ends += 1
            paid = ", ".join(_number(require_number(utility)) for utility in node.utilities)
            return f't "" {self.ends} "" {{ {paid} }}\n'
        if isinstance(node, Chance):
            self.chances += 1
            outcomes = (f"{_quote_label(action)} {_number(chance)}" for action, chance in node.outcomes)
            return f'c "" {self.chances} "" {_braced_list(outcomes)} 0\n'
        assert isinstance(node, Decision)
        own = self.sets[node.player]
        # Where all is seen, so is the play: a position to which several plays lead is a set for each.
        known = object() if self.game.traits.perfect_information else self.game.information_set(state, node.player)
        number = own.setdefault(known, len(own) + 1)
        name = self.game.describe(state, node.player).replace('"', "'")  # OpenSpiel reads no escaped quote
        name = _quote_label(name if len(name) <= LONGEST_NAME else "")
        return f'p "" {node.player + 1} {number} {name} {_braced_list(map(_quote_label, node.actions))} 0\n'


def strategic(
    title: str,
    players: Sequence[str],
    strategies: Sequence[Sequence[str]],
    payoffs: Mapping[tuple[int, ...], Sequence[Number]],
) -> str:
    """The text of an .nfg file: a table with the names of each player's strategies; `payoffs` maps the positions of the
    strategies in these lists to a payoff for each player."""
    names = " ".join(_braced_list(map(_quote_label, own)) for own in strategies)
    lines = [
        f"NFG 1 R {_quote_label(title)} {_braced_list(map(_quote_label, players))} {{ {names} }}",
        _quote_label(""),
        "",
    ]
    backwards = [range(len(own)) for own in reversed(strategies)]  # the first player's strategy changes fastest
    lines += [" ".join(_number(number) for number in payoffs[cell[::-1]]) for cell in product(*backwards)]
    return "\n".join(lines) + "\n"


def _number(number: object) -> str:
    if not isinstance(number, int | Fraction):
        raise Refusal(f"{clean(str(number))} is left open, and a file of Gambit's has numbers only")
    return str(number)


def _braced_list(words: Any) -> str:
    return f"{{ {' '.join(words)} }}"


def _quote_label(name: str) -> str:
    """The name as a label that Gambit reads: in quotes, only ASCII, with single blanks between words. Other signs stand
    as `\\u7532`, which gambit_reader.py reads as the sign."""
    spaced = re.sub("^ | $|(?<= ) ", r"\\x20", clean(name).replace("\\", r"\x5c"))
    return '"' + spaced.encode("ascii", "backslashreplace").decode("ascii").replace('"', '\\"') + '"'
