"""The work of the speech server, without MCP."""

from yardkit.servers.speech.engine.clean_sound import CleanSound, clean
from yardkit.servers.speech.engine.languages import Languages, detect_language
from yardkit.servers.speech.engine.speakers import SpeakerLikeness, Turns, compare, find_turns
from yardkit.servers.speech.engine.spoken_text import MAX_CHARACTERS, SpokenText, speak
from yardkit.servers.speech.engine.transcripts import Transcript, transcribe

__all__ = [
    "MAX_CHARACTERS",
    "CleanSound",
    "Languages",
    "SpeakerLikeness",
    "SpokenText",
    "Transcript",
    "Turns",
    "clean",
    "compare",
    "detect_language",
    "find_turns",
    "speak",
    "transcribe",
]
