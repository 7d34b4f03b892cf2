"""Notes of MusicXML."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from xml.etree.ElementTree import Element

from yardkit.servers.music.engine.musicxml.names import LENGTHS
from yardkit.servers.music.engine.score import STEPS, Event, Pitch
from yardkit.servers.music.engine.signs import MARKS
from yardkit.world import Problem

_SILENT_NOTATIONS = {"tied", "tuplet", "slur", "accidental-mark", "footnote", "level", "dynamics"}
_GROUPS = ("articulations", "ornaments", "technical")
_MAX_SYLLABLE = 60


@dataclass
class RawNote:
    """A note with its chord. start: in whole notes from the beginning of its bar."""

    event: Event
    start: Fraction = Fraction(0)
    velocity: int = 0
    is_grace: bool = False
    is_slashed: bool = False
    is_cue: bool = False

    def add_pitch(self, other: "RawNote") -> None:
        """Take a note that sounds together with this."""
        event, added = self.event, other.event
        event.pitches = tuple(sorted({*event.pitches, *added.pitches}, key=lambda pitch: pitch.midi))
        event.tied |= added.tied
        event.marks += tuple(mark for mark in added.marks if mark not in event.marks)
        event.lyrics = event.lyrics or added.lyrics
        event.slurs = (event.slurs[0] + added.slurs[0], event.slurs[1] + added.slurs[1])


def read_note(element: Element, length: Fraction, left_out: Counter[str]) -> RawNote:
    """A note or rest, which lasts `length` whole notes by its duration."""
    pitch = _read_pitch(element, left_out)
    rest = element.find("rest")
    event = Event(length, () if pitch is None else (pitch,))
    event.hidden = rest is not None and element.get("print-object") == "no"
    _set_tuplet(event, element)
    ties = element.findall("tie") or element.findall("notations/tied")
    if pitch and any(tie.get("type") == "start" for tie in ties):
        event.tied = frozenset(event.pitches)
    event.lyrics = _read_lyrics(element)
    for notations in element.findall("notations"):
        _read_notations(event, notations, left_out)
    grace = element.find("grace")
    return RawNote(
        event,
        velocity=_read_velocity(element),
        is_grace=grace is not None,
        is_slashed=grace is not None and grace.get("slash") == "yes",
        is_cue=element.find("cue") is not None,
    )


def _read_velocity(element: Element) -> int:
    """The loudness that the note states, in percent of a velocity of 90; 0 for none."""
    given = element.get("dynamics")
    return min(127, max(1, round(float(given) * 0.9))) if given else 0


def _read_pitch(element: Element, left_out: Counter[str]) -> Pitch | None:
    """The written pitch; for a drum where it is written."""
    pitch = element.find("pitch")
    if pitch is None:
        place = element.find("unpitched")
        return None if place is None else Pitch("C", 0, 4)
    step, octave = (pitch.findtext("step") or "").strip().upper(), int(pitch.findtext("octave") or 4)
    if step not in STEPS or not step or not -1 <= octave <= 9:
        raise Problem(f"{step}{octave} is not a valid pitch")
    alter = float(pitch.findtext("alter") or 0)
    left_out["rounded quarter tones"] += alter != round(alter)
    return Pitch(step, round(alter), octave)


def _set_tuplet(event: Event, element: Element) -> None:
    """The tuplet of a note; its length by its type where the duration is a rounded count of divisions."""
    change = element.find("time-modification")
    if change is None:
        return
    actual, normal = int(change.findtext("actual-notes") or 1), int(change.findtext("normal-notes") or 1)
    if actual < 1 or normal < 1:
        raise Problem("a tuplet is damaged")
    kind = LENGTHS.get((element.findtext("type") or "").strip())
    if kind is not None:
        dots = len(element.findall("dot"))
        exact = kind * (2 - Fraction(1, 2**dots)) * normal / actual
        if abs(exact - event.duration) * 10 < event.duration:
            event.duration = exact
    if actual == normal:
        return
    event.tuplet = (actual, normal)
    edges = [tuplet.get("type") for tuplet in element.findall("notations/tuplet")]
    event.tuplet_starts, event.tuplet_stops = "start" in edges, "stop" in edges


def _read_lyrics(element: Element) -> list[str]:
    """A syllable for each verse."""
    verses: dict[int, str] = {}
    for index, lyric in enumerate(element.findall("lyric"), start=1):
        number = lyric.get("number", "")
        verse = int(number) if number.isdecimal() and 1 <= int(number[:3]) <= 20 else index
        words = "".join(text.text or "" for text in lyric if text.tag in ("text", "elision"))
        goes_on = (lyric.findtext("syllabic") or "").strip() in ("begin", "middle")
        verses[verse] = " ".join(words.split())[:_MAX_SYLLABLE] + ("-" if goes_on and words.strip() else "")
    return [verses.get(verse, "") for verse in range(1, max(verses, default=0) + 1)]


def _read_notations(event: Event, notations: Element, left_out: Counter[str]) -> None:
    for sign in notations:
        if sign.tag == "slur":
            starts, stops = sign.get("type") == "start", sign.get("type") == "stop"
            event.slurs = (event.slurs[0] + starts, event.slurs[1] + stops)
        elif sign.tag in _GROUPS:
            for mark in sign:
                _add_mark(event, mark, left_out)
        elif sign.tag == "dynamics":
            left_out["note-level loudness signs"] += 1
        elif sign.tag not in _SILENT_NOTATIONS:
            _add_mark(event, sign, left_out)


def _add_mark(event: Event, mark: Element, left_out: Counter[str]) -> None:
    name = str(mark.tag)
    if name == "fermata" and mark.get("type") == "inverted":
        name = "inverted fermata"
    elif name == "fingering":
        name = f"fingering {(mark.text or '').strip()}"
    elif name == "accidental-mark":
        return
    if name in MARKS and name != "roll":
        event.marks = (*event.marks, name)
    elif mark.get("type") != "stop":
        left_out[f"{name.partition(' ')[0].replace('-', ' ')} signs"] += 1
