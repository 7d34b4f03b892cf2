"""Tags, colours and likeness of photographs, without a vision model."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw
from support.answers import Call
from support.pictures import COFFEE

from yardkit.models.embedded.store import MODELS_VARIABLE


def list_words(picture: dict[str, Any]) -> list[str]:
    return [tag["label"] for tag in picture["tags"]]


def test_photographs_of_a_folder_get_the_words_of_what_they_show(done: Call, files: Path) -> None:
    (files / "notes.txt").write_text("no picture")
    (files / "torn.jpg").write_bytes(COFFEE.read_bytes()[:9000])
    reply = done("tag_images", path=".")
    assert {picture["path"]: list_words(picture)[0] for picture in reply["pictures"]} == {
        "astronaut.jpg": "person",
        "cat.jpg": "cat",
        "coffee.jpg": "cup",
    }
    assert list(reply["unread"]) == ["torn.jpg"]
    assert reply["origin"]["quality"] == "facts_only"
    first = done("tag_images", path=".", limit=1, offset=1)
    assert ([picture["path"] for picture in first["pictures"]], first["total"], first["next_offset"]) == (
        ["cat.jpg"],
        4,
        2,
    )


def test_colours_are_named_with_their_shares_and_a_part_has_its_own(done: Call, files: Path) -> None:
    flag = Image.new("RGB", (300, 200), "#F4D820")
    ImageDraw.Draw(flag).rectangle((0, 0, 299, 49), fill="#2860D8")
    flag.save(files / "flag.png")
    [tagged_picture] = done("tag_images", path="flag.png")["pictures"]
    assert [(color["name"], color["hex"], color["share"]) for color in tagged_picture["colours"]] == [
        ("yellow", "#F4D820", 0.75),
        ("blue", "#2860D8", 0.25),
    ]
    [part] = done("tag_images", path="flag.png", bbox_px=[0, 0, 300, 50])["pictures"]
    assert [color["name"] for color in part["colours"]] == ["blue"]
    assert (part["width_px"], part["height_px"], part["in_colour"]) == (300, 50, True)
    Image.new("L", (64, 64), 128).save(files / "grey.png")
    [grey] = done("tag_images", path="grey.png")["pictures"]
    assert (grey["in_colour"], grey["brightness"], [color["name"] for color in grey["colours"]]) == (
        False,
        0.5,
        ["grey"],
    )


def test_the_nearest_pictures_come_first_and_the_example_is_left_out(done: Call, refused: Call, files: Path) -> None:
    with Image.open(COFFEE) as cup:
        cup.crop((60, 40, 540, 360)).save(files / "crop.png")
    matches = done("find_images", path=".", other="coffee.jpg")["pictures"]
    assert matches[0]["path"] == "crop.png"
    assert matches[0]["similarity"] > 0.9
    assert {picture["path"] for picture in matches[1:] if picture["similarity"] < 0.5} == {"cat.jpg", "astronaut.jpg"}
    assert "a CLIP model" in refused("find_images", path=".", query="a cup")
    assert "give exactly one of `other` and `query`" in refused("find_images", path=".")


def test_copies_are_grouped_and_other_pictures_stay_alone(done: Call, files: Path) -> None:
    (files / "more").mkdir()
    (files / "more" / "same.jpg").write_bytes(COFFEE.read_bytes())
    with Image.open(files / "cat.jpg") as cat:
        cat.resize((225, 150)).save(files / "small-cat.png")
    groups = done("group_images", path=".")["groups"]
    assert [(group["paths"], group["same_file"]) for group in groups] == [
        (["cat.jpg", "small-cat.png"], False),
        (["coffee.jpg", "more/same.jpg"], True),
    ]


def test_links_out_of_the_folder_and_folders_without_pictures_are_not_looked_at(
    refused: Call, files: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.jpg").write_bytes(COFFEE.read_bytes())
    (files / "links").mkdir()
    (files / "links" / "secret.jpg").symlink_to(tmp_path / "secret.jpg")
    (files / "links" / "outside").symlink_to(tmp_path)
    assert "'links' contains no pictures" in refused("tag_images", path="links")
    assert "names a picture" not in refused("group_images", path="links")


@pytest.mark.parametrize("tool", ["tag_images", "group_images"])
def test_without_models_the_command_that_gets_them_is_said(
    refused: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path / "none"))
    assert "`yardkit models add small`" in refused(tool, path=".")


@pytest.mark.parametrize("name", ["deep.png", "deep.tif", "measured.tif", "print.jpg", "palette.gif", "two.tif"])
def test_pictures_of_any_depth_and_kind_are_seen_as_they_look(done: Call, files: Path, name: str) -> None:
    with Image.open(files / "cat.jpg") as cat:
        grey = np.asarray(cat.convert("L"))
        pictures = {
            "deep.png": Image.fromarray(grey.astype(np.uint16) * 257),
            "deep.tif": Image.fromarray(grey.astype(np.uint16) * 257),
            "measured.tif": Image.fromarray((grey / 255).astype(np.float32)),
            "print.jpg": cat.convert("CMYK"),
            "palette.gif": cat.convert("P"),
            "two.tif": cat.copy(),
        }[name]
        pages: dict[str, Any] = {"save_all": True, "append_images": [cat.rotate(90)]} if name == "two.tif" else {}
        pictures.save(files / name, **pages)
    [seen] = done("tag_images", path=name)["pictures"]
    assert "cat" in list_words(seen)
    assert 0.4 < seen["brightness"] < 0.5


def test_pages_that_look_alike_are_no_copies_and_pictures_of_phones_are_seen(done: Call, files: Path) -> None:
    (files / "folder").mkdir()
    with Image.open(COFFEE) as cup:
        cup.save(files / "folder/cup.avif")
        cup.resize((300, 200)).save(files / "folder/cup.jpg", quality=70)
    for number in range(2):
        page = Image.new("RGB", (400, 500), "white")
        for line in range(20):
            words = " ".join(f"{(line * 7 + word * 13 + number * 31) % 97:02d}ab" for word in range(11))
            ImageDraw.Draw(page).text((20, 20 + 22 * line), words, fill="black")
        page.save(files / f"folder/page{number}.png")
    groups = done("group_images", path="folder")["groups"]
    assert {tuple(group["paths"]): group["same_details"] for group in groups} == {
        ("folder/cup.avif", "folder/cup.jpg"): True,
        ("folder/page0.png", "folder/page1.png"): False,
    }


def test_a_little_colour_is_colour_and_what_is_transparent_has_none(done: Call, files: Path) -> None:
    page = Image.new("RGB", (600, 800), "white")
    ImageDraw.Draw(page).ellipse((450, 650, 500, 700), outline="#C00000", width=6)
    page.save(files / "stamped.png")
    [facts] = done("tag_images", path="stamped.png")["pictures"]
    assert facts["in_colour"]
    icon = Image.new("RGBA", (300, 300))
    ImageDraw.Draw(icon).ellipse((100, 100, 200, 200), fill="white")
    icon.save(files / "icon.png")
    [facts] = done("tag_images", path="icon.png")["pictures"]
    assert [(colour["name"], colour["share"]) for colour in facts["colours"]] == [("white", 1.0)]
