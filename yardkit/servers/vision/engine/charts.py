"""Data of a chart, as a vision model reads it."""

import csv
import io
import json
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from yardkit.models.chat import hear_vision
from yardkit.models.contract import Origin
from yardkit.models.service import ServiceChoice
from yardkit.servers.vision.engine import prompts
from yardkit.servers.vision.engine.answers import vision_model
from yardkit.world import FileRef, Problem, save_text

Value = str | float | None
_MAX_TOKENS = 2048
_EXCERPT_CHARACTERS = 200
_DECODER = json.JSONDecoder(parse_int=float, parse_constant=lambda _: None)
_NOTE = "Values that are not labelled are read against the axis: they are estimates."


@dataclass(frozen=True)
class Chart:
    """A chart.

    Attributes:
        kind: such as bar, line, pie, scatter.
        title, x_label, y_label: as they stand there; empty where there are none.
        columns: names of the columns: what runs along the axis, then each series.
        rows: a value for each column; null where the model could not tell.
        note: what to know of the values.
        origin: backend, model, quality.
        saved: the rows as CSV, if that was wanted.
    """

    kind: str
    title: str
    x_label: str
    y_label: str
    columns: list[str]
    rows: list[list[Value]]
    note: str
    origin: Origin
    saved: FileRef | None = None

    def __str__(self) -> str:
        axes = " against ".join(filter(None, (self.y_label, self.x_label)))
        head = f"{self.kind} chart {self.title!r}" + (f", {axes}" if axes else "")
        saved = [f"saved: {self.saved}"] if self.saved else []
        return "\n".join([head, *_format_lines([self.columns, *self.rows]), f"{self.note} [by {self.origin}]", *saved])


def read_chart(path: Path, target: Path | None = None, backend: ServiceChoice = "auto") -> Chart:
    """Read the data of a chart, and save them as CSV.

    Raises:
        ModelUnavailable: no vision model is set up.
        Problem: the picture cannot be read, is not a chart for the model, or its answer holds no table.
    """
    service = vision_model(backend, "read_image_text, where served, reads labels and numbers")
    answer = hear_vision(service, prompts.CHART, [path], max_tokens=_MAX_TOKENS)
    if answer.is_cut:
        raise Problem(
            "the chart has more data than one answer can contain; crop it and read the parts, or ask for a few values"
        )
    chart = _parse_chart(answer.text, service.origin)
    if target is None:
        return chart
    file = io.StringIO()
    csv.writer(file).writerows([chart.columns, *chart.rows])
    save_text(target, file.getvalue())
    return replace(chart, saved=FileRef.from_path(target))


def _parse_chart(answer: str, origin: Origin) -> Chart:
    chart_data = _extract_json(answer)
    kind = str(chart_data.get("kind") or "other")
    if kind == "none":
        raise Problem(f"{origin.model} found no chart in this picture; use answer_about_image to ask about it")
    columns, rows = chart_data.get("columns"), chart_data.get("rows")
    if not isinstance(columns, list) or not isinstance(rows, list) or not rows:
        raise _no_table(answer)
    names = [str(name) for name in columns]
    if any(not isinstance(row, list) or len(row) != len(names) for row in rows):
        raise _no_table(answer)
    title, x_label, y_label = (str(chart_data.get(name) or "") for name in ("title", "x_label", "y_label"))
    values = [[_to_value(value) for value in row] for row in rows]
    return Chart(kind, title, x_label, y_label, names, values, _NOTE, origin)


def _extract_json(answer: str) -> dict[str, Any]:
    """The JSON object in an answer, whatever stands around it."""
    try:
        json_object, _ = _DECODER.raw_decode(answer[max(0, answer.find("{")) :])
    except (ValueError, RecursionError) as error:
        raise _no_table(answer) from error
    if not isinstance(json_object, dict):
        raise _no_table(answer)
    return json_object


def _no_table(answer: str) -> Problem:
    return Problem(
        f"the model returned {answer[:_EXCERPT_CHARACTERS]!r} instead of a table; use answer_about_image to ask for"
        " values"
    )


def _to_value(value: object) -> Value:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return None if value is None else str(value)


def _format_lines(rows: list[list[Any]]) -> list[str]:
    return [
        " | ".join("?" if value is None else f"{value:g}" if isinstance(value, float) else value for value in row)
        for row in rows
    ]
