"""A thesis typed without styles, the faculty's rules for it, and its true outline."""

import datetime
import io
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.state_init.documents import Noted, Paper, Piece, Text
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import read_texts
from yardkit.state_init.names import Person, make_people
from yardkit.world import World, save_text

THESIS = "thesis/thesis_final.docx"
_TEXTS = read_texts(__file__)
TOPICS: Sequence[tuple[str, str, str, str]] = _TEXTS["topics"]
OUTLINE = _TEXTS["outline"]
SENTENCES = _TEXTS["sentences"]
ITALICS = ("ceteris paribus", "in situ", "a priori", "et al.", "per se", "de facto", "pars pro toto", "status quo")
FONTS = ("Arial", "Calibri", "Georgia", "Courier New")
CAPTIONS = ("{} counted in the first weeks", "{} by weekday", "{} before and after the change", "{} in comparison")


@dataclass(frozen=True)
class _Author:
    title: str
    places: str
    people: str
    owner: str
    person: Person
    rng: random.Random

    def make_paragraph(self, least: int = 4, most: int = 7) -> str:
        rng = self.rng
        return " ".join(
            sentence.format(
                count=rng.randint(11, 96),
                weeks=rng.randint(3, 19),
                minutes=rng.randint(2, 15),
                places=self.places,
                people=self.people,
                owner=self.owner.capitalize() if sentence.startswith("{owner}") else self.owner,
            )
            for sentence in rng.sample(SENTENCES, rng.randint(least, most))
        )


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Build the thesis, the rules, the outline, and older versions of all of them."""
    staff = make_people(rng, 3)
    author = _Author(*rng.choice(TOPICS), staff[0], rng)
    outline = _make_outline(rng)
    draft = _Draft(author, outline, rng)
    paper = Paper(author.title, author=author.person.name, now=world.now, font="Calibri")
    draft.write(paper)
    paper.save(world.files / THESIS)
    _write_rules(world, staff)
    _write_side_files(world, rng, author, outline, staff)
    return {
        "prompt": {},
        "headings": [[level, text] for level, text in _number_outline(outline)],
        "titles": [text for _, text in outline],
        "tables": [f"Table {number}: {text}" for number, text in enumerate(draft.tables, 1)],
        "figures": [f"Figure {number}: {text}" for number, text in enumerate(draft.figures, 1)],
        "cells": draft.cells,
        "italics": draft.italics,
        "texts": draft.texts,
        "contents": draft.contents,
        "front": [author.title, "Abstract"],
    }


def _make_outline(rng: random.Random) -> list[tuple[int, str]]:
    """The outline less one or two sections, so that numbers differ from seed to seed."""
    spare = ["Motivation", "Overview", "Outlook", "Simulations", "Recent studies"]
    gone = set(rng.sample(spare[:4], 2))
    return [(level, text) for level, text in OUTLINE if text not in gone]


def _number_outline(outline: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    counts = [0, 0, 0]
    for level, text in outline:
        counts[level - 1] += 1
        counts[level:] = [0] * (3 - level)
        yield level, f"{'.'.join(map(str, counts[:level]))} {text}"


class _Draft:
    """Writes the messy thesis and remembers what must survive."""

    def __init__(self, author: _Author, outline: Sequence[tuple[int, str]], rng: random.Random) -> None:
        self.author, self.outline, self.rng = author, outline, rng
        self.tables: list[str] = []
        self.figures: list[str] = []
        self.cells: list[list[list[str]]] = []
        self.italics: list[str] = []
        self.texts: list[str] = []
        self.contents: list[str] = []

    def write(self, paper: Paper) -> None:
        self._write_front(paper)
        old = [text for _, text in _wrongly_numbered(self.outline, self.rng)]
        for place, ((level, title), old_number) in enumerate(zip(self.outline, old, strict=True)):
            self._write_heading(paper, level, old_number)
            for number in range(self.rng.randint(2, 3) if level > 1 else self.rng.randint(1, 2)):
                self._body(paper, italic=number == 0)
            if level == 2 and place % 2:
                self._write_table(paper, wide=len(self.tables) == 1)
            elif title in ("Field studies", "Counting by sensor", "Differences over time"):
                self._write_figure(paper)

    def _write_front(self, paper: Paper) -> None:
        rng, author = self.rng, self.author
        section = paper.docx.sections[0]
        section.left_margin = section.right_margin = 720_000
        for text, size in ((author.title, 22.0), ("Master's thesis", 14.0), (author.person.name, 14.0)):
            paper.add_paragraph(Text(text, bold=size > 20, size_pt=size), align="center")
            self.texts.append(text)
            paper.add_paragraph()
        paper.page_break()
        paper.add_paragraph(Text("Abstract", bold=True, size_pt=15))
        self.texts.append("Abstract")
        paper.add_paragraph()
        for _ in range(2):
            self._body(paper, italic=False)
        paper.page_break()
        paper.add_paragraph(Text("Contents", bold=True, size_pt=15))
        page = 3
        for _, text in _wrongly_numbered(self.outline, rng):
            page += rng.choice((0, 0, 1))
            line = f"{text} {'.' * (60 - len(text))} {page}"
            self.contents.append(line)
            paper.add_paragraph(line)
        paper.page_break()

    def _write_heading(self, paper: Paper, level: int, text: str) -> None:
        """Large or bold text, and often an empty line below it instead of a distance."""
        rng = self.rng
        for _ in range(rng.choice((0, 1, 2)) if level > 1 else 2):
            paper.add_paragraph()
        heading_paragraph = paper.add_paragraph(Text(text, bold=True, size_pt={1: 17.0, 2: 13.0, 3: 11.0}[level]))
        heading_paragraph.runs[0].font.name = rng.choice(FONTS)
        if rng.random() < 0.6:
            paper.add_paragraph()

    def _body(self, paper: Paper, *, italic: bool) -> None:
        rng, text = self.rng, self.author.make_paragraph()
        pieces: list[Piece] = [text]
        if italic:
            term = rng.choice(ITALICS)
            pieces = [f"{text} This holds ", Text(term, italic=True), " for the rest of this section."]
            self.italics.append(term)
        if rng.random() < 0.15:
            pieces.append(Noted("", f"See the protocol of day {rng.randint(2, 60)}."))
        body_paragraph = paper.add_paragraph(*pieces, align=rng.choice(("", "", "left", "justify")))
        self.texts.append("".join(piece if isinstance(piece, str) else getattr(piece, "text", "") for piece in pieces))
        font, size = rng.choice((*FONTS, "")), rng.choice((10, 10.5, 11, 12))
        for run in body_paragraph.runs:
            if run.font.superscript:
                continue
            run.font.size = size * 12_700
            if font:
                run.font.name = font

    def _make_caption(self, kind: str, label: str) -> tuple[str, str]:
        """What the caption says, and as it was typed."""
        rng = self.rng
        text = rng.choice(CAPTIONS).format(self.author.people.capitalize())
        number = rng.randint(1, 9)
        typed = rng.choice((f"{label} {number} - {text}", f"{label} {number}: {text}", f"{kind} {number}. {text}"))
        return text, typed

    def _write_table(self, paper: Paper, *, wide: bool) -> None:
        rng = self.rng
        text, typed = self._make_caption("Table", "Tab.")
        self.tables.append(text)
        columns = 8 if wide else 4
        head = ["Place", *(f"Week {number}" for number in range(1, columns))]
        rows = [[f"Place {name}", *(str(rng.randint(20, 900)) for _ in head[1:])] for name in "ABCDEF"]
        self.cells.append([head, *rows])
        below = rng.random() < 0.7
        if not below:
            paper.add_paragraph(Text(typed, italic=rng.random() < 0.3))
        paper.table([head, *rows], widths_mm=[22.0] * columns if wide else [40.0, 30.0, 30.0, 30.0])
        last = paper.docx.paragraphs[-1]
        if below:
            last.add_run(typed)
        else:
            last._p.getparent().remove(last._p)

    def _write_figure(self, paper: Paper) -> None:
        text, typed = self._make_caption("Figure", "Fig.")
        self.figures.append(text)
        if self.rng.random() < 0.5:
            paper.add_paragraph(typed)
            paper.add_picture(_draw_picture(self.rng), 110, alt=text, align="left")
        else:
            paper.add_picture(_draw_picture(self.rng), 110, alt=text, align="left")
            paper.add_paragraph(typed)


def _wrongly_numbered(outline: Sequence[tuple[int, str]], rng: random.Random) -> Iterator[tuple[int, str]]:
    """Numbers as they were before chapters were moved, some of them missing."""
    for level, text in _number_outline(outline):
        number, _, title = text.partition(" ")
        first, *rest = number.split(".")
        moved = ".".join([str(int(first) % 5 + 1), *rest])
        yield level, rng.choice((f"{moved} {title}", f"{moved}. {title}", title))


def _draw_picture(rng: random.Random) -> bytes:
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (880, 420), "white")
    draw = ImageDraw.Draw(image)
    draw.line((60, 380, 850, 380), fill="black", width=3)
    draw.line((60, 30, 60, 380), fill="black", width=3)
    for place in range(7):
        top = rng.randint(60, 330)
        draw.rectangle((95 + 108 * place, top, 160 + 108 * place, 378), fill=(70, 110, 160))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


RULES = _TEXTS["rules"]


def _write_rules(world: World, staff: Sequence[Person]) -> None:
    paper = Paper("Formatting rules for theses", author=staff[1].name, now=world.now - datetime.timedelta(days=90))
    paper.add_heading("Formatting rules for theses, from 2026 on", 0)
    paper.table([["About", "Rule"], *map(list, RULES)], widths_mm=[30, 130])
    paper.save(world.files / "rules/formatting_rules_2026.docx")
    paper = Paper("Formatting rules", author=staff[1].name, now=world.now - datetime.timedelta(days=2000))
    paper.add_heading("Formatting rules for theses, 2019", 0)
    paper.add_bullets(["Arial, 11 points, two lines.", "Margins of 2 cm.", "Automatic numbers of headings."])
    paper.save(world.files / "rules/formatting_rules_2019.docx")


def _write_side_files(
    world: World, rng: random.Random, author: _Author, outline: Sequence[tuple[int, str]], staff: Sequence[Person]
) -> None:
    lines = "\n".join(f"{'  ' * (level - 1)}- {text}" for level, text in outline)
    save_text(world.files / "thesis/outline.md", f"# {author.title}\n\n{lines}\n")
    old = [pair for pair in outline if pair[1] != "Analysis"]
    rng.shuffle(old)
    lines = "\n".join(f"- {text}" for _, text in old)
    save_text(world.files / "thesis/old/outline_v1.md", f"# {author.title} (first idea)\n\n{lines}\n")
    for name in ("thesis_v1", "thesis_v2_comments"):
        paper = Paper(author.title, author=author.person.name, now=world.now - datetime.timedelta(days=60))
        for text in ("Introduction", "Methods"):
            paper.add_heading(text)
            paper.add_paragraph(author.make_paragraph())
        paper.save(world.files / f"thesis/old/{name}.docx")
    for name, subject, body in (
        ("supervisor", "Your thesis", "The text is fine now. Please mind the rules of 2026, not those of 2019."),
        ("library", "Handing in", "We take the printed thesis until 16:00, at the desk."),
    ):
        sent = world.now - datetime.timedelta(days=3)
        send_mail(world.files / f"mails/{name}.eml", staff[2], staff[0].email, subject, body, sent)
