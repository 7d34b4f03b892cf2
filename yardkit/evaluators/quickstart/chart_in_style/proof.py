"""Solutions and near misses of quickstart/chart_in_style."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Miss, Solved, caught_by_leaf
from yardkit.evaluators.solving.solver import read_picture_lines

CODE = """
import matplotlib.pyplot as plt
from matplotlib.patches import Patch
names, values, target, horizontal, colors = {values!r}
figure, axes = plt.subplots(figsize=(15, 9), dpi=100, layout="constrained")
plt.rc("font", size={size})
shades = [colors[0] if value >= target else colors[1] for value in values]
bars = (axes.barh if horizontal else axes.bar)(names, values, color=shades)
axes.bar_label(bars, padding=4, fontsize={size})
if horizontal:
    axes.invert_yaxis()
axes.set_title({title!r}, loc="left", fontsize={size} + 6)
keys = [Patch(color=colors[0], label="target reached"), Patch(color=colors[1], label="below target")]
figure.legend(handles=keys, loc="outside right upper", fontsize={size})
"""


@dataclass(frozen=True)
class Job:
    """What is to be drawn, in which style."""

    names: list[str]
    values: list[int]
    target: int
    horizontal: bool
    colors: list[str]
    title: str


def solve(agent: Agent) -> str:
    """Read the table, draw two stacked series in their colours."""
    job = _read_job(agent)
    _draw_chart(agent, job)
    return _deliver_data(agent, job)


def alternative_with_code_in_large_letters(agent: Agent, files: Path) -> str:
    """Matplotlib code, larger letters, title at the left; semicolons in the table; saved anew with fewer colours."""
    import PIL.Image

    job = _read_job(agent)
    _run_code(agent, job, size=19)
    with PIL.Image.open(files / "chart.png") as image:
        fewer = image.convert("RGB").quantize(200)
    fewer.save(files / "chart.png")
    _deliver_data(agent, job)
    table = (files / "data.csv").read_text("utf-8").replace(",", ";")
    (files / "data.csv").write_text(table, "utf-8-sig")
    return f"**{_count_reached(job)} branches**"


def alternative_with_grid_and_headroom(agent: Agent, _files: Path) -> str:
    """Serif letters, grid lines, an axis that goes on far beyond the largest value."""
    job = _read_job(agent)
    _draw_chart(agent, job, font="serif", size_pt=9, theme="boxed", grid=True, y_range=[0, 1.4 * max(job.values)])
    return _deliver_data(agent, job)


def redraw_chart(change: Callable[[Job], Job], *caught_by: str, **faults: Any) -> Miss:
    """The chart is drawn anew from other values, or with other faults."""
    return caught_by_leaf(*caught_by)(lambda work: _redraw_chart(work, change(_plan_job(work)), **faults))


def _swap_values(job: Job) -> Job:
    other = {min(job.values): max(job.values), max(job.values): min(job.values)}
    return replace(job, values=[other.get(value, value) for value in job.values])


near_miss_two_bars_swapped = redraw_chart(_swap_values, "order")
near_miss_colors_of_the_default_palette = redraw_chart(
    lambda job: replace(job, colors=["#0072b2", "#e69f00"]), "lengths", "colors"
)
near_miss_colors_exchanged = redraw_chart(lambda job: replace(job, colors=job.colors[::-1]), "colors")
near_miss_a_bar_exactly_at_the_target_counted_as_below = redraw_chart(
    lambda job: replace(job, target=job.target + 1), "colors"
)
near_miss_axis_cut_off = redraw_chart(lambda job: job, "lengths", cut_off=1 / 3)
near_miss_one_bar_missing = redraw_chart(
    lambda job: replace(job, names=job.names[:-1], values=job.values[:-1]), "lengths", "order"
)
near_miss_the_total_drawn_as_a_bar = redraw_chart(
    lambda job: replace(job, names=[*job.names, "Total"], values=[*job.values, sum(job.values)]), "lengths", "order"
)
near_miss_turned_by_a_quarter = redraw_chart(lambda job: replace(job, horizontal=not job.horizontal), "lengths")
near_miss_mirrored = misses.picture_changed(
    "chart.png", lambda image, work: image.transpose(1 if work.facts["horizontal"] else 0), "order"
)
near_miss_bars_without_any_lettering = redraw_chart(lambda job: job, "labels", "title", "legend", bare=True)
near_miss_half_as_large = misses.picture_shrunk("chart.png", 750, "size")
near_miss_the_column_of_visitors = misses.csv_changed(
    "data.csv", lambda row: row.update(loans=int(row["loans"]) // 3), "drawn"
)


def _read_job(agent: Agent) -> Job:
    period = re.findall(r"in the (\w+ quarter of \d+)", agent.prompt)[0]
    target = int(re.findall(r"target was ([\d,]+)", agent.prompt)[0].replace(",", ""))
    guide = agent.call("read_file", path="style/style_guide.md")["content"]
    rows = _read_table(agent, period)
    if "largest value" in guide:
        rows.sort(key=lambda row: -row[1])
    names, values = [name for name, _ in rows], [value for _, value in rows]
    colors = re.findall(r"#[0-9a-f]{6}", guide)
    return Job(names, values, target, "left to right" in guide, colors, f"Loans per branch, {period}")


def _read_table(agent: Agent, period: str) -> list[tuple[str, int]]:
    """Branch and loans from the photo that says the period; the printed total confirms the reading."""
    for entry in agent.call("list_folder", path="tables")["entries"]:
        lines = read_picture_lines(agent, entry["path"])
        if period.lower() in lines[0].lower():
            break
    matches = [re.fullmatch(r"(\D+) ([\d,]+) ([\d,]+) (\d+)", line) for line in lines]
    *rows, total = [(row[1], int(row[3].replace(",", ""))) for row in matches if row]
    if total != ("Total", sum(value for _, value in rows)):
        raise ValueError(f"the loans do not add up: {lines}")
    return rows


def _draw_chart(agent: Agent, job: Job, **look: Any) -> None:
    series = [
        {"name": name, "color": color, "values": [n if (n >= job.target) == reached else None for n in job.values]}
        for name, color, reached in zip(("target reached", "below target"), job.colors, (True, False), strict=True)
    ]
    look = {"width_in": 10, "height_in": 6, "dpi": 150, "title": job.title, "y_label": "Loans", **look}
    shape = {"kind": "bar", "stacked": True, "horizontal": job.horizontal, "value_labels": True, "legend": "outside"}
    agent.call("plot_series", target="chart.png", x=job.names, series=series, **shape, **look)


def _run_code(agent: Agent, job: Job, size: int) -> None:
    values = (job.names, job.values, job.target, job.horizontal, job.colors)
    code = CODE.format(values=values, size=size, title=job.title)
    agent.call("run_plot_code", target="chart.png", code=code, dpi=100)


def _deliver_data(agent: Agent, job: Job) -> str:
    rows = zip(job.names, job.values, strict=True)
    lines = [f"{name},{value},{'yes' if value >= job.target else 'no'}" for name, value in rows]
    agent.call("write_file", path="data.csv", content="\n".join(["branch,loans,target_reached", *lines, ""]))
    return f"The chart follows the style guide.\n\n{_count_reached(job)}"


def _count_reached(job: Job) -> int:
    return sum(value >= job.target for value in job.values)


def _plan_job(work: Solved) -> Job:
    """The right chart, to be spoiled."""
    names, values = [name for name, _ in work.facts["bars"]], [value for _, value in work.facts["bars"]]
    facts = work.facts
    return Job(names, values, facts["target"], facts["horizontal"], list(facts["colors"]), "Loans per branch")


def _redraw_chart(work: Solved, job: Job, *, cut_off: float = 0, bare: bool = False) -> None:
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    figure = Figure(figsize=(15, 9), dpi=100, layout="constrained")
    axes, shades = figure.subplots(), [job.colors[int(value < job.target)] for value in job.values]
    drawn = (axes.barh if job.horizontal else axes.bar)(job.names, job.values, color=shades)
    if job.horizontal:
        axes.invert_yaxis()
        axes.set_xlim(left=cut_off * min(job.values))
    else:
        axes.set_ylim(bottom=cut_off * min(job.values))
    if not bare:
        axes.bar_label(drawn, padding=4)
        axes.set_title(job.title, fontsize=20)
        keys = [Patch(color=job.colors[0], label="target reached"), Patch(color=job.colors[1], label="below target")]
        figure.legend(handles=keys, loc="outside right upper")
    figure.savefig(work.files / "chart.png")
