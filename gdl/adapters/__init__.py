"""gdl for programs: the names that `import gdl` offers beside loading, and games as environments of other packages
(PettingZoo, Gymnasium, OpenSpiel), a file for each. Each of these packages is an extra."""
