"""Names that a person chose, and not the format: of destinations, and of the states of fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

_NAMED = ("/Dest", "/D", "/AS", "/V", "/DV")
_OFF = "/Off"


def names_of(node: Any) -> Iterator[str]:
    """The names in a dictionary that may be any text."""
    for holder, key, is_key in _places(node):
        yield (key if is_key else str(holder[key]))[1:]


def rename(node: Any, new: Callable[[str], str | None]) -> int:
    """Change names of a dictionary, the same wherever they stand; how many were changed."""
    import pikepdf

    changed = 0
    for holder, key, is_key in list(_places(node)):
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


def _places(node: Any) -> Iterator[tuple[Any, str, bool]]:
    """The dictionary and the key, and whether the key is the name."""
    import pikepdf

    yield from ((node, key, False) for key in _NAMED if isinstance(node.get(key), pikepdf.Name) and node[key] != _OFF)
    looks = node.get("/AP")
    holders = [looks.get(key) for key in ("/N", "/R", "/D")] if isinstance(looks, pikepdf.Dictionary) else []
    holders.append(node.get("/Dests") if "/Pages" in node else None)
    for holder in holders:
        if isinstance(holder, pikepdf.Dictionary):
            yield from ((holder, key, True) for key in holder.keys() if key != _OFF)  # noqa: SIM118 - no mapping
