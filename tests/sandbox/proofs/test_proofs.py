import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.proof_locks import ENTRY, new_lock

from yardkit.__main__ import main
from yardkit.sandbox.cli.proof_display import carry_out_proofs, failed_tasks, list_totals
from yardkit.sandbox.proofs import cases
from yardkit.sandbox.proofs.cards import ALTERNATIVES, NEAR_MISSES, proof_functions, write_card, write_cards
from yardkit.sandbox.proofs.cases import Case
from yardkit.sandbox.proofs.proofs_lock import write_entry
from yardkit.sandbox.proofs.proving import SeedProof, TaskProof
from yardkit.sandbox.tasks.suites import list_suites
from yardkit.sandbox.tasks.task import load_task

TASK = load_task("quickstart/sort_inbox")


def make_seed_proof(seed: int, *survived: str, failures: tuple[str, ...] = ()) -> SeedProof:
    """A proof of one seed that accepted and killed everything but what is given."""
    return SeedProof(
        seed,
        failures=list(failures),
        calls=90 + seed,
        seconds=12.5 + seed,
        servers=("files",),
        tools=Counter({"files.move_path": 90 + seed}),
        also=proof_functions(TASK, ALTERNATIVES),
        misses=proof_functions(TASK, NEAR_MISSES),
        killed=Counter(text_word=5, file_missing=3),
        by_leaf=Counter(invoices=6, summary=2),
        survived=list(survived),
        excluded=Counter({"text:x: free": 1}),
        hostile=7,
    )


@pytest.mark.drill
def test_the_command_proves_a_task_and_writes_its_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "sort_inbox", "--seed-list", "7", "--cards", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "alternative solutions accepted: 2 of 2 (100.00 %)" in out
    match = re.search(r"mutants caught by a checkpoint that covers them: (\d+) of (\d+) \(100.00 %\)", out)
    assert match
    assert int(match[1]) > 50
    card = (tmp_path / "quickstart" / "sort_inbox.md").read_text("utf-8")
    assert f"| seed 7 | 90 | 2 | 6 | {match[1]} | " in card
    assert "## Mutants by checkpoint\n" in card


def test_the_card_of_a_task_that_ended_is_there_although_the_run_was_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(_: object, instances: list[Case], *__: object) -> Iterator[tuple[Case, SeedProof]]:
        yield from ((case, make_seed_proof(case.seed)) for case in instances[:3])
        raise KeyboardInterrupt

    monkeypatch.setattr(cases, "in_workers", cut_off)
    with pytest.raises(KeyboardInterrupt):
        carry_out_proofs([TASK, load_task("quickstart/receipt_total")], [0, 1], 1, tmp_path)
    assert [path.name for path in (tmp_path / "quickstart").iterdir()] == ["sort_inbox.md"]


def test_the_same_proof_gives_the_same_card_without_times(tmp_path: Path) -> None:
    first = write_card(TaskProof(TASK, [make_seed_proof(0), make_seed_proof(1)]), tmp_path / "a")
    slower = make_seed_proof(0)
    slower.seconds = 99.0
    second = write_card(TaskProof(TASK, [slower, make_seed_proof(1)]), tmp_path / "b")
    text = first.read_text("utf-8")
    assert text == second.read_text("utf-8")
    assert "| seed 1 | 91 | 2 | 6 | 8 | 7 |" in text
    assert "| `text_word` | 10 |" in text
    assert "| text:x: free | 2 |" in text


def test_a_card_says_what_is_asked_what_is_covered_and_what_was_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_lock(tmp_path, monkeypatch)
    write_entry(TASK.id, 0, ENTRY)
    write_entry("lore/documents@mode=top-down", 3, replace(ENTRY, killed=5))
    written = write_cards(tmp_path / "cards")
    assert [f"{path.parent.name}/{path.stem}" for path in written] == [
        task for ids in list_suites().values() for task in ids
    ]
    card = (tmp_path / "cards" / "quickstart" / "sort_inbox.md").read_text("utf-8")
    for line in (
        "# quickstart/sort_inbox",
        "- Servers: files, calculator",
        "- Tools that the reference solution calls: `files.move_path` (24), `files.read_file` (27)",
        "| `near_miss_copies_kept` | A duplicate was sorted as well instead of deleted | `exports` |",
        "| seed 0 | 51 | 2 | 6 | 163 | 40 |",
    ):
        assert f"\n{line}\n" in f"\n{card}"
    assert "| `alternative_in_another_order` | Backwards, copying and deleting instead of moving" in card
    assert f"> {TASK.prompt_template.splitlines()[0]}" in card
    assert re.search(r"\| `invoices` \| [^|]+ \| content \| 27.3 % \| `[^|]+ \|", card)
    variant = (tmp_path / "cards" / "lore" / "documents.md").read_text("utf-8")
    assert "| mode=top-down, seed 3 | 51 | 2 | 6 | 5 | 40 |" in variant


def test_a_mutant_that_survives_is_a_complaint_and_lowers_the_share() -> None:
    proof = TaskProof(
        TASK, [make_seed_proof(0, "text_word on text:a.txt: 'x' to 'y'; no checkpoint covers it"), make_seed_proof(1)]
    )
    assert failed_tasks([proof]) == ["FAILED quickstart/sort_inbox: 1 failure"]
    assert "mutants caught by a checkpoint that covers them: 16 of 17 (94.12 %)" in list_totals([proof])
    broken = TaskProof(TASK, [make_seed_proof(0, failures=("solve failed: no such tool",))])
    assert failed_tasks([broken]) == ["FAILED quickstart/sort_inbox: 1 failure"]


def test_an_unknown_task_is_misuse(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "sort_inbx"]) == 2
    assert "did you mean sort_inbox" in capsys.readouterr().err
