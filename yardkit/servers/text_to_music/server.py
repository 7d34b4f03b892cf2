"""The tools of the `text_to_music` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.models.long_work import BegunWork, WorkState
from yardkit.servers.text_to_music import engine
from yardkit.world import OutFile

mcp = make_server(
    "text_to_music",
    "Makes music from words, by a model that is set up (a service, or weights in the worker). It takes minutes: "
    "start_music begins a piece, check_music says how far it is, save_music saves it, cancel_music ends it.",
)

Job = Annotated[str, Field(description="As start_music told it.", min_length=1, max_length=220)]


@tool(mcp, idempotent=False, writes=True)
def start_music(
    prompt: Annotated[
        str, Field(description="How it sounds: style, instruments, mood, tempo.", min_length=1, max_length=4000)
    ],
    lyrics: Annotated[str, Field(description="What is sung; empty for none.", max_length=10_000)] = "",
    duration_s: Annotated[float, Field(description="Seconds; a model may round it.", ge=1, le=600)] = 30,
    seed: Annotated[int, Field(description="Another number makes another piece.", ge=0, le=2**31 - 1)] = 0,
    backend: Annotated[
        Literal["auto", "endpoint", "local"], Field(description="Kind of model; auto takes the best that is set up.")
    ] = "auto",
) -> BegunWork:
    """Begin a piece of music from words; it is made while you go on, and asked after by its job."""
    return engine.start(prompt, lyrics=lyrics, duration_s=duration_s, seed=seed, backend=backend)


@tool(mcp)
def check_music(job: Job) -> WorkState:
    """Say how far a piece of music is."""
    return engine.MUSIC.check(job)


@tool(mcp, writes=True, destructive=True)
def save_music(
    job: Job, target: Annotated[OutFile, Field(description="The sound that is written: .wav, .flac, .mp3 or .ogg.")]
) -> WorkState:
    """Save a piece of music if it is done, else say how far it is."""
    return engine.MUSIC.save(job, target)


@tool(mcp, writes=True, destructive=True)
def cancel_music(job: Job) -> WorkState:
    """End the making of a piece of music."""
    return engine.MUSIC.cancel(job)
