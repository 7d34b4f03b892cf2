"""Music of any kind of file: MIDI, ABC, MusicXML."""

import io
import re
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from yardkit.programs.bounded import run_bounded
from yardkit.servers.music.engine.abc.reading import read_abc
from yardkit.servers.music.engine.abc.writing import write_abc
from yardkit.servers.music.engine.content import (
    compare_content,
    compare_songs,
    count_content,
    count_song_content,
    describe_notes,
    measure_shifts,
)
from yardkit.servers.music.engine.editing import save_song
from yardkit.servers.music.engine.engraving import MAX_XML_BYTES
from yardkit.servers.music.engine.midi_files import SUFFIXES, read_song
from yardkit.servers.music.engine.musicxml.reading import read_musicxml, sort_by_part
from yardkit.servers.music.engine.musicxml.writing import write_musicxml
from yardkit.servers.music.engine.notation import write_down
from yardkit.servers.music.engine.performing import perform_score
from yardkit.servers.music.engine.score import Score
from yardkit.servers.music.engine.song import Song
from yardkit.world import FileRef, Problem, save_text
from yardkit.world.decoding import decode_file
from yardkit.world.limits import check_bytes, open_archive

ABC, XML = (".abc",), (".musicxml", ".xml", ".mxl")
READ = (*SUFFIXES, *ABC, *XML)
"""Names of music as notes."""
_MAX_ABC_BYTES = 2_000_000
_MAX_WRITTEN_NOTES = 20_000
_MAX_CONTAINER = 100_000
_XML_CHARSET = re.compile(r"^(\s*<\?xml[^>]*?encoding\s*=\s*[\"'])[\w.-]+")


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
    if suffix in SUFFIXES:
        return read_song(path)
    if suffix in (*ABC, *XML):
        return perform_score(_read_written(path))
    raise Problem(f"{path.name!r} is not a .mid, .abc or .musicxml file; give a music file")


def _read_written(path: Path) -> Score:
    """The score of ABC or MusicXML."""
    if path.suffix.lower() in ABC:
        return read_abc(_abc_text(path))
    return run_bounded(read_musicxml, _xml_text(path), seconds=60.0, memory_bytes=1_500_000_000)


def open_score(path: Path) -> Score:
    """The music of a file as it is written; of MIDI as it can be written.

    Raises:
        Problem: it is not music, damaged, or has too many notes to be written.
    """
    if path.suffix.lower() in (*ABC, *XML):
        return _read_written(path)
    song = open_song(path)
    if song.notes > _MAX_WRITTEN_NOTES:
        raise Problem(f"the music has {song.notes:,} notes; the limit is {_MAX_WRITTEN_NOTES:,}. Use fewer bars")
    if not song.notes:
        raise Problem(f"{path.name!r} has no notes")
    score = write_down(song)
    score.notes += [*song.ignored, *compare_content(count_song_content(song), Counter()), *_compare_sound(song, score)]
    return score


def open_musicxml(path: Path) -> tuple[str, tuple[str, ...]]:
    """The music of a file as MusicXML, and what to know of it. MusicXML stays as it is.

    Raises:
        Problem: as `open_score`.
    """
    if path.suffix.lower() in XML:
        text = _xml_text(path)
        is_timewise = "score-timewise" in text and "<score-partwise" not in text
        return run_bounded(sort_by_part, text, seconds=60.0, memory_bytes=1_500_000_000) if is_timewise else text, ()
    score = open_score(path)
    text = run_bounded(write_musicxml, score, seconds=60.0, memory_bytes=1_500_000_000)
    back = run_bounded(read_musicxml, text, seconds=60.0, memory_bytes=1_500_000_000)
    return text, (*describe_notes(score), *_compare_scores(score, back))


def convert_music(path: Path, target: Path) -> ConvertedMusic:
    """Write music in another format, by the name of the target; what it does not keep is told.

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
        text = run_bounded(write_abc, score, seconds=60.0, memory_bytes=1_500_000_000)
        notes = (*describe_notes(score), *_compare_scores(score, read_abc(text)))
        save_text(target, text)
        return ConvertedMusic(FileRef.from_path(target), notes)
    if suffix in (".musicxml", ".xml"):
        text, notes = open_musicxml(path)
        save_text(target, text)
        return ConvertedMusic(FileRef.from_path(target), notes)
    raise Problem(f"{target.name!r} must end with .mid, .abc or .musicxml")


def _compare_scores(score: Score, back: Score) -> list[str]:
    """What a score lost when it was written and read again."""
    lost = compare_content(count_content(score), count_content(back))
    differing = compare_songs(perform_score(score), perform_score(back))
    return [*lost, *([f"{differing} notes sound differently in the new file"] if differing else [])]


def _compare_sound(song: Song, score: Score) -> list[str]:
    """How much of a song is set on a grid when it is written down."""
    shifts = measure_shifts(song, perform_score(score))
    moved = sum(shift > 0 for shift in shifts)
    if not moved:
        return []
    return [
        f"{moved} of {song.notes} notes begin up to {max(shifts):.3g} quarters earlier or later, on the written grid"
    ]


def _abc_text(path: Path) -> str:
    check_bytes(path, _MAX_ABC_BYTES)
    data = path.read_bytes()
    named = re.search(rb"(?:%%|I:)abc-charset\s+([\w-]+)", data)
    return decode_file(data, path.name, named.group(1).decode("ascii", "replace") if named else "").text


def _xml_text(path: Path) -> str:
    """The MusicXML of a file, out of its package if it is one.

    Raises:
        Problem: it is not MusicXML, or unpacks to too much, or has a DTD with its own entities.
    """
    data = path.read_bytes() if check_bytes(path, MAX_XML_BYTES) else b""
    if data.startswith(b"PK"):
        data = _unpack_score(path)
    text = _XML_CHARSET.sub(r"\1UTF-8", decode_file(data, path.name, html=True).text, count=1)
    if "<!ENTITY" in text:
        raise Problem(f"{path.name!r} defines XML entities, which are not allowed; save it without them")
    if not re.search(r"<(\w+:)?score-(partwise|timewise)", text):
        raise Problem(f"{path.name!r} is not MusicXML: it has no <score-partwise>")
    if not _counts_notes(text.encode(), path.name):
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
    """The score of a package: the file that its container names, else the first MusicXML in it."""
    with open_archive(path) as archive:
        entries = {entry.filename: entry for entry in archive.infolist()}
        scores = [
            name
            for name in entries
            if name.lower().endswith((".musicxml", ".xml")) and not name.startswith(("META-INF", "__MACOSX"))
        ]
        try:
            container = entries.get("META-INF/container.xml")
            listed = archive.read(container)[:_MAX_CONTAINER].decode("utf-8", "replace") if container else ""
            named = [name for name in re.findall(r"full-path\s*=\s*[\"']([^\"']+)", listed) if name in entries]
            chosen = next((name for name in [*named, *scores] if not name.lower().endswith(".pdf")), None)
            if chosen is None:
                raise Problem(f"{path.name!r} contains no MusicXML")
            if entries[chosen].file_size > MAX_XML_BYTES:
                raise Problem(
                    f"{path.name!r} unpacks to {entries[chosen].file_size:,} bytes; the limit is {MAX_XML_BYTES:,}"
                )
            with archive.open(entries[chosen]) as file:
                return file.read(MAX_XML_BYTES)
        except (zipfile.BadZipFile, io.UnsupportedOperation, ValueError, RuntimeError, OSError) as error:
            raise Problem(f"{path.name!r} is damaged ({error})") from error
