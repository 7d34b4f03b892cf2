import json
from pathlib import Path

import pytest

from yardkit.__main__ import main
from yardkit.sandbox.proofs.cards import stale
from yardkit.sandbox.proofs.stats import CARDS
from yardkit.sandbox.tasks.task import load_task

SMALL = "quickstart/sort_inbox"


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, object]:
    assert main(["stats", *argv, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_a_suite_is_counted_by_kind_of_task_and_by_what_its_proofs_use(capsys: pytest.CaptureFixture[str]) -> None:
    figures = told(capsys, "quickstart")
    assert len(figures["tasks"]) == 12
    for aspect in ("domains", "difficulties"):
        assert sum(figures[aspect].values()) == 12
    assert figures["domains"]["personal"] == 4
    assert figures["deliverables"]["workbook"] == 3
    assert figures["offered"]["files"] == figures["used"]["files"] == 12
    assert sum(figures["combinations"].values()) == 12
    low, middle, high = (figures["calls"][name] for name in ("min", "median", "max"))
    assert low <= middle <= high == 90
    called = set(figures["tools"])
    assert {"files.move_path", "ocr.read_image_text"} <= called
    assert figures["tasks_by_tool"]["files.read_file"] >= 8
    assert "move_path" not in figures["uncalled"]["files"]
    assert "append_file" in figures["uncalled"]["files"]


def test_the_figures_are_shown_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", SMALL]) == 0
    text = capsys.readouterr().out
    assert "1 tasks; calls of the reference solution: 90 to 90, median 90" in text
    assert "  administration                         1" in text
    assert "  files.move_path " in text
    assert "Tools that no proof calls: " in text


def test_cards_without_tools_are_filled_by_solving(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "quickstart").mkdir()
    path = tmp_path / f"{SMALL}.json"
    card = json.loads((CARDS / f"{SMALL}.json").read_text("utf-8"))
    path.write_text(json.dumps({name: value for name, value in card.items() if name != "tools"}), "utf-8")
    cards = ["--cards", str(tmp_path)]
    assert main(["stats", SMALL, *cards]) == 2
    assert "does not say which tools were called; add --fill to find out" in capsys.readouterr().err
    assert told(capsys, SMALL, *cards, "--fill")["calls"]["max"] == 90
    assert stale(load_task(SMALL), tmp_path) == []
    assert path.read_bytes() == (CARDS / f"{SMALL}.json").read_bytes()
    path.write_text(json.dumps({**card, "calls": [7, 7]}), "utf-8")
    assert main(["stats", SMALL, *cards, "--fill"]) == 1
    assert "90 calls, and its card says 7; prove it again" in capsys.readouterr().err


def test_a_task_without_a_card_says_how_to_make_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", SMALL, "--cards", str(tmp_path)]) == 2
    assert f"{SMALL} has no card in" in capsys.readouterr().err
    assert main(["stats", SMALL, "--cards", str(tmp_path), "--fill"]) == 2
    assert "there is no card yet; make one with `yardkit prove" in capsys.readouterr().err
