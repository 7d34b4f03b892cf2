"""A manuscript with notes in brackets, dead references to figures, typed captions, and formulas in LaTeX."""

import datetime
import io
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from yardkit.state_init.documents import FieldCode, Noted, Paper, Piece
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import read_texts
from yardkit.state_init.names import Person, make_people
from yardkit.state_init.rendering.charts import ChartStyle, bar_chart
from yardkit.world import World, save_bytes, save_text

_TEXTS = read_texts(__file__, "footnotes_text.toml")
SECTIONS, DISPLAYED, INLINE = _TEXTS["sections"], _TEXTS["displayed"], _TEXTS["inline"]
TITLES, JOURNALS = _TEXTS["titles"], _TEXTS["journals"]
FIGURES = _TEXTS["figures"]
"""Caption, the sentence that refers to it, and the section in which it stands."""
DEAD = "Error! Reference source not found."
TO_COME = "(to be made)"
_MARK = re.compile(r"\{(\w)(?: ([^}]*))?\}")


@dataclass
class Text:
    """The article in the making: paragraphs by section as lists of sentences, with marks filled in."""

    sections: dict[str, list[list[str]]]
    figures: list[tuple[str, str]]
    notes: list[str]
    orphan: int
    own: dict[str, str] = field(default_factory=dict)
    displayed: dict[str, str] = field(default_factory=dict)

    def number(self, caption: str) -> int:
        return [name for name, _ in self.figures].index(caption) + 1


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Build the manuscript, an older one, its pictures, the rules of the journal, the mails, and the data."""
    authors = make_people(rng, 4)
    text = _make_text(rng)
    pictures = {caption: _draw_picture(rng, caption) for caption, _ in text.figures}
    title = "Nitrate in private wells: does depth explain it?"
    paper = _write_paper(world, text, title, [author.name for author in authors[:2]], pictures)
    paper.save(world.files / "article" / "nitrate_manuscript_v7.docx")
    older = _write_paper(world, _make_text(rng), title, [author.name for author in authors[:2]], {})
    older.save(world.files / "article" / "nitrate_manuscript_v6.docx")
    for number, data in enumerate(pictures.values(), 1):
        save_bytes(world.files / "article" / "figures" / f"fig_{number}.png", data)
    sent = world.now - datetime.timedelta(days=3)
    body = (
        f"Dear {authors[0].first},\n\nthank you for version 7. Please bring it into the form of our guidelines;\n"
        f"the reviewers like it.\n\n{authors[2].name}"
    )
    send_mail(world.files / "journal" / "editor.eml", authors[2], authors[0], "Your manuscript", body, sent)
    rows = "".join(f"{n},{rng.randrange(3, 60)},{rng.randrange(2, 900) / 10}\n" for n in range(1, 241))
    save_text(world.files / "article" / "wells.csv", f"well,depth_m,nitrate_mg_l\n{rows}")
    return {"file": "article/nitrate_manuscript_v7.docx", **_build_truth(text)}


def _make_text(rng: random.Random) -> Text:
    count = rng.randint(9, 12)
    writers = make_people(rng, count)
    notes = [_make_source(rng, who, title) for who, title in zip(writers, rng.sample(TITLES, count), strict=True)]
    sections = {name: [rng.sample(sentences, len(sentences))] for name, sentences in SECTIONS}
    orphan = rng.randint(3, count - 1)
    figures = [(caption, section) for caption, _, section in FIGURES]
    text = Text(sections, figures, notes, orphan)
    _number_marks(rng, text)
    _add_references(rng, text)
    _add_formulas(rng, text)
    for name, (sentences,) in text.sections.items():
        cut = rng.choice((2, 3))
        text.sections[name] = [sentences[:cut], sentences[cut:]]
    return text


def _make_source(rng: random.Random, who: Person, title: str) -> str:
    where = f"{rng.choice(JOURNALS)} {rng.randint(3, 60)}, p. {rng.randint(2, 400)}"
    return f"{who.last}, {who.first[0]}. ({rng.randint(1988, 2025)}): {title}. {where}."


def _number_marks(rng: random.Random, text: Text) -> None:
    """Number the marks: mostly ascending, two swapped, one note twice, two notes at one place, two real footnotes."""
    places = [
        (name, n)
        for name, (sentences,) in text.sections.items()
        for n, sentence in enumerate(sentences)
        if "{m}" in sentence
    ]
    numbers = [n for n in range(1, len(text.notes) + 1) if n != text.orphan]
    marks: list[str] = [str(n) for n in numbers]
    at = rng.randrange(1, len(marks) - 3)
    marks[at], marks[at + 1] = marks[at + 1], marks[at]
    both = rng.randrange(len(marks) - 1)
    marks[both : both + 2] = [f"{marks[both]}, {marks[both + 1]}"]
    single = [word for word in marks if "," not in word]
    marks.append(rng.choice(single[:4]))
    chosen = sorted(rng.sample(range(len(places)), len(marks) + 2))
    own = rng.sample(range(len(chosen)), 2)
    for order, place in enumerate(chosen):
        name, n = places[place]
        sentences = text.sections[name][0]
        mark = f"{{n {order}}}" if order in own else f"{{m {marks.pop(0)}}}"
        sentences[n] = sentences[n].replace("{m}", mark)
        if order in own:
            text.own[str(order)] = (
                f"See the report of the {rng.choice(('county', 'waterworks', 'ministry'))}, part {order + 1}."
            )
    for (sentences,) in text.sections.values():
        sentences[:] = [sentence.replace("{m}", "") for sentence in sentences]


def _add_references(rng: random.Random, text: Text) -> None:
    """A sentence for each figure in its section, and one figure mentioned a second time elsewhere."""
    for caption, sentence, section in FIGURES:
        text.sections[section][0].insert(rng.randrange(1, 4), sentence.replace("{r}", f"{{r {caption}}}"))
    again = rng.choice(FIGURES[:4])[0]
    subject = again[0].lower() + again[1:]
    text.sections["Discussion"][0].append(f"Against this stands {{r {again}}}, which gives the {subject}.")


def _add_formulas(rng: random.Random, text: Text) -> None:
    first_formula, two = rng.sample(DISPLAYED, 2)
    text.displayed = {"Methods": first_formula, "Results": two}
    for name, (latex, sentence) in zip(("Methods", "Results"), rng.sample(INLINE, 2), strict=True):
        text.sections[name][0].append(sentence.replace("{e}", f"{{e {latex.replace('{', '<').replace('}', '>')}}}"))


def _restore_latex_braces(body: str) -> str:
    return body.replace("<", "{").replace(">", "}")


def _split_pieces(paragraph: str, text: Text) -> list[Piece]:
    """A paragraph as it stands in the manuscript."""
    new_pieces: list[Piece] = []
    last = 0
    for match in _MARK.finditer(paragraph):
        kind, body = match[1], match[2]
        new_pieces.append(paragraph[last : match.start()])
        if kind == "m":
            new_pieces.append(f" [{body}]")
        elif kind == "r":
            new_pieces.append(FieldCode(f"REF _Ref{4711 + len(body)} \\h", DEAD))
        elif kind == "e":
            new_pieces.append(f"${_restore_latex_braces(body)}$")
        else:
            new_pieces.append(Noted("", text.own[body]))
        last = match.end()
    return [*(name for name in new_pieces if name != ""), paragraph[last:]]


def _finish_paragraph(paragraph: str, text: Text) -> tuple[str, list[tuple[str, str]]]:
    """A paragraph as it must read, and its notes, each with the text before its mark; formulas stay marks."""
    notes: list[tuple[str, str]] = []
    read = ""
    last = 0
    for match in _MARK.finditer(paragraph):
        read += paragraph[last : match.start()]
        kind, body = match[1], match[2]
        if kind == "m":
            notes += [(read, text.notes[int(number) - 1]) for number in body.split(", ")]
        elif kind == "n":
            notes.append((read, text.own[body]))
        else:
            read += f"Figure {text.number(body)}" if kind == "r" else match[0]
        last = match.end()
    return read + paragraph[last:], notes


def _build_truth(text: Text) -> dict[str, Any]:
    """What the article must hold at the end."""
    paragraphs = [" ".join(block) for blocks in text.sections.values() for block in blocks]
    before, after, notes, inline, references = [], [], [], [], []
    for paragraph in paragraphs:
        visible_text = "".join(_get_visible_text(piece) for piece in _split_pieces(paragraph, text))
        read, own = _finish_paragraph(paragraph, text)
        before.append(visible_text)
        notes += [list(note) for note in own]
        formula = re.search(r"\{e ([^}]*)\}", read)
        after.append(list(read.partition(formula[0])[::2]) if formula else [read])
        inline += [_restore_latex_braces(formula[1])] if formula else []
        references += [text.number(caption) for caption in re.findall(r"\{r ([^}]*)\}", paragraph)]
    return {
        "before": before,
        "after": after,
        "notes": notes,
        "added": [note for note in dict.fromkeys(text.notes) if note != text.notes[text.orphan - 1]],
        "orphan": f"[{text.orphan}] {text.notes[text.orphan - 1]}",
        "captions": [caption for caption, _ in text.figures],
        "references": references,
        "inline": inline,
        "displayed": list(text.displayed.values()),
        "pages": [list(dict(SECTIONS)).index(section) + 2 for _, section in text.figures],
    }


def _get_visible_text(piece: Piece) -> str:
    if isinstance(piece, FieldCode):
        return piece.result
    return piece if isinstance(piece, str) else ""


def _draw_picture(rng: random.Random, caption: str) -> bytes:
    """A chart that fits a caption."""
    kinds = {
        "Number of wells by municipality": (["Aldorf", "Berg", "Cree", "Dorn"], (8, 60)),
        "Depth of the wells": (["0-10 m", "10-20 m", "20-30 m", "30-40 m"], (5, 70)),
        "Nitrate by depth": (["0-10 m", "10-20 m", "20-30 m", "30-40 m"], (5, 80)),
        "Nitrate by month": (["Jan", "Mar", "May", "Jul", "Sep", "Nov"], (10, 60)),
        "Share of wells above the limit": (["Shallow", "Medium", "Deep"], (5, 55)),
    }
    categories, (least, most) = kinds[caption]
    values = [float(rng.randint(least, most)) for _ in categories]
    image = bar_chart("", categories, {"wells": values}, ChartStyle(value_labels=False), rng)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _write_paper(world: World, text: Text, title: str, authors: Sequence[str], pictures: Mapping[str, bytes]) -> Paper:
    """The manuscript; each section begins on a page of its own."""
    from docx.shared import RGBColor

    paper = Paper(title, author=authors[0], now=world.now, font="Cambria", accent="1F1F1F")
    paper.docx.styles["Caption"].font.color.rgb = RGBColor.from_string("404040")
    paper.header("Manuscript, version 7", "\t\t", authors[0])
    paper.footer("Page ", FieldCode("PAGE"))
    paper.add_heading(title, 0)
    paper.add_paragraph(", ".join(authors))
    paper.add_heading("Abstract")
    paper.add_paragraph(
        "We tested 240 private wells for nitrate and asked their owners for depth, age and use of each well."
    )
    paper.add_heading("List of figures")
    paper.add_paragraph(TO_COME)
    typed = iter((1, 2, 2, 4, 3))
    for name, blocks in text.sections.items():
        paper.add_heading(name).paragraph_format.page_break_before = True
        for number, sentences in enumerate(blocks):
            paper.add_paragraph(*_split_pieces(" ".join(sentences), text))
            if number == 0 and name in text.displayed:
                paper.add_paragraph(f"$${text.displayed[name]}$$")
        if name == "Methods":
            paper.add_paragraph("Table 1: Instruments", style="Caption")
            paper.table(
                [["Instrument", "Use"], ["Photometer", "Nitrate"], ["Sounding line", "Depth"]], widths_mm=[60, 60]
            )
        for caption, section in text.figures:
            if section == name:
                _add_figure(paper, f"Figure {next(typed)}: {caption}", pictures.get(caption))
    paper.add_heading("Notes").paragraph_format.page_break_before = True
    for number, note in enumerate(text.notes, 1):
        paper.add_paragraph(f"[{number}] {note}")
    return paper


def _add_figure(paper: Paper, caption: str, picture: bytes | None) -> None:
    if picture is not None:
        paper.add_picture(picture, 85, alt=caption.partition(": ")[2]).paragraph_format.keep_with_next = True
    paper.add_paragraph(caption, style="Caption", align="center")
