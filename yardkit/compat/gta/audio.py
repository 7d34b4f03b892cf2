"""Sounds cut, cleaned, shifted and measured, in the dialect of GTA."""

from typing import Any

from yardkit.kit.dialect import Delivered, OutputDir, choose_deliverable
from yardkit.servers.audio.engine import changes, noise
from yardkit.servers.audio.engine.description import describe_sound, gta_facts
from yardkit.world import InFile


def AudioClipTool(
    audio: InFile,
    start_time: float = 0.0,
    end_time: float = 10.0,
    filename: str | None = None,
    output_dir: OutputDir = None,
) -> Delivered:
    target = choose_deliverable(filename or f"{audio.stem}_clip", ".wav", output_dir)
    return Delivered(changes.clip_sound(audio, target, start_time, end_time).sound)


def NoiseReduction(audio: InFile, output_dir: OutputDir = None) -> Delivered:
    target = choose_deliverable(f"{audio.stem}_denoised", ".wav", output_dir)
    return Delivered(noise.reduce_noise(audio, target, None, None, 0.9, steady=False).sound)


def PitchShifting(audio: InFile, output_dir: OutputDir = None, n_steps: float = 0.0) -> Delivered:
    target = choose_deliverable(f"{audio.stem}_pitchshift_{n_steps:+.1f}", ".wav", output_dir)
    return Delivered(changes.shift_pitch(audio, target, n_steps).sound)


def SoundCharacteristicExtraction(audio: InFile) -> dict[str, Any]:
    return gta_facts(describe_sound(audio))
