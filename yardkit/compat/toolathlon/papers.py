"""The archive in the dialect of Toolathlon: its servers scholarly (2 tools), arxiv_local (4) and arxiv-latex (4)."""

import json
import re
from pathlib import Path
from typing import Any

from yardkit.apps.papers import Paper
from yardkit.kit.dialect import Text
from yardkit.servers.papers.engine import archive, sources
from yardkit.world import Problem, current_world, save_text
from yardkit.world.decoding import decode_file
from yardkit.world.paths import out_file

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


def search_arxiv(keyword: str) -> str:
    papers = archive.archive_of(current_world())
    matching_papers = archive.search_papers(papers, _escape_keyword(keyword), order="newest")[:_MOST]
    entries = [
        f"Title: {paper.title}\nSummary: {paper.abstract}\nLinks: {'||'.join(_build_links(paper))}\n"
        f"PDF URL: {_build_links(paper)[1]}"
        for paper in matching_papers
    ]
    return f"Search articles for {keyword}:\n" + "\n\n\n".join(entries)


def search_google_scholar(keyword: str) -> str:
    papers = archive.archive_of(current_world())
    entries = [
        f"Title: {paper.title}\nAbstract: {paper.abstract}\nURL: {_build_links(paper)[0]}"
        for paper in archive.search_papers(papers, _escape_keyword(keyword))[:_MOST]
    ]
    return f"Search articles for {keyword}:\n" + "\n\n\n".join(entries)


def search_papers(
    query: str,
    max_results: int = 10,
    date_from: str | None = None,
    date_to: str | None = None,
    categories: list[str] | None = None,
    sort_by: str = "relevance",
) -> str:
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
    return json.dumps(facts, indent=2, ensure_ascii=False)


def download_paper(paper_id: str, check_status: bool = False) -> Text:
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


def list_papers() -> str:
    world = current_world()
    papers = archive.archive_of(world)
    names = sorted(path.stem for path in (world.files / STORAGE).glob("*.md") if path.is_file())
    paper_facts = [_stored_facts(papers, name) for name in names]
    return json.dumps({"total_papers": len(paper_facts), "papers": paper_facts}, indent=2, ensure_ascii=False)


def read_paper(paper_id: str) -> str:
    path = _get_stored_path(paper_id)
    if not path.is_file():
        message = f"Paper {paper_id} not found in storage. You may need to download it first using download_paper."
        raise Problem(_format_answer(status="error", message=message).text)
    content = decode_file(path.read_bytes(), path.name).text
    return _format_answer(status="success", paper_id=paper_id, content=content).text


def get_paper_prompt(arxiv_id: str) -> str:
    return _read_latex(arxiv_id) + _RENDERING


def get_paper_abstract(arxiv_id: str) -> str:
    return sources.abstract_of(_read_latex(arxiv_id))


def list_paper_sections(arxiv_id: str) -> str:
    sections = sources.sections_of(_read_latex(arxiv_id))
    return "\n".join(f"{'  ' * section.number.count('.')}{section.number} {section.title}" for section in sections)


def get_paper_section(arxiv_id: str, section_path: str) -> str:
    section = sources.section_of(_read_latex(arxiv_id), section_path)
    if section is None:
        raise Problem(f"Section '{section_path}' not found. Use list_paper_sections to see available sections.")
    return section.text + _RENDERING


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
