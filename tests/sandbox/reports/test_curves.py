import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yardkit.sandbox.agents import Stop
from yardkit.sandbox.reports import render_run
from yardkit.sandbox.reports.curves import MOST_POINTS, OPERATIONS, Curves, curves_of
from yardkit.sandbox.reports.lengths import build_length_sections
from yardkit.sandbox.reports.plots import Line, Mark, Words, line_plot
from yardkit.sandbox.runs.intervals import mean_interval, wilson_interval
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.run_directory import Plan, RunDirectory
from yardkit.world import save_text

WORDS = Words("plot", "a title", "what it shows", "across", "upwards")


def make_lore_result(
    ops: int,
    seed: int = 0,
    *,
    passed: bool = True,
    progress: float = 1.0,
    height: int = 3,
    kind: str = "",
    **more: float,
) -> Result:
    measures = {"operations": ops, "height": height, "progress": progress, **more}
    return make_result(f"lore/documents@ops={ops}{kind}", seed, passed=passed, measures=measures)


def make_result(
    task: str, seed: int = 0, *, passed: bool = True, valid: bool = True, measures: Mapping[str, float] | None = None
) -> Result:
    return Result(task, seed, "", float(passed), passed, valid, (), "done", measures=measures or {})


def test_a_curve_holds_accuracy_and_progress_with_their_intervals() -> None:
    runs = [make_lore_result(5, seed) for seed in range(4)]
    runs += [make_lore_result(20, seed, passed=seed < 1, progress=(1.0, 0.5, 0.3, 0.2)[seed]) for seed in range(4)]
    curves = curves_of(runs)
    assert curves is not None
    [curve] = curves.operations
    short, long = curve.points
    assert (short.label, short.runs, short.passed, short.accuracy) == ("5", 4, 4, 1.0)
    assert (long.label, long.accuracy, long.interval) == ("20", 0.25, wilson_interval(1, 4))
    assert (long.progress, long.progress_interval) == (0.5, mean_interval([[1.0], [0.5], [0.3], [0.2]]))
    [breaks] = curves.breaks
    assert (breaks.failed, breaks.tenths, breaks.stops) == (3, (0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0), {})


def test_accuracy_is_the_right_answer_whatever_guardrails_say() -> None:
    tidy, untidy = make_lore_result(5, 0, accuracy=1.0), make_lore_result(5, 1, passed=False, accuracy=1.0)
    wrong, old = make_lore_result(5, 2, passed=False, accuracy=0.0), make_lore_result(5, 3, passed=False)
    curves = curves_of([tidy, untidy, wrong, old])
    assert curves is not None
    [point] = curves.operations[0].points
    assert (point.runs, point.right, point.passed, point.accuracy) == (4, 2, 1, 0.5)
    [breaks] = curves.breaks
    assert breaks.failed == sum(breaks.tenths) == 2


def test_failed_runs_are_counted_by_the_limit_that_stopped_them() -> None:
    stops: list[Stop] = ["max_turns", "done", "max_turns", "time_limit", "crashed"]
    runs = [replace(make_lore_result(5, seed, passed=False), stop=stop) for seed, stop in enumerate(stops)]
    runs.append(replace(make_lore_result(5, 9), stop="max_turns"))
    curves = curves_of(runs)
    assert curves is not None
    assert curves.breaks[0].stops == {"max_turns": 2, "time_limit": 1}
    parsed = parsed_sections(curves)
    assert "stopped by max_turns" in [head.text for head in parsed.iter("th")]
    assert ["documents", "5", "2", "0", "1", "0", "0"] in rows_of(parsed)


def test_failed_runs_are_counted_by_how_their_chains_broke() -> None:
    kinds = ["halted", "lost leads", "halted", "wrong value", ""]
    runs = [replace(make_lore_result(5, seed, passed=False), chain_break=kind) for seed, kind in enumerate(kinds)]
    curves = curves_of([*runs, make_lore_result(5, 9)])
    assert curves is not None
    assert curves.breaks[0].kinds == {"halted": 2, "lost leads": 1, "wrong value": 1}
    assert rows_of(parsed_sections(curves))[-4:] == [["2"], ["1"], ["1"], ["0"]]


def test_where_nothing_tells_how_far_runs_came_their_stops_are_shown_all_the_same() -> None:
    lost = make_result("lore/documents@ops=5", passed=False, measures={"operations": 5})
    parsed = parsed_sections(curves_of([replace(lost, stop="failed_rounds")]))
    assert ["documents", "1", "0", "0", "0", "1", "0"] in rows_of(parsed)
    assert list(parsed.iter("rect")) == []
    assert [head.text for head in parsed.iter("h2")][-1] == "Where chains break"


def parsed_sections(curves: Curves | None) -> ET.Element:
    return ET.fromstring(f"<page>{str(build_length_sections(curves)).replace(' open>', '>')}</page>")


def rows_of(parsed: ET.Element) -> list[list[str]]:
    return [["".join(cell.itertext()) for cell in row.iter("td")] for row in parsed.iter("tr")]


def test_each_kind_of_task_has_a_curve_of_its_own_with_the_parameters_that_tell_them_apart() -> None:
    runs = [make_lore_result(ops, kind=kind) for kind in ("", ",mode=top-down") for ops in (5, 10)]
    runs.append(make_result("lore/gone@ops=5", measures={"operations": 5}))
    curves = curves_of(runs)
    assert curves is not None
    assert [curve.name for curve in curves.operations] == [
        "documents, mode=bottom-up",
        "documents, mode=top-down",
        "gone",
    ]
    assert [curve.name for curve in curves.height] == ["documents, mode=bottom-up", "documents, mode=top-down"]


def test_tasks_of_the_same_name_in_two_suites_have_two_curves() -> None:
    curves = curves_of([make_lore_result(5), make_result("other/documents@ops=5", measures={"operations": 5})])
    assert curves is not None
    assert [curve.name for curve in curves.operations] == ["lore/documents", "other/documents"]


def test_invalid_runs_and_tasks_without_a_length_are_left_out() -> None:
    invalid_result = make_result("lore/documents@ops=5", valid=False, measures={"operations": 5})
    other = make_result("quickstart/sort_inbox")
    assert curves_of([invalid_result, other]) is None
    curves = curves_of([invalid_result, other, make_lore_result(5)])
    assert curves is not None
    assert curves.operations[0].points[0].runs == 1


@given(st.lists(st.integers(1, 100_000), min_size=1, max_size=120))
def test_many_lengths_are_put_together_in_ranges_that_hold_every_run_once(lengths_run: list[int]) -> None:
    curves = curves_of([make_lore_result(ops, seed) for seed, ops in enumerate(lengths_run)])
    assert curves is not None
    points = curves.operations[0].points
    assert len(points) <= MOST_POINTS[OPERATIONS]
    assert sum(point.runs for point in points) == len(lengths_run)
    assert all(point.first <= point.at <= point.last for point in points)
    assert all(left.last < right.first for left, right in pairwise(points))


def test_a_range_of_few_runs_is_joined_with_its_neighbour() -> None:
    heights = [*range(1, 20), *range(1, 20), 41]
    curves = curves_of([make_lore_result(5, seed, height=height) for seed, height in enumerate(heights)])
    assert curves is not None
    runs_by_label = {point.label: point.runs for point in curves.height[0].points}
    assert runs_by_label == {"1 to 4": 8, "5 to 9": 10, "10 to 14": 10, "15 to 41": 11}
    again = curves_of([replace(make_lore_result(5), repeat=repeat) for repeat in range(3)])
    assert again is not None
    assert again.operations[0].points[0].runs == 3
    mixed = [
        replace(make_lore_result(5, seed, passed=seed < 3), repeat=repeat) for seed in range(6) for repeat in range(4)
    ]
    curves = curves_of(mixed)
    assert curves is not None
    assert curves.operations[0].points[0].interval == pytest.approx(wilson_interval(3, 6), abs=0.03)
    alone = curves_of([make_lore_result(ops, height=1) for ops in (5, 10, 20)])
    assert alone is not None
    assert [point.label for point in alone.operations[0].points] == ["5", "10", "20"]


def test_a_plot_says_what_it_shows_to_those_who_do_not_see_it() -> None:
    mark = Mark(5, 0.5, (0.25, 0.75), "5: half <of> them")
    svg = ET.fromstring(line_plot(WORDS, [Line(0, "one", [mark])], [5]))
    assert (svg.get("role"), svg.findtext("title"), svg.findtext("desc")) == ("img", "a title", "what it shows")
    named = {element.get("id") for element in svg.iter()}
    assert {svg.get("aria-labelledby"), svg.get("aria-describedby")} <= named
    assert "5: half <of> them" in [element.text for element in svg.iter("title")]


@pytest.mark.parametrize("ticks", [[5, 10, 20, 40, 80], list(range(1, 360, 18)), [7], [0, 5, 10], [1, 100_000]])
def test_everything_of_a_plot_lies_within_it_and_its_numbers_do_not_touch(ticks: list[float]) -> None:
    lines = [Line(number, f"s{number}", [Mark(x, 0.0, (0.0, 1.0), "") for x in ticks]) for number in range(8)]
    svg = ET.fromstring(line_plot(WORDS, lines, ticks))
    width, height = map(float, str(svg.get("viewBox")).split()[2:])
    places = [re.match(r"translate\((\S+) (\S+)\)$", str(path.get("transform"))) for path in svg.iter("path")]
    spots = [(float(place[1]), float(place[2])) for place in places if place]
    assert len(spots) == 8 * len(ticks)
    assert all(0 < x < width and 0 < y < height for x, y in spots)
    numbers = [float(str(text.get("x"))) for text in svg.iter("text") if text.text in {f"{tick:g}" for tick in ticks}]
    assert all(right - left >= 30 for left, right in pairwise(numbers))
    # The points of all series at a length stand nearer to it than to the next one.
    own = sorted(x for x, _ in spots[: len(ticks)])
    last = sorted(x for x, _ in spots[-len(ticks) :])
    assert all(here < following for here, following in zip(last, own[1:], strict=False))


def test_evenly_growing_lengths_stand_evenly_on_the_axis() -> None:
    def steps(ticks: list[float]) -> list[float]:
        svg = ET.fromstring(line_plot(WORDS, [Line(0, "one", [Mark(x, 0.5, None, "") for x in ticks])], ticks))
        places = [
            float(str(path.get("transform"))[10:].split()[0]) for path in svg.iter("path") if path.get("transform")
        ]
        return [right - left for left, right in pairwise(places)]

    for ticks in ([5, 10, 20, 40, 80], [25, 50, 75, 100, 125]):
        assert max(steps(list(ticks))) == pytest.approx(min(steps(list(ticks))), abs=0.2)


def test_the_sections_show_the_plots_the_figures_and_where_chains_break() -> None:
    runs = [
        make_lore_result(ops, seed, passed=seed > 0, progress=0.3 + 0.7 * (seed > 0), height=ops // 2)
        for ops in (5, 10)
        for seed in (0, 1)
    ]
    parsed = parsed_sections(curves_of(runs))
    assert [heading.text for heading in parsed.iter("h2")] == ["Accuracy against length", "Where chains break"]
    assert len(list(parsed.iter("svg"))) == 4 + 2 + 1
    assert ["10", "2", "1", "1", "50.0 %", "9 to 91 %", "65.0 %", "0 to 100 %"] in rows_of(parsed)
    bars = [rect.findtext("title") for rect in parsed.iter("rect")]
    assert bars == ["documents: 2"]
    assert build_length_sections(None) is None


def test_one_length_alone_has_figures_and_no_plot_against_it() -> None:
    rendered = str(build_length_sections(curves_of([make_lore_result(5, height=height) for height in (2, 3)])))
    assert "Accuracy against height" in rendered
    assert "Accuracy against operations" not in rendered
    assert "Where chains break" not in rendered


def test_hundreds_of_runs_stay_readable_and_the_figures_are_in_the_json_report(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path)
    lengths_run = range(10, 210, 10)
    results = [make_lore_result(ops, seed, passed=seed > 9) for ops in lengths_run for seed in range(20)]
    plan = Plan(tuple(f"lore/documents@ops={ops}" for ops in lengths_run), tuple(range(20)), "nop", {}, 60.0)
    save_text(tmp_path / "run.json", json.dumps(plan.as_dict()))
    run.replace_results(results)
    page = render_run(run, "html")
    assert "seeds 0 to 19" in page
    assert page.count("Follow a tree of documents") == 1
    assert len(re.findall(r'<details class="run" open', page)) == 0
    assert "Accuracy against length" in page
    [curve] = json.loads(render_run(run, "json"))["curves"]["operations"]
    assert [(point["first"], point["accuracy"]) for point in curve["points"]] == [(ops, 0.5) for ops in lengths_run]


def test_results_of_an_older_run_have_no_measures_and_are_read_all_the_same(tmp_path: Path) -> None:
    line = {name: value for name, value in make_lore_result(5).as_dict().items() if name != "measures"}
    (tmp_path / "results.jsonl").write_text(json.dumps(line) + "\n")
    [old] = RunDirectory(tmp_path).read_results()
    assert old.measures == {}
    assert curves_of([old]) is None
