import json
import os
import stat
import sys
from pathlib import Path, PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.processes import exchange_messages, make_request

from yardkit.__main__ import main
from yardkit.sandbox.serving.client_configs import BACKUP_SUFFIX, CLIENTS, config_path, plan_change, server_entry
from yardkit.world import Problem

ENTRY = {"command": "x", "args": ["y"]}


@pytest.fixture(autouse=True)
def _in_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


@pytest.mark.parametrize(
    ("client", "file", "section"),
    [
        ("claude-desktop", "home/.config/Claude/claude_desktop_config.json", "mcpServers"),
        ("claude-code", ".mcp.json", "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", ".vscode/mcp.json", "servers"),
    ],
)
def test_each_client_gets_its_own_file_and_format(client: str, file: str, section: str, tmp_path: Path) -> None:
    assert main(["install", client, "files"]) == 0
    entry = json.loads((tmp_path / file).read_text())[section]["yardkit"]
    assert entry["command"] == sys.executable
    assert entry["args"] == ["-P", "-m", "yardkit", "serve", "files", "--workspace", str(tmp_path)]
    assert entry.get("type") == ("stdio" if client in ("claude-code", "vscode") else None)


def test_claude_desktop_is_found_on_each_platform() -> None:
    home = Path("/home/ann")
    where = {
        "linux": (PurePath("/home/ann/.config"), {}),
        "darwin": (PurePath("/home/ann/Library/Application Support"), {}),
        "win32": (PurePath("/roaming"), {"APPDATA": "/roaming"}),
    }
    for platform, (folder, environ) in where.items():
        expected = folder / "Claude" / "claude_desktop_config.json"
        assert config_path("claude-desktop", platform=platform, home=home, environ=environ) == expected


def test_the_written_command_works_from_anywhere(tmp_path: Path) -> None:
    workspace = tmp_path / "work space"
    workspace.mkdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    # What an agent might leave where the client starts us: it must not be imported into the server.
    (elsewhere / "pydantic.py").write_text("raise SystemExit('imported from the current directory')\n")
    assert main(["install", "cursor", "files", "--workspace", "work space"]) == 0
    entry = json.loads(Path(".cursor/mcp.json").read_text())["mcpServers"]["yardkit"]
    code, answer, errors = exchange_messages(
        [entry["command"], *entry["args"]], make_request(1, "tools/list"), elsewhere
    )
    assert (code, errors.count("\n")) == (0, 1)
    assert "tools, about" in errors
    assert "read_file" in answer


def test_a_dialect_is_part_of_the_written_command(tmp_path: Path) -> None:
    assert main(["install", "cursor", "all", "--dialect", "gta", "--workspace", str(tmp_path)]) == 0
    entry = json.loads(Path(".cursor/mcp.json").read_text())["mcpServers"]["yardkit"]
    code, answer, errors = exchange_messages(
        [entry["command"], *entry["args"]], make_request(1, "tools/list"), tmp_path
    )
    assert (code, errors.count("\n")) == (0, 1)
    assert "tools, about" in errors
    assert "XlsxFileGenerator" in answer
    assert "write_cells" not in answer


def test_single_tools_are_part_of_the_written_command(tmp_path: Path) -> None:
    assert main(["install", "cursor", "--tools", "read_file,solve_equations", "--workspace", str(tmp_path)]) == 0
    entry = json.loads(Path(".cursor/mcp.json").read_text())["mcpServers"]["yardkit"]
    assert entry["args"][3:] == [
        *("serve", "files", "solver", "--workspace", str(tmp_path)),
        *("--tools", "read_file,solve_equations"),
    ]


def test_other_entries_and_unknown_keys_stay(tmp_path: Path) -> None:
    before = {"theme": "dark", "mcpServers": {"other": {"command": "z", "odd": [1, None]}}, "ünknown": {"a": 1.5}}
    path = tmp_path / "config.json"
    path.write_text(json.dumps(before, indent="\t", ensure_ascii=False))
    path.chmod(0o600)
    assert main(["install", "cursor", "files", "--config", "config.json", "--name", "yard"]) == 0
    after = json.loads(path.read_text())
    assert list(after) == list(before)
    assert after["mcpServers"].pop("yard")["args"][3:5] == ["serve", "files"]
    assert after == before
    assert "\n\t" in path.read_text()
    backup = tmp_path / f"config.json{BACKUP_SUFFIX}"
    assert json.loads(backup.read_text()) == before
    assert {stat.S_IMODE(file.stat().st_mode) for file in (path, backup)} == {0o600}


def test_installing_twice_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "vscode", "files"]) == 0
    first = Path(".vscode/mcp.json").stat()
    assert main(["install", "vscode", "files"]) == 0
    assert "already has this entry" in capsys.readouterr().out
    assert Path(".vscode/mcp.json").stat().st_mtime_ns == first.st_mtime_ns
    assert not Path(f".vscode/mcp.json{BACKUP_SUFFIX}").exists()


def test_another_entry_is_replaced_only_when_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "claude-code", "files"]) == 0
    before = Path(".mcp.json").read_text()
    assert main(["install", "claude-code", "all"]) == 2
    assert "add --yes to replace it" in capsys.readouterr().err
    assert Path(".mcp.json").read_text() == before
    assert main(["install", "claude-code", "all", "--yes"]) == 0
    assert Path(".mcp.json").read_text() != before


@pytest.mark.parametrize(("answer", "code", "replaced"), [("y\n", 0, True), ("\n", 1, False), ("no\n", 1, False)])
def test_at_a_terminal_it_asks_before_it_replaces(answer: str, code: int, replaced: bool) -> None:
    import pty
    import subprocess

    assert main(["install", "claude-code", "files"]) == 0
    before = Path(".mcp.json").read_text()
    ours, theirs = pty.openpty()
    command = [sys.executable, "-P", "-m", "yardkit", "install", "claude-code", "all"]
    try:
        os.write(ours, answer.encode())
        result = subprocess.run(command, stdin=theirs, capture_output=True, text=True, timeout=240)
    finally:
        os.close(ours)
        os.close(theirs)
    assert result.returncode == code, result.stderr
    assert "Replace the entry 'yardkit'? [y/N]" in result.stdout
    assert (Path(".mcp.json").read_text() != before) is replaced


def test_a_dry_run_shows_the_difference_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(".mcp.json").write_text('{\n  "mcpServers": {}\n}\n')
    assert main(["install", "claude-code", "files", "--dry-run"]) == 0
    diff_text = capsys.readouterr().out
    assert '-  "mcpServers": {}' in diff_text
    assert '+    "yardkit": {' in diff_text
    assert Path(".mcp.json").read_text() == '{\n  "mcpServers": {}\n}\n'
    assert [path.name for path in tmp_path.iterdir()] == [".mcp.json"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b'{"mcpServers": {', "is not plain JSON"),
        (b'{"mcpServers": {} // mine\n}', "comments"),
        (b'{"mcpServers": {}, "mcpServers": {}}', "a key occurs twice"),
        (b"[1, 2]", "holds list, not an object"),
        (b'{"mcpServers": []}', "'mcpServers' in"),
        (b"\xff\xfe{}", "cannot read"),
        (b"[" * 100_000, "is not plain JSON"),
    ],
)
def test_a_file_that_is_not_understood_is_left_as_it_is(
    content: bytes, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(".mcp.json").write_bytes(content)
    assert main(["install", "claude-code", "files", "--yes"]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
    assert Path(".mcp.json").read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == [".mcp.json"]


def test_an_empty_file_and_one_with_a_byte_order_mark_are_taken() -> None:
    for content in b"", b"\xef\xbb\xbf{}":
        Path("config.json").write_bytes(content)
        assert main(["install", "cursor", "files", "--config", "config.json"]) == 0
        assert "yardkit" in json.loads(Path("config.json").read_text())["mcpServers"]


def test_a_configuration_that_is_a_symlink_stays_one(tmp_path: Path) -> None:
    Path("dotfiles").mkdir()
    Path("dotfiles/mcp.json").write_text("{}")
    Path(".mcp.json").symlink_to("dotfiles/mcp.json")
    assert main(["install", "claude-code", "files"]) == 0
    assert Path(".mcp.json").is_symlink()
    assert "yardkit" in json.loads(Path("dotfiles/mcp.json").read_text())["mcpServers"]


def test_a_folder_that_cannot_be_written_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("file").write_text("")
    assert main(["install", "cursor", "files", "--config", "file/mcp.json"]) == 2
    assert "file/mcp.json" in capsys.readouterr().err


def test_a_change_made_meanwhile_by_the_client_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text("{}")
    change = plan_change("cursor", path, "yardkit", ENTRY)
    path.write_text('{"mine": 1}')
    with pytest.raises(Problem, match="try again"):
        change.save()
    assert path.read_text() == '{"mine": 1}'


def test_a_missing_workspace_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    assert main(["install", "cursor", "files", "--workspace", "nowhere"]) == 2
    assert list(tmp_path.iterdir()) == []


def test_an_environment_of_uvx_is_started_again_through_uvx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", "/home/ann/.cache/uv/archive-v0/abc123")
    entry = server_entry("cursor", ["files", "ocr"], tmp_path)
    assert Path(entry["command"]).name == "uvx"
    assert entry["args"][0] == "--from"
    assert entry["args"][1].startswith("yardkit[files,ocr]")
    assert entry["args"][2:5] == ["yardkit", "serve", "files"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(), children, max_size=3),
    max_leaves=10,
)


@given(config=st.dictionaries(st.text(), JSON, max_size=4), servers=st.dictionaries(st.text(), JSON, max_size=4))
def test_whatever_else_a_configuration_holds_is_kept(
    config: dict[str, object], servers: dict[str, object], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("config") / "c.json"
    for client, about in CLIENTS.items():
        before = {**config, about.section: servers}
        path.write_text(json.dumps(before))
        after = json.loads(plan_change(client, path, "yardkit", ENTRY).after)
        assert after == {**before, about.section: {**servers, "yardkit": ENTRY}}


def test_a_selection_is_written_out_with_the_servers_that_have_its_tools() -> None:
    assert main(["install", "cursor", "gta-atomic"]) == 0
    line = json.loads(Path(".cursor/mcp.json").read_text())["mcpServers"]["yardkit"]["args"]
    assert {"calculator", "ocr"} <= set(line)
    assert not {"documents", "video", "gta-atomic"} & set(line)
    assert line[-4:-1] == ["--dialect", "gta", "--tools"]
    assert len(line[-1].split(",")) == 14
