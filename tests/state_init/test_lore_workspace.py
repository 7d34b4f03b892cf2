"""Trees of operations over the files of a company: all kinds of files, no way around the work."""

import csv
import email
import email.policy
import hashlib
import io
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
import pypdfium2
import pytest
from support.scale import select_drills

from yardkit.benchmarks.lore.generation.bottom_up import generate_bottom_up
from yardkit.benchmarks.lore.solving.solver import Perfect
from yardkit.evaluators.lore.workspace.proof import ANSWER, RESULTS, compute_formula, walk_graph
from yardkit.sandbox.episodes.episode import open_new
from yardkit.sandbox.episodes.replies import ToolAgent
from yardkit.sandbox.tasks.seeding import seed_task
from yardkit.sandbox.tasks.task import load_task
from yardkit.state_init.lore.workspace import OPERATORS
from yardkit.state_init.lore.workspace.filing import KINDS, MAX_SCANS
from yardkit.state_init.lore.workspace.versions import OTHER_ENDS, assign_names, build_versions
from yardkit.world import Problem
from yardkit.world.tree import file_digest

TASK = "lore/workspace"
REFERENCE = r"(?:\d{6}|[A-Z]{6,})"


def seed_files(root: Path, name: str = TASK, seed: int = 5) -> tuple[Path, Any]:
    done = seed_task(load_task(name), seed, root)
    return done.world.files, done.facts


def digest_files(files: Path) -> dict[str, str]:
    return {
        path.relative_to(files).as_posix(): file_digest(path) for path in sorted(files.rglob("*")) if path.is_file()
    }


def iterate_references(files: Path) -> Iterator[tuple[str, str]]:
    """Every record's reference with the file or folder in which it lies, by readers of their own."""
    for path in sorted(path for path in files.rglob("*") if path.is_file() and path.name != "start.xlsx"):
        place = path.relative_to(files).as_posix()
        for reference in OWN[path.suffix](path):
            yield reference, place


def in_ledger(path: Path) -> list[str]:
    book = openpyxl.load_workbook(path)
    return [str(row[0]) for sheet in book.worksheets for row in sheet.iter_rows(min_row=4, values_only=True)]


def in_mail(path: Path) -> list[str]:
    subject = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)["Subject"]
    return [subject.rpartition(" ")[2]]


def in_deck(path: Path) -> list[str]:
    return [slide.shapes.title.text.partition(":")[0] for slide in list(pptx.Presentation(str(path)).slides)[1:]]


def in_minutes(path: Path) -> list[str]:
    paper = docx.Document(str(path))
    cells = [row.cells[0].text for table in paper.tables for row in table.rows[1:]]
    matches = (re.match(rf"({REFERENCE}) \(", paragraph.text) for paragraph in paper.paragraphs)
    return [*cells, *(groups[1] for groups in matches if groups)]


def in_statement(path: Path) -> list[str]:
    pages = pypdfium2.PdfDocument(path)
    text = "\n".join(page.get_textpage().get_text_range() for page in pages)
    return re.findall(rf"^(?:Reference )?({REFERENCE})(?= 20|\r?$)", text, re.M)


def in_register(path: Path) -> list[str]:
    return [row["Reference"] for row in csv.DictReader(io.StringIO(path.read_text("utf-8")))]


def in_archive(path: Path) -> list[str]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return [row[0] for row in connection.execute("SELECT reference FROM records JOIN partners ON id = partner_id")]


OWN: dict[str, Callable[[Path], Any]] = {
    ".xlsx": in_ledger,
    ".eml": in_mail,
    ".pptx": in_deck,
    ".docx": in_minutes,
    ".pdf": in_statement,
    ".csv": in_register,
    ".sqlite": in_archive,
    ".md": lambda path: [path.stem],
    ".png": lambda path: [path.stem],
}


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    files, facts = seed_files(tmp_path / "a")
    again, facts_again = seed_files(tmp_path / "b")
    other, facts_of_other = seed_files(tmp_path / "c", seed=6)
    assert digest_files(files) == digest_files(again)
    assert facts == facts_again
    assert digest_files(files) != digest_files(other)
    assert facts["answer"] != facts_of_other["answer"]


def test_the_files_of_a_seed_are_what_they_were(tmp_path: Path) -> None:
    """On every Python and every SQLite; a change makes stored results incomparable: it must be meant."""
    files, _ = seed_files(tmp_path / "w", f"{TASK}@ops=20", seed=3)
    digest = hashlib.sha256(repr(digest_files(files)).encode()).hexdigest()[:16]
    assert digest == "57e0426ecc5db45f"


@pytest.mark.drill
def test_records_lie_in_every_kind_of_place_and_each_reference_exists_once(tmp_path: Path) -> None:
    files, _ = seed_files(tmp_path / "w", f"{TASK}@ops=30")
    references = list(iterate_references(files))
    folders = Counter(place.partition("/")[0] for _, place in references)
    assert set(folders) == {kind.path.partition("/")[0] for kind in KINDS.values()}
    assert max(Counter(reference for reference, _ in references).values()) == 1
    assert all(re.fullmatch(REFERENCE, reference) for reference, _ in references)


@pytest.mark.parametrize("distractors", [1, 3])
def test_every_record_has_others_of_its_kind_beside_it(tmp_path: Path, distractors: int) -> None:
    files, facts = seed_files(tmp_path / "w", f"{TASK}@places=registers,distractors={distractors}")
    registers = [path.read_text("utf-8") for path in sorted(files.glob("registers/*.csv"))]
    rows = [row for register in registers for row in csv.DictReader(io.StringIO(register))]
    count = Counter(row["Entry"] for row in rows if row["Entry"] != "See also")
    assert count.pop(facts["prompt"]["asked"]) == 1 + distractors + OTHER_ENDS
    assert set(count.values()) == {1 + distractors}
    values = {(row["Entry"], row["Value"]) for row in rows if row["Value"]}
    assert len(values) == sum(bool(row["Value"]) for row in rows)


def test_neither_the_start_nor_the_prompt_gives_anything_away(tmp_path: Path) -> None:
    files, facts = seed_files(tmp_path / "w")
    start = [str(row[1]) for row in openpyxl.load_workbook(files / "start.xlsx")["Start"].values]
    results = [result for _, result in facts["results"]]
    assert not set(start) & set(results)
    references = {reference for reference, _ in iterate_references(files)}
    assert set(results) <= references
    numbers = [number for number, _ in facts["results"]]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert facts["answer"] not in facts["other_answers"]
    assert len(facts["other_answers"]) == 2 + OTHER_ENDS


def test_every_version_is_sound_so_that_only_references_tell_the_right_one() -> None:
    rng = random.Random(3)
    generated_tree = generate_bottom_up(rng, ops=60, operators=OPERATORS, branching=6, width=12, consolidation=0.3)
    names = assign_names(generated_tree, rng)
    first_versions = build_versions(generated_tree, names, 3, rng)[:3]
    figures = {figure: node for node, figure in names.figures.items()}
    for version in first_versions:
        for rule in generated_tree.rules:
            over = [figures[figure] for figure in re.findall(r"F\d+", version.formulas[rule])]
            assert set(over) == set(rule.inputs)
            result = compute_formula(version.formulas[rule], [version.values[node] for node in over])
            assert rule.target is not None
            assert str(result) == version.references[rule.target]
    for node in generated_tree.nodes:
        assert len({version.references[node] for version in first_versions}) == 3
        assert len({version.values.get(node) for version in first_versions}) == (3 if node.role == "value" else 1)


@pytest.mark.drill
def test_a_perfect_mind_gets_everything(tmp_path: Path) -> None:
    opened_episode = open_new(load_task(TASK), 5, tmp_path)
    assert walk_graph(ToolAgent(opened_episode), Perfect()) == opened_episode.seeded.facts["answer"]
    grade = opened_episode.grade("")
    assert grade.passed, grade
    assert grade.reward == 1.0


def test_a_table_that_ends_early_gets_a_part_of_the_reward(tmp_path: Path) -> None:
    opened_episode = open_new(load_task(f"{TASK}@ops=20,places=registers"), 2, tmp_path)
    first = opened_episode.seeded.facts["results"][:10]
    text = "operation,result\n" + "".join(f"{number},{result}\n" for number, result in first)
    opened_episode.call("write_file", path=RESULTS, content=text)
    grade = opened_episode.grade("")
    assert grade.verdict is not None
    passed = {leaf.id for leaf in grade.verdict.list_leaves() if leaf.outcome == "pass"}
    assert passed == {"format", "kept", *(f"done_{tenth}" for tenth in range(1, 6))}
    assert 0.3 < grade.reward < 0.6
    assert grade.passed is False


def test_a_guessed_answer_alone_gets_no_more_than_its_leaf(tmp_path: Path) -> None:
    opened_episode = open_new(load_task(f"{TASK}@places=notes"), 2, tmp_path)
    opened_episode.call("write_file", path=ANSWER, content=opened_episode.seeded.facts["answer"])
    grade = opened_episode.grade("")
    assert grade.reward < 0.6
    assert grade.passed is False


@pytest.mark.parametrize(
    "places", [*select_drills("scans+notes"), "slides", "documents+pdf", "sheets", "mails+registers", "databases"]
)
def test_some_kinds_of_places_are_enough(tmp_path: Path, places: str) -> None:
    opened_episode = open_new(load_task(f"{TASK}@ops=4,places={places}"), 4, tmp_path)
    assert walk_graph(ToolAgent(opened_episode), Perfect()) == opened_episode.seeded.facts["answer"]
    assert "slips" not in opened_episode.prompt.split("\n\n")[0] or "scans" in places


@pytest.mark.parametrize(
    "dials",
    ["ops=1", "ops=25,width=0", *select_drills("ops=30,branching=9,distractors=5", "ops=40,width=2,consolidation=1")],
)
def test_dials_at_their_ends_give_tasks_that_can_be_solved(tmp_path: Path, dials: str) -> None:
    opened_episode = open_new(
        load_task(f"{TASK}@{dials},places=sheets+mails+documents+pdf+registers+notes+slides+databases"), 8, tmp_path
    )
    assert walk_graph(ToolAgent(opened_episode), Perfect()) == opened_episode.seeded.facts["answer"]
    assert opened_episode.grade("").passed


@pytest.mark.parametrize("bad", ["ops=0", "ops=1001", "distractors=0", "places=drawers", "places=scans", "depth=3"])
def test_bad_parameters_are_problems(tmp_path: Path, bad: str) -> None:
    with pytest.raises(Problem, match=bad.partition("=")[0]):
        seed_task(load_task(f"{TASK}@{bad}"), 1, tmp_path / "w")


@pytest.mark.drill
def test_two_hundred_operations_are_solved(tmp_path: Path) -> None:
    opened_episode = open_new(load_task(f"{TASK}@ops=200"), 1, tmp_path)
    slips = list(opened_episode.workspace.glob("slips/**/*.png"))
    assert 0 < len(slips) <= MAX_SCANS + OTHER_ENDS
    assert walk_graph(ToolAgent(opened_episode), Perfect()) == opened_episode.seeded.facts["answer"]
    assert opened_episode.grade("").passed
