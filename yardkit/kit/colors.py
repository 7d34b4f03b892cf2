"""Colours told in words."""

from yardkit.world import Problem


def parse_rgba(color: str) -> tuple[int, int, int, int]:
    """A colour as red, green, blue and opacity in 0 to 255, from a name of CSS or #RGB, #RRGGBB, #RRGGBBAA.

    Raises:
        Problem: it is none.
    """
    from PIL import ImageColor

    bare = color.strip()
    text = f"#{bare}" if len(bare) in (6, 8) and all(letter in "0123456789abcdefABCDEF" for letter in bare) else bare
    try:
        parts = ImageColor.getcolor(text, "RGBA")
    except ValueError as error:
        raise Problem(f"{color!r} is not a valid colour; give a name such as 'red' or #RRGGBB") from error
    return parts  # type: ignore[return-value]
