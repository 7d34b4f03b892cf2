"""Charts on sheets: added, changed, deleted."""

from __future__ import annotations

import copy
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml.relations import drop_relation
from yardkit.kit.ooxml.xml import parse_part, serialize_part
from yardkit.servers.sheets.engine.cells.linked_parts import drop_part, open_sheet, save_objects
from yardkit.servers.sheets.engine.graphics.chart_reader import find_axes, read_charts
from yardkit.servers.sheets.engine.graphics.chart_spec import ChartInfo, Series
from yardkit.servers.sheets.engine.graphics.chart_xml import C, Sources, chart_xml, series_of
from yardkit.servers.sheets.engine.graphics.drawings import Drawing, find_name, move_anchor, place_of
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

_TYPE = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
WIDTH, HEIGHT = 480, 288
_FRAME = (
    '<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="{id}" name="{name}"/><xdr:cNvGraphicFramePr/>'
    '</xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic>'
    '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart">'
    '<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="{relation}"/>'
    "</a:graphicData></a:graphic></xdr:graphicFrame>"
)
_AFTER_TITLE = ("autoTitleDeleted", "pivotFmts", "view3D", "floor", "sideWall", "backWall", "plotArea")
_BEFORE_AXIS_TITLE = ("axId", "scaling", "delete", "axPos", "majorGridlines", "minorGridlines")
_PRESERVED_OF_SERIES = ("spPr", "marker", "dPt", "dLbls", "errBars", "smooth", "explosion", "shape", "invertIfNegative")
_SERIES_ORDER = (
    "idx", "order", "tx", "spPr", "invertIfNegative", "pictureOptions", "marker", "explosion", "dPt", "dLbls",
    "trendline", "errBars", "cat", "xVal", "val", "yVal", "shape", "smooth", "bubbleSize", "bubble3D", "extLst",
)  # fmt: skip


@dataclass(frozen=True)
class ChartChange:
    """What to change of a chart; None leaves it as it is, an empty title takes it out."""

    type: str | None = None
    data: str | None = None
    series: list[Series] | None = None
    title: str | None = None
    x_title: str | None = None
    y_title: str | None = None
    y2_title: str | None = None
    legend: str | None = None
    labels: str | None = None
    at: str | None = None
    width_px: int | None = None
    height_px: int | None = None


def add_chart(path: Path, sheet: str | None, change: ChartChange) -> ChartInfo:
    """Add a chart; what the saved file says of it.

    Raises:
        Problem: no such sheet or range, or series that do not fit the type.
    """
    book, grid = open_sheet(path, sheet)
    sources = Sources(book, grid.info.name)
    new_info = _apply_change(ChartInfo("", grid.info.name, "column", "", legend="right"), change, sources)
    if change.legend is None and len(new_info.series) == 1 and new_info.type not in ("pie", "doughnut"):
        new_info = replace(new_info, legend="none")
    used = grid.get_used_area()
    at = change.at or ("A1" if used is None else f"{_get_column_name(used.right + 2)}2")
    root = chart_xml(sources, new_info)
    drawing = Drawing(grid)
    part = book.package.free_name("xl/charts/chart{}.xml")
    book.package.put(part, serialize_part(root))
    book.set_type(part, _TYPE)
    name = drawing.free_name("Chart")
    relation = drawing.relate("chart", part)
    place = place_of(at, change.width_px or WIDTH, change.height_px or HEIGHT)
    drawing.add(place, _FRAME.format(id=drawing.free_id(), name=name, relation=relation))
    drawing.save()
    save_objects(book, path, grid)
    return read_chart(path, grid.info.name, name)


def change_chart(path: Path, sheet: str | None, name: str | None, change: ChartChange) -> ChartInfo:
    """Change a chart; its other parts and looks stay. A new type is drawn anew, with the looks of its series.

    Raises:
        Problem: no such chart, or as `add_chart`.
    """
    book, grid = open_sheet(path, sheet)
    known = read_charts(grid)
    chosen = find_name(known, name, "chart")
    old, _, part = known[chosen]
    sources = Sources(book, grid.info.name)
    new_info = _apply_change(old, change, sources)
    if _strip_frame(new_info) != _strip_frame(old):
        root = parse_part(book.package.read(part), part)
        book.package.put(part, serialize_part(_redraw_chart(root, old, new_info, sources)))
    if change.at or change.width_px or change.height_px:
        drawing = Drawing(grid)
        anchor = next(
            candidate
            for candidate in drawing.list_anchors()
            if _get_relation(candidate) == _get_relation(known[chosen][1])
        )
        at = change.at or old.at.split(":")[0]
        size = (change.width_px or old.width_px or WIDTH, change.height_px or old.height_px or HEIGHT)
        move_anchor(anchor, place_of(at, *size))
        drawing.save()
    save_objects(book, path, grid)
    return read_chart(path, grid.info.name, chosen)


def delete_chart(path: Path, sheet: str | None, name: str | None) -> ChartInfo:
    """Delete a chart and its part; what it was.

    Raises:
        Problem: no such chart.
    """
    book, grid = open_sheet(path, sheet)
    known = read_charts(grid)
    chosen = find_name(known, name, "chart")
    info, anchor, part = known[chosen]
    drawing = Drawing(grid)
    identity = _get_relation(anchor)
    for candidate in drawing.list_anchors():
        if _get_relation(candidate) == identity:
            drawing.root.remove(candidate)
    drop_relation(book.package, drawing.part, identity)
    for other in [target for _, target in book.relations_of(part).values() if target.startswith("xl/charts/")]:
        drop_part(book, other)  # its own style and colours
    drop_part(book, part)
    drawing.save()
    save_objects(book, path, grid)
    return info


def read_chart(path: Path, sheet: str | None, name: str) -> ChartInfo:
    """The chart called `name` as the file has it.

    Raises:
        Problem: no such chart.
    """
    known = read_charts(open_sheet(path, sheet)[1])
    return known[find_name(known, name, "chart")][0]


def _apply_change(old: ChartInfo, change: ChartChange, sources: Sources) -> ChartInfo:
    given = {
        field.name: getattr(change, field.name)
        for field in fields(change)
        if field.name not in ("data", "at", "width_px", "height_px") and getattr(change, field.name) is not None
    }
    if change.data is not None and change.series is not None:
        raise Problem("give data (a block of cells) or series, not both")
    if change.data is not None:
        given["series"] = series_of(sources, change.data, change.type or old.type)
    elif change.series is None and not old.series:
        raise Problem("no data was given; use data='A1:C10' (a block with names in its first row), or series")
    if change.type and not change.series and change.data is None:
        given["series"] = [replace(series, type="") for series in old.series]
    changed_info = replace(old, **given)
    stays = change.y2_title is not None or any(series.second_axis for series in changed_info.series)
    return changed_info if stays else replace(changed_info, y2_title="")


def _strip_frame(info: ChartInfo) -> ChartInfo:
    return replace(info, at="", width_px=None, height_px=None, name="")


def _redraw_chart(root: Any, old: ChartInfo, new_info: ChartInfo, sources: Sources) -> Any:
    """The chart part with what changed, taken from a freshly drawn one."""
    fresh = chart_xml(sources, new_info)
    if (new_info.type, new_info.labels) != (old.type, old.labels) or new_info.series != old.series:
        one_plot = all(not series.type and not series.second_axis for series in (*old.series, *new_info.series))
        if new_info.type == old.type and one_plot and new_info.labels == old.labels:
            _swap_series(root, fresh)
        else:
            _keep_colors(root, fresh)
            _swap_child(
                root.find(qualify_tag("chart", C)),
                fresh.find(qualify_tag("chart", C)),
                "plotArea",
                ("legend", "plotVisOnly"),
            )
    inner, new_chart = root.find(qualify_tag("chart", C)), fresh.find(qualify_tag("chart", C))
    if new_info.title != old.title:
        _swap_child(inner, new_chart, "title", _AFTER_TITLE)
        _swap_child(inner, new_chart, "autoTitleDeleted", _AFTER_TITLE[1:])
    if new_info.legend != old.legend:
        _swap_child(inner, new_chart, "legend", ("plotVisOnly", "dispBlanksAs", "showDLblsOverMax", "extLst"))
    pairs = zip(
        find_axes(inner.find(qualify_tag("plotArea", C))),
        find_axes(new_chart.find(qualify_tag("plotArea", C))),
        strict=True,
    )
    for (mine, theirs), was, now in zip(pairs, old.axis_titles, new_info.axis_titles, strict=True):
        if was != now and mine is not None and theirs is not None:
            _swap_axis_title(mine, theirs)
    return root


def _swap_child(parent: Any, fresh: Any, name: str, later: tuple[str, ...]) -> None:
    """Put the child `name` of `fresh` (or none) where `parent` has its own, before the first of `later`."""
    for old in parent.findall(qualify_tag(name, C)):
        parent.remove(old)
    new = fresh.find(qualify_tag(name, C))
    if new is None:
        return
    after = {qualify_tag(text, C) for text in later}
    place = next((index for index, child in enumerate(parent) if child.tag in after), len(parent))
    parent.insert(place, copy.deepcopy(new))


def _swap_axis_title(mine: Any, theirs: Any) -> None:
    for old in mine.findall(qualify_tag("title", C)):
        mine.remove(old)
    new = theirs.find(qualify_tag("title", C))
    if new is not None:
        before = {qualify_tag(name, C) for name in _BEFORE_AXIS_TITLE}
        place = max(index for index, child in enumerate(mine) if child.tag in before) + 1
        mine.insert(place, copy.deepcopy(new))


def _swap_series(root: Any, fresh: Any) -> None:
    """Put the series of `fresh` in place of those of the one plot; each keeps the looks of the old one at its place."""
    old = list(root.iter(qualify_tag("ser", C)))
    plot = old[0].getparent()
    place = plot.index(old[0])
    new = list(fresh.iter(qualify_tag("ser", C)))
    for mine, theirs in zip(old, new, strict=False):
        _keep_looks(mine, theirs)
    for mine in old:
        plot.remove(mine)
    for offset, theirs in enumerate(new):
        plot.insert(place + offset, copy.deepcopy(theirs))


def _keep_looks(mine: Any, theirs: Any) -> None:
    for name in _PRESERVED_OF_SERIES:
        old_children = mine.findall(qualify_tag(name, C))
        if not old_children or theirs.find(qualify_tag(name, C)) is not None:
            continue
        later = {qualify_tag(text, C) for text in _SERIES_ORDER[_SERIES_ORDER.index(name) + 1 :]}
        place = next((index for index, their in enumerate(theirs) if their.tag in later), len(theirs))
        for offset, element in enumerate(old_children):
            theirs.insert(place + offset, copy.deepcopy(element))


def _keep_colors(root: Any, fresh: Any) -> None:
    """The fill of each old series, where it had one of its own; a line or a point takes it otherwise."""
    kinds = [
        {str(element.tag) for element in part.iter() if str(element.tag).endswith("Chart")} for part in (root, fresh)
    ]
    if kinds[0] == kinds[1]:
        for mine, theirs in zip(root.iter(qualify_tag("ser", C)), fresh.iter(qualify_tag("ser", C)), strict=False):
            _keep_looks(mine, theirs)


def _get_relation(anchor: Any) -> str:
    reference = next(anchor.iter(qualify_tag("chart", C)), None)
    if reference is None:
        return ""
    return next((str(value) for key, value in reference.attrib.items() if str(key).endswith("}id")), "")


def _get_column_name(column: int) -> str:
    from yardkit.servers.sheets.engine.notation.references import column_name

    return column_name(column)
