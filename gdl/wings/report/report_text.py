"""A report as text for people and as a record for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from math import log10
from typing import Any

from gdl.errors import clean, count_text, listing
from gdl.formats.answer_kinds import ABSENT
from gdl.formats.spreadsheet import csv_table
from gdl.numbers import rounded_text, to_text
from gdl.render.strategies import align_columns
from gdl.render.text import fact_lines, wrap_and_join, wrap_lines
from gdl.states.estimate import magnitude_text
from gdl.wings.report import report_answers as form
from gdl.wings.report.drama import Drama
from gdl.wings.report.figures import BALANCED, Report, share_of
from gdl.wings.report.trace import LONGEST

MOST_RULES = 20  # rows of a table
TOO_LONG = 10**4300  # a number that readers of JSON need not take
LONGEST_LINE = 60  # characters of a terminal line

LabelledReports = Sequence[tuple[str, Report]]


# -- for people -------------------------------------------------------------------------------------------------


def text(found: LabelledReports, rungs: Sequence[form.LadderRung]) -> str:
    """The report in full, if there is only one; else a table of how they differ. The ladder follows, if there are
    rungs."""
    lines = list(_single_lines(found[0][1])) if len(found) == 1 else list(_comparison_lines(found))
    if rungs:
        lines += ["", *wrap_lines("Ladder: what does twice the work bring?"), ""]
        rows = [["simulations", "against", "plays", "score", "95 % of cases", "Elo"]]
        rows += [_rung_lines(rung) for rung in rungs]
        lines += align_columns(rows, right=True)
    return wrap_and_join(lines)


def _single_lines(report: Report) -> Iterator[str]:
    for sentence in opening([("", report)]):
        yield from wrap_lines(sentence)
    yield ""
    yield from _who_wins(report)
    yield ""
    yield from fact_lines(facts(report))
    yield from _tables(report)


def opening(found: LabelledReports) -> Iterator[str]:
    """The first lines: the verdict (of a single game), then who played how often, then warnings on plays without
    end."""
    first = found[0][1]
    if len(found) == 1:
        yield f"{first.name}: {verdict(first)}"
        yield headline(first)
        if first.search is not None:
            yield f"warning: {_given_up(first.search)}"
    else:
        yield f"{first.name}: {count_text(len(found), 'game')} compared, {headline(first)}"
    for label, report in found:
        if report.endless_plays:
            yield f"warning: {f'{clean(label)}: ' if label else ''}{endless(report)}"


def headline(report: Report) -> str:
    """A line that says who played, and how often."""
    who = f"by {listing(map(clean, report.agents))}, seed {report.seed}"
    less = f" of the {report.wanted:,} asked for" if len(report.traces) < report.wanted else ""
    return f"{count_text(len(report.traces), 'play')}{less} {who}."


def verdict(report: Report) -> str:
    """The verdict of the plays, in a sentence."""
    decided, told = len(report.decisive_plays), []
    if len(report.players) > 1:
        undecided = "no play had one winner" if report.traces else "nothing was played"
        told.append(_balance(report) if decided else undecided)
    elif report.seats:
        does = "pays" if report.cost else "gets"
        told.append(f"{clean(report.players[0])} {does} {_mean(report, report.seats[0])[0]} on average")
    if decided and len(report.players) > 1 and decided < len(report.counted_plays):
        told.append(f"{100 * (1 - decided / len(report.counted_plays)):.0f} % are drawn")
    if report.plies:
        told.append(f"a play takes {report.plies.mean:,.0f} plies")
    if report.dead:
        are = "is" if len(report.dead) == 1 else "are"
        told.append(f"{count_text(len(report.dead), 'part')} of the rules {are} unused")
    return f"{'; '.join(told)}."


def _balance(report: Report) -> str:
    """The seats that are shown to win more often than the others, with their numbers of wins; if there are none, all
    seats."""
    decided = count_text(len(report.decisive_plays), "decided play")
    better = [s for s in report.uneven if s.won / len(report.decisive_plays) > report.even]
    told = listing(f"{clean(seat.agent or '')} wins {seat.won:,}" for seat in better or report.seats)
    return f"{'not balanced' if report.uneven else 'no seat is shown to be better'}: {told} of {decided}"


def endless(report: Report) -> str:
    """The sentence on how plays without end are counted."""
    share = 100 * (report.endless_choices.value if report.endless_choices else 0)
    plays = f"{report.endless_plays:,} of {count_text(len(report.traces), 'play')} had no end within {LONGEST:,} plies"
    if not report.ended_plays and all(trace.plies < LONGEST for trace in report.traces):
        plays = _none_ended(report)
    how = "they pay nothing here, and count under the choices and the actions alone"
    if report.forever and len(report.counted_plays) == len(report.traces):
        how = f"they count as line {report.forever[0]} says ({_shorten_line(report.forever[1])})"
    return f"{plays}; {how}, and {share:.0f} % of all choices are theirs."


def _none_ended(report: Report) -> str:
    longest = max(trace.plies for trace in report.traces)
    return f"none of {count_text(len(report.traces), 'play')} had ended after {count_text(longest, 'ply')}"


def _given_up(search: Report) -> str:
    """The sentence on plays of a search that tell less than the random plays reported in their place."""
    who, ended, of = listing(map(clean, search.agents)), len(search.ended_plays), len(search.traces)
    told = (
        f"{ended:,} of {count_text(of, 'play')} had ended" if ended else _none_ended(search) if of else "no play ended"
    )
    return f"by {who} {told}, so plays at random are reported; --agents {who} reports that search alone."


def _who_wins(report: Report) -> Iterator[str]:
    rows = [["seat", "wins", "draws", "of decided", "95 % of cases", _mean_of(report), ""]]
    rows += [[*_wins(seat), *_interval(seat.share), *_mean(report, seat)] for seat in report.seats]
    if len(report.players) == 1:
        rows = [[row[0], *row[-2:]] for row in rows]
    yield from align_columns(rows, right=True)
    if len(report.agents) > 1:
        yield ""
        rows = [["agent", "plays", "wins", "draws", "score", "95 % of cases"]]
        for one in report.standings:
            name, *wins = _wins(one)
            rows.append([name, f"{one.plays:,}", *wins, *_interval(one.score)])
        yield from align_columns(rows, right=True)


def _wins(one: form.StandingAnswer) -> list[str]:
    return [clean(one.agent or ""), f"{one.won:,}", f"{one.drawn:,}"]


def _mean_of(report: Report) -> str:
    return "mean cost" if report.cost else "mean utility"


def _mean(report: Report, seat: form.StandingAnswer) -> list[str]:
    """The mean utility of a seat (or its cost if the file states costs), and half the width of its 95 % interval, as
    text."""
    return [rounded_text(-seat.mean if report.cost else seat.mean, 4), f"± {rounded_text(1.96 * seat.error, 2)}"]


def facts(report: Report) -> Iterator[tuple[str, str]]:
    """The facts in sentences, each under its name."""
    if len(report.players) > 1:
        needed = report.plays_for_balance
        few = "" if report.uneven or not 0 < len(report.decisive_plays) < needed else (
            f"; to show that each is within {100 * BALANCED:.0f} points of 100 of even takes about {needed:,}"
        )  # fmt: skip
        yield "fairness", f"{fairness(report)}{few}"
    if report.first is not None:
        yield "first", _text_of_first_mover(report)
    if report.lengths:
        yield "length", _length(report)
    if report.ways:
        yield "choice", _choice(report)
    if report.size is not None:
        yield from _size(report.size)
    if report.drama is not None:
        yield "lead", _lead(report.drama, report.judged_by or "")
    yield "dead", _text_of_dead_rules(report)
    if report.different < len(report.traces):
        advice = "; --openings 2 would begin each with other actions" if report.different == 1 else ""
        yield "variety", f"{report.different:,} of the {len(report.traces):,} plays differ{advice}"


def fairness(report: Report) -> str:
    """A sentence on whether the seats are shown to differ."""
    if not report.decisive_plays:
        return "no play had one winner, so nothing is known of the seats"
    if not report.uneven:
        return f"no difference between the seats shows in {count_text(len(report.decisive_plays), 'decided play')}"
    shares = {clean(seat.agent or ""): seat.won / len(report.decisive_plays) for seat in report.uneven}
    told = [f"{name} wins {'more' if share > report.even else 'less'}" for name, share in shares.items()]
    return f"not even: {listing(told)} than an even share ({100 * report.even:.3g} %), beyond what chance explains"


def _text_of_first_mover(report: Report) -> str:
    first = report.first
    assert first is not None
    if first.share is None:
        return f"{first.agent} moves first; no play had one winner"
    points = 100 * (first.share.value - report.even)
    share = "{} ({}) of the decided plays".format(*_interval(first.share))
    return f"{first.agent} moves first and wins {share}: {points:+.1f} points of 100 from even"


def _length(report: Report) -> str:
    found = report.plies
    assert found is not None and found.quartiles is not None
    quartiles = ", ".join(f"{length:,}" for length in found.quartiles)
    return f"{found.mean:,.1f} plies on average, {found.shortest:,} to {found.longest:,}; quartiles {quartiles}"


def _choice(report: Report) -> str:
    assert report.branching is not None and report.geometric is not None
    forced = report.forced_share.value if report.forced_share else 0
    return (
        f"{rounded_text(report.branching, 3, ',')} actions at a decision on average "
        f"({rounded_text(report.geometric, 3, ',')} as a geometric mean), "
        f"{max(report.ways):,} at most; {100 * forced:.1f} % of the decisions were forced"
    )


def _size(size: form.GameSizeAnswer) -> Iterator[tuple[str, str]]:
    if (exponent := size.log10_of_power) is not None:
        b, m = rounded_text(size.b, 3, ","), rounded_text(size.m, 3, ",")
        power = f"{10**exponent:,.0f}" if exponent < 6 else f"10^{exponent:.1f}"
        yield "b^m", f"b = {b}, m = {m}: b^m = {power}"
    assert size.tree is not None and size.error is not None
    part = f" ± {100 * size.error / size.tree:.0f} %" if size.walks > 1 else ""
    nodes = f"{'' if size.complete else 'at least '}{magnitude_text(size.tree)}{part} nodes"
    yield "tree", f"{nodes}, guessed by {count_text(size.walks, 'walk')} at random"
    if size.positions is not None:
        yield "positions", f"{size.positions:,} can be reached"
    elif size.most_positions is not None:
        yield "positions", f"not counted; the variables can tell {magnitude_text(size.most_positions)} apart"


def _lead(found: Drama, judged_by: str) -> str:
    judges = {"exact": "exact values", "evaluate": "the file's evaluation", "search": "a search of 100 simulations"}
    behind = f"; the winner was behind in {found.comebacks:,} of {found.decided:,}" if found.decided else ""
    deficit = f", by {found.deficit:.3f} of the widest margin on average" if found.decided else ""
    changes = f"changes {found.changes:.3g} ± {1.96 * found.error:.2g} times a play, by {judges[judged_by]}"
    return f"{changes}{behind}{deficit}; settled after {100 * found.settled:.0f} % of a play"


def _text_of_dead_rules(report: Report) -> str:
    if not report.traces:
        return "nothing is known"
    if not report.dead:
        return "nothing: every rule and every terminal line was used"
    return "; ".join(f"{clean(one.name)} ({one.what})" for one in report.dead)


def _tables(report: Report) -> Iterator[str]:
    if report.endings:
        rows = [["line", "ended", "terminal line"]]
        rows += [[f"{end.line}", f"{end.count:,}", _shorten_line(end.text)] for end in report.endings]
        yield ""
        yield from (f"{a.rjust(5)}  {b.rjust(7)}  {c}".rstrip() for a, b, c in rows)
    uses = [use for use in report.actions if use.legal][:MOST_RULES]
    if len(uses) > 1:
        rows = [["action", "legal at", "chosen", "by winners", "by losers"]]
        for use in uses:
            shares = map(_percent, (use.by_winners, use.by_losers))
            rows.append([clean(use.rule), f"{use.legal:,}", f"{use.chosen:,}", *shares])
        yield ""
        yield from align_columns(rows, right=True)
        hidden = sum(bool(use.legal) for use in report.actions) - len(uses)
        if hidden:
            yield f"and {hidden:,} more"


def _comparison_lines(found: LabelledReports) -> Iterator[str]:
    """The table that compares several games, a row for each, and a line on the fairness and the dead rules of each."""
    first = found[0][1]
    for sentence in opening(found):
        yield from wrap_lines(sentence)
    yield ""
    seat = first.first or first.seats[0]
    several = len(first.players) > 1
    won = [f"won by {clean(seat.agent or '')}", "95 % of cases"] if several else [_mean_of(first), ""]
    rows = [["", *won, "drawn", "plies", "choice", "lead"]]
    rows += [_row(label, report, first.seats.index(seat)) for label, report in found]
    yield from align_columns(rows, right=True)
    yield ""
    for label, report in found:
        yield from wrap_lines(f"{label}: {fairness(report)}; dead: {_text_of_dead_rules(report)}", 4)


def _shorten_line(text: str) -> str:
    """A line of the file, without its end if it is long."""
    return textwrap.shorten(clean(text), LONGEST_LINE, placeholder=" …")


def _row(label: str, report: Report, seat: int) -> list[str]:
    one = report.seats[seat]
    won = _interval(one.share) if len(report.players) > 1 else _mean(report, one)
    drawn = share_of(len(report.counted_plays) - len(report.decisive_plays), len(report.counted_plays))
    plies = report.plies.mean if report.plies else 0
    choice = "" if report.branching is None else rounded_text(report.branching, 3)
    lead = "" if report.drama is None else f"{report.drama.changes:.2g}"
    return [clean(label), *won, _percent(drawn), f"{plies:,.1f}", choice, lead]


def _rung_lines(rung: form.LadderRung) -> list[str]:
    share = rung.score.value if rung.score else 0.0
    elo = f"{400 * log10(share / (1 - share)):+.0f}" if 0.0 < share < 1.0 else ""
    return [f"{rung.simulations:,}", f"{rung.against:,}", f"{rung.plays:,}", *_interval(rung.score), elo]


def _interval(share: form.ShareAnswer | None) -> list[str]:
    """A share and the ends of its interval, as two texts; "" for what is not known."""
    return ["", ""] if share is None else [f"{share.value:.3f}", "{:.3f} to {:.3f}".format(*share.interval)]


def _percent(share: form.ShareAnswer | None) -> str:
    return "" if share is None else f"{100 * share.value:.1f} %"


# -- for programs -----------------------------------------------------------------------------------------------


def report_record(
    found: LabelledReports, rungs: Sequence[form.LadderRung], stopped: str | None = None
) -> form.ReportAnswer:
    """The report as JSON has it."""
    reports = [_game_report(*one) for one in found]
    return form.ReportAnswer(found[0][1].name, reports, tuple(rungs), stopped or None)


def _game_report(label: str, report: Report) -> form.GameReport:
    size = report.size
    return form.GameReport.fill_from(
        report,
        label=label,
        plays=len(report.traces),
        ended=len(report.ended_plays),
        decided=len(report.decisive_plays),
        seats={seat.agent or "": seat.copy_with(agent=None, score=ABSENT) for seat in report.seats},
        uneven=[seat.agent for seat in report.uneven],
        first=report.first and report.first.agent,
        by_agent=report.standings,
        forced=report.forced_share,
        size=size.copy_with(tree=None, error=None) if size and (size.tree or 0) >= TOO_LONG else size,
        lead=report.drama and form.LeadAnswer.fill_from(report.drama, by=report.judged_by),
    )


def plays_csv(found: LabelledReports) -> str:
    """A row for every play."""
    columns = [f"{what} of {player}" for what in ("agent", "utility") for player in found[0][1].players]
    head = ["game", "play", *columns, "winner", "plies", "ended by line", "actions"]
    rows = list[list[Any]]()
    for label, report in found:
        for number, trace in enumerate(report.traces, start=1):
            agents = [report.agents[agent] for agent in trace.seats]
            paid = [""] * len(report.players) if trace.utilities is None else map(to_text, trace.utilities)
            winner = "" if trace.winner is None else report.players[trace.winner]
            line = "" if trace.ending is None else report.lines[trace.ending][0]
            actions = " ".join(trace.played)
            rows.append([label or report.name, number, *agents, *paid, winner, trace.plies, line, actions])
    return csv_table([head, *rows])
