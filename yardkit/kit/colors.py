"""Parsing colours."""

from yardkit.world import Problem


def parse_rgba(color: str) -> tuple[int, int, int, int]:
    """Parse a CSS colour name or #RGB, #RRGGBB, #RRGGBBAA into red, green, blue and opacity, 0 to 255.

    Raises:
        Problem: it is not a colour.
    """
    from PIL import ImageColor

    bare = color.strip()
    text = f"#{bare}" if len(bare) in (6, 8) and all(letter in "0123456789abcdefABCDEF" for letter in bare) else bare
    try:
        parts = ImageColor.getcolor(text, "RGBA")
    except ValueError as error:
        raise Problem(f"{color!r} is not a valid colour; give a name such as 'red' or #RRGGBB") from error
    return parts  # type: ignore[return-value]
