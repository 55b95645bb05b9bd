"""Kernel functions that look for equal results and equal names among the rows of a listing."""

from __future__ import annotations

from gdl.compiler.lower.writer import Module, Writer


def write(module: Module, name: str, events: bool) -> None:
    """Add one of the functions below, and those that it calls; `events`: whether results have events."""
    called, header, doc, lines = _FUNCTIONS[name]
    for other in called:
        if other not in module.functions:
            write(module, other, events)
    out = Writer()
    code = module.trap("two actions with different results have one name", None)
    for mark, line in _EVENTS.items():
        lines = lines.replace(mark, line if events else "")
    for line in lines.replace("{code}", str(code)).strip("\n").splitlines():
        out.emit(line)
    module.function(header, doc, out)


_BEGIN_RESULTS = """
results_stamp[0] += 1
results_end[0] = 0
"""

_FIND_RESULT = """
digest = hash()
at = i32(digest) & RESULT_SLOTS - 1
while result_stamp[at] == results_stamp[0]:
    k = result_slot[at]
    if result_hash[k] == digest and result_rank[k] == run_rank[0]:
        if equal(result, k * STATE, s, 0, STATE):
            return k
    at = at + 1 & RESULT_SLOTS - 1
if most == RESULTS:
    trap(1)
result_stamp[at] = results_stamp[0]
result_slot[at] = most
copy(result, most * STATE, s, 0, STATE)
result_hash[most] = digest
result_rank[most] = run_rank[0]
return most
"""

_IS_NEW_RESULT = """
end = results_end[0]
if find_result(end) < end:
    return 0
results_end[0] = end + 1
return 1
"""

_SEEN_BEFORE = """
digest = hash()
for j in range(count):
    digest = wrap64((digest ^ held[j]) * -7046029254386353131)
at = i32(digest ^ digest >> 32) & RESULT_SLOTS - 1
while seen_stamp[at] == results_stamp[0]:
    k = seen_slot[at]
    if seen_hash[k] == digest:
        same = 1
        for j in range(count):
            if seen_held[k * HELD + j] != held[j]:
                same = 0
        if same and equal(seen, k * STATE, s, 0, STATE):
            return 1
    at = at + 1 & RESULT_SLOTS - 1
k = seen_end[0] if seen_from[0] == results_stamp[0] else 0
seen_from[0] = results_stamp[0]
seen_at[0] = k + 1 if k < RESULTS else 0
if k < RESULTS:
    seen_stamp[at] = results_stamp[0]
    seen_slot[at] = k
    copy(seen, k * STATE, s, 0, STATE)
    copy(seen_held, k * HELD, held, 0, HELD)
    seen_hash[k] = digest
    seen_end[0] = k + 1
return 0
"""

_MERGE_OUTCOMES = """
copy(listed, 0, s, 0, STATE)
begin_results()
kept = 0
run_rank[0] = 0
for i in range(rows):
    apply(i)
    k = find_result(kept)
    copy(s, 0, listed, 0, STATE)
    if k < kept:
        weight[k] += weight[i]
    else:
        keep_row(i, kept)
        weight[kept] = weight[i]
        kept += 1
return kept
"""

_KEEP_ROW = """
if i != kept:
    for j in range(WIDTH):
        move[kept * WIDTH + j] = move[i * WIDTH + j]
"""

_BEGIN_NAMES = """
names_stamp[0] += 1
mask = 7
while mask < 2 * count:
    mask = 2 * mask + 1
name_mask[0] = mask
"""

_TWIN = """
at = i32(name_of[i] ^ name_of[i] >> 32) & name_mask[0]
while name_stamp[at] == names_stamp[0]:
    j = name_slot[at]
    if name_of[j] == name_of[i] and MAY_SHARE[move[i * WIDTH] * RULES + move[j * WIDTH]]:
        if same_result(i, j) == 0:
            trap({code})
        return j
    at = at + 1 & name_mask[0]
name_stamp[at] = names_stamp[0]
name_slot[at] = kept
return -1
"""

_SAME_RESULT = """
copy(listed, 0, s, 0, STATE)
s[0] = UNSET
{clear}perform(i)
{keep}copy(one_result, 0, s, 0, STATE)
copy(s, 0, listed, 0, STATE)
s[0] = UNSET
{clear}perform(k)
same = equal(one_result, 0, s, 0, STATE)
{compare}copy(s, 0, listed, 0, STATE)
return same
"""

_EVENTS = {  # what a result has of them, where there are events
    "{clear}": "event[0] = 0\nevent[1] = 0\n",
    "{keep}": "copy(one_event, 0, event, 0, EVENTS)\n",
    "{compare}": "for j in range(event[0] * 3 + 2):\n    if one_event[j] != event[j]:\n        same = 0\n",
}

_DISTINCT_ROWS = """
begin_names(rows - first)
kept = first
for i in range(first, rows):
    if twin(i, kept) < 0:
        keep_row(i, kept)
        name_of[kept] = name_of[i]
        kept += 1
return kept
"""

_DISTINCT_OUTCOMES = """
begin_names(rows)
kept = 0
for i in range(rows):
    j = twin(i, kept)
    if j >= 0:
        weight[j] += weight[i]
    else:
        keep_row(i, kept)
        weight[kept] = weight[i]
        name_of[kept] = name_of[i]
        kept += 1
return kept
"""

_FUNCTIONS = {
    "begin_results": ((), "def begin_results() -> None", "Forget all results.", _BEGIN_RESULTS),
    "find_result": (
        (),
        "def find_result(most: i32) -> i32",
        "The place among so many results that equals the state, or where it has been put.",
        _FIND_RESULT,
    ),
    "is_new_result": (
        ("begin_results", "find_result"),
        "def is_new_result() -> i32",
        "Whether the state is none of the results of this listing.",
        _IS_NEW_RESULT,
    ),
    "seen_before": (
        (),
        "def seen_before(count: i32) -> i32",
        "Whether a run of this listing has come to a choice with the same state and the same values held.",
        _SEEN_BEFORE,
    ),
    "merge_outcomes": (
        ("begin_results", "find_result", "keep_row"),
        "def merge_outcomes(rows: i32) -> i32",
        "Outcomes that leave the same state become one, with their weights together.",
        _MERGE_OUTCOMES,
    ),
    "keep_row": ((), "def keep_row(i: i32, kept: i32) -> None", "Move a row up over those left out.", _KEEP_ROW),
    "same_result": (
        (),
        "def same_result(i: i32, k: i32) -> i32",
        "Whether two rows leave the same state.",
        _SAME_RESULT,
    ),
    "begin_names": (
        (),
        "def begin_names(count: i32) -> None",
        "Forget all names; so many are looked for, in no more slots than they need.",
        _BEGIN_NAMES,
    ),
    "twin": (
        ("same_result",),
        "def twin(i: i32, kept: i32) -> i32",
        "The row kept so far that has row i's name, or -1 (then i is to be kept); two results of one name are a fault.",
        _TWIN,
    ),
    "distinct_rows": (
        ("begin_names", "twin", "keep_row"),
        "def distinct_rows(first: i32, rows: i32) -> i32",
        "Of rows with one name only the first is kept.",
        _DISTINCT_ROWS,
    ),
    "distinct_outcomes": (
        ("begin_names", "twin", "keep_row"),
        "def distinct_outcomes(rows: i32) -> i32",
        "Of outcomes with one name only the first is kept, with all their weights.",
        _DISTINCT_OUTCOMES,
    ),
}
