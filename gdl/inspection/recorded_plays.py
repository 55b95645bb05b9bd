"""Recorded plays of the real game, held against the rules: the first difference, with the line that made it.

A file has a play in each line, as JSON: `{"game", "set", "variant", "plies": [{"player": "Ann"|"chance", "action",
"legal": [..]?, "seen": {player: text}?}], "payoffs": {player: number}|null}`. Moves at once are plies in the order of
the players with `"at_once": k`, the number of the joint move. What is seen is the position as it is drawn for a player.
Payoffs are null where the play was not over.

1. At each ply the rules must let that player act, and take the action; of `legal` they must have each, and no other.
2. An action that they lack is tried with each condition of the rules left out, until one is found that forbids it.
3. At the end play must be over, and pay what was recorded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

from gdl.errors import DamagedData, GameError, Span, clean, limits, listing
from gdl.errors.screen import cut_line
from gdl.formats.check_answers import Difference, PlayDifference
from gdl.game import Chance, Decision, Game, Node, Terminal, actions
from gdl.interpreter.rules_game import RulesGame
from gdl.model import core
from gdl.model.domains import Range
from gdl.model.games import Rule
from gdl.numbers import read_number, to_json, to_text
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator, stream
from gdl.states.sequential import Sequential

CHANCE = "chance"
MOST_PLIES = 100_000  # of a play that is recorded
NAMED = 12  # actions that are told

Play = Mapping[str, Any]


class _Fault(NamedTuple):
    """A difference between the rules and a recorded play, and the place in the rules, where it is known."""

    kind: Difference
    message: str
    span: Span | None = None


def read_plays(stream: BinaryIO, name: str) -> Iterator[Play]:
    """The plays of a file, one by one. Raises DamagedData, with the number of the line, where a line has not the form
    of a play."""
    for number, line in enumerate(iter(lambda: stream.readline(limits.PLAY + 1), b""), start=1):
        where = f"{clean(name)}, line {number}"
        if len(line) > limits.PLAY:
            raise DamagedData(f"{where}, is no play: it is longer than {limits.PLAY:,} bytes")
        if not line.strip():
            continue
        try:
            play = json.loads(line.decode("utf-8-sig", errors="replace"))
        except (ValueError, RecursionError) as wrong:
            why = getattr(wrong, "msg", "a number is too long, or lists are nested too deep")
            raise DamagedData(f"{where}, is not JSON: {clean(why)}") from None
        if not _is_play(play):
            raise DamagedData(f"{where}, is no play: it needs plies, each with player and action")
        yield play


def _is_play(play: Any) -> bool:
    """True if a value has the form of a play."""
    if not isinstance(play, dict) or not isinstance(play.get("plies"), list):
        return False
    forms = {"set": dict, "payoffs": dict, "variant": str}
    plies = all(
        isinstance(ply, dict)
        and isinstance(ply.get("player"), str)
        and isinstance(ply.get("action"), str)
        and isinstance(ply.get("legal"), list | None)
        and all(isinstance(action, str) for action in ply.get("legal") or ())
        and isinstance(ply.get("seen"), dict | None)
        for ply in play["plies"]
    )
    return plies and all(play.get(key) is None or isinstance(play[key], form) for key, form in forms.items())


def difference(game: Game[Any], play: Play, number: int) -> PlayDifference | None:
    """The first difference between the rules and a recorded play; None if there is none. `number` is that of the
    play."""
    for ply, fault in _differences(game, play):
        line = None if fault.span is None else fault.span.line
        return PlayDifference(number, ply, fault.kind, line, cut_line(clean(fault.message)))
    return None


def _differences(game: Game[Any], play: Play) -> Iterator[tuple[int, _Fault]]:
    turns = Sequential(game)
    state, plies = turns.initial(), play["plies"]
    for number, ply in enumerate(plies, start=1):
        try:
            node = turns.node(state)
            fault = _at_ply(turns, state, node, ply)
            if fault is not None:
                yield number, fault
                return
            state = turns.successor(state, ply["action"])
        except GameError as wrong:
            yield number, _Fault("not-legal", wrong.problems[0].message, wrong.problems[0].span)
            return
    payoffs, node = play.get("payoffs"), turns.node(state)
    if payoffs is None:
        if isinstance(node, Terminal) and "payoffs" in play:
            yield len(plies), _Fault("end", "play was not over, and by the rules it is", _ending(turns, state))
    elif not isinstance(node, Terminal):
        yield len(plies), _Fault("end", f"play was over, and by the rules {_mover(turns, node)} is to act")
    elif any(_number(payoffs.get(who)) != utility for who, utility in zip(turns.players, node.utilities, strict=True)):
        paid = ", ".join(map("{} {}".format, turns.players, map(to_text, node.utilities)))
        yield len(plies), _Fault("payoff", f"the rules pay {paid}", _ending(turns, state))


def _number(value: Any) -> Any:
    try:
        return read_number(value)
    except ValueError:
        return None


def _mover(game: Game[Any], node: Node) -> str:
    return game.players[node.player] if isinstance(node, Decision) else CHANCE


def _at_ply(turns: Sequential, state: Any, node: Node, ply: Play) -> _Fault | None:
    """The difference between the rules at a node and what was done there; None if there is none."""
    who, action, legal = ply["player"], ply["action"], list(actions(node))
    if isinstance(node, Terminal):
        return _Fault("end", f"{who} did {action}, and by the rules play is over", _ending(turns, state))
    if who != _mover(turns, node):
        return _Fault("not-legal", f"{who} did {action}, and by the rules {_mover(turns, node)} is to act")
    for wanted in dict.fromkeys([action, *(ply.get("legal") or [])]):
        if wanted not in legal:
            return _forbidden(turns, state, str(wanted), legal)
    for other in legal:
        if ply.get("legal") is not None and other not in ply["legal"]:
            rule = None if isinstance(node, Chance) else _rule_of(turns, state, node, other)
            message = f"{other} is legal by the rules, and was not in the real game"
            return _Fault("should-be-illegal", message, None if rule is None else rule.span)
    for player, text in (ply.get("seen") or {}).items():
        shown = sight(turns.game, state.state, turns.players.index(player)) if player in turns.players else text
        if shown != text:
            return _Fault("seen", *_sees_otherwise(turns.game, player, shown.splitlines(), str(text).splitlines()))
    return None


def _sees_otherwise(game: Game[Any], player: str, shown: Sequence[str], seen: Sequence[str]) -> tuple[str, Span | None]:
    """A text for a line that a player sees by the rules and not in the record, and the place of its variable, if the
    line begins with the variable's name."""
    other = next((line for line in shown if line not in seen), "")
    variables = game.model.variables if isinstance(game, RulesGame) else ()
    of = next((one.span for one in variables if other.startswith((f"{one.name}:", f"{one.name} ="))), None)
    return f"{player} sees by the rules {other or 'less'}", of


def sight(game: Game[Any], state: Any, player: int) -> str:
    """A player's view of a position, as text."""
    return game.show_to(state, player) if isinstance(game, RulesGame) else game.describe(state, player)


def _ending(turns: Sequential, state: Any) -> Span | None:
    clause = turns.game.ending(state.state) if isinstance(turns.game, RulesGame) else None
    return None if clause is None else clause.span


def _rule_of(turns: Sequential, state: Any, node: Node, action: str) -> Rule | None:
    if not isinstance(turns.game, RulesGame) or not isinstance(node, Decision):
        return None
    return getattr(turns.game.options(state.state, node.player).get(action), "rule", None)


def _forbidden(turns: Sequential, state: Any, action: str, legal: Sequence[str]) -> _Fault:
    """The reason why the rules lack an action: the one condition that forbids it, if leaving out a single condition
    makes it legal."""
    there = f"legal are {listing(legal, most=NAMED)}"
    game = turns.game
    if not isinstance(game, RulesGame):
        return _Fault("not-legal", f"{action} is not legal by the rules: {there}")
    model, named = game.model, action.partition("(")[0]
    for rules in ("actions", "chances"):
        own: tuple[Rule, ...] = getattr(model, rules)
        for rule in sorted(own, key=lambda rule: rule.name != named):
            for relaxed, span in _without_a_condition(rule):
                changed = tuple(relaxed if each is rule else each for each in own)
                other = Sequential(RulesGame(model.copy_with(**{rules: changed})))
                if _has(other, state, action):
                    place = span or rule.span
                    text = " ".join(place.text.split())
                    return _Fault("not-legal", f"{action} should be legal, and this forbids it: {text}", place)
    same = next((rule for rule in (*model.actions, *model.chances) if rule.name == named), None)
    why = "more than one condition or the range of a parameter forbids it" if same else "no rule has such an action"
    return _Fault("not-legal", f"{action} should be legal, and {why}; {there}", None if same is None else same.span)


def _has(game: Sequential, state: Any, action: str) -> bool:
    try:
        return action in actions(game.node(state))
    except GameError:  # of what the condition kept away
        return False


def _without_a_condition(rule: Rule) -> Iterator[tuple[Rule, Span | None]]:
    """Copies of the rule, each without one of its conditions (a guard, a domain, a `require` in its body), with that
    condition's place."""
    for k, guard in enumerate(rule.guards):
        yield rule.copy_with(guards=rule.guards[:k] + rule.guards[k + 1 :]), getattr(guard, "span", None)
    for k, own in enumerate(rule.parameters):
        wider = [(own.copy_with(guards=own.guards[:g] + own.guards[g + 1 :]), getattr(guard, "span", None))
                 for g, guard in enumerate(own.guards)]  # fmt: skip
        if isinstance(own.type, Range):
            whole = core.Interval(core.Const(own.type.low), core.Const(own.type.high))
            wider.append((own.copy_with(domain=whole), getattr(own.domain, "span", None)))
        for parameter, span in wider:
            yield rule.copy_with(parameters=(*rule.parameters[:k], parameter, *rule.parameters[k + 1 :])), span
    for k, statement in enumerate(rule.body):
        if isinstance(statement, core.Require):
            yield rule.copy_with(body=rule.body[:k] + rule.body[k + 1 :]), statement.span


# ---- written ----------------------------------------------------------------------------------------------------


def random_plays(game: Game[Any], count: int, seed: int, asked: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a file with `count` random plays. Joint moves are plies one after the other. `asked` names the game
    played (file, settings, variant)."""
    turns = Sequential(game)
    for number in range(count):
        generator, state, plies = Generator(stream(seed, number)), turns.initial(), list[dict[str, Any]]()
        joint = 0
        while not isinstance(node := turns.node(state), Terminal) and len(plies) < MOST_PLIES:
            action = random_move(node, generator)
            at_once = isinstance(node, Decision) and not isinstance(game.node(state.state), Decision)
            joint += at_once and not state.chosen
            ply: dict[str, Any] = {"player": _mover(turns, node), "action": action}
            if at_once:
                ply["at_once"] = joint
            if isinstance(node, Decision):
                ply["legal"] = list(node.actions)
                ply["seen"] = {turns.players[node.player]: sight(game, state.state, node.player)}
            plies.append(ply)
            state = turns.successor(state, action)
        worth = getattr(node, "utilities", None)
        payoffs = worth and dict(zip(turns.players, map(to_json, worth), strict=True))
        yield json.dumps({**asked, "plies": plies, "payoffs": payoffs}, ensure_ascii=False)
