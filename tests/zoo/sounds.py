"""Sound files as recorders and programs write them: short, made by code, each with its truth.

A tone of 1 kHz is heard for 0.2 s from each of `BEEPS_S` on, over a very soft hum.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from zoo.film_recipes import BEEPS_S, make_beeps

SECONDS = 2.0
_RATE_HZ = 48_000


@dataclass(frozen=True)
class SoundSample:
    """A sound of the zoo.

    Attributes:
        name: of its file.
        build: writes it.
        beeps_s: when its beeps begin.
        seconds: how long it is.
        info: what `get_audio_info` says of it, by names.
        warning: words of the answer where it is converted to a WAV file of 16 bits.
    """

    name: str
    build: Callable[[Path], None]
    beeps_s: tuple[float, ...] = BEEPS_S
    seconds: float = SECONDS
    info: dict[str, Any] = field(default_factory=dict)
    warning: str = ""


@dataclass(frozen=True)
class _Recipe:
    """How a sound is written."""

    codec: str = "pcm_s16le"
    rate_hz: int = _RATE_HZ
    layout: str = "mono"
    begin_s: float = 0.0
    gap_s: tuple[float, float] = (0.0, 0.0)
    tags: tuple[tuple[str, str], ...] = ()
    kind: str | None = None

    def __call__(self, path: Path) -> None:
        with av.open(str(path), "w", format=self.kind) as container:
            container.metadata.update(dict(self.tags))
            packets = self._encode(container)
            for packet in packets:
                at_s = float(packet.pts * packet.time_base) - self.begin_s
                if not self.gap_s[0] <= at_s < self.gap_s[1]:
                    container.mux(packet)

    def _encode(self, container: Any) -> list[Any]:
        track: Any = container.add_stream(self.codec, rate=self.rate_hz, layout=self.layout)
        codec = track.codec_context
        codec.open()
        size = codec.frame_size or 960
        resampler = av.AudioResampler(format=codec.format.name, layout=self.layout, rate=self.rate_hz, frame_size=size)
        samples = make_beeps(0.0, SECONDS)
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples[None]), format="fltp", layout="mono")
        frame.sample_rate = _RATE_HZ
        packets: list[Any] = []
        at = round(self.begin_s * self.rate_hz)
        for piece in (*resampler.resample(frame), *resampler.resample(None)):
            piece.pts, piece.time_base = at, Fraction(1, self.rate_hz)
            at += piece.samples
            packets += track.encode(piece)
        return [*packets, *track.encode(None)]


def _write_turned_channels(path: Path) -> None:
    """A cable that is soldered wrongly: the right channel is the left one turned around."""
    samples = make_beeps(0.0, SECONDS)
    with av.open(str(path), "w") as container:
        track: Any = container.add_stream("flac", rate=_RATE_HZ, layout="stereo")
        track.codec_context.open()
        integers = np.round(np.stack([samples, -samples]) * 32_000).astype("<i2")
        frame = av.AudioFrame.from_ndarray(
            np.ascontiguousarray(integers.T.reshape(1, -1)), format="s16", layout="stereo"
        )
        frame.sample_rate = _RATE_HZ
        resampler = av.AudioResampler("s16", "stereo", _RATE_HZ, track.codec_context.frame_size)
        for piece in (*resampler.resample(frame), *resampler.resample(None)):
            container.mux(track.encode(piece))
        container.mux(track.encode(None))


def _write_changing_rate(path: Path) -> None:
    """A broadcast that goes over from 48 kHz to 44.1 kHz: two streams of ADTS, one behind the other."""
    _join_recipes(path, _Recipe("aac", 48_000, kind="adts"), _Recipe("aac", 44_100, kind="adts"))


def _write_other_form(path: Path) -> None:
    """A radio whose next programme is in stereo: FFmpeg cannot read on."""
    _join_recipes(path, _Recipe("libopus", layout="mono"), _Recipe("libopus", layout="stereo"))


def _write_other_rate(path: Path) -> None:
    """A radio whose next programme has another rate."""
    _join_recipes(path, _Recipe("flac", 48_000, kind="ogg"), _Recipe("flac", 44_100, kind="ogg"))


def _join_recipes(path: Path, *recipes: _Recipe) -> None:
    """Write streams one behind the other, as they were sent."""
    data = b""
    for number, recipe in enumerate(recipes):
        part = path.with_name(f"{number}-{path.name}")
        recipe(part)
        data += part.read_bytes()
        part.unlink()
    path.write_bytes(data)


def _write_old_tags(path: Path) -> None:
    """A song whose title an old program wrote behind it, in the letters of Windows."""
    _Recipe("libmp3lame", kind="mp3")(path)
    data = path.read_bytes()
    title, artist = (text.encode("cp1252").ljust(30, b"\0") for text in ("F\u00fcr Elise", "Bj\u00f6rn"))
    path.write_bytes(data[data.index(b"\xff\xfb") :] + b"TAG" + title + artist + b"\0" * 64 + b"\xff")


def _write_cut_off(path: Path) -> None:
    """A recorder whose battery died: the header says more than there is."""
    _Recipe()(path)
    path.write_bytes(path.read_bytes()[: 44 + 2 * _RATE_HZ])


SOUNDS = (
    SoundSample("plain.wav", _Recipe()),
    SoundSample(
        "studio.wav", _Recipe("pcm_s24le", 96_000, "stereo"), info={"sample_rate_hz": 96_000}, warning="24 bits"
    ),
    SoundSample(
        "cinema.flac", _Recipe("flac", layout="5.1"), info={"channels": 6}, warning="6 channels (mixed into 2)"
    ),
    SoundSample("song.mp3", _Recipe("libmp3lame", tags=(("title", "A song"), ("mood", "calm"))), warning="tags (mood)"),
    SoundSample("song.m4a", _Recipe("aac"), seconds=SECONDS),
    SoundSample("message.ogg", _Recipe("libopus", tags=(("title", "Hello"),))),
    SoundSample("message.opus", _Recipe("libopus")),
    SoundSample("stream.aac", _Recipe("aac", kind="adts")),
    SoundSample("late.m4a", _Recipe("aac", begin_s=1.0), beeps_s=(1.5, 2.5), seconds=3.0, warning="begins at"),
    SoundSample("late-fragment.webm", _Recipe("libopus", begin_s=1000.0)),
    SoundSample("lost-packets.mka", _Recipe("libopus", gap_s=(0.8, 1.2)), warning="gap"),
    SoundSample("old.aiff", _Recipe("pcm_s16be", 22_050)),
    SoundSample("phone.3gp", _Recipe("aac", 16_000)),
    SoundSample("turned.flac", _write_turned_channels),
    SoundSample("changing.aac", _write_changing_rate, beeps_s=(0.5, 1.5, 2.5, 3.5), seconds=4.0),
    SoundSample("other-form.opus", _write_other_form, warning="cannot be read on from 2.00 s"),
    SoundSample("other-rate.oga", _write_other_rate, beeps_s=(0.5, 1.5, 2.5, 3.5), seconds=4.0),
    SoundSample("old-tags.mp3", _write_old_tags, info={"tags": {"title": "F\u00fcr Elise", "artist": "Bj\u00f6rn"}}),
    SoundSample("cut-off.wav", _write_cut_off, beeps_s=(0.5,), seconds=1.0, warning="cut off"),
)
BY_NAME = {sample.name: sample for sample in SOUNDS}
