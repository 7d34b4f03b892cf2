"""What a site gives for an address, as it is: the bytes of a page, of data or of a text, and their kind."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.apps.sites import TEXTS, file_of, host_of, site_of
from yardkit.servers.web.engine.sites import MAX_PAGE_BYTES
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

if TYPE_CHECKING:
    from bs4 import BeautifulSoup

_BLANKS = re.compile(r"\s+")
_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True)
class Resource:
    """What stands at an address. kind: its media type, without parameters."""

    url: str
    kind: str
    text: str


def read_resource(folder: Path, url: str) -> Resource:
    """What a site of the folder has at an address; query and fragment are of no account.

    Raises:
        Problem: it is not an address, or nothing is there.
    """
    address = url if "://" in url else f"https://{url}"
    host = host_of(address)
    if not host:
        raise Problem(f"{url!r} is not a valid address; use one such as https://example.org/page")
    site = site_of(folder, host)
    if site is None:
        known = ", ".join(entry.name for entry in sorted(folder.iterdir()) if entry.is_dir())
        raise Problem(f"there is no site {host!r}; there are: {known}")
    path = file_of(site, address, TEXTS)
    if path is None:
        raise Problem("HTTP error: 404")
    check_bytes(path, MAX_PAGE_BYTES)
    return Resource(url, TEXTS[path.suffix.lower()], path.read_bytes().decode("utf-8", "replace"))


def as_markdown(resource: Resource) -> str:
    """The text as Markdown: HTML without scripts and styles, anything else as it is.

    Raises:
        Problem: it is nested too deep.
    """
    if resource.kind not in ("text/html", "application/xhtml+xml"):
        return resource.text
    from markdownify import MarkdownConverter

    tree = _parse_tree(resource)
    try:
        text = MarkdownConverter(heading_style="ATX", bullets="-").convert_soup(tree.body or tree)
    except RecursionError as error:
        raise Problem(f"the page {resource.url} is nested too deeply to be read") from error
    return _LINES.sub("\n\n", text).strip()


def to_bare_text(resource: Resource) -> str:
    """The words alone, with one blank between them: HTML without tags, scripts and styles.

    Raises:
        Problem: it is nested too deep.
    """
    if resource.kind not in ("text/html", "application/xhtml+xml"):
        return resource.text
    return _BLANKS.sub(" ", _parse_tree(resource).get_text(" ")).strip()


def as_json(resource: Resource) -> str:
    """The data as compact JSON.

    Raises:
        Problem: it is not valid.
    """
    try:
        return json.dumps(json.loads(resource.text), ensure_ascii=False, separators=(",", ":"))
    except (json.JSONDecodeError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it is nested too deeply"
        raise Problem(f"it is {resource.kind}, not valid JSON ({reason}); read it as Markdown or text") from error


def _parse_tree(resource: Resource) -> "BeautifulSoup":
    from bs4 import BeautifulSoup

    try:
        tree = BeautifulSoup(resource.text, "lxml")
    except RecursionError as error:
        raise Problem(f"the page {resource.url} is nested too deeply to be read") from error
    for element in tree(["script", "style", "noscript", "template"]):
        element.decompose()
    return tree
