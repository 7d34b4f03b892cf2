"""One word for one thing over all servers, and a page that lists the words."""

from collections import Counter

from yardkit.sandbox.serving.glossary import arguments_page, used_arguments

TWICE = {"allow", "rows", "shapes", "slides", "underline", "value", "values", "variables"}
"""Names that stand for two things, such as slides by number and slides to add; no further ones."""


def test_a_name_of_an_argument_has_one_type_and_a_meaning() -> None:
    arguments = used_arguments()
    assert len(arguments) > 300
    assert [argument.name for argument, (_, meaning) in arguments.items() if not meaning] == []
    assert {name for name, count in Counter(argument.name for argument in arguments).items() if count > 1} <= TWICE


def test_the_page_of_arguments_lists_each_with_its_servers() -> None:
    page = arguments_page()
    assert page.startswith("# Words for arguments\n")
    assert "| `abort_on_conflict` | yes or no | git | " in page
    assert page.count("\n| `") == len(used_arguments())
