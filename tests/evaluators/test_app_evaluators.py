"""Evaluators see apps: records are read, differences named, mutants change one thing, hostile files are survived."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from yardkit.apps.forms import APP, RECORDS, Form, Question, Response
from yardkit.apps.store import open_store
from yardkit.evaluators import leaves, misses
from yardkit.evaluators.checkpoints import InsufficientEvidence, InvalidArtifact
from yardkit.evaluators.leaves import Records
from yardkit.evaluators.mutations import Mutant, matches_target, record_mutants
from yardkit.evaluators.mutations.records import edit_database
from yardkit.evaluators.proof import Solved
from yardkit.evaluators.readers.app_records import read_records
from yardkit.evaluators.side_effects.apps import app_differences, check_unchanged_apps
from yardkit.evaluators.submission import Submission
from yardkit.sandbox.proofs.hostile import plant_hostile, plant_hostile_records
from yardkit.world import World

STORE = "forms/forms.sqlite"
FORM = Form(1, "Canteen 2025", "old", "2025-01-01T08:00:00+00:00")
QUESTIONS = [Question(n, 1, n, f"Question {n}?", "choice", ["yes", "no"], required=False) for n in (1, 2, 3)]


@pytest.fixture
def solved(tmp_path: Path) -> Submission:
    """Title changed, a question added, one changed, one removed, a response dated; another app left alone."""
    before = World.create(tmp_path / "before", task="t", seed=1)
    with open_store(APP, *RECORDS, writes=True, world=before) as store:
        record: Any
        for record in (FORM, Form(2, "Canteen 2024", "older", "2024-01-01T08:00:00+00:00"), *QUESTIONS):
            store.put(record)
        for number in (1, 2):
            store.put(Response(number, 1, f"2025-02-0{number}T10:00:00+00:00", "", {1: "yes"}))
    (before.get_app_folder("mail") / "new").mkdir()
    (before.get_app_folder("mail") / "new" / "1").write_text("Hello")
    after = before.detach(tmp_path / "after")
    with open_store(APP, *RECORDS, writes=True, world=after) as store:
        store.change(FORM, title="Canteen 2026", closed="2026-03-16T09:00:00+00:00")
        store.put(Question(4, 1, 3, "How many?", "number", [], required=True))
        store.change(QUESTIONS[1], text="Second?")
        store.remove(QUESTIONS[2])
    return Submission(after.root, before=lambda: before.root)


def test_records_are_read_without_the_store(solved: Submission) -> None:
    rows = read_records(solved, "forms", "questions", decode=["choices"])
    assert [row["id"] for row in rows] == [1, 2, 4]
    assert rows[2] == {
        "id": 4, "form_id": 1, "position": 3, "text": "How many?", "kind": "number", "choices": [], "required": 1,
    }  # fmt: skip
    for app, table in (("forms", "yardkit_counters"), ("forms", "answers"), ("shop", "orders")):
        with pytest.raises(InsufficientEvidence):
            read_records(solved, app, table)
    with pytest.raises(InvalidArtifact, match="invalid JSON"):
        read_records(solved, "forms", "questions", decode=["text"])


def test_differences_are_told_by_record_and_field(solved: Submission) -> None:
    assert [str(difference) for difference in app_differences(solved)] == [
        "forms:forms#1.title changed",
        "forms:forms#1.closed changed",
        "forms:questions#2.text changed",
        "forms:questions#3 removed",
        "forms:questions#4 added",
    ]
    assert solved.changed_apps() == {STORE: "changed"}


@pytest.mark.parametrize(
    ("allowed", "also"),
    [
        (["forms"], ""),
        (["forms:forms#1", "forms:questions"], ""),
        (
            [
                "forms:forms#1.*",
                "forms:questions+",
                "forms:questions#2.text",
                "forms:questions#3",
            ],
            "",
        ),
        (["forms:forms#1.title", "forms:questions"], "forms:forms#1.closed changed"),
        (["forms:forms", "forms:questions#2", "forms:questions#3"], "forms:questions#4 added"),
        (["forms:forms", "forms:questions+", "forms:questions#*.text"], "forms:questions#3 removed"),
    ],
)
def test_only_what_is_allowed_may_change(solved: Submission, allowed: list[str], also: str) -> None:
    evidence = check_unchanged_apps(solved, *allowed)
    assert (evidence.outcome, also in evidence.evidence) == ("fail" if also else "pass", True)


def test_files_of_other_apps_count_by_their_bytes(solved: Submission) -> None:
    (solved.apps / "mail" / "new" / "1").write_text("Hullo")
    (solved.apps / "mail" / "new" / "2").symlink_to("1")
    evidence = check_unchanged_apps(solved, "forms")
    assert evidence.evidence == "also changed: mail:new/1 changed; mail:new/2 added"
    assert check_unchanged_apps(solved, "forms", "mail:new/*").outcome == "pass"


def test_a_history_without_a_trace_in_the_records_is_no_difference(solved: Submission) -> None:
    shutil.copyfile(solved.untouched.apps / STORE, solved.apps / STORE)
    with closing(sqlite3.connect(solved.apps / STORE)) as connection:
        connection.executescript("CREATE TABLE x (a); DROP TABLE x; VACUUM")
    assert list(solved.changed_apps()) == [STORE]
    assert app_differences(solved) == []


def apply_mutant(solved: Submission, mutant: Mutant, folder: Path) -> Submission:
    shutil.copytree(solved.root, folder)
    (folder / "files").mkdir(exist_ok=True)
    assert mutant.apply(folder / "files", "answer") == "answer"
    return Submission(folder, before=lambda: solved.root)


def test_a_mutant_changes_the_one_record_that_its_target_names(solved: Submission, tmp_path: Path) -> None:
    available_mutants = list(record_mutants(solved, random.Random(1)))
    for number, mutant in enumerate(available_mutants):
        changes = app_differences(apply_mutant(solved, mutant, tmp_path / str(number)))
        kind, _, target = mutant.target.partition(":")
        assert len(changes) == 1, mutant
        if mutant.operator != "double_record":
            assert changes[0].names[0] == "forms:" + target.removeprefix("forms/"), mutant
        assert matches_target(f"{kind}:{target.partition('#')[0]}", mutant.target)
    operators = {mutant.operator for mutant in available_mutants}
    assert operators == {
        "revert_field", "drop_record", "double_record", "neighbour_value", "near_number", "shift_date",
        "touch_bystander", "stray_record",
    }  # fmt: skip
    touched = {mutant.target for mutant in available_mutants if mutant.target.startswith("record:")}
    assert {target.partition(".")[0] for target in touched} == {
        "record:forms/forms#1", "record:forms/questions#2", "record:forms/questions#3", "record:forms/questions#4",
    }  # fmt: skip
    again = [(mutant.operator, mutant.target, mutant.says) for mutant in record_mutants(solved, random.Random(1))]
    assert again == [(mutant.operator, mutant.target, mutant.says) for mutant in available_mutants]
    reverted = {mutant.target for mutant in available_mutants if mutant.operator == "revert_field"}
    assert reverted == {"record:forms/forms#1.title", "record:forms/forms#1.closed", "record:forms/questions#2.text"}


@pytest.mark.parametrize("plant", [*plant_hostile(), *plant_hostile_records()], ids=lambda plant: plant.__name__)
def test_hostile_files_in_the_place_of_records_are_failures_of_the_agent(
    solved: Submission, plant: Callable[[Path, str], None]
) -> None:
    plant(solved.apps, STORE)
    with pytest.raises((InvalidArtifact, InsufficientEvidence)):
        read_records(solved, "forms", "questions")
    with suppress(InvalidArtifact):
        assert check_unchanged_apps(solved, "forms:forms#1", "forms:questions").outcome == "fail"


def test_a_database_with_hit_bytes_never_breaks_the_reader(solved: Submission) -> None:
    original_bytes, chance = (solved.apps / STORE).read_bytes(), random.Random(7)
    unreadable = 0
    for _ in range(60):
        hit = bytearray(original_bytes)
        for place in chance.sample(range(len(hit)), 40):
            hit[place] = chance.randrange(256)
        (solved.apps / STORE).write_bytes(hit)
        try:
            app_differences(solved)
        except InvalidArtifact:
            unreadable += 1
    assert 0 < unreadable <= 60


def test_tables_without_a_key_are_read_and_virtual_ones_refused(solved: Submission) -> None:
    edit_database(solved.apps / STORE, "CREATE TABLE loose (a, b)")
    edit_database(solved.apps / STORE, "INSERT INTO loose VALUES (1, 2), (1, 2)")
    assert read_records(solved, "forms", "loose") == [{"a": 1, "b": 2}] * 2
    edit_database(solved.apps / STORE, "CREATE VIRTUAL TABLE words USING fts5(word)")
    with pytest.raises(InvalidArtifact, match="does not make"):
        read_records(solved, "forms", "forms")


FORMS_OF, ASKED = Records("forms", "forms"), Records("forms", "questions", ("choices",))
FACTS = {
    "closed": {"title": "Canteen 2026", "closed": "2026-03-16T09:00:00+00:00"},
    "added": {"text": "How many?", "choices": [], "required": 1},
    "form": 1,
}
LEAVES = (
    leaves.check_records("closed", "", FORMS_OF, lambda f: [f["closed"]], where=lambda row, f: row["id"] == f["form"]),
    leaves.check_records("added", "", ASKED, lambda f: [f["added"]], added=True),
    leaves.check_unchanged_records(
        "forms:forms#1.*", "forms:questions+", also=lambda _: ("forms:questions#2.text", "forms:questions#3")
    ),
)


@pytest.mark.parametrize(
    ("statement", "fails"),
    [
        ("UPDATE forms SET title = title", []),
        ("UPDATE forms SET closed = NULL WHERE id = :form", ["closed"]),
        ("UPDATE questions SET choices = '[\"1\"]' WHERE id = 4", ["added"]),
        ("DELETE FROM questions WHERE id = 4", ["added"]),
        (
            "INSERT INTO questions SELECT 9, form_id, 4, text, kind, choices, required FROM questions WHERE id = 4",
            ["added"],
        ),
        ("UPDATE questions SET text = 'First!' WHERE id = 1", ["records"]),
        ("DELETE FROM responses WHERE id = 2", ["records"]),
    ],
)
def test_ready_leaves_and_misses_of_records(solved: Submission, statement: str, fails: list[str]) -> None:
    near_miss = misses.change_records("forms", statement, caught_by="closed")
    (solved.root / "files").mkdir(exist_ok=True)
    near_miss(Solved(solved.root / "files", "", FACTS))
    outcomes = {checkpoint.id: checkpoint.check(solved, FACTS).outcome for checkpoint in LEAVES if checkpoint.check}
    assert [name for name, outcome in outcomes.items() if outcome != "pass"] == fails
