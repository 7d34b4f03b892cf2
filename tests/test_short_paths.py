"""Following a common call through the code stays possible: it enters few files, and does not jump between them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.walks import Walk

MAX_FILES = {"grade": 45, "send_message": 25, "write_cells": 63}
MAX_SWITCHES = {"grade": 450, "send_message": 410, "write_cells": 600}


@pytest.fixture(scope="module")
def walks() -> dict[str, Walk]:
    """By call. They are measured in a process of their own, which loads what a grader loads."""
    command = [sys.executable, "-m", "support.walks"]
    output = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True).stdout
    return {name: Walk(*figures) for name, figures in json.loads(output).items()}


@pytest.mark.parametrize("call", MAX_FILES)
def test_a_common_call_enters_few_files_and_stays_in_them(walks: dict[str, Walk], call: str) -> None:
    assert walks[call].files <= MAX_FILES[call]
    assert walks[call].switches <= MAX_SWITCHES[call]


def test_sending_a_mail_does_not_cost_more_in_a_full_mailbox(walks: dict[str, Walk]) -> None:
    assert walks["send_message, 300 mails more"].calls < walks["send_message"].calls + 100
