"""Unified diffs in bounded time."""

from collections.abc import Sequence
from difflib import SequenceMatcher

CONTEXT_LINES = 3
_MAX_PRODUCT = 1_000_000
_Opcode = tuple[str, int, int, int, int]


def unified_diff(before: Sequence[str], after: Sequence[str], name: str, characters: int) -> str:
    """The change of a file as a unified diff, cut at `characters`.

    What is common at both ends is set aside first; a change that is still too large to be compared line by line is
    given as one block.
    """
    head = _count_common(before, after)
    tail = _count_common(before[head:][::-1], after[head:][::-1])
    lines = [f"--- a/{name}\n", f"+++ b/{name}\n"]
    for group in _group_opcodes(before, after, head, tail):
        lines.extend(_format_hunk(group, before, after))
    text = "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)
    return text if len(text) <= characters else text[:characters] + "\n[the diff is longer]"


def _count_common(first_lines: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(first_lines, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _group_opcodes(before: Sequence[str], after: Sequence[str], head: int, tail: int) -> list[list[_Opcode]]:
    start = max(0, head - CONTEXT_LINES)
    keep = max(0, tail - CONTEXT_LINES)
    old, new = before[start : len(before) - keep], after[start : len(after) - keep]
    if len(old) * len(new) > _MAX_PRODUCT:
        return [[("replace", head, len(before) - tail, head, len(after) - tail)]]
    groups = SequenceMatcher(None, old, new).get_grouped_opcodes(CONTEXT_LINES)
    return [[(tag, a + start, b + start, c + start, d + start) for tag, a, b, c, d in group] for group in groups]


def _format_hunk(group: list[_Opcode], before: Sequence[str], after: Sequence[str]) -> list[str]:
    (_, a, _, c, _), (_, _, b, _, d) = group[0], group[-1]
    lines = [f"@@ -{_format_range(a, b)} +{_format_range(c, d)} @@\n"]
    for tag, i, j, k, m in group:
        if tag == "equal":
            lines.extend(" " + line for line in before[i:j])
        else:
            lines.extend("-" + line for line in before[i:j])
            lines.extend("+" + line for line in after[k:m])
    return lines


def _format_range(start: int, end: int) -> str:
    length = end - start
    return f"{start + 1 if length else start},{length}"
