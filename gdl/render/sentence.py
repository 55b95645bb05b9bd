"""The first sentence of an answer: the action to play, the winner, or the equilibrium."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from gdl.concepts import CONCEPTS
from gdl.errors import count_text, listing
from gdl.game import Decision, Game, Number, bound_text
from gdl.numbers import SHARE, as_stated, brief, costs, costs_are_shown, share_text
from gdl.solution import READ, Mixture, Profile, Solution


def displayed_value(solution: Solution) -> tuple[Number | float, ...] | None:
    """The value as readers should see it: fractions become decimal numbers if the value is only an estimate, with as
    many digits as its proven interval is worth; None if there is no value."""
    if solution.value is None or solution.is_value_proven:
        return solution.value
    bounds = solution.interval or [(None, None)] * len(solution.value)
    return tuple(
        number if isinstance(number, int) else _estimate(float(number), *ends)
        for number, ends in zip(solution.value, bounds, strict=True)
    )


def _estimate(number: float, low: Number | None, high: Number | None) -> Number | float:
    """An estimate by its proven interval: a float, which is shown in two digits, or a fraction, in up to six."""
    worth = 0.0 if low is None or high is None else abs(number) / max(float(high - low), READ)
    return Fraction(float(f"{number:.{min(6, len(str(int(worth))))}g}")) if worth >= 100 else number


def interval_text(low: Number | None, high: Number | None, words: str = "{} to {}") -> str:
    """An interval in words: `-0.3 to 1/2`, `at least 0`, `1/8`; "" if it has no ends."""
    if low is None or high is None:
        return bound_text(low, high)
    return brief(low, longest=SHARE) if low == high else words.format(*(brief(n, longest=SHARE) for n in (low, high)))


def first_sentence(solution: Solution, mover: str | None = None) -> str:
    """The answer in one sentence; `mover` is the player who moves at the start, if a single one does."""
    with costs(solution.cost):
        return _sentence(solution, mover)


def _sentence(solution: Solution, mover: str | None) -> str:
    concept = None if solution.concept is None or solution.value is None else CONCEPTS[solution.concept]
    if concept is not None and concept.opens_first:
        return f"{concept.opening} {pays(solution.players, solution.value or ())}."
    if len(solution.equilibria) > 1 or (solution.equilibria and (solution.value is None or not solution.best)):
        return _equilibria(solution)
    value = displayed_value(solution)
    if value is None:
        if solution.best:
            so_far = ", the best so far" if solution.limit and not solution.exact else ""
            return f"{mover or 'The answer'} {'plays' if mover else 'is'} {_choice(solution)}{so_far}."
        if solution.concept is not None and solution.complete:
            return f"{solution.game} has no {solution.concept} equilibrium."
        stopped = solution.limit is not None or (not solution.exact and not solution.notes)
        if stopped and solution.solver == "auto":
            return f"{solution.game} was not settled: stopped before there was an answer."
        return f"{solution.solver} {'was stopped before it settled' if stopped else 'does not settle'} {solution.game}."
    if concept is not None and concept.opening:
        average = "" if concept.opening.endswith("on average") else on_average(solution)
        return f"{concept.opening} {pays(solution.players, value)}{average}."
    if len(solution.players) == 2 and solution.traits is not None and solution.traits.zero_sum and not solution.cost:
        return _who_wins(solution, value, mover)
    if _is_of_strategies(solution):
        return f"By the strategies below {pays(solution.players, value)}{on_average(solution)}."
    return _who_gets_what(solution, value, mover)


def _is_of_strategies(solution: Solution) -> bool:
    """True if the value is the payoff of strategies whose regret is known, and other equally good strategies may pay
    something else (something is hidden, and the players are not opponents)."""
    traits = solution.traits
    if solution.strategy is None or solution.regret is None or len(solution.players) == 1 or solution.secured:
        return False
    if not solution.exact:
        return True
    return (
        not solution.best and traits is not None and not traits.has_scalar_value and traits.perfect_information is False
    )


def _who_wins(solution: Solution, value: Sequence[Number | float], mover: str | None) -> str:
    """The sentence for a zero-sum game of two players."""
    estimated = "" if solution.is_value_proven else " as far as the search saw"
    if value[0] == 0:
        even = "Nobody wins on average" if on_average(solution) else "A draw"
        if not solution.best:
            return f"{even} with best play{estimated}."
        begins = f"{mover} plays" if mover else "it begins with"
        return f"{even} with best play{estimated}: {begins} {_choice(solution)}."
    winner = 0 if value[0] > 0 else 1
    name, loser = solution.players[winner], solution.players[1 - winner]
    amount = f"{_brief_number(value[winner])}{on_average(solution)}"
    wins = f"{name} {'wins' if solution.is_value_known else 'is estimated to win'} {amount}"
    if not solution.best:
        return f"{wins} with best play."
    if mover == name:
        return f"{wins} by playing {_choice(solution)}."
    if mover == loser:
        return f"{wins}; {loser} loses least by playing {_choice(solution)}."
    return f"{wins} with best play, which begins with {_choice(solution)}."


def _who_gets_what(solution: Solution, value: Sequence[Number | float], mover: str | None) -> str:
    if solution.secured:
        return _who_secures_what(solution, value, mover)
    gets = _verb("gets" if solution.is_value_known else "is estimated to get")
    if not solution.exact and solution.best and mover is None:
        return f"{solution.solver} begins with {_choice(solution)}: {pays(solution.players, value, gets)}."
    if mover is None or not solution.best:
        begins = f", which begins with {_choice(solution)}" if solution.best else ""
        hidden = solution.traits is not None and solution.traits.perfect_information is False
        found = "By the play that was found" if hidden and not solution.is_value_known else "With best play"
        return f"{found}{begins}, {pays(solution.players, value, gets)}{on_average(solution)}."
    own = solution.players.index(mover)
    sentence = f"{mover} {gets} {_brief_number(value[own])}{on_average(solution)} by playing {_choice(solution)}"
    others = [p for p in range(len(value)) if p != own]
    if not others:
        return f"{sentence}."
    rest = pays([solution.players[p] for p in others], [value[p] for p in others])
    return f"{sentence}; {rest}."


def _who_secures_what(solution: Solution, value: Sequence[Number | float], mover: str | None) -> str:
    """The sentence that says what each player can secure alone, against all others."""
    verb = _verb("secures" if solution.exact else "is estimated to secure")
    if mover is None or not solution.best:
        return f"Whatever the others do, {pays(solution.players, value, verb)}{on_average(solution)}."
    own = solution.players.index(mover)
    others = [p for p in range(len(value)) if p != own]
    rest = pays([solution.players[p] for p in others], [value[p] for p in others], _verb("secures"))
    said = f"{_brief_number(value[own])}{on_average(solution)}, whatever the others do"
    return f"{mover} {verb} {said}, by playing {_choice(solution)}; {rest}."


def _verb(gets: str) -> str:
    """The verb, changed from getting to paying if costs are shown: `pays`, `is estimated to pay at most`."""
    pays_ = gets.replace("get", "pay").replace("secures", "pays at most").replace("secure", "pay at most")
    return pays_ if costs_are_shown() else gets


def pays(players: Sequence[str], value: Sequence[Number | float], verb: str = "") -> str:
    """Who gets how much, `A gets 1, B gets 2 and C gets 6`; `verb` stands in place of `gets`."""
    verb = verb or _verb("gets")
    return listing(f"{player} {verb} {_brief_number(number)}" for player, number in zip(players, value, strict=True))


def _brief_number(number: Number | float) -> str:
    """The number as text for a sentence; a long fraction becomes a decimal."""
    return brief(as_stated(number), "about ")


def _choice(solution: Solution) -> str:
    """The action to play, and which others are as good."""
    first, *others = solution.best
    if not others:
        return first
    if len(others) > 4:
        return f"{first} ({len(others)} other actions are as good)"
    return f"{first} ({listing(others)} {'is' if len(others) == 1 else 'are'} as good)"


def on_average(solution: Solution) -> str:
    """The text ` on average` if the outcome depends, or may depend, on chance or on a mixed strategy; else ""."""
    profiles = [*solution.equilibria, *([solution.strategy] if solution.strategy is not None else [])]
    traits = solution.traits
    unlisted = not profiles and solution.concept is None  # strategies, of which some are mixed where all move at once
    random = traits is not None and (traits.chance or (unlisted and traits.simultaneous))
    return " on average" if random or any(is_mixed(profile) for profile in profiles) else ""


def is_mixed(profile: Profile) -> bool:
    return any(pure_action(mixture) is None for sets in profile.values() for mixture in sets.values())


def pure_action(mixture: Mixture) -> str | None:
    """The action of probability 1; None if several are played."""
    return next((action for action, chance in mixture.items() if chance == 1), None)


def _equilibria(solution: Solution) -> str:
    payoff = ""
    if solution.value is not None:
        payoff = f":{on_average(solution)} {pays(solution.players, solution.value)}"
    if len(solution.equilibria) == 1:
        profile = solution.equilibria[0]
        named, unnamed = brief_profile(solution.players, profile), "mixed" if is_mixed(profile) else "listed below"
        if not payoff and solution.payoffs:
            payoff = f":{on_average(solution)} {pays(solution.players, solution.payoffs[0])}"
        return f"{_WHICH[solution.complete]} {named or unnamed}{payoff}."
    count = f"{len(solution.equilibria)} equilibria"
    found = f"There are {count}" if solution.complete else f"{count} were found"
    found += f", {len(solution.groups)} in reduced plans" if solution.groups else ""
    if payoff:
        return f"{found}, all of one value{payoff}."
    short = [text for text in (brief_profile(solution.players, profile) for profile in solution.equilibria) if text]
    more = len(solution.equilibria) - len(short)
    if not 1 <= len(short) <= 6:
        return f"{found}, listed below."
    return f"{found}: {listing([*short, *([f'{more} more, listed below'] if more else [])])}."


_WHICH = {True: "The only equilibrium is", False: "One equilibrium of several is", None: "An equilibrium is"}


def brief_profile(players: Sequence[str], profile: Profile) -> str | None:
    """The profile on one line, `(betray, betray)`, if everyone has one decision and mixes nothing; None for any other
    profile."""
    decisions = [list(profile.get(player, {}).values()) for player in players]
    if any(len(mixtures) != 1 for mixtures in decisions):
        return None
    actions = [pure_action(mixtures[0]) for mixtures in decisions]
    named = [action for action in actions if action is not None]
    return f"({', '.join(named)})" if len(named) == len(actions) else None


def mixture_text(mixture: Mixture, exactly: bool = True) -> str:
    """The actions of positive probability with their probabilities, `heads 1/2, tails 1/2`."""
    return ", ".join(f"{action} {share_text(chance, exactly)}" for action, chance in mixture.items() if chance)


# Captions of pictures: the answer in a sentence, and how it was found.

_LISTED = 4  # equilibria told one by one

_RULES = {"ge": "cut when alpha >= beta", "gt": "cut only when alpha > beta"}
_ORDERS = {
    "given": "in the order of the file", "reverse": "against the order of the file", "best": "the best action first",
    "worst": "the worst action first",
}  # fmt: skip


def rule_text(solution: Solution) -> str:
    """The name of the solver with its pruning rule and its order, if it has them: `alpha-beta, cut when alpha >= beta,
    …`."""
    rule = solution.rule
    if rule is None:
        return solution.solver
    return ", ".join(part for part in (solution.solver, _RULES.get(rule.cut or ""), _ORDERS[rule.order]) if part)


def task(solution: Solution) -> str:
    """The assignment printed on a blank picture: the search to carry out, without its result; "" if the solver has no
    pruning rule."""
    return f"Search by {rule_text(solution)}." if solution.rule is not None else ""


def caption(game: Game[Any], solution: Solution, alone: str | None = None) -> str:
    """The caption of a picture: the answer, the method, and the effort. `alone` replaces the answer if only one of
    several equilibria is drawn."""
    start = game.node(game.initial())
    mover = game.players[start.player] if isinstance(start, Decision) else None
    several = len(solution.equilibria) > 1
    answer = _equilibria_in_short(solution) if several else first_sentence(solution, mover)
    answer = answer.replace("listed below", "marked here").replace("s below", "s marked here")  # nothing stands below
    said = [alone or answer, _method(solution)]
    if solution.limit:
        said.append(f"{solution.limit[0].upper()}{solution.limit[1:].rstrip('.')}.")
    return " ".join(said)


def _equilibria_in_short(solution: Solution) -> str:
    """The equilibria in a sentence, `3 equilibria: (fight, fight); (ballet, ballet); He fight 2/3, ballet 1/3, She
    fight 1/3, ballet 2/3.`"""
    shown = [profile_text(solution.players, profile, _LISTED) for profile in solution.equilibria[:_LISTED]]
    more = len(solution.equilibria) - len(shown)
    shown += [f"{more:,} more"] if more else []
    found = "" if solution.complete else " were found"
    return f"{len(solution.equilibria):,} equilibria{found}: {'; '.join(shown)}."


def profile_text(players: Sequence[str], profile: Profile, most: int | None = None) -> str:
    """A profile in words: `(fight, fight)` if it is short; else what each player plays, at each information set if they
    have several, `most` of these at most."""
    short = brief_profile(players, profile)
    if short:
        return short
    told = [
        f"{player}{f' at {name}:' if len(profile[player]) > 1 else ''} {pure_action(mixture) or mixture_text(mixture)}"
        for player in players
        for name, mixture in profile.get(player, {}).items()
    ]
    return ", ".join(told if most is None or len(told) <= most else [*told[:most], "…"])


def _method(solution: Solution) -> str:
    """The method and its effort in a sentence, `Found by alpha-beta, cut when alpha >= beta, in the order of the file:
    11 nodes visited, 7 of them leaves, 2 subtrees skipped.`"""
    told = f"Found by {rule_text(solution)}"
    if not solution.visits:
        return f"{told}."
    visited = f"{count_text(solution.nodes or 0, 'node')} visited, {solution.leaves:,} of them leaves"
    return f"{told}: {visited}, {count_text(len(solution.pruned), 'subtree')} skipped."
