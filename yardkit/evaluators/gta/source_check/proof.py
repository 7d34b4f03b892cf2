"""Solutions and near misses of gta/source_check."""

import calendar
import re
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.solving.workflow import markdown_table, read_all_parts
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved

PAPER = "generated/answers.docx"
CLAIM_PATTERNS = {
    "length": r"(?:[Ll]ength(?: of)?|measured it:) (\S+) m",
    "width": r"(?:width(?: of)?|long,) (\S+) m",
    "depth": r"(?:depth(?: of)?|wide,|m,) (\S+) m(?:etres\.| deep|\.)",
    "toll": r"[Tt]oll(?: is| of|:) (\S+) euros",
}
WORDS = {"long": "length", "wide": "width", "deep": "depth", "toll": "toll"}


def solve(agent: Agent) -> str:
    """Search each lock, take the latest page of the office or the notice, and list what says otherwise."""
    return _deliver_answers(agent, *_find_rows(agent), left=3)


def alternative_by_another_program_with_zeros_and_rows_backwards(agent: Agent, files: Path) -> str:
    """The contradictions from the last to the first; more decimals; saved by another program."""
    answers, others = _find_rows(agent)
    answer = _deliver_answers(
        agent, [[number, f"{float(value):.2f}", source] for number, value, source in answers], others[::-1]
    )
    with misses.open_edited(files / PAPER):
        pass
    return f"Contradictions:\n**{answer}**"


def alternative_with_a_title_by_style(agent: Agent, files: Path) -> str:
    """The title has its own style, the headings are of the first level."""
    answer = solve(agent)
    with misses.open_edited(files / PAPER) as document:
        for paragraph in document.paragraphs:
            if paragraph.style.name in ("Heading 1", "Heading 2"):
                paragraph.style = document.styles["Title" if paragraph.style.name.endswith("1") else "Heading 1"]
    return answer


in_paper = partial(misses.text_changed, PAPER)
near_miss_heading_in_bold = misses.style_lost(PAPER, "Contradictions", caught_by="headings")
near_miss_markdown_left = in_paper(("Answers", "## Answers"), caught_by=("headings", "neat"))
near_miss_sites_instead_of_titles = in_paper(
    lambda text, _: re.sub(r"^Lock .*\((.*),.*$", r"\1", text), caught_by=("sources", "pages")
)
near_miss_notice_not_named = in_paper(("notice.png", "harbour office"), caught_by="sources")
near_miss_count_of_all_pages = misses.change_answer(lambda work: str(len(work.facts["titles"])))
near_miss_questions_tidied_away = misses.delete_file("notice.png")
on_tables = partial(misses.make_edit_decorator, PAPER)


@on_tables(caught_by="right")
def near_miss_old_page_believed(document: Any, work: Solved) -> None:
    """The answer that another page gives."""
    number, _, claim = work.facts["contradictions"][0]
    document.tables[0].rows[number].cells[1].paragraphs[0].runs[0].text = claim


@on_tables(caught_by="all")
def near_miss_last_question_unanswered(document: Any) -> None:
    """A row is missing."""
    row = document.tables[0].rows[-1]._tr
    row.getparent().remove(row)


@on_tables(caught_by="pages")
def near_miss_page_of_the_office_spared(document: Any) -> None:
    """What the notice replaces is not said to contradict it."""
    row = document.tables[1].rows[1]._tr
    row.getparent().remove(row)


@on_tables(caught_by="values")
def near_miss_answer_as_what_they_say(document: Any) -> None:
    """The contradictions repeat the answers."""
    answers = {row.cells[0].text: row.cells[1].text for row in document.tables[0].rows}
    for row in document.tables[1].rows[1:]:
        row.cells[2].paragraphs[0].runs[0].text = answers[row.cells[0].text]


def _find_rows(agent: Agent) -> tuple[list[list[Any]], list[list[Any]]]:
    """The rows of both tables."""
    text = read_all_parts(agent, "ReadDOCX", file="questions.docx")
    notice = " ".join(re.findall(r"\) (.*)", agent.text("OCR", image="notice.png")))
    notice_match = re.search(r"the (\w+) of the lock at (\w+) is (\d+(?:\.\d+)?)", notice)
    if notice_match is None:
        raise ValueError(f"the notice says {notice!r}")
    answers, others = [], []
    for number, (word, lock) in enumerate(re.findall(r"(?:How|What is the) (\w+) .*?lock (?:at|of) (\w+),", text), 1):
        key = WORDS[word]
        pages = _read_pages(agent, lock, key)
        office = max((title for title in pages if "(Waterways Office," in title), key=_parse_age)
        noted = notice_match.groups()[:2] == (key, lock)
        value, source = (notice_match[3], "notice.png") if noted else (pages[office], office)
        answers.append([number, value, source])
        others += [[number, title, claim] for title, claim in pages.items() if claim != value]
    return answers, others


def _read_pages(agent: Agent, lock: str, key: str) -> dict[str, str]:
    """What each page on a lock says, by its title."""
    hits = agent.text("GoogleSearch", query=f"Lock {lock} length width depth toll", k=5)
    page_matches = re.findall(r"^\d+ - (Lock .+?\)): (.*)$", hits, re.MULTILINE)
    return {
        title: re.findall(CLAIM_PATTERNS[key], text)[0]
        for title, text in page_matches
        if title.startswith(f"Lock {lock} (")
    }


def _parse_age(title: str) -> tuple[int, int]:
    month, year = re.findall(r", (\w+) (\d+)", title)[0]
    return int(year), [*calendar.month_name].index(month)


def _deliver_answers(agent: Agent, answers: list[list[Any]], others: list[list[Any]], left: int = 1) -> str:
    parts = [
        *(
            "# What we need to know before the trip",
            "## Answers",
            markdown_table(("Question", "Answer", "Source"), answers, left),
        ),
        *("## Contradictions", markdown_table(("Question", "Source", "Says"), others, left)),
    ]
    agent.text("DocxFileGenerator", filename="answers", content="\n\n".join(parts))
    return str(len(others))
