"""Reading the lines of .ics and .vcf files, with separate code (RFC 5545, RFC 6350)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from yardkit.evaluators.checkpoints import InvalidArtifact

_LINE = re.compile(r"(?:[\w-]+\.)?([\w-]+)((?:;[^=:;]+=(?:\"[^\"]*\"|[^\":;]*))*):(.*)", re.DOTALL)
_PARAMETER = re.compile(r";([^=:;]+)=(\"[^\"]*\"|[^\":;]*)")
MAX_LINES = 200_000


@dataclass(frozen=True)
class ContentLine:
    """A property. params: the parameters by upper-case name; value: the raw value."""

    name: str
    params: dict[str, str]
    value: str

    @property
    def text(self) -> str:
        """Decode the value as text."""
        return re.sub(r"\\(.)", lambda match: "\n" if match[1] in "nN" else match[1], self.value)

    def split_texts(self, sign: str) -> list[str]:
        """Split the value into its parts, decoded as texts."""
        parts = re.split(rf"(?<!\\){re.escape(sign)}", self.value)
        return [ContentLine("", {}, part).text.strip() for part in parts]


def unfold_lines(data: bytes) -> list[str]:
    """Read the lines of a file and unfold those that were folded.

    Raises:
        InvalidArtifact: it is not UTF-8, or has too many lines.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidArtifact(f"it is not valid UTF-8 ({error})") from error
    lines = [line for line in re.sub(r"\r?\n[ \t]", "", text).splitlines() if line.strip()]
    if len(lines) > MAX_LINES:
        raise InvalidArtifact(f"it has {len(lines):,} lines")
    return lines


def content_lines(data: bytes) -> Iterator[ContentLine]:
    """Read the properties of a file.

    Raises:
        InvalidArtifact: a line is not a property.
    """
    for line in unfold_lines(data):
        match = _LINE.fullmatch(line)
        if match is None:
            raise InvalidArtifact(f"it has an invalid line: {line[:80]!r}")
        params = {name.upper(): value.strip('"') for name, value in _PARAMETER.findall(match[2])}
        yield ContentLine(match[1].upper(), params, match[3])
