"""Sowing in plain Python: a state is the seeds of the places 0 to 9, of which 4 and 9 are stores, and whose turn it is."""

PITS = ((0, 1, 2, 3), (5, 6, 7, 8))
STORES = (4, 9)

State = tuple[list[int], int]


def start() -> State:
    return [3, 3, 3, 3, 0, 3, 3, 3, 3, 0], 0


def moves(state: State) -> list[str]:
    seeds, mover = state
    if any(not any(seeds[pit] for pit in pits) for pits in PITS):
        return []
    return [str(pit + 1) for pit in PITS[mover] if seeds[pit]]


def play(state: State, name: str) -> State:
    seeds, mover = list(state[0]), state[1]
    at = int(name) - 1
    left, seeds[at] = seeds[at], 0
    for _ in range(left):
        at = (at + 1) % 10
        if at == STORES[1 - mover]:
            at = (at + 1) % 10
        seeds[at] += 1
    if at in PITS[mover] and seeds[at] == 1:
        seeds[STORES[mover]] += 1 + seeds[8 - at]
        seeds[at] = seeds[8 - at] = 0
    return seeds, mover if at == STORES[mover] else 1 - mover


def result(state: State) -> tuple[int, ...]:
    seeds = state[0]
    lead = sum(seeds[:5]) - sum(seeds[5:])
    return lead, -lead
