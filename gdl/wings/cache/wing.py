"""The rows of the cache."""

from gdl.wings import CommandRow, PageRow, Wing

WING = Wing(
    "cache",
    "Keeps models of game files and their code between two starts of gdl.",
    commands={
        "cache": CommandRow(
            "gdl.wings.cache.cache_command:cache",
            "Say what gdl keeps of game files between two starts; clear it.",
            "gdl cache clear",
            "answer",
            section="Write games",
        ),
    },
    answers={"cache": ("gdl.wings.cache.cache_command:CacheAnswer",)},
    pages={"cache": PageRow("To look things up", behind="plays")},
    hooks={
        "kept models": "gdl.wings.cache.model_cache:find_model",
        "kept code": "gdl.wings.cache.model_cache:find_code",
        "kept findings": "gdl.wings.cache.findings_cache:find_findings",
        "the size of what is kept": "gdl.wings.cache.cache_command:size_row",
    },
)
