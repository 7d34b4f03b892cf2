"""The tools of the `speech` server."""

from typing import Annotated

from pydantic import Field

from toolyard.kit.surface import make_server, tool
from toolyard.servers.speech import engine
from toolyard.servers.speech.backends import BackendChoice
from toolyard.world import InFile, OutFile

mcp = make_server(
    "speech",
    "Writes speech down and speaks. Sounds are WAV, MP3, FLAC, OGG, OPUS, M4A, AAC, AIFF or the sound track of a "
    "video; times are in seconds from the beginning of the file.",
)

Recording = Annotated[InFile, Field(description="Sound or video, relative to the workspace.")]
Tier = Annotated[BackendChoice, Field(description="Kind of model; auto takes the best that is set up.")]


@tool(mcp, writes=True, destructive=True)
def transcribe_speech(
    path: Recording,
    language: Annotated[
        str | None, Field(description="Language that is spoken, such as 'en' or 'German'; by default it is found out.")
    ] = None,
    translate: Annotated[bool, Field(description="Give what is said in English.")] = False,
    words: Annotated[bool, Field(description="Also the time of each word.")] = False,
    start_s: Annotated[float, Field(description="Begin here, in seconds.", ge=0)] = 0.0,
    end_s: Annotated[float | None, Field(description="End here; by default at the end of the file.", gt=0)] = None,
    limit: Annotated[int, Field(description="List at most this many segments.", ge=1, le=500)] = 200,
    target: Annotated[
        OutFile | None, Field(description="Also write all of it as .txt, .srt or .vtt, as the name ends.")
    ] = None,
    append: Annotated[bool, Field(description="Add to the target, to go on with a long sound.")] = False,
    backend: Tier = "auto",
) -> engine.Transcript:
    """Write down what is said in a sound or video: text, segments with times, the language."""
    return engine.transcribe(
        path,
        language=language,
        translate=translate,
        words=words,
        start_s=start_s,
        end_s=end_s,
        limit=limit,
        target=target,
        append=append,
        backend=backend,
    )
