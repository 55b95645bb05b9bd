"""Saved answers of `gdl ask` as claims about a game: that in which the question is solved."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from gdl import syntax
from gdl.checker.asked import AskedGame
from gdl.errors import DamagedData
from gdl.formats.answer_kinds import to_plain
from gdl.game import Chance, Decision, Game, Node, Number, Terminal, Traits, exact
from gdl.inspection.questions import Begin, Sides, as_sides, decide, wanting_players
from gdl.model.objective import with_objective
from gdl.numbers import read_number
from gdl.states.explore import moves
from gdl.states.sequential import Sequential

FIRST_NAMED = ("sequence-form", "plan")  # solvers that say, where something is hidden, what is done first for certain
ORIGIN = ("schema", "fingerprint", "settings", "variant", "position", "after")  # of an answer: its form and its game


class SavedClaim(NamedTuple):
    """A saved answer as the verifier takes it: the game in which the question is solved, the answer in the form of `gdl
    solve --json` to that game, and what contradicts itself in it ("": nothing)."""

    game: Game[Any]
    answer: Mapping[str, Any]
    contradiction: str


class Possible(Sides):
    """The game of all players together, who see everything and choose for chance too: what they can bring about is what
    can happen."""

    @cached_property
    def traits(self) -> Traits:
        return replace(super().traits, chance=False, perfect_information=True, perfect_recall=True)

    def information_set(self, state: Any, player: int) -> Hashable:
        return state  # type: ignore[no-any-return]  # states can be hashed

    def node(self, state: Any) -> Node:
        node = super().node(state)
        return Decision(0, moves(node)) if isinstance(node, Chance) else node  # type: ignore[arg-type]  # texts

    def in_turns(self, play: Sequence[Any]) -> list[Any]:
        """A play, whose joint moves are taken apart into the actions of one player after the other; what cannot be
        played stays as it is."""
        state, actions = self.initial(), []
        for text in play:
            while text and (fit := [a for a in moves(self.node(state)) if f"{text}, ".startswith(f"{a}, ")]):
                actions.append(max(fit, key=len))
                state, text = self.successor(state, actions[-1]), text[len(actions[-1]) + 2 :]
            actions += [text] * bool(text)
        return actions


def read_claim(question: syntax.Question, asked: AskedGame, begin: Begin, answer: Mapping[str, Any]) -> SavedClaim:
    """A saved answer to a question as a claim about a game. Raises DamagedData where it is about random play, or not in
    the form of `gdl ask --json`."""
    if isinstance(question, syntax.Likelihood) and isinstance(question.players, syntax.Word):
        raise DamagedData("an answer about random play is not checked: gdl ask works it out anew in the same time")
    wanting, sure = wanting_players(question, asked)
    game = begin(with_objective(asked.model, asked.objective, wanting))  # type: ignore[arg-type]  # not of clauses
    can_happen = isinstance(question, syntax.Reachable | syntax.Invariant)
    game, wanting = (Possible(game, wanting), frozenset([0])) if can_happen else as_sides(game, wanting)
    low, high, value = _saved_numbers(answer)
    told = "game strategy play" if can_happen else "game solver strategy play"
    claim = {key: answer[key] for key in (*told.split(), *ORIGIN) if key in answer}
    claim |= {"exact": low == high, "line": claim.pop("play", None)}
    reached = value == 1 and not isinstance(game.node(game.initial()), Terminal)
    if claim["line"] == [] and not (reached if can_happen else value == low == high and _shows_play(game, claim)):
        del claim["line"]
    line = claim.get("line")
    if isinstance(game, Possible) and isinstance(line, list):
        claim["line"] = game.in_turns(line)
    elif isinstance(line, list) and len(line) == 1:  # some searches find no more than what is best
        claim |= {"best": claim.pop("line"), "notes": ["it was not looked whether other actions are as good"]}
    signs = {name: 1 if player in wanting else -1 for player, name in enumerate(game.players)}

    def payoffs_of(sign: int, *chances: Number) -> list[Any]:
        """The payoffs of a side for these probabilities, from the least up."""
        return list(map(to_plain, sorted(exact(sign * (2 * chance - 1)) for chance in chances)))

    if low < high:
        claim["interval"] = {name: payoffs_of(sign, low, high) for name, sign in signs.items()}
    if value is not None:
        claim["value"] = {name: payoffs_of(sign, value)[0] for name, sign in signs.items()}
    if value is not None and not low <= value <= high:
        return SavedClaim(game, claim, "its value is not in its interval")
    decided = answer.get("answer") == decide(low, high, sure) and answer.get("exact") is (low == high)
    return SavedClaim(game, claim, "" if decided else "its interval says something else than its answer")


def _shows_play(game: Game[Any], claim: Mapping[str, Any]) -> bool:
    """True if whoever proves an answer says what is done first: one player decides there, and sees everything, or does
    not mix by the strategies of a solver that looks for that."""
    turns: Game[Any] = Sequential(game)
    node = turns.node(turns.initial())
    if not isinstance(node, Decision) or (game.traits.perfect_information and game.traits.simultaneous is False):
        return isinstance(node, Decision)
    mixtures = (claim.get("strategy") or {}).get(game.players[node.player], {})
    certain = 1 in mixtures.get(turns.describe(turns.initial(), node.player), {}).values()
    return certain and claim.get("solver") in FIRST_NAMED and game.traits.perfect_recall is True


def _saved_numbers(answer: Mapping[str, Any]) -> tuple[Number, Number, Number | None]:
    """The ends of the interval of a saved answer, and its value."""
    try:
        low, high = map(read_number, answer["interval"])
        value = None if answer["value"] is None else read_number(answer["value"])
    except (KeyError, TypeError, ValueError):
        raise DamagedData("this is not in the form of gdl ask --json: its interval or its value is no number") from None
    return low, high, value
