"""An estimate of a profile for which a limit leaves no time to judge it: mean payoffs of simulated plays, and proven
bounds on the payoffs and on the gains from deviating."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from time import process_time
from typing import TYPE_CHECKING, Any

from gdl.commands.limiting import MEBIBYTE, Limits, briefly, memory_in_use
from gdl.errors import LimitReached, clean, count_text
from gdl.formats.solve_answer import JudgeAnswer
from gdl.game import Chance, Decision, Game, Number, Terminal, bound_text, require_number
from gdl.numbers import SHARE, brief
from gdl.solution import Profile
from gdl.states.random_numbers import Generator, draw_outcome
from gdl.states.sequential import Sequential
from gdl.states.tally import PayoffMeans, means_from_sums

if TYPE_CHECKING:
    from gdl.solvers.equilibria.enclosure import Enclosure

PROVING = 2.0  # seconds
ROOM = 256 * MEBIBYTE  # bytes beside those that the process holds already
SECONDS = 0.3  # seconds of processor time for plays
GRACE_SECONDS = 0.05  # seconds of processor time for plays after Ctrl-C
LONGEST = 3.0  # seconds for the first play
MOST_PLAYS = 10_000  # plays
PLIES = 1_000  # plies of a play, at most; a longer one pays the price of endless play, or nothing
SEED = 1


def remaining(limits: Limits, seconds: float) -> Limits:
    """The limits, of which only that of time is kept (with what is left of it); without one, a limit of `seconds`."""
    return Limits(seconds) if limits.seconds is None else replace(limits, nodes=None, memory=None)


@contextmanager
def within_grace_time(stop: BaseException, limits: Limits) -> Iterator[None]:
    """Within the block, allow a little time more after `stop`; if that is not enough (some rules take seconds for one
    position), raise `stop` again."""
    if not isinstance(stop, LimitReached):
        with briefly(stop):
            yield
        return
    try:
        with replace(remaining(limits, LONGEST), memory=memory_in_use() + ROOM).enforce():
            yield
    except LimitReached:
        raise stop from None


def sample_plays(game: Game[Any], profile: Profile | None, seconds: float) -> PayoffMeans:
    """Mean payoffs of simulated plays of the profile (None: random plays): as many as `seconds` of processor time
    allow, at least one. Where the profile has no entry, all actions are equally likely."""
    turns, generator = Sequential(game), Generator(SEED)
    due, count = process_time() + seconds, 0
    sums, squares = [0.0] * len(game.players), [0.0] * len(game.players)
    while count == 0 or (count < MOST_PLAYS and process_time() < due):
        for player, paid in enumerate(_play(turns, profile, generator)):
            sums[player] += paid
            squares[player] += paid * paid
        count += 1
    return means_from_sums(count, sums, squares)


def _play(game: Game[Any], profile: Profile | None, generator: Generator) -> tuple[float, ...]:
    """The payoffs of one simulated play."""
    state = game.initial()
    for _ in range(PLIES):
        node = game.node(state)
        if isinstance(node, Terminal):
            return tuple(float(require_number(utility)) for utility in node.utilities)
        if isinstance(node, Chance):
            action = node.outcomes[draw_outcome(node, generator)][0]
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


def prove_bounds(game: Game[Any], profile: Profile | None, limits: Limits, at_once: bool) -> Enclosure | None:
    """The closest bounds found in the remaining time, or in two seconds; with `at_once`, the first ones. None if
    nothing is known of the possible payoffs."""
    from gdl.solvers.equilibria.enclosure import enclosures

    ever_closer, found = enclosures(game, profile, limits.nodes), None
    with suppress(LimitReached), Limits(memory=memory_in_use() + ROOM).enforce():
        found = next(ever_closer, None)
        with remaining(limits, PROVING).enforce():
            for found in () if at_once else ever_closer:  # noqa: B007  (the last one counts)
                pass
    return found


def in_words(game: Game[Any], found: PayoffMeans, bounds: Enclosure | None) -> str:
    """The estimate in words: `By an estimate from 512 plays (standard error 0.06) A gets -0.05 and B gets 0.05; what
    could be gained by deviating is not known.`, or the proven bounds after the first sentence."""
    from gdl.render.sentence import pays

    paid = pays(game.players, tuple(round(mean, 3) for mean in found.means))
    said = f"By an estimate from {count_text(found.plays, 'play')} (standard error {max(found.errors):.2g}) {paid}"
    if bounds is None:
        return f"{said}; what could be gained by deviating is not known."
    lines = [
        f"{clean(player)} gets {_range(value)} and could gain {_range(gain)} by deviating."
        for player, value, gain in zip(game.players, bounds.value, bounds.regret, strict=True)
    ]
    head = "This is no equilibrium.\n\n" if bounds.nash_conv[0] else ""
    proof = f"From {count_text(bounds.opened, 'position')}, and what the rules allow beyond, it is proven:"
    return "\n".join((f"{head}{said}.", "", proof, *lines))


def _range(ends: tuple[Number | None, Number | None]) -> str:
    """The interval in words: `between -0.3 and 1/2`, `at least 0`, `1/8`."""
    low, high = ends
    if low is not None and low == high:
        return brief(low)
    if low is not None and high is not None:
        return f"between {brief(low, longest=SHARE)} and {brief(high, longest=SHARE)}"
    return bound_text(low, high) or "something that is not known"


def as_record(game: Game[Any], found: PayoffMeans, bounds: Enclosure | None, limit: str) -> JudgeAnswer:
    """The estimate for --json."""

    def by_player(entries: Iterable[Any]) -> dict[str, Any]:
        return dict(zip(game.players, entries, strict=True))

    return JudgeAnswer(
        value=by_player(found.means),
        regret=None,
        nash_conv=None,
        exact=False,
        plays=found.plays,
        limit=limit,
        interval=None if bounds is None else by_player(bounds.value),
        regret_interval=None if bounds is None else by_player(bounds.regret),
        nash_conv_interval=None if bounds is None else bounds.nash_conv,
    )
