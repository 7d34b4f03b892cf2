"""The container image, built for real and run as Docker would run it; a test for each, since a build takes minutes."""

from pathlib import Path

import pytest
from containers import Image, built_image, running_container, solve_tasks

from yardkit.sandbox.serving.registry import server_names
from yardkit.sandbox.serving.requirements import needed_extras
from yardkit.sandbox.tasks.suites import list_suites

pytestmark = [pytest.mark.drill, pytest.mark.timeout(3_600)]

BUILD_TOOLS = ("cc", "gcc", "make", "git", "pip", "pip3", "uv", "npm", "node")
WITH_BROWSER_AND_OFFICE = ("office/newsletter_html", "office/price_list_print")
MOST_BYTES, MOST_SLIM_BYTES = 3.5e9, 1.0e9


def test_the_quickstart_suite_is_solved_against_the_running_image(tmp_path: Path) -> None:
    with built_image(tmp_path / "images", "localhost/yardkit:whole", "--build-arg", "MODELS=small") as image:
        assert image.size_bytes < MOST_BYTES
        assert_nothing_is_left_of_the_build(image)
        with running_container(image, tmp_path / "open", namespaces=True) as container:
            assert container.run("yardkit", "doctor", *server_names()).returncode == 0
            assert container.run("yardkit", "models", "check").returncode == 0
            tasks = [*list_suites()["quickstart"], *WITH_BROWSER_AND_OFFICE]
            assert solve_tasks(container, *tasks) == dict.fromkeys(tasks, (1.0, True))
        with running_container(image, tmp_path / "strict", namespaces=False) as container:
            doctor_run = container.run("yardkit", "doctor", "solver")
            assert doctor_run.returncode == 1
            assert "--security-opt seccomp=unconfined --security-opt systempaths=unconfined" in doctor_run.stdout
            without_walls = ("quickstart/policy_proof", "quickstart/sort_inbox")
            assert solve_tasks(container, *without_walls) == dict.fromkeys(without_walls, (1.0, True))


def assert_nothing_is_left_of_the_build(image: Image) -> None:
    folders = [image.root / folder for folder in ("bin", "usr/bin", "usr/local/bin", "opt/yardkit/bin")]
    assert not [tool for tool in BUILD_TOOLS for folder in folders if (folder / tool).exists()]
    assert {path.name for path in (image.root / "opt").iterdir()} == {"yardkit"}
    assert not (image.root / "src").exists()
    assert not list((image.root / "var/lib/apt/lists").iterdir())


def test_a_slim_image_has_what_its_servers_need_and_no_more(tmp_path: Path) -> None:
    chosen = ("files", "calculator")
    argument = f"SERVERS={' '.join(chosen)}"
    with (
        built_image(tmp_path / "images", "localhost/yardkit:slim", "--build-arg", argument) as image,
        running_container(image, tmp_path / "open", namespaces=True) as container,
    ):
        assert image.size_bytes < MOST_SLIM_BYTES
        assert container.run("yardkit", "doctor", *chosen).returncode == 0
        doctor_output = container.run("yardkit", "doctor", *needed_extras(server_names())).stdout
        for missing in ("soffice      not found", "chromium     not found", "not installed: z3-solver"):
            assert missing in doctor_output
        assert solve_tasks(container, "sort_inbox") == {"quickstart/sort_inbox": (1.0, True)}
