"""The words of a file as far as they can be read without its program: of texts, Office Open XML and OpenDocument."""

import re
import zipfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from html import unescape
from pathlib import Path

from yardkit.world.decoding import decode_bytes, is_binary
from yardkit.world.limits import ARCHIVE_ERRORS

_MAX_FILE_BYTES, _MAX_SCANNED_BYTES = 50_000_000, 20_000_000
_NODE = re.compile(r"<(?P<end>/?)(?:[\w.-]+:)?(?P<name>[\w.-]+)(?P<attributes>[^>]*?)(?P<empty>/?)>(?P<text>[^<]*)")
_ATTRIBUTE = re.compile(r"""\b(?:\w+:)?(\w+)\s*=\s*["']([^"']*)["']""")
_TEXTS = {"t", "v"}
"""Elements of Office Open XML that hold text; in OpenDocument all of a paragraph is text."""
_PARAGRAPHS = {"p", "h"}
_GAPS = {"p", "h", "si", "is", "c", "v", "br", "cr", "tab", "s", "line-break"}
"""Elements that end a word; others, such as runs and spans, may stand within one."""
_DATE_FORMATS = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
_NOT_OF_DATES = re.compile(r'"[^"]*"|\[[^\]]*\]|[\\_*].')
_DAY_0 = datetime(1899, 12, 30)  # noqa: DTZ001 - days of a workbook have no zone
_LAST_DAY = 2_958_465
_1904_DAYS = 1462


def words_in(path: Path) -> str:
    """Read the words of a file; empty where nothing is known of its format."""
    if not path.is_file() or path.stat().st_size > _MAX_FILE_BYTES:
        return ""
    if not zipfile.is_zipfile(path):
        data = path.read_bytes()[:_MAX_SCANNED_BYTES]
        return "" if is_binary(data) else decode_bytes(data).text
    try:
        with zipfile.ZipFile(path) as package:
            return " ".join(_words_of_parts(package))
    except ARCHIVE_ERRORS:
        return ""  # a damaged file can still be found by its name


def _words_of_parts(package: zipfile.ZipFile) -> Iterator[str]:
    left = _MAX_SCANNED_BYTES
    is_open_document = "META-INF/manifest.xml" in package.namelist()
    dates: tuple[set[int], int] | None = None
    for entry in package.infolist():
        if not entry.filename.endswith(".xml") or entry.file_size > left:
            continue
        left -= entry.file_size
        xml = decode_bytes(package.read(entry), html=True).text
        if is_open_document:
            yield _words_of_paragraphs(xml) if entry.filename in ("content.xml", "styles.xml") else ""
        elif entry.filename.startswith("xl/worksheets/"):
            dates = dates or _date_styles(package)
            yield _words_of_sheet(xml, *dates)
        else:
            yield _words_of_texts(xml)


def _words_of_texts(xml: str) -> str:
    pieces = []
    for node in _NODE.finditer(xml):
        if node["name"] in _GAPS:
            pieces.append(" ")
        elif node["name"] == "noBreakHyphen":
            pieces.append("-")
        if node["name"] in _TEXTS and not node["end"]:
            pieces.append(unescape(node["text"]))
    return "".join(pieces)


def _words_of_paragraphs(xml: str) -> str:
    pieces, depth = [], 0
    for node in _NODE.finditer(xml):
        if node["name"] in _PARAGRAPHS and not node["empty"]:
            depth += -1 if node["end"] else 1
        pieces += [" "] if node["name"] in _GAPS else []
        pieces += [unescape(node["text"])] if depth > 0 else []
    return "".join(pieces)


def _words_of_sheet(xml: str, date_styles: set[int], shift_days: int) -> str:
    """The words of a worksheet: numbers as they are, dates in ISO form; shared texts stand in a part of their own."""
    pieces, cell = [], dict[str, str]()
    for node in _NODE.finditer(xml):
        if node["name"] == "c" and not node["end"]:
            cell = dict(_ATTRIBUTE.findall(node["attributes"]))
        pieces += [" "] if node["name"] in _GAPS else []
        if node["name"] not in _TEXTS or node["end"] or (node["name"] == "v" and cell.get("t") == "s"):
            continue
        is_date = node["name"] == "v" and cell.get("t", "n") == "n" and int(cell.get("s") or 0) in date_styles
        pieces.append(_format_date(node["text"], shift_days) if is_date else unescape(node["text"]))
    return "".join(pieces)


def _format_date(number: str, shift_days: int) -> str:
    try:
        days = float(number) + shift_days
    except ValueError:
        return number
    if not 0 <= days <= _LAST_DAY:
        return number
    moment = _DAY_0 + timedelta(seconds=round(days * 86400))
    day, time = f"{moment:%Y-%m-%d}", f"{moment:%H:%M:%S}".removesuffix(":00")
    return time if days < 1 else day if days == int(days) else f"{day} {time}"


def _date_styles(package: zipfile.ZipFile) -> tuple[set[int], int]:
    """The numbers of the cell styles that show dates, and how many days later day 0 is in this workbook."""
    styles, book = (_read_part(package, name) for name in ("xl/styles.xml", "xl/workbook.xml"))
    formats = [dict(_ATTRIBUTE.findall(node)) for node in re.findall(r"<(?:\w+:)?numFmt\b([^>]*)>", styles)]
    date_formats = {
        int(facts["numFmtId"])
        for facts in formats
        if facts.get("numFmtId", "").isdecimal()
        and re.search("[dmyhs]", _NOT_OF_DATES.sub("", unescape(facts.get("formatCode", ""))).lower())
    }
    cell_styles = re.search(r"<(?:\w+:)?cellXfs\b.*?</(?:\w+:)?cellXfs>", styles, re.DOTALL)
    ids = re.findall(r"<(?:\w+:)?xf\b[^>]*?\bnumFmtId\s*=\s*[\"'](\d+)", cell_styles[0] if cell_styles else "")
    shift_days = _1904_DAYS if re.search(r"\bdate1904\s*=\s*[\"'](?:1|true)", book) else 0
    return {number for number, id_ in enumerate(ids) if int(id_) in _DATE_FORMATS | date_formats}, shift_days


def _read_part(package: zipfile.ZipFile, name: str) -> str:
    if name not in package.namelist() or package.getinfo(name).file_size > _MAX_SCANNED_BYTES:
        return ""
    return decode_bytes(package.read(name), html=True).text
