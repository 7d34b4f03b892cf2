"""`yardkit models` with local models, and without torch."""

import json
import struct
from pathlib import Path

import pytest
from support.commands import Run


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of a model, as transformers saves one."""
    monkeypatch.setenv("YARDKIT_MODELS", str(tmp_path / "models"))
    folder = tmp_path / "my-clip"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": "clip"}))
    (folder / "README.md").write_text("---\nlicense: mit\n---\n")
    header = json.dumps({"w": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + b"\0" * 16)
    return folder


def test_a_local_model_is_added_listed_checked_and_removed(yardkit: Run, model: Path) -> None:
    assert "for embeddings" in yardkit("models", "add", "embeddings", "--from", str(model)).stdout
    listed = json.loads(yardkit("models", "list", "my-clip", "--json").stdout)
    assert (listed[0]["tier"], listed[0]["licence"], listed[0]["there"]) == ("local", "mit", True)
    assert "are complete and unchanged" in yardkit("models", "check", "my-clip").stdout
    (model / "model.safetensors").write_bytes(b"")
    checked = yardkit("models", "check", "my-clip")
    assert (checked.returncode, "is damaged" in checked.stdout) == (1, True)
    assert "removed" in yardkit("models", "remove", "my-clip").stdout
    assert model.is_dir()


def test_a_model_whose_manifest_is_damaged_can_be_removed(yardkit: Run, model: Path, tmp_path: Path) -> None:
    yardkit("models", "add", "embeddings", "--from", str(model))
    (tmp_path / "models" / "local" / "my-clip" / "model.json").write_text("{}")
    assert "the manifest of the local model 'my-clip' is damaged" in yardkit("models", "list").stderr
    assert "removed" in yardkit("models", "remove", "my-clip").stdout


def test_serving_without_torch_says_what_to_do(yardkit: Run) -> None:
    output = yardkit("models", "serve")
    assert output.returncode == 2
    assert "pip install torch torchvision" in output.stderr
    assert "make models-env" in output.stderr
