"""Checking SVG drawings."""

from pathlib import Path

from yardkit.world import Problem
from yardkit.world.limits import check_bytes

_MAX_BYTES = 20_000_000


def check_svg(path: Path) -> None:
    """Refuse a drawing for which a browser would show nothing or a broken picture.

    Raises:
        Problem: it is not well-formed SVG, or its entities expand to a multiple of its size.
    """
    from xml.parsers import expat

    check_bytes(path, _MAX_BYTES)
    roots: list[str] = []
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda name, _: roots.append(name) if not roots else None
    try:
        parser.Parse(path.read_bytes(), True)  # noqa: FBT003
    except expat.ExpatError as error:
        raise Problem(f"{path.name!r} is not a readable SVG ({error}); it is damaged or of another type") from error
    if roots[0].rpartition(" ")[2] != "svg":
        raise Problem(
            f"{path.name!r} is not an SVG: its root is {roots[0].rpartition(' ')[2]!r}; it is of another type"
        )
