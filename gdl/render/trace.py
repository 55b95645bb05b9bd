"""A search told step by step in words and numbers.

Values and bounds are told apart everywhere: `= 3` is the value, `>= 3` and `<= 3` are bounds on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import compress, islice
from typing import Any, NamedTuple

from gdl.errors import listing
from gdl.game import Chance, Decision, Game, Node, Number, Terminal, exact, maximiser
from gdl.numbers import brief, end_text, window_text
from gdl.render.cut_text import SIGNS, cut_sentence, window_sources
from gdl.render.node_names import Nodes
from gdl.render.sentence import rule_text
from gdl.render.strategies import lines_left_out
from gdl.render.text import wrap_and_join, wrap_lines
from gdl.solution import Cut, Event, Path, Solution

# Backward induction told as a search: the steps of minimax, expectiminimax and max^n, from the values they found.
#
# Every node is looked at, in the order of the file; there are no windows, and nothing is cut.

Value = Number | tuple[Number, ...]


def induction_events(game: Game[Any], solution: Solution) -> tuple[Event, ...]:
    """The events of a search that never prunes, made up from the listed values of all nodes: enter, leaf, update after
    each child, leave. A value is MAX's number if one number gives everyone's payoff, else the vector. Nodes without a
    listed value (long lists are cut short) are left out."""
    return tuple(_events(Nodes(game), solution.values, scalar_player(solution)))


def scalar_player(solution: Solution) -> int | None:
    """The index of the player whose number gives everyone's payoff: the player called MAX, else the first; None if no
    single number does."""
    single = len(solution.players) == 1 or (solution.traits is not None and solution.traits.has_scalar_value)
    return maximiser(solution.players) if single else None


def _events(nodes: Nodes, values: Mapping[Path, tuple[Number, ...]], scalar: int | None) -> Iterator[Event]:
    def value(path: Path) -> Value:
        vector = values[path]
        return vector if scalar is None else vector[scalar]

    stack: list[tuple[Path, int]] = [((), 0)]  # a node, and how many of its children were looked at
    while stack:
        path, looked = stack.pop()
        children = [child for child in nodes.children(path) if child in values]
        if not children:
            yield Event(path, "leaf", value=value(path), bound="exact")
            continue
        if looked:
            seen = [values[child] for child in children[:looked]]
            yield _update(
                path, nodes.node_at(path).node, seen, scalar, value(path) if looked == len(children) else None
            )
        else:
            yield Event(path, "enter")
        if looked < len(children):
            stack += [(path, looked + 1), (children[looked], 0)]
        else:
            yield Event(path, "leave", value=value(path), bound="exact")


def _update(path: Path, node: Node, seen: list[tuple[Number, ...]], scalar: int | None, whole: Value | None) -> Event:
    """The event after a child: the best value for the mover among the children seen; for a chance node no value until
    all are seen. `whole` is the node's value if all are seen, else None."""
    bound = "exact"
    if isinstance(node, Chance):
        return Event(path, "update", value=whole, bound=None if whole is None else bound)
    assert isinstance(node, Decision)
    best = max(seen, key=lambda vector: vector[node.player])  # the first of equals
    if whole is None:
        bound = "lower" if scalar in (None, node.player) else "upper"
    return Event(path, "update", value=best if scalar is None else best[scalar], bound=bound)


MAX_STEPS = 1_000  # steps that are printed
_DEEPEST = 12  # levels that are indented


class Crossing(NamedTuple):
    """The reason for a cut, `2 <= alpha 3 from B`, and the names of the branches that it skips."""

    text: str
    skipped: tuple[str, ...] = ()


class StepExplanation(NamedTuple):
    """An event of a search in words, the reason for it ("": none to give), and the crossing if the event is a cut (else
    None)."""

    event: Event
    text: str
    why: str = ""
    crossing: Crossing | None = None


@dataclass
class _Open:
    """A node on the path from the root to the current one: its last event, and its children so far, each with its last
    event."""

    event: Event
    children: list[tuple[Path, Event]] = field(default_factory=list)


def events_of(game: Game[Any], solution: Solution) -> tuple[Event, ...]:
    """The events of the solution: the recorded ones, else those made up from the listed values; () if it has
    neither."""
    return solution.events or (induction_events(game, solution) if solution.values else ())


def tell(game: Game[Any], solution: Solution) -> list[StepExplanation]:
    """Every step of the solution's search in words."""
    return list(_TraceNarrator(game, solution).explain_steps())


class _TraceNarrator:
    """Walks through the events in the order of the search, and remembers the nodes on the path from the root."""

    def __init__(self, game: Game[Any], solution: Solution):
        self.events = events_of(game, solution)
        self.nodes = Nodes(game, (event.node for event in self.events))
        self.solution = solution
        self.scalar = scalar_player(solution)
        self.cuts = {(cut.node, cut.alpha, cut.beta, cut.value): cut for cut in solution.cuts}
        self.windows = solution.rule is not None and solution.rule.cut is not None
        self.open: list[_Open] = []
        self.alpha_from = self.beta_from = ""  # the nodes that set the present window

    def explain_steps(self) -> Iterator[StepExplanation]:
        """Yield every step in words."""
        ways: Mapping[str, Callable[[Event], Sequence[Any]]] = {
            "enter": self._enter,
            "leaf": self._leaf,
            "update": self._update,
            "cut": self._cut,
            "leave": self._leave,
        }
        sources = window_sources(self.events, self._is_chance, self.scalar is None)
        for event, source in zip(self.events, sources, strict=True):
            self.alpha_from, self.beta_from = ("" if path is None else self.nodes.node_name(path) for path in source)
            yield StepExplanation(event, *ways[event.event](event))

    # -- names and numbers ------------------------------------------------------------------------------------

    def _value(self, event: Event) -> str:
        """The value of the event with its sign, `= 3`, `<= 2`; "" if it is not known."""
        if event.value is None or event.bound is None:
            return ""
        return f"{SIGNS[event.bound]} {_value_text(event.value)}"

    def _text_of_value(self, path: Path, event: Event) -> str:
        """The node with its value, `C <= 2`; in words if nothing is certain, or for a bound on the number of one of
        several players."""
        return self._name_with_value(self.nodes.node_name(path), path, event)

    def _child_result(self, path: Path, event: Event) -> str:
        """The result of a child, named by its action."""
        return self._name_with_value(self.nodes.label(path) or self.nodes.action(path), path, event)

    def _name_with_value(self, name: str, path: Path, event: Event) -> str:
        found = self._value(event)
        if isinstance(event.value, tuple) and event.bound == "lower":
            return f"{name} gives {self.nodes.mover(path)} at least {self._mover_number(path, event.value)}"
        return f"{name} {found}" if found else f"{name} is not known"

    def _is_chance(self, path: Path) -> bool:
        return isinstance(self.nodes.node_at(path).node, Chance)

    @property
    def _event_above(self) -> Event | None:
        """The last event of the node above the present one; None at the root."""
        return self.open[-2].event if len(self.open) > 1 else None

    def _maximises(self, path: Path) -> bool:
        """True if the mover at the node wants the recorded numbers to be as great as possible."""
        node = self.nodes.node_at(path).node
        return isinstance(node, Decision) and self.scalar in (None, node.player)

    # -- the steps --------------------------------------------------------------------------------------------

    def _enter(self, event: Event) -> tuple[str, str]:
        self.open.append(_Open(event))
        looks = "is only probed" if event.probe else "is looked at"
        who = self.nodes.name_with_mover(event.node)
        label = self.nodes.label(event.node)
        leads = f"{self.nodes.node_at(event.node).action} leads to {who}, which" if label and event.node else who
        if not self.windows:
            return f"{leads} {looks}.", ""
        with_ = f"{leads} {looks} with the window {window_text(event.alpha, event.beta)}"
        lies, sums = self._known_bounds(event), self._window_sums(event)
        return f"{with_}{sums}{f', {lies}' if lies else ''}.", self._meaning(event)

    def _window_sums(self, event: Event) -> str:
        """The reason for the window in a game of chance, as ` (5 from B)`. For that of a child of chance it is
        ` (1 = (3/2 - 1) / (1/2), 2 the greatest possible)`: what the window above leaves for it if the other outcomes
        are worth as much, or as little, as they can be, or the known bounds of its own value."""
        above = self._event_above
        if self.scalar is None:
            return self._ceiling_sum(event, above)
        if above is None or not self.nodes.game.traits.chance:
            return ""
        chance, low, high = (
            self.nodes.node_at(above.node).node,
            self._promise(event.node, 0),
            self._promise(event.node, 1),
        )
        told = []
        for end, source, edge, side, own, known, word in (
            (event.alpha, self.alpha_from, above.alpha, above.high, high, low, "least"),
            (event.beta, self.beta_from, above.beta, above.low, low, high, "greatest"),
        ):
            if end is None:
                continue
            told.append(f"{brief(end)} from {source}" if source else "")
            if isinstance(chance, Chance):
                weight = exact(Fraction(chance.outcomes[event.node[-1]][1]))
                rest = None if side is None or own is None else exact(Fraction(side - weight * own))
                if edge is not None and rest is not None and weight and edge - rest == weight * end:
                    told[-1] = f"{brief(end)} = ({brief(edge)} - {brief(rest)}) / ({brief(weight)})"
                elif end == known:
                    told[-1] = f"{brief(end)} the {word} possible"
        return f" ({', '.join(filter(None, told))})" if any(told) else ""

    def _ceiling_sum(self, event: Event, above: Event | None) -> str:
        """The reason for the greatest value that a player can still get when several play, as ` (2 = 0 - 8 - (-10))`:
        the sum of all utilities, less what the player above already has, less the least that the others get; or the
        greatest utility there is."""
        total, path = self.nodes.game.traits.constant_sum, event.node
        node, before = self.nodes.node_at(path).node, None if above is None else self.nodes.node_at(above.node).node
        bounds = self.nodes.game.promises.bounds(self.nodes.node_at(path).state)
        if total is None or bounds is None or event.beta is None or not isinstance(node, Decision):
            return ""
        known = f" ({brief(event.beta)} the greatest possible)" if event.beta == bounds[node.player][1] else ""
        held_above = None if above is None else above.value
        if not isinstance(held_above, tuple) or not isinstance(before, Decision) or node.player == before.player:
            return known
        least = [low for p, (low, _) in enumerate(bounds) if p not in (node.player, before.player)]
        held = [held_above[before.player], *(low for low in least if low is not None)]
        if len(held) <= len(least) or total - sum(held) != event.beta:
            return known
        told = [f"({brief(exact(one))})" if one < 0 else brief(exact(one)) for one in held]
        return f" ({brief(event.beta)} = {' - '.join([brief(total), *told])})"

    def _promise(self, path: Path, side: int) -> Number | None:
        """The least (`side` 0) or greatest (1) possible value at a node, for the player whose numbers are shown, as the
        game promises it; None if unknown."""
        found = self.nodes.game.promises.bounds(self.nodes.node_at(path).state)
        return None if found is None or self.scalar is None else found[self.scalar][side]

    def _bound_sum(self, event: Event, here: _Open) -> str:
        """The sum by which the bound of a chance node that was left early comes from the outcomes seen and the bounds
        of the others, ` = 1/2 * 3 + 1/2 * 10`; "" if there is no such sum."""
        node = self.nodes.node_at(event.node).node
        if not isinstance(node, Chance) or self.scalar is None or isinstance(event.value, tuple):
            return ""
        seen = {path: child.value for path, child in here.children}
        side = 1 if event.bound == "upper" else 0
        paths = [(*event.node, place) for place in range(len(node.outcomes))]
        worths = [seen[path] if path in seen else self._promise(path, side) for path in paths]
        terms = [
            (Fraction(w), x) for (_, w), x in zip(node.outcomes, worths, strict=True) if isinstance(x, int | Fraction)
        ]
        if len(terms) < len(paths) or sum(w * x for w, x in terms) != event.value:
            return ""
        return f" = {' + '.join(f'{brief(exact(w))} * {brief(x)}' for w, x in terms)}"

    def _meaning(self, event: Event) -> str:
        """A sentence that says what the window means at the node."""
        low, high = end_text(event.alpha, "-inf"), end_text(event.beta, "inf")
        if self.scalar is None:
            needs = f"Once {self.nodes.mover(event.node)} has {high}, nothing more need be looked at here."
            return needs if event.beta is not None else "Everything here may matter."
        if self._event_above is not None and self._is_chance(self._event_above.node):
            return f"Only a value between {low} and {high} makes a difference to {self.alpha_from}."
        said = []
        if event.alpha is not None:
            said.append(f"{self._rival(high=False)} has {low} already, by {self.alpha_from}")
        if event.beta is not None:
            said.append(f"{self._rival(high=True)} has {high} already, by {self.beta_from}")
        return f"{' and '.join(said)}: only what is better matters." if said else "Every value here may matter."

    def _leaf(self, event: Event) -> tuple[str, str]:
        ended = isinstance(self.nodes.node_at(event.node).node, Terminal)
        found = _value_text(event.value) if event.value is not None else "?"
        text = f"{self.nodes.node_name(event.node)} {'=' if ended else 'is estimated as'} {found}."
        if self.open:
            self.open[-1].children.append((event.node, event))
        return text, "" if ended else "Search is cut off here, and the file's evaluation taken."

    def _update(self, event: Event) -> tuple[str, str]:
        here = self.open[-1]
        before, here.event = here.event, event
        path, child = here.children[-1]
        if self._is_chance(event.node):
            return self._chance_update(event, here)
        name, mover = self.nodes.name_with_mover(event.node), self.nodes.mover(event.node)
        returned = self._child_result(path, child)
        assert event.value is not None
        if before.value is not None and event.value == before.value:
            keeps = f"not better for {mover} than {self._mover_number(event.node, event.value)}"
            stays = self._window_after(event, event)
            return f"{name}: {returned}, {keeps}{stays}.", f"{mover} would rather keep what they have."
        vector = isinstance(event.value, tuple)
        now = f"the best for {mover} so far" if vector else f"so {self._text_of_value(event.node, event)}"
        return f"{name}: {returned}, {now}{self._window_after(before, event)}.", self._explain_choice(event, path)

    def _mover_number(self, path: Path, value: Any) -> str:
        """The mover's own number of a value, as text."""
        return _value_text(self._own_number(path, value))

    def _own_number(self, path: Path, value: Any) -> Any:
        """The mover's own number of a value; the value itself at a chance node."""
        node = self.nodes.node_at(path).node
        return value[node.player] if isinstance(value, tuple) and isinstance(node, Decision) else value

    def _window_after(self, before: Event, event: Event) -> str:
        does = "stays" if (before.alpha, before.beta) == (event.alpha, event.beta) else "becomes"
        return f"; the window {does} {window_text(event.alpha, event.beta)}" if self.windows else ""

    def _explain_choice(self, event: Event, child: Path) -> str:
        mover = self.nodes.mover(event.node)
        assert event.value is not None
        wants = "the greatest" if self._maximises(event.node) else "the least"
        whose = f" of {mover}'s own numbers" if self.scalar is None else " value"
        so_far = self._mover_number(event.node, event.value)
        return f"{mover} moves here and takes {wants}{whose}: so far {so_far}, by {self.nodes.action(child)}."

    def _chance_update(self, event: Event, here: _Open) -> tuple[str, str]:
        """The text and the reason for a chance node after one of its outcomes."""
        path, child = here.children[-1]
        who, result = self.nodes.name_with_mover(event.node), self._child_result(path, child)
        returned = f"{who}: {result}, of probability {self._weight(path)}"
        lies = self._known_bounds(event)
        if lies:
            return f"{returned}; {lies}.", "What was not looked at counts by its bounds."
        if event.bound == "exact" or not self.windows:
            return f"{returned}.", ""
        return f"{returned}; nothing is sure before the others are seen.", "A leaf unseen may be worth anything."

    def _weight(self, path: Path) -> str:
        node = self.nodes.node_at(path[:-1]).node
        assert isinstance(node, Chance)
        return brief(node.outcomes[path[-1]][1])

    def _known_bounds(self, event: Event) -> str:
        """The known bounds of a chance node's value, `2 <= A <= 5`; "" if there are none."""
        name = self.nodes.node_name(event.node)
        if event.low is not None and event.high is not None:
            if event.low == event.high:
                return f"{name} = {brief(event.low)}"
            return f"{brief(event.low)} <= {name} <= {brief(event.high)}"
        if event.low is not None:
            return f"{name} >= {brief(event.low)}"
        return f"{name} <= {brief(event.high)}" if event.high is not None else ""

    def _cut(self, event: Event) -> tuple[str, str, Crossing]:
        here = self.open[-1]
        here.event = event
        cut = self._cut_of(event)
        who = self.nodes.name_with_mover(event.node)
        reason = self._crossing(event)
        if cut is None or not cut.skipped:
            more = "enough for now" if event.probe or cut is None else "and nothing is left to skip"
            return f"at {who}: {reason.text}, {more}.", "", reason
        names = [self.nodes.action(root.path) for root in cut.skipped]
        why = self._why_cut(event, here, names)
        return f"{cut_sentence(who, reason.text, names)}.", why, reason._replace(skipped=tuple(names))

    def _cut_of(self, event: Event) -> Cut | None:
        """The recorded cut that the event belongs to; None if there is none, because all skipped subtrees were searched
        later."""
        return self.cuts.get((event.node, event.alpha, event.beta, self._own_number(event.node, event.value)))

    def _crossing(self, event: Event) -> Crossing:
        own, high = self._own_number(event.node, event.value), self._crosses_beta(event)
        if (event.beta if high else event.alpha) is None:
            high = not high  # of max^n, where everyone has a ceiling
        limit, name, source = (event.beta, "beta", self.beta_from) if high else (event.alpha, "alpha", self.alpha_from)
        assert limit is not None
        equal = own == limit or (self.solution.rule is not None and self.solution.rule.cut == "ge")
        sign = (">=" if equal else ">") if high else ("<=" if equal else "<")
        return Crossing(f"{_value_text(own)} {sign} {name} {brief(limit)}{f' from {source}' if source else ''}")

    def _crosses_beta(self, event: Event) -> bool:
        if self._is_chance(event.node):
            least, end = event.low, event.beta
            return event.bound == "lower" or (end is not None and least is not None and least >= end)
        return self._maximises(event.node)

    def _why_cut(self, event: Event, here: _Open, names: Sequence[str]) -> str:
        whatever = f"whatever {listing(names)} {'is' if len(names) == 1 else 'are'} worth"
        name, mover = self.nodes.node_name(event.node), self.nodes.mover(event.node)
        if self.scalar is None:
            return self._why_shallow(event, whatever)
        high = self._crosses_beta(event)
        limit = brief(event.beta if high else event.alpha)  # type: ignore[arg-type]
        source = (self.beta_from if high else self.alpha_from) or "its bounds"
        rival = self._rival(high)
        sure = f"{name} is worth at {'least' if high else 'most'} {self._mover_number(event.node, event.value)}"
        by_child = f"by {self.nodes.action(here.children[-1][0])} {mover} has it"
        held = "by the bounds of the rest" if mover == "chance" else by_child
        if self._event_above is not None and self._is_chance(self._event_above.node):
            return f"{sure} ({held}), and beyond {limit} nothing makes a difference to {source}, {whatever}."
        return f"{sure} ({held}), and {rival} has {limit} already, by {source}: play will not come here, {whatever}."

    def _rival(self, high: bool) -> str:
        """The name of the player who avoids a node worth too much (`high`) or too little."""
        players = self.solution.players
        first = self.scalar or 0
        others = [name for number, name in enumerate(players) if number != first]
        return others[0] if high and others else players[first]

    def _why_shallow(self, event: Event, whatever: str) -> str:
        mover, above = self.nodes.mover(event.node), self._event_above
        before = self.nodes.mover(above.node) if above is not None else ""
        if above is None or above.value is None or before in (mover, "chance"):
            return f"{mover} cannot get more than {end_text(event.beta, 'inf')}, {whatever}."
        at_most = f"leaves {before} no more than {self._mover_number(above.node, above.value)}"
        return f"Of what all get together that {at_most}, which {before} has already, {whatever}."

    def _leave(self, event: Event) -> tuple[str, str]:
        here = self.open.pop()
        if self.open:
            self.open[-1].children.append((event.node, event))
        if event.bound is None:
            return f"{self.nodes.node_name(event.node)} is left; nothing is sure of it.", ""
        found = self._text_of_value(event.node, event)
        if event.bound != "exact":
            why = f"Something was skipped here, so its value may be {'greater' if event.bound == 'lower' else 'less'}."
            return f"{found}{self._bound_sum(event, here)}: a bound only.", why
        return f"{found}{self._from_children(event, here)}.", ""

    def _from_children(self, event: Event, here: _Open) -> str:
        """The text that says how a node's value comes from its children's, `, the greatest of 3 and 5`; "" if there is
        nothing to say."""
        numbers = [_value_text(child.value) for _, child in here.children if child.value is not None]
        node = self.nodes.node_at(event.node).node
        if isinstance(node, Chance):
            full = {path: child for path, child in here.children if child.bound == "exact"}
            terms = [f"{self._weight(path)} * {_value_text(child.value)}" for path, child in full.items()]
            return f" = {' + '.join(terms)}" if len(terms) == len(node.outcomes) and self.scalar is not None else ""
        if self.windows or len(numbers) < 2:
            return ""
        kind = "greatest" if self._maximises(event.node) else "least"
        kind = f"best for {self.nodes.mover(event.node)}" if self.scalar is None else kind
        return f", the {kind} of {listing(numbers)}"


def story_text(game: Game[Any], solution: Solution) -> str:
    """All steps of the search, one below the other, under a line on the method."""
    teller = _TraceNarrator(game, solution)
    lines = [*wrap_lines(f"{heading(solution)} {meaning(solution)}"), ""]
    shown = [not _is_told_next(teller.events, number) for number in range(len(teller.events))]
    for one in islice(compress(teller.explain_steps(), shown), MAX_STEPS):
        indent = "  " * min(len(one.event.node), _DEEPEST)
        lines += wrap_lines(f"{indent}{one.text}", len(indent) + 4)
    return wrap_and_join([*lines, *lines_left_out(sum(shown) - MAX_STEPS, "more steps", "--trace --json")])


def _is_told_next(events: Sequence[Event], number: int) -> bool:
    """True if the event is a leaf whose value the next line repeats anyway."""
    following = events[number + 1].event if number + 1 < len(events) else ""
    return events[number].event == "leaf" and following == "update"


def heading(solution: Solution) -> str:
    """The method, its rule and its order."""
    rule = solution.rule
    if rule is None:
        return f"{solution.solver}: every node is looked at, in the order of the file."
    options = f"--cut {rule.cut} --order {rule.order}" if rule.cut else f"--order {rule.order}"
    return f"{rule_text(solution)} ({options})."


def meaning(solution: Solution) -> str:
    """A sentence that says whose numbers the steps of a search show, and what the signs mean."""
    scalar = scalar_player(solution)
    windows = " A window (alpha, beta) holds the numbers of whoever moves at the node." if solution.rule else ""
    if scalar is None:
        return f"A vector holds what {listing(solution.players)} get.{windows}"
    return f"Numbers are what {solution.players[scalar]} gets; `=` is a value, `>=` and `<=` are bounds on it."


def _value_text(value: Number | tuple[Number, ...] | None) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(brief, value))})"
    return "?" if value is None else brief(value)
