"""Notes played into sound by the program FluidSynth, with a soundfont of General MIDI.

Of what PyPI has, symusic's synthesizer does not give stereo and ignores filters and effects, tinysoundfont cannot be
installed without PortAudio's headers, and pyfluidsynth needs the same library of the system. FluidSynth is given a MIDI
file that is written here, never one of the workspace.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from yardkit.kit.sound_streams import Form, check_suffix, write_blocks
from yardkit.programs.bounded import run_bounded
from yardkit.programs.command import run_program
from yardkit.servers.music.engine.midi_files import midi_bytes
from yardkit.servers.music.engine.song import Song, Track
from yardkit.world import FileRef, Problem, Unavailable, save_atomically

PRELOAD = ("numpy", "av")
PROGRAM = "fluidsynth"
SOUNDFONTS = (
    "/usr/share/sounds/sf2/TimGM6mb.sf2",
    "/usr/share/sounds/sf2/default-GM.sf2",
    "/usr/share/sounds/sf2/FluidR3_GM.sf2",
    "/usr/share/soundfonts/default.sf2",
)
"""Where Debian and Fedora put soundfonts; TimGM6mb (GPL-2, 6 MB) first, so that machines sound alike."""
MAX_RENDERED_S = 900.0
_SECONDS, _MEMORY_BYTES = 240.0, 1_000_000_000
_TAIL_S = 6.0
_SILENT = 10 ** (-60 / 20)
_BLOCK = 1 << 16
_BITRATE_KBPS = 192


@dataclass(frozen=True)
class RenderedSound:
    """Music that was played into a sound file.

    Attributes:
        sound: where it is.
        duration_s: with what rings on behind the last note.
        music_s: until the last note ends.
        sample_rate_hz: of it; it is stereo.
        soundfont: that it was played with.
        notes: what to know of it.
    """

    sound: FileRef
    duration_s: float
    music_s: float
    sample_rate_hz: int
    soundfont: str
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        head = (
            f"Saved {self.sound}: {self.duration_s:.2f} s ({self.music_s:.2f} s of music), "
            f"{self.sample_rate_hz} Hz, stereo, with {self.soundfont}"
        )
        return "\n".join([head, *self.notes])


@dataclass(frozen=True)
class Rendering:
    """How it is played. mute: numbers of tracks, from 1. peak_dbfs: of the loudest sample. reverb: room or none."""

    sample_rate_hz: int = 44_100
    peak_dbfs: float = -1.0
    reverb: bool = True
    mute: Sequence[int] = ()


def render_song(song: Song, target: Path, how: Rendering, soundfont: str | None = None) -> RenderedSound:
    """Play a song into a sound file; the same song gives the same sound.

    Args:
        song: that is played.
        target: .wav, .flac, .mp3, .ogg, .opus or .m4a.
        how: it is played.
        soundfont: a file; by default the one that is installed.

    Raises:
        Unavailable: FluidSynth or a soundfont is missing.
        Problem: the song is longer than `MAX_RENDERED_S`, nothing is heard, or the name is not that of a sound.
    """
    check_suffix(target)
    font = find_soundfont(soundfont)
    played = song.with_tracks(_drop_muted(song.tracks, how.mute))
    if not played.notes:
        raise Problem("there are no notes left to play; mute fewer tracks")
    if played.seconds > MAX_RENDERED_S:
        raise Problem(
            f"the music lasts {played.seconds:.0f} s; at most {MAX_RENDERED_S:.0f} s can be rendered at "
            "once. Keep fewer bars with edit_midi"
        )
    with tempfile.TemporaryDirectory() as folder, save_atomically(target) as draft:
        raw = _synthesize_midi(midi_bytes(played), how, font, Path(folder))
        end_s = played.seconds
        seconds = run_bounded(
            _encode_sound, raw, draft, target.suffix.lower(), how.sample_rate_hz, how.peak_dbfs, end_s,
            seconds=_SECONDS, memory_bytes=_MEMORY_BYTES, stays=True,
        )  # fmt: skip
    notes = (*((f"{len(set(how.mute))} tracks are muted",) if how.mute else ()), *song.ignored)
    return RenderedSound(FileRef.from_path(target), seconds, end_s, how.sample_rate_hz, Path(font).name, notes)


def find_soundfont(given: str | None) -> str:
    """The soundfont to play with.

    Raises:
        Unavailable: the program or a soundfont is missing.
    """
    if not shutil.which(PROGRAM):
        raise Unavailable("fluidsynth is not installed; run apt-get install fluidsynth timgm6mb-soundfont")
    soundfont_path = next((path for path in ([given] if given else SOUNDFONTS) if Path(path).is_file()), None)
    if soundfont_path is None:
        where = f"{given!r} (YARDKIT_MUSIC_SOUNDFONT) is not a file" if given else "no soundfont is installed"
        raise Unavailable(f"{where}; run apt-get install timgm6mb-soundfont, or set YARDKIT_MUSIC_SOUNDFONT to a .sf2")
    return soundfont_path


def _drop_muted(tracks: Sequence[Track], mute: Sequence[int]) -> list[Track]:
    strange = [number for number in mute if not 1 <= number <= len(tracks)]
    if strange:
        raise Problem(f"there is no track {strange[0]}; the music has tracks 1 to {len(tracks)}")
    return [replace(track) for number, track in enumerate(tracks, start=1) if number not in mute]


def _synthesize_midi(midi: bytes, how: Rendering, font: str, folder: Path) -> Path:
    """The samples of FluidSynth as 32-bit floats of two channels, one beside the other."""
    source, raw = folder / "music.mid", folder / "music.raw"
    source.write_bytes(midi)
    effects = "1" if how.reverb else "0"
    command = [shutil.which(PROGRAM) or PROGRAM, "-n", "-i", "-q", "-g", "0.4", "-r", str(how.sample_rate_hz)]
    command += ["-R", effects, "-C", effects, "-o", "synth.cpu-cores=1", "-O", "float", "-T", "raw"]
    environment = {"PATH": os.defpath, "HOME": str(folder), "LANG": "C.UTF-8"}
    ended = run_program(
        [*command, "-F", str(raw), font, str(source)], environment=environment, limit_s=_SECONDS, cwd=folder
    )
    if ended.exit_code or ended.timed_out or not raw.is_file() or not raw.stat().st_size:
        reason = "it took too long" if ended.timed_out else ended.stderr.strip()[-200:] or "no sound"
        raise Problem(f"fluidsynth cannot play this ({reason}); cut the music or check the soundfont {Path(font).name}")
    return raw


def _encode_sound(raw: Path, draft: Path, suffix: str, rate: int, peak_dbfs: float, end_s: float) -> float:
    """Write samples as a sound file, without the silence behind them, with their peak at a level."""
    import numpy as np

    flat = np.memmap(raw, dtype="<f4", mode="r")
    samples = flat[: len(flat) // 2 * 2].reshape(-1, 2)[: int((end_s + _TAIL_S) * rate)]
    peak, last = 0.0, 0
    for at in range(0, len(samples), _BLOCK):
        loud = np.abs(samples[at : at + _BLOCK]).max(axis=1)
        peak = max(peak, float(loud.max()))
        heard = np.flatnonzero(loud > _SILENT)
        last = at + int(heard[-1]) + 1 if len(heard) else last
    if not peak:
        raise Problem("the result is silent; the soundfont lacks these instruments, or all notes are silent")
    length = min(len(samples), max(last + rate // 10, int(end_s * rate)))
    factor = 10 ** (peak_dbfs / 20) / peak

    def blocks() -> Iterator[Any]:
        for at in range(0, length, _BLOCK):
            yield np.ascontiguousarray(samples[at : min(at + _BLOCK, length)].T * factor, dtype=np.float32)

    return write_blocks(blocks(), Form(rate, 2), draft, suffix, _BITRATE_KBPS)
