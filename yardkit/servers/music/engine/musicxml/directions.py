"""What MusicXML writes above and below bars: loudness, words, tempo, jumps, chord names, bar lines."""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from xml.etree.ElementTree import Element

from yardkit.servers.music.engine.chords import read_chord
from yardkit.servers.music.engine.musicxml.names import CHORD_KINDS, LENGTHS
from yardkit.servers.music.engine.score import MAX_PASSES, Measure, SignKind
from yardkit.servers.music.engine.signs import VELOCITIES, read_jump
from yardkit.world import Problem

_Sign = tuple[SignKind, str]
_SILENT_TYPES = {"metronome", "dashes", "bracket"}
_SOUND_JUMPS: dict[str, _Sign] = {
    "segno": ("segno", ""),
    "coda": ("coda", ""),
    "fine": ("fine", "Fine"),
    "tocoda": ("to coda", "To Coda"),
    "dacapo": ("da capo", "D.C."),
    "dalsegno": ("dal segno", "D.S."),
}
_SILENT_SOUND = {"tempo", "dynamics", "id", "time-only", "pan", "elevation", "damper-pedal", "forward-repeat"}
_BPM = (1.0, 2000.0)
_ALTERS = {-2: "bb", -1: "b", 0: "", 1: "#", 2: "##"}


@dataclass(frozen=True)
class Sounding:
    """What a direction does to the sound. bpm: quarters a minute; velocity: of the notes; 0 for no change."""

    bpm: float = 0.0
    velocity: int = 0
    signs: list[_Sign] = field(default_factory=list)


def read_direction(element: Element, left_out: Counter[str]) -> list[_Sign]:
    """The signs of a direction."""
    signs: list[_Sign] = []
    for group in element.findall("direction-type"):
        for sign in group:
            read_signs = _read_type(sign)
            signs += read_signs
            if (
                not read_signs
                and sign.tag not in _SILENT_TYPES
                and sign.get("type") not in ("stop", "continue", "change")
            ):
                left_out[f"{str(sign.tag).replace('-', ' ')} signs"] += 1
    return _join_words(signs)


def _join_words(signs: list[_Sign]) -> list[_Sign]:
    """Words that stand in several pieces as one text, which may be a jump."""
    words = " ".join(text for kind, text in signs if kind == "words")
    others = [sign for sign in signs if sign[0] != "words"]
    jump = read_jump(words)
    if jump:
        return [*(sign for sign in others if sign[0] != jump), (jump, words)]
    written: list[_Sign] = [("words", words[:60])] if words else []
    return [*others, *written]


def _read_type(sign: Element) -> list[_Sign]:
    text = " ".join((sign.text or "").split())
    kind = sign.get("type")
    if sign.tag == "words":
        return [("words", text)] if text else []
    if sign.tag == "rehearsal":
        return [("rehearsal", text[:40])] if text else []
    if sign.tag in ("segno", "coda"):
        return [("segno", "") if sign.tag == "segno" else ("coda", "")]
    if sign.tag == "dynamics":
        return [("dynamics", str(mark.tag)) for mark in sign if mark.tag in VELOCITIES]
    if sign.tag == "wedge":
        kinds: dict[str | None, SignKind] = {"crescendo": "crescendo", "diminuendo": "diminuendo", "stop": "wedge end"}
        return [(kinds[kind], "")] if kind in kinds else []
    if sign.tag == "pedal":
        changes: dict[str | None, list[_Sign]] = {
            "start": [("pedal", "down")],
            "resume": [("pedal", "down")],
            "stop": [("pedal", "up")],
            "discontinue": [("pedal", "up")],
            "change": [("pedal", "up"), ("pedal", "down")],
        }
        return changes.get(kind, [])
    return []


def read_sound(sound: Element | None, direction: Element, left_out: Counter[str]) -> Sounding:
    """What a sound element does; without one the metronome mark of its direction holds."""
    if sound is None:
        return Sounding(bpm=_read_metronome(direction))
    signs = [_SOUND_JUMPS[name] for name in _SOUND_JUMPS if sound.get(name) not in (None, "no")]
    for name in sound.attrib:
        if name not in _SILENT_SOUND and name not in _SOUND_JUMPS:
            left_out[f"{name} sounds"] += 1
    for child in sound:
        left_out[f"{child.tag} changes"] += child.tag in ("midi-instrument", "instrument-change", "swing")
    bpm = _read_number(sound.get("tempo"))
    percent = _read_number(sound.get("dynamics"))
    velocity = min(127, max(1, round(percent * 0.9))) if percent else 0
    return Sounding(bpm if _BPM[0] <= bpm <= _BPM[1] else _read_metronome(direction), velocity, signs)


def _read_metronome(direction: Element) -> float:
    """Quarters a minute of a metronome mark; 0 where it has none."""
    mark = direction.find("direction-type/metronome")
    if mark is None:
        return 0.0
    units = [LENGTHS.get((text.text or "").strip()) for text in mark.findall("beat-unit")]
    bpm = _read_number(mark.findtext("per-minute"))
    if len(units) != 1 or units[0] is None or not bpm:
        return 0.0
    dots = len(mark.findall("beat-unit-dot"))
    quarters = float(units[0] * (2 - Fraction(1, 2**dots)) * 4) * bpm
    return quarters if _BPM[0] <= quarters <= _BPM[1] else 0.0


def _read_number(text: str | None) -> float:
    """The first number of a text such as 'c. 120'; 0 for none."""
    for word in (text or "").replace("-", " ").replace("=", " ").split():
        try:
            return float(word)
        except ValueError:
            continue
    return 0.0


def read_harmony(element: Element, left_out: Counter[str]) -> list[str]:
    """The name of a chord."""
    root = element.findtext("root/root-step")
    kind = element.find("kind")
    if kind is not None and (kind.text or "").strip() == "none":
        return ["N.C."]
    if not root or kind is None:
        left_out["rootless chord names"] += 1
        return []
    name = root.strip() + _read_alter(element.findtext("root/root-alter"))
    bass = element.findtext("bass/bass-step")
    lower = f"/{bass.strip()}{_read_alter(element.findtext('bass/bass-alter'))}" if bass else ""
    return [name + _read_quality(element, kind, name) + lower]


def _read_quality(element: Element, kind: Element, root: str) -> str:
    """What follows the root: by the kind; as it is displayed where the kind is not one of ours."""
    displayed = (kind.get("text") or "").strip()
    by_kind = next((quality for quality, name in CHORD_KINDS.items() if name == (kind.text or "").strip()), None)
    degrees = "".join(_read_degree(degree) for degree in element.findall("degree"))
    for quality in (displayed, None if by_kind is None else by_kind + degrees):
        if quality is not None and (quality or by_kind == "") and _is_chord(root + quality):
            return quality
    return by_kind + degrees if by_kind is not None else displayed or (kind.text or "").strip()


def _read_degree(degree: Element) -> str:
    sign = _read_alter(degree.findtext("degree-alter"))
    word = {"add": "add" if not sign else "", "subtract": "no"}.get((degree.findtext("degree-type") or "").strip(), "")
    return f"{word}{sign}{(degree.findtext('degree-value') or '').strip()}"


def _is_chord(name: str) -> bool:
    try:
        read_chord(name)
    except Problem:
        return False
    return True


def _read_alter(text: str | None) -> str:
    return _ALTERS.get(round(_read_signed(text)), "")


def _read_signed(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0


def read_barline(element: Element, measure: Measure, left_out: Counter[str]) -> list[SignKind]:
    """Repeats and endings of a bar line, put into the measure; the segno and coda that stand at it."""
    repeat, ending = element.find("repeat"), element.find("ending")
    if repeat is not None and repeat.get("direction") == "forward":
        measure.repeat_starts = True
    elif repeat is not None:
        times = repeat.get("times", "2")
        measure.repeat_times = min(MAX_PASSES, max(2, int(times) if times.isdecimal() else 2))
    if ending is not None and ending.get("type") == "start":
        numbers = [int(word) for word in ending.get("number", "1").replace(",", " ").split() if word.isdecimal()]
        measure.endings = tuple(sorted({number for number in numbers if 1 <= number <= MAX_PASSES})) or (1,)
    style = (element.findtext("bar-style") or "").strip()
    if style in ("light-light", "light-heavy", "heavy-heavy") and element.get("location", "right") == "right":
        measure.section_ends = True
    left_out["bar line fermatas"] += len(element.findall("fermata"))
    signs: list[SignKind] = ["segno", "coda"]
    return [sign for sign in signs if element.find(sign) is not None]
