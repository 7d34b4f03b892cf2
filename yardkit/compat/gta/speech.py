"""Speech in the dialect of GTA: the text of a whole recording, whatever its length and channels."""

from yardkit.servers.speech import engine
from yardkit.world import InFile

_EVERYTHING = 1_000_000


def SpeechToText(audio: InFile) -> str:
    heard = engine.transcribe_sound(audio, limit=_EVERYTHING)
    rest = (
        "" if heard.next_start_s is None else f"\n[not all: {heard.next_start_s:g} s of {heard.whole_s:g} s are heard]"
    )
    return " ".join(segment.text for segment in heard.segments) + rest
