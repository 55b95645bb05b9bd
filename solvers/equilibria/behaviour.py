"""Behaviour strategies: what everyone does at each information set, as profiles (by name) and as rows (by index).

A `Profile` is the form of files and answers: player → information set → action → probability. A `Behaviour` is the
same for a game's `PositionGraph`: one row of probabilities per information set, in the order of its actions, or None
where the profile is silent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import isclose

from gdl.errors import DamagedData, listing
from gdl.game import Chance, Number, exact
from gdl.solution import NUMBER, Deferred, Mixture, Profile
from gdl.solvers.equilibria.positions import InformationSet, PositionGraph

MANY_INFORMATION_SETS = 2_000  # of a player; beyond them names are made when asked for (they take a tenth of a second)
Row = tuple[Number, ...]
Behaviour = Sequence[Row | None]


@cache
def uniform_row(count: int) -> Row:
    return (exact(Fraction(1, count)),) * count


def pure_row(count: int, choice: int) -> Row:
    return tuple(int(k == choice) for k in range(count))


def uniform_behaviour(positions: PositionGraph) -> Behaviour:
    """The behaviour in which everyone acts uniformly at random."""
    return tuple(map(uniform_row, positions.widths))


def pure_behaviour(positions: PositionGraph, choices: Mapping[int, int]) -> Behaviour:
    """The behaviour that takes these actions, information set -> number of the action; the first action where none is
    given."""
    return tuple(pure_row(width, choices.get(h, 0)) for h, width in enumerate(positions.widths))


def only_players(positions: PositionGraph, behaviour: Behaviour, players: Iterable[int]) -> Behaviour:
    """The behaviour of these players alone, silent about everyone else."""
    kept = frozenset(players)
    return tuple(row if owner in kept else None for row, owner in zip(behaviour, positions.owners, strict=True))


def chances(positions: PositionGraph, behaviour: Behaviour, position: int) -> Row:
    """The probabilities of the position's successors; () at an end.

    Raises DamagedData where the behaviour is silent about the set of the position.
    """
    node = positions.nodes[position]
    if isinstance(node, Chance):
        return tuple(probability for _, probability in node.outcomes)
    h = positions.sets[position]
    if h is None:
        return ()
    row = behaviour[h]
    if row is None:
        found = positions.information_sets[h]
        raise DamagedData(
            f"the profile does not say what {positions.players[found.player]} does at {found.name}, "
            "which can be reached"
        )
    return row


def first_action(positions: PositionGraph, behaviour: Behaviour) -> tuple[str, ...]:
    """The first mover's action, in a tuple, if one player moves first, knows that it is the first move, and does not
    mix; else ()."""
    h = positions.first_set
    row = None if h is None else behaviour[h]
    if h is None or row is None or 1 not in row or len(positions.information_sets[h].members) > 1:
        return ()
    return (positions.information_sets[h].actions[row.index(1)],)


def write_profile(positions: PositionGraph, behaviour: Behaviour) -> Profile:
    """The behaviour by names, without the information sets about which it is silent. If a player has many, their names
    are made only when they are asked for."""
    profile: dict[str, Mapping[str, Mixture]] = {}
    for player, name in enumerate(positions.players):
        own = [h for h in positions.sets_of(player) if behaviour[h] is not None]
        entries = _entries(positions, behaviour, own)
        profile[name] = Deferred(len(own), entries) if len(own) > MANY_INFORMATION_SETS else dict(entries)
    return profile


def _entries(positions: PositionGraph, behaviour: Behaviour, own: Iterable[int]) -> Iterator[tuple[str, Mixture]]:
    """The mixtures at some information sets, by names."""
    for h in own:
        found = positions.information_sets[h]
        yield found.name, dict(zip(found.actions, behaviour[h] or (), strict=True))


def read_profile(positions: PositionGraph, profile: Profile) -> Behaviour:
    """The behaviour of a profile of a whole game; an action that a mixture leaves out has probability zero.

    Raises DamagedData where it names what the game does not have, or where probabilities are none.
    """
    strangers = [player for player in profile if player not in positions.players]
    if strangers:
        cast = f"{positions.game} has the players {listing(positions.players)}"
        raise DamagedData(f"the profile is for {listing(strangers)}, but {cast}")
    names = {(positions.players[found.player], found.name) for found in positions.information_sets}
    for player, mixtures in profile.items():
        unknown = [name for name in mixtures if (player, name) not in names]
        if unknown:
            raise DamagedData(f"{positions.game} has no information set of {player} called {listing(unknown, 'or')}")
    return read_rows(positions, profile)


def read_rows(positions: PositionGraph, profile: Profile) -> Behaviour:
    """The behaviour of a profile, without a check that every name in it is known: where the positions are only a part
    of the game, other sets of the profile may lie behind them."""
    return tuple(
        read_row(found, profile.get(positions.players[found.player], {}).get(found.name))
        for found in positions.information_sets
    )


def read_row(found: InformationSet, mixture: Mapping[str, Number] | None) -> Row | None:
    """The probabilities of an information set's actions by a mixture; None if there is none."""
    if mixture is None:
        return None
    if not mixture.keys() <= set(found.actions):  # an action's number may stand for its name
        numbered = {f"{NUMBER}{k}": action for k, action in enumerate(found.actions, 1)}
        named = {action: action for action in found.actions}
        mixture = {{**numbered, **named}.get(action, action): weight for action, weight in mixture.items()}
    unknown = [action for action in mixture if action not in found.actions]
    if unknown:
        raise DamagedData(f"no action at {found.name} is called {listing(unknown, 'or')}")
    row = tuple(mixture.get(action, 0) for action in found.actions)
    if any(isinstance(chance, float) for chance in row) and isclose(sum(row), 1):  # but for rounding
        row = tuple(Fraction(chance) / sum(map(Fraction, row)) for chance in row)
    if any(probability < 0 for probability in row) or sum(row) != 1:
        raise DamagedData(f"the probabilities at {found.name} do not sum to one: {', '.join(map(str, row))}")
    return row
