"""Work on the strong components of a game of chance, each as soon as it is known."""

def set_single_bounds(k: int) -> None:
    """Compute the bounds of component `k`: one state that play never comes back to."""

def work(first: int, last: int) -> None:
    """Do the next piece of work, usually one sweep, on the component whose states are `first` to `last` - 1."""

def leads_to_itself(k: int) -> int:
    """Return 1 if state `k`, which is a component by itself, has an edge to itself."""
