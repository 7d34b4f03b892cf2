"""The records of the app `papers`: preprints with their versions and references, and who wrote them.

The LaTeX source of a version is a file of its own, ``apps/papers/sources/<id>v<version>.tex``. The app is only read.
"""

from dataclasses import dataclass
from pathlib import Path

from yardkit.world import World

APP = "papers"


@dataclass(frozen=True)
class Author:
    """Somebody who writes papers. name: unique but for people of one name; interests: as a profile says them."""

    id: int
    name: str
    affiliation: str
    email: str
    interests: list[str]


@dataclass(frozen=True)
class Paper:
    """A preprint as its last version has it.

    Attributes:
        id: such as ``2403.01234``.
        author_ids: in their order.
        categories: the first is the primary one.
        published, updated: of the first and the last version, ISO 8601.
        version: the number of the last version.
        comment: of the last version, such as what was corrected.
        journal: where it appeared; empty for a preprint alone.
        references: ids of papers of this archive that it cites, in their order.
    """

    id: str
    title: str
    abstract: str
    author_ids: list[int]
    categories: list[str]
    published: str
    updated: str
    version: int
    comment: str
    journal: str
    references: list[str]


RECORDS = (Author, Paper)


def source_of(world: World, paper_id: str, version: int) -> Path:
    """Where the LaTeX source of a version lies."""
    return world.root / "apps" / APP / "sources" / f"{paper_id}v{version}.tex"
