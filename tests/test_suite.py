"""How the suite runs: pieces and shards, and the choice of what a change can touch."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support import order, selection
from support.seconds import folder_of

ROOT = Path(__file__).parents[1]
LONG = [f"tests/long.py::test_{number}" for number in range(10)]
SECONDS = {"tests/long.py": 45.0, "tests/middle.py": 19.0, "tests/short.py": 2.0}
TESTS = ["tests/short.py::test_a", "tests/new.py::test_a", "tests/middle.py::test_a", *LONG]


def test_unknown_files_and_then_the_longest_come_first_and_a_file_stays_together_up_to_its_limit() -> None:
    plan = order.Plan(TESTS, SECONDS)
    sorted_tests = plan.longest_first({test: test for test in TESTS})
    assert sorted_tests[:2] == ["tests/new.py::test_a", "tests/middle.py::test_a"]
    assert sorted_tests[2:12] == LONG
    assert sorted_tests[12:] == ["tests/short.py::test_a"]
    assert len({plan.pieces[test] for test in LONG}) == 3
    assert max(plan.cost.values()) <= order.LONGEST_S


def test_shards_share_all_tests_and_take_about_as_long_as_one_another() -> None:
    plan = order.Plan(TESTS, SECONDS)
    shards = [plan.longest_first({test: test for test in TESTS}, f"{number}/2") for number in (1, 2)]
    assert sorted([*shards[0], *shards[1]]) == sorted(TESTS)
    loads = [sum(plan.cost[piece] for piece in {plan.pieces[test] for test in shard}) for shard in shards]
    assert abs(loads[0] - loads[1]) < 10


@pytest.fixture(scope="module")
def reach() -> selection.Reach:
    return selection.Reach(ROOT)


Runs = Callable[[str], set[str]]


@pytest.fixture
def runs(reach: selection.Reach) -> Runs:
    """The files of tests that run whole after a change."""
    return lambda changed: reach.tests.keys() - selection.choose_tests(reach, [changed]).keys()


def list_folders(files: set[str]) -> set[str]:
    return {folder_of(file) for file in files}


def test_a_change_of_an_engine_runs_the_tests_of_its_server_and_of_no_other(runs: Runs) -> None:
    engine = sorted((ROOT / "yardkit/servers/plot/engine").glob("[a-z]*.py"))[0]
    test_runs = runs(str(engine.relative_to(ROOT)))
    assert {path for path in test_runs if path.startswith("tests/servers/plot/")}
    assert not {
        path for path in test_runs if path.startswith(("tests/servers/sheets/", "tests/servers/pdf/", "tests/world/"))
    }


def test_a_change_of_the_ground_runs_nearly_everything(runs: Runs) -> None:
    assert {"world", "servers/pdf", "sandbox/episodes", "evaluators"} <= list_folders(runs("yardkit/world/paths.py"))


def test_a_change_of_a_dialect_that_is_loaded_by_its_name_runs_its_tests(runs: Runs) -> None:
    assert "tests/servers/dialects/test_toolathlon_excel.py" in runs("yardkit/compat/toolathlon/sheets/cells.py")


def test_a_change_behind_a_command_runs_the_tests_that_use_the_command(runs: Runs) -> None:
    chosen_tests = runs("yardkit/sandbox/runs/trajectory.py")
    assert "tests/sandbox/runs/test_trajectory.py" in chosen_tests
    assert "tests/sandbox/cli/test_install.py" not in chosen_tests


def test_a_change_of_a_task_runs_the_tests_that_name_it_or_its_suite(runs: Runs) -> None:
    chosen_tests = runs("yardkit/evaluators/quickstart/sort_inbox/checks.py")
    assert "tests/sandbox/runs/test_running.py" in chosen_tests
    assert not {path for path in chosen_tests if path.startswith("tests/servers/")}


@pytest.mark.parametrize(
    ("changed", "run"),
    [
        ("docs/tasks.md", "tests/docs/test_documents.py"),
        ("tests/support/drawn.py", "tests/servers/ocr/test_ocr_text.py"),
        ("tests/servers/pdf/conftest.py", "tests/servers/pdf/test_pdf_forms.py"),
        ("tests/compat/gta/gta_tools.json", "tests/compat/gta/test_gta.py"),
        ("yardkit/kit/pages/worker.py", "tests/kit/pages/test_libreoffice.py"),
    ],
)
def test_a_change_runs_what_reads_imports_or_starts_the_file(runs: Runs, changed: str, run: str) -> None:
    chosen_tests = runs(changed)
    assert run in chosen_tests
    assert "tests/servers/solver/test_parse.py" not in chosen_tests


def test_a_change_of_the_packages_runs_everything(reach: selection.Reach) -> None:
    assert selection.choose_tests(reach, ["README.md", "uv.lock"]) == {}


def test_of_tests_over_all_servers_those_of_the_changed_ones_run(reach: selection.Reach) -> None:
    left_out = selection.choose_tests(reach, ["yardkit/servers/plot/engine/__init__.py"])
    assert left_out["tests/servers/test_hostile_paths.py"] == ["plot"]
    left_out = selection.choose_tests(reach, ["yardkit/kit/surface.py"])
    assert left_out.get("tests/servers/test_hostile_paths.py", sorted(reach.servers)) == sorted(reach.servers)
    assert selection.is_about("test_a_path[plot.draw_plot.path]", ["plot"])
    assert selection.is_about("test_all_names_are_unique", ["plot"])
    assert not selection.is_about("test_a_path[pdf.read_pdf.path]", ["plot"])
