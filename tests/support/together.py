"""Many tiny cases as one test: what pytest does for each case costs more than a case of a millisecond itself."""

from collections.abc import Callable, Iterable
from typing import Any


def together(cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Make one test of all cases. Each is the argument of the test, or a tuple of all its arguments; the first that fails
    is named in the message."""
    every = list(cases)

    def all_of(test: Callable[..., None]) -> Callable[[], None]:
        def run_all() -> None:
            for case in every:
                try:
                    test(*case) if isinstance(case, tuple) else test(case)
                except BaseException as failure:
                    failure.add_note(f"in the case {case!r}")
                    raise

        run_all.__name__, run_all.__doc__, run_all.__module__ = test.__name__, test.__doc__, test.__module__
        return run_all

    return all_of
