"""Sounds cut, cleaned, shifted and measured, in the dialect of GTA."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Answer, Delivered, FileName, OutputDir, choose_deliverable
from yardkit.kit.surface import make_server, tool
from yardkit.servers.audio.engine import changes, noise
from yardkit.servers.audio.engine.description import describe_sound, gta_facts
from yardkit.world import InFile

mcp = make_server("audio", "Cuts, cleans and measures sounds.")

Audio = Annotated[InFile, Field(description="Audio file.")]


@tool(mcp, name="AudioClipTool", writes=True, destructive=True)
def clip_audio(
    audio: Audio,
    start_time: Annotated[float, Field(description="Seconds.", ge=0)] = 0.0,
    end_time: Annotated[float, Field(description="Seconds.", gt=0)] = 10.0,
    filename: FileName | None = None,
    output_dir: OutputDir = None,
) -> Delivered:
    """Cut a part out of a sound, and save it as a WAV file."""
    target = choose_deliverable(filename or f"{audio.stem}_clip", ".wav", output_dir)
    return Delivered(changes.clip_sound(audio, target, start_time, end_time).sound)


@tool(mcp, name="NoiseReduction", writes=True, destructive=True)
def reduce_noise(audio: Audio, output_dir: OutputDir = None) -> Delivered:
    """Take noise out of a sound, and save it as a WAV file."""
    target = choose_deliverable(f"{audio.stem}_denoised", ".wav", output_dir)
    return Delivered(noise.reduce_noise(audio, target, None, None, 0.9, steady=False).sound)


@tool(mcp, name="PitchShifting", writes=True, destructive=True)
def shift_pitch(
    audio: Audio,
    output_dir: OutputDir = None,
    n_steps: Annotated[float, Field(description="Semitones; GTA has no such argument, and 0.", ge=-24, le=24)] = 0.0,
) -> Delivered:
    """Make a sound higher or lower, and save it as a WAV file."""
    target = choose_deliverable(f"{audio.stem}_pitchshift_{n_steps:+.1f}", ".wav", output_dir)
    return Delivered(changes.shift_pitch(audio, target, n_steps).sound)


@tool(mcp, name="SoundCharacteristicExtraction", bulk=True)
def extract_characteristics(audio: Audio) -> Answer:
    """Measure MFCC, spectral centroid, spectral roll-off and zero-crossing rate of a sound: mean and variance."""
    return Answer(gta_facts(describe_sound(audio)))
