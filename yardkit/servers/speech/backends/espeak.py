"""The program espeak-ng: understood in more than a hundred languages, and heard to be a machine."""

import os
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.kit.sounds import read_full_sound
from yardkit.models.contract import Origin
from yardkit.programs.command import run_program
from yardkit.servers.speech.backends import Utterance
from yardkit.world import Problem, Unavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PROGRAM = "espeak-ng"
_RATE_HZ = 22_050
_WORDS_A_MINUTE = 165
_SECONDS = 60.0
_OTHER_CODES = {"zh": "cmn", "no": "nb", "nn": "nb", "tl": "fil", "jw": "id"}
"""Codes of languages that it calls otherwise, or speaks by a near one."""


class Espeak:
    """A voice by rules, without a model."""

    voices = ("espeak",)

    @property
    def origin(self) -> Origin:
        return Origin("embedded", _PROGRAM, "limited")

    def missing(self) -> str:
        return "" if shutil.which(_PROGRAM) else f"the program is not installed; apt-get install {_PROGRAM}"

    def speak(self, utterance: Utterance) -> "tuple[NDArray[np.float32], int]":
        """Samples and their rate; nothing in it is chance."""
        if utterance.voice not in {None, *self.voices}:
            raise Problem(
                f"{utterance.voice!r} is not an available voice; omit it, or use 'heart' (English) or 'espeak'"
            )
        code = _OTHER_CODES.get(utterance.language, utterance.language)
        if code not in _list_languages():
            raise Problem(
                f"espeak-ng does not support {utterance.language!r}; use one of {', '.join(sorted(_list_languages()))}"
            )
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder, "spoken.wav")
            options = [
                "-b",
                "1",
                "-v",
                code,
                "-s",
                str(round(_WORDS_A_MINUTE * utterance.rate)),
                "-w",
                str(target),
                "--stdin",
            ]
            ended = run_program(
                [_PROGRAM, *options], environment=_build_environment(), limit_s=_SECONDS, given=utterance.text.encode()
            )
            if ended.exit_code or ended.timed_out or not target.is_file():
                raise Problem(
                    f"espeak-ng failed to speak this text ({ended.stderr.strip()[:200] or 'no sound'}); shorten it"
                )
            return read_full_sound(target, _RATE_HZ), _RATE_HZ


def _build_environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}


@cache
def _list_languages() -> frozenset[str]:
    ended = run_program([_PROGRAM, "--voices"], environment=_build_environment(), limit_s=_SECONDS)
    if ended.exit_code or ended.timed_out:
        raise Unavailable("espeak-ng does not list its voices; reinstall it: apt-get install espeak-ng")
    rows = [line.split() for line in ended.stdout.splitlines()[1:]]
    return frozenset(row[1].split("-")[0] for row in rows if len(row) > 1)
