"""Near misses of pictures on the slides of a delivered deck."""

import io
from typing import Any

from yardkit.evaluators.misses.edits import Change, Leaves, apply_change, edit_file
from yardkit.evaluators.proof import Miss, Solved


def slide_picture_changed(deck: str, number: int, change: Change, caught_by: Leaves) -> Miss:
    """The first picture of a slide (RGB, as Pillow reads it) is changed; the slide is counted from 1.

    A change with a second parameter also gets the solved world.
    """

    def edit(document: Any, work: Solved) -> None:
        import PIL.Image

        slide = document.slides[number - 1]
        shape = next(shape for shape in slide.shapes if hasattr(shape, "image"))
        with PIL.Image.open(io.BytesIO(shape.image.blob)) as image:
            changed: Any = apply_change(change, work, image.convert("RGB"))
        buffer = io.BytesIO()
        changed.save(buffer, "PNG")
        _, relation = slide.part.get_or_add_image_part(buffer)
        shape._element.blipFill.blip.rEmbed = relation

    return edit_file(deck, edit, caught_by)
