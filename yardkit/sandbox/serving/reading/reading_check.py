"""Reading files with the tools of their server, and finding the words that no tool shows."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.sandbox.serving.reading.file_words import SUFFIXES, list_file_words, list_words
from yardkit.sandbox.serving.registry import load_server
from yardkit.world import Problem, World, use_world

_JOINERS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class ReadFile:
    """A file: its number of words, tool -> words that it does not show, and a `problem` if it cannot be read."""

    path: str
    words: int = 0
    missing: dict[str, list[str]] = field(default_factory=dict)
    problem: str = ""


def check_folder(folder: Path) -> Iterator[ReadFile]:
    """Check the files in and below a folder that the servers for documents, slides, PDF and web pages read."""
    world = World.open_user_folder(folder)
    for path in sorted(world.files.rglob("*")):
        if path.suffix.lower() in SUFFIXES and path.is_file() and not path.name.startswith(("~$", ".")):
            with use_world(world):
                yield check_file(path, path.relative_to(world.files).as_posix())


def check_file(path: Path, name: str) -> ReadFile:
    """Check one file, which is `name` in the current world."""
    try:
        file_words = list(dict.fromkeys(list_file_words(path)))
        missing = {tool: lost for tool, lost in _READERS[path.suffix.lower()](name, file_words) if lost}
    except Problem as problem:
        return ReadFile(name, problem=str(problem))
    return ReadFile(name, len(file_words), missing)


Lost = Iterator[tuple[str, list[str]]]


def _check_document(name: str, file_words: list[str]) -> Lost:
    pages = _list_answers("documents", "read_document", "next_offset", "offset", path=name)
    stories = next(iter(pages), {}).get("stories", [])
    for story in stories[1:]:
        pages += _list_answers("documents", "read_document", "next_offset", "offset", path=name, story=story)
    body = {"path": name, "format": "markdown"}
    markdown = _list_answers("documents", "read_document", "next_offset", "offset", **body)
    for story in stories[1:]:
        markdown += _list_answers("documents", "read_document", "next_offset", "offset", **body, story=story)
    yield "read_document", _not_among(file_words, pages)
    visible_texts = [page.get("markdown", "") for page in markdown]
    yield "read_document as markdown", _not_within(file_words, visible_texts)


def _check_deck(name: str, file_words: list[str]) -> Lost:
    shapes = _list_answers("slides", "read_slides", "next_slide", "slides", path=name)
    texts = _list_answers("slides", "read_deck_text", "next_slide", "slides", path=name)
    yield "read_deck_text", _not_among(file_words, texts)
    repeated = {word for page in texts for word in _words_of(list(page.get("repeated", {})))}
    yield "read_slides", [word for word in _not_among(file_words, shapes) if word not in repeated]


def _check_pdf(name: str, file_words: list[str]) -> Lost:
    texts, at = [], {"path": name}
    while True:
        answer = _call_tool("pdf", "read_pdf_text", **at)
        texts.append(answer)
        if not answer.get("next_pages"):
            break
        at |= {"pages": answer["next_pages"], "offset": answer.get("next_offset", 0)}
    yield (
        "read_pdf_text",
        _not_within(file_words, [page.get("text", "") for answer in texts for page in answer["pages"]]),
    )
    tables = _list_answers("pdf", "read_pdf_tables", "next_pages", "pages", path=name)
    cells = list(
        dict.fromkeys(
            word for page in tables for word in _words_of([table["rows"] for table in page.get("tables", [])])
        )
    )
    yield "read_pdf_tables (words that no line has)", _not_among(cells, texts)


def _check_page(name: str, file_words: list[str]) -> Lost:
    for form in ("markdown", "text"):
        texts = _list_answers("html", "read_page_text", "next_offset", "offset", path=name, format=form)
        yield f"read_page_text as {form}", _not_within(file_words, [page["text"] for page in texts])


def _list_answers(server: str, tool: str, following: str, argument: str, **arguments: Any) -> list[dict[str, Any]]:
    """List all answers of a tool that answers page by page."""
    tool_answers = []
    while True:
        tool_answers.append(_call_tool(server, tool, **arguments))
        at = tool_answers[-1].get(following)
        if not at:
            return tool_answers
        arguments[argument] = list(range(at, _count_slides(arguments["path"]) + 1)) if argument == "slides" else at


def _count_slides(name: str) -> int:
    return int(_call_tool("slides", "inspect_deck", path=name, limit=1)["slide_count"])


def _call_tool(server: str, tool: str, **arguments: Any) -> dict[str, Any]:
    from fastmcp.exceptions import FastMCPError

    try:
        answer = asyncio.run(load_server(server).call_tool(tool, arguments))
    except FastMCPError as error:
        raise Problem(str(error)) from error
    block: Any = answer.content[0]
    answer_data: dict[str, Any] = json.loads(block.text)
    return answer_data


def _not_among(file_words: list[str], answers: list[Any]) -> list[str]:
    """List the words that are missing from the answers."""
    tool_words = set(_words_of(answers))
    return [word for word in file_words if word not in tool_words]


def _not_within(file_words: list[str], texts: list[str]) -> list[str]:
    """List the words whose letters are not consecutive in the texts, ignoring other characters between them."""
    tool_text = "".join(list_words("".join(texts)))
    return [word for word in file_words if _JOINERS.sub("", word) not in tool_text]


def _words_of(value: Any) -> Iterator[str]:
    """List the words of all texts in an answer, in order."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from list_words(str(key))
            yield from _words_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _words_of(inner)
    elif isinstance(value, str | int | float):
        yield from list_words(str(value))


_READERS: dict[str, Callable[[str, list[str]], Lost]] = {
    ".docx": _check_document,
    ".pptx": _check_deck,
    ".pdf": _check_pdf,
    ".html": _check_page,
    ".htm": _check_page,
}
