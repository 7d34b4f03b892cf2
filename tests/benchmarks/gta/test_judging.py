"""Results of other harnesses, judged by a scripted model."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import scipy.stats
from support.models import Model, make_text_line, scripted_model

from yardkit.__main__ import main
from yardkit.benchmarks.gta.scores.agreement import measure_agreement

LEAVES = [
    {"id": "1", "weight": 3, "requirements": "the report names the sum"},
    {"id": "2", "weight": 1, "requirements": "a note says why"},
]


def make_task() -> dict[str, Any]:
    return {
        "workflow_category_6class": "Data Analysis",
        "tools": [],
        "files": [],
        "dialogs": [{"role": "user", "content": "Add it up."}],
        "sub_tasks": [{"id": "all", "weight": 1, "requirements": "It is added up", "sub_tasks": LEAVES}],
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "end.json").write_text(json.dumps({"7": make_task(), "8": make_task(), "9": make_task()}))
    return folder


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    with scripted_model(make_text_line('{"why": "it does", "points": 8}')) as model:
        monkeypatch.setenv("YARDKIT_JUDGE_URL", model.url)
        monkeypatch.setenv("YARDKIT_JUDGE_MODEL", "eyes")
        monkeypatch.setenv("YARDKIT_JUDGE_CACHE", "")
        yield model


def write_result(results: Path, name: str, answer: str = "It is 12.", **files: str) -> None:
    (results / name / "files").mkdir(parents=True)
    (results / name / "final.txt").write_text(answer)
    for file, text in files.items():
        (results / name / "files" / f"{file}.md").write_text(text)


def run_judge(*arguments: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main(["gta", "judge", *arguments, "--format", "json"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_each_leaf_is_asked_once_with_the_answer_and_the_files(
    tmp_path: Path, data: Path, judge: Model, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results"
    write_result(results, "7", report="The sum is 12.")
    write_result(results, "8", answer="")
    report = run_judge(str(results), "--data", str(data), capsys=capsys)
    assert report["roots"] == {"7": 8.0, "8": 0.0}
    assert (report["root_success"], report["leaf_success"], report["without a result"]) == (0.5, 0.5, ["9"])
    assert report["outcomes"] == {"pass": 2, "insufficient_evidence": 2}
    assert len(judge.requests) == 2
    asked = "\n".join(part["text"] for part in judge.requests[0]["messages"][1]["content"])
    for words in ("Add it up.", "It is a part of: It is added up", "It is 12.", "File report.md:", "The sum is 12."):
        assert words in asked
    judged_leaves = json.loads((results / "judged.json").read_text())
    assert [leaf["points"] for leaf in judged_leaves["7"]["leaves"]] == [8.0, 8.0]


def test_a_run_that_goes_on_asks_only_what_is_new(
    tmp_path: Path, data: Path, judge: Model, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YARDKIT_JUDGE_CACHE", str(tmp_path / "kept"))
    results = tmp_path / "results"
    write_result(results, "7")
    run_judge(str(results), "--data", str(data), capsys=capsys)
    write_result(results, "8", answer="It is 13.")
    run_judge(str(results), "--data", str(data), capsys=capsys)
    assert len(judge.requests) == 4


def test_folders_of_other_harnesses_are_read(
    tmp_path: Path, data: Path, judge: Model, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "results" / "7"
    (folder / "deep").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".git" / "config.md").write_text("not this")
    (folder / "a.md").write_text("a")
    (folder / "deep" / "b.md").write_text("b")
    (folder / "link.md").symlink_to(data / "end.json")
    report = run_judge(str(folder.parent), "--data", str(data), "--layout", "openclaw", capsys=capsys)
    assert report["tasks"] == 1
    files = json.loads((folder.parent / "judged.json").read_text())["7"]["files"]
    assert files == ["a.md", "deep/b.md"]
    run_judge(str(folder.parent), "--data", str(data), "--layout", "manus", capsys=capsys)
    assert json.loads((folder.parent / "judged.json").read_text())["7"]["files"] == ["a.md"]


def test_a_result_without_an_answer_is_named_and_the_others_are_judged(
    tmp_path: Path, data: Path, judge: Model, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results"
    write_result(results, "7")
    write_result(results, "8")
    (results / "8" / "final.txt").unlink()
    report = run_judge(str(results), "--data", str(data), capsys=capsys)
    assert "holds no final.txt" in report["broken"]["8"]
    assert report["tasks"] == 1


def test_raters_who_agree_and_who_do_not_are_told_apart() -> None:
    equal_agreement = measure_agreement([0, 5, 10, 7], [0, 5, 10, 7])
    assert (
        equal_agreement.pearson,
        equal_agreement.spearman,
        equal_agreement.kendall,
        equal_agreement.icc,
        equal_agreement.kappa,
        equal_agreement.mae,
    ) == (1, 1, 1, 1, 1, 0)
    turned = measure_agreement([0, 5, 10], [10, 5, 0])
    assert (turned.pearson, turned.kendall, turned.within_one) == (-1, -1, 0.3333)
    assert measure_agreement([5, 5], [5, 5]).pearson is None
    assert measure_agreement([], []).items == 0


def test_agreement_is_that_of_the_textbook() -> None:
    """Shrout and Fleiss (1979), table 2, raters 1 and 3; the correlations by scipy.stats."""
    first_ratings, three = [9, 6, 8, 7, 10, 6], [5, 3, 6, 2, 6, 4]
    agreement = measure_agreement(first_ratings, three)
    expected = (
        scipy.stats.pearsonr(first_ratings, three).statistic,
        scipy.stats.spearmanr(first_ratings, three).statistic,
        scipy.stats.kendalltau(first_ratings, three).statistic,
    )
    assert (agreement.pearson, agreement.spearman, agreement.kendall) == pytest.approx(expected, abs=1e-3)
    assert agreement.mae == pytest.approx(20 / 6, abs=1e-3)


def test_a_person_fills_in_a_sheet_and_is_compared_with_the_judge(
    tmp_path: Path, data: Path, judge: Model, capsys: pytest.CaptureFixture[str]
) -> None:
    results, sheet = tmp_path / "results", tmp_path / "sheet.csv"
    for name in ("7", "8"):
        write_result(results, name)
    run_judge(str(results), "--data", str(data), capsys=capsys)
    assert main(["gta", "sheet", str(data), "--output", str(sheet)]) == 0
    rows = sheet.read_text().splitlines()
    assert rows[:2] == ["task,leaf,requirement,points", "7,1,the report names the sum,"]
    sheet.write_text(f"{rows[0]}\n{rows[1]}11\n")
    capsys.readouterr()
    asked = ["gta", "agree", str(sheet), "--with", str(results / "judged.json"), "--data", str(data)]
    assert main([*asked, "--format", "json"]) == 2
    assert "'sheet.csv', row 2: '11' are not points from 0 to 10" in capsys.readouterr().err
    sheet.write_text("\n".join([rows[0], *(f"{row}{8 if row.startswith('7') else 6}" for row in rows[1:])]))
    assert main([*asked, "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["leaves"]["items"], report["leaves"]["mae"], report["roots"]["items"]) == (4, 1.0, 2)
    sheet.write_text(f"{rows[0]}\n7,no such leaf,,8\n")
    assert main(asked) == 2
    assert "rates 'no such leaf' of task '7'" in capsys.readouterr().err


def test_without_a_judge_nothing_is_scored(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("YARDKIT_JUDGE_URL", raising=False)
    write_result(tmp_path / "results", "7")
    assert main(["gta", "judge", str(tmp_path / "results"), "--data", str(data)]) == 2
    assert "set YARDKIT_JUDGE_URL and YARDKIT_JUDGE_MODEL" in capsys.readouterr().err
