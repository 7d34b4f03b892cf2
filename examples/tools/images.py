"""Examples of images: photographs of a cat, a cup of coffee, an astronaut, and a receipt lying on a table."""

import shutil
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont
from support.pictures import PICTURES

from tools.example import Example, Gallery
from yardkit.world.fonts import font_file

CAT, CUP, HER, BILL = "cat.jpg", "coffee.jpg", "astronaut.jpg", "bill.jpg"
CORNERS = [[160, 60], [470, 110], [430, 560], [70, 500]]
LINES = ("HARBOUR BAKERY", "2 x Rye bread      11.80", "1 x Baguette         2.10", "Total EUR           13.90")


def prepare_files(files: Path) -> None:
    for name in (CAT, CUP, HER):
        shutil.copy(PICTURES / name, files)
    paper = Image.new("RGB", (320, 460), "#fdfcf7")
    font = ImageFont.truetype(font_file("DejaVu Sans Mono"), 19)
    for row, line in enumerate(LINES):
        ImageDraw.Draw(paper).text((16, 40 + 60 * row), line, "#222222", font)
    table = Image.new("RGB", (560, 620), "#6b4f3a")
    places = [(0, 0), (320, 0), (320, 460), (0, 460)]
    factors = compute_perspective(CORNERS, places)
    laid = paper.transform(table.size, Image.Transform.PERSPECTIVE, factors, Image.Resampling.BICUBIC)
    mask = Image.new("L", paper.size, 255).transform(table.size, Image.Transform.PERSPECTIVE, factors)
    table.paste(laid, mask=mask)
    table.save(files / BILL, quality=92)
    logo = Image.new("RGBA", (240, 240))
    ImageDraw.Draw(logo).ellipse((8, 8, 232, 232), fill="#0a7d7acc", outline="white", width=10)
    ImageDraw.Draw(logo).text((64, 62), "HB", "white", ImageFont.truetype(font_file("DejaVu Sans", bold=True), 96))
    logo.save(files / "logo.png")


def compute_perspective(seen: list[list[int]], places: list[tuple[int, int]]) -> list[float]:
    """Pillow's eight factors, by which what is seen at four points is taken from four places."""
    import numpy as np

    rows, target_values = [], []
    for (x, y), (u, v) in zip(seen, places, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        target_values += [u, v]
    return [float(factor) for factor in np.linalg.solve(np.array(rows, float), np.array(target_values, float))]


def make_example(tool: str, target: str, path: str = CUP, **asked: Any) -> Example:
    return Example(tool, {"path": path, "target": target, **asked}, (target,))


MARKS = [
    {"kind": "box", "points": [[172, 18], [420, 310]], "color": "orange", "label": "cup"},
    {"kind": "ellipse", "points": [[20, 30], [150, 140]], "color": "#00aaff", "width_px": 6, "label": "in the light"},
    {"kind": "arrow", "points": [[540, 40], [412, 80]], "color": "yellow", "width_px": 6, "label": "the rim"},
    {"kind": "line", "points": [[10, 280], [140, 210], [160, 285]], "color": "lime"},
    {"kind": "polygon", "points": [[300, 200], [420, 220], [380, 290]], "color": "magenta", "fill": "#ff00ff40"},
    {"kind": "highlight", "points": [[440, 330], [590, 390]], "color": "yellow"},
]
STYLES = ("grayscale", "sepia", "invert", "posterize", "cartoon", "pencil", "ink", "oil", "emboss", "edges")
SEEING = (
    Example("get_image_info", {"path": CAT}),
    Example("view_image", {"path": HER}),
    Example("view_image", {"path": HER, "bbox_px": [120, 30, 220, 130]}),
    Example("list_image_colors", {"path": CUP}),
    Example("measure_image_quality", {"path": CAT}),
)
SHAPES = (
    make_example("crop_image", "cropped.png", HER, bbox_px=[60, 0, 340, 280]),
    make_example("resize_image", "small.jpg", CUP, width_px=200),
    make_example("resize_image", "padded.jpg", CUP, width_px=300, height_px=300, fit="pad", background="#0a7d7a"),
    make_example("resize_image", "covered.jpg", CUP, width_px=300, height_px=300, fit="cover"),
    make_example("turn_image", "turned.png", CAT, angle=12, background="#00000000"),
    make_example("mirror_image", "mirrored.jpg", CAT),
    make_example("straighten_image", "receipt.png", BILL, corners_px=CORNERS),
    make_example("frame_image", "framed.png", CUP, border_px=[24, 24, 70, 24], color="#0a7d7a", radius_px=30),
)
WRITING = (
    make_example("draw_on_image", "marked.png", CUP, marks=MARKS),
    make_example("add_image_text", "text.png", CUP, text="Harbour Bakery", bold=True, color="white", outline="black"),
    make_example(
        "add_image_text",
        "box.png",
        HER,
        text="Where no cup of coffee has ever been before, not even this one",
        bbox_px=[16, 280, 384, 384],
        size_px=48,
        align="center",
        color="white",
        background="#000000a0",
    ),
    make_example(
        "add_image_text", "scripts.png", CAT, text="Grüße 你好 안녕 Привет ไทย שלום مرحبا 🐱", place="top", size_px=26
    ),
    make_example("add_image_watermark", "watermark.png", CUP, text="© Harbour Bakery"),
    make_example("cover_image_regions", "covered.png", HER, boxes_px=[[130, 30, 210, 130], [255, 40, 330, 200]]),
    make_example(
        "cover_image_regions", "pixels.png", HER, boxes_px=[[120, 20, 220, 140]], way="pixelate", ellipse=True
    ),
    make_example("cover_image_regions", "blur.png", HER, boxes_px=[[120, 20, 220, 140]], way="blur"),
)
LOOKS = (
    make_example("adjust_image", "bright.jpg", CAT, brightness=1.3, contrast=1.2, saturation=1.4, gamma=1.2),
    make_example("adjust_image", "grey.jpg", CAT, saturation=0, auto_contrast=True, sharpness=2),
    *(make_example("apply_image_style", f"{style}.png", HER, style=style) for style in STYLES),
    Example(
        "overlay_image", {"path": CUP, "other": "logo.png", "target": "logo_on.png", "width_px": 90}, ("logo_on.png",)
    ),
    Example(
        "make_collage",
        {
            "paths": [CUP, CAT, HER, "receipt.png", "marked.png"],
            "target": "collage.png",
            "cell_px": [300, 220],
            "captions": ["A cup of coffee in the morning sun, with a spoon beside it", "Cat", "", "The bill", "Marked"],
            "background": "#f3efe6",
        },
        ("collage.png",),
    ),
    make_example("convert_image", "cat.webp", CAT, quality=60),
    Example("draw_image_difference", {"path": CUP, "other": "marked.png", "target": "differs.png"}, ("differs.png",)),
    Example("measure_image_difference", {"path": CAT, "other": "cat.webp"}),
)
GALLERY = Gallery(prepare_files, (*SEEING, *SHAPES, *WRITING, *LOOKS))
