"""The row of this wing."""

from gdl.wings import FileRow, PageRow, Wing

_READER = "gdl.wings.stanford.kif_reader"
WING = Wing(
    "stanford",
    "Stanford's Game Description Language: reads and plays .kif",
    files=(FileRow((".kif", ".gdl"), "(;", f"{_READER}:is_kif", f"{_READER}:description"),),
    pages={"clauses": PageRow("To look things up", behind="made-from-others")},
)
