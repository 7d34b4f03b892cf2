"""Solutions and near misses of studio/brand_collage."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solving.solver import find_paths, read_full_text

COLLAGE = "collage.png"
Box = tuple[int, int, int, int]
Brand = Mapping[str, Any]


def solve(agent: Agent) -> str:
    """Choose by size, likeness and sharpness, fit each photo whole into a cell, lay the logo, look."""
    chosen, left_out = _choose_photos(agent)
    brand = _read_brand(agent)
    _make_canvas(agent, brand)
    for path, box in zip(chosen, _list_cells(brand), strict=True):
        _lay_photo(agent, path, box)
    _lay_logo(agent, brand)
    agent.call("find_faces", path=COLLAGE)
    agent.look("view_image", path=COLLAGE)
    return f"{left_out}"


def alternative_in_another_order_and_smaller(agent: Agent, _files: Path) -> str:
    """From the last to the first, a little smaller than the cells."""
    chosen, left_out = _choose_photos(agent)
    brand = _read_brand(agent)
    _make_canvas(agent, brand)
    _lay_logo(agent, brand)
    for path, (left, top, right, bottom) in zip(chosen[::-1], _list_cells(brand), strict=True):
        _lay_photo(agent, path, (left + 3, top + 3, right - 3, bottom - 3))
    agent.look("view_image", path=COLLAGE)
    return f"I left out\n\n**{left_out}**"


def alternative_cropped_by_another_program(agent: Agent, files: Path) -> str:
    """Pillow crops what can be cropped to the shape of its cell, around faces, and fits the others."""
    import PIL.Image
    import PIL.ImageOps

    chosen, left_out = _choose_photos(agent)
    brand = _read_brand(agent)
    sheet = PIL.Image.new("RGB", (brand["width"], brand["height"]), brand["color"])
    for path, box in zip(chosen, _list_cells(brand), strict=True):
        faces = agent.call("find_faces", path=path)["faces"]
        with PIL.Image.open(files / path) as stored:
            image = PIL.ImageOps.exif_transpose(stored).convert("RGB")
        size = (box[2] - box[0], box[3] - box[1])
        small = (
            PIL.ImageOps.fit(image, size)
            if faces and image.width < 1.1 * image.height
            else PIL.ImageOps.contain(image, size)
        )
        sheet.paste(small, (box[0] + (size[0] - small.width) // 2, box[1] + (size[1] - small.height) // 2))
    sheet.save(files / COLLAGE)
    _lay_logo(agent, brand)
    agent.look("view_image", path=COLLAGE)
    return f"{left_out} files"


def _redo_collage(change: Callable[..., Any] = lambda image, _at: image, **brand: Any) -> Callable[[Any, Solved], Any]:
    """A change that makes the collage anew from the right photos, one or all of them, or the brand, otherwise."""

    def redo(image: Any, work: Solved) -> Any:
        import PIL.Image
        import PIL.ImageOps

        facts = {**work.facts, **brand}
        sheet = PIL.Image.new("RGB", image.size, facts["color"])
        for at, (expected_photo, box) in enumerate(zip(work.facts["photos"], _list_cells(facts), strict=True)):
            with PIL.Image.open(work.files / expected_photo["path"]) as stored:
                photo = change(PIL.ImageOps.exif_transpose(stored).convert("RGB"), at)
            small = PIL.ImageOps.contain(photo, (box[2] - box[0], box[3] - box[1]))
            sheet.paste(small, ((box[0] + box[2] - small.width) // 2, (box[1] + box[3] - small.height) // 2))
        left, top, right, bottom = _logo_box(work.facts)
        sheet.paste(image.crop((left, top, right, bottom)), (left, top))
        return sheet

    return redo


def _blur_picture(image: Any, at: int) -> Any:
    import PIL.ImageFilter

    return image.filter(PIL.ImageFilter.GaussianBlur(3.2)) if at == 0 else image


near_miss_blurred_shot_taken = misses.picture_changed(COLLAGE, _redo_collage(_blur_picture), caught_by="motifs")
near_miss_small_copy_taken = misses.picture_changed(
    COLLAGE,
    _redo_collage(
        lambda image, at: (
            image.resize((image.width * 2 // 5, image.height * 2 // 5)).resize(image.size) if at == 1 else image
        )
    ),
    caught_by="motifs",
)
near_miss_motif_left_out = misses.picture_changed(
    COLLAGE,
    _redo_collage(lambda image, at: image if at else image.resize((8, 8)).resize((400, 400))),
    caught_by="motifs",
)
near_miss_squeezed_into_the_cells = misses.picture_changed(
    COLLAGE, _redo_collage(lambda image, _at: image.resize((430, 430))), caught_by="shapes"
)
near_miss_head_cut = misses.picture_changed(
    COLLAGE,
    _redo_collage(lambda image, at: image.crop((0, round(image.height * 0.4), *image.size)) if at < 3 else image),
    caught_by="faces",
)
near_miss_another_blue = misses.picture_changed(COLLAGE, _redo_collage(color="#4A6C8C"), caught_by="ground")
near_miss_gaps_too_narrow = misses.picture_changed(COLLAGE, _redo_collage(gap=4, margin=12), caught_by="room")


@misses.picture_changes(COLLAGE, caught_by="ground")
def near_miss_frame_around_all(image: Any) -> Any:
    import PIL.ImageDraw

    PIL.ImageDraw.Draw(image).rectangle((6, 6, image.width - 7, image.height - 7), outline="white", width=6)
    return image


@misses.picture_changes(COLLAGE, caught_by="logo")
def near_miss_logo_gone(image: Any, work: Solved) -> Any:
    image.paste(work.facts["color"], _logo_box(work.facts))
    return image


near_miss_other_size = misses.picture_shrunk(COLLAGE, 1200, caught_by="size")
near_miss_nobody_looked = misses.never_inspected()
near_miss_chosen_photos_counted = misses.change_answer(lambda work: work.facts["others"] + 6)


def _logo_box(brand: Brand) -> Box:
    """A box in the corner in which the logo stands, with some room."""
    wide, high, margin = brand["logo"], 112, brand["margin"]
    left = margin if "left" in brand["corner"] else brand["width"] - margin - wide
    top = margin if "top" in brand["corner"] else brand["height"] - margin - high
    return left, top, left + wide, top + high


def _list_cells(brand: Brand) -> Iterator[Box]:
    """Three cells in each of two rows, beside a strip at the top or at the bottom that belongs to the logo."""
    margin, gap, strip = brand["margin"], brand["gap"], 96 + brand["gap"]
    top = margin + (strip if "top" in brand["corner"] else 0)
    wide = (brand["width"] - 2 * margin - 2 * gap) // 3
    high = (brand["height"] - 2 * margin - strip - gap) // 2
    for row in range(2):
        for column in range(3):
            left, upper = margin + column * (wide + gap), top + row * (high + gap)
            yield left, upper, left + wide, upper + high


def _read_brand(agent: Agent) -> dict[str, Any]:
    sheet = read_full_text(agent, "brand_sheet.md")
    width, height = re.findall(r"(\d+) x (\d+) pixels", sheet)[0]
    measures = map(int, re.findall(r"(\d+)\s+pixels", sheet)[1:])
    names = ("margin", "gap", "least", "cell", "edge", "logo", "apart")
    color, corner = re.findall(r"ground is (#\w+)", sheet)[0], re.findall(r"in the (\w+ \w+) corner", sheet)[0]
    known = dict(zip(names, measures, strict=True))
    return known | {"width": int(width), "height": int(height), "color": color, "corner": corner}


def _make_canvas(agent: Agent, brand: Brand) -> None:
    """The ground alone, made from a photo that is covered as a whole."""
    wide, high = brand["width"], brand["height"]
    agent.call("resize_image", path="logo.png", target=COLLAGE, width_px=wide, height_px=high, fit="stretch")
    agent.call("cover_image_regions", path=COLLAGE, target=COLLAGE, boxes_px=[[0, 0, wide, high]], color=brand["color"])


def _lay_photo(agent: Agent, path: str, box: Sequence[int]) -> None:
    """A photo, whole, in the middle of a box."""
    info = agent.call("get_image_info", path=path)
    wide, high = info["width_px"], info["height_px"]
    scale = min((box[2] - box[0]) / wide, (box[3] - box[1]) / high)
    middle = [round((box[0] + box[2]) / 2), round((box[1] + box[3]) / 2)]
    agent.call(
        "overlay_image", path=COLLAGE, other=path, target=COLLAGE, place="center", position_px=middle,
        width_px=int(wide * scale),
    )  # fmt: skip


def _lay_logo(agent: Agent, brand: Brand) -> None:
    agent.call(
        "overlay_image", path=COLLAGE, other="logo.png", target=COLLAGE, place=brand["corner"].replace(" ", "_"),
        width_px=brand["logo"], margin_px=brand["margin"],
    )  # fmt: skip


def _choose_photos(agent: Agent) -> tuple[list[str], int]:
    """The photos that are large enough, of those that show the same the sharper one; how many are left out."""
    paths = find_paths(agent, "photos")
    sizes = {path: agent.call("get_image_info", path=path) for path in paths if path.endswith(".jpg")}
    large = {path: info for path, info in sizes.items() if min(info["width_px"], info["height_px"]) >= 260}
    chosen_photos: list[str] = []
    for path, info in large.items():
        size = (info["width_px"], info["height_px"])
        same_size_photo = next(
            (
                other
                for other in chosen_photos
                if (large[other]["width_px"], large[other]["height_px"]) == size
                and _show_same_motif(agent, path, other)
            ),
            None,
        )
        if same_size_photo is None:
            chosen_photos.append(path)
        elif _measure_sharpness(agent, path) > _measure_sharpness(agent, same_size_photo):
            chosen_photos[chosen_photos.index(same_size_photo)] = path
    return chosen_photos, len(paths) - len(chosen_photos)


def _show_same_motif(agent: Agent, first: str, other: str) -> bool:
    return bool(agent.call("measure_image_difference", path=first, other=other)["hash_distance"] <= 10)


def _measure_sharpness(agent: Agent, path: str) -> float:
    return float(agent.call("measure_image_quality", path=path)["sharpness"])
