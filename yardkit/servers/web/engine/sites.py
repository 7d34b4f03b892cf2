"""The sites of a world: a folder for each host, with pages as HTML, Markdown or text below it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin

from yardkit.apps.sites import file_of
from yardkit.kit.addresses import split_address
from yardkit.servers.web.engine.page_tree import (
    drop_controls,
    drop_hidden,
    drop_programs,
    find_next_address,
    make_depth_problem,
    parse_tree,
    resolve_links,
    to_markdown,
)
from yardkit.world import Problem
from yardkit.world.decoding import decode_bytes
from yardkit.world.limits import check_bytes
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    from bs4 import BeautifulSoup

MAX_PAGE_BYTES, MAX_PAGES = 5_000_000, 5000
_MAX_SHEETS, _MAX_SHEET_BYTES = 20, 500_000
_SUFFIXES = (".html", ".htm", ".md", ".txt")
_DATA = (".json", ".csv", ".xml")
"""Read by their address, but not among the pages."""
_HOST = re.compile(r"[a-z0-9][a-z0-9.-]{0,250}(:\d{1,5})?")


@dataclass(frozen=True)
class Page:
    """A page.

    Attributes:
        url: of it.
        title: its title, else its first heading, else its name.
        text: as Markdown, without scripts, styles, fields and what is hidden; links are whole addresses.
        date: as the page states it; empty where it does not.
    """

    url: str
    title: str
    text: str
    date: str = ""


def page_files(folder: Path) -> Iterator[Path]:
    """The files of all pages, by name, without links.

    Raises:
        Problem: there are more than `MAX_PAGES`.
    """
    count = 0
    for host in sorted(entry for entry in folder.iterdir() if entry.is_dir() and not entry.is_symlink()):
        for path in sorted(host.rglob("*")):
            if path.suffix.lower() in _SUFFIXES and path.is_file() and not path.is_symlink():
                count += 1
                if count > MAX_PAGES:
                    raise Problem(f"the sites have more than {MAX_PAGES:,} pages")
                yield path


def url_of(folder: Path, path: Path) -> str:
    """The address of a page; that of an index is that of its folder."""
    relative = path.relative_to(folder).as_posix()
    return "https://" + re.sub(r"(^|/)index\.html?$", r"\1", relative)


def find_page(folder: Path, url: str) -> Path:
    """The file of a page by its address.

    Raises:
        Problem: it is not an address, or there is no such host or page; what is near it is named.
    """
    parts = split_address(url if "://" in url else f"https://{url}")
    host = parts.netloc.lower()
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(host):
        raise Problem(f"{url!r} is not a valid page address; use one such as https://example.org/page")
    site = folder / host
    if not site.is_dir() or site.is_symlink():
        known = ", ".join(entry.name for entry in sorted(folder.iterdir()) if entry.is_dir())
        raise Problem(f"there is no site {host!r}; there are: {known}")
    path = unquote(parts.path).strip("/")
    for name in (path, *(f"{path}{suffix}" for suffix in _SUFFIXES), f"{path}/index.html".lstrip("/")):
        page_path = (site / name) if name else site / "index.html"
        inside = page_path.resolve().is_relative_to(site.resolve())
        if inside and page_path.suffix.lower() in (*_SUFFIXES, *_DATA) and page_path.is_file():
            return page_path
    if path and (other := file_of(site, f"https://{host}{parts.path}", None)):
        size = other.stat().st_size
        raise Problem(f"{url!r} is a file of {size:,} bytes, not a page; only pages and texts can be read here")
    raise Problem(f"there is no page {url!r} (status 404); search for it")


def read_page(folder: Path, path: Path) -> Page:
    """A page as Markdown.

    Raises:
        Problem: it is too large, or nested too deep.
    """
    check_bytes(path, MAX_PAGE_BYTES)
    url, is_html = url_of(folder, path), path.suffix.lower() in (".html", ".htm")
    decoded = decode_bytes(path.read_bytes(), html=is_html)
    page = _of_html(folder, url, decoded.text, path.stem) if is_html else _of_text(url, decoded.text, path.stem)
    if decoded.lost:
        page = replace(page, text=f"{page.text}\n\n[{format_count(decoded.lost, 'character')} could not be decoded]")
    return page


def _of_text(url: str, text: str, name: str) -> Page:
    heading = next((line.lstrip("# ").strip() for line in text.splitlines() if line.strip()), name)
    return Page(url, heading[:200], text)


def _read_sheets(folder: Path, tree: "BeautifulSoup", url: str) -> tuple[list[str], int]:
    """The style sheets that a page names, as far as the sites have them, and how many they do not have."""
    sheets: list[str] = []
    missing = 0
    for link in tree.select("link[rel~=stylesheet][href]:not([media=print])")[:_MAX_SHEETS]:
        try:
            parts = split_address(urljoin(url, str(link["href"]).strip()))
            site = (folder / parts.netloc.lower()).resolve()
            path = (site / unquote(parts.path).strip("/")).resolve()
            there = site.parent == folder.resolve() and path.is_relative_to(site) and path.is_file()
        except (Problem, ValueError, OSError):
            there = False
        if there and path.stat().st_size <= _MAX_SHEET_BYTES:
            sheets.append(decode_bytes(path.read_bytes()).text)
        else:
            missing += 1
    return sheets, missing


def _of_html(folder: Path, url: str, source: str, name: str) -> Page:
    tree = parse_tree(source, url)
    try:
        title = tree.title.get_text(" ", strip=True) if tree.title else ""
        date = tree.find("meta", attrs={"name": re.compile("^(date|last-modified|dcterms.modified)$", re.IGNORECASE)})
        sheets, missing = _read_sheets(folder, tree, url)
        hidden = drop_hidden(tree, sheets)
        drop_programs(tree)
        drop_controls(tree)
        heading = tree.find(["h1", "h2"])
        resolve_links(tree, url)
    except RecursionError as error:
        raise make_depth_problem(url) from error
    page_title = title or (heading.get_text(" ", strip=True) if heading else "") or name
    text = to_markdown(tree, url)
    if address := find_next_address(tree, url):
        text = f"{text}\n\n[this page sends its readers on to {address}]".lstrip()
    if hidden:
        text += f"\n\n[{format_count(hidden, 'character')} that the page hides by its style left out]"
    if missing:
        hides = "it hides" if missing == 1 else "they hide"
        text += f"\n\n[{format_count(missing, 'style sheet')} of the page cannot be read, so what {hides} is shown]"
    return Page(url, page_title[:200], text, str(date.get("content", ""))[:40] if date else "")
