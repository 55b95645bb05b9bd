"""Sequential halving: how often each action of the root is tried, and which is the best."""

from dataclasses import dataclass

from puct_reference import Halving


@dataclass
class Tried:
    """A child of the root, of which sequential halving knows this."""

    prior: float
    N: int = 0
    total: tuple[float, ...] = (0.0,)
    proven: bool = False
    inferior: bool = False


def halved(worth: list[float], simulations: int, proven: int | None = None) -> tuple[list[int], int | None]:
    """How often each of so many actions was tried whose worth is always this, and the best."""
    children = [Tried(1 / len(worth)) for _ in worth]
    halving = Halving(children, 0, simulations)
    for _ in range(simulations):
        way = halving.next()
        if way is None:
            break
        child = children[way]
        child.N += 1
        child.total = (worth[way] * child.N,)
        child.proven = way == proven
    return [child.N for child in children], halving.best()


def test_few_simulations_are_spent_by_halves():
    """Of 16, each of four actions gets two; then each of the better two gets four."""
    assert halved([0.1, -0.5, 0.3, 0.2], 16) == ([2, 2, 6, 6], 2)
    assert halved([0.1, -0.5, 0.3, 0.2], 16, proven=2) == ([2, 2, 1, 11], 2)
    assert halved([0.0] * 40, 16) == ([4, 4, 2, 2, 1, 1, 1, 1] + [0] * 32, 0)
    assert halved([0.3], 5, proven=0) == ([1], 0)
