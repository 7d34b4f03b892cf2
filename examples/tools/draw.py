"""Write every example's call, answer and pictures into a folder."""

import argparse
import asyncio
import base64
import json
import shutil
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tools.example import SERVERS, Example, open_workspace
from yardkit.kit.pages.browser import Shot, visit_page
from yardkit.servers.audio.engine.pictures import draw_sound
from yardkit.servers.render.engine.showing import contact_sheet
from yardkit.servers.video.engine.frames import make_sheet

PICTURES = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp"}
SOUNDS = {".wav", ".mp3", ".flac", ".ogg", ".opus", ".m4a"}


def read_answer_text(answer: Any) -> str:
    return "\n".join(block.text for block in answer.content if block.type == "text")


def picture_of(path: Path, root: Path) -> bytes:
    if path.suffix.lower() in {".html", ".htm"}:
        picture = visit_page(path, root, shot=Shot()).picture
        assert picture is not None
        return picture.data
    return contact_sheet(path, root, "1-", columns=3, width_px=1800).images[0].data


def place_pictures(path: Path, root: Path, stem: Path) -> None:
    """Pictures of a file: itself, what is heard as level and pitches over time, frames of a video, or its pages."""
    kind = path.suffix.lower()
    if path.is_dir():
        for file in sorted(path.iterdir()):
            place_pictures(file, root, stem.with_name(f"{stem.name}_{file.stem}"))
    elif kind in PICTURES:
        shutil.copy(path, stem.with_name(stem.name + kind))
    elif kind in SOUNDS:
        for drawn in ("waveform", "spectrogram"):
            draw_sound(path, root / "drawn.png", drawn, 0.0, None, (1000, 320))
            shutil.move(root / "drawn.png", stem.with_name(f"{stem.name}_{drawn}.png"))
    elif kind == ".mp4":
        make_sheet(path, 9, 0.0, None, root / "drawn.png")
        shutil.move(root / "drawn.png", stem.with_name(f"{stem.name}.png"))
    else:
        stem.with_name(f"{stem.name}.png").write_bytes(picture_of(path, root))


async def draw_example(number: int, example: Example, place: SimpleNamespace, out: Path) -> None:
    stem = f"{number:02d}_{example.tool}"
    answer = await place.client.call_tool(example.tool, example.arguments, raise_on_error=False)
    asked = json.dumps(example.arguments, ensure_ascii=False, indent=1)
    failed = "ERROR " if answer.is_error else ""
    (out / f"{stem}.txt").write_text(
        f"{example.tool}({asked})\n\n{failed}{read_answer_text(answer)}\n", encoding="utf-8"
    )
    images = [block for block in answer.content if block.type == "image"]
    for index, block in enumerate(images, start=1):
        kind = block.mime_type.partition("/")[2]
        (out / f"{stem}_{index}.{kind}").write_bytes(base64.b64decode(block.data))
    for name in example.look:
        drawn = out / f"{stem}__{name.replace('/', '_')}"
        await asyncio.to_thread(place_pictures, place.files / name, place.files, drawn)


async def draw_all(server: str, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        async with open_workspace(server, Path(folder) / "world") as place:
            for number, example in enumerate(place.examples, start=1):
                await draw_example(number, example, place, out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--server", action="append", choices=SERVERS, help="only this server; may be repeated")
    arguments = parser.parse_args()
    for server in arguments.server or SERVERS:
        asyncio.run(draw_all(server, arguments.out / server))


if __name__ == "__main__":
    main()
