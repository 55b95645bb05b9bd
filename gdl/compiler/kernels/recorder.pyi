"""The functions that an enumeration calls to have its findings recorded (RECORDS)."""

def batch_end(k: int) -> None:
    """Note that state `k` of the batch is an end."""

def batch_choice(k: int, rows: int) -> None:
    """Note that state `k` of the batch is no end, and has `rows` moves or outcomes."""

def record_state(k: int) -> None:
    """Record state `k` of the batch, whose successors have their numbers now; states come in the order of their
    numbers."""

def record_edge(i: int, after: int) -> None:
    """Record edge `i` of the state recorded last: it leads to state `after`. Where players can change parts, `after` is
    twice the state, plus 1 if they do."""
