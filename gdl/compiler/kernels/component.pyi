"""What works on the components of a game of chance, as soon as each is known."""

def single(k: int) -> None:
    """A state that play never comes back to."""

def work(first: int, last: int) -> None:
    """One sweep, or so, of a component."""

def leads_to_itself(k: int) -> int:
    """Whether a state, a component of its own, follows itself."""
