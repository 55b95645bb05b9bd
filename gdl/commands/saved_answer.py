"""A saved answer on the command line: the fields that identify its game, and the way back from an answer to this
game."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gdl import wings
from gdl.commands import console
from gdl.commands.game_argument import ask
from gdl.errors import DamagedData, GameError, WrongRequest, clean
from gdl.game import Game
from gdl.model.fingerprint import comparable, fingerprint
from gdl.playing.loading import Asked

UNSAID = ("values", "concept")  # options on the output, or with a field of their own


def origin(asked: Asked, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The fields of an answer that identify its game and the settings; with `options` (those of a solver) also
    these."""
    by = asked.by
    played: tuple[str, ...] = getattr(asked.game, "played", ())
    fields = {
        "fingerprint": fingerprint(asked.loaded.model, played),
        "settings": dict(by.settings),
        "variant": by.variant,
        "position": by.position,
        "after": list(played),
        "weights": None if by.weights is None else Path(by.weights).name,
        "options": {
            name.rstrip("_"): value
            for name, value in (options or {}).items()
            if value is not None and name not in UNSAID
        },
    }
    return {name: value for name, value in fields.items() if value not in (None, {}, [])}


def takes(game: Game[Any], concept: Any = None) -> Callable[[str], bool | None]:
    """A function that says whether the solver of a name accepts the game; for a name that no solver has, or none that
    answers the concept (if there is one of that name), it returns None. An answer out of a table is by "table"."""
    from gdl.solvers import CONCEPTS, SOLVERS

    is_known = isinstance(concept, str) and not wings.missing_wing("concepts", concept) and concept in CONCEPTS
    asked = CONCEPTS[concept].solvers if is_known else tuple(SOLVERS)

    def accepts(name: str) -> bool | None:
        if name == "table" and concept is None:
            name = "retrograde"  # by which tables are made
        return SOLVERS[name].takes(game, game.traits) if name in SOLVERS and name in asked else None

    return accepts


def as_the_answer_has_it(asked: Asked, answer: Any) -> Asked:
    """The game with the settings, variant and position of a saved answer, unless the command line gives some; a remark
    says so. Raises DamagedData if the game does not have them, because the answer is then of another game."""
    by = asked.by
    if not isinstance(answer, Mapping) or by.settings or by.variant or by.position is not None or by.after is not None:
        return asked
    settings, after = answer.get("settings") or {}, answer.get("after")
    variant, position = answer.get("variant"), answer.get("position")
    told = [*(f"--set {shlex.quote(f'{name}={value}')}" for name, value in _texts(settings).items())]
    told += [f"--variant {shlex.quote(variant)}"] if isinstance(variant, str) else []
    told += [f"--position {shlex.quote(position)}"] if isinstance(position, str) else []
    played = tuple(action for action in after if isinstance(action, str)) if isinstance(after, list) else ()
    told += [f"--after {shlex.quote(' > '.join(played))}"] if played else []
    if not told:
        return asked
    console.remark(clean(f"the game is taken as the answer has it: {' '.join(told)}"))
    meant = by._replace(
        settings=_texts(settings),
        variant=variant if isinstance(variant, str) else None,
        position=position if isinstance(position, str) else None,
        after=played or None,
    )
    try:
        return ask(meant, quietly=True)
    except (WrongRequest, GameError) as wrong:
        first = wrong.problems[0]
        said = f"{first.message}{f'; {first.note.splitlines()[0]}' if first.note else ''}"
        raise DamagedData(clean(f"the answer is of another game: {said}")) from None


def _texts(settings: Any) -> dict[str, str]:
    """The settings that have a text as name and value; empty if `settings` is no mapping."""
    if not isinstance(settings, Mapping):
        return {}
    return {name: value for name, value in settings.items() if isinstance(name, str) and isinstance(value, str)}


def check_game(asked: Asked, answer: Mapping[str, Any]) -> None:
    """Raise DamagedData if the answer is of another game, by its fingerprint."""
    other, mine = answer.get("fingerprint"), fingerprint(asked.loaded.model, getattr(asked.game, "played", ()))
    if isinstance(other, str) and comparable(mine, other) and mine != other:
        asked_for = " with these settings, at this position" if origin(asked).keys() - {"fingerprint"} else ""
        raise DamagedData(f"the answer is of another game than {clean(asked.game.name)}{asked_for}")
