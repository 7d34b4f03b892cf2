"""Mutants of pictures."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from yardkit.evaluators.mutations.mutant import Mutant, on_files


def generate_mutants(workspace: Path, path: str) -> Iterator[Mutant]:
    """Generate mutants: a blank picture of the same size, the picture upside down, a thumbnail, its left half."""
    if not (workspace / path).is_file():
        return
    yield _make_mutant("image_blank", path, "is a white rectangle", _blank_picture)
    yield _make_mutant("image_flipped", path, "is upside down", lambda image: image.transpose(1))
    yield _make_mutant("image_shrunk", path, "is 24 pixels wide", lambda image: image.resize((24, 18)))
    yield _make_mutant("image_halved", path, "shows its left half only", _halve_picture)


def _blank_picture(image: Any) -> Any:
    import PIL.Image

    return PIL.Image.new("RGB", image.size, "white")


def _halve_picture(image: Any) -> Any:
    width, height = image.size
    half = image.crop((0, 0, width // 2, height))
    blank = _blank_picture(image)
    blank.paste(half, (0, 0))
    return blank


def _make_mutant(operator: str, path: str, description: str, change: Callable[[Any], Any]) -> Mutant:
    def edit(files: Path) -> None:
        import PIL.Image

        with PIL.Image.open(files / path) as image:
            changed = change(image.convert("RGB"))
        changed.save(files / path)

    return Mutant(operator, f"image:{path}", f"{path} {description}", on_files(edit))
