"""Docstrings of the public names: their sections agree with their parameters, and their examples run."""

import doctest
import inspect
import re
from typing import Any

import pytest
from together import together

from gdl.web.api_page import documented_names, members

PUBLIC = [(f"{module}.{name}", found) for module, name, found in documented_names()]
CLASSES = [(path, found) for path, found in PUBLIC if isinstance(found, type)]
METHODS = [(f"{path}.{name}", one) for path, found in CLASSES for name, one in members(found)]
NAMES = [pair for pair in PUBLIC + METHODS if inspect.getdoc(pair[1])]
NEEDS = {"gdl.make_vec": "gymnasium"}  # packages without which an example does not run
FUNCTIONS = [(path, found) for path, found in NAMES if inspect.isfunction(found)]


def _run(path: str, found: Any) -> int:
    """Run the examples of one docstring; how many there were."""
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(found) or "", {}, path, None, None)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
    assert result.failed == 0, path
    return result.attempted


@pytest.mark.usefixtures("little_garbage")
@pytest.mark.thorough_of("gdl.compare")
@pytest.mark.parametrize(("path", "found"), NAMES, ids=[path for path, _ in NAMES])
def test_examples_run(path: str, found: Any):
    if path in NEEDS:
        pytest.importorskip(NEEDS[path])
    attempted = _run(path, found)
    if path.startswith("gdl.") and path.count(".") == 1 and callable(found):
        assert attempted, f"{path} has no example"


@together(FUNCTIONS)
def test_every_parameter_is_explained(path: str, found: Any):
    """The names under Args are those of the signature, in its order."""
    text = inspect.getdoc(found) or ""
    section = re.search(r"^Args:\n((?:    .*\n?)+)", text, re.MULTILINE)
    explained = re.findall(r"^    (\w+): ", section[1], re.MULTILINE) if section else []
    assert explained == [name for name in inspect.signature(found).parameters if name != "self"]
