"""An engine that other programs ask for moves, line by line: UCI, as chess programs speak it, and UGI, the same for any
game.

    uci, ugi                 who the engine is and what it can be told; uciok, ugiok
    isready                  readyok
    setoption name N value V
    ucinewgame, uginewgame
    position startpos|fen TEXT [moves A B …]
    go [depth N] [mate N] [nodes N] [movetime MS] [infinite] [ponder] [wtime MS btime MS winc MS
       binc MS movestogo N] [searchmoves A B …]
    ponderhit                the move that was expected was played: the search that ponders goes on as a usual one
    stop                     ends a search, which answers with what it has found
    query gameover|p1turn|result
    quit

A search answers with lines `info depth D score cp S nodes N nps N time MS pv A B …` and one `bestmove A`, to which
`ponder B` is added, the move that is expected next, where the option Ponder is true; with the option MultiPV as many
lines as it says, the best first, each with its `multipv K`. A score is in hundredths of the unit that `evaluate` names,
else of a unit of utility, for the mover; where the line ends the game with the most that there is to win, or the least,
it is `mate N`, in moves. Where actions have blanks in their names, as in `take(1, 2)`, they are written without those
behind commas. Outcomes of chance are moves too; asked for one, the engine draws it. Moves at once are asked for player
by player, in their order.

Sources: Stefan Meyer-Kahlen, Rudolf Huber, UCI (2004); Kade Phillips and others, UGI (the protocol of cutegames).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from math import inf
from time import monotonic, sleep
from typing import Any, NamedTuple, Protocol

from gdl.errors import GameError, Refusal, clean
from gdl.game import Action, Decision, Game, Number, Terminal
from gdl.interpreter.position import longest_match
from gdl.numbers import to_text
from gdl.states.explore import move_text, moves
from gdl.states.sequential import Sequential, Turn

SHARE = 25  # moves that the time on a clock is to last for, unless `movestogo` says
PONDER = "Ponder"  # the option whether the move that is expected next is told
LONGER = 2.5  # times its share of the clock that a move may take if its best action changes meanwhile
LEAST_SECONDS = 0.01  # seconds for a move
LONGEST = 100_000  # characters of a line


@dataclass(frozen=True)
class ThinkingLimits:
    """The limits of a search: plies, nodes, seconds. Without any of them it lasts until `stop`, or as long as is
    usual."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    infinite: bool = False
    ponder: bool = False  # until `ponderhit`, and then as long as is left of the seconds
    most: float | None = None  # seconds that a move may take where the best changes; None: no more than `seconds`
    moves: tuple[str, ...] = ()  # the only ones that are looked at; (): all


class Info(NamedTuple):
    """The findings of a search so far."""

    depth: int | None = None
    score: float | None = None  # utility of the mover
    nodes: int = 0
    seconds: float = 0.0
    line: tuple[Action, ...] = ()
    words: str = ""
    mate: int | None = None  # moves of the mover's until the line wins, or, below 0, loses
    rank: int | None = None  # of this line among several, from 1; None: there is one

    def prepend(self, action: Action) -> Info:
        """The findings about an action, from those about the position after it."""
        depth = None if self.depth is None else self.depth + 1
        mate = self.mate + 1 if self.mate and self.mate > 0 else self.mate
        return self._replace(depth=depth, line=(action, *self.line), mate=mate)


class Thinker(Protocol):
    """A finder of moves for the protocols."""

    options: dict[str, tuple[str, str]]  # by name: what the protocol says of its kind, and its value

    def start(self, position: str | None, tell: Callable[[str], object] = lambda _: None) -> Game[Any]:
        """The game from its start (None), or from a position in its notation; `tell` gets what that leaves out."""

    def get_ready(self, game: Game[Any], state: Turn) -> str:
        """Do in advance what the time of the first move would have to be spent on. Returns a remark on it, or ""."""

    def move(self, game: Game[Any], state: Turn, wanted: ThinkingLimits, tell: Callable[[Info], None]) -> Action:
        """An action to play at a state, or the outcome of chance there; `tell` gets the findings of the search so
        far."""


class UgiSession:
    """One conversation in UCI or UGI. `say` sends a line."""

    def __init__(self, thinker: Thinker, say: Callable[[str], None], name: str, author: str):
        self.thinker, self.say = thinker, say
        self.name, self.author = name, author
        self.begin(None)

    def begin(self, position: str | None) -> None:
        """Begin the game from its start (None), or from a position in its notation."""
        self.position = position
        self.game = Sequential(self.thinker.start(position, self.tell))
        self.played: list[Action] = []
        self.states: list[Turn] = [self.game.initial()]

    def hear(self, line: str) -> bool:
        """Answer a line. Returns False once the conversation is over."""
        word, *rest = line[:LONGEST].split() or [""]
        if word == "quit":
            return False
        act = _ACTS.get(word)
        if act is not None:
            try:
                act(self, rest)
            except (GameError, Refusal, _Wrong) as wrong:
                self._tell_fault(wrong)
        elif word:
            self.tell(f"unknown command: {word}")
        return True

    def tell(self, text: str) -> None:
        """Send a remark, as `info string`."""
        self.say(f"info string {clean(text)}")

    def _tell_fault(self, wrong: Exception) -> None:
        self.tell(" ".join(str(wrong).split()))

    # ---- What is heard ----------------------------------------------------------------------------------------

    def introduce(self, rest: Sequence[str], ready: str) -> None:
        self.say(f"id name {clean(self.name)}")
        self.say(f"id author {clean(self.author)}")
        for name, (kind, value) in self.thinker.options.items():
            self.say(f"option name {name} {kind.replace('*', value)}")
        self.say(ready)

    def get_ready(self, rest: Sequence[str]) -> None:
        remark = self.thinker.get_ready(self.game, self.states[-1])
        if remark:
            self.tell(remark)
        self.say("readyok")

    def set_option(self, rest: Sequence[str]) -> None:
        words = " ".join(rest).removeprefix("name ")
        name, _, value = words.partition(" value ")
        known = {option.lower(): option for option in self.thinker.options}
        if name.strip().lower() not in known:
            raise _Wrong(f"no option is called {name.strip() or 'so'}; there are {', '.join(known.values())}")
        option = known[name.strip().lower()]
        self.thinker.options[option] = (self.thinker.options[option][0], value.strip())

    def set_position(self, rest: Sequence[str]) -> None:
        """Set the position; the moves played before are kept, and only new ones are played."""
        if not rest or rest[0] not in ("startpos", "fen"):
            raise _Wrong("a position is written: position startpos|fen TEXT [moves …]")
        at = rest.index("moves") if "moves" in rest else len(rest)
        position = " ".join(rest[1:at]) if rest[0] == "fen" else None
        before = (self.position, self.game, [*self.played], [*self.states])
        try:
            if position != self.position:
                self.begin(position)
            self._play(" ".join(rest[at + 1 :]))
        except (GameError, _Wrong):
            self.position, self.game, self.played, self.states = before
            raise

    def _play(self, text: str) -> None:
        """Play the moves of a text from the start of the game on, keeping what was played the same before. Raises
        _Wrong at an illegal move."""
        ply = 0
        while text := text.strip():
            kept = ply < len(self.played)
            known = [self.played[ply]] if kept else []
            action = longest_match(text, known) or longest_match(text, self._legal(self.states[ply]))
            if action is None:
                raise _Wrong(f"illegal move: {text.split()[0]}; the position stays as it was")
            if kept and action.name != self.played[ply]:
                del self.played[ply:], self.states[ply + 1 :]
                kept = False
            if not kept:
                self.states.append(self.game.successor(self.states[ply], action.name))
                self.played.append(action.name)
            text = text[action.length :]
            ply += 1
        del self.played[ply:], self.states[ply + 1 :]

    def _legal(self, state: Turn) -> list[str]:
        return [move_text(move) for move in moves(self.game.node(state))]

    def go(self, rest: Sequence[str]) -> None:
        state = self.states[-1]
        try:
            node = self.game.node(state)
        except GameError as wrong:  # whoever asks waits for an answer
            self._tell_fault(wrong)
            self.say("bestmove (none)")
            return
        if isinstance(node, Terminal):
            self.tell("the game is over")
            self.say("bestmove (none)")
            return
        mover = node.player if isinstance(node, Decision) else 0
        line: tuple[Action, ...] = ()
        unit = (self.game.promises.unit or ("", 1))[1]

        def tell(info: Info) -> None:
            nonlocal line
            line = info.line or line
            self.say(_info(info, unit))

        wanted = parse_go(rest, mover)
        try:
            action = self.thinker.move(self.game, state, wanted, tell)
        except (GameError, Refusal) as wrong:
            self._tell_fault(wrong)
            action = move_text(moves(node)[0])
        ponders = self.thinker.options.get(PONDER, ("", ""))[1].lower() == "true"
        expected = f" ponder {action_as_word(line[1])}" if ponders and line[:1] == (action,) and len(line) > 1 else ""
        self.say(f"bestmove {action_as_word(action)}{expected}")

    def query(self, rest: Sequence[str]) -> None:
        node = self.game.node(self.states[-1])
        what = rest[0] if rest else ""
        if what == "gameover":
            answer = str(isinstance(node, Terminal)).lower()
        elif what == "p1turn":
            answer = str(isinstance(node, Decision) and node.player == 0).lower()
        elif what == "result":
            answer = _result(node, self.game.players)
        else:
            raise _Wrong("query takes gameover, p1turn or result")
        self.say(f"response {answer}")


class _Wrong(Exception):
    """A line that cannot be obeyed."""


_ACTS: dict[str, Callable[[UgiSession, Sequence[str]], None]] = {
    "uci": lambda engine, rest: engine.introduce(rest, "uciok"),
    "ugi": lambda engine, rest: engine.introduce(rest, "ugiok"),
    "isready": UgiSession.get_ready,
    **dict.fromkeys(("ucinewgame", "uginewgame"), lambda engine, rest: engine.begin(None)),
    "setoption": UgiSession.set_option,
    "position": UgiSession.set_position,
    "go": UgiSession.go,
    "query": UgiSession.query,
    **dict.fromkeys(("stop", "ponderhit", "debug"), lambda engine, rest: None),  # nothing is thought about
}


def parse_go(words: Sequence[str], mover: int) -> ThinkingLimits:
    """The limits in the words of `go`; of the clock of player `mover`, a share. Raises _Wrong where a number is
    missing."""
    said: dict[str, float] = {}
    for word, value in zip(words, [*words, ""][1:], strict=True):
        if word in _NUMBERED:
            try:
                said[word] = max(0.0, float(value))
            except ValueError:
                raise _Wrong(f"{word} takes a number") from None
    own = ("wtime", "winc", "p1time", "p1inc") if mover == 0 else ("btime", "binc", "p2time", "p2inc")
    clock = next((said[word] for word in own[::2] if word in said), None)
    seconds = said["movetime"] / 1000 if "movetime" in said else None
    most: float | None = None
    if seconds is None and clock is not None:
        extra = next((said[word] for word in own[1::2] if word in said), 0.0)
        share = clock / max(1.0, said.get("movestogo", SHARE)) + 0.75 * extra
        seconds = min(share, 0.5 * clock) / 1000
        most = max(LEAST_SECONDS, min(LONGER * share, 0.5 * clock) / 1000)
    if said.get("mate", 0) >= 1:
        said.setdefault("depth", 2 * said["mate"] - 1)  # plies up to the last of so many moves
    depth, nodes = (int(said[word]) if said.get(word, 0) >= 1 else None for word in ("depth", "nodes"))
    seconds = None if seconds is None else max(LEAST_SECONDS, seconds)
    return ThinkingLimits(depth, nodes, seconds, "infinite" in words, "ponder" in words, most, _listed_moves(words))


def _listed_moves(words: Sequence[str]) -> tuple[str, ...]:
    """The moves behind `searchmoves`, up to the next word that `go` knows."""
    begun = words.index("searchmoves") + 1 if "searchmoves" in words else len(words)
    return tuple(takewhile(lambda word: word not in {*_NUMBERED, "infinite", "ponder"}, words[begun:]))


_NUMBERED = {"depth", "mate", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo"}
_NUMBERED |= {"p1time", "p2time", "p1inc", "p2inc"}


def _info(info: Info, unit: Number) -> str:
    words = ["info"]
    if info.depth is not None:
        words += ["depth", str(info.depth)]
    if info.rank is not None:
        words += ["multipv", str(info.rank)]
    if info.mate is not None:
        words += ["score", "mate", str(info.mate)]
    elif info.score is not None:
        words += ["score", "cp", str(round(100 * info.score / float(unit)))]
    if info.nodes:
        rate = round(info.nodes / max(info.seconds, 0.001))
        words += ["nodes", str(info.nodes), "nps", str(rate)]
    words += ["time", str(round(1000 * info.seconds))]
    if info.line:
        words += ["pv", *map(action_as_word, info.line)]
    if info.words:
        words += ["string", clean(info.words)]
    return " ".join(words)


def action_as_word(action: Action) -> str:
    """An action as one word: without the blanks behind commas."""
    return clean(action.replace(", ", ","))


def _result(node: Any, players: Sequence[str]) -> str:
    """The answer to `query result`: `none`, `draw`, `p1win` or `p2win`; with other numbers of players the utilities."""
    if not isinstance(node, Terminal):
        return "none"
    if len(players) != 2:
        return " ".join(map(to_text, node.utilities))
    first, second = node.utilities
    return "draw" if first == second else "p1win" if first > second else "p2win"


# ---- Several lines at once -----------------------------------------------------------------------------------------


USUAL = 1.0  # seconds for all actions together, where nobody sets a limit
SHARES = (0.1, 0.9)  # of the time: for a first look at every action, and for a longer one
MOST_ROUNDS = 24  # of an endless search, each twice as long as the one before: they last for weeks
SLEEP = 0.01  # seconds between two looks whether to stop

Search = Callable[[Action, ThinkingLimits], tuple[Info | None, bool]]  # the findings; True if it was stopped


class ComparedActions:
    """The actions at a position, compared by a `search` of each. After each round `tell` gets the findings about the
    best ones, `lines` at most, best first."""

    def __init__(self, actions: Sequence[Action], search: Search, lines: int, tell: Callable[[Info], None]):
        self._actions, self._search, self._lines, self._tell = actions, search, lines, tell
        self._known: dict[Action, Info] = {}

    def run(self, wanted: ThinkingLimits, is_hit: Callable[[], bool], stops: Callable[[bool], bool]) -> Action:
        """Search in rounds until the work that was wanted is done or somebody says stop, and return the best action.
        `is_hit` tells if the expected move was played, after which pondering ends; `stops` tells if somebody says stop,
        and gets True if nothing else would end the search."""
        began = monotonic()
        lasting = wanted.infinite or wanted.ponder or wanted.seconds is None
        deadline = inf if lasting or wanted.depth or wanted.nodes else began + (wanted.seconds or 0)

        def waits() -> bool:
            return wanted.infinite or (wanted.ponder and not is_hit())

        for limits in self._rounds(wanted):
            before = monotonic()
            if self._look_once(limits, deadline) or before + LEAST_SECONDS >= deadline:
                return self._by_merit()[0]
            if limits.seconds is not None and monotonic() - before < limits.seconds * len(self._actions) / 2:
                break  # all is decided
            if not waits() and (wanted.infinite or wanted.ponder) and monotonic() - began >= (wanted.seconds or USUAL):
                break
        while waits() and not stops(True):
            sleep(SLEEP)
        return self._by_merit()[0]

    def know(self, action: Action, info: Info) -> None:
        """Take the findings about an action, unless deeper ones are known."""
        known = self._known.get(action)
        if known is None or (info.depth or 0) >= (known.depth or 0):
            self._known[action] = info

    def _rounds(self, wanted: ThinkingLimits) -> Iterator[ThinkingLimits]:
        """The limits for the search of each action, round by round."""
        among = len(self._actions)
        if wanted.depth or wanted.nodes:
            yield ThinkingLimits(
                wanted.depth and max(1, wanted.depth - 1), wanted.nodes and max(1, wanted.nodes // among)
            )
            return
        lasting = wanted.infinite or wanted.ponder
        seconds = USUAL if lasting or wanted.seconds is None else wanted.seconds
        for share in (SHARES[0] * 2.0**k for k in range(MOST_ROUNDS)) if lasting else SHARES:
            yield ThinkingLimits(seconds=max(LEAST_SECONDS, share * seconds / among))

    def _look_once(self, limits: ThinkingLimits, deadline: float) -> bool:
        """Search each action once within the limits, the best so far first, until all must be done by the clock
        `monotonic`, and report the best ones. Returns True if the search was stopped."""
        stopped = False
        for action in self._by_merit():
            left = deadline - monotonic()
            if self._known and left < LEAST_SECONDS:
                break  # one deadline holds for all lines
            seconds = limits.seconds and min(limits.seconds, max(LEAST_SECONDS, left))
            info, stopped = self._search(action, replace(limits, seconds=seconds))
            if info is not None:
                self.know(action, info)
            if stopped:
                break
        for rank, action in enumerate(self._by_merit()[: self._lines], 1):
            if action in self._known:
                self._tell(self._known[action]._replace(rank=rank))
        return stopped

    def _by_merit(self) -> list[Action]:
        """The actions, the best first: wins in few moves, then scores, then losses in many; among equals in the order
        of the file."""

        def merit(action: Action) -> tuple[float, float]:
            info = self._known.get(action, Info())
            score = float("-inf") if info.score is None else info.score
            return score, 1 / info.mate if info.mate else 0.0

        return sorted(self._actions, key=merit, reverse=True)
