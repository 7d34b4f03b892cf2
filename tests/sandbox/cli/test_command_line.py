import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import Run

from yardkit.__main__ import main
from yardkit.sandbox.cli import BROKEN_PIPE, COMMANDS, load_command
from yardkit.world.extras import missing_package, read_extras


def test_without_a_command_the_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    help_text = capsys.readouterr().out
    assert all(f"  {name}" in help_text and text in help_text for name, text in COMMANDS.items())


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_explains_itself_with_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    help_text = capsys.readouterr().out
    assert help_text.startswith(f"usage: yardkit {command}")
    assert f"yardkit {command}" in help_text.partition("\nexamples:\n")[2]


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        (["srve"], "there is no command 'srve'. Did you mean 'serve'?"),
        (["quux"], "there is no command 'quux'. Commands: serve"),
        (["serve"], "name servers, groups or `all`, or --tools; see `yardkit serve --help`"),
        (["serve", "--tools", "read_fil"], "there is no tool 'read_fil'. Did you mean 'read_file'?"),
        (["serve", "files", "--results", "most"], "invalid choice: 'most'"),
        (["serve", "fils"], "there is no server 'fils'. Did you mean 'files'?"),
        (["serve", "../evil"], "there is no server '../evil'"),
        (["serve", "files", "--wrkspace", "x"], "unknown argument '--wrkspace'. Did you mean '--workspace'?"),
        (["serve", "files", "--workspace", "nowhere"], "the workspace 'nowhere' is not a directory"),
        (["serve", "files", "--http", "--port", "eighty"], "'eighty' is not a whole number"),
        (["serve", "files", "--http", "--port", "70000"], "port 70000 does not exist"),
        (["serve", "files", "--http", "--host", "0.0.0.0"], "can be reached by other machines, so a token is needed"),
        (["serve", "files", "--http", "--host", "no.such.host.invalid", "--token", "t"], "cannot listen on"),
        (["serve", "files", "--port", "9"], "--port needs --http"),
        (["serve", "gta-atomic", "--agentlego"], "--agentlego needs --http"),
        (["serve", "files", "--agentlego", "--http"], "--agentlego is for the tools of GTA"),
        (["install", "curser", "files"], "there is no client 'curser'. Did you mean 'cursor'?"),
        (["catalog", "--dialect", "klingon"], "there is no dialect 'klingon'"),
        (["catalog", "--format", "xml"], "invalid choice: 'xml'"),
        (["doctor", "nobody"], "there is no server 'nobody'"),
        (["--frobnicate"], "unrecognized arguments: --frobnicate"),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(
    argv: list[str], complaint: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("yardkit: ")
    assert captured.err.count("\n") == 1
    assert complaint in captured.err
    assert list(tmp_path.iterdir()) == []


def test_the_version_is_that_of_the_distribution(yardkit: Run) -> None:
    from importlib.metadata import version

    assert yardkit("--version").stdout == f"yardkit {version('yardkit')}\n"


def test_the_console_script_is_the_same_program() -> None:
    script = Path(sys.executable).with_name("yardkit")
    result = subprocess.run([script, "serve", "nobody"], capture_output=True, text=True, timeout=240)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("yardkit: there is no server 'nobody'")


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "yardkit", "catalog", "calculator", "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(240) == BROKEN_PIPE
        assert process.stderr.read() == b""


def test_help_and_misuse_do_not_load_the_protocol_library(yardkit: Run, tmp_path: Path) -> None:
    code = "import sys; from yardkit.__main__ import main; main({argv}); sys.exit('fastmcp' in sys.modules)"
    for argv in (["serve", "nobody"], ["doctor"], [], ["install", "cursor", "files", "--dry-run"]):
        result = subprocess.run(
            [sys.executable, "-c", code.format(argv=argv)], capture_output=True, text=True, timeout=240, cwd=tmp_path
        )
        assert result.returncode == 0, (argv, result.stderr)


def test_a_process_that_grades_does_not_load_the_protocol_library(tmp_path: Path) -> None:
    code = "import sys, yardkit.sandbox.episodes.grading; sys.exit('mcp' in sys.modules or 'fastmcp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=240, cwd=tmp_path).returncode == 0


def test_each_command_has_a_module_of_its_name() -> None:
    for command in COMMANDS:
        module = load_command(command)
        assert callable(module.add)
        assert callable(module.run)


def test_a_missing_optional_package_is_explained_by_its_extra() -> None:
    problem = missing_package(ModuleNotFoundError("No module named 'z3'", name="z3.z3core"))
    assert "'z3-solver" in str(problem)
    assert "pip install 'yardkit[prover]'" in str(problem)


def test_the_extra_of_the_asking_server_is_named_where_several_bring_a_module() -> None:
    error = ModuleNotFoundError("No module named 'numpy'", name="numpy")
    assert "'yardkit[plot]'" in str(missing_package(error, extra="plot"))
    assert "'yardkit[ocr]'" in str(missing_package(error, extra="ocr"))


def test_a_missing_module_of_our_own_stays_a_crash() -> None:
    assert missing_package(ModuleNotFoundError("No module named 'yardkit.nonsense'", name="yardkit.nonsense")) is None
    assert missing_package(ModuleNotFoundError("made by hand")) is None


def test_every_optional_package_is_found_under_the_module_that_it_brings() -> None:
    from importlib.util import find_spec

    modules = {module for extra in read_extras().values() for module in extra}
    assert {module for module in modules if find_spec(module) is None} == set()
