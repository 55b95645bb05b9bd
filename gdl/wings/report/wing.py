"""The rows of the report."""

from gdl.wings import Clash, CommandRow, PageRow, Wing

_PAIR = "--without and --seat go together", "write --without ACTION --seat PLAYER"

WING = Wing(
    "report",
    "Tells the designer of a game how it plays between agents, whose plays several processes may make.",
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
            clashes=(
                Clash("without", ("seat",), (), *_PAIR),
                Clash("seat", ("without",), (), *_PAIR),
                Clash("without", excludes=("sweep",)),
            ),
        )
    },
    answers={"report": ("gdl.wings.report.report_answers:ReportAnswer",)},
    hooks={"check --play": "gdl.wings.report.checking_play:report_plays"},
    pages={"report": PageRow("To look things up", behind="plays")},
)
