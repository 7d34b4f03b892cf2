"""The records of the app `papers`: preprints with their versions and references, and who wrote them.

The LaTeX source of a version is a separate file, ``apps/papers/sources/<id>v<version>.tex``. The app is read-only.
"""

from dataclasses import dataclass
from pathlib import Path

from yardkit.world import World

APP = "papers"


@dataclass(frozen=True)
class Author:
    """An author of papers. name: unique except for namesakes; interests: as in a profile."""

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
        author_ids: the authors in order.
        categories: the first is the primary one.
        published, updated: the dates of the first and the last version, ISO 8601.
        version: the number of the last version.
        comment: the comment on the last version, such as a list of corrections.
        journal: the journal that published it; empty if there is none.
        references: ids of papers in this archive that it cites, in order.
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
    """Return the path of a version's LaTeX source."""
    return world.root / "apps" / APP / "sources" / f"{paper_id}v{version}.tex"
