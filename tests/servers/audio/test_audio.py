"""Sounds cut, put together, levelled, changed and measured: what is in the samples afterwards."""

import wave
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from support.answers import Call, make_caller, read_text
from support.scale import count_tries, select_drills
from support.sounds import LEISURE, YOUNG_MAN

from yardkit.kit.sound_streams import Form, read_blocks, write_blocks
from yardkit.kit.sounds import read_sound
from yardkit.models.quality.figures import sound_ratio_db
from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.audio.engine.levels import measure_levels

RATE = 16_000


def make_sine(hertz: float, seconds: float, amplitude: float = 0.25, rate: int = RATE) -> Any:
    return amplitude * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)


def save_sound(path: Path, *channels: Any, rate: int = RATE) -> None:
    samples = (np.clip(np.stack(channels, axis=1), -1, 1) * 32767).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(len(channels))
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())


def read_samples(path: Path, rate: int = RATE) -> Any:
    return read_sound(path, rate).samples


def compute_rms(part: Any) -> float:
    return float(np.sqrt(np.square(part, dtype=np.float64).mean()))


def loudest_hertz(part: Any, rate: int = RATE) -> float:
    return float(np.fft.rfftfreq(len(part), 1 / rate)[np.argmax(np.abs(np.fft.rfft(part * np.hanning(len(part)))))])


@pytest.fixture
def call(files: Path) -> Call:
    save_sound(files / "tone.wav", make_sine(440, 4))
    pauses = [make_sine(300, 1), np.zeros(RATE), make_sine(500, 1), np.zeros(RATE // 2), make_sine(700, 1)]
    save_sound(files / "words.wav", np.concatenate([np.zeros(RATE // 2), *pauses, np.zeros(RATE // 4)]))
    return make_caller(load_server("audio"))


def read_output(call: Call, files: Path, tool: str, **arguments: Any) -> Any:
    """The samples of what a tool wrote."""
    about = {} if {"paths", "tracks"} & arguments.keys() else {"path": "tone.wav"}
    arguments = {**about, "target": "made.wav", **arguments}
    result = call(tool, **arguments)
    assert not result.is_error, read_text(result)
    return read_samples(files / arguments["target"])


def test_a_part_is_cut_out_to_the_sample(call: Call, files: Path) -> None:
    ramp = np.arange(RATE * 2) / (RATE * 4)
    save_sound(files / "ramp.wav", ramp)
    part = read_output(call, files, "clip_audio", path="ramp.wav", start_s=0.5, end_s=1.25)
    assert len(part) == RATE * 3 // 4
    assert part == pytest.approx(ramp[RATE // 2 : RATE * 5 // 4], abs=1e-4)
    assert "is not after start_s" in read_text(call("clip_audio", path="ramp.wav", target="a.wav", start_s=2, end_s=1))
    assert "ends at 2.00 s" in read_text(call("clip_audio", path="ramp.wav", target="a.wav", start_s=9))


@pytest.mark.parametrize("suffix", [".flac", ".mp3", ".ogg", ".opus", ".m4a"])
def test_each_format_is_written_and_read_back(call: Call, files: Path, suffix: str) -> None:
    save_sound(files / "stereo.wav", make_sine(440, 2), make_sine(660, 2))
    written = call("convert_audio", path="stereo.wav", target=f"made{suffix}").structured_content
    assert (written["channels"], written["duration_s"]) == (2, pytest.approx(2, abs=0.01))
    back = read_samples(files / f"made{suffix}")
    assert len(back) == pytest.approx(2 * RATE, abs=0.08 * RATE)
    assert compute_rms(back) == pytest.approx(compute_rms((make_sine(440, 2) + make_sine(660, 2)) / 2), rel=0.08)
    assert "end it with .wav" in read_text(call("convert_audio", path="stereo.wav", target="made.wma"))


def test_sounds_of_different_forms_stand_one_after_the_other(call: Call, files: Path) -> None:
    save_sound(files / "high.wav", make_sine(880, 1, rate=8000), make_sine(880, 1, rate=8000), rate=8000)
    joined = read_output(call, files, "join_audio", paths=["tone.wav", "high.wav"], gap_s=0.5)
    assert len(joined) == pytest.approx(5.5 * RATE, abs=20)
    assert loudest_hertz(joined[RATE : 2 * RATE]) == pytest.approx(440, abs=2)
    assert compute_rms(joined[4 * RATE + 800 : int(4.5 * RATE) - 800]) < 1e-3
    assert loudest_hertz(joined[int(4.7 * RATE) : int(5.3 * RATE)]) == pytest.approx(880, abs=3)
    both = call("join_audio", paths=["tone.wav", "high.wav"], target="a.wav", gap_s=1, crossfade_s=1)
    assert "not both" in read_text(both)


def test_a_crossfade_keeps_the_power_and_begins_where_it_is_said(call: Call, files: Path) -> None:
    rng = np.random.default_rng(7)
    for name in ("one", "two"):
        save_sound(files / f"{name}.wav", 0.2 * rng.standard_normal(3 * RATE).clip(-4, 4))
    result = call("join_audio", paths=["one.wav", "two.wav"], target="made.wav", crossfade_s=1)
    assert "two.wav at 2.00 s" in read_text(result)
    joined = read_samples(files / "made.wav")
    assert len(joined) == 5 * RATE
    levels = [compute_rms(joined[start : start + RATE // 4]) for start in range(RATE, 4 * RATE, RATE // 4)]
    assert max(levels) / min(levels) < 1.15
    short = call("join_audio", paths=["one.wav", "two.wav"], target="a.wav", crossfade_s=2)
    assert "less than two crossfades" in read_text(short)


def test_a_mix_adds_up_steps_back_for_speech_and_never_clips(call: Call, files: Path) -> None:
    save_sound(files / "music.wav", make_sine(100, 1, 0.3))
    tracks = [{"path": "words.wav", "start_s": 1}, {"path": "music.wav", "loop": True, "duck_db": 20}]
    mixed = read_output(call, files, "mix_audio", tracks=tracks)
    assert len(mixed) == pytest.approx(6.25 * RATE, abs=2)

    def bass(start_s: float, end_s: float) -> float:
        part = mixed[int(start_s * RATE) : int(end_s * RATE)]
        return float(np.abs(np.fft.rfft(part * np.hanning(len(part))))[round(100 * (end_s - start_s))] / len(part))

    assert bass(0.2, 1.2) / bass(1.9, 2.4) > 6
    assert bass(3.2, 3.5) > bass(1.9, 2.2)
    loud = [{"path": "tone.wav", "gain_db": 12}, {"path": "tone.wav", "gain_db": 12}]
    result = call("mix_audio", tracks=loud, target="loud.wav")
    assert "The sum would have clipped" in read_text(result)
    assert np.abs(read_samples(files / "loud.wav")).max() <= 0.985
    assert "never end" in read_text(call("mix_audio", tracks=[{"path": "tone.wav", "loop": True}] * 2, target="a.wav"))
    outside = call("mix_audio", tracks=[{"path": "../tone.wav"}, {"path": "tone.wav"}], target="a.wav")
    assert outside.is_error


def test_a_sound_begins_and_ends_softly(call: Call, files: Path) -> None:
    faded = read_output(call, files, "fade_audio", fade_in_s=1, fade_out_s=2, curve="linear")
    assert compute_rms(faded[: RATE // 10]) < 0.02
    assert compute_rms(faded[RATE // 2 - 800 : RATE // 2 + 800]) == pytest.approx(0.25 / np.sqrt(2) / 2, rel=0.05)
    assert compute_rms(faded[-RATE // 10 :]) < 0.02
    assert "are longer than the audio" in read_text(call("fade_audio", path="tone.wav", target="a.wav", fade_out_s=9))


@pytest.mark.parametrize(("goal", "ceiling"), [(-16, -1), *select_drills((-23, -1), (-13, -3))])
def test_a_sound_is_brought_to_a_loudness_below_its_peaks(call: Call, files: Path, goal: float, ceiling: float) -> None:
    rng = np.random.default_rng(3)
    bursts = 0.05 * rng.standard_normal(6 * RATE) * (1 + 3 * (np.arange(6 * RATE) % RATE < 800))
    save_sound(files / "bursts.wav", bursts)
    call("normalize_loudness", path="bursts.wav", target="level.wav", loudness_lufs=goal, true_peak_dbtp=ceiling)
    levels = call("get_audio_info", path="level.wav").structured_content["levels"]
    assert levels["loudness_lufs"] == pytest.approx(goal, abs=0.5)
    assert levels["true_peak_dbtp"] <= ceiling + 0.1
    too_loud = read_text(
        call("normalize_loudness", path="bursts.wav", target="a.wav", loudness_lufs=-5, true_peak_dbtp=-9)
    )
    assert "The requested loudness was not reached" in too_loud
    save_sound(files / "silent.wav", np.zeros(RATE))
    assert "its loudness cannot be changed" in read_text(call("normalize_loudness", path="silent.wav", target="a.wav"))


@pytest.mark.parametrize("rate", [8000, 44_100, 48_000])
def test_loudness_is_that_of_the_standard(rate: int) -> None:
    form = Form(rate, 2)
    tone = make_sine(997, 5, 10 ** (-23 / 20), rate).astype(np.float32)
    levels = measure_levels(iter(np.array_split(np.stack([tone, tone]), 17, axis=1)), form)
    # EBU Tech 3341, case 1: a stereo sine of 1 kHz at -23 dBFS is -23.0 LUFS.
    assert levels.loudness_lufs == pytest.approx(-23.0, abs=0.1)
    assert levels.peak_dbfs == pytest.approx(-23.0, abs=0.1)
    between = make_sine(rate / 4, 1, 0.5, rate) * 0 + 0.5 * np.sin(np.pi / 2 * np.arange(rate) + np.pi / 4)
    peaks = measure_levels(iter([between[None].astype(np.float32)]), Form(rate, 1))
    assert (peaks.peak_dbfs, peaks.true_peak_dbtp) == (pytest.approx(-9.0, abs=0.1), pytest.approx(-6.0, abs=0.2))


def test_silence_is_found_taken_away_and_cut_at(call: Call, files: Path) -> None:
    silences = call("find_silence", path="words.wav").structured_content["silences"]
    spans = [(silence["start_s"], silence["end_s"]) for silence in silences]
    ends = [end for span in spans for end in span]
    assert ends == pytest.approx([0, 0.5, 1.5, 2.5, 3.5, 4.0], abs=0.03)
    trimmed = read_output(call, files, "trim_silence", path="words.wav", keep_s=0.1, longest_pause_s=0.25)
    assert len(trimmed) / RATE == pytest.approx(0.1 + 1 + 0.25 + 1 + 0.25 + 1 + 0.1, abs=0.06)
    parts = call("split_audio", path="words.wav", folder="parts", format="flac").structured_content
    assert parts["starts_s"] == pytest.approx([0, 2.0, 3.75], abs=0.03)
    assert [loudest_hertz(read_samples(files / part["path"])) for part in parts["parts"]] == pytest.approx(
        [300, 500, 700], abs=3
    )
    assert "cannot be split" in read_text(call("split_audio", path="tone.wav", folder="parts"))


@settings(max_examples=count_tries(100, 12), deadline=None)
@given(st.lists(st.integers(1, 3000), min_size=1, max_size=6), st.sampled_from([1, 2]))
def test_what_is_written_in_blocks_of_any_size_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, sizes: Sequence[int], channels: int
) -> None:
    rng = np.random.default_rng(sum(sizes))
    blocks = [rng.uniform(-0.9, 0.9, (channels, size)).astype(np.float32) for size in sizes]
    path = tmp_path_factory.mktemp("blocks") / "made.wav"
    form = Form(RATE, channels)
    write_blocks(iter(blocks), form, path, ".wav", 128)
    original, back = np.concatenate(blocks, axis=1), np.concatenate(list(read_blocks(path, form)), axis=1)
    assert back.shape == original.shape
    assert np.abs(back - original).max() < 1e-4


@pytest.mark.parametrize("semitones", [-7, 4, 12])
def test_pitch_and_speed_change_one_without_the_other(call: Call, files: Path, semitones: int) -> None:
    higher = read_output(call, files, "shift_pitch", semitones=semitones)
    assert len(higher) == pytest.approx(4 * RATE, abs=0.06 * RATE)
    assert loudest_hertz(higher) == pytest.approx(440 * 2 ** (semitones / 12), rel=0.005)
    faster = read_output(call, files, "change_speed", factor=2 ** (semitones / 12))
    assert len(faster) == pytest.approx(4 * RATE / 2 ** (semitones / 12), rel=0.02)
    assert loudest_hertz(faster) == pytest.approx(440, rel=0.005)


def swell_noise(noise: Any) -> Any:
    return noise * (1 + 0.8 * np.sin(2 * np.pi * 0.25 * np.arange(len(noise)) / RATE))


HUM = sum(np.sin(2 * np.pi * 50 * number * np.arange(10 * RATE) / RATE) / number for number in range(1, 9))
HISS = np.random.default_rng(11).standard_normal(10 * RATE)


@pytest.mark.parametrize(
    ("noise", "level_db", "least_db"),
    [(HISS, 5, 11), (HUM + 0.05 * HISS, 0, 11), (swell_noise(HISS), 5, 10)],
    ids=["white", "hum", "varying"],
)
def test_noise_is_pushed_down_and_speech_stays(
    call: Call, files: Path, noise: Any, level_db: float, least_db: float
) -> None:
    clean = np.concatenate([read_samples(YOUNG_MAN), read_samples(LEISURE)])[: len(noise)]
    clean = 0.3 * clean / np.abs(clean).max()
    heard = noise[: len(clean)] * compute_rms(clean) / compute_rms(noise) / 10 ** (level_db / 20)
    save_sound(files / "noisy.wav", clean + heard)
    cleaned = read_output(call, files, "reduce_noise", path="noisy.wav")
    assert len(cleaned) == len(clean)
    assert sound_ratio_db(clean, cleaned) > least_db


def test_noise_is_taken_from_where_it_is_said_and_held_notes_stay(call: Call, files: Path) -> None:
    clean = np.concatenate([np.zeros(RATE), *(make_sine(hertz, 2, 0.2) for hertz in (220, 330, 275))])
    save_sound(files / "noisy.wav", clean + 0.02 * HISS[: len(clean)])
    asked = {"path": "noisy.wav", "noise_start_s": 0, "noise_end_s": 1, "steady": True}
    cleaned = read_output(call, files, "reduce_noise", **asked)
    assert sound_ratio_db(clean, cleaned) > sound_ratio_db(clean, clean + 0.02 * HISS[: len(clean)]) + 10
    assert "at about -34 dBFS" in read_text(call("reduce_noise", target="a.wav", **asked))
    assert "give both" in read_text(call("reduce_noise", path="noisy.wav", target="a.wav", noise_start_s=1))
    assert "ends before 9 s" in read_text(
        call("reduce_noise", target="a.wav", **asked | {"noise_start_s": 9, "noise_end_s": 10})
    )


def test_bands_are_made_louder_and_softer(call: Call, files: Path) -> None:
    save_sound(files / "two.wav", make_sine(100, 2) + make_sine(4000, 2))
    shaped = read_output(
        call,
        files,
        "equalize_audio",
        path="two.wav",
        bands=[{"kind": "low_cut", "frequency_hz": 1000}, {"kind": "peak", "frequency_hz": 4000, "gain_db": 6}],
    )
    spectrum = np.abs(np.fft.rfft(shaped)) / len(shaped) * 2
    assert spectrum[8000] == pytest.approx(0.5, rel=0.1)
    assert spectrum[200] < 0.01
    wrong = call("equalize_audio", path="two.wav", target="a.wav", bands=[{"kind": "peak", "frequency_hz": 1}])
    assert "band 1 is out of range" in read_text(wrong)
    softer = read_output(call, files, "change_volume", gain_db=-6)
    assert compute_rms(softer) == pytest.approx(0.25 / np.sqrt(2) / 2, rel=0.01)


def test_tempo_key_and_pitch_are_measured(call: Call, files: Path) -> None:
    time = np.arange(12 * 22_050) / 22_050
    beat = np.exp(-8 * (time % 0.6))
    chord = sum(np.sin(2 * np.pi * hertz * time) for hertz in (220.0, 261.63, 329.63)) / 6 * beat
    save_sound(files / "chords.wav", chord, rate=22_050)
    description = call("describe_sound", path="chords.wav").structured_content
    assert (round(description["tempo_bpm"]), description["key"]) == (100, "A minor")
    tone = call("describe_sound", path="tone.wav").structured_content
    assert tone["pitch_hz"] == pytest.approx(440, rel=0.01)
    assert tone["spectral_centroid_hz"]["mean"] == pytest.approx(440, rel=0.1)
    assert tone["zero_crossing_rate"]["mean"] == pytest.approx(2 * 440 / 22_050, rel=0.05)
    assert (tone["tempo_bpm"], tone["key"]) == (None, None)


def test_a_copy_is_told_from_another_sound(call: Call, files: Path) -> None:
    rng = np.random.default_rng(5)
    sound = 0.2 * rng.standard_normal(3 * RATE)
    save_sound(files / "one.wav", sound)
    save_sound(files / "late.wav", np.concatenate([np.zeros(RATE // 2), sound / 2]))
    save_sound(files / "other.wav", 0.2 * rng.standard_normal(3 * RATE))
    same = call("compare_audio", path="one.wav", other="late.wav").structured_content
    assert (same["offset_s"], same["gain_db"]) == (0.5, pytest.approx(-6.02, abs=0.05))
    assert same["correlation"] > 0.999
    assert call("compare_audio", path="one.wav", other="other.wav").structured_content["correlation"] < 0.1


@pytest.mark.parametrize("kind", ["waveform", "spectrogram"])
def test_a_sound_is_seen_in_a_picture(call: Call, files: Path, kind: str) -> None:
    result = call("draw_sound", path="words.wav", target="a.png", kind=kind, start_s=0.5)
    assert [block.type for block in result.content] == ["text", "image"]
    with Image.open(files / "a.png") as picture:
        shades = np.asarray(picture.convert("L"), float)
    assert shades.shape == (320, 1000)
    loud, silent = shades[20:280, 150:250].std(), shades[20:280, 350:390].std()
    assert loud > 2 * silent
    assert "must end with .png" in read_text(call("draw_sound", path="words.wav", target="a.jpg"))


def test_what_is_no_sound_is_refused_and_nothing_is_written(call: Call, files: Path) -> None:
    (files / "list.mp3").write_text("#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n")
    (files / "empty.wav").write_bytes(b"")
    Image.new("RGB", (4, 4)).save(files / "picture.png")
    for name in ("list.mp3", "empty.wav", "picture.png"):
        refused = read_text(call("change_volume", path=name, target="a.wav", gain_db=1))
        assert "cannot be read as a sound" in refused or "has no sound track" in refused
        assert str(files) not in refused
    assert not (files / "a.wav").exists()


def test_a_file_says_what_it_holds(call: Call, files: Path) -> None:
    save_sound(files / "stereo.wav", make_sine(440, 1, 1.2), make_sine(440, 1, 0.1))
    info = call("get_audio_info", path="stereo.wav").structured_content
    assert (info["format"], info["codec"], info["duration_s"], info["layout"]) == ("wav", "pcm_s16le", 1.0, "stereo")
    assert info["levels"]["clipped_samples"] == 0
    assert info["levels"]["peak_dbfs"] == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize(("rate", "bitrate_kbps"), [(RATE, 320), (44_100, 128), (44_100, 192), (48_000, 320)])
def test_an_mp3_is_as_loud_as_what_it_was_made_of(tmp_path: Path, rate: int, bitrate_kbps: int) -> None:
    form = Form(rate, 1)
    block = make_sine(440, 2, rate=rate).astype(np.float32)[None]
    write_blocks(iter([block]), form, tmp_path / "a.mp3", ".mp3", bitrate_kbps)
    read = np.concatenate(list(read_blocks(tmp_path / "a.mp3", form)), axis=1)
    assert float(np.sqrt(np.mean(read**2))) == pytest.approx(float(np.sqrt(np.mean(block**2))), rel=0.01)


def test_short_and_empty_sounds_are_said_not_crashed_on(call: Call, files: Path) -> None:
    save_sound(files / "short.wav", make_sine(440, 0.6))
    assert call("describe_sound", path="short.wav").structured_content["tempo_bpm"] is None
    (files / "empty.mp4").write_bytes(b"")
    assert "cannot be read as a sound" in read_text(call("get_audio_info", path="empty.mp4"))
    save_sound(files / 'it\'s "good" 🎧.wav', make_sine(440, 0.6))
    assert not call("change_volume", path='it\'s "good" 🎧.wav', target="-i.wav", gain_db=1).is_error
