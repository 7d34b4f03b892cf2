"""Decks in the dialect of GTA: written from a list of titles and texts with pictures, and read as text."""

import tempfile
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from yardkit.kit.dialect import (
    Delivered,
    ImagePaths,
    OutputDir,
    choose_deliverable,
    with_pictures,
)
from yardkit.servers.slides import engine
from yardkit.servers.slides.engine.inputs import NewSlide, ShapeEdit
from yardkit.world import FileRef, InFile, Problem, current_world, lock_file, save_bytes

_BODY_CM, _GAP_CM = (1.6, 3.7, 30.67, 13.4), 0.5
"""Where the text of a slide stands in the default design: left, top, width, height; and what is left between."""


class _Slide(BaseModel):
    title: str = ""
    content: str | list[str] = ""


def PptxFileGenerator(
    filename: str, slides_content_str: str, image_paths: ImagePaths = None, output_dir: OutputDir = None
) -> Delivered:
    path = choose_deliverable(filename, ".pptx", output_dir)
    slides = _parse_slides(slides_content_str)
    cut, further = with_pictures([_get_slide_text(slide) for slide in slides], image_paths)
    cut += [[picture] for picture in further]
    titles = [slide.title for slide in slides] + [picture.stem for picture in further]
    outline = [_outline_slide(title, _split_lines(parts)) for title, parts in zip(titles, cut, strict=True)]
    with lock_file(path, current_world().locks), tempfile.TemporaryDirectory() as folder:
        deck = Path(folder) / path.name
        engine.create_deck(deck, outline, source=None, size="16:9", now=current_world().now, properties={})
        for number, parts in enumerate(cut, start=1):
            _arrange_pictures(deck, number, [part for part in parts if isinstance(part, Path)])
        save_bytes(path, deck.read_bytes())
    return Delivered(FileRef.from_path(path))


def ReadPPTX(file: InFile) -> str:
    count = engine.inspect_deck(file, 0, 1, details=False).slide_count
    page_texts: list[str] = []
    repeated: set[str] = set()
    first: int | None = 1 if count else None
    while first is not None:
        deck_text = engine.read_text(file, list(range(first, count + 1)), "markdown", notes=True)
        page_texts.append(deck_text.text)
        repeated |= set(deck_text.repeated)
        first = deck_text.next_slide
    edges = [f"[on several slides: {'; '.join(sorted(repeated))}]"] if repeated else []
    return "\n\n".join([*page_texts, *edges])


def _parse_slides(text: str) -> list[_Slide]:
    try:
        slides = TypeAdapter(list[_Slide]).validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = "".join(f"[{part}]" for part in first["loc"][:2])
        raise Problem(
            f"slides_content_str{place} is not right: {first['msg']}; give a JSON list of slides, such as "
            '\'[{"title": "Sales", "content": "Up by 4 %"}]\''
        ) from None
    if not slides:
        raise Problem("slides_content_str holds no slides; give at least one")
    return slides


def _get_slide_text(slide: _Slide) -> str:
    return slide.content if isinstance(slide.content, str) else "\n".join(slide.content)


def _split_lines(parts: list[str | Path]) -> list[str]:
    lines = [line for part in parts if isinstance(part, str) for line in part.split("\n")]
    return [line.replace("- ", "", 1) if line.lstrip().startswith("- ") else line for line in lines if line.strip()]


def _outline_slide(title: str, lines: list[str]) -> NewSlide:
    return NewSlide(title=title, body=lines, layout="Title and Content" if lines else "Title Only")


def _arrange_pictures(deck: Path, number: int, pictures: list[Path]) -> None:
    """Pictures in the right half, one below the other, and the text in the left; all of the width without a text."""
    if not pictures:
        return
    left, top, width, height = _BODY_CM
    [slide] = engine.read_slides(deck, [number], details=False).slides
    if texts := [shape for shape in slide.shapes if shape.role == "body"]:
        width = (width - _GAP_CM) / 2
        engine.edit_shapes(deck, [ShapeEdit("move", number, [shape.id], width_cm=width) for shape in texts])
        left += width + _GAP_CM
    each_cm = (height - _GAP_CM * (len(pictures) - 1)) / len(pictures)
    for place, picture in enumerate(pictures):
        box = (left, top + place * (each_cm + _GAP_CM), width, each_cm)
        engine.place_picture(deck, number, picture, None, box, fit="contain", alt_text=picture.stem, name=None)
