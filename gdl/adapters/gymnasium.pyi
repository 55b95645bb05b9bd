"""The types of the module that stands under this name, for type checkers, which cannot run the finder."""

from gdl.wings.programs.gymnasium import *  # noqa: F403
