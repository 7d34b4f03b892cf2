"""The proof ledger: complete, read whatever lies there, and only what is stale is proved."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from yardkit.sandbox.proofs.proof_ledger import PARTS, read_entries, stale_parts, write_entry

from yardkit.__main__ import main
from yardkit.sandbox.proofs import cases, proof_ledger
from yardkit.sandbox.proofs.cards import proof_functions
from yardkit.sandbox.proofs.cases import Case
from yardkit.sandbox.proofs.proving import SeedProof
from yardkit.sandbox.proofs.stale import with_variants
from yardkit.sandbox.tasks.suites import suites
from yardkit.sandbox.tasks.task import load_task

TASK = load_task("lore/documents@mode=top-down")
EVERY = with_variants([load_task(name) for names in suites().values() for name in names])


@pytest.mark.parametrize("task", EVERY, ids=lambda task: task.id)
def test_the_ledger_holds_every_instance_with_all_that_its_proof_has(task) -> None:
    entry = read_entries(task).get((task.id, 0))
    assert entry, f"`yardkit prove {task.id} --stale` proves it"
    assert list(entry.also) == proof_functions(task, "also_")
    assert list(entry.misses) == proof_functions(task, "miss_")
    assert entry.mutants >= 4
    assert entry.hostile >= 7
    assert entry.rests.keys() == set(PARTS)
    assert {tool.split(".")[0] for tool in entry.tools} <= set(task.servers)


@pytest.mark.parametrize("task", EVERY, ids=lambda task: task.id)
def test_a_ledger_holds_nothing_else(task) -> None:
    known = {known_task.id for known_task in EVERY if (known_task.suite, known_task.name) == (task.suite, task.name)}
    assert {name for name, _ in read_entries(task)} == known


@pytest.fixture
def own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger of one task beside which nothing else lies, with what stands in the real one."""
    entry = read_entries(TASK)[TASK.id, 0]
    monkeypatch.setattr(proof_ledger, "_EVALUATORS", tmp_path)
    entry = replace(
        entry, rests={part: proof_ledger.resting(TASK, part, entry.tools, entry.suffixes) for part in PARTS}
    )
    return write_entry(TASK, 0, entry)


def change(ledger: Path, part: str, name: str, **more: object) -> None:
    """Let the ledger say that a part rested on something else."""
    written = json.loads(ledger.read_text("utf-8"))
    entry = written[TASK.id]["0"]
    assert name in entry["rests"][part]
    entry["rests"][part][name] = "another"
    entry.update(more)
    ledger.write_text(json.dumps(written), "utf-8")


def test_what_stands_is_not_proved_again(own_ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = own_ledger.read_bytes()
    assert main(["prove", TASK.id, "--check"]) == 0
    assert main(["prove", TASK.id, "--stale"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 of 1 proofs are valid",
        "1 of 1 proofs are valid, 0 of them were stale",
    ]
    assert own_ledger.read_bytes() == before


def test_what_is_stale_is_told_with_its_cause(own_ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(own_ledger, "checks", "yardkit.evaluators.lore.checkpoints")
    assert main(["prove", TASK.id, "--check"]) == 1
    out = capsys.readouterr().out
    assert "lore/documents@mode=top-down seed 0: checks: yardkit.evaluators.lore.checkpoints changed" in out
    assert "0 of 1 proofs are valid" in out


def test_after_a_change_of_a_server_only_the_solver_runs_again(
    own_ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(own_ledger, "solve", "yardkit.servers.lore.server", mutants=7)
    assert main(["prove", TASK.id, "--stale"]) == 0
    assert "passed   lore/documents@mode=top-down seed 0: solve, " in capsys.readouterr().err
    entry = read_entries(TASK)[TASK.id, 0]
    assert entry.mutants == 7, "the mutants stand as they were"
    assert stale_parts(TASK, entry) == {}


def test_another_solved_world_is_proved_anew(own_ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mutants = read_entries(TASK)[TASK.id, 0].mutants
    change(own_ledger, "solve", "yardkit.servers.lore.server", mutants=7, world="another")
    assert main(["prove", TASK.id, "--stale"]) == 0
    assert "seed 0: solve, checks, misses, mutants, " in capsys.readouterr().err
    assert read_entries(TASK)[TASK.id, 0].mutants == mutants != 7


@pytest.mark.parametrize("text", ["", "<<<<<<< HEAD\n{}\n", "[]", '{"a/b": {"0": {"world": ""}}}', '{"a/b": 1}'])
def test_a_ledger_that_cannot_be_read_is_empty(own_ledger: Path, text: str) -> None:
    own_ledger.write_text(text, "utf-8")
    assert read_entries(TASK) == {}


def test_a_proof_that_fails_stays_stale(
    own_ledger: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    change(own_ledger, "misses", "yardkit.evaluators.proof")
    before = own_ledger.read_bytes()

    def fail(_: object, instances: list[Case], *__: object) -> Iterator[tuple[Case, SeedProof]]:
        yield from ((case, SeedProof(case.seed, survived=["text_word on text:a.txt"])) for case in instances)

    monkeypatch.setattr(cases, "in_workers", fail)
    assert main(["prove", TASK.id, "--stale"]) == 1
    told = capsys.readouterr()
    assert "survived: text_word on text:a.txt" in told.err
    assert "0 of 1 proofs are valid" in told.out
    assert own_ledger.read_bytes() == before


def test_variants_belong_to_the_task_of_default_parameters() -> None:
    assert [task.id for task in with_variants([load_task("lore/documents")])] == ["lore/documents", TASK.id]
    assert with_variants([TASK]) == [TASK]


def test_modes_that_exclude_each_other_are_misuse() -> None:
    assert main(["prove", TASK.id, "--stale", "--cards", "cards"]) == 2
