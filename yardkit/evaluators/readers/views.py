"""The visible content of a delivered file, for judges: pages, pictures, frames, waveforms, text.

Each file is drawn once for all leaves.
"""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.files import keeps_outcomes, read_text, require_file
from yardkit.evaluators.readers.media.films import frames_at, read_film
from yardkit.evaluators.readers.media.sounds import loudness_lufs, read_sound, true_peak_dbtp
from yardkit.evaluators.readers.pages.pictures import read_picture
from yardkit.evaluators.readers.pages.rendered import draw_printed, render_pages
from yardkit.evaluators.readers.web.browser import browse_page
from yardkit.evaluators.submission import Submission
from yardkit.world.tree import file_digest

Seen = str | bytes
"""Words, or a picture as PNG."""

MAX_PAGES, MAX_FRAMES = 8, 9
MAX_TEXT = 12_000
_SIDE_PX = 1200
_PAGES = {".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".doc", ".xls", ".ppt", ".rtf"}
_PICTURES = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"}
_WORDS = {".txt", ".md", ".csv", ".tsv", ".json", ".xml", ".yaml", ".yml", ".toml", ".py", ".srt", ".vtt", ".tex"}
_FILMS = {".mp4", ".mov", ".mkv", ".webm"}
_SOUNDS = {".wav", ".mp3", ".flac", ".ogg", ".m4a"}


def show_file(submission: Submission, relative: str) -> list[Seen]:
    """Show a delivered file, with its name in front; for types without a view, its size.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is damaged or does not have the type of its name.
        EnvironmentInvalid: a program for drawing it is missing on this machine.
    """
    digest = file_digest(require_file(submission, relative))
    return [f"File {relative}:", *_render_views(submission.root, submission.scratch, relative, digest)]


@keeps_outcomes(32)
def _render_views(root: Path, scratch: Path | None, relative: str, _digest: str) -> tuple[Seen, ...]:
    suffix = Path(relative).suffix.lower()
    show = next((show for suffixes, show in _VIEWERS if suffix in suffixes), _show_nothing)
    return tuple(show(Submission(root, scratch=scratch), relative))


def _show_pages(submission: Submission, relative: str) -> list[Seen]:
    pages = render_pages(submission, relative).pages
    drawn = [
        _encode_png(draw_printed(submission, relative, page.number, _SIDE_PX / max(page.width, page.height)))
        for page in pages[:MAX_PAGES]
    ]
    words = "\n".join(page.text for page in pages)
    more = f", of which the first {MAX_PAGES} are shown" if len(pages) > MAX_PAGES else ""
    return [f"{len(pages)} pages{more}. Their words:\n{_cut_words(words)}", *drawn]


def _show_picture(submission: Submission, relative: str) -> list[Seen]:
    pixels = read_picture(submission, relative)
    return [f"{pixels.shape[1]} x {pixels.shape[0]} pixels", _encode_png(pixels)]


def _show_words(submission: Submission, relative: str) -> list[Seen]:
    return [_cut_words(read_text(submission, relative))]


def _show_site(submission: Submission, relative: str) -> list[Seen]:
    view = browse_page(submission, relative, [_SIDE_PX], pictured=True)[0]
    words = f"A web page. Its words:\n{_cut_words(view.text)}"
    if view.picture is None:
        return [words]
    return [words, _shrink_picture(view.picture)]


def _show_film(submission: Submission, relative: str) -> list[Seen]:
    film = read_film(submission, relative)
    times = [film.duration_s * (number + 0.5) / MAX_FRAMES for number in range(MAX_FRAMES)]
    film_description = (
        f"A film of {film.duration_s:.1f} s, {film.width} x {film.height} pixels, "
        f"{'with' if film.audio_codec else 'without'} sound. Frames at {', '.join(f'{time:.1f}' for time in times)} s, "
        "row by row."
    )
    cues = [f"{cue.start_s:.1f} to {cue.end_s:.1f} s: {cue.text}" for track in film.subtitles for cue in track]
    subtitles = [_cut_words("Subtitles:\n" + "\n".join(cues))] if cues else []
    return [film_description, *subtitles, _encode_png(_arrange_frames(frames_at(submission, relative, times)))]


def _show_sound(submission: Submission, relative: str) -> list[Seen]:
    sound = read_sound(submission, relative)
    sound_description = (
        f"A sound of {sound.duration_s:.1f} s, {sound.sample_rate_hz} Hz, loudness {loudness_lufs(sound):.1f} LUFS, "
        f"true peak {true_peak_dbtp(sound):.1f} dBTP. Its waveform, from left to right:"
    )
    return [sound_description, _encode_png(_draw_waves(sound.samples))]


def _show_nothing(submission: Submission, relative: str) -> list[Seen]:
    size = require_file(submission, relative).stat().st_size
    return [f"{size:,} bytes of a type that cannot be shown"]


_VIEWERS: Sequence[tuple[set[str], Callable[[Submission, str], list[Seen]]]] = (
    (_PAGES, _show_pages),
    (_PICTURES, _show_picture),
    (_WORDS, _show_words),
    ({".html", ".htm"}, _show_site),
    (_FILMS, _show_film),
    (_SOUNDS, _show_sound),
)


def _cut_words(words: str) -> str:
    return words if len(words) <= MAX_TEXT else f"{words[:MAX_TEXT]}\n... ({len(words):,} characters in all)"


def _encode_png(pixels: Any) -> bytes:
    import PIL.Image

    buffer = io.BytesIO()
    image = PIL.Image.fromarray(pixels)
    image.thumbnail((_SIDE_PX, _SIDE_PX))
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _shrink_picture(picture: bytes) -> bytes:
    import PIL.Image

    buffer = io.BytesIO()
    with PIL.Image.open(io.BytesIO(picture)) as image:
        # A long page is only legible at full width, so cut its height.
        image.crop((0, 0, image.width, min(image.height, 4 * _SIDE_PX))).save(buffer, "PNG")
    return buffer.getvalue()


def _arrange_frames(frames: Sequence[Any]) -> Any:
    """Arrange frames in rows of three."""
    import numpy as np
    import PIL.Image

    wide = _SIDE_PX // 3
    high = max(1, round(frames[0].shape[0] * wide / frames[0].shape[1]))
    small = [np.asarray(PIL.Image.fromarray(frame).resize((wide, high))) for frame in frames]
    return np.concatenate([np.concatenate(small[at : at + 3], axis=1) for at in range(0, len(small), 3)])


def _draw_waves(samples: Any) -> Any:
    """Draw the lowest and highest sample of each column, black on white; `samples` has the shape (n, channels)."""
    import numpy as np

    high, mono = 200, samples.mean(axis=1)
    picture = np.full((high, _SIDE_PX, 3), 255, np.uint8)
    for column, part in enumerate(np.array_split(mono, _SIDE_PX)):
        if len(part):
            top, bottom = (
                round((1 - float(np.clip(edge, -1, 1))) / 2 * (high - 1)) for edge in (part.max(), part.min())
            )
            picture[top : bottom + 1, column] = 0
    return picture
