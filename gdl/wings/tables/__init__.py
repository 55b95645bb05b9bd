"""Tables of solved games, and work that is shared among several workers or a cluster."""
