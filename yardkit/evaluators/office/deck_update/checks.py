"""The deck reports on the new month everywhere: charts, tiles, sentences, table, notes; the rest is as it was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.office.deck_update.looks import list_unlabelled, other_colors, other_furniture, other_words
from yardkit.evaluators.readers.answers import read_number
from yardkit.evaluators.readers.files import only_changed, require_file
from yardkit.evaluators.readers.office.presentations import Deck, Shape, read_deck
from yardkit.evaluators.readers.pages.rendered import find_outside, find_overlaps, render_slides
from yardkit.evaluators.submission import Submission

if TYPE_CHECKING:
    from yardkit.state_init.office.deck_update import DeckUpdateFacts as Facts

FILE = "decks/monthly_review_2026-03.pptx"
TILES = ("Revenue", "Orders", "Average order", "On time")
MESSAGES = {"Message regions": 3, "Message plan": 4, "Message groups": 5}
CHARTS = ("3", "4", "5")
NOTES = (2, 3, 6)
HALF = 0.05 + 1e-9
"""By how much a value of a chart may be rounded."""
REGIONS = leaves.DeckChart(FILE, 3, lambda facts: facts["exact"]["3"], HALF)
PLAN = leaves.DeckChart(FILE, 4, lambda facts: facts["exact"]["4"], HALF)
GROUPS = leaves.DeckChart(FILE, 5, lambda facts: facts["exact"]["5"], HALF)
_NUMBER = re.compile(r"[+\-\u2212]?\d+(?:,\d{3})*(?:\.\d+)?")


def _matches_wording(text: str, facts: Facts, key: str) -> bool:
    """Whether a text has the wanted words and figures; a figure may be rounded in another of the ways left open."""
    return _reads_as_expected(text, facts["texts"][key], facts["others"].get(key, ()))


def _reads_as_expected(text: str, expected_text: str, others: Sequence[str] = ()) -> bool:
    normalized = " ".join(text.replace("\u2212", "-").split())
    if _NUMBER.sub("#", normalized).casefold() != _NUMBER.sub("#", expected_text).casefold():
        return False
    ways = zip(*map(_NUMBER.findall, (expected_text, *others)), strict=True)
    figures = zip(_NUMBER.findall(normalized), ways, strict=True)
    return all(any(_same_figure(here, way) for way in forms) for here, forms in figures)


def _same_figure(here: str, expected_figure: str) -> bool:
    """The same value, with the same separators, decimals and signs."""
    form, other_form = (("," in name, name[0] in "+-", len(name.partition(".")[2])) for name in (here, expected_figure))
    return form == other_form and Decimal(here.replace(",", "")) == Decimal(expected_figure.replace(",", ""))


def _list_shapes(read: Deck, number: int) -> Sequence[Shape]:
    """The shapes of a slide; none where the deck has fewer."""
    return read.slides[number - 1].shapes if len(read.slides) >= number else ()


def _find_wrong(facts: Facts, texts: dict[str, str]) -> Finding:
    """Compare texts, by their keys in the facts."""
    wrong = {key: (text, facts["texts"][key]) for key, text in texts.items() if not _matches_wording(text, facts, key)}
    return make_finding(not wrong, f"what they say and should say: {wrong}")


def _check_titles(submission: Submission, facts: Facts) -> Finding:
    read = read_deck(submission, FILE)
    titles = {f"title {number}": "" for number in range(1, 7)}
    titles |= {f"title {slide.number}": slide.title for slide in read.slides[:6]}
    subtitles = [shape.text for shape in _list_shapes(read, 1) if shape.role == "subtitle"]
    return _find_wrong(facts, {**titles, "Subtitle": (subtitles or [""])[0]})


def _check_tiles(submission: Submission, facts: Facts) -> Finding:
    """In each tile stand its label, below it its value, below that its change, and no other text."""
    shapes, wrong = _list_shapes(read_deck(submission, FILE), 2), {}
    for number, tile in enumerate(TILES):
        inside = sorted((shape for shape in shapes if _in_tile(shape, number)), key=lambda shape: shape.box_mm[1])
        label, *texts = [line.text for shape in inside for line in shape.lines if line.text.strip()] or [""]
        keys = [f"{tile} {part}" for part in ("value", "change")]
        if label != tile or len(texts) != 2 or not all(map(_matches_wording, texts, [facts] * 2, keys)):
            wrong[tile] = ([label, *texts], [facts["texts"][key] for key in keys])
    return make_finding(not wrong, f"tiles with what they say and should say: {wrong}")


def _in_tile(shape: Shape, number: int) -> bool:
    left, top, width, height = shape.box_mm
    across, down = left + width / 2, top + height / 2
    return 20 + 76.2 * number <= across <= 90 + 76.2 * number and 58 <= down <= 116


def _check_sentences(submission: Submission, facts: Facts) -> Finding:
    read, messages = read_deck(submission, FILE), {}
    for message, number in MESSAGES.items():
        texts = [shape.text for shape in _list_shapes(read, number) if shape.role != "title" and shape.text.strip()]
        messages[message] = texts[0] if len(texts) == 1 else f"{len(texts)} texts"
    return _find_wrong(facts, messages)


def _check_customers(submission: Submission, facts: Facts) -> Finding:
    tables = [shape.table for shape in _list_shapes(read_deck(submission, FILE), 6) if shape.table]
    rows = [list(row) for row in tables[0]] if len(tables) == 1 else []
    expected_table = [["Rank", "Customer", "Region", "Revenue"], *facts["table"]]
    same = [len(row) for row in rows] == [4] * len(expected_table) and all(
        _reads_as_expected(cell, other, facts["others"].get(f"customer {number}", ()) if column == 3 else ())
        for number, (row, line) in enumerate(zip(rows, expected_table, strict=True))
        for column, (cell, other) in enumerate(zip(row, line, strict=True))
    )
    return make_finding(same, f"the table says {rows[:6]}, expected {expected_table}")


def _check_notes(submission: Submission, facts: Facts) -> Finding:
    notes = dict.fromkeys((f"notes {number}" for number in NOTES), "")
    slides = read_deck(submission, FILE).slides
    return _find_wrong(
        facts, notes | {f"notes {slide.number}": slide.notes for slide in slides if slide.number in NOTES}
    )


def _check_single_lines(submission: Submission, facts: Facts) -> Finding:
    """On the page, each value stands on one line in its tile, and the texts keep clear of each other."""
    read, page, wrong = read_deck(submission, FILE), render_slides(submission, FILE, [2])[2], []
    mm = page.width / read.width_mm
    for number, key in enumerate(f"{tile} value" for tile in TILES):
        texts = [shape.text for shape in _list_shapes(read, 2) if _in_tile(shape, number)]
        text = next((text for text in texts if _matches_wording(text, facts, key)), "")
        left, right = (20 + 76.2 * number) * mm, (90 + 76.2 * number) * mm
        boxes = [box for box in page.find(text) if left - 1 <= box[0] and box[2] <= right + 1] if text else []
        heights = [word.box[3] - word.box[1] for word in page.words if word.text in text.split()]
        if not any(box[3] - box[1] <= max(heights, default=0.0) * 1.4 for box in boxes):
            wrong.append(text or facts["texts"][key])
    clear = not find_overlaps(page, 0.15) and not find_outside(page)
    return make_finding(not wrong and clear, f"not on one line in their tiles: {wrong}; clear of each other: {clear}")


def _check_answer(submission: Submission, facts: Facts) -> Finding:
    texts = [facts["texts"]["Revenue value"], *facts["others"].get("Revenue value", ())]
    expected_amounts = [int(text.removeprefix("EUR ").replace(",", "")) for text in texts]
    return make_finding(read_number(submission.answer) in expected_amounts, f"expected {expected_amounts[0]}")


def _list_expected_changes(facts: Facts) -> tuple[str, ...]:
    """What has to change, by the titles from before."""
    titles = {number: facts["was"][f"title {number}"] for number in range(1, 7)}
    shapes = [(number, "Title*") for number in titles]
    shapes += [(1, "Subtitle"), *((2, f"{tile} {part}") for tile in TILES for part in ("value", "change"))]
    shapes += [*((number, name) for name, number in MESSAGES.items()), *((int(n), f"Chart {n}") for n in CHARTS)]
    shapes.append((6, "Customers"))
    return (
        *(f"title#{title}" for title in titles.values()),
        *(f"shape#{titles[number]}!{name}" for number, name in shapes),
        *(f"notes#{titles[number]}" for number in NOTES),
    )


def _check_places(submission: Submission, _facts: Facts) -> Finding:
    """Nothing lies beyond the slides, every slide is shown as before, with the shapes that it had, in their places."""
    read, old = read_deck(submission, FILE), read_deck(submission.untouched, FILE)
    off = [shape.name for slide in read.slides for shape in read.off_slide(slide)]
    slides, before = ([(len(slide.shapes), slide.hidden) for slide in deck.slides] for deck in (read, old))
    moved = [
        shape.name
        for slide in old.slides
        for shape in slide.shapes
        if not any(_is_in_position(other, shape) for other in _list_shapes(read, slide.number))
    ]
    evidence = f"beyond the slide: {off}; not in their places: {moved}; shapes by slide, hidden: {slides}, {before}"
    return make_finding(not off and not moved and slides == before, evidence)


def _is_in_position(here: Shape, before: Shape) -> bool:
    """Whether a shape stands where it stood; in the tiles some room may be made."""
    leeway = 12 if before.name.endswith((" value", " change")) else 3
    return here.name == before.name and all(
        abs(a - b) <= leeway for a, b in zip(here.box_mm[:2], before.box_mm[:2], strict=True)
    )


def _check_design(submission: Submission, _facts: Facts) -> Finding:
    """Fonts, colours and grounds are those of last month, and so is what belongs to the charts."""
    problems = [*other_furniture(submission, FILE), *other_words(submission, FILE), *other_colors(submission, FILE)]
    return make_finding(not problems, "; ".join(problems[:6]) or "all looks as it did")


def _check_labels(submission: Submission, facts: Facts) -> Finding:
    """On the page each column and slice has its figure with one decimal."""
    lost = {
        number: list_unlabelled(submission, FILE, int(number), facts["exact"][number]["series"]) for number in CHARTS
    }
    return make_finding(not any(lost.values()), f"figures that are not to be seen, by slide: {lost}")


def _check_others(submission: Submission, _facts: Facts) -> Finding:
    require_file(submission, FILE)
    return only_changed(submission, FILE)


FILE_ITSELF = (f"file:{FILE}",)
ALL = tuple(f"{kind}:{FILE}" for kind in ("slides", "titles", "texts", "notes", "charts", "pictures", "shapes"))


def _list_targets(kind: str, *slides: int) -> tuple[str, ...]:
    return tuple(f"{kind}:{FILE}#{number}" for number in slides)


TITLES = (*_list_targets("titles", *range(1, 7)), *_list_targets("texts", *range(1, 7)))
TILE_TEXTS, MESSAGE_TEXTS = _list_targets("texts", 2), _list_targets("texts", 3, 4, 5)
CHECKS = make_group(
    "deck_update",
    "The deck reports on the new month",
    make_group(
        "charts",
        "The charts show the new month",
        REGIONS.check_update("regions", "Revenue by region of both months", weight=2),
        PLAN.check_update("plan", "Revenue against plan with one month more", weight=2),
        GROUPS.check_update("groups", "Shares of the product groups"),
        leaves.all_of(
            "editable",
            "The workbooks inside hold the new figures",
            *(chart.check_sources("", "") for chart in (REGIONS, PLAN, GROUPS)),
        ),
        weight=4,
    ),
    make_group(
        "texts",
        "Texts, table and notes are of the new month",
        make_checkpoint("titles", "Titles and subtitle", _check_titles, covers=TITLES),
        make_checkpoint("tiles", "Values and changes in the tiles", _check_tiles, covers=TILE_TEXTS, weight=2),
        make_checkpoint("sentences", "Sentences beside the charts", _check_sentences, covers=MESSAGE_TEXTS, weight=2),
        make_checkpoint(
            "customers",
            "The table of the largest customers",
            _check_customers,
            covers=_list_targets("texts", 6),
            weight=2,
        ),
        make_checkpoint("notes", "Speaker notes", _check_notes, covers=_list_targets("notes", *NOTES)),
        weight=5,
    ),
    make_group(
        "look",
        "The slides are tidy",
        make_checkpoint(
            "one_line", "Each value is on one line in its tile", _check_single_lines, covers=TILE_TEXTS, kind="format"
        ),
        leaves.all_of(
            "whole",
            "No column is cut off at its top",
            REGIONS.check_scale("", ""),
            PLAN.check_scale("", ""),
            kind="format",
        ),
        make_checkpoint(
            "labels", "Each column and slice has its figure", _check_labels, covers=FILE_ITSELF, kind="format"
        ),
        leaves.check_looked_at("The slides were looked at", FILE),
        weight=2,
    ),
    make_checkpoint("answer", "The answer is the month's revenue", _check_answer, covers=("answer",)),
    leaves.check_unchanged("kept", "The rest of the deck is as it was", FILE, covers=ALL, also=_list_expected_changes),
    make_checkpoint("design", "It looks as last month", _check_design, covers=FILE_ITSELF, kind="guardrail"),
    make_checkpoint("on_slide", "All shapes are there, in their places", _check_places, covers=ALL, kind="guardrail"),
    make_checkpoint(
        "others", "No other file was touched", _check_others, covers=("input:*", "stray:*"), kind="guardrail"
    ),
)
