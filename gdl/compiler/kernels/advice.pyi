"""Tree search's view of the net that leads it."""

from gdl.compiler.kernels.words import Array

net_worth: Array[float]  # the value of the state to each player, -1 to 1
net_share: Array[float]  # of each action, by row: its probability by the net

def net_look(player: int) -> None: ...
def net_actions(player: int, rows: int) -> None: ...
def net_utility(utility: int, player: int) -> float: ...
