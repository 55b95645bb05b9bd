"""What follows from the symmetries of a game."""

def try_images() -> int:
    """Try the images of the state that is unfolded; whether one is less than it."""
