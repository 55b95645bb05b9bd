"""Kernels of tables of solved games, and of work that several do."""
