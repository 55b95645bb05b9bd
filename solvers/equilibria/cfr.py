"""Counterfactual regret minimisation: strategies of any number of players that improve for as long as they are let.

1. Every player begins with all actions equally likely, and keeps for each action of each information set its regret:
   how much more it would have earned so far than what was played.
2. Iteration after iteration, one player after the other plays each action in proportion to its positive regret.
3. The average of all these strategies is the answer. With two players and a zero sum it approaches an equilibrium.
4. After 16, 32, 64, … iterations the average is rounded to fractions, and what each player could gain against it is
   computed exactly; four times as often where what is wanted is near. So whenever the search ends, its regret is
   proved, and with a zero sum the value lies between what the two strategies secure.

With more players, or without a zero sum, no method of this kind is sure to come close; the regret tells how close it
came. `--method` takes the variant: `plus` (CFR+), `discounted` or `predictive`; `--regret 1/1000` stops when nobody can
gain more. The work is done on sequences of own moves (see sequences.py), so that ends which every player reaches by the
same own moves count as one.

The convention is that of the papers and of OpenSpiel, with which `plus` and `discounted` agree iteration by iteration:
in iteration t the players are updated in turn, each against the newest strategies of those before; the strategy that a
player had before the update is averaged, with weight t (`plus`; t squared for the others). `discounted` multiplies
regrets after each iteration, by t^(3/2) / (t^(3/2) + 1) or, below zero, by 1/2.

Source: Zinkevich, Johanson, Bowling and Piccione, Regret minimization in games with incomplete information, NIPS 2007;
Tammelin, Burch, Johanson and Bowling, Solving heads-up limit Texas hold'em, IJCAI 2015; Brown and Sandholm, Solving
imperfect-information games via discounted regret minimization, AAAI 2019; Farina, Kroer and Sandholm, Faster game
solving via predictive Blackwell approachability, AAAI 2021.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from math import floor, inf
from pathlib import Path
from typing import Any, NamedTuple, Self

from gdl import wings
from gdl.formats.files import lock_file
from gdl.formats.resuming import CheckpointFile
from gdl.game import Bounds, Game, Number, exact
from gdl.numbers import brief
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering, rest_bounds
from gdl.solvers.equilibria.behaviour import first_action, write_profile
from gdl.solvers.equilibria.exploration import explore_or_sample
from gdl.solvers.equilibria.payoffs import Payoffs, RealizationPlans
from gdl.solvers.equilibria.positions import MOST_POSITIONS
from gdl.solvers.equilibria.regret import untied_note
from gdl.solvers.equilibria.regret_minimisation import KEPT, CfrSequenceTable, Method, Minimiser, ReferenceMinimiser
from gdl.solvers.equilibria.sequences import Sequences, sequences
from gdl.solvers.needs import AtLeast
from gdl.solvers.solver import Solver

ITERATIONS = 1_000  # by default
FIRST = 16  # iterations before the first strategies are judged
CLOSE, OFTENER = 4, 4  # times the regret that is wanted: from there on they are judged so many times as often
COARSE, FINE = 10**6, 10**9  # probabilities are rounded to whole multiples of one part in so many: finely where the
NEAR = Fraction(1, 10**4)  # coarse ones leave a regret of less than this, times the range of the utilities
DECIMALS = 10**12  # ends of an interval are multiples of 1 / DECIMALS, or have smaller denominators
SLICE = 0.05  # seconds of iterations between two looks at the clock
MOST_ITERATIONS = 1 << 40  # iterations, where only a clock or a regret ends them


class PlanEvaluation(NamedTuple):
    """Strategies and their payoffs: `value` is what each player gets by them, `most` what each player gets by a best
    reply to the others."""

    iterations: int
    plans: RealizationPlans
    value: tuple[Number, ...]
    most: tuple[Number, ...]

    @property
    def regret(self) -> tuple[Number, ...]:
        return tuple(exact(most - value) for most, value in zip(self.most, self.value, strict=True))


def cfr(
    game: Game[Any],
    limits: SearchLimits = NO_LIMITS,
    *,
    method: Method = "plus",
    iterations: int | None = None,
    regret: Fraction | None = None,
    checkpoint: str | None = None,
) -> Solution:
    """Strategies with proved regret and, if the sum of utilities is constant, an interval for the value. Ends after
    `iterations`, when no player can gain more than `regret`, or with the time; after ITERATIONS if nothing is given. It
    continues from the file `checkpoint`, if that exists, and writes it. `nodes` limits the positions. Raises Refusal
    for games of imperfect recall, and if the checkpoint is of another game or method; DamagedData if it is damaged."""
    budget = limits.budget(MOST_POSITIONS)
    begun = CFR.answer(game, exact=False)
    positions = explore_or_sample(game, budget, begun)
    begun = replace(begun, nodes=positions.count)
    search = Averaging(sequences(positions), method)
    wanted = iterations or (ITERATIONS if regret is None and limits.time is None else MOST_ITERATIONS)
    lock = nullcontext() if checkpoint is None else lock_file(Path(checkpoint), "which keeps its checkpoint there")
    with lock:
        if checkpoint is not None:
            search.goes_on_from(Path(checkpoint))
        with answering(lambda: search.answer(begun)), search.checkpoint or nullcontext():
            search.improve(wanted, regret or 0, budget)
    return search.answer(begun)


def _distance(judged: PlanEvaluation) -> Number:
    """The distance from an equilibrium: the sum of what each player could gain by deviating."""
    return sum(judged.regret, Fraction(0))


class Averaging:
    """A run of counterfactual regret minimisation: the average strategies of a game, and the best of those that were
    judged."""

    def __init__(self, form: Sequences, method: Method):
        self.form = form
        self._payoffs = Payoffs(form, narrow=True)
        self.table, self._method = self._payoffs.table(), method
        minimiser = wings.installed_hook("compiled regret minimisation") or ReferenceMinimiser
        self.minimiser: Minimiser = minimiser(self.table, method)
        self.best: PlanEvaluation | None = None
        self.checkpoint: CfrCheckpoint | None = None

    def goes_on_from(self, file: Path) -> None:
        """Continue from the checkpoint in the file, if there is one, and write checkpoints there from now on."""
        self.checkpoint = CfrCheckpoint(file, self.minimiser, self.table, self._method)
        best = self.checkpoint.best = self.checkpoint.load()
        if best is not None:
            now, iterations = array("d", self.minimiser.average()), self.minimiser.iterations
            self.take(best.average, best.iterations)
            self.minimiser.take(now, iterations)
        self.checkpoint.save()  # at once: if the file cannot be written, this fails early

    def iterate(self, count: int) -> None:
        """Run `count` more iterations, without judging the strategies."""
        self.minimiser.run(self.minimiser.iterations + count, inf)

    def improve(self, iterations: int, regret: Number, budget: Budget) -> None:
        """Run until `iterations` are done, or no player can gain more than `regret`."""
        scheduled = self._next_evaluation(self.minimiser.iterations, regret)
        while True:
            target = min(scheduled, iterations)
            while not self.minimiser.run(target, SLICE):
                self._pause(budget)
            before = self.best
            found = self._judge()
            if self.checkpoint is not None and found is not before and self.minimiser.iterations == scheduled:
                self.checkpoint.best = BestAverage(scheduled, array("d", self.minimiser.average()))
            if max(found.regret) <= regret or target >= iterations:
                return
            self._pause(budget)
            scheduled = self._next_evaluation(scheduled + 1, regret)

    def _next_evaluation(self, least: int, wanted: Number) -> int:
        """The number of iterations, at least `least`, after which strategies are judged next; `wanted` is the regret to
        reach. It depends only on earlier judgements, so a resumed run judges after the same iterations as an unbroken
        one."""
        power = FIRST
        while 2 * power <= least:
            power *= 2
        is_close = self.best is not None and max(self.best.regret) <= CLOSE * wanted
        step = power // OFTENER if is_close else power
        return max(FIRST, -(-least // step) * step)

    def take(self, average: Sequence[float], iterations: int) -> PlanEvaluation:
        """Judge average strategies that another method found, and return the best ones so far. They are weights for
        each sequence of all players; only the proportions within a set matter."""
        self.minimiser.take(average, iterations)
        return self._judge()

    def _pause(self, budget: Budget) -> None:
        if budget.progress:
            budget.progress(self.minimiser.iterations)
        if self.checkpoint is not None and self.checkpoint.is_due:
            self.checkpoint.save()
        budget.check_time()

    def _judge(self) -> PlanEvaluation:
        """Judge the present average strategies, and return the best evaluation so far."""
        now = self._by_parts(self._payoffs.parts) if self._payoffs.parts else self._by_rounding()
        self.best = now if self.best is None else min(self.best, now, key=_distance)
        return self.best

    def _by_parts(self, parts: int) -> PlanEvaluation:
        """Judge the average strategies as plans of `parts` equal parts."""
        found, under = self.minimiser.judge_average(parts), self._payoffs.under
        players = len(self.form.positions.players)
        value = tuple(exact(Fraction(amount, under * parts**players)) for amount in found.value)
        most = tuple(exact(Fraction(amount, under * parts ** (players - 1))) for amount in found.most)
        plans = RealizationPlans(found.weights, (parts,) * players)
        return PlanEvaluation(self.minimiser.iterations, plans, value, most)

    def _by_rounding(self) -> PlanEvaluation:
        """Judge the average strategies with rounded probabilities: coarsely, and also finely if the regret is near
        zero."""
        average = self.minimiser.average()
        now = self._evaluate_plans(self._payoffs.plans(average, COARSE))
        if max(now.regret) < NEAR * self._payoffs.range:
            now = min(now, self._evaluate_plans(self._payoffs.plans(average, FINE)), key=_distance)
        return now

    def _evaluate_plans(self, plans: RealizationPlans) -> PlanEvaluation:
        players = range(len(plans.weights))
        value = tuple(self._payoffs.value(plans, player) for player in players)
        most = tuple(self._payoffs.best_reply_payoff(plans, player) for player in players)
        return PlanEvaluation(self.minimiser.iterations, plans, value, most)

    @property
    def has_equilibrium(self) -> bool:
        """True if nobody can gain by leaving the best strategies so far."""
        return self.best is not None and not any(self.best.regret)

    def answer(self, begun: Solution) -> Solution:
        """The answer by the best strategies found so far."""
        found = self.best or self._judge()
        positions = self.form.positions
        behaviour = self.form.behaviour(found.plans.weights)
        proved = self.has_equilibrium
        total = positions.constant_sum() if len(positions.players) == 2 else None
        begins = proved and total is not None  # else threats do it
        ties = untied_note(positions, behaviour) if begins else ()
        return replace(
            begun,
            exact=proved,
            value=found.value if proved else tuple(map(float, found.value)),
            interval=None if proved or total is None else _interval(found, total),
            strategy=write_profile(positions, behaviour),
            best=first_action(positions, behaviour) if begins else (),
            regret=found.regret,
            notes=(_regret_sentence(found, total is not None), *ties, *self._faults()),
        )

    def _faults(self) -> list[str]:
        """A note, in a list, that the compiled engine has failed; [] if it has not."""
        fault = self.minimiser.fault
        if fault is None:
            return []
        return [f"{fault}; its code ran as Python, which is slow. Please report this with the game and the command."]


def _interval(found: PlanEvaluation, total: Number) -> Bounds:
    """Bounds on the values of both players: each gets no less than the player's own strategy secures, and no more than
    the other's strategy allows."""
    first, second = found.most
    low, high = _floor(total - second), -_floor(-first)
    return (low, high), rest_bounds((low, high), total)


def _floor(number: Number) -> Number:
    """The number itself, or one a little below it with no more than twelve decimals."""
    number = Fraction(number)
    return exact(number if number.denominator <= DECIMALS else Fraction(floor(number * DECIMALS), DECIMALS))


def _regret_sentence(found: PlanEvaluation, sure: bool) -> str:
    if not any(found.regret):
        return f"After {found.iterations:,} iterations nobody can gain by deviating: this is an equilibrium."
    regret = brief(max(found.regret), "about ")
    told = f"After {found.iterations:,} iterations no player can gain more than {regret} by deviating."
    return told if sure else f"{told} In a game of this kind more iterations need not bring less."


# -- checkpoints: where a long run goes on after a limit, Ctrl-C or a crash --------------------------------------------
#
# A file (gdl/formats/resuming.py) holds the numbers of the minimiser, and the average strategy that was judged best, as
# floats of eight bytes, the lowest first. Floats are restored to the bit, and strategies are judged after the same
# iterations wherever work was cut; so what comes out is the same to the byte. (The first line once had no lengths.)

FLOAT = 8  # bytes of a float
BEST = "best"  # the name of the part with the average that was judged best


class BestAverage(NamedTuple):
    """The average strategy that was judged best, and its number of iterations."""

    iterations: int
    average: array[float]


class CfrCheckpoint(CheckpointFile):
    """The checkpoint of one run. `best` is the best of the averages judged at FIRST, 2 FIRST, 4 FIRST, … iterations;
    None if there is none. In a `with` block it is saved however the block ends."""

    best: BestAverage | None = None
    OTHER = "is a checkpoint of another game or method"

    def __init__(self, file: Path, minimiser: Minimiser, table: CfrSequenceTable, method: str):
        super().__init__(file, {"what": "cfr", "version": 2, "game": _digest(table), "method": method})
        self.minimiser = minimiser
        self._size = sum(table.sequences) * FLOAT

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *why: object) -> None:
        self.save()

    def save(self) -> None:
        """Write the state of the minimiser, and the best average if there is one. In the middle of an iteration nothing
        is written."""
        minimiser, best = self.minimiser, self.best
        if minimiser.torn:
            return
        parts = {name: _bytes(minimiser.numbers[name]) for name in KEPT}
        parts |= {} if best is None else {BEST: _bytes(best.average)}
        self.write(parts, {"iterations": minimiser.iterations, "best": best and best.iterations})

    def load(self) -> BestAverage | None:
        """Restore the minimiser from the checkpoint, if there is one. Returns the best of the averages judged so far,
        or None. Raises DamagedData if it is not whole, Refusal if it is of another game or method."""
        found = self.read()
        if found is None:
            return None
        told, parts = found
        iterations, best = told.get("iterations"), told.get("best")
        usual = dict.fromkeys([*KEPT, *([] if best is None else [BEST])], self._size)
        whole = usual == {name: len(part) for name, part in parts.items()}
        if not whole or not _are_counts(iterations, best):
            raise self.damage_error()
        rows = {name: numbers_in("d", part) for name, part in parts.items()}
        average = rows.pop(BEST, None)
        self.minimiser.restore(rows, told["iterations"])
        return None if average is None else BestAverage(told["best"], average)


def _are_counts(iterations: Any, best: Any) -> bool:
    """True if these are numbers of iterations, the best one (None: none was judged) not being later than the last."""
    if not isinstance(iterations, int) or iterations < 0:
        return False
    return best is None or (isinstance(best, int) and 0 <= best <= iterations)


def _digest(table: CfrSequenceTable) -> str:
    """A digest of the game for a checkpoint, made of its sequences and payoffs."""
    digest = sha256(repr((table.sequences, table.sets)).encode())
    digest.update(little_endian_bytes(table.led))
    digest.update(little_endian_bytes(table.paid))
    return digest.hexdigest()


def little_endian_bytes(numbers: array[Any]) -> bytes:
    """The bytes of the numbers, the lowest first."""
    if sys.byteorder == "big":
        numbers = array(numbers.typecode, numbers)
        numbers.byteswap()
    return numbers.tobytes()


def _bytes(numbers: Any) -> bytes:
    return little_endian_bytes(array("d", numbers))


def numbers_in(code: str, data: bytes | memoryview) -> array[Any]:
    """Read back an array of numbers from its bytes."""
    found: array[Any] = array(code)
    found.frombytes(data)
    if sys.byteorder == "big":
        found.byteswap()
    return found


CFR = Solver(
    name="cfr",
    run=cfr,
    needs={"players": AtLeast(2), "perfect_recall": True, "cyclic": False},
    summary="hidden information, any number of players: strategies that improve with time, and their proven regret",
    advised={"perfect_information": False},
    extent="whole",
)
