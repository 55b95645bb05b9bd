"""Model -> Game by walking the model: the meaning of the language.

`RulesGame` answers the six questions for a game given by rules. It expands a state once, keeps the last expansions,
and takes successors from there, since legality is often known only after an action has been tried.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import Any, TypeVar

from gdl import wings
from gdl.analysis import traits as analysis
from gdl.analysis.measures import always_progresses
from gdl.errors import GameError, LimitReached, Problem, clean
from gdl.game import (
    NO_ENGINE,
    NO_PROMISES,
    Action,
    Decision,
    Engine,
    Joint,
    Node,
    Number,
    Promises,
    Rewards,
    Simultaneous,
    Terminal,
    Traits,
)
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP, BodyRun
from gdl.interpreter.closures import FIRST_CELL, MOVER, NO_ACTIONS, Watch, begin_cells
from gdl.interpreter.drawing import Drawer
from gdl.interpreter.earlier import empty_past
from gdl.interpreter.evaluator import NO_WORK
from gdl.interpreter.memory import Memorist, difference, likeness, remember_more, sayings_in, without_turns
from gdl.interpreter.plies import Plies, RulesExpansion, State, Workers
from gdl.interpreter.reward_totals import Earned, can_keep, keeping_totals, with_totals
from gdl.interpreter.rulebook import Option, dead_end
from gdl.interpreter.traits import proved_traits, traits
from gdl.model.games import Clause, Rule, RulesModel
from gdl.states.explore import Walk
from gdl.states.protocol import has, no_action, short_repr
from gdl.states.repeated_positions import Again, comes_again

# Rules by which play comes back to a position, and the players remember more each time round.

NAMED = 10_000  # positions in which names are looked at
WORK = 300_000  # values that the rules run through, or entries of memories, before it ends: some tenths of a second


def detect_repetition(game: RulesGame) -> Again:
    """Find out if play can come back to a position, compared without the memories of the players."""
    most = game.work + WORK

    def remembers_more(before: Any, after: Any) -> bool:
        return before.without_memory() == after.without_memory() and remember_more(before.memories, after.memories)

    def enough(met: int) -> None:
        if game.work > most:
            raise LimitReached(f"the rules of {game.name} take long for a position")

    return comes_again(game, State.without_memory, remembers_more, enough)


Found = TypeVar("Found")


class RulesGame:
    """A game given by rules. `watch`, if given, is called with every expression and statement when its closure is made;
    without `totals` its positions never hold the rewards so far."""

    engine: Engine = NO_ENGINE

    def __init__(self, model: RulesModel, watch: Watch | None = None, totals: bool = True):
        self.model = model
        self._accumulates = analysis.accumulates(model)
        self._may_hold_totals = totals and self._accumulates
        self._afresh: Callable[[], RulesGame] = partial(RulesGame, model, totals=totals)  # this game with empty caches
        self.name = model.name
        self.players = model.players
        self._remembers = not analysis.shows_everything(model)
        self._own = Workers(model, watch)
        self.plies = Plies(model, self._own)

    @property
    def work(self) -> int:
        """The number of values that the rules have run through in this thread."""
        return self._own.worked

    @property
    def memorist(self) -> Memorist:
        """The part of the game that computes views and memories of the players, for this thread."""
        return self._own.memorist

    # -- the protocol ---------------------------------------------------------------------------------------

    @cached_property
    def traits(self) -> Traits:
        try:
            return _look_for_traits(self)
        except KeyboardInterrupt:  # what stopped the look must not wait for another when the answer so far is told
            self.__dict__["traits"] = proved_traits(self.model)
            raise

    def leave_cycles_open(self) -> None:
        """Take the traits that the rules prove if those are all but whether play is cyclic, so that this is not looked
        for by play."""
        found = proved_traits(self.model)
        if None not in (found.constant_sum, found.chance, found.simultaneous, found.perfect_information):
            self.__dict__["traits"] = found

    _again = cached_property(detect_repetition)  # whether play comes back to a position

    @cached_property
    def _without_rewards(self) -> RulesGame:
        """A game by the same rules whose positions do not hold the rewards so far."""
        return RulesGame(self.model, totals=False)

    @cached_property
    def _holds_totals(self) -> bool:
        """True if positions hold the rewards so far, so that ends pay the totals. Not if play can come back to a
        position, which would be a new one with every total, and not if only the average counts."""
        return self._may_hold_totals and not (self.model.average or self._without_rewards.traits.cyclic)

    def initial(self) -> State:
        return self._initial

    @cached_property
    def _initial(self) -> State:
        cells = begin_cells(self.model.variables, 0, empty_past(self.model.times))
        turn = self._own.book.bodies.turn(self.model.start)(cells, [None])
        if self.model.opening is not None:
            opened = BodyRun(cells, [None] * self.model.opening.frame, [], [])
            self._own.book.bodies.block(self.model.opening.body)(opened)
            turn = turn if opened.turn is None else opened.turn
        self._own.settle(turn, cells)
        memories = self.memorist.begin(turn, cells) if self._remembers else None
        earned = Earned((0,) * len(self.players), 1) if self._holds_totals else None
        return State(turn, tuple(cells), memories, earned)

    def node(self, state: State) -> Node:
        return self._expansion_of(state).node

    def successor(self, state: State, action: Action | Joint) -> State:
        expansion = self._expansion_of(state)
        made = expansion.made.get(action)
        if made is None:
            option = expansion.options.get(action) if isinstance(action, str) else None
            if option is None:
                if isinstance(expansion.node, Simultaneous) and has(expansion.node, action):
                    return self._call_at(state, self.plies.joint_successor, state, tuple(action), expansion.options)
                raise no_action(expansion.node, action)
            made = self._call_at(state, self.plies.after_option, state, option)
            if len(expansion.options) <= self._own.kept.most:
                expansion.made[action] = made
        return made

    def information_set(self, state: State, player: int) -> Hashable:
        if player not in range(len(self.players)):
            known = f"they run from 0 to {len(self.players) - 1}"
            raise GameError(Problem(f"no player has the index {player!r}", help=known))
        return state if state.memories is None else state.memories[player]

    @cached_property
    def promises(self) -> Promises:
        from gdl.analysis.bounds import estimate_bounds, utility_bounds
        from gdl.analysis.placement_games import cells

        counted = self._may_hold_totals and self.traits.rewards
        return Promises(
            bounds=lambda state: self.model.bounds,
            merges=True,
            proved=tuple if self._accumulates else cache(lambda: utility_bounds(self.model)),
            proved_of_estimates=tuple if self._accumulates else cache(lambda: estimate_bounds(self.model)),
            quiet=None if self.model.quiet is None else lambda state: self._own.payments.quiet(state),
            unit=None if self.model.unit is None else (self.model.unit.name, self.model.unit.size),
            forever=self.model.forever,
            constant_sum=analysis.constant_sum(self.model),
            numbers_of=self.model.numbers_of,
            cost=self.model.cost,
            rewards=Rewards(self._rewards, self.model.discount, self.model.average) if counted else None,
            acts_until=lambda state, player, later: self.memorist.acts_until(state.memories, player, later),
            endless=lambda: None if not self._remembers or always_progresses(self.model) else self._again.round,
            learnt=(lambda *seen: self.memorist.learnt(*seen)) if self._remembers else NO_PROMISES.learnt,
            likeness=likeness if self._remembers else NO_PROMISES.likeness,
            without_memory=State.without_memory if analysis.shows_positions(self.model) else None,
            with_mover=None if self._remembers or self._holds_totals or self.model.seats else State.with_mover,
            taken=cache(lambda: cells(self.model)),
            parts=cache(lambda: wings.call_hook("sums of positions", self.model)),
        )

    def describe(self, state: State, player: int) -> str:
        if state.memories is not None:
            assert self._initial.memories is not None
            return self.memorist.text(state.memories[player], self._initial.memories[player], self.tells_turns)
        return difference(self.memorist, self.players, self._initial, state, player)

    @cached_property
    def tells_turns(self) -> bool:
        """True if the text of a memory says whose turn it is: unless a walk over all positions shows that all else
        tells memories apart wherever somebody acts. How far the walk goes depends on the rules alone, so names are
        always the same."""
        game, told, met = self._afresh(), 0, dict[Hashable, Hashable]()
        try:
            for step in (walk := Walk(game, NAMED)):
                state = walk.states[step.number]
                acts = state.turn >= 0 or state.turn == EVERYONE
                for player, memory in enumerate((state.memories or ()) if acts else ()):
                    told += len(memory[1])
                    if met.setdefault((player, without_turns(memory)), memory) != memory or max(game.work, told) > WORK:
                        return True
        except (GameError, LimitReached):
            return True
        return False

    def evaluate(self, state: State) -> tuple[Number, ...] | None:
        return self._own.payments.estimate(state)

    def label(self, state: State) -> str | None:
        return None

    @cached_property
    def _state_drawer(self) -> Drawer:
        return Drawer(self.model)

    def show(self, state: State) -> str:
        return self._state_drawer.text(state.cells)

    # -- what a player sees ---------------------------------------------------------------------------------

    def show_to(self, state: State, player: int) -> str:
        """The state drawn as the player sees it."""
        return self._state_drawer.text(self.visible_cells(state, player))

    def options(self, state: State, player: int) -> Mapping[Action, Option]:
        """The player's legal actions by name, each with its rule and its values."""
        if state.turn == EVERYONE:
            return {option.name: option for option in self.plies.options(state)[player]}
        return self._expansion_of(state).options if state.turn == player else {}

    def sayings_to(self, state: State, player: int) -> tuple[str, ...]:
        """Every text said to the player that the player still remembers."""
        return () if state.memories is None else sayings_in(state.memories[player])

    def visible_cells(self, state: State, player: int) -> tuple[Any, ...]:
        """The cells, with HIDDEN in place of the values that the player does not see."""
        view = self.memorist.view(player, state.turn, list(state.cells))
        return (*state.cells[:FIRST_CELL], *view[1:])

    # -- for an engine that makes the moves itself ----------------------------------------------------------

    def action_name(self, state: State, rule: Rule, player: int, arguments: tuple[Any, ...], path: list[int]) -> Action:
        """The name of an action or outcome, from the values in its head and the numbers of the options chosen in its
        body."""
        self._own.evaluator.work[:] = NO_WORK
        cells = list(state.cells)
        if state.turn > FIRST_STEP:
            cells[MOVER] = player
        past = self.plies.past_after(state) if path else ()
        return self._own.book.name(rule, cells, past, arguments, path)

    # -- expanding a state ----------------------------------------------------------------------------------

    def _expansion_of(self, state: State) -> RulesExpansion:
        own = self._own
        if own.last[0] is state:  # asked for its successors one after the other
            expansion: RulesExpansion = own.last[1]
            return expansion
        kept = own.kept.find(state)
        if kept is None:
            kept = self._call_at(state, self.expand_state, state)
            own.kept.keep(state, kept)
        own.last = state, kept
        return kept

    def _call_at(self, state: State, work: Callable[..., Found], *arguments: Any) -> Found:
        """Call `work` with the arguments. A fault of the rules raised in it gets `state` as the state where it was
        met."""
        own = self._own
        spent = own.evaluator.work
        own.worked += spent[0]
        spent[:] = NO_WORK
        try:
            return work(*arguments)
        except GameError as error:
            if error.state is None:
                error.state = state
            raise

    def ending(self, state: State) -> Clause | None:
        """The terminal clause that ends play in a state; None if play is not over."""
        ended = self._own.payments.find_ending(self.plies.cells_asking(state, []))
        return None if ended is None else ended[0]

    def _rewards(self, state: State, action: Action | Joint) -> tuple[Number, ...]:
        """The rewards of each player for an action, a joint move or an outcome."""
        options = self._expansion_of(state).options
        joint = not isinstance(action, str)
        run: BodyRun = self.plies.joint_run(state, tuple(action), options)[0] if joint else options[action].run()
        return run.rewards_by_player(len(self.players))

    def expand_state(self, state: State) -> RulesExpansion:
        if not isinstance(state, State) or len(state.cells) != len(self._initial.cells):
            help = "take what initial() and successor() give"
            raise GameError(Problem(f"{short_repr(state)} is no state of {clean(self.name)}", help=help))
        options: list[list[Option]] = []
        cells = self.plies.cells_asking(state, options)
        ended = self._own.payments.find_ending(cells)
        if ended is not None:
            paid = with_totals(state.earned, ended[1].utilities)
            return RulesExpansion(Terminal(paid), {}, {})
        if state.turn <= FIRST_STEP:
            return self.plies.chance(state)
        if cells[NO_ACTIONS]():
            raise dead_end(self.model, state.turn)
        if state.turn == EVERYONE:
            once = {(p, o.name): o._replace(run=cache(o.run)) for p, own in enumerate(options) for o in own}
            return RulesExpansion(Simultaneous(tuple(tuple(o.name for o in own) for own in options)), once, {})
        (own,) = options
        named = {option.name: option for option in own}
        return RulesExpansion(Decision(state.turn, tuple(named)), named, {})


__all__ = ["RulesExpansion", "RulesGame", "State"]


def expand_together(game: RulesGame, other: RulesGame) -> None:
    """Let two games with the same rules, which differ in their evaluations, share one cache of expansions."""
    game._own.kept = other._own.kept


def _look_for_traits(game: RulesGame) -> Traits:
    if game.work or game._own.evaluator.work[0]:  # what is known already must not stretch the limits of analysis
        return game._afresh().traits
    bare = game._without_rewards.traits if game._may_hold_totals else None
    if bare is not None and (bare.cyclic or game.model.average):
        return replace(bare, rewards=True, zero_sum=None, constant_sum=None)
    found = traits(game.model, game, lambda: game.work)
    return replace(found, cyclic=game._again.cyclic) if found.cyclic is None and game._remembers else found


def playable(model: RulesModel, kind: type[RulesGame] = RulesGame) -> RulesGame:
    """The game of these rules, of the class `kind`. The rules keep totals of rewards themselves, unless play can come
    back to a position: a total would make that a different position."""
    if can_keep(model) and not RulesGame(model, totals=False).traits.cyclic:
        return kind(keeping_totals(model))
    return kind(model)
