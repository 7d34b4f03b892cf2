"""What belongs to pages but stands in the document's root, and follows them into another: page labels, layers."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from yardkit.servers.pdf.engine.package.pages import list_dictionaries

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
    labels = [_make_default_label(page) for page in range(1, count + 1)]
    for start, end in pairwise([*starts, count]):
        range_label = ranges[start]
        style, first = str(range_label.get("/S", "")), range_label.get("/St", 1)
        usable, begin = style if style in _LABEL_STYLES else "", first if isinstance(first, int) else 1
        labels[start:end] = [Label(usable, str(range_label.get("/P", "")), begin + step) for step in range(end - start)]
    return labels


def write_labels(pdf: Any, labels: list[Label | None]) -> None:
    """Give each page its label; where there is None, the number of the page."""
    import pikepdf
    from pikepdf import Dictionary, Name

    page_labels = [label or _make_default_label(page) for page, label in enumerate(labels, start=1)]
    if all(label == _make_default_label(page) for page, label in enumerate(page_labels, start=1)):
        if "/PageLabels" in pdf.Root:
            del pdf.Root["/PageLabels"]
        return
    ranges: list[Any] = []
    before: Label | None = None
    for at, label in enumerate(page_labels):
        if before is None or label != before._replace(number=before.number + 1):
            style = {"/S": Name(label.style)} if label.style else {}
            prefix = {"/P": pikepdf.String(label.prefix)} if label.prefix else {}
            ranges += [at, Dictionary({**style, **prefix, "/St": label.number})]
        before = label
    pdf.Root["/PageLabels"] = pdf.make_indirect(Dictionary(Nums=pikepdf.Array(ranges)))


def _make_default_label(page: int) -> Label:
    return Label("/D", "", page)


def take_layers(merged_pdf: Any, pdf: Any) -> None:
    """Add the layers (optional content, ISO 32000-1, 8.11.4) of a document whose pages were copied into `whole`.

    Without them what a layer hides would be seen.
    """
    from pikepdf import Array, Dictionary

    layer_properties = pdf.Root.get("/OCProperties")
    layers = [dictionary for dictionary in list_dictionaries(layer_properties, "/OCGs") if dictionary.is_indirect]
    if not layers:
        return
    copies = {layer.objgen: merged_pdf.copy_foreign(layer) for layer in layers}
    own = _ensure_dictionary(merged_pdf.Root, "/OCProperties", Dictionary(OCGs=Array()))
    default, source = _ensure_dictionary(own, "/D", Dictionary()), layer_properties.get("/D", Dictionary())
    known = {dictionary.objgen for dictionary in list_dictionaries(own, "/OCGs")}
    _extend_array(own, "/OCGs", [copy for copy in copies.values() if copy.objgen not in known])
    hidden = _list_hidden_layers(source, set(copies))
    _extend_array(default, "/OFF", [copy for layer, copy in copies.items() if layer in hidden])
    _extend_array(default, "/ON", [copy for layer, copy in copies.items() if layer not in hidden])
    for key in ("/Order", "/RBGroups", "/Locked"):
        _extend_array(default, key, _map_groups(source.get(key), copies, _NESTED))
    for use in list_dictionaries(source, "/AS"):
        usage_entries = {key: use[key] for key in ("/Event", "/Category") if key in use and not use[key].is_indirect}
        _extend_array(
            default, "/AS", [Dictionary({**usage_entries, "/OCGs": Array(_map_groups(use.get("/OCGs"), copies, 1))})]
        )


def _list_hidden_layers(source: Any, layers: set[Any]) -> set[Any]:
    on, off = ({dictionary.objgen for dictionary in list_dictionaries(source, key)} for key in ("/ON", "/OFF"))
    return layers - on if source.get("/BaseState") == "/OFF" else layers & off


def _ensure_dictionary(node: Any, key: str, empty: Any) -> Any:
    import pikepdf

    if not isinstance(node.get(key), pikepdf.Dictionary):
        node[key] = empty
    return node[key]


def _extend_array(node: Any, key: str, more: list[Any]) -> None:
    import pikepdf

    if more:
        old_array = node.get(key)
        node[key] = pikepdf.Array([*(old_array if isinstance(old_array, pikepdf.Array) else []), *more])


def _map_groups(layer_group: Any, copies: dict[Any, Any], depth: int) -> list[Any]:
    """Groups of layers with their names, by the copies of the layers."""
    import pikepdf

    mapped_groups: list[Any] = []
    for entry in layer_group if isinstance(layer_group, pikepdf.Array) else ():
        if isinstance(entry, pikepdf.Array):
            mapped_groups += [pikepdf.Array(_map_groups(entry, copies, depth - 1))] if depth else []
        elif isinstance(entry, pikepdf.String):
            mapped_groups.append(pikepdf.String(str(entry)))
        elif isinstance(entry, pikepdf.Dictionary) and entry.objgen in copies:
            mapped_groups.append(copies[entry.objgen])
    return mapped_groups
