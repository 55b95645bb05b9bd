"""gdl's games in the programs of others, a file for each: PettingZoo, Gymnasium, OpenSpiel. Each is an extra."""
