"""The arrays that every game's module has, as code reads them. (memory.py declares their sizes.)"""

from gdl.compiler.ir import nodes as ir

STATE, WORDS = ir.Array("s", ir.I32), ir.Array("w", ir.I64)  # the state, and the same memory in words of 64 bits
CHOSEN = ir.Array("chosen", ir.I64)  # the words of the choices on the path of the run
ODOMETER = ir.Array("odometer", ir.I32)  # how far the path of the run reaches, and its levels (kernels/odometer.py)
MOVE = ir.Array("move", ir.I32)  # the rows that are listed
KEEPS = ir.Array("keeps", ir.I32)[0]  # how many rows of a listing have what they leave in `tried`
ROW_ITEM, ROW_START = ir.Array("ROW_ITEM", ir.I32), ir.Array("ROW_START", ir.I32)  # items of sequences
ROW_SETS = ir.Array("ROW_SET", ir.I64), ir.Array("ROW_SET_2", ir.I64)  # rows as sets of bits: the first and second word
ROW_UP = ir.Array("ROW_UP", "u8")  # 1 where a row's items ascend
