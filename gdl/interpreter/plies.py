"""Plies of a game by rules: the actions of a state, and the states that follow an action, a joint move, or chance."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Mapping
from fractions import Fraction
from threading import local
from typing import Any, NamedTuple

from gdl.errors import fault, limits
from gdl.game import Action, Bounds, Chance, Joint, Node, Number, Terminal, broken_bound, exact
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP, NOBODY, BodyRun
from gdl.interpreter.closures import FIRST_CELL, MOVER, NO_ACTIONS, PAST, Cells, Watch
from gdl.interpreter.earlier import Past
from gdl.interpreter.evaluator import NO_WORK, Evaluator
from gdl.interpreter.memory import Events, Memories, Memorist
from gdl.interpreter.reward_totals import Earned, with_totals
from gdl.interpreter.rulebook import Option, Rulebook
from gdl.model.games import Clause, Rule, RulesModel

# The last expansions of states: asked for again and again, since successors are taken from them.

WIDE = 10_000  # successors of a state whose expansion is kept apart,
WIDE_ONES = 2  # and how many of these are
KEPT = 40_000  # successors, made or not, of the states whose expansions are in memory; fewer where states are large


class ExpansionCache:
    """A cache of expansions by their states, from which the oldest are dropped. Those with very many successors are
    kept apart, so that neither kind drives out the other."""

    def __init__(self, model: RulesModel):
        self.most = min(KEPT, limits.CELLS // max(1, sum(len(variable.initial) for variable in model.variables)))
        self._kept: OrderedDict[State, RulesExpansion] = OrderedDict()
        self._wide: dict[State, RulesExpansion] = {}
        self._successors = 0  # the number of successors of the states in `_kept`

    def find(self, state: State) -> RulesExpansion | None:
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


class Workers(local):
    """The parts of a game that hold intermediate results while they compute, such as evaluator, rulebook and memorist.
    Each thread has its own."""

    def __init__(self, model: RulesModel, watch: Watch | None):
        self.evaluator = Evaluator(model.variables, model.definitions, model.times, watch)
        self.worked = 0  # values that quantifiers and parameters have run through: how long work takes, without a clock
        self.book = Rulebook(model, self.evaluator)
        self.memorist = Memorist(model, self.evaluator)
        self.payments = Payments(model, self.evaluator)
        self.resolve = None if model.resolve is None else self.book.bodies.block(model.resolve.body)
        self.follow_up = None if model.follow_up is None else self.book.bodies.block(model.follow_up.body)
        self.slots = model.follow_up.frame if model.follow_up else 0
        self.kept = ExpansionCache(model)
        self.last: tuple[Any, Any] = self, None  # the state that was asked for last, and its expansion

    def settle(self, turn: int, cells: Cells) -> None:
        """If it is a player's turn, make that player the mover in the cells, and apply the rule that follows a ply, if
        the game has one."""
        if turn >= 0:
            cells[MOVER] = turn
            if self.follow_up is not None:
                self.follow_up(BodyRun(cells, [None] * self.slots, [], []))


class Plies:
    """Computes the actions and outcomes of a state, and the states that follow."""

    def __init__(self, model: RulesModel, own: Workers):
        self.model = model
        self.own = own
        self.seats = len(model.players)

    def cells_asking(self, state: State, options: list[list[Option]]) -> Cells:
        """The cells of a state, for expressions that may use `no actions`. The actions are computed when first asked
        for, and added to `options`: a list for each player who chooses at once, or one for the mover."""
        cells = list(state.cells)

        def no_actions() -> bool:
            if not options and (state.turn >= 0 or state.turn == EVERYONE):
                options.extend(self.options(state))
            return state.turn == NOBODY or (state.turn > FIRST_STEP and not any(options))

        cells[NO_ACTIONS] = no_actions
        return cells

    def options(self, state: State) -> list[list[Option]]:
        """The legal actions of the mover, as one list, or a list for every player where all choose at once."""
        movers = range(len(self.model.players)) if state.turn == EVERYONE else (state.turn,)
        found = []
        for player in movers:
            cells = list(state.cells)
            cells[MOVER] = player
            found.append(self.own.book.options(self.model.actions, cells, self.past_after(state)))
        return found

    def after_option(self, state: State, option: Option) -> State:
        """The state that an action or an outcome leads to."""
        run = option.run()
        if state.memories is None:
            return self.after_run(state, run, {}, [])
        acted = {state.turn: option.name} if state.turn >= 0 else {}
        return self.after_run(state, run, acted, self.announcements(state, option, run))

    def result(self, state: State, option: Option, told: bool) -> tuple[State, Any]:
        """The state after an option, and its rewards. `told` is True if its hearers are to hear of it."""
        run = option.run()
        return self.after_run(state, run, {}, self.announcements(state, option, run) if told else []), run.rewards

    def announcements(self, state: State, option: Option, run: BodyRun, player: int | None = None) -> Events:
        """The events by which players hear that an option was taken; none if it was an attempt that the rules refused.
        `player` is the one who acts, where all choose at once."""
        if run.refused or option.rule.hearers is None:
            return []
        actor = state.turn if state.turn >= 0 else player
        return self.action_announcements(state, option.rule, option.name, actor, option.arguments)

    def after_run(self, state: State, run: BodyRun, acted: dict[int, str], told: Events) -> State:
        """The state after a run of an action or a chance step. `acted` has the names of the actions taken, by player;
        `told` are the events that players hear."""
        turn, cells, before = run.turn, run.cells, state.turn
        if turn is None:  # the next player; after a chance step the mover goes on, after a joint move all choose again
            same = EVERYONE if before == EVERYONE else state.cells[MOVER]
            turn = (before + 1) % self.seats if before >= 0 else same
        cells[NO_ACTIONS] = None
        self.own.settle(turn, cells)
        memories, earned = state.memories, state.earned
        if memories is not None:
            events = told + run.events
            memories = self.own.memorist.extend_memories(memories, acted, events, turn, cells, run.forgotten)
        if earned is not None:
            earned = earned.add_run(run, before > FIRST_STEP, self.model.discount)
        return State(turn, tuple(cells), memories, earned)

    def past_after(self, state: State) -> Past:
        """The memory of earlier positions with this state's position added."""
        return self.own.evaluator.earlier.past_after(list(state.cells)) if state.cells[PAST] else state.cells[PAST]

    def chance(self, state: State) -> RulesExpansion:
        """The outcomes of a chance step with their probabilities. If the step merges equal results, these are one
        outcome."""
        rule = self.model.chances[FIRST_STEP - state.turn]
        weights: dict[str, Number] = {}
        options: dict[str, Option] = {}
        merged: dict[tuple[State, Any] | None, str] = {}
        for option, weight in self.own.book.of_rule(rule, list(state.cells), self.past_after(state)):
            if weight is None or weight < 0:
                name = option.name or rule.name
                told = "none" if weight is None else weight
                raise fault(f"the weight of {name} is {told}", rule.span, "a weight is a number from 0 up")
            if weight == 0:
                continue
            result = self.result(state, option, False) if rule.merge else None
            is_new = result not in merged
            if is_new:
                option.require_name()
            name = option.name if result is None else merged.setdefault(result, option.name)
            known = options.get(name)
            if known and (
                is_new if rule.merge else self.result(state, known, True) != self.result(state, option, True)
            ):
                raise fault(f"two outcomes with different results are both called '{name}'", rule.span,
                            "tell them apart in the name with 'as'")  # fmt: skip
            weights[name] = weights.get(name, 0) + weight
            options.setdefault(name, option)
        alike = Counter(weights.values())  # most weights are those of many outcomes
        total = sum(weight * count for weight, count in alike.items())
        if not total and " " in rule.name:  # no name of a file has a blank: it is a line `deal`
            help = "deal no more than there are: min(5, size(deck)), or of counts min(5, sum c in Card: deck[c])"
            raise fault(f"too few things are left to {rule.name}", rule.span, help)
        if not total:
            raise fault(f"the chance step {rule.name} has no outcome here", rule.span, "let at least one be possible")
        shares = {weight: exact(Fraction(weight) / total) for weight in alike}
        return RulesExpansion(Chance(tuple((name, shares[weight]) for name, weight in weights.items())), options, {})

    def joint_successor(self, state: State, joint: Joint, options: Mapping[Any, Option]) -> State:
        """The state that a joint move leads to."""
        return self.after_run(state, *self.joint_run(state, joint, options))

    def joint_run(
        self, state: State, joint: Joint, options: Mapping[Any, Option]
    ) -> tuple[BodyRun, dict[int, str], Events]:
        """All players' actions done at once: each body reads the state before, then `resolve` reads what all have
        written. Also the actions by player, and the events. `options` are those of the state."""
        merged = list(state.cells)
        merged[PAST] = self.past_after(state)
        events: Events = []
        told: Events = []
        rewards: tuple[tuple[int, Number], ...] = ()
        acted = {}
        forgotten = False
        for player, action in enumerate(joint):
            option = options.get((player, action))
            if option is None:
                continue
            run = option.run()
            told += self.announcements(state, option, run, player)
            acted[player] = action
            events += run.events
            rewards += run.rewards
            forgotten = forgotten or run.forgotten
            for at in range(FIRST_CELL, len(merged)):
                if run.cells[at] != state.cells[at]:
                    if merged[at] != state.cells[at] and merged[at] != run.cells[at]:
                        raise fault("two players write the same variable at once", self.model.actions[0].span,
                                    "give each player an element of their own, and join them in 'resolve'")  # fmt: skip
                    merged[at] = run.cells[at]
        final = BodyRun(merged, [], [], [])
        if self.own.resolve is not None and self.model.resolve is not None:
            final.frame = [None] * self.model.resolve.frame
            self.own.resolve(final)
        final.events = events + final.events
        final.rewards = rewards + final.rewards
        final.forgotten = final.forgotten or forgotten
        return final, acted, told

    def action_announcements(
        self, state: State, rule: Rule, action: Action, player: int | None, arguments: tuple[Any, ...]
    ) -> Events:
        """The events by which others hear of an action of a player, or of chance (None), in a state."""
        if rule.hearers is None or state.memories is None:
            return []
        cells = list(state.cells)
        if player is not None:
            cells[MOVER] = player
        text = f"{'chance' if player is None else self.model.players[player]}: {action}"
        return [(hearer, text) for hearer in self.own.book.hearers(rule, cells, arguments, player)]


# Payments of a position by the file: the terminal line that holds and pays, the evaluation, the quiet number.


class Payments:
    """The numbers that a file gives to positions: utilities at the end, the evaluation, the number of quiet play."""

    def __init__(self, model: RulesModel, evaluator: Evaluator):
        self.model = model
        self._evaluator = evaluator
        self._clauses = [(evaluator.value(c.condition), evaluator.values(c.utilities), c) for c in model.clauses]
        self._unproved = _bounds_to_check(model)
        self._features = [(f.weight, evaluator.values(f.values), f) for f in model.features]
        if model.quiet is not None:
            self._quiet = evaluator.value(model.quiet.value)

    def find_ending(self, cells: Cells) -> tuple[Clause, Terminal] | None:
        """The first terminal clause that holds, with its utilities; None if play is not over."""
        for (condition, utilities, clause), bounds in zip(self._clauses, self._unproved, strict=True):
            frame = [None] * clause.frame
            if condition(cells, frame):
                paid = [utility(cells, frame) for utility in utilities]
                if None in paid:
                    raise fault("a utility is none here", clause.span, "ask for '!= none' in the test")
                end = Terminal(tuple(map(exact, paid)))
                if bounds and broken_bound(end.utilities, bounds):
                    told = broken_bound(end.utilities, self.model.bounds or bounds)  # as the file promises it
                    raise fault(told, clause.span, "correct the utility or the bound")
                return clause, end
        return None

    def estimate(self, state: State) -> tuple[Number, ...] | None:
        """The value of a state for each player by the file's evaluation, with the gains so far, or by a learned one;
        None where the file has no evaluation."""
        if self.model.learned is not None:
            found: tuple[Number, ...] = self.model.learned.estimate(state.turn, state.cells)
            return found
        if not self._features:
            return None
        totals: list[Number] = [0] * len(self.model.players)
        self._evaluator.work[:] = NO_WORK
        for weight, values, feature in self._features:
            for p, value in enumerate(values):
                term = value(list(state.cells), [None] * feature.frame)
                if term is None:
                    raise fault("a feature of the evaluation is none here", feature.span, "ask for '!= none' first")
                totals[p] += weight * term
        return with_totals(state.earned, tuple(exact(total) for total in totals))

    def quiet(self, state: State) -> Number | None:
        """The number of quiet play in a state; None where the state is not quiet, or the file does not say."""
        assert self.model.quiet is not None
        self._evaluator.work[:] = NO_WORK
        found: Number | None = self._quiet(list(state.cells), [None] * self.model.quiet.frame)
        return found


def _bounds_to_check(model: RulesModel) -> tuple[Bounds | None, ...]:
    """For each terminal clause, those bounds that the file promises and the rules do not prove, to be checked in play;
    None where there are none."""
    if model.bounds is None:
        return (None,) * len(model.clauses)
    from gdl.analysis.bounds import unproved_bounds

    return unproved_bounds(model)


class State(NamedTuple):
    """A state: the turn (a player's number, EVERYONE, NOBODY or a chance step), the cells, the memories of the players
    (None where everyone sees everything), and the rewards so far (None if positions do not hold them)."""

    turn: int
    cells: tuple[Any, ...]
    memories: Memories | None
    earned: Earned | None = None

    @property
    def mover(self) -> int:
        """The player whose turn it is; at other turns the player who moved last."""
        mover: int = self.turn if self.turn >= 0 else self.cells[MOVER]
        return mover

    def without_memory(self) -> State:
        """The state without the players' memories."""
        return self if self.memories is None else self._replace(memories=None)

    def with_mover(self, player: int) -> State:
        """The state with this player as the one to move."""
        return self._replace(turn=player, cells=(player, *self.cells[MOVER + 1 :]))


class RulesExpansion(NamedTuple):
    """The node of a state, its options by name (where all choose at once, by player and name), and those of its
    successors that were computed already."""

    node: Node
    options: Mapping[Any, Option]
    made: dict[Any, State]
