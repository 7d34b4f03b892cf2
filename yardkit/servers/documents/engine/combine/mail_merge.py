"""Mail merge: the values of rows in place of {{Column}} placeholders and MERGEFIELDs."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import date, datetime
from pathlib import Path
from typing import Any

from yardkit.kit.csv_rows import parse_csv_rows
from yardkit.servers.documents.engine.combine import merge
from yardkit.servers.documents.engine.markup.names import SECT, P, ensure_child, qualify_name
from yardkit.servers.documents.engine.markup.paragraph_text import in_fallback, text_of
from yardkit.servers.documents.engine.markup.tracking import make_run, remove_emptied, replace_span
from yardkit.servers.documents.engine.package import field_values
from yardkit.servers.documents.engine.package.document import Document
from yardkit.world import Problem
from yardkit.world.decoding import decode_file
from yardkit.world.limits import ARCHIVE_ERRORS, check_archive, check_bytes

MAX_ROWS = 2_000
_UNREADABLE = (*ARCHIVE_ERRORS, KeyError, IndexError, TypeError, AttributeError, SyntaxError)
"""What openpyxl raises for a damaged workbook; SyntaxError is what its parsers of XML raise."""
_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")
_UNSAFE = re.compile(r'[\x00-\x1f<>:"/\\|?*]')


def rows_of(path: Path, sheet: str | None = None) -> list[dict[str, str]]:
    """The rows of a file with a header as texts by column: .xlsx, .csv, .tsv, .json (a list of objects).

    Numbers and dates of a workbook come as its number formats show them.

    Raises:
        Problem: another kind of file, no header, or too many rows.
    """
    suffix = path.suffix.lower()
    if suffix in (".xlsx", ".xlsm"):
        table = _sheet_rows(path, sheet)
    elif suffix in (".csv", ".tsv", ".txt"):
        table = _csv_rows(path)
    elif suffix == ".json":
        return _check_rows(_json_rows(path), path)
    else:
        raise Problem(f"{path.name!r} is not a table; use .xlsx, .csv, .tsv or .json")
    if not table or not any(table[0]):
        raise Problem(f"{path.name!r} has no header in its first row; add column names there")
    header = [name.strip() for name in table[0]]
    rows = [dict(zip(header, [*row, *([""] * len(header))], strict=False)) for row in table[1:] if any(row)]
    return _check_rows([{name: value for name, value in row.items() if name} for row in rows], path)


def _check_rows(rows: list[dict[str, str]], path: Path) -> list[dict[str, str]]:
    if len(rows) > MAX_ROWS:
        raise Problem(f"{path.name!r} has {len(rows):,} rows; the limit is {MAX_ROWS:,}. Split it")
    return rows


def list_placeholders(document: Document) -> list[str]:
    """Names of all placeholders and merge fields in the document, each once."""
    placeholder_names: dict[str, None] = {}
    for story in document.map_stories():
        root = document.get_story(story)
        for paragraph in root.iter(P):
            placeholder_names |= dict.fromkeys(match.group(1) for match in _PLACEHOLDER.finditer(text_of(paragraph)))
        for field in _merge_fields(root):
            placeholder_names[_get_field_name(field.code)] = None
    return list(placeholder_names)


def fill_placeholders(document: Document, row: dict[str, str], *, keep_missing: bool = False) -> None:
    """Put the values of a row into a document; names are compared without case.

    Raises:
        Problem: a placeholder has no column.
    """
    values = {name.lower(): value for name, value in row.items()}
    missing = [name for name in list_placeholders(document) if name.lower() not in values]
    if missing and not keep_missing:
        columns = ", ".join(name for name in row if name != "#") or "none"
        raise Problem(f"the placeholders {', '.join(missing)} have no column; the columns are {columns}")
    for story in document.map_stories():
        root = document.get_story(story)
        for field in list(_merge_fields(root)):
            if _get_field_name(field.code).lower() in values:
                _replace_field(field, format_value(values[_get_field_name(field.code).lower()], field.code))
        for paragraph in [candidate for candidate in root.iter(P) if not in_fallback(candidate)]:
            _fill_paragraph(paragraph, values)
        for paragraph in [candidate for candidate in root.iter(P) if in_fallback(candidate)]:
            _fill_paragraph(paragraph, values)


def fill_single(template: Path, rows: list[dict[str, str]], output: Path, *, keep_missing: bool = False) -> None:
    """One document with a section for each row, whose pages are counted from 1, as Word does it."""
    target = _make_letter(template, rows[0], 1, keep_missing=keep_missing)
    for number, row in enumerate(rows[1:], start=2):
        merge.append_document(target, _make_letter(template, row, number, keep_missing=keep_missing), "next_page")
    target.save(output)


def _make_letter(template: Path, row: dict[str, str], number: int, *, keep_missing: bool) -> Document:
    document = _fill_template(template, row, number, keep_missing=keep_missing)
    section = next(document.body.iter(SECT), None)
    if section is not None:
        numbers = ensure_child(section, "w:pgNumType")
        numbers.set(qualify_name("w:start"), numbers.get(qualify_name("w:start"), "1"))
    return document


def fill_each(
    template: Path, rows: list[dict[str, str]], folder: Path, name: str, *, keep_missing: bool = False
) -> list[Path]:
    """One document for each row; all are filled before the first is written. Their paths."""
    filled_documents = [
        _fill_template(template, row, number, keep_missing=keep_missing) for number, row in enumerate(rows, start=1)
    ]
    paths: list[Path] = []
    for number, row in enumerate(rows, start=1):
        stem = _file_name(name, row, number, len(rows))
        serial = 2
        path = folder / f"{stem}.docx"
        while path in paths:
            path = folder / f"{stem} {serial}.docx"
            serial += 1
        if path.exists():
            raise Problem(f"{path.name!r} already exists in the folder; choose an empty folder or another name")
        paths.append(path)
    for document, path in zip(filled_documents, paths, strict=True):
        document.save(path)
    return paths


def format_value(value: str, code: str) -> str:
    """A value as the switches of its MERGEFIELD want it: case (*), numbers (#), dates (@), text around it (b, f)."""
    picture = _find_switch(code, "#")
    if picture:
        value = _format_number(value, picture)
    picture = _find_switch(code, "@")
    if picture:
        value = _format_date(value, picture)
    case = re.search(r"\\\*\s*(upper|lower|firstcap|caps)", code, re.IGNORECASE)
    if case:
        change = {"upper": str.upper, "lower": str.lower, "caps": str.title}.get(case.group(1).lower())
        value = change(value) if change else value[:1].upper() + value[1:]
    return f"{_find_switch(code, 'b')}{value}{_find_switch(code, 'f')}" if value else ""


def _find_switch(code: str, letter: str) -> str:
    match = re.search(rf'\\{re.escape(letter)}\s+(?:"([^"]*)"|(\S+))', code)
    return (match.group(1) or match.group(2) or "") if match else ""


def _format_number(value: str, picture: str) -> str:
    try:
        number = float(value.replace(",", "") if "." in value or value.count(",") > 1 else value.replace(",", "."))
    except ValueError:
        return value
    match = re.search(r"[#0,.]+", picture)
    if match is None:
        return value
    form = match.group()
    decimals = len(form.partition(".")[2])
    text = f"{number:{',' if ',' in form else ''}.{decimals}f}"
    return (picture[: match.start()] + text + picture[match.end() :]).replace("'", "")


def _format_date(value: str, picture: str) -> str:
    try:
        return field_values.formatted_date(datetime.fromisoformat(value), picture)
    except ValueError:
        return value


def _fill_template(template: Path, row: dict[str, str], number: int, *, keep_missing: bool) -> Document:
    document = Document.open(template)
    fill_placeholders(document, {"#": str(number), **row}, keep_missing=keep_missing)
    document.flush()
    return document


def _fill_paragraph(paragraph: Any, values: dict[str, str]) -> None:
    """Replace the placeholders of a paragraph from the last to the first, so that offsets stay right."""
    for match in reversed(list(_PLACEHOLDER.finditer(text_of(paragraph)))):
        if match.group(1).lower() in values:
            replace_span(paragraph, match.start(), match.end(), values[match.group(1).lower()], None)


def _merge_fields(root: Any) -> list[field_values.Field]:
    return [field for field in field_values.iter_fields(root) if field.kind == "MERGEFIELD"]


def _get_field_name(code: str) -> str:
    match = re.match(r'\s*MERGEFIELD\s+(?:"([^"]*)"|(\S+))', code, re.IGNORECASE)
    return (match.group(1) or match.group(2) or "").strip() if match else ""


def _replace_field(field: field_values.Field, text: str) -> None:
    """Put plain text, in the look of the field's result, in place of a field."""
    if field.start.tag == qualify_name("w:fldSimple"):
        run = make_run(text, next(field.start.iter(qualify_name("w:r")), None))
        field.start.getparent().replace(field.start, run)
        return
    first = field.start.getparent()
    run = make_run(text, field.result[0] if field.result else first)
    between = _runs_between(first, field.end.getparent())
    first.addprevious(run)
    for old in between:
        remove_emptied(old)


def _runs_between(first: Any, last: Any) -> list[Any]:
    """The runs from one to another, both included, in document order."""
    inner_runs, inside = [], False
    for run in first.getroottree().getroot().iter(qualify_name("w:r")):
        inside = inside or run is first
        if inside:
            inner_runs.append(run)
        if run is last:
            break
    return inner_runs


def _file_name(pattern: str, row: dict[str, str], number: int, count: int) -> str:
    values = {name.lower(): value for name, value in row.items()} | {"#": f"{number:0{len(str(count))}d}"}

    def value(match: re.Match[str]) -> str:
        name = match.group(1).lower()
        if name not in values:
            raise Problem(f"the file name has {match.group()}, which is not a column; the columns are {', '.join(row)}")
        return values[name]

    stem = _UNSAFE.sub("_", _PLACEHOLDER.sub(value, pattern)).strip(" .")[:120]
    return stem.removesuffix(".docx") or f"{number}"


def _csv_rows(path: Path) -> list[list[str]]:
    check_bytes(path)
    text = decode_file(path.read_bytes(), path.name).text
    try:
        dialect: Any = csv.Sniffer().sniff(text[:20_000], delimiters=",;\t|")
    except csv.Error:
        dialect = "excel-tab" if path.suffix.lower() == ".tsv" else "excel"
    return parse_csv_rows(text, path.name, dialect=dialect)


def _json_rows(path: Path) -> list[dict[str, str]]:
    check_bytes(path)
    try:
        rows = json.loads(decode_file(path.read_bytes(), path.name).text)
    except ValueError as error:
        raise Problem(f"{path.name!r} is not valid JSON ({error}); use a list of objects") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise Problem(f'{path.name!r} is not a list of objects; use [{{"Name": "Ann"}}, ...]')
    return as_texts(rows)


def as_texts(rows: Sequence[Mapping[str, object]]) -> list[dict[str, str]]:
    """Rows of JSON with their values as texts: numbers as they are written, null as nothing."""

    def text(value: object) -> str:
        return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

    return [{str(key): text(value) for key, value in row.items()} for row in rows]


def _sheet_rows(path: Path, sheet: str | None) -> list[list[str]]:
    import openpyxl
    from openpyxl.chartsheet import Chartsheet
    from openpyxl.utils.exceptions import InvalidFileException

    check_archive(path)
    try:
        with path.open("rb") as file, closing(openpyxl.load_workbook(file, read_only=True, data_only=True)) as book:
            sheets = {
                worksheet.title: worksheet for worksheet in book.worksheets if not isinstance(worksheet, Chartsheet)
            }
            name = next(iter(sheets), "") if sheet is None else sheet
            if name not in sheets:
                raise Problem(f"{path.name!r} has no sheet {name!r} with cells; it has {', '.join(sheets)}")
            rows = [[(cell.value, getattr(cell, "number_format", "")) for cell in row] for row in sheets[name].rows]
    except (*_UNREADABLE, InvalidFileException) as error:
        raise Problem(f"{path.name!r} is not a valid workbook ({error})") from error
    return [[_format_cell(value, form) for value, form in row] for row in rows]


def _format_cell(value: Any, form: str) -> str:
    """A value as its number format shows it, for the common formats."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime | date):
        if isinstance(value, datetime) and (value.hour or value.minute):
            return value.isoformat(" ", "minutes")
        return value.strftime("%Y-%m-%d")
    if not isinstance(value, int | float):
        return str(value)
    positive_form = form.partition(";")[0]
    match = re.fullmatch(r"([^0#]*)([#,]*0)(?:\.(0+))?([^0#]*)", positive_form)
    if match is None:
        return str(int(value)) if float(value).is_integer() else repr(value)
    before, integer_part, decimals, after = match.groups()
    number = value * 100 if "%" in positive_form else value
    text = f"{number:{',' if ',' in integer_part else ''}.{len(decimals or '')}f}"
    quotes = str.maketrans("", "", '"\\')
    return (before.translate(quotes) + text + after.translate(quotes)).replace("[$", "").replace("]", "")
