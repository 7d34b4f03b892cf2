"""Entries of BibTeX: keys that differ, and texts in which the signs of LaTeX stand for themselves."""

import re
from collections.abc import Mapping, Sequence

from yardkit.apps.papers import Paper
from yardkit.servers.papers.engine.queries import fold_text
from yardkit.servers.papers.engine.tex_accents import decode_accents

_SIGNS = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": "{\\textbackslash}",
    "~": "{\\textasciitilde}",
    "^": "{\\textasciicircum}",
}
# Pandoc's rule: what is between the dollars touches both, and no digit follows, so that prices are no formulas.
_FORMULA = re.compile(r"(?<!\\)(\$(?=\S)[^$]*?(?<=[^\s\\])\$(?!\d))")
_SUFFIX = re.compile(r"(.+?),?\s+((?:Jr|Sr)\.?|III|IV)", re.IGNORECASE)
_GROUP = re.compile(r",|\band\b|\b(?:collaborations?|consortium|team|group|project|committee)$", re.IGNORECASE)


def format_entries(papers: Sequence[Paper], authors: Mapping[str, Sequence[str]], keys: Mapping[str, str]) -> str:
    """The entries of papers, in their order.

    Args:
        papers: to be written.
        authors: the names of their authors, by their ids.
        keys: of their entries, by their ids.
    """
    return "\n".join(_format_entry(paper, authors[paper.id], keys[paper.id]) for paper in papers)


def choose_keys(papers: Sequence[Paper], authors: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """A key for each paper by its id: author, year and first word, and a letter where several have the same."""
    papers_by_base: dict[str, list[str]] = {}
    for paper in sorted(papers, key=lambda paper: (paper.published, paper.id)):
        papers_by_base.setdefault(_build_base(paper, authors[paper.id]), []).append(paper.id)
    return {
        paper_id: base + (_name_number(number) if len(paper_ids) > 1 else "")
        for base, paper_ids in papers_by_base.items()
        for number, paper_id in enumerate(paper_ids)
    }


def escape_text(text: str) -> str:
    """A text whose signs stand for themselves in LaTeX; formulas between dollars stay formulas.

    Commands for accents become the letters that they stand for.
    """
    parts = _FORMULA.split(decode_accents(text))
    return "".join(
        part if number % 2 and _is_balanced(part) else "".join(_SIGNS.get(sign, sign) for sign in part)
        for number, part in enumerate(parts)
    )


def _is_balanced(formula: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", formula):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def _format_entry(paper: Paper, names: Sequence[str], key: str) -> str:
    facts = {
        "title": f"{{{escape_text(paper.title)}}}",
        "author": " and ".join(map(_format_name, names)),
        "year": paper.published[:4],
        "eprint": paper.id,
        "archivePrefix": "arXiv",
        "primaryClass": paper.categories[0],
        **({"journal": escape_text(paper.journal)} if paper.journal else {}),
    }
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in facts.items())
    return f"@{'article' if paper.journal else 'misc'}{{{key},\n{lines}\n}}\n"


def _format_name(name: str) -> str:
    """A name as BibTeX takes it apart: with a suffix as ``last, Jr., first``, and that of a group in braces.

    So is one that BibTeX would take for several, or for last and first.
    """
    suffixed = _SUFFIX.fullmatch(name.strip())
    if suffixed is not None and " " in suffixed[1]:
        first, _, last = suffixed[1].rpartition(" ")
        return ", ".join(map(escape_text, (last, suffixed[2], first)))
    return f"{{{escape_text(name)}}}" if _GROUP.search(name) else escape_text(name)


def _build_base(paper: Paper, names: Sequence[str]) -> str:
    suffixed = _SUFFIX.fullmatch(names[0].strip()) if names else None
    name = suffixed[1] if suffixed else names[0] if names else "anonymous"
    last = _fold_word((name.split() or [""])[-1])
    return f"{last or 'paper'}{paper.published[:4]}{_fold_word((paper.title.split() or [''])[0])}"


def _fold_word(word: str) -> str:
    """A word in the letters a to z and digits, which are all that each program takes in a key."""
    return re.sub(r"[^a-z0-9]", "", fold_text(word))


def _name_number(number: int) -> str:
    """The letters of a number: a to z, then aa, ab."""
    return (_name_number(number // 26 - 1) if number >= 26 else "") + chr(ord("a") + number % 26)
