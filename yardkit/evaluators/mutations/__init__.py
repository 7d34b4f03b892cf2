"""Automatic mutants: typed operators that change one thing in a solved world, each with the target that it changed.

A target is ``kind:path#detail``. The leaves whose ``covers`` match it must catch the mutant.

- any file: ``file:a.csv``, ``input:b.txt``, ``stray:new.txt``; besides ``answer``
- text: ``text:a.md#line 3``; pictures: ``image:a.png``
- sounds: ``sound:a.mp3#length`` (last third cut), ``#part`` (silent in the middle), ``#loudness``, ``#speed``,
  ``#channels`` (one side only), ``#noise``, ``#tags``, ``#chapters``
- xlsx: ``cells:a.xlsx#Plan!B2``, ``rows:a.xlsx#Plan``, ``sheet:a.xlsx#Plan`` (name, presence),
  ``formulas:a.xlsx#Plan!B2`` (pasted as a value), ``formats:a.xlsx#Plan!B2`` (number format), ``looks:a.xlsx#Plan``
  (all formats of cells), ``rules:``, ``validations:``, ``charts:`` and ``visibility:a.xlsx#Plan``
- docx: ``body:a.docx``, ``paragraphs:a.docx#its text``, ``rows:a.docx#1`` (table 1), ``styles:a.docx#its heading``,
  ``comments:a.docx#author!text``, ``changes:a.docx#author!text``, ``notes:a.docx#text``, ``headers:a.docx#header`` (or
  ``#footer``), ``pictures:a.docx#alternative text``; texts are cut after 60 characters
- pptx: ``slides:a.pptx#2`` (dropped, doubled, moved), ``titles:``, ``texts:``, ``notes:``, ``charts:`` and
  ``pictures:a.pptx#2``, ``shapes:a.pptx#2!name``
- pdf: ``pages:a.pdf#2``, ``fields:a.pdf#name``
- html: ``text:a.html#line 3``, ``headings:``, ``links:``, ``pictures:``, ``rows:a.html#line 3``,
  ``words:a.html#line 3`` (the visible text, not the source)
- films: ``film:a.mp4#sound`` (dropped, late), ``#length`` (cut off), ``#frames`` (black, frozen, mirrored, squeezed),
  ``#subtitles`` (dropped)
- records of apps: ``record:forms/questions#12.text`` and ``record:forms/questions#12`` (dropped, doubled) of what the
  solver added or changed; ``bystander:forms/responses#7.answers`` of what it left alone, or a stray record beside it
- mails: ``mail:Sent#people``, ``#times``, ``#text``, ``#files``, ``#thread`` of what was sent (``mail:Drafts#...`` of
  drafts), ``mail:filed#<Message-ID>`` of what was moved or removed, ``mail:marked#<Message-ID>``, and
  ``bystander:mail/INBOX#<Message-ID>`` of what was left alone
- events: ``event:time#uid``, ``event:guests#uid``, ``event:series#uid``, ``event:count#uid`` and ``event:calendar#uid``
  of what the solver added, changed or removed; ``bystander:calendar/uid`` of one that it left alone
- forms that were sent from pages of sites: ``post:sent#https://shop.example/order`` (not sent, sent twice, sent to
  another address) and ``post:fields#pieces`` (another value, left out)
- tables of the warehouse: ``table:warehouse/DB.SCHEMA.TABLE#rows`` and ``#types`` of those that the solver made or
  changed; ``bystander:warehouse/DB.SCHEMA.TABLE`` of one that it left alone
"""

import random
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from yardkit.evaluators.mutations import (
    answers,
    documents,
    files,
    films,
    html_pages,
    images,
    pdf_files,
    presentations,
    sounds,
    texts,
    workbook_features,
    workbook_values,
)
from yardkit.evaluators.mutations.mutant import Mutant
from yardkit.evaluators.mutations.records import record_mutants

__all__ = ["Mutant", "generate_mutants", "matches_target", "record_mutants"]

_TEXT_SUFFIXES = {".txt", ".md", ".csv", ".tsv", ".json", ".html", ".xml", ".svg", ".yaml", ".toml", ".ics", ".tex"}
_IMAGE_SUFFIXES = {".png", ".jpg", ".jpeg", ".webp"}
_SOUND_SUFFIXES = {".wav", ".mp3", ".flac", ".ogg", ".m4a"}
_FILM_SUFFIXES = {".mp4", ".mov", ".mkv", ".webm", ".gif"}
_MUTATORS = {
    ".xlsx": (workbook_values, workbook_features),
    ".docx": (documents,),
    ".pptx": (presentations,),
    ".pdf": (pdf_files,),
    ".html": (html_pages,),
}


MAX_FILES = 10
"""Delivered files of one world that are mutated, each in every way its type allows."""


def generate_mutants(
    workspace: Path, answer: str, changed: Mapping[str, str], initial: Mapping[str, str], rng: random.Random
) -> Iterator[Mutant]:
    """Generate all mutants of a solved world: of its answer, of each delivered file by type, of the untouched inputs.

    Args:
        workspace: the solved workspace, which is not changed.
        answer: the solver's final text.
        changed: relative paths that the solver added or changed -> which of both.
        initial: digests of the untouched workspace by relative path.
        rng: chooses cells, lines and numbers.
    """
    yield from answers.generate_mutants(answer, rng)
    delivered = [path for path, how in changed.items() if how != "deleted"]
    for path in sorted(rng.sample(delivered, min(MAX_FILES, len(delivered)))):
        yield from files.of_deliverable(path)
        yield from _by_type(workspace, path, rng)
    yield from files.of_inputs(sorted(path for path in initial if path not in changed), rng)


def _by_type(workspace: Path, path: str, rng: random.Random) -> Iterator[Mutant]:
    suffix = Path(path).suffix.lower()
    if suffix in _TEXT_SUFFIXES:
        yield from texts.generate_mutants(workspace, path, rng)
    if suffix in _IMAGE_SUFFIXES:
        yield from images.generate_mutants(workspace, path)
    if suffix in _SOUND_SUFFIXES:
        yield from sounds.generate_mutants(workspace, path)
    if suffix in _FILM_SUFFIXES:
        yield from films.generate_mutants(workspace, path)
    for module in _MUTATORS.get(suffix, ()):
        yield from module.generate_mutants(workspace, path, rng)


def matches_target(pattern: str, target: str) -> bool:
    """Whether a leaf that covers `pattern` depends on `target`.

    A change to an entire file (``file:``) concerns every leaf that covers anything in that file.
    """
    if fnmatchcase(target, pattern) or fnmatchcase(target.split("#")[0], pattern):
        return True
    kind, _, path = target.partition(":")
    return kind == "file" and fnmatchcase(path, pattern.partition(":")[2].split("#")[0] or "\0")
