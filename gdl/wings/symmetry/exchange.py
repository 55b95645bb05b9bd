"""Exchanges of the players of a game of two: if it is the same with them exchanged, both have the same value, half of
what there is.

An exchange is a renaming of cells, values, names of actions and players, of whom each becomes the other, such that

1. the position where play begins becomes itself, whoever moved last; so nobody moves first but chance, or both at once;
2. ways to act become ways to act: legal where those are, of the same rank, with effects that are the images of theirs,
   and outcomes of chance as probable; what `resolve` makes of a joint move likewise;
3. ends become ends that pay each player what the other got, and endless play is priced alike for both;
4. what a player sees and hears is the image of what the other does: each cell is visible to a player just where its
   image is visible to the other; names of a player's actions, which they remember, become names of the other's, one by
   one; and so does all that is said, which may come in another order, but in the same one always.

So a play and its image lead through information sets that are images of each other, and each player's strategies become
the other's. Whatever one player secures, the other secures; of a constant sum, that is half, if the game has a value.

It has one, in behaviour strategies, if its play is finite and nobody forgets (von Neumann 1928, Kuhn 1953), or if all
see every position and play without end has a price (Everett 1957, Martin 1998). Without recall, or where play is
endless and something hidden, there need be none, so nothing is claimed. Estimates of positions do not matter.

All of it is proved as other symmetries are (rule_terms.py, automorphisms.py): the rules are written out as one term,
and the renaming turns it into itself. So it holds however many positions there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from gdl.analysis.traits import everyone_moves, forgets, shows_everything, shows_positions
from gdl.game import Game, Number, exact
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP
from gdl.interpreter.closures import FIRST_CELL, MOVER
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.domains import NUMBER, TRUTH, Optional, Range, SetType, members
from gdl.model.games import RulesModel
from gdl.states.game_wrapper import GameWithEngine
from gdl.wings.symmetry.automorphisms import moving
from gdl.wings.symmetry.group import Symmetry, symmetry_of
from gdl.wings.symmetry.rule_paths import CHANCE, RulePath
from gdl.wings.symmetry.rule_paths import EVERYONE as ALL
from gdl.wings.symmetry.rule_terms import MOST_TERMS, MOST_WORK, RuleTermWriter
from gdl.wings.symmetry.symbolic_values import Cases, NotWritten, SymbolicValues, are_constant
from gdl.wings.symmetry.terms import Term, TermsTooLarge, Truth

MOST_TRIED = 1_000  # cases in which two clauses may hold together


def even_value(game: Game[Any], work: int = MOST_WORK) -> Number | None:
    """The value of a game of two players with a constant sum, half of that sum for each, if an exchange of the players
    proves it; else None."""
    total, whole = game.traits.constant_sum, game
    while isinstance(whole, GameWithEngine | Continuation):
        whole = whole.game
    if len(game.players) != 2 or total is None or not isinstance(whole, RulesGame):
        return None
    try:
        found = exchange(whole.model, game.initial(), game.traits.cyclic is False, work)
    except (NotWritten, TermsTooLarge):
        return None
    return None if found is None else exact(Fraction(total) / 2)


def exchange(model: RulesModel, start: State, finite: bool = False, work: int = MOST_WORK) -> Symmetry | None:
    """A symmetry of a game of two that exchanges the players and keeps the start of play. None if there is none, or if
    the game need not have a value: unless play is known to be `finite`, the rules must give play without end the same
    price for both and show every position. Raises NotWritten or TermsTooLarge where the rules cannot be written out."""
    if len(model.players) != 2 or not (start.turn == EVERYONE or start.turn <= FIRST_STEP):
        return None
    if model.times or model.rewards or forgets(model):
        raise NotWritten("'times', 'since', 'always', rewards or 'forget'")
    values = _Numbers(MOST_TERMS, work)
    writer = _Writer(model, values, start, hears=not shows_everything(model))
    root, price = writer.game(), model.forever
    finite = finite or writer.once or (price is not None and price[0] == price[1] and shows_positions(model))
    if not finite:
        return None
    one, other = (values.term(player, writer.player).id for player in (0, 1))
    found = moving(values, root, one, other)
    return None if found is None else symmetry_of(model, values, found)


def is_even(model: RulesModel, start: State) -> bool:
    """True if an exchange of the players is found; the value of the game is not asked for."""
    try:
        return exchange(model, start, True) is not None
    except (NotWritten, TermsTooLarge):
        return False


class _Numbers(SymbolicValues):
    """Symbolic values whose comparisons of two numbers are written alike, in whatever order the numbers stand."""

    def __init__(self, most: int, work: int):
        super().__init__(most, work)
        self.alike: dict[int, Term] = {}  # cells that are none at the same times -> the condition that they are

    def _equals_value(self, term: Term, value: Any) -> Truth:
        return self.alike[term.id] if value is None and term.id in self.alike else super()._equals_value(term, value)

    def _contradict(self, truths: set[int]) -> bool:
        return super()._contradict(truths) or self._comparisons_contradict(truths)

    def _comparisons_contradict(self, found: set[int]) -> bool:
        """True if comparisons of numbers among these truths cannot all hold. Those that follow from others are removed
        from the set."""
        for id in [id for id in sorted(found) if self.keys[id][0] in ("=", "not")]:
            operator, _, parts = self.keys[id]
            denied = operator == "not"
            operator, _, parts = self.keys[parts[0][1]] if denied else (operator, None, parts)
            terms = [self.term_at(part) for _, part in parts]
            if id not in found or operator not in ("=", "<=0") or not all(map(self._is_number, terms)):
                continue
            one, other = (terms[0], 0) if operator == "<=0" else terms
            ends = [self.at_most(other, one), *([self.at_most(one, other)] if operator == "=" else [])]
            less = [end for end in ends if isinstance(end, Term) and end.id in found]
            more = any(isinstance(end, Term) and self._denial(end.id) in found for end in ends)
            if operator == "=" and denied:
                if more:
                    found.discard(id)
                elif less:
                    found -= {id, less[0].id}
                    strictly = self.negation(ends[less[0] is ends[0]])
                    if strictly is False:
                        return True
                    found |= {strictly.id} if isinstance(strictly, Term) else set()
            elif more:
                return True
            else:
                found -= {end.id for end in less}
        return False

    def _is_number(self, term: Term) -> bool:
        return (isinstance(term.type, Range) or term.type is NUMBER) and self.keys[term.id][0] != "plain"


class _Writer(RuleTermWriter):
    """Writes the terms of a game together with its first state, and with what players see and hear."""

    values: _Numbers

    def game(self) -> Term:
        self.ordered = False  # whether what is heard keeps its order under the renaming
        self.once = False  # whether play is over when all have chosen once
        self.alone: dict[Any, set[int]] = {}  # turn of chance or of all -> its terms, by who moved last
        values = self.values
        values.alike = {cell.id: unset for pair, unset in self._set_together() for cell in pair}
        whole = super().game()
        parts = [(0, whole.id)]
        for place, value in enumerate(self.begun.cells[FIRST_CELL:], FIRST_CELL):
            if not are_constant(self.expressions.position.start[place]):
                parts += [(1, self._change(cell, new).id) for cell, new in self._changed_cells(place, value)]
        if any(len(terms) > 1 for terms in self.alone.values()):  # it matters who moved last
            parts.append((2, self._constant(self.begun.cells[MOVER]).id))
        return values.make("begun", self.begun.turn, parts)

    def _set_together(self) -> Iterable[tuple[tuple[Term, ...], Term]]:
        """Pairs of cells, one for each player, that are `none` until all choose at once and then are set for good, each
        pair with the condition that it is still unset."""
        values, start = self.values, self.expressions.position.start
        (own, *_), (other, *_) = self.ways
        last = len(self.model.chances)
        steps = [(k, way) for _, *steps in self.ways for k, ways in enumerate(steps) for way in ways]
        turns = {turn for k, way in steps for turn, _ in values.cases(way.turn) if turn is not None or k < last}
        if not everyone_moves(self.model) or any(not isinstance(turn, tuple) for turn in turns):
            return  # somebody may choose alone
        for variable in self.model.variables:
            count = len(variable.initial) // 2
            for place in range(variable.place, variable.place + count):
                cells = start[place], start[place + count]
                if not all(isinstance(c, Term) and isinstance(c.type, Optional) for c in cells):
                    continue
                at = (place, place + count)
                sets = [all(values.equal(way.changes.get(a, None), None) is False and b not in way.changes
                            for way in ways) for ways, a, b in ((own, *at), (other, *at[::-1]))]  # fmt: skip
                may = [values.all_of((values.equal(c, None), *(values.negation(way.open) for way in ways))) is False
                       for ways, c in zip((own, other), cells, strict=True)]  # fmt: skip
                kept = not any(a in way.changes for _, way in steps for a in at)
                if all((*sets, *may, kept, *(self.begun.cells[a] is None for a in at))):
                    yield cells, values.make("unset", None, [(0, cell.id) for cell in cells])

    def _turns(self, mover: int) -> Iterable[Term]:
        yield from super()._turns(mover)
        if everyone_moves(self.model):
            values, resolve = self.values, self.ways[mover][1 + len(self.model.chances) :]
            stuck = values.all_of(values.negation(way.open) for own in self.ways for way in own[0])
            parts = [self._way(way, (ALL, 0), "resolve") for ways in resolve for way in ways]
            self.ordered = self._is_more_or_less_heard()
            parts = [self._way(way, (ALL, 0), "resolve") for ways in resolve for way in ways]
            for player, (own, *_) in enumerate(self.ways):
                ways = [(1, self._way(way, (ALL, 0), player).id) for way in own]
                parts.append(values.make("choices", None, [(0, self._constant(player).id), *ways]))
            self.ordered = False
            yield self._turn(ALL, mover, stuck, parts)
            unset = {term.id: term for term in values.alike.values()}.values()
            alone = not self.model.chances and mover == 0  # where it matters who moved last, the start tells it
            self.once |= alone and any(values.all_of((self.going, values.negation(term))) is False for term in unset)

    def _is_more_or_less_heard(self) -> bool:
        """True if the number of messages about one player's action varies, where both choose at once. Then their order
        matters: Ann's messages come before Bob's, while the images of hers come after those of his. Raises NotWritten
        if somebody hears of both players."""
        heard = []
        for own, *_ in self.ways:
            out = [0] * (self.values.all_of(self.values.negation(way.open) for way in own) is not False)  # left out
            heard.append([{*out, *(_count_heard(way, player) for way in own)} for player in range(len(self.ways))])
        varies = any(len(counts) > 1 for each in heard for counts in each)
        if varies and any(all(max(counts) for counts in each) for each in zip(*heard, strict=True)):
            raise NotWritten("moves at once of which more or less is heard")
        return varies

    def _turn(self, kind: Any, mover: int, stuck: Truth, ways: Sequence[Term]) -> Term:
        self.expressions.forget(stuck)
        parts = [(0, self._end().id), *[(1, part.id) for part in self._unseen_terms()], *[(2, way.id) for way in ways]]
        turn = self.values.make("turn", kind, parts)
        if kind != "player":
            self.alone.setdefault(kind, set()).add(turn.id)
        return self.values.make("of", None, ((0, self._constant(mover).id), (1, turn.id)))

    def _unseen_terms(self) -> Iterable[Term]:
        """A term for each player and each cell that the player does not always see, with the condition under which it
        is seen."""
        for variable in self.model.variables:
            kind, sight = variable.visibility.kind, variable.visibility
            for i, indices in enumerate(product(*map(members, variable.indices)) if kind != "all" else ()):
                place, type = variable.place + i, variable.type
                key = ("set", (str(type.item), place)) if isinstance(type, SetType) else ("cell", (str(type), place))
                for player in range(len(self.model.players)):
                    sees: Truth = kind == "owner" and indices[0] == player
                    if sight.condition is not None:
                        frame: list[Any] = [*indices, *[None] * (sight.frame - len(indices))]
                        frame[sight.slot] = player
                        sees = self.expressions.truth(sight.condition, frame)
                    parts = ((0, self._constant(player).id), (1, self.values.make(*key, (), type).id))
                    yield self.values.make("unseen", None, [*parts, (2, self.values.term(sees, TRUTH).id)])

    # -- ends -----------------------------------------------------------------------------------------------

    def _end(self) -> Term:
        """The payments at the ends, each with its condition; a clause counts where no earlier one holds."""
        values, before = self.values, list[Truth]()
        found: dict[Term, list[Truth]] = {}
        for number, clause in enumerate(self.model.clauses):
            condition = self.expressions.truth(clause.condition, [None] * clause.frame)
            others = [c for i, c in enumerate(before) if (i, number) not in self.apart]
            others = [values.negation(c) for c in others if not self._exclude_each_other(c, condition)]
            here = values.all_of((condition, *others))
            paid: Any = [self.expressions.value(u, [None] * clause.frame) for u in clause.utilities]
            if all(are_constant(*([v for v, _ in one.pairs] if isinstance(one, Cases) else [one])) for one in paid):
                paid = values.apply(lambda *amounts: amounts, *paid)
            for amounts, case in paid.pairs if isinstance(paid, Cases) else [(paid, True)]:
                found.setdefault(self._vector_term("paid", amounts), []).append(values.all_of((here, case)))
            before.append(condition)
        self.going = values.all_of(map(values.negation, before))  # when play is not over
        ways = [(paid, values.any_of(conditions)) for paid, conditions in found.items()]
        cases = [(0, values.case(paid, when, NUMBER).id) for paid, when in ways if when is not False]
        return values.make("ends", None, cases)

    def _exclude_each_other(self, one: Truth, other: Truth) -> bool:
        """True if it is proved that the conditions never hold together."""
        self.tries = MOST_TRIED
        return self._is_contradiction(self.values.all_of((one, other)))

    def _is_contradiction(self, truth: Truth) -> bool:
        """True if it is proved that a condition never holds: one with several cases is tried case by case."""
        self.tries -= 1
        if isinstance(truth, bool) or self.tries < 0:
            return truth is False
        values = self.values
        parts = values.conjuncts(truth.id)
        denied = {id: values.keys[id][2][0][1] for id in parts if values.keys[id][0] == "not"}
        several = {id: values.conjuncts(inner) for id, inner in denied.items() if values.keys[inner][0] == "and"}
        if not several:
            return False
        chosen = min(several, key=lambda id: len(several[id]))
        rest = [values.term_at(id) for id in parts if id != chosen]
        return all(
            self._is_contradiction(values.all_of((*rest, values.negation(values.term_at(way)))))
            for way in several[chosen]
        )

    # -- ways to act ----------------------------------------------------------------------------------------

    def _way(self, way: RulePath, following: Any, actor: Any = None) -> Term:
        """The term of one way to act: with the action's name if a player chose it, and with the messages that each
        player hears."""
        values, players = self.values, self.model.players
        parts = [(0, super()._way(way, following, actor).id)]
        if isinstance(actor, int) and self.paths.hears:
            parts += [(1, text.id) for text in self._texts("name", actor, way.name)]
        who = players[actor] if isinstance(actor, int) else CHANCE
        told = values.apply(lambda name: f"{who}: {name}", way.name)
        for player in range(len(players)):
            heard = [told] * (player in way.told) + [text for hearer, text in way.said if hearer in (None, player)]
            for place, text in enumerate(heard):
                at = ("place", (actor, player, len(heard), place))
                slot = values.make("place", place, ()) if self.ordered else values.make("spot", at, ())
                texts = [(2, one.id) for one in self._texts("heard", player, text)]
                parts.append((2, values.make("hears", None, [(0, self._constant(player).id), (1, slot.id), *texts]).id))
        return values.make("ply", way.number, parts)

    def _texts(self, word: str, player: int, text: Any) -> Iterable[Term]:
        """Terms for a text, or for several texts with their conditions. Each text is a leaf, so that a renaming may
        turn it into another."""
        for one, condition in text.pairs if isinstance(text, Cases) else [(text, True)]:
            yield self.values.case(self.values.make("spot", (word, (player, one)), ()), condition, TRUTH)


def _count_heard(way: RulePath, player: int) -> int:
    """The number of messages that a player hears when an action takes this path."""
    return (player in way.told) + sum(hearer in (None, player) for hearer, _ in way.said)
