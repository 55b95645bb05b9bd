"""Questions about a table of plans besides Nash equilibria: correlated plans, commitment, coalitions, refinements."""
