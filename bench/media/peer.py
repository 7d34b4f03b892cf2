"""What a peer does, in its own environment: one job, its CPU and wall seconds as JSON.

python bench/media/peer.py text|clip|denoise|hear INPUT OUTPUT
"""

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any


def draw_text(source: str, target: str) -> None:
    """moviepy: a line of text over the whole of a video."""
    from moviepy import CompositeVideoClip, TextClip, VideoFileClip

    with VideoFileClip(source) as film:
        words = TextClip(text="Harbour Bakery", font=FONT, font_size=40, color="white", stroke_color="black")
        words = words.with_duration(film.duration).with_position(("center", 600))
        CompositeVideoClip([film, words]).write_videofile(target, preset="veryfast", logger=None)


def cut_clip(source: str, target: str) -> None:
    """moviepy: 6.6 s of a video, coded anew."""
    from moviepy import VideoFileClip

    with VideoFileClip(source) as film:
        film.subclipped(5.0, 11.6).write_videofile(target, preset="veryfast", logger=None)


def remove_noise(source: str, target: str) -> None:
    """noisereduce at its defaults; samples as NumPy files."""
    import noisereduce
    import numpy as np

    np.save(target, noisereduce.reduce_noise(y=np.load(source), sr=16_000))


def transcribe_samples(source: str, target: str) -> None:
    """PocketSphinx with the model that comes with it: a folder of samples (16 kHz, 16 bits), a text of each."""
    from pocketsphinx import Decoder

    decoder = Decoder(samprate=16_000)
    heard = {}
    for path in sorted(Path(source).iterdir()):
        decoder.start_utt()
        decoder.process_raw(path.read_bytes(), full_utt=True)
        decoder.end_utt()
        heard[path.name] = decoder.hyp().hypstr if decoder.hyp() else ""
    Path(target).write_text(json.dumps(heard))


def count_cpu_seconds() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, kinds))


FONT = sys.argv[4] if len(sys.argv) > 4 else None
JOBS: dict[str, Any] = {"text": draw_text, "clip": cut_clip, "denoise": remove_noise, "hear": transcribe_samples}

if __name__ == "__main__":
    started, before = time.perf_counter(), count_cpu_seconds()
    JOBS[sys.argv[1]](sys.argv[2], sys.argv[3])
    print(json.dumps({"wall": time.perf_counter() - started, "cpu": count_cpu_seconds() - before}))
