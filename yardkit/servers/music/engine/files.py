"""Music of any kind of file: MIDI, ABC, MusicXML."""

import io
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from yardkit.programs.bounded import run_bounded
from yardkit.servers.music.engine.abc.reading import read_abc
from yardkit.servers.music.engine.abc.writing import write_abc
from yardkit.servers.music.engine.editing import save_song
from yardkit.servers.music.engine.engraving import MAX_XML_BYTES, midi_of
from yardkit.servers.music.engine.midi_files import SUFFIXES, read_midi_bytes, read_song
from yardkit.servers.music.engine.musicxml import write_musicxml
from yardkit.servers.music.engine.notation import write_down
from yardkit.servers.music.engine.performing import perform_score
from yardkit.servers.music.engine.score import Score
from yardkit.servers.music.engine.song import Song
from yardkit.world import FileRef, Problem, save_text
from yardkit.world.limits import check_bytes, open_archive

ABC, XML = (".abc",), (".musicxml", ".xml", ".mxl")
READ = (*SUFFIXES, *ABC, *XML)
"""Names of music as notes."""
_MAX_ABC_BYTES = 2_000_000
_MAX_WRITTEN_NOTES = 20_000


@dataclass(frozen=True)
class ConvertedMusic:
    """Music in another format. music: where it is. notes: what to know of it."""

    music: FileRef
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join([f"Saved {self.music}", *self.notes])


def open_song(path: Path) -> Song:
    """The music of a file as it sounds.

    Raises:
        Problem: it is not MIDI, ABC or MusicXML, or damaged.
    """
    suffix = path.suffix.lower()
    if suffix in ABC:
        return perform_score(read_abc(_abc_text(path)))
    if suffix in XML:
        return read_midi_bytes(midi_of(_xml_text(path)), path.name)
    if suffix in SUFFIXES:
        return read_song(path)
    raise Problem(f"{path.name!r} is not a .mid, .abc or .musicxml file; give a music file")


def open_score(path: Path) -> Score:
    """The music of a file as it is written; of MIDI as it can be written.

    Raises:
        Problem: it is not MIDI or ABC, damaged, or has too many notes to be written.
    """
    if path.suffix.lower() in ABC:
        return read_abc(_abc_text(path))
    song = open_song(path)
    if song.notes > _MAX_WRITTEN_NOTES:
        raise Problem(f"the music has {song.notes:,} notes; the limit is {_MAX_WRITTEN_NOTES:,}. Use fewer bars")
    if not song.notes:
        raise Problem(f"{path.name!r} has no notes")
    return write_down(song)


def open_musicxml(path: Path) -> tuple[str, tuple[str, ...]]:
    """The music of a file as MusicXML, and what to know of it. MusicXML stays as it is.

    Raises:
        Problem: as `open_score`.
    """
    if path.suffix.lower() in XML:
        return _xml_text(path), ()
    score = open_score(path)
    return run_bounded(write_musicxml, score, seconds=60.0, memory_bytes=1_500_000_000), tuple(score.notes)


def convert_music(path: Path, target: Path) -> ConvertedMusic:
    """Write music in another format, by the name of the target.

    Raises:
        Problem: it cannot be read, or the name is not that of MIDI, ABC, MusicXML.
    """
    suffix = target.suffix.lower()
    if suffix in SUFFIXES:
        song = open_song(path)
        save_song(song, target)
        return ConvertedMusic(FileRef.from_path(target), song.ignored)
    if suffix in ABC:
        score = open_score(path)
        save_text(target, run_bounded(write_abc, score, seconds=60.0, memory_bytes=1_500_000_000))
        return ConvertedMusic(FileRef.from_path(target), tuple(score.notes))
    if suffix in (".musicxml", ".xml"):
        text, notes = open_musicxml(path)
        save_text(target, text)
        return ConvertedMusic(FileRef.from_path(target), notes)
    raise Problem(f"{target.name!r} must end with .mid, .abc or .musicxml")


def _abc_text(path: Path) -> str:
    check_bytes(path, _MAX_ABC_BYTES)
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _xml_text(path: Path) -> str:
    """The MusicXML of a file, out of its package if it is one.

    Raises:
        Problem: it is not MusicXML, or unpacks to too much, or has a DTD with its own entities.
    """
    data = path.read_bytes() if check_bytes(path, MAX_XML_BYTES) else b""
    if data.startswith(b"PK"):
        data = _unpack_score(path)
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "utf-8-sig", "replace")
    if "<score-partwise" not in text and "<score-timewise" not in text:
        raise Problem(f"{path.name!r} is not MusicXML: it has no <score-partwise>")
    if "<!ENTITY" in text:
        raise Problem(f"{path.name!r} defines XML entities, which are not allowed; save it without them")
    if not _counts_notes(data if wide else text.encode(), path.name):
        raise Problem(f"{path.name!r} has no notes")
    return text


def _counts_notes(data: bytes, name: str) -> int:
    """How many notes a MusicXML has.

    Raises:
        Problem: it is not well-formed XML.
    """
    from xml.parsers import expat

    tags: Counter[str] = Counter()
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, _: tags.update([tag])
    try:
        parser.Parse(data, True)  # noqa: FBT003
    except expat.ExpatError as error:
        raise Problem(f"{name!r} is not well-formed XML ({error}); it is damaged") from error
    return tags["note"]


def _unpack_score(path: Path) -> bytes:
    with open_archive(path) as archive:
        names = [
            entry
            for entry in archive.infolist()
            if entry.filename.lower().endswith((".musicxml", ".xml")) and not entry.filename.startswith("META-INF")
        ]
        if not names:
            raise Problem(f"{path.name!r} contains no MusicXML")
        if names[0].file_size > MAX_XML_BYTES:
            raise Problem(f"{path.name!r} unpacks to {names[0].file_size:,} bytes; the limit is {MAX_XML_BYTES:,}")
        try:
            with archive.open(names[0]) as file:
                return file.read(MAX_XML_BYTES)
        except (zipfile.BadZipFile, io.UnsupportedOperation, ValueError, RuntimeError, OSError) as error:
            raise Problem(f"{path.name!r} is damaged ({error})") from error
