"""The program that runs git within the walls. Its source is sent there: it imports the standard library alone."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

GLOBAL = Path("/tmp/gitconfig")  # noqa: S108 - that of the walls
_CHUNK = 1 << 16


def main(plan: dict[str, Any]) -> None:
    """Run the steps of a plan, one after the other until one fails that may not, and print what each said as JSON."""
    GLOBAL.write_text(plan["identity"])
    os.chdir(plan["folder"])
    environment = plan["environment"]
    if "now" in plan:
        environment = environment | _choose_dates(plan, environment)
    if "index" in plan:
        # What git knows of the times of files is not that of these copies; some of its commands take its word for it.
        # And the copy of the index is newer than a file that was changed within a second of the original: by an index
        # of long ago git trusts no time and compares contents.
        if Path(plan["index"]).is_file():
            os.utime(plan["index"], (1, 1))
        _run(plan, {"words": ["update-index", "-q", "--refresh"], "stdin": ""}, environment, {})
    results_by_step: dict[str, dict[str, Any]] = {}
    failed = 0
    for step in plan["steps"]:
        name, when = step["name"], step.get("when")
        if when and results_by_step.get(when[0], {}).get("code") not in when[1]:
            continue
        results_by_step[name] = _run(plan, step, environment, results_by_step)
        code, allowed = results_by_step[name]["code"], step["may_fail"]
        if code and allowed is not True and code not in (allowed or ()):
            failed = 1
            break
    if "index" in plan:
        _clear_times(Path(plan["index"]))
    json.dump(results_by_step, sys.stdout)
    sys.exit(failed)


def _choose_dates(plan: dict[str, Any], environment: dict[str, str]) -> dict[str, str]:
    """Author's and committer's date: now, or a second after the newest commit where that is later."""
    newest = [int(plan["now"]) - 1]
    for words in (
        ["for-each-ref", "--sort=-committerdate", "--count=1", "--format=%(committerdate:unix)"],
        ["log", "-1", "--format=%ct"],
    ):
        newest_date = _run(plan, {"words": words, "stdin": ""}, environment, {})["raw"].strip()
        newest += [int(newest_date)] if newest_date.isdecimal() else []
    date = f"@{max(newest) + 1} +0000"
    return {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}


def _run(
    plan: dict[str, Any], step: dict[str, Any], environment: dict[str, str], results_by_step: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    words = [_fill_word(word, results_by_step) for word in step["words"]]
    with (
        Path("/tmp/stderr").open("wb+") as errors,  # noqa: S108
        subprocess.Popen(  # noqa: S603 - git, within the walls
            [plan["git"], *plan["settings"], *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
        ) as process,
    ):
        assert process.stdin is not None  # noqa: S101 - asked for above
        assert process.stdout is not None  # noqa: S101
        try:
            process.stdin.write(step["stdin"].encode("utf-8", "surrogateescape"))
            process.stdin.close()
        except BrokenPipeError:
            pass
        out = process.stdout.read(plan["kept_bytes"] + 1)
        cut = len(out) > plan["kept_bytes"]
        if cut:
            process.kill()
        process.wait()
        errors.seek(0)
        error_chunk = errors.read(_CHUNK)
    return {
        "code": 0 if cut else process.returncode,
        "raw": out[: plan["kept_bytes"]].decode("utf-8", "surrogateescape"),
        "err": error_chunk.decode("utf-8", "backslashreplace"),
        "cut": cut,
    }


def _fill_word(word: str, results_by_step: dict[str, dict[str, Any]]) -> str:
    """The word; one that begins with a null byte stands for what the step of that name printed, with what follows."""
    if not word.startswith("\0"):
        return word
    name, _, rest = word[1:].partition("\0")
    out: str = results_by_step.get(name, {}).get("raw", "")
    return out.strip() + rest


def _clear_times(index: Path) -> None:
    """Take times, inodes, owners and sizes of files out of an index, so that equal work makes equal bytes.

    Git then compares contents. Format: https://git-scm.com/docs/index-format, versions 2 to 4. A damaged one stays as
    it is.
    """
    if not index.is_file():
        return
    data = bytearray(index.read_bytes())
    digest = hashlib.sha256 if hashlib.sha256(data[:-32]).digest() == data[-32:] else hashlib.sha1
    size = digest().digest_size
    try:
        starts = list(_iter_entries(data, size))
    except (IndexError, ValueError):
        return
    for start in starts:
        data[start : start + 24] = bytes(24)
        data[start + 28 : start + 40] = bytes(12)
    data[-size:] = digest(data[:-size]).digest()
    draft = index.with_name("index.cleared")
    draft.write_bytes(data)
    draft.replace(index)


def _iter_entries(data: bytearray, digest_size: int) -> Iterator[int]:
    """Where each entry of an index begins."""
    version, count = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:12], "big")
    start = 12
    for _ in range(count):
        yield start
        flags = int.from_bytes(data[start + 40 + digest_size : start + 42 + digest_size], "big")
        name = start + 42 + digest_size + (2 if flags & 0x4000 else 0)
        if version == 4:
            while data[name] & 0x80:
                name += 1
            name += 1
        end = data.index(0, name)
        start = end + 1 if version == 4 else start + (end - start + 8) // 8 * 8
