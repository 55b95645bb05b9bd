"""Fields in plain Python: a state is the owners of the fields, row by row from below, and whose turn it is."""

SIZE = 6
FIELDS = range(SIZE * SIZE)
NAMES = [f"{'abcdef'[field % SIZE]}{field // SIZE + 1}" for field in FIELDS]
NUMBERS = {name: field for field, name in enumerate(NAMES)}
NEIGHBOURS = [
    [
        row * SIZE + column
        for column, row in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        if 0 <= column < SIZE and 0 <= row < SIZE
    ]
    for y in range(SIZE)
    for x in range(SIZE)
]

State = tuple[list[int | None], int]


def start() -> State:
    owner: list[int | None] = [None] * len(FIELDS)
    owner[NUMBERS["a1"]], owner[NUMBERS["f6"]] = 0, 1
    return owner, 0


def near(owner: list[int | None], field: int, player: int) -> int:
    return sum(1 for other in NEIGHBOURS[field] if owner[other] == player)


def moves(state: State) -> list[str]:
    owner, mover = state
    return [
        NAMES[field]
        for field in FIELDS
        if owner[field] is None and any(owner[other] == mover for other in NEIGHBOURS[field])
    ]


def play(state: State, name: str) -> State:
    owner, mover = list(state[0]), state[1]
    field, other = NUMBERS[name], 1 - mover
    owner[field] = mover
    for beside in sorted(NEIGHBOURS[field]):
        if owner[beside] == other and near(owner, beside, mover) > near(owner, beside, other):
            owner[beside] = mover
    return owner, other


def result(state: State) -> tuple[int, ...]:
    owner, mover = state
    total = [owner.count(player) for player in (0, 1)]
    total[1 - mover] += owner.count(None)
    return total[0] - total[1], total[1] - total[0]
