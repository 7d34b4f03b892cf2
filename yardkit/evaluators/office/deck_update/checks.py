"""The deck reports on the new month everywhere: charts, tiles, sentences, table, notes; the rest is as it was."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.office.deck_update.looks import list_unlabelled, other_colors, other_furniture, other_words
from yardkit.evaluators.readers.answers import read_number
from yardkit.evaluators.readers.files import only_changed, require_file
from yardkit.evaluators.readers.office.chart_sources import holds_series, read_chart_sources
from yardkit.evaluators.readers.office.presentations import Deck, Shape, read_deck
from yardkit.evaluators.readers.pages.rendered import find_outside, find_overlaps, render_slides
from yardkit.evaluators.side_effects import check_unchanged_outside
from yardkit.evaluators.submission import Submission

FILE = "decks/monthly_review_2026-03.pptx"
TILES = ("Revenue", "Orders", "Average order", "On time")
MESSAGES = {"Message regions": 3, "Message plan": 4, "Message groups": 5}
CHARTS = ("3", "4", "5")
HALF = 0.05 + 1e-9
"""By how much a value of a chart may be rounded."""
_NUMBER = re.compile(r"[+\-\u2212]?\d+(?:,\d{3})*(?:\.\d+)?")


def _matches_wording(text: str, facts: Facts, key: str) -> bool:
    """Whether a text has the wanted words and figures; a figure may be rounded in another of the ways left open."""
    return _reads_as_expected(text, facts["wanted"][key], facts["others"].get(key, ()))


def _reads_as_expected(text: str, expected_text: str, others: Sequence[str] = ()) -> bool:
    normalized = " ".join(text.replace("\u2212", "-").split())
    if _NUMBER.sub("#", normalized).casefold() != _NUMBER.sub("#", expected_text).casefold():
        return False
    ways = zip(*map(_NUMBER.findall, (expected_text, *others)), strict=True)
    return all(
        any(_same_figure(here, way) for way in forms)
        for here, forms in zip(_NUMBER.findall(normalized), ways, strict=True)
    )


def _same_figure(here: str, expected_figure: str) -> bool:
    """The same value, with the same separators, decimals and signs."""
    form, wanted_form = (
        ("," in name, name[0] in "+-", len(name.partition(".")[2])) for name in (here, expected_figure)
    )
    return form == wanted_form and Decimal(here.replace(",", "")) == Decimal(expected_figure.replace(",", ""))


def _list_shapes(read: Deck, number: int) -> Sequence[Shape]:
    """The shapes of a slide; none where the deck has fewer."""
    return read.slides[number - 1].shapes if len(read.slides) >= number else ()


def _get_title(read: Deck, number: int) -> str:
    return read.slides[number - 1].title if len(read.slides) >= number else ""


def _check_titles(submission: Submission, facts: Facts) -> Finding:
    read = read_deck(submission, FILE)
    titles = {f"title {number}": _get_title(read, number) for number in range(1, 7)}
    subtitles = [shape.text for shape in _list_shapes(read, 1) if shape.role == "subtitle"]
    titles["Subtitle"] = subtitles[0] if subtitles else ""
    wrong = {name: text for name, text in titles.items() if not _matches_wording(text, facts, name)}
    return make_finding(not wrong, f"not the titles of March: {wrong}")


def _check_tiles(submission: Submission, facts: Facts) -> Finding:
    """In each tile stand its label, below it its value, below that its change, and no other text."""
    shapes, wrong = _list_shapes(read_deck(submission, FILE), 2), {}
    for number, tile in enumerate(TILES):
        keys = [f"{tile} {part}" for part in ("value", "change")]
        inside = sorted((shape for shape in shapes if _in_tile(shape, number)), key=lambda shape: shape.box_mm[1])
        tile_texts = [line.text for shape in inside for line in shape.lines if line.text.strip()]
        right = len(tile_texts) == 3 and tile_texts[0] == tile
        if not right or not all(
            _matches_wording(text, facts, key) for text, key in zip(tile_texts[1:], keys, strict=True)
        ):
            wrong[tile] = (tile_texts, [facts["wanted"][key] for key in keys])
    return make_finding(not wrong, f"tiles with what they say and should say: {wrong}")


def _in_tile(shape: Shape, number: int) -> bool:
    left, top, width, height = shape.box_mm
    across, down = left + width / 2, top + height / 2
    return 20 + 76.2 * number <= across <= 90 + 76.2 * number and 58 <= down <= 116


def _check_sentences(submission: Submission, facts: Facts) -> Finding:
    read, wrong = read_deck(submission, FILE), {}
    for message, number in MESSAGES.items():
        texts = [shape.text for shape in _list_shapes(read, number) if shape.role != "title" and shape.text.strip()]
        if len(texts) != 1 or not _matches_wording(texts[0], facts, message):
            wrong[number] = (texts, facts["wanted"][message])
    return make_finding(not wrong, f"slides with what they say and should say: {wrong}")


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
    slides, wrong = read_deck(submission, FILE).slides, {}
    for number in (2, 3, 6):
        text = slides[number - 1].notes if len(slides) >= number else ""
        if not _matches_wording(text, facts, f"notes {number}"):
            wrong[number] = (text, facts["wanted"][f"notes {number}"])
    return make_finding(not wrong, f"slides with wrong notes: {wrong}")


def _check_chart(submission: Submission, facts: Facts, number: str) -> Finding:
    """The one chart of the slide, in its old place and kind, shows the figures."""
    chart_shapes = [shape for shape in _list_shapes(read_deck(submission, FILE), int(number)) if shape.chart]
    old = next(shape for shape in _list_shapes(read_deck(submission.untouched, FILE), int(number)) if shape.chart)
    if len(chart_shapes) != 1 or chart_shapes[0].chart is None or old.chart is None:
        return make_finding(holds=False, evidence=f"slide {number} has {len(chart_shapes)} native charts")
    chart, expected_series = chart_shapes[0].chart, facts["exact"][number]
    placed = all(abs(a - b) <= 3 for a, b in zip(chart_shapes[0].box_mm, old.box_mm, strict=True))
    same_kind = (chart.kind, chart.horizontal) == (old.chart.kind, old.chart.horizontal)
    chart_series = {series.name.strip(): list(series.values) for series in chart.series}
    categories = list(chart.series[0].categories if chart.series else ())
    right = categories == expected_series["categories"] and _same_series(chart_series, expected_series["series"])
    evidence = (
        f"in place {placed}, same kind {same_kind}, categories {categories}, series {chart_series}; expected"
        f" {expected_series}"
    )
    return make_finding(placed and same_kind and right, evidence)


def _same_series(
    chart_series: Mapping[str, Sequence[float | None]], expected_series: Mapping[str, Sequence[float]]
) -> bool:
    return list(chart_series) == list(expected_series) and all(
        len(chart_series[name]) == len(values)
        and all(
            here is not None and abs(here - there) <= HALF
            for here, there in zip(chart_series[name], values, strict=True)
        )
        for name, values in expected_series.items()
    )


def _check_regions(submission: Submission, facts: Facts) -> Finding:
    return _check_chart(submission, facts, "3")


def _check_plan(submission: Submission, facts: Facts) -> Finding:
    return _check_chart(submission, facts, "4")


def _check_groups(submission: Submission, facts: Facts) -> Finding:
    return _check_chart(submission, facts, "5")


def _check_editable(submission: Submission, facts: Facts) -> Finding:
    """The cells that the charts refer to, in the workbooks inside, hold what the charts are to show."""
    cells, charts = read_chart_sources(submission, FILE), facts["exact"]
    wrong = [
        f"chart on slide {number}: {source_cells}"
        for number in CHARTS
        if not holds_series(
            source_cells := cells.get(int(number), ()),
            charts[number]["categories"],
            charts[number]["series"],
            tolerance=HALF,
        )
    ]
    return make_finding(not wrong, f"targets of the references: {wrong}")


def _check_single_lines(submission: Submission, facts: Facts) -> Finding:
    """On the page, each value stands on one line in its tile, and the texts keep clear of each other."""
    keys = [f"{tile} value" for tile in TILES]
    shapes = _list_shapes(read_deck(submission, FILE), 2)
    written = [
        next((s.text for s in shapes if _in_tile(s, n) and _matches_wording(s.text, facts, k)), "")
        for n, k in enumerate(keys)
    ]
    page = render_slides(submission, FILE, [2])[2]
    mm = page.width / read_deck(submission, FILE).width_mm
    wrong = []
    for number, text in enumerate(written):
        left, right = (20 + 76.2 * number) * mm, (90 + 76.2 * number) * mm
        boxes = [box for box in page.find(text) if left - 1 <= box[0] and box[2] <= right + 1] if text else []
        if not any(box[3] - box[1] <= _line_height(page, text) * 1.4 for box in boxes):
            wrong.append(text or facts["wanted"][keys[number]])
    clear = not find_overlaps(page, 0.15) and not find_outside(page)
    return make_finding(
        not wrong and clear, f"not on one line in their tiles: {wrong}; texts clear of each other: {clear}"
    )


def _line_height(page: Any, text: str) -> float:
    """The height of the highest word of a text on the page."""
    heights = [word.box[3] - word.box[1] for word in page.words if word.text in text.split()]
    return max(heights, default=0.0)


def _check_scales(submission: Submission, facts: Facts) -> Finding:
    """No scale of a chart with columns ends below its highest column or begins above zero."""
    wrong = []
    for number in ("3", "4"):
        highest = max(value for values in facts["exact"][number]["series"].values() for value in values)
        charts = [shape.chart for shape in _list_shapes(read_deck(submission, FILE), int(number)) if shape.chart]
        values = [value for chart in charts for series in chart.series for value in series.values]
        drawn = any(abs((value or 0) - highest) <= HALF for value in values)
        low, high = charts[0].scale if charts else (None, None)
        if not drawn or (high is not None and high < highest - HALF) or (low is not None and low > 0):
            wrong.append(f"slide {number}: the scale goes from {low} to {high}, the highest column is {highest}")
    return make_finding(not wrong, f"cut off: {wrong}")


def _check_answer(submission: Submission, facts: Facts) -> Finding:
    texts = [facts["wanted"]["Revenue value"], *facts["others"].get("Revenue value", ())]
    expected_amounts = [int(text.removeprefix("EUR ").replace(",", "")) for text in texts]
    return make_finding(read_number(submission.answer) in expected_amounts, f"expected {expected_amounts[0]}")


def _check_unchanged(submission: Submission, facts: Facts) -> Finding:
    return check_unchanged_outside(submission, FILE, *_list_expected_changes(facts))


def _list_expected_changes(facts: Facts) -> Iterator[str]:
    """What has to change, by the titles from before."""
    titles = {number: facts["was"][f"title {number}"] for number in range(1, 7)}
    for title in titles.values():
        yield from (f"title#{title}", f"shape#{title}!Title*")
    yield f"shape#{titles[1]}!Subtitle"
    yield from (f"shape#{titles[2]}!{tile} {part}" for tile in TILES for part in ("value", "change"))
    yield from (f"shape#{titles[number]}!{message}" for message, number in MESSAGES.items())
    yield from (f"shape#{titles[int(number)]}!Chart {number}" for number in CHARTS)
    yield f"shape#{titles[6]}!Customers"
    yield from (f"notes#{titles[number]}" for number in (2, 3, 6))


def _on_slide(submission: Submission, _facts: Facts) -> Finding:
    """Nothing lies beyond the slides, every slide is shown as before, with the shapes that it had, in their places."""
    read, old = read_deck(submission, FILE), read_deck(submission.untouched, FILE)
    off = [shape.name for slide in read.slides for shape in read.off_slide(slide)]
    counts = [[len(slide.shapes) for slide in deck.slides] for deck in (read, old)]
    hidden = [[slide.hidden for slide in deck.slides] for deck in (read, old)]
    moved = [
        shape.name
        for number, slide in enumerate(old.slides, 1)
        for shape in slide.shapes
        if not any(_is_in_position(other, shape) for other in _list_shapes(read, number))
    ]
    holds = not off and not moved and counts[0] == counts[1] and hidden[0] == hidden[1]
    evidence = f"beyond the slide: {off}; not in their places: {moved}; shapes by slide {counts}; hidden {hidden}"
    return make_finding(holds, evidence)


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


ALL = tuple(f"{kind}:{FILE}" for kind in ("slides", "titles", "texts", "notes", "charts", "pictures", "shapes"))


def _list_targets(kind: str, *slides: int) -> tuple[str, ...]:
    return tuple(f"{kind}:{FILE}#{number}" for number in slides)


CHECKS = make_group(
    "deck_update",
    "The deck reports on the new month",
    make_group(
        "charts",
        "The charts show the new month",
        make_checkpoint(
            "regions", "Revenue by region of both months", _check_regions, covers=_list_targets("charts", 3), weight=2
        ),
        make_checkpoint(
            "plan",
            "Revenue against plan with one month more",
            _check_plan,
            covers=_list_targets("charts", 4),
            weight=2,
        ),
        make_checkpoint(
            "groups", "Shares of the product groups", _check_groups, covers=_list_targets("charts", 5), weight=1
        ),
        make_checkpoint(
            "editable", "The workbooks inside hold the new figures", _check_editable, covers=(f"file:{FILE}",)
        ),
        weight=4,
    ),
    make_group(
        "texts",
        "Texts, table and notes are of the new month",
        make_checkpoint(
            "titles",
            "Titles and subtitle",
            _check_titles,
            covers=(*_list_targets("titles", *range(1, 7)), *_list_targets("texts", *range(1, 7))),
        ),
        make_checkpoint(
            "tiles", "Values and changes in the tiles", _check_tiles, covers=_list_targets("texts", 2), weight=2
        ),
        make_checkpoint(
            "sentences",
            "Sentences beside the charts",
            _check_sentences,
            covers=_list_targets("texts", 3, 4, 5),
            weight=2,
        ),
        make_checkpoint(
            "customers",
            "The table of the largest customers",
            _check_customers,
            covers=_list_targets("texts", 6),
            weight=2,
        ),
        make_checkpoint("notes", "Speaker notes", _check_notes, covers=_list_targets("notes", 2, 3, 6), weight=1),
        weight=5,
    ),
    make_group(
        "look",
        "The slides are tidy",
        make_checkpoint(
            "one_line",
            "Each value is on one line in its tile",
            _check_single_lines,
            covers=_list_targets("texts", 2),
            kind="format",
        ),
        make_checkpoint(
            "whole",
            "No column is cut off at its top",
            _check_scales,
            covers=_list_targets("charts", 3, 4),
            kind="format",
        ),
        make_checkpoint(
            "labels", "Each column and slice has its figure", _check_labels, covers=(f"file:{FILE}",), kind="format"
        ),
        leaves.check_looked_at("The slides were looked at", FILE),
        weight=2,
    ),
    make_checkpoint("answer", "The answer is the month's revenue", _check_answer, covers=("answer",)),
    make_checkpoint("kept", "The rest of the deck is as it was", _check_unchanged, covers=ALL, kind="guardrail"),
    make_checkpoint("design", "It looks as last month", _check_design, covers=(f"file:{FILE}",), kind="guardrail"),
    make_checkpoint("on_slide", "All shapes are there, in their places", _on_slide, covers=ALL, kind="guardrail"),
    make_checkpoint(
        "others", "No other file was touched", _check_others, covers=("input:*", "stray:*"), kind="guardrail"
    ),
)
