"""The verifier, for tests of solvers that have their answers verified. Without its wing the rest of such a test is
skipped."""

from collections.abc import Mapping
from typing import Any

import pytest

from gdl import wings
from gdl.game import Game


def verify(game: Game[Any], answer: Mapping[str, Any], **options: Any) -> Any:
    """The verifier's verdict on an answer."""
    if wings.wing("verify") is None:
        pytest.skip("the verifier is not installed")
    from gdl.wings.verify.verifier import verify

    return verify(game, answer, **options)
