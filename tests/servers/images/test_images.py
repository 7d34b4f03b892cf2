"""Pictures changed, put together, compared and measured: what is in the pixels afterwards."""

import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFilter, ImageOps
from support.answers import Call, make_caller, read_text
from support.pictures import ASTRONAUT, CAT, COFFEE
from support.scale import count_tries

from yardkit.kit.lettering import Lettering, add_text
from yardkit.sandbox.serving.registry import load_server


@pytest.fixture
def call(files: Path) -> Call:
    for picture in (ASTRONAUT, CAT, COFFEE):
        (files / picture.name).write_bytes(picture.read_bytes())
    return make_caller(load_server("images"))


def open_image(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return image.copy()


def make_image(call: Call, files: Path, tool: str, **arguments: Any) -> Image.Image:
    """What a tool wrote of coffee.jpg, unless another picture is named."""
    arguments = {"path": "coffee.jpg", "target": "made.png", **arguments}
    result = call(tool, **arguments)
    assert not result.is_error, read_text(result)
    return open_image(files / arguments["target"])


def test_a_part_is_cut_out_as_it_was(call: Call, files: Path) -> None:
    part = make_image(call, files, "crop_image", bbox_px=[150, 20, 440, 320])
    assert part.tobytes() == open_image(COFFEE).crop((150, 20, 440, 320)).tobytes()
    outside = call("crop_image", path="coffee.jpg", target="a.png", bbox_px=[700, 0, 800, 10])
    assert "is outside the picture of 600 x 400 pixels" in read_text(outside)


@pytest.mark.parametrize(
    ("fit", "size"), [("inside", (300, 200)), ("cover", (300, 300)), ("pad", (300, 300)), ("stretch", (300, 300))]
)
def test_scaling_keeps_the_proportions_as_told(call: Call, files: Path, fit: str, size: tuple[int, int]) -> None:
    image = make_image(call, files, "resize_image", width_px=300, height_px=300, fit=fit, background="#ff00ff")
    assert image.size == size
    assert (image.getpixel((150, 5)) == (255, 0, 255)) == (fit == "pad")
    assert "give width_px, height_px or both" in read_text(call("resize_image", path="coffee.jpg", target="a.png"))


def test_a_picture_is_turned_clockwise_as_it_is_displayed(call: Call, files: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # shown turned clockwise
    open_image(COFFEE).rotate(90, expand=True).save(files / "phone.jpg", exif=exif, quality=95)
    assert make_image(call, files, "convert_image", path="phone.jpg").size == (600, 400)
    turned = make_image(call, files, "turn_image", angle=90)
    assert turned.tobytes() == open_image(COFFEE).transpose(Image.Transpose.ROTATE_270).tobytes()
    assert make_image(call, files, "turn_image", angle=30, expand=False, background="#00000000").getpixel((0, 0)) == (
        0,
        0,
        0,
        0,
    )
    assert make_image(call, files, "mirror_image").tobytes() == ImageOps.mirror(open_image(COFFEE)).tobytes()


def test_what_lies_between_four_corners_becomes_a_rectangle(call: Call, files: Path) -> None:
    page = Image.new("RGB", (200, 280), "white")
    page.paste((200, 0, 0), (0, 0, 100, 140))
    corners = [(60, 30), (300, 70), (280, 390), (20, 340)]
    scene = Image.new("RGB", (340, 420), (40, 60, 40))
    coefficients = _map_corners(corners, (200, 280))
    warped = page.transform(scene.size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC)
    mask = Image.new("L", page.size, 255).transform(scene.size, Image.Transform.PERSPECTIVE, coefficients)
    scene.paste(warped, mask=mask)
    scene.save(files / "scene.png")
    flat = make_image(
        call, files, "straighten_image", path="scene.png", corners_px=corners, width_px=200, height_px=280
    )
    assert flat.getpixel((50, 70)) == pytest.approx((200, 0, 0), abs=12)
    assert [flat.getpixel(place) for place in ((150, 70), (50, 210), (150, 210))] == [(255, 255, 255)] * 3
    straightened = make_image(call, files, "straighten_image", path="scene.png", width_px=200, height_px=280)
    assert straightened.getpixel((50, 70)) == pytest.approx((200, 0, 0), abs=12)
    crossed = call("straighten_image", path="scene.png", target="a.png", corners_px=[corners[n] for n in (0, 2, 1, 3)])
    assert "corners_px is not a quadrilateral" in read_text(crossed)


def _map_corners(corners: list[tuple[int, int]], size: tuple[int, int]) -> list[float]:
    """For each pixel of a scene, where it is on the page that lies between corners."""
    import numpy as np

    goals = [(0, 0), (size[0], 0), (size[0], size[1]), (0, size[1])]
    rows, values = [], []
    for (x, y), (u, v) in zip(corners, goals, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return [float(value) for value in np.linalg.solve(np.array(rows, float), np.array(values, float))]


def test_a_border_goes_around_and_rounded_corners_are_transparent(call: Call, files: Path) -> None:
    image = make_image(call, files, "frame_image", border_px=[10, 20], color="gold", radius_px=30)
    assert image.size == (640, 420)
    assert image.getpixel((0, 0))[3] == 0
    assert image.getpixel((320, 4)) == (255, 215, 0, 255)
    assert "use 1, 2 or 4" in read_text(call("frame_image", path="coffee.jpg", target="a.png", border_px=[1, 2, 3]))


def test_shapes_stand_where_they_were_told_and_nowhere_else(call: Call, files: Path) -> None:
    marks = [
        {"kind": "box", "points": [[150, 40], [440, 320]], "color": "#00ff00", "width_px": 6, "label": "cup"},
        {"kind": "arrow", "points": [[580, 30], [480, 130]], "color": "blue", "width_px": 5},
        {"kind": "ellipse", "points": [[20, 300], [120, 380]], "fill": "#0000ff"},
    ]
    image = make_image(call, files, "draw_on_image", marks=marks)
    plain_image = open_image(COFFEE)
    assert image.getpixel((300, 42)) == (0, 255, 0)
    assert image.getpixel((530, 80)) == (0, 0, 255)
    assert image.getpixel((70, 340)) == (0, 0, 255)
    assert image.getpixel((300, 200)) == plain_image.getpixel((300, 200))
    assert image.crop((460, 200, 600, 400)).tobytes() == plain_image.crop((460, 200, 600, 400)).tobytes()
    few = call(
        "draw_on_image", path="coffee.jpg", target="a.png", marks=[{"kind": "polygon", "points": [[1, 1], [9, 9]]}]
    )
    assert "mark 1 is of kind polygon with 2 points; it needs 3" in read_text(few)


@settings(max_examples=count_tries(200, 25), deadline=None)
@given(
    text=st.text(st.sampled_from("abcXYZ äß,.!\n你好世界Ω"), min_size=1, max_size=60),
    box=st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(150, 300), st.integers(120, 200)),
    size=st.integers(6, 90),
)
def test_a_text_that_is_fitted_stays_within_its_box(text: str, box: tuple[int, int, int, int], size: int) -> None:
    white = Image.new("RGB", (320, 220), "white")
    lettered, _ = add_text(white, text, Lettering(size_px=size), "center", None, box, 0)
    drawn = ImageOps.invert(lettered.convert("L")).getbbox()
    slack = 0.25 * size
    assert drawn is None or (
        drawn[0] >= box[0] - slack
        and drawn[1] >= box[1] - slack
        and drawn[2] <= box[2] + slack
        and drawn[3] <= box[3] + slack
    )


def test_text_in_many_scripts_is_set_and_what_no_font_has_is_named(call: Call, files: Path) -> None:
    message = read_text(
        call("add_image_text", path="coffee.jpg", target="a.png", text="Grüße Привет 你好 שלום 🦊", color="white")
    )
    assert "No bundled font has 🦊" in message
    assert "in 1 line" in message
    both = {"path": "coffee.jpg", "target": "a.png", "text": "a", "position_px": [1, 1], "bbox_px": [0, 0, 9, 9]}
    assert "give position_px or bbox_px, not both" in read_text(call("add_image_text", **both))
    small = {"path": "coffee.jpg", "target": "a.png", "text": "much too long for it", "bbox_px": [0, 0, 9, 9]}
    assert "does not fit into 9 x 9 pixels" in read_text(call("add_image_text", **small))
    assert "no bundled font 'Arial'" in read_text(
        call("add_image_text", path="coffee.jpg", target="a.png", text="a", font="Arial")
    )


@pytest.mark.parametrize(("way", "most_colors"), [("fill", 1), ("pixelate", 64), ("blur", 10_000)])
def test_nothing_can_be_told_of_what_is_covered_and_all_else_stays(
    call: Call, files: Path, way: str, most_colors: int
) -> None:
    box = (160, 20, 290, 190)
    image = make_image(call, files, "cover_image_regions", path="astronaut.jpg", boxes_px=[list(box)], way=way)
    plain_image = open_image(ASTRONAUT).convert("RGB")
    inner = (box[0] + 8, box[1] + 8, box[2] - 8, box[3] - 8)
    assert len(image.crop(box).getcolors(100_000) or []) <= most_colors
    sharp = [
        max(
            part.crop(inner)
            .convert("L")
            .filter(ImageFilter.FIND_EDGES)
            .resize((20, 20), Image.Resampling.BOX)
            .tobytes()
        )
        for part in (image, plain_image)
    ]
    assert sharp[0] < sharp[1] or way == "pixelate"
    assert image.crop((0, 200, 400, 400)).tobytes() == plain_image.crop((0, 200, 400, 400)).tobytes()


def test_light_and_colour_change_as_told_and_transparency_stays(call: Call, files: Path) -> None:
    grey = make_image(call, files, "adjust_image", saturation=0, brightness=1.3)
    red, green, blue = grey.getpixel((300, 200))  # type: ignore[misc]
    assert red == green == blue
    clear = Image.new("RGBA", (20, 20), (10, 20, 30, 0))
    clear.save(files / "clear.png")
    assert make_image(call, files, "adjust_image", path="clear.png", gamma=2).getpixel((3, 3))[3] == 0
    assert make_image(call, files, "apply_image_style", path="clear.png", style="invert").getpixel((3, 3)) == (
        245,
        235,
        225,
        0,
    )


@pytest.mark.parametrize("style", ["posterize", "cartoon", "pencil", "ink", "oil", "emboss", "edges", "sepia"])
def test_a_style_changes_the_picture_and_keeps_its_size(call: Call, files: Path, style: str) -> None:
    image = make_image(call, files, "apply_image_style", path="cat.jpg", style=style)
    assert image.size == open_image(CAT).size
    measurement = read_text(call("measure_image_difference", path="cat.jpg", other="made.png"))
    assert "mean difference" in measurement


def test_a_picture_is_laid_on_another_where_told(call: Call, files: Path) -> None:
    Image.new("RGBA", (50, 40), (0, 0, 255, 255)).save(files / "logo.png")
    image = make_image(call, files, "overlay_image", other="logo.png", place="bottom_right", margin_px=10, opacity=0.5)
    below = open_image(COFFEE).getpixel((560, 370))
    blended = [round((mine + theirs) / 2) for mine, theirs in zip(below, (0, 0, 255), strict=True)]  # type: ignore[arg-type]
    assert image.getpixel((560, 370)) == pytest.approx(blended, abs=2)
    assert image.getpixel((500, 370)) == open_image(COFFEE).getpixel((500, 370))
    stamped = make_image(call, files, "add_image_watermark", text="DRAFT", opacity=0.5)
    assert stamped.tobytes() != open_image(COFFEE).tobytes()


def test_pictures_stand_on_a_sheet_in_order_with_captions(call: Call, files: Path) -> None:
    names = []
    for number, color in enumerate(("red", "lime", "blue")):
        Image.new("RGB", (100, 50), color).save(files / f"{number}.png")
        names.append(f"{number}.png")
    result = call(
        "make_collage",
        paths=names,
        target="sheet.png",
        per_row=2,
        cell_px=[100, 100],
        gap_px=10,
        captions=["one", "two"],
    )
    assert not result.is_error
    sheet = open_image(files / "sheet.png")
    assert sheet.size == (230, 262)
    assert [sheet.getpixel(place) for place in ((60, 60), (170, 60), (60, 186))] == [
        (255, 0, 0),
        (0, 255, 0),
        (0, 0, 255),
    ]
    assert sheet.getpixel((60, 20)) == (255, 255, 255)


def test_two_pictures_are_compared_and_what_changed_is_found(call: Call, files: Path) -> None:
    changed = open_image(COFFEE)
    changed.paste((0, 255, 255), (100, 50, 180, 90))
    changed.save(files / "changed.png")
    comparison = call(
        "draw_image_difference", path="coffee.jpg", other="changed.png", target="diff.png"
    ).structured_content
    assert comparison["changed_px"] == [100, 50, 180, 90]
    assert comparison["hash_distance"] <= 10
    assert open_image(files / "diff.png").getpixel((140, 70)) == (215, 25, 28)
    assert "the same, pixel by pixel" in read_text(
        call("measure_image_difference", path="coffee.jpg", other="coffee.jpg")
    )
    smaller = call("measure_image_difference", path="coffee.jpg", other="cat.jpg").structured_content
    assert "was scaled to 600 x 400" in smaller["note"]
    assert smaller["hash_distance"] > 10


def test_blur_noise_blocks_and_darkness_are_measured(call: Call, files: Path) -> None:
    open_image(CAT).filter(ImageFilter.GaussianBlur(4)).save(files / "blurred.png")
    open_image(CAT).save(files / "blocks.jpg", quality=5)
    open_image(CAT).point(lambda value: value // 5).save(files / "dark.png")
    remarks = {
        name: call("measure_image_quality", path=name).structured_content["remarks"]
        for name in ("cat.jpg", "blurred.png", "blocks.jpg", "dark.png")
    }
    assert remarks["cat.jpg"] == []
    assert "it is probably blurred, or shows little detail" in remarks["blurred.png"]
    assert "blocks of strong JPEG compression are seen" in remarks["blocks.jpg"]
    assert "it is dark" in remarks["dark.png"]


def test_the_main_colours_are_named_with_their_shares(call: Call, files: Path) -> None:
    image = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    image.paste((255, 0, 0, 255), (0, 0, 100, 60))
    image.paste((0, 0, 128, 255), (0, 60, 100, 80))
    image.save(files / "flag.png")
    colors = call("list_image_colors", path="flag.png").structured_content["colors"]
    assert [(color["color"], color["name"], color["share"]) for color in colors] == [
        ("#ff0000", "red", 0.75),
        ("#000080", "navy", 0.25),
    ]


def test_a_file_says_what_it_holds_and_a_part_of_it_is_seen_enlarged(call: Call, files: Path) -> None:
    exif = Image.Exif()
    exif[0x010F] = "Camera Works"
    exif.get_ifd(0x8825).update({1: "S", 2: (33.0, 30.0, 0.0), 3: "E", 4: (151.0, 15.0, 0.0)})
    open_image(COFFEE).save(files / "gps.jpg", exif=exif, dpi=(300, 300))
    info = call("get_image_info", path="gps.jpg").structured_content
    assert (info["format"], info["width_px"], info["dpi"]) == ("JPEG", 600, 300)
    assert (info["exif"]["Make"], info["exif"]["latitude"], info["exif"]["longitude"]) == (
        "Camera Works",
        "-33.500000",
        "151.250000",
    )
    assert call("get_image_info", path="coffee.jpg").structured_content["exif"] == {}
    make_image(call, files, "convert_image", path="gps.jpg", target="clean.jpg")
    assert not open_image(files / "clean.jpg").getexif()
    view = call("view_image", path="coffee.jpg", bbox_px=[100, 100, 200, 180])
    assert [block.type for block in view.content] == ["text", "image"]
    assert "at 8.00 of its size" in read_text(view)


def test_bombs_and_other_files_are_refused_before_they_are_decoded(call: Call, files: Path) -> None:
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 1, 0, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b"")]
    bomb = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    (files / "bomb.png").write_bytes(bomb)
    (files / "drawing.png").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    (files / "half.jpg").write_bytes(COFFEE.read_bytes()[:20_000])
    assert "the limit is 50,000,000 pixels" in read_text(call("mirror_image", path="bomb.png", target="a.png"))
    assert "is not a picture" in read_text(call("get_image_info", path="drawing.png"))
    assert "is damaged" in read_text(call("mirror_image", path="half.jpg", target="a.png"))
    assert "end it with .png" in read_text(call("mirror_image", path="coffee.jpg", target="a.svg"))
    assert "'reddish' is not a valid colour" in read_text(
        call("frame_image", path="coffee.jpg", target="a.png", border_px=[4], color="reddish")
    )
    assert not (files / "a.png").exists()
