"""Tables, shapes, charts and connectors on slides."""

from typing import Any, Literal

from yardkit.compat.toolathlon.slides.app import (
    PresentationId,
    build_answer,
    choose_presentation,
    edit_presentation,
    index_of,
    shape_at,
    slide_at,
    to_cm,
    to_rgb,
)
from yardkit.kit.dialect import Answer
from yardkit.servers.slides import engine
from yardkit.servers.slides.engine.inputs import ChartLook, Kind, NewShape, Scalar, Series, TableEdit
from yardkit.servers.slides.engine.slides import color_schemes
from yardkit.world import Problem, current_world

SHAPES = {
    "rectangle": "rect",
    "rounded_rectangle": "roundRect",
    "oval": "ellipse",
    "diamond": "diamond",
    "triangle": "triangle",
    "right_triangle": "rtTriangle",
    "pentagon": "pentagon",
    "hexagon": "hexagon",
    "heptagon": "heptagon",
    "octagon": "octagon",
    "star": "star5",
    "arrow": "rightArrow",
    "cloud": "cloud",
    "heart": "heart",
    "lightning_bolt": "lightningBolt",
    "sun": "sun",
    "moon": "moon",
    "smiley_face": "smileyFace",
    "no_symbol": "noSmoking",
    "flowchart_process": "flowChartProcess",
    "flowchart_decision": "flowChartDecision",
    "flowchart_data": "flowChartInputOutput",
    "flowchart_document": "flowChartDocument",
}
"""Their names of shapes, and those of PowerPoint, which are taken as well."""
ChartType = Literal[
    "column", "stacked_column", "bar", "stacked_bar", "line", "line_markers", "pie", "doughnut", "area",
    "stacked_area", "scatter", "radar", "radar_markers"
]  # fmt: skip
KINDS: dict[str, Kind] = {
    "stacked_column": "column_stacked",
    "stacked_bar": "bar_stacked",
    "stacked_area": "area_stacked",
    "column": "column",
    "bar": "bar",
    "line": "line",
    "line_markers": "line_markers",
    "pie": "pie",
    "doughnut": "doughnut",
    "area": "area",
    "scatter": "scatter",
    "radar": "radar",
    "radar_markers": "radar_markers",
}


def add_table(
    slide_index: int,
    rows: int,
    cols: int,
    left: float,
    top: float,
    width: float,
    height: float,
    data: list[list[Scalar]] | None = None,
    header_row: bool = True,
    header_font_size: int = 12,
    body_font_size: int = 10,
    header_bg_color: list[int] | None = None,
    body_bg_color: list[int] | None = None,
    border_color: list[int] | None = None,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    slide_at(path, slide_index)
    cells: list[list[Scalar]] = data or [[None] * cols for _ in range(rows)]
    if len(cells) != rows or any(len(row) != cols for row in cells):
        shape = f"{len(cells)} rows of {', '.join(map(str, sorted({len(row) for row in cells})))} values"
        raise Problem(f"data has {shape}, but the table is to have {rows} rows and {cols} columns; make them agree")
    box = engine.box_of(to_cm(left), to_cm(top), to_cm(width), to_cm(height))
    edits = [TableEdit("format", to_row=rows, to_column=cols, size_pt=body_font_size)]
    first = 2 if header_row else 1
    if body_bg_color and rows >= first:
        edits.append(TableEdit("format", row=first, to_row=rows, to_column=cols, fill=to_rgb(body_bg_color)))
    if header_row:
        fill = to_rgb(header_bg_color)
        edits.append(TableEdit("format", to_column=cols, size_pt=header_font_size, bold=True, fill=fill))
    if border_color:
        edits.append(TableEdit("format", to_row=rows, to_column=cols, border=to_rgb(border_color)))
    with edit_presentation(path) as copy:
        new_table = engine.add_table(
            copy, slide_index + 1, cells, box, widths_cm=None, size_pt=body_font_size, header=header_row, name=None
        )
        engine.edit_table(copy, slide_index + 1, new_table, edits)
    index = index_of(path, slide_index, new_table)
    return build_answer(
        f"Added {rows}x{cols} table to slide {slide_index}", path, shape_index=index, rows=rows, cols=cols
    )


def format_table_cell(
    slide_index: int,
    shape_index: int,
    row: int,
    col: int,
    font_size: float | None = None,
    font_name: str | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    color: list[int] | None = None,
    bg_color: list[int] | None = None,
    alignment: Literal["left", "center", "right"] | None = None,
    vertical_alignment: Literal["top", "middle", "bottom"] | None = None,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    shape = shape_at(path, slide_index, shape_index)
    if not shape.table:
        raise Problem(f"Shape at index {shape_index} is not a table; get_slide_info shows the shapes")
    rows, columns = len(shape.table), len(shape.table[0])
    if row >= rows or col >= columns:
        raise Problem(f"there is no cell in row {row}, column {col}; rows are 0-{rows - 1}, columns 0-{columns - 1}")
    edit = TableEdit(
        "format",
        row + 1,
        col + 1,
        size_pt=font_size,
        font=font_name,
        bold=bold,
        italic=italic,
        color=to_rgb(color),
        fill=to_rgb(bg_color),
        align=alignment,
        vertical=vertical_alignment,
    )
    with edit_presentation(path) as copy:
        engine.edit_table(copy, slide_index + 1, shape.id, [edit])
    where = f"table at shape index {shape_index} on slide {slide_index}"
    return build_answer(f"Formatted cell at row {row}, column {col} in {where}", path)


def add_shape(
    slide_index: int,
    shape_type: str,
    left: float,
    top: float,
    width: float,
    height: float,
    fill_color: list[int] | None = None,
    line_color: list[int] | None = None,
    line_width: float | None = None,
    text: str | None = None,
    font_size: float | None = None,
    font_color: list[int] | None = None,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    slide_at(path, slide_index)
    shape = NewShape(
        SHAPES.get(shape_type.strip().lower(), shape_type.strip()),
        to_cm(left),
        to_cm(top),
        to_cm(width),
        to_cm(height),
        text=text.split("\n") if text else [],
        size_pt=font_size,
        text_color=to_rgb(font_color),
        fill=to_rgb(fill_color),
        line_color=to_rgb(line_color),
        line_pt=line_width,
    )
    with edit_presentation(path) as copy:
        new_shape = engine.add_shapes(copy, slide_index + 1, [shape])[0]
    index = index_of(path, slide_index, new_shape)
    return build_answer(f"Added {shape_type} shape to slide {slide_index}", path, shape_index=index)


def add_chart(
    slide_index: int,
    chart_type: ChartType,
    left: float,
    top: float,
    width: float,
    height: float,
    categories: list[str],
    series_names: list[str],
    series_values: list[list[float | None]],
    has_legend: bool = True,
    legend_position: Literal["right", "bottom", "top", "left"] = "right",
    has_data_labels: bool = False,
    title: str | None = None,
    x_axis_title: str | None = None,
    y_axis_title: str | None = None,
    color_scheme: color_schemes.Scheme | None = None,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    slide_at(path, slide_index)
    if len(series_names) != len(series_values):
        raise Problem(
            f"there are {len(series_names)} series_names for {len(series_values)} series_values; give as many"
        )
    kind = KINDS[chart_type]
    colors = color_schemes.SCHEMES[color_scheme].series() if color_scheme and kind not in ("pie", "doughnut") else []
    series = [
        _make_series(kind, name, values, categories, colors[at % len(colors)] if colors else None)
        for at, (name, values) in enumerate(zip(series_names, series_values, strict=True))
    ]
    look = ChartLook(
        title=title,
        legend=legend_position if has_legend else "none",
        category_title=x_axis_title,
        value_title=y_axis_title,
        data_labels=has_data_labels or None,
    )
    box = engine.box_of(to_cm(left), to_cm(top), to_cm(width), to_cm(height))
    with edit_presentation(path) as copy:
        new_chart = engine.add_chart(copy, slide_index + 1, kind, categories, series, box, look, current_world().now)
    facts = {"shape_index": index_of(path, slide_index, new_chart), "chart_type": chart_type}
    message = f"Added {chart_type} chart to slide {slide_index}"
    return build_answer(message, path, **facts, series_count=len(series), categories_count=len(categories))


def _make_series(kind: str, name: str, values: list[float | None], categories: list[str], color: str | None) -> Series:
    """A series; the categories of a scatter chart are its x values."""
    if not kind.startswith("scatter"):
        return Series(name, values, color=color)
    try:
        return Series(name, values, x=[float(category) for category in categories], color=color)
    except ValueError:
        raise Problem(f"the categories of a scatter chart are its x values, but they are {categories[:10]}") from None


def update_chart_data(
    slide_index: int,
    shape_index: int,
    categories: list[str],
    series_data: list[dict[Literal["name", "values"], Any]],
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    shape = shape_at(path, slide_index, shape_index)
    old = engine.read_slides(path, [slide_index + 1], details=False).slides[0].shapes
    kind = next((shape_info.chart.kind for shape_info in old if shape_info.id == shape.id and shape_info.chart), "")
    if not kind:
        raise Problem(f"Shape at index {shape_index} is not a chart; get_slide_info shows the shapes")
    series = [_make_series(kind, *_named_values(record, at), categories, None) for at, record in enumerate(series_data)]
    with edit_presentation(path) as copy:
        engine.edit_chart(
            copy,
            slide_index + 1,
            shape.id,
            kind=None,
            categories=None if kind.startswith("scatter") else categories,
            series=series,
            look=ChartLook(),
            now=current_world().now,
        )
    names = [data_series.name for data_series in series]
    message = f"Updated chart data on slide {slide_index}, shape {shape_index}"
    return build_answer(message, path, categories=categories, series_count=len(series), series_names=names)


def _named_values(given: dict[Any, Any], at: int) -> tuple[str, list[float | None]]:
    name, values = given.get("name"), given.get("values")
    numbers = isinstance(values, list) and all(
        value is None or (isinstance(value, int | float) and not isinstance(value, bool)) for value in values
    )
    if not isinstance(name, str) or not numbers:
        raise Problem(f"series_data[{at}] is {str(given)[:120]}; give a text as name and a list of numbers as values")
    return name, list(values or [])


def add_connector(
    slide_index: int,
    connector_type: str,
    start_x: float,
    start_y: float,
    end_x: float,
    end_y: float,
    line_width: float = 1.0,
    color: list[int] | None = None,
    presentation_id: PresentationId = None,
) -> Answer:
    path = choose_presentation(presentation_id)
    slide_at(path, slide_index)
    kind = {"straight": "line", "elbow": "elbow", "curved": "curve"}[connector_type]
    across, down = end_x - start_x, end_y - start_y
    line = NewShape(
        kind,
        to_cm(start_x),
        to_cm(start_y),
        to_cm(across),
        to_cm(down),
        line_color=to_rgb(color),
        line_pt=line_width or None,
    )
    with edit_presentation(path) as copy:
        new_connector = engine.add_shapes(copy, slide_index + 1, [line])[0]
    facts = {"connector_type": connector_type, "start_point": [start_x, start_y], "end_point": [end_x, end_y]}
    index = index_of(path, slide_index, new_connector)
    return build_answer(f"Added {connector_type} connector to slide {slide_index}", path, **facts, shape_index=index)
