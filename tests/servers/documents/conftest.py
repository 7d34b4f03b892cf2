"""Documents made by other programs."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support import papers
from support.answers import Call


@pytest.fixture
def anchor(done: Call) -> Callable[..., str]:
    """The anchor of the first block whose text holds something (of the first table for "table")."""

    def find(path: str, text: str) -> str:
        for block in done("read_document", path=path, limit=500)["blocks"]:
            if block["kind"] == "table" == text or (text and text in block.get("text", "")):
                return str(block["anchor"])
        raise AssertionError(f"no block with {text!r}")

    return find


@pytest.fixture
def report(files: Path) -> Path:
    path = files / "report.docx"
    papers.write_with_python_docx(path, files / "navy.png")
    return path


@pytest.fixture
def contract(files: Path) -> Path:
    path = files / "contract.docx"
    papers.write_by_hand(path)
    return path
