"""The shelf of local models: what may stand on it, and what is refused before anything loads it. No torch is here."""

import json
import os
import struct
from pathlib import Path
from typing import Any

import pytest

from yardkit.models.local.shelf import hub, shelf
from yardkit.models.local.shelf.weights import check_files
from yardkit.world import Problem, Unavailable


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("YARDKIT_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


def make_safetensors(tensors: dict[str, Any] | None = None, data: bytes = b"\0" * 16) -> bytes:
    header = tensors if tensors is not None else {"w": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}
    header_bytes = json.dumps(header).encode()
    return struct.pack("<Q", len(header_bytes)) + header_bytes + data


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The directory of a model, as transformers saves one."""
    folder = tmp_path / "my-clip"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": "clip"}))
    (folder / "model.safetensors").write_bytes(make_safetensors())
    (folder / "README.md").write_text("---\nlicense: mit\n---\n# A model\n")
    return folder


def test_a_model_is_used_where_it_is(model: Path) -> None:
    added = shelf.add_directory(model, ["embeddings"])
    assert (added.name, added.family, added.licence, added.bytes) == ("my-clip", "embeddings", "mit", 16)
    assert shelf.weights_folder(shelf.local_model("my-clip")) == model
    shelf.remove_local("my-clip")
    assert shelf.local_models() == []
    assert (model / "model.safetensors").is_file()


def test_a_copy_goes_with_the_model(model: Path, models: Path) -> None:
    added = shelf.add_directory(model, ["embeddings"], copy=True)
    assert shelf.weights_folder(added).is_relative_to(models)
    shelf.remove_local("my-clip")
    assert not (models / "local" / "my-clip").exists()


@pytest.mark.parametrize("capabilities", [["objects"], ["embeddings", "objects"]])
def test_a_model_of_another_kind_is_refused(model: Path, capabilities: list[str]) -> None:
    with pytest.raises(Problem, match=r"a model of the kind 'clip' is not suitable for .*; it is for embeddings"):
        shelf.add_directory(model, capabilities)


def test_a_kind_that_nothing_runs_is_refused_with_those_that_are_run(model: Path) -> None:
    (model / "config.json").write_text(json.dumps({"model_type": "sigllip"}))
    with pytest.raises(Problem, match=r"near it: 'siglip'.*it runs: clip, siglip, siglip2.*YARDKIT_EMBEDDINGS_URL"):
        shelf.add_directory(model, ["embeddings"])


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "weights.ckpt", "w.pkl"])
def test_weights_that_are_a_pickle_are_refused(model: Path, name: str) -> None:
    (model / "model.safetensors").rename(model / name)
    with pytest.raises(Problem, match="are a pickle, which runs whatever code is in it"):
        shelf.add_directory(model, ["embeddings"])


def test_a_pickle_beside_safetensors_is_left_alone(model: Path) -> None:
    (model / "pytorch_model.bin").write_bytes(b"never opened")
    assert shelf.add_directory(model, ["embeddings"]).files.keys() == {"model.safetensors"}


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("config.json", {"model_type": "clip", "auto_map": {"AutoModel": "modeling.Evil"}}),
        ("config.json", {"model_type": "clip", "text_config": {"auto_map": {"AutoModel": "modeling.Evil"}}}),
        ("processor_config.json", {"auto_map": {"AutoProcessor": "processing.Evil"}}),
        ("tokenizer_config.json", {"trust_remote_code": True}),
    ],
)
def test_a_model_that_asks_for_code_of_its_own_is_refused(model: Path, name: str, config: dict[str, Any]) -> None:
    (model / name).write_text(json.dumps(config))
    with pytest.raises(Problem, match="asks to run its own code"):
        shelf.add_directory(model, ["embeddings"])


_F32_TENSOR = {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "ends within its header"),
        (make_safetensors()[:40], "ends within its header"),
        (make_safetensors()[:-1], "its header states"),
        (make_safetensors() + b"more", "its header states"),
        (struct.pack("<Q", 2**63) + b"{}", "ends within its header"),
        (struct.pack("<Q", 2) + b"[]", "its header cannot be read"),
        (make_safetensors({"w": {**_F32_TENSOR, "data_offsets": [0, 12]}}), "its header cannot be read"),
        (make_safetensors({"w": {**_F32_TENSOR, "data_offsets": [16, 0]}}), "its header cannot be read"),
        (make_safetensors({"w": {**_F32_TENSOR, "dtype": "PICKLE"}}), "its header cannot be read"),
    ],
)
def test_weights_that_are_damaged_are_refused(model: Path, data: bytes, words: str) -> None:
    (model / "model.safetensors").write_bytes(data)
    with pytest.raises(Problem, match=f"is damaged: .*{words}"):
        check_files(model)


def test_a_shard_that_is_missing_is_named(model: Path) -> None:
    index = {"weight_map": {"w": "model.safetensors", "v": "model-00002.safetensors"}}
    (model / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(Problem, match=r"'model-00002\.safetensors' is missing"):
        check_files(model)


def test_weights_that_are_not_those_that_were_added_are_refused(model: Path) -> None:
    added = shelf.add_directory(model, ["embeddings"])
    weights = model / "model.safetensors"
    before = weights.stat()
    weights.write_bytes(make_safetensors(data=b"\1" * 16))
    os.utime(weights, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(Problem, match=r"not the file that was added \(its SHA-256 is"):
        shelf.check_model(added)


def test_a_directory_that_has_gone_is_told(model: Path) -> None:
    added = shelf.add_directory(model, ["embeddings"])
    model.rename(model.with_name("elsewhere"))
    with pytest.raises(Problem, match="has gone; put it back, or `yardkit models remove my-clip`"):
        shelf.check_model(added)


@pytest.mark.parametrize("name", ["../evil", "a/b", ".hidden", ""])
def test_a_name_cannot_lead_out_of_the_shelf(model: Path, name: str) -> None:
    with pytest.raises(Problem, match="is not a valid name for a model"):
        shelf.free_name(name)


@pytest.mark.parametrize(
    ("repo", "revision", "words"),
    [
        ("owner/name", "main", "is not a commit"),
        ("owner/name", "", "is not a commit"),
        ("name", "a" * 40, "not a repository"),
    ],
)
def test_a_hub_gives_one_commit_of_one_repository(repo: str, revision: str, words: str) -> None:
    with pytest.raises(Problem, match=words):
        hub.add_from_hub(repo, revision, ("embeddings",))


@pytest.mark.drill
def test_a_hub_that_cannot_be_used_leaves_nothing_behind(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(Unavailable, match=r"--from DIR"):
        hub.add_from_hub("owner/name", "a" * 40, ("embeddings",))
    assert shelf.local_models() == []
