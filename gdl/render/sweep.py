"""A sweep as text, for a spreadsheet and for LaTeX: a row for each value of the parameter, and the thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from gdl import wings
from gdl.errors import clean, count_text, listing
from gdl.formats.spreadsheet import csv_table
from gdl.game import Number
from gdl.inspection.sweep import Answer, SeveralEquilibria, Sweep, SweepRun, Threshold, paid_equilibria
from gdl.numbers import SHARE, brief, to_text
from gdl.render.strategies import WIDTH, align_columns, profile_lines
from gdl.render.text import wrap_and_join, wrap_lines
from gdl.solution import Mixture, Profile, Solution

LONGEST = 80  # characters of the answer in a row
EQUILIBRIA_NAMED = 3  # equilibria that are named in one


def sweep_text(sweep: Sweep, game: str) -> str:
    """The table and the thresholds, under a sentence that counts them."""
    runs = sweep.runs
    if not runs:
        return wrap_and_join([f"{clean(game)}: no answer was found in time."])
    count = count_text(len(sweep.thresholds), "threshold")
    first, last = to_text(runs[0].value), to_text(runs[-1].value)
    lines = wrap_lines(f"{game}, {sweep.parameter} from {first} to {last}: {count_text(len(runs), 'answer')}, {count}.")
    rows = align_columns([_head(sweep), *map(_row, runs)])
    lines += ["", *(row if len(row) <= WIDTH else f"{row[: WIDTH - 1]}…" for row in rows)]
    for run in runs:
        profiles = answer_profiles(run)
        if len(profiles) == 1 and len(run_summary(run)) > LONGEST:
            lines += ["", f"{sweep.parameter} = {to_text(run.value)}"]
            lines += [f"    {line}" for line in profile_lines(run.solution.players, profiles[0])]
    said = [f"{sweep.parameter} {place_text(one)}: {threshold_text(one)}" for one in sweep.thresholds]
    said += [_several_text(sweep.parameter, one) for one in sweep.several()]
    lines += ["", *(line for one in said for line in wrap_lines(one, 4))] if said else []
    return wrap_and_join(lines)


def _several_text(parameter: str, found: SeveralEquilibria) -> str:
    low, high = to_text(found.low), to_text(found.high)
    where = f"at {low}" if low == high else f"from {low} to {high}"
    return f"{parameter} {where}: {found.equilibria} equilibria were found at each value"


def sweep_csv(sweep: Sweep, game: str) -> str:
    """A line for each answer: the value of the parameter, the number of the equilibrium, what everybody gets, and the
    probability of each action."""
    rows = [
        ([to_text(run.value), str(number), *map(to_text, pays)], {
            f"{player}: {action}" if len(sets) == 1 else f"{player}, {name}: {action}": to_text(chance)
            for player, sets in profile.items() for name, mixture in sets.items() for action, chance in mixture.items()
        })
        for run in sweep.runs for number, (profile, pays) in enumerate(paid_answers(run.solution), 1)
    ]  # fmt: skip
    actions = list(dict.fromkeys(action for _, played in rows for action in played))
    players = sweep.runs[0].solution.players if sweep.runs else ()
    kept = 0 if sweep.parameter else 1  # a single answer is of no value
    lines = [[sweep.parameter, "equilibrium", *players, *actions]]
    lines += [[*numbers, *(played.get(action, "") for action in actions)] for numbers, played in rows]
    return csv_table(line[kept:] for line in lines)


def paid_answers(solution: Solution) -> list[tuple[Profile, tuple[Number | float, ...]]]:
    """Each equilibrium with its payoffs; if the solution lists none, its strategy with its value."""
    return paid_equilibria(solution) or [(solution.strategy or {}, solution.value or ())]


def sweep_tex(sweep: Sweep, game: str) -> str:
    """Tables for LaTeX: the answers, and the thresholds."""
    tables: str = wings.hook("tables of papers")(sweep, game)
    return tables


def _head(sweep: Sweep) -> list[str]:
    solution = sweep.runs[0].solution
    return [sweep.parameter, *solution.players, *solution.part.measures(), "answer"]


def _row(run: SweepRun) -> list[str]:
    solution = run.solution
    numbers = [brief(number, longest=SHARE) for number in solution.value or ()] or [""] * len(solution.players)
    numbers += solution.part.measures().values()
    said = run_summary(run)
    if len(said) > LONGEST and len(answer_profiles(run)) == 1:
        said = "below"
    return [to_text(run.value), *numbers, clean(said if len(said) <= LONGEST else said[: LONGEST - 1] + "…")]


def answer_profiles(run: SweepRun) -> Sequence[Profile]:
    """The profiles that are the answer: the equilibria, or the strategy where it does not begin with a best action."""
    solution = run.solution
    return solution.equilibria or ([solution.strategy] if solution.strategy and not solution.best else [])


def run_summary(run: SweepRun) -> str:
    """A row's summary of an answer: the equilibria, or the outcome, or the best actions."""
    solution, profiles = run.solution, answer_profiles(run)
    if profiles:
        named = [_profile_text(solution.players, profile) for profile in profiles[:EQUILIBRIA_NAMED]]
        more = len(profiles) - len(named)
        return ", ".join([*named, *([f"{more} more"] if more else [])])
    return ": ".join(filter(None, [solution.part.summary, ", ".join(solution.best)]))


def _profile_text(players: Sequence[str], profile: Profile) -> str:
    """The profile on one line, `(fight, 1/3 ballet + 2/3 fight)`: the actions of each player, one information set after
    the other."""
    played = (map(mixture_parts, profile.get(player, {}).values()) for player in players)
    return f"({', '.join(' '.join(map(' + '.join, own)) or '-' for own in played)})"


def mixture_parts(mixture: Mixture) -> list[str]:
    """The actions that a mixture plays, each after its probability, `1/3 ballet`; of a single one the name."""
    played = [(action, chance) for action, chance in mixture.items() if chance]
    if len(played) == 1:
        return [played[0][0]]
    return [f"{brief(chance, longest=SHARE)} {action}" for action, chance in played]


def place_text(found: Threshold) -> str:
    if found.at is not None:
        return f"at {to_text(found.at)}"
    near, far = sorted((found.low, found.high), key=lambda number: number.denominator)
    if 1000 * near.denominator**2 * (found.high - found.low) < 1:  # the search was driven as near to it as it goes
        return f"just {'below' if far < near else 'above'} {to_text(near)}"
    return f"between {to_text(found.low)} and {to_text(found.high)}"


def threshold_text(found: Threshold) -> str:
    """A sentence on how the answer changes at a threshold, from below to above."""
    before, after = found.before, found.after
    below = "there" if found.at == found.low else "below"  # at an end of the sweep
    above = "there" if found.at == found.high else "above"
    if before[0] != after[0]:
        return f"{' '.join(_plain(before))} {below}, {' '.join(_plain(after))} {above}"
    if before[0] == "best":
        return f"the best actions are {listing(before[1])} {below}, {listing(after[1])} {above}"
    if before[0] == "outcome":
        return f"the outcome is {before[1]} {below}, {after[1]} {above}"
    if before[0] == "equilibria":
        gone = [profile for profile in before[1] if profile not in after[1]]
        come = [profile for profile in after[1] if profile not in before[1]]
        return "; ".join(_list_equilibria(gone, f"{below} only") + _list_equilibria(come, f"{above} only"))
    return "the strategies change"


def _list_equilibria(profiles: list[Any], where: str) -> list[str]:
    """A phrase that lists equilibria by the actions that they use, after `where` (`below only`); empty if there are
    none."""
    return [f"{where} {listing((_name(profile) for profile in profiles), most=EQUILIBRIA_NAMED)}"] if profiles else []


def _name(profile: Any) -> str:
    """The equilibrium by its actions, `(fight, ballet)`; a mixture names the actions that it uses, `(fight or ballet,
    fight)`."""
    by_player = (own for _, own in groupby(profile, key=lambda used: used[0]))
    return f"({', '.join(' '.join(' or '.join(actions) for *_, actions in own) for own in by_player)})"


def _plain(answer: Answer) -> Iterator[str]:
    kind, what = answer
    yield "a strategy" if kind == "strategy" else "no answer" if kind == "nothing" else kind
    if kind in ("best", "outcome"):
        yield what if isinstance(what, str) else listing(what)
