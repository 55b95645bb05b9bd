"""A play as text: the game, the players, the result, and every action.

    [game "tic_tac_toe"]
    [set "n=4"]                    as given to --set; then [variant "…"] and [position "…"], where there are
    [player "X" "a person"]        who played
    [result "X 1, O -1"]           utilities at the end, * while the play goes on

    1. take(b2)
    2. take(a1)
    ; ?? costs 1: take(a3) is worth 0 to O

Each line has one action by its name in the game, also an outcome of chance; a simultaneous move has a line for each
player's action, in the order of the players. Lines that begin with `;` are remarks. Texts in brackets are written as in
JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from gdl.errors import DamagedData, clean, limits
from gdl.game import Action

ENDING = ".play"
MORE_FOLLOW = "{}: the first game is read; --game 2 reads the one that follows"  # the remark on a file of many games
OPEN = "*"  # the result of a play that goes on
LONGEST = 1_000_000  # actions
_TAG = re.compile(r"\[(\w+)((?:\s+\"(?:[^\"\\]|\\.)*\")+)\s*\]")
_TEXT = re.compile(r"\"(?:[^\"\\]|\\.)*\"")
_ACTION = re.compile(r"(\d+)\.\s+(.*)")


@dataclass(frozen=True)
class PlayRecord:
    """A recorded play. `who` says for each player who played it; `remarks` maps an action's number, from 1 (0: before
    the first), to the remark below it."""

    game: str
    settings: Mapping[str, str] = field(default_factory=dict)
    variant: str | None = None
    position: str | None = None
    who: Mapping[str, str] = field(default_factory=dict)
    result: str = OPEN
    actions: tuple[Action, ...] = ()
    remarks: Mapping[int, str] = field(default_factory=dict)


def is_record(text: str) -> bool:
    """True if a text is a record of a play, and not a game file."""
    return text.lstrip("\ufeff \t\r\n").startswith("[game ")


def write(record: PlayRecord) -> str:
    """The record as text."""
    tags: list[tuple[str, ...]] = [("game", record.game)]
    tags += [("set", f"{name}={value}") for name, value in record.settings.items()]
    tags += [("variant", record.variant)] if record.variant else []
    tags += [("position", record.position)] if record.position is not None else []
    tags += [("player", player, who) for player, who in record.who.items()]
    tags += [("result", record.result)]
    lines = [f"[{name} {' '.join(json.dumps(part, ensure_ascii=False) for part in parts)}]" for name, *parts in tags]
    lines.append("")
    for number, action in enumerate(record.actions, start=1):
        lines.append(f"{number}. {action}")
        lines += [f"; {remark}" for remark in record.remarks.get(number, "").splitlines()]
    return "\n".join(lines) + "\n"


def read(text: str, name: str) -> PlayRecord:
    """The record in a text. Raises DamagedData, with the line, if it is damaged."""
    if len(text) > limits.SOURCE:
        raise DamagedData(f"{clean(name)} is larger than {limits.SOURCE:,} characters")
    found: dict[str, Any] = {"settings": {}, "who": {}}
    actions: list[Action] = []
    remarks: dict[int, str] = {}
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        line = line.strip()
        if line.startswith("["):
            if actions:
                _refuse_record(name, number, "the lines in brackets stand before the actions")
            _tag(found, line, name, number)
        elif line.startswith(";"):
            before = f"{remarks[len(actions)]}\n" if len(actions) in remarks else ""
            remarks[len(actions)] = before + line.removeprefix(";").strip()
        elif line:
            if "game" not in found:
                break
            play = _ACTION.fullmatch(line)
            if play is None or int(play[1][:9]) != len(actions) + 1 or len(actions) >= LONGEST:
                _refuse_record(name, number, f"an action is due here, written so: {len(actions) + 1}. ACTION")
            actions.append(play[2])
    if "game" not in found:
        raise DamagedData(f'{clean(name)} is no record of a play of gdl play --save, which begins with [game "…"]')
    return PlayRecord(**found, actions=tuple(actions), remarks=remarks)


def _tag(found: dict[str, Any], line: str, name: str, number: int) -> None:
    """Read a line in brackets, a name and a text, into the fields `found`."""
    tag = _TAG.fullmatch(line)
    try:
        texts = [str(json.loads(part)) for part in _TEXT.findall(tag[2])] if tag else []
    except ValueError:
        texts = []
    if tag is None or len(texts) != (2 if tag[1] == "player" else 1):
        _refuse_record(name, number, 'a line in brackets is written [word "text"], or [player "name" "who"]')
    word = tag[1]
    if word == "player":
        found["who"][texts[0]] = texts[1]
    elif word == "set":
        key, equals, value = texts[0].partition("=")
        if not equals or not key:
            _refuse_record(name, number, 'a value of a parameter is written [set "name=value"]')
        found["settings"][key] = value
    elif word in ("game", "variant", "position", "result"):
        if word in found:
            _refuse_record(name, number, f"this is a second [{word}]")
        found[word] = texts[0]
    # Others may stand there for other programs: date, event.


def _refuse_record(name: str, line: int, what: str) -> NoReturn:
    raise DamagedData(f"{clean(name)}:{line}: {what}")
