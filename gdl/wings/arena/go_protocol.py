"""An engine that programs for go and hex ask for moves, line by line: GTP, the Go Text Protocol, version 2.

    [ID] COMMAND ARGUMENT …      a line, answered by `=[ID] TEXT` or `?[ID] TEXT` and an empty line

Any game of two players with names of squares for actions can be spoken about. Black is the player of that name, else
the one who begins. Points of a grid skip the letter I, as go players write them; those of a hexagonal board do not.
Where a colour moves twice, as with handicap stones, the other is taken to have passed, if the game knows a pass. Play
that passes have ended goes on from before them, if somebody moves all the same; so the stones that are taken for dead
can be captured, as only what stands counts.

Source: Gunnar Farnebäck, Specification of the Go Text Protocol, version 2, draft 2 (2002).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gdl.errors import GameError, Refusal, WrongRequest, clean
from gdl.game import Action, Game, Terminal
from gdl.states.sequential import Sequential, Turn
from gdl.wings.arena.protocol import LONGEST, Thinker, parse_go

SIZES = ("n", "size", "columns", "rows")  # parameters that say how large a board is
KOMI = "komi"
PASS = "pass"
COLUMNS = "abcdefghjklmnopqrstuvwxyz"  # of a grid, without i
_LETTERS, _WITHOUT_I = re.compile(r"(?m)^ +a( [b-y])+$"), str.maketrans("abcdefghijklmnopqrstuvwxy", COLUMNS)
_POINT = re.compile(r"([a-z])(\d{1,2})")
Settings = Mapping[str, str]


class GtpSession:
    """One conversation. `begin` takes values of parameters, and gives the thinker for the game with them and the values
    of all its parameters; `say` sends an answer."""

    def __init__(
        self, begin: Callable[[Settings], tuple[Thinker, Settings]], say: Callable[[str], None], name: str, version: str
    ):
        self._begin, self._say = begin, say
        self._facts = {"protocol_version": "2", "name": clean(name), "version": clean(version)}
        self._clocks: dict[int, list[str]] = {}  # by player: the time left, in the words of UCI's `go`
        self._limits: list[str] = []  # the time of the game, or of every move, in the words of UCI's `go`
        self._wanted: Settings = {}  # parameters that were changed
        self._take(*self._load({}))

    def _load(self, wanted: Settings) -> tuple[Thinker, Settings, Game[Any]]:
        """Begin the game with these parameters: its thinker, the values of all parameters, and the game. Raises
        GameError or Refusal where they fit no game of two players."""
        thinker, settings = self._begin(wanted)
        game = Sequential(thinker.start(None))
        if len(game.players) != 2:
            raise Refusal("GTP is for games of two players")
        return thinker, settings, game

    def _take(self, thinker: Thinker, settings: Settings, game: Game[Any]) -> None:
        self._thinker, self._settings, self.game = thinker, settings, game
        self._states: list[Turn] = [game.initial()]
        self._steps: list[int] = []  # how many plies each move was

    def hear(self, line: str) -> bool:
        """Answer a line. Returns False once the conversation is over."""
        words = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line[:LONGEST].replace("\t", " ")).partition("#")[0].split()
        number = words.pop(0) if words and words[0].isdecimal() else ""
        if not words:
            return True
        command, *rest = words
        try:
            act = self._facts.get(command) or _ACTS[command]
            answer = "=", act if isinstance(act, str) else act(self, rest)
        except KeyError:
            answer = "?", "unknown command"
        except (IndexError, ValueError):
            answer = "?", "syntax error"
        except (GameError, Refusal, WrongRequest, _WrongCommand) as wrong:
            answer = "?", " ".join(str(wrong).split())
        self._say(f"{answer[0]}{number} {answer[1]}".rstrip() + "\n")
        return command != "quit"

    # ---- The board --------------------------------------------------------------------------------------------

    def set_size(self, rest: Sequence[str]) -> str:
        """Answer GTP's `boardsize`: begin anew on an empty board of this size."""
        size = str(int(rest[0]))
        wanted = {name: size for name in SIZES if name in self._settings}
        if not wanted:
            raise _WrongCommand("unacceptable size")
        self._change(wanted, "unacceptable size")
        return self.clear([])

    def set_komi(self, rest: Sequence[str]) -> str:
        """Answer GTP's `komi`: the points that the second player gets; the moves played so far stay."""
        if KOMI in self._settings:
            states, steps = self._states, self._steps
            self._change({KOMI: rest[0]}, "syntax error")
            self._states, self._steps = states, steps
        elif float(rest[0]) != 0:
            raise _WrongCommand("this game has no komi")
        return ""

    def _change(self, wanted: Settings, refusal: str) -> None:
        """Give the game these parameters from now on. Raises _WrongCommand with the words of `refusal` where it cannot
        have them."""
        if any(self._settings[name] != value for name, value in wanted.items()):
            try:
                self._take(*self._load({**self._wanted, **wanted}))
                self._wanted = {**self._wanted, **wanted}
            except (GameError, Refusal, WrongRequest):
                raise _WrongCommand(refusal) from None

    def clear(self, rest: Sequence[str]) -> str:
        """Answer GTP's `clear_board`: go back to the first position."""
        self._take(self._thinker, self._settings, Sequential(self._thinker.start(None)))
        return ""

    # ---- Moves ------------------------------------------------------------------------------------------------

    def play(self, rest: Sequence[str]) -> str:
        """Answer GTP's `play`: make a colour's move."""
        player, wanted = self._player(rest[0]), self._action(rest[1].lower())
        before = len(self._states)
        self._give_turn(player)
        if wanted not in self._legal(self._states[-1]):
            del self._states[before:]
            raise _WrongCommand("illegal move")
        self._move(wanted, before)
        return ""

    def find_move(self, rest: Sequence[str]) -> str:
        """Answer GTP's `genmove`: find and play a colour's move."""
        before = len(self._states)
        player = self._player(rest[0])
        self._give_turn(player)
        words = [*self._limits, *self._clocks.get(player, [])]
        action = self._thinker.move(self.game, self._states[-1], parse_go(words, 0), lambda info: None)
        self._move(action, before)
        return self._point(action)

    def suggest(self, rest: Sequence[str]) -> str:
        """Answer GTP's `reg_genmove`: find a colour's move, and do not play it."""
        point = self.find_move(rest)
        self.undo([])
        return point

    def place(self, rest: Sequence[str]) -> str:
        """Answer GTP's `set_free_handicap`: put Black's stones on an empty board."""
        if self._steps:
            raise _WrongCommand("board not empty")
        try:
            for point in rest:
                self.play(["b", point])
        except _WrongCommand:
            self.clear([])
            raise
        return " ".join(rest)

    def place_usual(self, rest: Sequence[str]) -> str:
        """Answer GTP's `fixed_handicap` and `place_free_handicap`: put so many stones of Black's on the usual
        points."""
        count, sizes = int(rest[0]), [int(self._settings.get(name, 0)) for name in ("columns", "rows")]
        most = 0 if min(sizes) < 7 else 9 if min(sizes) > 7 and all(size % 2 for size in sizes) else 4
        if not 2 <= count <= most:
            raise _WrongCommand("invalid number of stones")
        across, up = ((3 + (size > 12), size // 2 + 1, size - 2 - (size > 12)) for size in sizes)
        ordered = [(0, 0), (2, 2), (0, 2), (2, 0), (0, 1), (2, 1), (1, 0), (1, 2)][: count - (count in (5, 7, 9))]
        ordered += [(1, 1)] * (count in (5, 7, 9))
        return self.place([f"{COLUMNS[across[i] - 1].upper()}{up[j]}" for i, j in ordered])

    def tell_status(self, rest: Sequence[str]) -> str:
        """Answer GTP's `final_status_list`: no stone is dead or in seki where all that stands counts."""
        if rest[0] not in ("dead", "seki"):
            raise _WrongCommand("all stones that stand are alive")
        return ""

    def _go_on_before_passes(self) -> None:
        """Go on from before the two passes that have ended the game. Raises _WrongCommand where something else has."""
        before, *passed = self._states[-3:]
        state = before
        for after in passed:
            if PASS not in self._legal(state) or (state := self.game.successor(state, PASS)) != after:
                passed = []
        if len(passed) < 2:
            raise _WrongCommand("the game is over")
        self._states.append(before)

    def _give_turn(self, player: int) -> None:
        """Let the other player pass if it is the other's turn, as GTP allows a colour to play twice in a row."""
        if isinstance(self.game.node(self._states[-1]), Terminal):
            self._go_on_before_passes()
        state = self._states[-1]
        if getattr(self.game.node(state), "player", None) != player:
            if PASS not in self._legal(state):
                raise _WrongCommand(f"it is the turn of {'white' if player == self._black else 'black'}")
            self._states.append(self.game.successor(state, PASS))
            if getattr(self.game.node(self._states[-1]), "player", None) != player:
                self._states.pop()
                raise _WrongCommand("the game is over")

    def _move(self, action: Action, before: int) -> None:
        self._states.append(self.game.successor(self._states[-1], action))
        self._steps.append(len(self._states) - before)

    def undo(self, rest: Sequence[str]) -> str:
        """Answer GTP's `undo`: take the last move back, with the other colour's pass before it if there was one."""
        if not self._steps:
            raise _WrongCommand("cannot undo")
        del self._states[-self._steps.pop() :]
        return ""

    def _legal(self, state: Turn) -> tuple[Action, ...]:
        return getattr(self.game.node(state), "actions", ())

    @property
    def _black(self) -> int:
        names = [name.lower() for name in self.game.players]
        return names.index("black") if "black" in names else 1 - names.index("white") if "white" in names else 0

    def _player(self, colour: str) -> int:
        word = colour.lower()
        if word not in ("b", "black", "w", "white"):
            raise _WrongCommand("syntax error")
        return self._black if word.startswith("b") else 1 - self._black

    @property
    def _skips(self) -> bool:
        """True if points are written without the letter I: not on a hexagonal board, which has one number for its
        size."""
        return "n" not in self._settings or "rows" in self._settings

    def _action(self, point: str) -> Action:
        """The action that a GTP point names, in lower case; "" if there is no such column."""
        found = _POINT.fullmatch(point)
        if found is None or not self._skips:
            return point
        column = COLUMNS.find(found[1])
        return f"{chr(ord('a') + column)}{int(found[2])}" if column >= 0 else ""

    def _point(self, action: Action) -> str:
        """The point that an action is on, as GTP writes it."""
        found = _POINT.fullmatch(action)
        column = ord(found[1]) - ord("a") if found else 0
        if found is None or column >= len(COLUMNS):
            return clean(action)
        return f"{(COLUMNS[column] if self._skips else found[1]).upper()}{found[2]}"

    # ---- Time -------------------------------------------------------------------------------------------------

    def set_time(self, rest: Sequence[str]) -> str:
        """Answer GTP's `time_settings`: the seconds for all moves, then the seconds and the stones of a period."""
        main, more, stones = (int(word) for word in rest[:3])
        self._clocks.clear()
        if stones and not main:
            self._limits = ["movetime", str(1000 * more // stones)]
        else:
            self._limits = ["wtime", str(1000 * main)] if main else []
        return ""

    def set_left(self, rest: Sequence[str]) -> str:
        """Answer GTP's `time_left`: the seconds that a colour has for a number of stones, or for all if the number is
        0."""
        seconds, stones = int(rest[1]), int(rest[2])
        self._limits = []
        self._clocks[self._player(rest[0])] = ["wtime", str(1000 * seconds), *["movestogo", str(stones)] * bool(stones)]
        return ""

    # ---- What is known ----------------------------------------------------------------------------------------

    def show(self, rest: Sequence[str]) -> str:
        drawn = "\n" + self.game.show(self._states[-1]).rstrip("\n")
        return _LETTERS.sub(lambda row: row[0].translate(_WITHOUT_I), drawn) if self._skips else drawn

    def tell_score(self, rest: Sequence[str]) -> str:
        """Answer GTP's `final_score`: who has won, and by how much."""
        node = self.game.node(self._states[-1])
        if not isinstance(node, Terminal):
            raise _WrongCommand("the game is not over")
        worth = float(node.utilities[self._black])
        return "0" if worth == 0 else f"{'B' if worth > 0 else 'W'}+{abs(worth):g}"

    def commands(self) -> list[str]:
        return [*self._facts, *_ACTS]


class _WrongCommand(Exception):
    """A command that cannot be carried out, in GTP's words where it has some."""


_ACTS: dict[str, Callable[[GtpSession, Sequence[str]], str]] = {
    "known_command": lambda session, rest: str(rest[0] in session.commands()).lower(),
    "list_commands": lambda session, rest: "\n".join(session.commands()),
    "quit": lambda session, rest: "",
    "boardsize": GtpSession.set_size,
    "clear_board": GtpSession.clear,
    "komi": GtpSession.set_komi,
    "play": GtpSession.play,
    "genmove": GtpSession.find_move,
    "kgs-genmove_cleanup": GtpSession.find_move,
    "reg_genmove": GtpSession.suggest,
    "set_free_handicap": GtpSession.place,
    "fixed_handicap": GtpSession.place_usual,
    "place_free_handicap": GtpSession.place_usual,
    "undo": GtpSession.undo,
    "time_settings": GtpSession.set_time,
    "time_left": GtpSession.set_left,
    "final_score": GtpSession.tell_score,
    "final_status_list": GtpSession.tell_status,
    "showboard": GtpSession.show,
}
