"""Numbers in the words of answers."""

import re
from pathlib import Path

import pytest

from yardkit.world.wording import format_count

SERVERS = Path(__file__).parents[2] / "yardkit/servers"
EITHER = re.compile(r"[a-z}]\(s\)")


@pytest.mark.parametrize(("number", "phrase"), [(0, "0 pages"), (1, "1 page"), (2, "2 pages"), (-1, "-1 pages")])
def test_the_noun_agrees_with_its_number(number: int, phrase: str) -> None:
    assert format_count(number, "page") == phrase


def test_no_message_of_a_server_leaves_the_plural_to_the_reader() -> None:
    offending_paths = [str(path) for path in SERVERS.rglob("*.py") if EITHER.search(path.read_text("utf-8"))]
    assert offending_paths == []
