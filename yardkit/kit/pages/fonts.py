"""The fonts that a document requests, and the substitutes for missing ones."""

import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from yardkit.kit.pages import kinds, libreoffice, raster
from yardkit.world.fontconfig import installed_families, same_widths, squeeze_name

_MAX_PART = 100_000_000
_CJK = re.compile(rb"[\xe3-\xe9][\x80-\xbf]{2}|\xea[\xb0-\xbf][\x80-\xbf]")
_FONT_OF = re.compile(rb"<w:rFonts\b([^>]*)")
_ATTRIBUTE = re.compile(rb'w:(ascii|hAnsi|eastAsia|asciiTheme|hAnsiTheme|eastAsiaTheme)="([^"]+)"')
_STYLE = re.compile(rb'<w:style\b[^>]*w:styleId="([^"]+)"')
_DEFAULT_STYLE = re.compile(rb'<w:style\b(?=[^>]*w:default="(?:1|true)")[^>]*w:styleId="([^"]+)"')
_USED_STYLE = re.compile(rb'<w:(?:p|r|tbl)Style w:val="([^"]+)"')
_BASED_ON = re.compile(rb'<w:basedOn w:val="([^"]+)"')
_THEME = re.compile(rb"<a:(major|minor)Font>.*?<a:latin typeface=\"([^\"]*)\".*?<a:ea typeface=\"([^\"]*)\"", re.DOTALL)
_TYPEFACE = re.compile(rb'<a:(latin|ea) typeface="([^"]+)"')
_SHEET_FONT = re.compile(rb'<(?:name|rFont) val="([^"]+)"')
_ODF_FONT = re.compile(rb'(?:style:font-name|fo:font-family)="([^"]+)"')
_ODF_FACE = re.compile(rb'<style:font-face\b[^>]*style:name="([^"]+)"[^>]*svg:font-family="([^"]+)"')
_ODF_STYLE = re.compile(rb'<style:style\b[^>]*style:name="([^"]+)"[^>]*?(?:/>|>.*?</style:style>)', re.DOTALL)
_ODF_USED = re.compile(rb'(?:parent-|default-cell-|:)style-name="([^"]+)"')
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_WEIGHT = re.compile(r"[-,](Regular|Bold|Italic|BoldItalic|Oblique|BoldOblique|Book|Medium|Light).*$")


@dataclass(frozen=True)
class Font:
    """A font that a document requests.

    Attributes:
        asked: the family's name in the document.
        used: the family used on the pages.
        replaced: whether that is a different family.
        same_widths: whether the substitute has the same widths, so that the layout is as intended.
    """

    asked: str
    used: str
    replaced: bool = False
    same_widths: bool = False

    def __str__(self) -> str:
        widths = " (same widths)" if self.same_widths else ""
        return f"{self.asked} -> {self.used}{widths}" if self.replaced else self.asked


def list_installed_fonts(source: Path) -> list[Font]:
    """List the fonts of an office file, with the substitutes for missing ones, in name order.

    Raises:
        Problem: the file cannot be read.
    """
    asked = sorted(_list_requested(source), key=str.lower)
    used = find_substitutes(asked)
    return [Font(name, used[name], used[name] != name, same_widths(name, used[name])) for name in asked]


_known: dict[str, str] = {}
_EASTERN = re.compile(
    r"[\u3040-\u9fff\uac00-\ud7af]|cjk|simsun|simhei|yahei|jhenghei|fangsong|kaiti|dengxian|pingfang|mingliu|mincho"
    r"|meiryo|yu gothic|ms p?gothic|batang|gulim|dotum|malgun|heiti|songti|hiragino|source han",
    re.IGNORECASE,
)
"""Families for Chinese, Japanese and Korean, whose letters decide by what they are replaced."""


def find_substitutes(families: Iterable[str]) -> dict[str, str]:
    """Map each family to the one that LibreOffice uses: itself if it is installed."""
    families = list(families)
    unknown = [name for name in families if name not in _known and squeeze_name(name) not in installed_families()]
    if unknown:
        _known.update(zip(unknown, _probe_fonts(unknown), strict=True))
    return {name: _known.get(name, name) for name in families}


def _probe_fonts(families: list[str]) -> list[str]:
    samples = [(name, "\u4e2d" if _EASTERN.search(name) else "Hamburg") for name in families]
    names = raster.run_picture_call(raster.page_fonts, libreoffice.probe_fonts(samples))
    families_used = [_parse_family(name) for name in names]
    return (
        families_used
        if len(families_used) == len(families)
        else [f"{families_used[0] if families_used else 'another'} (or another)"] * len(families)
    )


def _parse_family(base_name: str) -> str:
    """Parse a font's family: ``BAAAAA+LiberationSans-Bold`` is Liberation Sans."""
    bare_name = _WEIGHT.sub("", _SUBSET.sub("", base_name))
    return installed_families().get(squeeze_name(bare_name), bare_name)


def _list_requested(source: Path) -> set[str]:
    suffix = kinds.office_suffix(source)
    if suffix in (*kinds.LEGACY, ".rtf"):
        return _asked_of_legacy(source)
    if suffix in kinds.LOOSE:
        return set()
    with zipfile.ZipFile(source) as archive:
        if "[Content_Types].xml" not in archive.namelist():
            return _of_odf(archive)
        names = archive.namelist()
        if any(name.startswith("word/") for name in names):
            return _of_docx(archive)
        if any(name.startswith("ppt/") for name in names):
            return _of_pptx(archive)
        return set(_decode_names(_SHEET_FONT.findall(_read_members(archive, r"xl/(styles|sharedStrings)\.xml"))))


def _asked_of_legacy(source: Path) -> set[str]:
    import tempfile

    suffix = {"writer": ".odt", "calc": ".ods", "impress": ".odp"}.get(libreoffice.kind_of(source), ".odt")
    with tempfile.TemporaryDirectory(prefix="yardkit-fonts-") as directory:
        target = Path(directory) / f"copy{suffix}"
        libreoffice.convert_file(source, target)
        return _list_requested(target)


def _read_members(archive: zipfile.ZipFile, pattern: str) -> bytes:
    infos = [info for info in archive.infolist() if re.fullmatch(pattern, info.filename)]
    return b"\n".join(archive.read(info) for info in infos if info.file_size <= _MAX_PART)


def _decode_names(names: Iterable[bytes]) -> Iterator[str]:
    return (unescape(name.decode("utf-8", "replace")) for name in names if name)


def _read_themes(archive: zipfile.ZipFile, pattern: str) -> dict[str, str]:
    theme_fonts: dict[str, str] = {}
    for kind, latin, eastern in _THEME.findall(_read_members(archive, pattern)):
        theme_fonts.setdefault(kind.decode(), next(_decode_names([latin]), ""))
        theme_fonts.setdefault(kind.decode() + "EastAsia", next(_decode_names([eastern]), ""))
    return theme_fonts


def _of_docx(archive: zipfile.ZipFile) -> set[str]:
    body = _read_members(archive, r"word/(document|header\d*|footer\d*|footnotes|endnotes)\.xml")
    styles = _read_members(archive, r"word/styles\.xml")
    defaults = styles[: styles.find(b"</w:docDefaults>")] if b"</w:docDefaults>" in styles else b""
    text = defaults + body + b"".join(_used_styles(body, styles))
    themes, eastern = _read_themes(archive, r"word/theme/theme\d+\.xml"), bool(_CJK.search(body))
    font_names = set()
    for attributes in _FONT_OF.findall(text):
        for kind, value in _ATTRIBUTE.findall(attributes):
            if b"eastAsia" in kind and not eastern:
                continue
            theme = value.decode("utf-8", "replace")
            key = ("major" if theme.startswith("major") else "minor") + ("EastAsia" if "EastAsia" in theme else "")
            font_names.add(themes.get(key, "") if kind.endswith(b"Theme") else unescape(theme))
    return font_names - {""}


def _used_styles(body: bytes, styles: bytes) -> Iterator[bytes]:
    pieces = styles.split(b"</w:style>")[:-1]  # many times faster than a pattern for complete styles
    blocks = {match[1]: piece for piece in pieces if (match := _STYLE.search(piece))}
    waiting = {*_USED_STYLE.findall(body), *_DEFAULT_STYLE.findall(styles)}
    seen: set[bytes] = set()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in blocks:
            continue
        seen.add(name)
        waiting |= set(_BASED_ON.findall(blocks[name]))
        yield blocks[name]


def _of_pptx(archive: zipfile.ZipFile) -> set[str]:
    slides = _read_members(archive, r"ppt/(slides/slide|charts/chart|slideMasters/slideMaster)\d+\.xml")
    themes, eastern = _read_themes(archive, r"ppt/theme/theme1\.xml"), bool(_CJK.search(slides))
    named = {name for kind, name in _TYPEFACE.findall(slides) if kind == b"latin" or eastern}
    font_names = {name for name in _decode_names(named) if not name.startswith("+")}
    return (font_names | {themes.get("major", ""), themes.get("minor", "")}) - {""}


def _of_odf(archive: zipfile.ZipFile) -> set[str]:
    text = _read_members(archive, r"content\.xml")
    styles = _read_members(archive, r"styles\.xml")
    faces = dict(_ODF_FACE.findall(text + styles))
    names = _ODF_FONT.findall(text + b"".join(_used_odf_styles(text, styles))) or _ODF_FONT.findall(styles)
    # A face may name several families; the first is the preferred one.
    families = (
        re.split("[,;]", name)[0].strip(" '\"") for name in _decode_names(faces.get(name, name) for name in names)
    )
    return set(families) - {""}


def _used_odf_styles(text: bytes, styles: bytes) -> Iterator[bytes]:
    blocks = {match.group(1): match.group(0) for match in _ODF_STYLE.finditer(styles)}
    waiting, seen = set(_ODF_USED.findall(text)), set[bytes]()
    while waiting:
        name = waiting.pop()
        if name not in seen and name in blocks:
            waiting |= set(_ODF_USED.findall(blocks[name]))
            yield blocks[name]
        seen.add(name)
