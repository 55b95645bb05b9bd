"""A game's model -> the source text of its kernel module."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from typing import Any

from gdl.analysis.dependence import all_inside
from gdl.analysis.traits import accumulates
from gdl.compiler.ir import module as nodes
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import printer
from gdl.compiler.ir.build import array, wrap64
from gdl.compiler.joining import KernelPart, Pieces
from gdl.compiler.lower.arrays import WORDS
from gdl.compiler.lower.code_values import ALL_BITS, UnsupportedConstruct, as_signed
from gdl.compiler.lower.constant_tables import Fixed
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.files import add_duplicates
from gdl.compiler.lower.labels import Labels
from gdl.compiler.lower.lowering import Lowering, RecogniserFault
from gdl.compiler.lower.memory import declarations
from gdl.compiler.lower.past import PastKeys
from gdl.compiler.lower.rows import MOST_ROWS
from gdl.compiler.lower.state_layout import Layout, layout
from gdl.compiler.lower.writer import GameModule, Places, TrapReason, Writer
from gdl.compiler.passes import CODE_PASSES, RULE_PASSES, STAGES, run_passes
from gdl.errors import NotMadeInTime, Refusal, clean
from gdl.errors.deadline import enforce_making
from gdl.interpreter.rules_game import RulesGame
from gdl.model import core
from gdl.model.core_text import rules_as_text
from gdl.model.evaluation import OtherEvaluation
from gdl.model.games import RulesModel
from gdl.wings import installed_hook

forgiving = True  # a recogniser that fails is left out; tests set it to False, so that it fails there
MOST_MIXED = 100  # words of the largest state whose hash is written out without a loop


@dataclass(frozen=True)
class Lowered:
    """A game lowered to a kernel module, with the facts that callers need to run it and to read its memory."""

    module: nodes.Module
    layout: Layout
    faults: tuple[TrapReason, ...]  # by the code of a trap
    denominator: int  # of utilities
    evaluation_denominator: int
    quiet_denominator: int
    head_words: tuple[tuple[int, ...], ...]  # of each rule: the words of each parameter in a row
    chooses: tuple[bool, ...]  # of each rule: whether its rows end with a path
    tells: tuple[bool, ...]  # of each rule: whether its paths also record that a choice had no option
    says: tuple[core.Say, ...]  # by the number of an event
    weighs: bool  # whether chance has outcomes that are not all alike
    has_joint_moves: bool  # whether all players may move at once
    wide: bool  # whether utilities are words of 64 bits
    rows: int  # of the array `move`: how many can be listed at once
    views: tuple[int, int] | None  # the words that all players see, and that each sees alone, where that was asked for
    hears: bool  # whether players are told of actions of others
    has_events: bool  # whether something is said, or forgotten
    names_differ: bool  # whether the rules alone prove that no two actions of a state have one name
    lists: tuple[tuple[int, ...], ...]  # constant lists by their numbers; their items that are lists are numbers too
    labels: Labels | None = None  # the texts and types of names, where what a person is shown was asked for
    keys: PastKeys | None = None  # the keys of earlier positions, if the rules ask about these
    further: tuple[str | KernelPart | nodes.Module, ...] = ()  # code that is joined with the module
    fill: Callable[[Mapping[str, Any]], None] | None = None  # writes a learned evaluation into a new module's memory

    @cached_property
    def source(self) -> str:
        """The text of the module as kernel Python, made on demand; WebAssembly is made from the nodes."""
        return printer.module(self.module)

    def refusal(self, code: int) -> Refusal:
        """The refusal for a trap whose cause is the engine's limits, not a fault of the rules."""
        fault = self.faults[code]
        place = f" (line {fault.span.line})" if fault.span else ""
        return Refusal(f"{fault.message}{place}: take '--engine interpreter'")


def lower(
    model: RulesModel, reference: RulesGame, views: bool = False, labels: bool = False, evaluation: bool = True
) -> Lowered:
    """The kernel module of a game, made once for each combination of the flags and kept. `reference` is the same game
    on the interpreter, which supplies the first state. The flags ask for code that not every caller needs: `views`,
    what each player sees and hears; `labels`, what a person is shown; `evaluation`, EVAL(s), which in some games takes
    as long to lower as all the rest. Raises Refusal, naming the construct, where the rules use one that the compiled
    engine does not take, and NotMadeInTime."""
    made: dict[tuple[bool, ...], Lowered] = vars(reference).setdefault("lowered", {})  # goes when the game does
    whole = views, labels, True
    asked = whole if whole in made else (views, labels, evaluation)
    if asked not in made:
        keep = installed_hook("kept code") or (lambda model, asked, make: make())
        with making_in_time(model.name):
            made[asked] = keep(model, asked, lambda: _lower_or_refuse(model, reference, asked))
    return made[asked]


def making_in_time(name: str) -> AbstractContextManager[None]:
    """A block that makes code of the game of this name. Raises NotMadeInTime once its share of the time is spent."""
    return enforce_making(lambda time: NotMadeInTime(f"the code of {clean(name)} was not made in {time}"))


def lower_counting(model: RulesModel, reference: RulesGame) -> tuple[Lowered, Mapping[tuple[str, int], int]]:
    """The module of a game that counts the work of each line of its rules, and for each (file, line) the line's index
    in the module's array LINE_WORK."""
    places = Places()
    return _lower_or_refuse(model, reference, (False,) * 3, places), places.lines


def recogniser_names(model: RulesModel) -> list[str]:
    """The names of the recognisers, in the order in which they are tried."""
    return _new_lowering(model, None).recognisers


def before_and_after(model: RulesModel, reference: RulesGame, name: str) -> tuple[str, str]:
    """The text of a game without, and with, the pass or the recogniser called `name`."""
    if name in STAGES:
        return text_after_stage(model, reference, STAGES[STAGES.index(name) - 1]), text_after_stage(
            model, reference, name
        )
    left_out = _lower_or_refuse(model, reference, (False, False, True), without=(name,))
    return left_out.source, text_after_stage(model, reference, "lowering")


def text_after_stage(model: RulesModel, reference: RulesGame, name: str) -> str:
    """The text of a game after the stage called `name`: its rules, or from "lowering" on its module."""
    if name == "rules" or name in RULE_PASSES:
        return rules_as_text(run_passes(RULE_PASSES, model, name) if name in RULE_PASSES else model)
    module = copy(lower(model, reference).module)
    if name in CODE_PASSES:
        module.functions = {made.name: run_passes(CODE_PASSES, made, name) for made in module.functions.values()}
    return printer.module(module)


def _lower_or_refuse(
    model: RulesModel, reference: RulesGame, asked: tuple[bool, ...], places: Places | None = None,
    without: Collection[str] = (),
) -> Lowered:  # fmt: skip
    left_out = set(without)
    while True:
        try:
            return _finish_lowering(_lower_rules(model, asked, places, left_out), reference)
        except UnsupportedConstruct as refused:
            raise refused.refusal(model.name) from None
        except RecogniserFault as fault:
            # Once more from the beginning: what it had written before it failed is gone with all the rest.
            if not forgiving:
                raise
            left_out.add(fault.name)


def _lower_rules(
    model: RulesModel, asked: tuple[bool, ...], places: Places | None, without: Collection[str]
) -> Lowering:
    """Write all functions that follow from the rules alone, without the first state."""
    if accumulates(model):
        help = "take 'discount' out if all gains may count in full; only the interpreter counts later ones less"
        help = "pay in 'terminal' alone where plays end" if model.discount == 1 else help
        refused = UnsupportedConstruct("rewards on the way and discounts", help)
        resolved = () if model.resolve is None else (model.resolve,)
        bodies = [rule.body for rule in (*model.actions, *model.chances, *resolved)]
        found = (form for body in bodies for form in all_inside(model, body) if isinstance(form, core.Reward))
        refused.span = next((reward.span for reward in found), None) if model.discount == 1 else model.discount_span
        raise refused
    made = _new_lowering(run_passes(RULE_PASSES, model), places, without)
    made.write(*asked)
    return made


def _new_lowering(model: RulesModel, places: Places | None, without: Collection[str] = ()) -> Lowering:
    module = GameModule(places=places)
    return Lowering(Context(model, layout(model), module, Fixed(model, module)), without)


def _finish_lowering(made: Lowering, reference: RulesGame) -> Lowered:
    """Add the first state, the search for equal results and names, the hash and the memory, and put the module
    together."""
    module, model = made.context.module, made.context.model
    _write_start(made, reference)
    _write_results(made)
    _write_hash(module, made.context.layout)
    head = declarations(made, _rows(made))
    held, learned = made.context.layout, model.learned
    keys = None if held.past is None else PastKeys(tuple(made.past.keys), held.past, made.past.unknown_past_trap)
    return Lowered(
        module.finish_module(head),
        replace(held, keys=keys),
        tuple(module.faults),
        made.ends.denominator,
        made.ends.evaluation_denominator,
        made.ends.quiet_denominator,
        tuple(made.rows.head_words),
        tuple(made.rules.has_path(rule) for rule in made.rules.all),
        tuple(
            any(id(form) in made.choices.telling for form in all_inside(model, rule.body)) for rule in made.rules.all
        ),
        tuple(made.bodies.says),
        made.counting.weighs,
        "apply_joint" in module.functions,
        made.ends.wide,
        _rows(made),
        (made.views.public, made.views.private) if "observe" in module.functions else None,
        made.rules.hears,
        made.rules.tells,
        not any(made.naming.sharing),
        module.lists,
        made.labels if "look" in module.functions else None,
        keys,
        *_join_evaluation(learned, held),
    )


def _join_evaluation(
    learned: OtherEvaluation | None, held: Layout
) -> tuple[Pieces, Callable[[Mapping[str, Any]], None] | None]:
    """The pieces that give the module its EVAL where that is not the file's own, and the function that writes it into
    the module's memory."""
    if learned is None:
        return (), None
    lowering: Any = import_module(learned.lowering)
    return lowering.evaluation_pieces(learned, held), partial(lowering.fill, learned)


def _write_start(made: Lowering, reference: RulesGame) -> None:
    """Write `start()`, which copies the first state; the interpreter has worked it out."""
    state = reference.initial()
    words = made.context.layout.words_of_state(state.turn, state.cells)
    table = made.context.module.table(words, "initial")
    out = Writer()
    with out.counting("k", None, "STATE"):
        out.store("s", "k", array(table)["k"])
    made.context.module.function(out, "start", "The first state.")


def _write_results(made: Lowering) -> None:
    """Write the functions that look for equal results and equal names, if the rules need them."""
    model, sharing = made.context.model, made.naming.sharing
    merges = any(rule.merge for rule in model.actions)
    needed = {
        "begin_results": merges, "is_new_result": merges, "seen_before": made.choices.most_held,
        "merge_outcomes": any(rule.merge for rule in model.chances), "distinct_rows": any(sharing),
    }  # fmt: skip
    names = [name for name, is_needed in needed.items() if is_needed]
    add_duplicates(made.context.module, names, made.rules.tells, made.rules.keeps, bool(model.chances))


def _mix_number(number: int) -> int:
    """A fixed odd number of 64 bits for each index, which looks random (SplitMix64)."""
    z = (number + 1) * 0x9E3779B97F4A7C15 & ALL_BITS
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & ALL_BITS
    z = (z ^ z >> 27) * 0x94D049BB133111EB & ALL_BITS
    return z ^ z >> 31 | 1


def _write_hash(module: GameModule, held: Layout) -> None:
    out, h = Writer(), ir.Local("h")
    out.set("h", 0, ir.I64)
    if held.words <= MOST_MIXED:
        for k in range(held.words // 2):
            out.set("h", wrap64(h + WORDS[k] * as_signed(_mix_number(k))))
    else:
        mix = module.table([as_signed(_mix_number(k)) for k in range(held.words // 2)], "mix")
        with out.counting("k", None, ir.Local("STATE") // 2):
            out.set("h", wrap64(h + WORDS["k"] * array(mix)["k"]))
    out.returns(h ^ h >> 32)
    module.function(out, "hash", "A number that tells states apart, nearly always.", ir.I64)


def _rows(made: Lowering) -> int:
    """The number of rows that the array `move` holds: as many as can ever be listed, at most MOST_ROWS."""
    return min(MOST_ROWS, 2 + made.rows.most_rows * (len(made.context.model.players) if made.rules.everyone else 1))
