"""Drawing text in any script of the bundled fonts: line breaking, fitting, alignment, outlines."""

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from yardkit.kit.colors import parse_rgba
from yardkit.world import Problem
from yardkit.world.fonts import CJK_FAMILY, font_file

if TYPE_CHECKING:
    from PIL.Image import Image

Align = Literal["left", "center", "right"]
Anchor = Literal["top_left", "top", "top_right", "left", "center", "right", "bottom_left", "bottom", "bottom_right"]
_LINE_HEIGHT = 1.2
_SMALLEST_PX = 6


@dataclass(frozen=True)
class Lettering:
    """The look of text.

    Attributes:
        font: a bundled family; missing characters are set in other families.
        bold: bold, if the family has it.
        italic: italic, if the family has it.
        size_px: the font size.
        color: the colour of the letters.
        outline: the colour of their outline; empty for none.
        background: the colour of a box behind the text; empty for none.
        padding: the padding of that box, as a multiple of the font size.
        align: the alignment of the lines relative to each other.
    """

    font: str = "DejaVu Sans"
    bold: bool = False
    italic: bool = False
    size_px: int = 32
    color: str = "black"
    outline: str = ""
    background: str = ""
    padding: float = 0.25
    align: Align = "left"

    @property
    def outline_px(self) -> int:
        return max(1, self.size_px // 16) if self.outline else 0

    @property
    def padding_px(self) -> int:
        return max(2, round(self.size_px * self.padding)) if self.background else 0


def add_text(
    image: "Image",
    text: str,
    look: Lettering,
    anchor: Anchor,
    place: tuple[float, float] | None,
    box: tuple[int, int, int, int] | None,
    margin: int,
) -> "tuple[Image, str]":
    """Draw text on an image; return the image and the place of the text.

    Args:
        image: the picture.
        text: the text with line breaks; lines that do not fit are broken.
        look: its look.
        anchor: the part of the text that is at `place`, or the position in the picture or `box`.
        place: x and y in pixels.
        box: the box to fit the text into, reducing its size if needed; clipped to the picture.
        margin: the margin between the text and the edge of the picture.

    Raises:
        Problem: it does not fit even in the smallest size, or the picture has no space.
    """
    room = box or (margin, margin, image.width - margin, image.height - margin)
    room = (max(0, room[0]), max(0, room[1]), min(image.width, room[2]), min(image.height, room[3]))
    if room[2] <= room[0] or room[3] <= room[1]:
        asked = f"in {list(box)}" if box else f"with a margin of {margin}"
        raise Problem(f"a picture of {image.width} x {image.height} pixels has no room {asked}")
    look, lines = (
        fit_text(text, look, room) if box else (look, _break_lines(text, look, _compute_width(room, place, anchor)))
    )
    width, height = _measure_extent(lines, look)
    pad = look.padding_px
    outer = (width + 2 * pad, height + 2 * pad)
    left, top = compute_corner(outer, anchor, room, place)
    layer = _draw_layer(image.size, lines, look, (left, top), (width, height), pad)
    lettered_image = _compose_over(image, layer)
    where = [round(left), round(top), round(left + outer[0]), round(top + outer[1])]
    return lettered_image, _describe_lettering(text, look, lines, where, image.size)


def _compute_width(room: tuple[int, int, int, int], place: tuple[float, float] | None, anchor: Anchor) -> float:
    """Compute the width at which lines are broken, from the text's place to the edges of the available area."""
    if place is None:
        return room[2] - room[0]
    if anchor.endswith("right"):
        return max(1.0, place[0] - room[0])
    if anchor.endswith("left"):
        return max(1.0, room[2] - place[0])
    return max(1.0, 2 * min(place[0] - room[0], room[2] - place[0]))


def fit_text(text: str, look: Lettering, box: tuple[int, int, int, int]) -> tuple[Lettering, list[str]]:
    """Find the largest font size, up to the requested one, at which a text fits into a box."""
    for size in range(min(look.size_px, 2 * (box[3] - box[1])), _SMALLEST_PX - 1, -1):
        smaller = replace(look, size_px=size)
        width, height = (box[edge + 2] - box[edge] - 2 * smaller.padding_px for edge in (0, 1))
        lines = _break_lines(text, smaller, width)
        extent = _measure_extent(lines, smaller)
        if extent[0] <= width and extent[1] <= height:
            return smaller, lines
    raise Problem(
        f"the text does not fit into {box[2] - box[0]} x {box[3] - box[1]} pixels; shorten it or give more room"
    )


def _break_lines(text: str, look: Lettering, width: float) -> list[str]:
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for piece in _split_pieces(paragraph):
            if line and _measure_length(line + piece.rstrip(), look) > width:
                lines.append(line.rstrip())
                line = piece.lstrip()
            else:
                line += piece
        lines.append(line.rstrip())
    return lines


def _split_pieces(paragraph: str) -> list[str]:
    """Split a line where it may be broken: after spaces, and between characters of scripts without spaces."""
    pieces, piece = [], ""
    for letter in paragraph:
        piece += letter
        if letter.isspace() or "\u2e80" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af":
            pieces.append(piece)
            piece = ""
    return [*pieces, piece] if piece else pieces


class _Face(NamedTuple):
    family: str
    bold: bool = False
    italic: bool = False


_WIDE = _Face(CJK_FAMILY)


def _list_faces(look: Lettering) -> list[_Face]:
    """List the font faces in which a character is searched, in order."""
    return [_Face(look.font, look.bold, look.italic), _Face("DejaVu Sans", look.bold), _WIDE]


def _split_runs(line: str, look: Lettering) -> list[tuple[str, Any]]:
    """Split a line into runs of one font each; spaces stay with the run before them."""
    faces = _list_faces(look)
    runs: list[tuple[str, _Face]] = []
    for letter in line:
        if runs and (letter.isspace() or not letter.isprintable()):
            face = runs[-1][1]
        else:
            face = next((face for face in faces if ord(letter) in _list_letters(face)), faces[0])
        if runs and runs[-1][1] == face:
            runs[-1] = (runs[-1][0] + letter, face)
        else:
            runs.append((letter, face))
    return [(run, _load_font(face, look.size_px)) for run, face in runs]


@cache
def _load_font(face: _Face, size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(str(font_file(*face)), size)


@cache
def _list_letters(face: _Face) -> frozenset[int]:
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    with TTFont(font_file(*face)) as font:
        return frozenset(font.getBestCmap() or {})


def _measure_length(line: str, look: Lettering) -> float:
    return sum(float(font.getlength(run)) for run, font in _split_runs(line, look))


def _measure_extent(lines: list[str], look: Lettering) -> tuple[int, int]:
    """Measure the width and height of lines in pixels."""
    edge = 2 * look.outline_px
    width = max((_measure_length(line, look) for line in lines), default=0.0)
    return round(width) + edge, round(len(lines) * look.size_px * _LINE_HEIGHT) + edge


def compute_corner(
    size: tuple[int, int], anchor: Anchor, room: tuple[int, int, int, int], place: tuple[float, float] | None
) -> tuple[float, float]:
    """Compute the top left corner of an object, by its anchor in an area or at a place."""
    across = 0.0 if anchor.endswith("left") else 1.0 if anchor.endswith("right") else 0.5
    down = 0.0 if anchor.startswith("top") else 1.0 if anchor.startswith("bottom") else 0.5
    if place is not None:
        return place[0] - across * size[0], place[1] - down * size[1]
    return room[0] + across * (room[2] - room[0] - size[0]), room[1] + down * (room[3] - room[1] - size[1])


def _draw_layer(
    size: tuple[int, int],
    lines: list[str],
    look: Lettering,
    corner: tuple[float, float],
    extent: tuple[int, int],
    pad: int,
) -> "Image":
    from PIL import Image, ImageDraw

    layer = Image.new("RGBA", size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(layer)
    left, top = corner
    if look.background:
        box = (left, top, left + extent[0] + 2 * pad - 1, top + extent[1] + 2 * pad - 1)
        draw.rectangle(box, fill=parse_rgba(look.background))
    stroke = parse_rgba(look.outline or look.color)
    edge = look.outline_px
    spare = {"left": 0.0, "center": 0.5, "right": 1.0}[look.align]
    for number, line in enumerate(lines):
        x = left + pad + edge + spare * (extent[0] - 2 * edge - _measure_length(line, look))
        baseline = top + pad + edge + (number + 0.5) * look.size_px * _LINE_HEIGHT + 0.35 * look.size_px
        for run, font in _split_runs(line, look):
            draw.text(
                (x, baseline),
                run,
                fill=parse_rgba(look.color),
                font=font,
                anchor="ls",
                stroke_width=edge,
                stroke_fill=stroke,
            )
            x += font.getlength(run)
    return layer


def _compose_over(image: "Image", layer: "Image") -> "Image":
    from PIL import Image

    composed_image = Image.alpha_composite(image.convert("RGBA"), layer)
    return composed_image if image.mode == "RGBA" else composed_image.convert("RGB")


def _describe_lettering(text: str, look: Lettering, lines: list[str], where: list[int], size: tuple[int, int]) -> str:
    notes = [f"The text covers {where}, {look.size_px} px high, in {len(lines)} line{'s' * (len(lines) != 1)}."]
    if where[0] < 0 or where[1] < 0 or where[2] > size[0] or where[3] > size[1]:
        notes.append("It extends past the edge of the picture.")
    known = frozenset().union(*map(_list_letters, _list_faces(look)))
    missing_letters = sorted({letter for letter in text if letter.isprintable() and ord(letter) not in known})
    if missing_letters:
        notes.append(f"No bundled font has {' '.join(missing_letters[:20])}; a box is drawn instead.")
    return " ".join(notes)
