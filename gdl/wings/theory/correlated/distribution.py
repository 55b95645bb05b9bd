"""The part of an answer that is a correlated plan: a distribution over combinations of plans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl.formats import solve_answer as form
from gdl.formats.answer import by_player
from gdl.game import Number
from gdl.numbers import SHARE, brief
from gdl.render.strategies import WIDTH, align_columns, lines_left_out
from gdl.solution import Joint, Solution, SolutionPart

MOST_SHOWN = 40  # combinations of plans


class Distribution(SolutionPart):
    """A correlated plan: pairs of a combination of plans and its probability."""

    distribution: tuple[tuple[Joint, Number], ...]

    @property
    def says_something(self) -> bool:
        return bool(self.distribution)

    def lines(self, answer: Solution) -> list[str]:
        """For each combination of plans its probability and each player's plan; if that is too wide, a block of lines
        for each combination."""
        if not self.distribution:
            return []
        drawn = sorted(self.distribution, key=lambda entry: -entry[1])
        shown = [(brief(chance, longest=SHARE), joint) for joint, chance in drawn[:MOST_SHOWN]]
        lines = align_columns([["drawn", *answer.players], *([chance, *joint] for chance, joint in shown)])
        if max(map(len, lines)) > WIDTH:
            lines = []
            for chance, joint in shown:
                rows = [[f"    {player}", plan] for player, plan in zip(answer.players, joint, strict=True)]
                lines += [f"drawn {chance}", *align_columns(rows)]
        return [*lines, *lines_left_out(len(drawn) - MOST_SHOWN), ""]

    def json_fields(self, answer: Solution) -> Mapping[str, Any]:
        """The distribution, and the same as the one equilibrium with its payoffs."""
        if not self.distribution:
            return {}
        drawn = [
            form.DrawnProfile(dict(zip(answer.players, joint, strict=True)), chance)
            for joint, chance in self.distribution
        ]
        payoffs = [by_player(answer.players, answer.value)]
        return {"equilibria": [form.CorrelatedPlan(drawn)], "payoffs": payoffs, "distribution": drawn}
