from pathlib import Path

import pytest

from yardkit.sandbox.serving.document_tables import generated_documents
from yardkit.sandbox.serving.registry import server_names

ROOT = Path(__file__).parents[2]


def test_the_generated_tables_are_up_to_date() -> None:
    stale = [
        str(path.relative_to(ROOT)) for path, text in generated_documents(ROOT).items() if path.read_text() != text
    ]
    assert stale == [], "run `make docs`"


@pytest.mark.parametrize("server", server_names())
def test_the_readme_of_each_server_has_a_table_of_its_tools(server: str) -> None:
    text = (ROOT / "yardkit" / "servers" / server / "README.md").read_text()
    assert "<!-- tools -->\n" in text
    assert "\n<!-- /tools -->" in text
