"""Chess in Portable Game Notation: `gdl analyse game.pgn` reads it, `gdl play chess --save game.pgn` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl.errors import WrongRequest, clean, count_text, listing
from gdl.formats import pgn, records
from gdl.formats.records import PlayRecord
from gdl.game import Decision, Terminal
from gdl.interpreter.position import text_of
from gdl.playing.asked_game import Remark, ignore
from gdl.playing.loading import load, shipped

CHESS = "chess"
PLAIN = ("standard", "chess", "")  # what files call chess where they name a variant


def read(text: str, name: str, which: int | None = None, remark: Remark = ignore) -> PlayRecord:
    """Read a game of a file in Portable Game Notation: number `which`, from 1; None: the first, with a remark if more
    follow.

    Raises GameError, with the place, where the file is damaged or a move is not legal.
    """
    from gdl.playing import san

    found = pgn.read(text, name, which or 1)
    variant = found.tags.get("Variant", "")
    if variant.lower() not in PLAIN:
        pgn.wrong(f"this is a game of {clean(variant)}", None, "gdl reads games of chess with its usual rules")
    position = found.tags.get("FEN")
    game: Any = load(shipped()[CHESS], position=position)
    state, actions = game.initial(), list[str]()
    for number, (move, span) in enumerate(found.moves):
        node = game.node(state)
        if isinstance(node, Terminal):
            left = count_text(len(found.moves) - number, "move")
            remark(f"{clean(name)}: by the rules the game is over before {clean(move)}; {left} left out")
            break
        assert isinstance(node, Decision)
        legal = san.matching_moves(move, text_of(game.model, state), node.actions)
        if len(legal) != 1:
            why = f"may mean {listing(legal, 'or')}" if legal else "is not legal here"
            help = f"{game.players[node.player]} can play {listing(node.actions, 'or', most=40)}"
            pgn.wrong(f"'{clean(move)}' {why}", span, help)
        actions.append(legal[0])
        state = game.successor(state, legal[0])
    if found.more and which is None:
        remark(records.MORE_FOLLOW.format(clean(name)))
    who = {player: found.tags[player] for player in game.players if player in found.tags}
    return PlayRecord(CHESS, position=position, who=who, result=found.result, actions=tuple(actions))


def write(record: PlayRecord) -> str:
    """Write a record of chess in Portable Game Notation. Raises WrongRequest for another game."""
    from gdl.playing import san

    if record.game != CHESS or record.settings or record.variant:
        raise WrongRequest("a .pgn file is for chess alone", help="name a file that ends with .play")
    game: Any = load(shipped()[CHESS], position=record.position)
    state, moves = game.initial(), list[str]()
    first = text_of(game.model, state)
    for ply, action in enumerate(record.actions, start=1):
        node, before = game.node(state), text_of(game.model, state)
        assert isinstance(node, Decision)
        state = game.successor(state, action)
        after = game.node(state)
        mates = isinstance(after, Terminal) and any(after.utilities)
        remark = record.remarks.get(ply, "")
        moves.append(san.move_to_san(action, before, node.actions, text_of(game.model, state), mates) + _remark(remark))
    last = game.node(state)
    tags = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
    tags |= {player: record.who.get(player, "?") for player in game.players}
    given_up = {"White 1, Black -1": "1-0", "White -1, Black 1": "0-1"}.get(record.result, "*")
    result = _result(last.utilities) if isinstance(last, Terminal) else given_up
    tags["Result"] = result
    if record.position is not None:
        tags |= {"SetUp": "1", "FEN": f"{first} 0 1" if len(first.split()) == 4 else first}
    return pgn.write(tags, moves, result, black=first.split()[1] == "b")


def _remark(text: str) -> str:
    """The annotation of a move in PGN: the mark (`?`, `??` or `?!`) with which the remark begins as a number, its other
    words in braces; "" for no remark."""
    mark, _, words = text.partition(" ")
    sign = {"?": " $2", "??": " $4", "?!": " $6"}.get(mark, "")
    told = (words if sign else text).replace("{", "(").replace("}", ")")
    return f"{sign} {{{' '.join(clean(told).split())}}}" if told else sign


def _result(utilities: Mapping[int, Any] | Any) -> str:
    first, second = utilities
    return "1/2-1/2" if first == second else "1-0" if first > second else "0-1"
