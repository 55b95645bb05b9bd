"""Solution concepts beyond Nash, subgame-perfect and dominance: their solvers, their judges, their games."""
