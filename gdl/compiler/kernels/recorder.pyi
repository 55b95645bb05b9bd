"""What notes what an enumeration finds on its way, for those that ask for it (RECORDS)."""

def batch_end(k: int) -> None:
    """A state of the batch is an end."""

def batch_choice(k: int, rows: int) -> None:
    """In a state of the batch something can be done."""

def record_state(k: int) -> None:
    """A state of the batch is the next whose edges are known."""

def record_edge(i: int, after: int) -> None:
    """Its next edge leads to that state; where players can change parts, it is twice that, and 1 if they do."""
