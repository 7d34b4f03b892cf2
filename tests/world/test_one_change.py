"""Several files that are one change: all of it happens, or none."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yardkit.world import Problem, World, save_text
from yardkit.world.guard import before_change

Step = tuple[str, str]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return _make_world(tmp_path / "world")


def _make_world(root: Path) -> World:
    world = World.create(root, task="t", seed=1)
    for name in ("a", "b", "deep/c"):
        save_text(world.root / "apps" / name, name)
    return world


def _change_entry(world: World, kind: str, name: str) -> None:
    """Write, move or remove an entry of the apps, as an app does."""
    path = world.root / "apps" / name
    if kind == "write" and not path.is_dir():
        save_text(path, f"new {name}")
    elif kind == "move" and path.is_file():
        before_change(path, path.with_name("moved"))
        path.rename(path.with_name("moved"))
    elif kind == "remove" and path.is_file():
        before_change(path)
        path.unlink()


def _leave_halfway(world: World, leave: Callable[[], object], steps: list[Step]) -> None:
    with world.change_together():
        for kind, name in steps:
            _change_entry(world, kind, name)
        leave()


def _fail() -> None:
    raise Problem("no more")


def test_what_cannot_be_put_back_is_kept_until_it_can(world: World) -> None:
    path = world.root / "apps" / "a"

    def block() -> None:
        path.mkdir()
        (path / "of another program").touch()
        _fail()

    with pytest.raises(Problem, match="no more"):
        _leave_halfway(world, block, [("remove", "a"), ("write", "b")])
    with pytest.raises(Problem, match="an earlier change that was cut off"), world.change_together():
        pytest.fail("a second change would write over what is kept of the first")
    (path / "of another program").unlink()
    path.rmdir()
    reopened = World.open(world.root)
    assert [(reopened.root / "apps" / name).read_text() for name in ("a", "b")] == ["a", "b"]
    assert not (world.root / ".changing").exists()


@given(
    st.lists(
        st.tuples(st.sampled_from(["write", "move", "remove"]), st.sampled_from(["a", "b", "new", "deep/c", "new1/d"]))
    )
)
def test_a_change_that_fails_leaves_no_trace(tmp_path_factory: pytest.TempPathFactory, steps: list[Step]) -> None:
    world = _make_world(tmp_path_factory.mktemp("w") / "world")
    before = world.state_hash()
    with pytest.raises(Problem, match="no more"):
        _leave_halfway(world, _fail, steps)
    assert world.state_hash() == before
    assert not (world.root / ".changing").exists()


def test_the_next_start_undoes_what_a_killed_process_left(world: World) -> None:
    before = world.state_hash()
    process = os.fork()
    if not process:
        _leave_halfway(world, lambda: os._exit(9), [("write", "a"), ("move", "b"), ("write", "new1/d")])
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 9
    assert world.state_hash() != before
    assert World.open(world.root).state_hash() == before


def test_a_start_beside_a_running_change_leaves_it_alone(world: World) -> None:
    _leave_halfway(world, lambda: World.open(world.root), [("write", "a")])
    assert (world.root / "apps/a").read_text() == "new a"


def test_a_change_within_a_change_is_part_of_it(world: World) -> None:
    before = world.state_hash()
    with pytest.raises(Problem), world.change_together():
        _leave_halfway(world, lambda: None, [("write", "a")])
        _fail()
    assert world.state_hash() == before
