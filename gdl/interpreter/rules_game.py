"""Model -> Game by walking the model: the meaning of the language.

`RulesGame` answers the six questions for a game given by rules. It expands a state once, keeps the last expansions,
and takes successors from there, since legality is often known only after an action has been tried.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property, partial
from threading import local
from typing import Any, Protocol, TypeVar

from gdl.analysis import traits as analysis
from gdl.errors import GameError, LimitReached, Problem, clean, fault, limits
from gdl.game import (
    NO_ENGINE,
    Action,
    Adviser,
    Chance,
    Decision,
    Engine,
    Game,
    Joint,
    Node,
    Number,
    Promises,
    Rewards,
    Simultaneous,
    Terminal,
    Traits,
    exact,
)
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP, NOBODY, BodyRun
from gdl.interpreter.closures import FIRST_CELL, MOVER, NO_ACTIONS, PAST, Cells, Watch
from gdl.interpreter.drawing import draw, signs
from gdl.interpreter.earlier import Past, empty_past
from gdl.interpreter.evaluator import Evaluator
from gdl.interpreter.memory import Events, Memories, Memorist, difference, remember_more, sayings_in
from gdl.interpreter.payments import Payments
from gdl.interpreter.reward_totals import Earned, with_totals
from gdl.interpreter.rulebook import Option, Rulebook, stuck
from gdl.interpreter.state import RulesExpansion, State
from gdl.interpreter.traits import proved_traits, traits
from gdl.model.games import Clause, Rule, RulesModel
from gdl.states.protocol import has, no_action, short_repr
from gdl.states.repeated_positions import Again, comes_again

# The last expansions of states: asked for again and again, since successors are taken from them.

WIDE = 10_000  # successors of a state whose expansion is kept apart,
WIDE_ONES = 2  # and how many of these are
KEPT = 40_000  # successors, made or not, of the states whose expansions are in memory; fewer where states are large


class ExpansionCache:
    """Expansions by their states, the oldest dropped. One of very many successors does not drive out all others, nor
    they it."""

    def __init__(self, model: RulesModel):
        self.most = min(KEPT, limits.CELLS // max(1, sum(len(variable.initial) for variable in model.variables)))
        self._kept: OrderedDict[State, RulesExpansion] = OrderedDict()
        self._wide: dict[State, RulesExpansion] = {}
        self._successors = 0  # of those kept

    def of(self, state: State) -> RulesExpansion | None:
        return self._kept.get(state) or (self._wide.get(state) if self._wide else None)

    def keep(self, state: State, expansion: RulesExpansion) -> None:
        if len(expansion.options) > WIDE:
            self._wide[state] = expansion
            if len(self._wide) > WIDE_ONES:
                del self._wide[next(iter(self._wide))]
            return
        self._kept[state] = expansion
        self._successors += 1 + len(expansion.options)
        while self._successors > self.most and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._successors -= 1 + len(oldest.options)


# Rules by which play comes back to a position, and the players remember more each time round.

WORK = 300_000  # values that the rules run through, after which the walk ends: some tenths of a second


class CountsWork(Game[Any], Protocol):
    """A game that counts the values that its rules have run through."""

    @property
    def work(self) -> int: ...


def detect_repetition(game: CountsWork) -> Again:
    """Find out if play of a game by rules comes back to a position, which is a state without what is remembered."""
    most = game.work + WORK

    def bare(state: Any) -> Any:
        return state._replace(memories=None)

    def more(before: Any, after: Any) -> bool:
        return bare(before) == bare(after) and remember_more(before.memories, after.memories)

    def enough(met: int) -> None:
        if game.work > most:
            raise LimitReached(f"the rules of {game.name} take long for a position")

    return comes_again(game, bare, more, enough)


Found = TypeVar("Found")


class Workers(local):
    """The evaluator, rulebook and memorist of a game. They write down where they are, so each thread has its own."""

    def __init__(self, model: RulesModel, watch: Watch | None):
        self.evaluator = Evaluator(model.variables, model.definitions, model.times, watch)
        self.worked = 0  # values that quantifiers and parameters have run through: how long work takes, without a clock
        self.book = Rulebook(model, self.evaluator)
        self.memorist = Memorist(model, self.evaluator)
        self.payments = Payments(model, self.evaluator)
        self.resolve = None if model.resolve is None else self.book.bodies.block(model.resolve.body)
        self.follow_up = None if model.follow_up is None else self.book.bodies.block(model.follow_up.body)
        self.kept = ExpansionCache(model)
        self.last: tuple[Any, Any] = self, None  # the state that was asked for last, and its expansion

    def settle(self, turn: int, cells: Cells) -> None:
        """Let a player whose turn it is be the mover, and do what is done then."""
        if turn >= 0:
            cells[MOVER] = turn
            if self.follow_up is not None:
                self.follow_up(BodyRun(cells, [], [], []))


class RulesGame:
    """A game given by rules. A `watch` is called with every expression and statement when its closure is made."""

    engine: Engine = NO_ENGINE

    def __init__(self, model: RulesModel, watch: Watch | None = None, totals: bool = True):
        self.model = model
        self._accumulates = analysis.accumulates(model)
        self._may_hold_totals = totals and self._accumulates
        self._afresh: Callable[[], RulesGame] = partial(RulesGame, model, totals=totals)  # nothing was asked of it
        self.name = model.name
        self.players = model.players
        self._remembers = not analysis.shows_everything(model)
        self._own = Workers(model, watch)

    @property
    def work(self) -> int:
        """How many values the rules have run through in this thread."""
        return self._own.worked

    @property
    def memorist(self) -> Memorist:
        """The keeper of the players' memories."""
        return self._own.memorist

    # -- the protocol ---------------------------------------------------------------------------------------

    @cached_property
    def traits(self) -> Traits:
        try:
            return _look_for_traits(self)
        except KeyboardInterrupt:  # what stopped the look must not wait for another when the answer so far is told
            self.__dict__["traits"] = proved_traits(self.model)
            raise

    _again = cached_property(detect_repetition)  # whether play comes back to a position

    @cached_property
    def _bare(self) -> RulesGame:
        """The game with positions that hold no gains on the way."""
        return RulesGame(self.model, totals=False)

    @cached_property
    def _holds_totals(self) -> bool:
        """True if positions hold the gains on the way, so that ends pay everything. Where play can come back to a
        position it would be another one with every total."""
        return self._may_hold_totals and not self._bare.traits.cyclic

    def initial(self) -> State:
        return self._initial

    @cached_property
    def _initial(self) -> State:
        past = empty_past(self.model.times)
        cells: Cells = [0, past, None]
        for variable in self.model.variables:
            cells += variable.initial
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
            if isinstance(expansion.node, Simultaneous) and has(expansion.node, action):
                return self._at(state, self._joint_successor, state, tuple(action))
            option = expansion.options.get(action)  # type: ignore[arg-type]
            if option is None:
                raise no_action(expansion.node, action)
            made = self._at(state, self._done, state, option)
            if len(expansion.options) <= self._own.kept.most:
                expansion.made[action] = made
        return made

    def information_set(self, state: State, player: int) -> Hashable:
        return state if state.memories is None else state.memories[player]

    @cached_property
    def promises(self) -> Promises:
        from gdl.analysis.bounds import estimate_bounds, utility_bounds
        from gdl.analysis.parts import parts_of
        from gdl.analysis.placement_games import cells

        counted = self._may_hold_totals and self.traits.rewards
        return Promises(
            bounds=lambda state: self.model.bounds,
            proved=tuple if self._accumulates else cache(lambda: utility_bounds(self.model)),
            proved_of_estimates=tuple if self._accumulates else cache(lambda: estimate_bounds(self.model)),
            quiet=None if self.model.quiet is None else lambda state: self._own.payments.quiet(state),
            unit=None if self.model.unit is None else (self.model.unit.name, self.model.unit.size),
            forever=self.model.forever,
            constant_sum=analysis.constant_sum(self.model),
            numbers_of=self.model.numbers_of,
            cost=self.model.cost,
            rewards=Rewards(self._rewards, self.model.discount) if counted else None,
            acts_until=lambda state, player, later: self.memorist.acts_until(state.memories, player, later),
            endless=lambda: self._again.round if self._remembers and self.traits.cyclic else None,
            learnt=lambda before, after, player: self.memorist.learnt(before, after, player),
            without_memory=State.without_memory if analysis.shows_positions(self.model) else None,
            with_mover=None if self._remembers or self._holds_totals else State.with_mover,
            taken=cache(lambda: cells(self.model)),
            parts=cache(lambda: parts_of(self.model)),
            adviser=self._opinion(),
            biases_playouts=self.model.leaning is not None,
        )

    def _opinion(self) -> Adviser | None:
        if self.model.learned is None or self.model.learned.kind != "net":
            return None
        from gdl.interpreter.net_adviser import ActionEncoder, NetAdviser

        return NetAdviser(self.model.learned, ActionEncoder(self.model.actions, self.options))

    def describe(self, state: State, player: int) -> str:
        if state.memories is not None:
            assert self._initial.memories is not None
            return self.memorist.text(state.memories[player], self._initial.memories[player])
        return difference(self.memorist, self.players, self._initial, state, player)

    def evaluate(self, state: State) -> tuple[Number, ...] | None:
        return self._own.payments.estimate(state)

    def label(self, state: State) -> str | None:
        return None

    def show(self, state: State) -> str:
        return draw(self.model, state.cells)

    # -- what a player sees ---------------------------------------------------------------------------------

    def show_to(self, state: State, player: int) -> str:
        """The state drawn as the player sees it."""
        return draw(self.model, self.visible_cells(state, player))

    def signs(self, state: State, player: int) -> dict[str, str]:
        """The symbols that the player sees on the squares of the board."""
        return signs(self.model, self.visible_cells(state, player))

    def options(self, state: State, player: int) -> Mapping[Action, Option]:
        """The player's actions, each with its rule and how it comes about."""
        if state.turn == EVERYONE:
            return {option.name: option for option in self._options(state)[player]}
        return self._expansion_of(state).options if state.turn == player else {}

    def sayings_to(self, state: State, player: int) -> tuple[str, ...]:
        """Everything said to the player that they still remember."""
        return () if state.memories is None else sayings_in(state.memories[player])

    def visible_cells(self, state: State, player: int) -> tuple[Any, ...]:
        """The cells, with marks in place of what the player does not see."""
        view = self.memorist.view(player, state.turn, list(state.cells))
        return (*state.cells[:FIRST_CELL], *view[1:])

    # -- for an engine that makes the moves itself ----------------------------------------------------------

    def action_name(self, state: State, rule: Rule, player: int, arguments: tuple[Any, ...], path: list[int]) -> Action:
        """The name of an action or outcome, from the values in its head and the choices (by number) in its body."""
        self._own.evaluator.work[0] = 0
        cells = list(state.cells)
        if state.turn > FIRST_STEP:
            cells[MOVER] = player
        return self._own.book.name(rule, cells, self.past_after(state), arguments, path)

    def extend_memories(
        self, state: State, acted: dict[int, str], events: Events, turn: int, cells: Cells, forgotten: bool
    ) -> Memories | None:
        """The players' memories after a ply that left these cells; None where everyone sees everything."""
        if state.memories is None:
            return None
        return self.memorist.extend_memories(state.memories, acted, events, turn, cells, forgotten)

    def action_announcements(
        self, state: State, rule: Rule, action: Action, player: int | None, arguments: tuple[Any, ...]
    ) -> Events:
        """The events by which others learn of what a player, or chance, does in a state."""
        if rule.hearers is None or state.memories is None:
            return []
        cells = list(state.cells)
        if player is not None:
            cells[MOVER] = player
        text = f"{'chance' if player is None else self.players[player]}: {action}"
        return [(hearer, text) for hearer in self._own.book.hearers(rule, cells, arguments, player)]

    # -- expanding a state ----------------------------------------------------------------------------------

    def _expansion_of(self, state: State) -> RulesExpansion:
        own = self._own
        if own.last[0] is state:  # asked for its successors one after the other
            expansion: RulesExpansion = own.last[1]
            return expansion
        kept = own.kept.of(state)
        if kept is None:
            kept = self._at(state, self._expand, state)
            own.kept.keep(state, kept)
        own.last = state, kept
        return kept

    def _at(self, state: State, work: Callable[..., Found], *arguments: Any) -> Found:
        """Do the work; a fault of the rules found there knows the state it was found in."""
        own = self._own
        own.worked += own.evaluator.work[0]
        own.evaluator.work[0] = 0
        try:
            return work(*arguments)
        except GameError as error:
            if error.state is None:
                error.state = state
            raise

    def ending(self, state: State) -> Clause | None:
        """The terminal line by which play is over."""
        ended = self._own.payments.find_ending(self._asking(state, []))
        return None if ended is None else ended[0]

    def _asking(self, state: State, options: list[list[Option]]) -> Cells:
        """The cells for expressions that may ask whether there are actions. Those are found when first asked for: per
        player, or of the one mover."""
        cells = list(state.cells)

        def no_actions() -> bool:
            if not options and (state.turn >= 0 or state.turn == EVERYONE):
                options.extend(self._options(state))
            return state.turn == NOBODY or (state.turn > FIRST_STEP and not any(options))

        cells[NO_ACTIONS] = no_actions
        return cells

    def _expand(self, state: State) -> RulesExpansion:
        if not isinstance(state, State) or len(state.cells) != len(self._initial.cells):
            help = "take what initial() and successor() give"
            raise GameError(Problem(f"{short_repr(state)} is no state of {clean(self.name)}", help=help))
        options: list[list[Option]] = []
        cells = self._asking(state, options)
        ended = self._own.payments.find_ending(cells)
        if ended is not None:
            paid = with_totals(state.earned, ended[1].utilities)  # type: ignore[arg-type]  # known in rules
            return RulesExpansion(Terminal(paid), {}, {})
        if state.turn <= FIRST_STEP:
            return self._chance(state)
        if cells[NO_ACTIONS]():
            raise stuck(self.model, state.turn)
        if state.turn == EVERYONE:
            return RulesExpansion(Simultaneous(tuple(tuple(o.name for o in own) for own in options)), {}, {})
        (own,) = options
        named = {option.name: option for option in own}
        return RulesExpansion(Decision(state.turn, tuple(named)), named, {})

    def _options(self, state: State) -> list[list[Option]]:
        """The legal actions of the mover, or of every player where all choose at once."""
        movers = range(len(self.players)) if state.turn == EVERYONE else (state.turn,)
        found = []
        for player in movers:
            cells = list(state.cells)
            cells[MOVER] = player
            found.append(self._own.book.options(self.model.actions, cells, self.past_after(state)))
        return found

    # -- what comes of an action ----------------------------------------------------------------------------

    def _done(self, state: State, option: Option) -> State:
        """The state that an action or an outcome leads to."""
        run = option.run()
        acted = {state.turn: option.name} if state.turn >= 0 else {}
        return self._after(state, run, acted, self._option_announcements(state, option, run))

    def _result(self, state: State, option: Option, told: bool) -> tuple[State, Any]:
        """The state after an outcome, and the rewards; with `told`, players who are to hear of it do."""
        run = option.run()
        return self._after(state, run, {}, self._option_announcements(state, option, run) if told else []), run.rewards

    def _option_announcements(self, state: State, option: Option, run: BodyRun, player: int | None = None) -> Events:
        """The events by which players hear that an option was taken; none if it was an attempt that the rules
        refused."""
        if run.refused or option.rule.hearers is None:
            return []
        actor = state.turn if state.turn >= 0 else player
        return self.action_announcements(state, option.rule, option.name, actor, option.arguments)

    def _after(self, state: State, run: BodyRun, acted: dict[int, str], told: Events) -> State:
        """The state after a run of an action or a chance step; `told` are the events that players hear of it."""
        turn = run.turn
        if turn is None:  # the next player; after a chance step the mover goes on, after a joint move all choose again
            same = EVERYONE if state.turn == EVERYONE else state.cells[MOVER]
            turn = (state.turn + 1) % len(self.players) if state.turn >= 0 else same
        cells = run.cells
        if turn < 0 <= state.turn:
            cells[MOVER] = state.turn
        cells[NO_ACTIONS] = None
        self._own.settle(turn, cells)
        memories = self.extend_memories(state, acted, told + run.events, turn, cells, run.forgotten)
        acts = state.turn > FIRST_STEP
        earned = None if state.earned is None else state.earned.after(run, acts, self.model.discount)
        return State(turn, tuple(cells), memories, earned)

    def _rewards(self, state: State, action: Action | Joint) -> tuple[Number, ...]:
        """Each player's gain by an action, a joint move or an outcome."""
        option = self._expansion_of(state).options.get(action)  # type: ignore[arg-type]  # a joint move is none
        run: BodyRun = self._joint_run(state, tuple(action))[0] if option is None else option.run()
        return run.rewards_by_player(len(self.players))

    def past_after(self, state: State) -> Past:
        """The memory of earlier positions once this one is among them."""
        return self._own.evaluator.earlier.past_after(list(state.cells)) if state.cells[PAST] else state.cells[PAST]

    def _chance(self, state: State) -> RulesExpansion:
        """The outcomes of a chance step, their weights normalised; equal results of a merging step are one."""
        rule = self.model.chances[FIRST_STEP - state.turn]
        weights: dict[str, Number] = {}
        options: dict[str, Option] = {}
        merged: dict[tuple[State, Any] | None, str] = {}
        for option, weight in self._own.book.of_rule(rule, list(state.cells), self.past_after(state)):
            if weight is None or weight < 0:
                name = option.name or rule.name
                told = "none" if weight is None else weight
                raise fault(f"the weight of {name} is {told}", rule.span, "a weight is a number from 0 up")
            if weight == 0:
                continue
            result = self._result(state, option, False) if rule.merge else None
            if result not in merged:
                option.require_name()
            name = option.name if result is None else merged.setdefault(result, option.name)
            known = options.get(name)
            if known and not rule.merge and self._result(state, known, True) != self._result(state, option, True):
                raise fault(f"two outcomes with different results are both called '{name}'", rule.span,
                            "tell them apart in the name with 'as'")  # fmt: skip
            weights[name] = weights.get(name, 0) + weight
            options.setdefault(name, option)
        alike = Counter(weights.values())  # most weights are those of many outcomes
        total = sum(weight * count for weight, count in alike.items())
        if not total:
            raise fault(f"the chance step {rule.name} has no outcome here", rule.span, "let at least one be possible")
        shares = {weight: exact(Fraction(weight) / total) for weight in alike}
        return RulesExpansion(Chance(tuple((name, shares[weight]) for name, weight in weights.items())), options, {})

    def _joint_successor(self, state: State, joint: Joint) -> State:
        """The state that a joint move leads to."""
        return self._after(state, *self._joint_run(state, joint))

    def _joint_run(self, state: State, joint: Joint) -> tuple[BodyRun, dict[int, str], Events]:
        """Everyone's choices at once: each body reads the state before, then `resolve` reads them all."""
        merged = list(state.cells)
        merged[PAST] = self.past_after(state)
        events: Events = []
        told: Events = []
        rewards: tuple[tuple[int, Number], ...] = ()
        written: dict[int, int] = {}
        acted = {}
        forgotten = False
        for player, (own, action) in enumerate(zip(self._options(state), joint, strict=True)):
            if not own:
                continue
            option = next(o for o in own if o.name == action)
            run = option.run()
            told += self._option_announcements(state, option, run, player)
            acted[player] = action
            events += run.events
            rewards += run.rewards
            forgotten = forgotten or run.forgotten
            for at in range(FIRST_CELL, len(merged)):
                if run.cells[at] != state.cells[at]:
                    if written.setdefault(at, player) != player and merged[at] != run.cells[at]:
                        raise fault("two players write the same variable at once", self.model.actions[0].span,
                                    "give each player an element of their own, and join them in 'resolve'")  # fmt: skip
                    merged[at] = run.cells[at]
        final = BodyRun(merged, [], [], [])
        if self._own.resolve is not None and self.model.resolve is not None:
            final.frame = [None] * self.model.resolve.frame
            self._own.resolve(final)
        final.events = events + final.events
        final.rewards = rewards + final.rewards
        final.forgotten = final.forgotten or forgotten
        return final, acted, told


__all__ = ["RulesExpansion", "RulesGame", "State"]


def expand_together(game: RulesGame, other: RulesGame) -> None:
    """Let a game share the expansions of another one with the same rules, which estimates by other numbers."""
    game._own.kept = other._own.kept


def _look_for_traits(game: RulesGame) -> Traits:
    if game.work or game._own.evaluator.work[0]:  # what is known already must not stretch the limits of analysis
        return game._afresh().traits
    bare = game._bare.traits if game._may_hold_totals else None
    if bare is not None and bare.cyclic:
        return replace(bare, rewards=True, zero_sum=None, constant_sum=None)
    found = traits(game.model, game, lambda: game.work)
    return replace(found, cyclic=game._again.cyclic) if found.cyclic is None and game._remembers else found
