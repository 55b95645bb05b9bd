"""Merchants in plain Python: a state is everybody's coins, everybody's goods, the price and the turn."""

State = tuple[list[int], list[int], int, int]


def start() -> State:
    return [10, 10, 10], [0, 0, 0], 4, 0


def moves(state: State) -> list[str]:
    coins, goods, price, turn = state
    if turn == 12:
        return []
    mover, found = turn % 3, []
    if coins[mover] >= price and goods[mover] < 8:
        found.append("buy")
    if goods[mover] > 0:
        found.append("sell")
    return [*found, "wait"]


def play(state: State, name: str) -> State:
    coins, goods, price, turn = list(state[0]), list(state[1]), state[2], state[3]
    mover = turn % 3
    if name == "buy":
        coins[mover] -= price
        goods[mover] += 1
        price = min(9, price + 1)
    elif name == "sell":
        coins[mover] = min(40, coins[mover] + price)
        goods[mover] -= 1
        price = max(1, price - 1)
    return coins, goods, price, turn + 1


def result(state: State) -> tuple[int, ...]:
    return tuple(state[0])
