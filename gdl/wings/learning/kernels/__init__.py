"""Kernels of learned evaluations, and of the self-play from which they are learned."""
