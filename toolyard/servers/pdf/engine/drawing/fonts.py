"""Fonts of what we draw: the standard ones where they have every letter, bundled ones (CJK too) where not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from toolyard.world.fonts import CJK_FAMILY, font_file

_STANDARD_FONTS = {
    "sans": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"),
    "serif": ("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"),
    "mono": ("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"),
}
_BUNDLED_FONTS = {"sans": "Liberation Sans", "serif": "Liberation Serif", "mono": "Liberation Mono"}


@dataclass(frozen=True)
class Style:
    """A kind of letters."""

    family: str = "sans"
    bold: bool = False
    italic: bool = False


def style_of(base_font: str) -> Style:
    """The style nearest to a font's PostScript name."""
    name = base_font.lower()
    family = "sans"
    if any(word in name for word in ("times", "serif", "roman", "georgia", "garamond", "cambria", "tiro")):
        family = "sans" if "sansserif" in name or "sans-serif" in name else "serif"
    if any(word in name for word in ("cour", "mono", "consol", "typewriter")):
        family = "mono"
    bold = "bold" in name or name.endswith("bo") or "hebo" in name or "tibo" in name
    return Style(family, bold, "italic" in name or "oblique" in name)


def runs(text: str, style: Style) -> list[tuple[str, str]]:
    """The text in pieces of (name of a registered ReportLab font, text)."""
    if _is_standard(text):
        return [(_STANDARD_FONTS[style.family][style.bold + 2 * style.italic], text)]
    names = _fallbacks(style)
    pieces: list[tuple[str, str]] = []
    for char in text:
        name = next((name for name in names if ord(char) in _glyphs(name)), names[0])
        if pieces and (pieces[-1][0] == name or char == " "):
            pieces[-1] = (pieces[-1][0], pieces[-1][1] + char)
        else:
            pieces.append((name, char))
    return pieces


def lacking(text: str) -> str:
    """The characters that no bundled font can show."""
    if _is_standard(text):
        return ""
    names = _fallbacks(Style())
    return "".join(
        sorted({char for char in text if char > " " and not any(ord(char) in _glyphs(name) for name in names)})
    )


def width(text: str, style: Style, size: float) -> float:
    """Of the text in points."""
    from reportlab.pdfbase import pdfmetrics

    return float(sum(pdfmetrics.stringWidth(part, name, size) for name, part in runs(text, style)))


def ascent_descent(style: Style, size: float) -> tuple[float, float]:
    """How far letters reach above and (negative) below the baseline."""
    from reportlab.pdfbase import pdfmetrics

    up, down = pdfmetrics.getAscentDescent(_STANDARD_FONTS[style.family][style.bold + 2 * style.italic], size)
    return float(up), float(down)


def wrapped(text: str, style: Style, size: float, room: float) -> list[str]:
    """Lines of at most `room` points; a word that is longer is cut."""
    lines: list[str] = []
    for paragraph in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if width(longer, style, size) <= room:
                line = longer
                continue
            lines += [line] if line else []
            *cut, line = _cut(word, style, size, room)
            lines += cut
        lines.append(line)
    return lines


def _cut(word: str, style: Style, size: float, room: float) -> list[str]:
    parts = [""]
    for char in word:
        if parts[-1] and width(parts[-1] + char, style, size) > room:
            parts.append("")
        parts[-1] += char
    return parts


def draw(
    canvas: Any, x: float, y: float, text: str, style: Style, size: float, *, mode: int = 0, scale: float = 100
) -> None:
    """One line with its baseline at (x, y); mode 3 is invisible, `scale` stretches in percent."""
    line = canvas.beginText(x, y)
    line.setTextRenderMode(mode)
    if scale != 100:
        line.setHorizScale(scale)
    for name, part in runs(text, style):
        line.setFont(name, size)
        line.textOut(part)
    canvas.drawText(line)


def _is_standard(text: str) -> bool:
    try:
        return all(byte >= 32 for byte in text.encode("cp1252")) and "\u00ad" not in text
    except UnicodeEncodeError:
        return False


@cache
def _fallbacks(style: Style) -> tuple[str, ...]:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    names = []
    for family in (_BUNDLED_FONTS[style.family], "DejaVu Sans", CJK_FAMILY):
        file = font_file(family, style.bold, style.italic)
        names.append(file.stem)
        if file.stem not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(file.stem, file))
    return tuple(names)


def _glyphs(name: str) -> Any:
    from reportlab.pdfbase import pdfmetrics

    return pdfmetrics.getFont(name).face.charToGlyph
