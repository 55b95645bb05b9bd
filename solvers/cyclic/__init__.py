"""Games whose positions can come again."""
