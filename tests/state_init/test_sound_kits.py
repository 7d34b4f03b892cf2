import random
from pathlib import Path

import numpy as np
import pytest

from yardkit.evaluators.readers.media.sounds import decode_sound, find_in, loudness_lufs, rms_dbfs
from yardkit.state_init import sounds

RATE = 24_000
SENTENCE = Path(sounds.__file__).parent / "sight" / "voices" / "opening.wav"


@pytest.mark.parametrize("suffix", [".wav", ".flac", ".mp3"])
def test_the_same_seed_gives_the_same_bytes_and_a_sentence_is_found_over_music(tmp_path: Path, suffix: str) -> None:
    speech = sounds.normalize_level(sounds.load_speech(SENTENCE, RATE), -20)
    for name in "ab":
        rng = random.Random(5)
        bed = sounds.fade_sound(sounds.music_bed(rng, 6, RATE), RATE, in_s=1, out_s=1)
        hiss = sounds.apply_gain(sounds.pink_noise(rng, 6, RATE), -60)
        parts = [
            (0.0, sounds.apply_gain(bed, -12)),
            (1.5, speech),
            (0.0, hiss),
            (0.0, sounds.make_gong(660, 2, RATE) * 0.2),
        ]
        sounds.save_sound(sounds.mix_sounds(parts, RATE), tmp_path / f"{name}{suffix}", RATE, {"title": "Day"})
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()
    sound = decode_sound(tmp_path / f"a{suffix}")
    assert (sound.channels, sound.tags["title"]) == (2, "Day")
    sounds.save_sound(speech, tmp_path / "speech.wav", RATE)
    place = find_in(sound, decode_sound(tmp_path / "speech.wav"))
    assert place.offset_s == pytest.approx(1.5, abs=0.002)
    assert place.similarity > 0.7


def test_noises_have_the_level_that_is_asked_for() -> None:
    rng = random.Random(1)
    noises = [sounds.white_noise(rng, 2, RATE), sounds.pink_noise(rng, 2, RATE), sounds.make_hum(2, RATE)]
    assert [rms_dbfs(sounds.apply_gain(noise, -40)) for noise in noises] == pytest.approx([-40] * 3, abs=0.1)


def test_a_telephone_and_a_room_change_how_a_voice_sounds_and_not_how_long_it_is(tmp_path: Path) -> None:
    speech = sounds.load_speech(SENTENCE, RATE)
    phone, room = sounds.over_phone(speech, RATE), sounds.in_room(random.Random(2), speech, RATE)
    assert len(phone) == len(room) == len(speech)
    power = abs(np.fft.rfft(phone)) ** 2
    hertz = np.fft.rfftfreq(len(phone), 1 / RATE)
    assert power[(hertz > 200) & (hertz < 4000)].sum() > 0.95 * power.sum()
    assert rms_dbfs(room - speech) < rms_dbfs(speech) - 10
    sounds.save_sound(speech, tmp_path / "a.wav", RATE)
    assert loudness_lufs(decode_sound(tmp_path / "a.wav")) > -40
