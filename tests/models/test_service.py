"""Models behind HTTP: how one is found, what it is sent, and what is said where it fails."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from support.model_services import Answer, answer_with_words, model_service
from support.pictures import COFFEE

from yardkit.models.chat import hear_vision
from yardkit.models.contract import ModelUnavailable
from yardkit.models.service import Service, find_service, missing_service, service_of_tier, service_options
from yardkit.world import Problem, Unavailable


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("YARDKIT_VISION_URL", "YARDKIT_VISION_MODEL", "YARDKIT_VISION_KEY", "YARDKIT_WORKER_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def describer() -> Iterator[str]:
    def size(prompt: str, pictures: list[Image.Image]) -> str:
        return (
            f"<think>{prompt}?</think>\n{' and '.join(f'{picture.width} x {picture.height}' for picture in pictures)}"
        )

    with model_service({"POST /chat/completions": answer_with_words(size)}, "describer", "vision") as url:
        yield url


def serve_answer(body: bytes, status: int = 200) -> Iterator[Service]:
    def respond(sent: bytes, path: str) -> Answer:
        return status, body

    with model_service({"POST /asked": respond}) as url:
        yield Service("endpoint", "YARDKIT_VISION_URL", url, "test-model", seconds=240)


def test_an_endpoint_is_found_by_its_setting_and_its_only_model_needs_no_name(
    describer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_service("vision") is None
    monkeypatch.setenv("YARDKIT_VISION_URL", describer)
    vision_service = find_service("vision")
    assert vision_service is not None
    assert (str(vision_service.origin), missing_service("vision")) == ("describer (endpoint, full)", "")
    monkeypatch.setenv("YARDKIT_VISION_MODEL", "another")
    assert find_service("vision") == Service("endpoint", "YARDKIT_VISION_URL", describer, "another")


def test_the_worker_serves_what_it_lists_and_an_endpoint_goes_before_it(
    describer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YARDKIT_WORKER_URL", describer)
    assert str(getattr(find_service("vision"), "origin", "")) == "describer (local, full)"
    assert find_service("masks") is None
    assert "the worker of YARDKIT_WORKER_URL has no model for masks" in missing_service("masks")
    monkeypatch.setenv("YARDKIT_VISION_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("YARDKIT_VISION_MODEL", "better")
    assert str(getattr(find_service("vision"), "origin", "")) == "better (endpoint, full)"


def test_each_tier_is_found_where_both_are_set_up(describer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YARDKIT_VISION_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("YARDKIT_VISION_MODEL", "better")
    assert service_of_tier("vision", "local") == (None, "the configured value is not local")
    monkeypatch.setenv("YARDKIT_WORKER_URL", describer)
    models = [getattr(service_of_tier("vision", tier)[0], "model", "") for tier in ("endpoint", "local")]
    assert models == ["better", "describer"]


def test_what_is_missing_names_both_ways_to_get_it() -> None:
    words = str(ModelUnavailable("descriptions", "a vision model", service_options("vision"), "tag_image"))
    assert "YARDKIT_VISION_URL=http://127.0.0.1:8000/v1 YARDKIT_VISION_MODEL=Qwen/Qwen3.5-4B" in words
    assert "`yardkit models add vision --from DIR`" in words
    assert missing_service("vision") == "neither YARDKIT_VISION_URL nor YARDKIT_WORKER_URL is set"


def test_pictures_are_sent_as_displayed_and_bounded_and_thoughts_are_left_out(describer: str, tmp_path: Path) -> None:
    service = Service("endpoint", "YARDKIT_VISION_URL", describer, "describer")
    Image.new("RGB", (5000, 100), "navy").save(tmp_path / "wide.png")
    turned = Image.Exif()
    turned[0x0112] = 6
    with Image.open(COFFEE) as coffee:
        coffee.save(tmp_path / "turned.jpg", exif=turned)
    heard = hear_vision(service, "sizes", [tmp_path / "wide.png", tmp_path / "turned.jpg"])
    assert heard.text == "2048 x 41 and 400 x 600"


@pytest.mark.parametrize(
    ("body", "status", "kind", "words"),
    [
        (b"<html>Bad gateway</html>", 502, Unavailable, "fails with status 502: <html>Bad gateway</html>"),
        (b"<html>Welcome</html>", 200, Unavailable, "answered with invalid JSON: '<html>Welcome</html>'"),
        (b'{"half": ', 200, Unavailable, "answered with invalid JSON"),
        (b"[" * 100_000, 200, Unavailable, "answered with invalid JSON"),
        (b"[]", 200, Unavailable, "without a JSON object"),
        (b'{"error": {"message": "prompt too long"}}', 400, Problem, "test-model refuses this: prompt too long"),
        (b'{"detail": "who are you"}', 401, Unavailable, "refuses the request .status 401.; check its key"),
        (b"", 302, Unavailable, "redirects the request"),
    ],
)
def test_what_a_service_answers_wrongly_is_said(body: bytes, status: int, kind: type[Problem], words: str) -> None:
    for service in serve_answer(body, status):
        with pytest.raises(kind, match=words) as caught:
            service.ask("/asked", {})
        assert type(caught.value) is kind
        assert service.url not in str(caught.value)


def test_a_service_that_takes_too_long_or_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()

    def never(body: bytes, path: str) -> Answer:
        over.wait(240)
        return {}

    with model_service({"POST /asked": never}) as url:
        late = Service("endpoint", "YARDKIT_VISION_URL", url, "m", seconds=0.1)
        with pytest.raises(Unavailable, match=r"did not answer within 0.1 s; YARDKIT_VISION_SECONDS allows more"):
            late.ask("/asked", {})
        over.set()
    with pytest.raises(Unavailable, match=r"cannot be reached .ConnectError.; is it running"):
        late.ask("/asked", {})
    with pytest.raises(Unavailable, match="is not a valid address of a service"):
        Service("endpoint", "YARDKIT_VISION_URL", "localhost:8000", "m").ask("/asked", {})
    monkeypatch.setenv("YARDKIT_VISION_URL", url)
    monkeypatch.setenv("YARDKIT_VISION_SECONDS", "soon")
    assert missing_service("vision") == "YARDKIT_VISION_SECONDS is 'soon'; give a number of seconds, such as 120"


def test_forms_carry_files_and_keys_go_in_the_header_only() -> None:
    def respond(body: bytes, path: str) -> Answer:
        return {"sent": body.decode("latin-1")}

    with model_service({"POST /audio/transcriptions": respond}) as url:
        service = Service("endpoint", "YARDKIT_TRANSCRIPTION_URL", url, "ears", key="secret-key")
        sent = service.send("/audio/transcriptions", {"language": "de"}, [("file", ("a.wav", b"RIFF", "audio/wav"))])
    words = json.dumps(sent)
    assert all(part in words for part in ('name=\\"language\\"', "ears", 'filename=\\"a.wav\\"', "RIFF"))
    assert "secret-key" not in words + repr(service)
