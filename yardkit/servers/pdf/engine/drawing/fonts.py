"""Fonts of what we draw: the standard ones where they have every letter, bundled ones (CJK too) where not."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from yardkit.kit.markdown.directions import runs_backward
from yardkit.servers.pdf.engine.drawing import shaping
from yardkit.servers.pdf.engine.reading.text_folding import UNSEEN
from yardkit.world.fontconfig import files_with
from yardkit.world.fonts import CJK_FAMILY, font_file
from yardkit.world.wording import format_count

_STANDARD_FONTS = {
    "sans": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"),
    "serif": ("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"),
    "mono": ("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"),
}
_BUNDLED_FONTS = {"sans": "Liberation Sans", "serif": "Liberation Serif", "mono": "Liberation Mono"}
_TABS = {ord(char): " " for char in "\t\n\r\v\f"}
_PACKAGES = "Debian: fonts-noto-core, for emoji fonts-symbola"


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


def split_runs(text: str, style: Style) -> list[tuple[str, Any]]:
    """The text in pieces of (name of a registered ReportLab font, text or shaped text), from left to right."""
    if _is_standard(text):
        return [(_STANDARD_FONTS[style.family][style.bold + 2 * style.italic], text)]
    names = _list_fallbacks(style)
    if not shaping.is_shaped(text):
        return _in_fonts(text, names)
    return shaping.visual_runs(
        text, lambda part: _in_fonts(part, tuple(filter(partial(_has_characters, part), names)) or names)
    )


def _in_fonts(text: str, names: tuple[str, ...]) -> list[tuple[str, Any]]:
    """The text in pieces of one font: letters in the first that has them, signs as the letter before them if it can."""
    pieces: list[tuple[str, str]] = []
    for char in text.translate(_TABS):
        current_font = pieces[-1][0] if pieces else ""
        if not (current_font and (char == " " or (not char.isalnum() and _has_characters(char, current_font)))):
            current_font = next((name for name in names if _has_characters(char, name)), _find_installed_font(char))
        if not current_font and _is_blank(char):
            continue
        current_font = current_font or names[0]
        if pieces and pieces[-1][0] == current_font:
            pieces[-1] = (current_font, pieces[-1][1] + char)
        else:
            pieces.append((current_font, char))
    return pieces


def _is_blank(char: str) -> bool:
    """Whether nothing is to be seen of a character: spaces, joiners, selectors."""
    return char.isspace() or not char.translate(UNSEEN)


def _has_characters(text: str, name: str) -> bool:
    return all(ord(char) in _get_glyphs(name) for char in text)


def list_missing(text: str) -> str:
    """The characters that no font here can show."""
    if _is_standard(text):
        return ""
    names = _list_fallbacks(Style())
    missing_characters = {
        char for char in text if not _is_blank(char) and not any(_has_characters(char, name) for name in names)
    }
    return "".join(sorted(char for char in missing_characters if not _find_installed_font(char)))


def explain_missing_letters(text: str) -> str:
    """What is said where some of a text cannot be shown; nothing where all can."""
    unseen = list_missing(text)
    if not unseen:
        return ""
    others = f" and {format_count(len(unseen) - 1, 'other sign')}" if len(unseen) > 1 else ""
    sign = f"{unseen[0]!r} (U+{ord(unseen[0]):04X} {unicodedata.name(unseen[0], 'unnamed')}){others}"
    return f"no installed font has {sign}: leave it out, or install a font with it ({_PACKAGES})"


def measure_width(text: str, style: Style, size: float) -> float:
    """Of the text in points."""
    return float(sum(_measure_part(part, name, size) for name, part in split_runs(text, style)))


def _measure_part(part: str, name: str, size: float) -> float:
    from reportlab.pdfbase import pdfmetrics

    shaped = getattr(part, "__shapeData__", None)
    if shaped is None:
        return float(pdfmetrics.stringWidth(part, name, size))
    return size * float(sum(glyph.x_advance for glyph in shaped)) / 1000


def ascent_descent(style: Style, size: float) -> tuple[float, float]:
    """How far letters reach above and (negative) below the baseline."""
    from reportlab.pdfbase import pdfmetrics

    up, down = pdfmetrics.getAscentDescent(_STANDARD_FONTS[style.family][style.bold + 2 * style.italic], size)
    return float(up), float(down)


def wrap_text(text: str, style: Style, size: float, room: float) -> list[str]:
    """Lines of at most `room` points; a word that is longer is cut."""
    lines: list[str] = []
    for paragraph in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        backward = runs_backward(paragraph)
        lines += (shaping.mark_direction(line, backward) for line in _wrap_paragraph(paragraph, style, size, room))
    return lines


def _wrap_paragraph(paragraph: str, style: Style, size: float, room: float) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in paragraph.split(" "):
        longer = f"{line} {word}" if line else word
        if measure_width(longer, style, size) <= room:
            line = longer
            continue
        lines += [line] if line else []
        *cut, line = _cut_word(word, style, size, room)
        lines += cut
    return [*lines, line]


def compute_indent(line: str, style: Style, size: float, room: float) -> float:
    """Where a line of a paragraph begins in its room: one from right to left ends at the right edge."""
    return max(room - measure_width(line, style, size), 0.0) if runs_backward(line) else 0.0


def _cut_word(word: str, style: Style, size: float, room: float) -> list[str]:
    parts = [""]
    for char in word:
        if parts[-1] and measure_width(parts[-1] + char, style, size) > room:
            parts.append("")
        parts[-1] += char
    return parts


def draw_line(
    canvas: Any, x: float, y: float, text: str, style: Style, size: float, *, mode: int = 0, scale: float = 100
) -> None:
    """One line with its baseline at (x, y); mode 3 is invisible, `scale` stretches in percent."""
    line = canvas.beginText(x, y)
    line.setTextRenderMode(mode)
    if scale != 100:
        line.setHorizScale(scale)
    for name, part in split_runs(text, style):
        line.setFont(name, size)
        line.textOut(part)
    canvas.drawText(line)


def _is_standard(text: str) -> bool:
    try:
        return all(byte >= 32 for byte in text.encode("cp1252")) and "\u00ad" not in text
    except UnicodeEncodeError:
        return False


@cache
def _list_fallbacks(style: Style) -> tuple[str, ...]:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    names = []
    for family in (_BUNDLED_FONTS[style.family], "DejaVu Sans", CJK_FAMILY):
        file = font_file(family, style.bold, style.italic)
        names.append(file.stem)
        if file.stem not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(file.stem, file, shapable=True))
    return tuple(names)


@cache
def _find_installed_font(char: str) -> str:
    """A font of this machine that is not bundled and has a character, registered; nothing where none has."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    for file in files_with(char):
        try:
            font = TTFont(file.stem, file, shapable=True)
        except TTFError:  # its letters are no outlines of TrueType
            continue
        if ord(char) in font.face.charToGlyph:
            if file.stem not in pdfmetrics.getRegisteredFontNames():
                pdfmetrics.registerFont(font)
            return file.stem
    return ""


def _get_glyphs(name: str) -> Any:
    from reportlab.pdfbase import pdfmetrics

    return pdfmetrics.getFont(name).face.charToGlyph
