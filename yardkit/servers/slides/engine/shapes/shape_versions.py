"""Shapes that stand in two versions: what older programs show when the newer version has changed."""

from __future__ import annotations

from typing import Any

from yardkit.servers.slides.engine.package.shape_tree import MC, A, P, R, with_versions

_PLAIN_NAMESPACES = (A, P, R)


def settle_versions(shape: Any) -> list[str]:
    """After a change of a shape: one that no longer needs a newer program stands in one version; of another, that
    older programs show it as it was.
    """
    if not _older(shape):
        return []
    element = shape._element
    if element.tag == f"{P}sp" and all(_is_plain(child) for child in element.iter("*")):
        with_versions(shape).getparent().replace(with_versions(shape), element)
        return []
    return [f"{_named(element)} also has a version for older programs, which still show the old one"]


def left_behind(paragraphs: list[Any]) -> list[str]:
    """Of paragraphs that changed, in which shapes older programs do not show them as they are now."""
    told = []
    for paragraph in paragraphs:
        newer = next(paragraph.iterancestors(f"{MC}Choice"), None)
        if newer is None:
            continue
        older = newer.getparent().findall(f"{MC}Fallback")
        if any(len(version) for version in older) and _text(paragraph) not in map(_text, _paragraphs(older)):
            told.append(f"{_named(newer[0])} also has a version for older programs, which still show the old one")
    return list(dict.fromkeys(told))


def is_older(element: Any) -> bool:
    """Whether an element belongs to the version of a shape for older programs."""
    return next(element.iterancestors(f"{MC}Fallback"), None) is not None


def _older(shape: Any) -> bool:
    versions = with_versions(shape)
    return versions is not shape._element and any(len(element) for element in versions.iterfind(f"{MC}Fallback"))


def _is_plain(element: Any) -> bool:
    inside = next(element.iterancestors(f"{A}extLst", f"{P}extLst"), None) is not None
    names = [element.tag, *(name for name in element.attrib if name.startswith("{"))]
    return inside or all(name.startswith(_PLAIN_NAMESPACES) for name in names)


def _paragraphs(versions: list[Any]) -> list[Any]:
    return [paragraph for version in versions for paragraph in version.iter(f"{A}p")]


def _text(paragraph: Any) -> str:
    return "".join(text.text or "" for text in paragraph.iter(f"{A}t"))


def _named(element: Any) -> str:
    properties = element.find(f"./*/{P}cNvPr")
    return "a shape" if properties is None else f"shape {properties.get('id')} {properties.get('name', '')!r}"
