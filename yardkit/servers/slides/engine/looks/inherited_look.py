"""What a placeholder inherits from layout and master, written into the shape itself, so that it stays as it looks."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

from yardkit.servers.slides.engine.package.shape_tree import A, P, text_body
from yardkit.servers.slides.engine.package.theme import Look

_FILL_TAGS = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
_EFFECT_TAGS = ("effectLst", "effectDag")
_SHAPE = (("xfrm",), ("custGeom", "prstGeom"), _FILL_TAGS, ("ln",), _EFFECT_TAGS, ("scene3d",), ("sp3d",))
_FRAME = (("prstTxWarp",), ("noAutofit", "normAutofit", "spAutoFit"), ("scene3d",), ("sp3d", "flatTx"))
_LEVEL = (
    *(("lnSpc",), ("spcBef",), ("spcAft",), ("buClrTx", "buClr"), ("buSzTx", "buSzPct", "buSzPts")),
    *(("buFontTx", "buFont"), ("buNone", "buAutoNum", "buChar", "buBlip"), ("tabLst",), ("defRPr",)),
)
_LETTERS = (
    *(("ln",), _FILL_TAGS, _EFFECT_TAGS, ("highlight",), ("uLnTx", "uLn"), ("uFillTx", "uFill")),
    *(("latin",), ("ea",), ("cs",), ("sym",), ("rtl",)),
)
_RELATED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
Groups = tuple[tuple[str, ...], ...]


class Inherited:
    """What a shape on a slide inherits, as it is now; `write` puts it into the shape."""

    def __init__(self, look: Look, shape: Any) -> None:
        self.shape = shape
        above = look.list_ancestors(shape)
        bodies = [body for body in map(text_body, (shape, *above)) if body is not None]
        forms = [ancestor._element.find(f"{P}spPr") for ancestor in above]
        own = shape._element.find(f"{P}spPr")
        self.form = None if own is None else _merge_elements([own, *filter(_is_there, forms)], _SHAPE, alone=("xfrm",))
        frames = [body_properties for body in bodies if (body_properties := body.find(f"{A}bodyPr")) is not None]
        self.frame = _merge_elements(frames, _FRAME) if frames else None
        every = [list(look.levels(shape, level)) for level in range(9)]
        self.levels = [_merge_elements(sources, _LEVEL) for sources in every if sources]

    def write(self) -> None:
        """Put it into the shape; what the shape states itself stays."""
        body, properties = text_body(self.shape), self.shape._element.find(f"{P}spPr")
        if properties is not None and self.form is not None:
            placed = properties.find(f"{A}xfrm")
            inside = [child for child in self.form if not child.tag.endswith("}xfrm")]
            _fill_element(properties, self.form, [child for child in (placed, *inside) if child is not None])
        if body is None:
            return
        frame, style = body.find(f"{A}bodyPr"), body.find(f"{A}lstStyle")
        if frame is not None and self.frame is not None:
            _fill_element(frame, self.frame, list(self.frame))
        if style is None:
            style = body.makeelement(f"{A}lstStyle", {})
            body.insert(1 if frame is not None else 0, style)
        style[:] = [*style.findall(f"{A}defPPr"), *self.levels]


def _is_there(element: Any) -> bool:
    return element is not None


def _fill_element(element: Any, like: Any, children: list[Any]) -> None:
    element.attrib.update(dict(like.attrib))
    element[:] = children


def _merge_elements(sources: Iterable[Any], groups: Groups, alone: tuple[str, ...] = ()) -> Any:
    """One element of several, the nearest first: of each group of children the nearest; `alone` only of the first."""
    first, *others = sources
    merged_element = copy.deepcopy(first)
    for other in others:
        for key, value in other.attrib.items():
            if key not in merged_element.attrib and not key.startswith(_RELATED):
                merged_element.set(key, value)
        for group in groups:
            theirs = _find_child(other, group)
            if theirs is None or group[0] in alone or _is_bound(theirs):
                continue
            mine = _find_child(merged_element, group)
            if mine is None:
                _insert_child(merged_element, copy.deepcopy(theirs), groups)
            elif group == ("defRPr",):
                merged_element.replace(mine, _merge_elements([mine, theirs], _LETTERS))
    return merged_element


def _find_child(element: Any, group: tuple[str, ...]) -> Any:
    return next((child for child in element if child.tag in {f"{A}{name}" for name in group}), None)


def _is_bound(element: Any) -> bool:
    """Whether it refers to another part, such as the picture of a bullet, by a number of the layout."""
    return any(key.startswith(_RELATED) for descendant in element.iter() for key in descendant.attrib)


def _insert_child(element: Any, child: Any, groups: Groups) -> None:
    """Insert a child before those of later groups."""
    at = next(n for n, group in enumerate(groups) if child.tag in {f"{A}{name}" for name in group})
    earlier = {f"{A}{name}" for group in groups[:at] for name in group}
    element.insert(sum(sibling.tag in earlier for sibling in element), child)
