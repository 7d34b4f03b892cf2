"""Frames of a recorded webinar: a slide, the speaker in a round picture with a ring that grows with her voice, a clock.

Sizes and places are pixels of a frame of `SIZE_PX`; the lower 95 rows are free for subtitles.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering.ink import Face, get_pen, new_image, wrap_words, write_line

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE_PX = (640, 360)
_PAPER, _INK, _ACCENT, _NIGHT, _PALE = (250, 249, 246), (38, 44, 58), (196, 88, 32), (22, 28, 44), (235, 238, 245)
_TITLE, _BODY, _SMALL = Face("Liberation Sans", 25, bold=True), Face("Liberation Sans", 16), Face("Liberation Sans", 13)
_SPEAKER, _SPEAKER_PX = (484, 76), 128


@dataclass(frozen=True)
class Webinar:
    """What all frames of a webinar have.

    Attributes:
        title: in the bar at the top.
        company: at the foot of each slide.
        picture: on each slide, 150 x 100.
        portrait: of the speaker, a square of at least 150; her name.
        chance: a generator of NumPy, for the noise of her camera.
    """

    title: str
    company: str
    picture: "Image"
    portrait: "Image"
    speaker: str
    chance: Any

    def draw_slide(self, head: str, notes: Sequence[str]) -> "Image":
        """A frame with a slide and without the speaker."""
        frame = new_image(*SIZE_PX, _NIGHT)
        draw = get_pen(frame)
        draw.ellipse((14, 15, 26, 27), fill=(222, 62, 54))
        write_line(draw, (36, 14), self.title, _SMALL, _PALE)
        draw.rounded_rectangle((24, 44, 456, 262), 10, fill=_PAPER)
        draw.rectangle((24, 94, 456, 97), fill=_ACCENT)
        write_line(draw, (44, 56), head, _TITLE, _INK)
        for at, note in enumerate(notes):
            y = 112 + 34 * at
            draw.ellipse((46, y + 7, 54, y + 15), fill=_ACCENT)
            write_line(draw, (66, y), wrap_words(note, _BODY, 220)[0], _BODY, _INK)
        frame.paste(self.picture.resize((150, 100)), (286, 116))
        draw.rectangle((286, 116, 436, 216), outline=(220, 214, 204))
        write_line(draw, (436, 236), self.company, _SMALL.scale(0.85), (150, 146, 138), "right")
        write_line(draw, (548, 222), self.speaker, _SMALL, _PALE, "center")
        return frame

    def frame(self, slide: "Image", number: int, time_s: float, level: float) -> "Image":
        """The frame of a number and time, while the speaker is so loud (0 to 1)."""
        import numpy as np
        from PIL import Image, ImageDraw

        frame = slide.copy()
        draw, side = get_pen(frame), _SPEAKER_PX
        ring = 4 + round(9 * min(1.0, level))
        left, top = _SPEAKER
        draw.ellipse((left - ring, top - ring, left + side + ring, top + side + ring), fill=(86, 178, 142))
        x, y = 11 + 6 * math.sin(number / 9), 11 + 4 * math.sin(number / 5)
        tile = self.portrait.transform(
            (side, side), Image.Transform.AFFINE, (1, 0, x, 0, 1, y), Image.Resampling.BILINEAR
        )
        noisy = np.asarray(tile) + self.chance.normal(0.0, 7.0, (side, side, 1))
        mask = Image.new("L", (side, side), 0)
        ImageDraw.Draw(mask).ellipse((0, 0, side - 1, side - 1), fill=255)
        frame.paste(Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)), (left, top), mask)
        write_line(draw, (612, 14), f"{int(time_s) // 60:02d}:{int(time_s) % 60:02d}", _SMALL, _PALE, "right")
        return frame
