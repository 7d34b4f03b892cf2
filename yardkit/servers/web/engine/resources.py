"""What a site gives for an address, as it is: the bytes of a page, of data or of a text, and their kind."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from yardkit.apps.sites import TEXTS, file_of, host_of, site_of
from yardkit.servers.web.engine.page_tree import drop_programs, parse_tree, to_markdown
from yardkit.servers.web.engine.sites import MAX_PAGE_BYTES
from yardkit.world import Problem
from yardkit.world.decoding import decode_bytes
from yardkit.world.limits import check_bytes

_BLANKS = re.compile(r"\s+")
_PAGES = ("text/html", "application/xhtml+xml")


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
    kind = TEXTS[path.suffix.lower()]
    return Resource(url, kind, decode_bytes(path.read_bytes(), html=is_markup(kind)).text)


def is_markup(kind: str) -> bool:
    """Whether texts of a media type state their own charset."""
    return kind in _PAGES or kind.endswith("xml")


def as_markdown(resource: Resource) -> str:
    """The text as Markdown: HTML without scripts and styles, anything else as it is.

    Raises:
        Problem: it is nested too deep.
    """
    if resource.kind not in _PAGES:
        return resource.text
    tree = parse_tree(resource.text, resource.url)
    drop_programs(tree)
    return to_markdown(tree, resource.url)


def to_bare_text(resource: Resource) -> str:
    """The words alone, with one blank between them: HTML without tags, scripts and styles.

    Raises:
        Problem: it is nested too deep.
    """
    if resource.kind not in _PAGES:
        return resource.text
    tree = parse_tree(resource.text, resource.url)
    drop_programs(tree)
    return _BLANKS.sub(" ", tree.get_text(" ")).strip()


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
