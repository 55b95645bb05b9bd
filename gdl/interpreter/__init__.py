"""The meaning of the language: a checked model as a game that can be played."""
