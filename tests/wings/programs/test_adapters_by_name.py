"""Modules of the wing by their names below `gdl.adapters`, as the manual writes them."""

import subprocess
import sys
from importlib import import_module

import pytest

from gdl import wings

NAMES = ("gymnasium", "openspiel", "pettingzoo")
MISSING = """
from gdl import wings
wings.wing = lambda name: None
try:
    import gdl.adapters.gymnasium
except ModuleNotFoundError as missing:
    print(missing)
try:
    import gdl.adapters.nothing
except ModuleNotFoundError as missing:
    print(missing)
"""


@pytest.mark.parametrize("name", NAMES)
def test_a_module_is_the_wing_s_own(name: str):
    pytest.importorskip({"openspiel": "pyspiel"}.get(name, name))
    found = import_module(f"gdl.adapters.{name}")
    assert found is import_module(f"gdl.wings.programs.{name}") is import_module(f"gdl.adapters.{name}")
    assert found.__name__ == f"gdl.wings.programs.{name}"
    assert getattr(sys.modules["gdl.adapters"], name) is found


def test_without_the_wing_it_is_named():
    told = subprocess.run([sys.executable, "-c", MISSING], capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == [
        "gdl.adapters.gymnasium comes with the wing programs, which is not installed here",
        "No module named 'gdl.adapters.nothing'",
    ]
    assert wings.WORDS["programs"].modules == NAMES
