"""Files read by the tools of their server, and the words that they hold and no tool shows."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.sandbox.serving.reading.held_words import SUFFIXES, held_words, words
from yardkit.sandbox.serving.registry import load_server
from yardkit.world import Problem, World, use_world

_JOINERS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class ReadFile:
    """A file: how many words it holds, and tool -> those that it does not show; `problem` where it cannot be read."""

    path: str
    words: int = 0
    missing: dict[str, list[str]] = field(default_factory=dict)
    problem: str = ""


def check_folder(folder: Path) -> Iterator[ReadFile]:
    """The files of a folder and those below it that the servers of documents, slides, PDF and web pages read."""
    world = World.over(folder)
    for path in sorted(world.files.rglob("*")):
        if path.suffix.lower() in SUFFIXES and path.is_file() and not path.name.startswith(("~$", ".")):
            with use_world(world):
                yield check_file(path, path.relative_to(world.files).as_posix())


def check_file(path: Path, name: str) -> ReadFile:
    """Read one file, which is `name` in the world of now."""
    try:
        held = list(dict.fromkeys(held_words(path)))
        missing = {tool: lost for tool, lost in _READERS[path.suffix.lower()](name, held) if lost}
    except Problem as problem:
        return ReadFile(name, problem=str(problem))
    return ReadFile(name, len(held), missing)


Lost = Iterator[tuple[str, list[str]]]


def _document(name: str, held: list[str]) -> Lost:
    pages = _pages("documents", "read_document", "next_offset", "offset", path=name)
    stories = next(iter(pages), {}).get("stories", [])
    for story in stories[1:]:
        pages += _pages("documents", "read_document", "next_offset", "offset", path=name, story=story)
    body = {"path": name, "format": "markdown"}
    markdown = _pages("documents", "read_document", "next_offset", "offset", **body)
    for story in stories[1:]:
        markdown += _pages("documents", "read_document", "next_offset", "offset", **body, story=story)
    yield "read_document", _not_among(held, pages)
    shown = [page.get("markdown", "") for page in markdown]
    yield "read_document as markdown", _not_within(held, shown)


def _deck(name: str, held: list[str]) -> Lost:
    shapes = _pages("slides", "read_slides", "next_slide", "slides", path=name)
    texts = _pages("slides", "read_deck_text", "next_slide", "slides", path=name)
    yield "read_deck_text", _not_among(held, texts)
    repeated = {word for page in texts for word in _words_of(list(page.get("repeated", {})))}
    yield "read_slides", [word for word in _not_among(held, shapes) if word not in repeated]


def _pdf(name: str, held: list[str]) -> Lost:
    texts, at = [], {"path": name}
    while True:
        answer = _call("pdf", "read_pdf_text", **at)
        texts.append(answer)
        if not answer.get("next_pages"):
            break
        at |= {"pages": answer["next_pages"], "offset": answer.get("next_offset", 0)}
    yield "read_pdf_text", _not_within(held, [page.get("text", "") for answer in texts for page in answer["pages"]])
    tables = _pages("pdf", "read_pdf_tables", "next_pages", "pages", path=name)
    cells = list(
        dict.fromkeys(
            word for page in tables for word in _words_of([table["rows"] for table in page.get("tables", [])])
        )
    )
    yield "read_pdf_tables (words that no line has)", _not_among(cells, texts)


def _page(name: str, held: list[str]) -> Lost:
    for form in ("markdown", "text"):
        texts = _pages("html", "read_page_text", "next_offset", "offset", path=name, format=form)
        yield f"read_page_text as {form}", _not_within(held, [page["text"] for page in texts])


def _pages(server: str, tool: str, following: str, argument: str, **arguments: Any) -> list[dict[str, Any]]:
    """All the answers of a tool that answers page by page."""
    found = []
    while True:
        found.append(_call(server, tool, **arguments))
        at = found[-1].get(following)
        if not at:
            return found
        arguments[argument] = list(range(at, _slides(arguments["path"]) + 1)) if argument == "slides" else at


def _slides(name: str) -> int:
    return int(_call("slides", "inspect_deck", path=name, limit=1)["slide_count"])


def _call(server: str, tool: str, **arguments: Any) -> dict[str, Any]:
    from fastmcp.exceptions import FastMCPError

    try:
        answer = asyncio.run(load_server(server).call_tool(tool, arguments))
    except FastMCPError as error:
        raise Problem(str(error)) from error
    block: Any = answer.content[0]
    told: dict[str, Any] = json.loads(block.text)
    return told


def _not_among(held: list[str], answers: list[Any]) -> list[str]:
    """The words that are none of the answers' own."""
    shown = set(_words_of(answers))
    return [word for word in held if word not in shown]


def _not_within(held: list[str], texts: list[str]) -> list[str]:
    """The words whose letters do not follow each other in the texts, whatever signs stand between them."""
    shown = "".join(words("".join(texts)))
    return [word for word in held if _JOINERS.sub("", word) not in shown]


def _words_of(value: Any) -> Iterator[str]:
    """The words of all texts in an answer, in order."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from words(str(key))
            yield from _words_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _words_of(inner)
    elif isinstance(value, str | int | float):
        yield from words(str(value))


_READERS: dict[str, Callable[[str, list[str]], Lost]] = {
    ".docx": _document,
    ".pptx": _deck,
    ".pdf": _pdf,
    ".html": _page,
    ".htm": _page,
}
