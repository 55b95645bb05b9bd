"""Strategies as text: one row per information set, probabilities in columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from gdl.numbers import share_text
from gdl.render.sentence import mixture_text, pure_action
from gdl.solution import Deferred, Mixture, Profile

Names = Mapping[str, Mapping[str, str]]  # player -> name of an information set in files -> name for people
WIDTH = 100  # columns
MAX_INFORMATION_SETS = 20  # information sets of a player that are shown


def rename_information_sets(profile: Profile, names: Names) -> Profile:
    """The profile with its information sets renamed; sets without an entry in `names` keep their names."""
    return {player: _rename_keys(sets, names.get(player, {})) for player, sets in profile.items()}


def _rename_keys(sets: Mapping[str, Mixture], names: Mapping[str, str]) -> Mapping[str, Mixture]:
    entries = ((names.get(name, name), mixture) for name, mixture in sets.items())
    return Deferred(len(sets), entries) if isinstance(sets, Deferred) else dict(entries)


def profile_lines(players: Sequence[str], profile: Profile, exactly: bool = True) -> list[str]:
    """The lines of a profile: a block for each player, cut with a count if it is long; or, if everybody has a single
    decision, a line for each. Unless `exactly`, probabilities are written as decimals."""
    if all(len(profile.get(player, {})) == 1 for player in players):
        mixtures = [mixture_text(next(iter(profile[player].values())), exactly) for player in players]
        return align_columns([[f"{player}  ", told] for player, told in zip(players, mixtures, strict=True)])
    lines: list[str] = []
    for player in players:
        sets = profile.get(player, {})
        shown = dict(islice(sets.items(), MAX_INFORMATION_SETS))
        lines += _block(player, shown, exactly) if sets else []
        lines += lines_left_out(len(sets) - len(shown), f"more information sets of {player}", margin="    ")
    return lines


def _block(player: str, sets: Mapping[str, Mixture], exactly: bool) -> list[str]:
    if all(pure_action(mixture) is not None for mixture in sets.values()):
        rows = [[f"    {name}", pure_action(mixture) or ""] for name, mixture in sets.items()]
        return [player, *align_columns(rows)]
    actions = list(dict.fromkeys(action for mixture in sets.values() for action in mixture))
    head = [player, *actions]
    rows = [
        [f"    {name}", *(share_text(mixture[action], exactly) if action in mixture else "" for action in actions)]
        for name, mixture in sets.items()
    ]
    table = align_columns([head, *rows], right=True)
    if max(map(len, table)) <= WIDTH:
        return table
    return [player, *(f"    {name}: {mixture_text(mixture, exactly)}" for name, mixture in sets.items())]


def lines_left_out(count: int, what: str = "more", option: str = "--json", margin: str = "") -> list[str]:
    """The line that ends a list cut short: how many lines are left out, and which option shows all; none if there are
    no more."""
    return [f"{margin}… {count:,} {what} ({option} has them all)"] if count > 0 else []


def align_columns(rows: Iterable[Sequence[str]], right: bool = False) -> list[str]:
    """The rows as lines with aligned columns, flush left; with `right`, all columns but the first are flush right."""
    columns = []
    for place, column in enumerate(zip(*rows, strict=True)):
        flush, width = str.rjust if right and place else str.ljust, max(map(len, column))
        columns.append([flush(cell, width) for cell in column])
    return ["  ".join(line).rstrip() for line in zip(*columns, strict=True)]
