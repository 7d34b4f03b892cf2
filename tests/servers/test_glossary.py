"""One word for one thing over all servers: docs/arguments.md, which `make docs` keeps up to date."""

from collections import Counter
from pathlib import Path

from yardkit.sandbox.serving.glossary import written_meanings

PAGE = Path(__file__).parents[2] / "docs" / "arguments.md"
TWICE = {"allow", "rows", "shapes", "slides", "underline", "value", "values", "variables"}
"""Names of things that are told in two ways, such as slides by number and slides to add; no further ones."""


def test_a_name_of_an_argument_has_one_type_and_a_meaning() -> None:
    meanings = written_meanings(PAGE.read_text("utf-8"))
    assert len(meanings) > 300
    assert all(meanings.values())
    assert {name for name, count in Counter(argument.name for argument in meanings).items() if count > 1} <= TWICE
