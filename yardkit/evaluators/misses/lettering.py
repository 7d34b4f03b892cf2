"""Text set on pictures by Pillow, which stands for another program, and for near misses."""

from typing import Any


def type_face(family: str, size: float, *, bold: bool = False) -> Any:
    """A bundled font as Pillow draws it."""
    import PIL.ImageFont

    from yardkit.world.fonts import font_file

    return PIL.ImageFont.truetype(str(font_file(family, bold)), round(size))


def break_lines(text: str, face: Any, width: float) -> list[str]:
    """A text in lines of at most so many pixels, broken at blanks."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], longer] if not lines[-1] or face.getlength(longer) <= width else [*lines, word]
    return lines
