"""Searches on the compiled engine, one file each: they run a kernel and read its results."""

from __future__ import annotations

from gdl.compiler.searches.perft import Division, Perft, divide, perft
from gdl.compiler.searches.playouts_driver import Playing, sum_playouts
from gdl.compiler.searches.slices import ENGINES, KernelSearch

__all__ = ["ENGINES", "Division", "KernelSearch", "Perft", "Playing", "divide", "perft", "sum_playouts"]
