"""Text that is spoken into a WAV file."""

from dataclasses import dataclass
from pathlib import Path

from yardkit.kit.sounds import wav_bytes
from yardkit.models.languages import language_code, language_name
from yardkit.servers.speech.backends import BackendChoice, Utterance, chosen_voice
from yardkit.servers.speech.engine.languages import likely_language
from yardkit.world import FileRef, Problem, save_bytes

MAX_CHARACTERS = 10_000
_SURE, _ENOUGH = 0.95, 30
"""From which chance and how many characters on a text is said to be in another language."""


@dataclass(frozen=True)
class SpokenText:
    """A text that was spoken.

    Attributes:
        file: the WAV.
        seconds: how long it is.
        sample_rate_hz: of the file.
        language: code of the language that was spoken.
        note: what to know of it.
        model: with the tier and the quality.
    """

    file: FileRef
    seconds: float
    sample_rate_hz: int
    language: str
    note: str
    model: str

    def __str__(self) -> str:
        head = f"{self.seconds:.1f} s in {language_name(self.language)} at {self.sample_rate_hz} Hz, by {self.model}"
        return "\n".join(filter(None, [head, self.note, f"written to {self.file.path}"]))


def speak_text(
    text: str,
    target: Path,
    *,
    language: str = "en",
    voice: str | None = None,
    rate: float = 1.0,
    seed: int = 0,
    backend: BackendChoice = "auto",
) -> SpokenText:
    """Speak a text into a WAV file of one channel and 16 bits.

    Args:
        text: what is said.
        target: of the sound, ``.wav``.
        language: of the text, as a code or an English name.
        voice: whose; None for the best that is there.
        rate: how fast, 1 for as usual.
        seed: of what is drawn by chance; the same seed gives the same sound.
        backend: which kind of model.

    Raises:
        Problem: the text is empty or too long, the name ends otherwise, the language or voice is not known.
        ModelUnavailable: nothing that speaks is set up.
    """
    if target.suffix.lower() != ".wav":
        raise Problem(f"{target.name!r} is not a WAV file name; end it with .wav")
    if not any(letter.isalnum() for letter in text):
        raise Problem("there is nothing to speak: the text has no letters and no digits")
    if len(text) > MAX_CHARACTERS:
        raise Problem(f"the text has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}. Split it")
    spoken = language_code(language)
    speaker = chosen_voice(backend, spoken, voice)
    samples, rate_hz = speaker.speak(Utterance(text, spoken, voice, rate, seed))
    if not len(samples):
        raise Problem(f"nothing in the text can be spoken in {language_name(spoken)}; check its language")
    save_bytes(target, wav_bytes(samples, rate_hz))
    seconds = round(len(samples) / rate_hz, 2)
    return SpokenText(
        FileRef.from_path(target), seconds, rate_hz, spoken, _note_language(text, spoken), str(speaker.origin)
    )


def _note_language(text: str, language: str) -> str:
    if len(text) < _ENOUGH:
        return ""
    likely, score = likely_language(text)
    if score < _SURE or likely == language:
        return ""
    return f"The text looks like {language_name(likely)}; language={likely!r} would read it so."
