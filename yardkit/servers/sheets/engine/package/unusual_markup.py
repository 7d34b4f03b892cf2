"""Worksheet parts of unusual but legal markup, brought to the form that the byte patterns of a `Source` know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from yardkit.kit.ooxml.xml import is_utf8
from yardkit.servers.sheets.engine.notation.references import MAX_ROW, column_name, column_number
from yardkit.servers.sheets.engine.package.xml import MAIN, parse_part, qualify_tag
from yardkit.world import Problem

ROOT = re.compile(rb"<(?:([\w.-]+):)?worksheet\b[^>]*>")
_UNUSUAL_TAG = re.compile(rb"""<[^<>"?]*(?:"[^"]*"[^<>"]*)*?(?:\s>|\s=|=\s|=')""")
"""A tag with room before its end or around an equals sign, or with single quotes."""
_SAMPLE = 600
_UNPREFIXING = f"""
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:main="{MAIN}">
  <xsl:template match="@*|*">
    <xsl:copy><xsl:apply-templates select="@*|node()"/></xsl:copy>
  </xsl:template>
  <xsl:template match="main:*">
    <xsl:element name="{{local-name()}}" namespace="{MAIN}">
      <xsl:copy-of select="namespace::*[name() and . != '{MAIN}']"/>
      <xsl:apply-templates select="@*|node()"/>
    </xsl:element>
  </xsl:template>
</xsl:stylesheet>"""


def seems_usual(data: bytes, start: int, end: int) -> bool:
    """Whether a part, whose rows lie from `start` to `end`, is UTF-8, without prefix, and its tags written as by Excel.

    Whole parts are not searched for odd tags, which would take longer than all else: who writes them does so in the
    first and last rows too.
    """
    root = ROOT.search(data, 0, 20_000)
    if root is None or root[1] or root[0].count(MAIN.encode()) != 1 or root[0].count(b'"') % 2:
        return False
    if not is_utf8(data) or not _is_utf8(data) or contains_mark(data, b"<?", 5) or not _has_usual_cells(data):
        return False
    samples = data[start : start + _SAMPLE], data[max(end - _SAMPLE, start) : end], data[-_SAMPLE:]
    return not any(map(_UNUSUAL_TAG.search, samples))


def _is_utf8(data: bytes) -> bool:
    """Whether it is UTF-8 to its end; bytes that are none are for the parser to refuse."""
    try:
        return data.isascii() or bool(data.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _has_usual_cells(data: bytes) -> bool:
    """Whether the element with the rows begins and ends as usual, if there is one."""
    opening = data.find(b"<sheetData")
    if opening < 0:
        return b":sheetData" not in data
    is_empty = data.endswith(b"/", opening, data.find(b">", opening))
    return is_empty or data.rfind(b"</sheetData>") > opening


def contains_mark(data: bytes, mark: bytes, start: int = 0) -> bool:
    """Whether `mark` is in `data`; its rare second byte is looked for first, which is many times faster."""
    return data.find(mark[1:], start) >= 0 and data.find(mark, start) >= 0


def normalize_part(data: bytes, name: str) -> bytes:
    """The part in the usual form: UTF-8, no prefix, no comments; rows and cells with references that come first.

    Raises:
        Problem: it is not well-formed, or has rows out of all order.
    """
    from lxml import etree

    root = _remove_prefixes(parse_part(data, name))
    etree.strip_tags(root, etree.Comment, etree.PI)
    for number, row in _number_rows(root, name):
        column = 0
        for cell in row.iterchildren(qualify_tag("c")):
            reference = (cell.get("r") or "").rstrip("0123456789")
            column = column_number(reference) if reference.isalpha() else column + 1
            _put_first(cell, {"r": f"{column_name(column)}{number}"}, ("s", "t"))
        _put_first(row, {"r": str(number)}, ())
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))


def _remove_prefixes(root: Any) -> Any:
    """The same tree, its elements of the main namespace without prefix wherever they stand."""
    from lxml import etree

    spaces = [space for prefix, space in root.nsmap.items() if prefix]
    if MAIN not in spaces and not root.xpath("boolean(//main:*[contains(name(), ':')])", namespaces={"main": MAIN}):
        return root
    # Elements that lxml moves below another root lose their namespace where a nearer default one covers it.
    return etree.XSLT(etree.XML(_UNPREFIXING))(root).getroot()


def _number_rows(root: Any, name: str) -> Iterator[tuple[int, Any]]:
    """The rows with their numbers, put in order where they were not."""
    data = root.find(qualify_tag("sheetData"))
    rows: dict[int, Any] = {}
    last = 0
    for row in list(data.iterchildren(qualify_tag("row")) if data is not None else ()):
        text = row.get("r") or str(last + 1)
        if not text.isdecimal() or not 1 <= int(text) <= MAX_ROW or int(text) in rows:
            raise Problem(f"the part {name!r} is damaged: it has a row {text!r} after row {last}")
        last = int(text)
        rows[last] = row
    for number in sorted(rows):
        data.append(rows[number])
        yield number, rows[number]


def _put_first(element: Any, new: dict[str, str], names: tuple[str, ...]) -> None:
    old = dict(element.attrib)
    element.attrib.clear()
    for key, value in {**new, **{name: old[name] for name in names if name in old}, **old, **new}.items():
        element.set(key, value)
