"""The papers of a world's archive: found, read, followed along their citations, and given as BibTeX."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from yardkit.apps.papers import APP, RECORDS, Author, Paper, source_of
from yardkit.apps.store import Store, open_store
from yardkit.servers.papers.engine import bibtex
from yardkit.servers.papers.engine.queries import Fields, compile_query, fold_text
from yardkit.servers.papers.engine.sources import require_section, sections_of
from yardkit.world import Problem, World
from yardkit.world.decoding import decode_bytes, note_reading
from yardkit.world.limits import check_bytes

MAX_SOURCE_BYTES = 2_000_000
_INPUTENC = re.compile(rb"\\usepackage\s*\[\s*([\w-]+)\s*\]\s*\{inputenc\}")
Order = Literal["relevance", "newest", "oldest", "most_cited"]
_ID = re.compile(
    r"(?:(?:https?://)?(?:(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html|format)/|(?:dx\.)?doi\.org/)|doi:)?"
    r"(?:10\.48550/)?(?:arxiv[:.])?\s*(.+?)(?:v(\d+))?(?:\.pdf)?(?:\s*\[[\w.-]+\]|[?#].*|/)?",
    re.IGNORECASE,
)
_WITHDRAWN = re.compile(r"\b(?:withdrawn|retracted|withdrawal|retraction)\b", re.IGNORECASE)


@dataclass(frozen=True)
class PaperLine:
    """A paper in a list. published: of its first version, updated: of its last one, whose number is version."""

    id: str
    title: str
    authors: list[str]
    categories: list[str]
    published: str
    updated: str
    version: int
    abstract: str
    cited_by: int
    comment: str = ""
    journal: str = ""


@dataclass(frozen=True)
class Papers:
    """A page of papers. total: all that match; next_offset: where the list goes on, null at its end."""

    papers: list[PaperLine]
    total: int
    next_offset: int | None = None


@dataclass(frozen=True)
class PaperText:
    """A paper with a part of its LaTeX source.

    Attributes:
        shown_version: of which the source is.
        sections: number and name of each.
        total_characters, next_offset: of the source; where it goes on, null at its end.
    """

    paper: PaperLine
    shown_version: int
    sections: list[str]
    source: str
    total_characters: int
    next_offset: int | None = None


@dataclass(frozen=True)
class SectionText:
    """A section of a paper, in LaTeX, with its subsections."""

    paper_id: str
    version: int
    number: str
    title: str
    source: str


@dataclass(frozen=True)
class AuthorLine:
    """Somebody who writes papers, with these papers, newest first. Several people may have one name."""

    name: str
    affiliation: str
    email: str
    interests: list[str]
    papers: list[str]
    citations: int


@dataclass(frozen=True)
class Authors:
    """People of a name. total: how many there are."""

    authors: list[AuthorLine]
    total: int


class Archive:
    """All papers, by their ids, and how often each is cited."""

    def __init__(self, store: Store) -> None:
        self.papers = {paper.id: paper for paper in store.find(Paper)}
        self.authors = {author.id: author for author in store.find(Author)}
        self.citing: dict[str, list[Paper]] = {}
        for paper in self.papers.values():
            for cited in dict.fromkeys(paper.references):
                self.citing.setdefault(cited, []).append(paper)

    def names(self, paper: Paper) -> list[str]:
        """The names of its authors."""
        return [self.authors[number].name for number in paper.author_ids if number in self.authors]

    def get(self, paper_id: str, version: int | None = None) -> tuple[Paper, int]:
        """A paper by its id or address, and a version: the given one, that of the address, else the last.

        Raises:
            Problem: there is none, or not of this version.
        """
        id_match = _ID.fullmatch(paper_id.strip())
        paper = self.papers.get(id_match[1]) if id_match else None
        if paper is None or id_match is None:
            near = [paper_key for paper_key in self.papers if paper_key[:4] == paper_id.strip()[:4]][:5]
            hint = f"; ids of that month are {', '.join(near)}" if near else "; find its id with a search"
            raise Problem(f"Paper {paper_id} not found on arXiv{hint}")
        version = version or (int(id_match[2]) if id_match[2] else paper.version)
        if not 1 <= version <= paper.version:
            raise Problem(f"{paper.id} has no version {version}; it has versions 1 to {paper.version}")
        return paper, version

    def line(self, paper: Paper) -> PaperLine:
        """A paper as it is listed."""
        cited = len(self.citing.get(paper.id, []))
        facts = (paper.categories, paper.published, paper.updated, paper.version, paper.abstract, cited)
        return PaperLine(paper.id, paper.title, self.names(paper), *facts, paper.comment, paper.journal)

    def fields(self, paper: Paper) -> Fields:
        """What queries look at."""
        texts = (paper.title, "; ".join(self.names(paper)), paper.abstract, " ".join(paper.categories))
        return Fields(*(fold_text(text) for text in texts))


def archive_of(world: World) -> Archive:
    """The papers of a world."""
    with open_store(APP, *RECORDS, world=world) as store:
        return Archive(store)


def search_papers(
    archive: Archive,
    query: str = "",
    *,
    categories: Sequence[str] = (),
    since: str = "",
    until: str = "",
    order: Order = "relevance",
) -> list[Paper]:
    """All papers that fit a query and were first published at or after `since` and at or before `until`.

    Raises:
        Problem: the query cannot be read.
    """
    fits = compile_query(query)
    scores = {
        paper.id: score
        for paper in archive.papers.values()
        if (score := fits(archive.fields(paper)))
        and (not categories or any(_is_of(paper_category, categories) for paper_category in paper.categories))
        and paper.published[: len(since)] >= since
        and (not until or paper.published[: len(until)] <= until)
    }
    newest = sorted(
        (archive.papers[scored_id] for scored_id in scores), key=lambda paper: (paper.published, paper.id), reverse=True
    )
    if order == "oldest":
        return newest[::-1]
    if order == "most_cited":
        return sorted(newest, key=lambda paper: -len(archive.citing.get(paper.id, [])))
    return sorted(newest, key=lambda paper: -scores[paper.id]) if order == "relevance" else newest


def page_of(archive: Archive, papers: Sequence[Paper], offset: int, limit: int) -> Papers:
    """A page of a list."""
    end = offset + limit
    lines = [archive.line(paper) for paper in papers[offset:end]]
    return Papers(lines, len(papers), end if end < len(papers) else None)


def source_text(world: World, paper_id: str, version: int) -> str:
    """The LaTeX source of a version.

    Raises:
        Problem: it is not there.
    """
    path = source_of(world, paper_id, version)
    if not path.is_file():
        raise Problem(f"the source of {paper_id} version {version} is not in the archive; try another version")
    check_bytes(path, MAX_SOURCE_BYTES)
    data = path.read_bytes()
    stated = _INPUTENC.search(data)
    decoded = decode_bytes(data, stated[1].decode("ascii", "replace") if stated else "")
    note_reading(f"{paper_id}v{version}", decoded)
    return decoded.text.replace("\r\n", "\n")


def read_paper(world: World, paper_id: str, version: int | None, offset: int, limit: int) -> PaperText:
    """A paper with a part of the source of a version, by default of its last.

    Raises:
        Problem: there is no such paper or version, or it ends before `offset`.
    """
    archive = archive_of(world)
    paper, last = archive.get(paper_id, version)
    source = source_text(world, paper.id, last)
    if offset and offset >= len(source):
        raise Problem(f"the source has {len(source):,} characters; use an offset below that, not {offset:,}")
    end = offset + limit
    sections = [f"{paper_section.number} {paper_section.title}".strip() for paper_section in sections_of(source)]
    more = end if end < len(source) else None
    return PaperText(archive.line(paper), last, sections, source[offset:end], len(source), more)


def read_section(world: World, paper_id: str, section: str, version: int | None) -> SectionText:
    """A section of a paper, by its number or name.

    Raises:
        Problem: there is no such paper, version or section.
    """
    paper, last = archive_of(world).get(paper_id, version)
    section_text = require_section(source_text(world, paper.id, last), section)
    return SectionText(paper.id, last, section_text.number, section_text.title, section_text.text)


def list_citations(
    world: World, paper_id: str, direction: Literal["cited_by", "references"], offset: int, limit: int
) -> Papers:
    """The papers that cite one, newest first, or that it cites, in its order.

    Raises:
        Problem: there is no such paper.
    """
    archive = archive_of(world)
    paper, _ = archive.get(paper_id)
    if direction == "references":
        related_papers = [archive.papers[reference] for reference in paper.references if reference in archive.papers]
    else:
        related_papers = sorted(
            archive.citing.get(paper.id, []), key=lambda related_paper: related_paper.published, reverse=True
        )
    return page_of(archive, related_papers, offset, limit)


def find_authors(world: World, name: str, limit: int) -> Authors:
    """People in whose name each word of `name` begins a word, whatever its case and accents."""
    archive = archive_of(world)
    words = fold_text(name).replace(",", " ").split()
    author_lines = [
        author
        for author in archive.authors.values()
        if all(any(part.startswith(word.rstrip(".")) for part in fold_text(author.name).split()) for word in words)
    ]
    return Authors([_describe_author(archive, author) for author in author_lines[:limit]], len(author_lines))


def describe_withdrawn(world: World, paper_ids: Sequence[str]) -> tuple[str, ...]:
    """Which of some papers were withdrawn, as their comments say; an entry of BibTeX does not show it.

    Raises:
        Problem: there is no such paper.
    """
    archive = archive_of(world)
    papers = {paper.id: paper for paper in (archive.get(paper_id)[0] for paper_id in paper_ids)}
    return tuple(f"{paper.id}: {paper.comment}" for paper in papers.values() if _WITHDRAWN.search(paper.comment))


def format_bibtex(world: World, paper_ids: Sequence[str]) -> str:
    """Entries of BibTeX, in the order of the ids. The key of a paper is the same in each export.

    Raises:
        Problem: there is no such paper.
    """
    archive = archive_of(world)
    authors = {paper.id: archive.names(paper) for paper in archive.papers.values()}
    keys = bibtex.choose_keys(list(archive.papers.values()), authors)
    papers = {paper.id: paper for paper in (archive.get(paper_id)[0] for paper_id in paper_ids)}
    return bibtex.format_entries(list(papers.values()), authors, keys)


def _is_of(category: str, requested_categories: Sequence[str]) -> bool:
    names = [requested_category.strip().casefold() for requested_category in requested_categories]
    return any(category.casefold() == name or category.casefold().startswith(f"{name}.") for name in names)


def _describe_author(archive: Archive, author: Author) -> AuthorLine:
    own = [paper for paper in archive.papers.values() if author.id in paper.author_ids]
    own.sort(key=lambda paper: paper.published, reverse=True)
    cited = sum(len(archive.citing.get(paper.id, [])) for paper in own)
    paper_titles = [f"{paper.id} {paper.title}" for paper in own]
    return AuthorLine(author.name, author.affiliation, author.email, author.interests, paper_titles, cited)
