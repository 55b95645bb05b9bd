"""Players who are alike: payoffs by counts, and the equilibria in which all of them do the same."""
