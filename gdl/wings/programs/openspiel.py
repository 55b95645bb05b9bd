"""Games as games of OpenSpiel, so that its algorithms run on them: `pyspiel.load_game("gdl(game=othello)")`.

Importing this file registers `gdl`, with the parameters `game` (a name or a file), `settings` (`columns:5;rows:4`;
`heaps:1|2` is a list), `variant`, `position` and `steps` (`true`: actions are asked for step by step, so that numbers
are few). OpenSpiel takes `2048` for a number: write `game=2048.game`. `game_of` makes one of a game that is there.

Actions have the numbers of `gdl.environment`; outcomes of chance are numbered from 0 as the rules list them. Moves at
once are moves at once; with `steps` they are turns taken unseen.
An information state is the player, and what they know, as `gdl judge` names it. Where all can be listed, its tensor is
1 in the place of that information set; else it has the planes that the player sees, and where something is hidden those
of the views before. An observation tensor has the planes that the player sees.

Source: Lanctot and others, OpenSpiel: a framework for reinforcement learning in games, 2019.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdl.errors import GameError, LimitReached, Problem, Refusal, clean, listing
from gdl.game import Action, Chance, Decision, Game, Joint, Node, Simultaneous, Terminal, require_number, surely_at
from gdl.interpreter.rules_game import RulesGame
from gdl.playing import loading
from gdl.states.explore import Walk, topological_order
from gdl.states.game_wrapper import innermost_game
from gdl.states.sequential import Sequential, Turn
from gdl.wings.programs import fitting
from gdl.wings.programs.action_steps import ActionSteps, StepPlanes, Steps, next_steps, own_steps
from gdl.wings.programs.planes import ListedPlanes, Planes, RecalledPlanes, planes_of
from gdl.wings.programs.play_course import MOST_CHANCES, endless

if TYPE_CHECKING:
    from gdl.adapters.python import Answer

try:
    import numpy
    import pyspiel
except ModuleNotFoundError as absent:
    raise fitting.missing("open_spiel", "openspiel") from absent

MOST_LOOKED_AT = 5_000  # states, to find what holds of all plays
MOST_KEPT = 100_000  # positions of a game that are kept with those that follow them
LOADED = 32  # games that are kept, as reading a state loads its game again
LONGEST, WIDEST, HIGHEST = 1 << 20, 1 << 20, 1e9  # plies, outcomes, utilities of games where they are not known
PARAMETERS: Mapping[str, Any] = {"game": "", "settings": "", "variant": "", "position": "", "steps": False}
Parameters = tuple[tuple[str, Any], ...]
Ways = dict[int, dict[Steps, Action]]  # by number of a step: the actions that begin so, by their remaining steps


class SharedGame:
    """A game with the facts that OpenSpiel wants to know beforehand. All copies of a state share it; pickled, it is the
    parameters by which the game is loaded (() if it was not loaded by name)."""

    def __init__(self, game: Game[Any], parameters: Parameters, steps: bool):
        env = fitting.fitting(game, "interpreter", steps)
        if game.promises.rewards is not None:
            raise Refusal(f"{clean(game.name)} pays on the way, in play that may never end")
        self.parameters, self.numbering, self.planes = parameters, env.numbering, env.planes
        self.given = game
        self.steps = env.numbering if isinstance(env.numbering, ActionSteps) else None
        self.game: Game[Any] = Sequential(env.game) if steps else env.game
        self.players = self.game.players
        self.depth, self.outcomes = LONGEST, WIDEST
        self.kept = 0  # positions
        sets = self._find_sets()
        self.sets = StepPlanes(sets, self.steps) if self.steps else sets
        self.listed = isinstance(sets, ListedPlanes)

    @cached_property
    def start(self) -> OpenSpielPosition:
        """The position in which play begins."""
        return OpenSpielPosition(self, self.game.initial())

    def _find_sets(self) -> Planes:
        """The planes that show all a player knows."""
        try:
            self._look()
            return ListedPlanes(self.game)
        except LimitReached:
            inner, start = innermost_game(self.game, self.game.initial())
            recalls = isinstance(inner, RulesGame) and start.memories is not None
            return RecalledPlanes(inner) if recalls else planes_of(inner)

    def _look(self) -> None:
        """Find out how long plays are and how many outcomes chance has. Raises LimitReached where that takes long."""
        expansions = {one.number: one for one in Walk(self.game, MOST_LOOKED_AT)}
        chances = (one.node for one in expansions.values() if isinstance(one.node, Chance))
        self.outcomes = max((len(node.outcomes) for node in chances), default=1)
        if self.game.traits.cyclic is False and not self.steps:
            children = [expansions[number].children for number in range(len(expansions))]
            longest = [0] * len(children)
            for number in reversed(topological_order(children)):
                longest[number] = max((1 + longest[child] for child in children[number]), default=0)
            self.depth = longest[0]

    def state_after(self, state: Any, move: Action | Joint) -> Any:
        """The state after a move, and after whatever follows in which nobody has a choice."""
        for _ in range(MOST_CHANCES):
            state = self.game.successor(state, move)
            node = self.game.node(state)
            if not isinstance(node, Simultaneous) or any(node.actions):
                return state
            move = ("",) * len(self.players)
        raise endless()

    def ways(self, state: Any, player: int, names: Sequence[Action]) -> Ways:
        """A player's actions by the numbers of their first steps; by their own numbers, unless actions are asked for
        step by step."""
        numbers = self.numbering.numbers_of(self.game, state, player, names)
        paths = [self.steps.path(number) if self.steps else (number,) for number in numbers]
        return next_steps(dict(zip(paths, names, strict=True)))

    def __deepcopy__(self, memo: Any) -> SharedGame:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.parameters:
            raise Refusal(f"a state of {clean(self.game.name)} is not written: load the game by name, gdl(game=…)")
        return _load, (self.parameters,)


def _load(parameters: Parameters) -> SharedGame:
    """The game with these parameters."""
    given = {**PARAMETERS, **dict(parameters)}
    if not given["game"]:
        raise GameError(Problem("no game is named", help="write gdl(game=othello), or the path of a file"))
    settings = dict(map(_setting, filter(None, given["settings"].split(";"))))
    name = given["game"] if Path(given["game"]).exists() else given["game"].removesuffix(".game")
    game = loading.load(name, settings=settings, variant=given["variant"] or None, position=given["position"] or None)
    _refuse_cut_lists(getattr(game.model, "parameters", {}), settings)
    return _shared(game, parameters, bool(given["steps"]))  # type: ignore[arg-type]  # games are hashable


_shared = lru_cache(maxsize=LOADED)(SharedGame)


def _refuse_cut_lists(values: Mapping[str, Any], settings: Mapping[str, str]) -> None:
    """Raise GameError where the text of a list may have had a comma, at which OpenSpiel cuts it off in silence."""
    for name, text in settings.items():
        if isinstance(values.get(name), tuple) and not {",", "["} & set(text):
            told = f"'{clean(text)}' may be the rest of a list for {clean(name)}: OpenSpiel drops what follows a comma"
            raise GameError(Problem(told, help=f"write settings={clean(name)}:1|2, or {clean(name)}:[1] for one item"))


def _setting(text: str) -> tuple[str, str]:
    """The name and the value in `columns:5`."""
    name, colon, value = text.partition(":")
    if not colon:
        raise GameError(Problem(f"'{clean(text)}' is no setting", help="write settings=columns:5;rows:4"))
    return name, value.replace("|", ",")


class OpenSpielPosition:
    """A state with its node. It never changes, so its copies are itself."""

    __slots__ = (
        "chances", "known", "later", "legal", "node", "over", "player", "returns", "shared", "state", "taken", "ways",
    )  # fmt: skip

    def __init__(self, shared: SharedGame, state: Any, ways: Ways | None = None, taken: Steps = ()):
        """`taken` are the steps of an action that is not complete, and `ways` the ways to complete it."""
        self.shared, self.state, self.taken = shared, state, taken
        self.known: dict[tuple[int, bool], str] = {}  # what an observer writes of it, by player and whether it recalls
        self.later: dict[tuple[int, ...], OpenSpielPosition] = {}  # those that follow and are kept, by numbers
        node: Node = shared.game.node(state)
        self.node = node
        self.over, self.returns = False, [0.0] * len(shared.players)
        self.player = int(pyspiel.PlayerId.TERMINAL)  # who is asked, as OpenSpiel numbers them
        self.ways: dict[int, Ways] = {}  # of each player who chooses, or of chance
        match node:
            case Terminal(utilities):
                self.over, self.returns = True, [float(require_number(utility)) for utility in utilities]
            case Decision(player, names):
                self.player = player
                self.ways = {player: shared.ways(state, player, names) if ways is None else ways}
            case Simultaneous(choices):
                self.player = int(pyspiel.PlayerId.SIMULTANEOUS)
                self.ways = {p: shared.ways(state, p, names) for p, names in enumerate(choices) if names}
            case Chance(outcomes):
                self.player = int(pyspiel.PlayerId.CHANCE)
                self.chances = [(number, float(chance)) for number, (_, chance) in enumerate(outcomes)]
                self.ways = {self.player: {number: {(): name} for number, (name, _) in enumerate(outcomes)}}
        self.legal = {player: sorted(ways) for player, ways in self.ways.items()}

    def position_after(self, numbers: Sequence[int]) -> OpenSpielPosition:
        """The position after the numbers of those who choose here: one, or that of each player."""
        found = self.later.get(tuple(numbers))
        if found is None:
            found = self._make_after(numbers)
            if self.shared.kept < MOST_KEPT:
                self.shared.kept += 1
                self.later[tuple(numbers)] = found
        return found

    def _make_after(self, numbers: Sequence[int]) -> OpenSpielPosition:
        """The position after these numbers, made anew."""
        if isinstance(self.node, Simultaneous):
            move: Any = tuple(self._way(p, n) if p in self.ways else "" for p, n in enumerate(numbers))
        else:
            move = self._way(self.player, numbers[0])
            rest = self.ways[self.player][numbers[0]]
            if len(rest) > 1:
                return OpenSpielPosition(self.shared, self.state, next_steps(rest), (*self.taken, numbers[0]))
        return OpenSpielPosition(self.shared, self.shared.state_after(self.state, move))

    def _way(self, player: int, number: int) -> Action:
        """An action that begins with the step of this number. Raises GameError where none does."""
        ways = self.ways.get(player, {})
        if number not in ways:
            raise GameError(Problem(f"{number} is no legal action here", help=f"legal are {listing(map(str, ways))}"))
        return next(iter(ways[number].values()))

    def __deepcopy__(self, memo: Any) -> OpenSpielPosition:
        return self


class GdlGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]  # an extra
    """A game of gdl as one of OpenSpiel's."""

    def __init__(self, parameters: Any = None, game: Game[Any] | None = None):
        own = {name: value for name, value in (parameters or {}).items() if name in PARAMETERS}
        if "settings" in own:  # OpenSpiel's own parser would end a value at its comma
            own["settings"] = own["settings"].replace(",", "|")
        self.shared = _load(tuple(own.items())) if game is None else SharedGame(game, (), False)
        super().__init__(_type(self.shared), _info(self.shared), own)

    def new_initial_state(self, *_: Any) -> GdlState:
        state = GdlState(self)
        state._place = self.shared.start
        return state

    def make_py_observer(self, wanted: Any = None, parameters: Any = None) -> Observer | None:
        """An observer of all that a player sees, or of all that they know; None where less is wanted."""
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if wanted is not None and not (wanted.public_info and wanted.private_info == single):
            return None
        return Observer(self.shared, wanted is not None and wanted.perfect_recall)

    def __deepcopy__(self, memo: Any) -> GdlGame:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        parameters = dict(self.shared.parameters)
        return GdlGame, (parameters, None if parameters else self.shared.given)


class GdlState(pyspiel.State):  # type: ignore[misc, unused-ignore]  # an extra
    """A state of a game of gdl as one of OpenSpiel's."""

    _place: OpenSpielPosition  # alone, as OpenSpiel copies a state by each attribute

    @property
    def place(self) -> OpenSpielPosition:
        """The position of gdl's game at this state."""
        return self._place

    def current_player(self) -> int:
        return self._place.player

    def is_terminal(self) -> bool:
        return self._place.over

    def _legal_actions(self, player: int) -> list[int]:
        return self._place.legal.get(player, [])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self._place.chances.copy()

    def _apply_action(self, action: int) -> None:
        place = self._place
        self._place = place.later.get((action,)) or place.position_after((action,))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self._place = self._place.position_after(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        whole = self._place.ways.get(player, {}).get(action)
        is_step = whole is None or (self._place.shared.steps and isinstance(self._place.node, Decision))
        return self._place.shared.numbering.text(action) if whole is None or is_step else next(iter(whole.values()))

    def returns(self) -> list[float]:
        return self._place.returns.copy()  # theirs to change

    def __str__(self) -> str:
        return self._place.shared.game.show(self._place.state)


class Observer:
    """A player's view of a state or, if it `recalls`, all that the player knows of the play, as a tensor and as a
    text."""

    def __init__(self, shared: SharedGame, recalls: bool):
        self._shared, self._recalls = shared, recalls
        self._planes: Any = shared.sets if recalls else shared.planes
        shaped = numpy.zeros(self._planes.shape, numpy.float32)
        self.tensor, self.dict = shaped.reshape(-1), {"observation": shaped}

    def set_from(self, state: GdlState, player: int) -> None:
        shared, at = self._shared, state.place.state
        if not (self._recalls and shared.listed):
            _, at = innermost_game(shared.game, at)
        taken = (own_steps(state.place, player),) if shared.steps else ()
        self.tensor[:] = numpy.asarray(self._planes.observe(at, player, *taken)).reshape(-1)

    def string_from(self, state: GdlState, player: int) -> str:
        known = state.place.known
        if (player, self._recalls) not in known:
            known[player, self._recalls] = self._text(state, player)
        return known[player, self._recalls]

    def _text(self, state: GdlState, player: int) -> str:
        shared, at = self._shared, state.place.state
        steps = [shared.numbering.text(step) for step in own_steps(state.place, player)]
        known = ", ".join([shared.game.describe(at, player), *steps])
        chosen = at.chosen[player] if isinstance(at, Turn) and player < len(at.chosen) else ""
        known = f"{known}, {chosen}" if chosen and self._recalls else known
        return f"{shared.players[player]}: {known}" if self._recalls else known


def _type(shared: SharedGame) -> Any:
    """OpenSpiel's record of the type of a game."""
    kinds, traits = pyspiel.GameType, shared.game.traits
    found: dict[str, Any] = {"long_name": f"{shared.game.name} (gdl)"}
    if traits.perfect_information is True:
        found["information"] = kinds.Information.PERFECT_INFORMATION
    if traits.simultaneous is not False:
        found["dynamics"] = kinds.Dynamics.SIMULTANEOUS
    if traits.chance is False:
        found["chance_mode"] = kinds.ChanceMode.DETERMINISTIC
    if traits.constant_sum is not None:
        found["utility"] = kinds.Utility.CONSTANT_SUM if traits.constant_sum else kinds.Utility.ZERO_SUM
    return _any_type(**found, max_num_players=len(shared.players), min_num_players=len(shared.players))


def _any_type(**known: Any) -> Any:
    """OpenSpiel's record of the type of a game; a property that is not in `known` has its most general value."""
    kinds = pyspiel.GameType
    unknown: dict[str, Any] = {
        "short_name": "gdl", "long_name": "a game of gdl", "dynamics": kinds.Dynamics.SEQUENTIAL,
        "information": kinds.Information.IMPERFECT_INFORMATION, "chance_mode": kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        "utility": kinds.Utility.GENERAL_SUM, "reward_model": kinds.RewardModel.TERMINAL,
        "max_num_players": 100, "min_num_players": 1, "default_loadable": False,
        "provides_information_state_string": True, "provides_information_state_tensor": True,
        "provides_observation_string": True, "provides_observation_tensor": True,
        "parameter_specification": dict(PARAMETERS),
    }  # fmt: skip
    return kinds(**{**unknown, **known})


def _info(shared: SharedGame) -> Any:
    """OpenSpiel's record of the sizes and bounds of a game."""
    bounds = surely_at(shared.game, shared.game.initial())
    lows, highs = zip(*bounds, strict=True)
    total = shared.game.traits.constant_sum
    return pyspiel.GameInfo(
        num_distinct_actions=shared.numbering.total, max_chance_outcomes=shared.outcomes,
        num_players=len(shared.players), min_utility=-HIGHEST if None in lows else float(min(lows)),
        max_utility=HIGHEST if None in highs else float(max(highs)),
        utility_sum=None if total is None else float(total), max_game_length=shared.depth,
    )  # fmt: skip


def game_of(game: Game[Any]) -> GdlGame:
    """A loaded game as a game of OpenSpiel."""
    return GdlGame({}, game)


def policy_of(game: GdlGame, answer: Answer) -> Any:
    """An answer of `gdl.solve` for the same game as a policy of OpenSpiel, which raises KeyError where the answer does
    not say how to play. Raises Refusal for a game whose actions are asked for step by step."""
    from open_spiel.python.policy import Policy

    if game.shared.steps:
        raise Refusal("an answer plays whole actions: load the game without steps")

    class AnswerPolicy(Policy):  # type: ignore[misc, unused-ignore]
        def action_probabilities(self, state: GdlState, player_id: int | None = None) -> dict[int, float]:
            player = state.current_player() if player_id is None else player_id
            played = answer.policy(state.place.state, player)
            return {number: float(played[way[()]]) for number, way in state.place.ways[player].items()}

    return AnswerPolicy(game, list(range(game.num_players())))


def register() -> None:
    """Register `gdl` as a game of OpenSpiel."""
    pyspiel.register_game(_any_type(), GdlGame)


register()
