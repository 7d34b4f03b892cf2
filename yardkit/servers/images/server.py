"""The tools of the `images` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit import lettering
from yardkit.kit.surface import make_server, tool
from yardkit.servers.images.engine import colors, cover, geometry, info, layers, measures, tones
from yardkit.servers.images.engine.files import ChangedImage, change_picture, return_unchanged
from yardkit.servers.images.engine.marks import Mark, draw_marks
from yardkit.world import InFile, OutFile, Problem

mcp = make_server(
    "images",
    "Works on pictures (PNG, JPEG, WEBP, GIF, BMP, TIFF; reads AVIF and HEIC). Positions are in pixels of the picture "
    "as displayed, origin top left; boxes are [x_min, y_min, x_max, y_max]. Each change is saved "
    "as `target` and returned as a picture to check.",
)

Source = Annotated[InFile, Field(description="Picture file, relative to the workspace.")]
Other = Annotated[InFile, Field(description="Picture to compare with.")]
Target = Annotated[OutFile, Field(description="Picture file to write: .png, .jpg, .webp, .gif, .bmp or .tiff.")]
Box = Annotated[list[float], Field(min_length=4, max_length=4)]
BoxPx = Annotated[
    list[float] | None, Field(description="Area: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4)
]
Page = Annotated[int, Field(description="Page of a TIFF, or frame of a moving picture, from 1.", ge=1, le=10_000)]
Point = Annotated[list[float], Field(min_length=2, max_length=2)]
Color = Annotated[str, Field(description="CSS colour name, #RRGGBB or #RRGGBBAA.", max_length=40)]
Background = Annotated[str, Field(description="Colour of empty areas; #00000000 is transparent.", max_length=40)]
Width = Annotated[int | None, Field(description="Width in pixels.", ge=1, le=16_000)]
Height = Annotated[int | None, Field(description="Height in pixels.", ge=1, le=16_000)]
Place = Annotated[lettering.Anchor, Field(description="Place in the picture; with position_px, the anchor point.")]
Position = Annotated[
    list[float] | None,
    Field(description="[x, y] of the anchor point of the text or picture, in pixels.", min_length=2, max_length=2),
]
Margin = Annotated[int, Field(description="Pixels from the picture's edge, without position_px.", ge=0, le=4000)]
Opacity = Annotated[float, Field(description="From 0 (invisible) to 1.", gt=0, le=1)]


@tool(mcp)
def get_image_info(path: Source) -> info.ImageInfo:
    """Report format, size, mode, transparency, frames, resolution, orientation and EXIF of a picture."""
    return info.read_info(path)


@tool(mcp, looks_at=["path"])
def view_image(
    path: Source,
    bbox_px: BoxPx = None,
    longest_px: Annotated[int, Field(description="Maximum side length in pixels.", ge=16, le=2048)] = 1024,
    page: Page = 1,
) -> info.ImageView:
    """View a picture or part of it; a small part is enlarged."""
    return info.view_image(path, _to_box(bbox_px), longest_px, page)


@tool(mcp, writes=True, destructive=True)
def crop_image(
    path: Source, target: Target, bbox_px: Annotated[Box, Field(description="Area to keep.")]
) -> ChangedImage:
    """Crop a picture."""
    return change_picture(path, target, geometry.crop_image, tuple(bbox_px))


@tool(mcp, writes=True, destructive=True)
def resize_image(
    path: Source,
    target: Target,
    width_px: Width = None,
    height_px: Height = None,
    fit: Annotated[
        geometry.Fit,
        Field(
            description="With both sides given: inside fits it in proportion, cover fills and crops, pad fills the "
            "rest with background, stretch distorts."
        ),
    ] = "inside",
    background: Background = "white",
) -> ChangedImage:
    """Resize a picture to a width, a height or both."""
    return change_picture(path, target, geometry.resize_image, width_px, height_px, fit, background)


@tool(mcp, writes=True, destructive=True)
def turn_image(
    path: Source,
    target: Target,
    angle: Annotated[float, Field(description="Degrees clockwise.", ge=-360, le=360)],
    expand: Annotated[bool, Field(description="Enlarge the picture so that no corner is cut off.")] = True,
    background: Background = "white",
) -> ChangedImage:
    """Rotate a picture; quarter turns are lossless."""
    return change_picture(path, target, geometry.rotate_image, angle, expand, background)


@tool(mcp, writes=True, destructive=True)
def mirror_image(
    path: Source,
    target: Target,
    direction: Annotated[geometry.Direction, Field(description="Direction to mirror in.")] = "left_right",
) -> ChangedImage:
    """Mirror a picture horizontally or vertically."""
    return change_picture(path, target, geometry.flip_image, direction)


@tool(mcp, writes=True, destructive=True)
def straighten_image(
    path: Source,
    target: Target,
    corners_px: Annotated[
        list[Point] | None,
        Field(
            description="[x, y] of the object's top left, top right, bottom right, bottom left corner; by default "
            "detected and reported.",
            min_length=4,
            max_length=4,
        ),
    ] = None,
    width_px: Width = None,
    height_px: Height = None,
) -> ChangedImage:
    """Straighten a page, receipt or sign photographed at an angle into a rectangle."""
    return change_picture(path, target, geometry.straighten_image, corners_px, width_px, height_px, is_for_one=True)


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
    radius_px: Annotated[
        int, Field(description="Radius of rounded corners, which become transparent.", ge=0, le=4000)
    ] = 0,
) -> ChangedImage:
    """Add a border around a picture, and round its corners."""
    return change_picture(path, target, geometry.frame_image, _expand_sides(border_px), color, radius_px)


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
    return change_picture(path, target, draw_marks, marks)


@tool(mcp, writes=True, destructive=True)
def add_image_text(
    path: Source,
    target: Target,
    text: Annotated[str, Field(description="Text in any script, with line breaks.", min_length=1, max_length=5000)],
    place: Place = "bottom",
    position_px: Position = None,
    bbox_px: Annotated[
        list[float] | None,
        Field(description="Box to fit the text into, shrinking it if necessary.", min_length=4, max_length=4),
    ] = None,
    size_px: Annotated[int, Field(description="Font size in pixels.", ge=6, le=1000)] = 32,
    color: Color = "black",
    font: Annotated[str, Field(description="Bundled font family.", max_length=60)] = "DejaVu Sans",
    bold: Annotated[bool, Field(description="Bold, if the family has it.")] = False,
    italic: Annotated[bool, Field(description="Italic, if the family has it.")] = False,
    align: Annotated[lettering.Align, Field(description="Alignment of the lines.")] = "left",
    outline: Annotated[str, Field(description="Colour of the letters' outline; empty for none.", max_length=40)] = "",
    background: Annotated[str, Field(description="Background colour of the text; empty for none.", max_length=40)] = "",
    margin_px: Margin = 16,
) -> ChangedImage:
    """Add text to a picture at an edge, at a point, or fitted into a box, wrapped if necessary."""
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
    return change_picture(path, target, lettering.add_text, text, look, place, point, box, margin_px)


@tool(mcp, writes=True, destructive=True)
def add_image_watermark(
    path: Source,
    target: Target,
    text: Annotated[str, Field(description="Text to repeat across the picture.", min_length=1, max_length=100)],
    size_px: Annotated[int, Field(description="Font size in pixels.", ge=10, le=500)] = 36,
    color: Color = "white",
    opacity: Opacity = 0.3,
    angle: Annotated[float, Field(description="Degrees clockwise.", ge=-90, le=90)] = -30,
) -> ChangedImage:
    """Add a repeated text watermark to a picture; for a logo use overlay_image with opacity."""
    look = lettering.Lettering(size_px=size_px, color=color, bold=True)
    return change_picture(path, target, layers.draw_watermark, text, look, opacity, angle)


@tool(mcp, writes=True, destructive=True)
def cover_image_regions(
    path: Source,
    target: Target,
    boxes_px: Annotated[
        list[Box], Field(description="[x_min, y_min, x_max, y_max] of each region.", min_length=1, max_length=500)
    ],
    way: Annotated[cover.Way, Field(description="fill hides everything; pixelate and blur keep the colours.")] = "fill",
    ellipse: Annotated[bool, Field(description="Cover the ellipse in each box instead of the box.")] = False,
    color: Color = "black",
) -> ChangedImage:
    """Cover regions of a picture so that faces, plates or names cannot be recognised."""
    return change_picture(path, target, cover.cover_regions, [tuple(box) for box in boxes_px], way, ellipse, color)


@tool(mcp, writes=True, destructive=True)
def adjust_image(
    path: Source,
    target: Target,
    brightness: Annotated[float, Field(description="1 is unchanged.", ge=0, le=10)] = 1,
    contrast: Annotated[float, Field(description="1 is unchanged.", ge=0, le=10)] = 1,
    saturation: Annotated[float, Field(description="1 is unchanged, 0 is grey.", ge=0, le=10)] = 1,
    sharpness: Annotated[float, Field(description="1 is unchanged, 0 blurs.", ge=0, le=10)] = 1,
    gamma: Annotated[float, Field(description="Values over 1 brighten dark areas.", ge=0.1, le=10)] = 1,
    auto_contrast: Annotated[bool, Field(description="Stretch the levels from black to white first.")] = False,
) -> ChangedImage:
    """Adjust brightness, contrast, saturation, sharpness and gamma of a picture."""
    factors = {"brightness": brightness, "contrast": contrast, "saturation": saturation, "sharpness": sharpness}
    return change_picture(path, target, tones.adjust_tones, factors, gamma, auto_contrast)


@tool(mcp, writes=True, destructive=True)
def apply_image_style(
    path: Source,
    target: Target,
    style: Annotated[tones.Style, Field(description="Name of the style.")],
    strength: Annotated[float, Field(description="Strength of the effect, up to 1.", gt=0, le=1)] = 1,
) -> ChangedImage:
    """Apply a named filter style to a picture, without a model; for a style in words use edit_image."""
    return change_picture(path, target, tones.apply_style, style, strength)


@tool(mcp, writes=True, destructive=True, looks_at=["other"])
def overlay_image(
    path: Source,
    other: Annotated[InFile, Field(description="Picture to overlay; transparency is kept.")],
    target: Target,
    place: Place = "bottom_right",
    position_px: Position = None,
    width_px: Annotated[
        int | None, Field(description="Width of the overlaid picture in pixels.", ge=1, le=16_000)
    ] = None,
    opacity: Opacity = 1,
    margin_px: Margin = 16,
) -> ChangedImage:
    """Overlay a picture on another: a logo, a sticker, a cut-out."""
    point = (position_px[0], position_px[1]) if position_px else None
    return change_picture(path, target, layers.overlay_picture, other, place, point, width_px, opacity, margin_px)


@tool(mcp, writes=True, destructive=True, looks_at=["paths"])
def make_collage(
    paths: Annotated[list[InFile], Field(description="Pictures in order.", min_length=2, max_length=100)],
    target: Target,
    per_row: Annotated[int, Field(description="Pictures per row.", ge=1, le=20)] = 3,
    cell_px: Annotated[
        list[Annotated[int, Field(ge=16, le=4000)]] | None,
        Field(description="[width, height] of each cell; by default [400, 300].", min_length=2, max_length=2),
    ] = None,
    gap_px: Annotated[int, Field(description="Space between pictures in pixels.", ge=0, le=500)] = 12,
    background: Background = "white",
    captions: Annotated[
        list[str] | None, Field(description="Captions below the pictures, in order; empty for none.", max_length=100)
    ] = None,
    crop: Annotated[
        bool, Field(description="Fill each cell and crop the rest, instead of showing all of the picture.")
    ] = False,
) -> ChangedImage:
    """Arrange pictures in rows on a sheet, with captions."""
    cell = (cell_px[0], cell_px[1]) if cell_px else (400, 300)
    looks = (per_row, cell, gap_px, background, captions or (), crop)
    return change_picture(paths[0], target, layers.make_collage, paths[1:], *looks, is_for_one=True)


@tool(mcp, writes=True, destructive=True)
def convert_image(
    path: Source,
    target: Target,
    quality: Annotated[int, Field(description="Quality, for JPEG and WEBP.", ge=1, le=100)] = 90,
    page: Annotated[
        int | None,
        Field(description="Page of a TIFF, or frame of a moving picture, to save alone.", ge=1, le=10_000),
    ] = None,
) -> ChangedImage:
    """Convert a picture to the format of the target's suffix, upright, in sRGB, without EXIF and other metadata."""
    return change_picture(path, target, return_unchanged, quality=quality, page=page)


@tool(mcp, looks_at=["path"])
def list_image_colors(
    path: Source, count: Annotated[int, Field(description="Maximum number of colours.", ge=1, le=32)] = 6
) -> colors.MainColors:
    """List a picture's main colours with their names and shares."""
    return colors.main_colors(path, count)


@tool(mcp, looks_at=["path", "other"])
def measure_image_difference(path: Source, other: Other) -> measures.ImageDifference:
    """Compare two pictures pixel by pixel: PSNR, SSIM, perceptual hash, and where they differ."""
    return measures.measure_difference(path, other)


@tool(mcp, writes=True, destructive=True, looks_at=["path", "other"])
def draw_image_difference(
    path: Source, other: Other, target: Annotated[OutFile, Field(description="Picture file to write, .png.")]
) -> measures.ImageDifference:
    """Draw where two pictures differ, and measure the difference."""
    return measures.measure_difference(path, other, target)


@tool(mcp, looks_at=["path"])
def measure_image_quality(path: Source) -> measures.ImageQuality:
    """Measure sharpness, noise, JPEG blocking, brightness and contrast of a picture with heuristics."""
    return measures.measure_quality(path)


def _to_box(bbox_px: list[float] | None) -> tuple[float, float, float, float] | None:
    return (bbox_px[0], bbox_px[1], bbox_px[2], bbox_px[3]) if bbox_px else None


def _expand_sides(border_px: list[int]) -> list[int]:
    """Pixels on the top, right, bottom and left, told as in CSS.

    Raises:
        Problem: there are three.
    """
    if len(border_px) == 3:
        raise Problem(f"border_px has 3 numbers, {border_px}; use 1, 2 or 4")
    return (border_px * 4)[:4]
