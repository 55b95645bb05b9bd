"""The function that `children` needs of the search it is joined with."""

def note_rows(f: int, first: int, rows: int) -> int:
    """Note for frame `f` all that the search wants to know of its listed rows, from row `first` on. Returns how many of
    all `rows` are to be visited."""
