"""Slides made from outlines: a layout is chosen, its real placeholders are filled, empty ones are taken out."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.slides.engine.inputs import NewSlide
from yardkit.servers.slides.engine.package import slide_copies
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck, store_deck
from yardkit.servers.slides.engine.package.shape_tree import P, find_placeholder, get_role, text_body, title_shape
from yardkit.servers.slides.engine.package.units import to_cm
from yardkit.servers.slides.engine.shapes.shape_text import keep_inside
from yardkit.servers.slides.engine.slides import blank_deck, foreign_slide, slide_sizes
from yardkit.servers.slides.engine.text import bullets
from yardkit.servers.slides.engine.text.outline_marks import describe_marks, plain_text, read_marks
from yardkit.servers.slides.engine.text.paragraphs import as_paragraphs, clean_text, read_text, write_paragraphs
from yardkit.world import Problem
from yardkit.world.wording import format_count

MAX_SLIDES = 500
_CONTENT_ROLES = ("body", "subtitle")


@dataclass(frozen=True)
class CreatedSlide:
    """A slide that was made.

    Attributes:
        removed: the names of placeholders that nothing was given for.
        remarks: what became of Markdown.
    """

    number: int
    layout: str
    removed: list[str]
    remarks: list[str] = field(default_factory=list)


def create_deck(
    path: Path,
    slides: list[NewSlide],
    *,
    source: Path | None,
    size: Literal["16:9", "4:3"],
    now: datetime.datetime,
    properties: dict[str, str],
) -> list[CreatedSlide]:
    """Make a deck from an outline, in the default design or that of the deck `source`, whose slides are left out."""
    deck = _from_source(source, path) if source else Deck.from_bytes(blank_deck.build_blank_deck(size), path.name)
    new_slides = [_add(deck, spec, number, first=number == 1) for number, spec in enumerate(slides, 1)]
    core = deck.opened.core_properties
    core.created = core.modified = now.astimezone(datetime.UTC).replace(tzinfo=None, microsecond=0)
    core.revision = 1
    for name in ("title", "author", "last_modified_by"):
        setattr(core, name, clean_text(properties.get(name.replace("last_modified_by", "author"), "")))
    _promise_slides(deck, slides, 0)
    store_deck(deck, path)
    return new_slides


def _from_source(source: Path, path: Path) -> Deck:
    deck = Deck.open(source)
    _check_macros(deck, source, path)
    slide_copies.delete_slides(deck, list(range(1, len(deck.slides) + 1)))
    listing = slide_copies.section_list(deck)
    if listing is not None:
        listing.getparent().getparent().remove(listing.getparent())
    deck.become_presentation()
    return deck


def add(path: Path, slides: list[NewSlide], at: int | None) -> list[CreatedSlide]:
    """Add slides at a position (by default the end)."""
    with edit_deck(path) as deck:
        count = len(deck.slides)
        if count + len(slides) > MAX_SLIDES * 4:
            raise Problem(f"the deck would have {count + len(slides)} slides; the limit is {MAX_SLIDES * 4}")
        start = count + 1 if at is None else at
        if not 1 <= start <= count + 1:
            raise Problem(f"slides cannot be added at {start}; give 1 to {count + 1}")
        new_slides = [_add(deck, spec, start + offset, first=False) for offset, spec in enumerate(slides)]
        slide_copies.settle_sections(deck)
        _promise_slides(deck, slides, start - 1)
    return new_slides


def add_on_layout(path: Path, layout: int, title: str | None) -> int:
    """Add a slide at the end with all placeholders of the layout with that number, from 1; its number."""
    with edit_deck(path) as deck:
        layouts = deck.layouts
        if not 1 <= layout <= len(layouts):
            raise Problem(f"layout {layout} does not exist; the deck has {len(layouts)}")
        slide = deck.new_slide(layouts[layout - 1])
        spec = NewSlide(title=title)
        _fill_slide(slide, spec, slide.slide_layout.name)
        number = len(deck.slides)
        slide_copies.settle_sections(deck)
        _promise_slides(deck, [spec], number - 1)
    return number


def copy_deck(source: Path, path: Path) -> None:
    """Save a deck elsewhere; a template or a show becomes a presentation, all else stays byte for byte."""
    deck = Deck.open(source)
    _check_macros(deck, source, path)
    deck.become_presentation()
    store_deck(deck, path)


def _check_macros(deck: Deck, source: Path, path: Path) -> None:
    if deck.has_macros != (path.suffix.lower() in (".pptm", ".potm")):
        expected_suffix = ".pptm" if deck.has_macros else ".pptx"
        raise Problem(
            f"a deck made from {source.name!r} is a {expected_suffix} file; end {path.name!r} in {expected_suffix}"
        )


def _promise_slides(deck: Deck, slides: list[NewSlide], before: int) -> None:
    def holds(saved: Deck) -> bool:
        for offset, spec in enumerate(slides, 1):
            slide = saved.get_slide(before + offset)
            title = title_shape(slide)
            if spec.title is not None and (title is None or read_text(text_body(title)) != plain_text(spec.title)):
                return False
            if spec.notes and slide.notes_slide.notes_text_frame.text.replace("\v", "\n") != spec.notes:
                return False
        return True

    deck.promise("the titles and notes of the new slides", holds)


def _add(deck: Deck, spec: NewSlide, number: int, *, first: bool) -> CreatedSlide:
    layout = (
        deck.layout(spec.layout)
        if spec.layout
        else _choose_layout(_list_nearest_layouts(deck, number), spec, first=first)
    )
    slide = deck.new_slide(layout)
    listing = deck.part._element.sldIdLst
    listing.insert(number - 1, listing[-1])
    marks = _fill_slide(slide, spec, layout.name)
    removed = remove_empty(slide, keep=("picture", "table", "chart", "media") if spec.layout else ())
    if spec.notes:
        write_notes(slide, spec.notes)
    return CreatedSlide(number, layout.name or "", removed, describe_marks(marks))


def _list_nearest_layouts(deck: Deck, number: int) -> list[Any]:
    """The layouts of all masters, first those of the master that the slide before (else after) slide `number` has."""
    slides = deck.slides
    beside = slides[number - 2 if number > 1 else 0] if slides else None
    own = [] if beside is None else list(beside.slide_layout.slide_master.slide_layouts)
    parts = {layout.part for layout in own}
    return own + [layout for layout in deck.layouts if layout.part not in parts]


def _choose_layout(layouts: list[Any], spec: NewSlide, *, first: bool) -> Any:
    """The layout whose type, and else whose placeholders, fit what is to stand on the slide."""
    count = (1 if spec.body else 0) + len(spec.more_bodies)
    if first and count <= 1 and len(spec.body) <= 2:
        layout_types = ("title",)
    elif spec.title is None and count == 0:
        layout_types = ("blank",)
    else:
        layout_types = {0: ("titleOnly",), 1: ("obj", "tx"), 2: ("twoObj",)}.get(count, ())  # type: ignore[assignment]
    for kind in layout_types:
        for layout in layouts:
            if layout._element.get("type") == kind:
                return layout
    fitting = [
        candidate
        for candidate in layouts
        if len(list_contents(candidate)) == count and _has_title(candidate) == (spec.title is not None)
    ]
    if fitting:
        return fitting[0]
    larger = [
        candidate
        for candidate in layouts
        if len(list_contents(candidate)) >= count and (_has_title(candidate) or spec.title is None)
    ]
    if larger:
        return min(larger, key=lambda candidate: len(list_contents(candidate)))
    raise Problem(f"no layout has {count} content placeholders; choose a layout, or put less on the slide")


def _has_title(holder: Any) -> bool:
    return any(get_role(shape) == "title" for shape in holder.placeholders)


def list_contents(holder: Any) -> list[Any]:
    """The placeholders that take text or content, in order."""
    return [shape for shape in holder.placeholders if get_role(shape) in _CONTENT_ROLES]


def _fill_slide(slide: Any, spec: NewSlide, layout: str) -> set[str]:
    """Fill the placeholders of a slide; the marks of Markdown that its texts had."""
    marks: set[str] = set()
    if spec.title is not None:
        title = title_shape(slide)
        if title is None:
            raise Problem(
                f"the layout {layout!r} has no title placeholder; choose another layout or leave the title out"
            )
        marked = read_marks([spec.title])
        marks |= marked.marks
        write_paragraphs(slide, text_body(title), marked.paragraphs)
    bodies = [spec.body, *spec.more_bodies] if spec.body or spec.more_bodies else []
    holders = list_contents(slide)
    if len(bodies) > len(holders) and not spec.body:
        bodies = spec.more_bodies
    if len(bodies) > len(holders):
        raise Problem(
            f"the layout {layout!r} has room for {format_count(len(holders), 'text')}, but body and "
            f"more_bodies give {len(bodies)}; choose another layout, or give fewer"
        )
    for holder, lines in zip(holders, bodies, strict=False):
        if lines:
            marked = read_marks([_with_tabs(line) for line in lines])
            marks |= marked.marks
            write_paragraphs(slide, holder._element.get_or_add_txBody(), marked.paragraphs)
            bullets.take_typed(slide, holder, len(marked.paragraphs))
            keep_inside(slide, holder)
    return marks


def _with_tabs(line: str) -> str:
    """A line of an outline: two spaces before it are a level, as is a tab."""
    bare = line.lstrip("\t ")
    return "\t" * (len(line[: len(line) - len(bare)].replace("\t", "  ")) // 2) + bare


def remove_empty(slide: Any, keep: tuple[str, ...] = ()) -> list[str]:
    """Take out placeholders without content, which would show 'Click to add text' while editing; their names."""
    removed = []
    for shape in list(slide.placeholders):
        element = shape._element
        if element.tag == f"{P}sp" and is_empty(shape) and get_role(shape) not in keep:
            element.getparent().remove(element)
            removed.append(shape.name)
    return removed


def is_empty(shape: Any) -> bool:
    """Whether a placeholder holds nothing: no text and no picture."""
    if find_placeholder(shape) is None or shape._element.tag != f"{P}sp":
        return False
    body = text_body(shape)
    return body is None or not "".join(body.itertext()).strip()


def write_notes(slide: Any, text: str, *, append: bool = False) -> None:
    """Set the speaker notes of a slide."""
    frame = slide.notes_slide.notes_text_frame
    if frame is None:
        raise Problem("the notes page of the slide has no text placeholder; its notes cannot be written")
    lines = clean_text(text.replace("\r\n", "\n")).split("\n")
    write_paragraphs(slide.notes_slide, frame._txBody, as_paragraphs([*lines]), append=append)


def arrange_slides(path: Path, action: str, numbers: list[int], to: int | None) -> str:
    """Move, duplicate, delete, hide or show slides; says what was done."""
    with edit_deck(path) as deck:
        chosen = deck.numbers(numbers)
        before = len(deck.slides)
        commented: list[int] = []
        if action == "move":
            if to is None:
                raise Problem("move needs to, the new number of the first moved slide")
            slide_copies.move_slides(deck, chosen, to)
        elif action == "delete":
            slide_copies.delete_slides(deck, chosen)
        elif action == "duplicate":
            commented += [number for number in chosen if slide_copies.has_comments(deck.get_slide(number).part)]
            _duplicate_slides(deck, chosen, to)
        else:
            for number in chosen:
                _hide_slide(deck.get_slide(number), hidden=action == "hide")
        after = len(deck.slides)
        deck.promise("the slides", lambda saved: len(saved.slides) == after)
    past = {"move": "Moved", "delete": "Deleted", "duplicate": "Duplicated", "hide": "Hid", "show": "Showed"}[action]
    count = f"; the deck now has {after} slides" if after != before else ""
    left = f"; the comments on {_name_slides(commented)} were not copied" if commented else ""
    return f"{past} {_name_slides(chosen)}{count}{left}"


def _name_slides(numbers: list[int]) -> str:
    return f"slide{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def _hide_slide(slide: Any, *, hidden: bool) -> None:
    slide._element.set("show", "0") if hidden else slide._element.attrib.pop("show", None)


def _duplicate_slides(deck: Deck, chosen: list[int], to: int | None) -> None:
    """Copies stand behind their originals, or all together from `to` on."""
    if to is None:
        for number in sorted(chosen, reverse=True):
            slide_copies.duplicate_slide(deck, number)
        return
    ids = [deck.slide_ids[number - 1] for number in chosen]
    copy_numbers = []
    for identity in ids:
        order = deck.slide_ids
        slide_copies.duplicate_slide(deck, order.index(identity) + 1)
        copy_numbers.append(deck.slide_ids[order.index(identity) + 1])
    order = deck.slide_ids
    slide_copies.move_slides(deck, [order.index(identity) + 1 for identity in copy_numbers], to)


def copy_slides(
    path: Path, source: Path, numbers: list[int] | None, at: int | None, layout: str | None
) -> tuple[list[str], list[str]]:
    """Copy slides from another deck into this one, in this deck's design and size.

    Returns:
        The layouts they stand on, and what to know besides.
    """
    with edit_deck(path) as deck:
        other = Deck.open(source)
        start = len(deck.slides) + 1 if at is None else at
        if not 1 <= start <= len(deck.slides) + 1:
            raise Problem(f"slides cannot be put at {start}; give 1 to {len(deck.slides) + 1}")
        how = slide_sizes.Fit.between((other.width, other.height), (deck.width, deck.height))
        names, scaled = [], 0
        notes: list[str] = []
        chosen = other.numbers(numbers)
        twins = {
            part: slide_copies.copy_part(deck, part) for part in (other.get_slide(number).part for number in chosen)
        }
        for offset, number in enumerate(chosen):
            target = deck.layout(layout) if layout is not None else slide_copies.same_layout(deck, other, number)
            lost = slide_copies.copy_slide_from(deck, other, number, start + offset, target, twins)
            names.append(target.name or "")
            new_slide = deck.get_slide(start + offset)
            copy_notes = [f"{format_count(lost, 'link')} to slides that were not copied taken out"] * bool(lost)
            copy_notes += ["the comments were not copied"] * slide_copies.has_comments(other.get_slide(number).part)
            copy_notes += foreign_slide.fit_to_layout(new_slide, other.get_slide(number))
            notes += [f"slide {start + offset}: {note}" for note in copy_notes]
            foreign_slide.bring_table_styles(deck, other, new_slide)
            scaled += 0 if how is None else slide_sizes.fit_slide(new_slide, how)
        slide_copies.settle_sections(deck)
        return names, notes if how is None or not scaled else [*notes, _scale_slides(other, deck, how, scaled)]


def _scale_slides(source: Deck, target: Deck, how: slide_sizes.Fit, count: int) -> str:
    sizes = (f"{to_cm(deck.width):g} x {to_cm(deck.height):g} cm" for deck in (source, target))
    message = f"the slides are made for {' and this deck has '.join(sizes)}: {format_count(count, 'shape')}"
    if how.factor == 1:
        return f"{message} moved to stay in the middle, none scaled"
    return (
        f"{message} scaled to {how.factor:.0%}, with the text sizes they state; look at the slides for text that no "
        "longer fits"
    )
