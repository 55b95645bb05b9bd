"""What `temporal_differences` asks of the kernel that learns."""

def td_value(player: int) -> float:
    """What the state is thought to be worth to a player."""

def td_learn() -> None:
    """What the game teaches; it is over."""
