"""`yardkit models eval`: data as the field keeps it, through the tools that agents call, to figures."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from support.drawn import draw_letter
from support.model_services import answer_with_words, model_service
from support.pictures import CAT, COFFEE
from support.sounds import LEISURE, YOUNG_MAN

from yardkit.__main__ import main
from yardkit.kit.sounds import read_sound, wav_bytes
from yardkit.sandbox.quality.data_layouts import classes_of, coco_boxes, noisy_sounds, texts_of, voice_pairs
from yardkit.world import Problem
from yardkit.world.fonts import font_file


def run_evaluation(capsys: pytest.CaptureFixture[str], capability: str, data: Path, *more: str) -> dict[str, Any]:
    main(["models", "eval", capability, "--data", str(data), "--json", *more])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def write_coco(folder: Path) -> None:
    """Two photographs with their boxes, in the layout of COCO."""
    (folder / "val").mkdir()
    (folder / "annotations").mkdir()
    for picture in (COFFEE, CAT):
        shutil.copy(picture, folder / "val")
    things = [(1, 1, [172, 18, 248, 292]), (2, 2, [20, 5, 431, 295])]
    annotations = {
        "images": [{"id": 1, "file_name": "coffee.jpg"}, {"id": 2, "file_name": "cat.jpg"}],
        "categories": [{"id": 1, "name": "cup"}, {"id": 2, "name": "cat"}],
        "annotations": [{"id": n, "image_id": n, "category_id": c, "bbox": box, "iscrowd": 0} for n, c, box in things],
    }
    (folder / "annotations" / "instances_val.json").write_text(json.dumps(annotations))
    (folder / "annotations" / "captions_val.json").write_text(json.dumps({"images": [], "annotations": []}))


def test_boxes_of_coco_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_coco(tmp_path)
    report = run_evaluation(capsys, "objects", tmp_path)
    assert report["items"] == 2
    assert report["figures"]["AP50"] == pytest.approx(1)
    assert 0.4 < report["figures"]["AP"] < 1
    assert report["model"].startswith("nanodet")
    counts = run_evaluation(capsys, "counting", tmp_path)
    assert counts["figures"] == {"exact": 1, "MAE": 0, "told": 1}
    assert counts["model"].startswith("nanodet")


@pytest.mark.drill
def test_what_is_read_is_compared_with_the_text_beside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = Image.new("RGB", (600, 120), "white")
    font = ImageFont.truetype(str(font_file("DejaVu Sans")), 40)
    ImageDraw.Draw(picture).text((20, 30), "Platform 9 to Leeds", "black", font)
    picture.save(tmp_path / "sign.png")
    (tmp_path / "sign.txt").write_text("Platform 8 to Leeds\n")
    assert run_evaluation(capsys, "ocr", tmp_path)["figures"] == {
        "CER": pytest.approx(1 / 19),
        "WER": pytest.approx(1 / 4),
    }
    (tmp_path / "gt_sign.txt").write_text("0,0,1,0,1,1,0,1,Platform\n0,0,1,0,1,1,0,1,###\n0,0,1,0,1,1,0,1,York\n")
    assert run_evaluation(capsys, "ocr", tmp_path)["figures"]["recall"] == 0.5


def test_a_service_is_measured_as_the_embedded_model_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for sound, name in ((LEISURE, "1-1-0001"), (YOUNG_MAN, "1-1-0002")):
        shutil.copy(sound, tmp_path / f"{name}.flac")
    (tmp_path / "1-1.trans.txt").write_text("1-1-0001 ONE TWO THREE FOUR\n1-1-0002 HE WAS NOT\n1-1-0009 GONE\n")
    with model_service({"POST /audio/transcriptions": lambda body, path: {"text": "One two four."}}, "ears") as url:
        monkeypatch.setenv("YARDKIT_TRANSCRIPTION_URL", url)
        report = run_evaluation(capsys, "transcription", tmp_path, "--backend", "endpoint")
        assert (report["items"], report["model"]) == (2, "ears (endpoint, full)")
        assert report["figures"]["WER"] == pytest.approx((1 + 3) / 7)
        assert main(["models", "eval", "transcription", "--data", str(tmp_path), "--limit", "1"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].startswith("transcription: 1 tried, ")
    assert table[1].split() == ["WER", "0.250", "edits", "over", "words"]


def test_recognisers_of_text_and_a_model_that_reads_are_measured_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_letter(24, ["Platform 9 to Leeds"]).save(tmp_path / "sign.png")
    (tmp_path / "sign.txt").write_text("Platform 8 to Leeds\n")
    report = run_evaluation(capsys, "ocr", tmp_path, "--backend", "tesseract")
    assert "(tesseract)" in report["model"]
    assert report["figures"]["WER"] == pytest.approx(1 / 4)
    reads = answer_with_words(lambda prompt, pictures: "Platform 8 to York")
    with model_service({"POST /chat/completions": reads}, "reader") as url:
        monkeypatch.setenv("YARDKIT_OCR_URL", url)
        report = run_evaluation(capsys, "ocr", tmp_path, "--backend", "endpoint")
    assert (report["model"], report["figures"]["WER"]) == ("reader (endpoint, full)", pytest.approx(1 / 4))
    assert main(["models", "eval", "ocr", "--data", str(tmp_path), "--backend", "embedded"]) != 0
    assert "give one of rapidocr, tesseract, endpoint, local" in capsys.readouterr().err


def test_noise_and_voices_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for side in ("noisy_set", "clean_set"):
        (tmp_path / side).mkdir()
    speech = read_sound(YOUNG_MAN, 16_000).samples
    noise = 0.05 * np.random.default_rng(1).standard_normal(len(speech)).astype(np.float32)
    (tmp_path / "clean_set" / "a.wav").write_bytes(wav_bytes(speech, 16_000))
    (tmp_path / "noisy_set" / "a.wav").write_bytes(wav_bytes(speech + noise, 16_000))
    assert run_evaluation(capsys, "noise", tmp_path)["figures"]["gain"] > 5
    assert [path.name for path in tmp_path.rglob("clean.wav")] == []
    (tmp_path / "pairs.txt").write_text("1 clean_set/a.wav clean_set/a.wav\n0 clean_set/a.wav noisy_set/a.wav\n0 a b\n")
    assert run_evaluation(capsys, "speakers", tmp_path)["figures"]["EER"] == 0


def test_data_of_other_layouts_is_found(tmp_path: Path) -> None:
    for name in ("cat", "cup"):
        (tmp_path / name).mkdir()
    shutil.copy(CAT, tmp_path / "cat")
    shutil.copy(COFFEE, tmp_path / "cup")
    assert [item.right for item in classes_of(tmp_path)] == ["cat", "cup"]
    (tmp_path / "labels.csv").write_text("file,class\ncat/cat.jpg,tabby\nnot_there.jpg,tabby\n")
    assert [item.right for item in classes_of(tmp_path)] == ["tabby"]


@pytest.mark.parametrize(
    "find", [coco_boxes, classes_of, noisy_sounds, voice_pairs, lambda path: texts_of(path, [".png"])]
)
def test_a_folder_without_such_data_is_told_what_to_put_there(find: Any, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("[1]")
    (tmp_path / "note.txt").write_text("nothing")
    with pytest.raises(Problem, match="holds no"):
        find(tmp_path)


def test_wrong_arguments_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in (
        (["smells", "--data", str(tmp_path)], "one of objects, counting"),
        (["noise"], "--data must be a folder; noise takes sounds of one name"),
        (["noise", "--data", str(tmp_path), "--limit", "0"], "give 1 or more"),
        (["noise", "--data", str(tmp_path), "--backend", "local"], "leave --backend out"),
    ):
        assert main(["models", "eval", *arguments]) != 0
        assert words in capsys.readouterr().err


def test_calls_that_fail_are_counted_and_the_first_one_ends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Image.new("RGB", (64, 64), "white").save(tmp_path / "a.png")
    (tmp_path / "b.png").write_bytes(b"no picture")
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("x")
    report = run_evaluation(capsys, "ocr", tmp_path)
    assert len(report["failures"]) == 1
    assert report["failures"][0].startswith("b.png: ")
    (tmp_path / "a.txt").unlink()
    assert main(["models", "eval", "ocr", "--data", str(tmp_path)]) != 0
    assert "read_image_text" in capsys.readouterr().err
