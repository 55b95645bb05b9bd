"""The manual: its pages and its search."""
