"""The archive in the dialect of Toolathlon: its servers scholarly (2 tools), arxiv_local (4) and arxiv-latex (4)."""

import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from yardkit.apps.papers import Paper
from yardkit.kit.dialect import Offset, Text, TextPage, cut_page
from yardkit.kit.surface import make_server, tool
from yardkit.servers.papers.engine import archive, sources
from yardkit.world import Problem, current_world, save_text
from yardkit.world.decoding import decode_file
from yardkit.world.paths import out_file

mcp = make_server("papers", "An archive of preprints: search it, download papers, read their text and LaTeX.")

STORAGE = "arxiv_local_storage"
"""The folder of the workspace for papers that are downloaded; Toolathlon sets it when it starts the server."""
MAX_RESULTS = 50
_MOST = 10
"""Papers that scholarly's tools give."""
_RENDERING = (
    "\n\nIMPORTANT INSTRUCTIONS FOR RENDERING:\nWhen discussing this paper, please use dollar sign notation ($...$) "
    "for inline equations and double dollar signs ($$...$$) for display equations when providing responses that "
    "include LaTeX mathematical expressions.\n"
)
_CATEGORY = re.compile(
    r"(cs|econ|eess|math|physics|q-bio|q-fin|stat|astro-ph|cond-mat|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|nlin|"
    r"nucl-ex|nucl-th|quant-ph)(\.\w[\w-]*)?"
)
Keyword = Annotated[str, Field(description="What to look for.", min_length=1, max_length=500)]
ArxivId = Annotated[str, Field(description="The arXiv ID of the paper, such as 2403.12345.", max_length=200)]
Day = Annotated[str | None, Field(description="Date (YYYY-MM-DD).", max_length=40)]


@tool(mcp, name="search-arxiv")
def search_arxiv(keyword: Keyword) -> Text:
    """Search arxiv for articles related to the given keyword, newest first."""
    papers = archive.archive_of(current_world())
    matching_papers = archive.search_papers(papers, _escape_keyword(keyword), order="newest")[:_MOST]
    entries = [
        f"Title: {paper.title}\nSummary: {paper.abstract}\nLinks: {'||'.join(_build_links(paper))}\n"
        f"PDF URL: {_build_links(paper)[1]}"
        for paper in matching_papers
    ]
    return Text(f"Search articles for {keyword}:\n" + "\n\n\n".join(entries))


@tool(mcp, name="search-google-scholar")
def search_google_scholar(keyword: Keyword) -> Text:
    """Search google scholar for articles related to the given keyword."""
    papers = archive.archive_of(current_world())
    entries = [
        f"Title: {paper.title}\nAbstract: {paper.abstract}\nURL: {_build_links(paper)[0]}"
        for paper in archive.search_papers(papers, _escape_keyword(keyword))[:_MOST]
    ]
    return Text(f"Search articles for {keyword}:\n" + "\n\n\n".join(entries))


@tool(mcp)
def search_papers(
    query: Annotated[str, Field(description='Words, "phrases", ti:, au:, abs:, AND, OR, ANDNOT.', max_length=1_000)],
    max_results: Annotated[int, Field(description="Papers at most.", ge=1, le=MAX_RESULTS)] = 10,
    date_from: Day = None,
    date_to: Day = None,
    categories: Annotated[list[str] | None, Field(description="Such as cs.CL.", max_length=50)] = None,
    sort_by: Annotated[Literal["relevance", "date"], Field(description="What comes first.")] = "relevance",
) -> Text:
    """Search for papers on arXiv with advanced filtering and query optimization."""
    if any(not _CATEGORY.fullmatch(category) for category in categories or []):
        raise Problem("Error: Invalid category provided. Please check arXiv category names.")
    papers = archive.archive_of(current_world())
    order: archive.Order = "newest" if sort_by == "date" else "relevance"
    matching_papers = archive.search_papers(
        papers, query, categories=categories or (), since=date_from or "", until=date_to or "", order=order
    )[:max_results]
    facts = {
        "total_results": len(matching_papers),
        "papers": [_describe_paper(papers, paper) for paper in matching_papers],
    }
    return Text(json.dumps(facts, indent=2, ensure_ascii=False))


@tool(mcp, writes=True)
def download_paper(
    paper_id: ArxivId,
    check_status: Annotated[bool, Field(description="Only say whether it is there.")] = False,
) -> Text:
    """Download a paper and create a resource for it."""
    path = _get_stored_path(paper_id)
    if check_status and not path.exists():
        return _format_answer(status="unknown", message="No download or conversion in progress")
    message = "Paper is ready" if check_status else "Paper already available"
    if not path.exists():
        world = current_world()
        paper, version = archive.archive_of(world).get(paper_id)
        save_text(path, sources.as_markdown(archive.source_text(world, paper.id, version)))
        message = "Paper downloaded and converted"
    return _format_answer(status="success", message=message, resource_uri=f"file://{current_world().to_relative(path)}")


@tool(mcp)
def list_papers() -> Text:
    """List all existing papers available as resources."""
    world = current_world()
    papers = archive.archive_of(world)
    names = sorted(path.stem for path in (world.files / STORAGE).glob("*.md") if path.is_file())
    paper_facts = [_stored_facts(papers, name) for name in names]
    return Text(json.dumps({"total_papers": len(paper_facts), "papers": paper_facts}, indent=2, ensure_ascii=False))


@tool(mcp)
def read_paper(paper_id: ArxivId, offset: Offset = 0) -> TextPage:
    """Read the full content of a stored paper in markdown format."""
    path = _get_stored_path(paper_id)
    if not path.is_file():
        message = f"Paper {paper_id} not found in storage. You may need to download it first using download_paper."
        raise Problem(_format_answer(status="error", message=message).text)
    content = decode_file(path.read_bytes(), path.name).text
    return cut_page(_format_answer(status="success", paper_id=paper_id, content=content).text, offset)


@tool(mcp)
def get_paper_prompt(arxiv_id: ArxivId, offset: Offset = 0) -> TextPage:
    """Get a flattened LaTeX code of a paper from arXiv ID for precise interpretation of mathematical expressions."""
    return cut_page(_read_latex(arxiv_id) + _RENDERING, offset)


@tool(mcp)
def get_paper_abstract(arxiv_id: ArxivId) -> Text:
    """Get just the abstract of an arXiv paper."""
    return Text(sources.abstract_of(_read_latex(arxiv_id)))


@tool(mcp)
def list_paper_sections(arxiv_id: ArxivId) -> Text:
    """List section headings of an arXiv paper to see its structure."""
    sections = sources.sections_of(_read_latex(arxiv_id))
    return Text(
        "\n".join(f"{'  ' * section.number.count('.')}{section.number} {section.title}" for section in sections)
    )


@tool(mcp)
def get_paper_section(
    arxiv_id: ArxivId,
    section_path: Annotated[str, Field(description="Number or name of the section.", min_length=1, max_length=300)],
) -> Text:
    """Get a specific section of an arXiv paper by section path."""
    section = sources.section_of(_read_latex(arxiv_id), section_path)
    if section is None:
        raise Problem(f"Section '{section_path}' not found. Use list_paper_sections to see available sections.")
    return Text(section.text + _RENDERING)


def _read_latex(arxiv_id: str) -> str:
    world = current_world()
    try:
        paper, version = archive.archive_of(world).get(arxiv_id)
        return archive.source_text(world, paper.id, version)
    except Problem as problem:
        raise Problem(f"Error processing arXiv paper {arxiv_id}: {problem}") from problem


def _escape_keyword(keyword: str) -> str:
    """Words as they are, so that a bracket or a quote in them is none."""
    return " ".join(re.sub(r'[()":]', " ", keyword).split())


def _build_links(paper: Paper) -> tuple[str, str]:
    name = f"{paper.id}v{paper.version}"
    return f"http://arxiv.org/abs/{name}", f"http://arxiv.org/pdf/{name}"


def _describe_paper(papers: archive.Archive, paper: Paper) -> dict[str, Any]:
    return {
        "id": paper.id,
        "title": paper.title,
        "authors": papers.names(paper),
        "abstract": paper.abstract,
        "categories": paper.categories,
        "published": paper.published,
        "url": _build_links(paper)[1],
        "resource_uri": f"arxiv://{paper.id}",
    }


def _stored_facts(papers: archive.Archive, name: str) -> dict[str, Any]:
    try:
        paper, _ = papers.get(name)
    except Problem:
        return {"title": name, "summary": "", "authors": [], "links": [], "pdf_url": ""}
    links = list(_build_links(paper))
    about = {"title": paper.title, "summary": paper.abstract, "authors": papers.names(paper)}
    return {**about, "links": links, "pdf_url": links[1]}


def _get_stored_path(paper_id: str) -> Path:
    if not re.fullmatch(r"[\w.-]{1,60}", paper_id) or paper_id.startswith("."):
        raise Problem(_format_answer(status="error", message=f"Paper {paper_id} not found on arXiv").text)
    return out_file(f"{STORAGE}/{paper_id}.md")


def _format_answer(**facts: str) -> Text:
    return Text(json.dumps(facts, ensure_ascii=False))
