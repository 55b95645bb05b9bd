"""The constants and arrays declared in a game's module, except arrays that only one of its functions needs."""

from __future__ import annotations

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.reader import Read
from gdl.compiler.joining import kernel
from gdl.compiler.lower.bodies import MOST_EVENTS
from gdl.compiler.lower.labels import MOST_PIECES
from gdl.compiler.lower.lowering import Lowering
from gdl.compiler.lower.past import BUCKETS, MOST_PAST
from gdl.compiler.lower.rows import UNSET
from gdl.errors import clean

# Room for the levels of a path, the options of all its levels, the paths that rows keep, and the results of a listing.
# More of any of them is a trap.
PATH, OPTIONS, PATHS, RESULTS, RESULT_SLOTS = 1 << 8, 1 << 16, 1 << 18, 1 << 12, 1 << 9
MOST_ROWS_KEPT = 256  # the most rows of a listing whose resulting states are kept


def declarations(made: Lowering, rows: int) -> Read:
    """The declarations at the head of a game's module. `rows`: the most rows that its array `move` can hold."""
    head = Read()
    head.title = f"{clean(made.context.model.name)}: kernel Python"
    sizes = _sizes(made, rows)
    head.constants |= sizes
    _state(head, made, sizes)
    _names(head, made, sizes)
    _past(head, made)
    _declare_joint_choices(head, made, sizes)
    _results(head, made, sizes)
    if made.rules.chooses:
        head.take(kernel("odometer").parts)
    return head


def _sizes(made: Lowering, rows: int) -> dict[str, int]:
    sizes = {
        "STATE": made.context.layout.words, "PLAYERS": len(made.context.model.players),
        "DENOMINATOR": made.ends.denominator, "EVALUATION_DENOMINATOR": made.ends.evaluation_denominator, "NONE": -1,
        "WON_ASKS_WAYS": int(made.ends.won_asks_ways), "MOVES": rows, "WIDTH": made.rows.width,
    }  # fmt: skip
    if "observe" in made.context.module.functions:
        sizes |= {"PUBLIC": made.views.public, "PRIVATE": made.views.private}
    if made.rules.chooses:
        sizes |= {"PATH": PATH, "OPTIONS": OPTIONS, "PATHS": PATHS}
    if made.rules.keeps:
        sizes |= {"ROWS_KEPT": min(rows, MOST_ROWS_KEPT)}
    if made.rules.tells:
        sizes |= {"EVENTS": 3 * MOST_EVENTS + 2}
    if made.rules.merges:
        sizes |= {"RESULTS": RESULTS, "RESULT_SLOTS": RESULT_SLOTS}
    if made.choices.most_held:
        sizes |= {"HELD": made.choices.most_held}
    if made.naming.named:
        # A power of two, so that a mask replaces a division, and at least two slots for each row, so that few names
        # meet.
        sizes |= {"RULES": len(made.rules.all), "UNSET": UNSET, "NAME_SLOTS": 2 << rows.bit_length()}
    return sizes


def _state(head: Read, made: Lowering, sizes: dict[str, int]) -> None:
    """Declare the memory of the state, of what is asked about it, and of the rows that can be done."""
    head.array("s", ir.I32, sizes["STATE"], "the state: the turn, the mover, then the variables")
    head.view("w", ir.I64, "s")
    head.array("util", ir.I64 if made.ends.wide else ir.I32, sizes["PLAYERS"])
    functions = made.context.module.functions
    if "look" in functions:
        head.array("ended", ir.I32, 1, "the line of `terminal` by which play is over")
        head.array("label", ir.I32, 1 + 2 * MOST_PIECES, "how many pieces a name has, and two words for each")
        head.array("shown", ir.I32, made.labels.words)
        head.array("hides", ir.I32, made.labels.cells)
        head.array("before_name", ir.I32, sizes["STATE"])
    if "hear" in functions or "observe" in functions:
        head.array("hears", ir.I32, sizes["PLAYERS"])
    if "observe" in functions:
        words = sizes["PUBLIC"] + sizes["PLAYERS"] * sizes["PRIVATE"]
        head.array("sight", ir.I32, words, "what all players see, then what each sees alone")
    head.array("move", ir.I32, sizes["WIDTH"] * sizes["MOVES"])
    head.table("ROW_HEAD", ir.I32, [1 + sum(words) for words in made.rows.head_words])
    head.table("ROW_CHOOSES", "u8", [int(made.rules.has_path(rule)) for rule in made.rules.all])
    if made.context.model.chances:
        head.array("weight", ir.I64, sizes["MOVES"])
    if made.rules.tries or made.rules.merges or made.naming.named:
        head.array("listed", ir.I32, sizes["STATE"], "the state whose moves are listed")
    if made.rules.keeps:
        head.array("keeps", ir.I32, 1, "of how many rows what they leave is kept")
        head.array("tried", ir.I32, sizes["ROWS_KEPT"] * sizes["STATE"])
    if made.rules.ranked or made.rules.merges:
        head.array("run_rank", ir.I32, 1)
    if made.bodies.deepest_attempt:
        size = made.context.layout.words * made.bodies.deepest_attempt
        head.array("unmade", ir.I32, size, "the state before an attempt")
    if made.rules.tells:
        head.array("event", ir.I32, sizes["EVENTS"], "how many, whether all is forgotten, and three words for each")


def _names(head: Read, made: Lowering, sizes: dict[str, int]) -> None:
    """Declare the hashes of names and texts, and the table of which rules' rows can have one name."""
    if not made.naming.named:
        return
    if made.rules.tells:
        head.array("one_event", ir.I32, sizes["EVENTS"])
    for name, size in (("name", 1), ("name_here", 1), ("name_of", sizes["MOVES"])):
        head.array(name, ir.I64, size)
    head.array("one_result", ir.I32, sizes["STATE"])
    head.array("name_slot", ir.I64, sizes["NAME_SLOTS"])
    head.array("names_stamp", ir.I64, 1)
    head.array("name_mask", ir.I32, 1)
    count = len(made.rules.all)
    # Names of rules that cannot meet are never compared, though their hashes may be equal.
    pairs = [int(early in made.naming.sharing[late]) for late in range(count) for early in range(count)]
    head.table("MAY_SHARE", "u8", pairs)
    for name, values in made.naming.text_tables().items():
        head.table(name, ir.I64, values)


def _past(head: Read, made: Lowering) -> None:
    """Declare the memory for earlier positions: their keys, their hashes, and the chains of those that
    share a bucket."""
    if made.context.layout.past is None:
        return
    head.array("past_sum", ir.I64, MOST_PAST + 1, "the digests of so many positions")
    head.array("past_top", ir.I32, 1)
    for site, noted in enumerate(made.past.keys):
        head.array(f"asked_{site}", ir.I64, noted.words)
        head.array(f"past_key_{site}", ir.I64, noted.words * MOST_PAST)
        head.array(f"past_hash_{site}", ir.I64, MOST_PAST)
        head.array(f"past_link_{site}", ir.I32, MOST_PAST)
        head.array(f"past_head_{site}", ir.I32, BUCKETS)


def _declare_joint_choices(head: Read, made: Lowering, sizes: dict[str, int]) -> None:
    """Declare the memory for choices that everyone makes at once, and for the state that they leave together."""
    if made.rules.everyone:
        head.array("first", ir.I32, len(made.context.model.players) + 1)
        head.array("joint", ir.I32, sizes["PLAYERS"])
        for name in ("before_joint", "joined"):
            head.array(name, ir.I32, sizes["STATE"])


def _results(head: Read, made: Lowering, sizes: dict[str, int]) -> None:
    """Declare the memory for the results of a listing, and for the choices at which its runs may be found alike."""
    words = made.context.layout.words * RESULTS
    if made.rules.merges:
        head.array("result", ir.I32, words)
        head.array("result_hash", ir.I64, RESULTS)
        head.array("result_rank", ir.I32, RESULTS)
        head.array("result_slot", ir.I64, RESULT_SLOTS)
        head.array("result_link", ir.I32, RESULTS)
        head.array("results_end", ir.I32, 1)
        head.array("results_stamp", ir.I64, 1)
    if made.choices.most_held:
        head.array("held", ir.I64, sizes["HELD"])
        head.array("seen_held", ir.I64, sizes["HELD"] * RESULTS)
        head.array("seen_slot", ir.I64, RESULT_SLOTS)
        head.array("seen_link", ir.I32, RESULTS)
        head.array("seen_end", ir.I32, 1)
        head.array("seen_from", ir.I64, 1)
        head.array("seen_hash", ir.I64, RESULTS)
        head.array("seen", ir.I32, words)
