"""How tests are spread over processes: by file, so that a file's fixtures are made once; proofs of tasks one by one."""

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

# How long a draw or an example takes says something of the machine, which may be busy, and nothing of the law.
settings.register_profile(
    "yard", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.load_profile("yard")
PROOFS = (
    "sandbox/test_quickstart.py",
    "sandbox/test_office.py",
    "sandbox/test_lore_suite.py",
    "evaluators/test_lore_solving.py",
)


class ByFile(LoadScopeScheduling):  # type: ignore[misc]
    """Whole files, but for the proofs, of which each takes as long as a file."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", 1)[0]
        return nodeid if file.endswith(PROOFS) else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile:
    return ByFile(config, log)
