"""Shapes that stand in two versions: what older programs show when the newer version has changed."""

from __future__ import annotations

from typing import Any

from yardkit.servers.slides.engine.package.shape_tree import MC, A, P, R, with_versions

_BASE_NAMESPACES = (A, P, R)


def settle_versions(shape: Any) -> list[str]:
    """After a change of a shape: one that no longer needs a newer program stands in one version; of another, that
    older programs show it as it was.
    """
    if not _has_older_version(shape):
        return []
    element = shape._element
    if element.tag == f"{P}sp" and all(_is_basic(child) for child in element.iter("*")):
        with_versions(shape).getparent().replace(with_versions(shape), element)
        return []
    return [f"{_name_shape(element)} also has a version for older programs, which still show the old one"]


def left_behind(paragraphs: list[Any]) -> list[str]:
    """Of paragraphs that changed, in which shapes older programs do not show them as they are now."""
    notes = []
    for paragraph in paragraphs:
        newer = next(paragraph.iterancestors(f"{MC}Choice"), None)
        if newer is None:
            continue
        older = newer.getparent().findall(f"{MC}Fallback")
        if any(len(version) for version in older) and _get_text(paragraph) not in map(
            _get_text, _list_paragraphs(older)
        ):
            notes.append(f"{_name_shape(newer[0])} also has a version for older programs, which still show the old one")
    return list(dict.fromkeys(notes))


def is_older(element: Any) -> bool:
    """Whether an element belongs to the version of a shape for older programs."""
    return next(element.iterancestors(f"{MC}Fallback"), None) is not None


def _has_older_version(shape: Any) -> bool:
    versions = with_versions(shape)
    return versions is not shape._element and any(len(element) for element in versions.iterfind(f"{MC}Fallback"))


def _is_basic(element: Any) -> bool:
    inside = next(element.iterancestors(f"{A}extLst", f"{P}extLst"), None) is not None
    names = [element.tag, *(name for name in element.attrib if name.startswith("{"))]
    return inside or all(name.startswith(_BASE_NAMESPACES) for name in names)


def _list_paragraphs(versions: list[Any]) -> list[Any]:
    return [paragraph for version in versions for paragraph in version.iter(f"{A}p")]


def _get_text(paragraph: Any) -> str:
    return "".join(text.text or "" for text in paragraph.iter(f"{A}t"))


def _name_shape(element: Any) -> str:
    properties = element.find(f"./*/{P}cNvPr")
    return "a shape" if properties is None else f"shape {properties.get('id')} {properties.get('name', '')!r}"
