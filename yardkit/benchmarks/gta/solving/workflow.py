"""Shared steps of reference solutions of Workflow tasks in the dialect GTA, using only its tools."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from yardkit.evaluators.proof import Agent

_BARS = """```python
def solution():
    names, values, colors = {names!r}, {values!r}, {colors!r}
    figure, axes = plt.subplots(figsize=(9, 4), dpi=130, layout="constrained")
    bars = axes.bar(names, values, color=colors)
    axes.bar_label(bars, labels=[f"{{value:,.2f}}" for value in values], padding=3)
    axes.set_title({title!r}, fontsize=14)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(y=0.1)
    return figure
```"""


_BEST = """
def solution():
    import json
    worth, places, plan = {worth}, {places}, {{}}
    for name in worth:  # each member comes in by the best chain of moves
        gains = {{code: (worth[name][code], [(name, code)]) for code in places}}
        for _ in places:
            for other, code in plan.items():
                for free in places:
                    gain = gains[code][0] - worth[other][code] + worth[other][free]
                    if gain > gains[free][0]:
                        gains[free] = gain, [*gains[code][1], (other, free)]
        left = [code for code in places if list(plan.values()).count(code) < places[code]]
        plan.update(max(gains[code] for code in left)[1])
    return json.dumps(plan)
"""
_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<style>body {{ font-family: sans-serif; margin: 1rem; max-width: 60rem }}
table {{ border-collapse: collapse; width: 100% }} td.n {{ text-align: right }}
th, td {{ border: 1px solid #999; padding: .2rem; text-align: left }}
@media (max-width: 30rem) {{ table {{ font-size: .75rem }} }}</style></head>
<body><h1>{title}</h1>
{body}
</body></html>"""


def read_all_parts(agent: Agent, tool: str, **arguments: Any) -> str:
    """Read a file with a tool over all parts of its output."""
    text, offset = "", 0
    while offset is not None:
        part = agent.call(tool, **arguments, offset=offset)
        text, offset = text + str(part["text"]), part["next_offset"]
    return text


def read_sheet(agent: Agent, path: str, sheet: str) -> list[dict[str, str]]:
    """Read the rows of a sheet by header."""
    return list(csv.DictReader(read_all_parts(agent, "ReadXLSX", file=path, sheet=sheet).splitlines()))


def calculate_number(agent: Agent, expression: str) -> float:
    """Return the result of `Calculator`."""
    return float(agent.text("Calculator", expression=expression))


def add_up(agent: Agent, values: Iterable[str | float]) -> float:
    """Add amounts with `Calculator`."""
    return calculate_number(agent, f"round(sum([{', '.join(map(str, values))}]), 2)")


def draw_bars(agent: Agent, title: str, bars: Mapping[str, float], colors: Sequence[str]) -> str:
    """Draw vertical bars with their values, and return the path of the picture."""
    command = _BARS.format(names=list(bars), values=list(bars.values()), colors=list(colors), title=title)
    return agent.text("Plot", command=command)


def find_best_places(agent: Agent, worth: Mapping[str, Mapping[str, int]], places: Mapping[str, int]) -> dict[str, str]:
    """Find the assignment of places with the highest total worth, with `Solver`."""
    plan: dict[str, str] = json.loads(
        agent.text("Solver", command=_BEST.format(worth=dict(worth), places=dict(places)))
    )
    return plan


def write_table(agent: Agent, tool: str, name: str, rows: Sequence[Sequence[Any]]) -> None:
    """Write rows as a CSV file or a workbook."""
    agent.text(tool, filename=name, data_str=json.dumps(rows))


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[Any]], left: int = 1) -> str:
    """Format a table in Markdown, with a line break after it; all columns except the first are right-aligned.

    Numbers with a fraction are shown with two decimals.
    """
    marks = ["---" if number < left else "---:" for number in range(len(head))]
    return "".join(f"| {' | '.join(map(format_value, row))} |\n" for row in (head, marks, *rows))


def format_value(value: Any) -> str:
    """Format a value; numbers with a fraction get two decimals."""
    return f"{value:,.2f}" if isinstance(value, float) else str(value)


def html_page(title: str, *parts: str) -> str:
    """Make a page that fits a telephone."""
    return _PAGE.format(title=title, body="\n".join(parts))


def html_table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Make an HTML table with right-aligned numbers."""
    lines = [
        [f"<td>{cell}</td>" if isinstance(cell, str) else f'<td class="n">{cell}</td>' for cell in row] for row in rows
    ]
    cells = ["".join(f"<th>{name}</th>" for name in head), *map("".join, lines)]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in cells)}</table>"
