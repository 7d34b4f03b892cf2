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
    get_kind,
    get_role,
    non_visual,
    text_body,
)
from yardkit.servers.slides.engine.package.units import EMU_PER_CM
from yardkit.servers.slides.engine.results import Finding, Findings
from yardkit.servers.slides.engine.shapes.turned_shapes import get_angle, seen_box
from yardkit.servers.slides.engine.slides.new_slides import is_empty
from yardkit.servers.slides.engine.text.fonts import line_pt
from yardkit.servers.slides.engine.text.text_measure import (
    EMU_PER_PT,
    broken_lines,
    find_autofit,
    fitting_scale,
    get_letters,
    line_without_wrapping,
    list_frames,
    measure_room,
)
from yardkit.world import Problem

KINDS = (
    *("overflow", "table_overflow", "off_slide", "overlap", "small_text", "low_contrast", "empty_placeholder"),
    *("missing_title", "duplicate_title", "missing_alt_text", "many_fonts", "text_heavy", "distorted_picture"),
)
_SLACK_PT = 3.0
_FOOTER_ROLES = ("date", "footer", "number")


def check_deck(
    path: Path, slides: list[int] | None, kinds: list[str] | None, *, min_size_pt: float, offset: int, limit: int
) -> Findings:
    """Look at slides for all kinds of findings, or some."""
    unknown = [name for name in kinds or [] if name not in KINDS]
    if unknown:
        raise Problem(f"{unknown[0]!r} is not a valid check; use {', '.join(KINDS)}")
    deck = Deck.open(path)
    numbers = deck.numbers(slides)
    pages = [Page(deck, deck.get_slide(number), number, min_size_pt) for number in numbers]
    findings = [finding for page in pages for test in _PER_SLIDE for finding in test(page)]
    findings += [*_duplicate_titles(pages), *_many_fonts(pages)]
    findings = [finding for finding in findings if kinds is None or finding.kind in kinds]
    findings.sort(key=lambda finding: (finding.slide, KINDS.index(finding.kind)))
    dirty = {finding.slide for finding in findings}
    following = offset + limit if offset + limit < len(findings) else None
    counts = dict(Counter(finding.kind for finding in findings))
    return Findings(
        len(findings), counts, findings[offset : offset + limit], [n for n in numbers if n not in dirty], following
    )


def _find_overflow(page: Page) -> Iterator[Finding]:
    for placed in page.placed:
        needs = measure_room(page.look, placed)
        if needs is None:
            continue
        frames = list_frames(page.look, placed.shape)
        fit = find_autofit(frames)
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
            message = f"a word needs {needs.need_width:.0f} pt, the box is {needs.width:.0f} pt wide inside"
        else:
            room_pt = f"{needs.need_height:.0f} pt in {needs.height:.0f} pt"
            message = f"the text of {needs.lines} lines is {more:.1f} cm higher than its box ({room_pt})"
        cure = f"shorten the text, or scale it to {scale:.0%} (set_shape_text, autofit=shrink)"
        do = f"make the box {max(more, 0) + 0.1:.1f} cm higher, {cure}" if more > 0 else f"make the box wider, {cure}"
        yield page.make_finding("overflow", placed, message, do)


def _find_unwrapped(page: Page) -> Iterator[Finding]:
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
            message = f"a line is {line / EMU_PER_CM:.1f} cm long and does not wrap; it runs over the edge of the slide"
            do = "let it wrap in its box, made large enough (set_shape_text, autofit=shrink, lets text wrap)"
            yield page.make_finding("overflow", placed, message, do)


def _table_overflow(page: Page) -> Iterator[Finding]:
    for placed in page.placed:
        if get_kind(placed.shape) != "table" or placed.box is None:
            continue
        height = sum(_row_height(page, placed, row) for row in placed.shape.table.rows)
        bottom = placed.box.top + height
        if bottom > page.deck.height + EMU_PER_CM * 0.05:
            ends, high = bottom / EMU_PER_CM, page.deck.height / EMU_PER_CM
            message = f"with its text the table ends {ends:.1f} cm from the top; the slide is {high:.1f} cm high"
            yield page.make_finding(
                "table_overflow",
                placed,
                message,
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
            runs = [get_letters(page.look, placed.shape, paragraph, run) for run in paragraph.iterfind(f"{A}r")]
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
        box = seen_box(box, get_angle(placed.shape))
        sides = {
            "left": -box.left,
            "top": -box.top,
            "right": box.right - page.deck.width,
            "bottom": box.bottom - page.deck.height,
        }
        over = {side: value / EMU_PER_CM for side, value in sides.items() if value > EMU_PER_CM * 0.05}
        if over and not _is_bleed(page, placed, box):
            message = "reaches over the slide: " + ", ".join(
                f"{side} by {value:.1f} cm" for side, value in over.items()
            )
            width, height = page.deck.width / EMU_PER_CM, page.deck.height / EMU_PER_CM
            yield page.make_finding(
                "off_slide", placed, message, f"move or shrink it; the slide is {width:.2f} x {height:.2f} cm"
            )


def _is_bleed(page: Page, placed: Placed, box: Box) -> bool:
    """A picture or a plain area that reaches over the edge a little, as print designs do."""
    slide = Box(0, 0, page.deck.width, page.deck.height)
    decoration = get_kind(placed.shape) == "picture" or not has_text(placed)
    return decoration and get_kind(placed.shape) in ("picture", "shape") and box.overlap(slide) > 0.9 * box.area


def _find_overlaps(page: Page) -> Iterator[Finding]:
    top = [
        (placed, box) for placed in page.placed if not placed.groups and (box := _seen_box(page, placed)) and box.area
    ]
    for at, (first, first_box) in enumerate(top):
        for second, two in top[at + 1 :]:
            shared = first_box.overlap(two)
            if shared < 0.02 * min(first_box.area, two.area) or shared < (0.15 * EMU_PER_CM) ** 2:
                continue
            if _is_meant(first, second, two, shared):
                continue
            share = shared / min(first_box.area, two.area)
            message = (
                f"{_name_shape(second)} covers {share:.0%} of {_name_shape(first)}"
                if two.area >= first_box.area
                else f"{_name_shape(second)} overlaps {_name_shape(first)} ({share:.0%} of it)"
            )
            yield page.make_finding(
                "overlap", second, message, "move one of them, make it smaller, or group them if it is meant", first
            )


def _seen_box(page: Page, placed: Placed) -> Box | None:
    """The box of what is seen; turned for shapes that stand upright, whose text fills the box less exactly."""
    upright = placed.box is not None and get_angle(placed.shape) % 180 == 90
    return seen_box(placed.box, 90) if placed.box and upright and _drawn_box(page, placed) else _drawn_box(page, placed)


def _drawn_box(page: Page, placed: Placed) -> Box | None:
    """The box of what is seen: for text without fill only the part that holds text."""
    box, name = placed.box, get_kind(placed.shape)
    if box is None or name == "connector" or (is_empty(placed.shape)):
        return None
    needs = measure_room(page.look, placed)
    if name in ("textbox", "shape") and not is_filled(placed.shape):
        if needs is None:
            return None
        height = min(max(needs.need_height, 0) + 7.2, max(box.height / EMU_PER_PT, needs.need_height))
        anchor = next((body.get("anchor") for body in list_frames(page.look, placed.shape) if body.get("anchor")), "t")
        free = box.height - height * EMU_PER_PT
        top = box.top + (free if anchor == "b" else free / 2 if anchor == "ctr" else 0)
        return Box(box.left, top, box.width, height * EMU_PER_PT)
    return box


def _is_meant(first: Placed, second: Placed, two: Box, shared: float) -> bool:
    """Text or a picture that lies wholly on a plain area behind it, or a backdrop."""
    inside = shared > 0.98 * two.area
    is_decoration = get_kind(first.shape) in ("shape", "picture") and not has_text(first) and not get_role(first.shape)
    if inside and is_decoration and (get_kind(first.shape) == "shape" or has_text(second)):
        return True
    return get_role(first.shape) in _FOOTER_ROLES and get_role(second.shape) in _FOOTER_ROLES


def _name_shape(placed: Placed) -> str:
    return f"{placed.shape.shape_id} {placed.shape.name!r}"


def _small_text(page: Page) -> Iterator[Finding]:
    for placed in page.placed:
        fit = find_autofit(list_frames(page.look, placed.shape)) if text_body(placed.shape) is not None else None
        scale = (
            float(fit.get("fontScale", "100000").rstrip("%")) / 100_000
            if fit is not None and fit.get("fontScale")
            else 1.0
        )
        sizes = [run.size_pt * scale for run in page.runs(placed)]
        if sizes and min(sizes) < page.min_size_pt and get_role(placed.shape) not in _FOOTER_ROLES:
            message = f"text of {min(sizes):g} pt; {page.min_size_pt:g} pt is the least"
            yield page.make_finding(
                "small_text",
                placed,
                message,
                "make it larger (format_shape_text, size_pt), and shorten it if it no longer fits",
            )


def _find_empty(page: Page) -> Iterator[Finding]:
    for placed in page.placed:
        if is_empty(placed.shape) and get_role(placed.shape) not in _FOOTER_ROLES:
            message = f"the {get_role(placed.shape)} placeholder {placed.shape.name!r} is empty"
            yield page.make_finding(
                "empty_placeholder", placed, message, "fill it, or delete it (edit_slide_shapes, op=delete)"
            )


def _find_missing_title(page: Page) -> Iterator[Finding]:
    if not title_of(page.slide):
        message = "the slide has no title; outlines and screen readers need one"
        yield page.make_finding(
            "missing_title", None, message, "put the slide on a layout with a title (format_slides) and fill it"
        )


def _find_missing_alt(page: Page) -> Iterator[Finding]:
    for placed in page.placed:
        if (
            get_kind(placed.shape) in ("picture", "chart", "diagram", "media", "object")
            and not alt_text(placed.shape).strip()
        ):
            decorative = any("decorative" in element.tag for element in non_visual(placed.shape).iter())
            if not decorative:
                message = f"the {get_kind(placed.shape)} {placed.shape.name!r} has no alt text"
                yield page.make_finding(
                    "missing_alt_text", placed, message, "describe what it shows (edit_slide_shapes, op=describe)"
                )


def _find_heavy(page: Page) -> Iterator[Finding]:
    words = sum(
        len(run.text.split())
        for placed in page.placed
        if get_kind(placed.shape) != "table"
        for run in page.runs(placed)
    )
    if words > 120:
        message = f"the slide has {words} words"
        yield page.make_finding(
            "text_heavy", None, message, "shorten it, split it into two slides, or put details into the notes"
        )


def _find_distorted(page: Page) -> Iterator[Finding]:
    for placed in page.placed:
        box = placed.box
        if get_kind(placed.shape) != "picture" or box is None or not box.height:
            continue
        ratio = _picture_ratio(placed.shape)
        if ratio and not 0.95 < (box.width / box.height) / ratio < 1.05:
            message = f"the picture is stretched: {box.width / box.height:.2f} wide to high in place of {ratio:.2f}"
            yield page.make_finding(
                "distorted_picture", placed, message, "give it a size in its proportions (edit_slide_shapes, op=move)"
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
            message = f"the title is the same as on slide {titles[text]}"
            yield page.make_finding("duplicate_title", None, message, "make them unique, such as with (1/2) and (2/2)")
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
        message = f"the font {font!r} ({used[font]} characters) is none of the theme's ({own})"
        yield page.make_finding(
            "many_fonts", placed, message, "use the fonts of the theme (format_shape_text, font=+mn-lt)"
        )


_PER_SLIDE: tuple[Callable[[Page], Iterator[Finding]], ...] = (
    *(_find_overflow, _find_unwrapped, _table_overflow, _off_slide, _find_overlaps, _small_text),
    *(low_contrast, _find_empty, _find_missing_title, _find_missing_alt, _find_heavy, _find_distorted),
)
