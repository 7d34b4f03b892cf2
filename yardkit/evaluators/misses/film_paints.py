"""Changes of films: frames with subtitles, a title, a sequence of pictures; a late sound."""

from collections.abc import Sequence
from typing import Any

from yardkit.evaluators.mutations.film_edits import Repaint, Resound
from yardkit.evaluators.readers.media.films import Cue

_WIDTH_OF_A_LETTER = 0.55


def with_subtitles(cues: Sequence[Cue], width: int = 480, size: int = 20, most: int = 9) -> Repaint:
    """Make a change that scales frames to a width and burns in subtitles, with a letter size and a maximum of lines."""
    from PIL import Image, ImageDraw, ImageFont

    from yardkit.world.fonts import font_file

    font = ImageFont.truetype(font_file("DejaVu Sans", bold=False, italic=False), size)

    def paint(picture: Any, time_s: float) -> Any:
        high = round(width * picture.height / picture.width) // 2 * 2
        frame = picture.resize((width, high), Image.Resampling.LANCZOS)
        for cue in cues:
            if cue.start_s <= time_s < cue.end_s:
                text = "\n".join(in_lines(cue.text, round(0.92 * width / size / _WIDTH_OF_A_LETTER), most))
                place = (width / 2, frame.height - size * 0.6)
                ImageDraw.Draw(frame).multiline_text(
                    place, text, "white", font, "md", align="center", stroke_width=2, stroke_fill="black"
                )
        return frame

    return paint


def in_lines(text: str, longest: int, most: int = 99) -> list[str]:
    """Break a text into lines with a maximum of letters; the last allowed line takes the remaining text."""
    lines: list[str] = []
    for word in text.split():
        if lines and (len(lines[-1]) + 1 + len(word) <= longest or len(lines) == most):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def in_turn(stills: Sequence[Any], begins: Sequence[float], length_s: float, fade_s: float) -> Repaint:
    """Make a change that shows pictures (Pillow) from their times on, with crossfades, and black at both ends."""
    from PIL import Image

    def paint(_picture: Any, time_s: float) -> Any:
        at = max(0, sum(begin <= time_s for begin in begins) - 1)
        over = (time_s - begins[at]) / fade_s if at and fade_s else 1.0
        blended = stills[at] if over >= 1 else Image.blend(stills[at - 1], stills[at], over)
        return dim_picture(blended, min(time_s / 0.4, (length_s - time_s) / 0.4))

    return paint


def sound_late(seconds: float) -> Resound:
    """Make a change that puts silence before a sound and cuts the same length off its end."""

    def shift(samples: Any, rate_hz: int) -> Any:
        import numpy as np

        return np.pad(samples, ((0, 0), (round(seconds * rate_hz), 0)))[:, : samples.shape[1]]

    return shift


def with_title(text: str, place: tuple[int, int], until_s: float, size: int = 30) -> Repaint:
    """Make a change that sets a title into frames, with its upper left corner at a place, up to a time."""
    from PIL import ImageDraw, ImageFont

    from yardkit.world.fonts import font_file

    font = ImageFont.truetype(font_file("DejaVu Sans", bold=True, italic=False), size)

    def paint(picture: Any, time_s: float) -> Any:
        if time_s < until_s:
            ImageDraw.Draw(picture).text(place, text, "white", font, stroke_width=2, stroke_fill="black")
        return picture

    return paint


def dim_picture(picture: Any, light: float) -> Any:
    """Dim a picture to a share of its brightness, from 0 to 1."""
    return picture if light >= 1 else picture.point(lambda value: round(value * max(0.0, light)))
