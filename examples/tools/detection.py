"""Examples of detection: photographs, and a film that moves over them."""

from pathlib import Path

from tools import video
from tools.example import Example, Gallery
from tools.perception import CUP, HER
from tools.video import FILM


def prepare_files(files: Path) -> None:
    video.prepare_files(files)


GALLERY = Gallery(
    prepare_files,
    (
        Example("detect_objects", {"path": CUP}),
        Example("mark_objects", {"path": CUP, "target": "on_the_table.png"}, ("on_the_table.png",)),
        Example("mark_objects", {"path": HER, "target": "persons.png", "classes": ["person"]}, ("persons.png",)),
        Example("detect_video_objects", {"path": FILM, "every_s": 1}),
    ),
)
