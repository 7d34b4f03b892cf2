"""Speech of a file, written down piece by piece, so that long sounds take little memory and a bounded time."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.kit.sounds import MAX_SECONDS, Sound, read_sound
from yardkit.models.embedded.whisper_speech import RATE_HZ, HeardSegment, HeardSpeech
from yardkit.models.languages import language_code, language_name
from yardkit.servers.speech.backends import BackendChoice, Transcriber, chosen_transcriber
from yardkit.servers.speech.engine.subtitles import check_target, write_transcript
from yardkit.world import FileRef, Problem
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BUDGET_S = 200.0
"""After so many seconds of work no further piece is begun: a call is ended by force at 300 s."""
_SEEK_S = 20.0
"""A piece ends where it is quietest in its last seconds, so that no word is cut."""
_QUIET_S = 0.3


@dataclass(frozen=True)
class Transcript:
    """What is said in a sound.

    Attributes:
        text: of all segments that are listed.
        segments: with times in seconds of the file, and words where they were wanted.
        language: code of the language that is spoken; empty where nobody speaks.
        language_score: how likely it is, in [0, 1]; 1 where it was given.
        whole_s: how long the file is, in seconds.
        next_start_s: where to go on; None where all is done.
        note: what to know of the answer.
        model: with the tier and the quality.
        file: the transcript that was written, if it was wanted.
    """

    text: str
    segments: tuple[HeardSegment, ...]
    language: str
    language_score: float
    whole_s: float
    next_start_s: float | None
    note: str
    model: str
    file: FileRef | None = None

    def __str__(self) -> str:
        likely = f", likely by {self.language_score:.2f}" if self.language_score < 0.995 else ""
        spoken = f" in {language_name(self.language)}{likely}" if self.language else ""
        head = f"{format_count(len(self.segments), 'segment')}{spoken}, {self.whole_s:.1f} s of sound, by {self.model}"
        more = [] if self.next_start_s is None else [f"not all: go on with start_s={self.next_start_s:g}"]
        saved = [f"written to {self.file.path}"] if self.file else []
        return "\n".join([head, *map(_format_line, self.segments), *more, *filter(None, [self.note]), *saved])


def _format_line(segment: HeardSegment) -> str:
    words = "".join(f"\n    {word.start_s:.2f} {word.text}" for word in segment.words)
    return f"[{segment.start_s:.2f}-{segment.end_s:.2f}] {segment.text}{words}"


def transcribe_sound(
    path: Path,
    *,
    language: str | None = None,
    translate: bool = False,
    words: bool = False,
    start_s: float = 0.0,
    end_s: float | None = None,
    limit: int = 200,
    target: Path | None = None,
    append: bool = False,
    backend: BackendChoice = "auto",
) -> Transcript:
    """Write down what is said in a sound or video.

    Args:
        path: of the file.
        language: that is spoken, as a code or an English name; None to find it out.
        translate: into English.
        words: with the time of each word.
        start_s: where to begin, in seconds.
        end_s: where to end; None for the end of the file.
        limit: of segments that are listed; with a `target` all are written.
        target: a file .txt, .srt or .vtt for the transcript.
        append: to what stands in `target`, when a long sound is gone on with.
        backend: which kind of model.

    Raises:
        Problem: the file cannot be read, the language is not known, the end is before the start.
        ModelUnavailable: no model is set up.
    """
    if end_s is not None and end_s <= start_s:
        raise Problem(f"end_s {end_s:g} is not after start_s {start_s:g}; give a later end, or omit it")
    if target is not None:
        check_target(target, append=append)
    transcriber = chosen_transcriber(backend)
    spoken = language_code(language) if language else None
    work = _Work(path, transcriber, spoken, translate, words, start_s, end_s)
    enough = None if target else limit
    work.run(enough)
    segments = work.segments if target is None else work.segments[:limit]
    listed = tuple(segments[:limit])
    if target is None and len(work.segments) > limit:
        work.next_start_s = work.segments[limit].start_s
    text = "\n".join(segment.text for segment in listed)
    result = Transcript(
        text,
        listed,
        work.language,
        work.language_score,
        round(work.whole_s, 2),
        work.next_start_s,
        work.note(len(listed)),
        str(transcriber.origin),
    )
    if target is None:
        return result
    write_transcript(target, work.segments, append=append)
    return replace(result, file=FileRef.from_path(target))


@dataclass
class _Work:
    """What was asked for, and what has been heard so far."""

    path: Path
    transcriber: Transcriber
    given: str | None
    translate: bool
    words: bool
    start_s: float
    end_s: float | None
    segments: list[HeardSegment] = field(default_factory=list)
    language: str = ""
    language_score: float = 1.0
    whole_s: float = 0.0
    about: str = ""
    next_start_s: float | None = None

    def run(self, enough: int | None) -> None:
        """Hear the sound to its end, or until there are more segments than enough, or the time is over."""
        deadline = time.monotonic() + BUDGET_S
        for at_s, samples in self._iter_pieces():
            if time.monotonic() > deadline or (enough is not None and len(self.segments) > enough):
                self.next_start_s = round(at_s, 2)
                return
            heard = self.transcriber.transcribe(samples, self.given, translate=self.translate, words=self.words)
            self._add_heard(heard, at_s)

    def _iter_pieces(self) -> "Iterator[tuple[float, NDArray[np.float32]]]":
        at_s = self.start_s
        while True:
            seconds = MAX_SECONDS if self.end_s is None else min(MAX_SECONDS, self.end_s - at_s)
            sound = read_sound(self.path, RATE_HZ, at_s, seconds)
            self.whole_s, self.about = sound.total_s, sound.about
            last = sound.ended or (self.end_s is not None and sound.end_s >= self.end_s - 0.01)
            for first, end in _find_cuts(sound, self.transcriber.chunk_s, is_final=last):
                at_s = sound.start_s + end / RATE_HZ
                yield sound.start_s + first / RATE_HZ, sound.samples[first:end]
            if last:
                return

    def _add_heard(self, heard: HeardSpeech, at_s: float) -> None:
        for segment in heard.segments:
            moved = _shift_segment(segment, at_s)
            if self.segments and self.segments[-1].start_s < moved.start_s < self.segments[-1].end_s:
                self.segments[-1] = replace(self.segments[-1], end_s=moved.start_s)
            self.segments.append(moved)
        if heard.segments and not self.language:
            self.language, self.language_score = heard.language, heard.language_score
            self.given = heard.language or None  # the rest is in the same

    def note(self, listed: int) -> str:
        """What to know of the answer."""
        notes = []
        if not self.segments:
            notes.append("No speech was found; there may be some that is very quiet or under loud music.")
        if self.segments and listed < len(self.segments) and self.next_start_s is None:
            notes.append(f"{listed} of {len(self.segments)} segments are listed; the file has all.")
        return " ".join([*notes, *filter(None, [self.about])])


def _shift_segment(segment: HeardSegment, by_s: float) -> HeardSegment:
    words = tuple(
        replace(word, start_s=round(word.start_s + by_s, 2), end_s=round(word.end_s + by_s, 2))
        for word in segment.words
    )
    start_s, end_s = round(segment.start_s + by_s, 2), round(segment.end_s + by_s, 2)
    return replace(segment, start_s=start_s, end_s=end_s, words=words)


def _find_cuts(sound: Sound, chunk_s: float, *, is_final: bool) -> Iterator[tuple[int, int]]:
    """Where pieces begin and end; without `whole` what follows the last quiet place is left for the next reading."""
    at, size, count = 0, round(chunk_s * RATE_HZ), len(sound.samples)
    while count - at > size:
        end = (
            at
            + size
            - round(_SEEK_S * RATE_HZ)
            + _find_quietest(sound.samples[at + size - round(_SEEK_S * RATE_HZ) : at + size])
        )
        yield at, end
        at = end
    if is_final or at == 0:
        yield at, count


def _find_quietest(samples: "NDArray[np.float32]") -> int:
    """The middle of the quietest fraction of a second."""
    import numpy as np

    width = round(_QUIET_S * RATE_HZ)
    sums = np.cumsum(np.square(samples, dtype=np.float64))
    return int((sums[width:] - sums[:-width]).argmin()) + width // 2
