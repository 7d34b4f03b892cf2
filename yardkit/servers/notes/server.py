"""The tools of the `notes` server."""

from typing import Annotated, Any

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.notes.engine import comments, editing, pages, rows, tables
from yardkit.world import current_world

mcp = make_server(
    "notes",
    "The notes of the workspace owner's team: nested Markdown pages, and tables whose rows are pages.",
)

PageId = Annotated[int, Field(description="Number of the page or row.", ge=1)]
SomePage = Annotated[int | None, Field(description="Number of the parent page; by default the top level.", ge=1)]
TableId = Annotated[int, Field(description="Number of the table.", ge=1)]
Title = Annotated[str, Field(min_length=1, max_length=500)]
Markdown = Annotated[str, Field(max_length=400_000)]
Icon = Annotated[str, Field(max_length=100)]
Offset = Annotated[int, Field(description="Records to skip; use next_offset of the previous page.", ge=0)]
Limit = Annotated[int, Field(description="Records per page.", ge=1, le=200)]
COLUMNS = (
    "name, kind? (text, number, select, multi_select, status, date, checkbox, url, email, phone, people, relation, "
    "files, created, edited, title), options? (choices), table_id? (of a relation)."
)
VALUES = (
    "Values by column; null clears one. Dates are 2026-03-16 or 2026-03-16/2026-03-18, people "
    "names or addresses, relations row numbers or titles."
)


@tool(mcp, bulk=True)
def search_notes(
    query: Annotated[
        str, Field(description="Words that must all occur in the title, values or text.", max_length=1_000)
    ],
    kind: Annotated[pages.Kind | None, Field(description="Kinds to find; by default all.")] = None,
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Records per page.", ge=1, le=200)] = 20,
) -> pages.Lines:
    """Search pages, rows and tables: title matches first, then the newest."""
    return pages.search_notes(current_world(), query, kind or "any", offset, limit)


@tool(mcp, bulk=True)
def list_note_pages(
    parent_id: SomePage = None,
    depth: Annotated[int, Field(description="Levels to list.", ge=1, le=20)] = 2,
    archived: Annotated[bool, Field(description="List archived pages instead.")] = False,
    offset: Offset = 0,
    limit: Limit = 100,
) -> pages.Lines:
    """List the pages and tables in a page or at the top level, each after its parent."""
    return pages.list_note_pages(current_world(), parent_id, depth, archived=archived, offset=offset, limit=limit)


@tool(mcp, bulk=True)
def read_note_page(
    page_id: PageId,
    version_id: Annotated[int | None, Field(description="Number of an older version to read instead.", ge=1)] = None,
    offset: Annotated[int, Field(description="Characters of the text to skip.", ge=0)] = 0,
) -> pages.PageView:
    """Read a page or row: its text as Markdown, its values, and the pages and tables in it."""
    return pages.read_note_page(current_world(), page_id, version_id, offset)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_note_page(
    title: Annotated[Title, Field(description="Title.")],
    markdown: Annotated[Markdown, Field(description="Text in Markdown, without the title.")] = "",
    parent_id: SomePage = None,
    icon: Annotated[Icon, Field(description="An emoji.")] = "",
) -> pages.PageView:
    """Create a page in another page or at the top level."""
    return pages.create_note_page(current_world(), title, markdown, parent_id, icon)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def edit_note_page(
    page_id: PageId,
    markdown: Annotated[Markdown | None, Field(description="New text, replacing all of it.")] = None,
    append: Annotated[bool, Field(description="Append markdown instead of replacing the text.")] = False,
    edits: Annotated[
        list[editing.Edit],
        Field(
            description="Replacements in its Markdown: find (must occur exactly once), text (the replacement).",
            max_length=200,
        ),
    ] = [],  # noqa: B006 - never changed
    title: Annotated[Title | None, Field(description="New title.")] = None,
    icon: Annotated[Icon | None, Field(description="An emoji; empty removes it.")] = None,
) -> editing.Edited:
    """Change a page. Unchanged blocks keep their comments; the previous state is saved as a version."""
    return editing.edit_note_page(current_world(), page_id, markdown, edits, title, icon, append=append)


@tool(mcp, bulk=True, writes=True)
def move_note_page(page_id: PageId, parent_id: SomePage = None) -> pages.Moved:
    """Move a page, with its subpages, into another page or to the top level."""
    return pages.move_note_page(current_world(), page_id, parent_id)


@tool(mcp, bulk=True, writes=True, destructive=True)
def archive_note_page(
    page_id: PageId, restore: Annotated[bool, Field(description="Restore it instead.")] = False
) -> pages.Moved:
    """Archive a page or row with its subpages, or restore it."""
    return pages.archive_note_page(current_world(), page_id, restore=restore)


@tool(mcp, bulk=True)
def list_note_page_versions(page_id: PageId, offset: Offset = 0, limit: Limit = 50) -> editing.Versions:
    """List the earlier versions of a page, newest first; read_note_page shows one."""
    return editing.list_versions(current_world(), page_id, offset, limit)


@tool(mcp, bulk=True)
def query_table(
    table_id: TableId,
    matching: Annotated[
        list[rows.Condition],
        Field(
            description="column, operator? (is, is_not, contains, lacks, starts_with, ends_with, over, under, "
            "at_least, at_most, empty, not_empty), value.",
            max_length=50,
        ),
    ] = [],  # noqa: B006 - never changed
    any_of: Annotated[bool, Field(description="Match any condition instead of all.")] = False,
    sorts: Annotated[list[rows.Sort], Field(description="column, descending?.", max_length=10)] = [],  # noqa: B006
    offset: Offset = 0,
    limit: Limit = 50,
) -> rows.Rows:
    """Query a table: its columns, and the rows that match the conditions."""
    return rows.query_table(current_world(), table_id, matching, sorts, any_of=any_of, offset=offset, limit=limit)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def save_table_row(
    table_id: TableId,
    row_id: Annotated[int | None, Field(description="Row to change; by default one is created.", ge=1)] = None,
    values: Annotated[dict[str, Any], Field(description=VALUES, max_length=100)] = {},  # noqa: B006 - never changed
    markdown: Annotated[Markdown | None, Field(description="Text of a new row, or of a row without text.")] = None,
) -> rows.Row:
    """Create a row in a table, or change the given values of one."""
    return rows.save_row(current_world(), table_id, row_id, values, markdown)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_table(
    title: Annotated[Title, Field(description="Title.")],
    new_columns: Annotated[list[tables.NewColumn], Field(description=COLUMNS, max_length=100)],
    parent_id: SomePage = None,
    description: Annotated[str, Field(description="Description of the table.", max_length=2_000)] = "",
) -> tables.TableView:
    """Create a table in a page or at the top level."""
    return tables.create_table(current_world(), title, new_columns, parent_id, description)


@tool(mcp, bulk=True, writes=True, destructive=True)
def alter_table(
    table_id: TableId,
    title: Annotated[Title | None, Field(description="New title.")] = None,
    rename: Annotated[
        dict[str, str], Field(description="Columns to rename: {'Due': 'Due date'}.", max_length=100)
    ] = {},  # noqa: B006
    delete: Annotated[list[str], Field(description="Columns to delete, with their values.", max_length=100)] = [],  # noqa: B006
    new_columns: Annotated[list[tables.NewColumn], Field(description=COLUMNS, max_length=100)] = [],  # noqa: B006
    options: Annotated[dict[str, list[str]], Field(description="All options, by column.", max_length=100)] = {},  # noqa: B006 - never changed
) -> tables.TableView:
    """Change the title or the columns of a table."""
    return tables.alter_table(current_world(), table_id, title, new_columns, rename, delete, options)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def add_comment(
    page_id: PageId,
    text: Annotated[str, Field(description="Text of the comment.", min_length=1, max_length=10_000)],
    find: Annotated[str, Field(description="Words of the block to comment on.", max_length=2_000)] = "",
    answers: Annotated[int | None, Field(description="Number of the comment to reply to.", ge=1)] = None,
) -> comments.CommentLine:
    """Comment on a page or one of its blocks, or reply to a comment."""
    return comments.add_comment(current_world(), page_id, text, find, answers)


@tool(mcp, bulk=True)
def list_comments(
    page_id: Annotated[int | None, Field(description="Page; by default all.", ge=1)] = None,
    query: Annotated[str, Field(description="Words that must all occur in the comment.", max_length=1_000)] = "",
    offset: Offset = 0,
    limit: Limit = 50,
) -> comments.Comments:
    """List comments, oldest first, with the text they refer to."""
    return comments.list_comments(current_world(), page_id, query, offset, limit)
