"""The types of the module that stands under this name, for type checkers, which cannot run the finder."""

from gdl.wings.programs.openspiel import *  # noqa: F403
