"""What was seen in a picture but not read, or read with doubt: which script it is in, and what would read it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING

from yardkit.servers.ocr.backends import Line, Quad, Recognised, Recogniser, get_recogniser, measure_side
from yardkit.servers.ocr.engine.ink import passed_over
from yardkit.servers.ocr.engine.readings import recognise_text
from yardkit.servers.ocr.engine.scripts import like_cyrillic, script_of
from yardkit.servers.ocr.languages import LANGUAGES, SCRIPTS
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    from yardkit.servers.ocr.backends import Pixels

_MARGIN = 0.25
_MAX_LANGUAGES = 3
_READ_WELL = 0.6
_SURE_OF_LATIN = 0.97
_LOOKED_AT = 2
_TELLING = 6
_NOT_READ_WELL = "Tesseract has it and does not read it well: pass languages, or bbox_px of the part"


Resolved = tuple[tuple[Line, ...], tuple[Quad, ...], tuple[str, ...]]
"""The lines of a page, the stretches that stay unread, and what to say of them."""


def resolve_doubts(pixels: Pixels, recognised: Recognised, reader: Recogniser, languages: list[str]) -> Resolved:
    """Lines in a script that `reader` lacks are read by Tesseract where it has a language of it, else told.

    `languages` are those that were asked for: then nothing else is tried.
    """
    doubtful = [line for line in recognised.lines if _is_doubtful(line, reader)]
    sure = [line for line in recognised.lines if line not in doubtful]
    unread = [*recognised.unread, *(quad for line in sure for quad in passed_over(pixels, line))]
    suspect = [line for line in sure if like_cyrillic(line)]
    if not (doubtful or unread or suspect):
        return recognised.lines, (), ()
    places = [*unread, *(line.quad for line in (*doubtful, *suspect))]
    masked_pixels = _mask_others(pixels, places)
    telling = unread or any(sum(map(str.isalpha, line.text)) >= _TELLING for line in (*doubtful, *suspect))
    script = (
        script_of([masked_pixels, *(_mask_others(pixels, [quad]) for quad in _choose_longest(unread))], doubtful)
        if telling
        else ""
    )
    doubtful += suspect if script == "Cyrillic" else []
    if not (doubtful or unread):
        return recognised.lines, (), ()
    others = [code for code in SCRIPTS.get(script, ()) if code not in reader.languages()]
    able = [code for code in others if code in get_recogniser("tesseract").languages()][:_MAX_LANGUAGES]
    better = _read_again(masked_pixels, able) if able and not languages else []
    lines = [line for line in recognised.lines if line not in doubtful or not _is_covered(line.quad, better)]
    still = tuple(quad for quad in unread if not _is_covered(quad, better))
    note = f"{format_count(len(better), 'line')} in {script} script read by tesseract ({', '.join(able)})"
    notes = _write_notes(reader, [line for line in doubtful if line in lines], still, script, others)
    return (*lines, *better), still, (*([note] if better else []), *notes)


def _is_doubtful(line: Line, reader: Recogniser) -> bool:
    sure = _SURE_OF_LATIN if like_cyrillic(line) else reader.doubtful_below
    return line.confidence < sure


def _choose_longest(quads: list[Quad]) -> list[Quad]:
    return sorted(quads, key=lambda quad: -max(measure_side(quad, 0, 1), measure_side(quad, 1, 2)))[:_LOOKED_AT]


def _read_again(pixels: Pixels, languages: list[str]) -> list[Line]:
    tesseract = get_recogniser("tesseract")
    usable_languages = [*languages, *({"en"} & set(tesseract.languages()))]
    return [line for line in recognise_text(tesseract, pixels, usable_languages).lines if line.confidence >= _READ_WELL]


def _mask_others(pixels: Pixels, quads: list[Quad]) -> Pixels:
    """The picture with nothing but the stretches `quads` on its ground."""
    import numpy as np

    ground = np.median(pixels.reshape(-1, 3), axis=0).astype(np.uint8)
    masked_pixels = np.empty_like(pixels)
    masked_pixels[:] = ground
    for quad in quads:
        left, top, right, bottom = _get_bounds(quad)
        room = round(_MARGIN * min(right - left, bottom - top))
        part = (
            slice(max(0, round(top) - room), round(bottom) + room),
            slice(max(0, round(left) - room), round(right) + room),
        )
        masked_pixels[part] = pixels[part]
    return masked_pixels


def _is_covered(quad: Quad, lines: list[Line]) -> bool:
    """Whether the middle of a stretch lies in a line, or that of a line in it."""
    return any(_contains_middle(line.quad, quad) or _contains_middle(quad, line.quad) for line in lines)


def _contains_middle(outer: Quad, inner: Quad) -> bool:
    left, top, right, bottom = _get_bounds(outer)
    x, y = statistics.fmean(x for x, _ in inner), statistics.fmean(y for _, y in inner)
    return left <= x <= right and top <= y <= bottom


def _get_bounds(quad: Quad) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in quad], [y for _, y in quad]
    return min(xs), min(ys), max(xs), max(ys)


def _write_notes(
    reader: Recogniser, doubtful: Sequence[Line], unread: Sequence[Quad], script: str, others: list[str]
) -> tuple[str, ...]:
    """At most one."""
    parts = []
    if unread:
        look = "look" if len(unread) > 1 else "looks"
        parts.append(f"{format_count(len(unread), 'region')} that {look} like text could not be read")
    if doubtful:
        line_texts = "; ".join(repr(line.text) for line in doubtful[:3]) + (" ..." if len(doubtful) > 3 else "")
        parts.append(f"{format_count(len(doubtful), 'line')} read with doubt and perhaps wrong ({line_texts})")
    return (f"{' and '.join(parts)}; {_explain_cause(reader, script, others)}",) if parts else ()


def _explain_cause(reader: Recogniser, script: str, others: list[str]) -> str:
    tesseract = get_recogniser("tesseract")
    if others:
        names = ", ".join(f"{LANGUAGES[code][0]} {code!r}" for code in others[:_MAX_LANGUAGES])
        able = others[0] in tesseract.languages()
        advice = _NOT_READ_WELL if able else tesseract.how_to_add(others[0])
        return f"it seems to be in {script} script ({names}); {advice}"
    if script and script not in SCRIPTS:
        return f"it seems to be in {script} script, which no backend reads here"
    readable = {*reader.languages(), *tesseract.languages()}
    missing_scripts = [name for name, codes in SCRIPTS.items() if not readable & set(codes)]
    return (
        f"it may be too small, a drawing, or in a script that {reader.name} does not read here"
        f" ({', '.join(missing_scripts)}): pass languages (such as ['ru']) to learn what to install, or bbox_px of the"
        " part"
    )
