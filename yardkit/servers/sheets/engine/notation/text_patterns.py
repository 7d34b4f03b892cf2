"""Text patterns that run in linear time (RE2), for searching and replacing."""

from __future__ import annotations

import re
from typing import Any

from yardkit.world import Problem

MAX_PATTERN = 1000
_DOLLAR = re.compile(r"\$([0-9])")


def compile_pattern(text: str, *, regex: bool, match_entire: bool, match_case: bool) -> Any:
    """A compiled pattern with `search` and `sub`; a plain text is searched for as it stands.

    Raises:
        Problem: the pattern is empty, too long or cannot be read.
    """
    import re2

    if not text or len(text) > MAX_PATTERN:
        raise Problem(f"the search text has {len(text)} characters; use 1 to {MAX_PATTERN}")
    body = text if regex else re2.escape(text)
    options = re2.Options()
    options.case_sensitive = match_case
    options.log_errors = False
    try:
        return re2.compile(rf"\A(?:{body})\z" if match_entire else body, options)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error)
        raise Problem(
            f"{text!r} is not a valid RE2 pattern ({reason}); look-arounds and backreferences are not supported"
        ) from error


def replace_matches(search_pattern: Any, replacement: str, text: str, *, regex: bool) -> str:
    """The text with every hit replaced; a pattern's replacement names groups by a backslash or dollar and number."""
    if not regex:
        return str(search_pattern.sub(replacement.replace("\\", r"\\"), text))
    return str(
        search_pattern.sub(_DOLLAR.sub(lambda dollar: _translate_group(search_pattern, dollar), replacement), text)
    )


def _translate_group(search_pattern: Any, name: re.Match[str]) -> str:
    return rf"\g<{name[1]}>" if 1 <= int(name[1]) <= search_pattern.groups else name[0]
