"""The rules of a game, ready to be tried on a position: what is legal, what it is called and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import islice
from math import prod
from typing import Any, NamedTuple

from gdl import limits
from gdl.errors import GameError, Problem, Span, clean, fault
from gdl.interpreter.bodies import Assignments, Bodies, Past, Refused, Run, Step, following
from gdl.interpreter.closures import Cells, Frame
from gdl.interpreter.evaluator import PAST, Evaluator
from gdl.model.domains import size, text_of
from gdl.model.games import Rule, RulesModel

RUN = 20  # what it costs to try a run of a body, in values looked at


class Option(NamedTuple):
    """One legal action: its name, and how its result comes about."""

    name: str
    rank: Any
    run: Callable[[], Run]
    span: Span


class Rulebook:
    """The rules of one game, ready to be tried on cells: what is legal, and what each action does."""

    def __init__(self, model: RulesModel, evaluator: Evaluator):
        self.bodies = Bodies(model, evaluator)
        self.model = model
        self._compiled = {id(rule): self._compile(rule) for rule in (*model.actions, *model.chances)}

    def _compile(self, rule: Rule) -> tuple[Any, ...]:
        evaluator = self.bodies.evaluator
        return (
            evaluator.every(rule.guards),
            self._assignments(rule),
            self.bodies.block(rule.body),
            None if rule.template is None else self.bodies.template(rule.template),
            lru_cache(limits.REMEMBERED)(partial(_head, rule)),
            None if rule.weight is None else evaluator.value(rule.weight),
        )

    def _assignments(self, rule: Rule) -> Assignments:
        """All values of the rule's parameters; where they may be very many, they are counted before any is kept."""
        assignments = self.bodies.assignments(rule.parameters)
        if prod(size(parameter.type) for parameter in rule.parameters) <= limits.ACTIONS:
            return assignments

        def counted(c: Cells, f: Frame) -> Iterator[tuple[Any, ...]]:
            ways = sum(1 for _ in islice(assignments(c, f), limits.ACTIONS + 1))
            if ways > limits.ACTIONS:
                raise _too_many(rule, f"{clean(rule.name)} has")
            yield from assignments(c, f)

        return counted

    def options(self, rules: tuple[Rule, ...], cells: Cells, past: Past) -> list[Option]:
        """The legal actions by these rules, in the order of the file; of several ranks only the greatest."""
        found: list[Option] = []
        for rule in rules:
            found += [option for option, _ in self.of_rule(rule, cells, past)]
            if len(found) > limits.ACTIONS:
                raise _too_many(rule, "there are")
        ranks = {option.rank for option in found}
        if len(ranks) > 1:
            greatest = max(ranks)
            found = [option for option in found if option.rank == greatest]
        return self._distinct(found)

    def of_rule(self, rule: Rule, cells: Cells, past: Past) -> Iterator[tuple[Option, Any]]:
        """The ways to act by one rule, each with its weight (1 where none is given). To a body the position in which
        it begins belongs to the `past` already."""
        guard, assignments, body, template, head, weigh = self._compiled[id(rule)]
        frame: Frame = [None] * rule.frame
        if not guard(cells, frame):
            return
        seen: set[Any] = set()
        once = rule.merge and rule not in self.model.chances  # outcomes are merged with their weights, by the caller
        before = [*cells[:PAST], past, *cells[PAST + 1 :]]
        for arguments in assignments(cells, frame):
            name = template(cells, frame) if template else head(arguments)
            weight = 1 if weigh is None else weigh(cells, frame)
            if rule.simple:
                run = partial(_run, before, tuple(frame), body, name)
                yield Option(_trimmed(name, rule), 0, run, rule.span), weight
                continue
            for done in self._runs(rule, before, frame, body, name):
                if once:
                    result = (done.rank, tuple(done.cells), done.turn, tuple(done.events), done.forgotten)
                    if result in seen:
                        continue
                    seen.add(result)
                yield Option(_trimmed(done.name, rule), done.rank, _done(done), rule.span), weight

    def name(self, rule: Rule, cells: Cells, past: Past, arguments: tuple[Any, ...], path: list[int]) -> str:
        """What a way to act is called that fills the head with these values and makes these choices in the body."""
        _, _, body, template, head, _ = self._compiled[id(rule)]
        frame: Frame = [None] * rule.frame
        for parameter, value in zip(rule.parameters, arguments, strict=True):
            frame[parameter.slot] = value
        name = template(cells, frame) if template else head(arguments)
        if not path:
            return _trimmed(name, rule)
        run = Run([*cells[:PAST], past, *cells[PAST + 1 :]], frame, list(path), [], name)
        body(run)
        return _trimmed(run.name, rule)

    def _runs(self, rule: Rule, cells: Cells, frame: Frame, body: Step, name: str) -> Iterator[Run]:
        """All runs of a body that succeed; each that is tried is counted as work."""
        path: list[int] | None = []
        menus: list[list[Any]] = []
        while path is not None:
            self.bodies.evaluator.count(RUN, rule.span)
            run = Run(list(cells), list(frame), path, menus[: len(path)], name)
            try:
                body(run)
            except Refused:
                pass
            else:
                yield run
            path, menus = following(run.path, run.menus), run.menus

    @staticmethod
    def _distinct(found: list[Option]) -> list[Option]:
        """Each name once; one name with two results is a fault."""
        if len({option.name for option in found}) == len(found):
            return found
        named: dict[str, Option] = {}
        for option in found:
            first = named.setdefault(option.name, option)
            if first is not option:
                a, b = first.run(), option.run()
                if (a.cells, a.turn, a.events, a.forgotten) != (b.cells, b.turn, b.events, b.forgotten):
                    raise GameError(
                        Problem(
                            f"two actions with different results are both called '{clean(option.name)}'",
                            option.span,
                            help="tell them apart in the name ('as'), or join equal results with 'merge'",
                        )
                    )
        return list(named.values())


def _too_many(rule: Rule, what: str) -> GameError:
    message = f"{what} more than {limits.ACTIONS:,} ways to go in one position"
    return fault(message, rule.span, "split it into steps, each a ply of its own")


def _trimmed(name: str, rule: Rule) -> str:
    """The name without blanks at its ends, which a template may leave where steps are joined."""
    if not (name := name.strip()):
        raise fault(f"{clean(rule.name)} has no name here", rule.span, "write a word into its 'as'")
    return name


def _head(rule: Rule, arguments: tuple[Any, ...]) -> str:
    if not arguments:
        return rule.name
    inside = ", ".join(text_of(p.type, v) for p, v in zip(rule.parameters, arguments, strict=True))
    return f"{rule.name}({inside})"


def _run(cells: Cells, frame: tuple[Any, ...], body: Step, name: str) -> Run:
    """The run of a body that cannot fail."""
    run = Run(list(cells), list(frame), [], [], name)
    body(run)
    return run


def _done(run: Run) -> Callable[[], Run]:
    return lambda: run
