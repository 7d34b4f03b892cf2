"""A form of a page was sent once, with what it should hold."""

import json
import random
import shutil
from pathlib import Path
from urllib.parse import urlencode

import pytest

from yardkit.evaluators.checkpoints import Checkpoint, InvalidArtifact, make_checkpoint, make_finding
from yardkit.evaluators.desk.supplier_check.web_form_leaves import filled_in, read_posts, sent_once
from yardkit.evaluators.desk.supplier_check.web_form_misses import field_changed, posts_changed
from yardkit.evaluators.mutations import Mutant, matches_target, record_mutants
from yardkit.evaluators.proof import Solved
from yardkit.evaluators.submission import Submission
from yardkit.world import World

URL, PAGE = "https://lamps.example/order", "https://forms.example/f/1"
FORM = {"name": "Ada Berg", "pieces": "2"}
FACTS = {"form": FORM, "other": "Ada Bergh"}
ONCE = sent_once("sent", "It was sent once", URL)
FILLED = filled_in("form", "It holds what it should", URL, lambda facts: facts["form"], numbers=("pieces",))


def make_submission(folder: Path, *forms: tuple[str, dict[str, str]]) -> Submission:
    world = World.create(folder, task="t", seed=1)
    posts = [{"method": "POST", "url": url, "body": urlencode(fields)} for url, fields in forms]
    session = world.root / "apps/browser/session.json"
    session.parent.mkdir(parents=True)
    session.write_text(json.dumps({"posts": posts}), "utf-8")
    (world.root / "apps/web/lamps.example").mkdir(parents=True)
    return Submission(world.root, before=lambda: world.root)


def passes_leaf(leaf: Checkpoint, submission: Submission) -> bool:
    assert leaf.check is not None
    return leaf.check(submission, FACTS).outcome == "pass"


def test_a_form_with_its_fields_is_accepted_in_other_letters_and_with_units(tmp_path: Path) -> None:
    work = make_submission(tmp_path / "world", (URL, {"name": "ADA  Berg", "pieces": "2 pieces"}))
    assert passes_leaf(ONCE, work)
    assert passes_leaf(FILLED, work)


@pytest.mark.parametrize(
    "forms", [[], [URL, URL], [URL, "https://lamps.example/change"], ["https://lamps.example/change"]]
)
def test_nothing_twice_or_elsewhere_is_not_sent_once(tmp_path: Path, forms: list[str]) -> None:
    assert not passes_leaf(ONCE, make_submission(tmp_path / "world", *((url, FORM) for url in forms)))


@pytest.mark.parametrize(
    "fields",
    [{"name": "Ada Berg"}, {"name": "Ada Berg", "pieces": "20"}, {"name": "Ada Berg", "pieces": "2", "note": "soon"}],
)
def test_a_field_that_lacks_differs_or_is_one_more_is_noticed(tmp_path: Path, fields: dict[str, str]) -> None:
    assert not passes_leaf(FILLED, make_submission(tmp_path / "world", (URL, fields)))


def test_where_no_page_was_opened_nothing_was_sent(tmp_path: Path) -> None:
    world = World.create(tmp_path / "world", task="t", seed=1)
    assert read_posts(Submission(world.root, before=lambda: world.root)) == []


def test_a_damaged_state_of_the_browser_is_the_fault_of_what_was_delivered(tmp_path: Path) -> None:
    work = make_submission(tmp_path / "world")
    (work.apps / "browser/session.json").write_text('{"posts": 3}', "utf-8")
    with pytest.raises(InvalidArtifact):
        read_posts(work)


def test_near_misses_of_forms_are_killed_by_their_leaves(tmp_path: Path) -> None:
    work = make_submission(tmp_path / "world", (URL, FORM))
    solved = Solved(work.apps.parent / "files", "", FACTS)
    field_changed("name", "other", caught_by="form")(solved)
    assert not passes_leaf(FILLED, work)
    posts_changed(lambda posts, _: posts.append(dict(posts[0])), caught_by="sent")(solved)
    assert not passes_leaf(ONCE, work)


def apply_mutant(work: Submission, mutant: Mutant, folder: Path) -> Submission:
    copy = World.open(Path(shutil.copytree(work.apps.parent, folder)))
    mutant.apply(copy.files, "")
    return Submission(copy.root, before=lambda: copy.root)


def test_each_mutant_of_a_form_is_killed_by_a_leaf_that_observes_it(tmp_path: Path) -> None:
    before = make_submission(tmp_path / "before", ("https://lamps.example/old", {"name": "Ada"}))
    after = make_submission(
        tmp_path / "after", ("https://lamps.example/old", {"name": "Ada"}), (URL, FORM), (PAGE, {"q1": "x"})
    )
    solved = Submission(after.apps.parent, before=lambda: before.apps.parent)
    form_mutants = list(record_mutants(solved, random.Random(1)))
    assert sorted((mutant.operator, mutant.target) for mutant in form_mutants) == [
        ("change_field", "post:fields#name"), ("change_field", "post:fields#pieces"),
        ("drop_field", "post:fields#name"), ("drop_field", "post:fields#pieces"),
        ("drop_post", f"post:sent#{URL}"), ("readdress_post", f"post:sent#{URL}"),
        ("send_post_twice", f"post:sent#{URL}"),
    ]  # fmt: skip
    urls = ["https://lamps.example/old", URL, PAGE]
    order = make_checkpoint(
        "order", "", lambda work, _: make_finding([post.url for post in read_posts(work)] == urls, ""), covers=()
    )
    assert passes_leaf(FILLED, solved)
    assert passes_leaf(order, solved)
    for place, mutant in enumerate(form_mutants):
        observer = next(
            checkpoint
            for checkpoint in (ONCE, FILLED)
            if any(matches_target(name, mutant.target) for name in checkpoint.covers)
        )
        work = apply_mutant(solved, mutant, tmp_path / str(place))
        assert not passes_leaf(FILLED if observer is FILLED else order, work), mutant.says


def test_a_world_without_a_browser_has_no_mutants_of_forms(tmp_path: Path) -> None:
    world = World.create(tmp_path / "world", task="t", seed=1)
    assert list(record_mutants(Submission(world.root, before=lambda: world.root), random.Random(1))) == []


def test_the_form_of_a_site_that_stands_where_an_app_would_is_mutated(tmp_path: Path) -> None:
    before, after = make_submission(tmp_path / "before"), make_submission(tmp_path / "after", (PAGE, {"q1": ""}))
    solved = Submission(after.apps.parent, before=lambda: before.apps.parent)
    assert list(record_mutants(solved, random.Random(1))) == []
    (after.apps / "web/forms.example").mkdir(parents=True)
    assert [mutant.says for mutant in record_mutants(solved, random.Random(1))][-2:] == [
        "the field q1 is 'x' instead of ''",
        "the field q1 was not sent",
    ]
