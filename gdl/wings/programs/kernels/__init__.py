"""Kernels by which plays are stepped."""
