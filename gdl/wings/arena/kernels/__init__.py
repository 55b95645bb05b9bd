"""Kernels of the arena."""
