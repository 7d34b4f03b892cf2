import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from yardkit.__main__ import main
from yardkit.sandbox.cli.proof_display import carry_out_proofs, failed_tasks, totals
from yardkit.sandbox.proofs import cases
from yardkit.sandbox.proofs.cards import card_of, stale, write_card
from yardkit.sandbox.proofs.cases import Case
from yardkit.sandbox.proofs.proving import SeedProof, TaskProof
from yardkit.sandbox.tasks.suites import suites
from yardkit.sandbox.tasks.task import load_task

CARDS = Path(__file__).parents[3] / "docs" / "tasks"
TASK = load_task("quickstart/sort_inbox")
FEWER = {"studio/narrated_slideshow": 3, "studio/vertical_reel": 3}
"""How many seeds of these are on their cards; of all others five are."""
ALSO = ["also_in_another_order", "also_with_quoted_summary_and_empty_folders"]


def shown(seed: int, *survived: str, failures: tuple[str, ...] = ()) -> SeedProof:
    """A proof of one seed that accepted and killed everything but what is given."""
    return SeedProof(
        seed,
        failures=list(failures),
        calls=90 + seed,
        seconds=12.5 + seed,
        servers=("files",),
        tools=Counter({"files.move_path": 90 + seed}),
        also=list(ALSO),
        misses=[name for name in vars(TASK.proof()) if name.startswith("miss_")],
        killed=Counter(text_word=5, file_missing=3),
        by_leaf=Counter(invoices=6, summary=2),
        survived=list(survived),
        excluded=Counter({"text:x: free": 1}),
        hostile=7,
    )


@pytest.mark.parametrize("task", [task for tasks in suites().values() for task in tasks])
def test_every_task_has_a_card_that_is_complete_and_up_to_date(task: str) -> None:
    assert stale(load_task(task), CARDS) == []
    card = json.loads((CARDS / f"{task}.json").read_text("utf-8"))
    assert len(card["seeds"]) >= FEWER.get(task, 5)
    assert len(card["also"]) >= 2
    assert len(card["miss"]) >= 4


@pytest.mark.drill
def test_the_command_proves_a_task_and_writes_its_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "sort_inbox", "--seed-list", "7", "--cards", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "alternative solutions accepted:  2 of 2 (100.00 %)" in out
    found = re.search(r"mutants caught by a checkpoint that covers them: (\d+) of (\d+) \(100.00 %\)", out)
    assert found
    assert int(found[1]) > 50
    assert stale(TASK, tmp_path) == []
    card = json.loads((tmp_path / "quickstart" / "sort_inbox.json").read_text("utf-8"))
    assert card["seeds"] == [7]
    assert sum(mutant["killed"] for mutant in card["mutants"].values()) == int(found[1])
    assert card["killed_by_leaf"].keys() <= {leaf["id"] for leaf in card["leaves"]}
    assert card["killed_by_leaf"]["invoices"] > 0


def test_the_card_of_a_task_that_ended_is_there_although_the_run_was_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(_: object, instances: list[Case], *__: object) -> Iterator[tuple[Case, SeedProof]]:
        yield from ((case, shown(case.seed)) for case in instances[:3])
        raise KeyboardInterrupt

    monkeypatch.setattr(cases, "in_workers", cut_off)
    with pytest.raises(KeyboardInterrupt):
        carry_out_proofs([TASK, load_task("quickstart/receipt_total")], [0, 1], 1, tmp_path)
    assert stale(TASK, tmp_path) == []
    assert [path.name for path in sorted((tmp_path / "quickstart").iterdir())] == ["sort_inbox.json", "sort_inbox.md"]


def test_the_same_proof_gives_the_same_card_without_times(tmp_path: Path) -> None:
    first = write_card(TaskProof(TASK, [shown(0), shown(1)]), tmp_path / "a")
    slower = shown(0)
    slower.seconds = 99.0
    second = write_card(TaskProof(TASK, [slower, shown(1)]), tmp_path / "b")
    for path, other in ((first, second), (first.with_suffix(".json"), second.with_suffix(".json"))):
        assert path.read_bytes() == other.read_bytes()
    text = first.read_text("utf-8")
    assert "| `text_word` | 10 | 10 |" in text
    assert "Other right ways accepted: 4 of 4" in text
    assert "| `invoices` | Invoices are sorted by year, supplier and number | content |" in text


def test_a_card_that_is_missing_stale_or_of_a_failed_proof_is_noticed(tmp_path: Path) -> None:
    assert stale(TASK, tmp_path) == ["there is no card"]
    path = write_card(TaskProof(TASK, [shown(0)]), tmp_path).with_suffix(".json")
    assert stale(TASK, tmp_path) == []
    card = json.loads(path.read_text("utf-8"))
    for change, noticed in (
        ({"leaves": card["leaves"][1:]}, "leaves"),
        ({"title": "Another task"}, "title"),
        ({"also": {ALSO[0]: 1}}, "also"),
        ({"also": dict.fromkeys(ALSO, 0)}, ALSO[0]),
        ({"failures": ["seed 0: solve failed"]}, "failures"),
        ({"hostile_survived": 0}, "the Markdown differs from the JSON"),
    ):
        path.write_text(json.dumps({**card, **change}), "utf-8")
        assert noticed in stale(TASK, tmp_path)


def test_a_mutant_that_survives_is_a_complaint_and_lowers_the_share() -> None:
    proof = TaskProof(TASK, [shown(0, "text_word on text:a.txt: 'x' to 'y'; no checkpoint covers it"), shown(1)])
    assert failed_tasks([proof]) == ["FAILED quickstart/sort_inbox: 1 failure"]
    assert "mutants caught by a checkpoint that covers them: 16 of 17 (94.12 %)" in totals([proof])
    assert card_of(proof)["mutants"]["text_word"] == {"killed": 10, "admissible": 11}
    broken = TaskProof(TASK, [shown(0, failures=("solve failed: no such tool",))])
    assert failed_tasks([broken]) == ["FAILED quickstart/sort_inbox: 1 failure"]


def test_an_unknown_task_is_misuse(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "sort_inbx"]) == 2
    assert "did you mean sort_inbox" in capsys.readouterr().err
