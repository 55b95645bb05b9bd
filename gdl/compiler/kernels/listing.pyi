"""The memory of a game's module whose rows are looked through for equal results or equal names, and what does a row."""

from gdl.compiler.kernels.words import Array

RESULTS: int  # results that are remembered, and the slots by which they are found
RESULT_SLOTS: int
RULES: int
HELD: int  # words besides the state by which runs are told apart
EVENTS: int  # words of the events of one ply
UNSET: int  # the turn while a body is tried

keeps: Array[int]  # of how many rows of the listing what they leave is kept
listed: Array[int]  # the state whose moves are listed
run_rank: Array[int]
event: Array[int]
one_event: Array[int]
one_result: Array[int]

result: Array[int]  # the results, their hashes and ranks, and the slots with the listing that has filled them
result_hash: Array[int]
result_rank: Array[int]
result_stamp: Array[int]
result_slot: Array[int]
results_end: Array[int]
results_stamp: Array[int]

held: Array[int]  # what a run holds at a choice, and the same of the runs before it
seen: Array[int]
seen_held: Array[int]
seen_hash: Array[int]
seen_stamp: Array[int]
seen_slot: Array[int]
seen_end: Array[int]
seen_from: Array[int]

name_of: Array[int]  # the hashes of the names of rows
name_stamp: Array[int]
name_slot: Array[int]
names_stamp: Array[int]
name_mask: Array[int]
MAY_SHARE: Array[int]  # by two rules: whether their rows may have one name

def perform(row: int) -> None: ...
