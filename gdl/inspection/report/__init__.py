"""What plays between agents tell a designer: who wins, how long it takes, what is used, what is dead."""
