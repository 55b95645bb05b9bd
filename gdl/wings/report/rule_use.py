"""Use of a game's rules in random plays, for whoever designs it.

Of each action and chance step: in how many plays it was possible, and in how many it happened; of each line of
`terminal`: how many plays it ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gdl.errors import clean
from gdl.formats.playout_answers import EndOfPlays, RuleOfPlays
from gdl.model.games import RulesModel
from gdl.wings.report.trace import Trace


def uses_of_rules(model: RulesModel, traces: Sequence[Trace]) -> list[RuleOfPlays]:
    """Each action and chance step with the number of plays in which it was possible, and in which it happened."""
    possible, happened = Counter[str](), Counter[str]()
    for trace in traces:
        possible.update(trace.steps.union(*(choice.offered for choice in trace.choices)))
        happened.update(trace.steps | {choice.rule for choice in trace.choices})
    rules = (*model.actions, *model.chances)
    return [RuleOfPlays(clean(r.name), r.span.line, possible[r.name], happened[r.name]) for r in rules]


def uses_of_ends(model: RulesModel, traces: Sequence[Trace]) -> list[EndOfPlays]:
    """Each line of `terminal` with the number of plays that it ended."""
    counts = Counter(trace.ending for trace in traces)
    return [EndOfPlays(clause.span.line, counts[number]) for number, clause in enumerate(model.clauses)]
