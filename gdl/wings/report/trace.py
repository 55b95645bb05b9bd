"""One play between agents, with what a designer wants to know of it.

A joint move is turns taken unseen. What chance draws, and what an agent leaves to chance, comes from the seed and from
what was played before, so that the same agents play the same game again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from gdl.errors import GameError, Interrupted, with_play
from gdl.game import Action, Chance, Decision, Game, Number, Terminal, require_number
from gdl.interpreter.bodies import FIRST_STEP
from gdl.interpreter.rules_game import RulesGame
from gdl.states.game_wrapper import without_wrappers
from gdl.states.sequential import Sequential, Turn
from gdl.wings.arena.draws import draw_action, seed_after

if TYPE_CHECKING:
    from gdl.wings.arena.contest_driver import KernelContest
    from gdl.wings.arena.contestants import Contestant
    from gdl.wings.arena.listed_moves import ListedMoves

LONGEST = 5_000  # plies; a longer play is left unfinished
ENDLESS = 1_000  # plies, from which on a play may be given up
Estimate = tuple[float, ...]  # a number for each player, greater where they stand better
Judge = Callable[[Any], Estimate | None]  # the judgement of a state


@dataclass(frozen=True)
class TraceChoice:
    """A player's choice: the action and its rule, the number of actions there were, and the rules that offered one."""

    player: int
    action: Action
    rule: str
    ways: int
    offered: frozenset[str]


@dataclass(frozen=True)
class Trace:
    """The record of a play. `seats`: the agent at each seat; `first`: the player who made the first decision, if a
    player decided alone; `choices`: those after the random opening; `steps`: the chance steps that came; `utilities`:
    at the end, or of play without end if the file prices that (None: it does not); `ending`: the number of the terminal
    clause that ended play (None: unfinished, or no game by rules); `judged`: the judgement of each position."""

    seats: tuple[int, ...]
    first: int | None
    choices: tuple[TraceChoice, ...]
    steps: frozenset[str]
    plies: int
    utilities: tuple[Number, ...] | None
    ending: int | None
    judged: tuple[Estimate, ...]
    played: tuple[Action, ...]

    @property
    def is_endless(self) -> bool:
        """True if the play was broken off as too long; it has utilities only if the file gives play without end a
        value."""
        return self.utilities is None or (self.plies >= LONGEST and self.ending is None)

    @property
    def best(self) -> tuple[int, ...]:
        """The players with the highest utility; () if there are no utilities."""
        if self.utilities is None:
            return ()
        highest = max(self.utilities)
        return tuple(p for p, utility in enumerate(self.utilities) if utility == highest)

    @property
    def winner(self) -> int | None:
        """The player whose utility is higher than that of all others; None if several have the highest, or there is
        only one player."""
        return self.best[0] if len(self.best) == 1 and self.utilities is not None and len(self.utilities) > 1 else None


class RuleNames:
    """The names of the rules to which actions belong. In a game without rules each action counts as a rule."""

    def __init__(self, game: Game[Any]):
        whole = without_wrappers(game)
        self.rules = whole if isinstance(whole, RulesGame) else None

    def rules_of(self, state: Turn, node: Decision) -> dict[Action, str]:
        """The rule of every action that a player can choose."""
        if self.rules is None:
            return {action: action for action in node.actions}
        options = self.rules.options(state.state, node.player)
        return {action: options[action].rule.name for action in node.actions}

    def step(self, state: Turn) -> str:
        """The name of the chance step that is to come."""
        return "chance" if self.rules is None else self.rules.model.chances[FIRST_STEP - state.state.turn].name

    def ending(self, state: Turn) -> int | None:
        """The number of the terminal clause that ended play; None if there is none."""
        clause = None if self.rules is None else self.rules.ending(state.state)
        if self.rules is None or clause is None:
            return None
        return next(number for number, line in enumerate(self.rules.model.clauses) if line is clause)


def play(
    game: Game[Any], agents: Sequence[Contestant], seats: Sequence[int], seed: str, judge: Judge | None = None,
    opening: int = 0, ahead: KernelContest | ListedMoves | None = None, gives_up: Callable[[], bool] | None = None,
) -> Trace:  # fmt: skip
    """Record a play with these agents at the seats, which begins with `opening` random plies. `ahead`, if given, makes
    the moves that it can instead of the agents, and judges the positions. From ENDLESS plies on a play is left
    unfinished where `gives_up` says so. A fault of the rules comes with the play that led to it; Ctrl-C or a limit
    leaves with the play so far, without utilities."""
    turns, book, table = Sequential(game), RuleNames(game), _Table(agents, seats)
    state, played = turns.initial(), table.played
    choices, steps, judged = list[TraceChoice](), set[str](), list[Estimate]()
    first, decided, draw = None, False, f"{seed}/"
    try:
        while len(played) < LONGEST and not (gives_up and len(played) >= ENDLESS and gives_up()):
            if ahead and not state.chosen and len(played) >= opening and ahead.moves_for(state.state.turn):
                made, after = ahead.moves(state.state, LONGEST - len(played), draw)
                for move in made:
                    if move.player < 0:
                        steps.add(move.rule)
                    else:
                        first, decided = (first if decided else move.player), True
                        choices.append(TraceChoice(move.player, move.action, move.rule, move.ways, move.offered))
                    played.append(move.action)
                    draw = seed_after(draw, move.action)
                    found = move.worth if judge is None or move.before is None else judge(move.before)
                    if found is not None:
                        judged.append(tuple(map(float, found)))
                if made:
                    state = Turn(after, ())
                    continue
            if isinstance(node := turns.node(state), Terminal):
                break
            if isinstance(node, Decision) and not decided:
                first = node.player if isinstance(turns.game.node(state.state), Decision) else None
                decided = True
            if judge is not None and not state.chosen and (found := judge(state.state)) is not None:
                judged.append(found)
            if isinstance(node, Chance):
                steps.add(book.step(state))
                action = draw_action(dict(node.outcomes), Random(draw))
            elif len(played) < opening:
                assert isinstance(node, Decision)
                action = Random(draw).choice(node.actions)
            else:
                assert isinstance(node, Decision)
                action = table.move(node, draw)
                choices.append(_choice(node, action, book.rules_of(state, node)))
            state = turns.successor(state, action)
            played.append(action)
            draw = seed_after(draw, action)
    except GameError as fault:
        raise with_play(fault, tuple(played)) from None
    except KeyboardInterrupt:
        seen = tuple(seats), first, tuple(choices), frozenset(steps), len(played)
        raise Interrupted(Trace(*seen, None, None, (), tuple(played))) from None
    ended = isinstance(node := turns.node(state), Terminal)
    endless = game.promises.forever if len(played) >= LONGEST else None
    utilities = tuple(map(require_number, node.utilities)) if isinstance(node, Terminal) else endless
    if judge is not None and ended and utilities is not None:
        judged.append(tuple(map(float, utilities)))
    return Trace(
        tuple(seats), first, tuple(choices), frozenset(steps), len(played), utilities,
        book.ending(state) if ended else None, tuple(judged), tuple(played),
    )  # fmt: skip


class _Table:
    """The agents at their seats, and the actions played so far; each agent hears of them before it moves."""

    def __init__(self, agents: Sequence[Contestant], seats: Sequence[int]):
        self.played = list[Action]()
        self._agents, self._seats = agents, seats
        self._told = dict.fromkeys(sorted(set(seats)), 0)
        for number in self._told:
            agents[number].begin()

    def move(self, node: Decision, draw: str) -> Action:
        """The action of the agent who is to move. It first sees all actions played since it was last asked."""
        number = self._seats[node.player]
        agent = self._agents[number]
        for action in self.played[self._told[number] :]:
            agent.see(action)
        self._told[number] = len(self.played)
        return agent.move(node, draw)


def _choice(node: Decision, action: Action, rules: dict[Action, str]) -> TraceChoice:
    return TraceChoice(node.player, action, rules[action], len(node.actions), frozenset(rules.values()))
