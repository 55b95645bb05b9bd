"""The rules of a game, ready to be tried on a position: what is legal, what it is called and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

from gdl.analysis.dependence import Dependence
from gdl.analysis.kept_values import KeptValues, opening
from gdl.analysis.traits import tells_actor
from gdl.analysis.trials import asks, rings
from gdl.errors import GameError, Problem, clean, fault, limits, listing
from gdl.interpreter.bodies import BodyClosures, BodyRefusal, BodyRun, Step, next_path
from gdl.interpreter.closures import MOVER, PAST, Cells, Frame
from gdl.interpreter.earlier import Past
from gdl.interpreter.evaluator import Evaluator
from gdl.model.domains import text_of
from gdl.model.games import Rule, RulesModel

Name = tuple[str, GameError | None]  # a name as far as it is made, and the fault that was met in making it
RUN = 20  # what it costs to try a run of a body, in values looked at,
OPENING = 10  # and to try what a body that is sure to run requires before


class Option(NamedTuple):
    """A legal action: its name, its rank, a function that computes its result, its rule, and the values of the
    parameters in its head. If its name cannot be made, `unnamed` is the fault, raised only when the name is needed: an
    action of a lower rank, or an outcome of no weight, needs none."""

    name: str
    rank: Any
    run: Callable[[], BodyRun]
    rule: Rule
    arguments: tuple[Any, ...]
    unnamed: GameError | None = None

    def require_name(self) -> Option:
        """The option itself, if it has a name; else its fault is raised."""
        if self.unnamed is not None:
            raise self.unnamed
        return self


class Rulebook:
    """The rules of one game, ready to be tried on cells: what is legal, and what each action does."""

    def __init__(self, model: RulesModel, evaluator: Evaluator):
        self.bodies = BodyClosures(model, evaluator)
        self.model = model
        evaluator.tries = self.able
        self._asks = asks(model)
        self._rings = rings(model)
        self._plain = all(rule.simple and rule.template is None for rule in model.actions)  # without ranks
        self._number = {id(rule): number for number, rule in enumerate(model.actions)}
        self._judged: int | None = None  # the action that is being tried
        self._open: frozenset[int] = frozenset()  # actions whose own questions have the answer yes for now
        self._tells_actor = {rule.name for rule in model.actions if tells_actor(model, rule)}
        self._hearing = {
            id(rule): evaluator.value(rule.hearers.condition)
            for rule in (*model.actions, *model.chances)
            if rule.hearers is not None and rule.hearers.condition is not None
        }
        self._kept_values = KeptValues(model, Dependence(model))
        rules = *model.actions, *model.chances
        inside = (kept.form for rule in rules for kept in self._kept_values.of_definitions(rule)[0])
        evaluator.kept_inside.update(map(id, inside))
        self._compiled = {id(rule): self._compile(rule) for rule in rules}

    def _compile(self, rule: Rule) -> tuple[Any, ...]:
        evaluator = self.bodies.evaluator
        for form, _, innermost in self._kept_values.of_rule(rule):
            if innermost is None:
                slots = tuple(sorted(self._kept_values.dependence.facts_of(form).slots))
                evaluator.kept[id(form)] = rule.frame, slots
        return (
            evaluator.every(rule.guards),
            self.bodies.assignments(rule.parameters),
            self.bodies.program(rule.body),
            self._naming(rule),
            None if rule.weight is None else evaluator.value(rule.weight),
            self.bodies.block(rule.body[:opens]) if rule.simple and (opens := opening(rule.body)) else None,
        )

    def hearers(self, rule: Rule, cells: Cells, arguments: tuple[Any, ...], actor: int | None) -> list[int]:
        """The numbers of the players who hear of an action of this rule, with these values in its head, taken in a
        position with these cells."""
        others = [p for p in range(len(self.model.players)) if p != actor or rule.name in self._tells_actor]
        if rule.hearers is None or rule.hearers.condition is None:
            return others if rule.hearers else []
        condition, frame = self._hearing[id(rule)], _fill_frame(rule, arguments)
        found = []
        for player in others:
            frame[rule.hearers.slot] = player
            if condition(cells, frame):
                found.append(player)
        return found

    def options(self, rules: tuple[Rule, ...], cells: Cells, past: Past) -> list[Option]:
        """The legal actions by these rules, in the order of the file; where ranks differ, only those of the greatest
        rank."""
        found: list[Option] = []
        for rule in rules:
            found += [option for option, _ in self.of_rule(rule, cells, past)]
            if len(found) > limits.ACTIONS:
                raise _too_many(rule, "there are")
        if not self._plain:
            greatest = max((option.rank for option in found), default=0)
            found = [option.require_name() for option in found if option.rank == greatest]
        return self._distinct_options(found)

    def of_rule(self, rule: Rule, cells: Cells, past: Past) -> Iterator[tuple[Option, Any]]:
        """The ways to act by one rule, each with its weight (1 where none is given). In `past` the position of the
        cells is already among the earlier ones, as bodies see it."""
        ways = self._ways(rule, cells, past)
        return self._judged_ways(rule, ways) if self._asks else ways

    def _judged_ways(self, rule: Rule, ways: Iterator[tuple[Option, Any]]) -> Iterator[tuple[Option, Any]]:
        with self._judging(rule):
            yield from ways

    def _ways(self, rule: Rule, cells: Cells, past: Past) -> Iterator[tuple[Option, Any]]:
        guard, assignments, body, naming, weigh, opens = self._compiled[id(rule)]
        frame: Frame = [*[None] * rule.frame, {}]
        if not guard(cells, frame):
            return
        named: Name | None
        seen: set[Any] = set()
        once = rule.merge and rule not in self.model.chances  # outcomes are merged with their weights, by the caller
        before = [*cells[:PAST], past, *cells[PAST + 1 :]]
        self.bodies.evaluator.listing = cells, before, {}
        for count, arguments in enumerate(assignments(cells, frame), start=1):
            if count > limits.ACTIONS:
                raise _too_many(rule, f"{clean(rule.name)} has")
            weight = 1 if weigh is None else weigh(cells, frame)
            if rule.simple:
                if opens is not None:
                    self.bodies.evaluator.count(OPENING, rule.span)
                    if not _body_succeeds(opens, before, frame):
                        continue
                run = partial(self._run if self._asks else _run, rule, before, tuple(frame), body)
                named = naming(arguments, cells, frame)
                # A head is a whole name.
                name, wrong = named if rule.template is None else self._check_name(rule, named)
                yield Option(name, 0, run, rule, arguments, wrong), weight
                continue
            named = None
            for done in self._runs(rule, before, frame, body):
                if once:
                    result = (done.rank, *_result(rule, done))
                    if result in seen:
                        continue
                    seen.add(result)
                named = named or naming(arguments, cells, frame)
                name, wrong = self._check_name(rule, _extend_name(named, done))
                yield Option(name, done.rank, partial(lambda run: run, done), rule, arguments, wrong), weight

    def _naming(self, rule: Rule) -> Callable[[tuple[Any, ...], Cells, Frame], Name]:
        """A function that makes the beginning of an action's name, from the values in the rule's head or by its
        template."""
        if rule.template is None:
            head = lru_cache(limits.ACTIONS)(partial(_head, rule))  # fewer than there may be would never be met again
            return lambda arguments, cells, frame: (head(arguments), None)
        template = self.bodies.template(rule.template)

        def naming(arguments: tuple[Any, ...], cells: Cells, frame: Frame) -> Name:
            try:
                return template(cells, frame), None
            except GameError as wrong:
                return "", wrong

        return naming

    def able(self, actions: tuple[int, ...], player: int, cells: Cells) -> bool:
        """True if a player could do one of the actions in the position of the cells. Bodies are tried as after that
        position. While the conditions of an action are tested, a question about an action in the same circle of
        questions is answered by True."""
        if self._judged in self._open:
            return True
        asked = list(cells)
        asked[MOVER] = player
        past = self.bodies.evaluator.earlier.past_after(asked)
        outside = self._open
        if self._judged is not None:
            self._open |= self._rings[self._judged]
        try:
            return any(self._can_be_done(self.model.actions[action], asked, past) for action in actions)
        finally:
            self._open = outside

    def _can_be_done(self, rule: Rule, cells: Cells, past: Past) -> bool:
        """True if a rule has at least one way to act."""
        guard, assignments, body, *_, opens = self._compiled[id(rule)]
        frame: Frame = [*[None] * rule.frame, {}]
        before = [*cells[:PAST], past, *cells[PAST + 1 :]]
        with self._judging(rule):
            if not guard(cells, frame):
                return False
            if rule.simple:
                return any(opens is None or _body_succeeds(opens, before, frame) for _ in assignments(cells, frame))
            return any(run for _ in assignments(cells, frame) for run in self._runs(rule, before, frame, body))

    @contextmanager
    def _judging(self, rule: Rule) -> Iterator[None]:
        """A context in which questions about actions are asked by this rule, as `able` needs to know."""
        outside, self._judged = self._judged, self._number.get(id(rule))
        try:
            yield
        finally:
            self._judged = outside

    def name(self, rule: Rule, cells: Cells, past: Past, arguments: tuple[Any, ...], path: list[int]) -> str:
        """The name of the way to act with these values in the head, and with the choices of the body that `path`
        numbers."""
        _, _, body, naming, *_ = self._compiled[id(rule)]
        frame = _fill_frame(rule, arguments)
        with self._judging(rule):
            named: Name = naming(arguments, cells, frame)
            if path:
                run = BodyRun([*cells[:PAST], past, *cells[PAST + 1 :]], frame, list(path), [])
                body(run)
                named = _extend_name(named, run)
        name, wrong = self._check_name(rule, named)
        if wrong is not None:
            raise wrong
        return name

    def _run(self, rule: Rule, cells: Cells, frame: tuple[Any, ...], body: Step) -> BodyRun:
        with self._judging(rule):
            return _run(rule, cells, frame, body)

    def _check_name(self, rule: Rule, made: Name) -> Name:
        """The name without blanks at its ends, which a template may leave. An empty name is a fault."""
        name, wrong = made[0].strip(), made[1]
        if wrong is not None:
            what = "chance step" if rule in self.model.chances else "action"
            where = f"in the name of the {what} {clean(rule.name)}"
            wrong = GameError(replace(problem, message=f"{where}: {problem.message}") for problem in wrong.problems)
        elif not name:
            place = rule.span if rule.template is None else rule.template.span
            wrong = fault(f"{clean(rule.name)} has no name here", place, "write a word into its 'as'")
        return name, wrong

    def _runs(self, rule: Rule, cells: Cells, frame: Frame, body: Step) -> Iterator[BodyRun]:
        """All runs of a body that succeed. Each run that is tried is counted as work."""
        path: list[int] | None = []
        menus: list[list[Any]] = []
        while path is not None:
            self.bodies.evaluator.count(RUN, rule.span)
            run = BodyRun(cells, list(frame), path, menus[: len(path)])
            try:
                body(run)
            except BodyRefusal:
                pass
            else:
                yield run
            path, menus = next_path(list(run.path), run.menus), run.menus  # a run keeps its own path

    def _distinct_options(self, found: list[Option]) -> list[Option]:
        """The options, each name once. It is a fault if one name has two different results."""
        if len({option.name for option in found}) == len(found):
            return found
        named: dict[str, Option] = {}
        for option in found:
            first = named.setdefault(option.name, option)
            if first is not option and _result(first.rule, first.run()) != _result(option.rule, option.run()):
                message = f"two actions with different results are both called '{clean(option.name)}'"
                help = "tell them apart in the name ('as'), or join equal results with 'merge'"
                raise fault(message, option.rule.span, help)
        return list(named.values())


def _result(rule: Rule, run: BodyRun) -> tuple[Any, ...]:
    """All that distinguishes one run's effect from another's. A refused attempt differs from an action without effect
    if others hear of the action."""
    refused = rule.hearers is not None and run.refused
    return tuple(run.cells), run.turn, tuple(run.events), run.forgotten, run.rewards, refused


def _too_many(rule: Rule, what: str) -> GameError:
    message = f"{what} more than {limits.ACTIONS:,} ways to go in one position"
    return fault(message, rule.span, limits.FEWER_WAYS)


def _extend_name(head: Name, run: BodyRun) -> Name:
    """The name of a way to act: the text made from the head, followed by the choices of the run in the body."""
    return head[0] + run.name, head[1] or run.unnamed


def _fill_frame(rule: Rule, arguments: tuple[Any, ...]) -> Frame:
    """A frame for a rule, with the values of the parameters in its head and a last slot for values that are computed
    once."""
    frame: Frame = [*[None] * rule.frame, {}]
    for parameter, value in zip(rule.parameters, arguments, strict=True):
        frame[parameter.slot] = value
    return frame


def _head(rule: Rule, arguments: tuple[Any, ...]) -> str:
    if not arguments:
        return rule.name
    inside = ", ".join(text_of(p.type, v) for p, v in zip(rule.parameters, arguments, strict=True))
    return f"{rule.name}({inside})"


def _run(_: Rule, cells: Cells, frame: tuple[Any, ...], body: Step) -> BodyRun:
    """The run of a body that has no choices and cannot fail."""
    run = BodyRun(cells, list(frame), [], [])
    body(run)
    return run


def _body_succeeds(step: Step, cells: Cells, frame: Frame) -> bool:
    """True if a part of a body that only reads the cells does not refuse."""
    try:
        step(BodyRun(cells, list(frame), [], []))
    except BodyRefusal:
        return False
    return True


def dead_end(model: RulesModel, turn: int) -> GameError:
    """The error for a dead end: the player has no action (or, if `turn` is negative, nobody has), and the game is not
    over."""
    who = "nobody is left to move" if turn < 0 else f"{model.players[turn]} has no action"
    places = [rule.span for rule in model.actions] + [clause.span for clause in model.clauses]
    return GameError(
        Problem(
            f"{who}, and the game is not over",
            places[0] if places else None,
            note=f"The actions are {listing(rule.name for rule in model.actions)}.",
            help="say in 'terminal' how the game ends here, such as: no actions -> draw",
        )
    )
