"""What the rules of a game prove: traits, bounds of utilities, and that no position comes again."""
