"""Find and replace across runs: the text changes, the format of each run stays. Also formats matches only."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.kit.look_alikes import build_look_pattern
from yardkit.kit.ooxml.xml import parse_part, serialize_part
from yardkit.servers.slides.engine.charts import charts
from yardkit.servers.slides.engine.contents.text_matches import Match, Search
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.package.shape_tree import A, P, find_shape, walk_shapes
from yardkit.servers.slides.engine.shapes.shape_text import scale_anew
from yardkit.servers.slides.engine.shapes.shape_versions import is_older, left_behind, settle_versions
from yardkit.servers.slides.engine.text.paragraphs import Format, apply_format, clean_text
from yardkit.world import Problem

MAX_PLACES = 200
_CHART = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
_DIAGRAM_TYPES = ("drawingml.diagramData+xml", "ms-office.drawingml.diagramDrawing+xml")


@dataclass(frozen=True)
class Place:
    """Where text was found: where is body, table, notes, chart or diagram."""

    slide: int
    shape: int
    where: str
    before: str
    after: str


@dataclass(frozen=True)
class Region:
    """A piece of XML of a slide in which text is looked for; `keep` stores it where it is no parsed part."""

    slide: int
    where: str
    root: Any
    keep: Callable[[], None]


def replace_matches(
    path: Path, search: Search, new: str, *, slides: list[int] | None, notes: bool
) -> tuple[list[Place], list[str]]:
    """Replace every match in slides, tables, groups, diagrams, chart titles and notes; the places that changed, and
    what older programs show as it was.

    Raises:
        Problem: nothing matches.
    """
    if "\n" in new or "\t" in new:
        raise Problem("the new text contains a line break or tab; use set_shape_text for paragraphs")
    clean_text(new)
    with edit_deck(path) as deck:
        changed_positions: list[Place] = []
        stale: list[str] = []
        texts: dict[tuple[int, str], list[str]] = {}
        regions = list(list_regions(deck, deck.numbers(slides), notes=notes))
        pieces = [_join_texts(piece) for region in regions for piece in _list_region_pieces(region)]
        matches_by_text = search.find(pieces, new)
        for region in regions:
            changed = list(_replace_in(region, matches_by_text, stale))
            if changed:
                region.keep()
                texts.setdefault((region.slide, region.where), []).extend(place.after for place in changed)
            changed_positions += changed
        if not changed_positions:
            left = "".join(f"; {note}" for note in _in_chart_data(deck, search, deck.numbers(slides)))
            raise Problem(
                f"nothing matches {search.text!r}; nothing was changed. Use read_deck_text to see the texts{left}"
            )
        deck.promise("every replaced paragraph", lambda saved: _has_texts(saved, texts))
    return changed_positions, stale


def left_in_charts(path: Path, search: Search, slides: list[int] | None) -> list[str]:
    """Where the text also stands in the data of charts, which are not replaced."""
    deck = Deck.open(path)
    return _in_chart_data(deck, search, deck.numbers(slides))


def _in_chart_data(deck: Deck, search: Search, numbers: list[int]) -> list[str]:
    remaining_texts = []
    for number in numbers:
        for shape in (placed.shape for placed in walk_shapes(deck.get_slide(number).shapes)):
            data = charts.read_chart(shape) if getattr(shape, "has_chart", False) else None
            names = [] if data is None else [*data.categories, *(chart_series.name for chart_series in data.series)]
            if names and any(search.find(names).values()):
                remaining_texts.append(
                    f"slide {number}, chart {shape.shape_id}: names of its series or categories hold the text and "
                    "stay; write_slide_chart changes them"
                )
    return remaining_texts


def _has_texts(saved: Deck, texts: dict[tuple[int, str], list[str]]) -> bool:
    """Whether each replaced paragraph stands in the saved deck."""
    now: dict[tuple[int, str], list[str]] = {}
    for region in list_regions(saved, sorted({slide for slide, _ in texts}), notes=True):
        lines = ["".join(t.text or "" for t in paragraph.iter(f"{A}t")) for paragraph in region.root.iter(f"{A}p")]
        now.setdefault((region.slide, region.where), []).extend(lines)
    return all(set(lines) <= set(now.get(key, [])) for key, lines in texts.items())


def list_regions(deck: Deck, numbers: list[int], *, notes: bool) -> Iterator[Region]:
    """Every piece of XML in which the chosen slides hold text."""
    for number in numbers:
        slide = deck.get_slide(number)
        yield Region(number, "text", slide._element, _do_nothing)
        for relation in list(slide.part.rels.values()):
            if relation.is_external:
                continue
            part = relation.target_part
            if part.content_type == _CHART:
                yield Region(number, "chart", part._element, _do_nothing)
            elif part.content_type.endswith(_DIAGRAM_TYPES):
                root = parse_part(part.blob, str(part.partname))
                yield Region(number, "diagram", root, lambda part=part, root=root: _store_root(part, root))  # type: ignore[misc]
        if notes and slide.has_notes_slide:
            yield Region(number, "notes", slide.notes_slide._element, _do_nothing)


def _do_nothing() -> None:
    pass


def _store_root(part: Any, root: Any) -> None:
    part.blob = serialize_part(root)


def _replace_in(region: Region, matches_by_text: Mapping[str, list[Match]], stale: list[str]) -> Iterator[Place]:
    changed = []
    for paragraph in list(region.root.iter(f"{A}p")):
        before = "".join(text.text or "" for text in paragraph.iter(f"{A}t"))
        pieces = [texts for texts in _list_pieces(paragraph) if _splice_all(texts, matches_by_text)]
        if pieces:
            for text in (text for texts in pieces for text in texts):
                run = text.getparent()
                if not text.text and run.getparent() is not None:
                    paragraph.remove(run)
            inside = next(paragraph.iterancestors(f"{A}tbl"), None) is not None
            where = "table" if inside else region.where
            after = "".join(text.text or "" for text in paragraph.iter(f"{A}t"))
            if not is_older(paragraph):
                changed.append(paragraph)
                yield Place(region.slide, _shape_id(paragraph), where, before, after)
    stale += [f"slide {region.slide}, {note}" for note in left_behind(changed)]


def _list_pieces(paragraph: Any) -> list[list[Any]]:
    """The texts of the runs that stand beside each other, without a line break or a field between them."""
    text_groups: list[list[Any]] = [[]]
    for child in paragraph:
        if child.tag == f"{A}r":
            text_groups[-1] += child.findall(f"{A}t")
        elif child.tag in (f"{A}br", f"{A}fld"):
            text_groups.append([])
    return text_groups


def _list_region_pieces(region: Region) -> Iterator[list[Any]]:
    for paragraph in region.root.iter(f"{A}p"):
        yield from _list_pieces(paragraph)


def _join_texts(texts: list[Any]) -> str:
    return "".join(text.text or "" for text in texts)


def _splice_all(texts: list[Any], matches_by_text: Mapping[str, list[Match]]) -> bool:
    """Replace every match in joined texts; whether there was one."""
    matches = matches_by_text.get(_join_texts(texts), [])  # what two slides share is replaced already
    for match in reversed(matches):
        splice_text(texts, *match)
    return bool(matches)


def splice_text(texts: list[Any], start: int, end: int, new: str) -> None:
    """Put `new` in place of the characters from `start` to `end` of the joined texts, into the first run touched."""
    at, placed = 0, False
    for text in texts:
        value = text.text or ""
        begin, stop = max(start - at, 0), min(end - at, len(value))
        if begin < stop or (begin == stop == 0 and start == end == at and not placed):
            text.text = value[:begin] + ("" if placed else new) + value[stop:]
            placed = True
        at += len(value)


def _shape_id(paragraph: Any) -> int:
    for ancestor in paragraph.iterancestors():
        properties = ancestor.find(f"./*/{P}cNvPr")
        if properties is not None and ancestor.tag != f"{P}spTree":
            return int(properties.get("id", "0"))
    return 0


def format_text(
    path: Path, slide: int, shapes: list[int | str], match: str | None, change: Format
) -> tuple[int, list[str]]:
    """Format the text of shapes, or only what equals `match`; the number of runs changed, and what to know.

    Raises:
        Problem: no format is given, or nothing matches.
    """
    if change == Format():
        raise Problem("no format was given; use bold, italic, underline, size_pt, color or font")
    with edit_deck(path) as deck:
        page = deck.get_slide(slide)
        chosen = [find_shape(page, key).shape for key in shapes]
        paragraphs = [paragraph for shape in chosen for paragraph in shape._element.iter(f"{A}p")]
        runs = [run for paragraph in paragraphs for run in _find_runs(paragraph, match)]
        if not runs:
            raise Problem("the shapes do not contain this text; nothing was changed. Use read_slides to see their text")
        for run in runs:
            apply_format(run.get_or_add_rPr(), change)
        if match is None:
            for end in (paragraph.find(f"{A}endParaRPr") for paragraph in paragraphs):
                if end is not None:
                    apply_format(end, change)
        for shape in chosen:
            scale_anew(page, shape)
        notes = [note for shape in chosen for note in settle_versions(shape)]
    return len(runs), notes


def _find_runs(paragraph: Any, match: str | None) -> list[Any]:
    """The runs of a paragraph, or runs of their own for each match."""
    if match is None:
        return [*paragraph.iterfind(f"{A}r"), *paragraph.iterfind(f"{A}fld")]
    paragraph_text = "".join(text.text or "" for text in paragraph.iterfind(f"{A}r/{A}t"))
    matching_runs = []
    for place in re.finditer(build_look_pattern(match), paragraph_text) if match else ():
        split_run(paragraph, place.start())
        split_run(paragraph, place.end())
        matching_runs += list(_list_between(paragraph, place.start(), place.end()))
    return matching_runs


def split_run(paragraph: Any, at: int) -> None:
    """Split the run that reaches over the character `at` into two of the same format."""
    start = 0
    for run in paragraph.findall(f"{A}r"):
        text = run.find(f"{A}t")
        value = text.text or ""
        if start < at < start + len(value):
            second = copy.deepcopy(run)
            run.addnext(second)
            text.text, second.find(f"{A}t").text = value[: at - start], value[at - start :]
            return
        start += len(value)


def _list_between(paragraph: Any, start: int, end: int) -> Iterator[Any]:
    at = 0
    for run in paragraph.findall(f"{A}r"):
        length = len(run.findtext(f"{A}t") or "")
        if length and start <= at and at + length <= end:
            yield run
        at += length
