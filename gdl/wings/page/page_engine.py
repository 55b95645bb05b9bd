"""The compiled engine for a page: a WebAssembly module that plays the game, and one for each search that fits it, with
what a script must know of them."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any, NamedTuple

from gdl import wings
from gdl.compiler.better_evaluation import with_evaluation
from gdl.compiler.compiled_engine import by_rules
from gdl.compiler.emit import emit
from gdl.compiler.emit.memory_layout import FORMAT, MemoryPlace
from gdl.compiler.ir.nodes import SIZE
from gdl.compiler.joining import Pieces, kernel
from gdl.compiler.lower import Lowered, lower
from gdl.compiler.lower.files import keeping
from gdl.compiler.lower.labels import Labels
from gdl.compiler.lower.packing import packing
from gdl.compiler.lower.state_layout import missing_of
from gdl.compiler.searches import principal_variation as pvs
from gdl.compiler.searches.mcts_driver import MctsTreeOptions, fill_settings, holder_settings, scale_price
from gdl.compiler.searches.path_search import UNLIMITED, fill_bounds
from gdl.compiler.searches.state_table import positions
from gdl.compiler.searches.vectors_driver import frames_to_ends
from gdl.errors import Refusal, clean
from gdl.game import surely_at
from gdl.interpreter.rules_game import RulesGame
from gdl.model.core import Const, Rank, Require
from gdl.model.domains import TEXT, TRUTH, Named, Optional, Part, SetType, Type, members, ordinal_base, text_of
from gdl.model.games import Appearance
from gdl.solvers.horizon import for_windows, goes_on
from gdl.solvers.mcts.mcts import EXPLORATION, FEW_ACTIONS, engine_settings, usual_amaf
from gdl.solvers.mcts.uct_nodes import LONGEST, PlayoutPlyLimit
from gdl.states.safe_play import SAFE_ACTIONS
from gdl.wings.arena.rules_in_words import clause_text

TABLE = 1 << 26  # bytes of a table of positions: a phone has room for them
NODES = 1 << 20  # of a tree of simulations
STATES = 1 << 25  # bytes of the states that such a tree keeps
STARTS, TRIED = 100, 1 << 15  # possible positions to begin at, and memories at which actions are counted

_GAME = ("start", "status", "moves", "apply")
_PLAY = (*_GAME, "apply_joint", "hear", "name_row", "look")
_WINDOWS = ("begin", "search_run", "table_clear", "order_learn", "pack", "table_find")
_VECTORS = ("vectors_begin", "vectors_run", "vectors_known")
_REFUTING = ("refute_begin", "refute_run")
_KERNELS = {  # of a search: its kernels and the functions that are called
    "windows": (("principal_variation",), _WINDOWS),
    "proof": (("principal_variation",), _WINDOWS),
    "vectors": (("vectors",), _VECTORS),
    "ends": (("vectors",), _VECTORS),
    "simulations": (("choice", "refutation"), ("uct_begin", "uct_run", "uct_choice", *_REFUTING)),
}
_SETS = ("simulate_run", "simulate_start", "sim_root")
_SETS_READ = """start_state start_memory start_share sim_learner simulated text_asked tuple_from tuple_word tuple_note
tried_from tried_visits tried_total""".split()
_PLAY_READ = "s util ended weight first joint hears event label shown hides move".split()
_READ = """s util nodes most refused top least greatest found random f_best f_row f_side f_before met
met_under cut_off played uct_sum tree_link tree_count uct_now refute_state refute_player
refute_least refute_left""".split()


class PageEngine(NamedTuple):
    """The module that plays a game on a page (scripts/game.js), and those of the searches (scripts/compiled.js)."""

    game: Mapping[str, Any]
    searches: Mapping[str, Any]
    number: Callable[[Type], int]  # the number of a type, by which action names and boards refer to it
    types: Callable[[], list[Any]]  # for each numbered type, how its values are written


def page_engine(game: RulesGame, english: bool = True) -> PageEngine:
    """The engine that plays a game on a page, which is in `english` or another language. Raises Refusal where the
    compiled engine does not take the game."""
    try:
        lowered = lower(game.model, game, labels=True)
    except Refusal as reason:
        raise Refusal(f"{clean(game.name)} has no page: {reason}") from None
    labels = lowered.labels
    assert labels is not None
    model, number = game.model, labels.types.number
    variables = [
        {"name": place.variable.name, "place": place.variable.place, "count": place.count,
         "words": place.each if place.is_set else 0, "type": number(place.variable.type),
         "most": place.variable.places, "offset": place.offset, "background": place.background,
         "planes": [place.plane_of(value) for value in place.values] if place.plane is not None else [],
         "indices": [number(index) for index in place.variable.indices], "extents": list(place.variable.extents),
         "bases": [ordinal_base(index) for index in place.variable.indices]}
        for place in lowered.layout.places
    ]  # fmt: skip
    says = [
        {"text": text_of(say.type, say.event.value)} if isinstance(say.event, Const) else {"type": number(say.type)}
        for say in lowered.says
    ]
    told = {"players": list(model.players), "denominator": lowered.denominator, "times": bool(model.times),
            "variables": variables, "says": says,
            "acts": [[rule.name, *(clause_text(each, "") for each in rule.body if isinstance(each, Require | Rank))]
                     for rule in model.actions],
            "ends": [clause_text(clause, english=english) for clause in model.clauses],
            "outcomes": [clause.span.text.partition("->")[2].strip() for clause in model.clauses]}  # fmt: skip
    searches = page_searches(game) or _information_sets(game)
    return PageEngine(play_module(lowered) | told, searches, number, lambda: list(types_data(labels, model.appearance)))


def play_module(lowered: Lowered) -> dict[str, Any]:
    """The module by which a game is played, and `wide`, the number of words of a row."""
    entries = tuple(name for name in _PLAY if name in lowered.module.functions)
    made = _emit_module([lowered.module], entries, [], _PLAY_READ)
    return made | {"wide": made["arrays"]["move"][2] // lowered.rows}


def types_data(labels: Labels, look: Appearance) -> Iterator[dict[str, Any]]:
    """For each numbered type in order, how its values are written, and how they are shown if that differs. (To number a
    type's parts may add types to the list.)"""
    for type in labels.types.types:
        if isinstance(type, int):
            yield {"under": type}
            continue
        inner = type.item if isinstance(type, Optional) else type
        found: dict[str, Any] = {}
        if isinstance(inner, SetType):
            found = {"set": labels.types.number(inner.item)}
        elif isinstance(inner, Named | Part):
            found = {"names": list((inner.whole if isinstance(inner, Part) else inner).members)}
            shown = [{**look.names, **look.points}.get(name, name) for name in found["names"]]
            if isinstance(inner, Named) and inner.parts:
                shown = [text_of(inner, value, by_field=True) for value in members(inner)]
            found |= {"shown": shown} if shown != found["names"] else {}
        elif inner in (TEXT, TRUTH):
            found = {"names": list(labels.texts) if inner == TEXT else ["false", "true"]}
        yield found | ({"none": missing_of(type)} if inner is not type else {})


def page_searches(game: RulesGame) -> dict[str, dict[str, Any]]:
    """The searches that fit the game, in the order in which they are to be tried, each with its module; {} where the
    engine does not take the game, or has no search for it.

    They are `windows` (principal variation search with the file's evaluation, or by material) or `vectors` (max^n with
    the file's); without an evaluation `proof` (principal variation search to the end) or, with chance or for other
    numbers of players, `ends` (max^n to the ends), and `simulations` (UCT).

    Raises Refusal where something was learned that no search of a page takes.
    """
    traits, valued = game.traits, with_evaluation(game)
    game = game if valued is None else by_rules(valued)[0]
    if traits.perfect_information is True and traits.simultaneous is False and not traits.unknowns:
        with suppress(Refusal):
            lowered = lower(game.model, game)
            if not lowered.has_joint_moves:
                made = _PageEngineBuilder(game, lowered)
                found = {search: made.module(search) for search in made.searches()}
                if found:
                    return found
    if game.model.learned is not None:
        raise Refusal(f"no search of a page takes what was learned of {clean(game.name)}; gdl play takes it")
    return {}


def _information_sets(game: RulesGame) -> dict[str, dict[str, Any]]:
    """The search `sets`: simulations from positions that are possible for all a player knows; {} where the engine does
    not know what players hear, or no such search is installed."""
    with suppress(Refusal):
        joined, fill = wings.hook("search of a page over information sets")(game, STARTS, TRIED)
        return {"sets": _emit_module(joined, _SETS, [fill], _SETS_READ)}
    return {}


def _emit_module(
    joined: Sequence[Any], entries: tuple[str, ...], fill: Sequence[Callable[[Any], None]], read: Sequence[str] = _READ
) -> dict[str, Any]:
    """A module for a page: its code (deflated, in base 64), the type, address and count of each array that is named in
    `read`, and the first contents of those that `fill` writes."""
    module = emit(joined, entries)
    arrays = {n: [place.type, place.offset, place.count] for n, place in module.places.items() if n in read}
    filled = _ModuleArrays(module.places)
    for each in fill:
        each(filled)
    return {"wasm": _deflate_base64(module.binary), "arrays": arrays, "filled": filled.encode_arrays()}


class _ModuleArrays(dict[str, Any]):
    """The arrays of a module that are written before it begins; each is made, all zeros, when it is first asked for."""

    def __init__(self, places: Mapping[str, MemoryPlace]):
        self._places = places

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __missing__(self, name: str) -> Any:
        place = self._places[name]
        made = memoryview(bytearray(place.count * SIZE[place.type])).cast(FORMAT[place.type])  # type: ignore[call-overload]
        self[name] = made
        return made

    def encode_arrays(self) -> list[list[Any]]:
        """For each array that is not all zeros its address and its bytes, deflated and in base 64."""
        texts = ((self._places[name].offset, made.tobytes()) for name, made in self.items())
        return [[offset, _deflate_base64(text)] for offset, text in texts if any(text)]


def _deflate_base64(data: bytes) -> str:
    return b64encode(zlib.compress(data, 9, wbits=-15)).decode("ascii")


class _PageEngineBuilder:
    """A builder of the searches of one game for a page."""

    def __init__(self, game: RulesGame, lowered: Lowered):
        self.game, self.lowered = game, lowered
        self.model = game.model
        self.evaluates = self.model.evaluates
        self.common = lcm(lowered.denominator, lowered.evaluation_denominator if self.evaluates else 1)
        self.estimate = self.common // lowered.evaluation_denominator if self.evaluates else 0

    def searches(self) -> tuple[str, ...]:
        """The names of the searches that the page can use for this game."""
        windows = for_windows(self.game) and not self.model.chances and len(self.game.players) <= 2
        pastless = self.lowered.keys is None
        if self.evaluates:
            if windows and self.model.has_mirrored_evaluation:
                return ("windows",)
            return ("vectors",) if pastless and not goes_on(self.game) else ()
        if self.lowered.wide:
            return ()
        traits = self.game.traits
        if traits.cyclic or not pastless:
            return ("simulations",)
        return ("proof" if windows and traits.has_scalar_value else "ends", "simulations")

    def module(self, search: str) -> dict[str, Any]:
        """The module of a search for a page: its deflated code, the places of its arrays, their first contents, and its
        parameters."""
        layout = replace(self.lowered.layout, past=None) if search == "windows" else self.lowered.layout
        packed = packing(self.model, layout)
        names, entries = _KERNELS[search]
        amaf = usual_amaf(self.game)
        further = ("amaf",) if search == "simulations" and amaf else ()
        code = kernel(*names, *further, **self._settings(search, packed.words))
        pieces: Pieces = (packed.code,) if "pack" in code.calls else ()
        pieces += keeping(self.lowered.keys) if "keep_past" in code.calls else ()
        estimates = ("evaluate",) if search == "windows" else ()
        joined = [self.lowered.module, *self.lowered.further, *pieces, *code.parts]
        fill = [self.lowered.fill] if self.lowered.fill else []
        tree = search == "simulations"
        fill.append(self._fill_tree(EXPLORATION, **engine_settings(self.game, amaf)) if tree else self._fill_paths)
        return _emit_module(joined, (*_GAME, *entries, *estimates), fill) | self._search_constants(search)

    def _fill_paths(self, module: Any) -> None:
        """Write into the module of another search that it may visit any number of nodes, and where the first player's
        utilities lie, as for the command line."""
        module["most"][0] = UNLIMITED
        if "margin" in module:
            module["margin"][0] = pvs.NO_MARGIN
        if "least" in module:
            fill_bounds(module, *pvs.utility_bounds(self.model), self.common)

    def _fill_tree(self, c: tuple[float, float], **manner: Any) -> Callable[[Any], None]:
        """A function that writes the settings of a tree search into its module, as for the command line."""
        under = self.lowered.denominator
        price = scale_price(manner.get("price"), under)
        return partial(fill_settings, c=c, manner=MctsTreeOptions(**manner), price=price, denominator=under)

    def _settings(self, search: str, words: int) -> Mapping[str, int]:
        """The constants of the kernel of a search; `words` are those of a packed state."""
        lowered = self.lowered
        if search == "simulations":
            return {"CHANCES": bool(self.model.chances), "WEIGHED": lowered.weighs, "NODES": NODES,
                    "FEW_WAYS": FEW_ACTIONS, "STATES": min(NODES, STATES // (4 * lowered.layout.words)),
                    "DEPTH": max(LONGEST, PlayoutPlyLimit.MOST) + 2,
                    "SAFE_ACTIONS": 0 if usual_amaf(self.game) else SAFE_ACTIONS,
                    **(holder_settings(self.model, lowered.layout) if usual_amaf(self.game) else {})}  # fmt: skip
        scales = {"UTILITY": self.common // lowered.denominator, "EVALUATION": self.estimate}
        if search in ("vectors", "ends"):
            entries = TABLE // (8 * (words + len(self.game.players) + 3))
            buckets = 1 << entries.bit_length() - 1
            frames = frames_to_ends(TABLE, lowered.layout.words, len(self.game.players)) if search == "ends" else {}
            return {"ENTRIES": entries, "BUCKETS": buckets, "WEIGHED": bool(self.model.chances), **scales, **frames}
        return {"ROWS": min(lowered.rows, pvs.MAX_ROWS), "FOLDS": 0, **scales, **positions(words, TABLE),
                **pvs.pv_constants(self.model, lowered, goes_on(self.game), selective=True)}  # fmt: skip

    def _search_constants(self, search: str) -> dict[str, Any]:
        """The constants of a search for the page's script; utilities are whole numbers over the denominator."""
        game = self.game
        if search != "simulations":
            scale = self.common // self.lowered.denominator
            learned = pvs.FEW_PLIES if self.lowered.rows > pvs.WIDE else pvs.RANDOM_PLIES
            return {"denominator": self.common, "scale": scale, "estimate": self.estimate, "learned": learned,
                    "quiescent": goes_on(game), "whole": pvs.WHOLE,
                    "source": "what was learned" if self.model.learned else "the file's estimate"}  # fmt: skip
        under = self.lowered.denominator
        least = [None if low is None else Fraction(low) * under for low, _ in surely_at(game, game.initial())]
        whole = [None if number is None or abs(number) >= 1 << 30 else int(number) for number in least]  # which fit
        return {"denominator": under, "least": whole}
