"""The tools of the `images` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit import lettering
from yardkit.kit.surface import make_server, tool
from yardkit.servers.images.engine import colors, cover, geometry, info, layers, measures, tones
from yardkit.servers.images.engine.files import ChangedImage, change, unchanged
from yardkit.servers.images.engine.marks import Mark, draw_marks
from yardkit.world import InFile, OutFile, Problem

mcp = make_server(
    "images",
    "Works on pictures (PNG, JPEG, WEBP, GIF, BMP, TIFF). Places are in pixels of the picture as displayed, origin top "
    "left; boxes are [x_min, y_min, x_max, y_max]. Each change is saved as `target` and shown: look at it.",
)

Source = Annotated[InFile, Field(description="Picture, relative to the workspace.")]
Other = Annotated[InFile, Field(description="Picture to compare with.")]
Target = Annotated[OutFile, Field(description="Picture to write: .png, .jpg, .webp, .gif, .bmp or .tiff.")]
Box = Annotated[list[float], Field(min_length=4, max_length=4)]
BoxPx = Annotated[
    list[float] | None, Field(description="Part: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4)
]
Point = Annotated[list[float], Field(min_length=2, max_length=2)]
Color = Annotated[str, Field(description="Name of CSS or #RRGGBB or #RRGGBBAA.", max_length=40)]
Background = Annotated[
    str, Field(description="Colour of what is left free; 'transparent' as #00000000.", max_length=40)
]
Width = Annotated[int | None, Field(description="Width in pixels.", ge=1, le=16_000)]
Height = Annotated[int | None, Field(description="Height in pixels.", ge=1, le=16_000)]
Place = Annotated[
    lettering.Anchor, Field(description="Where in the picture; with position_px, the part that stands there.")
]
Position = Annotated[
    list[float] | None,
    Field(description="[x, y] in pixels where the text or picture stands.", min_length=2, max_length=2),
]
Margin = Annotated[int, Field(description="Pixels to the edge of the picture, without position_px.", ge=0, le=4000)]
Opacity = Annotated[float, Field(description="From 0 (not seen) to 1.", gt=0, le=1)]


@tool(mcp)
def get_image_info(path: Source) -> info.ImageInfo:
    """Tell format, size, mode, transparency, frames, resolution, orientation and EXIF of a picture."""
    return info.read_info(path)


@tool(mcp)
def view_image(
    path: Source,
    bbox_px: BoxPx = None,
    longest_px: Annotated[int, Field(description="At most this long on a side.", ge=16, le=2048)] = 1024,
) -> info.ImageView:
    """Look at a picture or a part of it; a small part is enlarged."""
    return info.view(path, _box(bbox_px), longest_px)


@tool(mcp, writes=True, destructive=True)
def crop_image(
    path: Source, target: Target, bbox_px: Annotated[Box, Field(description="Part that is kept.")]
) -> ChangedImage:
    """Cut a part out of a picture."""
    return change(path, target, geometry.crop, tuple(bbox_px))


@tool(mcp, writes=True, destructive=True)
def resize_image(
    path: Source,
    target: Target,
    width_px: Width = None,
    height_px: Height = None,
    fit: Annotated[
        geometry.Fit,
        Field(
            description="With both sides: inside keeps all and the proportions, cover fills and cuts, pad fills the "
            "rest with background, stretch distorts."
        ),
    ] = "inside",
    background: Background = "white",
) -> ChangedImage:
    """Scale a picture to a width, a height or both."""
    return change(path, target, geometry.resize, width_px, height_px, fit, background)


@tool(mcp, writes=True, destructive=True)
def turn_image(
    path: Source,
    target: Target,
    angle: Annotated[float, Field(description="Degrees clockwise.", ge=-360, le=360)],
    expand: Annotated[bool, Field(description="Make the picture larger, so that no corner is cut off.")] = True,
    background: Background = "white",
) -> ChangedImage:
    """Turn a picture; quarter turns are exact."""
    return change(path, target, geometry.rotate, angle, expand, background)


@tool(mcp, writes=True, destructive=True)
def mirror_image(
    path: Source,
    target: Target,
    direction: Annotated[geometry.Direction, Field(description="What is exchanged.")] = "left_right",
) -> ChangedImage:
    """Mirror a picture."""
    return change(path, target, geometry.flip, direction)


@tool(mcp, writes=True, destructive=True)
def straighten_image(
    path: Source,
    target: Target,
    corners_px: Annotated[
        list[Point] | None,
        Field(
            description="[x, y] of the thing's top left, top right, bottom right, bottom left corner; without, those "
            "of the sheet that stands out are found and told.",
            min_length=4,
            max_length=4,
        ),
    ] = None,
    width_px: Width = None,
    height_px: Height = None,
) -> ChangedImage:
    """Make a rectangle of what lies between four corners: a page, receipt or sign photographed from the side."""
    return change(path, target, geometry.straighten, corners_px, width_px, height_px)


@tool(mcp, writes=True, destructive=True)
def frame_image(
    path: Source,
    target: Target,
    border_px: Annotated[
        list[Annotated[int, Field(ge=0, le=4000)]],
        Field(
            description="[all sides], [top and bottom, left and right] or [top, right, bottom, left].",
            min_length=1,
            max_length=4,
        ),
    ],
    color: Color = "white",
    radius_px: Annotated[int, Field(description="Of rounded corners, which are transparent.", ge=0, le=4000)] = 0,
) -> ChangedImage:
    """Put a border around a picture, and round its corners."""
    return change(path, target, geometry.frame, _sides(border_px), color, radius_px)


@tool(mcp, writes=True, destructive=True)
def draw_on_image(
    path: Source,
    target: Target,
    marks: Annotated[
        list[Mark],
        Field(
            description="Shapes in order. points: two corners of a box, ellipse or highlight; the ends of a line or "
            "arrow (it points to the last); the corners of a polygon.",
            min_length=1,
            max_length=500,
        ),
    ],
) -> ChangedImage:
    """Draw boxes, ellipses, lines, arrows, polygons and highlights, with labels, on a picture."""
    return change(path, target, draw_marks, marks)


@tool(mcp, writes=True, destructive=True)
def add_image_text(
    path: Source,
    target: Target,
    text: Annotated[str, Field(description="Any script, with line breaks.", min_length=1, max_length=5000)],
    place: Place = "bottom",
    position_px: Position = None,
    bbox_px: Annotated[
        list[float] | None,
        Field(description="Make the text fit into this box, smaller if need be.", min_length=4, max_length=4),
    ] = None,
    size_px: Annotated[int, Field(description="Height of the letters.", ge=6, le=1000)] = 32,
    color: Color = "black",
    font: Annotated[str, Field(description="Bundled family.", max_length=60)] = "DejaVu Sans",
    bold: Annotated[bool, Field(description="Bold, where the family has it.")] = False,
    italic: Annotated[bool, Field(description="Italic, where the family has it.")] = False,
    align: Annotated[lettering.Align, Field(description="Lines among themselves.")] = "left",
    outline: Annotated[
        str, Field(description="Colour of a line around the letters; empty for none.", max_length=40)
    ] = "",
    background: Annotated[str, Field(description="Colour behind the text; empty for none.", max_length=40)] = "",
    margin_px: Margin = 16,
) -> ChangedImage:
    """Write text on a picture: at an edge, at a point, or fitted into a box; it is broken into lines where need be."""
    if position_px and bbox_px:
        raise Problem("give position_px or bbox_px, not both")
    look = lettering.Lettering(
        font=font,
        bold=bold,
        italic=italic,
        size_px=size_px,
        color=color,
        outline=outline,
        background=background,
        align=align,
    )
    point = (position_px[0], position_px[1]) if position_px else None
    box = tuple(round(edge) for edge in bbox_px) if bbox_px else None
    return change(path, target, lettering.add_text, text, look, place, point, box, margin_px)


@tool(mcp, writes=True, destructive=True)
def add_image_watermark(
    path: Source,
    target: Target,
    text: Annotated[
        str, Field(description="Words that are repeated across the picture.", min_length=1, max_length=100)
    ],
    size_px: Annotated[int, Field(description="Height of the letters.", ge=10, le=500)] = 36,
    color: Color = "white",
    opacity: Opacity = 0.3,
    angle: Annotated[float, Field(description="Degrees clockwise.", ge=-90, le=90)] = -30,
) -> ChangedImage:
    """Repeat a text across a picture as a watermark; for a logo at a place use overlay_image with opacity."""
    look = lettering.Lettering(size_px=size_px, color=color, bold=True)
    return change(path, target, layers.watermark, text, look, opacity, angle)


@tool(mcp, writes=True, destructive=True)
def cover_image_regions(
    path: Source,
    target: Target,
    boxes_px: Annotated[
        list[Box], Field(description="[x_min, y_min, x_max, y_max] of each region.", min_length=1, max_length=500)
    ],
    way: Annotated[
        cover.Way, Field(description="fill takes everything away; pixelate and blur keep the colours.")
    ] = "fill",
    ellipse: Annotated[bool, Field(description="Cover the ellipse in each box instead of the whole box.")] = False,
    color: Color = "black",
) -> ChangedImage:
    """Cover regions of a picture so that nothing in them can be recognised: faces, plates, names."""
    return change(path, target, cover.cover, [tuple(box) for box in boxes_px], way, ellipse, color)


@tool(mcp, writes=True, destructive=True)
def adjust_image(
    path: Source,
    target: Target,
    brightness: Annotated[float, Field(description="1 leaves it.", ge=0, le=10)] = 1,
    contrast: Annotated[float, Field(description="1 leaves it.", ge=0, le=10)] = 1,
    saturation: Annotated[float, Field(description="1 leaves it, 0 is grey.", ge=0, le=10)] = 1,
    sharpness: Annotated[float, Field(description="1 leaves it, 0 blurs.", ge=0, le=10)] = 1,
    gamma: Annotated[float, Field(description="Over 1 brightens dark parts.", ge=0.1, le=10)] = 1,
    auto_contrast: Annotated[bool, Field(description="Stretch from black to white first.")] = False,
) -> ChangedImage:
    """Change brightness, contrast, saturation, sharpness and gamma of a picture."""
    factors = {"brightness": brightness, "contrast": contrast, "saturation": saturation, "sharpness": sharpness}
    return change(path, target, tones.adjust, factors, gamma, auto_contrast)


@tool(mcp, writes=True, destructive=True)
def apply_image_style(
    path: Source,
    target: Target,
    style: Annotated[tones.Style, Field(description="Named style.")],
    strength: Annotated[float, Field(description="How far it goes, up to 1.", gt=0, le=1)] = 1,
) -> ChangedImage:
    """Give a picture a named style by filters, without a model; for a style in words use edit_image."""
    return change(path, target, tones.apply_style, style, strength)


@tool(mcp, writes=True, destructive=True)
def overlay_image(
    path: Source,
    other: Annotated[InFile, Field(description="Picture that is laid on it; its transparent parts stay so.")],
    target: Target,
    place: Place = "bottom_right",
    position_px: Position = None,
    width_px: Annotated[int | None, Field(description="Width of the upper picture.", ge=1, le=16_000)] = None,
    opacity: Opacity = 1,
    margin_px: Margin = 16,
) -> ChangedImage:
    """Lay a picture on another: a logo, a sticker, a cut-out."""
    point = (position_px[0], position_px[1]) if position_px else None
    return change(path, target, layers.overlay, other, place, point, width_px, opacity, margin_px)


@tool(mcp, writes=True, destructive=True)
def make_collage(
    paths: Annotated[list[InFile], Field(description="Pictures in order.", min_length=2, max_length=100)],
    target: Target,
    per_row: Annotated[int, Field(description="Pictures side by side.", ge=1, le=20)] = 3,
    cell_px: Annotated[
        list[Annotated[int, Field(ge=16, le=4000)]] | None,
        Field(description="[width, height] of each; by default [400, 300].", min_length=2, max_length=2),
    ] = None,
    gap_px: Annotated[int, Field(description="Between them.", ge=0, le=500)] = 12,
    background: Background = "white",
    captions: Annotated[
        list[str] | None, Field(description="Words under each, in order; empty for none.", max_length=100)
    ] = None,
    crop: Annotated[bool, Field(description="Fill each cell and cut what is over, instead of showing all.")] = False,
) -> ChangedImage:
    """Put pictures into rows on one sheet, with captions."""
    cell = (cell_px[0], cell_px[1]) if cell_px else (400, 300)
    return change(paths[0], target, layers.collage, paths[1:], per_row, cell, gap_px, background, captions or (), crop)


@tool(mcp, writes=True, destructive=True)
def convert_image(
    path: Source,
    target: Target,
    quality: Annotated[int, Field(description="Of JPEG and WEBP.", ge=1, le=100)] = 90,
) -> ChangedImage:
    """Save a picture in the format of another name, upright, without EXIF and other metadata."""
    return change(path, target, unchanged, quality=quality)


@tool(mcp)
def list_image_colors(
    path: Source, count: Annotated[int, Field(description="At most this many.", ge=1, le=32)] = 6
) -> colors.MainColors:
    """List the main colours of a picture with their names and shares."""
    return colors.main_colors(path, count)


@tool(mcp)
def measure_image_difference(path: Source, other: Other) -> measures.ImageDifference:
    """Compare two pictures pixel by pixel: PSNR, SSIM, perceptual hash, and where they differ."""
    return measures.measure_difference(path, other)


@tool(mcp, writes=True, destructive=True)
def draw_image_difference(
    path: Source, other: Other, target: Annotated[OutFile, Field(description="The picture that is written, .png.")]
) -> measures.ImageDifference:
    """Save a picture of where two pictures differ, and measure how much."""
    return measures.measure_difference(path, other, target)


@tool(mcp)
def measure_image_quality(path: Source) -> measures.ImageQuality:
    """Measure sharpness, noise, JPEG blocks, brightness and contrast of a picture; all of them are heuristics."""
    return measures.measure_quality(path)


def _box(bbox_px: list[float] | None) -> geometry.Box | None:
    return (bbox_px[0], bbox_px[1], bbox_px[2], bbox_px[3]) if bbox_px else None


def _sides(border_px: list[int]) -> list[int]:
    """Pixels on the top, right, bottom and left, told as in CSS.

    Raises:
        Problem: there are three.
    """
    if len(border_px) == 3:
        raise Problem(f"border_px has 3 numbers, {border_px}; give 1, 2 or 4")
    return (border_px * 4)[:4]
