"""Mutants of presentations (pptx)."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from yardkit.evaluators.mutations.answers import FILLER, changed_number
from yardkit.evaluators.mutations.mutant import Mutant
from yardkit.evaluators.mutations.packages import Change, Draft, make_mutant, shorten_text

MAX_EACH = 3
"""Mutants of one operator in one presentation."""
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_TYPE = "{http://schemas.openxmlformats.org/package/2006/content-types}Override"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def generate_mutants(workspace: Path, path: str, rng: random.Random) -> Iterator[Mutant]:
    """Generate mutants: slides dropped, doubled, moved; titles, texts, notes, charts, pictures, shapes changed."""
    draft = Draft(workspace / path)
    slides = slide_parts(draft)
    for number in sorted(rng.sample(range(len(slides)), min(MAX_EACH, len(slides)))):
        target, description = f"slides#{number + 1}", f"slide {number + 1}"
        yield make_mutant("slide_dropped", target, f"{description} is missing", path, _drop_slide(number))
        yield make_mutant("slide_doubled", target, f"{description} is there twice", path, _double_slide(number))
    if len(slides) > 1:
        first = rng.randrange(len(slides) - 1)
        target, description = f"slides#{first + 1}", f"slides {first + 1} and {first + 2} are swapped"
        yield make_mutant("slides_swapped", target, description, path, _swap_slides(first))
    for number in sorted(rng.sample(range(len(slides)), min(2 * MAX_EACH, len(slides)))):
        yield from _of_slide(path, draft, slides[number], number, rng)


def slide_parts(draft: Draft) -> list[str]:
    """List the parts of the slides in order."""
    relations = draft.parts.read_relations(draft.main)
    return [relations[entry.get(f"{_R}id")].target for entry in draft.xml(draft.main).iter(f"{_P}sldId")]


def _of_slide(path: str, draft: Draft, part: str, number: int, rng: random.Random) -> Iterator[Mutant]:
    root, where = draft.parts.xml(part), f"slide {number + 1}"
    shapes = list(root.iter(f"{_P}sp", f"{_P}pic", f"{_P}graphicFrame"))
    for index, shape in enumerate(shapes):
        role = next((placeholder.get("type", "body") for placeholder in shape.iter(f"{_P}ph")), "")
        if role in ("title", "ctrTitle"):
            yield make_mutant(
                "title_replaced",
                f"titles#{number + 1}",
                f"the title of {where} is a filler",
                path,
                _replace_title(part, index),
            )
        elif shape.tag == f"{_P}pic":
            description = f"a picture of {where} is missing"
            yield make_mutant("picture_dropped", f"pictures#{number + 1}", description, path, _drop_shape(part, index))
    yield from _of_texts(path, part, root, number, rng)
    placed = [
        n
        for n, shape_element in enumerate(shapes)
        if next(shape_element.iter(f"{_A}off", f"{_A}ext"), None) is not None
    ]
    if placed:
        index = rng.choice(placed)
        name = next(shapes[index].iter(f"{_P}cNvPr")).get("name", "")
        description = f"{name} is beside {where}"
        yield make_mutant(
            "shape_off_slide", f"shapes#{number + 1}!{shorten_text(name)}", description, path, _push_shape(part, index)
        )
    for notes in draft.parts.list_related(part, "notesSlide"):
        if any((text.text or "").strip() for text in draft.parts.xml(notes).iter(f"{_A}t")):
            yield make_mutant(
                "notes_dropped", f"notes#{number + 1}", f"{where} has no notes", path, _silence_notes(notes)
            )
    for chart in draft.parts.list_related(part, "chart"):
        yield make_mutant(
            "chart_value",
            f"charts#{number + 1}",
            f"a value of the chart is another on {where}",
            path,
            _change_chart_value(chart, rng.random()),
        )


def _of_texts(path: str, part: str, root: Any, number: int, rng: random.Random) -> Iterator[Mutant]:
    texts = list(root.iter(f"{_A}t"))
    numbers = [n for n, element in enumerate(texts) if _NUMBER.search(element.text or "")]
    if numbers:
        index = rng.choice(numbers)
        match = rng.choice(list(_NUMBER.finditer(texts[index].text)))
        other = changed_number(match.group(), rng)
        text = texts[index].text[: match.start()] + other + texts[index].text[match.end() :]
        description = f"{match.group()} became {other} on slide {number + 1}"
        yield make_mutant("slide_number", f"texts#{number + 1}", description, path, _write_text(part, index, text))
    body = [n for n, element in enumerate(texts) if not _is_title(element) and len((element.text or "").strip()) > 3]
    if body:
        index = rng.choice(body)
        description = f"{shorten_text(texts[index].text)!r} became a filler on slide {number + 1}"
        yield make_mutant("slide_filler", f"texts#{number + 1}", description, path, _write_text(part, index, FILLER))


def _is_title(text: Any) -> bool:
    shape = next(text.iterancestors(f"{_P}sp"), None)
    return shape is not None and any(
        placeholder.get("type") in ("title", "ctrTitle") for placeholder in shape.iter(f"{_P}ph")
    )


def _get_entries(draft: Draft) -> Any:
    return draft.xml(draft.main).find(f"{_P}sldIdLst")


def _drop_slide(number: int) -> Change:
    def change(draft: Draft) -> None:
        entry = _get_entries(draft)[number]
        rels = _rels_of(draft.main)
        for relation in [candidate for candidate in draft.xml(rels) if candidate.get("Id") == entry.get(f"{_R}id")]:
            relation.getparent().remove(relation)
        entry.getparent().remove(entry)

    return change


def _swap_slides(first: int) -> Change:
    def change(draft: Draft) -> None:
        entries = _get_entries(draft)
        entries.insert(first, entries[first + 1])

    return change


def _double_slide(number: int) -> Change:
    """Copy the slide's part with the same relations, except the notes, which belong to one slide."""

    def change(draft: Draft) -> None:
        from lxml import etree

        source = slide_parts(draft)[number]
        copy = source.replace(".xml", "9001.xml")
        draft.data[copy] = draft.parts.read(source)
        rels = draft.parts.xml(_rels_of(source))
        for relation in [rel for rel in rels if rel.get("Type", "").endswith("/notesSlide")]:
            rels.remove(relation)
        draft.data[_rels_of(copy)] = etree.tostring(rels)
        types = draft.xml("[Content_Types].xml")
        kind = "application/vnd.openxmlformats-officedocument.presentationml.slide+xml"
        etree.SubElement(types, _TYPE, PartName=f"/{copy}", ContentType=kind)
        relations = draft.xml(_rels_of(draft.main))
        office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide"
        etree.SubElement(relations, _RELATION, Id="rId9001", Type=office, Target=f"/{copy}")
        entries = _get_entries(draft)
        slide_id = etree.Element(f"{_P}sldId", id=str(max(int(entry.get("id")) for entry in entries) + 1))
        slide_id.set(f"{_R}id", "rId9001")
        entries.insert(number + 1, slide_id)

    return change


def _rels_of(part: str) -> str:
    folder, _, name = part.rpartition("/")
    return f"{folder}/_rels/{name}.rels"


def _get_shape(draft: Draft, part: str, index: int) -> Any:
    return list(draft.xml(part).iter(f"{_P}sp", f"{_P}pic", f"{_P}graphicFrame"))[index]


def _replace_title(part: str, index: int) -> Change:
    def change(draft: Draft) -> None:
        texts = list(_get_shape(draft, part, index).iter(f"{_A}t"))
        for number, text in enumerate(texts):
            text.text = "Further information" if number == 0 else ""

    return change


def _drop_shape(part: str, index: int) -> Change:
    def change(draft: Draft) -> None:
        shape = _get_shape(draft, part, index)
        shape.getparent().remove(shape)

    return change


def _push_shape(part: str, index: int) -> Change:
    def change(draft: Draft) -> None:
        for place in _get_shape(draft, part, index).iter(f"{_A}off"):
            # 556 mm in English Metric Units: beyond the edge of any usual slide.
            place.set("x", str(int(place.get("x", "0")) + 20_000_000))

    return change


def _silence_notes(part: str) -> Change:
    def change(draft: Draft) -> None:
        for text in draft.xml(part).iter(f"{_A}t"):
            text.text = ""

    return change


def _change_chart_value(part: str, chance: float) -> Change:
    def change(draft: Draft) -> None:
        points = [value for holder in draft.xml(part).iter(f"{_C}val") for value in holder.iter(f"{_C}v")]
        if points:
            point = points[int(chance * len(points))]
            # The addend changes a 0, too.
            point.text = str(float(point.text or 0) * 1.5 + 7)

    return change


def _write_text(part: str, index: int, text: str) -> Change:
    def change(draft: Draft) -> None:
        list(draft.xml(part).iter(f"{_A}t"))[index].text = text

    return change
