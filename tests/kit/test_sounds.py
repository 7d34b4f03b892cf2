"""Sounds out of files: in one channel at a rate, whole or a part; what is no sound is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.pictures import COFFEE
from support.sounds import YOUNG_MAN, make_silence, make_tone, write_sound

from yardkit.kit import sounds
from yardkit.kit.sounds import read_full_sound, read_sound, wav_bytes
from yardkit.world import Problem

PITCH = 440


def pitch_of(samples: "np.ndarray[Any, Any]", rate_hz: int) -> float:
    return float(np.abs(np.fft.rfft(samples)).argmax() * rate_hz / len(samples))


@pytest.mark.parametrize(
    ("name", "codec"), [("a.mp3", "libmp3lame"), ("a.flac", "flac"), ("a.ogg", "libopus"), ("a.m4a", "aac")]
)
def test_a_sound_comes_at_the_wanted_rate_whatever_the_format(tmp_path: Path, name: str, codec: str) -> None:
    write_sound(tmp_path / name, make_tone(PITCH, 2, 48_000)[None], 48_000, codec)
    sound = read_sound(tmp_path / name, 16_000)
    assert sound.seconds == pytest.approx(2, abs=0.06)
    assert sound.ended
    assert pitch_of(sound.samples, 16_000) == pytest.approx(PITCH, abs=1)
    assert np.sqrt(np.mean(sound.samples**2)) == pytest.approx(0.5 / np.sqrt(2), abs=0.02)


def test_a_part_is_cut_to_the_sample(tmp_path: Path) -> None:
    path = tmp_path / "steps.wav"
    path.write_bytes(wav_bytes(np.repeat(np.array([0.1, 0.2, 0.3, 0.4], np.float32), 8000), 8000))
    part = read_sound(path, 8000, 1.0, 2.0)
    assert len(part.samples) == 16_000
    assert part.samples[[0, 7999, 8000, 15_999]] == pytest.approx([0.2, 0.2, 0.3, 0.3], abs=1e-3)
    assert (part.start_s, part.end_s, part.ended, part.total_s) == (1.0, 3.0, False, 4.0)


def test_a_sound_that_is_longer_than_a_part_is_put_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "steps.wav"
    path.write_bytes(wav_bytes(np.repeat(np.array([0.1, 0.2, 0.3], np.float32), 8000), 8000))
    monkeypatch.setattr(sounds, "MAX_SECONDS", 1.25)
    joined_sound = read_full_sound(path, 8000)
    assert len(joined_sound) == 24_000
    assert joined_sound[[0, 8000, 16_000]] == pytest.approx([0.1, 0.2, 0.3], abs=1e-3)


def test_channels_are_averaged_and_none_is_lost_where_they_cancel(tmp_path: Path) -> None:
    left = make_tone(PITCH, 1, 48_000)
    write_sound(tmp_path / "two.flac", np.stack([left, np.zeros_like(left)]), 48_000, "flac")
    write_sound(tmp_path / "turned.flac", np.stack([left, -left]), 48_000, "flac")
    averaged, turned = (read_sound(tmp_path / name, 48_000).samples for name in ("two.flac", "turned.flac"))
    assert np.abs(averaged).max() == pytest.approx(0.25, abs=0.01)
    assert np.abs(turned).max() == pytest.approx(0.5, abs=0.01)


def test_what_is_louder_than_can_be_written_is_cut_not_turned_around() -> None:
    data = np.frombuffer(wav_bytes(np.array([2.0, -2.0], np.float32), 8000)[-4:], "<i2")
    assert data.tolist() == [32767, -32767]


def test_a_playlist_that_is_named_as_a_sound_opens_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "secret.wav").write_bytes(make_silence(1))
    secret = (tmp_path / "secret.wav").as_uri()
    lists = {
        "list.mp3": f"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{secret}\n#EXT-X-ENDLIST\n",
        "list.wav": "ffconcat version 1.0\nfile secret.wav\n",
    }
    for name, text in lists.items():
        (tmp_path / name).write_text(text)
        with pytest.raises(Problem, match="cannot be read as a sound"):
            read_sound(tmp_path / name, 16_000)


def test_what_is_no_sound_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty.wav").touch()
    (tmp_path / "picture.wav").write_bytes(COFFEE.read_bytes())
    for name in ("empty.wav", "picture.wav"):
        with pytest.raises(Problem, match="cannot be read as a sound"):
            read_sound(tmp_path / name, 16_000)
    with pytest.raises(Problem, match=r"ends at 2\.99 s; begin before that, not at 9 s"):
        read_sound(YOUNG_MAN, 16_000, 9.0)


@pytest.mark.parametrize("rate", [1, 2**31 - 1])
def test_a_rate_that_no_sound_has_is_refused(tmp_path: Path, rate: int) -> None:
    sound_bytes = bytearray(make_silence(1))
    sound_bytes[24:28] = rate.to_bytes(4, "little")
    (tmp_path / "lies.wav").write_bytes(sound_bytes)
    with pytest.raises(Problem, match=f"1 channels at {rate} Hz"):
        read_sound(tmp_path / "lies.wav", 16_000)


def test_a_file_that_is_cut_off_gives_what_is_there(tmp_path: Path) -> None:
    sound_bytes = wav_bytes(make_tone(PITCH, 2, 16_000), 16_000)
    (tmp_path / "half.wav").write_bytes(sound_bytes[: len(sound_bytes) // 2])
    assert read_sound(tmp_path / "half.wav", 16_000).seconds == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize(("suffix", "codec"), [(".wav", "pcm_s16le"), (".mp3", "libmp3lame"), (".flac", "flac")])
def test_a_sound_that_is_cut_off_says_how_long_it_was(tmp_path: Path, suffix: str, codec: str) -> None:
    path = tmp_path / f"a{suffix}"
    write_sound(path, make_tone(PITCH, 4, 48_000)[None], 48_000, codec)
    data = path.read_bytes()
    assert not read_sound(path, 16_000).about
    path.write_bytes(data[: len(data) // 2])
    assert "The sound is cut off: of the 4.0" in read_sound(path, 16_000).about


def test_a_sound_of_fewer_bits_than_its_header_counts_is_whole(tmp_path: Path) -> None:
    write_sound(tmp_path / "a.wav", make_tone(PITCH, 2, 48_000)[None], 48_000, "adpcm_ima_wav")
    assert not read_sound(tmp_path / "a.wav", 16_000).about
