"""Search over the sites of a world by SQLite's full-text index."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from unicodedata import normalize

from yardkit.servers.web.engine.sites import page_files, read_page
from yardkit.world import Problem

MAX_RESULTS = 100
_SIGNS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0002fa1f"
)
"""Of scripts without spaces between words, and of Korean, whose words have endings: each is a word of the index."""
_WIDTHS = re.compile("[\uff00-\uffef]+")
_LOWERED, _RAISED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"), str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIGN = re.compile(f"[{_SIGNS}]")
_PARTED = re.compile(f"(?<=[{_SIGNS}]) +(?=[{_SIGNS}])")
_WORD = re.compile(rf"[{_SIGNS}]+|[^\W{_SIGNS}]+")
_SNIPPET_WORDS = 30


@dataclass(frozen=True)
class Hit:
    """A page that was found. date: as the page states it; empty where it does not."""

    title: str
    url: str
    snippet: str
    date: str = ""


@dataclass(frozen=True)
class Hits:
    """Pages that were found.

    Attributes:
        hits: best first.
        total: how many there are; null where the service does not say it.
        next_offset: where the list goes on; null at its end.
        source: `sites` of the world, or `live`.
    """

    hits: tuple[Hit, ...]
    total: int | None
    next_offset: int | None
    source: str

    def __str__(self) -> str:
        if not self.hits:
            return "No page was found."
        lines = [
            f"{hit.title}{f' ({hit.date})' if hit.date else ''}\n{hit.url}\n{hit.snippet}".strip() for hit in self.hits
        ]
        more = [f"[go on with offset={self.next_offset}]"] if self.next_offset is not None else []
        return "\n\n".join([*lines, *more])


def search_sites(folder: Path, query: str, offset: int, limit: int) -> Hits:
    """Pages that hold words of a query, those with more and rarer ones first.

    Raises:
        Problem: the query holds no word.
    """
    if not _WORD.search(query):
        raise Problem(f"{query!r} contains no word to search for")
    files = list(page_files(folder))
    stamps = tuple((path, path.stat().st_size, path.stat().st_mtime_ns) for path in files)
    words = " OR ".join(dict.fromkeys(_list_phrases(query)))
    matching_pages = (
        "SELECT title, url, snippet(pages, 2, '', '', ' ... ', ?), date FROM pages WHERE pages MATCH ? "
        "ORDER BY bm25(pages, 4.0, 0.0, 1.0, 0.0), url LIMIT ? OFFSET ?"
    )
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(_build_index(folder, stamps))
        total = database.execute("SELECT count(*) FROM pages WHERE pages MATCH ?", (words,)).fetchone()[0]
        rows = database.execute(matching_pages, (_SNIPPET_WORDS, words, limit, offset)).fetchall()
    hits = tuple(Hit(_join_signs(title), url, _join_signs(snippet), date) for title, url, snippet, date in rows)
    more = offset + len(hits)
    return Hits(hits, total, more if more < total else None, "sites")


def _list_phrases(query: str) -> Iterator[str]:
    """The words of a query; of a run of signs without spaces the whole run, and each two signs that are neighbours."""
    for word in _WORD.findall(_fold_widths(query)):
        yield f'"{_part_signs(word)}"'
        if re.search("[A-Za-z]", word) and re.search("[0-9]", word):  # such as CO2 and m2
            yield from (f'"{word.translate(digits)}"' for digits in (_LOWERED, _RAISED))
        if _SIGN.match(word) and len(word) > 2:
            yield from (f'"{first} {second}"' for first, second in pairwise(word))


def _part_signs(text: str) -> str:
    """A text in which each sign that is a word of the index stands alone."""
    return _SIGN.sub(r" \g<0> ", _fold_widths(text)).strip()


def _fold_widths(text: str) -> str:
    """A text whose letters of full and half width are the usual ones."""
    return _WIDTHS.sub(lambda match: normalize("NFKC", match[0]), text)


def _join_signs(text: str) -> str:
    return _PARTED.sub("", " ".join(text.split()))


@lru_cache(4)
def _build_index(folder: Path, stamps: Sequence[tuple[Path, int, int]]) -> bytes:
    """The index of all pages, as a database: made once for pages as they are."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(
            "CREATE VIRTUAL TABLE pages USING fts5"
            "(title, url UNINDEXED, text, date UNINDEXED, tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        for path, _, _ in stamps:
            # A page that cannot be read is not found; whoever fetches it is told why.
            with suppress(Problem):
                page = read_page(folder, path)
                words = _part_signs(page.title), page.url, _part_signs(page.text), page.date
                database.execute("INSERT INTO pages VALUES (?, ?, ?, ?)", words)
        database.commit()
        return database.serialize()
