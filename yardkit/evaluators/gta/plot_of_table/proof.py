"""Solutions and near misses of gta/plot_of_table."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.gta_steps import read_rows
from yardkit.evaluators.proof import Agent, Solved, killed_by

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
    return agent.text("Plot", command=CODE.format(**_read(agent), width=0.6))


def also_in_a_code_block_with_wide_bars(agent: Agent, _files: Path) -> str:
    return "Here it is:\n\n" + agent.text("Plot", command=f"```python{CODE.format(**_read(agent), width=0.85)}```")


def also_by_another_program(agent: Agent, files: Path) -> str:
    """Matplotlib without the tool, larger."""
    (files / "generated").mkdir()
    _draw(files / "generated/bars.png", dpi=130, **_read(agent))
    return "generated/bars.png"


def _other(change: Mapping[str, Any], kills: str) -> Any:
    """The chart drawn anew from the facts, with something changed; a function gets the facts."""

    @killed_by(kills)
    def spoil(work: Solved) -> None:
        of = {"names": work.facts["regions"], **{name: work.facts[name] for name in ("values", "color", "title")}}
        _draw(work.files / work.answer, **{**of, **{name: value(work.facts) for name, value in change.items()}})

    return spoil


miss_year_before = _other({"values": lambda facts: facts["year_before"]}, "lengths")
miss_total_as_a_bar = _other(
    {
        "names": lambda facts: [*facts["regions"], "Total"],
        "values": lambda facts: [*facts["values"], sum(facts["values"])],
    },
    "lengths",
)
miss_axis_cut = _other({"floor": lambda facts: min(facts["values"]) - 60}, "lengths")
miss_other_title = _other({"title": lambda _: "Figures by region"}, "words")
miss_names_swapped = _other({"names": lambda facts: facts["regions"][::-1]}, "words")
miss_other_color = _other({"color": lambda facts: "#b03a48" if facts["color"] != "#b03a48" else "#1f4e79"}, "colors")
miss_no_path = misses.answered(lambda _: "The picture is in the folder generated")
miss_table_deleted = misses.deleted("table.png")


def _draw(
    path: Path, names: Sequence[str], values: Sequence[int], color: str, title: str, floor: float = 0, dpi: int = 100
) -> None:
    import matplotlib.figure

    figure = matplotlib.figure.Figure(figsize=(8, 5), dpi=dpi)
    axes = figure.add_subplot()
    axes.bar_label(axes.bar(names, values, color=color, width=0.6))
    axes.set_ylim(bottom=floor)
    axes.set_title(title)
    figure.savefig(path)


def _read(agent: Agent) -> dict[str, Any]:
    column, title = re.findall(r"the (\w+ \d+) of .*title \"(.+)\"", agent.prompt)[0]
    head, *rows = read_rows(agent, "table.png")
    place = [name.replace(" ", "") for name in head].index(column.replace(" ", ""))
    shown = [row for row in rows if row[0] != "Total"]
    color = re.findall(r"#\w{6}", agent.prompt)[0]
    return {
        "names": [row[0] for row in shown],
        "values": [int(row[place]) for row in shown],
        "color": color,
        "title": title,
    }
