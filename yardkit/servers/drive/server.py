"""The tools of the `drive` server."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from yardkit.apps.drive import ROOT, Role
from yardkit.kit.surface import make_server, tool
from yardkit.servers.drive import engine
from yardkit.world import InFile, OutFile, current_world
from yardkit.world.paths import out_file

mcp = make_server(
    "drive",
    "The shared drive of the workspace's owner: folders and files, each with an id. Drive files "
    "are not workspace files: fetch one to work on it, then upload it. Some belong to others and "
    "are read-only.",
)

ItemId = Annotated[str, Field(description="Id of the folder or file, from list_drive or search_drive.", max_length=200)]
FileId = Annotated[str, Field(description="Id of the file, from list_drive or search_drive.", max_length=200)]
ParentId = Annotated[str, Field(description="Id of the destination folder.", max_length=200)]
NewParent = Annotated[str | None, Field(description="Id of the destination folder; root: the top.")]
Name = Annotated[str, Field(description="Name of the item.", min_length=1, max_length=300)]
NewName = Annotated[str | None, Field(description="New name.", min_length=1, max_length=300)]
Offset = Annotated[int, Field(description="Items to skip; use next_offset of the previous page.", ge=0)]
Limit = Annotated[int, Field(description="Maximum number of items.", ge=1, le=200)]


@tool(mcp, bulk=True)
def list_drive(
    folder_id: Annotated[str, Field(description="Id of the folder; root: the top.", max_length=200)] = ROOT,
    trashed: Annotated[bool, Field(description="List the trash instead.")] = False,
    offset: Offset = 0,
    limit: Limit = 50,
) -> engine.Listing:
    """List the items in a drive folder, folders first."""
    return engine.list_items(current_world(), folder_id, trashed=trashed, offset=offset, limit=limit)


@tool(mcp, bulk=True)
def search_drive(
    query: Annotated[str, Field(description="Words that must all occur in the name.", max_length=500)] = "",
    kind: Annotated[engine.Kind, Field(description="Kind of item; by default all.")] = "any",
    contents: Annotated[bool, Field(description="Also search file contents for all the words.")] = False,
    since: Annotated[str, Field(description="Earliest date or time of the last change (ISO 8601).")] = "",
    offset: Offset = 0,
    limit: Limit = 50,
) -> engine.Listing:
    """Search folders and files anywhere on the drive, most recently changed first."""
    return engine.search_items(current_world(), query, kind, contents=contents, since=since, offset=offset, limit=limit)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_drive_folder(name: Name, folder_id: ParentId = ROOT) -> engine.ItemView:
    """Create a folder on the drive."""
    return engine.create_folder(current_world(), name, folder_id)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def copy_drive_file(item_id: FileId, name: NewName = None, folder_id: NewParent = None) -> engine.ItemView:
    """Copy a file on the drive, by default into the same folder; the copy is your own and not shared."""
    return engine.copy_item(current_world(), item_id, name, folder_id)


@tool(mcp, bulk=True, writes=True)
def move_drive_file(item_id: ItemId, name: NewName = None, folder_id: NewParent = None) -> engine.ItemView:
    """Rename a drive folder or file, or move it to another folder."""
    return engine.move_item(current_world(), item_id, name, folder_id)


@tool(mcp, bulk=True, writes=True)
def share_drive_file(
    item_id: ItemId,
    email: Annotated[str, Field(description="Address of the person.", max_length=320)],
    role: Annotated[Role | Literal["none"], Field(description="Role of the person; none: stop sharing.")],
) -> engine.ItemView:
    """Share a drive folder or file with a person, change their role, or stop sharing."""
    return engine.share_item(current_world(), item_id, email, role)


@tool(mcp, bulk=True, writes=True, destructive=True)
def trash_drive_file(
    item_id: ItemId, restore: Annotated[bool, Field(description="Restore it from the trash instead.")] = False
) -> engine.ItemView:
    """Move a drive folder or file to the trash, or restore it."""
    return engine.trash_item(current_world(), item_id, restore=restore)


@tool(mcp, bulk=True, writes=True, destructive=True)
def fetch_drive_file(
    item_id: FileId,
    target: Annotated[OutFile | None, Field(description="Workspace path; by default its name.")] = None,
) -> engine.Fetched:
    """Copy a drive file into the workspace."""

    def place(name: str) -> Path:
        return target or out_file(name.replace("/", "_"))

    return engine.fetch_item(current_world(), item_id, place)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def upload_drive_file(
    source: Annotated[InFile, Field(description="Workspace file to upload.")],
    name: NewName = None,
    folder_id: ParentId = ROOT,
    item_id: Annotated[str | None, Field(description="Id of a drive file whose content to replace.")] = None,
) -> engine.ItemView:
    """Upload a workspace file to the drive, as a new file or as the content of an existing one."""
    return engine.upload_item(current_world(), source, name, folder_id, item_id)
