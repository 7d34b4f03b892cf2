"""Solutions and near misses of office/contract_redline."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf
from yardkit.evaluators.solving.solver import read_mail_file

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"
REPLACED = re.compile(r"Clause (\d+\.\d+): (.+) instead of (.+)\.")
Block = dict[str, Any]


class Task:
    """What the prompt, the mails and the standard answers say."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.author = re.findall(r"I am ([^.]+)\.", agent.prompt)[0]
        negotiator = re.findall(r"\. ([^.]+), who negotiates", agent.prompt)[0]
        self.path = re.findall(r"our agreement, `(\S+?)`", agent.prompt)[0]
        names = [entry["path"] for entry in agent.call("find_files", pattern="mail/*.eml")["entries"]]
        mails = [re.sub(r"\n  +", " ", read_mail_file(agent, name)) for name in sorted(names)]
        own = [text for text in mails if text.rstrip().endswith(negotiator) and "Clause" in text]
        self.instructions, self.corrections = own
        playbook = str(agent.call("read_file", path="playbook.md")["content"])
        self.answers = dict(re.findall(r"## (S\d)\n\n(.+)\n", playbook))

    def find(self, pattern: str) -> list[Any]:
        return re.findall(pattern, self.instructions)

    @property
    def values(self) -> dict[str, tuple[str, str]]:
        """New and old value by clause, after the corrections."""
        replacements = {number: (new, old) for number, new, old in REPLACED.findall(self.instructions)}
        number, right = re.findall(r"Clause (\d+\.\d+): it must be (.+?), not", self.corrections)[0]
        replacements[number] = (right, replacements[number][1])
        del replacements[re.findall(r"wrote about clause (\d+\.\d+)", self.corrections)[0]]
        return replacements

    def read_blocks(self) -> list[Block]:
        return list(self.agent.call("read_document", path=self.path, limit=500)["blocks"])

    def find_clause(self, number: str) -> Block:
        return next(block for block in self.read_blocks() if block.get("text", "").startswith(f"{number}\t"))

    def edit_contract(self, tool: str, **arguments: Any) -> None:
        self.agent.call(tool, path=self.path, track=True, author=self.author, **arguments)


def solve(agent: Agent) -> str:
    """Values clause by clause, then the term, the clauses, the rate, the comments."""
    task = Task(agent)
    _set_values(task)
    _replace_term(task)
    _strike_and_add(task)
    _set_rate(task)
    return f"All is in the contract.\n\n{_comment_threads(task)}"


def alternative_comments_first_and_saved_by_another_program(agent: Agent, files: Path) -> str:
    """In another order, text by text, and the file saved again by python-docx."""
    task = Task(agent)
    still_open = _comment_threads(task)
    _set_rate(task)
    _strike_and_add(task)
    _replace_term(task)
    _set_values(task)
    with open_edited(files / task.path):
        pass
    return f"Open threads:\n**{still_open}**"


def alternative_in_another_order_at_other_minutes(agent: Agent, files: Path) -> str:
    """The term first, insertions at another minute than deletions, and the new clause typed behind the end of one."""
    task = Task(agent)
    for step in (_replace_term, _set_values, _set_rate, _strike_and_add):
        step(task)
    still_open = _comment_threads(task)

    with open_edited(files / task.path) as read:
        for mark in list(read.element.iter(f"{W}ins")):
            mark.set(f"{W}date", mark.get(f"{W}date").replace("T09:00", "T09:41"))
        new = next(mark for mark in read.element.iter(f"{W}ins") if mark.getparent().getparent().tag == f"{W}pPr")
        clause = next(new.iterancestors(f"{W}p"))
        new.getparent().remove(new)
        properties = clause.getprevious().get_or_add_pPr()
        properties.append(properties.makeelement(f"{W}rPr", {}))
        properties[-1].append(new)
    return str(still_open)


edit_contract = partial(misses.make_edit_decorator, lambda work: str(work.facts["file"]))


def _find_clause(read: Any, work: Solved, kind: str = "value") -> Any:
    """The paragraph of the first clause of a kind that changes."""
    return _find_paragraph(read, next(clause for clause in work.facts["clauses"] if clause["kind"] == kind)["number"])


def _find_added(read: Any, work: Solved) -> Any:
    return _find_paragraph(read, work.facts["added"]["text"].split("\t")[0])


@edit_contract(caught_by="minimal")
def near_miss_sentences_typed_anew(read: Any, work: Solved) -> None:
    """A whole clause is struck and written again."""
    paragraph = _find_clause(read, work)
    mark = next(mark for mark in _list_changes(paragraph, work.facts["prompt"]["author"]) if mark.tag == f"{W}del")
    first = next(run for run in paragraph.findall(f"{W}r") if len(_read_element_text(run)) > 5)
    for text in first.iter(f"{W}t"):
        text.tag = f"{W}delText"
    mark.addprevious(first)
    mark.insert(0, first)


near_miss_changes_without_tracking = edit_contract(caught_by=("author", "rejectable"))(
    lambda read, work: _accept_changes(read, work.facts["prompt"]["author"])
)


@edit_contract(caught_by="author")
def near_miss_changes_by_nobody_in_particular(read: Any, work: Solved) -> None:
    """The name of a program stands at the changes."""
    for mark in _list_changes(read.element, work.facts["prompt"]["author"]):
        mark.set(f"{W}author", "Yardkit")


near_miss_changes_of_the_other_side_accepted = edit_contract(caught_by=("foreign", "kept"))(
    lambda read, work: _accept_changes(read, work.facts["prompt"]["counsel"])
)


@edit_contract(caught_by="values")
def near_miss_first_mail_only(read: Any, work: Solved) -> None:
    """The figure that was corrected is another one."""
    clause = next(candidate for candidate in work.facts["clauses"] if candidate["new"].endswith(" days"))
    runs = list(_find_paragraph(read, clause["number"]).iter(f"{W}ins"))
    for text in (piece for run in runs for piece in run.iter(f"{W}t")):
        text.text = "99" if text.text.strip().isdigit() else text.text.replace(clause["new"], "99 days")


@edit_contract(caught_by="bold")
def near_miss_new_figures_in_plain(read: Any, work: Solved) -> None:
    """What is inserted has lost its format."""
    for mark in _list_changes(read.element, work.facts["prompt"]["author"]):
        for bold in list(mark.iter(f"{W}b")):
            bold.getparent().remove(bold)


@edit_contract(caught_by="bold")
def near_miss_new_text_in_red(read: Any, work: Solved) -> None:
    """What is inserted is coloured by hand."""
    for mark in _list_changes(read.element, work.facts["prompt"]["author"]):
        _format_runs(mark, "color", "FF0000")


near_miss_rest_of_a_clause_in_italics = edit_contract(caught_by="looks")(
    lambda read, work: _format_runs(_find_clause(read, work), "i", "1")
)


@edit_contract(caught_by="added")
def near_miss_blank_instead_of_the_tab(read: Any, work: Solved) -> None:
    """The text of the new clause begins right behind its number."""
    for sign in [tab for tab in _find_added(read, work).iter(f"{W}tab") if tab.getparent().tag == f"{W}r"]:
        blank = sign.makeelement(f"{W}t", {"{http://www.w3.org/XML/1998/namespace}space": "preserve"})
        blank.text = " "
        sign.getparent().replace(sign, blank)


@edit_contract(caught_by="added")
def near_miss_new_clause_in_bold(read: Any, work: Solved) -> None:
    """The new clause does not look like its neighbours."""
    for mark in _find_added(read, work).iter(f"{W}ins"):
        _format_runs(mark, "b", "1")


@edit_contract(caught_by="rejectable")
def near_miss_blank_line_put_in(read: Any, work: Solved) -> None:
    """An empty paragraph, not tracked, stands between two clauses."""
    clause = _find_paragraph(read, work.facts["clauses"][0]["number"])
    clause.addnext(clause.makeelement(f"{W}p", {}))


@edit_contract(caught_by="remark")
def near_miss_comment_on_the_clause_before(read: Any, work: Solved) -> None:
    """Our own comment stands at another clause."""
    clause = _find_paragraph(read, work.facts["remark"]["number"])
    others = clause.itersiblings(f"{W}p", preceding=True)
    other = next(element for element in others if "\t" in _read_element_text(element))
    start, end, sign = _list_comment_marks(read, work.facts["remark"]["text"])
    other.extend([start, sign, end])


@edit_contract(caught_by="foreign")
def near_miss_comment_that_stands_nowhere(read: Any, work: Solved) -> None:
    """A comment of the other side has lost its text."""
    for mark in _list_comment_marks(read, next(iter(work.facts["resolved"]))):
        mark.getparent().remove(mark)


@edit_contract(caught_by="kept")
def near_miss_term_replaced_in_the_annex_too(read: Any) -> None:
    """The old word in the annex is gone."""
    for text in read.element.iter(f"{W}t"):
        if text.text and "deliverable" in text.text and "copies" in text.text:
            text.text = text.text.replace("deliverable", "work result")


@edit_contract(caught_by="struck")
def near_miss_empty_paragraph_left(read: Any) -> None:
    """The end of the struck paragraph is not struck."""
    for mark in list(read.element.iter(f"{W}del")):
        if mark.getparent().tag == f"{W}rPr" and mark.getparent().getparent().tag == f"{W}pPr":
            mark.getparent().remove(mark)


near_miss_answers_beside_the_threads = edit_contract(caught_by="replies")(
    lambda read: _change_states(read, lambda entry: entry.attrib.pop(f"{W15}paraIdParent", None))
)
near_miss_all_threads_resolved = edit_contract(caught_by="resolved")(
    lambda read: _change_states(read, lambda entry: entry.set(f"{W15}done", "1"))
)
near_miss_answers_counted = misses.change_answer(
    lambda work: len(work.facts["resolved"]) + len(work.facts["replies"]) + 1
)


@caught_by_leaf("others")
def near_miss_worked_in_a_copy(work: Solved) -> None:
    """A copy with another name lies beside."""
    path = work.files / work.facts["file"]
    path.with_stem(path.stem + "_redline").write_bytes(path.read_bytes())


def _set_values(task: Task) -> None:
    edits = []
    blocks = task.read_blocks()
    for number, (new, old) in task.values.items():
        block = next(record for record in blocks if record.get("text", "").startswith(f"{number}\t"))
        start, text = block["text"].split("\t")
        changed = re.sub(rf"\b{re.escape(old)}(?!\w)", new, text, count=1)
        edits.append({"op": "set_text", "anchor": block["anchor"], "text": f"{start}\t{changed}"})
    task.edit_contract("edit_blocks", edits=edits)


def _replace_term(task: Task) -> None:
    """In the clauses only: the annexes keep the word, and comments do."""
    better, term = task.find(r"\"([^\"]+)\" replaces \"([^\"]+)\"")[0]
    edits = [
        {"op": "set_text", "anchor": block["anchor"], "text": block["text"].replace(term, better)}
        for block in task.read_blocks()
        if re.match(r"\d+\.\d+\t", block.get("text", "")) and term in block["text"]
    ]
    task.edit_contract("edit_blocks", edits=edits)


def _strike_and_add(task: Task) -> None:
    struck = task.find(r"Strike clause (\d+\.\d+)")[0]
    number, behind, text = task.find(r"New clause (\d+\.\d+), behind (\d+\.\d+): (.+)")[0]
    after = task.find_clause(behind)
    new = {"text": f"{number}\t{text}", "literal": True, "style": after["style"]}
    edits = [
        {"op": "insert", "anchor": after["anchor"], "blocks": [new]},
        {"op": "delete", "anchor": task.find_clause(struck)["anchor"]},
    ]
    task.edit_contract("edit_blocks", edits=edits)


def _set_rate(task: Task) -> None:
    role, new = task.find(r"Annex A: (.+) costs (.+) instead of")[0]
    table = next(block for block in task.read_blocks() if block["kind"] == "table")
    row = next(number for number, cells in enumerate(table["rows"], 1) if cells[0] == role)
    edit = {"op": "set_cells", "range": f"B{row}", "values": [[new]]}
    task.edit_contract("edit_document_table", anchor=table["anchor"], edits=[edit])


def _comment_threads(task: Task) -> int:
    """Answer, resolve, reopen, and put our own comment; how many threads are open then."""
    edits = list(_on_threads(task))
    number, remark = task.find(r"comment of our own on clause (\d+\.\d+): (.+)")[0]
    edits.append({"op": "add", "anchor": task.find_clause(number)["anchor"], "comment": remark})
    task.agent.call("edit_comments", path=task.path, edits=edits, author=task.author)
    comments = task.agent.call("read_annotations", path=task.path, kind="comments")["comments"]
    return sum(not comment.get("resolved") and not comment.get("reply_to") for comment in comments)


def _on_threads(task: Task) -> Iterator[dict[str, str]]:
    comments = task.agent.call("read_annotations", path=task.path, kind="comments")["comments"]
    for number, what in task.find(r"on clause (\d+\.\d+): (.+)\."):
        anchor = task.find_clause(number)["anchor"]
        identity = next((comment["id"] for comment in comments if comment["anchor"] == anchor), "")
        if answered := re.search(r"standard answer (S\d)", what):
            yield {"op": "reply", "id": identity, "comment": task.answers[answered[1]]}
        if "reopen" in what or "resolve it" in what:
            yield {"op": "reopen" if "reopen" in what else "resolve", "id": identity}


def _read_element_text(element: Any) -> str:
    return "".join(
        "\t" if sign.tag == f"{W}tab" else sign.text or "" for sign in element.iter(f"{W}t", f"{W}delText", f"{W}tab")
    )


def _format_runs(parent: Any, name: str, value: str) -> None:
    """Give the runs directly in an element a property."""
    for run in parent.findall(f"{W}r"):
        properties = run.get_or_add_rPr()
        properties.append(properties.makeelement(f"{W}{name}", {f"{W}val": value}))


def _list_comment_marks(read: Any, text: str) -> list[Any]:
    """The marks of a comment in the text, its sign last."""
    identity = next(str(comment.comment_id) for comment in read.comments if comment.text == text)
    marks = read.element.iter(f"{W}commentRangeStart", f"{W}commentRangeEnd", f"{W}commentReference")
    comment_marks = [mark for mark in marks if mark.get(f"{W}id") == identity]
    return [mark.getparent() if mark.tag.endswith("Reference") else mark for mark in comment_marks]


def _find_paragraph(read: Any, number: str) -> Any:
    return next(
        paragraph for paragraph in read.element.iter(f"{W}p") if _read_element_text(paragraph).startswith(number)
    )


def _list_changes(element: Any, author: str) -> list[Any]:
    return [change for change in element.iter(f"{W}ins", f"{W}del") if change.get(f"{W}author") == author]


def _accept_changes(read: Any, author: str) -> None:
    for mark in _list_changes(read.element, author):
        if mark.tag == f"{W}ins":
            for child in list(mark):
                mark.addprevious(child)
        mark.getparent().remove(mark)


def _change_states(read: Any, change: Callable[[Any], object]) -> None:
    from lxml import etree

    part = next(candidate for candidate in read.part.package.iter_parts() if "commentsExtended" in candidate.partname)
    root = etree.fromstring(part.blob)
    for entry in root.iter(f"{W15}commentEx"):
        change(entry)
    part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
