"""Embedded speech models: what is converted and computed by code of ours equals what it comes from."""

from typing import Any

import numpy as np
import pytest

from yardkit.models.embedded import ge2e
from yardkit.models.embedded.noise_filter import MODEL as NOISE_FILTER
from yardkit.models.embedded.noise_filter import band_widths, remove_noise
from yardkit.models.embedded.store import require_model


def run_lstm_layer(weights: dict[str, Any], layer: int, steps: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    """A layer of PyTorch's LSTM, written out."""

    def sigmoid(values: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
        return np.asarray(1 / (1 + np.exp(-values)))

    of = {name: weights[f"lstm.{name}_l{layer}"] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}
    hidden, cell, outputs = np.zeros(of["weight_hh"].shape[1]), np.zeros(of["weight_hh"].shape[1]), []
    for step in steps:
        gates = of["weight_ih"] @ step + of["bias_ih"] + of["weight_hh"] @ hidden + of["bias_hh"]
        entry, forget, new, output = np.split(gates, 4)
        cell = sigmoid(forget) * cell + sigmoid(entry) * np.tanh(new)
        hidden = sigmoid(output) * np.tanh(cell)
        outputs.append(hidden)
    return np.array(outputs)


def test_the_speaker_encoder_computes_what_its_checkpoint_says(monkeypatch: pytest.MonkeyPatch) -> None:
    import onnxruntime

    chance, size = np.random.default_rng(0), 6
    weights: dict[str, Any] = {
        "linear.weight": chance.normal(size=(size, size)),
        "linear.bias": chance.normal(size=size),
    }
    for layer in range(3):
        for name, shape in (("weight_ih", (4 * size, 5 if layer == 0 else size)), ("weight_hh", (4 * size, size))):
            weights[f"lstm.{name}_l{layer}"] = chance.normal(size=shape)
            weights[f"lstm.bias_{name[-2:]}_l{layer}"] = chance.normal(size=4 * size)
    weights = {name: value.astype(np.float32) for name, value in weights.items()}
    monkeypatch.setattr(ge2e, "read_checkpoint", lambda data: {"model_state": weights})
    mels = chance.normal(size=(2, 7, 5)).astype(np.float32)
    [vectors] = onnxruntime.InferenceSession(ge2e.convert_ge2e(b"")).run(None, {"mels": mels})
    for mel, vector in zip(mels, vectors, strict=True):
        steps = mel
        for layer in range(3):
            steps = run_lstm_layer(weights, layer, steps)
        expected_vector = np.maximum(0, weights["linear.weight"] @ steps[-1] + weights["linear.bias"])
        assert vector == pytest.approx(expected_vector / np.linalg.norm(expected_vector), abs=1e-5)


def test_bands_cover_all_frequencies_and_widen_as_the_ear_does() -> None:
    widths = band_widths()
    assert (len(widths), sum(widths), min(widths)) == (32, 481, 2)
    assert widths == sorted(widths)


def test_noise_that_is_made_less_by_nothing_stays_and_so_does_the_length() -> None:
    sound = np.random.default_rng(0).normal(size=30_001).astype(np.float32)
    assert remove_noise(require_model(NOISE_FILTER), sound, 0.0) == pytest.approx(sound, abs=1e-5)
