"""gdl for programs: what one's own imports, beside loading, and games in those of others, a file for each: PettingZoo,
Gymnasium, OpenSpiel. Each of these is an extra."""
