"""Names that a person chose, and not the format: of destinations, of the states of fields, of inks, of metadata."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

_NAME_KEYS = ("/Dest", "/D", "/AS", "/V", "/DV")
_OFF = "/Off"
_INK_NAMES = frozenset({"/All", "/None", "/Cyan", "/Magenta", "/Yellow", "/Black"})
_INFO_KEYS = frozenset(
    {"/Title", "/Author", "/Subject", "/Keywords", "/Creator", "/Producer", "/CreationDate", "/ModDate", "/Trapped"}
)


def inks_of(array: Any) -> list[tuple[Any, int]]:
    """Where an array that is a color space names inks of its own (ISO 32000-1, 8.6.6.4 and 8.6.6.5)."""
    import pikepdf

    kind, named = (array[0], array[1]) if len(array) > 1 else (None, None)
    if kind == "/Separation":
        places = [(array, 1)]
    elif kind == "/DeviceN" and isinstance(named, pikepdf.Array):
        places = [(named, at) for at in range(len(named))]
    else:
        places = []
    return [
        (ink_holder, at)
        for ink_holder, at in places
        if isinstance(ink_holder[at], pikepdf.Name) and ink_holder[at] not in _INK_NAMES
    ]


def own_entries(pdf: Any) -> list[str]:
    """The keys of the metadata in the trailer that a person chose."""
    import pikepdf

    about = pdf.trailer.get("/Info")
    if not isinstance(about, pikepdf.Dictionary):
        return []
    return [key for key in about.keys() if key not in _INFO_KEYS]  # noqa: SIM118 - no mapping of Python


def names_of(node: Any) -> Iterator[str]:
    """The names in a dictionary that may be any text."""
    for holder, key, is_key in _iter_name_positions(node):
        yield (key if is_key else str(holder[key]))[1:]


def rename_names(node: Any, new: Callable[[str], str | None]) -> int:
    """Change names of a dictionary, the same wherever they stand; how many were changed."""
    import pikepdf

    changed = 0
    for holder, key, is_key in list(_iter_name_positions(node)):
        name = new((key if is_key else str(holder[key]))[1:])
        if name is None:
            continue
        changed += 1
        if is_key:
            holder["/" + name] = holder[key]
            del holder[key]
        else:
            holder[key] = pikepdf.Name("/" + name)
    return changed


def _iter_name_positions(node: Any) -> Iterator[tuple[Any, str, bool]]:
    """The dictionary and the key, and whether the key is the name."""
    import pikepdf

    yield from (
        (node, key, False) for key in _NAME_KEYS if isinstance(node.get(key), pikepdf.Name) and node[key] != _OFF
    )
    looks = node.get("/AP")
    holders = [looks.get(key) for key in ("/N", "/R", "/D")] if isinstance(looks, pikepdf.Dictionary) else []
    holders.append(node.get("/Dests") if "/Pages" in node else None)
    for holder in holders:
        if isinstance(holder, pikepdf.Dictionary):
            yield from ((holder, key, True) for key in holder.keys() if key != _OFF)  # noqa: SIM118 - no mapping
