"""Solutions and near misses of office/minutes_changes."""

import re
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solving.solver import read_blocks

HEADER = ["No.", "Action", "Owner", "Due"]
ACTION = re.compile(r"ACTION: (.+?) to (.+) by (\d+ \w+ \d{4})\.")
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"


def solve(agent: Agent) -> str:
    """Settle by author, resolve by last reply, write the table over its line."""
    path, accepted, rejected = _read_names(agent)
    agent.call("settle_changes", path=path, action="accept", authors=[accepted])
    agent.call("settle_changes", path=path, action="reject", authors=[rejected])
    still_open = _resolve_threads(agent, path)
    _list_actions(agent, path)
    return f"The minutes are finished.\n\n{still_open}"


def alternative_change_by_change_and_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Comments first, changes one by one, and the file saved again by python-docx."""
    import docx

    path, accepted, rejected = _read_names(agent)
    still_open = _resolve_threads(agent, path)
    for author, action in ((rejected, "reject"), (accepted, "accept")):
        changes = agent.call("read_annotations", path=path, kind="changes", author=author)["changes"]
        agent.call("settle_changes", path=path, action=action, ids=[change["id"] for change in changes])
    _list_actions(agent, path)
    docx.Document(str(files / path)).save(str(files / path))
    return f"There are {still_open} comments that are still open:\n**{still_open}**"


def alternative_a_plain_table_with_points_and_numbers_with_dots(agent: Agent, files: Path) -> str:
    """A table without style, made by another library, its numbers written as 1. and 2."""
    path, accepted, rejected = _read_names(agent)
    agent.call("settle_changes", path=path, action="accept", authors=[accepted])
    agent.call("settle_changes", path=path, action="reject", authors=[rejected])
    still_open = _resolve_threads(agent, path)
    with open_edited(files / path) as read:
        line = next(paragraph for paragraph in read.paragraphs if paragraph.text == _find_placeholder(agent))
        rows = [HEADER, *([f"{row[0]}.", *row[1:]] for row in _read_action_items(agent, path))]
        table = read.add_table(len(rows), 4)
        for cells, row in zip(table.rows, rows, strict=True):
            for cell, text in zip(cells.cells, row, strict=True):
                cell.text = text
        line._p.addprevious(table._tbl)
        line._p.getparent().remove(line._p)
    return str(still_open)


def alternative_numbers_by_a_list_and_capitals(agent: Agent, files: Path) -> str:
    """The rows are numbered by a list, and each cell begins with a capital, as Word has it."""
    answer, path = solve(agent), _read_names(agent)[0]

    with open_edited(files / path) as read:
        for row in _find_action_table(read).rows[1:]:
            number, *others = (cell.paragraphs[0] for cell in row.cells)
            number.runs[0].text, number.style = "", read.styles["List Number"]
            for other in others:
                other.runs[0].text = other.runs[0].text[:1].upper() + other.runs[0].text[1:]
    return answer


def _get_minutes_name(work: Solved) -> str:
    return str(work.facts["file"])


@misses.make_edit_decorator(_get_minutes_name, caught_by=("left_open", "kept"))
def near_miss_everything_accepted_but_what_is_rejected(read: Any) -> None:
    _accept_all(read)


@misses.make_edit_decorator(_get_minutes_name, caught_by=("accepted", "listed"))
def near_miss_due_day_from_before_the_change(read: Any, work: Solved) -> None:
    """An accepted change of a due day is undone, in the text and in the table."""
    moved = work.facts["changed_actions"][0]
    new, old = (text.rpartition(" by ")[2].rstrip(".") for text in (moved["new"], moved["old"]))
    for text in read.element.iter(f"{W}t"):
        if text.text and new in text.text:
            text.text = text.text.replace(new, old)


@misses.make_edit_decorator(_get_minutes_name, caught_by="rejected")
def near_miss_deletion_rejected_but_insertion_kept(read: Any, work: Solved) -> None:
    edit = next(known for known in work.facts["edits"] if known["by"] == work.facts["prompt"]["rejected"])
    paragraph = next(candidate for candidate in read.paragraphs if candidate.text == edit["old"])
    paragraph.runs[0].text += " " + edit["new"]


edited = partial(misses.edit_file, _get_minutes_name)
near_miss_every_thread_with_a_done_resolved = edited(lambda read: _mark_all(read, "1"), "resolved")


@misses.make_edit_decorator(_get_minutes_name, caught_by="listed")
def near_miss_rejected_action_listed(read: Any, work: Solved) -> None:
    owner, what, due = ACTION.findall(work.facts["phantom"])[0]
    table = _find_action_table(read)
    for cell, text in zip(table.add_row().cells, ["6", what, owner, due], strict=True):
        cell.text = text


near_miss_table_below_another_heading = edited(
    lambda read: read.element.body[-1].addprevious(_find_action_table(read)._tbl), ("listed", "laid_out", "kept")
)


@misses.make_edit_decorator(_get_minutes_name, caught_by="listed")
def near_miss_rows_by_owner(read: Any) -> None:
    rows = list(_find_action_table(read)._tbl.iter(f"{W}tr"))[1:]
    for row in reversed(rows):
        rows[0].getparent().append(row)


near_miss_empty_row_at_the_end = edited(lambda read: _find_action_table(read).add_row(), "listed")
near_miss_remark_below_the_table = edited(
    lambda read: _find_action_table(read)._tbl.addnext(read.add_paragraph("All action items are listed.")._p),
    "laid_out",
)


@misses.make_edit_decorator(_get_minutes_name, caught_by="laid_out")
def near_miss_rows_in_white(read: Any) -> None:
    from docx.shared import RGBColor

    for run in (r for row in _find_action_table(read).rows[1:] for cell in row.cells for r in cell.paragraphs[0].runs):
        run.font.color.rgb = RGBColor(255, 255, 255)


@misses.make_edit_decorator(_get_minutes_name, caught_by="dressed")
def near_miss_accepted_text_in_bold(read: Any, work: Solved) -> None:
    edit = next(known for known in work.facts["edits"] if known["by"] == work.facts["prompt"]["accepted"])
    for run in next(paragraph for paragraph in read.paragraphs if paragraph.text == edit["new"]).runs:
        run.bold = True


@misses.make_edit_decorator(_get_minutes_name, caught_by="dressed")
def near_miss_end_of_the_rejected_paragraph_left(read: Any) -> None:
    line = [paragraph for paragraph in read.paragraphs if paragraph.text.startswith("ACTION: ")][2]
    line._p.addnext(line._p.makeelement(f"{W}p", {}))


@misses.make_edit_decorator(_get_minutes_name, caught_by="threads")
def near_miss_comment_that_stands_nowhere(read: Any) -> None:
    marks = f"{W}commentRangeStart", f"{W}commentRangeEnd", f"{W}commentReference"
    first = next(read.element.iter(marks[0])).get(f"{W}id")
    for mark in [candidate for candidate in read.element.iter(*marks) if candidate.get(f"{W}id") == first]:
        mark.getparent().remove(mark)


near_miss_placeholder_kept = edited(
    lambda read, work: _find_action_table(read)._tbl.addnext(
        read.add_paragraph(work.facts["prompt"]["placeholder"])._p
    ),
    "laid_out",
)


@misses.make_edit_decorator(_get_minutes_name, caught_by="kept")
def near_miss_all_text_in_one_format(read: Any) -> None:
    for paragraph in read.paragraphs:
        for run in paragraph.runs:
            run.bold = None


near_miss_replies_counted = misses.change_answer(lambda _: "12")
near_miss_draft_tidied_away = misses.delete_file("minutes/*_draft.docx", caught_by="others")


def _find_action_table(read: Any) -> Any:
    return next(table for table in read.tables if table.rows[0].cells[0].text == "No.")


def _accept_all(read: Any) -> None:
    for mark in list(read.element.iter(f"{W}del")):
        mark.getparent().remove(mark)
    for mark in list(read.element.iter(f"{W}ins")):
        for child in list(mark):
            mark.addprevious(child)
        mark.getparent().remove(mark)


def _mark_all(read: Any, done: str) -> None:
    from lxml import etree

    part = next(candidate for candidate in read.part.package.iter_parts() if "commentsExtended" in candidate.partname)
    root = etree.fromstring(part.blob)
    for entry in root.iter(f"{W15}commentEx"):
        entry.set(f"{W15}done", done)
    part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _read_names(agent: Agent) -> tuple[str, str, str]:
    """The file, whose changes are accepted, and whose are rejected."""
    path = re.findall(r"`(minutes/\S+?)`", agent.prompt)[0]
    accepted, rejected = re.findall(r"(?:Accept|Reject) all changes of ([^.]+)\.", agent.prompt)
    return path, accepted, rejected


def _find_placeholder(agent: Agent) -> str:
    return str(re.findall(r"in place of the line \"(.+?)\"", agent.prompt)[0])


def _resolve_threads(agent: Agent, path: str) -> int:
    """Resolve the threads whose last reply says so; how many are open after it."""
    comments = agent.call("read_annotations", path=path, kind="comments")["comments"]
    threads = {comment["id"]: [comment] for comment in comments if not comment.get("reply_to")}
    for comment in comments:
        if comment.get("reply_to"):
            threads[comment["reply_to"]].append(comment)
    still_open = {first: comments for first, comments in threads.items() if not comments[0].get("resolved")}
    done = [
        first
        for first, comments in still_open.items()
        if len(comments) > 1 and comments[-1]["comment"].strip() == "Done."
    ]
    agent.call("edit_comments", path=path, edits=[{"op": "resolve", "id": identity} for identity in done])
    return len(still_open) - len(done)


def _read_action_items(agent: Agent, path: str) -> list[list[str]]:
    action_fields = [
        match.groups() for block in read_blocks(agent, path) if (match := ACTION.match(block.get("text", "")))
    ]
    return [[str(number), what, owner, due] for number, (owner, what, due) in enumerate(action_fields, 1)]


def _list_actions(agent: Agent, path: str) -> None:
    line = next(block for block in read_blocks(agent, path) if block.get("text") == _find_placeholder(agent))
    table = {"kind": "table", "rows": [HEADER, *_read_action_items(agent, path)]}
    edit = {"op": "replace", "anchor": line["anchor"], "blocks": [table]}
    agent.call("edit_blocks", path=path, edits=[edit], track=False)
    new_table = [block for block in read_blocks(agent, path) if block["kind"] == "table"][-1]
    head = {"op": "format", "range": "1:1", "bold": True, "shading": "D9E2F3"}
    agent.call("edit_document_table", path=path, anchor=new_table["anchor"], edits=[head], track=False)
