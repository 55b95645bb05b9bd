"""Records of plays: what a command has played, and gdl analyse, which judges every move of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from gdl.commands import telling
from gdl.commands.engines import falling_back, offer, takes_engine
from gdl.commands.game_argument import Asked, takes_game, takes_weights
from gdl.commands.limiting import LOOKING, NONE, keeps_limits, start_clock
from gdl.errors import GameError, LimitReached, Refusal, clean, count_text
from gdl.formats import records
from gdl.formats.files import write
from gdl.formats.records import PlayRecord
from gdl.game import Action, Chance, Decision, Game, Node, Number, Terminal, Unknown, without_rewards
from gdl.interpreter.position import Continuation
from gdl.numbers import to_json, to_text
from gdl.playing.judging import MARKS, PositionWorth, scale
from gdl.solution import Solution
from gdl.states.sequential import Sequential

SECONDS = 1.0  # for a position


def of_play(asked: Asked, played: Sequence[Action], who: Mapping[str, str]) -> PlayRecord:
    """What was played of a game, from its first position on. A record names its game without a path."""
    by = asked.by
    actions = (*getattr(asked.game, "played", ()), *played)
    whole = Sequential(asked.loaded.game)
    state = whole.initial()
    for action in actions:
        state = whole.successor(state, action)
    name, end = Path(by.file).name, result(whole, whole.node(state))
    return PlayRecord(name, by.settings, by.variant, by.position, who, end, actions)


def result(game: Game[Any], node: Node) -> str:
    """Who got what at the end; the sign of an open play before it."""
    if not isinstance(node, Terminal):
        return records.OPEN
    return ", ".join(f"{player} {to_text(u)}" for player, u in zip(game.players, node.utilities, strict=True))


# ---- gdl analyse --------------------------------------------------------------------------------------------------


class MoveJudgement(NamedTuple):
    """A move: what it cost its player beside the best one, with the mark for that."""

    ply: int
    player: str
    action: Action
    mark: str
    cost: Number | float | None  # None: it is not known
    exact: bool
    best: Action | None
    worth: Number | float | None  # of the best move, to the player


@click.command()
@click.option("--time", type=click.FloatRange(min=0, min_open=True), default=SECONDS, metavar="SECONDS",
              help="For each position; a second by default.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write the record with the marks to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print the judgements as one JSON object.")
@takes_engine
@keeps_limits("memory", usual=LOOKING)
@takes_game
@takes_weights
def analyse(asked: Asked, time: float, output: str | None, as_json: bool, engine: str) -> None:
    """Judge every move of a play.

    FILE is a record, or a game whose play --record or --after gives. A move that costs something beside the best one is
    marked ?! ? ??, by how much of the chances to win it gives away; ?? is also what proves to give a win or a draw
    away. Where a position is not solved in time, both moves are estimated.
    """
    game: Any = asked.loaded.game
    actions = getattr(asked.game, "played", ())
    if not actions:
        raise telling.WrongCommand("there is no play to judge", help="name a record, or give --record or --after")
    without_rewards(game, "gdl analyse")
    if game.traits.perfect_information is False:
        raise Refusal(f"moves of {game.name} cannot be judged by a position: players do not see everything")
    record = of_play(asked, (), asked.by.who)
    judged = list(_Analysis(offer(game, engine), time).of(actions))
    marked = replace(record, remarks={one.ply: _remark(one) for one in judged if one.mark})
    if output is not None:
        from gdl.commands.other_records import text_for

        write(output, text_for(output, marked))
        telling.remark(f"written to {clean(output)}")
    if as_json:
        telling.answer_json(_object(asked, record, judged))
    else:
        telling.answer("\n".join([*map(clean, _lines(record, judged)), "", *map(clean, _summary(judged))]))


class _Analysis:
    """Judges moves by the worth of the positions before and after them."""

    def __init__(self, game: Game[Any], seconds: float):
        self.game = Sequential(game)
        self.inner = game
        self.seconds = seconds
        self._next = start_clock({"time": seconds})["time"]  # for the first position, what is made ready counts
        self.scale = scale(game)

    def of(self, actions: Sequence[Action]) -> Iterator[MoveJudgement]:
        """Every move of a player; outcomes of chance are no moves."""
        state = self.game.initial()
        with NONE.enforce("moves", len(actions)) as progress:
            for ply, action in enumerate(actions, start=1):
                node = self.game.node(state)
                if isinstance(node, Decision):
                    yield self._judge_move(ply, state, node, action)
                state = self.game.successor(state, action)
                progress(ply)

    def _judge_move(self, ply: int, state: Any, node: Decision, action: Action) -> MoveJudgement:
        player, name = node.player, self.game.players[node.player]
        before = self.worth(state) if len(node.actions) > 1 else PositionWorth(None, True, (action,))
        if action in before.best:
            value = None if before.value is None else before.value[player]
            return MoveJudgement(ply, name, action, "", 0, before.exact, action, value)
        if not before.best:
            return MoveJudgement(ply, name, action, "", None, False, None, None)
        best = before.best[0]
        after = self.worth(self.game.successor(state, action))
        if not (before.exact and after.exact):  # two estimates, as deep as each other
            before = self.worth(self.game.successor(state, best))._replace(exact=False)
        if before.value is None or after.value is None:
            return MoveJudgement(ply, name, action, "", None, False, best, None)
        exact = before.exact and after.exact
        cost = max(0, before.value[player] - after.value[player])
        mark = self.scale.mark(before, after, player)
        return MoveJudgement(ply, name, action, mark, cost, exact, best, before.value[player])

    def worth(self, state: Any) -> PositionWorth:
        """Of a position: what the rules say at an end, what chance makes of it on average, else what a search finds."""
        node = self.game.node(state)
        if isinstance(node, Terminal):
            return PositionWorth(_known_utilities(node.utilities), True)
        if isinstance(node, Chance):
            return self._average(state, node)
        return self._search_worth(Continuation(self.inner, state.state))

    def _average(self, state: Any, node: Chance) -> PositionWorth:
        found = [(share, self.worth(self.game.successor(state, outcome))) for outcome, share in node.outcomes]
        if any(worth.value is None for _, worth in found):
            return PositionWorth(None, False)
        players = range(len(self.game.players))
        value = tuple(sum(share * worth.value[p] for share, worth in found if worth.value) for p in players)
        return PositionWorth(
            value, all(worth.exact for _, worth in found), (), any(worth.evaluated for _, worth in found)
        )

    def _search_worth(self, position: Game[Any]) -> PositionWorth:
        from gdl.solvers import solve

        found: Any = None
        time, self._next = self._next, self.seconds
        try:
            found = falling_back(lambda: solve(position, time=time), position)
        except LimitReached as stop:
            found = stop.partial
        except (Refusal, GameError):
            found = None
        if not isinstance(found, Solution) or found.value is None:
            return PositionWorth(None, False, found.best if isinstance(found, Solution) else ())
        return PositionWorth(found.value, found.exact, found.best, not found.exact and found.solver != "mcts")


def _known_utilities(utilities: Sequence[Any]) -> tuple[Number, ...] | None:
    """The utilities of an end; None where the file leaves one open."""
    return None if any(isinstance(utility, Unknown) for utility in utilities) else tuple(utilities)


def _remark(one: MoveJudgement) -> str:
    about = "" if one.exact else "about "
    cost, worth = _number(one.cost), _number(one.worth)
    return f"{one.mark} costs {about}{cost}: {one.best} is worth {about}{worth} to {one.player}"


def _number(value: Number | float | None) -> str:
    if value is None:
        return "?"
    text = to_text(value)
    return text if len(text) <= 7 else f"{float(value):.3g}"


def _lines(record: PlayRecord, judged: list[MoveJudgement]) -> Iterator[str]:
    """The play, with marks."""
    by_ply = {one.ply: one for one in judged}
    for ply, action in enumerate(record.actions, start=1):
        one = by_ply.get(ply)
        if one is None:
            yield f"{ply}. {action}"
            continue
        yield f"{ply}. {action}{f'  {_remark(one)}' if one.mark else '' if one.cost is not None else '  (not judged)'}"


def _summary(judged: list[MoveJudgement]) -> Iterator[str]:
    """For each player: their moves, and how many of them were marked."""
    for player in dict.fromkeys(one.player for one in judged):
        own = [one for one in judged if one.player == player]
        exact = sum(one.exact for one in own)
        moves = f"{count_text(len(own), 'move')}, {exact} of them judged exactly"
        marks = ", ".join(f"{sum(one.mark == mark for one in own)} {mark}" for _, mark in MARKS)
        yield f"{player}: {moves}; marked: {marks}"


def _object(asked: Asked, record: PlayRecord, judged: list[MoveJudgement]) -> dict[str, Any]:
    moves = [
        {
            "ply": one.ply, "player": one.player, "action": one.action, "mark": one.mark, "exact": one.exact,
            "cost": None if one.cost is None else to_json(one.cost), "best": one.best,
            "worth": None if one.worth is None else to_json(one.worth),
        }
        for one in judged
    ]  # fmt: skip
    return {"game": asked.game.name, "actions": list(record.actions), "result": record.result, "moves": moves}
