"""Answers as text for people: one sentence first, numbers after, no line longer than 100 columns.

What is written here holds no markup and no character that could steer a terminal.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Any

from gdl.errors import clean, count_text, listing
from gdl.game import Decision, Game, Number, Traits, is_sided
from gdl.numbers import READABLE, amount_text, as_stated, brief, costs, rounded_text, to_text, window_text
from gdl.render.cut_text import SIGNS, VisitNames, are_explained, cut_lines
from gdl.render.sentence import brief_profile, displayed_value, first_sentence, interval_text, mixture_text, rule_text
from gdl.render.strategies import MAX_INFORMATION_SETS as MAX_SETS
from gdl.render.strategies import WIDTH, Names, align_columns, lines_left_out, profile_lines, rename_information_sets
from gdl.solution import EquilibriumRecord, FreeChance, Profile, Solution, SolutionPart

# Beliefs as text: for each information set of several nodes, how likely each is held to be.


def belief_lines(players: Sequence[str], beliefs: Profile) -> list[str]:
    """A line for each information set with more than one possible node, `Bully at quiche weak > quiche 1`, under a
    heading; empty if there are none."""
    held = [(player, name, belief) for player in players for name, belief in beliefs.get(player, {}).items()]
    rows = [[f"    {player} at {name}", mixture_text(belief)] for player, name, belief in held if len(belief) > 1]
    rest = lines_left_out(len(rows) - MAX_SETS, "more information sets", margin="    ")
    return ["beliefs", *align_columns(rows[:MAX_SETS]), *rest] if rows else []


if TYPE_CHECKING:  # an answer to read is no reason to load what counts
    from gdl.states.count import HistoryCount, StateCount

NAMED = 400  # information sets of a player that get a name for people
_MOST_LINES = 60  # after which no further equilibrium is listed
_MOST_VISITS = 200  # lines of a trace
_LONGEST = 40  # characters of a fraction that is told in full, once
_OVER = "Play is over where it begins; if it should not be, gdl check names the line that holds there."
_MARGIN = 10  # columns of the names of the facts


def solution_text(solution: Solution, game: Game[Any] | None = None) -> str:
    """The answer as `gdl solve` prints it. If the record of the search does not say who moves first, `game` does."""
    sentence = first_sentence(solution, _first_mover(solution, game))
    lines = [*wrap_lines(_opening(solution, sentence)), ""]
    solution = with_names_for_people(solution, game)
    lines += _conditions(solution, game)
    with costs(solution.cost):
        lines += _equilibria(solution)
        for name, text in [*_sides(solution, game), *_facts(solution, game.promises.unit if game else None)]:
            lines += fact_lines([(name, text)])
            cuts = cut_lines(solution) if name == "pruned" else []
            lines += [line for told in cuts for line in wrap_lines(" " * _MARGIN + told, _MARGIN + 4)]
    lines += fact_lines([("note", _OVER)] if solution.nodes == solution.leaves == 1 else [])
    return wrap_and_join(lines)


def with_names_for_people(solution: Solution, game: Game[Any] | None) -> Solution:
    """The answer with readable names for information sets, if the game hides something and is given."""
    profiles = [one for one in (solution.strategy, *solution.equilibria, *solution.beliefs) if one is not None]
    if game is None or not profiles or game.traits.perfect_information is not False:
        return solution
    from gdl.states.set_names import set_names

    wanted = {player: list(islice(profiles[0].get(player, {}), NAMED)) for player in solution.players}
    names = set_names(game, wanted)
    return replace(
        solution,
        strategy=None if solution.strategy is None else rename_information_sets(solution.strategy, names),
        equilibria=tuple(rename_information_sets(one, names) for one in solution.equilibria),
        part=_with_renamed_sets(solution.part, names),
        notes=tuple(_in_note(note, names) for note in solution.notes),
    )


def _with_renamed_sets(part: SolutionPart, names: Names) -> SolutionPart:
    def rename(free: FreeChance) -> FreeChance:
        return free.copy_with(set=names.get(free.player, {}).get(free.set, free.set))

    if not isinstance(part, EquilibriumRecord):
        return part
    return part.copy_with(
        groups=tuple((size, rename_information_sets(one, names)) for size, one in part.groups),
        beliefs=tuple(rename_information_sets(one, names) for one in part.beliefs),
        families=tuple(one.copy_with(free=tuple(map(rename, one.free))) for one in part.families),
    )


def _in_note(note: str, names: Names) -> str:
    """The note with the sets in phrases `… at SET if …` renamed."""
    for own in names.values():
        for name, new in own.items():
            note = note.replace(f" at {name} if ", f" at {new} if ")
    return note


def _opening(solution: Solution, sentence: str) -> str:
    if not solution.unknowns:
        return sentence
    from gdl.render.unknowns import opening

    return opening(solution, sentence)


def _conditions(solution: Solution, game: Game[Any] | None) -> list[str]:
    """The lines that say how the answer depends on the unknowns of the file; empty if it has none."""
    if not solution.unknowns:
        return []
    from gdl.render.unknowns import condition_lines, unknowns_mentioned

    if not unknowns_mentioned(solution):
        return []
    return [*(line for text in condition_lines(solution, game) for line in wrap_lines(text, 4)), ""]


def _first_mover(solution: Solution, game: Game[Any] | None) -> str | None:
    if solution.visits:
        return solution.visits[0].player
    if game is None or (solution.value is None and not solution.best):  # it is not told: the position is not expanded
        return None
    start = game.node(game.initial())
    return solution.players[start.player] if isinstance(start, Decision) else None


def _sides(solution: Solution, game: Game[Any] | None) -> Iterable[tuple[str, str]]:
    """A row that says who maximises the single numbers of the file, if the players' names do not say so, or say the
    opposite."""
    players, owner = solution.players, None if game is None else game.promises.numbers_of
    opposed = solution.traits is not None and solution.traits.has_scalar_value
    if owner is not None and opposed and not is_sided(players) and (len(players) == 2 or players[0].upper() == "MIN"):
        up, down = ("minimises", "maximises") if solution.cost else ("maximises", "minimises")
        others = [f"{name} {down}" for number, name in enumerate(players) if number != owner]
        yield "sides", ", ".join([f"{players[owner]} {up}", *others])


def _facts(solution: Solution, unit: tuple[str, Number] | None) -> Iterable[tuple[str, str]]:
    """The facts after the first sentence, each with its name; `unit` is the name of the unit of evaluation and its
    worth (None: no unit)."""
    players = solution.players
    value = displayed_value(solution)
    if solution.value is not None and value is not None:
        certainty = "exact" if solution.is_value_proven else "an estimate"
        if solution.is_value_known and not solution.is_value_proven:
            certainty = f"within {float(solution.error or 0):.1e}, proven"
        certainty += "; --json has it in full" if any(brief(n, longest=_LONGEST) != to_text(n) for n in value) else ""
        stated = as_stated(value)
        yield "cost" if solution.cost else "value", f"{_numbers(players, stated)} ({certainty})"
        if unit is not None and (solution.limit or "").startswith("cut off"):
            yield "evaluated", f"{_numbers(players, [number / unit[1] for number in stated])} {unit[0]}"
    if solution.interval is not None and not solution.is_value_known:
        yield "proven", _proven_bounds(solution)
    yield from solution.part.facts(solution)
    if solution.best:
        yield "best", ", ".join(solution.best)
    if solution.line:
        yield "line", ", ".join(solution.line)
    if solution.regret is not None:
        nobody = not any(solution.regret)
        meaning = "nobody gains by deviating" if nobody else "what each could gain by deviating"
        yield "regret", f"{_numbers(players, solution.regret, READABLE)}: {meaning}"
    if solution.nodes is not None:
        leaves = "" if solution.leaves is None else f", {solution.leaves:,} of them leaves"
        yield "searched", f"{count_text(solution.nodes, 'node')}{leaves}"
    if solution.visits or solution.cuts:
        yield "pruned", _pruned_text(solution)
    if solution.limit:
        yield "limit", _as_sentence(solution.limit)
    yield from zip(["note", *[""] * len(solution.notes)], map(_as_sentence, solution.notes), strict=False)
    if solution.concept is not None:
        yield "concept", solution.concept
    how = rule_text(solution)
    if how != "auto" or solution.reason:  # else none had been picked
        yield "solver", f"{how}: {solution.reason}" if solution.reason else how


def _proven_bounds(solution: Solution) -> str:
    """The interval in which each player's value is proven to lie, `Ann -1 to 1, Bob at least 0`."""
    assert solution.interval is not None
    ends = (as_stated(bound[::-1] if solution.cost else bound) for bound in solution.interval)
    told = zip(solution.players, ends, strict=True)
    return ", ".join(f"{player} {interval_text(*bound)}" for player, bound in told if any(n is not None for n in bound))


def _numbers(players: Sequence[str], numbers: Sequence[Number | float], longest: int = _LONGEST) -> str:
    """A number for each player, `Ann -1/18 (-0.0556), Bob 1/18 (0.0556)`: a fraction is followed by its decimals, and
    replaced by them if it has more than `longest` characters."""
    told = (f"{player} {_with_decimals(number, longest)}" for player, number in zip(players, numbers, strict=True))
    return ", ".join(told)


def _with_decimals(number: Number | float, longest: int) -> str:
    text = brief(number, longest=longest)
    return f"{text} ({rounded_text(float(number), 3)})" if "/" in text else text


def _as_sentence(note: str) -> str:
    """The note as a sentence. (Its first letter stays: it may be the name of an action.)"""
    return note if note.endswith((".", "!", "?")) else f"{note}."


def _equilibria(solution: Solution) -> list[str]:
    """The lines for equilibria that are not in the first sentence, or for a strategy that mixes or depends on
    observations."""
    players = solution.players
    if told := solution.part.lines(solution):
        return told
    if not solution.equilibria:
        hidden = solution.traits is not None and solution.traits.perfect_information is False
        profile = solution.strategy if solution.strategy and (hidden or not solution.best) else {}
        return [*shown, ""] if (shown := profile_lines(players, profile, solution.exact)) else []
    if len(solution.equilibria) == 1:
        profile = solution.equilibria[0]
        told = [] if brief_profile(players, profile) else [*profile_lines(players, profile), ""]
        held = _beliefs(solution, 0)
        return [*told, *held, *([""] if held else [])]
    if solution.families and len(solution.families) < len(solution.groups or solution.equilibria):
        return _families(solution)
    lines: list[str] = []
    number = 0  # of equilibria told so far
    for size, profile in solution.groups or [(1, profile) for profile in solution.equilibria]:
        if len(lines) > _MOST_LINES:
            return [*lines, *lines_left_out(len(solution.equilibria) - number), ""]
        short = brief_profile(players, profile)
        numbers = str(number + 1) if size == 1 else f"{number + 1} {'and' if size == 2 else 'to'} {number + size}"
        heading = f"{'equilibrium' if size == 1 else 'equilibria'} {numbers}{_payoff(solution, number, size)}"
        lines.append(f"{heading}: {short}" if short else heading)
        lines += [] if short else [f"    {line}" for line in profile_lines(players, profile)]
        lines += [f"    {line}" for line in _beliefs(solution, number)]
        number += size
    return [*lines, ""]


def _families(solution: Solution) -> list[str]:
    """The equilibria grouped by outcome: the first of each group, and the probabilities that may vary within it."""
    lines: list[str] = []
    starts = accumulate((size for size, _ in solution.groups), initial=0)
    reduced = dict(zip(starts, (profile for _, profile in solution.groups), strict=False))
    for number, family in enumerate(solution.families):
        if len(lines) > _MOST_LINES:
            return [*lines, *lines_left_out(len(solution.families) - number, "more outcomes"), ""]
        first = family.members[0]
        profile = reduced.get(first, solution.equilibria[first])
        short = brief_profile(solution.players, profile) or ""
        several = len(family.members) > 1
        pays = _payoff(solution, first, len(family.members))
        heading = f"{'equilibria' if several else 'equilibrium'} {_number_runs(family.members)}{pays}"
        lines.append(f"{heading}{', of one outcome; the first:' if several else ':' if short else ''} {short}".rstrip())
        lines += [] if short else [f"    {line}" for line in profile_lines(solution.players, profile)]
        lines += [f"    {line}" for line in _beliefs(solution, first)]
        ends = [(one.player, one.action, one.set, brief(one.low), brief(one.high)) for one in family.free]
        word = "free, one at a time" if len(ends) > 1 else "free"  # two at once may break the equilibrium
        lines += [f"    {word}: {player}, {action} at {h} in [{low}, {high}]" for player, action, h, low, high in ends]
    return [*lines, ""]


def _number_runs(members: Sequence[int]) -> str:
    """Positions in a list, from 0, as numbers from 1 in words: `1 to 3, 5 and 8`."""
    runs: list[list[int]] = []
    for member in members:
        if runs and runs[-1][-1] == member - 1:
            runs[-1].append(member)
        else:
            runs.append([member])
    told = [[f"{run[0] + 1} to {run[-1] + 1}"] if len(run) > 2 else [str(k + 1) for k in run] for run in runs]
    return listing([one for run in told for one in run], most=12)


def _payoff(solution: Solution, number: int, size: int) -> str:
    """The payoffs of equilibrium `number` in words, `pays …`, or `pay …` if it stands for a group of `size` equilibria;
    "" if they are not known, or if all equilibria pay the same."""
    if number >= len(solution.payoffs) or solution.value is not None:
        return ""
    pay = f"{'cost' if solution.cost else 'pay'}{'' if size > 1 else 's'}"
    return f" {pay} {_numbers(solution.players, as_stated(solution.payoffs[number]))}"


def _beliefs(solution: Solution, number: int) -> list[str]:
    return belief_lines(solution.players, solution.beliefs[number]) if solution.beliefs else []


def _pruned_text(solution: Solution) -> str:
    names = VisitNames(solution.visits)
    skipped = [names.skipped_name(root) for root in solution.pruned]
    if not skipped:
        return "nothing"
    many = count_text(len(skipped), "subtree")
    return f"{many}: {listing(skipped, most=60)}" if are_explained(solution) else f"{many} (--json has them all)"


def trace_text(solution: Solution) -> str:
    """The record of alpha-beta, a line for each node in the order of the visits: the window on entry and on exit, and
    the number returned, which is the node's value (=) or only a bound on it."""
    rows = [["node", "", "window on entry", "returned", "window on exit"]]
    for visit in solution.visits[:_MOST_VISITS]:
        name = "  " * len(visit.path) + (visit.label or visit.action or "start")
        after = window_text(visit.alpha_after, visit.beta_after) if visit.player else ""
        returned = f"{SIGNS[visit.bound]} {amount_text(visit.value)}"
        rows.append([name, visit.player or "", window_text(visit.alpha, visit.beta), returned, after])
    rest = lines_left_out(len(solution.visits) - _MOST_VISITS, "more nodes")
    return wrap_and_join([*align_columns(rows), *rest])


def traits_text(traits: Traits) -> str:
    """The traits in words, `two players, zero-sum, perfect information, no chance`; undecided traits are left out."""
    words = {2: "two players", 1: "one player"}.get(traits.players, f"{traits.players} players")
    kinds = [
        (traits.zero_sum if traits.players > 1 else None, "zero-sum", "general-sum"),
        (traits.perfect_information, "perfect information", "imperfect information"),
        (traits.simultaneous or None, "simultaneous moves", ""),
        (traits.chance, "chance", "no chance"),
        (None if traits.perfect_recall else traits.perfect_recall, "", "imperfect recall"),
        (traits.cyclic or None, "play can return to an earlier position", ""),
    ]
    said = [yes if kind else no for kind, yes, no in kinds if kind is not None]
    if traits.constant_sum not in (None, 0) and traits.players > 1:
        said[0] = f"constant sum {to_text(traits.constant_sum)}"
    return clean(", ".join([words, *said]))


def states_text(name: str, count: StateCount, complete: bool = True) -> str:
    """The count of reachable states in words (up to symmetries if they were used). Unless `complete`, as `at least`."""
    folded = ""
    if count.symmetries:
        used = count_text(count.symmetries, "symmetry")
        folded = f" up to {used}" if count.symmetries > 1 else ", none symmetric"
    counted = f"{at_least(complete)}{count_text(count.states, 'reachable state')}{folded}"
    moves = count_text(count.edges, "move")
    lines = wrap_lines(f"{name} has {counted}, {count.terminal:,} of them final, and {moves} between them.")
    rows = [["ply", "states first reached"], *([f"{ply}", f"{number:,}"] for ply, number in enumerate(count.depth))]
    return wrap_and_join([*lines, "", *align_columns(rows, right=True)])


def histories_text(name: str, count: HistoryCount, complete: bool = True) -> str:
    """The count of histories (nodes of the unmerged tree) in words and as a table. Unless `complete`, as `at least`."""
    counted = f"{at_least(complete)}{count_text(count.histories, 'history')}, {count.terminal:,} of them complete"
    lines = wrap_lines(f"{name} has {counted}; chance moves at {count.chance:,}.")
    rows = [["player", "decisions", "information sets"]]
    rows += [[player, f"{number:,}", f"{count.infosets[player]:,}"] for player, number in count.decision.items()]
    return wrap_and_join([*lines, "", *align_columns(rows, right=True)])


def at_least(complete: bool) -> str:
    return "" if complete else "at least "


def perft_text(name: str, depth: int, count: int, divided: Mapping[str, int] | None = None) -> str:
    """The count of action sequences of `depth` plies; `divided` is the count after each first action (None: not
    asked)."""
    lines = wrap_lines(f"{name} has {count_text(count, 'action sequence')} of exactly {count_text(depth, 'ply')}.")
    if divided:
        lines += ["", *align_columns([[action, f"{number:,}"] for action, number in divided.items()], right=True)]
    return wrap_and_join(lines)


def fact_lines(facts: Iterable[tuple[str, str]]) -> list[str]:
    """Facts, each behind its name, wrapped to the width of the page."""
    return [line for name, fact in facts for line in wrap_lines(f"{name:{_MARGIN}}{fact}", _MARGIN)]


def wrap_lines(text: str, indent: int = 0) -> list[str]:
    """The text without control characters, wrapped to the width of the page; all lines but the first are indented by
    `indent` spaces."""
    return textwrap.wrap(clean(text), WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False) or [""]


def wrap_and_join(lines: Iterable[str]) -> str:
    """The lines as one text; a line that is too long is wrapped, its rest indented more."""
    fitting = [part for line in lines for part in wrap_lines(line, len(line) - len(line.lstrip()) + 8)]
    return "\n".join(fitting).rstrip() + "\n"
