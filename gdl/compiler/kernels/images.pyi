"""Kernel code made from the symmetries of a game."""

def try_images() -> int:
    """Try all images of the present state under the game's symmetries, and keep the one with the least key. Returns 1
    if an image has a lesser key than the state itself."""
