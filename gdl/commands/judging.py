"""gdl judge and gdl verify."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from gdl.commands import engines, foretelling, telling
from gdl.commands.clashes import refuse_clashes
from gdl.commands.conditions import condition_lines, conditions_of
from gdl.commands.game_argument import read_json, takes_game, takes_weights
from gdl.commands.limiting import Limits, briefly, takes_limits
from gdl.commands.solver_options import concept_name
from gdl.errors import DamagedData, Interrupted, LimitReached, Refusal, clean, count_text
from gdl.formats.answer import START
from gdl.formats.answer_records import JudgeAnswer, ProfileJudgement, VerifierFinding, VerifyAnswer
from gdl.game import Game
from gdl.numbers import brief
from gdl.playing.asked_game import Asked
from gdl.render.strategies import rename_information_sets
from gdl.solution import Profile

if TYPE_CHECKING:
    from gdl.solvers.equilibria.positions import PositionGraph
    from gdl.solvers.equilibria.regret import Judgement
    from gdl.solvers.equilibria.verdicts import ConceptVerdict
    from gdl.solvers.verify import VerifierVerdict as Checked

UNIFORM = "uniform"
STOPPED = "stopped before all positions were looked at"
MOST_LINES = 20  # conditions that are told of a profile
LIMIT = 1_000_000  # positions that are looked at, if nobody says
RESERVED = 0.3  # of the time, that is left for telling what is known where a profile cannot be judged within the rest
TOLD = 20_000  # positions of a game of which it is told by what deviation something is gained


class CandidateProfile(NamedTuple):
    """A profile that is judged: its name (one alone needs none), and the beliefs that were told with it."""

    name: str
    profile: Profile
    beliefs: Profile | None = None


class ProfileReport(NamedTuple):
    """What is found of a profile: what could be gained, by what; and the verdict on a concept that was asked for."""

    name: str
    judgement: Judgement
    deviations: Mapping[str, Mapping[str, str]]
    verdict: ConceptVerdict | None
    positions: PositionGraph | None  # None where play comes back to positions


@click.command()
@click.option("--profile", required=True, metavar=f"{UNIFORM}|FILE",
              help="Everyone plays at random, or as in this JSON file: a profile or a saved answer.")  # fmt: skip
@click.option("--concept", callback=concept_name,
              help="Say which condition of this concept fails, and by which deviation.")  # fmt: skip
@click.option("--as", "leader", metavar="PLAYER", help="Who commits (--concept commitment); the first player else.")
@click.option("--lambda", "rate", type=float, metavar="N",
              help="How precise players are (--concept quantal); what the profile shows else.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the judgement as one JSON object.")
@takes_limits("time", "nodes", "memory")
@takes_game
@takes_weights
def judge(
    asked: Asked, profile: str, concept: str | None, leader: str | None, rate: float | None, as_json: bool,
    limits: Limits,
) -> None:  # fmt: skip
    """Say what each player could gain by leaving a profile.

    A profile is an equilibrium exactly if nobody could gain anything. Of a saved answer, the strategy and all
    equilibria are judged. With --concept, it is said which condition of the concept fails, for whom, by which
    deviation, at which information set.
    """
    data = None if profile == UNIFORM else read_json(profile)
    if data is not None and _is_answer(data, asked.game):
        from gdl.commands import answered

        asked = answered.as_the_answer_has_it(asked, data)
        answered.check_game(asked, data)
        draws = bool(data.get("distribution"))
        if draws or (data.get("coalitions") and not data.get("equilibria")):
            from gdl.commands.judging_others import judge_draws, judge_shares

            with _working(asked.game, limits):
                told, text = (judge_draws if draws else judge_shares)(asked.game, data)
            return telling.answer_as(as_json, lambda: told, lambda: text)
    sought, most = _read_concept_request(asked.game, concept, leader, rate, data), limits.nodes or LIMIT
    game = engines.offer(asked.game, "auto", limits.room)
    with _estimating(game, data, limits, as_json):
        if asked.game.promises.rewards is None:
            foretelling.unless_limited(asked.game, {"time": limits.seconds, "nodes": limits.nodes})
        with _working(asked.game, replace(limits.sparing(RESERVED), nodes=None)):
            found = engines.falling_back(
                lambda: [_judge_profile(game, held, sought, most) for held in _profiles(game, data, most)], game
            )
    return telling.answer_as(
        as_json,
        lambda: _as_record(asked.game, found),
        lambda: "\n\n".join([_summary(found, concept), *(_report_text(asked.game, one) for one in found)]),
    )


@contextmanager
def _working(game: Game[Any], limits: Limits) -> Iterator[None]:
    """Within the block the limits hold; reading the game, and its traits off the rules, is done before."""
    _ = game.traits
    with limits.enforce():
        yield


@contextmanager
def _estimating(game: Game[Any], data: Any, limits: Limits, as_json: bool) -> Iterator[None]:
    """Where a limit leaves no judgement, it is told what plays of the profile (of the first one of an answer, or at
    random where there is none) pay, about, and what is proven of it; nothing where one play takes too long."""
    try:
        yield
    except (LimitReached, KeyboardInterrupt) as stop:
        if game.promises.rewards is not None:
            raise
        from gdl.commands import judging_plays

        at_once = not isinstance(stop, LimitReached)
        with suppress(DamagedData):  # it is told when there is time to read all positions
            seconds = min(judging_plays.SECONDS, RESERVED / 3 * (limits.seconds or 1))
            with judging_plays.within_grace_time(stop, limits):
                profile = None if data is None else next(_profiles(game, data)).profile
                found = judging_plays.sample_plays(game, profile, judging_plays.GRACE_SECONDS if at_once else seconds)
            with briefly(stop):
                bounds = judging_plays.prove_bounds(game, profile, limits, at_once)
            why = str(stop) or STOPPED
            telling.answer_as(
                as_json,
                lambda: judging_plays.as_record(game, found, bounds, why),
                lambda: judging_plays.in_words(game, found, bounds),
            )
        raise


class ConceptRequest(NamedTuple):
    """The concept that a profile is held against, if there is one, and the player who leads where one does."""

    concept: str | None
    leader: int = 0
    rate: float | None = None


def _read_concept_request(
    game: Game[Any], concept: str | None, leader: str | None, rate: float | None, data: Any
) -> ConceptRequest:
    """What was asked for; who leads, or how precise players are, is told by the command line, or by the options of the
    saved answer."""
    is_finite = rate is not None and 0 <= rate < float("inf")
    refuse_clashes("judge", {"as": leader, "lambda": rate, "concept": concept, "finite": is_finite})
    saved = data.get("options") if isinstance(data, Mapping) else None
    options = saved if isinstance(saved, Mapping) else {}
    if concept == "quantal":
        kept = options.get("lambda_")
        return ConceptRequest(concept, rate=kept if rate is None and isinstance(kept, int | float) else rate)
    if concept != "commitment":
        return ConceptRequest(concept)
    from gdl.solvers.strategic.tables import player_called

    named = options.get("as_") if leader is None else leader
    return ConceptRequest(concept, player_called(game, named if isinstance(named, str) else None))


def _judge_profile(game: Game[Any], held: CandidateProfile, sought: ConceptRequest, most: int) -> ProfileReport:
    """Judge one profile, by at most so many positions."""
    concept = sought.concept
    if comes_back(game):
        from gdl.commands.judging_others import judge_stationary

        return ProfileReport(held.name, *judge_stationary(game, held.profile, concept, most), None)
    from gdl.solvers.beliefs.judging_assessments import judge_profile
    from gdl.solvers.budget import Budget
    from gdl.solvers.equilibria.assessments import read_beliefs
    from gdl.solvers.equilibria.behaviour import read_profile
    from gdl.solvers.equilibria.positions import explore
    from gdl.solvers.equilibria.regret import judge
    from gdl.solvers.equilibria.verdicts import deviations

    positions = explore(game, Budget(most))
    held = as_in_files(game, positions, held)
    behaviour = read_profile(positions, held.profile)
    judgement = judge(positions, behaviour)
    sets = positions.information_sets
    gained = {
        who: {sets[h].name: sets[h].actions[k] for h, k in deviations(positions, behaviour, player).items()}
        for player, who in enumerate(game.players)
        if judgement.regret[player] and (positions.count <= TOLD or concept is not None)
    }
    verdict = None
    if concept is not None:
        beliefs = None if held.beliefs is None else read_beliefs(positions, held.beliefs)
        verdict = judge_profile(concept, positions, behaviour, beliefs, leader=sought.leader, rate=sought.rate)
    return ProfileReport(held.name, judgement, gained, verdict, positions)


def comes_back(game: Game[Any]) -> bool:
    """Whether play comes back to positions, for all that is known of it."""
    return game.promises.rewards is not None or bool(game.traits.cyclic)


def as_in_files(game: Game[Any], positions: PositionGraph, held: CandidateProfile) -> CandidateProfile:
    """The profile and the beliefs with information sets named as in files, if they are named as in texts. DamagedData
    where several sets are called so."""
    known = {(positions.players[found.player], found.name) for found in positions.information_sets}
    told = {(who, name) for one in (held.profile, held.beliefs or {}) for who, sets in one.items() for name in sets}
    if told <= known:
        return held
    from gdl.states.set_names import set_names

    names: dict[str, dict[str, str]] = {}
    for player, called in set_names(game).items():
        for name, new in called.items():
            if new in names.setdefault(player, {}):
                raise DamagedData(
                    f"several information sets of {player} are called {new!r}; write their names in files"
                )
            names[player][new] = name
    beliefs = None if held.beliefs is None else rename_information_sets(held.beliefs, names)
    return held._replace(profile=rename_information_sets(held.profile, names), beliefs=beliefs)


def _as_record(game: Game[Any], judged: list[ProfileReport]) -> JudgeAnswer:
    """What is found of one profile; of several, of the one by which most could be gained, then of each."""
    worst = max(judged, key=lambda found: (_fails(found), found.judgement.nash_conv))
    several = [ProfileJudgement(**_judgement(game, one)) for one in judged] if len(judged) > 1 else None
    return JudgeAnswer(**_judgement(game, worst), profiles=several)


def _judgement(game: Game[Any], found: ProfileReport) -> dict[str, Any]:
    """What is found of a profile, and the conditions of a concept with the beliefs that they were held with."""
    from gdl.solvers.equilibria.assessments import write_beliefs

    judgement, verdict = found.judgement, found.verdict
    told: dict[str, Any] = {
        "value": dict(zip(game.players, judgement.value, strict=True)),
        "regret": dict(zip(game.players, judgement.regret, strict=True)),
        "nash_conv": judgement.nash_conv,
    }
    if verdict is None:
        return told
    told |= {"deviations": found.deviations or None, **conditions_of(verdict)}
    if verdict.beliefs is not None and found.positions is not None:
        told["beliefs"] = write_beliefs(found.positions, verdict.beliefs)
    return told


def _fails(found: ProfileReport) -> bool:
    """Whether it is no equilibrium in the sense that was asked for."""
    return bool(found.judgement.nash_conv) if found.verdict is None else found.verdict.holds is False


def _summary(judged: list[ProfileReport], concept: str | None) -> str:
    one, more = _KINDS.get(
        concept or "", (f"{concept or ''} equilibrium".lstrip(), f"{concept or ''} equilibria".lstrip())
    )
    article = "an" if one[0] in "aeio" else "a"
    unknown = [found for found in judged if found.verdict is not None and found.verdict.holds is None]
    none = [found for found in judged if _fails(found)]
    if len(judged) == 1:
        if unknown:
            return f"Whether this is {article} {one} is not known."
        return f"This is no {one}." if none else f"This is {article} {one}."
    if not none and not unknown:
        return f"All {len(judged)} are {more}."
    said = f"{len(none)} of {len(judged)} {f'is no {one}' if len(none) == 1 else f'are no {more}'}."
    return f"{said} Of {len(unknown)} it is not known." if unknown else said


_KINDS = {  # what a profile is called that has the concept; else an equilibrium of that name
    "nash": ("Nash equilibrium", "Nash equilibria"),
    "perfect-bayesian": ("perfect Bayesian equilibrium", "perfect Bayesian equilibria"),
    "commitment": ("best commitment", "best commitments"),
    "evolutionary": ("evolutionarily stable strategy", "evolutionarily stable strategies"),
    "coalition": ("outcome in the core", "outcomes in the core"),
    "team": ("best plan of the team", "best plans of the team"),
    "welfare": ("plan of the greatest welfare", "plans of the greatest welfare"),
}


def _report_text(game: Game[Any], found: ProfileReport) -> str:
    """What everyone gets and could gain, and which conditions hold; the name is that of one profile of several."""
    from gdl.states.set_names import set_names

    names = set_names(game, _mentioned_sets(found))
    judgement = found.judgement
    lines = [
        f"{player} gets {brief(value)} and could gain {brief(gain) if gain else 'nothing'} by deviating"
        f"{_by_what(found.deviations.get(player, {}), names.get(player, {}))}."
        for player, value, gain in zip(game.players, judgement.value, judgement.regret, strict=True)
    ]
    if found.verdict is not None:
        lines += ["", *(line for one in found.verdict.conditions[:MOST_LINES] for line in condition_lines(one, names))]
        more = len(found.verdict.conditions) - MOST_LINES
        lines += [f"… {more:,} more (--json has them all)"] if more > 0 else []
    return "\n".join(map(clean, [*([f"{found.name}:"] if found.name else []), *lines]))


def _mentioned_sets(found: ProfileReport) -> dict[str, set[str]]:
    """The information sets of which something is said, by player."""
    named = {player: set(sets) for player, sets in found.deviations.items()}
    for one in () if found.verdict is None else found.verdict.conditions:
        if one.player and one.information_set:
            named.setdefault(one.player, set()).add(one.information_set)
        for player, sets in (one.strategy or {}).items():
            named.setdefault(player, set()).update(sets)
    return named


def _by_what(deviations: Mapping[str, str], names: Mapping[str, str]) -> str:
    """`: bet at holding 3, after check`; the first of several. In a matrix the action says it all."""
    if not deviations:
        return ""
    name, action = next(iter(deviations.items()))
    return f": {action}" if name == START else f": {action} at {names.get(name, name)}"


def _is_answer(data: Any, game: Game[Any]) -> bool:
    """Whether it is a saved answer, or a part of one, not a profile alone."""
    keys = ("solver", "equilibria")
    return isinstance(data, Mapping) and any(key in data and key not in game.players for key in keys)


def _profiles(game: Game[Any], data: Any, most: int = LIMIT) -> Iterator[CandidateProfile]:
    """Profiles as `gdl solve --json` writes them, with their names: one alone, or the strategy and all equilibria of an
    answer. A lone one needs no name. Random play, where there is no such data."""
    from gdl.formats import answer

    if data is None:
        if comes_back(game):
            from gdl.commands.judging_others import uniform
        else:
            from gdl.solvers.equilibria.regret import uniform

        yield CandidateProfile("", uniform(game, limit=most))
        return
    if not _is_answer(data, game):
        yield CandidateProfile("", answer.read_profile(data, game.players))
        return
    listed = data.get("equilibria") or []
    beliefs = data.get("beliefs") or []
    if not isinstance(listed, list) or not isinstance(beliefs, list):
        raise DamagedData("the answer's equilibria, or its beliefs, are no list")
    found = [("The strategy", data["strategy"], None)] if data.get("strategy") else []
    pairs = zip_longest(listed, beliefs[: len(listed)])
    found += [(f"Equilibrium {number}", one, held) for number, (one, held) in enumerate(pairs, start=1)]
    if not found:
        raise Refusal("the answer tells no strategy and no equilibrium; what else it tells is for `gdl verify`")
    for name, one, held in found:
        told = None if held is None else answer.read_profile(held, game.players)
        yield CandidateProfile(name if len(found) > 1 else "", answer.read_profile(one, game.players), told)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print what was checked as one JSON object.")
@takes_limits("time", "memory")
@takes_game
@takes_weights
@click.argument("answer")
def verify(asked: Asked, answer: str, as_json: bool, limits: Limits) -> int:
    """Check a saved answer.

    ANSWER is the output of gdl solve --json, in a file or, as -, on the standard input. It is checked against the game,
    no matter who found it or how. The settings, the variant and the position are those of the answer unless they are
    given here. What cannot be checked is named. A folder is a table made by gdl solve --table.
    """
    if Path(answer).is_dir():
        return _verify_table(asked.game, Path(answer), limits, as_json)
    from gdl.commands import answered
    from gdl.solvers.verify import Finding
    from gdl.solvers.verify import VerifierVerdict as Checked
    from gdl.solvers.verify import verify as checked

    data = read_json(answer)
    try:
        asked = answered.as_the_answer_has_it(asked, data)
    except DamagedData as other:
        _tell_verdict(Checked(False, "The answer is wrong.", (Finding(False, (), str(other)),)), as_json)
        return 1
    try:
        with _working(asked.game, limits.sparing(RESERVED)):
            game = engines.offer(asked.game, "auto", limits.room)
            own, takes = answered.origin(asked), answered.takes(game)
            verdict = engines.falling_back(lambda: checked(game, data, origin=own, takes=takes), game)
    except (LimitReached, Interrupted) as stop:
        if not isinstance(stop.partial, Checked):
            raise
        with briefly(stop):
            at_once = isinstance(stop, Interrupted)
            _tell_verdict(_with_plays(asked.game, data, stop.partial, at_once), as_json)
        if not stop.partial.ok:
            return 1
        raise
    _tell_verdict(verdict, as_json)
    if verdict.ok and verdict.limit is not None:
        raise LimitReached(verdict.limit)
    return 0 if verdict.ok else 1


def _with_plays(game: Game[Any], answer: Mapping[str, Any], verdict: Checked, at_once: bool) -> Checked:
    """The verdict of a check that was stopped, with what plays of the answer's strategy pay, about."""
    if not verdict.ok or not answer.get("strategy") or verdict.status("strategy") or game.promises.rewards is not None:
        return verdict
    from gdl.commands import judging_plays
    from gdl.solvers.verify import Finding

    profile = next(_profiles(game, answer)).profile
    found = judging_plays.sample_plays(game, profile, judging_plays.GRACE_SECONDS if at_once else judging_plays.SECONDS)
    pays = ", ".join(f"{who} {mean:.4g}" for who, mean in zip(game.players, found.means, strict=True))
    error = f"standard error {max(found.errors):.2g}"
    said = f"{count_text(found.plays, 'play')} of the strategy paid {pays} on average ({error})"
    return replace(verdict, findings=(*verdict.findings, Finding(None, ("strategy",), said)))


def _tell_verdict(verdict: Checked, as_json: bool) -> None:
    found = [VerifierFinding(each.ok, each.fields, clean(each.text)) for each in verdict.findings]
    told = VerifyAnswer(verdict.ok, clean(verdict.headline), found)
    telling.answer_as(as_json, lambda: told, lambda: "\n".join(map(clean, (verdict.headline, *verdict.lines))))


def _verify_table(game: Game[Any], folder: Path, limits: Limits, as_json: bool) -> int:
    """Check the table in a folder; the exit status. Raises DamagedData where it is not what was written."""
    from gdl.playing import table_check

    def tell(ok: bool, verdict: str, extent: str = "") -> None:
        found = [VerifierFinding(ok, ["table"], clean(extent))] if extent else []
        told = VerifyAnswer(ok, clean(verdict), found)
        lines = (verdict, *([extent] if extent else []))
        telling.answer_as(as_json, lambda: told, lambda: "\n".join(map(clean, lines)))

    check = table_check.TableCheck(game, folder)
    try:
        with limits.enforce("positions", min(table_check.MOST_WALKED, check.table.states)) as progress:
            check.table.read_all()
            wrong = check.first_wrong(progress)
    except LimitReached:
        tell(True, "Nothing in the table is wrong, as far as was looked.", check.extent())
        raise
    if wrong is None:
        tell(True, "The table holds.", check.extent())
        return 0
    where = f"after {' '.join(wrong.play)}" if wrong.play else "at the start"
    tell(False, f"The table is wrong {where}: {wrong.what}.")
    return 1
