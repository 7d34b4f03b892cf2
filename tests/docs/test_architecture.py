"""The table of docs/architecture.md that says where to change what names what is there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
ROWS = re.findall(r"^\| (.+?) \| `(\w+)` \| `(yardkit/\S+\.py)` \|$", PAGE, re.MULTILINE)


def test_the_table_answers_at_least_ten_questions() -> None:
    assert len({question for question, _, _ in ROWS}) >= 10


@pytest.mark.parametrize(("question", "name", "file"), ROWS, ids=[name for _, name, _ in ROWS])
def test_what_the_table_names_is_defined_where_it_says(question: str, name: str, file: str) -> None:
    module = ast.parse((ROOT / file).read_text("utf-8"))
    defined = {node.name for node in module.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert name in defined, f"to change {question}"
