"""The rows of pages to play on and of the site."""

from gdl.wings import CommandRow, PageRow, Wing

WING = Wing(
    "page",
    "Pages to play a game on, and the site: the manual, all games, and a playground.",
    needs=("editor", "exam", "arena"),
    commands={
        "page": CommandRow(
            "gdl.wings.page.commands:page",
            "Write a page to play the game on.",
            "gdl page connect_four -o connect_four.html",
            "document",
            {
                "ai bot opponent": "gdl play FILE plays against you, gdl page FILE on a page",
                "html web browser": "gdl page FILE -o PAGE.html makes a page to play on",
            },
            section="Play",
        ),
        "site": CommandRow(
            "gdl.wings.page.commands:site",
            "Write the site: the manual with a search, a page for each game, the Python names.",
            "gdl site -o gdl-site",
            "document",
            section="Read",
        ),
    },
    pages={"in-the-browser": PageRow("To begin", behind="games")},
)
