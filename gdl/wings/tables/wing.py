"""The rows of tables of solved games, of counts by two threads, and of clusters."""

from gdl.wings import PageRow, Wing

WING = Wing(
    "tables",
    "Keeps the values of all positions of a solved game; counts with two threads; plays with the workers of a cluster.",
    needs=("programs",),
    hooks={
        "solve --table": "gdl.wings.tables.making_tables:solve_with_table",
        "show --table": "gdl.wings.tables.table_lookup:table_text",
        "play --table": "gdl.wings.tables.table_lookup:ByTable",
        "verify of a table": "gdl.wings.tables.verifying_tables:verify_table",
        "--cluster": "gdl.wings.tables.ray_workers:RayWorkers",
        "counting by two threads": "gdl.wings.tables.counting_by_two:Count",
    },
    pages={"tables": PageRow("To look things up", behind="plays")},
)
