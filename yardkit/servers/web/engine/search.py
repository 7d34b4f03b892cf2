"""Search over the sites of a world by SQLite's full-text index.

Words are alternatives. ``OR`` and ``AND`` between them change nothing, ``NOT word`` and ``-word`` leave pages out, a
word with ``*`` at its end is a beginning, and ``site:host`` looks at one site only.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from unicodedata import normalize

from yardkit.servers.web.engine.sites import page_files, read_page
from yardkit.world import Problem
from yardkit.world.queries import fold_letters

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
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0dff"
"""Accents, points and vowels that stand on letters and part no words."""
_NAME_SIGNS = {"+": "\ue02b", "#": "\ue023", ".": "\ue02e"}
"""Signs of private use, which the index takes for letters, for those in C++, C# and .NET."""
_NAMES = re.compile(r"(?<=\w)\+\+(?!\+)|(?<=\b[A-Za-z])#(?!\w)|(?<![\w.])\.(?=NET\b)", re.IGNORECASE)
_BACK = str.maketrans({private: sign for sign, private in _NAME_SIGNS.items()} | {"\u200b": None})
_WORD = re.compile(rf"[{_SIGNS}]+|(?:[^\W{_SIGNS}]|[{_MARKS}{''.join(_NAME_SIGNS.values())}])+")
_OPERATORS = ("OR", "AND", "|", "&&", "||")
_EXCLUDED = re.compile(r"-(?=[^\W\d_]{3})")
_MAX_SPELLINGS = 20
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
    index, spellings = _build_index(folder, stamps)
    words, hosts = _read_query(query, spellings)
    where = "pages MATCH ?" + f" AND ({' OR '.join(['is_on(url, ?)'] * len(hosts)) or 'true'})"
    matching_pages = (
        f"SELECT title, url, snippet(pages, 2, '', '', ' ... ', ?), date FROM pages WHERE {where} "  # noqa: S608
        "ORDER BY bm25(pages, 4.0, 0.0, 1.0, 0.0), url LIMIT ? OFFSET ?"
    )
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(index)
        database.create_function("is_on", 2, _is_on, deterministic=True)
        total = database.execute(f"SELECT count(*) FROM pages WHERE {where}", (words, *hosts)).fetchone()[0]  # noqa: S608
        rows = database.execute(matching_pages, (_SNIPPET_WORDS, words, *hosts, limit, offset)).fetchall()
    hits = tuple(Hit(_join_signs(title), url, _join_signs(snippet), date) for title, url, snippet, date in rows)
    more = offset + len(hits)
    return Hits(hits, total, more if more < total else None, "sites")


def _is_on(url: str, host: str) -> bool:
    return f".{url.split('/')[2]}".endswith(f".{host.removeprefix('www.')}")


def _read_query(query: str, spellings: Mapping[str, Sequence[str]]) -> tuple[str, list[str]]:
    """A query as one of the index, and the hosts that it names.

    Raises:
        Problem: it says only what is to be left out.
    """
    sought, left_out, hosts = list[str](), list[str](), list[str]()
    parts = query.split()
    for place, part in enumerate(parts):
        if part in _OPERATORS or (part == "NOT" and place + 1 < len(parts)):
            continue
        if part.lower().startswith("site:") and len(part) > len("site:"):
            hosts.append(part[len("site:") :].lower().removeprefix("https://").split("/")[0])
            continue
        excludes = place and (_EXCLUDED.match(part) or parts[place - 1] == "NOT")
        (left_out if excludes else sought).extend(_list_phrases(part, spellings))
    if not sought:
        raise Problem(f"{query!r} contains no word to search for")
    words = " OR ".join(dict.fromkeys(sought))
    return (f"({words}) NOT ({' OR '.join(dict.fromkeys(left_out))})" if left_out else words), hosts


def _list_phrases(part: str, spellings: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The words of a part; of a run of signs without spaces the whole run, and each two signs that are neighbours."""
    beginning = " *" if re.search(r"\w\*$", part) else ""
    for word in _WORD.findall(_keep_names(_fold_widths(part))):
        yield f'"{_part_signs(word)}"{beginning}'
        if not _SIGN.match(word):
            key = fold_letters(word)
            yield f'"{key}"{beginning}'
            keys = [spelled for spelled in spellings if spelled.startswith(key)] if beginning else [key]
            yield from (f'"{spelling}"' for spelled in keys[:_MAX_SPELLINGS] for spelling in spellings.get(spelled, ()))
        if re.search("[A-Za-z]", word) and re.search("[0-9]", word):  # such as CO2 and m2
            yield from (f'"{word.translate(digits)}"' for digits in (_LOWERED, _RAISED))
        if _SIGN.match(word) and len(word) > 2:
            yield from (f'"{first} {second}"' for first, second in pairwise(word))


def _part_signs(text: str) -> str:
    """A text in which each sign that is a word of the index stands alone."""
    return _SIGN.sub(r" \g<0> ", _keep_names(_fold_widths(text))).strip()


def _keep_names(text: str) -> str:
    """A text in which the signs of C++, C# and .NET are parts of the word."""
    return _NAMES.sub(lambda match: "".join(map(_NAME_SIGNS.__getitem__, match[0])) + _part_after(match), text)


def _part_after(match: "re.Match[str]") -> str:
    """What parts C++ from the 17 of C++17."""
    return "\u200b" if match[0] != "." and match.string[match.end() : match.end() + 1].isalnum() else ""


def _fold_widths(text: str) -> str:
    """A text whose letters of full and half width are the usual ones."""
    return _WIDTHS.sub(lambda match: normalize("NFKC", match[0]), text)


def _join_signs(text: str) -> str:
    return _PARTED.sub("", " ".join(text.split())).translate(_BACK)


@lru_cache(4)
def _build_index(folder: Path, stamps: Sequence[tuple[Path, int, int]]) -> tuple[bytes, Mapping[str, Sequence[str]]]:
    """The index of all pages, as a database, and how words with other letters are spelled in them.

    It is made once for pages as they are.
    """
    spellings: dict[str, list[str]] = {}
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
                _note_spellings(f"{page.title} {page.text}", spellings)
        database.commit()
        return database.serialize(), spellings


def _note_spellings(text: str, spellings: dict[str, list[str]]) -> None:
    for word in set(_WORD.findall(text)):
        if not word.isascii() and not _SIGN.match(word):
            known = spellings.setdefault(fold_letters(word), [])
            if word.lower() != fold_letters(word) and word not in known and len(known) < _MAX_SPELLINGS:
                known.append(word)
