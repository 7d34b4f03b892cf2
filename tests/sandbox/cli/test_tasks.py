import json
from pathlib import Path

import pytest

from yardkit.__main__ import main
from yardkit.sandbox.tasks import task as task_module
from yardkit.sandbox.tasks.suites import find_tasks, list_suites
from yardkit.world import Problem


def test_without_a_name_the_suites_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for suite, ids in list_suites().items():
        assert any(line.split() == [suite, str(len(ids)), "tasks"] for line in lines)


def test_a_suite_shows_each_task_with_its_title_and_servers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "quickstart"]) == 0
    output = capsys.readouterr().out
    for task in find_tasks(["quickstart"]):
        assert all(text in output for text in (task.id, task.title, ", ".join(task.servers)))


def test_json_without_a_name_has_every_task(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "--json"]) == 0
    tasks = json.loads(capsys.readouterr().out)
    assert [task["id"] for task in tasks] == [task.id for task in find_tasks([*list_suites()])]


@pytest.mark.parametrize(
    ("code", "mistake"),
    [
        ("from fractions import Fraction\nCHECKS = Fraction('x')\n", "line 2: ValueError: Invalid literal"),
        ("CHECKS = leaf(1)\n", "line 1: NameError: name 'leaf' is not defined"),
        ("x = (\n", "line 1: '(' was never"),
    ],
)
def test_a_mistake_in_the_code_of_a_task_names_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, mistake: str
) -> None:
    (tmp_path / "checks_with_mistake.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Problem, match="cannot be imported") as caught:
        task_module._load_module("checks_with_mistake")
    assert f"checks_with_mistake.py, {mistake}" in str(caught.value)
