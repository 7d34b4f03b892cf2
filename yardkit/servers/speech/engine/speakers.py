"""Whether two sounds are of one speaker, and who speaks when."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from yardkit.kit.sounds import MAX_SECONDS, read_sound
from yardkit.models.embedded.running import origin_of, run_in_process
from yardkit.models.embedded.speaker_turns import SpeakerTurn, SpokenVoice, speaker_turns, spoken_voice
from yardkit.models.embedded.speaker_vectors import MODEL, RATE_HZ
from yardkit.models.embedded.store import require_model
from yardkit.programs.bounded import run_bounded
from yardkit.world import Problem
from yardkit.world.wording import format_count

_SAME, _DIFFERENT = 0.88, 0.70
"""Likeness from which on two voices are one, and below which they are two; between them it is not known."""
_HEARD_S = 60.0
_SHORT_S = 4.0
_SECONDS, _MEMORY_BYTES = 250.0, 3_000_000_000


@dataclass(frozen=True)
class SpeakerLikeness:
    """How alike the voices of two sounds are.

    Attributes:
        verdict: ``same``, ``different``, or ``unsure``.
        score: cosine of the vectors of both, 1 for equal ones.
        note: what to know of it.
        model: with the tier and the quality.
    """

    verdict: Literal["same", "different", "unsure"]
    score: float
    note: str
    model: str

    def __str__(self) -> str:
        words = {"same": "the same speaker", "different": "different speakers", "unsure": "uncertain"}
        head = f"{words[self.verdict]}: similarity {self.score:.2f} (same from {_SAME}, different below {_DIFFERENT})"
        return "\n".join(filter(None, [head, self.note, f"by {self.model}"]))


def compare_speakers(path: Path, other: Path) -> SpeakerLikeness:
    """Compare the voices of two sounds in each of which one person speaks; the first minute of each is heard.

    Raises:
        Problem: a sound cannot be read, or there is no speech in it.
        ModelUnavailable: the model was not added.
    """
    first_voice, two = (_read_voice(sound) for sound in (path, other))
    score = round(float(first_voice.vector @ two.vector), 3)
    verdict: Literal["same", "different", "unsure"] = (
        "same" if score >= _SAME else "different" if score < _DIFFERENT else "unsure"
    )
    return SpeakerLikeness(verdict, score, _describe_doubts((first_voice, two)), str(origin_of(MODEL)))


def _read_voice(path: Path) -> SpokenVoice:
    samples = read_sound(path, RATE_HZ, 0.0, _HEARD_S).samples
    voice = run_in_process(spoken_voice, require_model(MODEL), samples)
    if voice is None:
        raise Problem(f"no speech was found in the first {_HEARD_S:g} s of {path.name!r}; give a part with speech")
    return voice


def _describe_doubts(voices: Sequence[SpokenVoice]) -> str:
    notes = []
    if any(voice.seconds < _SHORT_S for voice in voices):
        shortest = min(voice.seconds for voice in voices)
        notes.append(f"One of them has only {shortest:.1f} s of speech: {_SHORT_S:g} s or more give a better result.")
    if any(voice.narrow for voice in voices):
        notes.append("A sound has nothing above 4 kHz, as of a telephone: different voices sound more alike there.")
    return " ".join(notes)


@dataclass(frozen=True)
class Turns:
    """Who speaks when.

    Attributes:
        turns: in order; speakers are numbered from 1 by their first words.
        speakers: how many there are.
        seconds: of speech of each speaker, by number.
        next_start_s: where to go on; None where all is heard. Numbers begin anew there.
        note: what to know of it.
        model: with the tier and the quality.
    """

    turns: tuple[SpeakerTurn, ...]
    speakers: int
    seconds: dict[str, float]
    next_start_s: float | None
    note: str
    model: str

    def __str__(self) -> str:
        shares = ", ".join(f"{name} speaks {seconds:.1f} s" for name, seconds in self.seconds.items())
        head = f"{format_count(self.speakers, 'speaker')}" + (f": {shares}" if shares else "")
        lines = [f"[{turn.start_s:.2f}-{turn.end_s:.2f}] speaker {turn.speaker}" for turn in self.turns]
        more = [] if self.next_start_s is None else [f"not all: go on with start_s={self.next_start_s:g}"]
        return "\n".join([head, *lines, *more, self.note, f"by {self.model}"])


_NOTE = (
    "Very similar voices count as one, especially over a telephone, and someone who speaks for "
    "less than 3 s counts as another person; give the number of speakers if you know it. Where "
    "two speak at once, one is reported."
)


def find_turns(path: Path, *, speakers: int | None = None, start_s: float = 0.0, end_s: float | None = None) -> Turns:
    """Who speaks when in a sound, at most ten minutes of it.

    Args:
        path: of the sound.
        speakers: how many there are; None to find it out.
        start_s: where to begin.
        end_s: where to end; None for the end of the file.

    Raises:
        Problem: the sound cannot be read, or the end is before the start.
        ModelUnavailable: the model was not added.
    """
    if end_s is not None and end_s <= start_s:
        raise Problem(f"end_s {end_s:g} is not after start_s {start_s:g}; give a later end, or omit it")
    model = require_model(MODEL)
    sound = read_sound(path, RATE_HZ, start_s, MAX_SECONDS if end_s is None else end_s - start_s)
    voiced_turns = run_bounded(
        speaker_turns, model, sound.samples, speakers, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES, stays=True
    )
    turns = tuple(
        SpeakerTurn(round(turn.start_s + start_s, 2), round(turn.end_s + start_s, 2), turn.speaker)
        for turn in voiced_turns
    )
    done = sound.ended or (end_s is not None and sound.end_s >= end_s - 0.01)
    next_start_s = None if done else round(sound.end_s, 3)
    note = _NOTE if turns else "No speech was found."
    numbers = sorted({turn.speaker for turn in turns})
    return Turns(turns, len(numbers), _sum_seconds(turns), next_start_s, note, str(origin_of(MODEL)))


def _sum_seconds(turns: Sequence[SpeakerTurn]) -> dict[str, float]:
    totals: dict[int, float] = {}
    for turn in turns:
        totals[turn.speaker] = totals.get(turn.speaker, 0.0) + turn.end_s - turn.start_s
    return {f"speaker {number}": round(total, 2) for number, total in sorted(totals.items())}
