"""What an enumeration of which two do a part each asks of the part (PARTED)."""

def hand_over() -> int:
    """Hand the present key over to the part or owner that it belongs to. Returns 1 if it was handed over."""
