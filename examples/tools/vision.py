"""Examples of vision: facts of photographs by embedded models; what is said in words needs a vision model."""

from pathlib import Path

from PIL import Image

from tools import perception
from tools.example import Example, Gallery
from tools.perception import CAT, CUP, HER


def prepare_files(files: Path) -> None:
    perception.prepare_files(files)
    (files / "photos").mkdir()
    for name in (CAT, CUP, HER):
        with Image.open(files / name) as photograph:
            photograph.save(files / "photos" / name, quality=95)
            photograph.resize((220, 220 * photograph.height // photograph.width)).save(
                files / "photos" / f"small_{name}"
            )


GALLERY = Gallery(
    prepare_files,
    (
        Example("tag_images", {"path": CAT}),
        Example("tag_images", {"path": "photos"}),
        Example("find_images", {"path": "photos", "other": CUP, "limit": 4}),
        Example("group_images", {"path": "photos"}),
        Example("describe_image", {"path": CUP}, needs="vision"),
        Example("answer_about_image", {"path": CUP, "question": "Is the cup full?"}, needs="vision"),
        Example("describe_region", {"path": HER, "bbox_px": [110, 20, 220, 140], "attribute": "hair"}, needs="vision"),
        Example("compare_images", {"path": CAT, "other": CUP}, needs="vision"),
        Example("read_chart", {"path": "page.png"}, needs="vision"),
        Example("save_chart_data", {"path": "page.png", "target": "chart.csv"}, needs="vision"),
    ),
)
