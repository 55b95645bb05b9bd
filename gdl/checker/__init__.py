"""Syntax -> model: names resolved, domains finite, sugar gone; or every problem found, all at once."""
