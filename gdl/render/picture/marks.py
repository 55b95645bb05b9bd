"""Marks of an answer at the places of a tree: values, windows, cuts, best play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gdl.game import Decision, Game, Number, Terminal
from gdl.numbers import as_stated, costs_are_shown, end_text, to_text
from gdl.render.cut_text import SIGNS, crossings
from gdl.render.picture.unfold import UnfoldingNode
from gdl.solution import Path, Solution, Visit


@dataclass(slots=True)
class PictureMark:
    """The marks of an answer at one place of the tree, meant as the fields of PictureNode."""

    value: tuple[Number | float, ...] | Number | None = None  # a vector, or alpha-beta's one number
    bound: str = ""
    window: tuple[str, str] | None = None
    skipped: bool = False
    cut: str = ""
    principal: bool = False
    best: bool = False
    played: str = ""


class Marks:
    """The marks of all places, by number. Without a solution nothing is marked."""

    def __init__(self, game: Game[Any], solution: Solution | None, places: Sequence[UnfoldingNode]):
        self.places = places
        self.strategic = False  # whether the best actions are those of a strategy
        self._marks = [PictureMark() for _ in places]
        if solution is not None:
            self._numbers = {place.path: number for number, place in enumerate(places)}
            self._search(game, solution)
            self._values(solution)
            self._strategy(game, solution)
            self._mark_best_play(solution)

    def __getitem__(self, number: int) -> PictureMark:
        return self._marks[number]

    def _mark_at(self, path: Path) -> PictureMark | None:
        number = self._numbers.get(path)
        return None if number is None else self._marks[number]

    def _search(self, game: Game[Any], solution: Solution) -> None:
        """Windows, bounds and cuts of a recorded search."""
        for visit in solution.visits:
            mark = self._mark_at(visit.path)
            if mark is not None and visit.kind != "terminal":
                mark.value = self._visit_value(game, visit)
                mark.bound = "~" if visit.kind == "cutoff" else SIGNS[visit.bound]
                low, high = as_stated((visit.beta, visit.alpha)) if costs_are_shown() else (visit.alpha, visit.beta)
                mark.window = end_text(low, "-inf"), end_text(high, "inf")
        for cut, crossing in zip(solution.cuts, crossings(solution), strict=True):
            for root in cut.skipped:
                mark = self._mark_at(root.path)
                if mark is not None:
                    mark.cut = crossing
        for place, mark in zip(self.places, self._marks, strict=True):
            above = place.parent is not None and self._marks[place.parent].skipped
            mark.skipped = bool(mark.cut) or above

    @staticmethod
    def _visit_value(game: Game[Any], visit: Visit) -> tuple[Number, ...] | Number:
        """The value that search returned; among several players a bound is one on the mover's own share alone."""
        if isinstance(visit.value, tuple) and visit.bound != "exact" and visit.player in game.players:
            return visit.value[game.players.index(visit.player)]
        return visit.value

    def _values(self, solution: Solution) -> None:
        """Values of nodes, with them the best actions everywhere; at least the root's value."""
        for path, value in solution.values.items():
            mark = self._mark_at(path)
            if mark is not None and not isinstance(self.places[self._numbers[path]].node, Terminal):
                estimated = not solution.exact and (*path, 0) not in solution.values
                mark.value, mark.bound = value, "~" if estimated else "="
        root = self._marks[0]
        if root.value is None and solution.value is not None:
            root.value, root.bound = solution.value, "="
        for place, mark in zip(self.places, self._marks, strict=True):
            above = None if place.parent is None else self.places[place.parent].node
            if isinstance(above, Decision):
                own, best = solution.values.get(place.path), solution.values.get(place.path[:-1])
                mark.best = own is not None and best is not None and own[above.player] == best[above.player]

    def _strategy(self, game: Game[Any], solution: Solution) -> None:
        """Mark the actions of a strategy, in a game whose answer is not one line of play."""
        if not is_strategic(solution):
            return
        profile = solution.strategy or solution.equilibria[0]
        self.strategic = True
        self._marks[0].principal = True
        for number, place in enumerate(self.places):
            if not isinstance(place.node, Decision):
                continue
            player = place.node.player
            self._belief(game, solution, number, player)
            mixture = profile.get(game.players[player], {}).get(game.describe(place.state, player), {})
            for child in place.children:
                chance = mixture.get(self.places[child].action or "", 0)
                self._marks[child].best = chance > 0
                self._marks[child].played = to_text(chance) if 0 < chance < 1 else ""
                self._marks[child].principal = chance == 1 and self._marks[number].principal

    def _belief(self, game: Game[Any], solution: Solution, number: int, player: int) -> None:
        """Mark a node with its probability in the mover's beliefs."""
        if not solution.beliefs:
            return
        place = self.places[number]
        own = solution.beliefs[0].get(game.players[player], {}).get(game.describe(place.state, player), {})
        share = own.get(self._place_name(number))
        if share is not None and len(own) > 1:
            self._marks[number].value, self._marks[number].bound = share, "belief"

    def _place_name(self, number: int) -> str:
        """The place's name in answers: the actions that lead there, or `start`."""
        actions: list[str] = []
        above = self.places[number].parent
        while above is not None:
            actions.append(self.places[number].action or "")
            number = above
            above = self.places[number].parent
        return " > ".join(reversed(actions)) or "start"

    def _mark_best_play(self, solution: Solution) -> None:
        """The best actions at the root, and the line of best play from there."""
        for child in self.places[0].children:
            self._marks[child].best |= self.places[child].action in solution.best
        number = 0
        self._marks[0].principal |= bool(solution.line)
        for action in solution.line:
            children = self.places[number].children
            following = next((child for child in children if self.places[child].action == action), None)
            if following is None:
                return
            number = following
            self._marks[number].principal = self._marks[number].best = True


def is_strategic(solution: Solution) -> bool:
    """True if the answer is strategies, and neither one line of play nor values everywhere."""
    return bool(solution.strategy or solution.equilibria) and not (solution.line or solution.values)
