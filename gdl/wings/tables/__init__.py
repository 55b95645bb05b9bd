"""Tables of solved games."""
