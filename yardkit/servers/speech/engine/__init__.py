"""The work of the speech server, without MCP."""

from yardkit.servers.speech.engine.clean_sound import CleanSound, clean_sound_file
from yardkit.servers.speech.engine.languages import Languages, detect_language
from yardkit.servers.speech.engine.speakers import SpeakerLikeness, Turns, compare_speakers, find_turns
from yardkit.servers.speech.engine.spoken_text import MAX_CHARACTERS, SpokenText, speak_text
from yardkit.servers.speech.engine.transcripts import Transcript, transcribe_sound

__all__ = [
    "MAX_CHARACTERS",
    "CleanSound",
    "Languages",
    "SpeakerLikeness",
    "SpokenText",
    "Transcript",
    "Turns",
    "clean_sound_file",
    "compare_speakers",
    "detect_language",
    "find_turns",
    "speak_text",
    "transcribe_sound",
]
