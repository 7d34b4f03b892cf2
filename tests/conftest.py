"""How a run is made: its tier, its order over processes, its shard, its choice by what has changed."""

import contextlib
import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from support import order, scale, seconds, selection

from yardkit.programs.temporary import own_temporary_folder
from yardkit.world import skip_syncing

# How long a draw or an example takes says something of the machine, which may be busy, and nothing of the law.
settings.register_profile(
    "yard", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
# `make test` tries the same examples each time, so that it fails for a change and for nothing else; drills try others.
settings.register_profile("same", settings.get_profile("yard"), derandomize=True)

ROOT = Path(__file__).parents[1]
_chosen = pytest.StashKey[dict[str, list[str]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("yardkit")
    group.addoption("--everything", action="store_true", help="drills too, and all that a test can try")
    group.addoption("--shard", metavar="I/N", help="the I-th of N parts that take about as long as one another")
    group.addoption("--changed", metavar="REF", help="only what a change since REF can touch")
    group.addoption(
        "--write-seconds", action="store_true", help="record what each file of tests takes, of those that run"
    )


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two for each processor, since half of the time of a test is waiting; one for each 2 GB of memory at most."""
    memory_gb = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9
    return max(1, min(2 * len(os.sched_getaffinity(0)), int(memory_gb / 2)))


def pytest_configure(config: pytest.Config) -> None:
    # What a killed run leaves behind goes with it; pytest keeps its own folders, to look at what failed.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
    own_temporary_folder().chmod(0o711)  # tests of another user pass through
    # No power fails during a test, and the disk is most of what tests would wait for.
    unsynced_saves = contextlib.ExitStack()
    unsynced_saves.enter_context(skip_syncing())
    config.add_cleanup(unsynced_saves.close)
    scale.EVERYTHING = config.option.everything
    settings.load_profile("yard" if scale.EVERYTHING else "same")
    worker = getattr(config, "workerinput", None)
    if config.option.write_seconds:
        config.pluginmanager.register(seconds.Timer())
    if config.option.write_seconds and worker is None:
        config.pluginmanager.register(seconds.Record(everything=scale.EVERYTHING, paths=_whole_files(config)))
    config.stash[_chosen] = worker["chosen"] if worker is not None else _choose_tests(config.option.changed)


def _whole_files(config: pytest.Config) -> list[Path]:
    """The paths whose tests run, all of them."""
    options = config.option
    if (
        options.keyword
        or options.markexpr
        or options.shard
        or options.changed
        or any("::" in path for path in config.args)
    ):
        raise pytest.UsageError("--write-seconds times files with all their tests; name files or folders only")
    return [config.invocation_params.dir / path for path in config.args]


def _choose_tests(ref: str) -> dict[str, list[str]]:
    return selection.choose_tests(selection.Reach(ROOT), selection.changed_since(ROOT, ref)) if ref else {}


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput["chosen"] = node.config.stash[_chosen]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> order.ByPiece:
    scheduler = order.ByPiece(config, log)
    scheduler.seconds = seconds.recorded_seconds(everything=scale.EVERYTHING)
    return scheduler


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What tests import stays; to look through it for garbage again and again takes as long as to import it."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.enable()
    return result


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    file = str(collection_path.relative_to(ROOT)) if collection_path.is_relative_to(ROOT) else ""
    return True if config.stash[_chosen].get(file) == [] else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    selected_items = [item for item in items if _in_tier(item) and _in_choice(item)]
    plan = order.Plan([item.nodeid for item in selected_items], seconds.recorded_seconds(everything=scale.EVERYTHING))
    chosen = plan.longest_first({item.nodeid: item for item in selected_items}, config.option.shard)
    left_out = set(items).difference(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = chosen


def _in_tier(item: pytest.Item) -> bool:
    """Drills run with everything, or where they are asked for by name."""
    asked = item.config.option.markexpr or any("::" in argument for argument in item.config.args)
    return bool(scale.EVERYTHING or asked or item.get_closest_marker("drill") is None)


def _in_choice(item: pytest.Item) -> bool:
    servers = item.config.stash[_chosen].get(str(item.path.relative_to(ROOT)))
    return servers is None or selection.is_about(item.name, servers)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A change that no test can see is no failure."""
    if session.config.option.changed and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK
