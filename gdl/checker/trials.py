"""What a player could do: `P has move, pass`."""

from __future__ import annotations

from gdl import syntax
from gdl.checker.checks import Checks
from gdl.checker.scope import Typed
from gdl.errors import clean
from gdl.model import core
from gdl.model.domains import TRUTH


def check_has(check: Checks, e: syntax.Has) -> Typed:
    """`P has actions`, or those that are named."""
    player, known = check.want(e.player, check.scope.players, "a player"), check.scope.actions
    first, *more = e.actions
    if first.name == "actions" and first.name not in known:
        asked = list(known.values())
    elif first.name in known:
        asked = [known[first.name]]
    else:
        return check.scope.unknown(first.name, first.span, "action", [*known, "actions"])
    for word in more:
        if word.name not in known:
            message = f"no action is called '{clean(word.name)}', and the actions asked for go on to here"
            help = f"name an action, or put brackets around the question: (… has {first.name})"
            return check.scope.wrong(message, word.span, help)
        asked.append(known[word.name])
    return Typed(core.Able(player, tuple(dict.fromkeys(asked)), e.span), TRUTH)
