"""Office and PDF files as other programs write them: the same contents in other XML, or other objects."""

import copy
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

_WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_CELLS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_LEAST_SPLIT = 4
"""Letters of a text that is split, so that each half has two."""
_SHEETS = re.compile(r"xl/worksheets/[^/]+\.xml")
Edit = Callable[[str, Any], Any]
"""Changes the root element of a part, given its name; returns the new root."""


def inline_strings(path: Path) -> None:
    """Texts in the cells themselves, as many libraries write them."""
    with zipfile.ZipFile(path) as package:
        shared = [name for name in package.namelist() if name == "xl/sharedStrings.xml"]
        texts = list(_parse(package.read(shared[0]))) if shared else []

    def edit(_name: str, root: Any) -> Any:
        for cell in root.iter(f"{{{_CELLS}}}c"):
            value = cell.find(f"{{{_CELLS}}}v")
            if cell.get("t") == "s" and value is not None:
                text = copy.deepcopy(texts[int(value.text)])
                text.tag = f"{{{_CELLS}}}is"
                cell.set("t", "inlineStr")
                cell.replace(value, text)
        return root

    _edit_parts(path, _SHEETS, edit)


def shared_formulas(path: Path) -> None:
    """Formulas that were filled down share one, as Excel saves them."""
    _edit_parts(path, _SHEETS, _share_formulas)


def prefixed_cells(path: Path) -> None:
    """All elements of the sheets have a prefix, as the Open XML SDK writes them."""
    _edit_parts(path, _SHEETS, lambda _name, root: _with_prefix(root))


def split_runs(path: Path) -> None:
    """Words in several runs, as Word and PowerPoint leave them behind after editing."""
    _edit_parts(path, re.compile(r"(word|ppt/slides)/[^/]+\.xml"), _split_all)


def packed_objects(path: Path) -> None:
    """A PDF file with its objects in compressed streams, for the web."""
    import pikepdf

    with pikepdf.open(path) as document:
        document.save(
            draft := io.BytesIO(), object_stream_mode=pikepdf.ObjectStreamMode.generate, linearize=True, qdf=False
        )
    path.write_bytes(draft.getvalue())


def loose_objects(path: Path) -> None:
    """A PDF file of version 1.4, each object for itself and uncompressed."""
    import pikepdf

    with pikepdf.open(path) as document:
        document.save(
            draft := io.BytesIO(),
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
            stream_decode_level=pikepdf.StreamDecodeLevel.generalized,
            compress_streams=False,
        )
    path.write_bytes(draft.getvalue())


def _parse(data: bytes) -> Any:
    from lxml import etree

    return etree.fromstring(data)


def _edit_parts(path: Path, names: re.Pattern[str], edit: Edit) -> None:
    from lxml import etree

    buffer = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if names.fullmatch(name):
                data = etree.tostring(edit(name, _parse(data)), xml_declaration=True, encoding="UTF-8", standalone=True)
            new.writestr(name, data)
    path.write_bytes(buffer.getvalue())


def _share_formulas(_name: str, root: Any) -> Any:
    from openpyxl.utils.cell import coordinate_from_string

    columns: dict[str, list[tuple[int, Any]]] = {}
    for cell in root.iter(f"{{{_CELLS}}}c"):
        formula = cell.find(f"{{{_CELLS}}}f")
        if formula is not None and formula.text and not formula.attrib:
            column, row = coordinate_from_string(cell.get("r"))
            columns.setdefault(column, []).append((row, formula))
    runs = [(column, run) for column, formulas in columns.items() for run in _find_filled(column, formulas)]
    for number, (column, run) in enumerate(runs):
        _share_formula(run, column, number)
    return root


def _find_filled(column: str, formulas: list[tuple[int, Any]]) -> Iterator[list[tuple[int, Any]]]:
    """The formulas of a column, by row, that filling down the first of them gives, where there are several."""
    from openpyxl.formula.translate import Translator

    start = 0
    while start < len(formulas):
        first, own = formulas[start]
        filled = Translator(f"={own.text}", f"{column}{first}")
        end = start + 1
        while end < len(formulas) and formulas[end][0] == first + end - start:
            row, formula = formulas[end]
            if filled.translate_formula(f"{column}{row}") != f"={formula.text}":
                break
            end += 1
        if end - start > 1:
            yield formulas[start:end]
        start = end


def _share_formula(run: list[tuple[int, Any]], column: str, number: int) -> None:
    (first, own), *others = run
    own.attrib.update({"t": "shared", "ref": f"{column}{first}:{column}{run[-1][0]}", "si": str(number)})
    for _, formula in others:
        formula.attrib.update({"t": "shared", "si": str(number)})
        formula.text = None


def _with_prefix(root: Any) -> Any:
    from lxml import etree

    spaces = {prefix: space for prefix, space in root.nsmap.items() if prefix}
    renamed = etree.Element(root.tag, attrib=dict(root.attrib), nsmap={"x": _CELLS, **spaces})
    renamed.extend(list(root))
    return renamed


def _split_all(name: str, root: Any) -> Any:
    space = _WORDS if name.startswith("word/") else _DRAWING
    for run in list(root.iter(f"{{{space}}}r")):
        for piece in _split_run(run, space):
            run.addprevious(piece)
    return root


def _split_run(run: Any, space: str) -> Iterator[Any]:
    """The first half of the words of a run that holds one text, as a run before it."""
    parts = [part for part in run if part.tag != f"{{{space}}}rPr"]
    text = parts[0].text or "" if len(parts) == 1 and parts[0].tag == f"{{{space}}}t" else ""
    if len(text) < _LEAST_SPLIT:
        return
    half = len(text) // 2
    before = copy.deepcopy(run)
    for piece, words in ((before, text[:half]), (run, text[half:])):
        part = piece.find(f"{{{space}}}t")
        part.text = words
        if space == _WORDS:
            part.set(_SPACE, "preserve")
    yield before
