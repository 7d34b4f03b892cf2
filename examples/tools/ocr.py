"""Examples of ocr: a receipt on a table, a page of a report, and a film with words on it."""

from pathlib import Path

from support.videos import write_video

from tools import perception
from tools.example import Example, Gallery
from tools.perception import BILL, CUP, PAGE
from yardkit.kit.lettering import Lettering, add_text

LOOK = Lettering(size_px=40, color="white", outline="black")


def prepare_files(files: Path) -> None:
    from PIL import Image

    perception.prepare_files(files)
    with Image.open(files / CUP) as cup:
        small_picture = cup.convert("RGB").resize((600, 400))
    scenes = [
        add_text(small_picture, words, LOOK, "top", None, None, 24)[0] for words in ("Harbour Bakery", "Open until six")
    ]
    write_video(files / "signs.mp4", [scene for scene in scenes for _ in range(10)], 5)


GALLERY = Gallery(
    prepare_files,
    (
        Example("read_image_text", {"path": BILL}),
        Example("read_image_text", {"path": PAGE, "level": "words", "limit": 20}),
        Example("read_image_table", {"path": PAGE, "bbox_px": [120, 890, 880, 1190]}),
        Example("save_image_table", {"path": PAGE, "bbox_px": [120, 890, 880, 1190], "target": "table.csv"}),
        Example("find_image_text", {"path": PAGE, "query": "Desk lamp"}),
        Example("read_video_text", {"path": "signs.mp4"}),
        Example("transcribe_image", {"path": BILL}, needs="ocr"),
        Example("list_ocr_languages"),
    ),
)
