"""Looks of the thesis that the rules state for all of its text, and those that they leave as they were."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.office.document_styles import Styles, qualify_word_name, read_attribute, read_styles
from yardkit.evaluators.readers.office.document_text import text_of
from yardkit.evaluators.readers.office.documents import Document, Look, Paragraph
from yardkit.evaluators.readers.office.packages import open_parts, parse_file
from yardkit.evaluators.submission import Submission

ROOM_MM = 150.0
"""Between the margins."""
LEAST_TABLE_PT = 9.0
_SINGLE = 240
_RUNNING = 80


def normalize_white_space(text: str) -> str:
    """A text without differences of white space."""
    return " ".join(text.split())


def closer_lines(submission: Submission, relative: str) -> list[str]:
    """The paragraphs of running text whose lines are not 1.5 lines apart; ones of titles and captions may be among."""
    spacings = parse_file(submission, relative, _read_spacings, "Word document")
    return [text for text, lines in spacings if len(text) > _RUNNING and abs(lines - 1.5) > 0.02]


def _read_spacings(path: Path) -> list[tuple[str, float]]:
    parts = open_parts(path)
    main = parts.find_main()
    styles, root = read_styles(parts, main), parts.xml(main)
    default = parts.xml(parts.list_related(main, "styles")[0]).find(
        f"{qualify_word_name('docDefaults')}/{qualify_word_name('pPrDefault')}/{qualify_word_name('pPr')}"
    )
    return [
        (
            normalize_white_space(text_of(node)),
            _read_line_distance(node.find(qualify_word_name("pPr")), styles, default),
        )
        for node in root.iter(qualify_word_name("p"))
    ]


def _read_line_distance(properties: Any, styles: Styles, default: Any) -> float:
    """The distance of lines as a multiple; 0 where it is an absolute one."""
    style = read_attribute(properties, "pStyle") or styles.default_paragraph
    sources = [
        properties,
        *(style_element.find(qualify_word_name("pPr")) for style_element in styles.iterate_chain(style)),
        default,
    ]
    stated = next((name for source in sources if (name := read_attribute(source, "spacing", "line"))), str(_SINGLE))
    rule = next((name for source in sources if (name := read_attribute(source, "spacing", "lineRule"))), "auto")
    return float(stated) / _SINGLE if rule == "auto" else 0.0


def other_looks(now: Document, before: Document) -> Iterator[str]:
    """Texts that are bold, coloured, underlined ... as they were not; letters of the title page that became smaller."""
    old = {
        normalize_white_space(paragraph.text): paragraph for paragraph in before.paragraphs if paragraph.text.strip()
    }
    for paragraph in now.paragraphs:
        was = old.get(normalize_white_space(paragraph.text))
        if was is None or paragraph.level or paragraph.style.casefold() == "toc heading":
            continue
        small = len(paragraph.text) <= _RUNNING and _find_smallest_size(paragraph) < _find_smallest_size(was) - 0.1
        if small or not _list_marks(paragraph) <= _list_marks(was):
            yield paragraph.text[:40]
    for table, stood in zip(now.tables, before.tables, strict=False):
        cells = zip(
            (cell for row in table.cells for cell in row), (c for row in stood.cells for c in row), strict=False
        )
        yield from (
            new.text[:40]
            for new, cell in cells
            if not _collect_marks(new.paragraphs) <= _collect_marks(cell.paragraphs)
        )


def _collect_marks(paragraphs: tuple[Paragraph, ...]) -> set[tuple[object, ...]]:
    return {mark for paragraph in paragraphs for mark in _list_marks(paragraph)}


def _list_marks(paragraph: Paragraph) -> set[tuple[object, ...]]:
    return {_describe_mark(run.look) for run in paragraph.runs if run.text.strip()}


def _describe_mark(look: Look) -> tuple[object, ...]:
    return look.bold, look.underline, look.strike, look.color, look.highlight


def _find_smallest_size(paragraph: Paragraph) -> float:
    return min((run.look.size_pt for run in paragraph.runs if run.text.strip()), default=0.0)


def small_in_tables(read: Document) -> list[str]:
    """Texts of tables in letters that are too small."""
    cells = (cell for table in read.tables for row in table.cells for cell in row)
    runs = (run for cell in cells for paragraph in cell.paragraphs for run in paragraph.runs if run.text.strip())
    return [run.text for run in runs if run.look.size_pt < LEAST_TABLE_PT]


def other_pictures(now: Document, before: Document) -> list[str]:
    """Pictures out of proportion, beyond the margins, or much smaller than they were and could be."""
    problems = []
    for new, old in zip(now.pictures, before.pictures, strict=False):
        wide, tall = new.width_mm / max(1, old.width_mm), new.height_mm / max(1, old.height_mm)
        fits = new.width_mm <= ROOM_MM + 1 and new.width_mm >= 0.66 * min(old.width_mm, ROOM_MM)
        problems += (
            [] if fits and abs(wide / max(1e-3, tall) - 1) < 0.03 else [f"{new.width_mm:g} x {new.height_mm:g} mm"]
        )
    return problems
