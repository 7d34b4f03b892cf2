"""Examples of barcodes: codes that are written, laid on a photograph at an angle, and read there."""

from pathlib import Path
from typing import Any

from PIL import Image
from support.pictures import PICTURES

from tools.example import Example, Gallery
from tools.perception import CUP
from yardkit.servers.barcodes.engine import write_barcode

TABLE = "on_the_table.jpg"


def prepare_files(files: Path) -> None:
    write_barcode("https://harbour-bakery.example/menu", files / "menu.png", "QRCode")
    write_barcode("4006381333931", files / "pen.png", "EAN13", module_px=2, label=True)
    with Image.open(PICTURES / CUP) as cup:
        table = cup.convert("RGB").resize((1000, 667))
    for name, turn, place in (("menu.png", 17, (30, 40)), ("pen.png", -8, (700, 500))):
        with Image.open(files / name) as code:
            laid = code.convert("RGBA").rotate(turn, Image.Resampling.BICUBIC, expand=True)
        table.paste(laid, place, laid)
    table.save(files / TABLE, quality=88)


def make_barcode_example(target: str, text: str, **asked: Any) -> Example:
    return Example("write_barcode", {"text": text, "target": target, **asked}, (target,))


GALLERY = Gallery(
    prepare_files,
    (
        Example("read_barcodes", {"path": TABLE}),
        Example("mark_barcodes", {"path": TABLE, "target": "found.png"}, ("found.png",)),
        make_barcode_example("menu_qr.png", "https://harbour-bakery.example/menu", correction="H", module_px=6),
        make_barcode_example("parcel.png", "HB-2026-00417", kind="Code128", label=True),
        make_barcode_example("ticket.svg", "Row 7, seat 12", kind="Aztec"),
    ),
)
