"""Mutants of pictures."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from yardkit.evaluators.mutations.mutant import Mutant, on_files


def mutants(workspace: Path, path: str) -> Iterator[Mutant]:
    """A blank picture of the same size, the picture upside down, a thumbnail of it, and only its left half."""
    if not (workspace / path).is_file():
        return
    yield _mutant("image_blank", path, "is a white rectangle", _blank)
    yield _mutant("image_flipped", path, "is upside down", lambda image: image.transpose(1))
    yield _mutant("image_shrunk", path, "is 24 pixels wide", lambda image: image.resize((24, 18)))
    yield _mutant("image_halved", path, "shows its left half only", _halved)


def _blank(image: Any) -> Any:
    import PIL.Image

    return PIL.Image.new("RGB", image.size, "white")


def _halved(image: Any) -> Any:
    width, height = image.size
    half = image.crop((0, 0, width // 2, height))
    blank = _blank(image)
    blank.paste(half, (0, 0))
    return blank


def _mutant(operator: str, path: str, says: str, change: Callable[[Any], Any]) -> Mutant:
    def edit(files: Path) -> None:
        import PIL.Image

        with PIL.Image.open(files / path) as image:
            changed = change(image.convert("RGB"))
        changed.save(files / path)

    return Mutant(operator, f"image:{path}", f"{path} {says}", on_files(edit))
