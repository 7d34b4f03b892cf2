"""Names of General MIDI (level 1): instruments, drums, pitches."""

from yardkit.world import Problem

_FAMILIES = (
    "Acoustic Grand Piano|Bright Acoustic Piano|Electric Grand Piano|Honky-tonk Piano|Electric Piano 1|"
    "Electric Piano 2|Harpsichord|Clavinet",
    "Celesta|Glockenspiel|Music Box|Vibraphone|Marimba|Xylophone|Tubular Bells|Dulcimer",
    "Drawbar Organ|Percussive Organ|Rock Organ|Church Organ|Reed Organ|Accordion|Harmonica|Tango Accordion",
    "Acoustic Guitar (nylon)|Acoustic Guitar (steel)|Electric Guitar (jazz)|Electric Guitar (clean)|"
    "Electric Guitar (muted)|Overdriven Guitar|Distortion Guitar|Guitar Harmonics",
    "Acoustic Bass|Electric Bass (finger)|Electric Bass (pick)|Fretless Bass|Slap Bass 1|Slap Bass 2|Synth Bass 1|"
    "Synth Bass 2",
    "Violin|Viola|Cello|Contrabass|Tremolo Strings|Pizzicato Strings|Orchestral Harp|Timpani",
    "String Ensemble 1|String Ensemble 2|Synth Strings 1|Synth Strings 2|Choir Aahs|Voice Oohs|Synth Voice|"
    "Orchestra Hit",
    "Trumpet|Trombone|Tuba|Muted Trumpet|French Horn|Brass Section|Synth Brass 1|Synth Brass 2",
    "Soprano Sax|Alto Sax|Tenor Sax|Baritone Sax|Oboe|English Horn|Bassoon|Clarinet",
    "Piccolo|Flute|Recorder|Pan Flute|Blown Bottle|Shakuhachi|Whistle|Ocarina",
    "Lead 1 (square)|Lead 2 (sawtooth)|Lead 3 (calliope)|Lead 4 (chiff)|Lead 5 (charang)|Lead 6 (voice)|"
    "Lead 7 (fifths)|Lead 8 (bass + lead)",
    "Pad 1 (new age)|Pad 2 (warm)|Pad 3 (polysynth)|Pad 4 (choir)|Pad 5 (bowed)|Pad 6 (metallic)|Pad 7 (halo)|"
    "Pad 8 (sweep)",
    "FX 1 (rain)|FX 2 (soundtrack)|FX 3 (crystal)|FX 4 (atmosphere)|FX 5 (brightness)|FX 6 (goblins)|"
    "FX 7 (echoes)|FX 8 (sci-fi)",
    "Sitar|Banjo|Shamisen|Koto|Kalimba|Bagpipe|Fiddle|Shanai",
    "Tinkle Bell|Agogo|Steel Drums|Woodblock|Taiko Drum|Melodic Tom|Synth Drum|Reverse Cymbal",
    "Guitar Fret Noise|Breath Noise|Seashore|Bird Tweet|Telephone Ring|Helicopter|Applause|Gunshot",
)
INSTRUMENTS = tuple(name for family in _FAMILIES for name in family.split("|"))
"""Names by program number from 0."""
DRUMS = {
    "kick": 36,
    "rim": 37,
    "snare": 38,
    "clap": 39,
    "low_tom": 45,
    "closed_hat": 42,
    "pedal_hat": 44,
    "open_hat": 46,
    "mid_tom": 47,
    "high_tom": 50,
    "crash": 49,
    "ride": 51,
    "tambourine": 54,
    "cowbell": 56,
    "bongo": 60,
    "conga": 63,
    "shaker": 70,
    "claves": 75,
    "woodblock": 76,
    "triangle": 81,
}
"""Keys of the drum channel that a pattern can name."""
DRUM_CHANNEL = 9
"""The channel of drums, counted from 0."""
_NAMES = ("C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
_BASIC_PROGRAMS = {
    "piano": 0,
    "guitar": 24,
    "bass": 33,
    "strings": 48,
    "choir": 52,
    "sax": 65,
    "horn": 60,
    "organ": 19,
    "harp": 46,
    "synth": 80,
    "pad": 89,
    "brass": 61,
}


def pitch_name(pitch: int) -> str:
    """A pitch as a name and an octave, 60 is C4."""
    return f"{_NAMES[pitch % 12]}{pitch // 12 - 1}"


def pitch_class_name(pitch: int) -> str:
    """A pitch without its octave."""
    return _NAMES[pitch % 12]


def drum_name(pitch: int) -> str:
    """The name of a key of the drum channel, or its number."""
    return next((name for name, key in DRUMS.items() if key == pitch), f"drum {pitch}")


def find_program(name: str) -> int:
    """The program (0 to 127) of an instrument's name, part of one, or its number in General MIDI (1 to 128).

    Raises:
        Problem: there is none.
    """
    search_name = " ".join(name.lower().split())
    if search_name.isascii() and search_name.isdigit():
        if 1 <= int(search_name[:6]) <= len(INSTRUMENTS):
            return int(search_name) - 1
        raise Problem(f"{name} is not a General MIDI instrument; use 1 to 128")
    if search_name in _BASIC_PROGRAMS:
        return _BASIC_PROGRAMS[search_name]
    names = [known.lower() for known in INSTRUMENTS]
    matching_numbers = [number for number, known in enumerate(names) if search_name and search_name in known]
    exact = [number for number in matching_numbers if names[number] == search_name]
    if exact or matching_numbers:
        return (exact or matching_numbers)[0]
    raise Problem(f"{name!r} is not a General MIDI instrument; use one such as {', '.join(INSTRUMENTS[::9])}")
