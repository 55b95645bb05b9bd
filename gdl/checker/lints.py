"""Warnings of likely slips, and the few errors that only the whole model shows. One function for each check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any

from gdl import syntax
from gdl.analysis.bounds import extent
from gdl.analysis.traits import accumulates, all_at_once
from gdl.analysis.trials import asks, early_circle, questions
from gdl.checker.constants import constant_value
from gdl.checker.deals import DEALS
from gdl.checker.rules import Sections
from gdl.checker.scope import Scope
from gdl.checker.types import base_type
from gdl.errors import Problem, Span, clean, line_of
from gdl.errors.deadline import check_deadline
from gdl.game import Number, bound_text, broken_bound
from gdl.model import core
from gdl.model.domains import Range, text_of
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import BLOCKS, everything, inside, inside_with_calls, of_callable, of_rule
from gdl.record import Record

# Two that are alike where one was meant, or another: mostly a copy in which something was to be changed.

COMPARED = 10_000  # the most pairs of alternatives of two tests that are compared
SHORT_WORDS = 6  # words; shorter definitions may say the same by chance, or on purpose


def without_spans(form: Any) -> tuple[Any, ...]:
    """A form, or a part of a file, without its places in the text, as a flat tuple: the names of its parts, how many
    parts each of them has, and the values. Two forms are alike if these tuples are equal."""
    said: list[Any] = []
    rest = [form]
    while rest:
        match rest.pop():
            case tuple() as items:
                said.append(("", len(items)))
                rest += reversed(items)
            case Record() as record:
                inner = [value for value in record.__dict__.values() if not isinstance(value, Span)]
                said.append((type(record).__name__, len(inner)))
                rest += reversed(inner)
            case value:
                said.append(value)
    return tuple(said)


def alike_rules(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Warn of two actions, or two chance steps, that differ in nothing but their names. In games with hidden
    information or spoken words nothing is reported: there the name itself may tell the others something."""
    hidden = any(v.visibility.kind != "all" for v in model.variables) or any(rule.hearers for rule in model.actions)
    if hidden or any(isinstance(form, core.Say) for form in everything(model)):
        return
    help = "take one of them out, or change what was to be different"
    for kind in (syntax.Action, syntax.Chance):
        for first, second in _pairs([(_without_texts(rule), rule) for rule in sections.of_kind(kind) if rule.body]):
            told = f"{clean(second.name.name)} does the same as {_name_and_line(first, second)}: one move has two names"
            yield _warning(told, second.name.span, help)


def _without_texts(rule: syntax.Action) -> tuple[Any, ...]:
    """The parts of an action that another shares if it differs in nothing but its name."""
    kept = tuple(modifier for modifier in rule.modifiers if not isinstance(modifier, syntax.Template))
    return rule.choices or (), kept, rule.body


def alike_definitions(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Warn of two definitions with different names that say the same."""
    long = [d for d in sections.of_kind(syntax.Definition) if len(_words(d.result)) > SHORT_WORDS]
    for first, second in _pairs([((d.parameters or (), d.type, d.result), d) for d in long]):
        told = f"{clean(second.name.name)} says the same as {_name_and_line(first, second)}"
        yield _warning(told, second.name.span, "use one of them for both, or change what was to be different")


def _words(*parts: Any) -> tuple[str, ...]:
    return tuple(one.text for one in syntax.descendants(*parts) if isinstance(one, syntax.Word))


def _pairs(said: list[tuple[tuple[Any, ...], Any]]) -> Iterator[tuple[Any, Any]]:
    """For each entry that says the same as one before: the first that does, and this one."""
    seen: dict[tuple[Any, ...], Any] = {}
    for parts, one in said:
        first = seen.setdefault(without_spans(parts), one)
        if first is not one:
            yield first, one


def _name_and_line(one: Any, seen_from: Any) -> str:
    return f"{clean(one.name.name)} in {line_of(one.name.span, seen_from.name.span)}"


def alike_clauses(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Warn of a line of `terminal` that never decides, because a line above has the same test or one that holds
    wherever this one does."""
    ends = sections.last_of_kind(syntax.TerminalTest)
    checked = {clause.span: clause for clause in model.clauses}
    lines = [line for line in (ends.clauses if ends else ()) if line.span in checked]
    for number, line in enumerate(lines):
        for other in lines[:number]:
            check_deadline()
            clause, decides = checked[line.span], checked[other.span]
            if without_spans(clause.condition) == without_spans(decides.condition):
                winner = " with another winner" if clause.winner != decides.winner else ""
                told, help = f"this test is above{winner}, so this line never decides", "take one of the two out"
            elif _asks_no_less(line.condition, other.condition):
                above, help = line_of(other.span, line.span), "put it higher, if it should decide there, or take it out"
                told = f"wherever this test holds, {above} decides, so this line never does"
            else:
                continue
            yield _warning(told, line.span, help)
            break


def _asks_no_less(test: Any, other: Any) -> bool:
    """True if one test implies another one, as far as their text shows."""
    ways = [_split(way, syntax.And) for way in _split(other, syntax.Or)]
    cases = _split(test, syntax.Or)
    return len(ways) * len(cases) < COMPARED and all(
        any(all(any(_is_said_by(asked, said) for said in _split(case, syntax.And)) for asked in way) for way in ways)
        for case in cases
    )


def _split(test: Any, kind: type[syntax.And | syntax.Or]) -> list[Any]:
    """The operands that a chain of `and` or of `or` joins; there may be thousands."""
    behind = []
    while isinstance(test, kind):
        behind.append(_split(test.right, kind))
        test = test.left
    return [test, *chain.from_iterable(reversed(behind))]


def _is_said_by(asked: Any, said: Any) -> bool:
    """True if the condition `asked` holds wherever `said` does: they are alike, or compare the same value with numbers
    such that one comparison implies the other."""
    check_deadline()
    if without_spans(asked) == without_spans(said):
        return True
    match asked, said:
        case (
            syntax.Compare(left=left, relation=relation, right=syntax.Number(value=limit)),
            syntax.Compare(left=other, relation=known, right=syntax.Number(value=value)),
        ):
            within = _lies_within(known, Fraction(value.text), relation, Fraction(limit.text))
            return without_spans(left) == without_spans(other) and within
    return False


def _lies_within(said: str, value: Fraction, asked: str, limit: Fraction) -> bool:
    """True if every x with `x said value` has `x asked limit`."""
    within = value < limit if asked[0] == "<" else value > limit
    same_way = asked[0] in "<>" and (said == "=" or said[0] == asked[0])
    return same_way and (within or (value == limit and ("=" in asked or "=" not in said)))


def _warning(message: str, span: Span | None, help: str) -> Problem:
    return Problem(message, span, help=help, warning=True)


THE_MOVER = -1  # among local names: the word `mover`


def lint(model: RulesModel, scope: Scope, sections: Sections) -> list[Problem]:
    """The warnings and errors of all checks, in the order of CHECKS."""
    return [problem for check in CHECKS for problem in check(model, scope, sections)]


def _unused_names(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Warn of types, parameters, definitions, procedures and chance steps that nothing uses."""
    kinds: list[tuple[str, list[str]]] = [
        ("parameter", [n for n, c in scope.constants.items() if c.kind == "parameter"]),
        ("type", [n for n, t in scope.types.items() if n in scope.declared and t not in scope.boards]),
        ("definition", list(scope.definitions)),
        ("procedure", list(scope.procedures)),
        ("chance step", list(scope.chances)),
    ]
    for kind, names in kinds:
        for name in names:
            own = getattr(scope.types[name], "members", ()) if kind == "type" else ()
            if scope.used.isdisjoint({name, *own}):
                told = f"the {kind} {clean(name)} is never used"
                yield _warning(told, scope.declared.get(name), "take it out, or use it")


def _unread_variables(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Warn of a variable that is never read, or that is read but never assigned, so that it keeps its first value."""
    read = {model.variables[n].name for f in everything(model) if (n := _variable_read(model, f)) is not None}
    hidden = any(v.visibility.kind != "all" for v in model.variables)
    for variable in scope.variables.values():
        assigned = variable.name in scope.assigned  # perhaps only to be seen, where something is hidden
        if variable.name in read:
            if not assigned and len(set(variable.initial)) == 1:
                message = f"{variable.name} is never assigned, so it keeps its first value"
                help = "assign it, or make it a definition"
                if variable.type is scope.phases:
                    help = "write 'next phase NAME' where another begins"
                yield _warning(message, variable.span, help)
        elif variable.type is scope.phases or not (hidden and variable.visibility.kind != "none" and assigned):
            what = "written but never read" if assigned else "never used"
            help = "indent its actions below its line" if variable.type is scope.phases else "take it out, or use it"
            yield _warning(f"{variable.name} is {what}", variable.span, help)


def _left_out_of_notation(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Warn of a variable that play reads and changes, and a position's text leaves out, unless the file says that it
    may; report a name behind `notation forgets` that is no such variable."""
    if model.notation is None:
        return
    written = {model.variables[i].name for p in model.notation.parts if not isinstance(p, str) for i in p.variables}
    forgotten = [word for section in sections.of_kind(syntax.NotationForgets) for word in section.names]
    for word in forgotten:
        if word.name not in scope.variables or word.name in written:
            told = "stands in the notation" if word.name in written else "is no variable of the game"
            yield Problem(f"'{clean(word.name)}' {told}, so it cannot be forgotten", word.span, help="take it out")
    read = {model.variables[n].name for f in everything(model) if (n := _variable_read(model, f)) is not None}
    for name in sorted(read & scope.assigned - written - {word.name for word in forgotten}):
        message = f"the notation leaves out {clean(name)}, which play reads"
        help = f"put {{{name}}} into its text, or write: notation forgets {name}"
        yield _warning(message, scope.variables[name].span, help)


def _never_that_value(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Warn of a comparison of a variable with a named value, or with none, that nothing ever gives it."""
    taken = _values_taken(model)
    for form in everything(model):
        if isinstance(form, core.Comparison) and form.relation in ("=", "!=") and isinstance(form.right, core.Const):
            index = _variable_read(model, form.left)
            if index is None or isinstance(base_type(model.variables[index].type), Range):
                continue
            variable, values = model.variables[index], taken[index]
            if variable.places and form.right.value is None:
                continue
            if values is not None and form.right.value not in values:
                value = text_of(variable.type, form.right.value)
                help = "assign it somewhere, or take the comparison out"
                if variable.type is scope.phases:
                    help = f"write 'next phase {value}' where it begins"
                yield _warning(f"{clean(variable.name)} is never {value}: nothing assigns it that", form.span, help)


def _values_taken(model: RulesModel) -> list[set[Any] | None]:
    """The values that each variable may have: its first values and those assigned to it. None for a variable where some
    are not constants, or where there is only one value."""
    taken: list[set[Any] | None] = [set(variable.initial) for variable in model.variables]
    for form in everything(model):
        if isinstance(form, core.Assign):
            values = taken[form.variable]
            if values is not None and isinstance(form.value, core.Const):
                values.add(form.value.value)
            else:
                taken[form.variable] = None
    for part in model.notation.parts if model.notation else ():
        for index in () if isinstance(part, str) else part.variables:
            taken[index] = None  # a position may say anything of it
    return [None if values is not None and len(values) == 1 else values for values in taken]


def _variable_read(model: RulesModel, form: Any) -> int | None:
    """The number of the variable whose value the expression reads; None if it is any other expression."""
    if isinstance(form, core.Element | core.Whole):
        return form.variable
    if isinstance(form, core.Cell):
        return next((i for i, v in enumerate(model.variables) if v.place == form.place and not v.indices), None)
    return None


def _false_claims(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Report `claim zero-sum` in a game whose utilities plainly do not sum to zero."""
    for claim in sections.of_kind(syntax.Claim):
        said = "".join(word.text for word in claim.words)
        if said != "zero-sum":
            yield Problem(f"'{clean(said)}' cannot be claimed", claim.span, help="write: claim zero-sum")
            continue
        for clause in () if accumulates(model) else model.clauses:
            if clause.sum not in (None, 0):
                told = f"the game claims to be zero-sum, and these utilities sum to {clause.sum}"
                yield Problem(told, clause.span, help="correct the utilities, or take the claim out")


def _broken_promises(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Report `utility in 0..10` in a game that plainly pays utilities outside of these bounds."""
    if model.bounds is None:
        return
    written = sections.last_of_kind(syntax.Utility)
    if accumulates(model) and written is not None:
        message = "a bound of what ends pay says nothing of what is gained on the way, or counts less with time"
        yield Problem(message, written.span, help="take it out")
        return
    help = "correct the utility or the bound"
    for clause in model.clauses:
        for utility, (low, high) in zip(clause.utilities, model.bounds, strict=True):
            found = (extent(model, part) for part in _payments(utility, scope))
            broken = next((e for e in found if e and (_lies_below(e[1], low) or _lies_below(high, e[0]))), None)
            if broken is not None:
                told = f"the utility {broken[0]} breaks" if broken[0] == broken[1] else (
                    f"a utility between {broken[0]} and {broken[1]} breaks")  # fmt: skip
                yield Problem(f"{told} its bound: {bound_text(low, high)}", clause.span, help=help)
                break
    ends = sections.last_of_kind(syntax.TerminalTest)
    told = broken_bound(model.forever, model.bounds) if model.forever else ""
    for clause_written in ends.clauses if ends and told else ():
        if isinstance(clause_written.condition, syntax.Word):
            yield Problem(told, clause_written.span, help=help)


def _lies_below(number: Number | None, other: Number | None) -> bool:
    return number is not None and other is not None and number < other


def _payments(utility: core.Expression, scope: Scope) -> Iterator[core.Expression]:
    """The expressions among which the conditions of `if` choose the utility."""
    match utility:
        case core.Scope(result=result):
            yield from _payments(result, scope)
        case core.If(condition=condition, then=then, otherwise=otherwise):
            known, holds = constant_value(condition, scope)
            if not known or holds:
                yield from _payments(then, scope)
            if not known or not holds:
                yield from _payments(otherwise, scope)
        case _:
            yield utility


def _legality_leaks(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Report an action whose legality depends on something hidden from the player: the list of legal actions would
    reveal it."""
    for rule in model.actions:
        forms = list(inside(*_conditions(rule)))
        variable = next(secrets_read(model, forms), None)
        if variable is not None:
            sizes = (form.operand for form in forms if isinstance(form, core.Size))
            counted = any(variable in secrets_read(model, inside(size)) for size in sizes)
            yield Problem(
                f"{clean(rule.name)} is legal or not by {clean(variable)}, which the mover may not see", rule.span,
                note="The list of legal actions would give it away.",
                help="keep the number in a variable that all see, such as left: 0..9, and ask for that" if counted else
                "let the attempt be refused: attempt … refused …, or make the variable visible",
            )  # fmt: skip


def _conditions(rule: Rule) -> list[Any]:
    """Everything in a rule on which it depends whether an action is legal: its guards, the domains of its parameters,
    and conditions in its body."""
    heads: list[Any] = [*rule.guards, *(p.guards for p in rule.parameters), *(p.domain for p in rule.parameters)]
    return heads + _deciding(rule.body)


def _deciding(body: tuple[core.Statement, ...]) -> list[Any]:
    """The conditions of a body on which the action's legality depends. A refused attempt is no illegal action, so its
    conditions do not count."""
    found: list[Any] = []
    work: list[Any] = list(body)
    while work:
        statement = work.pop()
        if isinstance(statement, core.Require):
            found.append(statement.condition)
        elif isinstance(statement, core.Choose):
            found += [statement.guards, *((p.domain, p.guards) for p in statement.parameters)]
        elif not isinstance(statement, core.Attempt):
            work += [inner for name in BLOCKS for inner in getattr(statement, name, ())]
    return found


def secrets_read(model: RulesModel, forms: Iterable[Any]) -> Iterator[str]:
    """The names of the variables that the forms read, directly or through definitions and trials of actions, and that
    the player to move may not see."""
    work = [(form, frozenset({THE_MOVER})) for form in _without_lengths(model, forms)]
    seen: set[Any] = set()
    while work:
        form, movers = work.pop()  # `movers` are the local names known to be the mover
        if isinstance(form, core.Able):
            tried = movers & {THE_MOVER} if _is_mover(form.player, movers) else frozenset[int]()
            for action in form.actions:
                if (core.Able, action, tried) not in seen:
                    seen.add((core.Able, action, tried))
                    asked = inside(*_conditions(model.actions[action]))
                    work += [(part, tried) for part in _without_lengths(model, asked)]
        elif isinstance(form, core.Times | core.Since | core.Always):
            if (type(form), form.site) not in seen:
                seen.add((type(form), form.site))
                site = model.times[form.site]
                work += [(part, frozenset[int]()) for part in inside(site.key, site.condition)]
        elif isinstance(form, core.CallDefinition):
            given = frozenset(i for i, a in enumerate(form.arguments) if _is_mover(a, movers)) | movers & {THE_MOVER}
            if (form.definition, given) not in seen:
                seen.add((form.definition, given))
                called = of_callable(model.definitions[form.definition])
                work += [(part, given) for part in _without_lengths(model, called)]
        elif isinstance(form, core.Element | core.Whole):
            variable = model.variables[form.variable]
            own = isinstance(form, core.Element) and _is_mover(form.indices[0], movers)
            kind = variable.visibility.hides or variable.visibility.kind
            if kind == "none" or (kind == "owner" and not own):
                yield variable.name
        elif isinstance(form, core.Cell):
            yield from (v.name for v in model.variables if v.place == form.place and v.visibility.kind == "none")


def _without_lengths(model: RulesModel, forms: Iterable[Any]) -> list[Any]:
    """The parts of the forms, except elements of sequences that are only compared with none: everybody sees how long a
    sequence is."""
    all_forms = list(forms)
    asked = {
        id(form.left)
        for form in all_forms
        if isinstance(form, core.Comparison) and isinstance(form.left, core.Element) and form.right == core.Const(None)
    }
    return [form for form in all_forms if id(form) not in asked or not model.variables[form.variable].places]


def _is_mover(form: Any, movers: frozenset[int]) -> bool:
    return (isinstance(form, core.Mover) and THE_MOVER in movers) or (
        isinstance(form, core.Local) and form.slot in movers
    )


def _visible_hands(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Warn of a visible deck from which a hidden hand is drawn: the cards missing in it reveal the hand."""
    hidden = {v.name for v in model.variables if v.visibility.kind in ("owner", "none")}
    for rule in model.chances:
        assigned = [model.variables[s.variable].name for s in of_rule(rule) if isinstance(s, core.Assign)]
        if rule.name.startswith(DEALS):  # what is dealt leaves the one and enters the other, before all else
            assigned = [name for name in assigned if "." not in name][:2]
            sources = assigned[:1]
        else:
            forms = inside(*(parameter.domain for parameter in rule.parameters if parameter.count is not None))
            places = {form.place for form in forms if isinstance(form, core.Cell)}
            sources = [v.name for v in model.variables if v.place in places]
        for name in sources:
            if name not in hidden and not hidden.isdisjoint(assigned):
                told = f"everyone sees {name}, from which hidden things are drawn: what is missing tells"
                yield _warning(told, rule.span, f"declare {name} visible to none")


def _trials_remembered(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Report a `times`, `since` or `always` whose key or condition asks what players could do: trials of actions cannot
    answer that for every position."""
    for site in model.times:
        if asks(model) and any(questions(model, (site.key, site.condition))):
            help = "keep the answer in a variable of the state, and ask for that"
            yield Problem(f"'{site.kind}' cannot ask what players could do", site.span, help=help)


def _movers_remembered(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Warn of a question about earlier positions in a body after which the turn passes, with `mover` in its key or its
    condition: in the earlier positions that was who was to move, in the body it is who acts."""
    told = set[int]()
    for rule in (*model.actions, *model.chances) if model.times and len(model.players) > 1 else ():
        forms = list(inside_with_calls(model, rule.body))
        turns = [form.turn for form in forms if isinstance(form, core.Next)]
        if not all(map(_passes, turns)) or not (turns or rule in model.actions):
            continue
        for form in forms:
            if isinstance(form, core.Times | core.Since | core.Always) and form.site not in told:
                site = model.times[form.site]
                if _asks_for_mover(model, site.key, site.condition):
                    told.add(form.site)
                    message = f"'mover' in this '{site.kind}' is who acts, and in earlier positions who was to move"
                    help = "keep in a variable whose turn it is, assign it above, and put it in place of mover"
                    yield _warning(message, site.span, help)


def _passes(turn: core.Turn) -> bool:
    """True if the turn goes to somebody else: to `other(mover)`, or to the first player who comes after or before."""
    return turn.kind in ("after", "before") or (
        isinstance(turn.player, core.Lookup) and turn.player.arguments == (core.Mover(),)
    )


def _asks_for_mover(model: RulesModel, *forms: Any) -> bool:
    return any(isinstance(form, core.Mover) for form in inside_with_calls(model, *forms))


def _nobody_to_move(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Report `mover` in a line of `terminal` or `evaluate` of a game in which the players only ever choose at once."""
    turns = [model.start, *(form.turn for form in everything(model) if isinstance(form, core.Next))]
    goes_on = any(not any(isinstance(form, core.Next) for form in rule.body) for rule in model.chances)
    if any(turn.kind not in ("everyone", "chance") or (turn.kind == "chance" and goes_on) for turn in turns):
        return
    if not any(turn.kind == "everyone" for turn in turns):
        return
    lines = [(clause.span, (clause.condition, *clause.utilities)) for clause in model.clauses]
    for span, forms in (*lines, *((feature.span, feature.values) for feature in model.features)):
        if _asks_for_mover(model, forms):
            yield Problem("this asks for the mover, and here all have moved", span, help="give it the player")


def _circles(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Report an action that is legal only if it is legal: its conditions ask whether it can be done."""
    found = early_circle(model)
    if found is None:
        return
    question, way = found
    names = [clean(model.actions[action].name) for action in way]
    asking = ", and ".join(f"{one} asks for {other}" for one, other in pairwise(names))
    message = f"whether {names[0]} can be done would depend on itself: {asking}"
    note = "Nothing has been done in between, so the question comes back in the same position."
    help = "name other actions, or ask with 'require' below what the action does"
    yield Problem(message, question.span, note=note, help=help)


def _idle_resolve(model: RulesModel, scope: Scope, sections: Sections) -> Iterator[Problem]:
    """Warn of a section `resolve` in a game in which the players never choose at once."""
    written = sections.last_of_kind(syntax.Resolve)
    if written and not all_at_once(model):
        help = "write 'next everyone' or 'start everyone' where they do"
        yield _warning("'resolve' is never run: nowhere do all players choose at once", written.span, help)


CHECKS: tuple[Callable[[RulesModel, Scope, Sections], Iterator[Problem]], ...] = (
    _unused_names,
    _unread_variables,
    _left_out_of_notation,
    _never_that_value,
    alike_clauses,
    alike_rules,
    alike_definitions,
    _false_claims,
    _broken_promises,
    _circles,
    _trials_remembered,
    _movers_remembered,
    _nobody_to_move,
    _legality_leaks,
    _visible_hands,
    _idle_resolve,
)
