"""Print the section of CHANGELOG.md for a tag, after checking that the tag and all stated versions are the same."""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def read_notes(tag: str) -> str:
    """The notes of a release; ends the program where a version or the date differs or is missing."""
    version = tag.removeprefix("v")
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    stated = {
        "pyproject.toml": tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"],
        "CITATION.cff": "".join(re.findall(r"^version: (.+)$", citation, re.MULTILINE)),
    }
    wrong = {name: found for name, found in stated.items() if found != version}
    if wrong:
        sys.exit(f"the tag is {tag}, but {wrong}; set the version there, or move the tag")
    dated = re.compile(
        rf"^## \[?{re.escape(version)}\]? - (\d{{4}}-\d\d-\d\d)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL
    )
    section = dated.search((ROOT / "CHANGELOG.md").read_text("utf-8"))
    if section is None:
        sys.exit(f'CHANGELOG.md has no section "## {version} - YYYY-MM-DD"; move Unreleased there')
    if f'date-released: "{section[1]}"' not in citation:
        sys.exit(f"CITATION.cff does not say that {version} was released on {section[1]}")
    return section[2].strip()


if __name__ == "__main__":
    sys.stdout.write(read_notes(sys.argv[1]) + "\n")
