"""The verifier: a second program that checks saved answers against the game, no matter who found them or how."""
