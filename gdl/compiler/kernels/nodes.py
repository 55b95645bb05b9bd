"""Kinds of nodes, as status() tells them of a state."""

from gdl.compiler.kernels.words import *

DECISION = const(0)
CHANCE = const(1)
SIMULTANEOUS = const(2)
TERMINAL = const(3)  # then util holds what each player gets
