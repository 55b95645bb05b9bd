"""Jumpers in plain Python: a state is the men, row by row from below, and whose turn it is."""

SIZE = 6
NAMES = [f"{'abcdef'[square % SIZE]}{square // SIZE + 1}" for square in range(SIZE * SIZE)]
NUMBERS = {name: square for square, name in enumerate(NAMES)}
WAYS = {
    "north": (0, 1),
    "northeast": (1, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "south": (0, -1),
    "southwest": (-1, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}

State = tuple[list[int | None], int]


def start() -> State:
    return [0] * (2 * SIZE) + [None] * (2 * SIZE) + [1] * (2 * SIZE), 0


def step(square: int, way: tuple[int, int], count: int = 1) -> int | None:
    column, row = square % SIZE + count * way[0], square // SIZE + count * way[1]
    return row * SIZE + column if 0 <= column < SIZE and 0 <= row < SIZE else None


STEPS = [
    sorted(target for way in ("north", "east", "south", "west") if (target := step(square, WAYS[way])) is not None)
    for square in range(SIZE * SIZE)
]
JUMPS = [
    [(name, step(square, way), target) for name, way in WAYS.items() if (target := step(square, way, 2)) is not None]
    for square in range(SIZE * SIZE)
]


def winner(men: list[int | None]) -> int | None:
    if 0 in men[-SIZE:] or 1 not in men:
        return 0
    if 1 in men[:SIZE] or 0 not in men:
        return 1
    return None


def moves(state: State) -> list[str]:
    men, mover = state
    if winner(men) is not None:
        return []
    steps, jumps = [], []
    for square, man in enumerate(men):
        if man == mover:
            steps += [f"{NAMES[square]}-{NAMES[target]}" for target in STEPS[square] if men[target] is None]
            for way, over, target in JUMPS[square]:
                if men[over] == 1 - mover and men[target] is None:
                    jumps.append(f"{NAMES[square]} jumps {way}")
    return steps + jumps


def play(state: State, name: str) -> State:
    men, mover = list(state[0]), state[1]
    square = NUMBERS[name[:2]]
    men[square] = None
    if " jumps " in name:
        way = name.split()[2]
        over, target = next((over, target) for other, over, target in JUMPS[square] if other == way)
        men[over] = None
    else:
        target = NUMBERS[name[3:]]
    men[target] = mover
    return men, 1 - mover


def result(state: State) -> tuple[int, ...]:
    return (1, -1) if winner(state[0]) == 0 else (-1, 1)
