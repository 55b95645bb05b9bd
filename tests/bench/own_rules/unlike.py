"""Unlike neighbours in plain Python: a state is the colours, row by row from below, and whose turn it is."""

SIZE = 5
SQUARES = range(SIZE * SIZE)
NAMES = [f"{'abcde'[square % SIZE]}{square // SIZE + 1}" for square in SQUARES]
NUMBERS = {name: square for square, name in enumerate(NAMES)}
COLOURS = ("red", "blue", "white")
NEIGHBOURS = [
    [
        row * SIZE + column
        for column, row in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        if 0 <= column < SIZE and 0 <= row < SIZE
    ]
    for y in range(SIZE)
    for x in range(SIZE)
]

State = tuple[list[str | None], int]


def start() -> State:
    return [None] * len(SQUARES), 0


def moves(state: State) -> list[str]:
    painted = state[0]
    found = []
    for square in SQUARES:
        if painted[square] is None:
            near = [painted[other] for other in NEIGHBOURS[square]]
            found += [f"{NAMES[square]} {colour}" for colour in COLOURS if colour not in near]
    return found


def play(state: State, name: str) -> State:
    painted = list(state[0])
    square, colour = name.split()
    painted[NUMBERS[square]] = colour
    return painted, 1 - state[1]


def result(state: State) -> tuple[int, ...]:
    return (-1, 1) if state[1] == 0 else (1, -1)
