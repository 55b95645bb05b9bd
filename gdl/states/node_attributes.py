"""The attributes of a node of a state graph, whose texts are drawn when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gdl.game import Decision, Game, Node
from gdl.states.explore import choosers

NOT_DRAWN = object()  # in the place of a text
TEXTS = ("state", "information_set")


class NodeAttributes(dict[str, Any]):
    """A dict of attributes, in which the texts of `TEXTS` are made of a state when their values are asked for. A copy,
    and what is unpickled, is a plain dict."""

    __slots__ = ("_game", "_node", "_state")

    def be_drawn_from(self, game: Game[Any], state: Any, node: Node) -> None:
        """Let the texts be drawn from this state of a game, whose node it is."""
        self._game, self._state, self._node = game, state, node

    def draw_texts(self) -> None:
        """Draw all texts now."""
        for text in TEXTS:
            self.get(text)

    def _draw(self, text: str) -> Any:
        """The value of a text, which is kept."""
        game, state, node = self._game, self._state, self._node
        if text == "state":
            drawn: Any = game.show(state)
        elif isinstance(node, Decision):
            drawn = game.describe(state, node.player)
        else:
            drawn = {game.players[player]: game.describe(state, player) for player in choosers(node)}
        self[text] = drawn
        return drawn

    def __getitem__(self, name: str) -> Any:
        value = dict.__getitem__(self, name)
        return self._draw(name) if value is NOT_DRAWN else value

    def get(self, name: str, default: Any = None) -> Any:
        value = dict.get(self, name, default)
        return self._draw(name) if value is NOT_DRAWN else value

    def __iter__(self) -> Iterator[str]:
        return super().__iter__()  # `dict(…)` and `**` look at the values of a class that has its own by []

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


def _drawing_first(name: str) -> Callable[..., Any]:
    """The method of dict with this name, which finds all texts drawn."""
    method = getattr(dict, name)

    def answer(self: NodeAttributes, *given: Any) -> Any:
        self.draw_texts()
        return method(self, *given)

    return answer


_DRAWN_BEFORE = (
    "copy", "items", "pop", "popitem", "setdefault", "values", "__eq__", "__ne__", "__or__", "__ror__", "__repr__"
)  # fmt: skip
for _name in _DRAWN_BEFORE:
    setattr(NodeAttributes, _name, _drawing_first(_name))
