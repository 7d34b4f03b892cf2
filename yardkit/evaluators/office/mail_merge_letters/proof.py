"""Solutions and near misses of office/mail_merge_letters."""

import datetime
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf
from yardkit.evaluators.solving.solver import read_blocks, read_mail_files

BOOK = "customers.xlsx"
TEMPLATE = "letters/template_renewal.docx"
FILE = "letters/renewals.docx"
REFERENCE = "Our reference: "
Row = dict[str, Any]


def solve(agent: Agent) -> str:
    """Merge, find the letters that run over, set these smaller until each has its page."""
    rows = _build_rows(agent)
    agent.call("fill_template", template=TEMPLATE, rows=rows, target=FILE)
    for size in (10.5, 10, 9.5, 9):
        long = _too_long(agent)
        if not long:
            break
        _shrink_letters(agent, long, {"size_pt": size})
    _look_at_pages(agent, len(rows))
    return f"The letters are ready to be printed.\n\n{len(rows)}"


def alternative_closer_paragraphs_then_smaller_and_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Less space between the paragraphs of the long letters, one size below, and saved again by python-docx."""
    import docx

    rows = _build_rows(agent)
    agent.call("fill_template", template=TEMPLATE, rows=rows, target=FILE)
    long = _too_long(agent)
    _shrink_letters(agent, long, {"after_pt": 2, "size_pt": 9.5})
    docx.Document(str(files / FILE)).save(str(files / FILE))
    _look_at_pages(agent, len(rows))
    return f"There are\n**{len(rows)}**"


def alternative_one_file_each_and_merged(agent: Agent, _files: Path) -> str:
    """A document per letter, those that run over set smaller, then merged; the single ones are taken away."""
    rows = _build_rows(agent)
    agent.call("fill_template", template=TEMPLATE, rows=rows, folder="letters/single", name="{{Customer no.}}")
    paths = [f"letters/single/{row['Customer no.']}.docx" for row in rows]
    for path in paths:
        if agent.call("list_pages", path=path)["page_count"] > 1:
            anchors = [block["anchor"] for block in read_blocks(agent, path)]
            agent.call("format_document", path=path, edits=[{"anchors": anchors, "look": {"size_pt": 9}}])
    agent.call("merge_documents", paths=paths, target=FILE)
    agent.call("delete_path", path="letters/single", recursive=True)
    _look_at_pages(agent, len(rows))
    return str(len(rows))


@misses.make_edit_decorator(FILE, caught_by="recipients")
def near_miss_somebody_who_asked_for_no_letter(read: Any, work: Solved) -> None:
    first = next(paragraph for paragraph in read.paragraphs if paragraph.text.startswith(REFERENCE))
    first.runs[-1].text = work.facts["not"][0]


near_miss_all_letters_closer = misses.set_attributes(
    FILE, lambda read: [paragraph.paragraph_format for paragraph in read.paragraphs], "looks", space_after=0
)
"""The short letters lose the space between their paragraphs, too."""


@misses.make_edit_decorator(FILE, caught_by="looks")
def near_miss_letters_in_another_type(read: Any) -> None:
    for paragraph in read.paragraphs[-8:]:
        for run in paragraph.runs:
            run.font.name = "Liberation Serif"


@misses.make_edit_decorator(FILE, caught_by="letterhead")
def near_miss_letterhead_without_the_address(read: Any) -> None:
    for section in read.sections:
        for run in section.header.paragraphs[0].runs[1:]:
            run.text = ""


near_miss_heading_before_the_first_letter = misses.edit_file(
    FILE, lambda read: read.paragraphs[0].insert_paragraph_before("Renewals"), "wording"
)


@caught_by_leaf("addresses")
def near_miss_old_address(work: Solved) -> None:
    _replace_text(work, work.facts["letters"][0]["address"][1], "Old Lane 1")


@caught_by_leaf("figures", "wording")
def near_miss_prices_swapped(work: Solved) -> None:
    day, renewal, listed = work.facts["letters"][0]["terms"][:3]
    assert day  # noqa: S101 - the first of the terms is the day
    _replace_text(work, renewal, listed)


@caught_by_leaf("figures", "wording")
def near_miss_american_dates(work: Solved) -> None:
    day = work.facts["letters"][0]["terms"][0]
    number, month, year = day.split()
    _replace_text(work, day, f"{month} {number}, {year}")


@caught_by_leaf("wording")
def near_miss_terms_cut_to_fit(work: Solved) -> None:
    terms = next(letter for letter in work.facts["letters"] if letter["number"] in work.facts["long"])["text"][4]
    _replace_text(work, terms, terms[:300])


near_miss_long_letters_left_on_two_pages = misses.edit_file(
    FILE, lambda read: _each_run(read, lambda run: setattr(run.font, "size", None)), "pages"
)


@misses.make_edit_decorator(FILE, caught_by="readable")
def near_miss_everything_at_eight_points(read: Any) -> None:
    from docx.shared import Pt

    _each_run(read, lambda run: setattr(run.font, "size", Pt(8)))


@misses.make_edit_decorator(FILE, caught_by="readable")
def near_miss_every_letter_smaller(read: Any) -> None:
    from docx.shared import Pt

    _each_run(read, lambda run: setattr(run.font, "size", Pt(9)))


@misses.make_edit_decorator(FILE, caught_by="letterhead")
def near_miss_wider_pages(read: Any) -> None:
    from docx.shared import Mm

    for section in read.sections:
        section.left_margin = section.right_margin = Mm(15)


near_miss_never_looked = misses.never_looked()


near_miss_all_customers_counted = misses.change_answer(lambda _: "1800")


def _build_rows(agent: Agent) -> list[Row]:
    """The values of each letter in the order of the customers' numbers."""
    month = re.findall(r"renewal letters for (\w+ \d{4})", agent.prompt)[0]
    plans = {record["Plan"]: record for record in _read_records(agent, "Plans")}
    managers = {record["No."]: record for record in _read_records(agent, "Managers")}
    blocked = set(re.findall(r"^(\d+);", agent.call("read_file", path="do_not_contact.csv")["content"], re.MULTILINE))
    refusing, moved = _read_mails(agent)
    letters = []
    for record in sorted(_read_records(agent, "Customers"), key=lambda row: int(row["Customer no."])):
        day, number = _parse_day(record["Expires"]), str(record["Customer no."])
        due = f"{day:%B %Y}" == month and record["Status"].casefold() == "active" and record.get("Letters") != "no"
        if due and number not in blocked | refusing:
            letters.append(
                _fill_values(record, day, plans[record["Plan"]], managers[record["Manager"]], moved.get(number))
            )
    return letters


def _fill_values(
    row: Row, day: datetime.date, plan: Row, manager: Row, moved: tuple[str, str, str] | None
) -> dict[str, str]:
    street, postcode, city = moved or (row["Street"], row["Postcode"], row["City"])
    names = ("Customer no.", "Title", "First name", "Last name", "Plan")
    return {
        **{name: str(row[name]) for name in names},
        "Street": street,
        "Postcode": str(postcode),
        "City": city,
        "Expires": f"{day.day} {day:%B %Y}",
        **{name: f"{plan[name]:,.2f}" for name in ("List price", "Renewal price")},
        "Terms": plan["Terms"],
        **{name: manager[name] for name in ("Manager", "Manager email", "Manager phone")},
    }


def _read_records(agent: Agent, sheet: str) -> list[Row]:
    records: list[Row] = []
    offset: int | None = 0
    while offset is not None:
        page = agent.call("read_records", path=BOOK, sheet=sheet, offset=offset, limit=1000)
        records += page["records"]
        offset = page.get("next_offset")
    return records


def _parse_day(value: str) -> datetime.date:
    """A day as a cell gives it, whether it is a date or text with points."""
    if match := re.fullmatch(r"(\d\d)\.(\d\d)\.(\d{4})", value):
        return datetime.date(int(match[3]), int(match[2]), int(match[1]))
    return datetime.date.fromisoformat(value[:10])


def _read_mails(agent: Agent) -> tuple[set[str], dict[str, tuple[str, str, str]]]:
    """The customers who want no letters, and new addresses."""
    refusing, moved = set(), {}
    for mail in read_mail_files(agent, "mails"):
        text = mail.get_content()
        number = re.findall(r"Customer no\. (\d+)", text)[0]
        if "do not send me any letters" in text:
            refusing.add(number)
        if match := re.search(r"address is now (.+?), (.+)\.$", text, re.MULTILINE):
            postcode, city = _split_city_line(match[2])
            moved[number] = (match[1], postcode, city)
    return refusing, moved


def _split_city_line(line: str) -> tuple[str, str]:
    """Postcode and city: the city is the words without a digit at the end."""
    match = re.fullmatch(r"(.*\d\S*) (.+)", line)
    assert match is not None, line  # noqa: S101 - a solver that fails is a failed proof
    return match[1], match[2]


def _too_long(agent: Agent) -> list[str]:
    """The numbers of the letters that take more than a page."""
    numbers = [block["text"].removeprefix(REFERENCE) for block in read_blocks(agent, FILE) if _is_opening(block)]
    starts = [place["page"] for place in agent.call("find_on_pages", path=FILE, query=REFERENCE.strip())["places"]]
    ends = [*starts[1:], agent.call("list_pages", path=FILE)["page_count"] + 1]
    return [number for number, start, end in zip(numbers, starts, ends, strict=True) if end - start > 1]


def _shrink_letters(agent: Agent, long: list[str], look: Mapping[str, float]) -> None:
    """A look for all paragraphs of some letters."""
    anchors, inside = [], False
    for block in read_blocks(agent, FILE):
        inside = block["text"].removeprefix(REFERENCE) in long if _is_opening(block) else inside
        if inside:
            anchors.append(block["anchor"])
    agent.call("format_document", path=FILE, edits=[{"anchors": anchors, "look": look}])


def _is_opening(block: Mapping[str, Any]) -> bool:
    return str(block.get("text", "")).startswith(REFERENCE)


def _look_at_pages(agent: Agent, count: int) -> None:
    for first in range(1, count + 1, 6):
        agent.call("render_pages", path=FILE, pages=f"{first}-{min(count, first + 5)}", dpi=50)


def _each_run(read: Any, change: Callable[[Any], object]) -> None:
    for paragraph in read.paragraphs:
        for run in paragraph.runs:
            change(run)


def _replace_text(work: Solved, old: str, new: str) -> None:
    """Another text in the first paragraph that holds the old one."""
    with open_edited(work.files / FILE) as read:
        paragraph = next(candidate for candidate in read.paragraphs if old in candidate.text)
        text = paragraph.text.replace(old, new, 1)
        paragraph.runs[0].text = text
        for run in paragraph.runs[1:]:
            run.text = ""
