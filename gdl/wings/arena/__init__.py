"""Ways to play, and matches between them; plays in the terminal, in records, and for other programs."""

PLAY = "gdl play"  # the command
