"""Solutions and near misses of office/footnotes_fix."""

import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.office.footnotes_fix.editing import (
    edit_article,
    paragraph_of,
    read_text,
    replace_field_code,
    replace_text,
    text_run,
)
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.readers.engines.libreoffice import convert_files

FILE = "article/nitrate_manuscript_v7.docx"
DEAD = "Error! Reference source not found."
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MARK = re.compile(r" \[(\d+(?:, \d+)*)\]")
INLINE = re.compile(r"\$([\\a-z][^$]*)\$")
Block = dict[str, Any]


def solve(agent: Agent) -> str:
    """Captions first, so that references have something to lead to; then notes, formulas, the list."""
    _count_captions(agent)
    _add_references(agent)
    _place_notes(agent)
    _shorten_list(agent)
    _write_equations(agent)
    _list_figures(agent)
    return f"The article follows the guidelines.\n\n{_count_notes(agent)}"


def alternative_captions_written_anew(agent: Agent, files: Path) -> str:
    """Formulas first, captions as new blocks, and the file saved again by python-docx."""
    import docx

    _write_equations(agent)
    edits = []
    for caption in _list_captions(agent):
        new = {"kind": "caption", "text": caption["text"].partition(": ")[2], "align": "center", "literal": True}
        edits.append({"op": "replace", "anchor": caption["anchor"], "blocks": [new]})
    agent.call("edit_blocks", path=FILE, edits=edits)
    _add_references(agent)
    _shorten_list(agent, _place_notes(agent))
    _list_figures(agent)
    docx.Document(str(files / FILE)).save(str(files / FILE))
    return f"**{_count_notes(agent)}**"


def alternative_notes_last_and_bookmarks_of_our_own(agent: Agent, _files: Path) -> str:
    """The references lead to named bookmarks; the notes come last."""
    _count_captions(agent)
    names = {}
    edits = []
    for number, caption in enumerate(_list_captions(agent), 1):
        names[caption["text"].partition(": ")[2].lower()] = f"fig_{number}"
        edits.append(
            {"op": "bookmark", "anchor": caption["anchor"], "find": f"Figure {number}", "name": f"fig_{number}"}
        )
    agent.call("edit_references", path=FILE, edits=edits)
    for block, subject in _list_lost_references(agent):
        edit = {"op": "cross_reference", "anchor": block["anchor"], "find": DEAD, "name": names[subject]}
        agent.call("edit_references", path=FILE, edits=[edit])
    _list_figures(agent)
    _write_equations(agent)
    _shorten_list(agent, _place_notes(agent))
    return str(_count_notes(agent))


def alternative_saved_by_libreoffice_with_raised_marks(agent: Agent, files: Path) -> str:
    """Sequences with a switch, marks raised without a style; then saved by LibreOffice."""
    from docx.oxml import OxmlElement

    _count_captions(agent, r"SEQ Figure \* ARABIC")
    _add_references(agent)
    _shorten_list(agent, _place_notes(agent))
    _write_equations(agent)
    _list_figures(agent)
    with open_edited(files / FILE) as read:
        for mark in read.element.iter(f"{W}footnoteReference"):
            properties, raised = OxmlElement("w:rPr"), OxmlElement("w:vertAlign")
            raised.set(f"{W}val", "superscript")
            properties.append(raised)
            mark.getparent().replace(mark.getparent()[0], properties)
    convert_files({files / FILE: files / FILE}, "docx")
    return str(_count_notes(agent))


def alternative_codes_in_pieces(agent: Agent, files: Path) -> str:
    """Codes of fields are in small letters and stand in two runs, as Word leaves them after a correction."""
    answer = solve(agent)
    with open_edited(files / FILE) as read:
        for code in list(read.element.iter(f"{W}instrText")):
            run = code.getparent()
            rest = copy.deepcopy(run)
            text = re.sub(r"\b(REF|SEQ)\b", lambda word: word[0].lower(), code.text or "")
            code.text, rest.find(f"{W}instrText").text = text[:8], text[8:]
            run.addnext(rest)
    return answer


def alternative_sequence_of_another_name(agent: Agent, files: Path) -> str:
    """The sequence is called as the label is in another language, and so does the list call it, without a space."""
    answer = solve(agent)
    with open_edited(files / FILE) as read:
        for code in read.element.iter(f"{W}instrText"):
            code.text = re.sub(r"(SEQ |\\c) ?(\"?)Figure\b", r"\1\2Abbildung", code.text or "")
    return answer


@misses.edits_by(edit_article, caught_by="footnotes")
def near_miss_numbers_taken_in_the_order_of_the_list(root: Any, work: Solved) -> None:
    """The footnotes come in the order of the old list: two are swapped."""
    notes = [footnote_reference.get(f"{W}id") for footnote_reference in root.iter(f"{W}footnoteReference")]
    texts = [text for _, text in work.facts["notes"]]
    place = next(n for n in range(len(texts) - 1) if texts[n] != texts[n + 1])
    swapped = {notes[place]: notes[place + 1], notes[place + 1]: notes[place]}
    for mark in root.iter(f"{W}footnoteReference"):
        mark.set(f"{W}id", swapped.get(mark.get(f"{W}id"), mark.get(f"{W}id")))


@misses.edits_by(edit_article, caught_by="places")
def near_miss_marks_at_the_end_of_the_paragraph(root: Any) -> None:
    for mark in list(root.iter(f"{W}footnoteReference")):
        paragraph = next(mark.iterancestors(f"{W}p"))
        paragraph.append(mark.getparent())


@misses.edits_by(edit_article, caught_by="texts")
def near_miss_brackets_left_beside_the_footnotes(root: Any) -> None:
    for number, mark in enumerate(list(root.iter(f"{W}footnoteReference"))[:4], 1):
        run = mark.getparent()
        text_run(run, f" [{number}]")


near_miss_other_brackets_removed = misses.edits_by(edit_article, caught_by="texts")(
    lambda root: replace_text(root, " [0, 50]", "")
)


@misses.edits_by(edit_article, caught_by="left")
def near_miss_list_removed_with_the_orphan(root: Any, work: Solved) -> None:
    entry = next(paragraph for paragraph in root.iter(f"{W}p") if read_text(paragraph) == work.facts["orphan"])
    entry.getparent().remove(entry)


@misses.edits_by(edit_article, caught_by="captions")
def near_miss_captions_numbered_by_hand(root: Any) -> None:
    for code in [instruction for instruction in root.iter(f"{W}instrText") if "SEQ" in (instruction.text or "")]:
        code.text = " QUOTE 1 "


@misses.edits_by(edit_article, caught_by="references")
def near_miss_references_typed(root: Any) -> None:
    for code in [code for code in root.iter(f"{W}instrText") if re.search(r"\bREF", code.text or "")]:
        code.text = " QUOTE figure "


@misses.edits_by(edit_article, caught_by="references")
def near_miss_reference_to_the_neighbour(root: Any) -> None:
    """A reference leads to another figure, though it still shows the right number."""
    codes = [instruction for instruction in root.iter(f"{W}instrText") if re.search(r"\bREF", instruction.text or "")]
    codes[0].text, codes[1].text = codes[1].text, codes[0].text


@misses.edits_by(edit_article, caught_by="list")
def near_miss_list_typed(root: Any) -> None:
    for code in [instruction for instruction in root.iter(f"{W}instrText") if "TOC" in (instruction.text or "")]:
        code.text = " QUOTE list "


@misses.edits_by(edit_article, caught_by=("inline", "texts"))
def near_miss_formula_left_as_latex(root: Any, work: Solved) -> None:
    math = next(
        math for math in root.iter(f"{M}oMath") if math.getparent().tag == f"{W}p" and read_text(math.getparent())
    )
    text_run(math, f"${work.facts['inline'][0]}$")
    math.getparent().remove(math)


@misses.edits_by(edit_article, caught_by="displayed")
def near_miss_fraction_flattened(root: Any) -> None:
    for part in list(root.iter(f"{M}f")):
        for text in list(part.iter(f"{M}r")):
            part.addprevious(text)
        part.getparent().remove(part)


near_miss_caption_of_the_table_counted_too = misses.edits_by(edit_article, caught_by="kept")(
    lambda root: replace_text(root, "Table 1: Instruments", "Table 1. Instruments")
)


@misses.edits_by(edit_article, caught_by="seen")
def near_miss_marks_in_the_line(root: Any) -> None:
    for mark in root.iter(f"{W}footnoteReference"):
        mark.getparent().remove(mark.getprevious())


@misses.edits_by(edit_article, caught_by="seen")
def near_miss_hidden_word(root: Any) -> None:
    paragraph_of(root, "Figure 1: ").runs[-1].font.hidden = True


@misses.edits_by(edit_article, caught_by="captions")
def near_miss_numbers_set_one_by_one(root: Any) -> None:
    codes = [instruction for instruction in root.iter(f"{W}instrText") if "SEQ" in (instruction.text or "")]
    for number, code in enumerate(codes, 1):
        code.text = f" SEQ Figure \\r{number} "


@misses.edits_by(edit_article, caught_by="captions")
def near_miss_caption_above_its_picture(root: Any) -> None:
    caption = paragraph_of(root, "Figure 2: ")._p
    caption.getprevious().addprevious(caption)


@misses.edits_by(edit_article, caught_by="captions")
def near_miss_table_counted_too(root: Any) -> None:
    from docx.oxml import OxmlElement

    caption = paragraph_of(root, "Table 1: ")
    field, number = OxmlElement("w:fldSimple"), caption.add_run("1")._r
    field.set(f"{W}instr", r" SEQ Table \* ARABIC ")
    number.addprevious(field)
    field.append(number)
    caption.add_run(": Instruments")
    caption.runs[0].text = "Table "


near_miss_captions_of_two_sequences = misses.edits_by(edit_article, caught_by="captions")(
    lambda root: replace_field_code(root, "SEQ", "Figure", "Picture")
)
near_miss_numbers_anew_below_each_heading = misses.edits_by(edit_article, caught_by="captions")(
    lambda root: replace_field_code(root, "SEQ", "Figure", r"Figure \s 1")
)
"""When the fields are updated, the figures of each section begin with 1."""
near_miss_list_of_another_sequence = misses.edits_by(edit_article, caught_by="list")(
    lambda root: replace_field_code(root, "TOC", "Figure", "Picture")
)
"""The list shows the figures until it is updated; then it lists the captions of a sequence that is not there."""


@misses.edits_by(edit_article, caught_by="displayed")
def near_miss_fraction_upside_down(root: Any) -> None:
    part = next(formula for formula in root.iter(f"{M}f") if formula.getparent().tag == f"{M}oMath")
    above, below = part.find(f"{M}num"), part.find(f"{M}den")
    above[:], below[:] = list(below), list(above)


near_miss_formula_typed_beside_its_equation = misses.edits_by(edit_article, caught_by="texts")(
    lambda root: text_run(
        next(
            math for math in root.iter(f"{M}oMath") if math.getparent().tag == f"{W}p" and read_text(math.getparent())
        ),
        "a = 0 ",
    )
)


@misses.edits_by(edit_article, caught_by="dressed")
def near_miss_paragraph_in_other_letters(root: Any, work: Solved) -> None:
    for run in paragraph_of(root, work.facts["notes"][0][0][:30]).runs:
        run.font.name = "Liberation Mono"


@misses.edits_by(edit_article, caught_by="dressed")
def near_miss_caption_no_longer_centred(root: Any) -> None:
    paragraph_of(root, "Figure 1: ").alignment = 0


@misses.edits_by(edit_article, caught_by="dressed")
def near_miss_section_in_the_middle_of_a_page(root: Any) -> None:
    paragraph_of(root, "Methods").paragraph_format.page_break_before = False


near_miss_old_footnotes_not_counted = misses.change_answer(lambda work: len(work.facts["notes"]) - 2)


def _list_blocks(agent: Agent) -> list[Block]:
    return list(agent.call("read_document", path=FILE, limit=500)["blocks"])


def _list_captions(agent: Agent) -> list[Block]:
    return [
        block
        for block in _list_blocks(agent)
        if re.match(r"Figure \d+: ", block.get("text", "")) and "\t" not in block["text"]
    ]


def _count_captions(agent: Agent, code: str = "SEQ Figure") -> None:
    """Turn the typed numbers into fields that count."""
    edits = [
        {"op": "field", "anchor": caption["anchor"], "find": caption["text"].split(":")[0].split()[1], "code": code}
        for caption in _list_captions(agent)
    ]
    agent.call("edit_references", path=FILE, edits=edits)


def _list_lost_references(agent: Agent) -> Iterator[tuple[Block, str]]:
    """Each lost reference with the caption, in small letters, that its sentence names; one at a time."""
    captions = [caption["text"].partition(": ")[2].lower() for caption in _list_captions(agent)]
    while blocks := [block for block in _list_blocks(agent) if DEAD in block.get("text", "")]:
        sentences = re.split(r"(?<=\.) ", blocks[0]["text"].replace(DEAD, "@"))
        sentence = next(name for name in sentences if "@" in name).lower()
        yield (
            blocks[0],
            next(caption for caption in captions if all(word in sentence for word in re.findall(r"\w{3,}", caption))),
        )


def _add_references(agent: Agent) -> None:
    targets = {caption["text"].partition(": ")[2].lower(): caption["anchor"] for caption in _list_captions(agent)}
    for block, subject in _list_lost_references(agent):
        edit = {"op": "cross_reference", "anchor": block["anchor"], "find": DEAD, "target": targets[subject]}
        agent.call("edit_references", path=FILE, edits=[edit])


def _read_entries(agent: Agent) -> dict[str, str]:
    """The list at the end by number."""
    matches = (re.fullmatch(r"\[(\d+)\] (.+)", block.get("text", "")) for block in _list_blocks(agent))
    return {match[1]: match[2] for match in matches if match}


def _place_notes(agent: Agent) -> set[str]:
    """A footnote behind each bracket, then the brackets go; the numbers of the entries that became footnotes."""
    entries, edits, replacements = _read_entries(agent), [], []
    used: set[str] = set()
    for block in _list_blocks(agent):
        for match in MARK.finditer(block.get("text", "")):
            numbers = match[1].split(", ")
            if not set(numbers) <= set(entries):
                continue
            place = {"op": "add", "anchor": block["anchor"], "text": match[0]}
            edits += [{**place, "note": entries[number]} for number in reversed(numbers)]
            replacements.append({"find": match[0], "replace": ""})
            used |= set(numbers)
    agent.call("edit_notes", path=FILE, edits=edits)
    unique = [dict(items) for items in dict.fromkeys(tuple(replacement.items()) for replacement in replacements)]
    agent.call("replace_document_text", path=FILE, replacements=unique, stories=["body"], track=False)
    return used


def _shorten_list(agent: Agent, used: set[str] | None = None) -> None:
    """Take out the entries that are footnotes now."""
    notes = {note["note"] for note in agent.call("read_annotations", path=FILE, kind="notes")["notes"]}
    edits = []
    for block in _list_blocks(agent):
        match = re.fullmatch(r"\[(\d+)\] (.+)", block.get("text", ""))
        if match and (match[1] in used if used else match[2] in notes):
            edits.append({"op": "delete", "anchor": block["anchor"]})
    agent.call("edit_blocks", path=FILE, edits=edits)


def _write_equations(agent: Agent) -> None:
    for block in _list_blocks(agent):
        text = block.get("text", "")
        if match := re.fullmatch(r"\$\$(.+)\$\$", text):
            edit = {"op": "add", "anchor": block["anchor"], "latex": match[1], "display": True}
            agent.call("edit_equations", path=FILE, edits=[edit])
            agent.call("edit_blocks", path=FILE, edits=[{"op": "delete", "anchor": block["anchor"]}])
        elif match := INLINE.search(text):
            edit = {"op": "add", "anchor": block["anchor"], "text": match[0], "latex": match[1]}
            agent.call("edit_equations", path=FILE, edits=[edit])
            replacement = {"find": match[0], "replace": ""}
            agent.call("replace_document_text", path=FILE, replacements=[replacement], stories=["body"])


def _list_figures(agent: Agent) -> None:
    line = next(block for block in _list_blocks(agent) if block.get("text") == "(to be made)")
    edit = {"op": "replace", "anchor": line["anchor"], "blocks": [{"kind": "figures"}]}
    agent.call("edit_blocks", path=FILE, edits=[edit])
    agent.call("edit_references", path=FILE, update=True)


def _count_notes(agent: Agent) -> int:
    return int(agent.call("read_annotations", path=FILE, kind="notes")["total"])
