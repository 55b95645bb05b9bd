"""Searches on the compiled engine, one file each: what runs a kernel and reads what it found."""

from __future__ import annotations

from gdl.compiler.searches.perft import Division, Perft, divide, perft
from gdl.compiler.searches.playouts import Playing, playouts, summed
from gdl.compiler.searches.slices import ENGINES, Search

__all__ = ["ENGINES", "Division", "Perft", "Playing", "Search", "divide", "perft", "playouts", "summed"]
