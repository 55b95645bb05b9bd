"""Stanford's Game Description Language: games written as clauses, read, checked and played."""
