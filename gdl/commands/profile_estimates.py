"""An estimate of a profile for which a limit leaves no time to judge it: mean payoffs of simulated plays, and proven
bounds on the payoffs and on the gains from deviating."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any

from gdl import wings
from gdl.commands import console
from gdl.commands.limiting import LATE, MEBIBYTE, Limits, briefly, memory_in_use
from gdl.errors import DamagedData, LimitReached, clean, count_text
from gdl.errors.shares import ESTIMATE_SHARE
from gdl.formats.solve_answer import JudgeAnswer
from gdl.game import Action, Chance, Decision, Game, Node, Number, Simultaneous, Terminal, require_number
from gdl.playing import profile_judging
from gdl.render.sentence import interval_text, pays
from gdl.solution import Profile
from gdl.states.explore import Move
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator
from gdl.states.tally import PayoffMeans, means_from_sums

if TYPE_CHECKING:
    from gdl.solvers.equilibria.enclosure import Enclosure

STOPPED = "stopped before all positions were looked at"
PROVING = 2.0  # seconds
ROOM = 256 * MEBIBYTE  # bytes beside those that the process holds already
SECONDS = 0.3  # seconds of processor time for plays
GRACE_SECONDS = 0.05  # seconds of processor time for plays after Ctrl-C
LONGEST = 3.0  # seconds for the first play
MOST_PLAYS = 10_000  # plays
PLIES = 1_000  # plies of a play, at most; a longer one pays the price of endless play, or nothing
NEGLIGIBLE = 1e-4  # the weight of later gains, by which a play is over
SEED = 1


@contextmanager
def estimating_where_stopped(game: Game[Any], data: Any, limits: Limits) -> Iterator[None]:
    """Within the block, if a limit or Ctrl-C stops the judgement, print an estimate instead, then raise the exception
    again. The estimate: mean payoffs of simulated plays of the profile in `data` (None: random plays), and proven
    bounds. Nothing is printed for a game whose rewards on the way have no sum, or if a single play takes too long."""
    try:
        yield
    except (LimitReached, KeyboardInterrupt) as stop:
        if not has_sums(game):
            raise
        at_once = not isinstance(stop, LimitReached)
        with suppress(DamagedData):  # it is told when there is time to read all positions
            seconds = min(SECONDS, ESTIMATE_SHARE / 3 * (limits.seconds or 1))
            with within_grace_time(stop, limits):
                profile = None if data is None else next(profile_judging.read_profiles(game, data)).profile
                found = sample_plays(game, profile, GRACE_SECONDS if at_once else seconds)
            with briefly(stop):
                bounds = _prove_bounds(game, profile, limits, at_once)
            why = str(stop) or STOPPED
            console.answer_as(
                lambda: _estimate_record(game, found, bounds, why),
                lambda: _estimate_text(game, found, bounds),
            )
        raise


def _remaining_limits(limits: Limits, seconds: float) -> Limits:
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
        with replace(_remaining_limits(limits, LONGEST), memory=memory_in_use() + ROOM, late=SECONDS + LATE).enforce():
            yield
    except LimitReached:
        raise stop from None


def has_sums(game: Game[Any]) -> bool:
    """True if what a play pays is a sum: of its end alone, or of gains on the way that count less and less."""
    return game.promises.rewards is None or game.promises.rewards.discount < 1


def sample_plays(game: Game[Any], profile: Profile | None, seconds: float) -> PayoffMeans:
    """Mean payoffs of simulated plays of the profile (None: random plays): as many as `seconds` of processor time
    allow, at least one. Where the profile has no entry, all actions are equally likely."""
    generator, due, count = Generator(SEED), process_time() + seconds, 0
    sums, squares = [0.0] * len(game.players), [0.0] * len(game.players)
    while count == 0 or (count < MOST_PLAYS and process_time() < due):
        for player, paid in enumerate(_play(game, profile or {}, generator)):
            sums[player] += paid
            squares[player] += paid * paid
        count += 1
    return means_from_sums(count, sums, squares)


def _play(game: Game[Any], profile: Profile, generator: Generator) -> Sequence[float]:
    """The payoffs of one simulated play, with what is gained on the way; gains after the first action are discounted,
    until they hardly count."""
    rewards = game.promises.rewards
    forget = None if rewards is None else game.promises.without_memory  # strategies name what a position is without it
    gained, weight = [0.0] * len(game.players), 1.0 if rewards is None else 1 / float(rewards.discount)
    state = game.initial()
    for _ in range(PLIES):
        state = state if forget is None else forget(state)
        node = game.node(state)
        weight *= 1.0 if rewards is None or isinstance(node, Chance) else float(rewards.discount)
        if isinstance(node, Terminal):
            ends = map(require_number, node.utilities)
            return [own + weight * float(paid) for own, paid in zip(gained, ends, strict=True)]
        move = _draw_move(game, state, node, profile, generator)
        if rewards is not None:
            paid_now = rewards.of(state, move)
            gained = [own + weight * float(paid) for own, paid in zip(gained, paid_now, strict=True)]
        state = game.successor(state, move)
        if weight < NEGLIGIBLE:
            break
    return gained if rewards is not None else tuple(map(float, game.promises.forever or gained))


def _draw_move(game: Game[Any], state: Any, node: Node, profile: Profile, generator: Generator) -> Move:
    """A move drawn by chance, or from the mixtures that the profile plays at a state."""

    def draw(player: int, actions: Sequence[Action]) -> Action:
        own = profile.get(game.players[player], {})
        mixture = own.get(game.describe(state, player), {}) if own else {}
        played = tuple((action, mixture[action]) for action in actions if mixture.get(action))
        move = random_move(Chance(played) if played else Decision(player, tuple(actions)), generator)
        assert isinstance(move, str)
        return move

    if isinstance(node, Simultaneous):
        return tuple(draw(player, own) if own else "" for player, own in enumerate(node.actions))
    return draw(node.player, node.actions) if isinstance(node, Decision) else random_move(node, generator)


def _prove_bounds(game: Game[Any], profile: Profile | None, limits: Limits, at_once: bool) -> Enclosure | None:
    """The closest bounds found in the remaining time, or in two seconds; with `at_once`, the first ones. None if
    nothing is known of the possible payoffs."""
    from gdl.solvers.equilibria.enclosure import enclosures

    ever_closer, found = enclosures(game, profile, limits.nodes), None
    if profile and not at_once and limits.nodes is None:
        left = None if limits.end is None else limits.end - monotonic()
        if walked := wings.call_hook("best replies to a profile", game, profile, left):
            return walked  # type: ignore[no-any-return]
    with suppress(LimitReached), Limits(memory=memory_in_use() + ROOM).enforce():
        found = next(ever_closer, None)
        with _remaining_limits(limits, PROVING).enforce():
            for found in () if at_once else ever_closer:  # noqa: B007  (the last one counts)
                pass
    return found


def _estimate_text(game: Game[Any], found: PayoffMeans, bounds: Enclosure | None) -> str:
    """The estimate in words: `By an estimate from 512 plays (standard error 0.06) A gets -0.05 and B gets 0.05; what
    could be gained by deviating is not known.`, or the proven bounds after the first sentence."""
    paid = pays(game.players, tuple(round(mean, 3) for mean in found.means))
    error = f" (standard error {max(found.errors):.2g})" if found.plays > 1 else ""
    said = f"By an estimate from {count_text(found.plays, 'play')}{error} {paid}"
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
    return interval_text(*ends, "between {} and {}") or "something that is not known"


def _estimate_record(game: Game[Any], found: PayoffMeans, bounds: Enclosure | None, limit: str) -> JudgeAnswer:
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
