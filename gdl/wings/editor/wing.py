"""The rows of editors and language models."""

from gdl.wings import CommandRow, PageRow, Wing

WING = Wing(
    "editor",
    "Game files in editors and for language models: servers, grammars for colours.",
    commands={
        "lsp": CommandRow(
            "gdl.wings.editor.language_server_command:lsp",
            "Serve an editor: the Language Server Protocol on standard input and output.",
            "gdl lsp",
            "dialogue",
            section="Serve other programs",
        ),
        "mcp": CommandRow(
            "gdl.wings.editor.language_model_command:mcp",
            "Serve a language model: the Model Context Protocol on standard input and output.",
            "gdl mcp games",
            "dialogue",
            section="Serve other programs",
        ),
    },
    pages={
        "editors": PageRow("To look things up", behind="beliefs"),
        "models": PageRow("To look things up", behind="editors"),
    },
)
