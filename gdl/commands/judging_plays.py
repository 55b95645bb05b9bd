"""What plays say of a profile where a limit leaves no time to judge it: what it pays, about."""

from __future__ import annotations

from time import process_time
from typing import Any

from gdl.game import Chance, Decision, Game, Terminal, known
from gdl.solution import Profile
from gdl.states.random_numbers import Generator
from gdl.states.sampled_plays import Sampled, sampled
from gdl.states.sequential import Sequential
from gdl.states.wheel import Wheels

SECONDS = 0.3  # of processor time
MOST = 10_000  # plays
PLIES = 1_000  # of a play; one that is longer pays the price of endless play, or nothing
SEED = 1


def played(game: Game[Any], profile: Profile | None) -> Sampled:
    """What plays of the profile paid, or random ones where there is none: as many as there is time for, one at least.
    Where the profile says nothing, all actions are as likely."""
    turns, generator, wheels = Sequential(game), Generator(SEED), Wheels()
    due, count = process_time() + SECONDS, 0
    sums, squares = [0.0] * len(game.players), [0.0] * len(game.players)
    while count == 0 or (count < MOST and process_time() < due):
        for player, paid in enumerate(_play(turns, profile, generator, wheels)):
            sums[player] += paid
            squares[player] += paid * paid
        count += 1
    return sampled(count, sums, squares)


def _play(game: Game[Any], profile: Profile | None, generator: Generator, wheels: Wheels) -> tuple[float, ...]:
    """What one play pays."""
    state = game.initial()
    for _ in range(PLIES):
        node = game.node(state)
        if isinstance(node, Terminal):
            return tuple(float(known(utility)) for utility in node.utilities)
        if isinstance(node, Chance):
            action = node.outcomes[wheels.draw(node, generator)][0]
        else:
            assert isinstance(node, Decision)
            action = node.actions[_choice(game, state, node, profile, generator)]
        state = game.successor(state, action)
    return tuple(map(float, game.promises.forever or (0,) * len(game.players)))


def _choice(game: Game[Any], state: Any, node: Decision, profile: Profile | None, generator: Generator) -> int:
    own = {} if profile is None else profile.get(game.players[node.player], {})
    mixture = own.get(game.describe(state, node.player), {}) if own else {}
    at = generator.bits() / 2147483648.0 * float(sum(mixture.values()))
    for number, action in enumerate(node.actions):
        share = float(mixture.get(action, 0))
        if at < share:
            return number
        at -= share
    return generator.below(len(node.actions))


def in_words(game: Game[Any], found: Sampled) -> str:
    """`By 512 plays, A gets about -0.05 and B about 0.05; what could be gained by leaving it is not known.`"""
    from gdl.render.sentence import pays

    paid = pays(game.players, tuple(round(mean, 3) for mean in found.means))
    return (
        f"By an estimate from {found.plays:,} {'play' if found.plays == 1 else 'plays'} "
        f"(standard error {max(found.errors):.2g}) {paid}; what could be gained by deviating is not known."
    )


def as_object(game: Game[Any], found: Sampled, limit: str) -> dict[str, Any]:
    """The same for --json."""
    return {
        "value": dict(zip(game.players, found.means, strict=True)),
        "regret": None, "nash_conv": None, "exact": False, "plays": found.plays, "limit": limit,
    }  # fmt: skip
