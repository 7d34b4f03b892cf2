"""The tools of the `speech` server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.speech import engine
from yardkit.servers.speech.backends import BackendChoice
from yardkit.world import InFile, OutFile

mcp = make_server(
    "speech",
    "Writes speech down and speaks. Sounds are WAV, MP3, FLAC, OGG, OPUS, M4A, AAC, AIFF or the sound track of a "
    "video; times are in seconds from the beginning of the file.",
)

Recording = Annotated[InFile, Field(description="Sound or video, relative to the workspace.")]
Tier = Annotated[BackendChoice, Field(description="Kind of model; auto takes the best that is set up.")]


Spoken = Annotated[
    str | None, Field(description="Language that is spoken, such as 'en' or 'German'; by default it is found out.")
]
Translate = Annotated[bool, Field(description="Give what is said in English.")]
Start = Annotated[float, Field(description="Begin here, in seconds.", ge=0)]
End = Annotated[float | None, Field(description="End here; by default at the end of the file.", gt=0)]
Limit = Annotated[int, Field(description="List at most this many segments.", ge=1, le=500)]


@tool(mcp)
def transcribe_speech(
    path: Recording,
    language: Spoken = None,
    translate: Translate = False,
    words: Annotated[bool, Field(description="Also the time of each word.")] = False,
    start_s: Start = 0.0,
    end_s: End = None,
    limit: Limit = 200,
    backend: Tier = "auto",
) -> engine.Transcript:
    """Tell what is said in a sound or video: text, segments with times, the language."""
    return engine.transcribe(
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
    target: Annotated[OutFile, Field(description="The file that is written: .txt, .srt or .vtt.")],
    append: Annotated[bool, Field(description="Add to the target, to go on with a long sound.")] = False,
    language: Spoken = None,
    translate: Translate = False,
    start_s: Start = 0.0,
    end_s: End = None,
    limit: Limit = 200,
    backend: Tier = "auto",
) -> engine.Transcript:
    """Transcribe a sound or video as transcribe_speech does, and save all of it as a text or as subtitles."""
    return engine.transcribe(
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
    text: Annotated[str, Field(description="What is said.", min_length=1, max_length=engine.MAX_CHARACTERS)],
    target: Annotated[OutFile, Field(description="The sound that is written, .wav.")],
    language: Annotated[str, Field(description="Language of the text, such as 'en', 'de' or 'French'.")] = "en",
    voice: Annotated[
        str | None,
        Field(description="'heart' (English, natural), 'espeak' (any language, robotic), or one of the service's."),
    ] = None,
    rate: Annotated[float, Field(description="How fast: 1 as usual, 2 twice as fast.", ge=0.5, le=2)] = 1.0,
    seed: Annotated[int, Field(description="Of what is drawn by chance; the same gives the same sound.", ge=0)] = 0,
    backend: Tier = "auto",
) -> engine.SpokenText:
    """Speak a text into a WAV file; numbers, dates, money and units in English are read as words."""
    return engine.speak(text, target, language=language, voice=voice, rate=rate, seed=seed, backend=backend)


@tool(mcp)
def detect_language(
    text: Annotated[str | None, Field(description="A text; or give path.", max_length=50_000)] = None,
    path: Annotated[InFile | None, Field(description="A text file, a sound or a video.")] = None,
) -> engine.Languages:
    """Tell which language a text is in, or is spoken in a sound: the likeliest ones with their chances."""
    return engine.detect_language(text, path)


@tool(mcp, writes=True, destructive=True)
def remove_noise(
    path: Recording,
    target: Annotated[OutFile, Field(description="The sound that is written, .wav.")],
    strength_db: Annotated[
        float, Field(description="Noise is made less by at most so many decibels; 12 leaves some of it.", ge=1, le=100)
    ] = 100.0,
    start_s: Annotated[float, Field(description="Begin here, in seconds.", ge=0)] = 0.0,
    end_s: Annotated[float | None, Field(description="End here; by default at the end, or after 600 s.", gt=0)] = None,
) -> engine.CleanSound:
    """Take noise out of recorded speech: hiss, hum, fans, traffic. Music goes with it."""
    return engine.clean(path, target, strength_db=strength_db, start_s=start_s, end_s=end_s)


@tool(mcp)
def compare_speakers(
    path: Recording, other: Annotated[InFile, Field(description="Sound to compare it with.")]
) -> engine.SpeakerLikeness:
    """Tell whether one person speaks in two sounds: same, different, or unsure, with the likeness of the voices."""
    return engine.compare(path, other)


@tool(mcp)
def find_speakers(
    path: Recording,
    speakers: Annotated[
        int | None, Field(description="How many speak, if it is known; by default it is found out.", ge=1, le=20)
    ] = None,
    start_s: Annotated[float, Field(description="Begin here, in seconds.", ge=0)] = 0.0,
    end_s: Annotated[float | None, Field(description="End here; by default at the end, or after 600 s.", gt=0)] = None,
) -> engine.Turns:
    """Tell who speaks when in a sound: turns with times, speakers by number."""
    return engine.find_turns(path, speakers=speakers, start_s=start_s, end_s=end_s)
