"""What is asked of a table of plans besides Nash equilibria: correlated plans, commitment, coalitions, refinements."""
