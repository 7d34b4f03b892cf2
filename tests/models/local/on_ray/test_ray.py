"""The worker as an application of a Ray that runs on this machine."""

import base64
import io
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest
from PIL import Image

from yardkit.models.local.shelf.shelf import add_directory
from yardkit.models.local.worker.ray_app import build_application
from yardkit.world import Problem

PORT = 18_571


@pytest.mark.timeout(180)
def test_a_replica_answers_as_the_worker_does(
    checkpoint: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ray
    from ray import serve

    monkeypatch.setenv("YARDKIT_MODELS", str(tmp_path))
    add_directory(checkpoint("grounding_dino"), ["objects"], "dino")
    settings = {"env_vars": {"YARDKIT_MODELS": str(tmp_path)}}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=settings)
    try:
        serve.start(http_options={"host": "127.0.0.1", "port": PORT})
        serve.run(build_application({"device": "cpu"}), route_prefix="/")
        with httpx2.Client(base_url=f"http://127.0.0.1:{PORT}", timeout=60) as client:
            assert client.get("/v1/models").json()["data"][0]["id"] == "dino"
            body = {"image": _make_picture_url(), "queries": ["cat"], "threshold": 0}
            assert client.post("/v1/objects", json=body).json()["objects"]
            assert client.post("/v1/objects", json={**body, "image": "no"}).status_code == 400
    finally:
        serve.shutdown()
        ray.shutdown()


@pytest.mark.parametrize(
    ("arguments", "words"), [({"gpu": "1"}, "'gpu' is not an argument"), ({"gpus": "all"}, "are numbers")]
)
def test_arguments_that_are_wrong_are_named(arguments: dict[str, str], words: str) -> None:
    with pytest.raises(Problem, match=words):
        build_application(arguments)


def _make_picture_url() -> str:
    out = io.BytesIO()
    Image.linear_gradient("L").resize((96, 64)).convert("RGB").save(out, "PNG")
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()
