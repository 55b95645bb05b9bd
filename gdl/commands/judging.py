"""gdl judge and gdl verify."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import click

from gdl import wings
from gdl.commands import console, engines, saved_answer, size_warnings
from gdl.commands.command_table import refuse_clashes
from gdl.commands.game_argument import read_json, takes_game, takes_transform, takes_weights
from gdl.commands.limiting import LATE, MEBIBYTE, Limits, briefly, memory_in_use, takes_limits
from gdl.commands.solver_options import concept_name
from gdl.errors import DamagedData, GameError, Interrupted, LimitReached, clean, count_text
from gdl.formats.answer_records import VerifierFinding, VerifyAnswer
from gdl.formats.gambit_reader import parse_profile
from gdl.formats.solve_answer import JudgeAnswer
from gdl.game import Action, Chance, Decision, Game, Node, Number, Simultaneous, Terminal, bound_text, require_number
from gdl.model.games import Model
from gdl.numbers import SHARE, brief
from gdl.playing import profile_judging
from gdl.playing.answer_judges import find_answer_judge
from gdl.playing.loading import Asked
from gdl.render.sentence import pays
from gdl.solution import Profile
from gdl.states.explore import Move
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator
from gdl.states.tally import PayoffMeans, means_from_sums

if TYPE_CHECKING:
    from gdl.inspection.questions import SavedClaim
    from gdl.solvers.equilibria.enclosure import Enclosure
    from gdl.solvers.verify import VerifierVerdict

UNIFORM = "uniform"
STOPPED = "stopped before all positions were looked at"
RESERVED = 0.3  # share of the time kept for an estimate, if the profile cannot be judged in the rest
POSITIONS_A_SECOND = 20_000  # positions that a check may look at for each second of --time

PROVING = 2.0  # seconds
ROOM = 256 * MEBIBYTE  # bytes beside those that the process holds already
SECONDS = 0.3  # seconds of processor time for plays
GRACE_SECONDS = 0.05  # seconds of processor time for plays after Ctrl-C
LONGEST = 3.0  # seconds for the first play
MOST_PLAYS = 10_000  # plays
PLIES = 1_000  # plies of a play, at most; a longer one pays the price of endless play, or nothing
NEGLIGIBLE = 1e-4  # the weight of later gains, by which a play is over
SEED = 1


@click.command()
@click.option("--profile", required=True, metavar=f"{UNIFORM}|FILE",
              help="Everyone plays at random, or as in this JSON file: a profile or a saved answer.")  # fmt: skip
@click.option("--concept", callback=concept_name,
              help="Say which condition of this concept fails, and by which deviation.")  # fmt: skip
@click.option("--as", "leader", metavar="PLAYER", help="Who commits (--concept commitment): by default the first.")
@click.option("--lambda", "rate", type=float, metavar="N",
              help="How precise players are (--concept quantal); by default what the profile suggests.")  # fmt: skip
@click.option("--details", is_flag=True, help="Show every information set: how often it is reached, beliefs, payoffs.")
@console.takes_json("Print the judgement as one JSON object.")
@takes_limits("time", "nodes", "memory")
@takes_game
@takes_weights
def judge(
    asked: Asked, profile: str, concept: str | None, leader: str | None, rate: float | None, details: bool,
    limits: Limits,
) -> None:  # fmt: skip
    """Say what each player could gain by leaving a profile.

    A profile is an equilibrium exactly if nobody could gain anything. For a saved answer, the strategy and all
    equilibria are judged. With --concept, gdl says which condition of the concept fails, for whom, by which deviation,
    and at which information set.
    """
    data = None if profile == UNIFORM else read_json(profile, parse_profile)
    if data is not None and profile_judging.is_saved_answer(data, asked.game):
        asked = saved_answer.as_the_answer_has_it(asked, data)
        saved_answer.check_game(asked, data)
        judge_answer = find_answer_judge(data)
        if judge_answer is not None:
            with _working(asked.game, limits):
                told, text = judge_answer(asked.game, data)
            return console.answer_as(lambda: told, lambda: text)
    sought = _read_concept_request(asked.game, concept, leader, rate, data)._replace(in_detail=details)
    most = limits.nodes or profile_judging.LIMIT
    game = engines.offer(asked.game, "auto", limits.room)
    with _estimating(game, data, limits):
        if asked.game.promises.rewards is None:
            size_warnings.unless_limited(asked.game, {"time": limits.seconds, "nodes": limits.nodes})
        with _working(asked.game, replace(limits.sparing(RESERVED), nodes=None)):
            found = engines.falling_back(
                lambda: [
                    profile_judging.judge_profile(game, held, sought, most)
                    for held in profile_judging.read_profiles(game, data, most)
                ],
                game,
            )
    return console.answer_as(
        lambda: profile_judging.judge_record(asked.game, found),
        lambda: "\n\n".join(
            [
                profile_judging.judgement_summary(found, concept),
                *(profile_judging.judgement_text(asked.game, one) for one in found),
            ]
        ),
    )


@contextmanager
def _working(game: Game[Any], limits: Limits) -> Iterator[None]:
    """Enforce the limits within the block, but not on computing the traits of the game, which comes before."""
    _ = game.traits
    with limits.enforce():
        yield


@contextmanager
def _estimating(game: Game[Any], data: Any, limits: Limits) -> Iterator[None]:
    """Within the block, if a limit or Ctrl-C stops the judgement, print an estimate instead, then raise the exception
    again. The estimate: mean payoffs of simulated plays of the profile in `data` (None: random plays), and proven
    bounds. Nothing is printed for a game whose rewards on the way have no sum, or if a single play takes too long."""
    try:
        yield
    except (LimitReached, KeyboardInterrupt) as stop:
        if not _has_sums(game):
            raise
        at_once = not isinstance(stop, LimitReached)
        with suppress(DamagedData):  # it is told when there is time to read all positions
            seconds = min(SECONDS, RESERVED / 3 * (limits.seconds or 1))
            with _within_grace_time(stop, limits):
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


def _read_concept_request(
    game: Game[Any], concept: str | None, leader: str | None, rate: float | None, data: Any
) -> profile_judging.ConceptRequest:
    """The concept asked for; the leader, or the players' precision, comes from the command line, or from the options of
    the saved answer."""
    is_finite = rate is not None and 0 <= rate < float("inf")
    refuse_clashes("judge", {"as": leader, "lambda": rate, "concept": concept, "finite": is_finite})
    saved = data.get("options") if isinstance(data, Mapping) else None
    options = saved if isinstance(saved, Mapping) else {}
    if concept == "quantal":
        kept = options.get("lambda", options.get("lambda_"))
        return profile_judging.ConceptRequest(
            concept, rate=kept if rate is None and isinstance(kept, int | float) else rate
        )
    if concept != "commitment":
        return profile_judging.ConceptRequest(concept)
    from gdl.solvers.strategic.tables import player_called

    named = options.get("as", options.get("as_")) if leader is None else leader
    return profile_judging.ConceptRequest(concept, player_called(game, named if isinstance(named, str) else None))


@click.command()
@console.takes_json("Print what was checked as one JSON object.")
@takes_limits("time", "memory")
@takes_transform
@takes_game
@takes_weights
@click.argument("answer")
def verify(asked: Asked, answer: str, limits: Limits) -> int:
    """Check a saved answer.

    ANSWER is the output of gdl solve --json or gdl ask --json, in a file or, as -, on the standard input. It is checked
    against the game, no matter who found it or how. Settings, variant and position are those of the answer, unless they
    are given here. What cannot be checked is named. A folder is a table made by gdl solve --table.
    """
    if Path(answer).is_dir():
        status: int = wings.hook("verify of a table")(asked.game, Path(answer), limits)
        return status
    from gdl.solvers.verify import Finding, VerifierVerdict, verify_at_once
    from gdl.solvers.verify import verify as checked
    from gdl.solvers.verify.position_graph import MOST_POSITIONS

    data = read_json(answer)
    try:
        asked = saved_answer.as_the_answer_has_it(asked, data)
    except DamagedData as other:
        _tell_verdict(VerifierVerdict(False, "The answer is wrong.", (Finding(False, (), str(other)),)))
        return 1
    played: Game[Any] = engines.offer(asked.game, "auto", limits.room)
    if isinstance(data, Mapping) and isinstance(question := data.get("question"), str):
        claim = _read_claim(asked, question, data, limits)
        if claim.contradiction:
            wrong = Finding(False, ("answer",), f"the answer contradicts itself: {claim.contradiction}")
            _tell_verdict(VerifierVerdict(False, "The answer is wrong.", (wrong,)))
            return 1
        played, data = claim.game, claim.answer
    try:
        with _working(played, limits.sparing(RESERVED)):
            concept = data.get("concept") if isinstance(data, Mapping) else None
            own, takes = saved_answer.origin(asked), saved_answer.takes(played, concept)
            most = max(MOST_POSITIONS, int(POSITIONS_A_SECOND * (limits.seconds or 0)))
            verdict = engines.falling_back(lambda: checked(played, data, limit=most, origin=own, takes=takes), played)
    except (LimitReached, Interrupted) as stop:
        with briefly(stop):
            so_far = stop.partial if isinstance(stop.partial, VerifierVerdict) else verify_at_once(played, data)
            at_once = isinstance(stop, Interrupted)
            _tell_verdict(_with_plays(played, data, so_far, at_once))
        if not so_far.ok:
            return 1
        raise
    _tell_verdict(verdict)
    if verdict.ok and verdict.limit is not None:
        raise LimitReached(verdict.limit)
    return 0 if verdict.ok else 1


def _read_claim(asked: Asked, question: str, answer: Mapping[str, Any], limits: Limits) -> SavedClaim:
    """A saved answer to a question, as a claim about the game in which the question is solved. Raises DamagedData where
    it is none of this game."""
    from gdl.inspection import questions

    try:
        written, about = asked.read_question(question)
    except GameError as wrong:
        raise DamagedData(clean(f"the answer is of another game: {wrong.problems[0].message}")) from None

    def begin(model: Model) -> Game[Any]:
        return engines.offer(asked.begin_as(model), "auto", limits.room)  # and none to sides, whose rules are others

    return questions.read_claim(written, about, begin, answer)


def _with_plays(game: Game[Any], answer: Mapping[str, Any], verdict: VerifierVerdict, at_once: bool) -> VerifierVerdict:
    """The verdict of a check that was stopped, with a finding on the mean payoffs of simulated plays of the answer's
    strategy; `at_once` allows only a moment for these."""
    if not verdict.ok or not answer.get("strategy") or verdict.status("strategy") or not _has_sums(game):
        return verdict
    from gdl.solvers.verify import Finding

    profile = next(profile_judging.read_profiles(game, answer)).profile
    found = sample_plays(game, profile, GRACE_SECONDS if at_once else SECONDS)
    pays = ", ".join(f"{who} {mean:.4g}" for who, mean in zip(game.players, found.means, strict=True))
    error = f"standard error {max(found.errors):.2g}"
    said = f"{count_text(found.plays, 'play')} of the strategy paid {pays} on average ({error})"
    return replace(verdict, findings=(*verdict.findings, Finding(None, ("strategy",), said)))


def _tell_verdict(verdict: VerifierVerdict) -> None:
    found = [VerifierFinding(each.ok, each.fields, clean(each.text)) for each in verdict.findings]
    told = VerifyAnswer(verdict.ok, clean(verdict.headline), found)
    console.answer_as(lambda: told, lambda: "\n".join(map(clean, (verdict.headline, *verdict.lines))))


# An estimate of a profile for which a limit leaves no time to judge it: mean payoffs of simulated plays, and proven
# bounds on the payoffs and on the gains from deviating.


def _remaining(limits: Limits, seconds: float) -> Limits:
    """The limits, of which only that of time is kept (with what is left of it); without one, a limit of `seconds`."""
    return Limits(seconds) if limits.seconds is None else replace(limits, nodes=None, memory=None)


@contextmanager
def _within_grace_time(stop: BaseException, limits: Limits) -> Iterator[None]:
    """Within the block, allow a little time more after `stop`; if that is not enough (some rules take seconds for one
    position), raise `stop` again."""
    if not isinstance(stop, LimitReached):
        with briefly(stop):
            yield
        return
    try:
        with replace(_remaining(limits, LONGEST), memory=memory_in_use() + ROOM, late=SECONDS + LATE).enforce():
            yield
    except LimitReached:
        raise stop from None


def _has_sums(game: Game[Any]) -> bool:
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
    with suppress(LimitReached), Limits(memory=memory_in_use() + ROOM).enforce():
        found = next(ever_closer, None)
        with _remaining(limits, PROVING).enforce():
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
    low, high = ends
    if low is not None and low == high:
        return brief(low)
    if low is not None and high is not None:
        return f"between {brief(low, longest=SHARE)} and {brief(high, longest=SHARE)}"
    return bound_text(low, high) or "something that is not known"


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
