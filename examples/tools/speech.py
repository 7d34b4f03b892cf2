"""Examples of speech: a reader, a voice that is made, and noise."""

from pathlib import Path
from typing import Any

from tools import audio
from tools.example import Example, Gallery

LONG, MAN = audio.LONG, audio.MAN
ORDER = "Please send 3 boxes to 14 Elm Street by May 5th; the price is $12.50."


def make_speech_example(target: str, text: str, **asked: Any) -> Example:
    return Example("speak_text", {"text": text, "target": target, **asked}, (target,))


def prepare_files(files: Path) -> None:
    audio.prepare_files(files)


GALLERY = Gallery(
    prepare_files,
    (
        Example("save_transcript", {"path": LONG, "target": "leisure.srt"}),
        Example("transcribe_speech", {"path": MAN, "words": True}),
        make_speech_example("order.wav", ORDER),
        make_speech_example("slow.wav", ORDER, rate=0.7),
        make_speech_example("bestellung.wav", "Bitte schicken Sie drei Kisten in die Ulmenstraße.", language="de"),
        Example("transcribe_speech", {"path": "order.wav"}),
        Example("detect_language", {"text": "Bitte schicken Sie drei Kisten."}),
        Example("detect_language", {"path": MAN}),
        Example("remove_noise", {"path": audio.KITCHEN, "target": "clean.wav"}, ("clean.wav",)),
        Example("compare_speakers", {"path": MAN, "other": LONG}),
        Example("compare_speakers", {"path": MAN, "other": "order.wav"}),
        Example("find_speakers", {"path": LONG}),
    ),
)
