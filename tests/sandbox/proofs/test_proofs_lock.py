"""The lock of proofs: complete, readable whatever is in it, and only what is stale is proved."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.proof_locks import ENTRY, new_lock, record_proof

from yardkit.__main__ import main
from yardkit.sandbox.proofs import cases, proofs_lock, sources
from yardkit.sandbox.proofs.cards import ALTERNATIVES, NEAR_MISSES, proof_functions
from yardkit.sandbox.proofs.cases import Case
from yardkit.sandbox.proofs.proofs_lock import HEADER, read_lock, write_entry
from yardkit.sandbox.proofs.proving import SeedProof
from yardkit.sandbox.proofs.stale import find_stale_parts, make_entry, with_variants
from yardkit.sandbox.tasks.suites import list_suites
from yardkit.sandbox.tasks.task import load_task

TASK = load_task("lore/documents@mode=top-down")
EVERY = with_variants([load_task(name) for names in list_suites().values() for name in names])
PROVE = "`yardkit prove --stale` proves it"


def test_the_lock_of_this_checkout_has_every_instance_and_no_other() -> None:
    entries = read_lock()
    missing = [task.id for task in EVERY if (task.id, 0) not in entries]
    assert missing == [], PROVE
    assert {name for name, _ in entries} - {task.id for task in EVERY} == set(), "delete these lines"


def test_each_proof_of_this_checkout_shows_all_that_its_task_has() -> None:
    entries = read_lock()
    for task in EVERY:
        alternatives, near_misses = (len(proof_functions(task, prefix)) for prefix in (ALTERNATIVES, NEAR_MISSES))
        assert (alternatives >= 2, near_misses >= 4) == (True, True), task.id
        for entry in (entries[instance] for instance in entries if instance[0] == task.id):
            assert (entry.accepted, entry.caught) == (alternatives, near_misses), f"{task.id}: {PROVE}"
            assert (entry.killed >= 4, entry.survived >= 7) == (True, True), task.id
            assert set(entry.servers) <= set(task.servers), task.id


@pytest.fixture
def lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return new_lock(tmp_path, monkeypatch)


@pytest.fixture
def proved(lock: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A lock that holds a real proof of one task."""
    assert main(["prove", TASK.id, "--stale"]) == 0
    assert "seed 0: solve, checks, misses, mutants, " in capsys.readouterr().err
    return lock


def change_lock_entry(**changes: Any) -> None:
    """Let the lock say that the task was proved otherwise."""
    write_entry(TASK.id, 0, replace(read_lock()[TASK.id, 0], **changes))


def change_part_digests(part: str) -> dict[str, str]:
    """The digests in the lock, as if a part had rested on something else."""
    return {str(name): digest for name, digest in read_lock()[TASK.id, 0].digests.items()} | {part: "another"}


def test_a_line_says_what_was_proved_of_a_task_and_a_seed(lock: Path) -> None:
    write_entry("quickstart/sort_inbox", 10, ENTRY)
    write_entry("quickstart/sort_inbox", 2, ENTRY)
    write_entry("lore/documents@mode=top-down", 0, ENTRY)
    text = lock.read_text("utf-8")
    assert text.startswith(HEADER)
    assert [line.split(" ")[:4] for line in text.splitlines() if not line.startswith("#")] == [
        ["lore/documents@mode=top-down", "0", "proved", "0.1.0"],
        ["quickstart/sort_inbox", "2", "proved", "0.1.0"],
        ["quickstart/sort_inbox", "10", "proved", "0.1.0"],
    ]
    assert text.endswith(
        "accepted=2 caught=6 killed=163 survived=40 weight=16 suffixes=.csv,.md,.yardkit:2%2Cs "
        "calls=calculator:evaluate_expression*0;files:move_path*24,read_file*27\n"
    )
    assert [*read_lock().values()] == [ENTRY] * 3
    assert (ENTRY.calls, ENTRY.servers) == (51, ["files"])


@pytest.mark.parametrize("text", ["", "<<<<<<< ours\n", "[]\n", "a/b 0 proved 0.1.0 world=\n", "a/b 0 failed 0.1.0\n"])
def test_lines_that_are_no_proofs_are_passed_over(lock: Path, text: str) -> None:
    write_entry("quickstart/sort_inbox", 0, ENTRY)
    lock.write_text(text + lock.read_text("utf-8"), "utf-8")
    assert read_lock() == {("quickstart/sort_inbox", 0): ENTRY}


def test_of_two_lines_of_one_instance_after_a_merge_one_counts(lock: Path) -> None:
    for world in ("ours", "theirs"):
        write_entry("quickstart/sort_inbox", 0, replace(ENTRY, world=world))
        lock.rename(lock.with_name(world))
    lock.write_text("".join(lock.with_name(world).read_text("utf-8") for world in ("ours", "theirs")), "utf-8")
    assert read_lock()["quickstart/sort_inbox", 0].world == "theirs"


def test_a_task_that_is_gone_is_taken_out_when_something_is_written(lock: Path) -> None:
    write_entry("quickstart/sort_inbox", 0, ENTRY)
    lock.write_text(lock.read_text("utf-8").replace("quickstart/sort_inbox", "quickstart/gone"), "utf-8")
    assert [*read_lock()] == [("quickstart/gone", 0)]
    write_entry("quickstart/sort_inbox", 1, ENTRY)
    assert [*read_lock()] == [("quickstart/sort_inbox", 1)]


def _write(root: Path, seed: int) -> None:
    proofs_lock._ROOT = root
    write_entry("quickstart/sort_inbox", seed, ENTRY)


def test_processes_that_write_at_once_lose_nothing(lock: Path) -> None:
    with ProcessPoolExecutor(4) as pool:
        list(pool.map(_write, [lock.parent] * 20, range(20)))
    assert len(read_lock()) == 20


def test_an_installed_package_has_no_lock_and_says_what_to_do(lock: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (lock.parent / "pyproject.toml").unlink()
    for command in (["prove", TASK.id, "--check"], ["prove", TASK.id, "--stale"], ["stats", TASK.id]):
        assert main(command) == 2
        assert "this is an installed package: no proofs are on file" in capsys.readouterr().err
    assert not lock.exists()


def test_what_is_up_to_date_is_not_proved_again(lock: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record_proof(TASK.id, 0)
    before = lock.read_bytes()
    assert main(["prove", TASK.id, "--check"]) == 0
    assert main(["prove", TASK.id, "--stale"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 of 1 proofs are valid",
        "1 of 1 proofs are valid, 0 of them were stale",
    ]
    assert lock.read_bytes() == before


def test_a_stale_part_is_named_with_what_may_have_changed(lock: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record_proof(TASK.id, 0)
    change_lock_entry(digests=change_part_digests("checks"))
    assert main(["prove", TASK.id, "--check", "--seeds", "2"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{TASK.id} seed 1: not proved yet",
        f"{TASK.id} seed 0: checks: its checkpoints, what they read with, or the hostile files changed "
        "(proved by 0.1.0)",
        "0 of 2 proofs are valid; `yardkit prove --stale` proves the others",
    ]


def test_a_changed_library_makes_only_the_solver_stale(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = record_proof("quickstart/receipt_total", 0, replace(ENTRY, tools={"ocr.read_image_text": 1}))
    monkeypatch.setattr(sources, "_find_version", lambda package: f"another {package}")
    assert find_stale_parts(load_task("quickstart/receipt_total"), entry) == ("solve",)


def test_the_lock_is_written_by_proofs_and_only_stale_parts_run_again(
    proved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = read_lock()[TASK.id, 0]
    change_lock_entry(digests=change_part_digests("solve"), killed=7)
    assert main(["prove", TASK.id, "--stale"]) == 0
    assert f"passed   {TASK.id} seed 0: solve, " in capsys.readouterr().err
    assert read_lock()[TASK.id, 0] == replace(entry, killed=7), "the mutants were not tried again"
    change_lock_entry(digests=change_part_digests("solve"), world="another")
    assert main(["prove", TASK.id, "--stale"]) == 0
    assert "seed 0: solve, checks, misses, mutants, " in capsys.readouterr().err
    assert replace(read_lock()[TASK.id, 0], weight=0) == replace(entry, weight=0)


def test_a_proof_that_fails_stays_stale(
    lock: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record_proof(TASK.id, 0)
    change_lock_entry(digests=change_part_digests("misses"))
    before = lock.read_bytes()

    def fail(_: object, instances: list[Case], *__: object) -> Iterator[tuple[Case, SeedProof]]:
        yield from ((case, SeedProof(case.seed, survived=["text_word on text:a.txt"])) for case in instances)

    monkeypatch.setattr(cases, "in_workers", fail)
    assert main(["prove", TASK.id, "--stale"]) == 1
    output = capsys.readouterr()
    assert "survived: text_word on text:a.txt" in output.err
    assert "0 of 1 proofs are valid" in output.out
    assert lock.read_bytes() == before


def test_tools_that_only_an_alternative_calls_are_recorded_without_calls() -> None:
    proof = SeedProof(0, tools=Counter({"files.read_file": 3}), called={"files.read_file", "files.copy_path"})
    proof.proved_parts = frozenset({"solve"})
    entry = make_entry(load_task("quickstart/sort_inbox"), proof, None)
    assert entry.tools == {"files.copy_path": 0, "files.read_file": 3}


def test_variants_belong_to_the_task_of_default_parameters() -> None:
    assert [task.id for task in with_variants([load_task("lore/documents")])] == ["lore/documents", TASK.id]
    assert with_variants([TASK]) == [TASK]


def test_modes_that_exclude_each_other_are_misuse() -> None:
    assert main(["prove", TASK.id, "--stale", "--cards", "cards"]) == 2
