import asyncio
import json
import os
import re
import shutil
import subprocess
import tomllib
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest
from support.commands import Run
from support.model_services import model_service
from support.processes import COMMAND

import yardkit as package
from yardkit.__main__ import main
from yardkit.models.service import Capability
from yardkit.sandbox.serving.model_states import EVERY_TOOL
from yardkit.sandbox.serving.registry import load_server, server_names
from yardkit.sandbox.serving.requirements import list_programs, needed_extras, program_states, server_states
from yardkit.sandbox.tasks.suites import list_suites
from yardkit.sandbox.tasks.task import load_task

ROOT = Path(package.__file__).parents[1]


def fake_program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_it_reports_every_server_and_program_of_this_machine(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["doctor", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert [server["name"] for server in report["servers"]] == list(server_names())
    assert [program["name"] for program in report["programs"]] == [program.name for program in list_programs()]
    assert code == (0 if report["healthy"] else 1)
    for row in report["servers"] + report["programs"]:
        assert bool(row["fix"]) is not row["works"]


def doctor_elsewhere(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """In an interpreter that starts with what stands in the folder."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [*COMMAND, "doctor", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, cwd=folder, env=environment)


def test_a_package_that_is_missing_is_named_with_its_command(tmp_path: Path) -> None:
    # An interpreter whose path finder does not see the package.
    (tmp_path / "sitecustomize.py").write_text(
        "from importlib.machinery import PathFinder\n"
        "find = PathFinder.find_spec\n"
        "PathFinder.find_spec = classmethod(\n"
        "    lambda cls, name, path=None, target=None: None if name == 'rapidocr' else find(name, path, target)\n"
        ")\n"
    )
    doctor_output = doctor_elsewhere(tmp_path)
    assert "not installed: rapidocr" in doctor_output.stdout
    assert "fix: pip install 'yardkit[ocr]'" in doctor_output.stdout
    assert doctor_output.returncode == 0, "an extra that was not chosen is not a fault"
    assert doctor_elsewhere(tmp_path, "ocr").returncode == 1
    assert doctor_elsewhere(tmp_path, "files").returncode == 0


def test_a_missing_sandbox_is_a_fault_and_names_the_package(yardkit: Run, tmp_path: Path) -> None:
    empty = tmp_path / "bin"
    empty.mkdir()
    result = yardkit("doctor", "plot", PATH=str(empty))
    assert result.returncode == 1
    assert "sudo apt-get install bubblewrap" in result.stdout
    assert "run_plot_code" in result.stdout


def test_a_sandbox_that_the_system_forbids_is_a_fault_with_the_reason(yardkit: Run, tmp_path: Path) -> None:
    fake_program(tmp_path, "bwrap", "echo 'setting up uid map: Permission denied' >&2; exit 1")
    result = yardkit("doctor", "solver", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert result.returncode == 1
    assert "setting up uid map: Permission denied" in result.stdout
    assert "namespaces" in result.stdout


def test_a_missing_second_backend_is_no_fault(yardkit: Run, tmp_path: Path) -> None:
    shutil.copy(shutil.which("bwrap") or "", tmp_path / "bwrap")
    result = yardkit("doctor", "ocr", PATH=str(tmp_path))
    assert "sudo apt-get install tesseract-ocr" in result.stdout
    assert result.returncode == 0


def test_the_languages_of_tesseract_are_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake_program(tmp_path, "tesseract", "printf 'List of available languages (3):\\neng\\nosd\\ndeu\\n'")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    state = next(state for state in program_states() if state.program.name == "tesseract")
    assert state.works
    assert "languages: eng, deu " in state.detail


def test_tesseract_without_a_language_does_not_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake_program(tmp_path, "tesseract", "printf 'List of available languages (0):\\n'")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    state = next(state for state in program_states() if state.program.name == "tesseract")
    assert (state.works, state.fix) == (False, "sudo apt-get install tesseract-ocr-eng")


def test_the_setup_installs_every_program_that_a_server_names() -> None:
    servers = (import_module(f"yardkit.servers.{name}") for name in server_names())
    named = {name for server in servers for name in getattr(server, "PROGRAMS", ())}
    assert {program.name for program in list_programs()} == named
    installed = set((ROOT / "docker" / "system-packages.txt").read_text().split())
    assert {package for program in list_programs() for package in program.package.split()} <= installed


def test_the_quickstart_installs_what_the_servers_of_its_tasks_need() -> None:
    docker = ROOT / "docker"
    named = re.search(r"for server in ([a-z ]+);", (docker / "setup.sh").read_text())
    assert named
    servers = {server for task in list_suites()["quickstart"] for server in load_task(task).servers}
    assert set(named[1].split()) == set(needed_extras(servers))
    part, everything = ((docker / f"{name}-packages.txt").read_text().split() for name in ("quickstart", "system"))
    assert set(part) < set(everything)


def test_what_servers_need_is_listed_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    def listed(*arguments: str) -> list[str]:
        assert main(["doctor", *arguments]) == 0
        return capsys.readouterr().out.split()

    assert listed("files", "calculator", "--list", "packages") == ["bubblewrap"]
    assert {"bubblewrap", "chromium", "libreoffice-calc", "python3-uno"} <= set(
        listed("sheets", "html", "--list", "packages")
    )
    assert listed("database", "sheets", "forms", "--list", "extras") == ["sheets"]
    assert set(listed("--list", "packages")) == {
        name for program in list_programs() for name in program.package.split()
    }


def test_the_extra_for_all_brings_every_extra() -> None:
    every = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (all_of_them,) = every.pop("all")
    assert all_of_them == f"yardkit[{','.join(sorted(every))}]"


def test_asking_imports_no_optional_package(yardkit: Run, tmp_path: Path) -> None:
    import sys

    code = (
        "import sys; from yardkit.sandbox.serving.requirements import server_states; server_states(); "
        "sys.exit(bool({'numpy', 'sympy', 'z3', 'cv2', 'matplotlib', 'PIL', 'pint'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=240).returncode == 0
    assert all(state.works for state in server_states()), "the development environment has every extra"


def test_models_of_each_tier_are_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("YARDKIT_MODELS", str(tmp_path))
    monkeypatch.setenv("YARDKIT_VISION_URL", "http://127.0.0.1:9/v1")
    with model_service({}, "m", "objects", "masks") as url:
        monkeypatch.setenv("YARDKIT_WORKER_URL", url)
        main(["doctor", "--format", "json"])
    rows = {row["tier"]: row for row in json.loads(capsys.readouterr().out)["models"]}
    assert "missing: nanodet, " in rows["embedded"]["detail"]
    assert rows["embedded"]["fix"] == "yardkit models add small"
    assert (rows["endpoint"]["works"], rows["local"]["works"]) == (False, True)
    assert rows["endpoint"]["detail"].startswith("vision: the service of YARDKIT_VISION_URL cannot be reached")
    assert rows["local"]["detail"] == "the worker has models for masks, objects"


def test_a_server_that_is_nothing_without_a_model_does_not_work_until_one_is_configured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("YARDKIT_") and name.endswith("_URL")]:
        monkeypatch.delenv(name)
    assert main(["doctor", "text_to_image"]) == 1
    text = capsys.readouterr().out
    assert "--  text_to_image  needs a model: neither YARDKIT_IMAGES_URL nor YARDKIT_WORKER_URL is set" in text
    assert "fix: set YARDKIT_IMAGES_URL=http://127.0.0.1:8000/v1 YARDKIT_IMAGES_MODEL=" in text
    assert "or run `yardkit models add images --from DIR` and `yardkit models serve`" in text
    assert main(["doctor", "vision"]) == 0, "tag_images and others work without one"
    assert "describe_image, answer_about_image" in capsys.readouterr().out
    with model_service({}, "painter", "images") as url:
        monkeypatch.setenv("YARDKIT_WORKER_URL", url)
        assert main(["doctor", "text_to_image"]) == 0
    assert "ok  text_to_image  works" in capsys.readouterr().out


def test_a_server_names_tools_that_it_has_and_models_that_there_are() -> None:
    for server in server_names():
        needed = getattr(import_module(f"yardkit.servers.{server}"), "MODELS", {})
        tools = {tool.name for tool in asyncio.run(load_server(server).list_tools())} if needed else set()
        for words, capabilities in needed.items():
            assert set(capabilities) <= set(get_args(Capability))
            named = re.findall(r"[a-z]+(?:_[a-z]+)+", words)
            assert (set(named) <= tools and named) or words == EVERY_TOOL, server


def test_where_models_are_missing_not_everything_is_said_to_work(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("YARDKIT_MODELS", str(tmp_path))
    assert main(["doctor", "files"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "Everything that was asked for works, except tools that need a missing model; see `fix` above."
