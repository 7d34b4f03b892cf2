"""What belongs to pages but stands in the document's root, and follows them into another: page labels, layers."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from yardkit.servers.pdf.engine.package.pages import dictionaries

_NESTED = 30
"""Levels of groups of layers that are followed; a file may nest them without end."""

_LABEL_STYLES = ("/D", "/R", "/r", "/A", "/a")


class Label(NamedTuple):
    """How a page is called: a style of numbers (/D, /R, /r, /A, /a or none), what stands before it, its number.

    ISO 32000-1, 12.4.2.
    """

    style: str
    prefix: str
    number: int


def labels_of(pdf: Any) -> list[Label] | None:
    """The label of each page; None where the document has none."""
    import pikepdf

    tree = pdf.Root.get("/PageLabels")
    if not isinstance(tree, pikepdf.Dictionary):
        return None
    count = len(pdf.pages)
    ranges = {int(at): label for at, label in pikepdf.NumberTree(tree).items() if isinstance(label, pikepdf.Dictionary)}
    starts = sorted(at for at in ranges if 0 <= at < count)
    found = [_plain(page) for page in range(1, count + 1)]
    for start, end in pairwise([*starts, count]):
        held = ranges[start]
        style, first = str(held.get("/S", "")), held.get("/St", 1)
        usable, begin = style if style in _LABEL_STYLES else "", first if isinstance(first, int) else 1
        found[start:end] = [Label(usable, str(held.get("/P", "")), begin + step) for step in range(end - start)]
    return found


def write_labels(pdf: Any, labels: list[Label | None]) -> None:
    """Give each page its label; where there is None, the number of the page."""
    import pikepdf
    from pikepdf import Dictionary, Name

    wanted = [label or _plain(page) for page, label in enumerate(labels, start=1)]
    if all(label == _plain(page) for page, label in enumerate(wanted, start=1)):
        if "/PageLabels" in pdf.Root:
            del pdf.Root["/PageLabels"]
        return
    ranges: list[Any] = []
    before: Label | None = None
    for at, label in enumerate(wanted):
        if before is None or label != before._replace(number=before.number + 1):
            style = {"/S": Name(label.style)} if label.style else {}
            prefix = {"/P": pikepdf.String(label.prefix)} if label.prefix else {}
            ranges += [at, Dictionary({**style, **prefix, "/St": label.number})]
        before = label
    pdf.Root["/PageLabels"] = pdf.make_indirect(Dictionary(Nums=pikepdf.Array(ranges)))


def _plain(page: int) -> Label:
    return Label("/D", "", page)


def take_layers(whole: Any, pdf: Any) -> None:
    """Add the layers (optional content, ISO 32000-1, 8.11.4) of a document whose pages were copied into `whole`.

    Without them what a layer hides would be seen.
    """
    from pikepdf import Array, Dictionary

    held = pdf.Root.get("/OCProperties")
    layers = [dictionary for dictionary in dictionaries(held, "/OCGs") if dictionary.is_indirect]
    if not layers:
        return
    copies = {layer.objgen: whole.copy_foreign(layer) for layer in layers}
    own = _ensured(whole.Root, "/OCProperties", Dictionary(OCGs=Array()))
    default, source = _ensured(own, "/D", Dictionary()), held.get("/D", Dictionary())
    known = {dictionary.objgen for dictionary in dictionaries(own, "/OCGs")}
    _extend(own, "/OCGs", [copy for copy in copies.values() if copy.objgen not in known])
    hidden = _hidden(source, set(copies))
    _extend(default, "/OFF", [copy for layer, copy in copies.items() if layer in hidden])
    _extend(default, "/ON", [copy for layer, copy in copies.items() if layer not in hidden])
    for key in ("/Order", "/RBGroups", "/Locked"):
        _extend(default, key, _mapped(source.get(key), copies, _NESTED))
    for use in dictionaries(source, "/AS"):
        kept = {key: use[key] for key in ("/Event", "/Category") if key in use and not use[key].is_indirect}
        _extend(default, "/AS", [Dictionary({**kept, "/OCGs": Array(_mapped(use.get("/OCGs"), copies, 1))})])


def _hidden(source: Any, layers: set[Any]) -> set[Any]:
    on, off = ({dictionary.objgen for dictionary in dictionaries(source, key)} for key in ("/ON", "/OFF"))
    return layers - on if source.get("/BaseState") == "/OFF" else layers & off


def _ensured(node: Any, key: str, empty: Any) -> Any:
    import pikepdf

    if not isinstance(node.get(key), pikepdf.Dictionary):
        node[key] = empty
    return node[key]


def _extend(node: Any, key: str, more: list[Any]) -> None:
    import pikepdf

    if more:
        held = node.get(key)
        node[key] = pikepdf.Array([*(held if isinstance(held, pikepdf.Array) else []), *more])


def _mapped(held: Any, copies: dict[Any, Any], depth: int) -> list[Any]:
    """Groups of layers with their names, by the copies of the layers."""
    import pikepdf

    found: list[Any] = []
    for entry in held if isinstance(held, pikepdf.Array) else ():
        if isinstance(entry, pikepdf.Array):
            found += [pikepdf.Array(_mapped(entry, copies, depth - 1))] if depth else []
        elif isinstance(entry, pikepdf.String):
            found.append(pikepdf.String(str(entry)))
        elif isinstance(entry, pikepdf.Dictionary) and entry.objgen in copies:
            found.append(copies[entry.objgen])
    return found
