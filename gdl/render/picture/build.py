"""Makes a picture from a game and its answer."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from gdl.errors import clean
from gdl.game import Chance, Decision, Game, Number, Terminal, Unknown, Utility, is_sided, maximiser
from gdl.numbers import as_stated, brief, to_text
from gdl.render.picture.marks import Marks
from gdl.render.picture.picture_tree import Bounds, Picture, PictureGroup, PictureNode, Shape
from gdl.render.picture.position_faces import PositionFaces, positions, set_names
from gdl.render.picture.unfold import MAX_DRAWN_NODES, UnfoldingNode, explicit_tree, unfold
from gdl.solution import Solution
from gdl.states.sequential import Sequential


def picture(
    game: Game[Any],
    solution: Solution | None = None,
    *,
    depth: int | None = None,
    limit: int = MAX_DRAWN_NODES,
    blank: bool = False,
    bounds: Bounds | None = None,
    boards: bool | None = None,
    caption: str = "",
) -> Picture:
    """The game's tree with the answer on it. `depth` cuts the tree at that many plies (None: as far as it can be
    drawn); beyond `limit` nodes it is folded, level by level. `boards` says if positions of a game by rules are drawn
    (None: if all players see everything). A simultaneous move is drawn as hidden turns."""
    played = _in_turns(game)
    places = unfold(played, depth, limit)
    marks = Marks(played, None if blank else solution, places)
    named = set_names(explicit_tree(played), places)
    groups = _groups(played, places, named)
    alone = named.keys() - {member for group in groups for member in group.members}
    own = {number: named[number] for number in alone}  # of information sets that are one node
    drawer = _Drawer(played, places, positions(played, places, boards), marks, own)
    return Picture(
        title=title_of(game.name),
        players=tuple(map(clean, game.players)),
        nodes=tuple(drawer.draw(number) for number in range(len(places))),
        groups=groups,
        caption=clean(caption),
        blank=blank,
        bounds=bounds,
        strategic=marks.strategic,
    )


def _in_turns(game: Game[Any]) -> Game[Any]:
    """The game with one mover at a time: simultaneous moves become hidden turns; a wrapper that does this to a game
    without simultaneous moves is removed."""
    if game.traits.simultaneous is not False and not isinstance(game, Sequential):
        return Sequential(game)
    while isinstance(game, Sequential) and game.game.traits.simultaneous is False:
        game = game.game
    return game


class _Drawer:
    """Makes the drawn nodes from the unfolded ones."""

    def __init__(
        self, game: Game[Any], places: list[UnfoldingNode], shown: PositionFaces, marks: Marks, named: Mapping[int, str]
    ):
        self.game, self.places, self.shown, self.named = game, places, shown, named
        self.numbered = explicit_tree(game) is not None  # whether the actions may be mere numbers
        self.marks = marks
        self.sided = _two_sided(game)
        alone, opposed = game.traits.players == 1, game.traits.players == 2 and bool(game.traits.zero_sum)
        self.scalar = alone or opposed  # whether one number says everyone's payoff
        self.number = maximiser(game.players)  # the player whose number stands at nodes

    def draw(self, number: int) -> PictureNode:
        place, mark = self.places[number], self.marks[number]
        grid, lines = self.shown[number]
        return PictureNode(
            path=place.path,
            parent=place.parent,
            children=tuple(place.children),
            shape=self._shape(place),
            mover=self._mover(place),
            name=clean(self.game.label(place.state) or self.named.get(number, "")),
            grid=grid,
            lines=lines,
            payoff=self._payoff(place),
            value="" if mark.value is None else self._value(mark.value),
            bound=mark.bound,
            window=mark.window,
            folded=place.folded,
            skipped=mark.skipped,
            action=clean(self._action(place)),
            probability="" if place.probability is None else to_text(place.probability),
            played=mark.played,
            cut=clean(mark.cut),
            principal=mark.principal,
            best=mark.best,
        )

    def _shape(self, place: UnfoldingNode) -> Shape:
        match place.node:
            case Terminal():
                return "end"
            case Chance():
                return "chance"
            case Decision(player, _) if self.sided:
                return "max" if player == self.number else "min"
        return "player"

    def _mover(self, place: UnfoldingNode) -> str:
        if isinstance(place.node, Decision):
            return clean(self.game.players[place.node.player])
        return "chance" if isinstance(place.node, Chance) else ""

    def _action(self, place: UnfoldingNode) -> str:
        """The action's name; "" if it is only a child's number in an explicit tree."""
        numbered = self.numbered and bool(place.path) and place.action == str(place.path[-1] + 1)
        return "" if numbered or place.action is None else place.action

    def _payoff(self, place: UnfoldingNode) -> tuple[str, ...]:
        if not isinstance(place.node, Terminal):
            return ()
        vector = as_stated(place.node.utilities)
        shown = vector[self.number : self.number + 1] if self.scalar else vector[: 1 if _one_unknown(vector) else None]
        return tuple(map(_label, shown))

    def _value(self, value: tuple[Number | float, ...] | Number) -> str:
        return _label(as_stated(value[self.number] if self.scalar and isinstance(value, tuple) else value))


def _label(value: Any) -> str:
    """A number, or a vector, as a label that fits a node: long fractions are rounded."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_label, value))})"
    return to_text(value) if isinstance(value, float) else brief(value)


def title_of(name: str) -> str:
    """The title for a game: its name; "" if the name only says that the text came from no file, as `<standard input>`
    does."""
    name = clean(name)
    return "" if name.startswith("<") and name.endswith(">") else name


def _one_unknown(vector: tuple[Utility, ...]) -> bool:
    """True if the whole vector is one unknown."""
    return all(isinstance(u, Unknown) for u in vector) and len({u.name for u in vector if isinstance(u, Unknown)}) == 1


def _two_sided(game: Game[Any]) -> bool:
    """True if the players can be drawn as MAX and MIN: a lone player, or two with opposed interests who see everything
    or are named MAX and MIN."""
    traits = game.traits
    is_plain = traits.perfect_information is not False or is_sided(game.players) or traits.players == 1
    return traits.has_scalar_value and is_plain


def _groups(game: Game[Any], places: list[UnfoldingNode], named: Mapping[int, str]) -> tuple[PictureGroup, ...]:
    """The information sets of more than one node, each with the name that its author gave it, or "". `named` gives the
    names by the number of a node."""
    if game.traits.perfect_information:
        return ()
    members: dict[tuple[int, Hashable], list[int]] = {}
    for number, place in enumerate(places):
        if isinstance(place.node, Decision):
            key = place.node.player, game.information_set(place.state, place.node.player)
            members.setdefault(key, []).append(number)
    several = ((game.players[player], numbers) for (player, _), numbers in members.items() if len(numbers) > 1)
    return tuple(PictureGroup(clean(who), clean(named.get(own[0], "")), tuple(own)) for who, own in several)
