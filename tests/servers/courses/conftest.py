"""The small school of `support.schools`, in which Ada acts, an admin."""

from collections.abc import Callable

import pytest
from support.schools import act_as, make_school

from yardkit.world import World


@pytest.fixture(autouse=True)
def acting(world: World) -> Callable[[int], None]:
    """Lets another person act."""
    make_school(world)
    return lambda user: act_as(world, user)
