"""Games as games of OpenSpiel, so that its algorithms run on them: `pyspiel.load_game("gdl(game=othello)")`.

Importing this file registers `gdl`, with the parameters `game` (a name or a file), `settings` (`columns:5;rows:4`),
`variant`, `position` and `steps` (`true`: actions are asked for step by step, so that numbers are few); `game_of` makes
one of a game that is there already. Actions have the numbers of `gdl.environment`; outcomes of chance are numbered from
0 as the rules list them. Moves at once are turns taken unseen.
An information state is what the player knows, as `gdl judge` names it; where it can be listed, its tensor is 1 in the
place of that information set, and an observation tensor has the planes that the player sees.

Source: Lanctot and others, OpenSpiel: a framework for reinforcement learning in games, 2019.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from gdl.adapters import fitting
from gdl.errors import GameError, LimitReached, Problem, Refusal, clean
from gdl.game import Chance, Decision, Game, Node, Simultaneous, Terminal, require_number, surely_at
from gdl.playing.stepping.action_steps import STEPS_SEEN, ActionSteps, next_steps, seen_steps
from gdl.playing.stepping.numbering import ActionNumbering
from gdl.playing.stepping.planes import ListedPlanes, Planes
from gdl.states.explore import Walk, moves, topological_order
from gdl.states.sequential import Sequential, Turn

try:
    import numpy
    import pyspiel
except ModuleNotFoundError as absent:
    raise fitting.missing("open_spiel", "openspiel") from absent

MOST_LOOKED_AT = 5_000  # states, to find what holds of all plays
LOADED = 32  # games that are kept for states that are read
LONGEST, WIDEST, HIGHEST = 1 << 20, 1 << 20, 1e9  # what is said of games with more: plies, outcomes, utilities
PARAMETERS: Mapping[str, Any] = {"game": "", "settings": "", "variant": "", "position": "", "steps": False}


class Around(Sequential):
    """The game in which moves at once are turns, with what OpenSpiel wants to know of it beforehand."""

    def __init__(self, game: Game[Any], numbering: ActionNumbering, planes: Planes):
        super().__init__(game)
        self.numbering, self.planes = numbering, planes
        self.steps = numbering if isinstance(numbering, ActionSteps) else None
        self.depth, self.outcomes = LONGEST, WIDEST
        self.sets: ListedPlanes | None = None
        try:
            self._look()
            self.sets = None if self.steps else ListedPlanes(self)
        except Exception as error:
            if not isinstance(error, LimitReached | Refusal):
                raise

    def _look(self) -> None:
        """Find out how long plays are and how many outcomes chance has, where that is soon done."""
        expansions = {one.number: one for one in Walk(self, MOST_LOOKED_AT)}
        chances = (one.node for one in expansions.values() if isinstance(one.node, Chance))
        self.outcomes = max((len(node.outcomes) for node in chances), default=1)
        if self.traits.cyclic is False and not self.steps:
            children = [expansions[number].children for number in range(len(expansions))]
            longest = [0] * len(children)
            for number in reversed(topological_order(children)):
                longest[number] = max((1 + longest[child] for child in children[number]), default=0)
            self.depth = longest[0]

    def paths(self, state: Turn, node: Decision) -> dict[tuple[int, ...], str]:
        """The actions of a node by the numbers of their steps: one for each, unless they are asked for step by step."""
        numbers = self.numbering.of(self.game, state.state, node.player, node.actions)
        paths = [self.steps.path(number) if self.steps else (number,) for number in numbers]
        return dict(zip(paths, node.actions, strict=True))


class OpenSpielPosition:
    """A state with its node; it is never changed, so copies of it are itself."""

    __slots__ = ("next", "node", "state", "taken")

    def __init__(self, around: Around, state: Turn, taken: tuple[int, ...] = ()):
        """`taken` are the steps of an action that is not complete."""
        self.state, self.taken = state, taken
        self.node: Node = around.node(state)
        self.next: dict[int, dict[tuple[int, ...], str]] = {}  # by number: what can be done that begins so
        if isinstance(self.node, Decision):
            self.next = next_steps(around.paths(state, self.node))
            for step in taken:
                self.next = next_steps(self.next[step])
        elif not isinstance(self.node, Terminal):
            self.next = {number: {(): str(move)} for number, move in enumerate(moves(self.node))}

    def after(self, around: Around, number: int) -> OpenSpielPosition:
        """The position to which the action of this number leads."""
        if len(self.next[number]) > 1:
            return OpenSpielPosition(around, self.state, (*self.taken, number))
        name: Any = next(iter(self.next[number].values()))
        if isinstance(self.node, Simultaneous):
            name = ("",) * len(around.players)
        return OpenSpielPosition(around, around.successor(self.state, name))

    def __deepcopy__(self, memo: Any) -> OpenSpielPosition:
        return self


class GdlGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]  # an extra
    """A game of gdl as one of OpenSpiel's."""

    def __init__(self, parameters: Any = None, game: Game[Any] | None = None):
        given = {**PARAMETERS, **(parameters or {})}
        if game is None:
            if not given["game"]:
                raise GameError(Problem("no game is named", help="write gdl(game=othello), or the path of a file"))
            settings = dict(map(_setting, filter(None, given["settings"].split(";"))))
            game = fitting.game_of(given["game"], settings, given["variant"] or None, given["position"] or None)
        env = fitting.fitting(game, "interpreter", bool(given["steps"]))
        if game.promises.rewards is not None:
            raise Refusal(f"{clean(game.name)} pays on the way, in play that may never end")
        self.around = Around(game, env.numbering, env.planes)
        own = {name: given[name] for name in (parameters or {})}
        self.kept = _SharedGame(self.around, own)
        super().__init__(_type(self.around), _info(self.around), own)

    def new_initial_state(self, *_: Any) -> GdlState:
        return GdlState(self)

    def make_py_observer(self, wanted: Any = None, parameters: Any = None) -> Observer:
        recalls = wanted is not None and wanted.perfect_recall
        return Observer(self.around, recalls)

    def __deepcopy__(self, memo: Any) -> GdlGame:
        return self


class GdlState(pyspiel.State):  # type: ignore[misc, unused-ignore]  # an extra
    """A state of such a game."""

    def __init__(self, game: GdlGame):
        super().__init__(game)
        self._around = game.kept
        self._place = OpenSpielPosition(game.around, game.around.initial())

    @property
    def place(self) -> OpenSpielPosition:
        """The state of gdl's game."""
        return self._place

    def current_player(self) -> int:
        match self._place.node:
            case Decision(player):
                return player
            case Terminal():
                return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE)

    def is_terminal(self) -> bool:
        return isinstance(self._place.node, Terminal)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._place.next)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        node = self._place.node
        if isinstance(node, Chance):
            return [(k, float(chance)) for k, (_, chance) in enumerate(node.outcomes)]
        assert isinstance(node, Simultaneous)  # in which nobody has a choice
        return [(0, 1.0)]

    def _apply_action(self, action: int) -> None:
        self._place = self._place.after(self._around.kept, action)

    def _action_to_string(self, player: int, action: int) -> str:
        around, whole = self._around.kept, self._place.next.get(action)
        is_step = whole is None or (around.steps and isinstance(self._place.node, Decision))
        return around.numbering.text(action) if whole is None or is_step else next(iter(whole.values()))

    def returns(self) -> list[float]:
        node = self._place.node
        if isinstance(node, Terminal):
            return [float(require_number(utility)) for utility in node.utilities]
        return [0.0] * len(self._around.kept.players)

    def __str__(self) -> str:
        return self._around.kept.show(self._place.state)


def _setting(text: str) -> tuple[str, str]:
    """The name and the value in `columns:5`."""
    name, colon, value = text.partition(":")
    if not colon:
        raise GameError(Problem(f"'{clean(text)}' is no setting", help="write settings=columns:5;rows:4"))
    return name, value


class _SharedGame:
    """The part that all copies of a state share; pickled, it is the parameters by which the game is loaded."""

    def __init__(self, kept: Around, parameters: Mapping[str, str]):
        self.kept, self.parameters = kept, parameters

    def __deepcopy__(self, memo: Any) -> _SharedGame:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.parameters:
            raise Refusal(f"a state of {clean(self.kept.name)} is not written: load the game by name, gdl(game=…)")
        return _load_shared, (tuple(self.parameters.items()),)


@lru_cache(maxsize=LOADED)
def _load_shared(parameters: tuple[tuple[str, str], ...]) -> _SharedGame:
    """The shared part for states of the game with these parameters."""
    return _SharedGame(GdlGame(dict(parameters)).around, dict(parameters))


class Observer:
    """A player's view of a state, or all that the player knows of the play, as a tensor and as a text."""

    def __init__(self, around: Around, recalls: bool):
        self._around, self._recalls = around, recalls
        planes = around.sets if recalls else around.planes
        first, *cells = (0,) if planes is None else planes.shape
        more = STEPS_SEEN if around.steps else 0
        shaped: Any = None if planes is None else numpy.zeros((first + more, *cells), numpy.float32)
        self.tensor: Any = shaped if shaped is None else shaped.reshape(-1)
        self.dict = {} if planes is None else {"observation": shaped}
        self._planes = planes

    def set_from(self, state: GdlState, player: int) -> None:
        if self._planes is not None:
            at: Any = state.place.state if self._recalls else state.place.state.state
            seen = numpy.asarray(self._planes.observe(at, player)).reshape(-1)
            self.tensor[: len(seen)] = seen
            if self._around.steps:
                taken, total = _own_steps(state.place, player), self._around.numbering.total
                self.tensor[len(seen) :] = seen_steps(taken, total, len(seen) // self._planes.shape[0])

    def string_from(self, state: GdlState, player: int) -> str:
        around, at = self._around, state.place.state
        known = around.describe(at, player)
        steps = [around.numbering.text(step) for step in _own_steps(state.place, player)]
        known = ", ".join([known, *steps])
        chosen = at.chosen[player] if player < len(at.chosen) else ""
        return f"{known}, {chosen}" if chosen and self._recalls else known


def _own_steps(place: OpenSpielPosition, player: int) -> tuple[int, ...]:
    """The steps of an incomplete action, for the player who does it alone."""
    return place.taken if isinstance(place.node, Decision) and place.node.player == player else ()


def _type(around: Around) -> Any:
    """OpenSpiel's record of the type of a game."""
    kinds, traits = pyspiel.GameType, around.traits
    total = traits.constant_sum
    utility = (
        kinds.Utility.GENERAL_SUM
        if total is None
        else kinds.Utility.CONSTANT_SUM
        if total
        else (kinds.Utility.ZERO_SUM)
    )
    chance = kinds.ChanceMode.EXPLICIT_STOCHASTIC if traits.chance is not False else kinds.ChanceMode.DETERMINISTIC
    seen = kinds.Information
    perfect = traits.perfect_information is True
    return pyspiel.GameType(
        short_name="gdl", long_name=f"{around.name} (gdl)", dynamics=kinds.Dynamics.SEQUENTIAL, chance_mode=chance,
        information=seen.PERFECT_INFORMATION if perfect else seen.IMPERFECT_INFORMATION,
        utility=utility, reward_model=kinds.RewardModel.TERMINAL, max_num_players=len(around.players),
        min_num_players=len(around.players), provides_information_state_string=True,
        provides_information_state_tensor=around.sets is not None, provides_observation_string=True,
        provides_observation_tensor=True, parameter_specification=dict(PARAMETERS),
    )  # fmt: skip


def _info(around: Around) -> Any:
    """OpenSpiel's record of the sizes and bounds of a game."""
    bounds = surely_at(around.game, around.game.initial())
    lows, highs = zip(*bounds, strict=True)
    total = around.traits.constant_sum
    return pyspiel.GameInfo(
        num_distinct_actions=around.numbering.total, max_chance_outcomes=around.outcomes,
        num_players=len(around.players), min_utility=-HIGHEST if None in lows else float(min(lows)),
        max_utility=HIGHEST if None in highs else float(max(highs)),
        utility_sum=None if total is None else float(total), max_game_length=around.depth,
    )  # fmt: skip


def game_of(game: Game[Any]) -> GdlGame:
    """A loaded game as a game of OpenSpiel."""
    return GdlGame({}, game)


def register() -> None:
    """Register `gdl` as a game of OpenSpiel."""
    kinds = pyspiel.GameType
    pyspiel.register_game(
        pyspiel.GameType(
            short_name="gdl", long_name="a game of gdl", dynamics=kinds.Dynamics.SEQUENTIAL,
            chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC, information=kinds.Information.IMPERFECT_INFORMATION,
            utility=kinds.Utility.GENERAL_SUM, reward_model=kinds.RewardModel.TERMINAL, max_num_players=100,
            min_num_players=1, provides_information_state_string=True, provides_information_state_tensor=True,
            provides_observation_string=True, provides_observation_tensor=True,
            parameter_specification=dict(PARAMETERS), default_loadable=False,
        ),
        GdlGame,
    )  # fmt: skip


register()
