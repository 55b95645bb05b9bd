"""Players who are asked in the middle of a body: `ask P: A, B`, `ask each p after mover where TEST: A, B`.

1. An action that some line asks for is legal then alone, for the player asked; when it is done, the body that asked
   goes on behind its line, as behind a `draw` (gdl/checker/draws.py).
2. There `mover` still is who acted: a variable keeps that, and definitions and procedures that ask for the mover are
   copied, to read it.
3. Everybody hears what is asked, and hears the answer unless its head says otherwise.

Engines see variables, actions and procedures alone.
"""

from __future__ import annotations

from typing import Any

from gdl import syntax
from gdl.checker.scope import Checks, Typed
from gdl.errors import clean
from gdl.model import core
from gdl.model.domains import Range, Type

Names = tuple[tuple[str, int, Type], ...]


def do_ask(check: Checks, s: syntax.AskPlayer, names: Names) -> list[Any]:
    """The statements for a line `ask`; `names` are the local names known there."""
    from gdl.checker.draws import Draw  # which few files need

    scope, span = check.scope, s.span
    scope.has_draws = True
    for word in s.actions:
        if word.text not in scope.actions:
            instead = f"write 'draw {clean(word.text)}': it is a chance step" if word.text in scope.chances else ""
            scope.unknown(word.text, word.span, "action", list(scope.actions), instead=instead)
            return []
        scope.used.add(word.text)
    actions = tuple(sorted({scope.actions[word.text] for word in s.actions}))
    if not isinstance(s.who, syntax.FirstAfter):
        player = Typed(check.want(s.who, scope.players), scope.players)
        return [Draw(0, (player,), None, names, span, actions)]
    seats = len(scope.players.members)
    sign = -1 if isinstance(s.who, syntax.FirstBefore) else 1
    orders = tuple(tuple((p + sign * by) % seats for by in range(1, seats)) for p in range(seats))
    first = check.want(s.who.start, scope.players)
    begin: Any = first
    if not isinstance(first, core.Mover):
        begin = core.Local(check.frame.new_slot())
        names = (*names, ("first", begin.slot, scope.players))
    turn = check.frame.new_slot()
    known: Names = (*names, ("turn", turn, Range(0, seats)))
    with check.frame.inner_block():
        slot = check.bind(s.who.name, scope.players)
        where = core.Const(True) if s.who.where is None else check.truth(s.who.where)
    ask: Any = Draw(0, (Typed(core.Local(slot), scope.players),), None, known, span, actions)
    found = core.Lookup("order", orders, (begin, core.Local(turn)), (0, 0))
    body: tuple[Any, ...] = (core.Let(slot, found, span), core.Conditional(where, (ask,), (), span))
    asking = core.For(turn, core.Const(tuple(range(seats - 1))), None, body, span)
    return [asking] if begin is first else [core.Let(begin.slot, first, span), asking]
