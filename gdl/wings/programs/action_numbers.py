"""The tables by which kernel code computes the numbers of actions (kernels/action_numbers.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gdl.analysis.dependence import all_inside
from gdl.compiler.lower import Lowered
from gdl.model import core
from gdl.model.games import RulesModel


class Digits(NamedTuple):
    """The numbering of the actions of a rule whose body chooses `words` values. An action's number is `first` plus the
    sum of its values, those of the head before those of the body, each times its stride."""

    rule: int
    words: int
    first: int
    strides: Sequence[int]


class ActionNumbers:
    """Tables for the kernel that lists legal actions: they turn the words of a row into the number of its action."""

    def __init__(self, model: RulesModel, lowered: Lowered, digits: Sequence[Digits]):
        self._chooses = lowered.chooses
        self._blocks = [made for block in digits for made in in_words(model, lowered, block)]
        self._longest = max((block.words for block in self._blocks), default=0)
        self._heads = [sum(words) for words in lowered.head_words[: len(model.actions)]]

    @property
    def settings(self) -> dict[str, int]:
        """The values of the kernel's constants."""
        most, longest = max(self._heads, default=0), self._longest
        gaps = any(self._chooses) or {block.rule for block in self._blocks} != set(range(len(self._heads)))
        only = self._blocks[0] if most == 1 and len(self._heads) == 1 and not gaps else None
        return {
            "ACTION_ONLY": only is not None, "ACTION_FROM": only.first if only else 0,
            "ACTION_EACH": only.strides[0] if only else 0,
            "ACTION_CHOOSES": any(self._chooses), "ACTION_RULES": max(1, len(self._heads)),
            "ACTION_LENGTHS": longest + 1, "ACTION_HEADS": most, "ACTION_WORDS": max(1, most + longest),
            "ACTION_GAPS": gaps,
        }  # fmt: skip

    def fill(self, module: Mapping[str, Any]) -> None:
        """Write the tables into a module's memory."""
        for rule, words in enumerate(self._heads):
            module["action_heads"][rule] = words
            module["action_paths"][rule] = self._chooses[rule]
        most = max(self._heads, default=0)
        width = len(module["action_stride"]) // len(module["action_first"])
        for block in self._blocks:
            k = block.rule * (self._longest + 1) + block.words
            module["action_known"][k] = 1
            module["action_first"][k] = block.first
            own = self._heads[block.rule]
            for j, stride in enumerate(block.strides):
                module["action_stride"][k * width + (j if j < own else most + j - own)] = stride


def in_words(model: RulesModel, lowered: Lowered, block: Digits) -> list[Digits]:
    """The digits of a block of action numbers in the form of kernel code, where the words of rows are the digits; [] if
    these words do not give the numbers. If a path also stores at each choice that there was one (and at its end that
    there was none), those words have stride 0."""
    rule = model.actions[block.rule]
    held = lowered.head_words[block.rule]
    if len(held) != len(rule.parameters) or any(count != 1 for count in held):
        return []  # a set, or a rule that never comes about
    if not lowered.tells[block.rule]:
        return [block]
    choices = [form for form in all_inside(model, rule.body) if isinstance(form, core.Choose)]
    if len(choices) > 1:
        return []
    width, strides = len(choices[0].parameters), list(block.strides[: len(held)])
    for at in range(len(held), len(block.strides), width):
        strides += [0, *block.strides[at : at + width]]
    words = len(strides) - len(held)
    return [Digits(block.rule, words, block.first, strides), Digits(block.rule, words + 1, block.first, [*strides, 0])]
