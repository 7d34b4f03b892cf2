"""Media servers beside what people use instead, in one run: overlays, cuts, noise, words, memory.

    .venv/bin/python bench/media/run.py [--json] [--only text clip noise words memory listing]

The peers (moviepy, noisereduce, PocketSphinx) are installed below .tools/peers/media, or `--python` names an
environment that has them. Pairs are measured in turns and the least of each counts: other load only adds. What it adds
to CPU seconds is little, so those are what to go by on a machine that others use.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(Path(__file__).parent)]

from peers import install_peers  # noqa: E402
from PIL import Image  # noqa: E402
from support.pictures import ASTRONAUT, CAT, COFFEE  # noqa: E402
from support.sounds import LEISURE, READ, SENTENCES  # noqa: E402

from yardkit.kit.lettering import Lettering, add_text  # noqa: E402
from yardkit.kit.sound_streams import Form, read_blocks  # noqa: E402
from yardkit.kit.sounds import read_sound, wav_bytes  # noqa: E402
from yardkit.models.quality.figures import sound_ratio_db  # noqa: E402
from yardkit.models.quality.text_errors import word_errors  # noqa: E402
from yardkit.servers.audio.engine import noise  # noqa: E402
from yardkit.servers.images.engine import files as image_files  # noqa: E402
from yardkit.servers.speech.engine import speak_text, transcribe_sound  # noqa: E402
from yardkit.servers.video.engine import changes, overlays  # noqa: E402
from yardkit.servers.video.engine.overlays import Placing  # noqa: E402
from yardkit.servers.video.engine.streams import Shape, Sound, write_video  # noqa: E402
from yardkit.world import World, use_world  # noqa: E402
from yardkit.world.fonts import font_file  # noqa: E402

RATE = 16_000
MEDIA = ("images", "audio", "video", "speech", "music")
HEAVY = ("cv2", "scipy", "av", "numpy", "PIL", "onnxruntime")
VOICES = ("heart", "espeak")
KINDS = {"white": 5, "pink": 5, "hum": 0, "varying": 5}
"""Noises, and by how many decibels speech is louder."""
SPOKEN = SENTENCES[:5]
ROUNDS = 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--python", type=Path, help="of an environment with the peers")
    parser.add_argument("--only", nargs="*", choices=list(BENCHES), default=list(BENCHES))
    arguments = parser.parse_args()
    python = arguments.python or install_peers()
    figures = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        use_world(World.create(Path(folder) / "w", task="bench", seed=1)) as w,
    ):
        for name in arguments.only:
            figures[name] = BENCHES[name](w.files, python)
            print(json.dumps({name: figures[name]}), file=sys.stderr, flush=True)
    print(json.dumps(figures, indent=None if arguments.json else 1))
    return 0


def run_peer(python: Path, job: str, source: Path, target: Path) -> dict[str, float]:
    command = [python, Path(__file__).with_name("peer.py"), job, source, target, font_file("DejaVu Sans")]
    done = subprocess.run(command, cwd=target.parent, capture_output=True, text=True, check=True)  # it litters
    seconds: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return seconds


def measure_process(work: Callable[..., object], *args: object) -> dict[str, float]:
    """Wall and CPU seconds, and the most memory, of a call in a process of its own."""
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        work(*args)
        os._exit(0)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"{work} ended with {status}")
    wall = time.perf_counter() - started
    return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "MB": usage.ru_maxrss / 1000}


def compare_in_turns(ours: Callable[[], dict[str, float]], theirs: Callable[[], dict[str, float]]) -> dict[str, float]:
    """Both in turns; the least seconds of each, and how many times less ours are."""
    rounds = [(ours(), theirs()) for _ in range(ROUNDS)]
    least = {
        kind: [min(spent[kind] for spent in side) for side in zip(*rounds, strict=True)] for kind in ("cpu", "wall")
    }
    return {
        "ours, CPU s": least["cpu"][0],
        "moviepy, CPU s": least["cpu"][1],
        "times less CPU": least["cpu"][1] / least["cpu"][0],
        "ours, s": least["wall"][0],
        "moviepy, s": least["wall"][1],
        "times faster": least["wall"][1] / least["wall"][0],
    }


def write_film(path: Path, seconds: int, size: tuple[int, int], *, sound: bool = True) -> None:
    """Photographs that a window moves over, 30 pictures a second, with a reader's voice."""
    photographs = []
    for picture in (COFFEE, CAT, ASTRONAUT):
        with Image.open(picture) as image:
            photographs.append(image.convert("RGB").resize((size[0] * 5 // 4, size[1] * 5 // 4)))

    def pictures() -> Iterator[Any]:
        for number in range(seconds * 30):
            left, top = (side * (number % 120) // 480 for side in size)
            cropped_view = photographs[number // 120 % 3].crop((left, top, left + size[0], top + size[1]))
            yield np.asarray(cropped_view)

    form = Form(48_000, 1)
    heard = (block for _ in range(-(-seconds // 7)) for block in read_blocks(LEISURE, form, 0, min(7, seconds)))
    write_video(pictures(), Shape(*size, Fraction(30)), Sound(heard, form) if sound else None, path)


def film_of(files: Path) -> Path:
    film = files / "film.mp4"
    if not film.exists():
        write_film(film, 20, (1280, 720))
    return film


def measure_text(files: Path, python: Path) -> dict[str, Any]:
    film = film_of(files)
    look = Lettering(size_px=40, color="white", outline="black", align="center")
    asked = ("Harbour Bakery", look, Placing("bottom"))
    return compare_in_turns(
        lambda: measure_process(overlays._draw_text, files / "ours.mp4", film, *asked),
        lambda: run_peer(python, "text", film, files / "theirs.mp4"),
    )


def measure_clip(files: Path, python: Path) -> dict[str, Any]:
    film = film_of(files)
    return compare_in_turns(
        lambda: measure_process(changes._clip_draft, files / "ours.mp4", film, 5.0, 11.6),
        lambda: run_peer(python, "clip", film, files / "theirs.mp4"),
    )


def make_voices(files: Path) -> dict[str, list[tuple[str, Any]]]:
    """Sentences and how they sound at 16 kHz: two recordings of a reader, and what two voices make of five others."""
    recordings = {"reader": [(words, read_sound(path, RATE).samples) for path, words in READ.items()]}
    for voice in VOICES:
        recordings[voice] = []
        for sentence in SPOKEN:
            speak_text(sentence, files / "said.wav", voice=voice)
            recordings[voice].append((sentence, read_sound(files / "said.wav", RATE).samples))
    return recordings


def noise_of(kind: str, count: int) -> Any:
    """Noise of section 2.4 of the measurements: white, pink, the hum of the mains with hiss, pink that swells."""
    chance = np.random.default_rng(3)
    white, seconds = chance.standard_normal(count), np.arange(count) / RATE
    if kind == "white":
        return white
    if kind == "hum":
        return sum(np.sin(2 * np.pi * 50 * part * seconds + part) / part for part in range(1, 9)) + 0.05 * white
    hertz = np.maximum(np.fft.rfftfreq(count), 1 / count)
    pink = np.fft.irfft(np.fft.rfft(white) / np.sqrt(hertz), count)
    return pink if kind == "pink" else pink * (1 + 0.8 * np.sin(2 * np.pi * 0.25 * seconds))


def noise_bench(files: Path, python: Path) -> dict[str, Any]:
    """SI-SDR in decibels, as heard and after each, mean of the voices; and how fast the filter is."""
    figures: dict[str, Any] = {}
    cpu = seconds = 0.0
    speech = {
        voice: np.concatenate([np.pad(sound, (0, RATE * 2 // 5)) for _, sound in sentences[:3]])
        for voice, sentences in make_voices(files).items()
    }
    for kind, louder_db in KINDS.items():
        rows = []
        for clean in (0.2 * sound / np.abs(sound).max() for sound in speech.values()):
            other = noise_of(kind, len(clean))
            heard = clean + other * np.sqrt(np.mean(clean**2) / np.mean(other**2) / 10 ** (louder_db / 10))
            (files / "noisy.wav").write_bytes(wav_bytes(heard.astype(np.float32), RATE))
            np.save(files / "noisy.npy", heard.astype(np.float32))
            run_peer(python, "denoise", files / "noisy.npy", files / "theirs.npy")
            cpu += measure_process(
                noise._clean_draft,
                files / "ours.wav",
                ".wav",
                files / "noisy.wav",
                None,
                0.9,
                False,  # noqa: FBT003
            )["cpu"]
            seconds += len(clean) / RATE
            denoised_pair = (read_sound(files / "ours.wav", RATE).samples, np.load(files / "theirs.npy"))
            rows.append([sound_ratio_db(clean, sound[: len(clean)]) for sound in (heard, *denoised_pair)])
        before, ours, theirs = (float(column) for column in np.mean(rows, axis=0))
        figures[kind] = {
            "before": before,
            "ours": ours,
            "noisereduce": theirs,
            "least ahead": float(min(row[1] - row[2] for row in rows)),
        }
    return {**figures, "times as fast as the sound": seconds / cpu}


def measure_word_errors(files: Path, python: Path) -> dict[str, Any]:
    """Word error rates by voice."""
    recordings = make_voices(files)
    raw = files / "raw"
    raw.mkdir()
    figures: dict[str, Any] = {}
    heard: dict[str, str] = {}
    for voice, sentences in recordings.items():
        for number, (_, sound) in enumerate(sentences):
            (raw / f"{voice}-{number}").write_bytes((np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())
            (files / "one.wav").write_bytes(wav_bytes(sound, RATE))
            transcript = transcribe_sound(files / "one.wav", language="en")
            heard[f"{voice}-{number}"] = " ".join(segment.text for segment in transcript.segments)
    run_peer(python, "hear", raw, files / "heard.json")
    theirs = json.loads((files / "heard.json").read_text())
    for voice, sentences in recordings.items():
        texts = {f"{voice}-{number}": sentence for number, (sentence, _) in enumerate(sentences)}
        for name, given in (("whisper", heard), ("pocketsphinx", theirs)):
            figures[f"{voice}, {name}"] = word_errors([(text, given[key]) for key, text in texts.items()])["WER"]
    return figures


def measure_memory(files: Path, _: Path) -> dict[str, Any]:
    """The most memory of a process that makes one 4K edit, in MB."""
    size = (3840, 2160)
    with Image.open(COFFEE) as picture:
        picture.convert("RGB").resize(size).save(files / "4k.png")
    film = files / "4k.mp4"
    measure_process(write_film, film, 2, size)
    look = Lettering(size_px=120, color="white", outline="black")
    asked = ("Harbour Bakery", look, "bottom", None, None, 24)
    image = measure_process(image_files._apply_operation, files / "4k.png", "PNG", add_text, asked, 90)
    video = measure_process(overlays._draw_text, files / "made.mp4", film, "Harbour Bakery", look, Placing("bottom"))
    return {"text on a picture of 3840 x 2160, MB": image["MB"], "text on a video of 3840 x 2160, MB": video["MB"]}


def list_heavy_modules(_: Path, __: Path) -> dict[str, Any]:
    """Heavy modules that listing the tools of the media servers loads."""
    script = (
        "import sys\nfrom yardkit.sandbox.serving.registry import load_server\n"
        f"for name in {MEDIA!r}: load_server(name)\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return {"loaded": done.stdout.strip()}


BENCHES: dict[str, Callable[[Path, Path], dict[str, Any]]] = {
    "text": measure_text,
    "clip": measure_clip,
    "noise": noise_bench,
    "words": measure_word_errors,
    "memory": measure_memory,
    "listing": list_heavy_modules,
}

if __name__ == "__main__":
    sys.exit(main())
