"""One player who does not see everything."""
