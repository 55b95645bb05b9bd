"""How an answer depends on the numbers that a file leaves open."""
