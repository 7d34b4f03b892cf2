"""The tools of the `papers` server."""

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.kit.times import to_moment
from yardkit.servers.papers.engine import archive
from yardkit.world import FileRef, OutFile, current_world, save_text

mcp = make_server(
    "papers",
    "An archive of preprints with their LaTeX sources. A paper may have several versions; later "
    "ones may correct earlier ones. Begin with search_papers.",
)

PaperId = Annotated[str, Field(description="Id of the paper, such as 2403.01234, or its address.", max_length=200)]
PaperIds = Annotated[list[str], Field(description="Ids of papers.", min_length=1, max_length=200)]
Version = Annotated[int | None, Field(description="Version number; by default the latest.", ge=1, le=100)]
Offset = Annotated[int, Field(description="Papers to skip; use next_offset of the previous page.", ge=0)]
Limit = Annotated[int, Field(description="Maximum number of papers.", ge=1, le=100)]
_BEGINNING = re.compile(r"(\d{4}(-(0[1-9]|1[0-2]))?)?")


@dataclass(frozen=True)
class Bibliography:
    """Entries of BibTeX, and the file that holds them if they were saved. notes: papers that were withdrawn."""

    entries: str
    file: FileRef | None = None
    notes: tuple[str, ...] = ()


@tool(mcp, bulk=True)
def search_papers(
    query: Annotated[
        str,
        Field(
            description='Words, "phrases", fields (ti:, au:, abs:), AND, OR, ANDNOT, parentheses. Adjacent words are '
            "alternatives.",
            max_length=1_000,
        ),
    ] = "",
    categories: Annotated[list[str], Field(description="Categories, such as cs.CL or cs.", max_length=50)] = [],  # noqa: B006
    since: Annotated[str, Field(description="First published on or after this date (ISO 8601).", max_length=40)] = "",
    until: Annotated[str, Field(description="First published on or before this date.", max_length=40)] = "",
    sort: Annotated[archive.Order, Field(description="Sort order.")] = "relevance",
    offset: Offset = 0,
    limit: Limit = 20,
) -> archive.Papers:
    """Search papers by title, abstract and authors."""
    papers = archive.archive_of(current_world())
    days = {"since": _parse_day(since), "until": _parse_day(until)}
    matching_papers = archive.search_papers(papers, query, categories=categories, order=sort, **days)
    return archive.page_of(papers, matching_papers, offset, limit)


@tool(mcp, bulk=True)
def read_paper(
    paper_id: PaperId,
    version: Version = None,
    offset: Annotated[int, Field(description="Characters of the source to skip.", ge=0)] = 0,
    limit: Annotated[int, Field(description="Maximum number of characters.", ge=0, le=40_000)] = 20_000,
) -> archive.PaperText:
    """Read a paper: metadata, sections and LaTeX source."""
    return archive.read_paper(current_world(), paper_id, version, offset, limit)


@tool(mcp, bulk=True)
def read_paper_section(
    paper_id: PaperId,
    section: Annotated[str, Field(description="Number or name of the section.", min_length=1, max_length=300)],
    version: Version = None,
) -> archive.SectionText:
    """Read a section of a paper in LaTeX."""
    return archive.read_section(current_world(), paper_id, section, version)


@tool(mcp, bulk=True)
def list_citations(
    paper_id: PaperId,
    direction: Annotated[
        Literal["cited_by", "references"], Field(description="Papers that cite it, or papers that it cites.")
    ] = "cited_by",
    offset: Offset = 0,
    limit: Limit = 50,
) -> archive.Papers:
    """List the papers in the archive that cite a paper, or that it cites."""
    return archive.list_citations(current_world(), paper_id, direction, offset, limit)


@tool(mcp, bulk=True)
def find_author(
    name: Annotated[str, Field(description="Full or partial name.", min_length=1, max_length=200)],
    limit: Annotated[int, Field(description="Maximum number of people.", ge=1, le=50)] = 20,
) -> archive.Authors:
    """Find authors, with their affiliations and papers."""
    return archive.find_authors(current_world(), name, limit)


@tool(mcp, bulk=True)
def export_bibtex(paper_ids: PaperIds) -> Bibliography:
    """Export papers as BibTeX entries."""
    world = current_world()
    return Bibliography(archive.format_bibtex(world, paper_ids), None, archive.describe_withdrawn(world, paper_ids))


@tool(mcp, bulk=True, writes=True, destructive=True)
def save_bibtex(
    paper_ids: PaperIds, target: Annotated[OutFile, Field(description="File to write (.bib).")]
) -> Bibliography:
    """Save papers as BibTeX entries in a file."""
    world = current_world()
    entries = archive.format_bibtex(world, paper_ids)
    save_text(target, entries)
    return Bibliography(entries, FileRef.from_path(target), archive.describe_withdrawn(world, paper_ids))


def _parse_day(text: str) -> str:
    """A date, or the beginning of one: a year or a month."""
    return text if _BEGINNING.fullmatch(text) else to_moment(current_world().now, text)[:10]
