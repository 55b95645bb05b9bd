"""What tree search asks of the net that leads it (gdl/compiler/kernels/network.py)."""

from gdl.compiler.kernels.words import Array

net_worth: Array[float]  # what the state is worth to each player
net_share: Array[float]  # of each action

def net_look(player: int) -> None: ...
def net_actions(player: int, rows: int) -> None: ...
def net_utility(utility: int, player: int) -> float: ...
