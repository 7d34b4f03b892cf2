"""The tools of the `text_to_music` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.models.long_work import BegunWork, WorkState
from yardkit.servers.text_to_music import engine
from yardkit.world import OutFile

mcp = make_server(
    "text_to_music",
    "Generates music from text, with a configured model (a service, or weights in the worker). "
    "It takes minutes: start_music starts a job, check_music reports progress, save_music saves "
    "the finished music, cancel_music stops the job.",
)

Job = Annotated[str, Field(description="Job id from start_music.", min_length=1, max_length=220)]


@tool(mcp, idempotent=False, writes=True)
def start_music(
    prompt: Annotated[
        str,
        Field(description="Description of the music: style, instruments, mood, tempo.", min_length=1, max_length=4000),
    ],
    lyrics: Annotated[str, Field(description="Lyrics; empty for none.", max_length=10_000)] = "",
    duration_s: Annotated[float, Field(description="Duration in seconds; a model may round it.", ge=1, le=600)] = 30,
    seed: Annotated[int, Field(description="Random seed; another number gives another piece.", ge=0, le=2**31 - 1)] = 0,
    backend: Annotated[
        Literal["auto", "endpoint", "local"], Field(description="Kind of model; auto uses the best one configured.")
    ] = "auto",
) -> BegunWork:
    """Start generating music from text in the background; returns a job for check_music."""
    return engine.start_music(prompt, lyrics=lyrics, duration_s=duration_s, seed=seed, backend=backend)


@tool(mcp)
def check_music(job: Job) -> WorkState:
    """Report the progress of a music job."""
    return engine.MUSIC.check(job)


@tool(mcp, writes=True, destructive=True)
def save_music(
    job: Job, target: Annotated[OutFile, Field(description="Audio file to write: .wav, .flac, .mp3 or .ogg.")]
) -> WorkState:
    """Save the music of a job if it is finished, else report its progress."""
    return engine.MUSIC.save(job, target)


@tool(mcp, writes=True, destructive=True)
def cancel_music(job: Job) -> WorkState:
    """Cancel a music job."""
    return engine.MUSIC.cancel(job)
