"""Files in the dialect of Toolathlon: the 14 tools of the reference filesystem server of MCP."""

import json
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from yardkit.kit.dialect import Saved
from yardkit.kit.results import MAX_HEARD_BYTES
from yardkit.servers.files.engine import listing, media, moving, texts
from yardkit.servers.files.engine.globs import make_matcher
from yardkit.world import FileRef, InDir, InEntry, InFile, OutDir, OutEntry, OutFile, Problem, current_world

MAX_ENTRIES = 20_000
"""Of a listing, tree or search; more are refused with advice to choose a smaller folder."""


@dataclass(frozen=True)
class Media:
    """A picture or sound; it stands beside this as image or audio content."""

    file: FileRef

    def __str__(self) -> str:
        return str(self.file)


@dataclass(frozen=True)
class Replacement:
    """One edit.

    Attributes:
        oldText: text to search for, which must stand there exactly and once.
        newText: text to put in its place.
    """

    oldText: str  # noqa: N815 - their name
    newText: str  # noqa: N815


def read_file(path: InFile, tail: int | None = None, head: int | None = None) -> str:
    return _read_text(path, head, tail)


def read_text_file(path: InFile, tail: int | None = None, head: int | None = None) -> str:
    return _read_text(path, head, tail)


def read_media_file(path: InFile) -> Media:
    recognised = media.recognise_medium(path, MAX_HEARD_BYTES)
    return Media(FileRef(_get_relative_name(path), recognised.media_type, recognised.size_bytes))


def read_multiple_files(paths: list[InFile]) -> str:
    return "\n---\n".join(map(_read_or_report, paths))


def write_file(path: OutFile, content: str) -> Saved:
    texts.write_text(current_world(), path, content)
    return Saved(
        f"Successfully wrote to {_get_relative_name(path)}",
        FileRef(_get_relative_name(path), "text/plain", path.stat().st_size),
    )


def edit_file(path: InFile, edits: list[Replacement], dryRun: bool = False) -> str:
    text_edits = [texts.Edit(edit.oldText, edit.newText) for edit in edits]
    return _format_diff(texts.edit_text(current_world(), path, text_edits, dry_run=dryRun))


def create_directory(path: OutDir) -> str:
    moving.make_folder(current_world(), path)
    return f"Successfully created directory {_get_relative_name(path)}"


def list_directory(path: InDir) -> str:
    return "\n".join(f"{_format_mark(entry)} {_get_name(entry)}" for entry in _list_entries(path))


def list_directory_with_sizes(path: InDir, sortBy: str = "name") -> str:
    entries = _list_entries(path)
    if sortBy == "size":
        entries.sort(key=lambda entry: -(entry.size_bytes or 0))
    folders = sum(1 for entry in entries if entry.kind == "folder")
    lines = [f"{_format_mark(entry)} {_get_name(entry):<30} {_format_size(entry)}" for entry in entries]
    total = sum(entry.size_bytes or 0 for entry in entries)
    summary = [
        "",
        f"Total: {len(entries) - folders} files, {folders} directories",
        f"Combined size: {_format_bytes(total)}",
    ]
    return "\n".join([*lines, *summary])


def directory_tree(path: InDir, excludePatterns: tuple[str, ...] = ()) -> str:
    return json.dumps(_build_tree(path, excludePatterns), indent=2, ensure_ascii=False)


def move_file(source: InEntry, destination: OutEntry) -> str:
    if os.path.lexists(destination):
        raise Problem(f"Destination already exists: {_get_relative_name(destination)}; name another one")
    moving.move_path(current_world(), source, destination)
    return f"Successfully moved {_get_relative_name(source)} to {_get_relative_name(destination)}"


def search_files(path: InDir, pattern: str, excludePatterns: tuple[str, ...] = ()) -> str:
    matching_entries = listing.find_entries(
        current_world(), path, pattern, exclude=excludePatterns, match_full_path=True, limit=MAX_ENTRIES
    )
    _require_all(matching_entries.next_offset, path)
    return "\n".join(entry.path for entry in matching_entries.entries) or "No matches found"


def get_file_info(path: InEntry) -> str:
    status = path.stat()
    # Linux keeps no time of creation that Python tells; the last change stands for all three.
    changed = datetime.fromtimestamp(int(status.st_mtime), UTC).strftime(
        "%a %b %d %Y %H:%M:%S GMT+0000 (Coordinated Universal Time)"
    )
    facts: dict[str, Any] = {
        "size": status.st_size,
        **dict.fromkeys(("created", "modified", "accessed"), changed),
        "isDirectory": str(stat.S_ISDIR(status.st_mode)).lower(),
        "isFile": str(stat.S_ISREG(status.st_mode)).lower(),
        "permissions": f"{stat.S_IMODE(status.st_mode) & 0o777:03o}",
    }
    return "\n".join(f"{name}: {value}" for name, value in facts.items())


def list_allowed_directories() -> str:
    return "Allowed directories:\n."


def _get_relative_name(path: Path) -> str:
    return listing.get_relative_name(current_world(), path)


def _read_text(path: Path, head: int | None, tail: int | None) -> str:
    if head and tail:
        raise Problem("Cannot specify both head and tail parameters simultaneously; give one of them")
    text = texts.decode_text(path).text
    if head:
        return "\n".join(text.removesuffix("\n").split("\n")[:head])
    return "\n".join(text.split("\n")[-tail:]) if tail else text


def _read_or_report(path: Path) -> str:
    try:
        return f"{_get_relative_name(path)}:\n{texts.decode_text(path).text}\n"
    except Problem as problem:
        return f"{_get_relative_name(path)}: Error - {problem}"


def _format_diff(edited: texts.Edited) -> str:
    """The diff as their server shows it: headings of the `diff` package, in a fence that no line of it closes."""
    _, _, changes = edited.diff.split("\n", 2)
    heading = [f"Index: {edited.path}", "=" * 67, f"--- {edited.path}\toriginal", f"+++ {edited.path}\tmodified"]
    fence = "```"
    while fence in changes:
        fence += "`"
    return "\n".join([f"{fence}diff", *heading, changes.removesuffix("\n"), fence, "", ""])


def _list_entries(folder: Path) -> list[listing.Entry]:
    folder_page = listing.list_folder(
        current_world(), folder, order="name", descending=False, offset=0, limit=MAX_ENTRIES
    )
    _require_all(folder_page.next_offset, folder)
    return folder_page.entries


def _require_all(next_offset: int | None, folder: Path) -> None:
    if next_offset is not None:
        raise Problem(
            f"{_get_relative_name(folder)!r} holds over {MAX_ENTRIES:,} entries that match; choose a smaller folder"
        )


def _get_name(entry: listing.Entry) -> str:
    return entry.path.rpartition("/")[2]


def _format_mark(entry: listing.Entry) -> str:
    return "[DIR]" if entry.kind == "folder" else "[FILE]"


def _format_size(entry: listing.Entry) -> str:
    return "" if entry.kind == "folder" else f"{_format_bytes(entry.size_bytes or 0):>10}"


def _format_bytes(count: int) -> str:
    size, units = float(count), ["B", "KB", "MB", "GB"]
    while size >= 1024 and len(units) > 1:
        size, units = size / 1024, units[1:]
    return f"{count} B" if units[0] == "B" else f"{size:.2f} {units[0]}"


def _build_tree(folder: Path, excluded: Sequence[str]) -> list[dict[str, Any]]:
    # As with them, a pattern without a star also stands for a name at any depth, and for all below it.
    globs = [form for glob in excluded for form in ([glob] if "*" in glob else [glob, f"**/{glob}", f"**/{glob}/**"])]
    out = make_matcher(globs, match_full_path=True) if globs else None
    top: list[dict[str, Any]] = []
    within = {str(folder): top}
    for count, (entry, _) in enumerate(listing.walk_folder(folder, None, out)):
        _require_all(count if count >= MAX_ENTRIES else None, folder)
        is_folder = entry.is_dir(follow_symlinks=False)
        entry_data: dict[str, Any] = {"name": entry.name, "type": "directory" if is_folder else "file"}
        within[str(Path(entry.path).parent)].append(entry_data)
        if is_folder:
            within[entry.path] = entry_data["children"] = []
    return top
