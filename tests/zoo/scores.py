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
        told: texts that the description must have.
        verovio: whether verovio plays the same pitches at the same times.
        tempos, meters, title: as the description has them, where they matter.
    """

    name: str
    data: bytes
    notes: tuple[Heard, ...]
    bars: int
    words: str = ""
    told: tuple[str, ...] = ()
    verovio: bool = True
    tempos: tuple[str, ...] = ()
    meters: tuple[str, ...] = ()
    title: str = ""


def heard(text: str, length: object = 1, start: object = 0) -> tuple[Heard, ...]:
    """Notes of equal length one after the other: numbers of MIDI, - for a rest, 60+64 for a chord."""
    notes, at, size = [], Fraction(str(start)), Fraction(str(length))
    for word in text.split():
        notes += [(at, int(pitch), size) for pitch in word.split("+") if pitch != "-"]
        at += size
    return tuple(notes)


def note(
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


def line(pitches: str, quarters: object = 1) -> str:
    """Notes of equal length."""
    return "".join(note(pitch, quarters) for pitch in pitches.split())


def attributes(meter: str = "4/4", fifths: int = 0, clef: str = "<sign>G</sign><line>2</line>", more: str = "") -> str:
    beats, unit = meter.split("/")
    return (
        f"<attributes><divisions>{DIVISIONS}</divisions><key><fifths>{fifths}</fifths></key>"
        f"<time><beats>{beats}</beats><beat-type>{unit}</beat-type></time><clef>{clef}</clef>{more}</attributes>"
    )


def direction(kind: str, more: str = "") -> str:
    return f"<direction><direction-type>{kind}</direction-type>{more}</direction>"


def bars(*contents: str, upbeat: bool = False) -> str:
    first = 0 if upbeat else 1
    return "".join(
        f'<measure number="{number}" implicit="{"no" if number else "yes"}">{content}</measure>'
        for number, content in enumerate(contents, start=first)
    )


def musicxml(*parts: str, head: str = "", midi: str = "", title: str = "A score") -> str:
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


def package(text: str) -> bytes:
    """A compressed MusicXML whose container names a file that is not the first."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        container = '<container><rootfiles><rootfile full-path="scores/main.xml"/></rootfiles></container>'
        archive.writestr("META-INF/container.xml", container)
        archive.writestr("backup/old.xml", musicxml(bars(attributes() + line("B3 B3 B3 B3"))))
        archive.writestr("scores/main.xml", text)
    return packed.getvalue()


def lyric(text: str, syllabic: str = "single", verse: int = 1) -> str:
    return f'<lyric number="{verse}"><syllabic>{syllabic}</syllabic><text>{text}</text></lyric>'


FIVE = heard("60 62 64 65 67")
_UPBEAT = bars(
    attributes() + note("G4", extra=lyric("Oh")),
    note("C5", extra=lyric("hap", "begin")) + note("D5", extra=lyric("py", "end")) + line("E5 F5"),
    line("G5", 3),
    upbeat=True,
)
_UPBEAT_HEARD = heard("67 72 74 76 77") + heard("79", 3, 5)


def build_exchanged_scores() -> list[ZooScore]:
    """MusicXML in the packings and encodings that programs write."""
    five = musicxml(bars(attributes("5/4") + line("C4 D4 E4 F4 G4")), title="Für Elise")
    timewise = (
        '<score-timewise version="3.1"><part-list><score-part id="P1"><part-name>A</part-name></score-part></part-list>'
        f'<measure number="1"><part id="P1">{attributes("2/4")}{line("C4 D4")}</part></measure>'
        f'<measure number="2"><part id="P1">{line("E4 F4")}</part></measure></score-timewise>'
    )
    wide = five.replace('encoding="UTF-8"', 'encoding="UTF-16"').encode("utf-16")
    latin = five.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"').encode("latin-1")
    spaced = five.replace("<score-partwise ", '<score-partwise xmlns="urn:music" ')
    return [
        ZooScore("upbeat.musicxml", musicxml(_UPBEAT).encode(), _UPBEAT_HEARD, 3, "Oh happy", meters=("1/4", "4/4")),
        ZooScore("package.mxl", package(five), FIVE, 1, title="Für Elise"),
        ZooScore("wide.xml", wide, FIVE, 1, title="Für Elise"),
        ZooScore("latin.xml", latin, FIVE, 1, title="Für Elise"),
        ZooScore("namespace.musicxml", spaced.encode(), FIVE, 1, title="Für Elise"),
        ZooScore("timewise.musicxml", timewise.encode(), heard("60 62 64 65"), 2, verovio=False),
    ]


def build_repeated_scores() -> list[ZooScore]:
    """Repeats, endings and jumps."""
    forward = '<barline location="left"><repeat direction="forward"/></barline>'
    back = '<barline location="right">{}<repeat direction="backward"/></barline>'
    ending = '<barline location="left"><ending number="{}" type="start"/></barline>'
    endings = bars(
        attributes("1/4") + forward + line("C4"),
        ending.format(1) + line("D4") + back.format('<ending number="1" type="stop"/>'),
        ending.format(2) + line("E4") + '<barline location="right"><ending number="2" type="discontinue"/></barline>',
        line("F4"),
    )
    thrice = bars(attributes("1/4") + line("C4") + back.format("").replace('ward"', 'ward" times="3"'), line("D4"))
    coda = bars(
        attributes("1/4") + line("C4"),
        direction("<segno/>", '<sound segno="a"/>') + line("D4"),
        line("E4") + direction("<coda/>", '<sound tocoda="b"/>'),
        line("F4") + direction("<words>D.S. al Coda</words>", '<sound dalsegno="a"/>'),
        direction("<coda/>", '<sound coda="b"/>') + line("G4"),
    )
    fine = bars(
        attributes("2/4") + line("C4 D4"),
        line("E4 F4") + direction("<words>Fine</words>"),
        line("G4 A4") + direction("<words>D.C. al </words><words>Fine</words>"),
    )
    begin = bars(
        attributes("2/4") + line("C4 D4"),
        direction("<words>Fine</words>", '<sound fine="yes"/>') + line("E4 F4"),
        direction("<words>D.C. al Fine</words>", '<sound dacapo="yes"/>') + line("G4 A4"),
    )
    second = bars(attributes("1/4") + line("C3"), line("D3"), line("E3"), line("F3"), line("G3"))
    upper = heard("60 62 64 65 62 64 67")
    lower = heard("48 50 52 53 50 52 55")
    told = ("played in the order of",)
    return [
        ZooScore("endings.musicxml", musicxml(endings).encode(), heard("60 62 60 64 65"), 5),
        ZooScore("three-times.musicxml", musicxml(thrice).encode(), heard("60 60 60 62"), 4),
        ZooScore("coda.musicxml", musicxml(coda, second).encode(), tuple(sorted(upper + lower)), 7, "", told),
        ZooScore(
            "fine.musicxml", musicxml(fine).encode(), heard("60 62 64 65 67 69 60 62 64 65"), 5, "", told, verovio=False
        ),
        ZooScore("begin.musicxml", musicxml(begin).encode(), heard("60 62 64 65 67 69 60 62 64 65"), 5, "", told),
    ]


def build_pitched_scores() -> list[ZooScore]:
    """Keys, clefs, transposition and accidentals."""
    clarinet = attributes("2/4", 2, more="<transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose>")
    bass = attributes("2/4", more="<transpose><chromatic>0</chromatic><octave-change>-1</octave-change></transpose>")
    tenor = attributes("2/4", clef="<sign>G</sign><line>2</line><clef-octave-change>-1</clef-octave-change>")
    start, stop = (f'<tie type="{kind}"/><notations><tied type="{kind}"/></notations>' for kind in ("start", "stop"))
    ties = bars(
        attributes("2/4") + note("C4") + note("G#4", extra=start),
        note("G#4", extra=stop) + note("G4"),
        note("Bb4", 2),
    )
    changes = bars(
        attributes("1/4") + line("F#4"),
        "<attributes><key><fifths>2</fifths></key><clef><sign>F</sign><line>4</line></clef></attributes>" + line("F#3"),
        "<attributes><time><beats>3+2</beats><beat-type>8</beat-type></time></attributes>"
        + line("C3", 1)
        + line("C3", 1)
        + note("C3", "1/2", kind="eighth"),
    )
    return [
        ZooScore("clarinet.musicxml", musicxml(bars(clarinet + line("D4 E4"))).encode(), heard("60 62"), 1),
        ZooScore("double-bass.musicxml", musicxml(bars(bass + line("C4 D4"))).encode(), heard("48 50"), 1),
        ZooScore("tenor.musicxml", musicxml(bars(tenor + line("C3 D3"))).encode(), heard("48 50"), 1),
        ZooScore(
            "ties.musicxml",
            musicxml(ties).encode(),
            (*heard("60"), *heard("68", 2, 1), *heard("67", 1, 3), *heard("70", 2, 4)),
            3,
        ),
        ZooScore(
            "changes.musicxml",
            musicxml(changes).encode(),
            (*heard("66 54 48 48"), *heard("48", "1/2", 4)),
            3,
            meters=("1/4", "5/8"),
        ),
    ]


def build_timed_scores() -> list[ZooScore]:
    """Tuplets, short notes, grace notes, tempo."""
    triplet = "<time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes></time-modification>"
    rounded = "".join(note("C4", kind="eighth", duration=size, extra=triplet) for size in (85, 86, 85))
    thirds = (Fraction(0), Fraction(1, 3), Fraction(2, 3))
    grace = note("B4", before='<grace slash="yes"/>', kind="eighth")
    ornament = (
        '<notations><fermata/><slur type="start" number="1"/><ornaments><trill-mark/></ornaments>'
        "<technical><fret>3</fret></technical></notations>"
    )
    mark = "<metronome><beat-unit>eighth</beat-unit><per-minute>c. 120</per-minute></metronome>"
    tempo = bars(
        attributes("2/4") + direction(mark) + note("C4") + '<sound tempo="90"/>' + note("D4"),
        direction("<words>rit.</words>") + line("E4", 2),
    )
    rounded_text = musicxml(bars(attributes("2/4").replace(">24<", ">256<") + rounded + note("G4", duration=256)))
    return [
        ZooScore(
            "rounded-triplets.musicxml",
            rounded_text.encode(),
            (*((at, 60, Fraction(1, 3)) for at in thirds), *heard("67", 1, 1)),
            1,
            verovio=False,
        ),
        ZooScore(
            "short.musicxml",
            musicxml(bars(attributes("2/4") + line("C5 D5 E5 F5 G5 A5 B5 C6", "1/8") + line("C6"))).encode(),
            (*heard("72 74 76 77 79 81 83 84", "1/8"), *heard("84", 1, 1)),
            1,
        ),
        ZooScore(
            "grace.musicxml",
            musicxml(bars(attributes("2/4") + grace + note("C5", extra=ornament) + note("D5"))).encode(),
            (*heard("71", "1/8"), *heard("72", "7/8", "1/8"), *heard("74", 1, 1)),
            1,
            told=("not played: 1 fermata mark, 1 slur, 1 trill mark", "left out: 1 fret sign"),
            verovio=False,
        ),
        ZooScore(
            "tempo.musicxml",
            musicxml(tempo).encode(),
            (*heard("60 62"), *heard("64", 2, 2)),
            2,
            tempos=("60 BPM", "90 BPM"),
            told=("not played: 1 text",),
        ),
    ]


def build_layered_scores() -> list[ZooScore]:
    """Several voices and staves, drums, chord names, what has no place in a score here."""
    right = note("C5", 2, "<staff>1</staff>")
    inner = note("E4", extra="<voice>2</voice><staff>1</staff>")
    left = note("C3", 2, "<voice>5</voice><staff>2</staff>")
    backup = f"<backup><duration>{2 * DIVISIONS}</duration></backup>"
    forward = f"<forward><duration>{DIVISIONS}</duration></forward>"
    staves = "<staves>2</staves>"
    piano = bars(
        attributes("2/4").replace("<clef>", f"{staves}<clef>") + right + backup + forward + inner + backup + left
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
    names = bars(attributes("2/4") + chord.format("A", "m", "minor") + between + line("A4", 2), line("B4", 2))
    rare = bars(
        attributes("2/4", more='<measure-style><slash type="start"/></measure-style>')
        + note("C4")
        + note("E4", before="<cue/>")
        + f"<backup><duration>{DIVISIONS}</duration></backup>"
        + note("D4"),
        direction('<octave-shift type="down" size="8"/>') + line("E4", 2) + "<figured-bass/>",
    )
    loud = bars(
        attributes("2/4") + direction("<dynamics><p/></dynamics>") + direction('<pedal type="start"/>') + line("C4 D4"),
        direction("<dynamics><f/></dynamics>") + line("E4 F4") + direction('<pedal type="stop"/>'),
    )
    return [
        ZooScore(
            "piano.musicxml",
            musicxml(piano).encode(),
            tuple(sorted([*heard("72", 2), *heard("64", 1, 1), *heard("48", 2)])),
            1,
            told=("left out: 1 braces around stave",),
        ),
        ZooScore(
            "drums.musicxml",
            musicxml(bars(attributes("2/4") + hit("K") + hit("H")), midi=midi).encode(),
            heard("36 42"),
            1,
        ),
        ZooScore(
            "chord-names.musicxml",
            musicxml(names).encode(),
            (*heard("69", 2), *heard("71", 2, 2)),
            2,
            told=("not played: 2 chord names",),
        ),
        ZooScore(
            "rare.musicxml",
            musicxml(rare).encode(),
            (*heard("60 62"), *heard("64", 2, 2)),
            2,
            told=("1 cue note", "1 figured-bass element", "1 octave shift sign", "1 slash sign"),
            verovio=False,
        ),
        ZooScore("loud.musicxml", musicxml(loud).encode(), heard("60 62 64 65"), 2),
    ]


def abc(music: str, head: str = "", meter: str = "4/4", key: str = "C") -> bytes:
    return f"X:1\nT:A tune\nM:{meter}\nL:1/4\n{head}K:{key}\n{music}\n".encode()


def build_abc_scores() -> list[ZooScore]:
    """ABC as collections of tunes have it."""
    five = abc("C D E F G|", meter="5/4")
    words = "C D E F|\nw: one two\n+: three four\n"
    return [
        ZooScore("tie.abc", abc("C2 ^G2-|G2 z2|]"), (*heard("60 68", 2)[:1], *heard("68", 4, 2)), 2),
        ZooScore("tied-chord.abc", abc("[^F^G]4-|[FG]2 G2|]"), (*heard("66+68", 6), *heard("67", 2, 6)), 2),
        ZooScore("octave.abc", abc("C D E F|", "V:T treble-8\n"), heard("48 50 52 53"), 1),
        ZooScore("bass-key.abc", abc("C, D, E, F,|", key="G bass"), heard("48 50 52 54"), 1),
        ZooScore(
            "da-capo.abc",
            abc("C4|D4!fine!|E4!D.C.!|]"),
            heard("60 62 64 60 62", 4),
            5,
            told=("played in the order of D.C., Fine: bars 1-3, 1-2",),
        ),
        ZooScore(
            "dal-segno.abc",
            abc('C4|S D4|O E4|F4 "D.S. al Coda"|O G4|]'),
            heard("60 62 64 65 62 67", 4),
            6,
            told=("D.S. al Coda",),
        ),
        ZooScore("overlay.abc", abc("c4 & E2 G2|d4|]"), tuple(sorted([*heard("72 74", 4), *heard("64 67", 2)])), 2),
        ZooScore("continued.abc", abc(words), heard("60 62 64 65"), 1, "one two three four"),
        ZooScore(
            "decorated.abc",
            abc("U: W = !trill!\n(CD) HE WF|!unknown!G4|", "R:reel\nQ:\"Allegro\"\n"),
            (*heard("60 62 64 65"), *heard("67", 4, 4)),
            2,
            told=(
                "the tempo 'Allegro' has no number",
                "left out: 1 !unknown! decoration, 1 R: field",
                "not played: 1 fermata mark, 1 slur, 1 text, 1 trill mark",
            ),
        ),
        ZooScore("latin.abc", five.replace(b"A tune", b"F\xfcr Elise"), FIVE, 1, title="Für Elise"),
        ZooScore("accents.abc", five.replace(b"A tune", b'F\\"ur Elise'), FIVE, 1, title="Für Elise"),
        ZooScore(
            "grace.abc",
            abc("{/B}c d2 z|"),
            (*heard("71", "1/8"), *heard("72", "7/8", "1/8"), *heard("74", 2, 1)),
            1,
        ),
        ZooScore(
            "second-upbeat.abc",
            abc("|:G|c4|d3:|G|e4|c3|]"),
            (
                *heard("67"), *heard("72", 4, 1), *heard("74", 3, 5),
                *heard("67", 1, 8), *heard("72", 4, 9), *heard("74", 3, 13),
                *heard("67", 1, 16), *heard("76", 4, 17), *heard("72", 3, 21),
            ),
            7,
        ),
    ]  # fmt: skip


def midi(
    messages: Sequence[mido.Message | mido.MetaMessage], *others: Sequence[mido.Message | mido.MetaMessage]
) -> bytes:
    """A MIDI file of tracks, with 480 ticks a quarter."""
    file, packed = mido.MidiFile(type=1, ticks_per_beat=480, charset="utf-8"), io.BytesIO()
    file.tracks += [mido.MidiTrack(track) for track in (messages, *others)]
    file.save(file=packed)
    return packed.getvalue()


def play(pitches: str, ticks: int) -> list[mido.Message]:
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
        ZooScore("run.mid", midi(play(run, 60) + play("72", 480)), (*heard(run, "1/8"), *heard("72", 1, 1)), 1),
        ZooScore("quintuplet.mid", midi(play("60 62 64 65 67", 96)), heard("60 62 64 65 67", "1/5"), 1),
        ZooScore("karaoke.mid", midi(sung, play("60 62 64 65", 480)), heard("60 62 64 65"), 1, "Happy birthday"),
        ZooScore("pedal.mid", midi(controls + play("60 62", 480)), heard("60 62"), 1, told=("1 markers left out",)),
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
