"""Solutions and near misses of sight/label_check."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.solving.solver import find_paths

REPORT = "label_report.docx"
HEAD = ["Photo", "Article", "Field", "Found", "Required"]
FIELDS = {"weight": "Net weight", "contains": "Contains", "barcode": "EAN", "band": "Band"}
BANDS = """
import json
import numpy as np
from PIL import Image

bands = {}
for path, (left, top, right, bottom) in PLACES.items():
    image = np.asarray(Image.open(path).convert("RGB"), dtype=float)
    bands[path] = np.median(image[top:bottom, right + 15 : right + 95], axis=(0, 1)).tolist()
print(json.dumps(bands))
"""
Rows = list[list[str]]


def solve(agent: Agent) -> str:
    """Read text, bars and band of each proof, compare them with the valid specification."""
    deviations, free, labels = _check_labels(agent)
    blocks = [
        {"kind": "heading", "level": 1, "text": "Label check"},
        {"text": f"{free} of {labels} labels may be printed."},
        {"kind": "table", "rows": [HEAD, *deviations]},
    ]
    agent.call("edit_blocks", path=REPORT, edits=[{"op": "insert", "blocks": blocks}])
    return f"{free}"


def alternative_in_another_order_and_spelling(agent: Agent, files: Path) -> str:
    """Rows from the last to the first, capitals, allergens the other way round, folders before the names."""
    answer = solve(agent)
    with open_edited(files / REPORT) as document:
        table = document.tables[0]
        rows = [[cell.text for cell in row.cells] for row in table.rows][:0:-1]
        for row, (photo, article, field, found_text, required) in zip(table.rows[1:], rows, strict=True):
            texts = (
                f"proofs/{photo}",
                article.lower(),
                field.upper(),
                ", ".join(found_text.split(", ")[::-1]),
                required.title(),
            )
            for cell, text in zip(row.cells, texts, strict=True):
                cell.text = text
    return f"So many may be printed:\n\n**{answer}**"


def alternative_with_words_around_it(agent: Agent, files: Path) -> str:
    """Another table and more sentences stand in the report."""
    answer = solve(agent)
    with open_edited(files / REPORT) as document:
        document.add_paragraph("The printer gets new files for the others.")
        document.add_table(1, 2).rows[0].cells[0].text = "checked by"
    return f"{answer} labels"


def _in_rows(change: Callable[[list[str]], list[str]], caught_by: str) -> Miss:
    """A near miss in each row of the table; a row that becomes empty is dropped."""

    def edit(document: Any) -> None:
        for row in document.tables[0].rows[1:]:
            texts = change([cell.text for cell in row.cells])
            for cell, text in zip(row.cells, texts, strict=False):
                cell.text = text
            if not texts:
                row._tr.getparent().remove(row._tr)

    return misses.edit_file(REPORT, edit, caught_by)


near_miss_title_is_no_heading = misses.style_lost(REPORT, "Label check", caught_by="heading")
near_miss_all_may_be_printed = misses.text_changed(
    REPORT,
    lambda text, work: text.replace(f"{work.facts['free']} of", f"{work.facts['labels']} of"),
    caught_by="verdict",
)
near_miss_digits_read_in_place_of_bars = _in_rows(
    lambda row: [*row[:3], row[4] if row[2] == "barcode" else row[3], row[4]], caught_by="found"
)
near_miss_found_for_required = _in_rows(lambda row: [*row[:4], row[3]], caught_by="required")
near_miss_weights_overlooked = _in_rows(lambda row: [] if row[2] == "weight" else row, caught_by="each_once")
near_miss_fields_named_otherwise = _in_rows(
    lambda row: [*row[:2], row[2].replace("barcode", "EAN"), *row[3:]], caught_by="each_once"
)
near_miss_product_for_the_article = _in_rows(lambda row: [row[0], "Basil Pesto", *row[2:]], caught_by="article")
near_miss_answer_counts_the_wrong_ones = misses.change_answer(lambda work: work.facts["labels"] - work.facts["free"])
near_miss_older_specification_deleted = misses.delete_file("specifications/*.xlsx")


def _check_labels(agent: Agent) -> tuple[Rows, int, int]:
    """The deviations, how many labels have none, and how many there are."""
    rules = agent.call("read_file", path="checking_rules.md")["content"]
    colors = {
        name: [int(level) for level in levels.split()]
        for name, levels in re.findall(r"(\w+) (\d+ \d+ \d+)", rules.partition("blue: ")[2].partition(". In")[0])
    }
    version = re.findall(r"is version (\d+)", rules)[0]
    records = agent.call("read_records", path=f"specifications/labels_v{version}.xlsx", sheet="Labels")["records"]
    labels = {path: _read_label(agent, path) for path in find_paths(agent, "proofs", ".jpg")}
    places = {path: label["place"] for path, label in labels.items()}
    bands = _read_bands(agent, places)
    deviations: Rows = []
    for path, label in labels.items():
        label_record = next(record for record in records if record["Product"].replace(" ", "") in label["words"])
        label |= {"Band": min(colors, key=lambda name: _measure_distance(colors[name], bands[path]))}
        deviations += [
            [path.rpartition("/")[2], label_record["Article"], field, label[column], str(label_record[column])]
            for field, column in FIELDS.items()
            if _sort_signs(label[column]) != _sort_signs(str(label_record[column]))
        ]
    return deviations, len(labels) - len({row[0] for row in deviations}), len(labels)


def _read_label(agent: Agent, path: str) -> dict[str, Any]:
    """What is printed on a label, and where the name of the maker stands in its band."""
    pieces = agent.call("read_image_text", path=path)["pieces"]
    lines = [piece["text"] for piece in pieces]
    maker = next(place for place, line in enumerate(lines) if line.startswith("Hedgerow"))
    contains = next(line for line in lines if line.startswith("Contains"))
    return {
        "words": re.sub(r"\s", "", "".join(lines)),
        "Net weight": next(line for line in lines if re.fullmatch(r"\d+ ?g", line)),
        "Contains": re.sub(r",\s*", ", ", contains.partition(":")[2].strip()),
        "EAN": agent.call("read_barcodes", path=path)["barcodes"][0]["text"],
        "place": pieces[maker]["bbox_px"],
    }


def _read_bands(agent: Agent, places: Mapping[str, list[int]]) -> dict[str, list[float]]:
    printed = agent.call("run_solver_code", code=BANDS.replace("PLACES", repr(places)))["output"]
    band_colors: dict[str, list[float]] = json.loads(printed)
    return band_colors


def _measure_distance(first: list[int], other: list[float]) -> float:
    return sum((a - b) ** 2 for a, b in zip(first, other, strict=True))


def _sort_signs(text: str) -> str:
    return "".join(sorted(re.sub(r"[\s,]", "", text)))
