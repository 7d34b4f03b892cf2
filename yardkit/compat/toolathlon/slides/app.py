"""What the tools of the dialect share: the server, its arguments, and presentations named by their files."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator

from yardkit.kit.dialect import Answer
from yardkit.kit.surface import FileRef
from yardkit.servers.slides.engine.contents import deck_listing
from yardkit.world import Problem, current_world, lock_file, save_bytes
from yardkit.world.paths import in_file, out_file
from yardkit.world.tree import SAVE_PREFIX

SUFFIXES = (".pptx", ".pptm")
MOST_LISTED = 200
"""Presentations that are looked for in a workspace."""
CM_PER_INCH = 2.54
EMU_PER_INCH = 914_400


def _find_presentation(given: object) -> Path | None:
    """The presentation with an id: its path, with or without the ending."""
    if given is None or given == "":
        return None
    try:
        return in_file(given)
    except Problem:
        if not isinstance(given, str) or given.lower().endswith(SUFFIXES):
            raise
    try:
        return in_file(f"{given}.pptx")
    except Problem as problem:
        raise Problem(
            f"there is no presentation {given!r}: {problem}; list_presentations shows what there is"
        ) from None


def new_file(given: object) -> Path:
    """The place of a presentation to be made under an id.

    Raises:
        Problem: it leads out of the workspace.
    """
    text = str(given)
    return out_file(text if text.lower().endswith((*SUFFIXES, ".potx", ".ppsx")) else f"{text}.pptx")


PresentationId = Annotated[Path | None, BeforeValidator(_find_presentation, json_schema_input_type=str | None)]
NewId = Annotated[
    Path | None,
    BeforeValidator(lambda given: None if given is None else new_file(given), json_schema_input_type=str | None),
]


def list_presentation_paths() -> list[Path]:
    """The presentations of the workspace, the one used last first."""
    dated_paths: list[tuple[int, Path]] = []
    for folder, folders, names in os.walk(current_world().files):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(folder) / name
            if name.lower().endswith(SUFFIXES) and not name.startswith((".", "~$", SAVE_PREFIX)) and path.is_file():
                dated_paths.append((path.stat().st_mtime_ns, path))
        if len(dated_paths) > MOST_LISTED:
            break
    return [path for _, path in sorted(dated_paths, key=lambda dated: -dated[0])[:MOST_LISTED]]


def choose_presentation(given: Path | None) -> Path:
    """The presentation with the id, or the one used last.

    Raises:
        Problem: there is none, or it cannot be said which was used last.
    """
    if given is not None:
        return given
    presentation_paths = list_presentation_paths()
    if not presentation_paths:
        raise Problem("there is no presentation in the workspace; make one with create_presentation")
    if (
        len(presentation_paths) > 1
        and presentation_paths[0].stat().st_mtime_ns == presentation_paths[1].stat().st_mtime_ns
    ):
        names = ", ".join(id_of(path) for path in presentation_paths[:20])
        raise Problem(f"it is not clear which presentation is meant; give presentation_id, one of: {names}")
    return presentation_paths[0]


def mark_as_used(path: Path) -> None:
    """Make a presentation the one used last, by the time of its file.

    Raises:
        Problem: the file may not be touched.
    """
    try:
        path.touch()
    except PermissionError as error:
        raise Problem(f"{path.name!r} may not be changed; give its id as presentation_id with each call") from error


def id_of(path: Path) -> str:
    """The id of a presentation: its path in the workspace."""
    return current_world().to_relative(path)


@contextmanager
def edit_presentation(path: Path) -> Iterator[Path]:
    """A copy to be changed in several steps, which takes the place of the presentation when all have succeeded."""
    with lock_file(path, current_world().locks), tempfile.TemporaryDirectory(prefix="yardkit-slides-") as folder:
        copy = Path(folder) / path.name
        copy.write_bytes(path.read_bytes())
        yield copy
        save_bytes(path, copy.read_bytes())


def slide_at(path: Path, index: int) -> deck_listing.SlideList:
    """The slide with an index.

    Raises:
        Problem: there is none.
    """
    slide_lists = deck_listing.list_slides(path)
    if not 0 <= index < len(slide_lists):
        available = (
            f"Available slides: 0-{len(slide_lists) - 1}" if slide_lists else "The presentation has no slides; add one"
        )
        raise Problem(f"Invalid slide index: {index}. {available}")
    return slide_lists[index]


def shape_at(path: Path, slide_index: int, index: int | None) -> deck_listing.Listed:
    """The shape with an index.

    Raises:
        Problem: there is no such slide, or no such shape on it.
    """
    shapes = slide_at(path, slide_index).shapes
    if index is None or not 0 <= index < len(shapes):
        available = f"Available shapes: 0-{len(shapes) - 1}" if shapes else "The slide has no shapes"
        raise Problem(f"Invalid shape index: {index}. {available}")
    return shapes[index]


def index_of(path: Path, slide_index: int, identity: int) -> int:
    """The index of a shape with an id."""
    shapes = slide_at(path, slide_index).shapes
    return next(at for at, shape in enumerate(shapes) if shape.id == identity)


def holder_at(path: Path, slide_index: int, idx: int) -> deck_listing.Listed:
    """The placeholder with an idx.

    Raises:
        Problem: the slide has none.
    """
    holders = slide_at(path, slide_index).holders
    for holder, shape in holders:
        if holder.idx == idx:
            return shape
    there = ", ".join(f"{holder.idx} ({holder.name})" for holder, _ in holders) or "none"
    raise Problem(f"slide {slide_index} has no placeholder with idx {idx}; it has: {there}")


def to_rgb(color: list[int] | None) -> str | None:
    """A colour as the engine writes it.

    Raises:
        Problem: it is no list of three values from 0 to 255.
    """
    if color is not None and (len(color) != 3 or not all(0 <= channel <= 255 for channel in color)):
        raise Problem(f"{color} is not a valid colour; use [red, green, blue], each 0-255")
    return None if color is None else "".join(f"{channel:02X}" for channel in color)


def to_cm(inches: float) -> float:
    return inches * CM_PER_INCH


def build_answer(message: str, path: Path, **facts: Any) -> Answer:
    """What was done to a presentation, with a link to its file."""
    return Answer({"message": message, **facts, "presentation_id": id_of(path)}, FileRef.from_path(path))
