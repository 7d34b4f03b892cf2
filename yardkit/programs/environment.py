"""The environment of a process that opens files of agents: made from nothing, without tokens, keys and passwords."""

import os

_NAMES = frozenset(
    (
        *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH"),
        *("DYLD_LIBRARY_PATH", "TESSDATA_PREFIX", "FONTCONFIG_FILE", "FONTCONFIG_PATH"),
        *("YARDKIT_MODELS", "YARDKIT_UNJAILED"),
    )
)
_BEGINNINGS = ("LC_", "PYTHON", "XDG_", "COVERAGE_", "COV_CORE_")


def build_bare_environment() -> dict[str, str]:
    """What of our environment says where things are and how texts are written."""
    return {name: value for name, value in os.environ.items() if name in _NAMES or name.startswith(_BEGINNINGS)}
