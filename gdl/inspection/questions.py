"""Questions of best play, answered by the solvers: what players can force, what can happen, how probable it is.

1. What is asked for takes the place of the utilities (gdl/model/objective.py): those who play for it get 1 where it
   comes about and -1 where not, or never; the others the opposite. Probabilities follow from the value.
2. Those who play together are one player, and so are all the others: each side knows what its members know. Where one
   of two plays for it, or all is seen and play ends, the rules are solved as they stand, by the compiled engine too.
3. What can happen at all is looked for through all positions, the nearest first; where they are many, also by some
   plays at random.

Play that never ends does not bring it about. An answer is proved, or it says between what its probability lies.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, inf
from random import Random
from time import monotonic
from typing import Any, Literal

from gdl import syntax
from gdl.checker.asked import AskedGame
from gdl.compiler.compiled_engine import falling_back
from gdl.compiler.search_kinds import RETROGRADE
from gdl.errors import LimitReached, Refusal, count_text, listing, warn_of_fault
from gdl.errors.deadline import Deadline
from gdl.errors.shares import WALK_SHARE
from gdl.game import Chance, Decision, Game, Node, Number, Promises, Terminal, Traits, exact, require_number
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import State
from gdl.model.games import Model
from gdl.model.objective import with_objective
from gdl.solution import Profile, Solution
from gdl.states.components import strong_components
from gdl.states.explore import Exploration, Move, Progress, Walk, explore, move_text, moves, topological_order
from gdl.states.game_wrapper import GameWrapper
from gdl.states.linear import Equation, solve
from gdl.states.playouts import Playouts, playouts
from gdl.states.sequential import Sequential, Turn

SMALL = 20_000  # positions up to which strategies are made, before one looks for a proof alone
FEW = 2_000  # positions up to which no code is made for the compiled engine
FIRST_PLAYS = 16  # that tell how long others take
EQUATIONS = 1_000  # positions that lead to each other, for which equations are solved
PLAYS = 2_000  # at random, where the positions are too many to be looked through
PLIES = 4_000  # of plays at random that look for what can happen, once so many positions were looked through
WALKED = 2_000_000  # positions that are looked through if nobody set a limit,
NUMBERED = 10_000_000  # and by the compiled engine, in this
EXPLORING = 0.25  # share of the time for its bounds
MANY = 40_000  # positions up to which the chances of play at random are fractions
PLACES = 10**12  # parts of 1 to which bounds of a probability are rounded
CLOSE = PLACES // 10**6  # such parts, within which bounds have met
BOUNDS, RANDOM_PLAYS = "bounds of all positions", "random plays"  # the solvers of answers that are not exact

Begin = Callable[[Model], Game[Any]]  # the game of a model, with its engine, from where it is to begin
Solve = Callable[[Game[Any], str], Solution]
Sample = Callable[[Game[Any], int], Playouts]
Answered = Literal["yes", "no"]


@dataclass(frozen=True)
class QuestionAnswer:
    """The answer to a question of best play. `value` is the probability of the event asked about, when the players
    named play for it (or against it, where they want to avoid it) and all others do the opposite; `interval` bounds it
    by what is proved. `strategy` has the best play of both sides, and `play` is an example."""

    game: str
    answer: Answered | None = None
    value: Number | float | None = None
    interval: tuple[Number, Number] | None = None
    exact: bool = False
    solver: str = ""
    strategy: Profile | None = None
    play: tuple[str, ...] = ()
    limit: str | None = None


def answer_question(
    question: syntax.Question,
    asked: AskedGame,
    begin: Begin,
    solve: Solve,
    progress: Progress | None = None,
    sample: Sample = lambda game, count: playouts(game, count, 0),
    seconds: float | None = None,
    nodes: int | None = None,
) -> QuestionAnswer:
    """Answer a question. `begin` makes a game of the model whose utilities say if the objective was reached, `solve`
    solves it by a solver, `sample` plays it at random a given number of times. If a limit stops the work, the answer
    has what was proved until then; `seconds` limits work that no solver does, and `nodes` its positions (None: no
    limit)."""
    wanting, sure = wanting_players(question, asked)
    game = begin(with_objective(asked.model, asked.objective, wanting))  # type: ignore[arg-type]  # not of clauses
    match question:
        case syntax.Reachable():
            return _search_for_play(game, progress, "yes", "no")
        case syntax.Invariant():
            return _search_for_play(game, progress, "no", "yes")
        case syntax.Likelihood(players=syntax.Word()):
            return _at_random(game, progress, sample, seconds, NUMBERED if nodes is None else nodes)
    return _best_play(game, wanting, solve, sure)


def wanting_players(question: syntax.Question, asked: AskedGame) -> tuple[frozenset[int], int | None]:
    """The players who want the event of a question, and the certainty that the question asks for: 1 or 0, None where it
    asks how probable the event is. All together want what can happen."""
    everybody = frozenset(range(len(asked.model.players)))
    match question:
        case syntax.Likelihood():
            return (everybody if isinstance(question.players, syntax.Word) else asked.named), None
        case syntax.Ability():
            return (asked.named, 1) if question.verb.kind == "FORCE" else (everybody - asked.named, 0)
    return everybody, int(isinstance(question, syntax.Reachable))


def decide(low: Number, high: Number, sure: int | None) -> Answered | None:
    """Yes if the probability is proved to be `sure`, no if it is proved to be another; None if it is open, or if no
    certain probability was asked for."""
    if sure is None:
        return None
    if low == high == sure:
        return "yes"
    return "no" if not low <= sure <= high else None


# ---- Best play --------------------------------------------------------------------------------------------------


def _best_play(game: Game[Any], wanting: frozenset[int], solve: Solve, sure: int | None) -> QuestionAnswer:
    """The probability of an event if those who want it play best against all others. `sure` is 1 if the question is
    only whether it is certain, 0 if only whether it is impossible, None for the probability itself."""
    plain, wanting = as_sides(game, wanting)
    player = min(wanting, default=0)
    sign = 1 if player in wanting else -1
    try:
        solution = _solve_for_value(plain, solve)
    except LimitReached as stop:
        if not isinstance(stop.partial, Solution):
            return QuestionAnswer(game.name, interval=(0, 1), limit=str(stop))
        solution = replace(stop.partial, limit=str(stop))
    found = QuestionAnswer(
        game.name, solver=solution.solver, play=solution.line or solution.best[:1], limit=solution.limit
    )
    ends: tuple[Any, Any] = solution.interval[player] if solution.interval else (None, None)
    if solution.is_value_proven and solution.value is not None:
        ends = solution.value[player], solution.value[player]
    low, high = sorted(
        _probability(sign * (bound if end is None else end)) for end, bound in zip(ends, (-1, 1), strict=True)
    )
    value = None if solution.value is None else _probability(sign * solution.value[player])
    answer, proven = decide(low, high, sure), low == high
    profile = solution.strategy or next(iter(solution.equilibria), None) or {}
    strategy = {  # without the actions that are never taken
        name: {known: {action: p for action, p in mixture.items() if p} for known, mixture in mixtures.items()}
        for name, mixtures in profile.items()
    }
    limit = None if proven or answer else found.limit
    return replace(
        found, answer=answer, value=value, interval=(low, high), exact=proven, strategy=strategy or None, limit=limit
    )


def as_sides(game: Game[Any], wanting: frozenset[int]) -> tuple[Game[Any], frozenset[int]]:
    """The game in which the question is solved, and those of its players who want the event: each side is one player
    where the rules as they stand don't do."""
    count = len(game.players)
    if count == 1 or (count == 2 and len(wanting) == 1) or _shares_aims(game):
        return game, wanting
    return Sides(game, wanting), frozenset([0]) if wanting else frozenset()


def _probability(value: Any) -> Any:
    """The probability of the objective from its value, where -1 means never and 1 certainly."""
    return min(1.0, max(0.0, (value + 1) / 2)) if isinstance(value, float) else exact(Fraction(value + 1) / 2)


def _shares_aims(game: Game[Any]) -> bool:
    """True if players of one side need not agree with each other, since each one's best play is best for all:
    everything is seen, nobody moves at once, and play ends."""
    traits = game.traits
    return traits.perfect_information is True and traits.simultaneous is False and traits.cyclic is False


def _solve_for_value(game: Game[Any], solve: Solve) -> Solution:
    """The answer of the solver that suits the game. In a large game of two players without chance or hidden
    information, that of proof-number search."""
    traits = game.traits
    plain = traits.chance is False and traits.simultaneous is False and traits.cyclic is False
    if plain and len(game.players) == 2 and traits.perfect_information and game.engine.offers("proof-number"):
        try:
            for _ in Walk(game, SMALL):
                pass
        except LimitReached:
            return solve(game, "proof-number")
    return solve(game, "auto")


class Sides(GameWrapper):
    """The game of those who want an event against all others, each side as one player who knows everything that its
    members know. If one side is empty, the other plays alone."""

    def __init__(self, game: Game[Any], wanting: frozenset[int]):
        super().__init__(game if game.traits.simultaneous is False else Sequential(game))
        others = tuple(player for player in range(len(game.players)) if player not in wanting)
        self.members = tuple(side for side in (tuple(sorted(wanting)), others) if side)
        self._side = {player: side for side, members in enumerate(self.members) for player in members}
        self.players = tuple(listing([game.players[player] for player in side]) for side in self.members)
        self.promises = Promises(forever=self._pay_sides(game.promises.forever), constant_sum=0)

    @cached_property
    def traits(self) -> Traits:
        traits = replace(self.game.traits, players=len(self.players), zero_sum=True, constant_sum=0)
        return traits if len(self.players) == 2 else replace(traits, zero_sum=None, constant_sum=None)

    def _pay_sides(self, utilities: Any) -> Any:
        return utilities and tuple(require_number(utilities[side[0]]) for side in self.members)

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        if isinstance(node, Terminal):
            return Terminal(self._pay_sides(node.utilities))
        return Decision(self._side[node.player], node.actions) if isinstance(node, Decision) else node

    def information_set(self, state: Any, player: int) -> Hashable:
        return tuple(self.game.information_set(state, member) for member in self.members[player]), self._chosen_by_side(
            state, player
        )

    def _chosen_by_side(self, state: Any, player: int) -> tuple[str, ...]:
        """The actions that members of the player's side have chosen already in a joint move that others have still to
        complete."""
        chosen = state.chosen if isinstance(state, Turn) else ()
        return tuple(action for member, action in enumerate(chosen) if self._side[member] == player)

    def describe(self, state: Any, player: int) -> str:
        known = [self.game.describe(state, member) for member in self.members[player]]
        return "; ".join(dict.fromkeys([*known, *self._chosen_by_side(state, player)]))


# ---- What can happen --------------------------------------------------------------------------------------------


def _search_for_play(game: Game[Any], progress: Progress | None, met: Answered, never: Answered) -> QuestionAnswer:
    """Search all positions, the nearest first, and in a large game plays at random, for a play that reaches the
    objective: the answer is `met` if there is one, `never` if there is none."""
    found = QuestionAnswer(game.name, solver="search of all positions")
    walk, reached = Walk(game, WALKED, progress), replace(found, answer=met, value=1, interval=(1, 1), exact=True)
    try:
        for count, expansion in enumerate(walk):
            if _is_reached(expansion.node):
                return replace(reached, play=tuple(map(move_text, walk.play(expansion.number))))
            if count == PLIES and (play := _random_way(game)) is not None:
                return replace(reached, solver=RANDOM_PLAYS, play=tuple(map(move_text, play)))
    except LimitReached as stop:
        return replace(found, interval=(0, 1), limit=str(stop))
    return replace(found, answer=never, value=0, interval=(0, 0), exact=True)


def _is_reached(node: Node) -> bool:
    return isinstance(node, Terminal) and require_number(node.utilities[0]) == 1


def _random_way(game: Game[Any]) -> list[Move] | None:
    """A play that reaches the objective, if one of some plays at random does."""
    chance, left = Random(0), PLIES
    while left > 0:
        state, play = game.initial(), list[Move]()
        while (options := moves(node := game.node(state))) and len(play) < PLIES // 8:
            play.append(chance.choice(options))
            state = game.successor(state, play[-1])
        if _is_reached(node):
            return play
        left -= len(play) + 1
    return None


def _at_random(
    game: Game[Any], progress: Progress | None, sample: Sample, seconds: float | None, most: int
) -> QuestionAnswer:
    """The probability of an event if everybody plays at random: exact where positions are few, else between bounds that
    the compiled engine finds; estimated by plays where a limit leaves these apart."""
    start, begun, share = game.initial(), monotonic(), inf if seconds is None else WALK_SHARE * seconds
    # What players remember makes no difference.
    bare = Continuation(game, start.without_memory()) if isinstance(start, State) else game
    found, offered = None, bare.engine.offers(RETROGRADE)
    if not (offered and bare.engine.is_user_choice):
        found = _walked_chance(bare, FEW if offered else MANY, progress, begun + (share / 4 if offered else share))
    if found is None or (found.limit and offered):
        found = falling_back(lambda: _enclosed_chance(bare, progress, begun + share, most), bare, warn_of_fault)
        found = found or _walked_chance(bare, MANY, progress, begun + share)
    return _estimate(game, found, sample, seconds) if found.limit else found


def _timed_progress(progress: Progress | None, end: float) -> Progress:
    """The progress that also raises LimitReached from a moment of the clock on."""

    def count_positions(count: int) -> None:
        if progress:
            progress(count)
        if monotonic() > end:
            raise LimitReached(f"the time ended after {count_text(count, 'position')}")

    return count_positions


def _walked_chance(game: Game[Any], most: int, progress: Progress | None, end: float) -> QuestionAnswer:
    """The answer from all positions, which the interpreter walks through if there are no more than `most`, and the
    clock has not come to `end`."""
    unknown = QuestionAnswer(game.name, interval=(0, 1))
    try:
        found = _exact_chance(game, explore(game, most, _timed_progress(progress, end), partly=False))
    except LimitReached as stop:
        return replace(unknown, limit=str(stop))
    return found or replace(unknown, limit="play can come back to a position")


def _exact_chance(game: Game[Any], found: Exploration[Any]) -> QuestionAnswer | None:
    """The exact answer from all positions; None if so many equations would take long."""
    value = _chance_of_event(found.nodes, found.children)
    loops = len(topological_order(found.children)) < len(found.children)
    solver = "linear equations of all positions" if loops else "all positions, backwards"
    return None if value is None else QuestionAnswer(game.name, None, value, (value, value), True, solver)


def _enclosed_chance(game: Game[Any], progress: Progress | None, end: float, most: int) -> QuestionAnswer | None:
    """The answer from all positions that the compiled engine meets until the clock comes to `end`, at most so many of
    them; None if it does not take the game. What comes behind positions that it does not expand is open: their worth is
    once the least, once the greatest."""
    engine, search, limit, least, greatest = game.engine, None, None, -1.0, 1.0
    unknown = QuestionAnswer(game.name, interval=(0, 1))
    try:
        if not engine.offers(RETROGRADE) or monotonic() > end:
            return None
        with Deadline.ending(end - monotonic(), end).enforce(making=0.0, grace=0.0):
            search = engine.search(RETROGRADE, limit=most, memory=engine.room(), at_random=True)
        tick = _timed_progress(progress, monotonic() + EXPLORING * (end - monotonic()))
        for _ in search.explore():
            tick(min(search.states, most - 1))  # where it stops at `most` does not depend on the clock
    except Refusal:
        return None
    except LimitReached as stop:
        limit = str(stop)
    if search is None:
        return replace(unknown, limit="the time ended before there was code for the game")
    if limit is None and search.states <= MANY and (found := _exact_chance(game, search.exploration())):
        return found
    tick = _timed_progress(None, end)
    try:
        for worth in (-1, 1) if limit else (-1,):
            search.end_open_states(worth)
            for _ in search.analyse(-1):
                tick(search.states)
            below, above = search.bounds(0)
            least, greatest = below if worth < 0 else least, above if worth > 0 or not limit else greatest
    except LimitReached as stop:
        limit = limit or str(stop)
    lower, upper = (_probability(Fraction(bound)) * PLACES for bound in (least, greatest))
    low, high = max(0, floor(lower) - 1), min(PLACES, ceil(upper) + 1)  # whose last digit may be rounded
    limit = None if high - low < CLOSE else limit or "bounds of the probability have not met"
    interval = exact(Fraction(low, PLACES)), exact(Fraction(high, PLACES))
    return QuestionAnswer(game.name, None, (low + high) / 2 / PLACES, interval, False, BOUNDS, limit=limit)


def _chance_of_event(nodes: Sequence[Node], children: Sequence[Sequence[int]]) -> Number | None:
    """The probability of the event from the first position: that from each is the mean of those from the next. Where
    positions come again, linear equations give it for all that lead to each other, and it is 0 where the event can't
    come about any more. None if so many equations would take long."""
    worth = dict[int, Number]()
    for component in strong_components(range(len(nodes)), dict(enumerate(children))):
        equations = {number: Equation(int(_is_reached(nodes[number])), {}) for number in component}
        for number, equation in equations.items():
            node, after = nodes[number], children[number]
            even = [Fraction(1, len(after))] * len(after) if after else []
            shares = [share for _, share in node.outcomes] if isinstance(node, Chance) else even
            for share, child in zip(map(require_number, shares), after, strict=True):
                if child in worth:
                    equation.constant += share * worth[child]
                else:
                    equation.weights[child] = equation.weights.get(child, 0) + share
        if len(component) > EQUATIONS:
            return None
        hopeful = any(equation.constant for equation in equations.values())
        worth |= solve(equations) if hopeful else dict.fromkeys(component, 0)
    return exact(worth[0])


def _estimate(game: Game[Any], found: QuestionAnswer, sample: Sample, seconds: float | None) -> QuestionAnswer:
    """An answer that a limit leaves open, with an estimate by random plays, as many as `seconds` allow."""
    count, begun = PLAYS if seconds is None else FIRST_PLAYS, monotonic()
    plays = sample(game, count)
    if seconds is not None:
        most = WALK_SHARE * seconds / max(monotonic() - begun, 1e-3) * FIRST_PLAYS
        if most > 2 * FIRST_PLAYS:
            count = min(PLAYS, int(most))
            plays = sample(game, count)
    low, high = found.interval or (0, 1)
    value = min(float(high), max(float(low), (plays.value[game.players[0]] + 1) / 2))
    error = plays.error[game.players[0]] / 2
    limit = f"{found.limit}; estimated from {count:,} plays, standard error {error:.2g}"
    return replace(found, value=value, solver=RANDOM_PLAYS, limit=limit)
