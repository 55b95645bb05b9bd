"""Recognisers: faster ways to lower a form, tried in order before the plain way, which knows of none.

A recogniser is a function that writes the form's code and gives its value; it writes nothing and gives None where it
does not take what it is given. A new one is a function in the file of its subject and a row in the table.
"""

from __future__ import annotations

from gdl.compiler.lower.calls import Calls
from gdl.compiler.lower.elements import Elements
from gdl.compiler.lower.loops import Loops
from gdl.compiler.lower.lower_expressions import Form, Key
from gdl.compiler.lower.recognise.fitting_sets import FittingSets
from gdl.compiler.lower.recognise.lanes import Lanes
from gdl.compiler.lower.recognise.quantified_lanes import QuantifiedLanes, along_lines
from gdl.compiler.lower.recognise.reached_regions import Regions
from gdl.compiler.lower.recognise.set_quantifiers import SetQuantifiers
from gdl.compiler.lower.recognise.state_lanes import StateLanes
from gdl.model import core

# What is lowered: a type of expression, a kind of quantifier, or another thing; the name by which
# tests/support/switching.py leaves it out; the function.
Recogniser = tuple[Key, str, Form]


def recognisers(elements: Elements, loops: Loops, regions: Regions, calls: Calls) -> list[Recogniser]:
    """The table of all recognisers."""
    lanes = Lanes(elements, loops)
    state, quantified = StateLanes(lanes), QuantifiedLanes(lanes)
    fitting, whole = FittingSets(lanes), SetQuantifiers(loops)
    return [
        # -- values: of a type of expression, or of a kind of quantifier over a domain
        (core.Comparison, "values in planes", elements.held_in_plane),
        ("exists", "exists for few constants", whole.exists_for_constants),
        ("exists", "exists by sets", whole.exists),
        ("forall", "forall by sets", whole.forall),
        ("count", "count by sets", whole.count),
        ("first", "the first of several at once", whole.first),
        ("those", "those as a set", whole.those),
        ("union", "unions for few constants", whole.union_for_constants),
        ("region", "regions grow at once", regions.at_once),
        ("region", "regions grow by squares", regions.by_squares),
        ("call", "short definitions in place", calls.short_value),
        ("call", "definitions as functions", calls.as_function),
        # -- sets of the values of a domain for which conditions hold
        ("values that fit", "boards as sets of bits", fitting.values),
        ("sets that fit", "all lines at once", fitting.lines),
        ("narrower domain", "domains narrowed by sets", fitting.narrow),
        # -- domains as sets
        ("field", "sets and numbers as fields", fitting.plain_set),
        ("field", "rows as sets", fitting.row),
        ("field", "rays cut at the first piece", fitting.cut_row),
        # -- conditions on all squares at once, by their type
        (("lanes", core.All), "and of all squares", lanes.every_part),
        (("lanes", core.Some), "or of all squares", lanes.every_part),
        (("lanes", core.Not), "not of all squares", lanes.negation),
        (("lanes", core.If), "conditionals of all squares", lanes.conditional),
        (("lanes", core.Scope), "names of all squares", lanes.scope),
        (("lanes", core.CallDefinition), "calls of all squares", lanes.call),
        (("lanes", core.Comparison), "comparisons of all squares", state.comparison),
        (("lanes", core.Element), "elements of all squares", state.element),
        (("lanes", core.Contains), "membership of sets", state.membership),
        (("lanes", "exists"), "domains that differ", quantified.near_lanes),
        (("lanes", "forall"), "domains that differ", quantified.near_lanes),
        (("lanes", "exists"), "quantifiers of all squares", quantified.of_each),
        (("lanes", "forall"), "quantifiers of all squares", quantified.of_each),
        # -- what is compared with one value on all squares at once
        ("compared", "counts along rows", quantified.count_along_rows),
        ("compared", "counts as truths", quantified.count_as_truth),
        ("compared", "numbers compared", state.compare_numbers),
        ("compared", "elements compared with one value", state.compare_elements),
        ("compared", "vectors compared with one value", state.compare_vector),
        # -- elements that hold a value on all squares at once, and rows that hold throughout or somewhere
        ("held", "the first held, along rays", quantified.first_held),
        ("held", "elements in planes", state.elements_with),
        ("rows", "along lines", along_lines),
    ]
