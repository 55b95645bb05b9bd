"""A report as one page that needs no network and no script: sentences, plots, and the numbers of each as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from string import Template

from gdl.inspection.report.figures import Report, ReportShare
from gdl.render.page import csp_hash
from gdl.render.report import told
from gdl.render.report.plots import Bar, Plot, bars, course, histogram
from gdl.render.svg.elements import escape_xml

MOST_BARS = 30
EMPTY: tuple[float, float] = (0.0, 1.0)


def page(found: told.LabelledReports, rungs: Sequence[told.BudgetRung], stopped: str | None = None) -> str:
    """The page; of several games first how they compare."""
    first = found[0][1]
    title = f"{first.name}: how it plays"
    parts = [f"<h1>{escape_xml(title)}</h1>", f"<p>{escape_xml(told.headline(first))}</p>"]
    if stopped:
        parts.append(f"<p><strong>Not complete: {escape_xml(stopped)}.</strong></p>")
    together = list(_together(found, rungs))
    if together:
        parts.append(_plots_html(together))
    for label, report in found:
        if len(found) > 1:
            parts.append(f"<h2>{escape_xml(label)}</h2>")
        parts += [_facts(report), _plots_html(list(_plots(report)))]
    style = _file("page.css")
    policy = f"default-src 'none'; style-src '{csp_hash(style)}'; base-uri 'none'"
    known = {"title": escape_xml(title), "style": style, "policy": policy, "body": "\n".join(parts)}
    return Template(_file("page.html")).substitute(known)


def _file(name: str) -> str:
    return files("gdl.render.report").joinpath(name).read_text(encoding="utf-8")


def _plots_html(plots: Sequence[Plot]) -> str:
    return f'<div class="plots">{"".join(plot.html() for plot in plots)}</div>'


def _facts(report: Report) -> str:
    """The sentences of the text."""
    return f"<dl>{''.join(f'<dt>{escape_xml(name)}</dt><dd>{escape_xml(fact)}</dd>' for name, fact in told.facts(report))}</dl>"


def _together(found: told.LabelledReports, rungs: Sequence[told.BudgetRung]) -> Iterator[Plot]:
    if len(found) > 1:
        for seat, name in enumerate(found[0][1].players if len(found[0][1].players) > 1 else ()):
            shares = [(label, report.seats[seat].share) for label, report in found]
            yield _of_shares(f"Decided plays won by {name}", shares, found[0][1].even)
    if rungs:
        shares = [(f"{rung.high:,} against {rung.low:,}", rung.standing.score) for rung in rungs]
        yield _of_shares("Ladder: the score of twice the simulations", shares, 0.5)


def _plots(report: Report) -> Iterator[Plot]:
    if report.decisive_plays and len(report.players) > 1:
        shares = [(seat.name, seat.share) for seat in report.seats]
        yield _of_shares("Decided plays won, by seat", shares, report.even)
    if len(report.agents) > 1:
        yield _of_shares("Score by agent", [(one.name, one.score) for one in report.standings], None)
    if report.lengths:
        picture, rows = histogram("Length of the plays", report.lengths, "plies")
        yield Plot("Length of the plays", picture, [["plies", "plays"], *rows])
    if any(report.course):
        title = "Actions to choose from, decision by decision"
        rows = [[f"{place:,}", f"{number:.2f}"] for place, number in enumerate(report.course, start=1)]
        yield Plot(title, course(title, report.course, "decision of a play"), [["decision", "mean actions"], *rows])
    if report.endings and report.ended_plays:
        yield _endings(report)
    if report.decisive_plays and len(report.uses) > 1:
        yield _uses(report)


def _of_shares(title: str, shares: Sequence[tuple[str, ReportShare]], even: float | None) -> Plot:
    known = [(name, share) for name, share in shares if share.value is not None and share.interval is not None]
    picture = bars(title, [Bar(name, share.value or 0.0, share.interval) for name, share in known[:MOST_BARS]], even)
    rows = [
        [name, f"{share.value:.3f}", "{:.3f} to {:.3f}".format(*share.interval or EMPTY), f"{share.of:,}"]
        for name, share in known
    ]
    return Plot(title, picture, [["", "share", "95 % of cases", "of"], *rows])


def _endings(report: Report) -> Plot:
    title = "How plays ended, by terminal line"
    picture = bars(
        title, [Bar(f"line {end.line}", end.count / len(report.ended_plays)) for end in report.endings[:MOST_BARS]]
    )
    rows = [[f"line {end.line}: {end.text}", f"{end.count:,}"] for end in report.endings]
    return Plot(title, picture, [["terminal line", "plays"], *rows])


def _uses(report: Report) -> Plot:
    """What winners and losers chose, a pair of bars each."""
    title = "What winners (first bar) and losers (second bar) chose"
    used = [use for use in report.uses if use.chosen][: MOST_BARS // 2]
    pairs = [
        bar
        for use in used
        for bar in (Bar(use.rule, use.by_winners.value or 0.0), Bar("", use.by_losers.value or 0.0, None, True))
    ]
    rows = [
        [
            use.rule,
            f"{use.offered:,}",
            f"{use.chosen:,}",
            *(f"{100 * (s.value or 0.0):.1f} %" for s in (use.by_winners, use.by_losers)),
        ]
        for use in report.uses
    ]
    return Plot(title, bars(title, pairs), [["action", "legal at", "chosen", "by winners", "by losers"], *rows])
