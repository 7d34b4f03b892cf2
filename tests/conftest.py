"""How tests are spread over processes: by file, so that a file's fixtures are made once; proofs of tasks one by one."""

import pytest
from xdist.scheduler import LoadScopeScheduling

PROOFS = ("sandbox/test_quickstart.py", "sandbox/test_office.py")


class ByFile(LoadScopeScheduling):  # type: ignore[misc]
    """Whole files, but for the proofs, of which each takes as long as a file."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", 1)[0]
        return nodeid if file.endswith(PROOFS) else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile:
    return ByFile(config, log)
