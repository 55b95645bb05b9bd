"""An action that does not say whose it is, in a game whose players are of several kinds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gdl.errors import Problem, clean, listing
from gdl.inspection.met import WalkFindings
from gdl.interpreter.rules import RulesGame
from gdl.model import core
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import inside
from gdl.states.explore import choosers

_ACTING = core.Assign | core.CallProcedure | core.Next | core.Reward  # what a mere pass does not do


def find_ownerless_actions(met: WalkFindings) -> Iterator[Problem]:
    """An action that never asks who moves, where all others do, some are for certain players alone, and others than
    these could take it in play."""
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
            yield Problem(
                f"nothing says whose {clean(rule.name)} is: {listing(everyone)} may take it", rule.span,
                note=f"The other actions say it: {clean(other.name)} is for {whose} alone.",
                help=f"write 'when mover = {whose}', or 'when mover in {{{', '.join(everyone)}}}' if all of them may",
                warning=True, play=met.play(found[beyond[0]]),
            )  # fmt: skip
            return


def _asks(model: RulesModel, rule: Rule) -> bool:
    """Whether anything of the action, or of what it calls, reads who moves."""
    parts = rule.parameters, rule.guards, rule.body
    return any(isinstance(form, core.Mover) for form in _reachable_forms(model, parts))


def _acts(model: RulesModel, rule: Rule) -> bool:
    forms = list(_reachable_forms(model, rule.body))
    return any(isinstance(form, _ACTING) for form in forms) and not any(isinstance(form, core.Rank) for form in forms)


def _reachable_forms(model: RulesModel, parts: Any) -> Iterator[Any]:
    """Every form of the parts, and of the definitions and procedures that they call, once each."""
    work, met = [parts], set[tuple[type, int]]()
    while work:
        for form in inside(work.pop()):
            yield form
            if isinstance(form, core.CallDefinition | core.CallProcedure):
                number = form.definition if isinstance(form, core.CallDefinition) else form.procedure
                if (type(form), number) not in met:
                    met.add((type(form), number))
                    table = model.definitions if isinstance(form, core.CallDefinition) else model.procedures
                    work.append((table[number].result, table[number].body))


def _names_a_player(rule: Rule) -> bool:
    """Whether a condition of its head compares the mover with certain players."""
    guards: Any = (rule.guards, tuple(parameter.guards for parameter in rule.parameters))
    for form in inside(guards):
        match form:
            case core.Comparison(left=core.Mover(), right=core.Const()) | core.Contains(item=core.Mover()):
                return True
    return False


def _takers(met: WalkFindings, game: RulesGame) -> dict[str, dict[int, int]]:
    """For each action the players who could take it, each with the first state where."""
    found: dict[str, dict[int, int]] = {}
    for expansion in sorted(met.expansions):
        for player in choosers(expansion.node):
            for option in game.options(met.states[expansion.number], player).values():
                found.setdefault(option.rule.name, {}).setdefault(player, expansion.number)
    return found
