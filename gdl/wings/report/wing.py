"""The rows of the report."""

from gdl.wings import CommandRow, PageRow, Wing

WING = Wing(
    "report",
    "Tells the designer of a game how it plays between agents.",
    needs=("arena",),
    commands={
        "report": CommandRow(
            "gdl.wings.report.report_command:report",
            "Tell a designer how a game plays.",
            "gdl report tic_tac_toe --games 20 --seed 1",
            synonyms={
                "balance": "gdl report FILE says whether a game is fair",
                "stats": "gdl report FILE says how a game plays between agents, gdl playouts FILE at random",
            },
            section="Count and report",
        )
    },
    answers={"report": ("gdl.wings.report.report_answers:ReportAnswer",)},
    hooks={"check --play": "gdl.wings.report.checking_play:report_plays"},
    pages={"report": PageRow("To look things up", behind="plays")},
)
