"""Links on runs of text, which are counted from 0 over all paragraphs of a shape."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.servers.slides.engine.contents.deck_reader import link_of
from yardkit.servers.slides.engine.inputs import Run, ShapeKey
from yardkit.servers.slides.engine.package.deck import Deck, edit_deck
from yardkit.servers.slides.engine.package.shape_tree import A, find_shape, text_body
from yardkit.servers.slides.engine.shapes.shape_edits import drop_unused
from yardkit.servers.slides.engine.text.paragraphs import add_run, body_of, set_link
from yardkit.world import Problem


@dataclass(frozen=True)
class RunLink:
    """A run with its link: a URL, #3 for slide 3, or empty."""

    shape: int
    paragraph: int
    run: int
    text: str
    link: str


def read_links(path: Path, slide: int) -> list[RunLink]:
    """The runs of a slide that have a link."""
    page = Deck.open(path).get_slide(slide)
    return [run for shape in page.shapes for run in _runs_of(page, shape) if run.link]


def _runs_of(page: Any, shape: Any) -> list[RunLink]:
    body = text_body(shape)
    run_links: list[RunLink] = []
    for number, paragraph in enumerate([] if body is None else body.iterfind(f"{A}p")):
        for run in paragraph.iterfind(f"{A}r"):
            properties = run.find(f"{A}rPr")
            link = "" if properties is None else link_of(page, properties)
            run_links.append(RunLink(int(shape.shape_id), number, len(run_links), run.findtext(f"{A}t") or "", link))
    return run_links


def add(path: Path, slide: int, key: ShapeKey, text: str, link: str) -> RunLink:
    """Add a linked run at the end of the text of a shape."""
    with edit_deck(path) as deck:
        page = deck.get_slide(slide)
        body = body_of(page, key)
        paragraph = body.findall(f"{A}p")[-1]
        like = paragraph.findall(f"{A}r/{A}rPr")
        run = add_run(page, paragraph, Run(text, link=link), text, like[-1] if like else None)
        end = paragraph.find(f"{A}endParaRPr")
        if end is not None:
            end.addprevious(run)
        new_link = _runs_of(page, find_shape(page, key).shape)[-1]
        _promise_link(deck, slide, new_link)
    return new_link


def change_link(path: Path, slide: int, key: ShapeKey, run: int, link: str) -> tuple[RunLink, str]:
    """Point a run elsewhere, or with an empty link nowhere; the run, and its link before."""
    with edit_deck(path) as deck:
        page = deck.get_slide(slide)
        element = _run(body_of(page, key), run)
        shape = find_shape(page, key).shape
        before = _runs_of(page, shape)[run].link
        if not link and not before:
            raise Problem(f"run {run} has no link to remove")
        set_link(page, element.get_or_add_rPr(), link)
        drop_unused(page)
        changed_link = _runs_of(page, shape)[run]
        _promise_link(deck, slide, changed_link)
    return changed_link, before


def _run(body: Any, at: int) -> Any:
    runs = body.findall(f"{A}p/{A}r")
    if not 0 <= at < len(runs):
        raise Problem(f"run {at} does not exist; the text of the shape has {len(runs)} runs, counted from 0")
    return runs[at]


def _promise_link(deck: Deck, slide: int, expected_link: RunLink) -> None:
    def holds(saved: Deck) -> bool:
        page = saved.get_slide(slide)
        return _runs_of(page, find_shape(page, expected_link.shape).shape)[expected_link.run] == expected_link

    deck.promise("the link", holds)
