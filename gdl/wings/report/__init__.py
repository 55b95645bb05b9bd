"""A designer's report from plays between agents: who wins, how long it takes, which rules are used, which are dead."""
