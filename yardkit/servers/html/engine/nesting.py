"""How deeply the elements of a page nest, told by its tags before a parser looks at it."""

import re

from yardkit.world import Problem

MAX_DEPTH = 1_000
MAX_TAGS = 200_000
_TAG = re.compile(r"""<(/?)([a-zA-Z][^\s/>]*)((?:"[^"]*"?|'[^']*'?|[^"'>])*+)""")
_SHALLOW = """
    area base br col embed hr img input link meta param source track wbr
    p li dt dd tr td th option optgroup thead tbody tfoot colgroup caption html head body rp rt
"""
"""Elements without content, and those whose end may be left out."""
_DRAWN = """
    svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textpath image marker mask pattern
    clippath lineargradient radialgradient stop filter desc metadata switch animate animatetransform animatemotion set
    mpath view feblend fecolormatrix fecomposite feflood fegaussianblur feimage femerge femergenode femorphology
    feoffset feturbulence fedropshadow fecomponenttransfer fefunca fefuncr fefuncg fefuncb foreignobject
    math mspace mprescripts none
"""
"""Elements of drawings, which a slash ends, unlike those of a page."""
_NEVER_DEEP, _ENDED_BY_SLASH = frozenset(_SHALLOW.split()), frozenset(_DRAWN.split())


def check_nesting(text: str, name: str) -> None:
    """Refuse a page that would keep a parser busy for minutes: it looks through all open elements at each tag.

    Raises:
        Problem: it nests more than `MAX_DEPTH` deep, or has more than `MAX_TAGS`.
    """
    count, deepest = _measure_nesting(text)
    if deepest > MAX_DEPTH or count > MAX_TAGS:
        raise Problem(
            f"{name!r} has {count:,} tags, {deepest:,} deep; the limits are {MAX_TAGS:,} tags and a "
            f"depth of {MAX_DEPTH:,}. Close the elements, or split the page"
        )


def _measure_nesting(text: str) -> tuple[int, int]:
    """How many tags there are, and how deep they go at most."""
    depth = deepest = count = 0
    in_drawing = False
    for match in _TAG.finditer(text):
        count += 1
        tag, ends = match[2].lower(), bool(match[1])
        # Anything but a part of a drawing ends the drawing for a parser.
        in_drawing = tag in _ENDED_BY_SLASH and (in_drawing or tag in ("svg", "math")) and not (ends and tag == "svg")
        if tag in _NEVER_DEEP or (in_drawing and match[3].endswith("/")):
            continue
        depth = max(depth - 1, 0) if ends else depth + 1
        deepest = max(deepest, depth)
    return count, deepest
