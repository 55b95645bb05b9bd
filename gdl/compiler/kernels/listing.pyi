"""The memory of a game's module for finding rows with equal results or names, and the function that does a row."""

from gdl.compiler.kernels.words import Array

RESULTS: int  # results that are remembered, and the slots by which they are found: few, to stay in the cache
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

result: Array[int]  # by result: its state, hash, rank, and the next of its slot
result_hash: Array[int]
result_rank: Array[int]
result_link: Array[int]
result_slot: Array[int]  # the listing that filled a slot, times RESULTS, plus its last result
results_end: Array[int]
results_stamp: Array[int]

held: Array[int]  # the words of the present run at a choice; `seen`: those of earlier runs, with the states
seen: Array[int]
seen_held: Array[int]
seen_hash: Array[int]
seen_link: Array[int]
seen_slot: Array[int]
seen_end: Array[int]
seen_from: Array[int]

NAME_SLOTS: int  # more than there are rows: a slot holds the stamp of a listing, times this, plus the row
name_of: Array[int]  # by row: the hash of its name
name_slot: Array[int]
names_stamp: Array[int]
name_mask: Array[int]
MAY_SHARE: Array[int]  # by pair of rules: 1 if rows of both may have the same name

def perform(row: int) -> None: ...
