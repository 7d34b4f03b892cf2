"""What is wrong with the look of a deck: measured on its geometry, its fonts and its resolved colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from yardkit.servers.slides.engine.contents.deck_reader import title_of
from yardkit.servers.slides.engine.looks.contrast import low_contrast
from yardkit.servers.slides.engine.looks.resolved_page import Page, has_text, is_filled
from yardkit.servers.slides.engine.package.deck import Deck
from yardkit.servers.slides.engine.package.shape_tree import (
    A,
    Box,
    Placed,
    alt_text,
    kind,
    non_visual,
    role,
    text_body,
)
from yardkit.servers.slides.engine.package.units import EMU_PER_CM
from yardkit.servers.slides.engine.results import Finding, Findings
from yardkit.servers.slides.engine.shapes.turned_shapes import angle, seen_box
from yardkit.servers.slides.engine.slides.new_slides import is_empty
from yardkit.servers.slides.engine.text.fonts import line_pt
from yardkit.servers.slides.engine.text.text_measure import (
    EMU_PER_PT,
    autofit,
    broken_lines,
    fitting_scale,
    frame,
    letters,
    line_without_wrapping,
    room,
)
from yardkit.world import Problem

KINDS = (
    *("overflow", "table_overflow", "off_slide", "overlap", "small_text", "low_contrast", "empty_placeholder"),
    *("missing_title", "duplicate_title", "missing_alt_text", "many_fonts", "text_heavy", "distorted_picture"),
)
_SLACK_PT = 3.0
_FOOTER_ROLES = ("date", "footer", "number")


def check(
    path: Path, slides: list[int] | None, kinds: list[str] | None, *, min_size_pt: float, offset: int, limit: int
) -> Findings:
    """Look at slides for all kinds of findings, or some."""
    unknown = [name for name in kinds or [] if name not in KINDS]
    if unknown:
        raise Problem(f"{unknown[0]!r} is not a valid check; use {', '.join(KINDS)}")
    deck = Deck.open(path)
    numbers = deck.numbers(slides)
    pages = [Page(deck, deck.slide(number), number, min_size_pt) for number in numbers]
    found = [finding for page in pages for test in _PER_SLIDE for finding in test(page)]
    found += [*_duplicate_titles(pages), *_many_fonts(pages)]
    found = [finding for finding in found if kinds is None or finding.kind in kinds]
    found.sort(key=lambda finding: (finding.slide, KINDS.index(finding.kind)))
    dirty = {finding.slide for finding in found}
    following = offset + limit if offset + limit < len(found) else None
    counts = dict(Counter(finding.kind for finding in found))
    return Findings(
        len(found), counts, found[offset : offset + limit], [n for n in numbers if n not in dirty], following
    )


def _overflow(page: Page) -> Iterator[Finding]:
    for placed in page.placed:
        needs = room(page.look, placed)
        if needs is None:
            continue
        frames = frame(page.look, placed.shape)
        fit = autofit(frames)
        growing = fit is not None and fit.tag == f"{A}spAutoFit"
        if needs.over <= max(_SLACK_PT, needs.height * 0.02):
            continue
        if growing and needs.need_height - needs.height < 0.25 * needs.height and needs.need_width <= needs.width:
            continue  # the program makes the box as high as the text when it opens the file
        scale = fitting_scale(page.look, placed, 0.3)
        if fit is not None and fit.tag == f"{A}normAutofit" and scale >= 0.75:
            continue  # the program shrinks it on opening, and it stays readable
        more = (needs.need_height - needs.height) / 28.35
        if needs.need_width > needs.width and more <= 0:
            says = f"a word needs {needs.need_width:.0f} pt, the box is {needs.width:.0f} pt wide inside"
        else:
            room_pt = f"{needs.need_height:.0f} pt in {needs.height:.0f} pt"
            says = f"the text of {needs.lines} lines is {more:.1f} cm higher than its box ({room_pt})"
        cure = f"shorten the text, or scale it to {scale:.0%} (set_shape_text, autofit=shrink)"
        do = f"make the box {max(more, 0) + 0.1:.1f} cm higher, {cure}" if more > 0 else f"make the box wider, {cure}"
        yield page.finding("overflow", placed, says, do)


def _unwrapped(page: Page) -> Iterator[Finding]:
    """Lines that do not wrap and run over the edge of the slide."""
    for placed in page.placed:
        line = line_without_wrapping(page.look, placed.shape) * EMU_PER_PT
        if not line or placed.box is None or placed.groups:
            continue
        left_aligned = all(
            element.get("algn", "l") == "l" for element in text_body(placed.shape).iterfind(f"{A}p/{A}pPr")
        )
        over = line - page.deck.width + (max(placed.box.left, 0) if left_aligned else 0)
        if over > EMU_PER_CM * 0.05:
            says = f"a line is {line / EMU_PER_CM:.1f} cm long and does not wrap; it runs over the edge of the slide"
            do = "let it wrap in its box, made large enough (set_shape_text, autofit=shrink, lets text wrap)"
            yield page.finding("overflow", placed, says, do)


def _table_overflow(page: Page) -> Iterator[Finding]:
    for placed in page.placed:
        if kind(placed.shape) != "table" or placed.box is None:
            continue
        height = sum(_row_height(page, placed, row) for row in placed.shape.table.rows)
        bottom = placed.box.top + height
        if bottom > page.deck.height + EMU_PER_CM * 0.05:
            ends, high = bottom / EMU_PER_CM, page.deck.height / EMU_PER_CM
            says = f"with its text the table ends {ends:.1f} cm from the top; the slide is {high:.1f} cm high"
            yield page.finding(
                "table_overflow",
                placed,
                says,
                "take rows to another slide, or make its text smaller (edit_slide_table)",
            )


def _row_height(page: Page, placed: Placed, row: Any) -> float:
    """The height of a row with its text, in EMU."""
    highest = float(row.height)
    for column, cell in enumerate(row.cells):
        if cell.is_spanned or cell.is_merge_origin:
            continue
        width = (placed.shape.table.columns[column].width - cell.margin_left - cell.margin_right) / EMU_PER_PT
        need = 0.0
        for paragraph in cell._tc.txBody.iterfind(f"{A}p"):
            runs = [letters(page.look, placed.shape, paragraph, run) for run in paragraph.iterfind(f"{A}r")]
            if runs:
                need += (
                    broken_lines(runs, width, 1.0, 0.0)[0] * line_pt(runs[0].font) * max(run.size_pt for run in runs)
                )
        highest = max(highest, need * EMU_PER_PT + cell.margin_top + cell.margin_bottom)
    return highest


def _off_slide(page: Page) -> Iterator[Finding]:
    for placed in page.placed:
        box = placed.box
        if box is None or placed.groups:
            continue
        box = seen_box(box, angle(placed.shape))
        sides = {
            "left": -box.left,
            "top": -box.top,
            "right": box.right - page.deck.width,
            "bottom": box.bottom - page.deck.height,
        }
        over = {side: value / EMU_PER_CM for side, value in sides.items() if value > EMU_PER_CM * 0.05}
        if over and not _bleeds(page, placed, box):
            says = "reaches over the slide: " + ", ".join(f"{side} by {value:.1f} cm" for side, value in over.items())
            width, height = page.deck.width / EMU_PER_CM, page.deck.height / EMU_PER_CM
            yield page.finding(
                "off_slide", placed, says, f"move or shrink it; the slide is {width:.2f} x {height:.2f} cm"
            )


def _bleeds(page: Page, placed: Placed, box: Box) -> bool:
    """A picture or a plain area that reaches over the edge a little, as print designs do."""
    slide = Box(0, 0, page.deck.width, page.deck.height)
    decoration = kind(placed.shape) == "picture" or not has_text(placed)
    return decoration and kind(placed.shape) in ("picture", "shape") and box.overlap(slide) > 0.9 * box.area


def _overlap(page: Page) -> Iterator[Finding]:
    top = [
        (placed, box) for placed in page.placed if not placed.groups and (box := _seen_box(page, placed)) and box.area
    ]
    for at, (first, one) in enumerate(top):
        for second, two in top[at + 1 :]:
            shared = one.overlap(two)
            if shared < 0.02 * min(one.area, two.area) or shared < (0.15 * EMU_PER_CM) ** 2:
                continue
            if _is_meant(first, second, two, shared):
                continue
            share = shared / min(one.area, two.area)
            says = (
                f"{_named(second)} covers {share:.0%} of {_named(first)}"
                if two.area >= one.area
                else f"{_named(second)} overlaps {_named(first)} ({share:.0%} of it)"
            )
            yield page.finding(
                "overlap", second, says, "move one of them, make it smaller, or group them if it is meant", first
            )


def _seen_box(page: Page, placed: Placed) -> Box | None:
    """The box of what is seen; turned for shapes that stand upright, whose text fills the box less exactly."""
    upright = placed.box is not None and angle(placed.shape) % 180 == 90
    return seen_box(placed.box, 90) if placed.box and upright and _drawn_box(page, placed) else _drawn_box(page, placed)


def _drawn_box(page: Page, placed: Placed) -> Box | None:
    """The box of what is seen: for text without fill only the part that holds text."""
    box, name = placed.box, kind(placed.shape)
    if box is None or name == "connector" or (is_empty(placed.shape)):
        return None
    needs = room(page.look, placed)
    if name in ("textbox", "shape") and not is_filled(placed.shape):
        if needs is None:
            return None
        height = min(max(needs.need_height, 0) + 7.2, max(box.height / EMU_PER_PT, needs.need_height))
        anchor = next((body.get("anchor") for body in frame(page.look, placed.shape) if body.get("anchor")), "t")
        free = box.height - height * EMU_PER_PT
        top = box.top + (free if anchor == "b" else free / 2 if anchor == "ctr" else 0)
        return Box(box.left, top, box.width, height * EMU_PER_PT)
    return box


def _is_meant(first: Placed, second: Placed, two: Box, shared: float) -> bool:
    """Text or a picture that lies wholly on a plain area behind it, or a backdrop."""
    inside = shared > 0.98 * two.area
    plain = kind(first.shape) in ("shape", "picture") and not has_text(first) and not role(first.shape)
    if inside and plain and (kind(first.shape) == "shape" or has_text(second)):
        return True
    return role(first.shape) in _FOOTER_ROLES and role(second.shape) in _FOOTER_ROLES


def _named(placed: Placed) -> str:
    return f"{placed.shape.shape_id} {placed.shape.name!r}"


def _small_text(page: Page) -> Iterator[Finding]:
    for placed in page.placed:
        fit = autofit(frame(page.look, placed.shape)) if text_body(placed.shape) is not None else None
        scale = (
            float(fit.get("fontScale", "100000").rstrip("%")) / 100_000
            if fit is not None and fit.get("fontScale")
            else 1.0
        )
        sizes = [run.size_pt * scale for run in page.runs(placed)]
        if sizes and min(sizes) < page.min_size_pt and role(placed.shape) not in _FOOTER_ROLES:
            says = f"text of {min(sizes):g} pt; {page.min_size_pt:g} pt is the least"
            yield page.finding(
                "small_text",
                placed,
                says,
                "make it larger (format_shape_text, size_pt), and shorten it if it no longer fits",
            )


def _empty(page: Page) -> Iterator[Finding]:
    for placed in page.placed:
        if is_empty(placed.shape) and role(placed.shape) not in _FOOTER_ROLES:
            says = f"the {role(placed.shape)} placeholder {placed.shape.name!r} is empty"
            yield page.finding(
                "empty_placeholder", placed, says, "fill it, or delete it (edit_slide_shapes, op=delete)"
            )


def _title(page: Page) -> Iterator[Finding]:
    if not title_of(page.slide):
        says = "the slide has no title; outlines and screen readers need one"
        yield page.finding(
            "missing_title", None, says, "put the slide on a layout with a title (format_slides) and fill it"
        )


def _alt(page: Page) -> Iterator[Finding]:
    for placed in page.placed:
        if (
            kind(placed.shape) in ("picture", "chart", "diagram", "media", "object")
            and not alt_text(placed.shape).strip()
        ):
            decorative = any("decorative" in element.tag for element in non_visual(placed.shape).iter())
            if not decorative:
                says = f"the {kind(placed.shape)} {placed.shape.name!r} has no alt text"
                yield page.finding(
                    "missing_alt_text", placed, says, "describe what it shows (edit_slide_shapes, op=describe)"
                )


def _heavy(page: Page) -> Iterator[Finding]:
    words = sum(
        len(run.text.split()) for placed in page.placed if kind(placed.shape) != "table" for run in page.runs(placed)
    )
    if words > 120:
        says = f"the slide has {words} words"
        yield page.finding(
            "text_heavy", None, says, "shorten it, split it into two slides, or put details into the notes"
        )


def _distorted(page: Page) -> Iterator[Finding]:
    for placed in page.placed:
        box = placed.box
        if kind(placed.shape) != "picture" or box is None or not box.height:
            continue
        ratio = _picture_ratio(placed.shape)
        if ratio and not 0.95 < (box.width / box.height) / ratio < 1.05:
            says = f"the picture is stretched: {box.width / box.height:.2f} wide to high in place of {ratio:.2f}"
            yield page.finding(
                "distorted_picture", placed, says, "give it a size in its proportions (edit_slide_shapes, op=move)"
            )


def _picture_ratio(shape: Any) -> float | None:
    """Width over height of what is seen of a picture; None where its size cannot be told."""
    try:
        width, height = shape.image.size
    except (ValueError, KeyError, AttributeError, OSError, Problem):
        return None
    seen_x = 1 - shape.crop_left - shape.crop_right
    seen_y = 1 - shape.crop_top - shape.crop_bottom
    return width * seen_x / (height * seen_y) if height and seen_y > 0 and seen_x > 0 else None


def _duplicate_titles(pages: list[Page]) -> Iterator[Finding]:
    titles: dict[str, int] = {}
    for page in pages:
        text = title_of(page.slide).casefold()
        if text and text in titles:
            says = f"the title is the same as on slide {titles[text]}"
            yield page.finding("duplicate_title", None, says, "make them unique, such as with (1/2) and (2/2)")
        titles.setdefault(text, page.number)


def _many_fonts(pages: list[Page]) -> Iterator[Finding]:
    used: Counter[str] = Counter()
    first: dict[str, tuple[Page, Placed]] = {}
    for page in pages:
        for placed in page.placed:
            for run in page.runs(placed):
                used[run.font] += len(run.text)
                first.setdefault(run.font, (page, placed))
    themed = {font for page in pages for font in page.look.fonts}
    strange = [font for font, _ in used.most_common() if font and font not in themed]
    for font in strange if len(strange) > 1 or (strange and used[strange[0]] < 0.1 * used.total()) else []:
        page, placed = first[font]
        own = ", ".join(sorted(filter(None, themed)))
        says = f"the font {font!r} ({used[font]} characters) is none of the theme's ({own})"
        yield page.finding("many_fonts", placed, says, "use the fonts of the theme (format_shape_text, font=+mn-lt)")


_PER_SLIDE: tuple[Callable[[Page], Iterator[Finding]], ...] = (
    *(_overflow, _unwrapped, _table_overflow, _off_slide, _overlap, _small_text),
    *(low_contrast, _empty, _title, _alt, _heavy, _distorted),
)
