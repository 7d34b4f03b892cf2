"""The sites of a world: a folder for each host in ``apps/web``, with pages and data below it.

``https://host/a/b`` is ``host/a/b``, ``b.html``, ``b.md``, ``b.txt``, ``b.json`` ... or ``b/index.html``. The servers
`web` and `browser` show the same sites.
"""

from pathlib import Path
from urllib.parse import unquote, urlsplit

APP = "web"
TEXTS = {
    ".html": "text/html", ".htm": "text/html", ".md": "text/markdown", ".txt": "text/plain",
    ".json": "application/json", ".csv": "text/csv", ".xml": "application/xml",
}  # fmt: skip
"""What is read as text, by the ending of its file."""
PARTS = {
    ".css": "text/css", ".js": "text/javascript", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
    ".gif": "image/gif", ".svg": "image/svg+xml", ".webp": "image/webp", ".ico": "image/x-icon",
    ".woff2": "font/woff2", ".pdf": "application/pdf",
}  # fmt: skip
"""What else a page is made of."""


def site_of(folder: Path, host: str) -> Path | None:
    """Return the folder of a host's site, if it exists."""
    site = folder / host
    named = bool(host) and "/" not in host and host not in (".", "..")
    return site if named and site.is_dir() and not site.is_symlink() else None


def host_of(url: str) -> str:
    """Return the host of an address, with its port, in lower case; empty if it is not a web address."""
    try:
        parts = urlsplit(url)
    except ValueError:  # such as http://[x
        return ""
    return parts.netloc.lower() if parts.scheme in ("http", "https") else ""


def file_of(site: Path, url: str, kinds: dict[str, str] | None) -> Path | None:
    """Find the file of a site for an address, with one of these kinds, or any; query and fragment are ignored."""
    path = unquote(urlsplit(url).path).strip("/")
    names = (path, *(f"{path}{suffix}" for suffix in TEXTS), f"{path}/index.html") if path else ("index.html",)
    for name in names:
        file_path = site / name
        known = "\0" not in name and (kinds is None or file_path.suffix.lower() in kinds)
        if known and file_path.is_file() and file_path.resolve().is_relative_to(site.resolve()):
            return file_path
    return None
