"""Teams, players who win and lose together: `players North & South, East & West`.

1. Utilities, bounds and evaluations are said of the teams, the members of the type `Team`. Where a team is due, a
   player stands for theirs.
2. Where everybody always sees everything, a team is one player to whoever searches: the teams are the model's players.
   A variable says who of the team is to move, which `mover` reads; another who comes next, which `next` writes, for in
   a body the mover is who acts.
3. Elsewhere the players stay as they are, each with the utilities of their team.
"""

from __future__ import annotations

from typing import Any

from gdl import syntax
from gdl.analysis.kept_values import opening
from gdl.analysis.traits import shows_everything
from gdl.checker.constants import constant_value
from gdl.checker.scope import Scope
from gdl.model import core
from gdl.model.domains import Named
from gdl.model.games import Clause, Field, Rule, RulesModel
from gdl.model.rewriting import add_variable, first_span, replace_forms

TYPE = "Team"
MOVER, COMING = "to move", "moves.next"  # variables, whose names no file can have; the second is shown nowhere


def declare_teams(scope: Scope, written: syntax.Players) -> None:
    """Declare the type `Team`, if players of the list are joined to teams."""
    if all(len(team) == 1 for team in written.by_side):
        return
    teams = [[word.name for word in team] for team in written.by_side]
    scope.declare(syntax.Word(written.span, "NAME", TYPE), "type")
    scope.used.add(TYPE)
    scope.teams = scope.types[TYPE] = Named(TYPE, tuple(" & ".join(team) for team in teams))
    scope.team_of = tuple(next(n for n, t in enumerate(teams) if name in t) for name in scope.players.members)


def settle_teams(model: RulesModel, scope: Scope) -> RulesModel:
    """The model, whose utilities are those of teams, with the teams as its players, or with utilities for every
    player; as it is in a game without teams."""
    if scope.teams is None:
        return model
    if not (shows_everything(model) and (model.actions or model.chances)):
        return _with_own_utilities(model, scope)
    if model.notation is not None and any(isinstance(p, Field) and p.kind == "mover" for p in model.notation.parts):
        told = "a notation cannot say which player of a team is to move"
        scope.problem(told, None, help="take {mover} out of it; positions are then written with the first of the list")
    return _JoinedTeams(model, scope).join_teams()


def _with_own_utilities(model: RulesModel, scope: Scope) -> RulesModel:
    """The model with the utilities of the teams for each of their players."""

    def of_players(values: Any) -> Any:
        return values and tuple(values[team] for team in scope.team_of)

    def clause_of_players(clause: Clause) -> Clause:
        players = len(scope.team_of) // len(clause.utilities)
        even = all(scope.team_of.count(team) == players for team in range(len(clause.utilities)))
        total = clause.sum * players if even and clause.sum is not None else None
        return clause.copy_with(utilities=of_players(clause.utilities), sum=total, winner=None)

    def reward_players(form: Any) -> Any:
        if not isinstance(form, core.Reward):
            return None
        span = form.span or first_span(model)
        pairs = [(p, team, n) for n in range(len(form.amounts)) for p, team in enumerate(scope.team_of)]
        same = [core.Comparison("=", form.players[n], core.Const(team), span) for _, team, n in pairs]
        gains = [core.If(test, form.amounts[n], core.Const(0)) for test, (*_, n) in zip(same, pairs, strict=True)]
        return (form.copy_with(amounts=tuple(gains), players=tuple(core.Const(p) for p, *_ in pairs)),)

    changed: RulesModel = replace_forms(model, reward_players)
    return changed.copy_with(
        clauses=tuple(map(clause_of_players, model.clauses)),
        features=tuple(feature.copy_with(values=of_players(feature.values)) for feature in model.features),
        forever=of_players(model.forever),
        bounds=of_players(model.bounds),
    )


class _JoinedTeams:
    """Makes the teams of a model its players."""

    def __init__(self, model: RulesModel, scope: Scope):
        self.scope, self.span = scope, first_span(model)
        start = model.start
        fixed = start.player if start.kind == "player" else None
        known, first = (False, None) if fixed is None else constant_value(fixed, scope)
        self.first = first if known and first is not None else 0
        self.starts = None if known or start.kind == "chance" else start
        model, self.mover = add_variable(model, MOVER, (), scope.players, (self.first,), self.span)
        self.model, self.coming = add_variable(model, COMING, (), scope.players, (self.first,), self.span)
        self.here, self.there = (core.Cell(self.model.variables[n].place) for n in (self.mover, self.coming))

    def join_teams(self) -> RulesModel:
        model, scope, span = self.model, self.scope, self.span
        changed: RulesModel = replace_forms(model, self.change)
        order = tuple((player + 1) % len(scope.team_of) for player in range(len(scope.team_of)))
        usual = self.pass_turn(core.Turn("player", core.Lookup("after", order, (self.here,), (0,)), span=span))
        begin = changed.opening
        if self.starts is not None:
            begin = begin or Rule("start", (), (), None, None, False, (), 0, True, span)
            body = (*self.pass_turn(replace_forms(self.starts, self.change)), *begin.body)
            begin = begin.copy_with(body=body, frame=max(begin.frame, self.starts.slot + 1))
        follow = changed.follow_up or Rule("turn", (), (), None, None, False, (), 0, True, span)
        again = core.Const(self.first)
        arrive = core.Assign(self.mover, (), self.there, span), core.Assign(self.coming, (), again, span)
        start = model.start if model.start.kind == "chance" else core.Turn("player", core.Const(self.first))
        return changed.copy_with(
            players=scope.sides.members,
            seats=scope.players.members,
            actions=tuple(self.with_turn(rule, usual) for rule in changed.actions),
            start=start if start.player is None else start.copy_with(player=self.team(start.player)),
            opening=begin,
            follow_up=follow.copy_with(body=(*arrive, *follow.body)),
        )

    def team(self, player: core.Expression) -> core.Expression:
        return team_of(self.scope, player)

    def change(self, form: Any) -> Any:
        """The forms in place of one that asks whose move it is or says who comes next; None for any other."""
        match form:
            case core.Mover():
                return (self.here,)
            case core.Next(turn=turn):
                return self.pass_turn(replace_forms(turn, self.change))
            case core.Able(player=core.Mover()):
                return (form.copy_with(player=self.team(self.here)),)
            case core.Able():
                told = "in a game of teams only the mover is asked for actions"
                self.scope.problem(told, form.span, help="write 'mover has …', or leave the teams out")
                return (core.Const(False),)
        return None

    def with_turn(self, rule: Rule, usual: tuple[Any, ...]) -> Rule:
        """An action after which the next player in the list comes, unless its body says otherwise."""
        asked = opening(rule.body)
        if any(isinstance(statement, core.Next) for statement in rule.body):
            return rule
        return rule.copy_with(body=(*rule.body[:asked], *usual, *rule.body[asked:]))

    def pass_turn(self, turn: core.Turn) -> tuple[Any, ...]:
        """The statements that say who comes next, and so which team."""
        span, player = turn.span or self.span, turn.player
        if player is None or turn.kind == "chance":  # who moved last stays the mover; behind an answer, who asked
            turn, last = turn.copy_with(player=player and self.team(player)), player or self.here
            return *(core.Assign(n, (), last, span) for n in (self.mover, self.coming)), core.Next(turn, span)
        follows = core.Next(core.Turn("player", self.team(self.there), span=turn.span), span)
        if turn.kind == "player":
            return core.Assign(self.coming, (), player, span), follows
        count, sign = len(self.scope.team_of), 1 if turn.kind == "after" else -1
        orders = tuple(tuple((p + sign * by) % count for by in range(1, count + 1)) for p in range(count))
        order = core.Lookup("order", orders, (player,), (0,))
        test = core.Const(True) if turn.where is None else turn.where
        found, there = (core.Quantifier(kind, turn.slot, order, None, test, span) for kind in ("first", "exists"))
        nobody = turn.copy_with(player=core.Const(0), where=core.Const(False))
        some = core.Assign(self.coming, (), found, span), follows
        return (core.Conditional(there, some, (core.Next(nobody, span),), span),)


def team_of(scope: Scope, player: core.Expression) -> core.Expression:
    """The team of a player; `none` for none."""
    if isinstance(player, core.Const):
        return core.Const(None if player.value is None else scope.team_of[player.value])
    return core.Lookup(TYPE, scope.team_of, (player,), (0,))
