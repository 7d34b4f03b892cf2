"""MCP surface of the document server, second half: review, notes, equations, compare, merge, convert, protect."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import unquote

from pydantic import Field

from yardkit.kit.surface import FileRef, tool
from yardkit.servers.documents.app import AUTHOR, Author, Edited, InDoc, OutDoc, edit_document, mcp
from yardkit.servers.documents.engine.combine import comparison, mail_merge, merge
from yardkit.servers.documents.engine.combine.comparison import Difference
from yardkit.servers.documents.engine.convert import conversion
from yardkit.servers.documents.engine.formulas import equations
from yardkit.servers.documents.engine.formulas.equations import Equation
from yardkit.servers.documents.engine.markup.tracking import Tracker
from yardkit.servers.documents.engine.package import protection
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.protection import Mode
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.review import comments, dependents, notes, revisions
from yardkit.servers.documents.engine.review.comments import Comment
from yardkit.servers.documents.engine.review.notes import Note
from yardkit.servers.documents.engine.review.revisions import Change
from yardkit.world import InFile, OutDir, OutFile, Problem, current_world, lock_file
from yardkit.world.paths import in_file

Dated = Annotated[str | None, Field(description="ISO date or time.", pattern=r"^\d{4}-\d\d-\d\d(T[\d:]+Z?)?$")]
Offset = Annotated[int, Field(description="Entries to skip.", ge=0)]
Limit = Annotated[int, Field(description="At most this many.", ge=1, le=1000)]
Older = Annotated[InFile, Field(description="Older document.")]
Newer = Annotated[InFile, Field(description="Newer document.")]


@dataclass(frozen=True)
class Annotations:
    """What hangs on the text of a document; `next_offset` is set where more follow."""

    total: int
    comments: list[Comment] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    tracking: bool = False
    protection: Mode | None = None
    next_offset: int | None = None


@dataclass(frozen=True)
class Compared:
    """How two documents differ; `next_offset` is set where more follow."""

    total: int
    differences: list[Difference]
    redline: FileRef | None = None
    next_offset: int | None = None
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Letters:
    """Documents written from rows; read back: none holds a placeholder any more."""

    rows: int
    files: list[FileRef]
    notes: list[str] = field(default_factory=list)


@tool(mcp, bulk=True)
def read_annotations(
    path: InDoc,
    kind: Annotated[Literal["comments", "changes", "notes", "equations"], Field(description="What to list.")],
    author: Annotated[str | None, Field(description="Only by this author (comments, changes).")] = None,
    offset: Offset = 0,
    limit: Limit = 200,
) -> Annotations:
    """List comments, tracked changes, foot- and endnotes, or equations (as LaTeX) with ids and anchors."""
    document = Document.open(path)
    readers: dict[str, Callable[[Document], list[Any]]] = {
        "comments": comments.read_comments,
        "changes": revisions.read_changes,
        "notes": notes.read_notes,
        "equations": equations.read_equations,
    }
    annotation_list = readers[kind](document)
    chosen = [
        annotation
        for annotation in annotation_list
        if author is None or getattr(annotation, "author", author) == author
    ]
    return Annotations(
        len(chosen),
        **{kind: chosen[offset : offset + limit]},
        tracking=document.tracks,
        protection=protection.read_protection(document),
        next_offset=offset + limit if offset + limit < len(chosen) else None,
    )


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def edit_comments(
    path: InDoc,
    edits: Annotated[list[comments.CommentEdit], Field(description="Applied in order, all or none.", min_length=1)],
    author: Author = AUTHOR,
) -> Edited:
    """Add, reply to, change, resolve, reopen or delete comments (add: anchor, text or both say where)."""
    with edit_document(path) as document:
        ids = comments.edit_comments(document, edits, Tracker(author, current_world().now))
        known_comments = comments.read_comments(document)
    _confirm_saved(comments.read_comments(Document.open(path)) == known_comments, "the comments")
    done, notes = f"Edited comments with id {', '.join(ids)}", protection.protection_notes(document, "comment")
    return Edited(done, FileRef.from_path(path), len(ids), notes=notes)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def settle_changes(
    path: InDoc,
    action: Annotated[
        Literal["accept", "reject", "start_tracking", "stop_tracking"],
        Field(description="Action; the last two only set whether Word tracks edits from now on."),
    ],
    ids: Annotated[list[str] | None, Field(description="Only these changes.")] = None,
    authors: Annotated[list[str] | None, Field(description="Only by this author.")] = None,
    kinds: Annotated[list[revisions.Kind] | None, Field(description="Only these kinds.")] = None,
    since: Dated = None,
    until: Dated = None,
) -> Edited:
    """Accept or reject tracked changes: all, or those that meet all given conditions."""
    which = revisions.Which(ids, authors, since, until, kinds)
    with edit_document(path) as document:
        writer = Writer(document, current_world().now)
        before = len(revisions.read_changes(document))
        if action in ("start_tracking", "stop_tracking"):
            revisions.set_tracking(document, on=action == "start_tracking")
            settled = []
        else:
            dependents.remember_all_marks(writer)
            settled = revisions.settle_changes(document, which, accept=action == "accept")
            dependents.remove_orphans(writer)
            if not settled:
                raise Problem(f"no tracked change meets the conditions; the document has {before}. Read them first")
    saved = Document.open(path)
    left = len(revisions.read_changes(saved))
    if not settled:
        state = "on" if saved.tracks else "off"
        return Edited(f"Tracking of changes is {state}", FileRef.from_path(path))
    word = "Accepted" if action == "accept" else "Rejected"
    done, messages = (
        f"{word} {len(settled)} tracked changes; {left} are left",
        protection.protection_notes(saved, "settle"),
    )
    messages = [*writer.notes, *messages]
    return Edited(done, FileRef.from_path(path), len(settled), notes=messages)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def edit_notes(
    path: InDoc,
    edits: Annotated[list[notes.NoteEdit], Field(description="Applied in order, all or none.", min_length=1)],
) -> Edited:
    """Add, change, delete or convert footnotes and endnotes; numbers, separators and styles are set automatically."""
    with edit_document(path) as document:
        edited_ids = notes.edit_notes(document, edits)
        document.flush()
        ids = [document.renumbered.get(name, name) for name in edited_ids]
        known_notes, messages = (
            notes.read_notes(document),
            [*_warn_untracked(document, "notes"), *document.describe_renumbering()],
        )
    _confirm_saved(notes.read_notes(Document.open(path)) == known_notes, "the notes")
    return Edited(f"Edited notes {', '.join(ids)}", FileRef.from_path(path), len(ids), notes=messages)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def edit_equations(
    path: InDoc,
    edits: Annotated[list[equations.EquationEdit], Field(description="Applied in order, all or none.", min_length=1)],
) -> Edited:
    """Add, change or delete equations, given as LaTeX and stored as real Word equations."""
    with edit_document(path) as document:
        written = [latex for latex in equations.edit_equations(document, edits) if latex]
        known_equations, messages = equations.read_equations(document), _warn_untracked(document, "equations")
    _confirm_saved(equations.read_equations(Document.open(path)) == known_equations, "the equations")
    done = f"Edited {len(edits)} equations: {'; '.join(written) or 'deleted'}"
    return Edited(done, FileRef.from_path(path), len(edits), notes=messages)


@tool(mcp, bulk=True)
def compare_documents(path: Older, other: Newer, offset: Offset = 0, limit: Limit = 200) -> Compared:
    """Compare two documents: blocks and words, formats, notes, headers, comments, styles."""
    return _page_differences(comparison.compare_documents(Document.open(path), Document.open(other)), offset, limit)


@tool(mcp, bulk=True, writes=True, destructive=True)
def write_redline(
    path: Older,
    other: Newer,
    target: Annotated[OutFile, Field(description="The older document with the differences as tracked changes.")],
    author: Author = AUTHOR,
    offset: Offset = 0,
    limit: Limit = 200,
) -> Compared:
    """Write the differences of two documents into a copy of the older one, as tracked changes, and list them."""
    old, new = Document.open(path), Document.open(other)
    differences = comparison.compare_documents(old, new)
    with lock_file(target, current_world().locks):
        roots = [old.get_story(name) for name in old.map_stories()]
        comparison.make_redline(old, new, Tracker.for_roots(author, current_world().now, roots)).save(target)
    missing = comparison.left_out(Document.open(target), Document.open(other))
    return replace(_page_differences(differences, offset, limit), redline=FileRef.from_path(target), notes=missing)


def _page_differences(differences: list[Difference], offset: int, limit: int) -> Compared:
    following = offset + limit if offset + limit < len(differences) else None
    return Compared(len(differences), differences[offset : offset + limit], next_offset=following)


@tool(mcp, bulk=True, writes=True, destructive=True)
def merge_documents(
    paths: Annotated[list[InFile], Field(description="Documents, in order; the first gives styles.", min_length=2)],
    target: OutDoc,
    section_start: Annotated[
        merge.Start,
        Field(description="Section break before each further document; none: keep the layout of the first."),
    ] = "next_page",
) -> Edited:
    """Join documents with their styles, lists, pictures, notes, comments, headers and footers."""
    with lock_file(target, current_world().locks):
        merged = merge.merge_documents([Document.open(path) for path in paths], section_start)
        merged.save(target)
    count = len(list(Document.open(target).body))
    return Edited(f"Joined {len(paths)} documents, {count} blocks", FileRef.from_path(target), len(paths))


@tool(mcp, bulk=True, writes=True, destructive=True)
def fill_template(
    template: InDoc,
    source: Annotated[InFile | None, Field(description="Rows with a header: .xlsx, .csv, .tsv or .json.")] = None,
    rows: Annotated[
        list[dict[str, str | int | float | bool | None]] | None, Field(description="Rows to use instead of a file.")
    ] = None,
    target: Annotated[
        OutFile | None, Field(description="Write one document with all rows, each starting a new page.")
    ] = None,
    folder: Annotated[OutDir | None, Field(description="Write one document per row to this folder instead.")] = None,
    name: Annotated[str, Field(description="File names in the folder, such as 'Offer {{Name}}'.")] = "{{#}}",
    sheet: Annotated[str | None, Field(description="Sheet of an .xlsx; without: the first.")] = None,
    keep_missing: Annotated[
        bool, Field(description="Keep placeholders without a column instead of refusing them.")
    ] = False,
) -> Letters:
    """Mail merge: replace {{Column}} and MERGEFIELDs by the values of each row, in headers and notes too."""
    if (target is None) == (folder is None):
        raise Problem("give output (one document) or folder (one document per row), not both")
    table = mail_merge.rows_of(source, sheet) if source is not None else mail_merge.as_texts(rows or [])
    if not table:
        raise Problem("there are no rows to fill in; give data or rows with at least one row")
    if target is not None:
        with lock_file(target, current_world().locks):
            mail_merge.fill_single(template, table, target, keep_missing=keep_missing)
        files = [target]
    else:
        files = mail_merge.fill_each(template, table, Path(str(folder)), name, keep_missing=keep_missing)
    left = [] if keep_missing else [file.name for file in files if mail_merge.list_placeholders(Document.open(file))]
    _confirm_saved(not left, f"the values in {', '.join(left[:5])}")
    return Letters(len(table), [FileRef.from_path(file) for file in files])


@tool(mcp, bulk=True, writes=True, destructive=True)
def convert_document(
    path: Annotated[InFile, Field(description=".md, .html, .docx, .doc, .odt, .rtf or .txt.")],
    target: Annotated[OutFile, Field(description=".docx, .md, .html, .pdf, .odt, .doc, .rtf or .txt.")],
    template: Annotated[InFile | None, Field(description="Document whose styles a .md or .html source gets.")] = None,
) -> Edited:
    """Convert between Word, Markdown (tables, code, footnotes, $equations$), HTML, PDF and older formats."""
    with lock_file(target, current_world().locks):
        facts = conversion.convert_document(path, target, template, current_world().now, _make_picture_finder(path))
    return Edited(f"Converted {path.name} to {target.name}", FileRef.from_path(target), facts.blocks, notes=facts.notes)


@tool(mcp, bulk=True, writes=True)
def protect_document(
    path: InDoc,
    mode: Annotated[
        Mode | Literal["none"],
        Field(
            description="What Word still allows: nothing, comments, tracked edits, filling in forms; none removes it."
        ),
    ],
    password: Annotated[str, Field(description="Password that Word asks for to remove it.", max_length=255)] = "",
) -> Edited:
    """Protect a document against editing in Word, or remove that. The text is not encrypted."""
    with edit_document(path) as document:
        if mode == "none":
            protection.unprotect_document(document, password)
        else:
            protection.protect_document(document, mode, password)
    now = protection.read_protection(Document.open(path))
    _confirm_saved(now == (None if mode == "none" else mode), "the protection")
    still = ["changes are still tracked; settle_changes with stop_tracking ends that"]
    messages = still if now is None and document.tracks else []
    return Edited("Protection lifted" if now is None else f"Protected: {now}", FileRef.from_path(path), notes=messages)


def _make_picture_finder(path: Path) -> Callable[[str], Path]:
    """Finds the pictures that a text names, relative to it; never outside the workspace."""

    def find(source: str) -> Path:
        return in_file(str(path.parent / unquote(source.partition("#")[0].partition("?")[0])))

    return find


def _warn_untracked(document: Document, what: str) -> list[str]:
    writer = Writer(document, current_world().now)
    writer.note_untracked(what)
    return [*writer.notes, *protection.protection_notes(document)]


def _confirm_saved(is_saved: bool, what: str) -> None:
    """What was written is what the saved file holds.

    Raises:
        Problem: it is not.
    """
    if not is_saved:
        raise Problem(f"the saved file does not contain {what} as written; read it and compare")
