"""Findings of `gdl check` in play: faults, and likely slips that show only when the game is played.

The game is walked breadth-first, up to a limit; every check is a function over the walk's findings, and they stand in
the table CHECKS. A fault is told with a shortest play that leads to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from gdl import checker, syntax
from gdl.analysis.dependence import all_inside
from gdl.errors import EngineFault, GameError, Problem, Refusal, Span, clean, limits, listing, with_play
from gdl.errors.courtesy import Courtesy
from gdl.formats.game_files import described
from gdl.game import Action, Decision, Game, Node, Simultaneous, Terminal, constant_sum
from gdl.inspection import expectations, hidden_actions
from gdl.inspection.terminal_lines import idle_lines, passing_ends, perhaps_useful, two_winners, without_needless
from gdl.inspection.walk_findings import WalkFindings, walk
from gdl.interpreter.rules_game import RulesGame
from gdl.model import core
from gdl.model.games import Rule, RulesModel, TreeModel
from gdl.model.walk import inside, inside_with_calls
from gdl.numbers import vector_text
from gdl.states.explore import (
    Exploration,
    Progress,
    Walk,
    WalkExpansion,
    attach_partial,
    choosers,
    hides_something,
    move_text,
    perfect_recall,
)
from gdl.states.playouts import random_positions
from gdl.states.random_numbers import Generator
from gdl.syntax.composition import is_library

# An action that does not say whose it is, in a game whose players are of several kinds.

_ACTING = core.Assign | core.CallProcedure | core.Next | core.Reward  # what a mere pass does not do


def find_ownerless_actions(met: WalkFindings) -> Iterator[Problem]:
    """Warn about an action that never asks who moves, if all others do, some belong to certain players, and players
    other than these could take it."""
    model, game = met.model, met.game
    if not isinstance(model, RulesModel) or not isinstance(game, RulesGame):
        return
    speaking = [rule for rule in model.actions if _asks(model, rule)]
    silent = [rule for rule in model.actions if rule not in speaking]
    if len(silent) != 1 or not speaking or not _acts(model, silent[0]):
        return
    (rule,) = silent
    takers = _takers(met, game)
    for other in speaking:
        own, found = takers.get(other.name, {}), takers.get(rule.name, {})
        beyond = [player for player in found if player not in own]
        if _names_a_player(other) and own and beyond and any(player in own for player in found):
            everyone = [clean(model.players[player]) for player in sorted(found)]
            whose = listing(clean(model.players[player]) for player in sorted(own))
            message = f"nothing says whose {clean(rule.name)} is: {listing(everyone)} may take it"
            note = f"The other actions say it: {clean(other.name)} is for {whose} alone."
            help = f"write 'when mover = {whose}', or 'when mover in {{{', '.join(everyone)}}}' if all of them may"
            yield Problem(message, rule.span, note=note, help=help, warning=True, play=met.play(found[beyond[0]]))
            return


def _asks(model: RulesModel, rule: Rule) -> bool:
    """True if the action, or a definition or procedure that it calls, reads who moves."""
    parts = rule.parameters, rule.guards, rule.body
    return any(isinstance(form, core.Mover) for form in inside_with_calls(model, parts))


def _acts(model: RulesModel, rule: Rule) -> bool:
    forms = list(inside_with_calls(model, rule.body))
    return any(isinstance(form, _ACTING) for form in forms) and not any(isinstance(form, core.Rank) for form in forms)


def _names_a_player(rule: Rule) -> bool:
    """True if a condition in the action's head compares the mover with certain players."""
    guards: Any = (rule.guards, tuple(parameter.guards for parameter in rule.parameters))
    for form in inside(guards):
        match form:
            case core.Comparison(left=core.Mover(), right=core.Const()) | core.Contains(item=core.Mover()):
                return True
    return False


def _takers(met: WalkFindings, game: RulesGame) -> dict[str, dict[int, int]]:
    """For each action the players who could take it, each with the number of the first state in which they could."""
    found: dict[str, dict[int, int]] = {}
    for expansion in sorted(met.expansions):
        for player in choosers(expansion.node):
            for option in game.options(met.states[expansion.number], player).values():
                found.setdefault(option.rule.name, {}).setdefault(player, expansion.number)
    return found


# A player who never has a turn.

PLIES = 1_000  # that are played at random, where the walk met no turn of somebody
WORK = 1_000_000  # values that the rules run through in such plays
CELLS = 100_000_000  # elements of all states of such plays
QUICK = 300  # values for a position: where it takes more, code that takes a while to make is worth it


def never_moving(met: WalkFindings) -> Iterator[Problem]:
    """Warn of players of a game by rules who never have a turn, though others have several. (For trees the checker
    reports this.)"""
    moving = {player for expansion in met.expansions for player in choosers(expansion.node)}
    if not isinstance(met.model, RulesModel) or not moving or len(moving) == len(met.game.players):
        return
    try:
        several = _at_random(met, moving)
    except GameError:
        return  # a fault of the rules that the walk did not come to
    span = met.section_span(syntax.Players)
    for number, name in enumerate(map(clean, met.game.players)):
        if several and number not in moving:
            help = f"say by 'next' when it is {name}'s turn; after a chance step the last player to move moves again"
            yield Problem(f"{name} never moves", span, help=help, warning=True)


def _at_random(met: WalkFindings, moving: set[int]) -> bool:
    """Add the players who have turns in some random plays to `moving`. True if a play ends after several turns. False
    also if all have turns, or the rules are so slow that there is no time for the plays."""
    several, turns, clock = False, 0, Courtesy()
    for _, node in islice(random_positions(met.game, Generator(0)), PLIES):
        if clock.is_over or len(moving) == len(met.game.players):
            return False
        moving |= set(choosers(node))
        turns += bool(choosers(node))
        if isinstance(node, Terminal):
            several, turns = several or turns > 1, 0
    return several


def _look_beyond_walk(met: WalkFindings) -> tuple[GameError | None, list[WalkExpansion]]:
    """A fault of the rules met in random plays, which come where the limits of the walk keep it from going; None if
    there is none. With it the expansions whose evaluation may be faulty. Compiled code plays and evaluates: where the
    rules are quick, on the back-end that takes no time to begin. The plays are limited by length and work, not by a
    clock, so that every machine finds the same fault."""
    game = met.game
    if met.complete or not isinstance(game, RulesGame):
        return None, met.expansions
    plies = min(PLIES, CELLS // len(game.initial().cells))
    engine = "wasm" if game.work > (QUICK - len(game.model.actions)) * len(met.expansions) else "python"
    try:
        if plies == PLIES:  # else states are so large that code for them would take much memory
            from gdl.compiler.searches.playouts_driver import find_fault_in_plays

            with suppress(Refusal, EngineFault):
                fault, faulty = find_fault_in_plays(game, plies, engine, [met.states[e.number] for e in met.expansions])
                return fault, [met.expansions[number] for number in faulty]
        begun = game.work
        any(game.work >= begun + WORK for _ in islice(random_positions(game, Generator(0)), plies + 1))
    except GameError as fault:
        return fault, []
    return None, met.expansions


LIMIT = 2_000  # states that are walked,
WALKED = 150_000  # unless the rules run through so many values before


@dataclass(frozen=True)
class Inspection:
    """The result of `gdl check`: errors and likely slips in a game file, and how far its game was played."""

    name: str
    problems: tuple[Problem, ...]
    players: tuple[str, ...]
    states: int
    complete: bool
    game: Game[Any] | None = None  # as it was played, without a variant where all were looked at


def inspect(
    description: syntax.Description,
    play: expectations.Play,
    settings: Mapping[str, str] | None = None,
    variant: str | None = None,
    progress: Progress | None = None,
) -> Inspection:
    """Inspect a file: its rules, its expectations and its play; without a `variant` all of its variants as well.

    `play` makes a game of a model. What stops the work finds what was seen until then as the `partial` of Interrupted.
    """
    seen = _InspectionRun(description, play, settings, progress)
    if is_library(description.sections):
        seen.look_through()
        return seen.inspection()
    with attach_partial(seen.inspection):
        seen.look(variant)
        seen.problems += expectations.problems(description, seen.players)
        if all(problem.warning for problem in seen.problems):
            seen.problems += expectations.wrong_plays(description, play, settings, variant)
        if variant is None:
            for name in checker.variants(description):
                other = _InspectionRun(description, play, settings, progress)
                other.look(name)
                known = {(problem.message, problem.span) for problem in seen.problems}
                fresh = (problem for problem in other.problems if (problem.message, problem.span) not in known)
                seen.problems += (replace(each, note=f"In the variant {name}. {each.note}".strip()) for each in fresh)
                seen.useful |= other.useful
    seen.problems = without_needless(seen.problems, seen.useful)
    return seen.inspection()


def inspect_text(text: str, name: str, folder: Path | None, *asked: Any) -> Inspection:
    """Inspect the text of a file, as it is `asked` of `inspect`."""
    return inspect(described(text, name, folder), *asked)


@dataclass
class _InspectionRun:
    """The inspection of the game, or of one variant, with the findings so far."""

    description: syntax.Description
    play: expectations.Play
    settings: Mapping[str, str] | None
    progress: Progress | None
    problems: list[Problem] = field(default_factory=list)
    players: tuple[str, ...] = ()
    walk: Walk[Any] | None = None
    useful: set[Span] = field(default_factory=set)  # lines of `terminal` by which plays end, or may
    complete: bool = False

    def inspection(self) -> Inspection:
        game, states = (None, 0) if self.walk is None else (self.walk.game, len(self.walk.states))
        problems = tuple(sorted(self.problems, key=Problem.order))
        return Inspection((game or self.description).name, problems, self.players, states, self.complete, game)

    def look_through(self) -> None:
        """Check the definitions of a library, which cannot be played."""
        try:
            checker.check_library(self.description)
        except GameError as wrong:
            self.problems += wrong.problems
        self.complete = True

    def look(self, variant: str | None) -> None:
        """Check the rules, walk the game, and run the checks on what the walk met."""
        try:
            model, warnings = checker.check(self.description, self.settings, variant)
        except GameError as wrong:
            self.problems += wrong.problems
            return
        self.problems += warnings
        self.players = model.players
        self.walk = Walk(self.play(model), LIMIT, self.progress, limits.LOOK)
        met = walk(self.description, model, self.walk, WALKED)
        fault, evaluated = (met.fault, []) if met.fault else _look_beyond_walk(met)
        if fault is not None:
            self.problems += fault.problems
            return
        self.useful = perhaps_useful(met)
        told = {warning.span for warning in warnings}
        own = self.description.span.source  # what is never used of another file that the game is made from, is no slip
        for check in CHECKS:
            found = (problem for problem in check(met) if problem.span not in told)
            self.problems += (p for p in found if not p.warning or p.span is None or p.span.source is own)
        self.problems += _evaluations(met, evaluated)
        self.complete = met.complete


# ---- The checks -------------------------------------------------------------------------------------------------


def _over_at_once(met: WalkFindings) -> Iterator[Problem]:
    """Warn of a game that is over in its first position."""
    game, model = met.game, met.model
    clause = game.ending(met.states[0]) if isinstance(game, RulesGame) else None
    if clause is None or not isinstance(model, RulesModel):
        return
    first = model.chances[model.start.step].name if model.start.kind == "chance" else ""
    message = "the game is over in its first position: this line holds there"
    note = f"'terminal' is asked in every position, also before the chance step {clean(first)}." if first else ""
    help = "let it ask for something that is not so at the start" + (", such as that all is dealt" if first else "")
    yield Problem(message, clause.span, note=note, help=help, warning=True)


def _never_legal(met: WalkFindings) -> Iterator[Problem]:
    """Warn of actions and chance steps that are possible in no position."""
    if not isinstance(met.model, RulesModel) or not met.complete or len(met.states) == 1:
        return
    moves = {move for expansion in met.expansions for move in expansion.moves}
    names = {name for move in moves for name in ([move] if isinstance(move, str) else move)}
    heads = {name.partition("(")[0] for name in names}  # so that not every name is tried
    for kind, rules in (("action", met.model.actions), ("chance step", met.model.chances)):
        for rule in rules:
            pattern = _pattern(met.model, rule)
            if (rule.template or rule.name not in heads) and not any(pattern.match(name) for name in names):
                message = f"the {kind} {clean(rule.name)} is never possible"
                help = "correct its conditions, or take it out"
                yield Problem(message, rule.span, note=met.looked_at(), help=help, warning=True)


def _pattern(model: RulesModel, rule: Rule) -> re.Pattern[str]:
    """A pattern that the names of all actions of a rule match."""
    if rule.template is None:  # what is chosen in the body may be written right behind the name
        chooses = any(isinstance(form, core.Choose) for form in all_inside(model, rule.body))
        return re.compile(re.escape(rule.name) + ("" if chooses else r"(?!\w)"))
    return re.compile("".join(re.escape(part) if isinstance(part, str) else ".*" for part in rule.template.parts))


def _broken_claims(met: WalkFindings) -> Iterator[Problem]:
    """Report an end whose utilities do not sum to zero in a game with `claim zero-sum`."""
    if met.game.promises.rewards is not None:
        return  # what ends pay is not all
    for claim in met.sections(syntax.Claim):
        for number, node in met.ends():
            if constant_sum([node.utilities]) not in (0, None):
                yield Problem(
                    f"the game claims to be zero-sum, but a play ends with the utilities {vector_text(node.utilities)}",
                    claim.span, help="correct the utilities, or take the claim out", play=met.play(number),
                )  # fmt: skip
                return


def telling_actions(met: WalkFindings) -> Iterator[Problem]:
    """Report two positions that a player cannot tell apart and in which the player has different actions."""
    offered: dict[tuple[int, Hashable], tuple[int, tuple[Action, ...]]] = {}
    for number, node, *_ in met.expansions:
        for player in choosers(node):
            known = (player, met.game.information_set(met.states[number], player))
            first, expected = offered.setdefault(known, (number, _actions(node, player)))
            if sorted(_actions(node, player)) != sorted(expected):
                who, here = clean(met.game.players[player]), listing(map(clean, _actions(node, player)))
                message = f"{who} cannot tell two positions apart, but has different actions there"
                note = f"Here: {here}. After {' '.join(met.play(first)) or 'nothing'}: {listing(expected)}."
                help = "let the player see what makes the difference, or offer the same actions in both"
                yield Problem(message, _place_of_actions(met), note=note, help=help, play=met.play(number))
                return


def _place_of_actions(met: WalkFindings) -> Span | None:
    """The place for a problem that concerns all actions: the first action, in a tree or a matrix the line of players;
    None if there is neither."""
    if isinstance(met.model, RulesModel):
        return next((rule.span for rule in met.model.actions), None)
    return met.section_span(syntax.Players)


def _actions(node: Node, player: int) -> tuple[Action, ...]:
    if isinstance(node, Simultaneous):
        return node.actions[player]
    assert isinstance(node, Decision)
    return node.actions


def _warn_of_forgetting(met: WalkFindings) -> Iterator[Problem]:
    """Warn of players who forget what they knew or did. (For trees the checker reports this, with the place.)"""
    if isinstance(met.model, TreeModel) or not met.complete or not _keeps_secrets(met):
        return  # every information set is a single state: nothing is hidden, so nothing is forgotten
    found = sorted(met.expansions)
    nodes, moves, children = zip(*((e.node, e.moves, e.children) for e in found), strict=True)
    space = Exploration(met.states, [], list(nodes), list(moves), list(children), complete=True)
    if perfect_recall(met.game, space) is False:
        message = "a player forgets what they once knew or did: recall is imperfect"
        note = "Most methods for hidden information need perfect recall."
        help = "take 'forget' out, if this is not meant"
        yield Problem(message, met.section_span(syntax.Players), note=note, help=help, warning=True)


def _warn_of_endless_play(met: WalkFindings) -> Iterator[Problem]:
    """Warn of a game that cannot end."""
    rewards = met.game.promises.rewards
    if rewards is not None and (rewards.discount < 1 or rewards.average):
        return  # what is gained on the way has a sum, or an average
    if met.complete and not any(True for _ in met.ends()) and met.game.promises.forever is None:
        message = "no play ever ends"
        help = "correct 'terminal', or say what endless play is worth: forever -> draw"
        yield Problem(message, met.section_span(syntax.TerminalTest), note=met.looked_at(), help=help, warning=True)


def _remembered_for_ever(met: WalkFindings) -> Iterator[Problem]:
    """Warn about play that can return to a position while players remember, in private, ever more of what led there."""
    found = None if met.complete or not _keeps_secrets(met) else met.game.promises.endless()
    if found is None:
        return
    yield Problem(
        "play can come back to a position, and players then remember more: there is no end of what they may know",
        met.section_span(syntax.TerminalTest),
        note=f"From there {' '.join(map(move_text, found.round))} leads back to the same position.",
        help="write 'forget' where what is remembered does not matter any more, or bound the play with a counter",
        warning=True, play=tuple(map(move_text, found.before)),
    )  # fmt: skip


def _keeps_secrets(met: WalkFindings) -> bool:
    """True if two of the positions that the walk met cannot be told apart by a player who chooses in them."""
    return hides_something(met.game, met.states, {expansion.number: expansion.node for expansion in met.expansions})


def _evaluations(met: WalkFindings, evaluated: list[WalkExpansion]) -> Iterator[Problem]:
    """The first fault met in evaluating these positions, or in computing their numbers of quiet play."""
    quiet = met.game.promises.quiet
    for expansion in evaluated:
        try:
            met.game.evaluate(met.states[expansion.number])
            if quiet is not None:
                quiet(met.states[expansion.number])
        except GameError as fault:
            yield from with_play(fault, met.play(expansion.number)).problems
            return


CHECKS: tuple[Callable[[WalkFindings], Iterator[Problem]], ...] = (
    _over_at_once, _never_legal, never_moving, two_winners, idle_lines, passing_ends, _broken_claims, telling_actions,
    find_ownerless_actions, hidden_actions.find_unsettled_actions, _warn_of_forgetting, _warn_of_endless_play,
    _remembered_for_ever,
)  # fmt: skip
