"""The tools of the `notes` server."""

from typing import Annotated, Any

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.notes.engine import comments, editing, pages, rows, tables
from yardkit.world import current_world

mcp = make_server(
    "notes",
    "The notes of the workspace owner's team: pages within pages, in Markdown, and tables whose rows are pages.",
)

PageId = Annotated[int, Field(description="Number of the page or row.", ge=1)]
SomePage = Annotated[int | None, Field(description="Number of a page; without it, the top.", ge=1)]
TableId = Annotated[int, Field(description="Number of the table.", ge=1)]
Title = Annotated[str, Field(min_length=1, max_length=500)]
Markdown = Annotated[str, Field(max_length=400_000)]
Icon = Annotated[str, Field(max_length=100)]
Offset = Annotated[int, Field(description="Records to skip; take next_offset of the page before.", ge=0)]
Limit = Annotated[int, Field(description="Records per page.", ge=1, le=200)]
COLUMNS = (
    "name, kind? (text, number, select, multi_select, status, date, checkbox, url, email, phone, people, relation, "
    "files, created, edited, title), options? (choices), table_id? (of a relation)."
)
VALUES = (
    "Values by column; null empties one. Dates are 2026-03-16 or 2026-03-16/2026-03-18, people names or addresses, "
    "relations numbers or titles of rows."
)


@tool(mcp, bulk=True)
def search_notes(
    query: Annotated[str, Field(description="Words that all stand in title, values or text.", max_length=1_000)],
    kind: Annotated[pages.Kind | None, Field(description="Only these; by default all.")] = None,
    offset: Offset = 0,
    limit: Annotated[int, Field(description="Records per page.", ge=1, le=200)] = 20,
) -> pages.Lines:
    """Find pages, rows and tables by words: those with them in the title first, then the newest."""
    return pages.search(current_world(), query, kind or "any", offset, limit)


@tool(mcp, bulk=True)
def list_note_pages(
    parent_id: SomePage = None,
    depth: Annotated[int, Field(description="How many levels down.", ge=1, le=20)] = 2,
    archived: Annotated[bool, Field(description="Those that are archived instead.")] = False,
    offset: Offset = 0,
    limit: Limit = 100,
) -> pages.Lines:
    """List pages and tables in a page or at the top, each behind the one in which it stands."""
    return pages.list_note_pages(current_world(), parent_id, depth, archived=archived, offset=offset, limit=limit)


@tool(mcp, bulk=True)
def read_note_page(
    page_id: PageId,
    version_id: Annotated[int | None, Field(description="As it was: number of an older version.", ge=1)] = None,
    offset: Annotated[int, Field(description="Characters of the text to skip.", ge=0)] = 0,
) -> pages.PageView:
    """Read a page or row: its text as Markdown, its values, the pages and tables in it."""
    return pages.read_note_page(current_world(), page_id, version_id, offset)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_note_page(
    title: Annotated[Title, Field(description="Its title.")],
    markdown: Annotated[Markdown, Field(description="Its text, without the title.")] = "",
    parent_id: SomePage = None,
    icon: Annotated[Icon, Field(description="An emoji.")] = "",
) -> pages.PageView:
    """Make a page in another one or at the top."""
    return pages.create_note_page(current_world(), title, markdown, parent_id, icon)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def edit_note_page(
    page_id: PageId,
    markdown: Annotated[Markdown | None, Field(description="Its whole text anew.")] = None,
    append: Annotated[bool, Field(description="Put markdown at the end instead of replacing the text.")] = False,
    edits: Annotated[
        list[editing.Edit],
        Field(description="Parts of its Markdown: find (stands there once), text (takes its place).", max_length=200),
    ] = [],  # noqa: B006 - never changed
    title: Annotated[Title | None, Field(description="Its new title.")] = None,
    icon: Annotated[Icon | None, Field(description="An emoji; empty takes it away.")] = None,
) -> editing.Edited:
    """Change a page. Blocks that say the same as before stay, with their comments; how it was is kept as a version."""
    return editing.edit_note_page(current_world(), page_id, markdown, edits, title, icon, append=append)


@tool(mcp, bulk=True, writes=True)
def move_note_page(page_id: PageId, parent_id: SomePage = None) -> pages.Moved:
    """Put a page, with the pages in it, into another one or to the top."""
    return pages.move_note_page(current_world(), page_id, parent_id)


@tool(mcp, bulk=True, writes=True, destructive=True)
def archive_note_page(
    page_id: PageId, restore: Annotated[bool, Field(description="Bring it back instead.")] = False
) -> pages.Moved:
    """Archive a page or row with the pages in it."""
    return pages.archive_note_page(current_world(), page_id, restore=restore)


@tool(mcp, bulk=True)
def list_note_page_versions(page_id: PageId, offset: Offset = 0, limit: Limit = 50) -> editing.Versions:
    """List how a page was before each of its changes, the newest first; read_note_page shows one."""
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
    any_of: Annotated[bool, Field(description="One of the conditions is enough.")] = False,
    sorts: Annotated[list[rows.Sort], Field(description="column, descending?.", max_length=10)] = [],  # noqa: B006
    offset: Offset = 0,
    limit: Limit = 50,
) -> rows.Rows:
    """Show a table: what its columns hold, and the rows of which conditions hold."""
    return rows.query_table(current_world(), table_id, matching, sorts, any_of=any_of, offset=offset, limit=limit)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def save_table_row(
    table_id: TableId,
    row_id: Annotated[int | None, Field(description="To change; without it a new one is made.", ge=1)] = None,
    values: Annotated[dict[str, Any], Field(description=VALUES, max_length=100)] = {},  # noqa: B006 - never changed
    markdown: Annotated[Markdown | None, Field(description="Text of a row that has none yet.")] = None,
) -> rows.Row:
    """Make a row of a table, or change what is given of one."""
    return rows.save_row(current_world(), table_id, row_id, values, markdown)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_table(
    title: Annotated[Title, Field(description="Its title.")],
    new_columns: Annotated[list[tables.NewColumn], Field(description=COLUMNS, max_length=100)],
    parent_id: SomePage = None,
    description: Annotated[str, Field(description="What it is for.", max_length=2_000)] = "",
) -> tables.TableView:
    """Make a table in a page or at the top."""
    return tables.create_table(current_world(), title, new_columns, parent_id, description)


@tool(mcp, bulk=True, writes=True, destructive=True)
def alter_table(
    table_id: TableId,
    title: Annotated[Title | None, Field(description="Its new title.")] = None,
    rename: Annotated[dict[str, str], Field(description="Names of columns: {'Due': 'Due date'}.", max_length=100)] = {},  # noqa: B006
    delete: Annotated[list[str], Field(description="Columns that go, with their values.", max_length=100)] = [],  # noqa: B006
    new_columns: Annotated[list[tables.NewColumn], Field(description=COLUMNS, max_length=100)] = [],  # noqa: B006
    options: Annotated[
        dict[str, list[str]], Field(description="By column, all that can be chosen.", max_length=100)
    ] = {},  # noqa: B006 - never changed
) -> tables.TableView:
    """Change the title or the columns of a table."""
    return tables.alter_table(current_world(), table_id, title, new_columns, rename, delete, options)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def add_comment(
    page_id: PageId,
    text: Annotated[str, Field(description="The comment.", min_length=1, max_length=10_000)],
    find: Annotated[str, Field(description="Words of the one block that it is about.", max_length=2_000)] = "",
    answers: Annotated[int | None, Field(description="Number of the comment that it answers.", ge=1)] = None,
) -> comments.CommentLine:
    """Comment on a page, on a block of it, or on a comment."""
    return comments.add_comment(current_world(), page_id, text, find, answers)


@tool(mcp, bulk=True)
def list_comments(
    page_id: Annotated[int | None, Field(description="Only on this page.", ge=1)] = None,
    query: Annotated[str, Field(description="Words that all stand in it.", max_length=1_000)] = "",
    offset: Offset = 0,
    limit: Limit = 50,
) -> comments.Comments:
    """List comments, the oldest first, with the text that they are about."""
    return comments.list_comments(current_world(), page_id, query, offset, limit)
