"""Every family loads a checkpoint as it loads real weights, and answers in the right shape."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from yardkit.models.local import requests
from yardkit.models.local.families.contract import LocalModel, Stopped, Watch
from yardkit.models.local.families.loading import load_model
from yardkit.models.local.shelf.kinds import family_of
from yardkit.world import Problem

Checkpoint = Callable[[str], Path]
PICTURE = Image.linear_gradient("L").resize((96, 64)).convert("RGB")
OTHER = Image.radial_gradient("L").resize((96, 64)).convert("RGB")
NOISE = np.random.default_rng(0).normal(0, 0.1, 16_000).astype("float32")


def load_local_model(folder: Path, capability: str) -> LocalModel:
    return load_model(family_of(folder, (capability,)).name, folder, torch.float32)


def list_answers(model: LocalModel, *asked: Any, watch: Watch | None = None) -> list[Any]:
    """The answers to requests that are run as one."""
    prepared = [model.prepare(request) for request in asked]
    assert len({prepared_request.key for prepared_request in prepared}) == 1
    outputs = model.run(prepared, watch or Watch())
    return [model.finish(prepared_request, output) for prepared_request, output in zip(prepared, outputs, strict=True)]


def make_chat_request(
    *images: Image.Image, text: str = "what is in the image?", most: int = 6, **more: Any
) -> requests.ChatRequest:
    content = [*({"type": "image", "image": image} for image in images), {"type": "text", "text": text}]
    return requests.ChatRequest([{"role": "user", "content": content}], images, most, **more)


@pytest.mark.parametrize("name", ["grounding_dino", "mm_grounding_dino", "owlv2"])
def test_objects_have_a_label_of_the_queries_and_lie_in_the_picture(checkpoint: Checkpoint, name: str) -> None:
    model = load_local_model(checkpoint(name), "objects")
    detected_objects = list_answers(model, requests.ObjectsRequest(PICTURE, ("a cat", "red circle"), 0.0))[0]
    assert detected_objects
    for thing in detected_objects:
        left, top, right, bottom = thing.box
        assert thing.label in ("a cat", "red circle")
        assert 0 <= thing.score <= 1
        assert 0 <= left <= right <= 96
        assert 0 <= top <= bottom <= 64
    assert [thing.score for thing in detected_objects] == sorted(
        (thing.score for thing in detected_objects), reverse=True
    )


@pytest.mark.parametrize("name", ["grounding_dino", "owlv2"])
def test_only_objects_over_the_threshold_are_told(checkpoint: Checkpoint, name: str) -> None:
    model = load_local_model(checkpoint(name), "objects")
    every = list_answers(model, requests.ObjectsRequest(PICTURE, ("a cat",), 0.0))[0]
    middle = sorted(thing.score for thing in every)[len(every) // 2]
    detected_objects = list_answers(model, requests.ObjectsRequest(PICTURE, ("a cat",), middle + 1e-6))[0]
    assert [thing.score for thing in detected_objects] == [
        thing.score for thing in every if thing.score > middle + 1e-6
    ]


@pytest.mark.parametrize(
    ("name", "capability", "asked"),
    [
        (
            "grounding_dino",
            "objects",
            [requests.ObjectsRequest(image, ("a cat", "red circle"), 0.0) for image in (PICTURE, OTHER)],
        ),
        ("owlv2", "objects", [requests.ObjectsRequest(image, ("a cat",), 0.0) for image in (PICTURE, OTHER)]),
        ("clip", "embeddings", [requests.EmbeddingRequest(image) for image in (PICTURE, OTHER)]),
        ("clip", "embeddings", [requests.EmbeddingRequest(text) for text in ("a cat", "a red circle")]),
        ("sam2", "masks", [requests.MasksRequest(image, ((1.0, 2.0, 60.0, 50.0),)) for image in (PICTURE, OTHER)]),
        ("sam3", "masks", [requests.MasksRequest(image, query="cat", threshold=0.0) for image in (PICTURE, OTHER)]),
        ("qwen3_vl", "vision", [make_chat_request(image) for image in (PICTURE, OTHER)]),
        ("paddleocr_vl", "ocr", [make_chat_request(image, text="OCR:") for image in (PICTURE, OTHER)]),
        ("pp_formulanet", "formulas", [make_chat_request(image) for image in (PICTURE, OTHER)]),
        ("whisper", "transcription", [requests.TranscriptionRequest(sound, "en") for sound in (NOISE, NOISE[::-1])]),
    ],
)
def test_a_batch_gives_what_its_requests_give_one_by_one(
    checkpoint: Checkpoint, name: str, capability: str, asked: Sequence[Any]
) -> None:
    model = load_local_model(checkpoint(name), capability)
    for together, alone in zip(
        list_answers(model, *asked), [list_answers(model, request)[0] for request in asked], strict=True
    ):
        assert_same(together, alone)


def assert_same(first_array: Any, other: Any) -> None:
    """Alike but for the last digits of floats: sums of a batch are added up in another order."""
    if isinstance(first_array, list):
        assert len(first_array) == len(other)
        for first, second in zip(first_array, other, strict=True):
            assert_same(first, second)
    elif isinstance(first_array, np.ndarray):
        np.testing.assert_allclose(first_array, other, atol=1e-4)
    elif isinstance(first_array, requests.DetectedObject):
        assert first_array.label == other.label
        np.testing.assert_allclose([*first_array.box, first_array.score], [*other.box, other.score], atol=1e-2)
    elif isinstance(first_array, requests.DetectedMask):
        assert (first_array.mask != other.mask).mean() < 0.01
    else:
        assert first_array == other


def test_a_box_and_points_give_masks_of_the_size_of_the_picture(checkpoint: Checkpoint) -> None:
    model = load_local_model(checkpoint("sam2"), "masks")
    boxes = list_answers(model, requests.MasksRequest(PICTURE, ((0.0, 0.0, 50.0, 40.0), (10.0, 10.0, 90.0, 60.0))))[0]
    point = list_answers(model, requests.MasksRequest(PICTURE, points=((30.0, 30.0, True),)))[0]
    points = list_answers(model, requests.MasksRequest(PICTURE, points=((30.0, 30.0, True), (5.0, 5.0, False))))[0]
    assert [len(masks) for masks in (boxes, point, points)] == [2, 1, 1]
    for mask in (*boxes, *point, *points):
        assert mask.mask.shape == (64, 96)
        assert set(np.unique(mask.mask)) <= {0, 255}
        assert 0 <= mask.score <= 1


def test_words_give_masks_of_the_size_of_the_picture(checkpoint: Checkpoint) -> None:
    model = load_local_model(checkpoint("sam3"), "masks")
    masks = list_answers(model, requests.MasksRequest(PICTURE, query="red circle", threshold=0.0))[0]
    assert masks
    assert all(mask.mask.shape == (64, 96) and 0 <= mask.score <= 1 for mask in masks)


@pytest.mark.parametrize(
    ("name", "request_", "words"),
    [
        ("sam2", requests.MasksRequest(PICTURE, query="cat"), "no words"),
        ("sam2", requests.MasksRequest(PICTURE, ((0, 0, 9, 9), (1, 1, 5, 5)), ((3, 3, True),)), "at most one box"),
        ("sam3", requests.MasksRequest(PICTURE, ((0, 0, 9, 9),)), "give a query alone"),
    ],
)
def test_masks_by_what_a_model_does_not_know_are_refused(
    checkpoint: Checkpoint, name: str, request_: Any, words: str
) -> None:
    with pytest.raises(Problem, match=words):
        load_local_model(checkpoint(name), "masks").prepare(request_)


def test_a_talk_ends_at_its_limit_and_counts_its_tokens(checkpoint: Checkpoint) -> None:
    model = load_local_model(checkpoint("qwen3_vl"), "vision")
    completion = list_answers(model, make_chat_request(PICTURE, OTHER, most=5))[0]
    assert completion.tokens_in > 10
    assert 0 < completion.tokens_out <= 5
    assert completion.reason == ("length" if completion.tokens_out == 5 else "stop")


def test_the_seed_decides_what_is_said_by_chance(checkpoint: Checkpoint) -> None:
    model = load_local_model(checkpoint("qwen3_vl"), "vision")
    replies = [
        list_answers(model, make_chat_request(PICTURE, most=12, temperature=1.5, seed=seed))[0].text
        for seed in (1, 1, 2)
    ]
    assert replies[0] == replies[1] != replies[2]


def test_a_talk_that_the_model_cannot_hold_is_refused(checkpoint: Checkpoint) -> None:
    with pytest.raises(Problem, match="more than the 4,096 that this model can hold"):
        load_local_model(checkpoint("qwen3_vl"), "vision").prepare(make_chat_request(PICTURE, most=4095))


def test_a_formula_needs_one_picture(checkpoint: Checkpoint) -> None:
    with pytest.raises(Problem, match="one formula at a time"):
        load_local_model(checkpoint("pp_formulanet"), "formulas").prepare(make_chat_request(PICTURE, OTHER))


def test_pictures_and_texts_are_vectors_of_length_one_in_one_space(checkpoint: Checkpoint) -> None:
    model = load_local_model(checkpoint("clip"), "embeddings")
    picture, text = (list_answers(model, requests.EmbeddingRequest(item))[0] for item in (PICTURE, "a red circle"))
    assert picture.shape == text.shape == (24,)
    np.testing.assert_allclose([np.linalg.norm(picture), np.linalg.norm(text)], 1, atol=1e-5)


@pytest.mark.parametrize("seconds", [1, 40])
def test_speech_is_told_in_segments_within_its_length(checkpoint: Checkpoint, seconds: int) -> None:
    model = load_local_model(checkpoint("whisper"), "transcription")
    transcript = list_answers(model, requests.TranscriptionRequest(np.resize(NOISE, 16_000 * seconds), "en"))[0]
    assert transcript.language == "en"
    assert all(0 <= part.start_s <= seconds and part.end_s <= seconds for part in transcript.segments)


def test_the_language_is_heard_where_none_is_said(checkpoint: Checkpoint) -> None:
    model = load_local_model(checkpoint("whisper"), "transcription")
    assert list_answers(model, requests.TranscriptionRequest(NOISE))[0].language in ("en", "zh", "de", "fr")


def test_words_have_times_that_do_not_go_back(checkpoint: Checkpoint) -> None:
    model = load_local_model(checkpoint("whisper"), "transcription")
    transcript = list_answers(model, requests.TranscriptionRequest(NOISE, "en", word_times=True))[0]
    assert all(0 <= word.start_s <= word.end_s <= 1 for word in transcript.words)


def test_a_language_that_the_model_does_not_know_is_refused(checkpoint: Checkpoint) -> None:
    with pytest.raises(Problem, match="does not know the language 'xx'; it knows: de, en, fr, zh"):
        load_local_model(checkpoint("whisper"), "transcription").prepare(requests.TranscriptionRequest(NOISE, "xx"))


def test_a_voice_speaks_slower_and_the_same_for_the_same_seed(checkpoint: Checkpoint) -> None:
    model = load_local_model(checkpoint("vits"), "voice")
    speech, again, slow = (
        list_answers(model, requests.SpeechRequest("hello world", speed=speed, seed=3))[0] for speed in (1.0, 1.0, 0.5)
    )
    assert speech.sample_rate_hz == 16_000
    assert speech.samples.shape[0] == 1
    np.testing.assert_array_equal(speech.samples, again.samples)
    assert slow.samples.shape[1] > speech.samples.shape[1]


def test_a_voice_that_is_not_there_is_refused(checkpoint: Checkpoint) -> None:
    with pytest.raises(Problem, match="no voice 'alice'; its voices are 0 to 0"):
        load_local_model(checkpoint("vits"), "voice").prepare(requests.SpeechRequest("hello", "alice"))


@pytest.mark.parametrize("name", ["stable_diffusion", "flux2_klein"])
def test_pictures_are_made_in_their_size_and_the_same_for_the_same_seed(checkpoint: Checkpoint, name: str) -> None:
    model = load_local_model(checkpoint(name), "images")
    watch = Watch()
    first, again, other = (
        list_answers(model, requests.ImageRequest("a red circle", seed, 48, 32, steps=2), watch=watch)[0][0]
        for seed in (1, 1, 2)
    )
    assert first.size == (48, 32)
    assert first.tobytes() == again.tobytes() != other.tobytes()
    assert watch.progress == 1


@pytest.mark.parametrize("name", ["stable_diffusion", "flux2_klein"])
def test_a_picture_is_changed(checkpoint: Checkpoint, name: str) -> None:
    model = load_local_model(checkpoint(name), "image_edits")
    request = requests.ImageRequest("make it blue", 1, steps=2, images=(PICTURE.resize((64, 64)),))
    assert list_answers(model, request)[0][0].size == (64, 64)


def test_a_wish_that_a_pipeline_does_not_know_is_refused_by_its_name(checkpoint: Checkpoint) -> None:
    model = load_local_model(checkpoint("flux2_klein"), "images")
    with pytest.raises(Problem, match="takes no negative_prompt"):
        model.prepare(requests.ImageRequest("a red circle", 1, negative_prompt="blue"))


def test_a_video_has_the_frames_that_the_model_can_make_nearest_to_the_wish(checkpoint: Checkpoint) -> None:
    model = load_local_model(checkpoint("wan"), "video")
    film = list_answers(model, requests.VideoRequest("a red circle", 1, 32, 32, 0.6, 16.0, steps=1))[0]
    assert film.frames.shape == (9, 32, 32, 3)
    assert film.frames.dtype == np.uint8


def test_songs_and_music_last_as_long_as_was_asked(checkpoint: Checkpoint) -> None:
    song = list_answers(
        load_local_model(checkpoint("ace_step"), "music"), requests.MusicRequest("calm piano", 1, 1.0, "la la", steps=2)
    )[0]
    music = list_answers(
        load_local_model(checkpoint("musicgen"), "music"), requests.MusicRequest("calm piano", 1, 0.4)
    )[0]
    assert song.samples.shape == (2, song.sample_rate_hz)
    assert music.samples.shape == (1, int(0.4 * music.sample_rate_hz))


@pytest.mark.parametrize(
    ("name", "capability", "request_"),
    [
        ("qwen3_vl", "vision", make_chat_request(PICTURE, most=50)),
        ("musicgen", "music", requests.MusicRequest("calm", 1, 1.0)),
        ("stable_diffusion", "images", requests.ImageRequest("a red circle", 1, steps=3)),
        ("wan", "video", requests.VideoRequest("a red circle", 1, 32, 32, 0.5, steps=3)),
        ("whisper", "transcription", requests.TranscriptionRequest(NOISE, "en")),
    ],
)
def test_long_work_stops_at_the_next_step_when_nobody_waits(
    checkpoint: Checkpoint, name: str, capability: str, request_: Any
) -> None:
    model = load_local_model(checkpoint(name), capability)
    with pytest.raises(Stopped):
        model.run([model.prepare(request_)], Watch(stopped=True))
