"""A form of a page was sent once, with what it should hold."""

import json
from pathlib import Path
from urllib.parse import urlencode

import pytest

from toolyard.evaluators.checkpoints import Checkpoint, InvalidArtifact
from toolyard.evaluators.leaves.web_forms import filled_in, read_posts, sent_once
from toolyard.evaluators.misses.web_forms import field_changed, posts_changed
from toolyard.evaluators.proof import Solved
from toolyard.evaluators.submission import Submission
from toolyard.world import World

URL = "https://shop.example/order"
FORM = {"name": "Ada Berg", "pieces": "2"}
FACTS = {"form": FORM, "other": "Ada Bergh"}
ONCE = sent_once("sent", "It was sent once", URL)
FILLED = filled_in("form", "It holds what it should", URL, lambda facts: facts["form"], numbers=("pieces",))


def sent(folder: Path, *forms: tuple[str, dict[str, str]]) -> Submission:
    world = World.create(folder, task="t", seed=1)
    posts = [{"method": "POST", "url": url, "body": urlencode(fields)} for url, fields in forms]
    session = world.root / "apps/browser/session.json"
    session.parent.mkdir(parents=True)
    session.write_text(json.dumps({"posts": posts}), "utf-8")
    return Submission(world.root, before=lambda: world.root)


def holds(leaf: Checkpoint, submission: Submission) -> bool:
    assert leaf.check is not None
    return leaf.check(submission, FACTS).outcome == "pass"


def test_a_form_with_its_fields_is_accepted_in_other_letters_and_with_units(tmp_path: Path) -> None:
    work = sent(tmp_path / "world", (URL, {"name": "ADA  Berg", "pieces": "2 pieces"}))
    assert holds(ONCE, work)
    assert holds(FILLED, work)


@pytest.mark.parametrize(
    "forms", [[], [URL, URL], [URL, "https://shop.example/change"], ["https://shop.example/change"]]
)
def test_nothing_twice_or_elsewhere_is_not_sent_once(tmp_path: Path, forms: list[str]) -> None:
    assert not holds(ONCE, sent(tmp_path / "world", *((url, FORM) for url in forms)))


@pytest.mark.parametrize(
    "fields",
    [{"name": "Ada Berg"}, {"name": "Ada Berg", "pieces": "20"}, {"name": "Ada Berg", "pieces": "2", "note": "soon"}],
)
def test_a_field_that_lacks_differs_or_is_one_more_is_noticed(tmp_path: Path, fields: dict[str, str]) -> None:
    assert not holds(FILLED, sent(tmp_path / "world", (URL, fields)))


def test_where_no_page_was_opened_nothing_was_sent(tmp_path: Path) -> None:
    world = World.create(tmp_path / "world", task="t", seed=1)
    assert read_posts(Submission(world.root, before=lambda: world.root)) == []


def test_a_damaged_state_of_the_browser_is_the_fault_of_what_was_delivered(tmp_path: Path) -> None:
    work = sent(tmp_path / "world")
    (work.apps / "browser/session.json").write_text('{"posts": 3}', "utf-8")
    with pytest.raises(InvalidArtifact):
        read_posts(work)


def test_near_misses_of_forms_are_killed_by_their_leaves(tmp_path: Path) -> None:
    work = sent(tmp_path / "world", (URL, FORM))
    solved = Solved(work.apps.parent / "files", "", FACTS)
    field_changed("name", "other", kills="form")(solved)
    assert not holds(FILLED, work)
    posts_changed(lambda posts, _: posts.append(dict(posts[0])), kills="sent")(solved)
    assert not holds(ONCE, work)
