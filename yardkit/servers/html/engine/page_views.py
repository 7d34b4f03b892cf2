"""A page in the browser: pictures at several widths, what overflows, contrast, boxes, PDF."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.kit.pages import browser, raster
from yardkit.kit.pages.browser import Paper, Shot, View
from yardkit.kit.pages.raster import PageImage
from yardkit.servers.html.engine import scripts
from yardkit.servers.html.engine.page_content import extract_text
from yardkit.servers.html.engine.results import Box, Finding
from yardkit.servers.html.engine.source import Page, read_page
from yardkit.world import Problem, save_bytes

_MAX_PICTURE_BYTES = 1_500_000
_MAX_LOST = 20


@dataclass(frozen=True)
class Seen:
    """A page at one width: its picture, and what does not fit.

    Attributes:
        width_px: of the window.
        content_width_px: more than `width_px` when the page has to be scrolled to the side.
        height_px: of the whole page.
        findings: overflow, clipped text, pictures that did not load.
        missing: files that the page asked for in vain.
        blocked: addresses outside the workspace, which are never loaded.
        console: errors of its scripts.
    """

    width_px: int
    content_width_px: int
    height_px: int
    picture: PageImage | None = field(repr=False)
    cut: bool
    findings: list[Finding]
    missing: list[str]
    blocked: list[str]
    console: list[str]


def view_page(page: Path, root: Path, width: int, *, shot: Shot | None, view: View) -> Seen:
    """Open a page at a width.

    Raises:
        Problem: it cannot be loaded in time, or the selector of the picture finds nothing.
    """
    sized = View(width, view.height, view.scale, view.dark, view.media, view.javascript)
    visit = browser.visit_page(page, root, view=sized, scripts=[(scripts.OVERFLOW, None)], shot=shot)
    findings = [_make_misfit_finding(misfit_data, width) for misfit_data in visit.values[0]]
    picture = _shrink_picture(visit.picture) if visit.picture else None
    lists = (visit.missing, visit.blocked, list(filter(_is_script, visit.console)))
    return Seen(width, visit.width_px, visit.height_px, picture, visit.cut, findings, *lists)


def _make_misfit_finding(misfit_data: dict[str, Any], width: int) -> Finding:
    words = {
        "overflow": (
            f"reaches {misfit_data['by_px']} px over the right edge at {width} px width: {misfit_data['text'][:60]!r}"
        ),
        "clipped text": (
            f"{misfit_data['by_px']} px of it are cut off at {width} px width: {misfit_data['text'][:60]!r}"
        ),
        "broken picture": f"{misfit_data['text']!r} did not load",
    }[misfit_data["kind"]]
    return Finding(misfit_data["kind"], words, None, misfit_data["path"])


def _shrink_picture(picture: PageImage) -> PageImage:
    """The picture as it is, or as JPEG when it has too many bytes."""
    if len(picture.data) <= _MAX_PICTURE_BYTES:
        return picture
    return raster.run_picture_call(raster.as_jpeg, picture.data)


def check_rendered(source: Page, page: Path, root: Path, widths: Sequence[int]) -> list[Finding]:
    """What only a browser can tell: contrast, and what does not fit at these widths.

    Raises:
        Problem: the page cannot be loaded in time.
    """
    findings: list[Finding] = []
    for number, width in enumerate(widths):
        asked = [(scripts.OVERFLOW, None), *([(scripts.CONTRAST, None)] if number == 0 else [])]
        visit = browser.visit_page(page, root, view=View(width), scripts=asked)
        if visit.width_px > width:
            words = f"the page is {visit.width_px} px wide in a window of {width} px; it has to be scrolled to the side"
            findings.append(Finding("overflow", words, severity="error"))
        findings += [_make_misfit_finding(value, width) for value in visit.values[0]]
        findings += _list_contrast_findings([value for values in visit.values[1:] for value in values])
        findings += [Finding("script error", words) for words in visit.console if _is_script(words)]
    unique = {(finding.kind, finding.element, finding.text): finding for finding in findings}
    return [_with_line(source, finding) for finding in unique.values()]


def _is_script(words: str) -> bool:
    return not words.startswith(("Failed to load resource", "Not allowed to load"))


def _list_contrast_findings(contrast_entries: list[dict[str, Any]]) -> list[Finding]:
    """One finding for each pair of colours, with the first of the texts that have it: a table has many cells."""
    entries_by_colors: dict[tuple[str, str, float], list[dict[str, Any]]] = {}
    for record in contrast_entries:
        entries_by_colors.setdefault((record["color"], record["background"], record["needed"]), []).append(record)
    return [_make_contrast_finding(findings[0], len(findings) - 1) for findings in entries_by_colors.values()]


def _make_contrast_finding(contrast_entry: dict[str, Any], others: int) -> Finding:
    more = f" and {others} other{'s'[: others > 1]}" if others else ""
    words = (
        f"{contrast_entry['text'][:60]!r}{more}: contrast {contrast_entry['ratio']} of {contrast_entry['color']} on"
        f" {contrast_entry['background']}; at least {contrast_entry['needed']} is needed"
    )
    return Finding("contrast", words, None, contrast_entry["path"], "error")


def _with_line(source: Page, finding: Finding) -> Finding:
    if not finding.element:
        return finding
    elements = source.select(finding.element)
    line = source.line_of(elements[0]) if len(elements) == 1 else None
    return Finding(finding.kind, finding.text, line, finding.element, finding.severity)


def measure_elements(page: Path, root: Path, selector: str, *, width: int, most: int) -> tuple[int, list[Box]]:
    """Boxes of the elements that a selector finds, in the browser; how many there are in all, and the first of them.

    Raises:
        Problem: the selector cannot be read or finds nothing.
    """
    visit = browser.visit_page(page, root, view=View(width), scripts=[(scripts.BOXES, [selector, most])])
    measured_boxes = visit.values[0]
    if "error" in measured_boxes:
        raise Problem(f"{selector!r} is not a valid CSS selector ({measured_boxes['error'][:150]})")
    if not measured_boxes["total"]:
        raise Problem(f"nothing on the page matches {selector!r}; use query_elements to list its elements")
    return int(measured_boxes["total"]), [Box(**box) for box in measured_boxes["boxes"]]


def print_page(page: Path, root: Path, target: Path, paper: Paper) -> tuple[int, list[str]]:
    """Write a page as PDF; how many pages it has, and what is to be said of it: files that did not load, lost letters.

    Raises:
        Problem: the page cannot be loaded in time.
    """
    visit = browser.visit_page(page, root, paper=paper)
    save_bytes(target, visit.pdf)
    notes = [f"{name!r} did not load" for name in [*visit.missing, *visit.blocked]]
    texts = raster.run_picture_call(raster.page_texts, target)
    return len(texts), [*notes, *_not_printed(extract_text(read_page(page).root, include_all=False), "".join(texts))]


def _not_printed(visible_text: str, printed: str) -> list[str]:
    """What is said of letters of a page that are nowhere on its paper: the browser leaves out what no font has."""
    lost = _list_letters(visible_text) - _list_letters(printed)
    some = "".join(sorted(lost)[:_MAX_LOST]) + "..." * (len(lost) > _MAX_LOST)
    return (
        [f"not on the paper: {some!r}; no font here has these letters, or the page hides them in print"] if lost else []
    )


def _list_letters(text: str) -> set[str]:
    """The letters and signs of a text, in one form, without marks and what nobody sees."""
    return {letter for letter in unicodedata.normalize("NFKC", text) if unicodedata.category(letter)[0] in "LNPS"}
