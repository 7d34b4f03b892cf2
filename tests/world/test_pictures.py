"""The loader of pictures over all kinds of the zoo: upright, in its colours, and what the file has."""

from typing import Any

import numpy as np
import pytest
from zoo.pictures import PATCHES, SIZE, ZOO, build_picture, draw_scene, make_profile, save_image

from yardkit.world import Problem
from yardkit.world.pictures import flatten_picture, load_picture, read_contents


@pytest.mark.parametrize("name", ZOO)
def test_every_picture_is_read_as_a_viewer_shows_it(name: str) -> None:
    kind = ZOO[name]
    image = flatten_picture(load_picture(build_picture(name)).image)
    assert image.size == SIZE
    scene = draw_scene().convert("L").convert("RGB") if kind.grey else draw_scene()
    image_pixels, right = (np.asarray(picture, int) for picture in (image, scene))
    for x, y in (*PATCHES, (300, 10)):
        assert np.abs(image_pixels[y, x] - right[y, x]).max() <= kind.tolerance, (x, y, image_pixels[y, x], right[y, x])


@pytest.mark.parametrize("name", ZOO)
def test_the_contents_of_every_picture_are_counted(name: str) -> None:
    kind = ZOO[name]
    contents = read_contents(build_picture(name))
    assert (contents.width_px, contents.height_px) == SIZE
    assert (contents.pages, contents.moves, contents.bits, contents.attached) == (
        *(kind.pages, kind.moves, kind.bits, kind.attached),
    )
    assert (contents.profile, contents.metadata, contents.transparent) == (
        *(kind.profile, kind.metadata, kind.transparent),
    )
    assert len(contents.notes) == len(kind.notes)
    assert all(words in note for words, note in zip(kind.notes, contents.notes, strict=True))


def test_each_page_and_frame_is_read_by_its_number() -> None:
    for name in ("pages.tif", "moving.gif", "moving.avif"):
        data = build_picture(name)
        third = np.asarray(flatten_picture(load_picture(data, 3).image), int)
        assert np.abs(third - np.asarray(draw_scene(2), int)).mean() < 3, name
        with pytest.raises(Problem, match="page 4 does not exist in 'the picture'; it has 3 pages"):
            load_picture(data, 4)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it is empty"),
        (b"%PDF-1.7", "it is a PDF"),
        (b"\0\0\0\x0cJXL \r\n\x87\n", "JPEG XL"),
        (b"\0\0\0\x18ftypisom", "it is a video"),
        (b"II*\0\x08\0\0\0\0\0\0\0\0\0", "TIFF whose compression or kind of pixels is not supported"),
        (save_image(draw_scene(), "TIFF", tiffinfo={254: 1, 330: 8}), "camera raw file"),
        (save_image(draw_scene(), "JPEG")[:4000], "is damaged"),
    ],
)
def test_what_is_not_read_is_named(data: bytes, words: str) -> None:
    with pytest.raises(Problem, match=words):
        load_picture(data)


def test_a_picture_whose_end_is_missing_is_damaged() -> None:
    for read in (load_picture, read_contents):
        with pytest.raises(Problem, match="is damaged"):
            read(save_image(draw_scene(), "PNG")[:-12] + b"\0\0\0\x1eIDAT")


def test_a_profile_of_srgb_changes_nothing() -> None:
    from PIL import ImageCms

    profile: Any = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
    data = save_image(draw_scene(), "PNG", icc_profile=profile.tobytes())
    assert load_picture(data).image.tobytes() == draw_scene().tobytes()
    assert read_contents(data).profile == ""


def test_a_profile_of_another_kind_than_the_pixels_is_left_out() -> None:
    data = save_image(draw_scene().convert("CMYK"), "TIFF", icc_profile=make_profile("Zoo wide"))
    image = load_picture(data).image
    assert (image.mode, image.info) == ("RGB", {})
