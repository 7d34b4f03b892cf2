"""Data in common layouts: COCO, ICDAR, LibriSpeech, and simple folders and tables."""

import csv
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.models.quality.box_precision import TrueBox
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff", ".gif")
SOUNDS = (".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a")
_TEXTS = (".txt", ".tex", ".lab")
_ICDAR = re.compile(r"^(?:\ufeff)?(?:-?\d+,){8}(.*)$")
_UNREADABLE = "###"
"""What ICDAR writes for words that nobody can read."""


@dataclass(frozen=True)
class LabelledFile:
    """A file and its label: a text, a class, or the words in it."""

    path: Path
    right: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class SoundPair:
    """Two sounds: one with noise and one without, or two voices."""

    path: Path
    other: Path
    same: bool = True


@dataclass(frozen=True)
class BoxedPictures:
    """Pictures, their boxes, and the classes of the set."""

    pictures: tuple[Path, ...]
    boxes: tuple[TrueBox, ...]
    classes: tuple[str, ...]


def coco_boxes(folder: Path) -> BoxedPictures:
    """Read a COCO set: a JSON file with images, annotations and categories, and the pictures anywhere in the folder.

    Raises:
        Problem: there is no such JSON file, or none of its pictures exists.
    """
    files = {path.name: path for path in _list_files(folder, PICTURES)}
    for described in sorted(folder.rglob("*.json")):
        annotations = _read_coco(described)
        here = [image for image in annotations.get("images", ()) if Path(str(image["file_name"])).name in files]
        if annotations and here:
            return _make_boxed_pictures(annotations, here, files)
    raise Problem(
        f"{str(folder)!r} holds no set of COCO: a JSON with images, annotations, categories, and its pictures"
    )


def _read_coco(path: Path) -> dict[str, Any]:
    """Read a JSON file of boxes; empty for any other file."""
    check_bytes(path, 1_000_000_000)
    try:
        annotations = json.loads(path.read_text("utf-8"))
        is_complete = all(annotations[part] for part in ("images", "annotations", "categories"))
        return annotations if is_complete and "bbox" in annotations["annotations"][0] else {}
    except (ValueError, KeyError, TypeError, IndexError):
        return {}


def _make_boxed_pictures(
    annotations: dict[str, Any], images: Sequence[dict[str, Any]], files: dict[str, Path]
) -> BoxedPictures:
    names = {image["id"]: str(files[Path(str(image["file_name"])).name]) for image in images}
    labels = {category["id"]: str(category["name"]) for category in annotations["categories"]}
    boxes = []
    for thing in annotations["annotations"]:
        if thing["image_id"] in names:
            left, top, width, height = (float(edge) for edge in thing["bbox"])
            box = (left, top, left + width, top + height)
            crowd = bool(thing.get("iscrowd"))
            boxes.append(TrueBox(names[thing["image_id"]], labels[thing["category_id"]], box, crowd))
    return BoxedPictures(tuple(map(Path, names.values())), tuple(boxes), tuple(labels.values()))


def texts_of(folder: Path, kinds: Sequence[str]) -> list[LabelledFile]:
    """Read files and texts: LibriSpeech's ``.trans.txt``, a table, ICDAR's ``gt_NAME.txt``, or ``NAME.txt`` beside.

    Args:
        folder: the folder with the data.
        kinds: suffixes of the documents or sounds.

    Raises:
        Problem: no file of these kinds has a text.
    """
    labelled_files = (
        [*_libri_speech(folder, kinds)] or [*_read_tables(folder, kinds)] or [*_texts_beside(folder, kinds)]
    )
    if not labelled_files:
        raise Problem(
            f"{str(folder)!r} holds no files with their texts; put NAME.txt (or gt_NAME.txt of ICDAR) beside each, a "
            "table .csv of file,text, or the .trans.txt of LibriSpeech"
        )
    return labelled_files


def classes_of(folder: Path) -> list[LabelledFile]:
    """Read pictures and their classes: a folder for each class, or a table of file,class.

    Raises:
        Problem: there are none.
    """
    labelled_files = [*_read_tables(folder, PICTURES)]
    if not labelled_files:
        inner = [path for path in _list_files(folder, PICTURES) if path.parent != folder]
        labelled_files = [LabelledFile(path, path.parent.name) for path in inner]
    if not labelled_files:
        raise Problem(f"{str(folder)!r} holds no classes; make a folder of pictures for each, or a table of file,class")
    return labelled_files


def noisy_sounds(folder: Path) -> list[SoundPair]:
    """Read sounds with and without noise: two folders, whose names begin with noisy and clean.

    Raises:
        Problem: there are none.
    """
    inner = sorted(path for path in folder.iterdir() if path.is_dir())
    sides = [[path for path in inner if path.name.lower().startswith(word)] for word in ("noisy", "clean")]
    clean = {sound.name: sound for path in sides[1] for sound in _list_files(path, SOUNDS)}
    noisy = (sound for path in sides[0] for sound in _list_files(path, SOUNDS))
    sound_pairs = [SoundPair(sound, clean[sound.name]) for sound in noisy if sound.name in clean]
    if not sound_pairs:
        raise Problem(f"{str(folder)!r} holds no pairs; put sounds of one name into the folders noisy and clean")
    return sound_pairs


def voice_pairs(folder: Path) -> list[SoundPair]:
    """Read pairs of sounds of the same or two speakers: lines ``1 a.wav b.wav`` as in VoxCeleb, in a .txt.

    Raises:
        Problem: there are none.
    """
    line = re.compile(r"^([01])[ \t,]+(\S+)[ \t,]+(\S+)$")
    texts = (path.read_text("utf-8", "replace").splitlines() for path in sorted(folder.rglob("*.txt")))
    rows = [match for lines in texts for match in map(line.match, lines) if match]
    pairs = [SoundPair(folder / row[2], folder / row[3], row[1] == "1") for row in rows]
    there = [pair for pair in pairs if pair.path.is_file() and pair.other.is_file()]
    if not there:
        raise Problem(f"{str(folder)!r} holds no pairs of voices: a .txt with lines such as '1 a.wav b.wav'")
    return there


def _list_files(folder: Path, kinds: Sequence[str]) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in kinds and path.is_file())


def _libri_speech(folder: Path, kinds: Sequence[str]) -> Iterator[LabelledFile]:
    for listed in sorted(folder.rglob("*.trans.txt")):
        for line in listed.read_text("utf-8").splitlines():
            name, _, text = line.partition(" ")
            for kind in kinds:
                if name and (path := listed.parent / f"{name}{kind}").is_file():
                    yield LabelledFile(path, text)


def _read_tables(folder: Path, kinds: Sequence[str]) -> Iterator[LabelledFile]:
    """Read the rows of tables whose first column names a file and whose second is its label."""
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.reader(file):
                if len(row) > 1 and Path(row[0]).suffix.lower() in kinds and (folder / row[0]).is_file():
                    yield LabelledFile(folder / row[0], row[1])


def _texts_beside(folder: Path, kinds: Sequence[str]) -> Iterator[LabelledFile]:
    icdar = {path.stem.removeprefix("gt_"): path for path in folder.rglob("gt_*.txt")}
    for path in _list_files(folder, kinds):
        if path.stem in icdar:
            lines = icdar[path.stem].read_text("utf-8-sig").splitlines()
            words = tuple(match[1].strip().strip('"') for match in map(_ICDAR.match, lines) if match)
            yield LabelledFile(path, "", tuple(word for word in words if word != _UNREADABLE))
            continue
        beside = next((text for kind in _TEXTS if (text := path.with_suffix(kind)).is_file()), None)
        if beside:
            yield LabelledFile(path, beside.read_text("utf-8").strip())
