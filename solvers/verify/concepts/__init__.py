"""The checks of answers to other questions than what a game is worth: a file for each concept, found by its name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from gdl.concepts import CONCEPTS
from gdl.solvers.verify.case import VerifierCheck


@cache
def concept_checks() -> Mapping[str, tuple[VerifierCheck, ...]]:
    """The checks by concept, of those that have a file here."""
    found = {}
    for concept in CONCEPTS:
        module = f"{__name__}.{concept.replace('-', '_')}"
        try:
            found[concept] = import_module(module).CHECKS
        except ModuleNotFoundError as missing:
            if missing.name != module:
                raise
    return found
