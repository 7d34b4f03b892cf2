"""Speech in the dialect of GTA: the text of a whole recording, whatever its length and channels."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Offset, TextPage, cut_page
from yardkit.kit.surface import make_server, tool
from yardkit.servers.speech import engine
from yardkit.world import InFile

mcp = make_server("speech", "Writes down what is said in recordings.")

_EVERYTHING = 1_000_000


@tool(mcp, name="SpeechToText")
def speech_to_text(audio: Annotated[InFile, Field(description="Audio file.")], offset: Offset = 0) -> TextPage:
    """Convert the speech of an audio file into text."""
    heard = engine.transcribe_sound(audio, limit=_EVERYTHING)
    rest = (
        "" if heard.next_start_s is None else f"\n[not all: {heard.next_start_s:g} s of {heard.whole_s:g} s are heard]"
    )
    return cut_page(" ".join(segment.text for segment in heard.segments) + rest, offset)
