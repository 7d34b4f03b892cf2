"""The reference of tools that the site shows."""

import re

from yardkit.sandbox.serving.registry import load_server, tools_of
from yardkit.sandbox.serving.tool_pages import describe_tools


def test_a_page_has_every_tool_with_every_argument() -> None:
    page = describe_tools("sheets")
    tools = tools_of(load_server("sheets"))
    assert re.findall(r"^### `(\w+)`$", page, re.MULTILINE) == sorted(tool.name for tool in tools)
    assert page.count("\n| `") == sum(len(tool.parameters["properties"]) for tool in tools)
    assert "| `range` | string | required | A1:C10, B:D, 1:1, or several: A1:A9 C1:C9. |" in page
    assert "| `align` | `left`, `center`, `right`, `justify`, `fill`, `general` |  | Horizontal. |" in page


def test_hints_are_sentences_and_only_those_that_mean_something() -> None:
    page = describe_tools("files")
    assert re.search(r"^### `read_file`\n\n[^*]*\n\n\*Only reads\.\*$", page, re.MULTILINE)
    assert re.search(
        r"^### `delete_path`\n\n[^*]*\n\n\*Changes the workspace.*; may replace or delete", page, re.MULTILINE
    )
