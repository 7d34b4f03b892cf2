from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_checkpoint, make_finding, make_group
from yardkit.evaluators.scoring import Grade, run_checkpoints
from yardkit.evaluators.submission import Submission
from yardkit.sandbox.episodes.ledger import Call
from yardkit.sandbox.reports.loops import build_loop_section
from yardkit.sandbox.runs.closed_loops import FAILURES, classify_failure, passed_unlooked
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.summary import summarize_results, verdict_sentence

CLIP = "clip.mp4"


def make_call(tool: str, path: str = CLIP, *, changes: bool = False, error: str = "", server: str = "video") -> Call:
    states: dict[str, Any] = {"state_before": "s0", "state_after": "s1" if changes else "s0"}
    sizes: dict[str, Any] = {"latency_ms": 0.0, "bytes_in": 0, "bytes_out": 0, "result_digest": "", "text": ""}
    return Call(1, "", server, tool, {"path": path}, error, crashed=False, media=(), **sizes, **states)


CLIP_CALL, SEEN, INFO_CALL = make_call("clip_video", changes=True), make_call("view_video"), make_call("get_video_info")


def grade_calls(*calls: Call, right: bool = True, asks: bool = True) -> Grade:
    looks = [leaves.check_inspected("It looked at the clip", CLIP)] if asks else []
    content = make_checkpoint("length", "It is 5 s long", lambda *_: make_finding(right, ""), covers=())
    submission = Submission(Path(), calls=tuple(vars(call) for call in calls))
    return run_checkpoints(make_group("clip", "The clip is ready", content, *looks), submission, {})


def classify_calls(*calls: Call, delivered: tuple[str, ...] = (CLIP,), stop: Any = "done", **how: bool) -> str:
    return classify_failure(grade_calls(*calls, **how), calls, delivered, stop)


@pytest.mark.parametrize(
    ("calls", "how", "expected"),
    [
        ([CLIP_CALL], {}, "no self-verification"),
        ([CLIP_CALL, INFO_CALL], {}, "metadata only"),
        ([CLIP_CALL, SEEN, CLIP_CALL], {}, "incomplete self-verification"),
        ([CLIP_CALL, SEEN], {"right": False}, "multimodal"),
        ([CLIP_CALL, SEEN, make_call("add_video_text", error="no such font")], {"right": False}, "parameter"),
        ([make_call("clip_video", error="end before start")], {"right": False, "delivered": ()}, "parameter"),
        ([make_call("cut_film", error="no such tool", server="")], {"right": False, "delivered": ()}, "tool call"),
        ([CLIP_CALL], {"stop": "turn_limit"}, "other"),
    ],
)
def test_a_failed_loop_is_classified_by_what_the_ledger_tells(
    calls: list[Call], how: dict[str, Any], expected: str
) -> None:
    assert classify_calls(*calls, **how) == expected
    assert expected in FAILURES


def test_what_passed_or_asks_for_no_look_has_no_class() -> None:
    assert classify_calls(CLIP_CALL, SEEN) == ""
    assert classify_calls(CLIP_CALL, right=False, asks=False) == ""


def test_a_run_may_pass_but_for_the_look() -> None:
    assert passed_unlooked(grade_calls(CLIP_CALL)) is True
    assert passed_unlooked(grade_calls(CLIP_CALL, right=False)) is False
    assert passed_unlooked(grade_calls(CLIP_CALL, asks=False)) is None


def make_result(*calls: Call, right: bool = True) -> Result:
    grade = grade_calls(*calls, right=right)
    failed_by = classify_failure(grade, calls, (CLIP,), "done")
    return Result(
        "studio/clip", 0, "", grade.reward, grade.passed, grade.valid, (), "done",
        passed_unlooked=passed_unlooked(grade), failure=failed_by,
    )  # fmt: skip


def test_the_figures_give_both_rates_and_what_runs_failed_by() -> None:
    figures = summarize_results(
        [make_result(CLIP_CALL, SEEN), make_result(CLIP_CALL), make_result(CLIP_CALL, SEEN, right=False)]
    )
    assert (figures.loops, figures.passed_loops, figures.passed_unlooked) == (3, 1, 2)
    assert figures.as_dict()["failures"] == {"no self-verification": 1, "multimodal": 1}
    assert "; 1 more if it is ignored whether the agent looked" in verdict_sentence(figures)
    rendered = str(build_loop_section(figures))
    assert "1 of 3 (33.3 %) passed" in rendered
    assert "2 of 3 (66.7 %)" in rendered
    assert FAILURES["multimodal"] in rendered


def test_a_report_of_other_tasks_has_no_such_section() -> None:
    assert build_loop_section(summarize_results([replace(make_result(CLIP_CALL, SEEN), passed_unlooked=None)])) is None
