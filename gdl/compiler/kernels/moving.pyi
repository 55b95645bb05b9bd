"""What a tree that goes on from another root asks of the search that grows it."""

def tree_rest() -> None:
    """Forget the simulation that is going on."""

def tree_move(node: int, to: int) -> None:
    """Give a node another number, which is no greater: what the search itself knows of it."""

def tree_goes_on() -> int:
    """The first node is another root: whether the search can go on from it."""
