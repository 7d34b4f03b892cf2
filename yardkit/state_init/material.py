"""Texts of a task that its seed works up: beside its module, or among its files, with gaps or to become documents."""

import datetime
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from yardkit.state_init.documents import FieldCode, Paper
from yardkit.world import World, save_text


def read_texts(module: str, name: str = "") -> dict[str, Any]:
    """The texts of a seed: the TOML file `name` beside its module (``__file__``), by default one with its name."""
    path = Path(module)
    return tomllib.loads((path.with_name(name) if name else path.with_suffix(".toml")).read_text("utf-8"))


def take_out(world: World, name: str) -> str:
    """The text of a file of the task, which is not left in the world."""
    path = world.files / name
    text = path.read_text("utf-8")
    path.unlink()
    return text


def take_out_toml(world: World, name: str) -> dict[str, Any]:
    """What a TOML file of the task holds, which is not left in the world."""
    return tomllib.loads(take_out(world, name))


def fill_in(world: World, name: str, **values: object) -> None:
    """Fill the ``{gaps}`` of a file of the task."""
    path = world.files / name
    save_text(path, path.read_text("utf-8").format(**values))


def typeset_markdown(
    text: str, *, author: str, now: datetime.datetime, header: Sequence[str], widths_mm: Sequence[float] = ()
) -> Paper:
    """A document with page numbers of simple Markdown: ``#`` is its title, ``##`` and so on are its headings.

    Blocks stand apart by empty lines: a heading, paragraph, list with ``-``, or table whose rows begin and end with
    ``|`` and whose columns are `widths_mm` wide. `header` are the pieces of the page header.
    """
    blocks = text.strip().split("\n\n")
    paper = Paper(blocks[0].removeprefix("# "), author=author, now=now)
    paper.header(*header)
    paper.footer("Page ", FieldCode("PAGE"))
    for block in blocks:
        _add(paper, block, widths_mm)
    return paper


def _add(paper: Paper, block: str, widths_mm: Sequence[float]) -> None:
    mark, _, rest = block.partition(" ")
    lines = block.split("\n")
    if mark.strip("#") == "":
        paper.add_heading(rest, len(mark) - 1)
    elif mark == "-":
        paper.add_bullets([line.removeprefix("- ") for line in lines])
    elif mark == "|":
        paper.table([line.strip("| ").split(" | ") for line in lines], widths_mm=widths_mm)
    else:
        paper.add_paragraph(lines[0], *(f" {line}" for line in lines[1:]))
