"""The tools of the `files` server."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.results import MAX_HEARD_BYTES
from yardkit.kit.surface import make_server, tool
from yardkit.servers.files.engine import listing, media, moving, search, texts
from yardkit.world import FileRef, InDir, InEntry, InFile, InPath, OutDir, OutEntry, OutFile, current_world

mcp = make_server(
    "files",
    "Work on the files and folders of the workspace. Paths are relative to it, such as 'notes/a.txt'; '.' "
    "is the workspace itself, and nothing outside it can be reached. Long results are paged: call again "
    "with the offset that the result gives.",
)

Offset = Annotated[int, Field(description="Entries to skip; use next_offset of the previous page.", ge=0)]
Globs = Annotated[
    tuple[str, ...],
    Field(description="Globs to leave out, such as '*.pyc' (name) or 'build/**' (path).", max_length=50),
]
Folder = Annotated[
    InDir, Field(description="Folder, relative to the workspace; '.' is the workspace itself.", validate_default=True)
]


@dataclass(frozen=True)
class Written:
    """A text file that was written.

    Attributes:
        was_there: whether the file was there before.
    """

    file: FileRef
    was_there: bool

    def __str__(self) -> str:
        return f"saved {self.file}" + ("" if self.was_there else ", a new file")


@dataclass(frozen=True)
class Media:
    """A picture or sound; it stands beside this as image or audio content."""

    file: FileRef

    def __str__(self) -> str:
        return str(self.file)


@tool(mcp)
def list_folder(
    path: Folder = Path(),
    sort_by: Annotated[Literal["name", "size", "modified"], Field(description="Order of the entries.")] = "name",
    descending: Annotated[bool, Field(description="Reverse the order: largest, newest or last name first.")] = False,
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Entries per page.", ge=1, le=1000)] = 500,
) -> listing.Listing:
    """List the files and folders directly in a folder, with size in bytes and modification time."""
    return listing.list_folder(current_world(), path, order=sort_by, descending=descending, offset=offset, limit=limit)


@tool(mcp)
def show_tree(
    path: Folder = Path(),
    depth: Annotated[int, Field(description="How many levels to go down.", ge=1, le=100)] = 5,
    exclude: Globs = (),
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Entries per page.", ge=1, le=2000)] = 500,
) -> listing.Tree:
    """Show a folder with everything below it as a tree. Links are shown, not followed."""
    return listing.show_tree(current_world(), path, depth=depth, exclude=exclude, offset=offset, limit=limit)


@tool(mcp)
def describe_path(
    path: Annotated[InEntry, Field(description="File, folder or link, relative to the workspace.")],
    sha256: Annotated[bool, Field(description="Also compute the SHA-256 of a file.")] = False,
) -> listing.Description:
    """Report the kind, size, modification time, permissions and media type of a file, folder or link."""
    return listing.describe_path(current_world(), path, with_sha256=sha256)


@tool(mcp)
def read_file(
    path: Annotated[InFile, Field(description="Text file, relative to the workspace.")],
    offset: Annotated[int, Field(description="Lines to skip; negative counts from the end: -20 is the last 20.")] = 0,
    limit: Annotated[int, Field(description="Lines to read.", ge=1, le=20_000)] = 2000,
    column: Annotated[
        int, Field(description="Characters of the first line to skip, to continue a cut line.", ge=0)
    ] = 0,
    encoding: Annotated[texts.Encoding, Field(description="Text encoding; auto detects it.")] = "auto",
) -> texts.TextPart:
    """Read a text file, at most 40,000 characters at once; the result says how to continue."""
    return texts.read_text(current_world(), path, offset=offset, limit=limit, column=column, encoding=encoding)


@tool(mcp)
def read_files(
    paths: Annotated[
        list[InFile], Field(description="Text files, relative to the workspace.", min_length=1, max_length=50)
    ],
) -> texts.Texts:
    """Read several text files at once, together at most 40,000 characters."""
    return texts.read_several(current_world(), paths)


@tool(mcp)
def read_media(
    path: Annotated[InFile, Field(description="Picture or sound file, relative to the workspace.")],
) -> Media:
    """View a picture or listen to a sound, returned as image or audio content."""
    recognised = media.recognise_medium(path, MAX_HEARD_BYTES)
    return Media(
        FileRef(listing.get_relative_name(current_world(), path), recognised.media_type, recognised.size_bytes)
    )


@tool(mcp, writes=True, destructive=True)
def write_file(
    path: Annotated[OutFile, Field(description="File to create or replace, relative to the workspace.")],
    content: Annotated[str, Field(description="The complete new text, saved as UTF-8.")],
) -> Written:
    """Write a text file, replacing an existing one. Missing folders are created."""
    was_there = texts.write_text(current_world(), path, content)
    return Written(_text_ref(path), was_there)


@tool(mcp, writes=True, idempotent=False)
def append_file(
    path: Annotated[OutFile, Field(description="File to extend, relative to the workspace; created if missing.")],
    content: Annotated[str, Field(description="Text to append; start with a line break if the last line has none.")],
) -> Written:
    """Append text to a text file, in the encoding and with the line ends of the file."""
    was_there = texts.append_text(current_world(), path, content)
    return Written(_text_ref(path), was_there)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def edit_file(
    path: Annotated[InFile, Field(description="Text file to change, relative to the workspace.")],
    edits: Annotated[
        list[texts.Edit],
        Field(
            description="Exact replacements, applied in order, all or none. Each old_text must occur exactly once, "
            "white space included, unless its replace_all is true. Line breaks become those of the file.",
            min_length=1,
            max_length=100,
        ),
    ],
    dry_run: Annotated[bool, Field(description="Only show the diff; change nothing.")] = False,
) -> texts.Edited:
    """Change parts of a text file by exact replacement; returns a unified diff."""
    return texts.edit_text(current_world(), path, edits, dry_run=dry_run)


@tool(mcp, writes=True)
def make_folder(
    path: Annotated[OutDir, Field(description="Folder to create, with its parents, relative to the workspace.")],
) -> moving.Done:
    """Create a folder; an existing one is left unchanged."""
    return moving.make_folder(current_world(), path)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def move_path(
    source: Annotated[InEntry, Field(description="File, folder or link to move, relative to the workspace.")],
    target: Annotated[OutEntry, Field(description="Its new path, name included, relative to the workspace.")],
    overwrite: Annotated[bool, Field(description="Replace an existing file. Folders are never replaced.")] = False,
) -> moving.Done:
    """Move or rename a file, folder or link in one step."""
    return moving.move_path(current_world(), source, target, overwrite=overwrite)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def copy_path(
    source: Annotated[InEntry, Field(description="File, folder or link to copy, relative to the workspace.")],
    target: Annotated[OutEntry, Field(description="Path of the copy, name included, relative to the workspace.")],
    overwrite: Annotated[bool, Field(description="Replace an existing file. Folders are never replaced.")] = False,
) -> moving.Done:
    """Copy a file, a link, or a folder with its contents."""
    return moving.copy_path(current_world(), source, target, overwrite=overwrite)


@tool(mcp, writes=True, destructive=True, idempotent=False)
def delete_path(
    path: Annotated[InEntry, Field(description="File, folder or link to delete, relative to the workspace.")],
    recursive: Annotated[bool, Field(description="Delete a folder with everything in it.")] = False,
) -> moving.Done:
    """Delete a file, a link (not its target), or a folder."""
    return moving.delete_path(current_world(), path, recursive=recursive)


@tool(mcp)
def find_files(
    pattern: Annotated[
        str,
        Field(
            description="Glob with * ? [a-z] ** {a,b}. Without a slash it matches names at any depth ('*.csv'), with a "
            "slash the path below the folder ('data/**/2026-*.csv').",
        ),
    ],
    path: Folder = Path(),
    kind: Annotated[Literal["any", "file", "folder"], Field(description="Kind of entry to find.")] = "any",
    exclude: Globs = (),
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Entries per page.", ge=1, le=1000)] = 200,
) -> listing.Listing:
    """Find files and folders by name, at any depth."""
    return listing.find_entries(current_world(), path, pattern, kind=kind, exclude=exclude, offset=offset, limit=limit)


@tool(mcp)
def search_files(
    pattern: Annotated[str, Field(description="Regular expression in RE2 syntax, matched against each line.")],
    path: Annotated[
        InPath, Field(description="File or folder to search, relative to the workspace.", validate_default=True)
    ] = Path(),
    literal: Annotated[
        bool, Field(description="Match the pattern as literal text, not as a regular expression.")
    ] = False,
    ignore_case: Annotated[bool, Field(description="Ignore case.")] = False,
    include: Annotated[
        tuple[str, ...], Field(description="Globs of files to search, such as '*.py'; empty: all.", max_length=50)
    ] = (),
    exclude: Globs = (),
    context: Annotated[int, Field(description="Lines to show before and after each match.", ge=0, le=10)] = 0,
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Matching lines per page.", ge=1, le=500)] = 100,
) -> search.Hits:
    """Find lines in text files by content. Binary files and files over 10 MB are skipped and listed."""
    return search.search_files(
        current_world(),
        path,
        pattern,
        literal=literal,
        ignore_case=ignore_case,
        include=include,
        exclude=exclude,
        context=context,
        offset=offset,
        limit=limit,
    )


def _text_ref(path: Path) -> FileRef:
    """Text, even under the name of a picture, which would be shown."""
    return FileRef(listing.get_relative_name(current_world(), path), "text/plain", path.stat().st_size)
