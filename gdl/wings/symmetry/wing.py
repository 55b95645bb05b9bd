"""The rows of symmetries."""

from gdl.wings import PageRow, Wing

WING = Wing(
    "symmetry",
    "Symmetries, found in the rules and proved: searches take symmetric positions for one.",
    hooks={
        "states --symmetry": "gdl.wings.symmetry.symmetric_states:count_symmetric_states",
        "solve --symmetry": "gdl.wings.symmetry.usable_symmetries:retrograde_folding",
        "folding in a long search": "gdl.wings.symmetry.usable_symmetries:worthwhile_folding",
        "a table up to symmetry": "gdl.wings.symmetry.group_folding:read_folding",
    },
    pages={"symmetry": PageRow("To understand", behind="verify")},
)
