"""A game as it appears: its model with the names and signs that pictures show, and without what they hide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl.model.domains import TRUTH, Named, Optional, Part, SetType, Type
from gdl.model.games import Appearance, RulesModel, Variable

SIGNS = {  # symbols that texts show too; for others letters stand there
    "star": "★", "cross": "×", "circle": "○", "diamond": "◆", "triangle": "▲", "heart": "♥", "spade": "♠", "club": "♣",
    "flag": "⚑", "house": "⌂", "sun": "☼",
}  # fmt: skip
COLOURS = {
    "white": "#fdfdf8", "light": "#fdfdf8", "black": "#2b2b2b", "dark": "#2b2b2b", "red": "#d55e00", "blue": "#0072b2",
    "yellow": "#f0e442", "green": "#009e73", "gold": "#e6b422", "silver": "#b9bec4", "brown": "#8a5a2b",
    "purple": "#7b4fa3", "pink": "#e7a1c4", "grey": "#767676",
}  # fmt: skip


class PresentedType(Named):
    """An enumeration whose members have signs of their own in pictures of boards, by their numbers."""

    signs: Mapping[int, str] = {}


LONGEST_SIGN = 2  # letters of a sign that is no symbol's name


def sign_in_text(sign: str) -> str:
    """The sign for a symbol's name in pictures made of letters, or of a sign the sign itself; "" for other symbols."""
    return SIGNS.get(sign, sign if len(sign) <= LONGEST_SIGN else "")


def present_model(model: RulesModel) -> RulesModel:
    """The model as it is shown: `show … as` has renamed its variables and values; a variable that `hide` names is no
    longer drawn, for its new name is one that no author writes, and it lies on no squares. Signs of `draw … as` stay,
    under the new names."""
    look = model.appearance
    if not (look.hidden or look.names or look.signs):
        return model
    types = _Presenter(model)
    signs = {look.names.get(name, name): sign for name, sign in look.signs.items()}
    rest = look.copy_with(hidden=(), names={}, signs=signs)
    return model.copy_with(variables=tuple(map(types.variable, model.variables)), appearance=rest)


class _Presenter:
    """The variables and types of one model as they appear: a type that is met twice is the same afterwards."""

    def __init__(self, model: RulesModel):
        self.look: Appearance = model.appearance
        self.players = model.players
        self.made: dict[int, Named] = {}

    def variable(self, variable: Variable) -> Variable:
        """The variable under the name by which it is shown, its types too."""
        name = variable.name
        if name in self.look.hidden:
            return variable.copy_with(name=f".{name}", indices=(), type=TRUTH)
        indices = tuple(map(self.type, variable.indices))
        return variable.copy_with(name=self.look.names.get(name, name), indices=indices, type=self.type(variable.type))

    def type(self, type: Any) -> Type:
        """The type, its members under the names by which they are shown."""
        match type:
            case PresentedType():
                return type
            case Optional() | SetType():
                return type.copy_with(item=self.type(type.item))
            case Part():
                return type.copy_with(whole=self.type(type.whole))
            case Named() if type.board is None and type.graph is None and type.members != self.players:
                return self.made.get(id(type)) or self.made.setdefault(id(type), self._present_enumeration(type))
        return type  # type: ignore[no-any-return]

    def _present_enumeration(self, type: Named) -> Named:
        """The enumeration, or record, as it appears; itself if nothing is said of it."""
        parts = tuple((name, self.type(part)) for name, part in type.parts)
        signs = {k: sign_in_text(self.look.signs[m]) for k, m in enumerate(type.members) if m in self.look.signs}
        names = tuple(self.look.names.get(name, name) for name in type.members)
        if names == type.members and not signs and parts == type.parts:
            return type
        told = {name: getattr(type, name) for name in type.fields} | {"members": names, "parts": parts}
        return PresentedType(**told, signs={k: sign for k, sign in signs.items() if sign})
