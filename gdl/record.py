"""Frozen data without generated code.

A `Record` behaves as a frozen dataclass does: fields by annotation, equality, hash, repr and patterns by field. The
standard decorator writes and compiles six functions for every class, which for the hundred small classes of the
syntax and the core takes longer than to parse and solve a small game; here they share one set.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Record:
    """Subclasses only annotate their fields; a default is a value in the class. Fields of base classes come first."""

    fields: ClassVar[tuple[str, ...]] = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        inherited = [name for base in cls.__bases__ for name in getattr(base, "fields", ())]
        own = [name for name, type in cls.__annotations__.items() if not str(type).startswith("ClassVar")]
        cls.fields = tuple(dict.fromkeys([*inherited, *own]))
        cls.__match_args__ = cls.fields  # type: ignore[misc]  # mypy thinks of a dataclass, which sets its own

    def __init__(self, *values: Any, **named: Any) -> None:
        fields = self.fields
        if len(values) != len(fields):
            rest = fields[len(values) :]
            if not named.keys() <= set(rest):
                raise TypeError(f"{type(self).__name__} takes {', '.join(fields)}")
            try:
                values += tuple([named[name] if name in named else getattr(type(self), name) for name in rest])
            except AttributeError as missing:
                raise TypeError(f"{type(self).__name__} misses a field: {missing}") from None
        elif named:
            raise TypeError(f"{type(self).__name__} takes {', '.join(fields)}")
        own = self.__dict__
        for name, value in zip(fields, values):  # noqa: B905  # as many: a strict zip takes twice as long
            own[name] = value

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"

    def copy_with(self, **changes: Any) -> Self:
        """Copy the record.

        Args:
            changes: the fields that differ in the copy, by their names.

        Returns:
            The copy.
        """
        return type(self)(*({**self.__dict__, **changes}[name] for name in self.fields))
