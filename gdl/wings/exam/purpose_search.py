"""Search for an opponent with a purpose: pruning by what they want, and numbers left open.

Whoever moves at a node leaves what they have found there only for what is better for them. By the order of a purpose
that says how much the other can still get there at most: an opponent who wants to come near to v, and has found u, goes
no farther from v than u is. Where whoever chose one step before has as much already, the node is left (shallow pruning,
as in max^n), and where the mover has the most there is (immediate pruning). Of numbers left open each comparison has
one answer in every part of their space, as in the solver for them, for |u - v| is linear on both sides of v.

Source: Korf, Multi-player alpha-beta pruning, Artificial Intelligence 48, 1991 (why only by one step).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any

from gdl.errors import Refusal
from gdl.game import Node
from gdl.solution import RecordedSearch, Rule, Solution
from gdl.solvers.budget import NO_LIMITS
from gdl.solvers.minimax.backward_induction import backward_induction
from gdl.solvers.minimax.shallow import SHALLOW, MaxFrame, MaxSearch
from gdl.solvers.minimax.vectors import with_ties
from gdl.solvers.minimax.windows import WindowFrame, begin_search, complete_answer, constant_sum_vector
from gdl.solvers.open_numbers.breakpoints import RegionOutcome, forms
from gdl.solvers.open_numbers.lattice import can_hold, read_assumption
from gdl.solvers.open_numbers.regions import Form, Region, divide_region
from gdl.solvers.open_numbers.unknowns import MAX_PARTS, answer_by_parts, collect_unknowns
from gdl.solvers.record import SearchPlace, Window
from gdl.states.game_wrapper import Assigned
from gdl.wings.exam.purposes import Purposes

_ROW = replace(SHALLOW, needs={**SHALLOW.needs, "chance": False})


class PurposeSearch(MaxSearch):
    """A run of max^n that skips what the purpose shows not to matter."""

    game: Purposes

    def frame(self, place: SearchPlace, node: Node, window: Window) -> WindowFrame:
        frame, parent = super().frame(place, node, window), self.stack[-1] if self.stack else None
        if self.game.prunes and isinstance(parent, MaxFrame) and parent.best and parent.player != frame.player:
            enough = self.game.enough(parent.best.value[self.game.first], frame.player)
            frame.window = -inf, min(frame.window[1], enough)
        return frame


def search_by_purpose(game: Purposes, cut: Any = None, assume: Sequence[str] | None = None) -> Solution:
    """The answer for an opponent with a purpose: that of a search, or its conditions on numbers left open."""
    rule, order = Rule(cut or "ge", "given"), game.order
    if not game.traits.unknowns:
        return _search(game, rule)
    assert order is not None
    opened = collect_unknowns(game.game, NO_LIMITS.budget())
    known = [one for text in assume or () for one in read_assumption(text, opened.names)]
    if not can_hold(known, ()):
        raise Refusal("what is assumed can never hold")
    opened = opened.assuming(known)

    def outcome(region: Region) -> RegionOutcome:
        found = _search(game.with_forms(Assigned(game.game, partial(Form.unknown, region)), order), rule)
        skipped = tuple(root.path for one in found.cuts for root in one.skipped)
        assert found.value is not None
        value = constant_sum_vector(game, game.first, found.value[game.first])
        return RegionOutcome(forms(value), found.best, skipped)

    root = divide_region(opened.region, outcome, MAX_PARTS)
    found = answer_by_parts(game.game, _ROW.answer(game.game, exact=False), opened, root)
    return found.with_part(RecordedSearch, rule=rule) if game.prunes or game.most is not None else found


def _search(game: Purposes, rule: Rule) -> Solution:
    search, answer = begin_search(PurposeSearch, _ROW, game, rule, None, NO_LIMITS.budget())
    search.run()
    return with_ties(complete_answer(search, answer, None), game, backward_induction(game, budget=NO_LIMITS.budget()))
