"""A page in one file: its style sheets, scripts, pictures, fonts and films in itself."""

from __future__ import annotations

import base64
import mimetypes
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from yardkit.servers.html.engine.element_edits import attribute_splice
from yardkit.servers.html.engine.new_pages import base_folder, local_file
from yardkit.servers.html.engine.source import Page, Splice, elements_of, pictures_of, tag_of
from yardkit.world.decoding import decode_file

_MAX_ASSET = 10_000_000
_CSS_ADDRESS = re.compile(
    r"""/\*.*?\*/|@import\s+(?P<q>["'])(?P<sheet>[^"'\n]*)(?P=q)|url\(\s*(["']?)(?P<url>[^"')]+)\3\s*\)""",
    re.DOTALL | re.IGNORECASE,
)
_CHARSET = re.compile(r'\s*@charset\s+"[^"]*"\s*;', re.IGNORECASE)
_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.{0,2}/[^"'\n]+)["']""")
_XLINK = "{http://www.w3.org/1999/xlink}href"
_RESOURCE_ATTRIBUTES = {
    **dict.fromkeys(("img", "input", "source", "audio", "track", "embed", "iframe"), ("src",)),
    "video": ("src", "poster"),
    "object": ("data",),
    **dict.fromkeys(("image", "feImage", "use"), ("href", _XLINK)),
}
_BUNDLED_LINKS = {"icon", "apple-touch-icon", "mask-icon", "manifest"}
_DROPPED = {"href", "src", "rel", "type", "charset", "integrity", "crossorigin", "referrerpolicy", "defer", "async"}
"""Attributes that say how a file is fetched."""
_NO_FILE = "not a file of the workspace"


class Bundle:
    """What goes into a page.

    Attributes:
        taken: the files that are in the page.
        left: addresses that stay as they are, each with the reason.
    """

    def __init__(self, page: Page, path: Path, root: Path) -> None:
        self.page, self.folder, self.root = page, base_folder(page, path, root), root
        self.taken: dict[Path, None] = {}
        self.left: dict[str, str] = {}

    def make_page(self) -> Page:
        """The page with everything in itself."""
        return self.page.splice(
            splice for element in elements_of(self.page.root) for splice in self._bundle_element(element)
        )

    def _bundle_element(self, element: Any) -> Iterator[Splice]:
        tag = tag_of(element)
        if tag == "link" and element.get("href"):
            yield from self._bundle_link(element)
        elif tag == "script" and (element.get("src") or element.text):
            yield from self._bundle_script(element)
        elif tag == "style" and (inner := self.page.place(element).inner):
            css = self._bundle_css(element.text or "", self.folder)
            yield from [Splice(*inner, css)] if css != element.text else []
        for name in _RESOURCE_ATTRIBUTES.get(tag, ()):
            if element.get(name):
                data_address = (
                    None if tag in ("iframe", "use") else self._make_data_address(element.get(name), self.folder)
                )
                yield from self._bundle_attribute(element, name, data_address)
                self._leave_page(element.get(name), tag)
        if element.get("srcset"):
            yield from self._bundle_attribute(element, "srcset", self._bundle_srcset(element.get("srcset")))
        if "url(" in element.get("style", "").lower():
            yield from self._bundle_attribute(element, "style", self._bundle_css(element.get("style"), self.folder))

    def _leave_page(self, address: str, tag: str) -> None:
        if tag == "iframe" or (tag == "use" and not address.startswith("#")):
            self._note_left(address, "a page within the page" if tag == "iframe" else "a part of another picture")

    def _bundle_attribute(self, element: Any, name: str, value: str | None) -> Iterator[Splice]:
        if value is not None and value != element.get(name):
            yield attribute_splice(self.page, element, "xlink:href" if name == _XLINK else name, value)

    def _bundle_link(self, element: Any) -> Iterator[Splice]:
        kinds = set(element.get("rel", "").lower().split())
        if "stylesheet" not in kinds:
            if kinds & _BUNDLED_LINKS:
                yield from self._bundle_attribute(
                    element, "href", self._make_data_address(element.get("href"), self.folder)
                )
            return
        file = self._find_file(element.get("href"), self.folder)
        if file is None:
            return
        css = self._bundle_sheet(file)
        is_simple = "alternate" not in kinds and element.get("disabled") is None and self._is_writable(css)
        if is_simple:
            safe = re.sub("</(?=style)", r"<\\/", css, flags=re.IGNORECASE)
            yield self._bundle_element_text(element, "style", safe)
        else:
            yield from self._bundle_attribute(element, "href", _data_address("text/css;charset=utf-8", css.encode()))

    def _bundle_script(self, element: Any) -> Iterator[Splice]:
        is_module, file = element.get("type", "").strip().lower() == "module", None
        if element.get("src"):
            file = self._find_file(element.get("src"), self.folder)
        code = _read_text(file) if file else element.text or ""
        if is_module:
            for address in _IMPORT.findall(code):
                self._note_left(address, "imported by a script")
        if file is None:
            return
        waits = not is_module and (element.get("defer") is not None or element.get("async") is not None)
        if waits or not self._is_writable(code):
            data = _data_address("text/javascript;charset=utf-8", code.encode())
            yield from self._bundle_attribute(element, "src", data)
        else:
            safe = re.sub("</(?=script)", r"<\\/", code, flags=re.IGNORECASE)
            yield self._bundle_element_text(element, "script", safe)

    def _bundle_element_text(self, element: Any, tag: str, text: str) -> Splice:
        """An element with what the file says in place of the element that names it."""
        outer = self.page.place(element).outer
        assert outer is not None  # noqa: S101 - elements with attributes are written
        remaining_attributes = {name: value for name, value in element.attrib.items() if name not in _DROPPED}
        if tag == "script" and element.get("type"):
            remaining_attributes["type"] = element.get("type")
        words = "".join(f' {name}="{escape(value)}"' for name, value in remaining_attributes.items())
        return Splice(*outer, f"<{tag}{words}>\n{text.rstrip()}\n</{tag}>")

    def _is_writable(self, text: str) -> bool:
        """Whether the encoding of the page has all characters; references are no way out in styles and scripts."""
        try:
            text.encode(self.page.encoding)
        except UnicodeEncodeError:
            return False
        return True

    def _bundle_srcset(self, value: str) -> str:
        parts = pictures_of(value)
        return ", ".join(
            f"{self._make_data_address(address, self.folder) or address} {size}".strip() for address, size in parts
        )

    def _bundle_sheet(self, file: Path, within: tuple[Path, ...] = ()) -> str:
        return self._bundle_css(_CHARSET.sub("", _read_text(file), count=1), file.parent, (*within, file))

    def _bundle_css(self, css: str, folder: Path, within: tuple[Path, ...] = ()) -> str:
        """A style sheet with all that it names in itself; `within`: the sheets that import it."""

        def put(match: re.Match[str]) -> str:
            address = match["sheet"] or match["url"]
            if not address:
                return match[0]
            if match["sheet"] or css[max(0, match.start() - 20) : match.start()].rstrip().lower().endswith("@import"):
                file = self._find_file(address, folder)
                if file is None or file in within:
                    return match[0]
                data = _data_address("text/css;charset=utf-8", self._bundle_sheet(file, within).encode())
            else:
                data = self._make_data_address(address, folder) or ""
            head = "@import " if match["sheet"] else ""
            return f"{head}url({data})" if data else match[0]

        return _CSS_ADDRESS.sub(put, css)

    def _make_data_address(self, address: str, folder: Path) -> str | None:
        file = self._find_file(address, folder)
        if file is None:
            return None
        part = urlsplit(address.strip()).fragment
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        return _data_address(kind, file.read_bytes()) + (f"#{part}" if part else "")

    def _find_file(self, address: str, folder: Path) -> Path | None:
        """The file that an address names; what stays is noted."""
        clean = address.strip()
        if clean.startswith("#") or clean.lower().startswith(("data:", "about:", "blob:", "javascript:")):
            return None
        file = local_file(clean, folder, self.root)
        if file is None or not file.is_file():
            self._note_left(clean, _NO_FILE)
            return None
        if file.stat().st_size > _MAX_ASSET:
            self._note_left(clean, f"larger than {_MAX_ASSET // 1_000_000} MB")
            return None
        self.taken[file] = None
        return file

    def _note_left(self, address: str, reason: str) -> None:
        self.left.setdefault(address, reason)


def _data_address(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def _read_text(file: Path) -> str:
    """A style sheet or script, by its byte order mark, the charset that it states, UTF-8 or a guess."""
    return decode_file(file.read_bytes(), file.name, html=file.suffix.lower() == ".css").text
