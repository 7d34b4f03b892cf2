"""What the tools return."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from yardkit.world import FileRef
from yardkit.world.wording import format_count

_MAX_LISTED = 10


@dataclass(frozen=True)
class Reading:
    """How an image was read.

    Attributes:
        image: file name.
        width_px: width of the whole image as displayed.
        height_px: height of the whole image as displayed.
        backend: the backend that answered.
        model: its model or version.
        rotation_deg: clockwise quarter turns by which the image was turned to read it: 0, 90, 180 or 270.
        skew_deg: slope of the text that remains, clockwise positive.
        zoom: the factor by which the image was scaled to read it.
        mean_confidence: mean over all lines, weighted by length, in [0, 1].
        unread: boxes [x_min, y_min, x_max, y_max] of what looks like text and could not be read.
        notes: what was read with doubt or not at all, the likely cause and what to do.
    """

    image: str
    width_px: int
    height_px: int
    backend: str
    model: str
    rotation_deg: int
    skew_deg: float
    zoom: float
    mean_confidence: float
    unread: list[list[int]]
    notes: list[str]

    def __str__(self) -> str:
        turned = f", turned by {self.rotation_deg} degrees clockwise to read it" if self.rotation_deg else ""
        tilted = f", text slopes by {self.skew_deg:g} degrees" if abs(self.skew_deg) >= 1 else ""
        small = f", scaled by {self.zoom:g} (pass bbox_px of a part to read small text)" if self.zoom < 1 else ""
        return (
            f"{self.image}: {self.width_px} x {self.height_px} px, {self.backend} {self.model}, "
            f"mean confidence {self.mean_confidence:.2f}{turned}{tilted}{small}{self._format_doubts()}"
        )

    def _format_doubts(self) -> str:
        more = f" and {len(self.unread) - _MAX_LISTED} more" if len(self.unread) > _MAX_LISTED else ""
        boxes = f"\nUnread: {', '.join(map(str, self.unread[:_MAX_LISTED]))}{more}" if self.unread else ""
        return "".join(f"\nNote: {note}" for note in self.notes) + boxes


@dataclass(frozen=True)
class TextPiece:
    """A line or word.

    Attributes:
        text: what it says.
        confidence: in [0, 1].
        bbox_px: [x_min, y_min, x_max, y_max] in the image as displayed.
        quad_px: the four corners, clockwise from the text's own top left; only where the text is not level.
        row: number of its row in reading order; pieces of one row stand side by side.
    """

    text: str
    confidence: float
    bbox_px: list[int]
    quad_px: list[list[float]] | None
    row: int

    def __str__(self) -> str:
        return f"{self.text} {self.bbox_px} {self.confidence:.2f}"


@dataclass(frozen=True)
class ImageText:
    """Text of an image in reading order.

    Attributes:
        reading: how it was read.
        level: lines or words.
        pieces: those from `offset` on.
        total: pieces in the image.
        offset: number of the first piece shown.
        next_offset: where the next page begins; null at the end.
    """

    reading: Reading
    level: str
    pieces: list[TextPiece]
    total: int
    offset: int
    next_offset: int | None

    @property
    def text(self) -> str:
        """The plain text, a row per line."""
        rows = groupby(self.pieces, key=lambda piece: piece.row)
        return "\n".join(" ".join(piece.text for piece in row) for _, row in rows)

    def __str__(self) -> str:
        if not self.total:
            return f"{self.reading}\nNo text was {'read' if self.reading.unread else 'found'}."
        rows = groupby(self.pieces, key=lambda piece: piece.row)
        body = "\n".join(" | ".join(map(str, row)) for _, row in rows)
        more = f"\nMore: {self.total} in all; go on with offset={self.next_offset}" if self.next_offset else ""
        shape = (
            f"{format_count(self.total, self.level.removesuffix('s'))}; each: text [x_min, y_min, x_max, y_max]"
            " confidence"
        )
        return f"{self.reading}\n{shape}\n{body}{more}"


@dataclass(frozen=True)
class TextMatch:
    """Where a text stands.

    Attributes:
        text: the words that matched.
        similarity: 1 when equal (letter case and spaces aside), by edit distance.
        confidence: of the recognition, in [0, 1].
        bbox_px: [x_min, y_min, x_max, y_max] in the image as displayed.
        quad_px: the four corners where the text is not level.
        row_text: the whole row it stands in.
    """

    text: str
    similarity: float
    confidence: float
    bbox_px: list[int]
    quad_px: list[list[float]] | None
    row_text: str


@dataclass(frozen=True)
class TextMatches:
    """Places of a text in an image, best first.

    Attributes:
        reading: how it was read.
        query: what was looked for.
        matches: the places.
        total: places in all.
    """

    reading: Reading
    query: str
    matches: list[TextMatch]
    total: int

    def __str__(self) -> str:
        if not self.matches:
            return f"{self.reading}\n{self.query!r} was not found; lower min_similarity or read the whole text"
        lines = [
            f"{m.text!r} {m.bbox_px}, similarity {m.similarity:.2f}, confidence {m.confidence:.2f}, in {m.row_text!r}"
            for m in self.matches
        ]
        cut = f"\n{self.total - len(lines)} more; raise limit" if self.total > len(lines) else ""
        return f"{self.reading}\n{format_count(self.total, 'place')} of {self.query!r}:\n" + "\n".join(lines) + cut


@dataclass(frozen=True)
class ImageTable:
    """A table in an image.

    Attributes:
        reading: how it was read.
        ruled: true when the grid comes from drawn lines, false when from the alignment of the text.
        has_header: whether the first row looks like a header (a guess).
        rows: cells as text; empty cells are "".
        bbox_px: the place of the table.
        cell_boxes_px: for each row the boxes of its cells' text, null for empty cells.
        outside: lines of text that are not in the table, in reading order.
        saved: the CSV file, if one was asked for.
    """

    reading: Reading
    ruled: bool
    has_header: bool
    rows: list[list[str]]
    bbox_px: list[int]
    cell_boxes_px: list[list[list[int] | None]]
    outside: list[str]
    saved: FileRef | None = None

    def __str__(self) -> str:
        columns = len(self.rows[0])
        header = "the first row looks like a header" if self.has_header else "no header row"
        kind = "drawn lines" if self.ruled else "aligned text"
        head = f"{len(self.rows)} rows x {columns} columns at {self.bbox_px}, by {kind}, {header}"
        body = "\n".join(" | ".join(cell.replace("\n", " ") for cell in row) for row in self.rows)
        outside = "\nOutside the table: " + " / ".join(self.outside) if self.outside else ""
        saved = f"\nSaved: {self.saved}" if self.saved else ""
        return f"{self.reading}\n{head}\n{body}{outside}{saved}"


@dataclass(frozen=True)
class BackendLanguages:
    """A backend and what it reads here.

    Attributes:
        backend: its name.
        model: model or version; empty when it is not installed.
        ready: whether it can be used now.
        languages: codes that it reads now.
        missing: why it cannot be used, and what to do.
    """

    backend: str
    model: str
    ready: bool
    languages: list[str]
    missing: str


@dataclass(frozen=True)
class OcrLanguages:
    """Backends in the order in which "auto" tries them.

    Attributes:
        backends: one entry for each.
        not_readable: languages known by name that no backend reads here, with how to add them.
    """

    backends: list[BackendLanguages]
    not_readable: dict[str, str]

    def __str__(self) -> str:
        lines = []
        for entry in self.backends:
            state = f"{entry.model}: {' '.join(entry.languages)}" if entry.ready else f"not ready: {entry.missing}"
            lines.append(f"{entry.backend} {state}")
        if self.not_readable:
            lines.append(f"Not readable here: {' '.join(self.not_readable)}")
            lines.append(f"To add one, for example: {next(iter(self.not_readable.values()))}")
        return "\n".join(lines)
