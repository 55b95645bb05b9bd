"""The functions that `temporal_differences` needs of the kernel that learns."""

def td_value(player: int) -> float:
    """The estimated value of the present state to a player."""

def td_learn() -> None:
    """Learn from the game, which is over."""
