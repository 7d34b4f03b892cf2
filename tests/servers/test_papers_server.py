"""The server `papers` on a seeded archive, and the ten tools of Toolathlon's three servers of papers."""

import json
import re
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.answers import make_caller, read_facts, read_text
from support.paper_archive import Draft, fill_papers

from yardkit.apps.papers import Paper, source_of
from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.papers.engine import bibtex
from yardkit.servers.papers.engine.queries import Fields, compile_query, fold_text
from yardkit.servers.papers.engine.sources import require_section, sections_of
from yardkit.servers.papers.engine.tex_accents import decode_accents
from yardkit.servers.papers.server import mcp
from yardkit.state_init.cast import get_stream
from yardkit.world import Problem, World, use_world

call, theirs = make_caller(mcp), make_caller(load_server("papers", "toolathlon"))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, list[Draft]]:
    world = World.create(tmp_path_factory.mktemp("archive") / "world", task="t", seed=1)
    return world, fill_papers(world, get_stream(world, "papers"), 60)


@pytest.fixture(autouse=True)
def drafts(archive: tuple[World, list[Draft]]) -> Iterator[list[Draft]]:
    with use_world(archive[0]):
        yield archive[1]


@pytest.fixture
def corrected(drafts: list[Draft]) -> Draft:
    """A paper whose first version had other results, and that others cite."""
    cited = {reference for draft in drafts for reference in draft.paper.references}
    return next(draft for draft in drafts if draft.wrong and draft.paper.id in cited)


def call_papers(tool: str, **arguments: Any) -> Any:
    return read_facts(call(tool, **arguments))


def refuse_call(tool: str, *, by: Any = call, **arguments: Any) -> str:
    answer = by(tool, **arguments)
    assert answer.is_error, read_text(answer)
    return read_text(answer)


def test_papers_are_found_by_fields_dates_and_categories(drafts: list[Draft]) -> None:
    expected_paper = drafts[10].paper
    assert call_papers("search_papers", query=f'ti:"{expected_paper.title}"')["papers"][0]["id"] == expected_paper.id
    of_cs = call_papers("search_papers", categories=["cs"], since="2024", until="2024-12-31", sort="oldest", limit=100)
    assert of_cs["papers"] == sorted(of_cs["papers"], key=lambda paper: paper["published"])
    assert {paper["published"][:4] for paper in of_cs["papers"]} == {"2024"}
    assert of_cs["total"] == sum(
        draft.paper.published[:4] == "2024" and any(category[:3] == "cs." for category in draft.paper.categories)
        for draft in drafts
    )
    assert "'spring' is not a valid date or time" in refuse_call("search_papers", since="spring")
    most = call_papers("search_papers", sort="most_cited", limit=1)["papers"][0]
    assert most["cited_by"] == max(sum(most["id"] in draft.paper.references for draft in drafts), most["cited_by"]) > 3


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        ("graph clustering", True),
        ('"graph sparse"', False),
        ("ti:graph AND au:vance", True),
        ("graph ANDNOT ti:clustering", False),
        ("zebra OR (au:vance AND cat:cs.lg)", True),
        ("(zebra OR tiger) AND graph", False),
        ("abs:graph", False),
        ("luster", False),
        ("all:sparse", True),
        ("graph NOT clustering", False),
        ("graph AND NOT ti:zebra", True),
        ("spars*", True),
        ("au:vance_mira", False),
        ("au:mira_vance", True),
        ("ti:gräph", True),
        ("", True),
    ],
)
def test_a_query_says_what_fits(query: str, fits: bool) -> None:
    fields = Fields("graph clustering", "mira vance", "we use sparse attention", "cs.lg")
    assert bool(compile_query(query)(fields)) == fits


@pytest.mark.parametrize("query", ['"open', "(a", "a)", "a AND", "OR b", "(" * 40 + "a" + ")" * 40, "a ANDNOT )"])
def test_a_query_that_is_none_is_refused(query: str) -> None:
    with pytest.raises(Problem, match="query"):
        compile_query(query)


def test_a_version_is_read_as_it_was(corrected: Draft) -> None:
    sections = [
        call_papers("read_paper_section", paper_id=corrected.paper.id, section="Results", version=n)["source"]
        for n in (1, 2)
    ]
    for source, results in zip(sections, (corrected.wrong, corrected.results), strict=True):
        assert f"(ours) & {' & '.join(f'{value:.1f}' for value in results.values())} " in source
    paper_version = call_papers("read_paper", paper_id=f"{corrected.paper.id}v1", limit=50)
    assert (paper_version["shown_version"], paper_version["next_offset"], paper_version["paper"]["version"]) == (
        1,
        50,
        2,
    )
    assert "1 Introduction" in paper_version["sections"]
    assert "no version 3" in refuse_call("read_paper", paper_id=corrected.paper.id, version=3)


def test_those_who_cite_a_paper_say_what_it_said_then(world_of: World, drafts: list[Draft], corrected: Draft) -> None:
    seen = set()
    for draft in drafts:
        if corrected.paper.id in draft.paper.references and draft.task == corrected.task:
            for version in range(1, draft.paper.version + 1):
                moment = draft.paper.published if version == 1 else draft.paper.updated
                row = f"& {' & '.join(f'{value:.1f}' for value in corrected.results_at(moment).values())} "
                assert row in source_of(world_of, draft.paper.id, version).read_text()
                seen.add(row)
    assert seen


@pytest.fixture
def world_of(archive: tuple[World, list[Draft]]) -> World:
    return archive[0]


def test_citations_lead_both_ways(drafts: list[Draft]) -> None:
    paper = next(draft.paper for draft in reversed(drafts) if draft.paper.references)
    listed = call_papers("list_citations", paper_id=paper.id, direction="references")["papers"]
    assert [paper["id"] for paper in listed] == paper.references
    for cited in paper.references:
        assert paper.id in [paper["id"] for paper in call_papers("list_citations", paper_id=cited, limit=100)["papers"]]


def test_people_of_one_name_are_told_apart_by_their_affiliation() -> None:
    counts: dict[str, list[str]] = {}
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
        for author in call_papers("find_author", name=letter, limit=50)["authors"]:
            counts.setdefault(author["name"], []).append(author["email"])
    twins = [set(emails) for emails in counts.values() if len(set(emails)) > 1]
    assert [len(emails) for emails in twins] == [2]


def test_papers_are_exported_as_bibtex(world_of: World, drafts: list[Draft]) -> None:
    ids = [draft.paper.id for draft in drafts[:3]]
    reply_text = call_papers("save_bibtex", paper_ids=ids, target="refs.bib")
    assert (world_of.files / "refs.bib").read_text() == reply_text["entries"]
    assert re.findall(r"eprint = \{(.*)\}", reply_text["entries"]) == ids


SIGNS = {
    "R&D costs 50% more_or #1": r"R\&D costs 50\% more\_or \#1",
    "between $5 and $6": r"between \$5 and \$6",
    "On $O(n^{2})$ sorts & sets": r"On $O(n^{2})$ sorts \& sets",
    "an open } brace $a}$": r"an open \} brace \$a\}\$",
    r"C:\dir ~ a^b": r"C:{\textbackslash}dir {\textasciitilde} a{\textasciicircum}b",
}


@pytest.mark.parametrize("title", SIGNS)
def test_signs_of_latex_stand_for_themselves(title: str) -> None:
    assert bibtex.escape_text(title) == SIGNS[title]


@given(st.text(max_size=40))
def test_no_text_opens_or_closes_a_field(text: str) -> None:
    escaped = re.sub(r"\\.", "", bibtex.escape_text(text), flags=re.DOTALL)
    depths = list(accumulate((1 if sign == "{" else -1 for sign in escaped if sign in "{}"), initial=0))
    assert min(depths) == depths[-1] == 0


def test_keys_differ_in_plain_letters() -> None:
    names = {"1": ["Jörg Müßig"], "2": ["Jana Müßig"], "3": ["Jörg Müßig"], "4": ["王芳"], "5": []}
    titles = {"1": "The cost", "2": "The gain", "3": "The rest", "4": "图 graphs", "5": "No one"}
    papers = [
        Paper(number, title, "", [], ["cs.LG"], f"2024-0{number}", "", 1, "", "", [])
        for number, title in titles.items()
    ]
    assert bibtex.choose_keys(papers[::-1], names) == {
        "1": "mussig2024thea",
        "2": "mussig2024theb",
        "3": "mussig2024thec",
        "4": "paper2024",
        "5": "anonymous2024no",
    }


def test_a_source_is_read_by_the_encoding_that_it_states(world_of: World, drafts: list[Draft]) -> None:
    path = source_of(world_of, drafts[0].paper.id, 1)
    source = path.read_bytes()
    path.write_bytes("\\usepackage[latin1]{inputenc}\n\\section{Größe}\n".encode("latin-1"))
    assert call_papers("read_paper", paper_id=f"{drafts[0].paper.id}v1")["sections"] == ["1 Größe"]
    path.write_bytes(source)


def test_what_is_not_there_is_said(world_of: World, drafts: list[Draft]) -> None:
    paper = drafts[0].paper
    assert f"ids of that month are {paper.id}" in refuse_call("read_paper", paper_id=f"{paper.id[:4]}.99999")
    assert "there are: 1 Introduction; 2 Related Work" in refuse_call(
        "read_paper_section", paper_id=paper.id, section="9"
    )
    assert "find its id" in refuse_call("list_citations", paper_id="../../etc")
    path = source_of(world_of, paper.id, 1)
    source = path.read_bytes()
    path.unlink()
    assert "is not in the archive" in refuse_call("read_paper", paper_id=f"{paper.id}v1")
    path.write_bytes(b"\\section{Only}\xff")
    assert call_papers("read_paper", paper_id=f"{paper.id}v1")["sections"] == ["1 Only"]
    path.write_bytes(source)


def test_scholarly_lists_articles(drafts: list[Draft]) -> None:
    title = drafts[5].paper.title
    text = read_text(theirs("search-arxiv", keyword="graph clustering"))
    assert text.startswith("Search articles for graph clustering:\nTitle: ")
    entries = text.partition("\n")[2].split("\n\n\n")
    assert 0 < len(entries) <= 10
    assert [line.partition(":")[0] for line in entries[0].split("\n")] == ["Title", "Summary", "Links", "PDF URL"]
    scholar = read_text(theirs("search-google-scholar", keyword=title)).split("\n")
    assert scholar[1] == f"Title: {title}"
    assert scholar[3].startswith("URL: http://arxiv.org/abs/")


def test_arxiv_local_searches_downloads_lists_and_reads(world_of: World, drafts: list[Draft]) -> None:
    paper = drafts[7].paper
    search_reply = json.loads(
        read_text(theirs("search_papers", query=f'ti:"{paper.title}"', categories=paper.categories[:1]))
    )
    assert list(search_reply["papers"][0]) == [
        "id",
        "title",
        "authors",
        "abstract",
        "categories",
        "published",
        "url",
        "resource_uri",
    ]
    assert (search_reply["total_results"], search_reply["papers"][0]["id"]) == (1, paper.id)
    assert refuse_call("search_papers", by=theirs, query="x", categories=["zoo"]).startswith("Error: Invalid category")
    unread = json.loads(refuse_call("read_paper", by=theirs, paper_id=paper.id))
    assert (
        unread["message"]
        == f"Paper {paper.id} not found in storage. You may need to download it first using download_paper."
    )
    assert json.loads(read_text(theirs("download_paper", paper_id=paper.id, check_status=True)))["status"] == "unknown"
    for expected_text in ("Paper downloaded and converted", "Paper already available"):
        assert json.loads(read_text(theirs("download_paper", paper_id=paper.id))) == {
            "status": "success", "message": expected_text, "resource_uri": f"file://arxiv_local_storage/{paper.id}.md",
        }  # fmt: skip
    assert json.loads(read_text(theirs("list_papers")))["papers"][0]["title"] == paper.title
    text = json.loads(read_text(theirs("read_paper", paper_id=paper.id)))["content"]
    assert text.startswith(f"# {paper.title}\n\n## Abstract\n\n")
    assert "\\begin" not in text
    assert "\\section" not in text
    assert "|---|---|---|---|" in text
    for wrong in ("../../x", "2401.99999"):
        assert "not found on arXiv" in refuse_call("download_paper", by=theirs, paper_id=wrong)


def test_arxiv_latex_gives_the_source_by_section(drafts: list[Draft]) -> None:
    paper = drafts[7].paper
    full_source = read_text(theirs("get_paper_prompt", arxiv_id=paper.id))
    assert "\\documentclass" in full_source
    assert full_source.endswith("LaTeX mathematical expressions.\n")
    assert read_text(theirs("get_paper_abstract", arxiv_id=paper.id)).startswith("We present ")
    sections = read_text(theirs("list_paper_sections", arxiv_id=paper.id)).split("\n")
    assert sections[:4] == ["1 Introduction", "2 Related Work", "3 Method", "  3.1 Setting"]
    by_number, by_name = (
        read_text(theirs("get_paper_section", arxiv_id=paper.id, section_path=section_name))
        for section_name in ("3.2", "objective")
    )
    assert by_number == by_name
    assert by_number.startswith("\\subsection{Objective}")
    assert "Section '9' not found." in refuse_call("get_paper_section", by=theirs, arxiv_id=paper.id, section_path="9")
    assert refuse_call("get_paper_abstract", by=theirs, arxiv_id="x").startswith("Error processing arXiv paper x: ")


def test_a_seed_gives_the_same_archive(tmp_path: Path) -> None:
    hashes = []
    for place, seed in enumerate((1, 1, 2)):
        world = World.create(tmp_path / str(place), task="t", seed=seed)
        fill_papers(world, get_stream(world, "papers"), 15)
        hashes.append(world.state_hash())
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.mark.parametrize(
    ("tex", "letters"),
    [
        (r"Schr\"odinger", "Schrödinger"),
        (r"Erd\H{o}s and {\L}{\'o}d\'z", "Erdős and Łódź"),
        (r"na\"{\i}ve Fran\c{c}ois \v Skoda, Stra{\ss}e", "naïve François Škoda, Straße"),
        (r"R\&D of \emph{x} and $\"u$", r"R&D of \emph{x} and $\"u$"),
    ],
)
def test_accents_of_tex_are_letters(tex: str, letters: str) -> None:
    assert decode_accents(tex) == letters
    fields = Fields(fold_text(tex), "", "", "")
    assert all(compile_query(f"ti:{word}")(fields) for word in re.findall(r"\w{4,}", letters))


def test_names_with_suffixes_and_names_of_groups_are_taken_apart_as_they_are() -> None:
    paper = Paper("2403.00001", "T", "", [], ["cs.CL"], "2024-03-01", "2024-03-01", 1, "", "", [])
    names = {paper.id: ["Ann Berg Jr.", "Belle Collaboration", r"Paul Erd\H{o}s", "Ludwig van Beethoven"]}
    keys = bibtex.choose_keys([paper], names)
    entry = bibtex.format_entries([paper], names, keys)
    assert keys[paper.id] == "berg2024t"
    assert "{Berg, Jr., Ann and {Belle Collaboration} and Paul Erdős and Ludwig van Beethoven}" in entry


def test_sections_are_found_however_their_heads_are_written() -> None:
    source = (
        "\\section[Short]{The {\\bf big} one}\nA\n  \\subsection{Inner $x_{1}$}\n\\section\n{Next}\n"
        "\\appendix\n\\section{Proofs}\n\\subsection{Lemma}\nB\n"
    )
    heads = [(section.number, section.title) for section in sections_of(source)]
    assert heads == [
        ("1", "The {\\bf big} one"), ("1.1", "Inner $x_{1}$"), ("2", "Next"), ("A", "Proofs"), ("A.1", "Lemma"),
    ]  # fmt: skip
    assert require_section(source, "a.1").text.endswith("B")


@pytest.mark.parametrize(
    "address",
    [
        "arXiv:{}v1 [cs.CL]", "https://doi.org/10.48550/arXiv.{}", "https://www.arxiv.org/abs/{}v1?context=cs",
        "arxiv.org/pdf/{}v1.pdf", "https://arxiv.org/html/{}",
    ],
)  # fmt: skip
def test_a_paper_is_known_by_each_of_its_addresses_and_read_in_a_version(address: str, corrected: Draft) -> None:
    read = call_papers("read_paper", paper_id=address.format(corrected.paper.id), version=2, limit=10)
    assert (read["paper"]["id"], read["shown_version"]) == (corrected.paper.id, 2)


def test_authors_are_found_without_their_accents_and_with_the_last_name_first(drafts: list[Draft]) -> None:
    name = call_papers("search_papers", limit=1)["papers"][0]["authors"][0]
    first, _, last = name.partition(" ")
    authors = call_papers("find_author", name=f"{last.upper()}, {first[0]}.")["authors"]
    assert name in [author["name"] for author in authors]
