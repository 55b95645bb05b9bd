"""The memory of a game's module for finding rows with equal results or names, and the function that does a row."""

from gdl.compiler.kernels.words import Array

RESULTS: int  # results that are remembered, and the slots (a power of two) by which they are found
RESULT_SLOTS: int
RULES: int  # rules of the game
HELD: int  # words besides the state by which runs of a body are told apart
EVENTS: int  # words of the events of one ply
UNSET: int  # the turn s[0] while a body is tried

keeps: Array[int]  # the number of rows, from the first on, whose resulting states are kept
listed: Array[int]  # the state whose moves are listed
run_rank: Array[int]  # the rank that the present run of a body has given its action; 0: none
event: Array[int]
one_event: Array[int]
one_result: Array[int]

result: Array[int]  # by result: its state, hash and rank; by slot: the listing that filled it, and the result
result_hash: Array[int]
result_rank: Array[int]
result_stamp: Array[int]
result_slot: Array[int]
results_end: Array[int]
results_stamp: Array[int]

held: Array[int]  # the words of the present run at a choice; `seen`: those of earlier runs, with the states
seen: Array[int]
seen_held: Array[int]
seen_hash: Array[int]
seen_stamp: Array[int]
seen_slot: Array[int]
seen_end: Array[int]
seen_from: Array[int]

name_of: Array[int]  # by row: the hash of its name; by slot: the listing that has filled it, and the row
name_stamp: Array[int]
name_slot: Array[int]
names_stamp: Array[int]
name_mask: Array[int]
MAY_SHARE: Array[int]  # by pair of rules: 1 if rows of both may have the same name

def perform(row: int) -> None: ...
