"""Solutions and near misses of studio/receipt_photo."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf
from yardkit.evaluators.readers.media.compositions import flatten_corners
from yardkit.evaluators.solving.solver import find_paths, read_full_sheet, value_beside

PICTURE, BOOK, FLAT = "audit/receipt.jpg", "expenses.xlsx", "scratch/flat.png"
Box = Sequence[float]
Pieces = Sequence[Mapping[str, Any]]


def solve(agent: Agent) -> str:
    """Make each photo flat, read it, cover what is secret on the right one, and read and look at what was made."""
    photo, pieces = _find_receipt(agent)
    boxes = [_grow_box(piece["bbox_px"], 4) for piece in _list_secret_pieces(pieces)]
    agent.call("cover_image_regions", path=FLAT, target=PICTURE, boxes_px=boxes)
    while left := _list_secret_pieces(agent.call("read_image_text", path=PICTURE)["pieces"], pieces):
        boxes = [_grow_box(piece["bbox_px"], 8) for piece in left]
        agent.call("cover_image_regions", path=PICTURE, target=PICTURE, boxes_px=boxes)
    agent.look("view_image", path=PICTURE)
    agent.call("delete_path", path="scratch", recursive=True)
    return _enter_expense(agent, photo, pieces)


def alternative_in_black_and_white(agent: Agent, _files: Path) -> str:
    """White covers, larger than need be, twice as large a picture, and strong contrast."""
    photo, pieces = _find_receipt(agent)
    boxes = [_grow_box(piece["bbox_px"], 7) for piece in _list_secret_pieces(pieces)]
    agent.call("cover_image_regions", path=FLAT, target=FLAT, boxes_px=boxes, color="white")
    agent.call("resize_image", path=FLAT, target=FLAT, width_px=1100)
    agent.call("adjust_image", path=FLAT, target=PICTURE, auto_contrast=True, saturation=0)
    agent.call("read_image_text", path=PICTURE)
    agent.call("delete_path", path="scratch", recursive=True)
    return f"March comes to\n\n**{_enter_expense(agent, photo, pieces)} EUR**"


def alternative_by_another_program(agent: Agent, files: Path) -> str:
    """Pillow pixelates coarsely and stores a preview of the redacted picture; the workbook is saved by openpyxl."""
    import PIL.Image

    photo, pieces = _find_receipt(agent)
    with PIL.Image.open(files / FLAT) as flat:
        image = flat.convert("RGB")
    for piece in _list_secret_pieces(pieces):
        box: Any = tuple(round(side) for side in _grow_box(piece["bbox_px"], 5))
        part = image.crop(box)
        image.paste(part.resize((5, 1), 4).resize(part.size, 0), box[:2])
    (files / PICTURE).parent.mkdir()
    image.save(files / PICTURE, quality=93, dpi=(200, 200), comment="for the auditors")
    agent.call("delete_path", path="scratch", recursive=True)
    answer = _enter_expense(agent, photo, pieces)
    with open_edited(files / BOOK):
        pass
    agent.call("read_media", path=PICTURE)
    return answer


def _get_photo(work: Solved) -> str:
    return str(work.facts["photo"])


def _flatten_receipt(image: Any, work: Solved, hidden: Sequence[Box]) -> Any:
    """The receipt on the photo made flat by its true corners, some boxes black."""
    import numpy as np
    import PIL.Image

    flat = PIL.Image.fromarray(flatten_corners(np.asarray(image), work.facts["corners"], work.facts["size"]))
    for box in hidden:
        sides: Any = tuple(round(side) for side in _grow_box(box, 4))
        flat.paste((0, 0, 0), sides)
    return flat


@misses.picture_changes(PICTURE, caught_by="number", source=_get_photo)
def near_miss_number_in_the_reference_overlooked(image: Any, work: Solved) -> Any:
    return _flatten_receipt(image, work, [work.facts["number"][0], *work.facts["name"]])


@misses.picture_changes(PICTURE, caught_by="name", source=_get_photo)
def near_miss_thanks_to_the_holder_overlooked(image: Any, work: Solved) -> Any:
    return _flatten_receipt(image, work, [*work.facts["number"], work.facts["name"][0]])


@misses.picture_changes(PICTURE, caught_by="number", source=_get_photo)
def near_miss_last_digits_left(image: Any, work: Solved) -> Any:
    cut = [[left, top, left + 0.6 * (right - left), bottom] for left, top, right, bottom in work.facts["number"]]
    return _flatten_receipt(image, work, [*cut, *work.facts["name"]])


@caught_by_leaf("nothing_below")
def near_miss_preview_of_the_photo_kept(work: Solved) -> None:
    """The EXIF data were copied, and the photo as it was with them."""
    import PIL.Image

    with PIL.Image.open(work.files / PICTURE) as image:
        image.load()
        with PIL.Image.open(work.files / work.facts["photo"]) as photo:
            data = bytearray(photo.info["exif"])
        at = data.index(b"\x12\x01\x03\x00\x01\x00\x00\x00")
        data[at + 8] = 1
        image.save(work.files / PICTURE, quality=92, exif=bytes(data))


near_miss_stored_sideways = misses.picture_changed(PICTURE, lambda image: image.transpose(2), caught_by="straight")


@misses.picture_changes(PICTURE, caught_by="straight")
def near_miss_table_left_around(image: Any) -> Any:
    import PIL.ImageOps

    return PIL.ImageOps.expand(image, round(image.width * 0.06), (120, 84, 52))


@misses.picture_changes(PICTURE, caught_by="readable")
def near_miss_payment_block_covered_as_a_whole(image: Any, work: Solved) -> Any:
    scale, top = image.height / work.facts["size"][1], work.facts["number"][0][1]
    image.paste((0, 0, 0), (0, round((top - 230) * scale), image.width, round((top + 70) * scale)))
    return image


near_miss_picture_too_small = misses.picture_shrunk(PICTURE, 380, caught_by="straight")
in_march = misses.InSheet(BOOK, "March")
near_miss_tip_counted_as_well = in_march.edit_sheet(
    lambda sheet: setattr(sheet["F9"], "value", round(sheet["F9"].value + 5, 2)), caught_by="values"
)
near_miss_one_rate_of_vat_forgotten = in_march.edit_sheet(
    lambda sheet: setattr(sheet["E9"], "value", round(sheet["E9"].value * 0.6, 2)), caught_by="values"
)
near_miss_nobody_looked = misses.never_inspected()
near_miss_month_without_the_dinner = misses.change_answer(lambda work: work.facts["total"] - work.facts["row"]["Total"])


def _grow_box(box: Box, by: float) -> list[float]:
    left, top, right, bottom = box
    return [max(0, left - by), max(0, top - by), right + by, bottom + by]


def _parse_request(agent: Agent) -> tuple[str, str]:
    """The restaurant and the day of the dinner."""
    match = re.search(r"dinner at (.+?) on \w+, (\d+) March;", agent.prompt)
    if not match:
        raise LookupError(agent.prompt)
    return match.group(1), f"2026-03-{int(match.group(2)):02}"


def _find_receipt(agent: Agent) -> tuple[str, Pieces]:
    """The photo of the receipt in question, which then lies flat in the scratch folder, and what is written on it."""
    shop, day = _parse_request(agent)
    for path in find_paths(agent, "receipts", ".jpg"):
        agent.call("straighten_image", path=path, target=FLAT)
        pieces: Pieces = agent.call("read_image_text", path=FLAT)["pieces"]
        texts = "".join(piece["text"] for piece in pieces).replace(" ", "").casefold()
        if shop.replace(" ", "").casefold() in texts and day in texts:
            return path, pieces
    raise LookupError(f"no receipt of {shop} on {day}")


def _list_secret_pieces(pieces: Pieces, of: Pieces = ()) -> list[Mapping[str, Any]]:
    """The pieces that hold the number of the card or a part of the holder's name, as `of` (or they) tell them."""
    card = re.sub(r"\D", "", value_beside(of or pieces, "Card"))
    names = re.findall(r"[A-Z]{3,}", value_beside(of or pieces, "Holder").upper())
    runs = [card[at : at + 6] for at in range(len(card) - 5)]
    read = [(piece, re.sub(r"\D", "", piece["text"]), piece["text"].upper()) for piece in pieces]
    return [
        piece
        for piece, digits, text in read
        if any(run in digits for run in runs) or any(name in text for name in names)
    ]


def _enter_expense(agent: Agent, photo: str, pieces: Pieces) -> str:
    """Write the row below the others; the total of the month."""
    net, *rates, total = (
        float(value_beside(pieces, label)) for label in ("Net", "VAT A 10%", "VAT B 20%", "TOTAL EUR")
    )
    rows = read_full_sheet(agent, BOOK, "March")
    shop, day = _parse_request(agent)
    row = [day, shop, photo.split("/")[-1], net, round(sum(rates), 2), total]
    agent.call("write_cells", path=BOOK, sheet="March", rows=[row], start_cell=f"A{len(rows) + 1}")
    return f"{sum(float(row[5]) for row in rows[1:]) + total:.2f}"
