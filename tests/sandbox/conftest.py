from pathlib import Path
from subprocess import CompletedProcess

import pytest
from support.commands import Run

from yardkit.__main__ import main


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def yardkit(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line in this process, in an empty directory."""

    def run(*arguments: str, **environment: str) -> CompletedProcess[str]:
        capsys.readouterr()
        with monkeypatch.context() as patch:
            patch.chdir(tmp_path)
            for name, value in environment.items():
                patch.setenv(name, value)
            try:
                code = main(arguments)
            except SystemExit as stop:  # of ``--version``
                code = int(stop.code or 0)
        captured = capsys.readouterr()
        return CompletedProcess(arguments, code, captured.out, captured.err)

    return run
