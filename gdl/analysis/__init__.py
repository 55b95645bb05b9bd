"""Properties proved from the rules of a game: traits, bounds of utilities, and that no position comes again."""
