"""Kernels of games with hidden information."""
