"""Pictures of a folder that are alike, by the vectors of a model."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.models.contract import Origin
from yardkit.models.embedded.running import load_rgb, run_in_process
from yardkit.servers.vision.backends import BackendChoice, Embedder, chosen_embedder
from yardkit.servers.vision.engine.folders import pictures_of
from yardkit.world import Problem, Unavailable, current_world
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from yardkit.servers.vision.backends import Vector

MAX_PICTURES = 500
"""Of a folder in one call, which so ends in about a minute."""
_DETAIL_PX, _SAME_DETAILS = 192, 0.91
"""Side at which details are compared, and the correlation of copies: also of those that are small or recompressed."""


@dataclass(frozen=True)
class SimilarPicture:
    """A picture, and how like it is to what was looked for: cosine of the vectors, 1 for the same."""

    path: str
    similarity: float

    def __str__(self) -> str:
        return f"{self.similarity:.2f} {self.path}"


@dataclass(frozen=True)
class SimilarPictures:
    """The nearest pictures of a folder, nearest first.

    Attributes:
        pictures: at most as many as asked for.
        total: pictures that were compared.
        unread: pictures that cannot be read, and why.
        origin: backend, model, quality.
    """

    pictures: list[SimilarPicture]
    total: int
    unread: dict[str, str]
    origin: Origin

    def __str__(self) -> str:
        head = f"{len(self.pictures)} of {format_count(self.total, 'picture')}, most similar first, by {self.origin}"
        return "\n".join([head, *map(str, self.pictures), *_list_unread(self.unread)])


@dataclass(frozen=True)
class PictureGroup:
    """Pictures that are alike.

    Attributes:
        paths: in the order of the folder.
        same_file: whether all are the same, byte for byte.
        same_details: whether all show the same in detail, as copies do; else they are other shots, or pages, charts
            or icons of one kind with other contents.
        similarity: of the two that are least alike.
    """

    paths: list[str]
    same_file: bool
    same_details: bool
    similarity: float

    def __str__(self) -> str:
        kind = "the same file" if self.same_file else f"alike, at least {self.similarity:.2f}"
        details = (
            "" if self.same_file else ", copies" if self.same_details else ", but they differ in detail: no copies"
        )
        return f"{kind}{details}: {', '.join(self.paths)}"


@dataclass(frozen=True)
class PictureGroups:
    """Groups of pictures of a folder that are alike, the largest first.

    Attributes:
        groups: of two or more.
        total: pictures that were compared.
        unread: pictures that cannot be read, and why.
        origin: backend, model, quality.
    """

    groups: list[PictureGroup]
    total: int
    unread: dict[str, str]
    origin: Origin

    def __str__(self) -> str:
        alone = self.total - sum(len(group.paths) for group in self.groups)
        summary = f"{format_count(len(self.groups), 'group')} among {format_count(self.total, 'picture')}"
        head = f"{summary}, {alone} alone, by {self.origin}"
        return "\n".join([head, *map(str, self.groups), *_list_unread(self.unread)])


def find_pictures(
    folder: Path,
    example: Path | None = None,
    words: str = "",
    *,
    min_similarity: float = 0.0,
    limit: int = 10,
    backend: BackendChoice = "auto",
) -> SimilarPictures:
    """The pictures of a folder that are nearest to a picture, which is left out, or to words.

    Raises:
        ModelUnavailable: no model is set up, or the words need another.
        Problem: neither or both are given, the example cannot be read, or the folder has no or too many pictures.
    """
    if (example is None) == (not words):
        raise Problem("give exactly one of `other` and `query`")
    embedder = chosen_embedder(backend)
    target_vector = embedder.embed_words(words) if example is None else embedder.embed_picture(example)
    paths = [path for path in pictures_of(folder, MAX_PICTURES) if path != example]
    vectors, unread = _embed_pictures(embedder, paths)
    similar_pictures = [
        SimilarPicture(name, round(float(vector @ target_vector), 3)) for name, (_, vector) in vectors.items()
    ]
    near = sorted(
        (picture for picture in similar_pictures if picture.similarity >= min_similarity),
        key=lambda picture: -picture.similarity,
    )
    return SimilarPictures(near[:limit], len(vectors), unread, embedder.origin)


def group_pictures(folder: Path, min_similarity: float = 0.9, backend: BackendChoice = "auto") -> PictureGroups:
    """Groups of pictures of which each is that like to another of its group.

    Raises:
        ModelUnavailable: no model is set up.
        Problem: the folder has no or too many pictures.
    """
    embedder = chosen_embedder(backend)
    vectors, unread = _embed_pictures(embedder, pictures_of(folder, MAX_PICTURES))
    groups = [
        group if group.same_file else replace(group, same_details=_have_same_details(folder, group.paths))
        for group in _group_pictures(vectors, min_similarity)
        if len(group.paths) > 1
    ]
    return PictureGroups(sorted(groups, key=lambda group: -len(group.paths)), len(vectors), unread, embedder.origin)


def _have_same_details(folder: Path, names: Sequence[str]) -> bool:
    """Whether pictures show the same when their fine structure is compared with that of the first."""
    paths = [path for path in pictures_of(folder, MAX_PICTURES) if current_world().to_relative(path) in names]
    first, *others = (run_in_process(read_details, path) for path in paths)
    return all(float((first * details).sum()) >= _SAME_DETAILS for details in others)


def read_details(path: Path) -> "NDArray[np.float32]":
    """The fine structure of a picture, whatever its size and brightness, of length 1. For `run_in_process`."""
    import numpy as np
    from PIL import Image, ImageFilter

    grey = Image.fromarray(load_rgb(path, _DETAIL_PX)).convert("L").resize((_DETAIL_PX,) * 2, Image.Resampling.BOX)
    blurred = grey.filter(ImageFilter.BoxBlur(_DETAIL_PX // 32))
    details = np.asarray(grey, np.float32) - np.asarray(blurred, np.float32)
    length = float(np.linalg.norm(details))
    # A picture without any structure is a copy of others without any.
    return details / length if length > 1 else np.full(details.shape, 1 / _DETAIL_PX, np.float32)


def _embed_pictures(
    embedder: Embedder, paths: Sequence[Path]
) -> "tuple[dict[str, tuple[str, Vector]], dict[str, str]]":
    """The digest and the vector of each picture by its name; what could not be read, and why. Equal files once."""
    known: dict[str, Vector] = {}
    vectors, unread = {}, {}
    for path in paths:
        name = current_world().to_relative(path)
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            if digest not in known:
                known[digest] = embedder.embed_picture(path)
            vectors[name] = digest, known[digest]
        except Unavailable:
            raise
        except (Problem, OSError) as problem:
            unread[name] = str(problem) if isinstance(problem, Problem) else "it cannot be opened"
    return vectors, unread


def _group_pictures(vectors: "dict[str, tuple[str, Vector]]", min_similarity: float) -> list[PictureGroup]:
    import numpy as np

    names = list(vectors)
    if not names:
        return []
    stacked = np.stack([vector for _, vector in vectors.values()])
    likeness = stacked @ stacked.T
    members = defaultdict(list)
    for place, label in enumerate(_label_groups(likeness >= min_similarity)):
        members[label].append(place)
    return [
        PictureGroup(
            [names[place] for place in places],
            len({vectors[names[place]][0] for place in places}) == 1,
            len({vectors[names[place]][0] for place in places}) == 1,
            round(float(likeness[np.ix_(places, places)].min()), 3),
        )
        for places in members.values()
    ]


def _label_groups(near: "NDArray[np.bool_]") -> list[int]:
    """The number of the group of each: those that a chain of near ones joins are one group."""
    labels = list(range(len(near)))
    for place, row in enumerate(near):
        joined = {labels[other] for other in row.nonzero()[0]} | {labels[place]}
        labels = [min(joined) if label in joined else label for label in labels]
    return labels


def _list_unread(unread: dict[str, str]) -> list[str]:
    return [f"{name}: not read, {why}" for name, why in unread.items()]
