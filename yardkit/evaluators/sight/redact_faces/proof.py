"""Solutions and near misses of sight/redact_faces."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf
from yardkit.evaluators.solving.solver import find_paths, read_full_sheet

BEFORE, AFTER = "newsletter.pdf", "newsletter_public.pdf"
Box = Sequence[float]
Cover = Callable[[Any, tuple[int, ...]], None]  # changes a picture of Pillow within a box


def solve(agent: Agent) -> str:
    """Find the faces on the pictures in the file, tell them by the captions below, redact those without a consent."""
    places = _list_hidden_areas(agent)
    agent.call("redact_pdf", path=BEFORE, areas=[_make_area(place) for place in places], target=AFTER)
    return f"{len(places)}"


def alternative_larger_white_covers(agent: Agent, files: Path) -> str:
    """Half of a face more on each side, in white, page by page."""
    places = _list_hidden_areas(agent)
    for number in (1, 2):
        if here := [_make_area(place, 0.3) for place in places if place["page"] == number]:
            source = AFTER if (files / AFTER).exists() else BEFORE
            agent.call("redact_pdf", path=source, areas=here, color="#FFFFFF", target=AFTER)
    return f"I hid so many faces:\n**{len(places)}**"


def alternative_a_mosaic_by_another_program(agent: Agent, files: Path) -> str:
    """The pictures in the file get a mosaic of seven by seven for each face, by Pillow and pikepdf."""
    places = _list_hidden_areas(agent)
    _repaint_pictures(files, [(place["page"], _grow_box(place["box"], 0.1)) for place in places], _apply_mosaic)
    return f"{len(places)} faces."


@caught_by_leaf("gone")
def near_miss_only_the_eyes(work: Solved) -> None:
    bars = [
        (face["page"], (box[0], box[1], box[2], box[1] + 0.35 * (box[3] - box[1])))
        for face, box in _list_hidden_faces(work)
    ]
    _repaint_pictures(work.files, bars)


@caught_by_leaf("gone")
def near_miss_one_picture_of_a_guest_overlooked(work: Solved) -> None:
    _repaint_pictures(work.files, [(face["page"], box) for face, box in _list_hidden_faces(work)[1:]])


@caught_by_leaf("stays")
def near_miss_somebody_who_agreed_hidden_as_well(work: Solved) -> None:
    other = next(face for face in work.facts["faces"] if not face["hidden"])
    _repaint_pictures(
        work.files, [(face["page"], box) for face, box in [*_list_hidden_faces(work), (other, other["box"])]]
    )


@caught_by_leaf("nothing_below")
def near_miss_boxes_drawn_over_the_faces(work: Solved) -> None:
    import pikepdf

    with pikepdf.open(work.files / BEFORE) as document:
        for face, (left, top, right, bottom) in _list_hidden_faces(work):
            drawn = f"q 0 0 0 rg {left} {841.89 - bottom} {right - left} {bottom - top} re f Q".encode()
            document.pages[face["page"] - 1].contents_add(pikepdf.Stream(document, drawn))
        document.save(work.files / AFTER)


@caught_by_leaf("rest")
def near_miss_captions_hidden_as_well(work: Solved) -> None:
    shots = [(face["page"], (*face["shot"][:3], face["print"][3])) for face, _ in _list_hidden_faces(work)]
    _repaint_pictures(work.files, shots)


near_miss_the_newsletter_as_it_was = misses.overwrite_file(AFTER, BEFORE, caught_by="gone")
near_miss_page_left_out = misses.page_gone(AFTER, 2, caught_by="rest")
near_miss_guests_counted_instead_of_faces = misses.change_answer(
    lambda work: work.facts["guests"] if work.facts["guests"] != work.facts["covered"] else 8
)
near_miss_list_of_consents_deleted = misses.delete_file("consents.xlsx")


def _list_hidden_faces(work: Solved) -> list[tuple[Mapping[str, Any], Box]]:
    return [(face, _grow_box(face["box"], 0.15)) for face in work.facts["faces"] if face["hidden"]]


def _apply_mosaic(picture: Any, box: tuple[int, ...]) -> None:
    part = picture.crop(box)
    picture.paste(part.resize((7, 7), 4).resize(part.size, 0), box)


def _repaint_pictures(files: Path, covers: Sequence[tuple[int, Box]], cover: Cover | None = None) -> None:
    """Change the pictures of the newsletter in boxes of its pages, in points: black without `cover`."""
    import pikepdf
    import pypdfium2

    newsletter = pypdfium2.PdfDocument(files / BEFORE)
    with pikepdf.open(files / BEFORE) as document:
        for number, page in enumerate(document.pages):
            images = dict(page.get_images())
            places = [image_object.get_bounds() for image_object in newsletter[number].get_objects(filter=[3])]
            drawn = [str(part.operands[0]) for part in pikepdf.parse_content_stream(page) if str(part.operator) == "Do"]
            for name, (left, _, right, top) in zip(drawn, places, strict=True):
                picture = pikepdf.PdfImage(images[name]).as_pil_image().convert("RGB")
                scale = picture.width / (right - left)
                for here, box in covers:
                    x, y = (box[0] - left) * scale, (box[1] - (841.89 - top)) * scale
                    if here == number + 1 and 0 <= x < picture.width and 0 <= y < picture.height:
                        sides = (x, y, x + (box[2] - box[0]) * scale, y + (box[3] - box[1]) * scale)
                        cover_box = tuple(round(side) for side in sides)
                        cover(picture, cover_box) if cover else picture.paste((0, 0, 0), cover_box)
                buffer = io.BytesIO()
                picture.save(buffer, "JPEG", quality=95)
                images[name].write(buffer.getvalue(), filter=pikepdf.Name.DCTDecode)
        document.save(files / AFTER)
    newsletter.close()


def _grow_box(box: Box, part: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    wide, tall = (right - left) * part, (bottom - top) * part
    return left - wide, top - tall, right + wide, bottom + tall


def _make_area(place: Mapping[str, Any], part: float = 0.05) -> dict[str, Any]:
    return {"page": place["page"], "box": list(_grow_box(place["box"], part))}


def _list_hidden_areas(agent: Agent) -> list[dict[str, Any]]:
    """The faces that must be hidden: page and box in points."""
    rows = read_full_sheet(agent, "consents.xlsx", "Consents")[1:]
    agreed = {str(row[0]): row[2] == "yes" for row in sorted(rows, key=lambda row: str(row[3]))}
    items = agent.call("list_pdf_items", path=BEFORE, what="images")["items"]
    agent.call("extract_pdf_files", path=BEFORE, folder="scratch", what="images")
    hidden_areas = []
    for path, item in zip(find_paths(agent, "scratch"), items, strict=True):
        captions = [piece for piece in agent.call("read_image_text", path=path)["pieces"] if piece["bbox_px"][1] > 330]
        seen = agent.call("find_faces", path=path)
        for face in seen["faces"]:
            middle = (face["box"][0] + face["box"][2]) / 2
            below = min(captions, key=lambda piece: abs(sum(piece["bbox_px"][::2]) / 2 - middle))["text"]
            number = re.search(r"\d{4}", below)
            if number and not agreed.get(number.group(), False):
                hidden_areas.append(
                    {"page": item["page"], "box": _in_points(face["box"], item["box"], seen["width_px"])}
                )
    agent.call("delete_path", path="scratch", recursive=True)
    return hidden_areas


def _in_points(box: Box, place: Box, width_px: int) -> list[float]:
    scale = (place[2] - place[0]) / width_px
    return [place[side % 2] + value * scale for side, value in enumerate(box)]
