"""Write every example's call, answer and pictures into a folder."""

import argparse
import asyncio
import base64
import json
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from gallery.example import SERVERS, Example, workspace
from toolyard.kit.pages.browser import Shot, visit
from toolyard.servers.render.engine.showing import contact_sheet


def written(answer: Any) -> str:
    return "\n".join(block.text for block in answer.content if block.type == "text")


def picture_of(path: Path, root: Path) -> bytes:
    if path.suffix.lower() in {".html", ".htm"}:
        shown = visit(path, root, shot=Shot()).picture
        assert shown is not None
        return shown.data
    return contact_sheet(path, root, "1-", columns=3, width_px=1800).images[0].data


async def draw(number: int, example: Example, place: SimpleNamespace, out: Path) -> None:
    stem = f"{number:02d}_{example.tool}"
    answer = await place.client.call_tool(example.tool, example.arguments, raise_on_error=False)
    asked = json.dumps(example.arguments, ensure_ascii=False, indent=1)
    failed = "ERROR " if answer.is_error else ""
    (out / f"{stem}.txt").write_text(f"{example.tool}({asked})\n\n{failed}{written(answer)}\n", encoding="utf-8")
    images = [block for block in answer.content if block.type == "image"]
    for index, block in enumerate(images, start=1):
        kind = block.mime_type.partition("/")[2]
        (out / f"{stem}_{index}.{kind}").write_bytes(base64.b64decode(block.data))
    for name in example.look:
        picture = await asyncio.to_thread(picture_of, place.files / name, place.files)
        (out / f"{stem}__{name.replace('/', '_')}.png").write_bytes(picture)


async def draw_all(server: str, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        async with workspace(server, Path(folder) / "world") as place:
            for number, example in enumerate(place.examples, start=1):
                await draw(number, example, place, out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--server", action="append", choices=SERVERS, help="only this server; may be repeated")
    arguments = parser.parse_args()
    for server in arguments.server or SERVERS:
        asyncio.run(draw_all(server, arguments.out / server))


if __name__ == "__main__":
    main()
