"""Signs of bars and marks of notes written as MusicXML."""

from collections.abc import Sequence
from fractions import Fraction
from xml.etree.ElementTree import Element, SubElement

from yardkit.servers.music.engine.score import Measure, Sign
from yardkit.servers.music.engine.signs import MARKS, VELOCITIES

_SOUNDS = {
    "segno": ("segno", "segno"),
    "coda": ("coda", "coda"),
    "to coda": ("tocoda", "coda"),
    "fine": ("fine", "yes"),
    "da capo": ("dacapo", "yes"),
    "dal segno": ("dalsegno", "segno"),
}


class Tempo(Sign):
    """A change of the tempo; `text` is quarters a minute."""


def list_directions(measure: Measure) -> list[Sign]:
    """Signs and tempos of a bar by their places."""
    tempos = [Tempo(place, "words", f"{bpm:.9g}") for place, bpm in measure.tempos]
    return sorted([*tempos, *measure.signs], key=lambda sign: sign.offset)


def add_direction(bar: Element, sign: Sign, offset: str) -> None:
    """A sign above or below the staff, `offset` divisions from here."""
    below = sign.kind in ("dynamics", "pedal", "crescendo", "diminuendo", "wedge end")
    direction = SubElement(bar, "direction", placement="below" if below else "above")
    group = SubElement(direction, "direction-type")
    if isinstance(sign, Tempo):
        _add_metronome(group, float(sign.text))
    elif sign.kind == "dynamics":
        SubElement(SubElement(group, "dynamics"), sign.text if sign.text in VELOCITIES else "mf")
    elif sign.kind in ("crescendo", "diminuendo", "wedge end"):
        SubElement(group, "wedge", type="stop" if sign.kind == "wedge end" else sign.kind)
    elif sign.kind == "pedal":
        SubElement(group, "pedal", type="start" if sign.text == "down" else "stop")
    elif sign.kind in ("segno", "coda"):
        SubElement(group, sign.kind)
    else:
        SubElement(group, "rehearsal" if sign.kind == "rehearsal" else "words").text = sign.text or sign.kind
    if offset != "0":
        SubElement(direction, "offset", sound="yes").text = offset
    if isinstance(sign, Tempo):
        SubElement(direction, "sound", tempo=sign.text)
    elif sign.kind in _SOUNDS:
        name, value = _SOUNDS[sign.kind]
        SubElement(direction, "sound", {name: value})


def _add_metronome(group: Element, bpm: float) -> None:
    metronome = SubElement(group, "metronome")
    SubElement(metronome, "beat-unit").text = "quarter"
    SubElement(metronome, "per-minute").text = f"{bpm:g}" if bpm == round(bpm) else f"{bpm:.1f}"


def add_marks(notations: Element, marks: Sequence[str]) -> None:
    """Articulations, ornaments and the like of a note, those of a kind in one element."""
    groups: dict[str, Element] = {}
    for mark in marks:
        group = MARKS[mark][0]
        if mark == "roll":
            continue
        if group and group not in groups:
            groups[group] = SubElement(notations, group)
        around = groups[group] if group else notations
        if mark.startswith("fingering"):
            SubElement(around, "fingering").text = mark.partition(" ")[2]
        elif mark == "inverted fermata":
            SubElement(around, "fermata", type="inverted")
        else:
            SubElement(around, mark)


def number_bars(measures: Sequence[Measure]) -> list[str]:
    """The numbers of bars: 0 for an upbeat, X1 and so on for bars that complete the one before."""
    names, number, completed = list[str](), 0, 0
    open_length = Fraction(0)
    for index, measure in enumerate(measures):
        is_short = measure.duration < measure.full
        if index == 0 and is_short:
            names.append("0")
            continue
        if open_length and open_length + measure.duration == measure.full:
            completed += 1
            names.append(f"X{completed}")
            open_length = Fraction(0)
            continue
        number += 1
        names.append(str(number))
        open_length = measure.duration if is_short else Fraction(0)
    return names
