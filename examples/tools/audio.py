"""Examples of audio: two readings of a novel, a jingle of bells, and the hum of a kitchen."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
from support.sounds import LEISURE, YOUNG_MAN

from tools.example import Example, Gallery
from yardkit.kit.sounds import read_sound, wav_bytes

RATE = 44_100
MAN, LONG, BELLS, KITCHEN = YOUNG_MAN.name, LEISURE.name, "bells.wav", "kitchen.wav"
NOTES_HZ = (392.0, 494.0, 587.0, 784.0, 587.0, 494.0, 392.0, 294.0)
CHAPTERS = [{"start_s": 0, "title": "The young man"}, {"start_s": 3.5, "title": "Leisure"}]


def prepare_files(files: Path) -> None:
    for sound in (YOUNG_MAN, LEISURE):
        shutil.copy(sound, files)
    (files / BELLS).write_bytes(wav_bytes(make_bells(), RATE))
    speech = read_sound(LEISURE, 16_000).samples
    seconds = np.arange(len(speech)) / 16_000
    hum = sum(np.sin(2 * np.pi * 50 * number * seconds) / number for number in range(1, 7))
    hiss = np.random.default_rng(1).standard_normal(len(speech))
    (files / KITCHEN).write_bytes(wav_bytes((speech + 0.04 * hum + 0.012 * hiss).astype(np.float32), 16_000))


def make_bells() -> Any:
    """Eight strokes of a bell, 0.5 s apart, then they ring out."""
    mixed_samples = np.zeros(6 * RATE)
    for number, hertz in enumerate(NOTES_HZ):
        at = np.arange(2 * RATE) / RATE
        ring = np.sum(
            [np.sin(2 * np.pi * hertz * part * at) * np.exp(-(2 + part) * at) / part for part in (1, 2, 2.76, 5.4)],
            axis=0,
        )
        mixed_samples[number * RATE // 2 : number * RATE // 2 + len(ring)] += ring
    return (0.4 * mixed_samples / np.abs(mixed_samples).max()).astype(np.float32)


def make_example(tool: str, target: str, path: str = LONG, **asked: Any) -> Example:
    return Example(tool, {"path": path, "target": target, **asked}, (target,))


GALLERY = Gallery(
    prepare_files,
    (
        Example("get_audio_info", {"path": LONG}),
        make_example("clip_audio", "clip.wav", start_s=1.0, end_s=3.2),
        Example("join_audio", {"paths": [MAN, LONG], "target": "both.flac", "gap_s": 0.5}, ("both.flac",)),
        Example(
            "mix_audio",
            {
                "tracks": [{"path": LONG, "start_s": 2}, {"path": BELLS, "loop": True, "duck_db": 18}],
                "target": "mix.mp3",
            },
            ("mix.mp3",),
        ),
        make_example("fade_audio", "fade.wav", BELLS, fade_in_s=2, fade_out_s=2),
        make_example("change_volume", "softer.wav", BELLS, gain_db=-12),
        make_example("normalize_loudness", "podcast.mp3", "both.flac"),
        make_example(
            "set_audio_tags", "podcast.mp3", "podcast.mp3", title="Episode 1", artist="Jane Austen", chapters=CHAPTERS
        ),
        Example("get_audio_info", {"path": "podcast.mp3"}),
        Example("find_silence", {"path": "both.flac"}),
        make_example("trim_silence", "trimmed.wav", "both.flac", longest_pause_s=0.2),
        Example("split_audio", {"path": "both.flac", "folder": "parts"}, ("parts/both-01.wav", "parts/both-02.wav")),
        make_example("convert_audio", "bells.ogg", BELLS, sample_rate_hz=16_000, channels=2, bitrate_kbps=48),
        make_example("shift_pitch", "higher.wav", BELLS, semitones=7),
        make_example("change_speed", "faster.wav", factor=1.5),
        make_example("reduce_noise", "clean.wav", KITCHEN),
        make_example(
            "equalize_audio",
            "telephone.wav",
            bands=[{"kind": "low_cut", "frequency_hz": 400}, {"kind": "high_cut", "frequency_hz": 3000}],
        ),
        make_example("draw_sound", "waveform.png", "both.flac"),
        make_example("draw_sound", "kitchen.png", KITCHEN, kind="spectrogram"),
        make_example(
            "draw_sound", "bells.png", BELLS, kind="spectrogram", start_s=1, end_s=4, width_px=500, height_px=200
        ),
        Example("describe_sound", {"path": BELLS}),
        Example("describe_sound", {"path": LONG}),
        Example("compare_audio", {"path": LONG, "other": "clean.wav"}),
    ),
)
