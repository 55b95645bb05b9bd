"""The memory of principal variation search that `quiescence` and `selective` use (see `principal_variation`)."""

from gdl.compiler.kernels.words import Array

f_side: Array[int]
f_alpha: Array[int]
f_beta: Array[int]
f_best: Array[int]
f_open: Array[int]
f_rows: Array[int]
f_left: Array[int]
child_row: Array[int]
child_identity: Array[int]
child_rank: Array[int]
child_same: Array[int]
child_static: Array[int]
child_quiet: Array[int]
f_searched: Array[int]
f_static: Array[int]
f_made: Array[int]
f_count: Array[int]

def back_up(f: int, own: int, open: int, row: int, identity: int) -> None: ...
