"""How large a transposition table is to be (gdl/compiler/kernels/transposition.py)."""

from __future__ import annotations

from collections.abc import Mapping

from gdl.compiler.joining import constants

FIRST_BUCKETS = 1 << 10  # of a new table
MAX_BUCKETS = 1 << 28  # their number has so many bits of the hash
NEAR_BYTES = 1 << 29  # of a table that lies beside everything else
WAYS = constants("transposition")["WAYS"]


def positions(words: int, room: int, shared: bool = False) -> Mapping[str, int]:
    """The constants of a table for keys of so many words, of at most so many bytes (but no smaller than a new one);
    with `shared`, for several threads."""
    buckets, entry = FIRST_BUCKETS, 8 * (words + 1)
    while 2 * buckets * WAYS * (entry + 1) <= room and buckets < MAX_BUCKETS:
        buckets *= 2
    second = shared or buckets * WAYS * entry > NEAR_BYTES
    return {"FIRST": FIRST_BUCKETS, "BUCKETS": buckets, "SECOND": int(second), **({"SHARED": 1} if shared else {})}
