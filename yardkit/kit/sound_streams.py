"""Sound as a stream of blocks: read from files, filtered by FFmpeg, written to files. Call it in a separate process.

A block is float32 of shape (channels, n), in [-1, 1]. Streams keep memory bounded for sounds of any length.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.kit.sound_headers import read_stated_seconds
from yardkit.kit.sounds import Faults, open_container, resampled_pieces, sound_track
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

Blocks = Iterator[Any]
PRELOAD = ("numpy", "av")
"""What the process that works on sounds keeps loaded."""
MAX_SECONDS = 4 * 3600.0
"""How long a sound may be that is written."""
Filter = tuple[str, str]
"""The name of a filter of FFmpeg, and its arguments, which are numbers and words of ours."""
LAYOUTS = {1: "mono", 2: "stereo"}
_CODECS = {
    ".wav": ("wav", "pcm_s16le"),
    ".flac": ("flac", "flac"),
    ".mp3": ("mp3", "libmp3lame"),
    ".ogg": ("ogg", "libopus"),
    ".opus": ("ogg", "libopus"),
    ".m4a": ("ipod", "aac"),
}
SUFFIXES = tuple(_CODECS)
KINDS = {suffix: kind for suffix, (kind, _) in _CODECS.items()}
"""The container of each, by FFmpeg's name."""
_LAME_GAINS = {160: 1 / 0.95, 192: 1 / 0.97, 224: 1 / 0.98, 256: 1.0}
"""What LAME takes away below 256 kbit/s (abr_switch_map of its presets) is given back by these."""
_OPUS_KBPS = 256
"""For each channel; Opus takes no more."""
_OPUS_RATES = (8000, 12000, 16000, 24000, 48000)
_FORMATS = {"pcm_s16le": "s16", "flac": "s16", "libmp3lame": "fltp", "libopus": "flt", "aac": "fltp"}


@dataclass(frozen=True)
class Form:
    """The form of sound in a stream.

    Attributes:
        rate_hz: samples a second.
        channels: 1 or 2.
    """

    rate_hz: int
    channels: int


def check_suffix(target: Path) -> None:
    """Refuse a name without a sound's suffix.

    Raises:
        Problem: it has another suffix.
    """
    if target.suffix.lower() not in _CODECS:
        raise Problem(f"{target.name!r} is not a valid name for a sound file; end it with {', '.join(_CODECS)}")


def form_of(path: Path) -> Form:
    """Return the form of a file's sound track; more than two channels are reduced to two.

    Raises:
        Problem: it is not a sound.
    """
    check_bytes(path)
    with path.open("rb") as file, open_container(file, path) as container:
        track = sound_track(container, path)
        return Form(int(track.rate), 1 if track.channels == 1 else 2)


def read_blocks(
    path: Path, form: Form, start_s: float = 0.0, end_s: float | None = None, faults: Faults | None = None
) -> Blocks:
    """The sound of a file, or a part of it to the sample, in a form; `faults` is filled with what it lacks.

    Raises:
        Problem: it is not a sound, or ends before `start_s`.
    """
    check_bytes(path)
    first = round(start_s * form.rate_hz)
    last = None if end_s is None else round(end_s * form.rate_hz)
    at = 0
    with path.open("rb") as file, open_container(file, path) as container:
        track = sound_track(container, path)
        faults = faults or Faults()
        faults.header_s = read_stated_seconds(file, container.format.name, track.rate)
        for block in resampled_pieces(container, track, form.rate_hz, faults, LAYOUTS[form.channels]):
            part = block[:, max(0, first - at) : None if last is None else max(0, last - at)]
            at += block.shape[1]
            if part.shape[1]:
                yield part
            if last is not None and at >= last:
                return
    if at <= first:
        raise Problem(f"{path.name!r} ends at {at / form.rate_hz:.2f} s; begin before that, not at {start_s:g} s")


def _with_end(frames: Iterator[Any]) -> Iterator[Any]:
    """Yield frames, and None at the end to flush the resampler."""
    any_frame = False
    for frame in frames:
        any_frame = True
        yield frame
    if any_frame:
        yield None


def seconds_of(path: Path) -> float:
    """Measure the length of a file's sound by counting its samples.

    Raises:
        Problem: it is not a sound.
    """
    form = Form(8000, 1)
    samples: int = sum(block.shape[1] for block in read_blocks(path, form))
    return samples / form.rate_hz


def speed_filters(factor: float) -> list[Filter]:
    """Make filters that change the speed but not the pitch; one takes 0.5 to 2, so there may be several."""
    steps = []
    while factor > 2.0:
        steps.append(2.0)
        factor /= 2.0
    while factor < 0.5:
        steps.append(0.5)
        factor /= 0.5
    return [("atempo", f"{step:.8f}") for step in [*steps, factor]]


def filter_blocks(blocks: Blocks, form: Form, filters: Sequence[Filter]) -> Blocks:
    """Send a stream through FFmpeg filters, in order."""
    import av
    import numpy as np

    graph = av.filter.Graph()
    layout = LAYOUTS[form.channels]
    source = graph.add_abuffer(format="fltp", sample_rate=form.rate_hz, layout=layout, time_base=None)
    final = ("aformat", f"sample_fmts=fltp:sample_rates={form.rate_hz}:channel_layouts={layout}")
    last = source
    for name, arguments in [*filters, final]:
        node = graph.add(name, arguments) if arguments else graph.add(name)
        last.link_to(node)
        last = node
    sink = graph.add("abuffersink")
    last.link_to(sink)
    graph.configure()
    at = 0
    for block in blocks:
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(block), format="fltp", layout=layout)
        frame.sample_rate, frame.pts = form.rate_hz, at
        at += block.shape[1]
        source.push(frame)
        yield from _pull_blocks(sink)
    source.push(None)
    yield from _pull_blocks(sink)


def _pull_blocks(sink: Any) -> Blocks:
    import av

    while True:
        try:
            yield sink.pull().to_ndarray()
        except (av.error.BlockingIOError, av.error.EOFError):
            return


def write_blocks(
    blocks: Blocks,
    form: Form,
    draft: Path,
    suffix: str,
    bitrate_kbps: int,
    label: Callable[[Any], None] | None = None,
) -> float:
    """Write a stream as a sound file; return its length in seconds.

    Args:
        blocks: the stream.
        form: the form of the stream.
        draft: the path to write to.
        suffix: the type of the file.
        bitrate_kbps: the bit rate of lossy types.
        label: sets tags in the container before any sound is written.

    Raises:
        Problem: the stream is empty or longer than four hours.
    """
    import av

    kind, codec = _CODECS[suffix]
    rate, layout = _rate_for(codec, form.rate_hz), LAYOUTS[form.channels]
    written = clock = 0
    with av.open(str(draft), "w", format=kind) as container:
        if label:
            label(container)
        stream = container.add_stream(codec, rate=rate, layout=layout, format=_FORMATS[codec])
        if codec in ("libmp3lame", "libopus", "aac"):
            most = _OPUS_KBPS * form.channels if codec == "libopus" else bitrate_kbps
            stream.bit_rate = min(bitrate_kbps, most) * 1000
        resampler = av.AudioResampler(
            format=_FORMATS[codec], layout=layout, rate=rate, frame_size=stream.codec_context.frame_size or None
        )
        gain = _lame_gain(rate, bitrate_kbps) if codec == "libmp3lame" else 1.0
        for frame in _with_end(_frames_of(blocks, form, gain)):
            written += frame.samples if frame else 0
            if written > MAX_SECONDS * form.rate_hz:
                raise Problem(f"the result is longer than {MAX_SECONDS / 3600:g} hours; write parts of it")
            for piece in resampler.resample(frame):
                # Codecs with an initial delay signal it by negative times.
                piece.pts, clock = clock, clock + piece.samples
                container.mux(stream.encode(piece))
        if not written:
            raise Problem("nothing is left to write; the part that was chosen is empty")
        container.mux(stream.encode(None))
    return written / form.rate_hz


def _lame_gain(rate_hz: int, bitrate_kbps: int) -> float:
    # The highest bit rates of MPEG-2 and of MPEG-1 Layer III.
    most = 160 if rate_hz <= 24_000 else 320
    return _LAME_GAINS[min(_LAME_GAINS, key=lambda known: abs(known - min(bitrate_kbps, most)))]


def _frames_of(blocks: Blocks, form: Form, gain: float) -> Iterator[Any]:
    import av
    import numpy as np

    for block in blocks:
        if not block.shape[1]:
            continue
        samples = np.ascontiguousarray(np.clip(block, -1.0, 1.0) * gain, dtype=np.float32)
        frame = av.AudioFrame.from_ndarray(samples, format="fltp", layout=LAYOUTS[form.channels])
        frame.sample_rate = form.rate_hz
        yield frame


def _rate_for(codec: str, rate: int) -> int:
    """Choose a rate that a codec supports: the same or the next higher one."""
    if codec == "libopus":
        return next((known for known in _OPUS_RATES if known >= rate), 48000)
    # The rates of MPEG-1, MPEG-2 and MPEG-2.5 Layer III.
    if codec == "libmp3lame":
        return min(rate, 48000) if rate in (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000) else 44100
    return rate
