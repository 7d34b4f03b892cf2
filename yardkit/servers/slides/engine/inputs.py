"""What the tools take: small typed objects that refuse fields they do not know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from yardkit.world import Problem

Scalar = str | float | int | bool | None
STRICT: dict[str, Any] = {"extra": "forbid"}
ShapeKey = int | str


Kind = Literal[
    "column", "column_stacked", "column_stacked_100", "bar", "bar_stacked", "bar_stacked_100", "line",
    "line_markers", "area", "area_stacked", "area_stacked_100", "pie", "doughnut", "radar", "radar_markers",
    "radar_filled", "scatter", "scatter_lines", "scatter_smooth", "bubble"
]  # fmt: skip
Transition = Literal[
    "none", "fade", "push", "wipe", "split", "cut", "cover", "pull", "dissolve", "zoom", "circle", "diamond",
    "plus", "wedge", "wheel", "blinds", "checker", "comb", "bars", "strips", "newsflash", "random", "morph"
]  # fmt: skip


@dataclass(frozen=True)
class NewSlide:
    """A slide to make. body fills the first content placeholder, more_bodies the others; two spaces or a tab indent."""

    __pydantic_config__: ClassVar[Any] = STRICT
    title: str | None = None
    body: list[str] = field(default_factory=list)
    more_bodies: list[list[str]] = field(default_factory=list)
    notes: str | None = None
    layout: str | None = None


@dataclass(frozen=True)
class Run:
    """A piece of text with its format. link: a URL, or #3 for slide 3."""

    __pydantic_config__: ClassVar[Any] = STRICT
    text: str
    bold: bool | None = None
    italic: bool | None = None
    underline: bool | None = None
    size_pt: float | None = None
    color: str | None = None
    font: str | None = None
    link: str | None = None


@dataclass(frozen=True)
class Paragraph:
    """A paragraph: text in one format, or runs. level 0 to 8; line_spacing in lines."""

    __pydantic_config__: ClassVar[Any] = STRICT
    text: str = ""
    runs: list[Run] = field(default_factory=list)
    level: int | None = None
    bullet: Literal["bullet", "number", "none"] | None = None
    align: Literal["left", "center", "right", "justify"] | None = None
    space_before_pt: float | None = None
    space_after_pt: float | None = None
    line_spacing: float | None = None


@dataclass(frozen=True)
class NewShape:
    """A shape to add. kind: textbox, line, elbow, curve, or a preset such as rect, roundRect, ellipse, rightArrow.

    Lines: from (left, top) to (left + width, top + height); from_shape and to_shape glue the ends.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    kind: str
    left_cm: float | None = None
    top_cm: float | None = None
    width_cm: float | None = None
    height_cm: float | None = None
    text: list[str] = field(default_factory=list)
    size_pt: float | None = None
    bold: bool | None = None
    text_color: str | None = None
    align: Literal["left", "center", "right"] | None = None
    fill: str | None = None
    line_color: str | None = None
    line_pt: float | None = None
    start_arrow: bool = False
    end_arrow: bool = False
    from_shape: ShapeKey | None = None
    to_shape: ShapeKey | None = None
    name: str | None = None
    alt_text: str | None = None


Operation = Literal[
    "move",
    "style",
    "order",
    "align",
    "distribute",
    "group",
    "ungroup",
    "delete",
    "duplicate",
    "link",
    "describe",
    "crop",
]


@dataclass(frozen=True)
class ShapeEdit:
    """One operation on shapes of a slide, and the fields that it reads.

    move: left_cm, top_cm, width_cm, height_cm, rotation_deg, flip_h, flip_v.
    style: fill (colour, none), fill_to (end of a gradient), transparency (0-1), line_color, line_pt, dash, shadow.
    order: to = front, back, forward, backward. align: to = left, center, right, top, middle, bottom.
    distribute: to = horizontal, vertical. align, distribute: within = slide, or the box of the shapes.
    group: name. duplicate: left_cm, top_cm of the copy, to_slide. link: link = URL, #3 for slide 3, or empty for none.
    describe: name, alt_text. crop: left, top, right, bottom, each a share (0-1) of the picture.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    op: Operation
    slide: int
    shapes: list[ShapeKey]
    left_cm: float | None = None
    top_cm: float | None = None
    width_cm: float | None = None
    height_cm: float | None = None
    rotation_deg: float | None = None
    flip_h: bool | None = None
    flip_v: bool | None = None
    fill: str | None = None
    fill_to: str | None = None
    transparency: float | None = None
    line_color: str | None = None
    line_pt: float | None = None
    dash: Literal["solid", "dash", "dot", "dashDot", "lgDash"] | None = None
    shadow: bool | None = None
    to: str | None = None
    within: Literal["slide", "shapes"] = "shapes"
    to_slide: int | None = None
    link: str | None = None
    name: str | None = None
    alt_text: str | None = None
    left: float | None = None
    top: float | None = None
    right: float | None = None
    bottom: float | None = None


@dataclass(frozen=True)
class TableEdit:
    """One operation on a table; row and column from 1, to_row and to_column end a range (default: the cell itself).

    set: values from row, column. format: bold, italic, size_pt, color, font,
    fill, border (colour), align, vertical over the range.
    insert_rows, insert_columns: count before row / column (one past the end appends), values fill them.
    merge, split, delete_rows, delete_columns: the range. size: width_cm of columns, height_cm of rows in the range.
    style: header, banded, total, first_column.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    op: Literal[
        "set",
        "format",
        "merge",
        "split",
        "insert_rows",
        "insert_columns",
        "delete_rows",
        "delete_columns",
        "size",
        "style",
    ]
    row: int = 1
    column: int = 1
    to_row: int | None = None
    to_column: int | None = None
    count: int = 1
    values: list[list[Scalar]] = field(default_factory=list)
    bold: bool | None = None
    italic: bool | None = None
    size_pt: float | None = None
    color: str | None = None
    fill: str | None = None
    align: Literal["left", "center", "right"] | None = None
    vertical: Literal["top", "middle", "bottom"] | None = None
    width_cm: float | None = None
    height_cm: float | None = None
    header: bool | None = None
    banded: bool | None = None
    total: bool | None = None
    first_column: bool | None = None
    font: str | None = None
    border: str | None = None


@dataclass(frozen=True)
class Series:
    """A series: values per category; scatter and bubble take x (and size) per point. color: RRGGBB or accent1 ...

    kind: drawn so over a column, line or area chart; second_axis: on an axis of its own at the right.
    """

    __pydantic_config__: ClassVar[Any] = STRICT
    name: str
    values: list[float | None]
    x: list[float] = field(default_factory=list)
    size: list[float] = field(default_factory=list)
    color: str | None = None
    kind: Literal["column", "line", "area"] | None = None
    second_axis: bool = False


@dataclass(frozen=True)
class ChartLook:
    """Texts and scales of a chart; what is not given stays. An empty title takes it away."""

    __pydantic_config__: ClassVar[Any] = STRICT
    title: str | None = None
    legend: Literal["right", "bottom", "top", "left", "none"] | None = None
    category_title: str | None = None
    value_title: str | None = None
    value_min: float | None = None
    value_max: float | None = None
    number_format: str | None = None
    gridlines: bool | None = None
    data_labels: bool | None = None
    gap_percent: int | None = None
    font_size_pt: float | None = None


@dataclass(frozen=True)
class Section:
    """A section of the deck and the number of its first slide."""

    __pydantic_config__: ClassVar[Any] = STRICT
    name: str
    first_slide: int


@dataclass(frozen=True)
class Notes:
    """The speaker notes of a slide."""

    __pydantic_config__: ClassVar[Any] = STRICT
    slide: int
    text: str


def require_value(value: Any, name: str, where: str) -> Any:
    """`value`, which must be given.

    Raises:
        Problem: it is None.
    """
    if value is None:
        raise Problem(f"{where} needs {name}")
    return value
