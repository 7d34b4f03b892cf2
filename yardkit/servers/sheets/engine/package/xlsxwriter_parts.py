"""Finished XML of objects (charts, rules, sparklines), made by XlsxWriter in memory and taken over from there."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from yardkit.servers.sheets.engine.package.xml import parse_part
from yardkit.world import Problem

if TYPE_CHECKING:
    import xlsxwriter


def build_scratch_parts(build: Callable[[xlsxwriter.Workbook], object]) -> dict[str, Any]:
    """The root elements of the XML parts of a workbook that `build` fills.

    Raises:
        Problem: XlsxWriter refuses something; it says what.
    """
    import xlsxwriter
    from xlsxwriter.exceptions import XlsxWriterException

    target = io.BytesIO()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            book = xlsxwriter.Workbook(target, {"in_memory": True, "strings_to_formulas": False})
            build(book)
            book.close()
        except (XlsxWriterException, ValueError) as error:
            raise Problem(f"{error}; check the arguments") from error
    if warned:
        raise Problem(f"{warned[0].message}; check the arguments")
    with zipfile.ZipFile(target) as archive:
        return {name: parse_part(archive.read(name), name) for name in archive.namelist() if name.endswith(".xml")}
