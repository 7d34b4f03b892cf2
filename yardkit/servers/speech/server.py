"""The tools of the `speech` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.speech import engine
from yardkit.servers.speech.backends import BackendChoice
from yardkit.world import InFile, OutFile

mcp = make_server(
    "speech",
    "Transcribes and synthesizes speech. Input is WAV, MP3, FLAC, OGG, OPUS, M4A, AAC, AIFF or "
    "the audio of a video; times are in seconds from the start of the file.",
)

Recording = Annotated[InFile, Field(description="Audio or video file, relative to the workspace.")]
Tier = Annotated[BackendChoice, Field(description="Kind of model; auto uses the best one configured.")]
Spoken = Annotated[str | None, Field(description="Spoken language, such as 'en' or 'German'; by default detected.")]
Translate = Annotated[bool, Field(description="Translate into English.")]
Start = Annotated[float, Field(description="Start, in seconds.", ge=0)]
End = Annotated[float | None, Field(description="End, in seconds; by default the end of the file.", gt=0)]
Limit = Annotated[int, Field(description="Maximum number of segments to list.", ge=1, le=500)]


@tool(mcp)
def transcribe_speech(
    path: Recording,
    language: Spoken = None,
    translate: Translate = False,
    words: Annotated[bool, Field(description="Include the time of each word.")] = False,
    start_s: Start = 0.0,
    end_s: End = None,
    limit: Limit = 200,
    backend: Tier = "auto",
) -> engine.Transcript:
    """Transcribe the speech in an audio or video file: text, segments with times, language."""
    return engine.transcribe_sound(
        path,
        language=language,
        translate=translate,
        words=words,
        start_s=start_s,
        end_s=end_s,
        limit=limit,
        backend=backend,
    )


@tool(mcp, writes=True, destructive=True, idempotent=False)
def save_transcript(
    path: Recording,
    target: Annotated[OutFile, Field(description="File to write: .txt, .srt or .vtt.")],
    append: Annotated[bool, Field(description="Add to the target, to go on with a long sound.")] = False,
    language: Spoken = None,
    translate: Translate = False,
    start_s: Start = 0.0,
    end_s: End = None,
    limit: Limit = 200,
    backend: Tier = "auto",
) -> engine.Transcript:
    """Save the transcript of an audio or video file as text or subtitles; transcribes as transcribe_speech does."""
    return engine.transcribe_sound(
        path,
        language=language,
        translate=translate,
        start_s=start_s,
        end_s=end_s,
        limit=limit,
        target=target,
        append=append,
        backend=backend,
    )


@tool(mcp, writes=True, destructive=True)
def speak_text(
    text: Annotated[str, Field(description="Text to speak.", min_length=1, max_length=engine.MAX_CHARACTERS)],
    target: Annotated[OutFile, Field(description="WAV file to write.")],
    language: Annotated[str, Field(description="Language of the text, such as 'en', 'de' or 'French'.")] = "en",
    voice: Annotated[
        str | None,
        Field(description="'heart' (English, natural), 'espeak' (any language, robotic), or one of the service's."),
    ] = None,
    rate: Annotated[float, Field(description="Speed: 1 is normal, 2 is twice as fast.", ge=0.5, le=2)] = 1.0,
    seed: Annotated[int, Field(description="Random seed; the same seed gives the same audio.", ge=0)] = 0,
    backend: Tier = "auto",
) -> engine.SpokenText:
    """Speak a text into a WAV file; English numbers, dates, money and units are spoken as words."""
    return engine.speak_text(text, target, language=language, voice=voice, rate=rate, seed=seed, backend=backend)


@tool(mcp)
def detect_language(
    text: Annotated[str | None, Field(description="Text; or give path.", max_length=50_000)] = None,
    path: Annotated[InFile | None, Field(description="A text, audio or video file.")] = None,
) -> engine.Languages:
    """Detect the language of a text or of speech: the likeliest languages with probabilities."""
    return engine.detect_language(text, path)


@tool(mcp, writes=True, destructive=True)
def remove_noise(
    path: Recording,
    target: Annotated[OutFile, Field(description="WAV file to write.")],
    strength_db: Annotated[
        float, Field(description="Maximum noise reduction in decibels; 12 leaves some noise.", ge=1, le=100)
    ] = 100.0,
    start_s: Annotated[float, Field(description="Start, in seconds.", ge=0)] = 0.0,
    end_s: Annotated[
        float | None, Field(description="End, in seconds; by default the end, or after 600 s.", gt=0)
    ] = None,
) -> engine.CleanSound:
    """Remove noise from recorded speech: hiss, hum, fans, traffic. Music is removed, too."""
    return engine.clean_sound_file(path, target, strength_db=strength_db, start_s=start_s, end_s=end_s)


@tool(mcp)
def compare_speakers(
    path: Recording, other: Annotated[InFile, Field(description="Audio file to compare with.")]
) -> engine.SpeakerLikeness:
    """Compare the speakers of two recordings: same, different, or unsure, with the similarity of the voices."""
    return engine.compare_speakers(path, other)


@tool(mcp)
def find_speakers(
    path: Recording,
    speakers: Annotated[int | None, Field(description="Number of speakers; by default detected.", ge=1, le=20)] = None,
    start_s: Annotated[float, Field(description="Start, in seconds.", ge=0)] = 0.0,
    end_s: Annotated[
        float | None, Field(description="End, in seconds; by default the end, or after 600 s.", gt=0)
    ] = None,
) -> engine.Turns:
    """Find who speaks when in a recording: turns with times, speakers by number."""
    return engine.find_turns(path, speakers=speakers, start_s=start_s, end_s=end_s)
