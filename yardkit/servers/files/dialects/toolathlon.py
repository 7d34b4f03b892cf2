"""Files in the dialect of Toolathlon: the 14 tools of the reference filesystem server of MCP."""

import json
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from yardkit.kit.dialect import Offset, Saved, Text, TextPage, cut_page
from yardkit.kit.results import MAX_HEARD_BYTES
from yardkit.kit.surface import make_server, tool
from yardkit.servers.files.engine import listing, media, moving, texts
from yardkit.servers.files.engine.globs import make_matcher
from yardkit.world import (
    FileRef,
    InDir,
    InEntry,
    InFile,
    OutDir,
    OutEntry,
    OutFile,
    Problem,
    current_world,
)

mcp = make_server("files", "Reads and writes the files of the workspace; paths are relative to it.")

MAX_ENTRIES = 20_000
"""Of a listing, tree or search; more are refused with advice to choose a smaller folder."""
_TEXT_FILE = Annotated[InFile, Field(description="Text file.")]
_FOLDER = Annotated[InDir, Field(description="Folder; '.' is the workspace.")]
_HEAD = Annotated[int | None, Field(description="Only the first N lines.", ge=1)]
_TAIL = Annotated[int | None, Field(description="Only the last N lines.", ge=1)]
_EXCLUDED = Annotated[
    tuple[str, ...],
    Field(description="Globs of paths below the folder to leave out, such as '**/*.pyc'.", max_length=50),
]


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


@tool(mcp)
def read_file(path: _TEXT_FILE, tail: _TAIL = None, head: _HEAD = None, offset: Offset = 0) -> TextPage:
    """Read a file as text. Deprecated: use read_text_file."""
    return cut_page(_read_text(path, head, tail), offset)


@tool(mcp)
def read_text_file(path: _TEXT_FILE, tail: _TAIL = None, head: _HEAD = None, offset: Offset = 0) -> TextPage:
    """Read a file as text, or only its first or last lines."""
    return cut_page(_read_text(path, head, tail), offset)


@tool(mcp)
def read_media_file(path: Annotated[InFile, Field(description="Picture or sound.")]) -> Media:
    """Read a picture or sound."""
    recognised = media.recognise_medium(path, MAX_HEARD_BYTES)
    return Media(FileRef(_get_relative_name(path), recognised.media_type, recognised.size_bytes))


@tool(mcp)
def read_multiple_files(
    paths: Annotated[list[InFile], Field(description="Text files.", min_length=1, max_length=100)], offset: Offset = 0
) -> TextPage:
    """Read several files as text; a binary file does not stop the others."""
    return cut_page("\n---\n".join(map(_read_or_report, paths)), offset)


@tool(mcp, writes=True, destructive=True)
def write_file(
    path: Annotated[OutFile, Field(description="File to make or overwrite.")],
    content: Annotated[str, Field(description="Its whole text.")],
) -> Saved:
    """Create a file or overwrite it with new content."""
    texts.write_text(current_world(), path, content)
    return Saved(
        f"Successfully wrote to {_get_relative_name(path)}",
        FileRef(_get_relative_name(path), "text/plain", path.stat().st_size),
    )


@tool(mcp, writes=True, destructive=True, idempotent=False)
def edit_file(
    path: _TEXT_FILE,
    edits: Annotated[list[Replacement], Field(description="Edits in order: oldText, newText.", min_length=1)],
    dryRun: Annotated[bool, Field(description="Only show the diff.")] = False,  # noqa: N803
) -> Text:
    """Replace exact texts in a text file, all or none, and show the diff."""
    text_edits = [texts.Edit(edit.oldText, edit.newText) for edit in edits]
    return Text(_format_diff(texts.edit_text(current_world(), path, text_edits, dry_run=dryRun)))


@tool(mcp, writes=True)
def create_directory(path: Annotated[OutDir, Field(description="Folder to make, with its parents.")]) -> Text:
    """Create a folder, or make sure that it is there."""
    moving.make_folder(current_world(), path)
    return Text(f"Successfully created directory {_get_relative_name(path)}")


@tool(mcp)
def list_directory(path: _FOLDER, offset: Offset = 0) -> TextPage:
    """List the files and folders of a folder, marked [FILE] or [DIR]."""
    return cut_page("\n".join(f"{_format_mark(entry)} {_get_name(entry)}" for entry in _list_entries(path)), offset)


@tool(mcp)
def list_directory_with_sizes(
    path: _FOLDER,
    sortBy: Annotated[Literal["name", "size"], Field(description="Order; size: largest first.")] = "name",  # noqa: N803
    offset: Offset = 0,
) -> TextPage:
    """List the files and folders of a folder with sizes."""
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
    return cut_page("\n".join([*lines, *summary]), offset)


@tool(mcp)
def directory_tree(path: _FOLDER, excludePatterns: _EXCLUDED = (), offset: Offset = 0) -> TextPage:  # noqa: N803
    """Show a folder as a tree: JSON of name, type and, of folders, children."""
    return cut_page(json.dumps(_build_tree(path, excludePatterns), indent=2, ensure_ascii=False), offset)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def move_file(
    source: Annotated[InEntry, Field(description="File or folder to move.")],
    destination: Annotated[OutEntry, Field(description="Its new path, where nothing may be yet.")],
) -> Text:
    """Move or rename a file or folder."""
    if os.path.lexists(destination):
        raise Problem(f"Destination already exists: {_get_relative_name(destination)}; name another one")
    moving.move_path(current_world(), source, destination)
    return Text(f"Successfully moved {_get_relative_name(source)} to {_get_relative_name(destination)}")


@tool(mcp)
def search_files(
    path: _FOLDER,
    pattern: Annotated[
        str, Field(description="Glob of paths below the folder: '*.csv' in it, '**/*.csv' at any depth.")
    ],
    excludePatterns: _EXCLUDED = (),  # noqa: N803
    offset: Offset = 0,
) -> TextPage:
    """Search for files and folders whose path matches a pattern."""
    matching_entries = listing.find_entries(
        current_world(), path, pattern, exclude=excludePatterns, match_full_path=True, limit=MAX_ENTRIES
    )
    _require_all(matching_entries.next_offset, path)
    return cut_page("\n".join(entry.path for entry in matching_entries.entries) or "No matches found", offset)


@tool(mcp)
def get_file_info(path: Annotated[InEntry, Field(description="File or folder.")]) -> Text:
    """Report size, times, type and permissions of a file or folder."""
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
    return Text("\n".join(f"{name}: {value}" for name, value in facts.items()))


@tool(mcp)
def list_allowed_directories() -> Text:
    """List the folders that can be reached."""
    return Text("Allowed directories:\n.")


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
    heading = [
        f"Index: {edited.path}",
        "=" * 67,
        f"--- {edited.path}\toriginal",
        f"+++ {edited.path}\tmodified",
    ]
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
