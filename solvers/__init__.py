"""The search: one file per idea, one row per solver in the ordered table SOLVERS (table.py), and `solve`, which asks
the table."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from importlib import import_module
from typing import Any, Unpack

from gdl.concepts import CONCEPTS
from gdl.errors import DamagedData, GameError, InternalError, Interrupted, LimitReached, Refusal, listing, nearest
from gdl.game import Decision, Game, Holder, Number, Terminal, Traits, actions
from gdl.solution import Solution, printed_by
from gdl.solvers.auto import PICKED, TRIED, UNSURE, Pick, is_known_to_all, pick
from gdl.solvers.budget import (
    LAST_SHARE,
    Clock,
    SearchLimits,
    TableTooLarge,
    answering,
    proving,
    says_something,
)
from gdl.solvers.concepts import candidates, concept_named
from gdl.solvers.engine_stages import check_offered
from gdl.solvers.horizon import goes_on
from gdl.solvers.needs import Unmet, reasons, run_in_turns
from gdl.solvers.options import Options
from gdl.solvers.solver import Solver
from gdl.solvers.table import SOLVERS
from gdl.states.checked_game import ensure_checked
from gdl.states.explore import WalkedGame, with_shortest_play
from gdl.wings import Concept

__all__ = ["CONCEPTS", "SOLVERS", "own_row", "solve"]

# Where a limit stopped the search for a concept, the value is still looked for:
VALUE_SHARE = 0.2  # share of the time for that
SHORT_SECONDS = 5.0  # for that, if time is not limited; in less time no search is tried that is surely out of reach

# An exact search is tried before an estimate is made, by a table, up to so many positions:
TRIED_POSITIONS = 10_000_000
ENUMERATED_POSITIONS = 1_000_000  # by a search that looks at all of them, where nobody set a limit: a few seconds
MORE_TRIED_POSITIONS = 60_000_000  # where the search may well come to its end: some ten seconds
STATES_WITHIN_REACH = 10**15  # states that variables can tell apart, up to which it may come to its end
STATES_OUT_OF_REACH = 10**60  # such states beyond which it surely does not
TRIAL_SHARE = 0.4  # share of the time for the trial, where time is limited
TRIED_SWEEPS = 50_000  # positions, over all branches, that markov-perfect looks at where nobody set a limit

# Where an exchange of the players may prove the value:
EXCHANGE_WORK = 150_000  # to find it: some half a second
PROVED = "the value is proved by exchanging the players"
EVEN = "The game is the same with {} and {} exchanged, so neither can have more than the other."
LISTED_NODES = 1_000_000  # of a tree, up to which strategies are looked for as well where nobody set a limit

# Simulations for a game that nobody set a limit for:
PLAYED_NODES, PLAYED_ACTIONS = 25_000, 1_500_000  # nodes, and nodes times actions of the start: some ten seconds
PLAYED_NODES_FAST, PLAYED_ACTIONS_FAST = 1_000_000, 500_000_000  # on WebAssembly

PLAYING = ("depth-limited", "mcts")  # searches for an action, beside those that a net leads
JUDGED_POSITIONS = 10_000  # at most; strategies of larger games are judged by `gdl verify` only


def solve(game: Game[Any] | Holder, solver: str | Callable[..., Any] = "auto", **options: Unpack[Options]) -> Solution:
    """Solve a game. Unlike `gdl.solve`, it takes no names of files, and raises LimitReached also where there is an
    answer.

    Args:
        game: the game, or what `gdl.loads` returns.
        solver: the name of a solver (a key of SOLVERS); `auto` picks one, and says why in the answer's `reason`. Or a
            function of your own, whose answer counts as exact only where it can be proved (`gdl.solvers.own_search`).
        options: the options of the solver, as on the command line; one that is None counts as not given. `concept` (a
            key of CONCEPTS) says what counts as an answer; then the solvers that find it are tried in order.

    Returns:
        The answer.

    Raises:
        Refusal: the solver or an option does not suit the game; the message says what would.
        GameError: the game breaks the protocol of games, or its rules are at fault.
        LimitReached: a limit stopped the search; its `partial` is the answer so far, or None.

    Example:
        >>> import gdl
        >>> gdl.solvers.solve(gdl.load("kuhn"), "sequence-form").value
        (Fraction(-1, 18), Fraction(1, 18))
    """
    game = game.game if isinstance(game, Holder) else game
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    held = ensure_checked(game, getattr(game, "traits", None))
    time = given.pop("time", None)
    clock = None if time is None else Clock.of(time)
    given["limits"] = SearchLimits(given.pop("nodes", None), clock, given.pop("progress", None))
    row = own_row(solver)
    try:
        if row is not None:
            return _run_own(row, held, given)
        assert isinstance(solver, str)
        with proving(held, solver):
            return _solve(held, solver, given)
    except GameError as fault:
        raise fault if held is game else with_shortest_play(held, fault) from None


def own_row(solver: str | Solver | Callable[..., Any]) -> Solver | None:
    """Find the row of a search that does not come with gdl.

    Args:
        solver: a name, such as `python:mine.py:search` or that of an installed package's solver; a function; or a row.

    Returns:
        The row; None where the name is that of a solver of gdl, or of none.

    Example:
        >>> import gdl
        >>> gdl.solvers.own_row("minimax") is None
        True
    """
    if isinstance(solver, Solver):
        return solver
    if not isinstance(solver, str):
        from gdl.solvers.own_search import own_solver

        return own_solver(solver)
    return SOLVERS[solver] if solver in SOLVERS and SOLVERS[solver].own else None


def _run_own(row: Solver, game: Game[Any], given: dict[str, Any]) -> Solution:
    """The answer of a user's own search, judged. At a limit LimitReached carries its last answer."""
    from gdl.solvers.own_search import judge_answer

    if "concept" in given:
        raise Refusal(f"{row.name} is no solver of ours, so nothing says whether it finds a concept; ask without one")
    with proving(game, row.name):
        found = _run(row, game, given)
    with answering(lambda: found):
        return judge_answer(game, found, given["limits"], lambda at, lim: _solve_automatically(at, {"limits": lim}))


def _solve(game: Game[Any], solver: str, given: dict[str, Any]) -> Solution:
    if "concept" in given:
        concept = concept_named(given.pop("concept"))
        try:
            with proving(game, concept.solvers[0]):
                return replace(_solve_for(concept, game, solver, given), concept=concept.name)
        except (LimitReached, Interrupted) as stop:
            if isinstance(stop.partial, Solution):
                stop.partial = replace(stop.partial, concept=concept.name)
            if isinstance(stop, LimitReached):
                stop.partial = _with_the_value(concept, game, given, stop)
            raise
    if solver == "auto":
        return _solve_automatically(game, given)
    if solver not in SOLVERS:
        near = nearest(solver, [*SOLVERS, "auto"])
        meant = f", did you mean {near}?" if near else ""
        raise Refusal(f"no solver is called {solver!r}{meant or ';'} there are {listing(SOLVERS, most=len(SOLVERS))}")
    return _run(SOLVERS[solver], game, given)


def _solve_for(concept: Concept, game: Game[Any], solver: str, given: dict[str, Any]) -> Solution:
    """The answer of the first solver of the concept that takes the game and the options, and finds anything. If none
    does, the last one's answer or refusal."""
    rows = list(candidates(concept, solver, SOLVERS))
    fitting = [row for row in rows if not set(given) - set(row.options) - _COMMON] or rows
    fitting = [row for row in fitting if row.takes(game, game.traits)] or fitting[:1]
    if game.traits.perfect_information is False and is_known_to_all(game, game.traits):
        fitting.sort(key=lambda row: row.name not in TRIED)
    for row in fitting[:-1]:
        try:
            found = _run(row, game, given, concept=concept)
        except (TableTooLarge, Refusal):
            continue
        if found.value is not None or found.equilibria or found.strategy is not None:
            return found
    return _run(fitting[-1], game, given, concept=concept)


def _with_the_value(concept: Concept, game: Game[Any], given: dict[str, Any], stop: LimitReached) -> object:
    """The partial answer for a concept at a limit. If it says nothing, another answer, found in a part of the time: the
    value, which all answers for the concept pay in a game of one player or of two opponents, or in other games a
    profile with its regret."""
    partial, traits = stop.partial, game.traits
    told = isinstance(partial, Solution) and says_something(partial)
    if told or not concept.pays_value:
        return partial
    limits: SearchLimits = given["limits"]
    clock = Clock.starting_now(SHORT_SECONDS) if limits.time is None else limits.leaving(VALUE_SHARE).time
    own = {"limits": SearchLimits(time=clock)}
    found: object = None
    try:
        found = _solve_automatically(game, own) if traits.has_scalar_value else _run(SOLVERS["cfr"], game, own)
    except LimitReached as again:
        found = again.partial
    except Interrupted as again:
        again.partial = _partial_for_concept(concept, game, again.partial, stop) or partial
        raise
    except Refusal:
        pass
    return _partial_for_concept(concept, game, found, stop) or partial


def _partial_for_concept(concept: Concept, game: Game[Any], found: object, stop: LimitReached) -> Solution | None:
    """A solution for the value, or for any profile, rewritten as a partial answer for a concept; None if it proves
    nothing about that."""
    if not isinstance(found, Solution) or found.value is None:
        return None
    ends: Any = tuple((v, v) for v in found.value) if found.exact else found.interval
    alone = game.traits.players == 1
    if alone or (game.traits.players == 2 and game.traits.constant_sum is not None):
        kind = "zero-sum game" if game.traits.constant_sum == 0 else "game of constant sum"
        kind = "game of one player" if alone else kind
        what, proven = f"but in a {kind} every such answer pays the value", bool(ends)
    else:
        what = "the regret of this profile says how far it is from an equilibrium"
        proven, ends = bool(found.regret), None
    notes = (f"This is no answer to --concept {concept.name}; {what}.", *found.notes)
    left = replace(found, exact=False, interval=ends, reason="", notes=notes, limit=str(stop), complete=None)
    return left if proven else None


def _solve_automatically(game: Game[Any], given: dict[str, Any]) -> Solution:
    """The answer of the solver that is picked; if it is not exact, with the value that exchanging the players proves,
    if that proves one. (It never does where one player moves first.)"""
    is_opposed = len(game.players) == 2 and game.traits.constant_sum is not None
    if not is_opposed or set(given) - _COMMON or isinstance(game.node(game.initial()), Decision | Terminal):
        return _pick_and_solve(game, given)
    from gdl.symmetry.exchange import even_value

    half, unknown = even_value(game, EXCHANGE_WORK), Solution(game.name, "auto", game.players, exact=False)
    if half is not None and not given["limits"].is_set and _is_too_wide(game):
        why = f"there are more than {LISTED_NODES:,} nodes, and no --time was given"
        return _with_even_value(game, unknown, half, why)
    try:
        found, why = _pick_and_solve(game, given), "the search found only an estimate"
    except (LimitReached, Refusal) as stop:
        partial, why = getattr(stop, "partial", None), str(stop)
        if half is None:
            raise
        found = partial if isinstance(partial, Solution) else unknown
    return found if found.exact or half is None else _with_even_value(game, found, half, why)


def _with_even_value(game: Game[Any], found: Solution, half: Number, why: str) -> Solution:
    """An answer that was not exact, with the value in place of its estimate that is proved by exchanging the players:
    half of what there is for both. Strategies stay with their regret, and the answer as a whole is then not exact; the
    best action and the line of play of an estimate are dropped. If no strategies are listed, `why` says why."""
    value, listed = (half, half), found.strategy is not None or bool(found.equilibria)
    notes = (EVEN.format(*game.players), *(found.notes if listed else (f"No strategies are listed: {why}",)))
    traits = replace(found.traits or game.traits, zero_sum=half == 0, constant_sum=2 * half)
    if not listed:
        found = Solution(found.game, "auto", found.players, traits)
    reason = f"{found.reason}; {PROVED}" if found.reason else PROVED
    return replace(
        found, exact=not listed, value=value, interval=((half, half),) * 2 if listed else None, traits=traits,
        best=(), line=(), notes=notes, reason=reason, limit=None,
    )  # fmt: skip


def _is_too_wide(game: Game[Any]) -> bool:
    """True if something is hidden, and the tree has more nodes than would be solved for strategies without a limit."""
    from gdl.states import estimate

    return game.traits.perfect_information is not True and estimate.guess_tree_size(game).nodes > LISTED_NODES


def _pick_and_solve(game: Game[Any], given: dict[str, Any]) -> Solution:
    """Pick a solver, run it, and say in the answer, partial or not, why it was picked."""
    picked = _pick(game, given)
    row = SOLVERS[picked.solver]
    try:
        with proving(game, row.name):
            found = _try_table_search(game, row, given) or _try_exact_solver(picked, game, given)
            if found is not None:
                return found
            return _run_some(picked, game, {**given, "limits": given["limits"].leaving(LAST_SHARE)})
    except (LimitReached, Interrupted) as stop:
        if isinstance(stop.partial, Solution):
            stop.partial = replace(stop.partial, reason=stop.partial.reason or picked.reason)
            if _sets_own_limit(stop.partial.solver, given) and isinstance(stop, LimitReached):
                return stop.partial
        raise


def _run_some(picked: Pick, game: Game[Any], given: dict[str, Any]) -> Solution:
    """The answer of the solver that was picked, or of another one if it refuses (the search has shown traits that were
    not known), or if it was only a try and finds nothing."""
    row, reason, traits, refused = SOLVERS[picked.solver], picked.reason, picked.traits or game.traits, list[str]()
    kept: LimitReached | Refusal | None = None  # why there is no answer: what tells something, else what was first
    while True:
        refused.append(row.name)
        other = _another(game, traits, given, refused, TRIED)
        try:
            limits = _limits(row.name, game, traits, given, other is not None)
            found, otherwise = _run_or_approach(row, game, limits, picked.walked, traits)
            if found.exact or type(kept) is not Refusal or picked.solver in TRIED:
                return replace(found, reason=reason + otherwise)
            other = None  # rather than an estimate, the refusal says what the file lacks
        except Unsuited as refusal:
            traits, kept = refusal.traits, refusal if kept is None or isinstance(kept, Unsuited) else kept
            other = _another(game, traits, given, refused, SOLVERS)
            reason = f"{listing(refused)} met what {'it does' if len(refused) == 1 else 'they do'} not accept"
        except Refusal as refusal:
            kept, other = kept or refusal, _another(game, traits, given, refused, UNSURE)
            reason = f"{picked.reason}; {listing(refused)} refused"
        except LimitReached as stop:
            left = stop.partial = replace(stop.partial, reason=reason) if isinstance(stop.partial, Solution) else None
            if kept is None or isinstance(kept, Unsuited) or (left is not None and says_something(left)):
                kept = stop
            other = None if left is not None and left.equilibria else other
            if row.name == "nash" and not (left and says_something(left)) and given["limits"].nodes is None:
                is_open = SOLVERS["mccfr"].takes(game, traits) and not set(given) - _COMMON
                other = other or ("mccfr" if is_open else None)  # which samples plays of a game too large to list
            reason = f"{picked.reason}; {listing(refused)} came to no answer"
        if other is None:
            raise kept from None
        row = SOLVERS[other]


def _sets_own_limit(solver: str, given: dict[str, Any]) -> bool:
    """True if nobody set a limit for a solver that would otherwise run very long, so that it gets one of its own."""
    return solver in ("mcts", "markov-perfect") and not ("simulations" in given or given["limits"].is_set)


def _limits(solver: str, game: Game[Any], traits: Traits, given: dict[str, Any], is_tried: bool) -> dict[str, Any]:
    """The options with the limits of a solver that sets its own, or that is tried in a share of the time."""
    limits = given["limits"]
    if is_tried and limits.time is not None:
        return {**given, "limits": limits.part(TRIAL_SHARE)}
    if not _sets_own_limit(solver, given):
        return given
    nodes = _simulation_nodes(game) if solver == "mcts" else max(1, TRIED_SWEEPS // (traits.states or 1))
    return {**given, "limits": replace(limits, nodes=nodes)}


def _another(
    game: Game[Any], traits: Traits, given: dict[str, Any], refused: list[str], these: Collection[str]
) -> str | None:
    """The next solver to try for a game that the `refused` ones did not take, given the traits that they met. None if
    there is none, if an option asks for a particular solver, or if the last one refused is not among `these`, after
    which another is tried."""
    if refused[-1] not in these or set(given) - _COMMON:
        return None
    left = (SOLVERS[name] for name in PICKED if name not in refused)
    return next((row.name for row in left if row.is_advised(game, traits)), None)


def _run_or_approach(
    row: Solver, game: Game[Any], given: dict[str, Any], walked: WalkedGame | None, traits: Traits
) -> tuple[Solution, str]:
    """The answer, and "" or the reason why cfr gave it instead: nash would need too large a table, or found no
    equilibrium."""
    try:
        found = _run(row, game, given, walked, traits)
        if row.name != "nash" or found.value is not None or found.equilibria:
            return found, ""
        why, refused = "nash finds no equilibrium in pure strategies", None
    except TableTooLarge as too_large:
        found, why, refused = None, "the strategic form is too large for nash", too_large
    try:
        return _run(SOLVERS["cfr"], game, given), f"; {why}"
    except Refusal:  # a lone player, or somebody who forgets
        if found is not None:
            return found, ""
        assert refused is not None
        raise refused from None


def _simulation_nodes(game: Game[Any]) -> int:
    """The number of nodes for the simulations of a game that nobody set a limit for: fewer where the start has many
    actions, since each node then takes long."""
    fast = game.engine.fast
    nodes, looks = (PLAYED_NODES_FAST, PLAYED_ACTIONS_FAST) if fast else (PLAYED_NODES, PLAYED_ACTIONS)
    return max(1, min(nodes, looks // max(1, len(actions(game.node(game.initial()))))))


def _try_table_search(game: Game[Any], row: Solver, given: dict[str, Any]) -> Solution | None:
    """The exact answer from a search with a table, for a game that would otherwise only be estimated; None if the
    search takes too long."""
    limits = given["limits"]
    if not (row.name in PLAYING or row.led) or set(given) - _COMMON - {"threads"} or limits.nodes is not None:
        return None
    from gdl.solvers.minimax.long_run import prove_with_table
    from gdl.states import estimate

    short = limits.time is not None and limits.time < SHORT_SECONDS
    if short and (estimate.state_space_size(game) or 0) > STATES_OUT_OF_REACH:
        return None  # it surely does not come to its end, so the time is better spent on the estimate
    tried = _trial_positions(game) if limits.time is None else None
    budget = limits.budget().part(tried, TRIAL_SHARE)
    found = prove_with_table(game, budget, given.get("threads", 1))
    reason = "perfect information, and a search with a table came to the end"
    return None if found is None else replace(found, reason=reason)


def _try_exact_solver(picked: Pick, game: Game[Any], given: dict[str, Any]) -> Solution | None:
    """The answer of a solver that looks at all positions, tried where it was not seen if they are few; None if it is
    not exact in its share of the time. Without a limit it is tried on the compiled engine alone, which is soon over."""
    from gdl.solvers.minimax.long_run import provable

    limits, engine = given["limits"], game.engine
    if not (picked.solver in PLAYING or SOLVERS[picked.solver].led) or picked.attempt is None or set(given) - _COMMON:
        return None
    if limits.time is None and (limits.nodes is not None or not (engine.fast and engine.offers(picked.attempt))):
        return None
    if limits.time is None and provable(game):  # the search with a table has been tried
        return None
    part = replace(limits, nodes=ENUMERATED_POSITIONS) if limits.time is None else limits.part(TRIAL_SHARE)
    try:
        found = _run(SOLVERS[picked.attempt], game, {**given, "limits": part})
    except (LimitReached, Refusal):
        return None
    return replace(found, reason="perfect information, and all positions could be looked at") if found.exact else None


def _trial_positions(game: Game[Any]) -> int:
    """The number of positions that an attempt at an exact answer may look at, for a game that nobody set a limit for.
    It does not depend on the clock, so the answer is the same everywhere."""
    from gdl.states import estimate

    held = estimate.state_space_size(game)
    return TRIED_POSITIONS if held is None or held > STATES_WITHIN_REACH else MORE_TRIED_POSITIONS


def _pick(game: Game[Any], given: dict[str, Any]) -> Pick:
    """The solver to use, why, and the positions if all were met to find out. With particular options it is the first
    that takes them and the game (those that list all values last); else the one that suits the game."""
    particular = set(given) - _COMMON
    if particular == {"threads"}:
        found = _usual(game, given)
        if "threads" in SOLVERS[found.solver].options:
            return found
    if particular:
        takers = [row for row in SOLVERS.values() if not particular - set(row.options)]
        fitting = [row for row in takers if row.takes(game, game.traits)]
        words = listing(sorted(particular))
        fitting.sort(
            key=lambda row: ("unknowns" not in row.needs, row.steps == "values" and "values" not in particular)
        )
        if particular == {"depth"} and goes_on(game):
            return Pick("depth-limited", "it takes the option depth, and goes on to quiet positions")
        if fitting:
            return Pick(fitting[0].name, f"it takes the option {words}")
        takers_names = listing((row.name for row in takers), "or")
        raise Refusal(f"the option {words} is for {takers_names}, which {game.name} does not suit")
    return _usual(game, given)


def _usual(game: Game[Any], given: dict[str, Any]) -> Pick:
    """The solver that suits the game, whatever options are given. Turns Ctrl-C into Interrupted."""
    try:
        return pick(game, given["limits"])
    except KeyboardInterrupt:
        raise Interrupted from None


_COMMON = {"limits", "seed"}  # options that say nothing about which solver is meant


class Unsuited(Refusal):
    """A solver refuses a game with the given traits."""

    def __init__(self, message: str, traits: Traits):
        super().__init__(message)
        self.traits = traits


def _run(
    row: Solver,
    game: Game[Any],
    given: dict[str, Any],
    walked: WalkedGame | None = None,
    traits: Traits | None = None,
    concept: Concept | None = None,
) -> Solution:
    """Run the row on a game that suits it, with options that fit it; the seed is left out if the row has none. `traits`
    are the game's, if more is known of them than it says itself; `concept` is the one asked for. Raises Unsuited or
    Refusal."""
    traits = traits or game.traits
    lacks = row.lacks(traits)
    if "depth" in given and "cyclic" in lacks:
        lacks.remove("cyclic")  # what is cut off comes to an end
    if lacks:
        refusal = reasons(row.name, game.name, row.wants, lacks, traits)
        raise Unsuited(f"{refusal}; {_others(game, traits, concept)}", traits)
    check_offered(game, row.name)
    strange = [name for name in given if not row.accepts(name) and name not in _COMMON]
    if strange:
        offered = sorted(row.options)
        raise Refusal(
            f"{row.name} has no option {listing(strange, 'or')}; its options are {listing(offered, most=len(offered))}"
        )
    options = {name: value for name, value in given.items() if name == "limits" or row.accepts(name)}
    try:
        if walked is not None and row.steps == "values" and not game.engine.is_user_choice:
            game = walked
        return run_in_turns(lambda asked: _add_regret(asked, row.run(asked, **options)), game)
    except Unmet as unmet:
        raise Unsuited(f"{unmet}; {_others(game, unmet.traits, concept)}", unmet.traits) from None


def _others(game: Game[Any], traits: Traits, concept: Concept | None) -> str:
    """The part of a refusal that names the solvers that accept the game; if a concept was asked for, those that find
    it."""
    if concept is not None:
        finders = [name for name in concept.solvers if SOLVERS[name].takes(game, traits)]
        found = f"{listing(finders, 'or')} answers" if finders else "no other solver answers"
        return f"{found} --concept {concept.name} for it"
    fitting = [row.name for row in SOLVERS.values() if row.is_advised(game, traits)]
    return f"solvers that accept it: {', '.join(fitting)}" if fitting else "no solver accepts it"


def _add_regret(game: Game[Any], solution: Solution) -> Solution:
    """The solution with the regret of its strategies, if they are exact and soon judged."""
    profile = solution.strategy or next(iter(solution.equilibria), None)
    if profile is None or solution.regret is not None or not solution.exact or solution.secured:
        return solution
    from gdl.solvers.equilibria.regret import regret

    try:
        judgement = regret(game, profile, limit=JUDGED_POSITIONS)
    except (LimitReached, Refusal, DamagedData):  # too large, without end, or one player's strategy alone
        return solution
    if any(judgement.regret):
        raise InternalError(f"{solution.solver} answers with strategies that can be improved upon")
    return replace(solution, regret=judgement.regret)


def _text(solution: Solution) -> str:
    from gdl.render.text import solution_text

    return solution_text(solution)


printed_by(_text)  # the last step of the line: whoever solves can print what was found

if __name__ == "solvers":  # the old name: in a checkout, Python finds this folder by it
    import_module("gdl.solvers.old_name")
