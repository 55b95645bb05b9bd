"""A page on which a table of plans is worked out step by step; above it the picture, where the game is no matrix."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from gdl.errors import clean, listing
from gdl.game import Number
from gdl.numbers import brief, to_text
from gdl.render.matrix import Matrix
from gdl.render.page import as_data, fill_template
from gdl.render.picture import Picture
from gdl.render.steps import CODE, Line
from gdl.render.svg import svg
from gdl.render.svg.arrange import pretty
from gdl.render.svg.legend import typeset_caption
from gdl.solution import Domination, Supports, Worked

# A table of plans worked out step by step, as a page tells it: best replies, dominance, supports, paths of labels.

Joint = tuple[int, ...]  # a plan of each player, by number
Mixes = tuple[tuple[Number, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class PlanTableStep:
    """One step of working out a table: `said` in words, and the reasons `why`, a line each. `replies` are numbers
    (cell, player) that are underlined from now on, `gone` plans (player, plan) that are struck out, `boxed` a cell that
    is an equilibrium, `found` an equilibrium in words; `seen` are cells that are compared now, `mixes` the
    probabilities that now stand beside the plans, `used` the plans in question."""

    event: str
    said: str
    why: tuple[str, ...] = ()
    boxed: Joint | None = None
    found: str = ""
    replies: tuple[tuple[Joint, int], ...] = ()
    gone: tuple[tuple[int, int], ...] = ()
    seen: tuple[Joint, ...] = ()
    used: tuple[tuple[int, int], ...] = ()
    mixes: Mixes = ()


@dataclass(frozen=True, slots=True)
class TableMethod:
    """A method to work out a table: its name, its pseudo-code, its steps."""

    name: str
    code: list[Line]
    steps: tuple[PlanTableStep, ...]


def table_methods(worked: Worked) -> list[TableMethod]:
    """All methods that suit the table; the first one is shown first."""
    told = _TableNarrator(worked)
    found = [("best replies", "best replies", told.replies()), ("dominance", "iterated dominance", told.rounds())]
    if worked.supports is not None:
        found.append(("supports", "equal supports", told.supports()))
    for label in worked.paths:
        found.append((f"Lemke–Howson: {told.label(label)} dropped", "complementary paths", told.path(label)))
    return [TableMethod(name, CODE[code], tuple(steps)) for name, code, steps in found]


class _TableNarrator:
    def __init__(self, worked: Worked):
        self.worked = worked
        self.players = tuple(map(clean, worked.players))
        self.plans = tuple(tuple(map(clean, own)) for own in worked.plans)
        self.seats = range(len(self.players))

    # -- best replies ---------------------------------------------------------------------------------------------

    def replies(self) -> Iterator[PlanTableStep]:
        marked: dict[Joint, int] = {}
        for player in self.seats:
            for others in product(*(range(len(own)) if p != player else (0,) for p, own in enumerate(self.plans))):
                cells = [(*others[:player], k, *others[player + 1 :]) for k in range(len(self.plans[player]))]
                pays = [self.worked.payoffs[cell][player] for cell in cells]
                best = [k for k, pay in enumerate(pays) if pay == max(pays)]
                for k in best:
                    marked[cells[k]] = marked.get(cells[k], 0) + 1
                whose, names = self.players[player], listing((self.plans[player][k] for k in best), "or")
                pairs = listing(f"{_n(pay)} by {name}" for name, pay in zip(self.plans[player], pays, strict=True))
                replies = tuple((cells[k], player) for k in best)
                said = f"{self._if(player, others)}, {whose} does best by {names}."
                yield PlanTableStep("reply", said, (f"{whose} gets {pairs}.",), replies=replies, seen=tuple(cells))
        found = [cell for cell in self.worked.payoffs if marked.get(cell, 0) == len(self.players)]
        for cell in found:
            paid = self._text_of_payoffs(self.worked.payoffs[cell])
            why = f"It is an equilibrium: {paid}, and nobody gains by another plan."
            name = self.cell_name(cell)
            yield PlanTableStep("equilibrium", f"At {name} all numbers are underlined.", (why,), cell, name)
        yield PlanTableStep("done", f"Done: {_equilibria(len(found))} in which nobody mixes.")

    def _if(self, player: int, others: Joint) -> str:
        does = listing(f"{self.players[p]} plays {self.plans[p][others[p]]}" for p in self.seats if p != player)
        return f"If {does}"

    # -- dominance ------------------------------------------------------------------------------------------------

    def rounds(self) -> Iterator[PlanTableStep]:
        left = [list(range(len(own))) for own in self.plans]
        for number, round in enumerate(self.worked.rounds, 1):
            for each in round:
                name, whose = self.plans[each.player][each.plan], self.players[each.player]
                said = f"Round {number}: {name} of {whose} is strictly dominated by {self._mixture(each)}."
                gone = ((each.player, each.plan),)
                used = tuple((each.player, plan) for plan in each.by)
                yield PlanTableStep("gone", said, tuple(self._dominance_lines(each, left)), gone=gone, used=used)
            for each in round:
                left[each.player].remove(each.plan)
        if not self.worked.rounds:
            yield PlanTableStep("done", "Done: nothing is strictly dominated.")
        elif all(len(own) == 1 for own in left):
            cell = tuple(own[0] for own in left)
            name = self.cell_name(cell)
            yield PlanTableStep("done", f"Done: {name} is left, the only equilibrium.", boxed=cell, found=name)
        else:
            rest = (f"{self.players[p]}: {listing(self.plans[p][k] for k in own)}" for p, own in enumerate(left))
            said = f"Done: what is left is {'; '.join(rest)}."
            yield PlanTableStep("done", said, ("All equilibria are among these.",))

    def _mixture(self, each: Domination) -> str:
        names = self.plans[each.player]
        if len(each.by) == 1:
            return names[next(iter(each.by))]
        return " + ".join(f"{_n(weight)} {names[plan]}" for plan, weight in each.by.items())

    def _dominance_lines(self, each: Domination, left: Sequence[Sequence[int]]) -> Iterator[str]:
        """The comparisons that show a plan to be dominated, a line for each combination of the others' plans that are
        left."""
        p = each.player
        for others in product(*(own if q != p else (0,) for q, own in enumerate(left))):

            def pays(plan: int, others: Joint = others) -> Number:
                return self.worked.payoffs[(*others[:p], plan, *others[p + 1 :])][p]

            more = sum(weight * pays(plan) for plan, weight in each.by.items())
            yield f"{self._if(p, others)}: {_n(more)} > {_n(pays(each.plan))}."

    # -- supports -------------------------------------------------------------------------------------------------

    def supports(self) -> Iterator[PlanTableStep]:
        assert self.worked.supports is not None
        gone = tuple((each.player, each.plan) for round in self.worked.rounds for each in round)
        if gone:
            names = listing(f"{self.plans[p][k]} of {self.players[p]}" for p, k in gone)
            yield PlanTableStep("begin", f"What is strictly dominated is in no support: {names}.", gone=gone)
        found = 0
        for tried in self.worked.supports:
            used = tuple((p, k) for p, own in enumerate(tried.plans) for k in own)
            pure = len(tried.plans[0]) == 1
            if not pure:
                plans = (listing(self.plans[p][k] for k in own) for p, own in enumerate(tried.plans))
                mixes = " and ".join(map("{} mixes {}".format, self.players, plans))
                yield PlanTableStep("suppose", f"Suppose that {mixes}.", tuple(self._equations(tried)), used=used)
            deed = self._verdict(tried, used)
            found += deed.event == "equilibrium"
            yield deed
        more = any(tried.ties or None in tried.mixes for tried in self.worked.supports)
        may = "The game is degenerate: there may be more, in which one player mixes more plans than the other."
        said = f"Done: {_equilibria(found)} whose supports are of one size."
        yield PlanTableStep("done", said, (may,) if more else ())

    def _equations(self, tried: Supports) -> Iterator[str]:
        """The equations that make each player indifferent between the plans of a support, and the probabilities of the
        other player that follow."""
        for player in self.seats:
            other = 1 - player
            own, replies = tried.plans[player], tried.plans[other]
            chances = [self._chance(other, r) for r in replies]
            cells = [[(k, r) if player == 0 else (r, k) for r in replies] for k in own]
            factors = [[_factor(self.worked.payoffs[cell][player]) for cell in line] for line in cells]
            sides = [" + ".join(map("{} {}".format, line, chances)) for line in factors]
            yield f"{self.players[player]} is indifferent if {' = '.join(sides)}."
            mix = tried.mixes[other]
            solved = "no single solution" if mix is None else listing(self._shares(other, replies, mix))
            yield f"With {' + '.join(chances)} = 1: {solved}."

    def _chance(self, player: int, plan: int) -> str:
        """The name of an unknown probability, `p(up)`: p for the first player's plans, q for the second's."""
        name = self.plans[player][plan]
        return "pq"[player] + (name if name.startswith("(") else f"({name})")

    def _shares(self, player: int, plans: Iterable[int], mix: Sequence[Number]) -> list[str]:
        """The probabilities of some plans of a player, as equations."""
        return [f"{self._chance(player, k)} = {_n(mix[k])}" for k in plans]

    def _verdict(self, tried: Supports, used: tuple[tuple[int, int], ...]) -> PlanTableStep:
        pure = len(tried.plans[0]) == 1
        at = (tried.plans[0][0], tried.plans[1][0])
        what = f"{self.cell_name(at)} is" if pure else "This is"
        if None in tried.mixes:
            return PlanTableStep("no", "No: the equations have no single solution.", used=used)
        if not tried.are_mixtures:
            pairs = enumerate((mix or (), own) for mix, own in zip(tried.mixes, tried.plans, strict=True))
            wrong = [one for p, (mix, own) in pairs for one in self._shares(p, (k for k in own if mix[k] <= 0), mix)]
            said = f"No: {listing(wrong, most=3)}, but a probability must be positive here."
            return PlanTableStep("no", said, used=used)
        if tried.better is not None:
            p, plan = tried.better
            gain = f"{self.players[p]} gets {_n(tried.pays[p])}, and more by {self.plans[p][plan]}."
            mixes = () if pure else tried.mixes
            return PlanTableStep("better", f"{what} no equilibrium.", (gain,), used=used, mixes=mixes)
        why = f"{self._text_of_payoffs(tried.pays)}, and no plan outside pays more."
        said, name = f"{what} an equilibrium.", self._profile(tried.mixes)
        return PlanTableStep("equilibrium", said, (why,), at if pure else None, name, used=used, mixes=tried.mixes)

    # -- the paths of Lemke and Howson -----------------------------------------------------------------------------

    def label(self, label: int) -> str:
        """The name of the plan that a label of the Lemke–Howson algorithm stands for, with its player if both players
        have a plan of that name."""
        owner = self._owner(label)
        name = self.plans[owner][self._plan(label)]
        return f"{name} of {self.players[owner]}" if name in self.plans[1 - owner] else name

    def path(self, first: int) -> Iterator[PlanTableStep]:
        before: Mixes = (None, None)
        pivots = self.worked.paths[first]
        for number, pivot in enumerate(pivots):
            mine = self._owner(pivot.dropped) == pivot.side
            name, comes = self.label(pivot.dropped), self.label(pivot.gained)
            plan = self.plans[self._owner(pivot.dropped)][self._plan(pivot.dropped)]
            own = self._owner(pivot.gained) == pivot.side
            how = f"{self.players[pivot.side]} begins to play {plan}" if mine else f"{name} is a best reply no more"
            ends = f"{comes} is not used any more" if own else f"{comes} becomes a best reply"
            begin = f"Nobody plays anything: all labels are there. Drop {name}: " if number == 0 else ""
            why = f"So the label {comes} is there twice: drop it on the other side."
            if pivot.gained == first:
                why = "That is the label that was dropped first: all are there."
            used = tuple((self._owner(each), self._plan(each)) for each in (pivot.dropped, pivot.gained))
            event = "pivot" if number else "drop"
            yield PlanTableStep(event, f"{begin}{how}, until {ends}.", (why,), used=used, mixes=pivot.mixes)
            before = pivot.mixes
        said = f"Done: dropping {self.label(first)} leads to this equilibrium."
        played = [tuple(k for k, weight in enumerate(mix or ()) if weight) for mix in before]
        boxed = (played[0][0], played[1][0]) if len(played[0]) == len(played[1]) == 1 else None
        yield PlanTableStep("done", said, boxed=boxed, found=self._profile(before), mixes=before)

    def _owner(self, label: int) -> int:
        return int(label >= len(self.plans[0]))

    def _plan(self, label: int) -> int:
        return label - len(self.plans[0]) * self._owner(label)

    # -- words ----------------------------------------------------------------------------------------------------

    def cell_name(self, cell: Joint) -> str:
        return f"({', '.join(self.plans[p][k] for p, k in enumerate(cell))})"

    def _profile(self, mixes: Mixes) -> str:
        """The profile in words, `(up, left)`; if somebody mixes, `Row up 1/2, down 1/2; Column left 1`."""
        used = [[(k, weight) for k, weight in enumerate(mix or ()) if weight] for mix in mixes]
        if all(len(own) == 1 for own in used):
            return self.cell_name(tuple(own[0][0] for own in used))
        told = (", ".join(f"{self.plans[p][k]} {_n(weight)}" for k, weight in own) for p, own in enumerate(used))
        return "; ".join(f"{player}: {mix}" for player, mix in zip(self.players, told, strict=True))

    def _text_of_payoffs(self, pays: Sequence[Number]) -> str:
        return listing(f"{player} gets {_n(pay)}" for player, pay in zip(self.players, pays, strict=True))


def _equilibria(count: int) -> str:
    return {0: "there is no equilibrium", 1: "there is one equilibrium"}.get(count, f"there are {count} equilibria")


def _n(number: Number) -> str:
    """The number as a book prints it: briefly, with a minus that is no hyphen."""
    return pretty(brief(number, "~"))


def _factor(number: Number) -> str:
    text = _n(number)
    return f"({text})" if text.startswith("−") else text


def worked_page(drawn: Picture | Matrix, worked: Worked) -> str:
    """The page on which the table of a game's plans is worked out; the drawing of the game stands above it, unless it
    is the table itself (a Matrix)."""
    tree = ""
    if isinstance(drawn, Picture):  # its title is the page's
        inside = f'<summary>The tree</summary><div class="scroll">{svg(replace(drawn, title=""))}</div>'
        tree = f'<details class="tree" open>{inside}</details>'
    methods = [{"name": m.name, "code": m.code, "steps": list(map(_row, m.steps))} for m in table_methods(worked)]
    parts = {"tree": tree, "tables": "".join(_tables(worked)), "data": as_data(methods)}
    parts["caption"] = "" if tree else html.escape(typeset_caption(drawn.caption))
    parts["plans"] = " of plans" if tree else ""
    return fill_template("gdl.render", "tables", drawn.title, parts, "tree steps", "controls tables")


def _tables(worked: Worked) -> Iterator[str]:
    """The HTML tables: the first player's plans are rows, the second's columns; a table for each way in which the
    others can choose."""
    players, (down, across, *others) = tuple(map(_text, worked.players)), [range(len(own)) for own in worked.plans]
    for chosen in product(*others):
        does = ", ".join(f"{players[p]}: {_head(p, k, worked)}" for p, k in enumerate(chosen, 2))
        heads = "".join(f'<th scope="col">{_head(1, k, worked)}</th>' for k in across)
        cells = ("".join(_cell((i, j, *chosen), worked) for j in across) for i in down)
        rows = "".join(f'<tr><th scope="row">{_head(0, i, worked)}</th>{row}</tr>' for i, row in enumerate(cells))
        top = f'<tr><td></td><th colspan="{len(worked.plans[1])}" class="player">{players[1]}</th></tr>'
        corner = f'<tr><th class="player">{players[0]}</th>{heads}</tr>'
        yield f"<table>{f'<caption>{does}</caption>' if does else ''}{top}{corner}{rows}</table>"


def _head(player: int, plan: int, worked: Worked) -> str:
    name = _text(worked.plans[player][plan])
    return f'<span data-plan="{player},{plan}">{name}</span> <span class="weight" data-weight="{player},{plan}"></span>'


def _cell(cell: Joint, worked: Worked) -> str:
    pays = (f'<span data-seat="{p}">{pretty(to_text(pay))}</span>' for p, pay in enumerate(worked.payoffs[cell]))
    return f'<td data-cell="{_key(cell)}">{", ".join(pays)}</td>'


def _text(name: str) -> str:
    return html.escape(clean(name))


def _row(deed: PlanTableStep) -> dict[str, object]:
    """The step as a JSON object for the script, without empty fields."""
    row = {
        "event": deed.event,
        "said": deed.said,
        "why": deed.why,
        "boxed": "" if deed.boxed is None else _key(deed.boxed),
        "found": deed.found,
        "replies": [[_key(cell), player] for cell, player in deed.replies],
        "gone": [_key(plan) for plan in deed.gone],
        "seen": [_key(cell) for cell in deed.seen],
        "used": [_key(plan) for plan in deed.used],
        "weights": {
            _key((p, k)): pretty(to_text(w)) for p, mix in enumerate(deed.mixes) for k, w in enumerate(mix or ())
        },
    }
    return {name: value for name, value in row.items() if value}


def _key(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
