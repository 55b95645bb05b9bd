"""Phases: parts of play in which actions are legal that are not legal elsewhere, as a variable and what asks for it.

1. The phases are the members of a type `Phase`, in the order of the file, and the variable `phase` says which it is;
   play begins in the first. An action of a phase asks for it before all else.
2. `next phase NAME` assigns it.
3. `no actions -> next phase NAME`: after every ply, and at the start, the rule that this makes asks whether the player
   who is to move has an action of the phase left, and goes on. A phase that leads to another is asked before that one.
"""

from __future__ import annotations

from gdl import syntax
from gdl.checker.scope import Scope
from gdl.errors import clean, line_of
from gdl.model import core
from gdl.model.games import Rule
from gdl.syntax.words import Word

VARIABLE, TYPE = "phase", "Phase"  # the words that read it, and name what it is


def with_phases(sections: list[syntax.Section]) -> list[syntax.Section]:
    """The sections, with the type `Phase` and the variable `phase` added and each action of a phase asking for its
    phase first. The phases themselves stay among them."""
    heads: dict[str, Word] = {}
    for section in sections:
        if isinstance(section, syntax.Phase):
            heads.setdefault(section.name.name, section.name)
    names = tuple(heads.values())
    if not names:
        return sections
    place = names[0].span
    words = {text: Word(place, "NAME", text) for text in (VARIABLE, TYPE)}
    type = syntax.TypeDefinition(place, words[TYPE], syntax.Ordered(place, names))
    variable = syntax.Variable(place, words[VARIABLE], None, syntax.Name(place, words[TYPE]), None, None)
    found = [_within_phase(s, s.phase) if isinstance(s, syntax.Action) and s.phase is not None else s for s in sections]
    return [type, *found, syntax.State(place, (variable,))]


def _within_phase(action: syntax.Action, word: Word) -> syntax.Action:
    """The action with its phase as its first condition."""
    read = syntax.Name(word.span, Word(word.span, "NAME", VARIABLE))
    asked = syntax.Guard(word.span, syntax.Compare(word.span, read, "=", syntax.Name(word.span, word)))
    return action.copy_with(modifiers=(asked, *action.modifiers))


def assign_phase(scope: Scope, word: Word) -> core.Assign | None:
    """The assignment that begins the phase of this name; None, with a problem, where there is no such phase."""
    names = scope.phases.members if scope.phases else ()
    if word.text not in names or VARIABLE not in scope.variables:
        help = f"write 'phase {clean(word.text)}' above its actions"
        scope.unknown(word.text, word.span, "phase", list(names), otherwise=help)
        return None
    scope.used.add(word.text)
    scope.assigned.add(VARIABLE)
    number = list(scope.variables).index(VARIABLE)
    return core.Assign(number, (), core.Const(names.index(word.text)), word.span)


def follow_up(scope: Scope, sections: list[syntax.Phase], actions: list[syntax.Action]) -> Rule | None:
    """The rule applied after a ply when a player is to move: a phase with `no actions -> next phase …` ends when the
    player has no action of it left. None where no phase has such a line."""
    leads: dict[str, tuple[Word, core.Assign]] = {}
    lines = [(head, line) for head in sections for line in head.parts if isinstance(line, syntax.Follow)]
    for head, line in lines:
        goes = assign_phase(scope, line.phase)
        name = head.name.name
        if name in leads:
            told = f"{clean(name)} says a second time what follows it"
            note = f"The first time is in {line_of(leads[name][0].span, line.span)}."
            scope.problem(told, line.span, "keep one of the two", note)
        elif line.phase.name == name:
            scope.problem(f"{clean(name)} cannot follow itself", line.span, "name another phase")
        elif goes is not None:
            leads[name] = line.phase, goes
    if not leads or scope.phases is None or VARIABLE not in scope.variables:
        return None
    chains = sorted((_chain_from(name, leads) for name in leads), key=len, reverse=True)
    # A circle is gone through from each of its phases on, since play may be in any of them.
    asked = [chain if leads[chain[-1]][0].name == chain[0] else chain[:1] for chain in chains]
    place = core.Cell(scope.variables[VARIABLE].place)
    body = []
    for name in [name for chain in asked for name in chain]:
        number, span = scope.phases.members.index(name), leads[name][0].span
        own = tuple(scope.actions[action.name.name] for action in actions if action.phase and action.phase.name == name)
        stuck = (core.Not(core.Able(core.Mover(), own, span)),) if own else ()
        over = core.All((core.Comparison("=", place, core.Const(number), span), *stuck))
        body.append(core.Conditional(over, (leads[name][1],), (), span))
    return Rule("phase", (), (), None, None, False, tuple(body), 0, True, next(iter(leads.values()))[0].span)


def _chain_from(name: str, leads: dict[str, tuple[Word, core.Assign]]) -> list[str]:
    """The phases that can end one after the other from this one on, each when it has no actions left."""
    met: list[str] = []
    while name in leads and name not in met:
        met.append(name)
        name = leads[name][0].name
    return met
