"""The steps by which a net learns, done by torch (Paszke et al., PyTorch, 2019), which is faster where layers are wide.
This file alone knows that library.

The loss is that of kernels/lessons.py, and so are the positions of a step and Adam; numbers have 32 bits, and all rows
move in each step, not only those that have a part in it. Everything stands in the arrays of the kernel before and
after, so that it is saved, goes on and plays as ever. One thread: the same bytes on one machine.
"""

from __future__ import annotations

from array import array
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gdl.compiler.joining import named
from gdl.errors import Refusal

if TYPE_CHECKING:
    from gdl.compiler.searches.net_lessons import NetLessons

K = named("lessons")
NEEDS = "--trainer torch needs the package torch: pip install 'gdl[torch]'"
ADAM_EPSILON = 1e-8  # beside the root of the mean of squares, by which Adam divides


def library() -> Any:
    """The library. Raises Refusal where it is missing."""
    try:
        return import_module("torch")
    except ModuleNotFoundError:
        raise Refusal(NEEDS) from None


class Steps:
    """Steps for one learner, on a GPU where there is one."""

    def __init__(self, lessons: NetLessons):
        self._torch, self._lessons = library(), lessons
        self._torch.set_num_threads(1)
        self._device = "cuda" if self._torch.cuda.is_available() else "cpu"
        net, views = lessons.net, lessons.net.views
        self._row, self._slot, self._part = (
            self._held(numbers).long() for numbers in (views.row, views.slot, views.part)
        )
        self._offset = self._held(array("i", net.offsets)).long()
        ways = lessons.module["lesson_ways"]
        self._first = self._held(array("i", ways[:-1])).long()
        self._many = self._held(array("i", (ways[n + 1] - ways[n] for n in range(net.players)))).long()
        self._way = self._held(array("i", lessons.module["lesson_way"])).long()

    def _held(self, numbers: Any) -> Any:
        """A copy of numbers."""
        torch = self._torch
        kind = {"i": torch.int32, "d": torch.float64}[memoryview(numbers).format]
        return torch.frombuffer(bytearray(memoryview(numbers).cast("B")), dtype=kind).to(self._device)

    def take(self, steps: int, batch: int, seed: int) -> None:
        """So many steps, each from so many positions of the window."""
        torch, lessons, module = self._torch, self._lessons, self._lessons.module
        random = torch.Generator().manual_seed(seed & (1 << 63) - 1)
        held = min(int(module["lesson_count"][K.LESSON_HELD]), lessons.window)
        drawn = torch.randint(held, (steps, batch), generator=random)
        which = torch.rand((steps, batch), generator=random, dtype=torch.float64).to(self._device)
        positions = self._held(module["lesson_held"][: held * lessons.each]).view(held, -1)
        goals = self._held(module["lesson_goal"][: held * lessons.net.players]).view(held, -1).float()
        names = ("net_weight", "lesson_mean", "lesson_square")
        size = lessons.net.rows * lessons.net.units
        weight, mean, square = (self._held(module[name][:size]).view(lessons.net.rows, -1).float() for name in names)
        weight.requires_grad_()
        for k in range(steps):
            chosen = drawn[k].to(self._device)
            (slope,) = torch.autograd.grad(self._loss(weight, positions[chosen], goals[chosen], which[k]), weight)
            self._move(weight, mean, square, slope)
        for name, found in zip(names, (weight.detach(), mean, square), strict=True):
            target = torch.frombuffer(module[name], dtype=torch.float64)
            target[:size].copy_(found.double().flatten())
        module["net_known"][0] = 0

    def _move(self, weight: Any, mean: Any, square: Any, slope: Any) -> None:
        """One step of Adam."""
        rule = self._lessons.module["lesson_rule"]
        keep, keep_2 = rule[K.LESSON_FIRST], rule[K.LESSON_SECOND]
        rule[K.LESSON_POWER] *= keep
        rule[K.LESSON_POWER_2] *= keep_2
        rate = rule[K.LESSON_RATE] * (1.0 - rule[K.LESSON_POWER_2]) ** 0.5 / (1.0 - rule[K.LESSON_POWER])
        mean.mul_(keep).add_(slope, alpha=1.0 - keep)
        square.mul_(keep_2).addcmul_(slope, slope, value=1.0 - keep_2)
        with self._torch.no_grad():
            weight.addcdiv_(mean, square.sqrt().add_(ADAM_EPSILON), value=-rate)

    def _loss(self, weight: Any, positions: Any, goals: Any, which: Any) -> Any:
        """The mean of what the net has to learn from some positions, each shown by a view at random."""
        torch, net = self._torch, self._lessons.net
        values, actions = net.inputs + net.units, net.inputs + net.units + net.outputs
        side = positions[:, K.LESSON_SIDE].long()
        view = self._way[self._first[side] + (which * self._many[side]).long()]
        part = self._part[view[:, None] * net.players + torch.arange(net.players, device=self._device)]
        shown = self._inputs(positions, view, part.gather(1, side[:, None]))
        first = _layer(torch, shown @ weight[: net.inputs])
        second = _layer(torch, first @ weight[net.inputs : values])
        output = second @ weight[values:actions].T
        if net.scale.bounded:
            output = output / torch.sqrt(1.0 + output * output)
        wanted = torch.zeros_like(goals).scatter_(1, part, goals)[:, : net.outputs]
        value = (output - wanted).square().sum() * (0.5 * self._lessons.module["lesson_rule"][K.LESSON_VALUE])
        return (value + self._of_actions(positions, view, second @ weight[actions:].T)) / len(positions)

    def _inputs(self, positions: Any, view: Any, mover: Any) -> Any:
        """How often each row is added to the first layer; `mover` is the row of whose turn it is."""
        torch, net = self._torch, self._lessons.net
        cells = positions[:, K.LESSON_CELLS : K.LESSON_CELLS + len(net.sizes)].long()
        rows = self._row[view[:, None] * sum(net.sizes) + self._offset + cells]
        rows = torch.where(rows < 0, net.inputs, rows)
        shown = torch.zeros((len(positions), net.inputs + 1), device=self._device)
        shown.scatter_add_(1, rows, torch.ones_like(rows, dtype=shown.dtype))
        shown.scatter_add_(1, mover, torch.ones_like(mover, dtype=shown.dtype))
        return shown[:, : net.inputs]

    def _of_actions(self, positions: Any, view: Any, scores: Any) -> Any:
        """The cross entropy of the shares. Actions of one row are one, with as many parts."""
        torch, net, listed = self._torch, self._lessons.net, self._lessons.listed
        at = K.LESSON_CELLS + len(net.sizes)
        slots = self._slot[view[:, None] * net.slots + positions[:, at : at + listed].long()]
        visits = positions[:, at + listed : at + 2 * listed].float()
        here = (torch.arange(listed, device=self._device) < positions[:, K.LESSON_ROWS, None]).float()
        many = torch.zeros_like(scores).scatter_add_(1, slots, here)
        gone = torch.zeros_like(scores).scatter_add_(1, slots, visits * here)
        share = gone / gone.sum(1, keepdim=True).clamp_min(1.0)
        logarithm = torch.where(many > 0, scores + many.clamp_min(1.0).log(), -1e30).log_softmax(1)
        return -(share * torch.where(share > 0, logarithm, 0.0)).sum()


def _layer(torch: Any, sums: Any) -> Any:
    """A layer: what is below 0 counts as 0, the last number as 1."""
    return torch.cat((sums[:, :-1].relu(), torch.ones_like(sums[:, :1])), 1)
