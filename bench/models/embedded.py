"""Measure each embedded model: CPU time and memory of a call in a process of its own; and the field's figures of the
tools that use them, on small sets that stand here or are made from what stands here.

    .venv/bin/python bench/models/embedded.py [--write] [--only NAME ...]

`--write` puts the tables into yardkit/models/README.md. Times are CPU seconds, which other load hardly changes.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.pictures import CAT, COFFEE  # noqa: E402
from support.sounds import LEISURE, READ, SENTENCES, YOUNG_MAN  # noqa: E402

from yardkit.kit.sounds import read_sound, wav_bytes  # noqa: E402
from yardkit.models.embedded import hibari_voice, noise_filter, whisper_speech  # noqa: E402
from yardkit.models.embedded.catalog import embedded_models  # noqa: E402
from yardkit.models.embedded.running import infer_outputs  # noqa: E402
from yardkit.models.embedded.store import count_stored_bytes, require_model  # noqa: E402
from yardkit.sandbox.quality.measures import MEANINGS, measure_capability  # noqa: E402
from yardkit.servers.speech.engine import speak_text  # noqa: E402
from yardkit.world import World, use_world  # noqa: E402

README = ROOT / "yardkit" / "models" / "README.md"
MARKS = ("<!-- embedded -->\n", "<!-- /embedded -->")
CALLS = 5


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables into yardkit/models/README.md")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="models or sets")
    parser.add_argument("--one", metavar="NAME", help="measure this model here, and print JSON")
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measured_here(arguments.one)))
        return 0
    names = [name for name in embedded_models() if not arguments.only or name in arguments.only]
    sets = [name for name in SETS if not arguments.only or name in arguments.only]
    tables = "\n".join([*list_costs(names), "", *list_qualities(sets)]) + "\n"
    print(tables)
    if arguments.write:
        before, _, rest = README.read_text("utf-8").partition(MARKS[0])
        README.write_text(before + MARKS[0] + tables + MARKS[1] + rest.partition(MARKS[1])[2], "utf-8")
    return 0


def list_costs(names: list[str]) -> list[str]:
    """A table of what a call costs."""
    rows = ["| Model | on the disk | load | a call | memory | of what |", "|---|---|---|---|---|---|"]
    for name in names:
        command = [sys.executable, __file__, "--one", name]
        figures = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
        size = count_stored_bytes(embedded_models()[name]) / 1e6
        rows.append(
            f"| {name} | {size:.1f} MB | {figures['load']:.2f} s | {figures['call']:.3f} s "
            f"| {figures['memory'] / 1e6:.0f} MB | {figures['of']} |"
        )
    return rows


def measured_here(name: str) -> dict[str, Any]:
    """CPU seconds of the first call, with loading, and of a later one; the most memory that the process ever had."""
    folder = require_model(name)
    call, of = CALLED[name](folder) if name in CALLED else load_any_model(folder)
    times = []
    for _ in range(CALLS + 1):
        started = time.process_time()
        call()
        times.append(time.process_time() - started)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    later = median(times[1:])
    return {"load": max(0.0, times[0] - later), "call": later, "memory": memory, "of": of}


Call = tuple[Callable[[], object], str]


def load_any_model(path: Path) -> Call:
    """A model on zeros: one input of the size that it states."""
    import onnxruntime

    kinds = {"tensor(float)": np.float32, "tensor(int64)": np.int64}
    stated = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"]).get_inputs()
    shapes = {put.name: [side if isinstance(side, int) else FREE.get(side, 1) for side in put.shape] for put in stated}
    inputs = {put.name: np.zeros(shapes[put.name], kinds[put.type]) for put in stated}
    return (lambda: infer_outputs(path, inputs)), "an input of " + ", ".join(
        "x".join(map(str, put)) for put in shapes.values()
    )


FREE = {"frames": 160}
"""Sides that a model leaves open, where one is too few."""


def prepare_hearing(folder: Path) -> Call:
    samples = read_sound(LEISURE, whisper_speech.RATE_HZ).samples
    return (
        lambda: whisper_speech.transcribe_samples(folder, samples, "en", translate=False, words=False)
    ), "7.1 s of speech"


def prepare_speaking(folder: Path) -> Call:
    return (lambda: hibari_voice.speak_english(folder, SENTENCES[0], 1.0, 0)), "a sentence of 11 words"


def prepare_cleaning(folder: Path) -> Call:
    samples = read_sound(LEISURE, noise_filter.RATE_HZ).samples
    return (lambda: noise_filter.remove_noise(folder, samples, 100.0)), "7.1 s of sound"


CALLED: dict[str, Callable[[Path], Call]] = {
    "whisper-base": prepare_hearing,
    "hibari": prepare_speaking,
    "deepfilternet3": prepare_cleaning,
}
"""Models that are more than one network."""


def list_qualities(names: list[str]) -> list[str]:
    """A table of figures on the small sets."""
    rows = ["| Capability | Set | Figures | Model |", "|---|---|---|---|"]
    for name in names:
        capability, words, fill = SETS[name]
        with tempfile.TemporaryDirectory() as folder:
            with use_world(World.open_user_folder(Path(folder))):
                fill(Path(folder))
            measured_qualities = measure_capability(capability, Path(folder), "auto", None)
        figures = ", ".join(
            f"{figure} {value:.3g}" for figure, value in measured_qualities.figures.items() if figure in MEANINGS
        )
        rows.append(f"| {name} | {words} | {figures} | {measured_qualities.model} |")
    return rows


def boxed_pictures(folder: Path) -> None:
    things = [(COFFEE, "cup", [172, 18, 248, 292]), (CAT, "cat", [20, 5, 431, 295])]
    for picture, _, _ in things:
        shutil.copy(picture, folder)
    boxes_by_picture = {
        "images": [{"id": number, "file_name": thing[0].name} for number, thing in enumerate(things)],
        "categories": [{"id": number, "name": thing[1]} for number, thing in enumerate(things)],
        "annotations": [{"image_id": n, "category_id": n, "bbox": thing[2]} for n, thing in enumerate(things)],
    }
    (folder / "boxes.json").write_text(json.dumps(boxes_by_picture))


def measure_readers(folder: Path) -> None:
    for sound, text in READ.items():
        shutil.copy(sound, folder)
        (folder / sound.name).with_suffix(".txt").write_text(text)


def spoken_sentences(folder: Path) -> None:
    for number, sentence in enumerate(SENTENCES):
        speak_text(sentence, folder / f"{number}.wav")
        (folder / f"{number}.txt").write_text(sentence)


def noisy_readers(folder: Path) -> None:
    chance = np.random.default_rng(0)
    for side in ("noisy", "clean"):
        (folder / side).mkdir()
    for sound in (YOUNG_MAN, LEISURE):
        speech = read_sound(sound, 48_000).samples
        seconds = np.arange(len(speech)) / 48_000
        hum = np.sin(2 * np.pi * 50 * seconds) + 0.5 * np.sin(2 * np.pi * 150 * seconds)
        for kind, noise in (("hiss", chance.standard_normal(len(speech))), ("hum", hum)):
            louder = noise * np.sqrt(np.mean(speech**2) / np.mean(noise**2) / 10**0.5)
            name = f"{sound.stem}-{kind}.wav"
            (folder / "clean" / name).write_bytes(wav_bytes(speech * 0.5, 48_000))
            (folder / "noisy" / name).write_bytes(wav_bytes(((speech + louder) * 0.5).astype(np.float32), 48_000))


def pairs_of_voices(folder: Path) -> None:
    for number, sentence in enumerate(SENTENCES[:4]):
        speak_text(f"{sentence} {SENTENCES[number + 4]}", folder / f"her{number}.wav")
    for sound in (YOUNG_MAN, LEISURE):
        shutil.copy(sound, folder)
    hers = [f"her{number}.wav" for number in range(4)]
    theirs = [YOUNG_MAN.name, LEISURE.name]
    same = [f"1 {recording} {other}" for recording, other in pairwise(hers)] + [f"1 {' '.join(theirs)}"]
    (folder / "pairs.txt").write_text(
        "\n".join([*same, *(f"0 {recording} {other}" for recording in hers for other in theirs)])
    )


SETS: dict[str, tuple[str, str, Callable[[Path], None]]] = {
    "objects": ("objects", "2 photographs of tests/pictures, a thing in each", boxed_pictures),
    "counting": ("counting", "the same", boxed_pictures),
    "transcription": ("transcription", "2 recordings of a reader (tests/sounds), 29 words", measure_readers),
    "voice": ("transcription", "10 sentences that the embedded voice speaks, heard by Whisper base", spoken_sentences),
    "noise": ("noise", "the recordings with hiss and with hum, 5 dB below the speech", noisy_readers),
    "speakers": ("speakers", "12 pairs of 6 sounds: the reader, the embedded voice", pairs_of_voices),
}
"""By name: the capability that is measured, the set in words, and what makes it."""


if __name__ == "__main__":
    sys.exit(main())
