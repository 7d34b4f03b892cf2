"""Leaves about pages of the notes see what their near misses change."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from yardkit.apps.notes import APP, RECORDS, Block, Page
from yardkit.apps.store import open_store
from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Checkpoint, InsufficientEvidence
from yardkit.evaluators.mutations.records import edit_database
from yardkit.evaluators.submission import Submission
from yardkit.servers.notes.engine.editing import edit_note_page
from yardkit.servers.notes.engine.pages import create_note_page
from yardkit.world import World

TEXT = "Figures of May.\n\n| Market | EUR |\n| --- | --- |\n| North | 1,200.50 |\n\n- Chairs sold well."
NEW = "> [!🔁] Restated on 2 June 2026: 1300 EUR in all.\n\n" + TEXT.replace("1,200.50", "**1300.00**")
CHECKS: tuple[Checkpoint, ...] = (
    leaves.note_title("title", "The title", lambda _: 1, lambda _: "May (restated)"),
    leaves.note_block(
        "notice", "The notice", lambda _: 1, "callout", lambda _: [date(2026, 6, 2), 1300.0], icon="🔁", first=True
    ),
    leaves.note_grid("grid", "The table", lambda _: 1, lambda _: [["Market", "EUR"], ["North", "1,300.00"]]),
    leaves.note_rest("rest", "The rest", lambda _: 1, lambda block: block.kind in ("callout", "table")),
    leaves.note_versions("versions", "Versions", lambda _: [1]),
)


@pytest.fixture
def solved(tmp_path: Path) -> tuple[World, Submission]:
    before = World.create(tmp_path / "before", task="notes", seed=1)
    create_note_page(before, "May", TEXT)
    create_note_page(before, "June", "Nothing yet.")
    after = before.detach(tmp_path / "after")
    edit_note_page(after, 1, markdown=NEW, title="May (restated)")
    return after, Submission(after.root, before=lambda: before.root)


def list_failing_leaves(submission: Submission) -> set[str]:
    failing_ids = set()
    for check in CHECKS:
        assert check.check
        try:
            holds = check.check(submission, {}).outcome == "pass"
        except InsufficientEvidence:
            holds = False
        failing_ids |= set() if holds else {check.id}
    return failing_ids


def test_an_edited_page_passes_and_one_that_is_as_it_was_fails_all_but_the_guardrails(
    solved: tuple[World, Submission],
) -> None:
    _, submission = solved
    assert list_failing_leaves(submission) == set()
    untouched = Submission(submission.untouched.root, before=lambda: submission.untouched.root)
    assert list_failing_leaves(untouched) == {"title", "notice", "grid"}


@pytest.mark.parametrize(
    ("statement", "seen"),
    [
        ("UPDATE pages SET title = 'May' WHERE id = 1", "title"),
        ("UPDATE pages SET archived = '2026-06-02T09:00:00+00:00' WHERE id = 1", "title"),
        ("DELETE FROM pages WHERE id = 1", "title"),
        ("UPDATE blocks SET position = 9 WHERE kind = 'callout'", "notice"),
        ("UPDATE blocks SET text = replace(text, '2 June', '3 June') WHERE kind = 'callout'", "notice"),
        ("UPDATE blocks SET text = replace(text, '1300', '1301') WHERE kind = 'callout'", "notice"),
        ("UPDATE blocks SET data = replace(data, '1300', '1200')", "grid"),
        ("UPDATE blocks SET text = 'Lamps sold well.' WHERE kind = 'bulleted_list_item'", "rest"),
        ("UPDATE versions SET page_id = 2", "versions"),
    ],
)
def test_a_leaf_sees_what_is_wrong(solved: tuple[World, Submission], statement: str, seen: str) -> None:
    world, submission = solved
    edit_database(world.root / "apps/notes/notes.sqlite", statement)
    assert seen in list_failing_leaves(submission)


def test_a_block_on_another_page_is_a_stray(solved: tuple[World, Submission]) -> None:
    world, submission = solved
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        values: dict[str, Any] = {"text": "Hello"}
        store.put(Block(store.next_id(Block), store.get(Page, 2).id, None, 2, "paragraph", **values))
    assert list_failing_leaves(submission) == {"rest"}
