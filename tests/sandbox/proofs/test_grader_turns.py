"""Graders that take turns share each start of LibreOffice, and nothing else."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from yardkit.evaluators.checkpoints import EnvironmentInvalid
from yardkit.evaluators.readers.engines.libreoffice import convert_files, convert_files_alone
from yardkit.evaluators.readers.engines.time_limits import get_time_limit, reset_time_limits, shorten_time_limits
from yardkit.sandbox.proofs import grader_turns
from yardkit.sandbox.proofs.grader_turns import in_turns

PROTECTED = Path(__file__).parents[2] / "kit" / "pages" / "files" / "protected.docx"


def print_document(folder: Path, name: str, content: bytes) -> str:
    source, target = folder / name, folder / f"{name}.pdf"
    source.write_bytes(content)
    reason = convert_files({source: target})
    return reason or target.read_bytes()[:5].decode()


def test_files_that_several_want_are_converted_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    starts: list[int] = []

    def counted(pairs: Any, *others: Any, **more: Any) -> Any:
        starts.append(len(pairs))
        return convert_files_alone(pairs, *others, **more)

    monkeypatch.setattr(grader_turns, "convert_files_alone", counted)
    works = [partial(print_document, tmp_path, f"{number}.txt", b"Some words.") for number in range(3)]
    assert in_turns(works) == ["%PDF-"] * 3
    assert starts == [3]


def test_one_bad_file_does_not_spoil_the_others(tmp_path: Path) -> None:
    works: list[Callable[[], Any]] = [
        partial(print_document, tmp_path, "good.txt", b"Some words."),
        partial(print_document, tmp_path, "bad.docx", PROTECTED.read_bytes()),
        lambda: "nothing to convert",
    ]
    good, bad, other = in_turns(works)
    assert good == "%PDF-"
    assert bad
    assert bad != "%PDF-"
    assert other == "nothing to convert"


def test_what_one_raises_is_raised_and_time_limits_are_not_shared() -> None:
    def slow() -> float:
        reset_time_limits()
        shorten_time_limits()
        return get_time_limit(20.0)

    assert in_turns([slow, lambda: get_time_limit(20.0)]) == [5.0, 20.0]
    assert in_turns([]) == []
    with pytest.raises(ZeroDivisionError):
        in_turns([lambda: 1, lambda: 1 // 0])


def test_without_libreoffice_each_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentInvalid, match="LibreOffice is not installed"):
        in_turns([partial(print_document, tmp_path, name, b"Some words.") for name in ("a.txt", "b.txt")])
