"""The rows of tables of solved games."""

from gdl.wings import PageRow, Wing

WING = Wing(
    "tables",
    "Keeps the values of all positions of a solved game.",
    hooks={
        "solve --table": "gdl.wings.tables.making_tables:solve_with_table",
        "show --table": "gdl.wings.tables.table_lookup:table_text",
        "play --table": "gdl.wings.tables.table_lookup:ByTable",
        "verify of a table": "gdl.wings.tables.verifying_tables:verify_table",
    },
    pages={"tables": PageRow("To look things up", behind="plays")},
)
