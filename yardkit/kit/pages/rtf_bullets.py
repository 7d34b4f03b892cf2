"""Bullets in LibreOffice's RTF, which refer to fonts that the file does not declare."""

import re

_LEVEL = re.compile(r"(\\leveltext \\'01)\\u(-?\d+) \?(;\}\{\\levelnumbers;\}\\f)(\d+)")
_FONT = re.compile(r"\{\\f(\d+)\\f")
_BEFORE = re.compile(r"(\{\\listtext\\pard\\plain[^{}]*?)\\u(-?\d+)\\'3f")
_BULLETS = {0xF0A7: "▪", 0xF0A8: "◻", 0xF0D8: "➢", 0xF0FC: "✓", 0xF076: "❖", 0xF06C: "●", 0xF06E: "■", 0xF071: "❑"}
"""Bullets of Wingdings by their codes in its private area; that of Symbol, and any other, is a plain one."""


def readable_bullets(rtf: bytes) -> bytes:
    """Replace bullets from undeclared fonts, which would show as boxes, by bullets that every font has."""
    text = rtf.decode("latin-1")
    fonts = set(_FONT.findall(text))
    missing = [
        level_match
        for level_match in _LEVEL.finditer(text)
        if level_match[4] not in fonts and _is_private(level_match[2])
    ]
    if not missing:
        return rtf
    codes = {level_match[2] for level_match in missing}
    text = _LEVEL.sub(lambda match: _rewrite_level(match) if match[4] not in fonts else match[0], text)
    text = _BEFORE.sub(
        lambda match: f"{match[1]}\\u{_replace_bullet(match[2])}\\'3f" if match[2] in codes else match[0], text
    )
    return text.encode("latin-1")


def _rewrite_level(match: re.Match[str]) -> str:
    return f"{match[1]}\\u{_replace_bullet(match[2])} ?{match[3]}{match[4]}"


def _is_private(code: str) -> bool:
    return 0xF000 <= int(code) % 0x10000 <= 0xF0FF  # RTF may write them as negative 16-bit numbers


def _replace_bullet(code: str) -> str:
    return str(ord(_BULLETS.get(int(code) % 0x10000, "•"))) if _is_private(code) else code
