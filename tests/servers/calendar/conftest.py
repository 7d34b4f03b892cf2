"""A small world: Ada in Vienna, Ben in New York and Eva in Tokyo have calendars; Ada has a second one."""

import pytest
from support.agendas import Put, make_agenda, make_put

from yardkit.apps.calendar import Agenda
from yardkit.world import World


@pytest.fixture(autouse=True)
def agenda(world: World) -> Agenda:
    return make_agenda(world)


@pytest.fixture
def put(agenda: Agenda) -> Put:
    """An event of somebody, as a seed writes it."""
    return make_put(agenda)
