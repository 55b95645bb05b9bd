"""What the search that is joined with `frames` gives to it."""

def note_rows(f: int, first: int, rows: int) -> int:
    """Note what the search wants of the rows of a frame from the first on; how many are to be visited."""
