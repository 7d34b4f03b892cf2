"""Pictures, videos and music that a model makes, by a service that answers from what it was really sent."""

import base64
import json
from collections.abc import Iterator
from email import message_from_bytes
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageOps
from support.answers import Call, make_caller, read_text
from support.model_services import Answer, encode_picture, model_service
from support.pictures import COFFEE

from yardkit.compat.gta import text_to_video
from yardkit.sandbox.serving.registry import load_server
from yardkit.world import Problem

MP4 = b"\x00\x00\x00\x18ftypmp42" + bytes(100)


class Studio:
    """A service that makes plain pictures, edits by inverting, and is done with a video at the third question."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.refused: tuple[str, ...] = ()
        self.questions = 0

    def generate(self, body: bytes, path: str) -> Answer:
        wishes = json.loads(body)
        self.asked.append(wishes)
        for name in self.refused:
            if name in wishes:
                return 400, json.dumps({"error": {"message": f"Unknown parameter: '{name}'."}}).encode()
        width, height = map(int, wishes["size"].split("x"))
        picture = Image.new("RGB", (width, height), (wishes.get("seed", 99) % 256, 40, len(wishes["prompt"])))
        return {"data": [{"b64_json": encode_picture(picture)}]}

    def edit_picture(self, body: bytes, path: str) -> Answer:
        boundary = body.partition(b"\r\n")[0][2:].decode()
        form = message_from_bytes(f"Content-Type: multipart/form-data; boundary={boundary}\r\n\r\n".encode() + body)
        parts: dict[Any, Any] = {
            part.get_param("name", header="content-disposition"): part for part in form.get_payload()
        }
        self.asked.append({name: part.get_content_type() for name, part in parts.items()})
        sent: Any = next(part for name, part in parts.items() if str(name).startswith("image"))
        with Image.open(BytesIO(sent.get_payload(decode=True))) as picture:
            return {"data": [{"b64_json": encode_picture(ImageOps.invert(picture.convert("RGB")))}]}

    def start(self, body: bytes, path: str) -> Answer:
        self.asked.append(json.loads(body))
        return {"id": "job-1", "status": "queued"}

    def look(self, body: bytes, path: str) -> Answer:
        if path.endswith("/content"):
            return MP4
        self.questions += 1
        return {"id": "job-1", "status": "in_progress" if self.questions < 3 else "completed", "progress": 50}

    def cancel(self, body: bytes, path: str) -> Answer:
        self.asked.append({"cancelled": path})
        return {"id": "job-1", "status": "cancelled"}


@pytest.fixture
def studio(monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    new_studio = Studio()
    routes = {
        "POST /images/generations": new_studio.generate,
        "POST /images/edits": new_studio.edit_picture,
        **{f"POST /{kind}": new_studio.start for kind in ("videos", "music")},
        **{f"GET /{kind}/*": new_studio.look for kind in ("videos", "music")},
        **{f"DELETE /{kind}/*": new_studio.cancel for kind in ("videos", "music")},
    }
    with model_service(routes, "studio-1", "images", "image_edits", "video", "music") as url:
        monkeypatch.setenv("YARDKIT_WORKER_URL", url)
        yield new_studio


@pytest.fixture
def calls(files: Path) -> dict[str, Call]:
    (files / "coffee.jpg").write_bytes(COFFEE.read_bytes())
    return {
        name: make_caller(load_server(name))
        for name in ("text_to_image", "image_editing", "text_to_video", "text_to_music")
    }


def test_a_picture_is_made_as_words_size_and_seed_say(studio: Studio, calls: dict[str, Call], files: Path) -> None:
    result = calls["text_to_image"](
        "generate_image", prompt="a red box", target="a.png", width_px=128, height_px=64, seed=7
    )
    assert "128 x 64 px, by studio-1 (local, full), seed 7" in result.content[0].text
    assert [block.type for block in result.content] == ["text", "image"]
    with Image.open(files / "a.png") as picture:
        assert (picture.size, picture.getpixel((5, 5))) == ((128, 64), (7, 40, 9))


def test_a_service_that_takes_no_seed_is_asked_without_it_and_the_result_says_so(
    studio: Studio, calls: dict[str, Call]
) -> None:
    studio.refused = ("response_format", "seed")
    reply = calls["text_to_image"]("generate_image", prompt="a box", target="a.jpg", seed=7).structured_content
    assert (reply["seed"], reply["note"]) == (None, "the service takes no seed")
    studio.refused = ("prompt",)
    assert "Unknown parameter: 'prompt'" in read_text(
        calls["text_to_image"]("generate_image", prompt="a", target="a.jpg")
    )


def test_a_picture_is_changed_into_another_file(studio: Studio, calls: dict[str, Call], files: Path) -> None:
    edit = calls["image_editing"]
    edit("edit_image", path="coffee.jpg", instruction="invert", target="b.png", references=["coffee.jpg"])
    assert studio.asked[0]["image[]"] in ("image/png", "image/jpeg")
    with Image.open(files / "b.png") as changed_picture, Image.open(COFFEE) as original_picture:
        assert changed_picture.size == original_picture.size
        sums = [
            sum(pair)
            for pair in zip(
                *(np.asarray(picture)[200, 300].tolist() for picture in (changed_picture, original_picture)),
                strict=True,
            )
        ]
    assert all(abs(both - 255) < 12 for both in sums)
    refused = edit("edit_image", path="coffee.jpg", instruction="invert", target="coffee.jpg")
    assert "is one of the input pictures" in read_text(refused)


def test_a_video_is_begun_asked_after_saved_and_ended(studio: Studio, calls: dict[str, Call], files: Path) -> None:
    call = calls["text_to_video"]
    job = call("start_video", prompt="waves", duration_s=2.5, first_frame="coffee.jpg").structured_content["job"]
    assert studio.asked[0]["seconds"] == "2.5"
    assert studio.asked[0]["image"].startswith("data:image/jpeg;base64,")
    texts = [call("save_video", job=job, target="waves.mp4").content[0].text for _ in range(3)]
    assert texts[1] == "Job local:job-1 is running, 50% done"
    assert texts[2].startswith("Job local:job-1 is done: saved waves.mp4")
    assert (files / "waves.mp4").read_bytes() == MP4
    assert "made a .mp4 file; save it as 'waves.mp4'" in read_text(call("save_video", job=job, target="waves.webm"))
    assert "should end with .mp4 or .webm" in read_text(call("save_video", job=job, target="waves.gif"))
    assert call("cancel_video", job=job).structured_content["status"] == "cancelled"
    assert studio.asked[-1] == {"cancelled": "/videos/job-1"}
    assert "is not a valid job" in read_text(call("check_video", job="local:../health"))


def test_a_call_of_gta_waits_for_its_video(studio: Studio, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_to_video, "_LOOK_EACH_S", 0.0)
    video_reply = text_to_video.TextToVideoTool("waves", num_frames=16, resolution="256,128", fps=8)
    assert str(video_reply) == "generated/video_eb81ba5f.mp4"
    assert (files / str(video_reply)).read_bytes() == MP4
    assert (studio.asked[0]["seconds"], studio.asked[0]["size"]) == ("2", "256x128")
    studio.questions = 0
    monkeypatch.setattr(text_to_video, "_WAIT_S", -1.0)
    with pytest.raises(Problem, match="was given up; ask for fewer frames"):
        text_to_video.TextToVideoTool("waves", filename="b")
    assert studio.asked[-1] == {"cancelled": "/videos/job-1"}


def test_a_file_that_is_no_sound_is_not_saved_as_one(studio: Studio, calls: dict[str, Call], files: Path) -> None:
    studio.questions = 3
    job = calls["text_to_music"]("start_music", prompt="calm piano").structured_content["job"]
    assert "expected .wav, .flac, .mp3, .ogg" in read_text(
        calls["text_to_music"]("save_music", job=job, target="a.wav")
    )
    assert not (files / "a.wav").exists()


def test_what_is_no_picture_is_not_saved_as_one(
    calls: dict[str, Call], monkeypatch: pytest.MonkeyPatch, files: Path
) -> None:
    def garbage(body: bytes, path: str) -> Answer:
        return {"data": [{"b64_json": base64.b64encode(b"no picture").decode()}]}

    with model_service({"POST /images/generations": garbage}) as url:
        monkeypatch.setenv("YARDKIT_IMAGES_URL", url)
        refused = calls["text_to_image"]("generate_image", prompt="a", target="a.png")
    assert "test-model answered without a picture" in read_text(refused)
    assert not (files / "a.png").exists()


@pytest.mark.parametrize(
    ("server", "tool", "arguments", "setting"),
    [
        ("text_to_image", "generate_image", {"prompt": "a", "target": "a.png"}, "YARDKIT_IMAGES_URL"),
        (
            "image_editing",
            "edit_image",
            {"path": "coffee.jpg", "instruction": "a", "target": "a.png"},
            "YARDKIT_IMAGE_EDITS_URL",
        ),
        ("text_to_video", "start_video", {"prompt": "a"}, "YARDKIT_VIDEO_URL"),
        ("text_to_music", "start_music", {"prompt": "a"}, "YARDKIT_MUSIC_URL"),
    ],
)
def test_without_a_model_each_says_what_it_needs(
    calls: dict[str, Call], server: str, tool: str, arguments: dict[str, str], setting: str
) -> None:
    words = read_text(calls[server](tool, **arguments))
    assert setting in words
    assert "`yardkit models add" in words
