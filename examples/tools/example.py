"""What an example is, and how all of a server's are called in one workspace, in order."""

import importlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from fastmcp import Client

from yardkit.world import World, use_world

OFFICE: tuple[str, ...] = ("sheets", "documents", "slides", "pdf", "html", "render")
MEDIA: tuple[str, ...] = ("images", "audio", "video", "speech", "music")
PERCEPTION: tuple[str, ...] = (
    "ocr",
    "detection",
    "counting",
    "faces",
    "segmentation",
    "layout",
    "barcodes",
    "formulas",
    "vision",
)
SERVERS = OFFICE + MEDIA + PERCEPTION


@dataclass(frozen=True)
class Example:
    """A call of a tool, and the files to look at after it. Later examples work on what earlier ones left.

    One that `needs` a capability of a model service is told without it how to set one up.
    """

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    look: tuple[str, ...] = ()
    needs: str = ""


@dataclass(frozen=True)
class Gallery:
    """The examples of a server, and what puts the files they start from into the workspace."""

    prepare: Callable[[Path], None]
    examples: tuple[Example, ...]


def load_gallery(server: str) -> Gallery:
    return importlib.import_module(f"tools.{server}").GALLERY


@asynccontextmanager
async def open_workspace(server: str, folder: Path) -> AsyncIterator[SimpleNamespace]:
    """A client of the server on a prepared workspace: `.client`, `.files`, `.examples`."""
    world = World.create(folder, task="gallery", seed=1)
    server_gallery = load_gallery(server)
    mcp = importlib.import_module(f"yardkit.servers.{server}.server").mcp
    with use_world(world):
        server_gallery.prepare(world.files)
        async with Client(mcp) as client:
            yield SimpleNamespace(client=client, files=world.files, examples=server_gallery.examples)
