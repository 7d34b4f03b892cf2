from typing import Any

import pytest
from support.answers import Call

from yardkit.world import World


@pytest.fixture
def refusal(refused: Call, world: World) -> Call:
    """The text of the error that a call gives; and nothing was written."""

    def run(tool: str, **arguments: Any) -> str:
        before = world.state_hash()
        message: str = refused(tool, **arguments)
        assert world.state_hash() == before
        return message

    return run
