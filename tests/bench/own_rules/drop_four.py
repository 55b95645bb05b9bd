"""Drop four in plain Python: a state is the columns from the bottom up, and whose turn it is."""

COLUMNS, ROWS = 5, 4
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))

State = tuple[tuple[tuple[int, ...], ...], int]


def start() -> State:
    return ((),) * COLUMNS, 0


def disc(state: State, column: int, row: int) -> int | None:
    columns = state[0]
    if 0 <= column < COLUMNS and 0 <= row < len(columns[column]):
        return columns[column][row]
    return None


def four(state: State, player: int) -> bool:
    for column in range(COLUMNS):
        for row in range(len(state[0][column])):
            if state[0][column][row] == player:
                for right, up in WAYS:
                    if all(disc(state, column + n * right, row + n * up) == player for n in range(1, 4)):
                        return True
    return False


def moves(state: State) -> list[str]:
    if four(state, 1 - state[1]):
        return []
    return [str(column + 1) for column in range(COLUMNS) if len(state[0][column]) < ROWS]


def play(state: State, name: str) -> State:
    columns, mover = list(state[0]), state[1]
    columns[int(name) - 1] += (mover,)
    return tuple(columns), 1 - mover


def result(state: State) -> tuple[int, ...]:
    last = 1 - state[1]
    if not four(state, last):
        return 0, 0
    return (1, -1) if last == 0 else (-1, 1)
