"""What is wrong with a page: its source, its links, what readers with a screen reader miss, what the browser shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from yardkit.servers.html.engine.page_content import headings_of, links_of
from yardkit.servers.html.engine.results import Finding
from yardkit.servers.html.engine.source import Page, elements_of, tag_of, text_of, words_of

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_LABEL_ATTRIBUTES = ("aria-label", "aria-labelledby", "title")
_NO_LABEL = ("hidden", "submit", "button", "reset", "image")
_MAX_PARSE_ERRORS = 50


def check_source(page: Page, path: Path, root: Path) -> list[Finding]:
    """All that can be told from the file, without a browser, in the order of lines."""
    findings = [finding for check in _CHECKS for finding in check(page)]
    findings += _check_links(page, path, root)
    return sorted(findings, key=lambda finding: finding.line or 0)


def _check_parsing(page: Page) -> Iterator[Finding]:
    for offset, words in page.errors[:_MAX_PARSE_ERRORS]:
        yield Finding("parse error", words, page.line(offset), severity="error")


def _check_head(page: Page) -> Iterator[Finding]:
    if not page.select("head > title") or not words_of(page.select("head > title")[0]):
        yield Finding("title", "the page has no title; readers see it in tabs and search results", severity="error")
    language = page.root.get("lang", "")
    if not language:
        yield Finding("language", 'the html element has no lang attribute, such as lang="en"', 1, "html", "error")
    elif not _LANGUAGE.fullmatch(language):
        yield Finding(
            "language",
            f"lang={language!r} is not a valid language code; use one such as 'en' or 'de-AT'",
            1,
            "html",
            "error",
        )
    if not page.bom and not page.select("meta[charset], meta[http-equiv=content-type i]"):
        severity = "error" if not page.text.isascii() else "warning"
        words = 'no <meta charset="utf-8">; a browser shows other letters than ASCII wrongly'
        yield Finding("charset", words, severity=severity)  # type: ignore[arg-type]
    if not page.select("meta[name=viewport]"):
        yield Finding("viewport", 'no <meta name="viewport">; phones show the page shrunk')


def _check_identities(page: Page) -> Iterator[Finding]:
    elements = [candidate for candidate in elements_of(page.root) if candidate.get("id")]
    counts = Counter(candidate.get("id") for candidate in elements)
    for element in elements:
        if counts[element.get("id")] > 1:
            words = f"id {element.get('id')!r} is used {counts[element.get('id')]} times; it must be unique"
            yield _make_finding(page, element, "duplicate id", words, "error")
    for element in page.select("label[for]"):
        if counts[element.get("for")] == 0:
            yield _make_finding(page, element, "label", f"for={element.get('for')!r} names no element", "error")


def _make_finding(page: Page, element: Any, kind: str, words: str, severity: Any = "warning") -> Finding:
    place = page.place(element).start
    return Finding(kind, words, page.line_of(element), page.text[slice(*place)][:120] if place else "", severity)


def _check_pictures(page: Page) -> Iterator[Finding]:
    for element in page.select("img, input[type=image i], area[href]"):
        if element.get("alt") is None and not any(element.get(name) for name in _LABEL_ATTRIBUTES):
            yield _make_finding(
                page, element, "alt text", 'no alt; say what the picture shows, or alt="" for decoration', "error"
            )
    for element in page.select("iframe"):
        if not element.get("title"):
            yield _make_finding(page, element, "frame title", "an iframe needs a title")


def _check_headings(page: Page) -> Iterator[Finding]:
    headings = headings_of(page)
    if not headings:
        yield Finding("headings", "the page has no heading")
    tops = [candidate for candidate in headings if candidate.level == 1]
    if len(tops) > 1:
        yield Finding("headings", f"{len(tops)} headings of level 1; a page has one", tops[1].line)
    level = 0
    for heading in headings:
        if not heading.text:
            yield Finding(
                "headings", f"an empty heading of level {heading.level}", heading.line, f"h{heading.level}", "error"
            )
        if heading.level > level + 1:
            words = f"{heading.text!r} is of level {heading.level} after level {level or 'none'}"
            yield Finding("headings", words, heading.line, f"h{heading.level}")
        level = heading.level


def _check_controls(page: Page) -> Iterator[Finding]:
    labelled = {label.get("for") for label in page.select("label[for]")}
    wrapped = set(page.select("label input, label select, label textarea"))
    for element in page.select("input, select, textarea"):
        if element.get("type", "").lower() in _NO_LABEL or element in wrapped:
            continue
        if element.get("id") not in labelled and not any(element.get(name) for name in _LABEL_ATTRIBUTES):
            yield _make_finding(page, element, "label", "no label says what to fill in here", "error")
    for element in page.select("a[href], button"):
        pictured = any(image.get("alt") for image in element.iter("img"))
        if not text_of(element).strip() and not pictured and not any(element.get(name) for name in _LABEL_ATTRIBUTES):
            yield _make_finding(page, element, "empty link", f"a {tag_of(element)} without words", "error")


def _check_tables(page: Page) -> Iterator[Finding]:
    for element in page.select("table"):
        if element.get("role") not in ("presentation", "none") and not list(element.iter("th")):
            yield _make_finding(page, element, "table", "a table without header cells (th)")


_CHECKS: tuple[Callable[[Page], Iterator[Finding]], ...] = (
    _check_parsing,
    _check_head,
    _check_identities,
    _check_pictures,
    _check_headings,
    _check_controls,
    _check_tables,
)


def _check_links(page: Page, path: Path, root: Path) -> Iterator[Finding]:
    for link in links_of(page, path, root):
        if link.status not in ("ok", "external"):
            kind = "broken link" if link.kind in ("a", "area", "form") else "missing asset"
            yield Finding(kind, f"{link.address!r}: {link.status}", link.line, link.kind, "error")
        elif link.status == "external" and link.kind in ("script", "link", "img", "iframe"):
            yield Finding("external asset", f"{link.address!r} is loaded from the network", link.line, link.kind)
