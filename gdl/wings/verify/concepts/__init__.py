"""The checks of answers to other questions than what a game is worth: a file for each concept, found by its name.

They need no solver: an answer is checked also where the wing of its concept is not installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from gdl.wings.verify.case import VerifierCheck


@cache
def concept_checks() -> Mapping[str, tuple[VerifierCheck, ...]]:
    """The checks by concept."""
    names = [module.name for module in iter_modules(__path__)]
    return {name.replace("_", "-"): import_module(f"{__name__}.{name}").CHECKS for name in names}
