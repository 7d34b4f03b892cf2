"""Speech that is made, cleaned and told apart; languages."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.answers import Call
from support.model_services import model_service
from support.sounds import LEISURE, YOUNG_MAN, copy_sound, make_silence, make_tone, seconds_of

from yardkit.kit.sounds import read_sound, wav_bytes


def test_what_is_spoken_is_understood(done: Call, files: Path) -> None:
    text = "The train to Boston leaves at 8:45, and a ticket is $19.90."
    spoken = done("speak_text", text=text, target="train.wav")
    assert spoken["model"] == "hibari of hibari-tts 0.2.1 (embedded, limited)"
    assert seconds_of(files / "train.wav") == pytest.approx(spoken["seconds"], abs=0.01)
    heard = done("transcribe_speech", path="train.wav", language="en")["text"]
    assert re.sub("[.,:]", "", heard) == re.sub("[.,:]", "", text)


def test_the_same_seed_gives_the_same_sound_and_the_rate_its_length(done: Call, files: Path) -> None:
    for name, more in (("a", {}), ("b", {}), ("c", {"seed": 1}), ("d", {"rate": 2.0})):
        done("speak_text", text="Good morning.", target=f"{name}.wav", **more)
    same, again, other, fast = ((files / f"{name}.wav").read_bytes() for name in "abcd")
    assert same == again
    assert same != other
    assert len(fast) / len(same) == pytest.approx(0.5, abs=0.12)


def test_other_languages_are_spoken_by_rules(done: Call, refused: Call) -> None:
    text = "Guten Morgen, der Zug nach Hamburg fährt gleich ab."
    spoken = done("speak_text", text=text, target="de.wav", language="German")
    assert (spoken["model"], spoken["language"], spoken["note"]) == ("espeak-ng (embedded, limited)", "de", "")
    misread = done("speak_text", text=text, target="en.wav")
    assert misread["note"] == "The text looks like German (de); language='de' would read it so."
    assert "cannot read 日本" in refused("speak_text", text="I like 日本.", target="a.wav")
    assert "'bob' is not an available voice" in refused("speak_text", text="Hi", target="a.wav", voice="bob")
    assert "end it with .wav" in refused("speak_text", text="Hi", target="a.mp3")
    assert "no letters" in refused("speak_text", text="?!", target="a.wav")
    assert "espeak-ng does not support 'bo'" in refused("speak_text", text="Hi", target="a.wav", language="Tibetan")


def test_a_service_speaks_in_its_own_voices(done: Call, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    def speak(body: bytes, path: str) -> bytes:
        asked.append(body)
        return wav_bytes(make_tone(300, 0.5, 44_100), 44_100)

    with model_service({"POST /audio/speech": speak}, "mouth") as url:
        monkeypatch.setenv("YARDKIT_VOICE_URL", url)
        spoken = done("speak_text", text="Hello", target="a.wav", voice="nova", rate=1.5)
    assert spoken["model"] == "mouth (endpoint, full)"
    assert b'"voice":"nova"' in asked[0]
    assert b'"speed":1.5' in asked[0]
    assert seconds_of(files / "a.wav") == pytest.approx(0.5, abs=0.01)


def test_a_service_that_gives_no_sound_is_told(refused: Call, monkeypatch: pytest.MonkeyPatch, files: Path) -> None:
    with model_service({"POST /audio/speech": lambda body, path: b"<html></html>"}) as url:
        monkeypatch.setenv("YARDKIT_VOICE_URL", url)
        assert "returned no audio" in refused("speak_text", text="Hello", target="a.wav")
    assert not (files / "a.wav").exists()


def sdr_db(clean: "np.ndarray[Any, Any]", heard: "np.ndarray[Any, Any]") -> float:
    """How much louder than all else what is wanted is in a sound (SI-SDR)."""
    part = (heard @ clean) / (clean @ clean) * clean
    return float(10 * np.log10((part @ part) / ((heard - part) @ (heard - part))))


def test_noise_goes_and_speech_stays(done: Call, files: Path) -> None:
    speech = read_sound(LEISURE, 48_000).samples
    noise = np.random.default_rng(1).standard_normal(len(speech)).astype(np.float32)
    noise *= np.sqrt(np.mean(speech**2) / np.mean(noise**2) / 10**0.5)
    (files / "noisy.wav").write_bytes(wav_bytes(speech + noise, 48_000))
    cleaned = done("remove_noise", path="noisy.wav", target="clean.wav")
    heard = read_sound(files / "clean.wav", 48_000).samples
    assert sdr_db(speech, heard) > sdr_db(speech, speech + noise) + 8
    assert cleaned["quiet_after_db"] < cleaned["quiet_before_db"] - 15
    some = done("remove_noise", path="noisy.wav", target="some.wav", strength_db=6)
    assert cleaned["quiet_after_db"] < some["quiet_after_db"] < cleaned["quiet_before_db"]


def test_voices_are_told_apart(done: Call, refused: Call, files: Path) -> None:
    first_sound, two = copy_sound(LEISURE, files), copy_sound(YOUNG_MAN, files)
    done("speak_text", text="And John had then leisure to consider how much there might be.", target="other.wav")
    assert done("compare_speakers", path=first_sound, other=first_sound)["verdict"] == "same"
    same, other = (done("compare_speakers", path=first_sound, other=name) for name in (two, "other.wav"))
    assert other["verdict"] == "different"
    assert same["score"] > other["score"] + 0.15
    assert same["note"].startswith("One of them has only 3.0 s of speech")
    (files / "quiet.wav").write_bytes(make_silence(2))
    assert "no speech was found" in refused("compare_speakers", path=first_sound, other="quiet.wav")


def test_who_speaks_when_is_found(done: Call, files: Path) -> None:
    done("speak_text", text="What a long and quiet afternoon we had in the garden, do you remember?", target="her.wav")
    reader, her = (read_sound(path, 16_000).samples for path in (LEISURE, files / "her.wav"))
    pause = np.zeros(8000, np.float32)
    (files / "both.wav").write_bytes(wav_bytes(np.concatenate([reader, pause, her, pause, reader]), 16_000))
    reply = done("find_speakers", path="both.wav")
    assert [turn["speaker"] for turn in reply["turns"]] == [1, 2, 1]
    assert reply["turns"][1]["start_s"] == pytest.approx(len(reader) / 16_000 + 0.5, abs=0.6)
    assert done("find_speakers", path="both.wav", speakers=1)["speakers"] == 1


@pytest.fixture
def text_file(files: Path) -> str:
    (files / "note.txt").write_text("Der Zug nach Hamburg hat heute wieder Verspätung, wie jeden Morgen.")
    return "note.txt"


def test_the_language_of_texts_is_told(done: Call, refused: Call, text_file: str) -> None:
    french = done("detect_language", text="Il fait beau aujourd'hui et nous allons à la plage.")
    assert (french["languages"][0]["language"], french["note"]) == ("fr", "")
    assert done("detect_language", path=text_file)["languages"][0]["name"] == "German (de)"
    assert "short" in done("detect_language", text="Hallo")["note"]
    assert "has no letters" in refused("detect_language", text="12")
    assert "give exactly one of text and path" in refused("detect_language")


@pytest.mark.drill
def test_the_language_of_a_sound_is_told(done: Call, files: Path) -> None:
    assert done("detect_language", path=copy_sound(LEISURE, files))["languages"][0]["language"] == "en"


def test_a_text_that_is_cut_in_a_letter_is_text(done: Call, files: Path) -> None:
    (files / "cut.txt").write_bytes(("Verspätung am Morgen und am Abend ä" * 3).encode()[:-1])
    assert done("detect_language", path="cut.txt")["languages"][0]["language"] == "de"
