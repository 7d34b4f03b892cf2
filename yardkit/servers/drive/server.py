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
    "The shared drive of the workspace's owner: folders and files, each with an id. Its files are no files of the "
    "workspace: fetch one to work on it, and upload it when it is done. Some belong to others and can only be read.",
)

ItemId = Annotated[str, Field(description="Id of the folder or file, from list_drive or search_drive.", max_length=200)]
FileId = Annotated[str, Field(description="Id of the file, from list_drive or search_drive.", max_length=200)]
ParentId = Annotated[str, Field(description="Id of the folder that it goes into.", max_length=200)]
NewParent = Annotated[str | None, Field(description="Id of the folder that it goes into; root: the top.")]
Name = Annotated[str, Field(description="Its name.", min_length=1, max_length=300)]
NewName = Annotated[str | None, Field(description="New name.", min_length=1, max_length=300)]
Offset = Annotated[int, Field(description="Items to skip; take next_offset of the page before.", ge=0)]
Limit = Annotated[int, Field(description="Items at most.", ge=1, le=200)]


@tool(mcp, bulk=True)
def list_drive(
    folder_id: Annotated[str, Field(description="Id of the folder; root: the top.", max_length=200)] = ROOT,
    trashed: Annotated[bool, Field(description="Show what is in the trash instead.")] = False,
    offset: Offset = 0,
    limit: Limit = 50,
) -> engine.Listing:
    """List what is in a folder of the drive, folders first."""
    return engine.list_items(current_world(), folder_id, trashed=trashed, offset=offset, limit=limit)


@tool(mcp, bulk=True)
def search_drive(
    query: Annotated[str, Field(description="Words that all stand in the name.", max_length=500)] = "",
    kind: Annotated[engine.Kind, Field(description="Only of this kind.")] = "any",
    contents: Annotated[bool, Field(description="Also find files in which all the words stand.")] = False,
    since: Annotated[str, Field(description="Only what was changed from this date or time (ISO 8601) on.")] = "",
    offset: Offset = 0,
    limit: Limit = 50,
) -> engine.Listing:
    """Find folders and files anywhere on the drive, last changed first."""
    return engine.search_items(current_world(), query, kind, contents=contents, since=since, offset=offset, limit=limit)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_drive_folder(name: Name, folder_id: ParentId = ROOT) -> engine.ItemView:
    """Make a folder on the drive."""
    return engine.create_folder(current_world(), name, folder_id)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def copy_drive_file(item_id: FileId, name: NewName = None, folder_id: NewParent = None) -> engine.ItemView:
    """Copy a file on the drive, by default beside itself; the copy is one's own and not shared."""
    return engine.copy_item(current_world(), item_id, name, folder_id)


@tool(mcp, bulk=True, writes=True)
def move_drive_file(item_id: ItemId, name: NewName = None, folder_id: NewParent = None) -> engine.ItemView:
    """Rename a folder or file of the drive, or put it into another folder."""
    return engine.move_item(current_world(), item_id, name, folder_id)


@tool(mcp, bulk=True, writes=True)
def share_drive_file(
    item_id: ItemId,
    email: Annotated[str, Field(description="Address of the person.", max_length=320)],
    role: Annotated[Role | Literal["none"], Field(description="What the person may do; none: no longer anything.")],
) -> engine.ItemView:
    """Let a person use a folder or file of the drive, in another role, or no longer."""
    return engine.share_item(current_world(), item_id, email, role)


@tool(mcp, bulk=True, writes=True, destructive=True)
def trash_drive_file(
    item_id: ItemId, restore: Annotated[bool, Field(description="Take it out of the trash instead.")] = False
) -> engine.ItemView:
    """Put a folder or file of the drive into the trash, or take it out."""
    return engine.trash_item(current_world(), item_id, restore=restore)


@tool(mcp, bulk=True, writes=True, destructive=True)
def fetch_drive_file(
    item_id: FileId,
    target: Annotated[OutFile | None, Field(description="Where; by default under its name in the workspace.")] = None,
) -> engine.Fetched:
    """Bring a copy of a file of the drive into the workspace."""

    def place(name: str) -> Path:
        return target or out_file(name.replace("/", "_"))

    return engine.fetch_item(current_world(), item_id, place)


@tool(mcp, bulk=True, writes=True, idempotent=False, destructive=True)
def upload_drive_file(
    source: Annotated[InFile, Field(description="File of the workspace.")],
    name: NewName = None,
    folder_id: ParentId = ROOT,
    item_id: Annotated[
        str | None, Field(description="Id of a file of the drive that gets this content instead.")
    ] = None,
) -> engine.ItemView:
    """Put a file of the workspace onto the drive, as a new file or as the content of one that is there."""
    return engine.upload_item(current_world(), source, name, folder_id, item_id)
