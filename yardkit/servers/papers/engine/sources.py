"""The LaTeX source of a paper: its sections by number or name, its abstract, and all of it as Markdown."""

import re
from dataclasses import dataclass

from yardkit.world import Problem

_BRACED = r"\{((?:[^{}\\]|\\.|\{(?:[^{}\\]|\\.|\{[^{}]*\})*\})*)\}"
"""What stands in braces, with two levels of others in it."""
_SECTION = re.compile(rf"^[ \t]*\\(section|subsection)[ \t]*(\*?)[ \t]*(?:\[[^\]]*\])?\s*{_BRACED}", re.MULTILINE)
_APPENDIX = re.compile(r"^[ \t]*\\(?:appendix\b|begin\{appendi(?:x|ces)\})", re.MULTILINE)
_ABSTRACT = re.compile(r"\\begin\{abstract\}(.*?)\\end\{abstract\}", re.DOTALL)
_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_TABLE = re.compile(r"\\begin\{table\}.*?\\end\{table\}", re.DOTALL)
_ENTRY = re.compile(r"\\bibitem\{([^}]*)\}")


@dataclass(frozen=True)
class Section:
    """A section or subsection. number: such as ``2.1``, empty where it has none; text: LaTeX, with its subsections."""

    number: str
    title: str
    text: str


def sections_of(source: str) -> list[Section]:
    """The sections and subsections of a source, in their order; those of an appendix have letters."""
    heads = list(_SECTION.finditer(source))
    appendix = _APPENDIX.search(source)
    begins = appendix.start() if appendix else len(source)
    sections, major, minor, in_appendix = [], 0, 0, False
    for place, head in enumerate(heads):
        deep = head[1] == "subsection"
        if head.start() > begins and not in_appendix:
            major, minor, in_appendix = 0, 0, True
        if not head[2]:
            major, minor = (major, minor + 1) if deep else (major + 1, 0)
        top = chr(ord("A") + (major - 1) % 26) if in_appendix and major else str(major)
        number = "" if head[2] else f"{top}.{minor}" if deep else top
        ends = (other.start() for other in heads[place + 1 :] if deep or other[1] == "section")
        sections.append(Section(number, head[3], source[head.start() : next(ends, _find_end(source))].strip()))
    return sections


def section_of(source: str, reference: str) -> Section | None:
    """The section with this number or name, whatever its case; None where there is none."""
    name = reference.strip().rpartition(">")[2].strip()
    for section in sections_of(source):
        numbered = f"{section.number} {section.title}".casefold()
        if name.rstrip(".").casefold() == section.number.casefold() or name.casefold() in (
            section.title.casefold(),
            numbered,
        ):
            return section
    return None


def require_section(source: str, reference: str) -> Section:
    """The section with this number or name.

    Raises:
        Problem: there is none; those that there are are named.
    """
    section = section_of(source, reference)
    if section is None:
        listed = "; ".join(f"{section.number} {section.title}".strip() for section in sections_of(source))
        raise Problem(f"there is no section {reference!r}; there are: {listed}")
    return section


def abstract_of(source: str) -> str:
    """The text of the abstract; empty where there is none."""
    match = _ABSTRACT.search(source)
    return match[1].strip() if match else ""


def as_markdown(source: str) -> str:
    """A source as Markdown: headings, formulas between dollar signs, tables, numbered references."""
    body = _BODY.search(source)
    text = body[1] if body else source
    title = re.search(r"\\title\{([^}]*)\}", source)
    numbers = {key: str(place) for place, key in enumerate(_ENTRY.findall(text), 1)}
    labels = _number_labels(text)
    text = re.sub(r"(?<!\\)%.*", "", text)
    text = _TABLE.sub(lambda match: _format_table(match[0]), text)
    text = re.sub(r"\\begin\{equation\}(?:\\label\{[^}]*\})?(.*?)\\end\{equation\}", r"$$\1$$", text, flags=re.DOTALL)
    text = _ABSTRACT.sub(r"## Abstract\n\n\1", text)
    text = _SECTION.sub(lambda match: f"{'###' if match[1] == 'subsection' else '##'} {match[3]}", text)
    text = re.sub(r"\\begin\{thebibliography\}\{\d*\}", "## References\n", text)
    text = _ENTRY.sub(lambda match: f"\n[{numbers[match[1]]}]", text)
    text = re.sub(r"\\cite\{([^}]*)\}", lambda match: _format_citation(match[1], numbers), text)
    text = re.sub(r"\\(?:emph|textit)\{([^}]*)\}", r"*\1*", text)
    text = re.sub(r"\\textbf\{([^}]*)\}", r"**\1**", text)
    text = re.sub(r"\\(?:label\{[^}]*\}|maketitle|centering|end\{thebibliography\})", "", text)
    text = re.sub(r"~?\\(?:eq)?ref\{([^}]*)\}", lambda match: f" {labels.get(match[1], '?')}", text)
    text = text.replace("\\%", "%").replace("\\&", "&").replace("~", " ").replace("\\newblock ", "")
    head = f"# {title[1]}\n\n" if title else ""
    return re.sub(r"\n{3,}", "\n\n", head + text).strip() + "\n"


def _number_labels(text: str) -> dict[str, str]:
    """The numbers of what is labelled: each kind (``tab:``, ``eq:`` ...) is counted by itself."""
    numbers: dict[str, str] = {}
    for label in re.findall(r"\\label\{([^}]*)\}", text):
        kind = label.partition(":")[0]
        numbers[label] = str(1 + sum(label_key.partition(":")[0] == kind for label_key in numbers))
    return numbers


def _find_end(source: str) -> int:
    """Where the last section ends."""
    places = [source.find(mark) for mark in ("\\begin{thebibliography}", "\\end{document}")]
    return min((place for place in places if place >= 0), default=len(source))


def _format_citation(keys: str, numbers: dict[str, str]) -> str:
    return f"[{', '.join(numbers.get(key.strip(), '?') for key in keys.split(','))}]"


def _format_table(source: str) -> str:
    caption = re.search(r"\\caption\{([^}]*)\}", source)
    inside = re.search(r"\\begin\{tabular\}\{[^}]*\}(.*?)\\end\{tabular\}", source, re.DOTALL)
    lines = [
        line.strip()
        for line in re.split(r"\\\\", re.sub(r"\\(hline|toprule|midrule|bottomrule)", "", inside[1] if inside else ""))
    ]
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)&", line)] for line in lines if line]
    if not rows:
        return caption[1] if caption else ""
    table = [f"| {' | '.join(row)} |" for row in rows]
    table.insert(1, "|" + "---|" * len(rows[0]))
    return "\n".join([*([f"Table: {caption[1]}", ""] if caption else []), *table])
