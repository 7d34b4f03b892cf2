"""The worker as clients see it, in a process of its own: each route answers, refuses in words, and goes on."""

import base64
import io
import struct
import wave
import zlib
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image

from yardkit.models.chat import hear_vision
from yardkit.models.service import Service, find_service
from yardkit.world import Problem, Unavailable


def make_png(width: int = 96, height: int = 64) -> bytes:
    out = io.BytesIO()
    Image.linear_gradient("L").resize((width, height)).convert("RGB").save(out, "PNG")
    return out.getvalue()


def data_url(data: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(data).decode()


def make_wav(seconds: float = 1.0) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(22_050)
        file.writeframes(b"\x01\x02" * int(22_050 * seconds))
    return out.getvalue()


@pytest.fixture
def service(worker: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The client that tool servers use, for a capability."""
    monkeypatch.setenv("YARDKIT_WORKER_URL", f"{worker}/v1")

    def require_service(capability: Any) -> Service:
        service = find_service(capability)
        assert service is not None
        return service

    return require_service


def test_the_client_of_the_servers_finds_the_worker_and_its_model(service: Any) -> None:
    objects_service = service("objects")
    assert (objects_service.tier, objects_service.model) == ("local", "grounding_dino")
    assert str(objects_service.origin) == "grounding_dino (local, full)"


def test_objects_are_found(service: Any) -> None:
    answer = service("objects").ask("/objects", {"image": data_url(make_png()), "queries": ["cat"], "threshold": 0})
    assert answer["objects"]
    assert {"label", "score", "box"} == set(answer["objects"][0])


def test_masks_are_grey_pictures_of_the_same_size(service: Any) -> None:
    answer = service("masks").ask("/masks", {"image": data_url(make_png()), "boxes": [[5, 5, 60, 50]]})
    mask = Image.open(io.BytesIO(base64.b64decode(answer["masks"][0]["png"])))
    assert (mask.mode, mask.size) == ("L", (96, 64))


def test_a_vision_model_is_asked_as_any_service_of_openai(service: Any) -> None:
    assert hear_vision(service("vision"), "what is in the image?", [make_png()], max_tokens=8, seed=3).text


def test_a_formula_is_read(service: Any) -> None:
    hear_vision(service("formulas"), "LaTeX", [make_png()], max_tokens=8, seed=3)


def test_pictures_and_words_are_embedded_in_order(service: Any) -> None:
    items = ["a cat", {"image_url": {"url": data_url(make_png())}}, "a cat"]
    data = service("embeddings").ask("/embeddings", {"input": items})["data"]
    assert [entry["index"] for entry in data] == [0, 1, 2]
    assert data[0]["embedding"] == pytest.approx(data[2]["embedding"], abs=1e-5)


def test_speech_is_transcribed_with_times(service: Any) -> None:
    fields = {"response_format": "verbose_json", "timestamp_granularities[]": "word", "language": "en"}
    answer = service("transcription").send(
        "/audio/transcriptions", fields, [("file", ("a.wav", make_wav(), "audio/wav"))]
    )
    assert answer["language"] == "en"
    assert {"segments", "words", "text"} <= set(answer)


def test_a_text_is_spoken(service: Any) -> None:
    data = service("voice").fetch("/audio/speech", {"input": "hello", "response_format": "wav"})
    with wave.open(io.BytesIO(data)) as file:
        assert file.getframerate() == 16_000
        assert file.getnframes() > 0


def test_a_picture_is_made_and_changed(service: Any) -> None:
    wishes = {"prompt": "a red circle", "size": "32x32", "seed": 1, "num_inference_steps": 2}
    image_base64 = service("images").ask("/images/generations", wishes)["data"][0]["b64_json"]
    assert Image.open(io.BytesIO(base64.b64decode(image_base64))).size == (32, 32)
    fields = {"prompt": "blue", "seed": 1, "num_inference_steps": 2, "strength": 0.9}
    changed = service("image_edits").send(
        "/images/edits", fields, [("image", ("a.png", make_png(64, 64), "image/png"))]
    )
    assert Image.open(io.BytesIO(base64.b64decode(changed["data"][0]["b64_json"]))).size == (64, 64)


def test_a_video_is_submitted_looked_at_and_fetched(service: Any) -> None:
    wishes = {"prompt": "a red circle", "size": "32x32", "seconds": 0.3, "num_inference_steps": 1}
    state = wait_until_ended(service("video"), "/videos", service("video").ask("/videos", wishes))
    assert (state["status"], state["progress"], state["error"]) == ("done", 1, None)
    assert service("video").fetch(f"/videos/{state['id']}/content")[4:8] == b"ftyp"


def test_music_is_made(service: Any) -> None:
    state = wait_until_ended(
        service("music"), "/music", service("music").ask("/music", {"prompt": "calm", "seconds": 0.2})
    )
    assert service("music").fetch(f"/music/{state['id']}/content").startswith(b"RIFF")


def wait_until_ended(service: Service, route: str, state: dict[str, Any]) -> dict[str, Any]:
    while state["status"] in ("queued", "running"):
        state = service.ask(f"{route}/{state['id']}", method="GET")
    return state


def test_a_job_that_is_cancelled_gives_nothing(service: Any) -> None:
    video = service("video")
    wishes = {"prompt": "a red circle", "size": "32x32", "seconds": 4, "num_inference_steps": 200}
    job = video.ask("/videos", wishes)["id"]
    assert video.ask(f"/videos/{job}", method="DELETE")["status"] == "cancelled"
    assert video.ask(f"/videos/{job}", method="GET")["status"] == "cancelled"
    with pytest.raises(Unavailable, match="the job is cancelled"):
        video.fetch(f"/videos/{job}/content")
    assert service("voice").fetch("/audio/speech", {"input": "the device is free again"})


def make_bomb() -> bytes:
    """A PNG of 60000 x 60000 pixels by its header, in a few bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("route", "body", "words"),
    [
        ("/objects", {"image": "http://127.0.0.1/a.png", "queries": ["cat"]}, "sent as a data URL"),
        ("/objects", {"image": "data:image/png;base64,!!!", "queries": ["cat"]}, "is not base64"),
        ("/objects", {"image": data_url(b"<svg/>"), "queries": ["cat"]}, "it is an SVG drawing"),
        ("/objects", {"image": data_url(make_png()[:200]), "queries": ["cat"]}, "cannot be read"),
        ("/objects", {"image": data_url(make_bomb()), "queries": ["cat"]}, "over 50,000,000 pixels"),
        ("/objects", {"image": data_url(make_png()), "queries": []}, "queries: List should have at least 1 item"),
        ("/objects", {"image": data_url(make_png()), "queries": ["..."]}, "queries are empty"),
        ("/objects", {"image": data_url(make_png()), "queries": ["cat"], "threshold": "nan"}, "threshold"),
        ("/objects", {"model": "clip", "image": data_url(make_png()), "queries": ["cat"]}, "is a model for embeddings"),
        ("/masks", {"image": data_url(make_png())}, "say what the masks are of"),
        ("/chat/completions", {"messages": [{"role": "user", "content": "hi"}], "stream": True}, "does not stream"),
        ("/chat/completions", {"messages": []}, "messages"),
        ("/images/generations", {"prompt": "x", "size": "huge"}, "WIDTHxHEIGHT"),
        ("/images/generations", {"prompt": "x", "colour": "red"}, "colour: Extra inputs"),
        ("/audio/speech", {"input": "hi", "voice": "alice"}, "no voice 'alice'"),
        ("/videos", {"prompt": "x", "image": data_url(make_png())}, "image: Extra inputs"),
    ],
)
def test_what_is_wrong_is_said(service: Any, route: str, body: dict[str, Any], words: str) -> None:
    with pytest.raises(Problem, match=words):
        service("objects").ask(route, {"model": "", **body})


@pytest.mark.parametrize("data", [b"no sound", b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", make_wav()[:40]])
def test_what_is_no_sound_is_refused(service: Any, data: bytes) -> None:
    with pytest.raises(Problem, match="sound"):
        service("transcription").send("/audio/transcriptions", {}, [("file", ("a.wav", data, "audio/wav"))])


def test_statuses_are_those_that_clients_know(worker: str) -> None:
    with httpx2.Client(base_url=worker) as client:
        unknown = client.post("/v1/objects", json={"model": "nothing", "image": "", "queries": ["cat"]})
        assert unknown.status_code == 404
        assert "grounding_dino, owlv2" in unknown.json()["error"]["message"]
        assert client.get("/v1/nowhere").status_code == 404
        assert client.get("/v1/objects").status_code == 405
        assert client.post("/v1/objects", content=b"{").status_code == 400
        assert client.get("/v1/videos/nothing").status_code == 404
        large = client.post("/v1/objects", content=iter([b" " * 1_000_000] * 65))
        assert large.status_code == 413
        bad = client.post("/v1/objects", json={"queries": ["x"], "image": "y"}, headers={"X-Priority": "soon"})
        assert "X-Priority is 'soon'" in bad.json()["error"]["message"]


def test_no_page_of_a_browser_reaches_the_worker(worker: str) -> None:
    with httpx2.Client(base_url=worker) as client:
        assert client.get("/v1/models", headers={"Host": "evil.example"}).status_code == 421
        assert client.get("/v1/models", headers={"Origin": "http://evil.example"}).status_code == 403


def test_health_and_figures_say_what_was_done(service: Any, worker: str) -> None:
    service("voice").fetch("/audio/speech", {"input": "hello"})
    with httpx2.Client(base_url=worker) as client:
        health = client.get("/health").json()
        figures = client.get("/metrics").text
    assert health["status"] == "ok"
    assert "vits" in health["loaded"]
    assert 0 < health["device_bytes"] <= health["budget_bytes"]
    assert 'yardkit_worker_models_total{event="load",model="vits"} 1.0' in figures
    assert 'yardkit_worker_calls_total{model="vits",route="/v1/audio/speech",status="200"}' in figures


def test_nothing_is_said_on_standard_output(service: Any, worker_log: Path) -> None:
    service("transcription").send("/audio/transcriptions", {}, [("file", ("a.wav", make_wav(), "audio/wav"))])
    assert worker_log.with_suffix(".out").read_bytes() == b""
