"""Proof-number search, depth first (df-pn): a value found by questions of yes or no.

The question is whether MAX can secure an end that is worth at least so much. A position's proof number pn is the least
number of open positions that would have to be proved to prove it, its disproof number dn the same for disproving:

1. At an end (pn, dn) is (0, oo) if it is enough, else (oo, 0); a position not looked at yet has (1, 1).
2. Where MAX moves, pn is the least pn of the children, and dn the sum of their dn; where MIN moves, the reverse.
3. From a position the search goes to the child that is most easily proved (MAX) or disproved (MIN), and stays below it
   until another child would be easier, or the numbers of the position pass the thresholds with which it was entered.
4. Numbers are kept in a table by position, so the search can leave a position and come back.

One question is asked after the other: if the value is at least u, whether it is more, and so on, through utilities of
ends that the search has met. The last two proofs show the value from both sides, and what to play. Long searches are
made on the compiled engine (gdl/compiler/kernels/proof_number.py), which lists no strategies.

Sources: Allis, van der Meulen and van den Herik, Proof-number search, Artificial Intelligence 66, 1994; Nagai, Df-pn
algorithm for searching AND/OR trees and its applications, PhD thesis, University of Tokyo, 2002.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl.compiler import search_kinds
from gdl.errors import GameError, with_play
from gdl.game import Action, Decision, Game, Number, Terminal, require_number
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.certificate import MANY_CHOICES, strategies
from gdl.solvers.engine_stages import compiled_search, memory_limit, run_compiled_search, run_stages, unless_long
from gdl.solvers.minimax.backward_induction import principal_variation
from gdl.solvers.minimax.windows import constant_sum_vector, max_player
from gdl.solvers.needs import OPPOSED, TREE_LIKE, Watch
from gdl.solvers.solver import Solver

if TYPE_CHECKING:
    from gdl.compiler.searches.proof_number_driver import ProofNumber

BEGUN = 2_000  # nodes before the compiled engine is asked

Numbers = tuple[float, float]  # pn and dn
OPEN: Numbers = (1, 1)
PROVED: Numbers = (0, inf)
DISPROVED: Numbers = (inf, 0)


class _Frame(NamedTuple):
    """A position on the path of the search; `most` are the thresholds of its pn and dn at which the search leaves
    it."""

    state: Any
    maximises: bool
    actions: tuple[Action, ...]
    children: tuple[Any, ...]
    most: Numbers


@dataclass
class ProofQuestion:
    """The question whether MAX can secure an end worth at least `bound`, or with `more` worth more than that; `numbers`
    is the table of pn and dn."""

    search: ProofNumberSearch
    bound: Number
    more: bool
    numbers: dict[Hashable, Numbers] = field(default_factory=dict)

    def holds(self, start: Any) -> bool:
        """True if the answer for the position is yes."""
        stack: list[_Frame] = []
        self._enter(start, (inf, inf), stack)
        while stack:
            frame = stack[-1]
            found = [self.numbers.get(child, OPEN) for child in frame.children]
            # Combined anew at each visit: a child may have got other numbers by way of another parent.
            pn, dn = self.numbers[frame.state] = _combine_numbers(found, frame.maximises)
            # Not settled, but harder than a sibling by now: back up, to where the most promising position is chosen
            # again. What was found stays in `numbers`.
            if pn >= frame.most[0] or dn >= frame.most[1]:
                stack.pop()
                self.search.on_path.remove(frame.state)
                continue
            child, most = _most_proving(found, frame.maximises, (pn, dn), frame.most)
            self._enter(frame.children[child], most, stack)
        return self.numbers[start] == PROVED

    def _enter(self, state: Any, most: Numbers, stack: list[_Frame]) -> None:
        """Look at a position: an end is answered at once, any other goes on the stack."""
        search = self.search
        if self.numbers.get(state, OPEN) in (PROVED, DISPROVED):
            return
        try:
            node = search.look(state)
            if isinstance(node, Terminal):
                value = search.worth(node)
                enough = value > self.bound or (value == self.bound and not self.more)
                self.numbers[state] = PROVED if enough else DISPROVED
                return
            assert isinstance(node, Decision)
            children = tuple([search.game.successor(state, action) for action in node.actions])
        except GameError as fault:
            raise with_play(fault, _play(stack, state)) from None
        search.on_path.add(state)
        stack.append(_Frame(state, node.player == search.max_player, node.actions, children, most))

    def is_established(self, state: Any) -> bool:
        """True if the position is proved, or with `more` disproved: MAX secures at least the bound, or MIN holds MAX to
        it."""
        return self.numbers.get(state) == (DISPROVED if self.more else PROVED)

    def choose(self, state: Any, node: Decision) -> Action:
        """The action that keeps the answer established, for the player whom it favours."""
        game = self.search.game
        return next(action for action in node.actions if self.is_established(game.successor(state, action)))


def _play(stack: list[_Frame], last: Any) -> tuple[Action, ...]:
    """The actions that lead along the stack to a position."""
    states = [*(frame.state for frame in stack[1:]), last] if stack else []
    return tuple(frame.actions[frame.children.index(state)] for frame, state in zip(stack, states, strict=True))


def _combine_numbers(found: list[Numbers], maximises: bool) -> Numbers:
    """The numbers of a position, from those of its children."""
    if maximises:
        return min(pn for pn, _ in found), sum(dn for _, dn in found)
    return sum(pn for pn, _ in found), min(dn for _, dn in found)


def _most_proving(found: list[Numbers], maximises: bool, own: Numbers, most: Numbers) -> tuple[int, Numbers]:
    """The place of the child to go to, and the thresholds there: the search stays until the second best child would be
    easier, or the child's share of the parent's thresholds is used up."""
    easy, sum_ = (0, 1) if maximises else (1, 0)
    order = sorted(range(len(found)), key=lambda child: found[child][easy])
    best = order[0]
    second = found[order[1]][easy] if len(order) > 1 else inf
    limit = [0.0, 0.0]
    # One more than the second best: without it two equal children would be left for each other at once, for ever.
    limit[easy] = min(most[easy], second + 1)
    # The parent's number is a sum: this child may take what the parent may still take, beside what it takes already.
    limit[sum_] = inf if most[sum_] == inf else most[sum_] - own[sum_] + found[best][sum_]
    return best, (limit[0], limit[1])


class ProofNumberSearch:
    """The search for the value of one game, question by question."""

    def __init__(self, game: Game[Any], budget: Budget):
        self.game = game
        self.budget = budget
        self.watch = Watch(PROOF_NUMBER.name, PROOF_NUMBER.needs, game)
        self.max_player = max_player(game)
        self.on_path: set[Hashable] = set()
        self.met: set[Number] = set()  # MAX's utilities at the ends met
        self.low: tuple[Number, ProofQuestion] | None = None  # the most that MAX is known to secure, and the proof
        self.high: tuple[Number, ProofQuestion] | None = None  # the least that MIN is known to hold MAX to

    def look(self, state: Any) -> Any:
        node = self.game.node(state)
        self.budget.visit()
        self.watch.check_node(state, node)
        if state in self.on_path:
            raise self.watch.unmet_need("cyclic")
        return node

    def worth(self, node: Terminal) -> Number:
        """MAX's utility at an end, noted as one that was met."""
        value = require_number(node.utilities[self.max_player])
        self.met.add(value)
        return value

    def run(self) -> None:
        """Ask questions until the most that MAX is proved to secure is the least that MIN is proved to allow."""
        # Utilities are not known before they are met: each answer moves the bound to a utility that was, so nothing
        # between two of them is asked.
        bound: Number = 0
        while self.low is None or self.high is None or self.low[0] != self.high[0]:
            # MAX secures this bound already; the open question is whether it is more.
            more = self.low is not None and self.low[0] == bound
            question = ProofQuestion(self, bound, more)
            if question.holds(self.game.initial()):
                bound = min(value for value in self.met if value > bound or (value == bound and not more))
                self.low = (bound, question)
            else:
                bound = max(value for value in self.met if value < bound or (value == bound and more))
                self.high = (bound, question)

    def proofs(self) -> tuple[ProofQuestion, ProofQuestion]:
        """Two settled questions about the value itself: whether MAX secures it, and whether MAX secures more."""
        assert self.low is not None and self.high is not None
        value, start = self.low[0], self.game.initial()
        least, most = ProofQuestion(self, value, False), ProofQuestion(self, value, True)
        for question, found in ((least, self.low[1]), (most, self.high[1])):
            same = (found.bound, found.more) == (question.bound, question.more)
            if same:
                # The proof was made by the same question: ask it nothing again.
                question.numbers = found.numbers
            else:
                question.holds(start)
        return least, most


def proof_number(game: Game[Any], limits: SearchLimits = NO_LIMITS) -> Solution:
    """The exact value, all optimal actions and a strategy for each side, by proofs; LimitReached holds what was proved
    so far."""
    if game.traits.cyclic:
        raise Watch(PROOF_NUMBER.name, PROOF_NUMBER.needs, game).unmet_need("cyclic")
    budget = limits.budget()
    if not budget.allows_more_than(BEGUN):
        return _search_by_reference(game, budget)
    return run_stages(
        game,
        lambda: unless_long(lambda: _search_by_reference(game, budget.part(BEGUN, 1.0))),
        lambda: _search_compiled(game, budget),
        whole=lambda: _search_by_reference(game, budget),
    )


def _search_by_reference(game: Game[Any], budget: Budget) -> Solution:
    """The search by the readable twin."""
    search = ProofNumberSearch(game, budget)
    answer = PROOF_NUMBER.answer(game, exact=False)
    with answering(lambda: _proven_bounds(search, answer)):
        search.run()
        return _answer(search, answer)


def _search_compiled(game: Game[Any], budget: Budget) -> Solution | None:
    """The search on the compiled engine; None where the game has no such kernel, or that does not suit it."""
    search = compiled_search(game, search_kinds.PROOF_NUMBER, True, nodes=budget.nodes, memory=memory_limit(game))
    if search is None:
        return None
    answer = PROOF_NUMBER.answer(game, exact=False)
    return run_compiled_search(
        game, search, search.solve(), budget,
        lambda: _compiled_answer(search, answer),
        lambda: replace(answer, nodes=search.nodes),
    )  # fmt: skip


def _compiled_answer(search: ProofNumber, answer: Solution) -> Solution:
    """The answer of the compiled engine."""
    how = f", up to {search.symmetries} symmetries of the game" if search.symmetries > 1 else ""
    notes = (f"{search.nodes:,} positions were made on the compiled engine{how}; no line and no strategies are listed",)
    value = constant_sum_vector(search.game, 0, search.value, search.total)
    return replace(answer, exact=True, value=value, best=search.best, nodes=search.nodes, notes=notes)


def _answer(search: ProofNumberSearch, answer: Solution) -> Solution:
    assert search.low is not None
    game, start, value = search.game, search.game.initial(), search.low[0]
    least, most = search.proofs()
    node = game.node(start)
    best: tuple[Action, ...] = ()
    if isinstance(node, Decision):
        proof = least if node.player == search.max_player else most
        after = [(action, game.successor(start, action)) for action in node.actions]
        best = tuple(action for action, state in after if proof.holds(state) != proof.more)
    choices = tuple((least if player == search.max_player else most).choose for player in range(len(game.players)))
    strategy = strategies(game, choices)
    unlisted = () if strategy else (MANY_CHOICES,)
    return replace(
        answer,
        exact=True,
        value=constant_sum_vector(game, search.max_player, value, search.watch.total),
        best=best,
        line=principal_variation(game, lambda state, node: choices[node.player](state, node)),
        nodes=search.budget.spent,
        strategy=strategy,
        notes=unlisted,
    )


def _proven_bounds(search: ProofNumberSearch, answer: Solution) -> Solution:
    """The bounds proved when a limit came."""
    name = search.game.players[search.max_player]
    proved = [f"{name} secures at least {search.low[0]}"] if search.low else []
    proved += [f"{name} gets at most {search.high[0]}"] if search.high else []
    return replace(answer, nodes=search.budget.spent, notes=tuple(proved))


PROOF_NUMBER = Solver(
    name="proof-number",
    run=proof_number,
    needs={**OPPOSED, "chance": False, **TREE_LIKE},
    summary="proof-number search (df-pn): the value by proofs of who secures how much, the easiest first",
)
