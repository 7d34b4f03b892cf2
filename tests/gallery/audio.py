"""Examples of audio: two readings of a novel, a jingle of bells, and the hum of a kitchen."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
from support.sounds import LEISURE, YOUNG_MAN

from gallery.example import Example, Gallery
from yardkit.kit.sounds import read_sound, wav_bytes

RATE = 44_100
MAN, LONG, BELLS, KITCHEN = YOUNG_MAN.name, LEISURE.name, "bells.wav", "kitchen.wav"
NOTES_HZ = (392.0, 494.0, 587.0, 784.0, 587.0, 494.0, 392.0, 294.0)
CHAPTERS = [{"start_s": 0, "title": "The young man"}, {"start_s": 3.5, "title": "Leisure"}]


def prepare(files: Path) -> None:
    for sound in (YOUNG_MAN, LEISURE):
        shutil.copy(sound, files)
    (files / BELLS).write_bytes(wav_bytes(bells(), RATE))
    speech = read_sound(LEISURE, 16_000).samples
    seconds = np.arange(len(speech)) / 16_000
    hum = sum(np.sin(2 * np.pi * 50 * number * seconds) / number for number in range(1, 7))
    hiss = np.random.default_rng(1).standard_normal(len(speech))
    (files / KITCHEN).write_bytes(wav_bytes((speech + 0.04 * hum + 0.012 * hiss).astype(np.float32), 16_000))


def bells() -> Any:
    """Eight strokes of a bell, 0.5 s apart, then they ring out."""
    whole = np.zeros(6 * RATE)
    for number, hertz in enumerate(NOTES_HZ):
        at = np.arange(2 * RATE) / RATE
        ring = sum(
            np.sin(2 * np.pi * hertz * part * at) * np.exp(-(2 + part) * at) / part for part in (1, 2, 2.76, 5.4)
        )
        whole[number * RATE // 2 : number * RATE // 2 + len(ring)] += ring
    return (0.4 * whole / np.abs(whole).max()).astype(np.float32)


def made(tool: str, target: str, path: str = LONG, **asked: Any) -> Example:
    return Example(tool, {"path": path, "target": target, **asked}, (target,))


GALLERY = Gallery(
    prepare,
    (
        Example("get_audio_info", {"path": LONG}),
        made("clip_audio", "clip.wav", start_s=1.0, end_s=3.2),
        Example("join_audio", {"paths": [MAN, LONG], "target": "both.flac", "gap_s": 0.5}, ("both.flac",)),
        Example(
            "mix_audio",
            {
                "tracks": [{"path": LONG, "start_s": 2}, {"path": BELLS, "loop": True, "duck_db": 18}],
                "target": "mix.mp3",
            },
            ("mix.mp3",),
        ),
        made("fade_audio", "fade.wav", BELLS, fade_in_s=2, fade_out_s=2),
        made("change_volume", "softer.wav", BELLS, gain_db=-12),
        made("normalize_loudness", "podcast.mp3", "both.flac"),
        made(
            "set_audio_tags", "podcast.mp3", "podcast.mp3", title="Episode 1", artist="Jane Austen", chapters=CHAPTERS
        ),
        Example("get_audio_info", {"path": "podcast.mp3"}),
        Example("find_silence", {"path": "both.flac"}),
        made("trim_silence", "trimmed.wav", "both.flac", longest_pause_s=0.2),
        Example("split_audio", {"path": "both.flac", "folder": "parts"}, ("parts/both-01.wav", "parts/both-02.wav")),
        made("convert_audio", "bells.ogg", BELLS, sample_rate_hz=16_000, channels=2, bitrate_kbps=48),
        made("shift_pitch", "higher.wav", BELLS, semitones=7),
        made("change_speed", "faster.wav", factor=1.5),
        made("reduce_noise", "clean.wav", KITCHEN),
        made(
            "equalize_audio",
            "telephone.wav",
            bands=[{"kind": "low_cut", "frequency_hz": 400}, {"kind": "high_cut", "frequency_hz": 3000}],
        ),
        made("draw_sound", "waveform.png", "both.flac"),
        made("draw_sound", "kitchen.png", KITCHEN, kind="spectrogram"),
        made("draw_sound", "bells.png", BELLS, kind="spectrogram", start_s=1, end_s=4, width_px=500, height_px=200),
        Example("describe_sound", {"path": BELLS}),
        Example("describe_sound", {"path": LONG}),
        Example("compare_audio", {"path": LONG, "other": "clean.wav"}),
    ),
)
