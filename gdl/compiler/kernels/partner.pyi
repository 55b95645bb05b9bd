"""What an enumeration of which two do a part each asks of the part (PARTED)."""

def hand_over() -> int:
    """Give the key that is there to the partner, if it is the partner's; whether it is."""
