"""Custodians in plain Python: a state is the men, row by row from below, whose turn it is, and the moves made."""

SIZE = 7
NAMES = [f"{'abcdefg'[square % SIZE]}{square // SIZE + 1}" for square in range(SIZE * SIZE)]
NUMBERS = {name: square for square, name in enumerate(NAMES)}
WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def ray(square: int, right: int, up: int) -> list[int]:
    column, row, found = square % SIZE + right, square // SIZE + up, []
    while 0 <= column < SIZE and 0 <= row < SIZE:
        found.append(row * SIZE + column)
        column, row = column + right, row + up
    return found


RAYS = [[ray(square, right, up) for right, up in WAYS] for square in range(SIZE * SIZE)]

State = tuple[list[int | None], int, int]


def start() -> State:
    return [0] * SIZE + [None] * (SIZE * (SIZE - 2)) + [1] * SIZE, 0, 0


def moves(state: State) -> list[str]:
    men, mover, made = state
    if made == 60 or men.count(0) < 2 or men.count(1) < 2:
        return []
    found = []
    for square, man in enumerate(men):
        if man == mover:
            targets = []
            for way in RAYS[square]:
                for target in way:
                    if men[target] is not None:
                        break
                    targets.append(target)
            found += [f"{NAMES[square]}-{NAMES[target]}" for target in sorted(targets)]
    return found


def play(state: State, name: str) -> State:
    men, mover, made = list(state[0]), state[1], state[2]
    origin, _, target = name.partition("-")
    at, other = NUMBERS[target], 1 - mover
    men[NUMBERS[origin]], men[at] = None, mover
    for way in RAYS[at]:
        if len(way) > 1 and men[way[0]] == other and men[way[1]] == mover:
            men[way[0]] = None
    return men, other, made + 1


def result(state: State) -> tuple[int, ...]:
    men, mover, made = state
    white, black = men.count(0), men.count(1)
    if made == 60 or white < 2 or black < 2:
        return (1, -1) if white > black else (-1, 1) if black > white else (0, 0)
    return (-1, 1) if mover == 0 else (1, -1)
