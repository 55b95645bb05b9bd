"""A report as one page that needs no network: sentences, plots, and the numbers of each as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gdl.render.page import plain_page
from gdl.render.svg.elements import element, escape_xml, points, text, text_width, truncate_text
from gdl.wings.report import report_text
from gdl.wings.report.figures import Report
from gdl.wings.report.report_answers import LadderRung, ShareAnswer

# The plots of a report: SVG in the colours of the page, each with the table of its numbers beside it.
#
# Nothing is told by colour alone; whoever does not see a plot reads its title and the table.

WIDTH = 340.0
ROW = 22.0  # height of a bar and the room around it
NAMES = 124.0  # width of the names of bars, at most
SANS = 1.25  # width of the page's letters, relative to the measured ones
SHARE = 58.0  # width of a share beside its bar, `100.0 %`
CHARACTERS = 18  # characters of a bar's name, at most
HEIGHT = 150.0  # height of the field of a plot
LEFT, RIGHT, FOOT = 44.0, 10.0, 34.0
COLUMNS = 24  # classes of a histogram, at most


class Bar(NamedTuple):
    """A bar of a chart: its name, its length, and the ends of its interval (None: no interval drawn)."""

    name: str
    value: float
    ends: tuple[float, float] | None = None
    second: bool = False  # draw the bar in the second colour


@dataclass(frozen=True)
class Plot:
    """A plot: its title, its SVG picture, and the table of its numbers, whose first row holds the headings."""

    title: str
    picture: str
    table: Sequence[Sequence[str]]

    def html(self) -> str:
        head, *rows = [[escape_xml(cell) for cell in row] for row in self.table]
        heads = "".join(f'<th scope="col">{cell}</th>' if cell else "<td></td>" for cell in head)
        cells = (f'<th scope="row">{name}</th>' + "".join(f"<td>{cell}</td>" for cell in row) for name, *row in rows)
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        table = f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
        title = f"<h2>{escape_xml(self.title)}</h2>"
        return f"<figure>{title}{self.picture}<details><summary>the numbers</summary>{table}</details></figure>"


def bars(title: str, found: Sequence[Bar], even: float | None = None) -> str:
    """A chart of shares from 0 to 1, each with its interval; a line across all bars marks the share `even`."""
    widest = max((text_width(truncate_text(bar.name, CHARACTERS), 11) for bar in found), default=0.0)
    left = min(NAMES, SANS * widest) + 8
    scale = WIDTH - left - SHARE
    parts = [_bar(bar, left, scale, number * ROW) for number, bar in enumerate(found)]
    height = max(1, len(found)) * ROW + 4
    parts.append(element("line", x1=left, y1=0.0, x2=left, y2=height, class_="axis"))
    if even is not None:
        x = left + even * scale
        parts.append(element("line", x1=x, y1=0.0, x2=x, y2=height, class_="even"))
    return _plot_svg(parts, height, title)


def _bar(bar: Bar, left: float, scale: float, top: float) -> str:
    middle = top + ROW / 2
    length, look = bar.value * scale, "two" if bar.second else "one"
    parts = [text(left - 6, middle, truncate_text(bar.name, CHARACTERS), text_anchor="end")]
    parts.append(element("rect", x=left, y=top + 4, width=max(0.0, length), height=ROW - 8, class_=look))
    end = left + length
    if bar.ends is not None:
        low, end = (left + edge * scale for edge in bar.ends)
        parts.append(element("line", x1=low, y1=middle, x2=end, y2=middle, class_="reach"))
        parts += [element("line", x1=x, y1=middle - 4, x2=x, y2=middle + 4, class_="reach") for x in (low, end)]
    parts.append(text(end + 5, middle, f"{100 * bar.value:.1f} %"))
    return "".join(parts)


def histogram(title: str, numbers: Sequence[int], unit: str) -> tuple[str, list[list[str]]]:
    """A histogram of the numbers in classes of equal width: its picture, and the rows of its table."""
    low, high = min(numbers), max(numbers)
    step = -(-(high - low + 1) // COLUMNS)
    counts = [0] * (-(-(high - low + 1) // step))
    for number in numbers:
        counts[(number - low) // step] += 1
    width, most = (WIDTH - LEFT - RIGHT) / len(counts), max(counts)
    places = [(LEFT + place * width + 0.5, (HEIGHT - 12) * count / most) for place, count in enumerate(counts) if count]
    broad = max(0.5, width - 1)
    parts = [element("rect", x=x, y=HEIGHT - up, width=broad, height=up, class_="one") for x, up in places]
    parts += _field(f"{low:,}", f"{low + step * len(counts) - 1:,}", f"{most:,}", unit)
    starts = range(low, low + step * len(counts), step)
    names = [f"{first:,} to {first + step - 1:,}" if step > 1 else f"{first:,}" for first in starts]
    rows = [[name, f"{count:,}"] for name, count in zip(names, counts, strict=True)]
    return _plot_svg(parts, HEIGHT + FOOT, title), rows


def course(title: str, numbers: Sequence[float], unit: str) -> str:
    """A line plot of successive numbers; `unit` names the horizontal scale."""
    most, step = max(numbers), (WIDTH - LEFT - RIGHT) / max(1, len(numbers) - 1)
    at = [(LEFT + place * step, HEIGHT - (HEIGHT - 12) * number / most) for place, number in enumerate(numbers)]
    parts = [element("polyline", points=points(at), class_="line")]
    return _plot_svg([*parts, *_field("1", f"{len(numbers):,}", f"{most:,.1f}", unit)], HEIGHT + FOOT, title)


def _field(first: str, last: str, most: str, unit: str) -> list[str]:
    """The axes of a plot with the first and last value across, 0 and `most` upright, and the unit."""
    right = WIDTH - RIGHT
    return [
        element("path", d=f"M{LEFT} 8V{HEIGHT}H{right}", class_="axis"),
        text(LEFT - 5, 12, most, text_anchor="end"),
        text(LEFT - 5, HEIGHT, "0", text_anchor="end"),
        text(LEFT, HEIGHT + 12, first),
        text(right, HEIGHT + 12, last, text_anchor="end"),
        text((LEFT + right) / 2, HEIGHT + 26, unit, text_anchor="middle", class_="soft"),
    ]


def _plot_svg(parts: Sequence[str], height: float, title: str) -> str:
    return element("svg", *parts, viewBox=f"0 0 {WIDTH:g} {height:g}", role="img", aria_label=title)


MOST_BARS = 30


def page(found: report_text.LabelledReports, rungs: Sequence[LadderRung], stopped: str | None = None) -> str:
    """The report as a page; if there are several games, first how they compare. `stopped` says why the report is not
    complete (None: it is)."""
    first = found[0][1]
    title = f"{first.name}: how it plays"
    parts = [f"<h1>{escape_xml(title)}</h1>"]
    parts += [f"<p>{escape_xml(sentence)}</p>" for sentence in report_text.opening(found)]
    if stopped:
        parts.append(f"<p><strong>Not complete: {escape_xml(stopped)}.</strong></p>")
    together = list(_plots_together(found, rungs))
    if together:
        parts.append(_plots_html(together))
    for label, report in found:
        if len(found) > 1:
            parts.append(f"<h2>{escape_xml(label)}</h2>")
        facts = "".join(f"<dt>{escape_xml(n)}</dt><dd>{escape_xml(fact)}</dd>" for n, fact in report_text.facts(report))
        parts += [f"<dl>{facts}</dl>", _plots_html(list(_plots(report)))]
    return plain_page(title, "\n".join(parts), "report")


def _plots_html(plots: Sequence[Plot]) -> str:
    return f'<div class="plots">{"".join(plot.html() for plot in plots)}</div>'


def _plots_together(found: report_text.LabelledReports, rungs: Sequence[LadderRung]) -> Iterator[Plot]:
    if len(found) > 1:
        for seat, name in enumerate(found[0][1].players if len(found[0][1].players) > 1 else ()):
            shares = [(label, report.seats[seat].share) for label, report in found]
            yield _of_shares(f"Decided plays won by {name}", shares, found[0][1].even)
    if rungs:
        shares = [(f"{rung.simulations:,} against {rung.against:,}", rung.score) for rung in rungs]
        yield _of_shares("Ladder: the score of twice the simulations", shares, 0.5)


def _plots(report: Report) -> Iterator[Plot]:
    if report.decisive_plays and len(report.players) > 1:
        shares = [(seat.agent or "", seat.share) for seat in report.seats]
        yield _of_shares("Decided plays won, by seat", shares, report.even)
    if len(report.agents) > 1:
        yield _of_shares("Score by agent", [(one.agent or "", one.score) for one in report.standings], None)
    if report.lengths:
        picture, rows = histogram("Length of the plays", report.lengths, "plies")
        yield Plot("Length of the plays", picture, [["plies", "plays"], *rows])
    if any(report.course):
        title = "Actions to choose from, decision by decision"
        rows = [[f"{place:,}", f"{number:.2f}"] for place, number in enumerate(report.course, start=1)]
        yield Plot(title, course(title, report.course, "decision of a play"), [["decision", "mean actions"], *rows])
    if report.endings and report.counted_plays:
        yield _endings(report)
    if report.decisive_plays and len(report.actions) > 1:
        yield _plot_of_rule_uses(report)


def _of_shares(title: str, shares: Sequence[tuple[str, ShareAnswer | None]], even: float | None) -> Plot:
    known = [(name, share) for name, share in shares if share is not None]
    picture = bars(title, [Bar(name, share.value, share.interval) for name, share in known[:MOST_BARS]], even)
    rows = [[name, f"{s.value:.3f}", "{:.3f} to {:.3f}".format(*s.interval), f"{s.of:,}"] for name, s in known]
    return Plot(title, picture, [["", "share", "95 % of cases", "of"], *rows])


def _endings(report: Report) -> Plot:
    title = "How plays ended, by terminal line"
    shares = [Bar(f"line {end.line}", end.count / len(report.counted_plays)) for end in report.endings[:MOST_BARS]]
    rows = [[f"line {end.line}: {end.text}", f"{end.count:,}"] for end in report.endings]
    return Plot(title, bars(title, shares), [["terminal line", "plays"], *rows])


def _plot_of_rule_uses(report: Report) -> Plot:
    """A plot of the rules that winners and losers chose, a pair of bars for each rule."""
    title = "What winners (first bar) and losers (second bar) chose"
    shares = [[share.value if share else 0.0 for share in (use.by_winners, use.by_losers)] for use in report.actions]
    both = list(zip(report.actions, shares, strict=True))
    used = [(use.rule, won, lost) for use, (won, lost) in both if use.chosen][: MOST_BARS // 2]
    pairs = [bar for rule, won, lost in used for bar in (Bar(rule, won), Bar("", lost, None, True))]
    rows = [
        [use.rule, f"{use.legal:,}", f"{use.chosen:,}", f"{100 * won:.1f} %", f"{100 * lost:.1f} %"]
        for use, (won, lost) in both
    ]
    return Plot(title, bars(title, pairs), [["action", "legal at", "chosen", "by winners", "by losers"], *rows])
