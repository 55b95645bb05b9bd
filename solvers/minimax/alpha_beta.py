"""ALPHA-BETA-SEARCH in the textbook's form: left to right, with a record of every window and every cut.

Alpha is the most that MAX is sure of on the path to a node, beta the least that MIN is sure of. At a node:

1. MAX-VALUE: v is the greatest value of the children seen so far. If v >= beta, MIN would never let play come here:
   return v, skip the other children. Otherwise alpha becomes max(alpha, v).
2. MIN-VALUE: v is the least value of the children seen so far. If v <= alpha, MAX would never let play come here:
   return v, skip the other children. Otherwise beta becomes min(beta, v).

`cut="gt"` is the rule of courses that keep equal values apart: skip only if v > beta, or v < alpha. A returned v may
lie outside the window (fail-soft) and is then only a bound on the node's value; the record says which.

The run is the textbook's: no table of transpositions, no other order than asked for; one too long to be recorded gives
way to a search with a table (gdl.solvers.minimax.long_run). That further root actions are as good as the answer, and
that the value is right, is proved afterwards by another search, which is not counted.

Sources: Russell and Norvig, Artificial Intelligence, figure 5.7; Knuth and Moore, An analysis of alpha-beta pruning,
Artificial Intelligence 6, 1975; fail-soft: Fishburn, Another optimization of alpha-beta search, SIGART 84, 1983.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Literal

from gdl.errors import GameError, listing
from gdl.game import Action, Decision, Game, Number, Terminal, Unknown, actions
from gdl.solution import Rule, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.certificate import MANY_CHOICES, strategies
from gdl.solvers.engine_stages import check_threads, run_stages
from gdl.solvers.minimax.long_run import long_run
from gdl.solvers.minimax.windows import (
    WindowSearch,
    begin_search,
    complete_answer,
    outside_window,
    partial_answer,
)
from gdl.solvers.needs import ALL_SEEN, OPPOSED
from gdl.solvers.solver import Solver
from gdl.states.explore import Recursion, run_recursion

# Can a player secure at least so much? A yes-or-no search of a game of perfect information without chance.
#
# It proves what a search for the value left open: that a root action ties with the best, or what to do everywhere to
# get the value. A question about one number cuts far more than a question about the value (the null window of Pearl,
# Asymptotic properties of minimax trees and game-searching procedures, Artificial Intelligence 14, 1980).
#
# 1. At an end the answer is whether its utilities are enough.
# 2. Where the player moves, one action that does is enough, and is remembered.
# 3. Where another moves, all actions must.
#
# What cannot be told makes the answer None unless other answers decide it (Kleene's three-valued logic): an unknown
# utility, a fault of the file, a chance node, a state that comes again, work beyond `limit` states.

Answer = bool | None


@dataclass
class Guarantee:
    """Answers for states of the game whether `player` can secure an end that is `enough`, and remembers how. At most
    `limit` states get an answer."""

    game: Game[Any]
    player: int
    enough: Callable[[Terminal], Answer]
    budget: Budget
    limit: int
    answers: dict[Any, Answer] = field(default_factory=dict)
    choices: dict[Any, Action] = field(default_factory=dict)  # where the player moves and the answer is yes

    def holds(self, start: Any) -> Answer:
        """True if the player can secure enough from the state, False if not; None if that was not settled."""
        return run_recursion(self._settle(start, set()))

    def choose(self, state: Any, node: Decision) -> Action:
        """The player's action at a state from which enough was proved to be secure."""
        return self.choices[state]

    def _settle(self, state: Any, on_path: set[Any]) -> Recursion[Answer]:
        """The answer for the state, remembered if there is one."""
        if state in self.answers:
            return self.answers[state]
        if state in on_path or len(self.answers) >= self.limit:
            return None
        self.budget.visit()
        try:
            node = self.game.node(state)
            children = [(action, self.game.successor(state, action)) for action in actions(node)]
        except GameError:  # in a part of the game that the search for the value did not need
            return None
        if isinstance(node, Terminal):
            self.answers[state] = self.enough(node)
        if not isinstance(node, Decision):
            return self.answers.get(state)
        own = node.player == self.player
        answer: Answer = not own  # an empty "one of" is no, an empty "all of" is yes
        on_path.add(state)
        for action, child in children:
            found = yield self._settle(child, on_path)
            if found is own:
                answer = own
                if own:
                    self.choices[state] = action
                break
            answer = None if found is None else answer
        on_path.remove(state)
        self.answers[state] = answer
        return answer


BEGUN = 500  # nodes after which the compiled engine is asked whether the run is a long one
PROOF = 100_000  # states that a proof may always look at; after longer runs, twice the nodes of the run


def _proof(search: WindowSearch, game: Game[Any], player: int, budget: Budget) -> Guarantee:
    """The search that can prove that a player secures the value found, or holds MAX to it."""
    assert search.result is not None
    value: Number = search.result.value

    def enough(end: Terminal) -> bool | None:
        utility = end.utilities[search.max_player]
        if isinstance(utility, Unknown):
            return None
        return utility >= value if player == search.max_player else utility <= value

    return Guarantee(game, player, enough, budget, limit=max(PROOF, 2 * search.budget.spent))


def tied_actions(search: WindowSearch, budget: Budget) -> tuple[list[Action], list[Action]]:
    """The root actions that are proved as good as the first best one (which is not among them), and those for which
    that was not settled."""
    game, found = search.game, search.result
    node = game.node(game.initial())
    assert found is not None and isinstance(node, Decision)
    proof = _proof(search, game, node.player, budget)
    doubtful = "upper" if node.player == search.max_player else "lower"
    tied, open_ = [], []
    for position, child in sorted(search.root, key=lambda entry: entry[0]):
        action = node.actions[position]
        if action == found.line[0] or (child.bound in ("exact", doubtful) and child.value != found.value):
            continue
        as_good = child.bound == "exact" or proof.holds(game.successor(game.initial(), action))
        if as_good:
            tied.append(action)
        elif as_good is None:
            open_.append(action)
    return tied, open_


def alpha_beta(
    game: Game[Any],
    limits: SearchLimits = NO_LIMITS,
    *,
    cut: Literal["ge", "gt"] = "ge",
    order: Literal["given", "reverse", "best", "worst"] = "given",
    window: str | None = None,
    depth: int | None = None,
    threads: int = 1,
) -> Solution:
    """Alpha-beta search with a full record: value, optimal actions, every visit and every cut.

    `cut` is "ge" (skip when alpha >= beta) or "gt" (only when alpha > beta); `order` is "given", "reverse", "best" or
    "worst"; `window` is that of the root, as "2..8"; with `depth`, search is cut off after so many plies and EVAL taken
    there. Numbers in the record are MAX's.
    `threads` share a run that is too long to be recorded.
    """
    check_threads(ALPHA_BETA.name, threads)
    budget = limits.budget()
    uncounted = budget.without_node_limit()
    search, answer = begin_search(WindowSearch, ALPHA_BETA, game, Rule(cut, order), depth, budget, window=window)
    large = depth is None and game.traits.cyclic is None  # nothing came again in a walk too short for all its states

    def run(most: float) -> Solution | None:
        with answering(lambda: partial_answer(search, answer)):
            search.run(most)
        if search.result is None:
            return None
        if window is not None and search.result.bound != "exact":
            return outside_window(search, complete_answer(search, answer, depth), window)
        return _answer_with_record(search, game, answer, depth, uncounted)

    usual = order == "given" and window is None
    return run_stages(
        game,
        lambda: None if large else run(BEGUN),
        lambda: long_run(game, answer, depth, budget, threads) if usual else None,
        whole=lambda: run(inf) or answer,
    )


def _answer_with_record(
    search: WindowSearch, game: Game[Any], answer: Solution, depth: int | None, budget: Budget
) -> Solution:
    """The answer of a search that is done, with its record, the ties and a certificate."""
    answer = complete_answer(search, answer, depth)
    with answering(lambda: answer):
        answer = _with_ties(search, answer, budget)
        return answer if search.cut_off else _with_certificate(search, game, answer, budget)


def _with_ties(search: WindowSearch, answer: Solution, budget: Budget) -> Solution:
    if not answer.best:
        return answer
    tied, unsettled = tied_actions(search, budget)
    answer = replace(answer, best=(*answer.best, *tied))
    if not unsettled:
        return answer
    note = f"{listing(unsettled)} may be as good: that depends on what the file leaves open, or was too long to prove"
    return replace(answer, notes=(*answer.notes, note))


def _with_certificate(search: WindowSearch, game: Game[Any], answer: Solution, budget: Budget) -> Solution:
    """The answer with a strategy for every player, which together prove the value from both sides; with a note if no
    proof was found, or there are too many choices to list."""
    proofs = [_proof(search, game, player, budget) for player in range(len(game.players))]
    is_proved = all(proof.holds(game.initial()) for proof in proofs)
    strategy = strategies(game, tuple(proof.choose for proof in proofs)) if is_proved else None
    if strategy is None:
        return replace(answer, notes=(*answer.notes, f"{MANY_CHOICES}, or cannot be completed"))
    return replace(answer, strategy=strategy)


ALPHA_BETA = Solver(
    name="alpha-beta",
    run=alpha_beta,
    needs={**OPPOSED, "chance": False, **ALL_SEEN},
    summary="minimax that skips what cannot matter, left to right, with every window and cut on record",
    advised={"cyclic": False},
    extent="pruned",
    steps="recorded",
)
