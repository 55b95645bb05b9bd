"""What players who look one move ahead ask of the kernel that is joined with `one_ply`."""

def payoff_estimate(player: int) -> float:
    """The payoff that the player expects from the present state."""
