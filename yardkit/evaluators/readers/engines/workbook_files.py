"""Loading workbooks with openpyxl, which would make objects of all records of pivot tables, again for each sheet."""

import re
import zipfile
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import InvalidArtifact

Rows = list[list[Any]]
MAX_MERGED = 500_000
"""Cells of a sheet that are merged with others: each becomes an object."""
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\b[^>]*?\bref="([A-Z]+\d+:[A-Z]+\d+)"')


@dataclass(frozen=True)
class Sheet:
    """One worksheet: values and formulas by row and column from A1, and whether it is visible."""

    name: str
    values: Rows
    formulas: Rows
    visible: bool


def is_formula(value: Any) -> bool:
    """Whether this is openpyxl's value of a cell with a formula."""
    return (isinstance(value, str) and value.startswith("=")) or type(value).__name__ == "ArrayFormula"


def load_workbook(path: Path, *, data_only: bool = False) -> Any:
    """Load the workbook at `path` with openpyxl, with the values of formulas (`data_only`) or the formulas.

    With values, the records of pivot tables are left out, so the workbook must not be saved. Otherwise they are kept.

    Raises:
        InvalidArtifact: more cells are merged than openpyxl can make objects for.
    """
    check_merged(path)
    reader = _make_reader()(path, data_only=data_only)
    reader.read()
    return reader.wb


def check_merged(path: Path) -> None:
    """Refuse a workbook with a sheet that merges so many cells that programs run out of memory.

    Raises:
        InvalidArtifact: it does.
    """
    from openpyxl.utils.cell import range_boundaries

    with zipfile.ZipFile(path) as package:
        for name in package.namelist():
            areas = _MERGED.findall(package.read(name)) if name.startswith("xl/worksheets/sheet") else ()
            bounds = [range_boundaries(area.decode()) for area in areas]
            if sum((right - left + 1) * (low - top + 1) for left, top, right, low in bounds) > MAX_MERGED:
                raise InvalidArtifact(f"{path.name} merges more than {MAX_MERGED:,} cells")


@cache
def _make_reader() -> Any:
    from openpyxl.packaging.relationship import get_rel
    from openpyxl.pivot.cache import CacheDefinition
    from openpyxl.pivot.record import RecordList
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.reader.workbook import WorkbookParser

    class Records(RecordList):  # type: ignore[misc]
        @classmethod
        def from_tree(cls, node: Any) -> Any:
            records = cls()
            records.node = node
            return records

        def to_tree(self) -> Any:
            return self.node

    class WithoutRecords(WorkbookParser):  # type: ignore[misc]
        @cached_property
        def pivot_caches(self) -> Any:
            return {c.cacheId: get_rel(self.archive, self.rels, id=c.id, cls=CacheDefinition) for c in self.caches}

    class Parser(WithoutRecords):
        @cached_property
        def pivot_caches(self) -> Any:
            caches = super().pivot_caches
            for stored_cache in caches.values():
                stored_cache.records = (
                    get_rel(self.archive, stored_cache.deps, stored_cache.id, Records) if stored_cache.deps else None
                )
            return caches

    class Reader(ExcelReader):  # type: ignore[misc]
        def read_workbook(self) -> None:
            super().read_workbook()
            self.parser.__class__ = WithoutRecords if self.data_only else Parser

    return Reader


@lru_cache(maxsize=17)
def load_shared_workbook(path: Path, _digest: str) -> Any:
    """Load the workbook with this digest by openpyxl; the readers share it, so it must not be changed."""
    return load_workbook(path)
