"""Every tool that reads or changes pictures, over the zoo: right, or the result says what it did not see or keep."""

import io
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from support.answers import make_caller, read_text
from support.scale import count_tries
from zoo.pictures import CODE, PAGES, SIZE, TEXT, ZOO, ZooPicture, build_picture

from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world

NAMES = random.Random("zoo").sample(sorted(ZOO), count_tries(len(ZOO), 3))
_SEVERAL = [name for name, kind in ZOO.items() if kind.pages > 1][: count_tries(9, 1)]
_HARD = ("phone.heic", "pages.tif", "broken-resolution.jpg", "turned.avif", "wide.jpg", "float.tif")[
    : count_tries(9, 2)
]
TARGETS = {".png": "PNG", ".jpg": "JPEG", ".webp": "WEBP", ".gif": "GIF", ".tiff": "TIFF", ".bmp": "BMP"}


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    world = World.create(tmp_path / "world", task="zoo", seed=1)
    with use_world(world):
        yield world.files


def call(server: str, tool: str, **arguments: Any) -> Any:
    result = make_caller(load_server(server))(tool, **arguments)
    assert not result.is_error, read_text(result)
    return result


def put_picture(files: Path, name: str) -> ZooPicture:
    (files / name).write_bytes(build_picture(name))
    return ZOO[name]


@pytest.mark.parametrize("name", NAMES)
def test_text_and_codes_are_read_in_every_kind(files: Path, name: str) -> None:
    put_picture(files, name)
    assert TEXT.replace(" ", "") in read_text(call("ocr", "read_image_text", path=name)).replace(" ", "")
    assert repr(CODE) in read_text(call("barcodes", "read_barcodes", path=name))
    info = call("images", "get_image_info", path=name).structured_content
    assert [info["width_px"], info["height_px"]] == [*SIZE]
    assert info["frames"] * info["pages"] == ZOO[name].pages


@pytest.mark.parametrize("name", _HARD)
@pytest.mark.parametrize(
    ("server", "tool", "arguments"),
    [
        ("images", "view_image", {}),
        ("images", "list_image_colors", {}),
        ("images", "measure_image_quality", {}),
        ("images", "measure_image_difference", {"other": "rgb.png"}),
        ("images", "overlay_image", {"path": "rgb.png", "target": "out.png"}),
        ("detection", "detect_objects", {}),
        ("counting", "count_objects", {}),
        ("segmentation", "segment_object", {"bbox_px": [296, 161, 364, 239]}),
        ("faces", "find_faces", {}),
        ("vision", "tag_images", {}),
        ("layout", "read_layout", {}),
        ("barcodes", "mark_barcodes", {"target": "out.png"}),
        ("render", "render_pages", {}),
    ],
)
def test_every_tool_reads_what_is_hard_to_read(
    files: Path, name: str, server: str, tool: str, arguments: dict[str, Any]
) -> None:
    kind = put_picture(files, name)
    put_picture(files, "rgb.png")
    named = {"other": name} if tool == "overlay_image" else {"path": name}
    words = read_text(call(server, tool, **{**named, **arguments}))
    if kind.pages > 1 and server != "render":
        assert f"{PAGES} pages" in words


@pytest.mark.parametrize("name", _SEVERAL)
@pytest.mark.parametrize(
    ("server", "tool", "arguments"),
    [
        ("images", "view_image", {}),
        ("images", "list_image_colors", {}),
        ("barcodes", "read_barcodes", {}),
        ("ocr", "find_image_text", {"query": "DOOR"}),
        ("images", "straighten_image", {"target": "out.png", "corners_px": [[0, 0], [400, 0], [400, 300], [0, 300]]}),
        ("render", "convert_file", {"target": "out.jpg"}),
        ("barcodes", "mark_barcodes", {"target": "out.png"}),
    ],
)
def test_a_tool_that_looks_at_one_of_several_pictures_says_so(
    files: Path, name: str, server: str, tool: str, arguments: dict[str, Any]
) -> None:
    kind = put_picture(files, name)
    words = read_text(call(server, tool, path=name, **arguments))
    assert f"{PAGES} {'frames' if kind.moves else 'pages'}" in words, words


@pytest.mark.parametrize(
    ("server", "tool", "arguments"),
    [
        ("pdf", "create_pdf", {"path": "new.pdf", "source": "page.md"}),
        ("pdf", "stamp_pdf", {"path": "page.pdf", "stamps": [{"image": "pages.tif"}]}),
        ("documents", "convert_document", {"path": "page.md", "target": "new.docx"}),
        ("slides", "place_slide_picture", {"path": "deck.pptx", "slide": 1, "image": "pages.tif"}),
        ("sheets", "place_image", {"path": "book.xlsx", "action": "add", "image": "pages.tif", "at": "A1"}),
    ],
)
def test_pages_that_are_not_put_into_a_document_are_counted(
    files: Path, server: str, tool: str, arguments: dict[str, Any]
) -> None:
    put_picture(files, "pages.tif")
    (files / "page.md").write_text("# Page\n\n![picture](pages.tif)\n")
    call("pdf", "create_pdf", path="page.pdf", markdown="Page")
    call("slides", "create_deck", path="deck.pptx", slides=[{"title": "Page"}])
    call("sheets", "write_cells", path="book.xlsx", rows=[["Page"]])
    assert f"pages.tif has {PAGES} pages; only page 1 was used" in read_text(call(server, tool, **arguments))


def test_a_resolution_stays_or_is_said_to_be_lost(files: Path) -> None:
    Image.new("RGB", (60, 40)).save(files / "scan.png", dpi=(300, 300))
    for name, is_kept in (("half.jpg", True), ("half.tif", True), ("half.webp", False)):
        words = read_text(call("images", "resize_image", path="scan.png", target=name, width_px=30))
        with Image.open(files / name) as half:
            assert (round(float(half.info.get("dpi", (0, 0))[0])) == 300) == is_kept
        assert ("Not kept: 300 dpi" in words) != is_kept


def test_a_picture_with_marks_says_what_of_the_original_it_has_not(files: Path) -> None:
    put_picture(files, "phone.jpg")
    assert "Not kept: EXIF" in read_text(call("barcodes", "mark_barcodes", path="phone.jpg", target="out.png"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("suffix", TARGETS)
def test_what_a_change_does_not_keep_is_counted_and_said(files: Path, name: str, suffix: str) -> None:
    kind = put_picture(files, name)
    data = (files / name).read_bytes()
    words = read_text(call("images", "convert_image", path=name, target=f"out{suffix}"))
    lost = words.partition("Not kept: ")[2].partition("\n")[0]
    with Image.open(io.BytesIO((files / f"out{suffix}").read_bytes())) as out:
        assert (out.format, out.size) == (TARGETS[suffix], SIZE)
        is_clear = name in ("masked.png",)
        losses = {
            "pages": kind.pages > 1 and getattr(out, "n_frames", 1) < kind.pages,
            "bits per channel": kind.bits > 8,
            "transparency": is_clear and not out.has_transparency_data,
            "the colour profile": bool(kind.profile),
            "CMYK": name.startswith("print"),
            "EXIF": any("EXIF" in part for part in kind.metadata),
            "comments": "comments" in kind.metadata,
            "attached": bool(kind.attached),
        }
        assert not out.info.get("icc_profile")
    counted = {fact: fact in lost or (fact == "pages" and "frames" in lost) for fact in losses}
    assert counted == losses, words
    assert all(note in words for note in kind.notes)
    assert (files / name).read_bytes() == data


def test_the_frames_of_a_moving_picture_keep_their_times_and_repetitions(files: Path) -> None:
    put_picture(files, "moving.gif")
    for target in ("out.gif", "out.webp", "out.png"):
        call("images", "resize_image", path="moving.gif", target=target, width_px=240)
        with Image.open(files / target) as out:
            durations = []
            for number in range(PAGES):
                out.seek(number)
                out.load()
                durations.append(out.info["duration"])
            assert (durations, out.info["loop"], out.size) == ([100] * PAGES, 0, (240, 160))


def test_a_page_can_be_saved_alone(files: Path) -> None:
    put_picture(files, "pages.tif")
    words = read_text(call("images", "convert_image", path="pages.tif", target="second.png", page=2))
    assert "Not kept" not in words
    assert "PAGENUMBER2" in read_text(call("ocr", "read_image_text", path="second.png")).replace(" ", "")
    assert "PAGENUMBER3" in read_text(call("ocr", "read_image_text", path="pages.tif", page=3)).replace(" ", "")
    assert "'PAGE-3'" in read_text(call("barcodes", "read_barcodes", path="pages.tif", page=3))


def test_a_page_that_cannot_be_changed_in_this_way_is_named(files: Path) -> None:
    Image.new("RGB", (200, 100)).save(files / "d.tif", save_all=True, append_images=[Image.new("RGB", (90, 90))])
    box = [120, 20, 180, 90]
    answer = make_caller(load_server("images"))("crop_image", path="d.tif", target="out.tif", bbox_px=box)
    assert "page 2 of 'd.tif' cannot be changed in this way" in read_text(answer)
    assert not (files / "out.tif").exists()
