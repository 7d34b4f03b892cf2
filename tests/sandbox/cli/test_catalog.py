import json

import pytest

from toolyard.__main__ import main
from toolyard.sandbox.catalog import catalog, tools_table, update
from toolyard.sandbox.registry import server_names


def shown(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(["catalog", *argv]) == 0
    return capsys.readouterr().out


def test_every_server_and_tool_is_listed_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    entries = catalog()
    assert [entry.name for entry in entries] == list(server_names())
    for argv in [], ["--format", "json"], ["--format", "markdown"]:
        text = shown(capsys, *argv)
        for entry in entries:
            assert entry.purpose
            assert entry.purpose in text
            assert all(tool.name in text for tool in entry.tools)


def test_json_tells_what_a_tool_takes_and_what_a_server_needs(capsys: pytest.CaptureFixture[str]) -> None:
    files, ocr = json.loads(shown(capsys, "--format", "json", "--server", "files", "--server", "ocr"))
    tools = {tool["name"]: tool for tool in files["tools"]}
    assert tools["read_file"]["arguments"][:2] == ["path", "offset?"]
    assert tools["read_file"]["access"] == "reads"
    assert tools["delete_path"]["access"] == "destructive"
    assert (files["extra"], ocr["extra"], ocr["programs"]) == ("", "ocr", ["tesseract"])
    assert any(package.startswith("rapidocr") for package in ocr["packages"])


def test_one_server_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "--server", "files")
    assert "read_file(path" in text
    assert "read_image_text" not in text


def test_an_unknown_dialect_says_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "--dialect", "klingon"]) == 2
    assert "there is no dialect 'klingon'" in capsys.readouterr().err


def test_update_replaces_only_what_is_between_the_marks() -> None:
    text = "before\n<!-- tools -->\nold | \\1\n<!-- /tools -->\nafter <!-- tools --> in a line\n"
    once = update(text, "tools", r"new \1")
    assert once == "before\n<!-- tools -->\nnew \\1\n<!-- /tools -->\nafter <!-- tools --> in a line\n"
    assert update(once, "tools", r"new \1") == once
    assert update("no marks\n", "tools", "x") == "no marks\n"


def test_a_row_of_a_table_is_one_line_with_four_cells() -> None:
    for entry in catalog():
        rows = tools_table(entry).splitlines()
        assert len(rows) == 2 + len(entry.tools)
        assert all(row.replace("\\|", "").count("|") == 5 for row in rows)
