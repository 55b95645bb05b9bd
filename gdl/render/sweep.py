"""A sweep as text: a row for each value of the parameter, and the thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gdl.errors import clean, count_text, listing
from gdl.inspection.sweep import Answer, Sweep, SweepRun, Threshold
from gdl.numbers import SHARE, brief, to_text
from gdl.render.sentence import brief_profile
from gdl.render.strategies import WIDTH, align_columns
from gdl.render.text import wrap_and_join, wrap_lines

LONGEST = 60  # characters of the answer in a row
EQUILIBRIA_NAMED = 3  # equilibria that are named in one


def sweep_text(sweep: Sweep, game: str) -> str:
    """The table and the thresholds, under a sentence that counts them."""
    runs = sweep.runs
    if not runs:
        return wrap_and_join([f"{clean(game)}: no answer was found in time."])
    count = count_text(len(sweep.thresholds), "threshold")
    first, last = to_text(runs[0].value), to_text(runs[-1].value)
    lines = wrap_lines(f"{game}, {sweep.parameter} from {first} to {last}: {count_text(len(runs), 'answer')}, {count}.")
    lines += ["", *_cut(align_columns([_head(sweep), *map(_row, runs)]))]
    if sweep.thresholds:
        lines += [
            "",
            *(line for one in sweep.thresholds for line in wrap_lines(_threshold_text(sweep.parameter, one), 4)),
        ]
    return wrap_and_join(lines)


def _head(sweep: Sweep) -> list[str]:
    solution = sweep.runs[0].solution
    return [sweep.parameter, *solution.players, *(["nimber"] if solution.combinatorial else []), "answer"]


def _row(run: SweepRun) -> list[str]:
    solution = run.solution
    if solution.value is not None:
        numbers = [brief(number, longest=SHARE) for number in solution.value]
    else:
        numbers = [""] * len(solution.players)
    if solution.combinatorial is not None:
        nimber = solution.combinatorial.grundy
        numbers.append("" if nimber is None else str(nimber))
    said = _run_summary(run)
    return [to_text(run.value), *numbers, clean(said if len(said) <= LONGEST else said[: LONGEST - 1] + "…")]


def _run_summary(run: SweepRun) -> str:
    """The best actions, or the equilibria."""
    solution = run.solution
    if solution.equilibria:
        short = [text for text in (brief_profile(solution.players, profile) for profile in solution.equilibria) if text]
        more = len(solution.equilibria) - len(short[:EQUILIBRIA_NAMED])
        if not short:
            return ", ".join(solution.best) or ("an equilibrium" if more == 1 else f"{more} equilibria")
        return ", ".join([*short[:EQUILIBRIA_NAMED], *([f"{more} more"] if more else [])])
    if solution.combinatorial is not None:
        return ": ".join([solution.combinatorial.outcome, *([", ".join(solution.best)] if solution.best else [])])
    return ", ".join(solution.best)


def _threshold_text(parameter: str, found: Threshold) -> str:
    where = f"between {to_text(found.low)} and {to_text(found.high)}"
    if found.at is not None:
        where = f"at {to_text(found.at)}"
    return f"{parameter} {where}: {_change(found.before, found.after)}"


def _change(before: Answer, after: Answer) -> str:
    """A sentence on the change from one side to the other."""
    kind = {"best": "the best actions are", "outcome": "the outcome is", "equilibria": "the equilibria are"}
    if before[0] == after[0] == "best":
        return f"{kind['best']} {listing(before[1])} below, {listing(after[1])} above"
    if before[0] == after[0] == "outcome":
        return f"{kind['outcome']} {before[1]} below, {after[1]} above"
    if before[0] == after[0] == "equilibria":
        gone = [profile for profile in before[1] if profile not in after[1]]
        come = [profile for profile in after[1] if profile not in before[1]]
        return "; ".join(_list_equilibria(gone, "below only") + _list_equilibria(come, "above only"))
    return f"{' '.join(_plain(before))} below, {' '.join(_plain(after))} above"


def _list_equilibria(profiles: list[Any], where: str) -> list[str]:
    """Equilibria by the actions that they use."""
    return [f"{where} {listing((_name(profile) for profile in profiles), most=EQUILIBRIA_NAMED)}"] if profiles else []


def _name(profile: Any) -> str:
    """`(fight, ballet)`; a mixture names the actions that it uses, `(fight or ballet, fight)`."""
    return f"({', '.join(' or '.join(actions) for _, _, actions in profile)})"


def _plain(answer: Answer) -> Iterator[str]:
    kind, what = answer
    yield "another strategy" if kind == "strategy" else "no answer" if kind == "nothing" else kind
    if kind in ("best", "outcome"):
        yield what if isinstance(what, str) else listing(what)


def _cut(lines: list[str]) -> list[str]:
    """No row is longer than the page."""
    return [line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…" for line in lines]
