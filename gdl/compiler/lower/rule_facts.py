"""Facts about the rules of a game that decide which code is written for them."""

from __future__ import annotations

from functools import cached_property

from gdl.analysis.traits import all_at_once
from gdl.model import core
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import inside, inside_with_calls


class RuleFacts:
    """The rules of one game, the actions before the steps of chance, and facts about them."""

    def __init__(self, model: RulesModel):
        self.model = model
        self.all: tuple[Rule, ...] = (*model.actions, *model.chances)
        self._paths: dict[int, bool] = {}
        self.everyone = all_at_once(model)  # whether all players may move at once
        self.ranked = any(self.decides(rule.body, core.Rank) for rule in model.actions)
        self.chooses = any(self.has_path(rule) for rule in self.all)
        self.tries = any(not rule.simple for rule in self.all)
        self.hears = any(rule.hearers for rule in self.all)  # whether players are told of some actions of others
        self.merges = any(rule.merge for rule in self.all)

    @cached_property
    def keeps(self) -> bool:
        """True if the states that tried actions leave can be kept while actions are listed: there are no events, and no
        row replaces another."""
        return any(not rule.simple for rule in self.model.actions) and not (self.ranked or self.tells or self.everyone)

    @cached_property
    def tells(self) -> bool:
        """True if the game has events: something is said, everything is forgotten, or an attempt that others would hear
        of may be refused."""
        rules = (*self.all, *filter(None, (self.model.resolve,)))
        bodies = [rule.body for rule in rules] + [procedure.body for procedure in self.model.procedures]
        told = core.Say | core.Forget | core.Attempt if self.hears else core.Say | core.Forget
        return any(isinstance(form, told) for body in bodies for form in inside(body))

    def decides(self, body: tuple[core.Statement, ...], *forms: type) -> bool:
        """True if a body, or a procedure that it calls, has a statement of one of these types."""
        return any(isinstance(form, forms) for form in inside_with_calls(self.model, body))

    def has_path(self, rule: Rule) -> bool:
        """True if the rule's body, or a procedure that it calls, has a `choose`, so that a run follows a path of
        choices."""
        if id(rule) not in self._paths:
            self._paths[id(rule)] = self.decides(rule.body, core.Choose)
        return self._paths[id(rule)]
