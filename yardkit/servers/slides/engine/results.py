"""What the tools return. Boxes are [left, top, width, height] in cm of the slide, before rotation."""

from __future__ import annotations

from dataclasses import dataclass, field

from yardkit.world import FileRef
from yardkit.world.wording import format_count


@dataclass(frozen=True)
class Changed:
    """What was done to a deck; ids: the shapes that were made."""

    done: str
    file: FileRef
    ids: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        ids = f" (shape {', '.join(map(str, self.ids))})" if self.ids else ""
        return "\n".join([f"{self.done}{ids}. {self.file}", *self.notes])


@dataclass(frozen=True)
class PlaceholderInfo:
    """A placeholder of a layout."""

    name: str
    role: str
    box_cm: list[float] | None = None


@dataclass(frozen=True)
class LayoutInfo:
    """A layout and what can be filled on it; placeholders with details only."""

    name: str
    master: int = 1
    holds: list[str] = field(default_factory=list)
    placeholders: list[PlaceholderInfo] = field(default_factory=list)


@dataclass(frozen=True)
class ThemeInfo:
    """Colours by slot as RRGGBB, and the fonts of headings and text."""

    colors: dict[str, str]
    heading_font: str
    body_font: str


@dataclass(frozen=True)
class SlideInfo:
    """A slide in short."""

    number: int
    title: str
    layout: str
    section: str = ""
    hidden: bool = False
    shapes: dict[str, int] = field(default_factory=dict)
    has_notes: bool = False
    transition: str = ""


@dataclass(frozen=True)
class DeckInfo:
    """What a deck holds; slides in pages."""

    width_cm: float
    height_cm: float
    slide_count: int
    slides: list[SlideInfo]
    next_offset: int | None = None
    layouts: list[LayoutInfo] = field(default_factory=list)
    themes: list[ThemeInfo] = field(default_factory=list)
    sections: dict[str, list[int]] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    macros: bool = False


@dataclass(frozen=True)
class RunInfo:
    """A run of text with the format that it has of its own."""

    text: str
    bold: bool | None = None
    italic: bool | None = None
    underline: bool | None = None
    size_pt: float | None = None
    color: str = ""
    font: str = ""
    link: str = ""


@dataclass(frozen=True)
class ParagraphInfo:
    """A paragraph; runs and space (around it in points, between lines) only when details are asked for."""

    text: str
    level: int = 0
    align: str = ""
    bullet: str = ""
    runs: list[RunInfo] = field(default_factory=list)
    space: dict[str, float | str] = field(default_factory=dict)


@dataclass(frozen=True)
class ChartSeries:
    """A series: null where a value is missing."""

    name: str
    values: list[float | None]
    x: list[float] = field(default_factory=list)
    size: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class ChartData:
    """What a chart shows; texts: labels and boxes that were written by hand."""

    kind: str
    title: str
    categories: list[str]
    series: list[ChartSeries]
    axis_titles: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        names = ", ".join(f"{chart_series.name} ({len(chart_series.values)} values)" for chart_series in self.series)
        return f"{self.kind}{f' {self.title!r}' if self.title else ''}: {names}"


@dataclass(frozen=True)
class CellInfo:
    """A cell of a table, rows and columns from 1, and the look that it and all its text have of their own."""

    row: int
    column: int
    look: dict[str, object]


@dataclass(frozen=True)
class ShapeInfo:
    """A shape: its id is stable on its slide; groups: ids of the groups around it; fills and sizes as stored.

    With details, look: flips, shadow, anchor and margins of text; of tables sizes and style. cells: those with a look.
    """

    id: int
    name: str
    kind: str
    box_cm: list[float] | None = None
    role: str = ""
    preset: str = ""
    rotation_deg: float = 0
    groups: list[int] = field(default_factory=list)
    paragraphs: list[ParagraphInfo] = field(default_factory=list)
    table: list[list[str]] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    chart: ChartData | None = None
    alt_text: str = ""
    fill: str = ""
    line: str = ""
    link: str = ""
    picture: str = ""
    crop: list[float] = field(default_factory=list)
    glued_to: list[int] = field(default_factory=list)
    autofit: str = ""
    hidden: bool = False
    look: dict[str, object] = field(default_factory=dict)
    cells: list[CellInfo] = field(default_factory=list)


@dataclass(frozen=True)
class SlideContent:
    """A slide with its shapes from the back to the front."""

    number: int
    layout: str
    shapes: list[ShapeInfo]
    background: str = ""
    notes: str = ""
    hidden: bool = False
    animated: bool = False
    comments: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class SlidePage:
    """Slides; next_slide is where to go on when the page was full."""

    slides: list[SlideContent]
    next_slide: int | None = None


@dataclass(frozen=True)
class DeckText:
    """The text of slides; next_slide is where to go on when the page was full.

    Attributes:
        repeated: footers, dates, and what the layouts and masters of these slides say -> the slides.
    """

    text: str
    next_slide: int | None = None
    repeated: dict[str, list[int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Finding:
    """Something to look at: what, where, and what to do."""

    kind: str
    slide: int
    says: str
    do: str
    shape: int | None = None
    other_shape: int | None = None
    box_cm: list[float] | None = None


@dataclass(frozen=True)
class Findings:
    """Findings in the order of the slides; clean: slides without any."""

    count: int
    by_kind: dict[str, int]
    findings: list[Finding]
    clean: list[int] = field(default_factory=list)
    next_offset: int | None = None


@dataclass(frozen=True)
class Difference:
    """A difference: slide is the number in this deck, other_slide in the other one."""

    kind: str
    says: str
    slide: int | None = None
    other_slide: int | None = None
    shape: int | None = None


@dataclass(frozen=True)
class Comparison:
    """How two decks differ; pairs: [number here, number there] of slides that belong together."""

    same: bool
    count: int
    differences: list[Difference]
    pairs: list[list[int]] = field(default_factory=list)
    next_offset: int | None = None


@dataclass(frozen=True)
class Replaced:
    """How many places changed, and where; notes: where the text also stands and stays."""

    count: int
    places: list[str]
    file: FileRef
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join(
            [f"Replaced in {format_count(self.count, 'paragraph')}. {self.file}", *self.places, *self.notes]
        )
