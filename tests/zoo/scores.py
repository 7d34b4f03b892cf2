"""Small scores as notation programs write them, each with what is heard: MusicXML, ABC and MIDI."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import mido

DIVISIONS = 24
"""Divisions of a quarter in the MusicXML here."""
_TYPES = {
    Fraction(4): ("whole", ""),
    Fraction(3): ("half", "<dot/>"),
    Fraction(2): ("half", ""),
    Fraction(1): ("quarter", ""),
    Fraction(1, 8): ("32nd", ""),
}
Heard = tuple[Fraction, int, Fraction]
"""A note: begin in quarters, MIDI pitch, length in quarters."""


@dataclass(frozen=True)
class ZooScore:
    """A file and its truth.

    Attributes:
        name: of the file.
        data: in it.
        notes: what is heard, sorted.
        bars: how many bars are played.
        words: what is sung, without dashes.
        messages: texts that the description must have.
        verovio: whether verovio plays the same pitches at the same times.
        tempos, meters, title: as the description has them, where they matter.
    """

    name: str
    data: bytes
    notes: tuple[Heard, ...]
    bars: int
    words: str = ""
    messages: tuple[str, ...] = ()
    verovio: bool = True
    tempos: tuple[str, ...] = ()
    meters: tuple[str, ...] = ()
    title: str = ""


def list_notes(text: str, length: object = 1, start: object = 0) -> tuple[Heard, ...]:
    """Notes of equal length one after the other: numbers of MIDI, - for a rest, 60+64 for a chord."""
    notes, at, size = [], Fraction(str(start)), Fraction(str(length))
    for word in text.split():
        notes += [(at, int(pitch), size) for pitch in word.split("+") if pitch != "-"]
        at += size
    return tuple(notes)


def make_note(
    pitch: str, quarters: object = 1, extra: str = "", *, kind: str = "", before: str = "", duration: int = 0
) -> str:
    """A note such as F#4; r for a rest. extra: elements behind its type; before: elements before its pitch."""
    size = duration or int(Fraction(str(quarters)) * DIVISIONS)
    if pitch == "r":
        place = "<rest/>"
    else:
        alter = pitch.count("#") - pitch.count("b")
        place = f"<pitch><step>{pitch[0]}</step><alter>{alter}</alter><octave>{pitch[-1]}</octave></pitch>"
    lasts = "" if "<grace" in before else f"<duration>{size}</duration>"
    written, dots = (kind, "") if kind else _TYPES.get(Fraction(str(quarters)), ("", ""))
    return f"<note>{before}{place}{lasts}{f'<type>{written}</type>{dots}' if written else ''}{extra}</note>"


def make_line(pitches: str, quarters: object = 1) -> str:
    """Notes of equal length."""
    return "".join(make_note(pitch, quarters) for pitch in pitches.split())


def make_attributes(
    meter: str = "4/4", fifths: int = 0, clef: str = "<sign>G</sign><line>2</line>", more: str = ""
) -> str:
    beats, unit = meter.split("/")
    return (
        f"<attributes><divisions>{DIVISIONS}</divisions><key><fifths>{fifths}</fifths></key>"
        f"<time><beats>{beats}</beats><beat-type>{unit}</beat-type></time><clef>{clef}</clef>{more}</attributes>"
    )


def make_direction(kind: str, more: str = "") -> str:
    return f"<direction><direction-type>{kind}</direction-type>{more}</direction>"


def make_bars(*contents: str, upbeat: bool = False) -> str:
    first = 0 if upbeat else 1
    return "".join(
        f'<measure number="{number}" implicit="{"no" if number else "yes"}">{content}</measure>'
        for number, content in enumerate(contents, start=first)
    )


def make_musicxml(*parts: str, head: str = "", midi: str = "", title: str = "A score") -> str:
    """A document of parts, each the text of its bars."""
    listed = "".join(
        f'<score-part id="P{number}"><part-name>Part {number}</part-name>{midi}</score-part>'
        for number in range(1, len(parts) + 1)
    )
    bodies = "".join(f'<part id="P{number}">{part}</part>' for number, part in enumerate(parts, start=1))
    return (
        '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 3.1 '
        'Partwise//EN" "http://www.musicxml.org/dtds/partwise.dtd">'
        f'<score-partwise version="3.1"><work><work-title>{title}</work-title></work>{head}'
        f"<part-list>{listed}</part-list>{bodies}</score-partwise>"
    )


def make_package(text: str) -> bytes:
    """A compressed MusicXML whose container names a file that is not the first."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        container = '<container><rootfiles><rootfile full-path="scores/main.xml"/></rootfiles></container>'
        archive.writestr("META-INF/container.xml", container)
        archive.writestr("backup/old.xml", make_musicxml(make_bars(make_attributes() + make_line("B3 B3 B3 B3"))))
        archive.writestr("scores/main.xml", text)
    return packed.getvalue()


def make_lyric(text: str, syllabic: str = "single", verse: int = 1) -> str:
    return f'<lyric number="{verse}"><syllabic>{syllabic}</syllabic><text>{text}</text></lyric>'


FIVE = list_notes("60 62 64 65 67")
_UPBEAT = make_bars(
    make_attributes() + make_note("G4", extra=make_lyric("Oh")),
    make_note("C5", extra=make_lyric("hap", "begin"))
    + make_note("D5", extra=make_lyric("py", "end"))
    + make_line("E5 F5"),
    make_line("G5", 3),
    upbeat=True,
)
_UPBEAT_HEARD = list_notes("67 72 74 76 77") + list_notes("79", 3, 5)


def build_exchanged_scores() -> list[ZooScore]:
    """MusicXML in the packings and encodings that programs write."""
    five = make_musicxml(make_bars(make_attributes("5/4") + make_line("C4 D4 E4 F4 G4")), title="Für Elise")
    timewise = (
        '<score-timewise version="3.1"><part-list><score-part id="P1"><part-name>A</part-name></score-part></part-list>'
        f'<measure number="1"><part id="P1">{make_attributes("2/4")}{make_line("C4 D4")}</part></measure>'
        f'<measure number="2"><part id="P1">{make_line("E4 F4")}</part></measure></score-timewise>'
    )
    wide = five.replace('encoding="UTF-8"', 'encoding="UTF-16"').encode("utf-16")
    latin = five.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"').encode("latin-1")
    spaced = five.replace("<score-partwise ", '<score-partwise xmlns="urn:music" ')
    return [
        ZooScore(
            "upbeat.musicxml", make_musicxml(_UPBEAT).encode(), _UPBEAT_HEARD, 3, "Oh happy", meters=("1/4", "4/4")
        ),
        ZooScore("package.mxl", make_package(five), FIVE, 1, title="Für Elise"),
        ZooScore("wide.xml", wide, FIVE, 1, title="Für Elise"),
        ZooScore("latin.xml", latin, FIVE, 1, title="Für Elise"),
        ZooScore("namespace.musicxml", spaced.encode(), FIVE, 1, title="Für Elise"),
        ZooScore("timewise.musicxml", timewise.encode(), list_notes("60 62 64 65"), 2, verovio=False),
    ]


def build_repeated_scores() -> list[ZooScore]:
    """Repeats, endings and jumps."""
    forward = '<barline location="left"><repeat direction="forward"/></barline>'
    back = '<barline location="right">{}<repeat direction="backward"/></barline>'
    ending = '<barline location="left"><ending number="{}" type="start"/></barline>'
    endings = make_bars(
        make_attributes("1/4") + forward + make_line("C4"),
        ending.format(1) + make_line("D4") + back.format('<ending number="1" type="stop"/>'),
        ending.format(2)
        + make_line("E4")
        + '<barline location="right"><ending number="2" type="discontinue"/></barline>',
        make_line("F4"),
    )
    thrice = make_bars(
        make_attributes("1/4") + make_line("C4") + back.format("").replace('ward"', 'ward" times="3"'), make_line("D4")
    )
    coda = make_bars(
        make_attributes("1/4") + make_line("C4"),
        make_direction("<segno/>", '<sound segno="a"/>') + make_line("D4"),
        make_line("E4") + make_direction("<coda/>", '<sound tocoda="b"/>'),
        make_line("F4") + make_direction("<words>D.S. al Coda</words>", '<sound dalsegno="a"/>'),
        make_direction("<coda/>", '<sound coda="b"/>') + make_line("G4"),
    )
    fine = make_bars(
        make_attributes("2/4") + make_line("C4 D4"),
        make_line("E4 F4") + make_direction("<words>Fine</words>"),
        make_line("G4 A4") + make_direction("<words>D.C. al </words><words>Fine</words>"),
    )
    begin = make_bars(
        make_attributes("2/4") + make_line("C4 D4"),
        make_direction("<words>Fine</words>", '<sound fine="yes"/>') + make_line("E4 F4"),
        make_direction("<words>D.C. al Fine</words>", '<sound dacapo="yes"/>') + make_line("G4 A4"),
    )
    second = make_bars(
        make_attributes("1/4") + make_line("C3"), make_line("D3"), make_line("E3"), make_line("F3"), make_line("G3")
    )
    upper = list_notes("60 62 64 65 62 64 67")
    lower = list_notes("48 50 52 53 50 52 55")
    messages = ("played in the order of",)
    return [
        ZooScore("endings.musicxml", make_musicxml(endings).encode(), list_notes("60 62 60 64 65"), 5),
        ZooScore("three-times.musicxml", make_musicxml(thrice).encode(), list_notes("60 60 60 62"), 4),
        ZooScore("coda.musicxml", make_musicxml(coda, second).encode(), tuple(sorted(upper + lower)), 7, "", messages),
        ZooScore(
            "fine.musicxml",
            make_musicxml(fine).encode(),
            list_notes("60 62 64 65 67 69 60 62 64 65"),
            5,
            "",
            messages,
            verovio=False,
        ),
        ZooScore(
            "begin.musicxml",
            make_musicxml(begin).encode(),
            list_notes("60 62 64 65 67 69 60 62 64 65"),
            5,
            "",
            messages,
        ),
    ]


def build_pitched_scores() -> list[ZooScore]:
    """Keys, clefs, transposition and accidentals."""
    clarinet = make_attributes("2/4", 2, more="<transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose>")
    bass = make_attributes(
        "2/4", more="<transpose><chromatic>0</chromatic><octave-change>-1</octave-change></transpose>"
    )
    tenor = make_attributes("2/4", clef="<sign>G</sign><line>2</line><clef-octave-change>-1</clef-octave-change>")
    start, stop = (f'<tie type="{kind}"/><notations><tied type="{kind}"/></notations>' for kind in ("start", "stop"))
    ties = make_bars(
        make_attributes("2/4") + make_note("C4") + make_note("G#4", extra=start),
        make_note("G#4", extra=stop) + make_note("G4"),
        make_note("Bb4", 2),
    )
    changes = make_bars(
        make_attributes("1/4") + make_line("F#4"),
        "<attributes><key><fifths>2</fifths></key><clef><sign>F</sign><line>4</line></clef></attributes>"
        + make_line("F#3"),
        "<attributes><time><beats>3+2</beats><beat-type>8</beat-type></time></attributes>"
        + make_line("C3", 1)
        + make_line("C3", 1)
        + make_note("C3", "1/2", kind="eighth"),
    )
    return [
        ZooScore(
            "clarinet.musicxml",
            make_musicxml(make_bars(clarinet + make_line("D4 E4"))).encode(),
            list_notes("60 62"),
            1,
        ),
        ZooScore(
            "double-bass.musicxml", make_musicxml(make_bars(bass + make_line("C4 D4"))).encode(), list_notes("48 50"), 1
        ),
        ZooScore(
            "tenor.musicxml", make_musicxml(make_bars(tenor + make_line("C3 D3"))).encode(), list_notes("48 50"), 1
        ),
        ZooScore(
            "ties.musicxml",
            make_musicxml(ties).encode(),
            (*list_notes("60"), *list_notes("68", 2, 1), *list_notes("67", 1, 3), *list_notes("70", 2, 4)),
            3,
        ),
        ZooScore(
            "changes.musicxml",
            make_musicxml(changes).encode(),
            (*list_notes("66 54 48 48"), *list_notes("48", "1/2", 4)),
            3,
            meters=("1/4", "5/8"),
        ),
    ]


def build_timed_scores() -> list[ZooScore]:
    """Tuplets, short notes, grace notes, tempo."""
    triplet = "<time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes></time-modification>"
    rounded = "".join(make_note("C4", kind="eighth", duration=size, extra=triplet) for size in (85, 86, 85))
    thirds = (Fraction(0), Fraction(1, 3), Fraction(2, 3))
    grace = make_note("B4", before='<grace slash="yes"/>', kind="eighth")
    ornament = (
        '<notations><fermata/><slur type="start" number="1"/><ornaments><trill-mark/></ornaments>'
        "<technical><fret>3</fret></technical></notations>"
    )
    mark = "<metronome><beat-unit>eighth</beat-unit><per-minute>c. 120</per-minute></metronome>"
    tempo = make_bars(
        make_attributes("2/4") + make_direction(mark) + make_note("C4") + '<sound tempo="90"/>' + make_note("D4"),
        make_direction("<words>rit.</words>") + make_line("E4", 2),
    )
    rounded_text = make_musicxml(
        make_bars(make_attributes("2/4").replace(">24<", ">256<") + rounded + make_note("G4", duration=256))
    )
    return [
        ZooScore(
            "rounded-triplets.musicxml",
            rounded_text.encode(),
            (*((at, 60, Fraction(1, 3)) for at in thirds), *list_notes("67", 1, 1)),
            1,
            verovio=False,
        ),
        ZooScore(
            "short.musicxml",
            make_musicxml(
                make_bars(make_attributes("2/4") + make_line("C5 D5 E5 F5 G5 A5 B5 C6", "1/8") + make_line("C6"))
            ).encode(),
            (*list_notes("72 74 76 77 79 81 83 84", "1/8"), *list_notes("84", 1, 1)),
            1,
        ),
        ZooScore(
            "grace.musicxml",
            make_musicxml(
                make_bars(make_attributes("2/4") + grace + make_note("C5", extra=ornament) + make_note("D5"))
            ).encode(),
            (*list_notes("71", "1/8"), *list_notes("72", "7/8", "1/8"), *list_notes("74", 1, 1)),
            1,
            messages=("not played: 1 fermata mark, 1 slur, 1 trill mark", "left out: 1 fret sign"),
            verovio=False,
        ),
        ZooScore(
            "tempo.musicxml",
            make_musicxml(tempo).encode(),
            (*list_notes("60 62"), *list_notes("64", 2, 2)),
            2,
            tempos=("60 BPM", "90 BPM"),
            messages=("not played: 1 text",),
        ),
    ]


def build_layered_scores() -> list[ZooScore]:
    """Several voices and staves, drums, chord names, what has no place in a score here."""
    right = make_note("C5", 2, "<staff>1</staff>")
    inner = make_note("E4", extra="<voice>2</voice><staff>1</staff>")
    left = make_note("C3", 2, "<voice>5</voice><staff>2</staff>")
    backup = f"<backup><duration>{2 * DIVISIONS}</duration></backup>"
    forward = f"<forward><duration>{DIVISIONS}</duration></forward>"
    staves = "<staves>2</staves>"
    piano = make_bars(
        make_attributes("2/4").replace("<clef>", f"{staves}<clef>") + right + backup + forward + inner + backup + left
    )
    midi = (
        '<score-instrument id="K"><instrument-name>Kick</instrument-name></score-instrument>'
        '<score-instrument id="H"><instrument-name>Hat</instrument-name></score-instrument>'
        '<midi-instrument id="K"><midi-channel>10</midi-channel><midi-unpitched>37</midi-unpitched></midi-instrument>'
        '<midi-instrument id="H"><midi-channel>10</midi-channel><midi-unpitched>43</midi-unpitched></midi-instrument>'
    )

    def hit(name: str) -> str:
        place = "<unpitched><display-step>F</display-step><display-octave>4</display-octave></unpitched>"
        return f'<note>{place}<duration>{DIVISIONS}</duration><instrument id="{name}"/><voice>1</voice></note>'

    chord = '<harmony><root><root-step>{}</root-step></root><kind text="{}">{}</kind></harmony>'
    between = (
        f"<harmony><root><root-step>G</root-step></root><kind>dominant</kind><offset>{DIVISIONS}</offset></harmony>"
    )
    names = make_bars(
        make_attributes("2/4") + chord.format("A", "m", "minor") + between + make_line("A4", 2), make_line("B4", 2)
    )
    rare = make_bars(
        make_attributes("2/4", more='<measure-style><slash type="start"/></measure-style>')
        + make_note("C4")
        + make_note("E4", before="<cue/>")
        + f"<backup><duration>{DIVISIONS}</duration></backup>"
        + make_note("D4"),
        make_direction('<octave-shift type="down" size="8"/>') + make_line("E4", 2) + "<figured-bass/>",
    )
    loud = make_bars(
        make_attributes("2/4")
        + make_direction("<dynamics><p/></dynamics>")
        + make_direction('<pedal type="start"/>')
        + make_line("C4 D4"),
        make_direction("<dynamics><f/></dynamics>") + make_line("E4 F4") + make_direction('<pedal type="stop"/>'),
    )
    one_hand = make_bars(
        make_attributes("2/4").replace("<clef>", f"{staves}<clef>") + make_note("C5", 2, "<staff>1</staff>")
    )
    return [
        ZooScore(
            "one-hand.musicxml",
            make_musicxml(one_hand).encode(),
            list_notes("72", 2),
            1,
            messages=("left out: 1 staff brace",),
        ),
        ZooScore(
            "piano.musicxml",
            make_musicxml(piano).encode(),
            tuple(sorted([*list_notes("72", 2), *list_notes("64", 1, 1), *list_notes("48", 2)])),
            1,
            messages=("left out: 1 staff brace",),
        ),
        ZooScore(
            "drums.musicxml",
            make_musicxml(make_bars(make_attributes("2/4") + hit("K") + hit("H")), midi=midi).encode(),
            list_notes("36 42"),
            1,
        ),
        ZooScore(
            "chord-names.musicxml",
            make_musicxml(names).encode(),
            (*list_notes("69", 2), *list_notes("71", 2, 2)),
            2,
            messages=("not played: 2 chord names",),
        ),
        ZooScore(
            "rare.musicxml",
            make_musicxml(rare).encode(),
            (*list_notes("60 62"), *list_notes("64", 2, 2)),
            2,
            messages=("1 cue note", "1 figured-bass element", "1 octave shift sign", "1 slash sign"),
            verovio=False,
        ),
        ZooScore("loud.musicxml", make_musicxml(loud).encode(), list_notes("60 62 64 65"), 2),
    ]


def make_abc(music: str, head: str = "", meter: str = "4/4", key: str = "C") -> bytes:
    return f"X:1\nT:A tune\nM:{meter}\nL:1/4\n{head}K:{key}\n{music}\n".encode()


def build_abc_scores() -> list[ZooScore]:
    """ABC as collections of tunes have it."""
    chord = (*list_notes("66+68", 6), *list_notes("67", 2, 6))
    layers = (*list_notes("72 74", 4), *list_notes("64 67", 2))
    five = make_abc("C D E F G|", meter="5/4")
    words = "C D E F|\nw: one two\n+: three four\n"
    return [
        ZooScore("tie.abc", make_abc("C2 ^G2-|G2 z2|]"), (*list_notes("60 68", 2)[:1], *list_notes("68", 4, 2)), 2),
        ZooScore("tied-chord.abc", make_abc("[^F^G]4-|[FG]2 G2|]"), chord, 2),
        ZooScore("octave.abc", make_abc("C D E F|", "V:T treble-8\n"), list_notes("48 50 52 53"), 1),
        ZooScore("bass-key.abc", make_abc("C, D, E, F,|", key="G bass"), list_notes("48 50 52 54"), 1),
        ZooScore(
            "da-capo.abc",
            make_abc("C4|D4!fine!|E4!D.C.!|]"),
            list_notes("60 62 64 60 62", 4),
            5,
            messages=("played in the order of D.C., Fine: bars 1-3, 1-2",),
        ),
        ZooScore(
            "dal-segno.abc",
            make_abc('C4|S D4|O E4|F4 "D.S. al Coda"|O G4|]'),
            list_notes("60 62 64 65 62 67", 4),
            6,
            messages=("D.S. al Coda",),
        ),
        ZooScore(
            "words.abc",
            make_abc('C4|"Segno"D4|E4 "D.S."|]'),
            list_notes("60 62 64 62 64", 4),
            5,
            messages=("played in the order of D.S., Segno: bars 1-3, 2-3",),
        ),
        ZooScore("overlay.abc", make_abc("c4 & E2 G2|d4|]"), layers, 2),
        ZooScore("continued.abc", make_abc(words), list_notes("60 62 64 65"), 1, "one two three four"),
        ZooScore(
            "decorated.abc",
            make_abc("U: W = !trill!\n(CD) HE WF|!unknown!G4|", "R:reel\nQ:\"Allegro\"\n"),
            (*list_notes("60 62 64 65"), *list_notes("67", 4, 4)),
            2,
            messages=(
                "the tempo 'Allegro' has no number",
                "left out: 1 !unknown! decoration, 1 R: field",
                "not played: 1 fermata mark, 1 slur, 1 text, 1 trill mark",
            ),
        ),
        ZooScore("latin.abc", five.replace(b"A tune", b"F\xfcr Elise"), FIVE, 1, title="Für Elise"),
        ZooScore("accents.abc", five.replace(b"A tune", b'F\\"ur Elise'), FIVE, 1, title="Für Elise"),
        ZooScore(
            "grace.abc",
            make_abc("{/B}c d2 z|"),
            (*list_notes("71", "1/8"), *list_notes("72", "7/8", "1/8"), *list_notes("74", 2, 1)),
            1,
        ),
        ZooScore(
            "second-upbeat.abc",
            make_abc("|:G|c4|d3:|G|e4|c3|]"),
            (
                *list_notes("67"), *list_notes("72", 4, 1), *list_notes("74", 3, 5),
                *list_notes("67", 1, 8), *list_notes("72", 4, 9), *list_notes("74", 3, 13),
                *list_notes("67", 1, 16), *list_notes("76", 4, 17), *list_notes("72", 3, 21),
            ),
            7,
        ),
    ]  # fmt: skip


def make_midi(
    messages: Sequence[mido.Message | mido.MetaMessage], *others: Sequence[mido.Message | mido.MetaMessage]
) -> bytes:
    """A MIDI file of tracks, with 480 ticks a quarter."""
    file, packed = mido.MidiFile(type=1, ticks_per_beat=480, charset="utf-8"), io.BytesIO()
    file.tracks += [mido.MidiTrack(track) for track in (messages, *others)]
    file.save(file=packed)
    return packed.getvalue()


def play_notes(pitches: str, ticks: int) -> list[mido.Message]:
    """Notes one after the other."""
    messages = []
    for pitch in pitches.split():
        messages += [mido.Message("note_on", note=int(pitch), velocity=90)]
        messages += [mido.Message("note_off", note=int(pitch), time=ticks)]
    return messages


def build_midi_scores() -> list[ZooScore]:
    """MIDI of sequencers and karaoke."""
    sung = [
        mido.MetaMessage("lyrics", text=text, time=480 if index else 0)
        for index, text in enumerate(("Hap", "py ", "birth", "day "))
    ]
    controls = [
        mido.Message("control_change", control=64, value=127),
        mido.Message("pitchwheel", pitch=400),
        mido.MetaMessage("marker", text="Verse"),
    ]
    run = "60 62 64 65 67 69 71 72"
    return [
        ZooScore(
            "run.mid",
            make_midi(play_notes(run, 60) + play_notes("72", 480)),
            (*list_notes(run, "1/8"), *list_notes("72", 1, 1)),
            1,
        ),
        ZooScore("quintuplet.mid", make_midi(play_notes("60 62 64 65 67", 96)), list_notes("60 62 64 65 67", "1/5"), 1),
        ZooScore(
            "karaoke.mid",
            make_midi(sung, play_notes("60 62 64 65", 480)),
            list_notes("60 62 64 65"),
            1,
            "Happy birthday",
        ),
        ZooScore(
            "pedal.mid",
            make_midi(controls + play_notes("60 62", 480)),
            list_notes("60 62"),
            1,
            messages=("1 markers left out",),
        ),
    ]


def build_all() -> list[ZooScore]:
    """Every score of the zoo."""
    return [
        *build_exchanged_scores(),
        *build_repeated_scores(),
        *build_pitched_scores(),
        *build_timed_scores(),
        *build_layered_scores(),
        *build_abc_scores(),
        *build_midi_scores(),
    ]
