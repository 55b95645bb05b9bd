"""Pawn race in plain Python: a state is the pawns, row by row from below, and whose turn it is."""

COLUMNS, ROWS = 5, 6
NAMES = [f"{'abcde'[square % COLUMNS]}{square // COLUMNS + 1}" for square in range(COLUMNS * ROWS)]
NUMBERS = {name: square for square, name in enumerate(NAMES)}
HOME, FORWARD = (0, ROWS - 1), (1, -1)

State = tuple[list[int | None], int]


def start() -> State:
    return [0] * COLUMNS + [None] * (COLUMNS * (ROWS - 2)) + [1] * COLUMNS, 0


def arrived(pawns: list[int | None], player: int) -> bool:
    far = HOME[1 - player] * COLUMNS
    return player in pawns[far : far + COLUMNS]


def moves(state: State) -> list[str]:
    pawns, mover = state
    if arrived(pawns, 1 - mover):
        return []
    steps, leaps, takes = [], [], []
    ahead = FORWARD[mover] * COLUMNS
    for square, pawn in enumerate(pawns):
        if pawn != mover:
            continue
        column, row = square % COLUMNS, square // COLUMNS
        if pawns[square + ahead] is None:
            steps.append(NAMES[square] + NAMES[square + ahead])
            if row == HOME[mover] and pawns[square + 2 * ahead] is None:
                leaps.append(NAMES[square] + NAMES[square + 2 * ahead])
        if column > 0 and pawns[square + ahead - 1] == 1 - mover:
            takes.append(NAMES[square] + "x" + NAMES[square + ahead - 1])
        if column < COLUMNS - 1 and pawns[square + ahead + 1] == 1 - mover:
            takes.append(NAMES[square] + "x" + NAMES[square + ahead + 1])
    return steps + leaps + takes


def play(state: State, name: str) -> State:
    pawns, mover = list(state[0]), state[1]
    pawns[NUMBERS[name[:2]]], pawns[NUMBERS[name[-2:]]] = None, mover
    return pawns, 1 - mover


def result(state: State) -> tuple[int, ...]:
    return (-1, 1) if state[1] == 0 else (1, -1)
