from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import finding, group, leaf
from yardkit.evaluators.scoring import Grade, grade
from yardkit.evaluators.submission import Submission
from yardkit.sandbox.episodes.ledger import Call
from yardkit.sandbox.reports.loops import loops
from yardkit.sandbox.runs.closed_loops import FAILURES, classify_failure, passed_unlooked
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.summary import summarize, verdict_sentence

CLIP = "clip.mp4"


def call(tool: str, path: str = CLIP, *, changes: bool = False, error: str = "", server: str = "video") -> Call:
    states: dict[str, Any] = {"state_before": "s0", "state_after": "s1" if changes else "s0"}
    sizes: dict[str, Any] = {"latency_ms": 0.0, "bytes_in": 0, "bytes_out": 0, "result_digest": "", "text": ""}
    return Call(1, "", server, tool, {"path": path}, error, crashed=False, media=(), **sizes, **states)


MADE, SEEN, TOLD = call("clip_video", changes=True), call("view_video"), call("get_video_info")


def graded(*calls: Call, right: bool = True, asks: bool = True) -> Grade:
    looks = [leaves.inspected("It looked at the clip", CLIP)] if asks else []
    content = leaf("length", "It is 5 s long", lambda *_: finding(right, ""), observes=())
    submission = Submission(Path(), calls=tuple(vars(call) for call in calls))
    return grade(group("clip", "The clip is ready", content, *looks), submission, {})


def failure(*calls: Call, delivered: tuple[str, ...] = (CLIP,), stop: Any = "done", **how: bool) -> str:
    return classify_failure(graded(*calls, **how), calls, delivered, stop)


@pytest.mark.parametrize(
    ("calls", "how", "expected"),
    [
        ([MADE], {}, "no self-verification"),
        ([MADE, TOLD], {}, "metadata only"),
        ([MADE, SEEN, MADE], {}, "incomplete self-verification"),
        ([MADE, SEEN], {"right": False}, "multimodal"),
        ([MADE, SEEN, call("add_video_text", error="no such font")], {"right": False}, "parameter"),
        ([call("clip_video", error="end before start")], {"right": False, "delivered": ()}, "parameter"),
        ([call("cut_film", error="no such tool", server="")], {"right": False, "delivered": ()}, "tool call"),
        ([MADE], {"stop": "turn_limit"}, "other"),
    ],
)
def test_a_failed_loop_is_classified_by_what_the_ledger_tells(
    calls: list[Call], how: dict[str, Any], expected: str
) -> None:
    assert failure(*calls, **how) == expected
    assert expected in FAILURES


def test_what_passed_or_asks_for_no_look_has_no_class() -> None:
    assert failure(MADE, SEEN) == ""
    assert failure(MADE, right=False, asks=False) == ""


def test_a_run_may_pass_but_for_the_look() -> None:
    assert passed_unlooked(graded(MADE)) is True
    assert passed_unlooked(graded(MADE, right=False)) is False
    assert passed_unlooked(graded(MADE, asks=False)) is None


def result(*calls: Call, right: bool = True) -> Result:
    found = graded(*calls, right=right)
    failed_by = classify_failure(found, calls, (CLIP,), "done")
    return Result(
        "studio/clip", 0, "", found.reward, found.passed, found.valid, (), "done",
        passed_unlooked=passed_unlooked(found), failure=failed_by,
    )  # fmt: skip


def test_the_figures_give_both_rates_and_what_runs_failed_by() -> None:
    figures = summarize([result(MADE, SEEN), result(MADE), result(MADE, SEEN, right=False)])
    assert (figures.loops, figures.passed_loops, figures.passed_unlooked) == (3, 1, 2)
    assert figures.as_dict()["failures"] == {"no self-verification": 1, "multimodal": 1}
    assert "; 1 more if it is ignored whether the agent looked" in verdict_sentence(figures)
    shown = str(loops(figures))
    assert "1 of 3 (33.3 %) passed" in shown
    assert "2 of 3 (66.7 %)" in shown
    assert FAILURES["multimodal"] in shown


def test_a_report_of_other_tasks_has_no_such_section() -> None:
    assert loops(summarize([replace(result(MADE, SEEN), passed_unlooked=None)])) is None
