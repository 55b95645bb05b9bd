"""Foreign formats, one module each."""
