"""Leaves about what is announced to a course."""

from dataclasses import replace
from pathlib import Path

import pytest

from yardkit.apps.courses import APP, RECORDS, Topic
from yardkit.apps.store import open_store
from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Checkpoint
from yardkit.evaluators.submission import Submission
from yardkit.world import World

OLD = Topic(1, 3, "Grades of Essay 1", "<p>14.0</p>", 5, "2026-03-01T09:00:00Z", announcement=True)
NEW = Topic(2, 3, "grades of essay 2", "<p>The <b>mean</b> is 13.3, of 22.0.</p>", 1, OLD.posted, announcement=True)
EXPECTED = {"course": 3, "title": "Grades of Essay 2", "says": ["mean"], "number": 13.333, "never": ["Ada Berg"]}


@pytest.fixture
def leaf() -> Checkpoint:
    return leaves.check_announcement("announced", "The course knows the mean", lambda facts: facts)


def _passes_leaf(leaf: Checkpoint, folder: Path, *topics: Topic) -> bool:
    before = World.create(folder / "before", task="t", seed=1)
    with open_store(APP, *RECORDS, writes=True, world=before) as store:
        store.put(OLD)
    after = before.detach(folder / "after")
    with open_store(APP, *RECORDS, writes=True, world=after) as store:
        for topic in topics:
            store.put(topic)
    assert leaf.check is not None
    return leaf.check(Submission(after.root, before=lambda: before.root), EXPECTED).outcome == "pass"


def test_an_announcement_may_be_html_and_round_its_number(leaf: Checkpoint, tmp_path: Path) -> None:
    assert _passes_leaf(leaf, tmp_path, NEW)


@pytest.mark.parametrize(
    "topics",
    [
        (),
        (NEW, replace(NEW, id=3)),
        (replace(NEW, course_id=4),),
        (replace(NEW, announcement=False),),
        (replace(NEW, shows="2026-05-01T00:00:00Z"),),
        (replace(NEW, title="Essay 2"),),
        (replace(NEW, message="The mean is 13.5."),),
        (replace(NEW, message="The mean is 13.3, or 14.1."),),
        (replace(NEW, message="We have 13.3."),),
        (replace(NEW, message="The mean is 13.3, thanks to Ada Berg."),),
    ],
)  # fmt: skip
def test_another_announcement_is_none(leaf: Checkpoint, tmp_path: Path, topics: tuple[Topic, ...]) -> None:
    assert not _passes_leaf(leaf, tmp_path, *topics)
