"""Action-graph games: what an action pays depends on how many players take each of its neighbours."""
