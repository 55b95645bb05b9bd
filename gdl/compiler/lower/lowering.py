"""The objects that lower one game, and which of the others each of them uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from functools import partial
from typing import Any

from gdl.compiler.fault import MEANT
from gdl.compiler.lower.bodies import BodyLowering, Statement
from gdl.compiler.lower.calls import Calls, Recursion
from gdl.compiler.lower.choices import Choices
from gdl.compiler.lower.code_values import UnsupportedConstruct
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.counting import WayCounter
from gdl.compiler.lower.elements import Assigning, Elements
from gdl.compiler.lower.ends import Ends
from gdl.compiler.lower.labels import Labels
from gdl.compiler.lower.loops import Loops
from gdl.compiler.lower.lower_expressions import ExpressionLowering, Form, Key
from gdl.compiler.lower.naming import Naming
from gdl.compiler.lower.plies import Plies
from gdl.compiler.lower.quantifier_loops import Quantifiers
from gdl.compiler.lower.recognise import recognisers
from gdl.compiler.lower.recognise.reached_regions import Regions
from gdl.compiler.lower.repetitions import Times
from gdl.compiler.lower.rows import NoisyActions, RowLowering
from gdl.compiler.lower.trials import Trials
from gdl.compiler.lower.views import Views
from gdl.compiler.lower.ways import Ways
from gdl.model import core


class RecogniserFault(Exception):
    """Raised where a recogniser fails: `name` is its name. The game is then lowered without it."""

    def __init__(self, name: str):
        super().__init__(name)
        self.name = name


def _recognise(name: str, lower: Form, *given: Any) -> Any:
    """The value that a recogniser gives for a form. Raises RecogniserFault where it fails by a mistake of its own."""
    try:
        return lower(*given)
    except (*MEANT, UnsupportedConstruct, RecogniserFault, MemoryError, RecursionError):
        raise
    except Exception as fault:
        raise RecogniserFault(name) from fault


class Lowering:
    """The objects that lower one game, made from the inside out, so that each is given those that it uses. `without`:
    the names of recognisers that are left out."""

    def __init__(self, context: Context, without: Collection[str] = ()):
        self.context, self.rules = context, context.rules
        self.expressions = expressions = ExpressionLowering(context)
        elements = Elements(expressions)
        loops = Loops(expressions)
        quantifiers, regions = Quantifiers(loops), Regions(loops)
        self.past = past = Times(expressions)
        calls = Calls(past, Recursion(past))
        # Expressions and the objects that lower their forms need each other. Whoever closes such a circle is set
        # afterwards, here and below: `kept`, `statements`, and the form of `able`.
        expressions.set_element = elements.set_element
        forms: dict[Key, list[Form]] = defaultdict(list)
        expressions.forms = forms
        table = recognisers(elements, loops, regions, calls)
        self.recognisers = list(dict.fromkeys(name for _, name, _ in table))
        for key, name, lower in table:
            if name not in without:
                forms[key].append(partial(_recognise, name, lower))
        for key, lower in _forms(expressions, elements, quantifiers, regions, calls, past).items():
            forms[key].append(lower)
        self.naming = Naming(loops)
        self.bodies = bodies = BodyLowering(loops)
        ways = Ways(loops)
        expressions.kept = ways.memos.value
        forms["call"].insert(0, lambda index, given: calls.in_place(index, given) if ways.memos.holds(index) else None)
        self.choices = Choices(bodies, self.naming, ways)
        bodies.statements = _statements(bodies, self.choices, Assigning(elements))
        self.noisy = NoisyActions(past)
        self.rows = RowLowering(bodies, self.naming, ways, self.noisy)
        self.trials = Trials(past, bodies, ways, self.rows)
        forms[core.Able].append(self.trials.able)
        self.ends = Ends(expressions)
        self.views = Views(loops, self.rows)
        self.labels = Labels(self.views)
        self.plies = Plies(past, bodies, self.noisy)
        self.counting = WayCounter(self.naming, ways, self.rows, self.plies)

    def write(self, views: bool, labels: bool, evaluation: bool) -> None:
        """Write all functions that follow from the rules alone. Those written only on demand: `views`, what players see
        and hear; `labels`, what a person is shown; `evaluation`, EVAL(s)."""
        if labels:
            self.context.fixed.texts = self.labels.texts
            self.ends.tells_line = True
        # Trials and earlier positions come last, since every function before them may ask for some.
        self.ends.write_status()
        self.ends.write_status_after()
        self.ends.write_stuck()
        self.rows.write_listing()
        self.plies.write_moves()
        self.noisy.write()
        self.rows.write_bodies(sorted(self.rows.heads))
        self.rows.write_perform()
        self.plies.write_apply()
        self.counting.write()
        self.plies.write_apply_joint()
        if evaluation or self.context.model.learned is not None:
            self.ends.write_evaluation()
        self.ends.write_quiet()
        if views:
            self.views.write_observe()
        if labels:
            self.labels.write_names()
            self.labels.write_look()
        if views or labels:
            self.views.write_hear()
        self.trials.write()
        self.past.write_past()


def _forms(
    expressions: ExpressionLowering, elements: Elements, quantifiers: Quantifiers, regions: Regions, calls: Calls,
    past: Times,
) -> dict[Key, Form]:  # fmt: skip
    """The plain way to lower each type of expression and each kind of quantifier: taken where no recogniser is."""
    return {
        core.Const: expressions.const,
        core.Mover: expressions.mover,
        core.NoActions: expressions.no_actions,
        core.Arithmetic: expressions.arithmetic,
        core.Comparison: expressions.comparison,
        core.Not: expressions.negation,
        core.All: expressions.every,
        core.Some: expressions.some,
        core.If: expressions.conditional,
        core.Lookup: expressions.lookup,
        core.Scope: expressions.scope,
        core.Cell: elements.cell,
        core.Element: elements.element,
        core.Quantifier: quantifiers.quantifier,
        "exists": quantifiers.exists,
        "forall": quantifiers.forall,
        "count": quantifiers.count,
        "first": quantifiers.first,
        "sum": quantifiers.sum,
        "min": partial(quantifiers.extreme, "<"),
        "max": partial(quantifiers.extreme, ">"),
        "those": quantifiers.those,
        "union": quantifiers.union,
        core.SetOperation: quantifiers.set_operation,
        core.SetOf: quantifiers.set_of,
        core.Members: quantifiers.members,
        core.Items: quantifiers.items,
        core.Size: quantifiers.size,
        core.Contains: quantifiers.contains,
        core.Reach: regions.region,
        "region": regions.one_by_one,
        core.CallDefinition: calls.call,
        "call": calls.in_place,
        core.Times: past.times,
        core.Since: past.since,
        core.Always: past.always,
    }


def _statements(bodies: BodyLowering, choices: Choices, assigning: Assigning) -> dict[type, Statement]:
    """By the type of a statement, the function that writes it."""
    return {
        core.Let: bodies.let,
        core.Assign: assigning.assign,
        core.Require: bodies.require,
        core.Rank: bodies.rank,
        core.Stop: bodies.stop,
        core.Forget: bodies.forget,
        core.Reward: bodies.reward,
        core.Next: bodies.next_turn,
        core.Say: bodies.say,
        core.Choose: choices.choose,
        core.Conditional: bodies.conditional,
        core.For: bodies.for_each,
        core.Repeat: bodies.repeat,
        core.Attempt: bodies.attempt,
        core.Try: bodies.try_out,
        core.CallProcedure: bodies.call_procedure,
    }
