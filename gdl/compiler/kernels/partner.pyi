"""The function that an enumeration shared among several (PARTED) needs of the kernel it is joined with."""

def hand_over() -> int:
    """Hand the present key over to the part or owner that it belongs to. Returns 1 if it was handed over."""
