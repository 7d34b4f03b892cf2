"""Solutions and near misses of gta/plot_of_table."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.solving.tool_results import read_rows
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf

CODE = """
def solution():
    figure, axes = plt.subplots(figsize=(8, 5))
    bars = axes.bar({names}, {values}, color="{color}", width={width})
    axes.bar_label(bars)
    axes.set_title("{title}")
    return figure
"""


def solve(agent: Agent) -> str:
    """Read the table, draw the bars."""
    return agent.text("Plot", command=CODE.format(**_read_table(agent), width=0.6))


def alternative_in_a_code_block_with_wide_bars(agent: Agent, _files: Path) -> str:
    return "Here it is:\n\n" + agent.text(
        "Plot", command=f"```python{CODE.format(**_read_table(agent), width=0.85)}```"
    )


def alternative_by_another_program(agent: Agent, files: Path) -> str:
    """Matplotlib without the tool, larger."""
    (files / "generated").mkdir()
    _draw_chart(files / "generated/bars.png", dpi=130, **_read_table(agent))
    return "generated/bars.png"


def _redraw_chart(change: Mapping[str, Any], caught_by: str) -> Any:
    """The chart drawn anew from the facts, with something changed; a function gets the facts."""

    @caught_by_leaf(caught_by)
    def corrupt_world(work: Solved) -> None:
        of = {"names": work.facts["regions"], **{name: work.facts[name] for name in ("values", "color", "title")}}
        _draw_chart(work.files / work.answer, **{**of, **{name: value(work.facts) for name, value in change.items()}})

    return corrupt_world


near_miss_year_before = _redraw_chart({"values": lambda facts: facts["year_before"]}, "lengths")
near_miss_total_as_a_bar = _redraw_chart(
    {
        "names": lambda facts: [*facts["regions"], "Total"],
        "values": lambda facts: [*facts["values"], sum(facts["values"])],
    },
    "lengths",
)
near_miss_axis_cut = _redraw_chart({"floor": lambda facts: min(facts["values"]) - 60}, "lengths")
near_miss_other_title = _redraw_chart({"title": lambda _: "Figures by region"}, "words")
near_miss_names_swapped = _redraw_chart({"names": lambda facts: facts["regions"][::-1]}, "words")
near_miss_other_color = _redraw_chart(
    {"color": lambda facts: "#b03a48" if facts["color"] != "#b03a48" else "#1f4e79"}, "colors"
)
near_miss_no_path = misses.change_answer(lambda _: "The picture is in the folder generated")
near_miss_table_deleted = misses.delete_file("table.png")


def _draw_chart(
    path: Path, names: Sequence[str], values: Sequence[int], color: str, title: str, floor: float = 0, dpi: int = 100
) -> None:
    import matplotlib.figure

    figure = matplotlib.figure.Figure(figsize=(8, 5), dpi=dpi)
    axes = figure.add_subplot()
    axes.bar_label(axes.bar(names, values, color=color, width=0.6))
    axes.set_ylim(bottom=floor)
    axes.set_title(title)
    figure.savefig(path)


def _read_table(agent: Agent) -> dict[str, Any]:
    column, title = re.findall(r"the (\w+ \d+) of .*title \"(.+)\"", agent.prompt)[0]
    head, *rows = read_rows(agent, "table.png")
    place = [name.replace(" ", "") for name in head].index(column.replace(" ", ""))
    charted_rows = [row for row in rows if row[0] != "Total"]
    color = re.findall(r"#\w{6}", agent.prompt)[0]
    return {
        "names": [row[0] for row in charted_rows],
        "values": [int(row[place]) for row in charted_rows],
        "color": color,
        "title": title,
    }
