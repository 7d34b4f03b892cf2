"""Text set on pictures by Pillow, which represents another program, and for near misses."""

from typing import Any


def type_face(family: str, size: float, *, bold: bool = False) -> Any:
    """Load a bundled font for Pillow."""
    import PIL.ImageFont

    from yardkit.world.fonts import font_file

    return PIL.ImageFont.truetype(str(font_file(family, bold)), round(size))


def break_lines(text: str, face: Any, width: float) -> list[str]:
    """Break a text at blanks into lines with a maximum width in pixels."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], longer] if not lines[-1] or face.getlength(longer) <= width else [*lines, word]
    return lines
