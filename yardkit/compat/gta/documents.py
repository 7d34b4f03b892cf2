"""Word documents in the dialect of GTA: written from Markdown or plain text with pictures, and read as text."""

import tempfile
from pathlib import Path

from yardkit.kit.dialect import (
    Delivered,
    ImagePaths,
    OutputDir,
    choose_deliverable,
    literal_markdown,
    with_pictures,
)
from yardkit.servers.documents.engine.blocks import block_edits, block_pages, new_documents
from yardkit.servers.documents.engine.blocks.block_reader import BlockInfo
from yardkit.servers.documents.engine.convert import conversion
from yardkit.servers.documents.engine.markup.specs import NewBlock
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.world import FileRef, InFile, current_world, lock_file

_PICTURE_CM = 12.7
_ALL = 1_000_000


def DocxFileGenerator(
    filename: str,
    content: str,
    image_paths: ImagePaths = None,
    output_dir: OutputDir = None,
    render_markdown: bool = True,
) -> Delivered:
    path = choose_deliverable(filename, ".docx", output_dir)
    [parts], further = with_pictures([content], image_paths)
    with lock_file(path, current_world().locks):
        if render_markdown:
            _lay_out([*parts, *further], path)
        else:
            _write_lines([*parts, *further], path)
    return Delivered(FileRef.from_path(path))


def ReadDOCX(file: InFile) -> str:
    document = Document.open(file)
    page_texts = []
    for story in document.map_stories():
        blocks = block_pages.read_page(document, story, "text", "", 0, _ALL).blocks
        lines = [line for block in blocks for line in _list_lines(block)]
        if any(line.strip() for line in lines):
            page_texts += lines if story == "body" else [f"[{story}]", *lines]
    return "\n".join(page_texts)


def _list_lines(block: BlockInfo) -> list[str]:
    if block.kind == "table":
        return [" | ".join(cell.replace("\n", " / ") for cell in row) for row in block.rows]
    return [f"{block.label} {block.text}" if block.label else block.text, *block.boxes.values(), *block.drawn]


def _lay_out(parts: list[str | Path], path: Path) -> None:
    pictures = {f"picture-{number}": part for number, part in enumerate(parts) if isinstance(part, Path)}
    text = "".join(
        literal_markdown(part) if isinstance(part, str) else f"\n\n![{part.stem}](picture-{number})\n\n"
        for number, part in enumerate(parts)
    )
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "content.md"
        source.write_text(text, "utf-8")
        conversion.convert_document(source, path, None, current_world().now, pictures.__getitem__)


def _write_lines(parts: list[str | Path], path: Path) -> None:
    now = current_world().now
    document = new_documents.new_document(now)
    blocks: list[NewBlock] = []
    for part in parts:
        if isinstance(part, Path):
            blocks.append(NewBlock(kind="image", image=part, widths_cm=[_PICTURE_CM], alt=part.stem))
        else:
            blocks += [NewBlock(text=line, literal=True) for line in part.strip("\n").split("\n") if part.strip()]
    block_edits.append_blocks(Writer(document, now), blocks)
    document.save(path)
