"""Protection of sheets and of the workbook's structure; a password is kept as a salted hash (ECMA-376, 18.2.29)."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.sheets.engine.cells.grid import ORDER, Grid
from yardkit.servers.sheets.engine.cells.linked_parts import open_sheet, save_objects
from yardkit.servers.sheets.engine.cells.ranges import areas_of
from yardkit.servers.sheets.engine.layout.sheet_layout import format_cells
from yardkit.servers.sheets.engine.package.styles import Change
from yardkit.servers.sheets.engine.package.workbook import Workbook
from yardkit.servers.sheets.engine.package.xml import ensure_child, qualify_tag
from yardkit.world import Problem

Allow = Literal[
    "format_cells", "format_columns", "format_rows", "insert_columns", "insert_rows", "insert_links",
    "delete_columns", "delete_rows", "sort", "filter", "pivot_tables", "objects",
]  # fmt: skip
SPINS = 100_000
_HASH_ALGORITHMS = {"SHA-512": "sha512", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-1": "sha1", "MD5": "md5"}
# What a protected sheet may still allow: attribute, and whether files state it only when it is forbidden.
_ALLOWED_ATTRIBUTES = {
    "format_cells": "formatCells",
    "format_columns": "formatColumns",
    "format_rows": "formatRows",
    "insert_columns": "insertColumns",
    "insert_rows": "insertRows",
    "insert_links": "insertHyperlinks",
    "delete_columns": "deleteColumns",
    "delete_rows": "deleteRows",
    "sort": "sort",
    "filter": "autoFilter",
    "pivot_tables": "pivotTables",
}


@dataclass(frozen=True)
class ProtectionInfo:
    """What is protected: a sheet, or the workbook's structure (sheet empty); what is allowed all the same."""

    sheet: str
    protected: bool
    password: bool
    allowed: list[str]

    def __str__(self) -> str:
        what = f"sheet {self.sheet!r}" if self.sheet else "the workbook's structure"
        if not self.protected:
            return f"{what} is not protected"
        allowed = f", allowed: {', '.join(self.allowed)}" if self.allowed else ""
        return f"{what} is protected {'with' if self.password else 'without'} a password{allowed}"


def protect_sheet(
    path: Path,
    sheet: str | None,
    password: str | None,
    allowed: list[str],
    unlocked: list[str],
    salt: bytes,
    *,
    now: datetime,
) -> ProtectionInfo:
    """Protect a sheet: its locked cells (all but `unlocked`) cannot be changed; what the saved file says.

    Raises:
        Problem: no such sheet or range, or it is protected with a password already.
    """
    before = sheet_protection(open_sheet(path, sheet)[1])
    if before.protected and before.password:
        raise Problem(f"the sheet {before.sheet!r} is protected with a password; unprotect it first")
    for area in unlocked:
        areas_of(area)
    for area in unlocked:
        format_cells(path, sheet, area, Change(locked=False), now=now)
    book, grid = open_sheet(path, sheet)
    entry = ensure_child(grid.root, "sheetProtection", ORDER)
    entry.attrib.clear()
    for name, value in _hash_password(password, salt).items():
        entry.set(name[0].lower() + name[1:], value)
    entry.set("sheet", "1")
    if "objects" not in allowed:
        entry.set("objects", "1")
        entry.set("scenarios", "1")
    for word in allowed:
        if word in _ALLOWED_ATTRIBUTES:
            entry.set(_ALLOWED_ATTRIBUTES[word], "0")
    grid.changed = True
    save_objects(book, path, grid)
    return sheet_protection(open_sheet(path, grid.info.name)[1])


def unprotect_sheet(path: Path, sheet: str | None, password: str | None) -> ProtectionInfo:
    """Take the protection off a sheet.

    Raises:
        Problem: it is not protected, or the password is wrong or missing.
    """
    book, grid = open_sheet(path, sheet)
    entry = grid.root.find(qualify_tag("sheetProtection"))
    if entry is None:
        raise Problem(f"the sheet {grid.info.name!r} is not protected")
    _check_password(entry, password, "")
    grid.root.remove(entry)
    grid.changed = True
    save_objects(book, path, grid)
    return sheet_protection(open_sheet(path, grid.info.name)[1])


def protect_structure(path: Path, password: str | None, salt: bytes) -> ProtectionInfo:
    """Protect the structure of a workbook: sheets cannot be added, deleted, renamed, moved or shown.

    Raises:
        Problem: it is protected with a password already.
    """
    book = Workbook.open(path)
    if structure_protection(book).password:
        raise Problem("the workbook's structure is protected with a password; unprotect it first")
    entry = book.element("workbookProtection")
    entry.attrib.clear()
    for name, value in _hash_password(password, salt).items():
        entry.set(f"workbook{name}", value)
    entry.set("lockStructure", "1")
    save_objects(book, path)
    return structure_protection(Workbook.open(path))


def unprotect_structure(path: Path, password: str | None) -> ProtectionInfo:
    """Take the protection off a workbook's structure.

    Raises:
        Problem: it is not protected, or the password is wrong or missing.
    """
    book = Workbook.open(path)
    entry = book.root.find(qualify_tag("workbookProtection"))
    if entry is None:
        raise Problem("the workbook's structure is not protected")
    _check_password(entry, password, "workbook")
    book.root.remove(entry)
    save_objects(book, path)
    return structure_protection(Workbook.open(path))


def sheet_protection(grid: Grid) -> ProtectionInfo:
    """How a sheet is protected."""
    entry = grid.root.find(qualify_tag("sheetProtection"))
    if entry is None or entry.get("sheet") not in ("1", "true"):
        return ProtectionInfo(grid.info.name, protected=False, password=False, allowed=[])
    allowed = [word for word, name in _ALLOWED_ATTRIBUTES.items() if entry.get(name) in ("0", "false")]
    allowed += ["objects"] if entry.get("objects") not in ("1", "true") else []
    return ProtectionInfo(grid.info.name, protected=True, password=_has_password(entry), allowed=allowed)


def structure_protection(book: Workbook) -> ProtectionInfo:
    """How the workbook's structure is protected."""
    entry = book.root.find(qualify_tag("workbookProtection"))
    locked = entry is not None and entry.get("lockStructure") in ("1", "true")
    return ProtectionInfo("", protected=locked, password=locked and _has_password(entry), allowed=[])


def legacy_hash(password: str) -> str:
    """The 16-bit hash of older Excel versions (ECMA-376 part 4, 14.7.1)."""
    value = 0
    for letter in reversed(password.encode("cp1252", "replace")[:15]):
        value = ((value >> 14) & 1) | ((value << 1) & 0x7FFF)
        value ^= letter
    value = ((value >> 14) & 1) | ((value << 1) & 0x7FFF)
    return f"{value ^ min(len(password), 15) ^ 0xCE4B:04X}"


def _hash_password(password: str | None, salt: bytes) -> dict[str, str]:
    if not password:
        return {}
    digest = _spin_hash("sha512", password, salt, SPINS)
    return {
        "AlgorithmName": "SHA-512",
        "HashValue": base64.b64encode(digest).decode(),
        "SaltValue": base64.b64encode(salt).decode(),
        "SpinCount": str(SPINS),
    }


def _spin_hash(algorithm: str, password: str, salt: bytes, spins: int) -> bytes:
    digest = hashlib.new(algorithm, salt + password.encode("utf-16-le")).digest()
    for number in range(spins):
        digest = hashlib.new(algorithm, digest + number.to_bytes(4, "little")).digest()
    return digest


def _has_password(entry: Any) -> bool:
    return any(name in ("password", "workbookPassword") or name.lower().endswith("hashvalue") for name in entry.attrib)


def _check_password(entry: Any, password: str | None, prefix: str) -> None:
    if not _has_password(entry):
        return
    if password is None:
        raise Problem("it is protected with a password; give it")
    given = {name.lower(): value for name, value in entry.attrib.items()}
    prefix = prefix.lower()
    old = given.get(f"{prefix}password")
    if old is not None and f"{prefix}hashvalue" not in given:
        right = old.upper().zfill(4) == legacy_hash(password)
    else:
        right = _matches_password(given, prefix, password)
    if not right:
        raise Problem("the password is wrong; nothing was changed")


def _matches_password(given: dict[str, str], prefix: str, password: str) -> bool:
    algorithm = _HASH_ALGORITHMS.get(given.get(f"{prefix}algorithmname", ""))
    spins = int(given.get(f"{prefix}spincount", "0"))
    if algorithm is None or spins > 10_000_000:
        raise Problem("the protection uses an unsupported hash; remove it in Excel")
    salt = base64.b64decode(given.get(f"{prefix}saltvalue", ""))
    return base64.b64encode(_spin_hash(algorithm, password, salt, spins)).decode() == given.get(f"{prefix}hashvalue")
