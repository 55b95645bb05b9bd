"""Kinds of nodes: the results of status()."""

from gdl.compiler.kernels.words import *

DECISION = const(0)
CHANCE = const(1)
SIMULTANEOUS = const(2)
TERMINAL = const(3)  # `util` holds what each player gets, times DENOMINATOR
