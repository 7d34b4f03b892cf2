"""Bad input of every kind through the client: a clear tool error, and nothing lost or half written."""

import asyncio
import io
import random
import struct
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client, FastMCP
from PIL import Image
from support.disks import ROOM, fill_disk, scarce_disk

from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.pdf.server import create_pdf
from yardkit.world import World, save_text, use_world
from yardkit.world.save import SAVE_PREFIX


@pytest.fixture(scope="module")
def yard() -> FastMCP[Any]:
    both: FastMCP[Any] = FastMCP("both")
    for name in ("files", "sheets", "plot"):
        both.mount(load_server(name))
    return both


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World.create(tmp_path / "w", task="t", seed=1)


@pytest.fixture
async def client(world: World, yard: FastMCP[Any]) -> AsyncIterator[Client[Any]]:
    with use_world(world):
        async with Client(yard) as connected:
            yield connected


async def error_of(client: Client[Any], tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments, raise_on_error=False)
    assert result.is_error, result
    return str(result.content[0].text)


def encode_noise(kind: str, size: tuple[int, int] = (300, 200)) -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise(size, 60).save(buffer, kind)
    return buffer.getvalue()


def png_of(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(bytes(1_000))) + chunk(b"IEND", b"")


PICTURES = {
    "huge.png": (png_of(30_000, 30_000), "pixels"),
    "wide.png": (png_of(11_000, 10_000), "pixels"),
    "half.png": (encode_noise("PNG")[:20_000], "damaged"),
    "half.jpg": (encode_noise("JPEG")[:9_000], "damaged"),
    "half_large.jpg": (encode_noise("JPEG", (2_000, 1_800))[:90_000], "damaged"),
    "marked.gif": (b"GIF89a" + b"\xff" * 50, "is not a picture"),
    "bytes.png": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "is not a picture"),
    "empty.png": (b"", "not a supported picture"),
    "text.png": (b"hello", "not a supported picture"),
}


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize("name", PICTURES)
async def test_what_is_no_whole_picture_is_refused_without_naming_places_of_the_machine(
    client: Client[Any], world: World, name: str
) -> None:
    data, reason = PICTURES[name]
    (world.files / name).write_bytes(data)
    message = await error_of(client, "read_media", path=name)
    assert reason in message
    assert name in message
    assert str(world.root) not in message
    assert (world.files / name).read_bytes() == data


async def test_half_a_picture_is_refused_after_pages_were_made_from_text_too(client: Client[Any], world: World) -> None:
    create_pdf(path=world.files / "a.pdf", markdown="# Title")
    (world.files / "half.jpg").write_bytes(PICTURES["half_large.jpg"][0])
    assert "damaged" in await error_of(client, "read_media", path="half.jpg")


NOISE = random.Random(5)
LONG = "".join(NOISE.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=ROOM * 2))
WRITERS: dict[str, dict[str, Any]] = {
    "write_file": {"path": "new/a.txt", "content": LONG},
    "write_file over": {"path": "kept.txt", "content": LONG},
    "append_file": {"path": "kept.txt", "content": LONG},
    "edit_file": {"path": "kept.txt", "edits": [{"old_text": "kept", "new_text": LONG}]},
    "copy_path": {"source": "long.txt", "target": "new/copy.txt"},
    "copy_path folder": {"source": "folder", "target": "new/copy"},
    "write_cells": {"path": "new/book.xlsx", "rows": [[LONG[i : i + 20_000]] for i in range(0, len(LONG), 20_000)]},
    "import_data": {"source": "long.csv", "path": "new/book.xlsx"},
}


@pytest.mark.parametrize("writer", WRITERS)
async def test_on_a_full_disk_each_writer_says_so_and_leaves_everything_as_it_was(
    tmp_path: Path, yard: FastMCP[Any], writer: str
) -> None:
    with scarce_disk(tmp_path / "disk") as disk:
        world = World.create(disk / "w", task="t", seed=1)
        for name in ("long.txt", "folder/long.txt"):
            save_text(world.files / name, LONG[: ROOM * 3 // 4] * 2)
        save_text(world.files / "kept.txt", "kept")
        save_text(world.files / "long.csv", "a\n" + "\n".join(LONG[i : i + 50] for i in range(0, ROOM * 3 // 2, 50)))
        fill_disk(disk)
        before = world.state_hash()
        with use_world(world):
            async with Client(yard) as client:
                message = await error_of(client, writer.split()[0], **WRITERS[writer])
        assert "cannot" in message
        assert "disk space" in message or "nothing was changed" in message
        assert world.state_hash() == before
        assert not list(world.root.rglob(SAVE_PREFIX + "*"))


async def test_two_writers_of_one_text_file_lose_nothing(client: Client[Any], world: World, yard: FastMCP[Any]) -> None:
    lines = [f"line {number}\n" for number in range(24)]
    async with Client(yard) as other:
        calls = [
            (client, other)[number % 2].call_tool("append_file", {"path": "log.txt", "content": line})
            for number, line in enumerate(lines)
        ]
        await asyncio.gather(*calls)
    assert sorted((world.files / "log.txt").read_text().splitlines(keepends=True)) == sorted(lines)


async def test_no_room_left_under_the_locks_is_a_tool_error(client: Client[Any], world: World) -> None:
    (world.root / ".locks").write_text("in the way")
    assert "cannot lock 'a.txt'" in await error_of(client, "write_file", path="a.txt", content="x")
