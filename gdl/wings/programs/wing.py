"""The row of this wing."""

from gdl.wings import PageRow, Wing

WING = Wing(
    "programs",
    "Environments that programs step, alone or many at once, also as Gymnasium, PettingZoo and OpenSpiel have them",
    hooks={
        "Game.environment": "gdl.wings.programs.making:environment",
        "Game.environments": "gdl.wings.programs.many_plays:environments",
    },
    names={
        "Environment": "gdl.wings.programs.environment:Environment",
        "Environments": "gdl.wings.programs.batch:Environments",
        "environment": "gdl.wings.programs.making:environment",
        "make_vec": "gdl.wings.programs.many_plays:make_vec",
    },
    modules={name: f"gdl.wings.programs.{name}" for name in ("gymnasium", "openspiel", "pettingzoo")},
    pages={"stepping": PageRow("To look things up", behind="own-searches")},
)
