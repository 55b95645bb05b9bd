"""The examples in the docstrings of the functions that make environments of other packages run."""

import doctest
import inspect

import pytest

gymnasium = pytest.importorskip("gdl.wings.programs.gymnasium", exc_type=Exception)
pettingzoo = pytest.importorskip("gdl.wings.programs.pettingzoo", exc_type=Exception)


@pytest.mark.parametrize("made", [gymnasium.env, pettingzoo.env, pettingzoo.parallel_env])
def test_examples_of_adapters_run(made):
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(made) or "", {}, made.__name__, None, None)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
    assert result.attempted and not result.failed
