import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import yardkit
from yardkit.__main__ import main
from yardkit.sandbox.serving.catalog import list_catalog, tools_table
from yardkit.sandbox.serving.document_tables import update_table
from yardkit.sandbox.serving.registry import server_names


def run_catalog(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(["catalog", *argv]) == 0
    return capsys.readouterr().out


def test_every_server_and_tool_is_listed_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    entries = list_catalog()
    assert [entry.name for entry in entries] == list(server_names())
    for argv in [], ["--format", "json"], ["--format", "markdown"]:
        text = run_catalog(capsys, *argv)
        for entry in entries:
            assert entry.purpose
            assert entry.purpose in text
            assert all(tool.name in text for tool in entry.tools)


def test_json_tells_what_a_tool_takes_and_what_a_server_needs(capsys: pytest.CaptureFixture[str]) -> None:
    files, ocr = json.loads(run_catalog(capsys, "--format", "json", "files", "ocr"))
    tools = {tool["name"]: tool for tool in files["tools"]}
    assert tools["read_file"]["arguments"][:2] == ["path", "offset?"]
    assert tools["read_file"]["access"] == "reads"
    assert tools["delete_path"]["access"] == "destructive"
    assert (files["extra"], ocr["extra"], ocr["programs"]) == ("files", "ocr", ["tesseract"])
    assert any(package.startswith("rapidocr") for package in ocr["packages"])


def test_one_server_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    text = run_catalog(capsys, "files")
    assert "read_file(path" in text
    assert "read_image_text" not in text


def test_an_unknown_dialect_says_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "--dialect", "klingon"]) == 2
    assert "there is no dialect 'klingon'; dialects: gta" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_a_dialect_is_shown_in_every_format(capsys: pytest.CaptureFixture[str], form: str) -> None:
    text = run_catalog(capsys, "--dialect", "gta", "--format", form)
    assert "XlsxFileGenerator" in text
    assert "write_cells" not in text
    if form == "json":
        servers = {entry["name"]: entry for entry in json.loads(text)}
        assert servers["calculator"]["tools"][0]["arguments"] == ["expression"]
        assert all(server["tools"] for server in servers.values())


@pytest.mark.drill
def test_a_server_without_the_dialect_is_never_shown_in_its_own_words(tmp_path: Path) -> None:
    source = Path(yardkit.__file__).parent
    leave_out = shutil.ignore_patterns("__pycache__", "fonts", "fixtures", "evaluators", "state_init")
    shutil.copytree(source, tmp_path / "yardkit", ignore=leave_out)
    (tmp_path / "yardkit" / "compat" / "gta" / "schemas" / "ocr.json").unlink()

    def run(*argv: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "yardkit", "catalog", "--dialect", "gta", *argv]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    everything = run()
    assert "Calculator(" in everything.stdout, everything.stderr
    assert not re.search(r"\bOCR\(", everything.stdout)
    assert "read_image_text" not in everything.stdout
    refused = run("ocr")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "the server 'ocr' has no dialect 'gta'; servers that have it: " in refused.stderr


def test_update_replaces_only_what_is_between_the_marks() -> None:
    text = "before\n<!-- tools -->\nold | \\1\n<!-- /tools -->\nafter <!-- tools --> in a line\n"
    once = update_table(text, "tools", r"new \1")
    assert once == "before\n<!-- tools -->\nnew \\1\n<!-- /tools -->\nafter <!-- tools --> in a line\n"
    assert update_table(once, "tools", r"new \1") == once
    assert update_table("no marks\n", "tools", "x") == "no marks\n"


def test_a_row_of_a_table_is_one_line_with_four_cells() -> None:
    for entry in list_catalog():
        rows = tools_table(entry).splitlines()
        assert len(rows) == 2 + len(entry.tools)
        assert all(row.replace("\\|", "").count("|") == 5 for row in rows)
